"""What the desk keeps beside the town for those who work at it: forms that are not finished, and files that were handed in.

Both are in the folder ``desk``. A form is the whole office's: a colleague can go on with it. A file is kept by its own content, so that an address can name it.
"""

import hashlib
import re
import secrets
import threading
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from geonotice.errors import Fault, UsageError
from geonotice.io.output_files import in_the_making, write_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geonotice.web.forms_and_uploads import HandedIn

__all__ = ["Draft", "Kept", "new_id"]

_FOLDER = "desk"
_DIGITS = 32
"""So many hexadecimal digits of a SHA-256 tell every file of a town from every other."""
_KEY = re.compile(rf"[0-9a-f]{{{_DIGITS}}}")
_ID = re.compile(r"[0-9A-Za-z_-]{8,40}")
_KIND = re.compile(r"[a-z]{1,20}")
_MOST_DRAFTS = 500
"""Drafts of an office: more are none that somebody is filling in, and the one that was saved the longest ago goes first."""
_SAVING = threading.Lock()
"""One is saved at a time: two who save the same form at once are kept apart."""


class Draft(Struct, frozen=True, kw_only=True):
    """A form as far as it is filled in.

    Parameters
    ----------
    kind, id
        Which form it is, and which of those.
    by
        Who saved it last.
    title
        What it is called where drafts are listed.
    saved
        When it was saved last.
    fields
        Its fields in their order, each by name and value.
    """

    kind: str
    id: str
    by: str
    title: str
    saved: datetime
    fields: tuple[tuple[str, str], ...]

    @property
    def seal(self) -> str:
        """What tells this state of the form from every other."""
        return hashlib.sha256(msgspec.json.encode((self.by, self.saved, self.fields))).hexdigest()[:_DIGITS]

    def values(self) -> dict[str, list[str]]:
        """Return the fields by name."""
        found: dict[str, list[str]] = {}
        for name, value in self.fields:
            found.setdefault(name, []).append(value)
        return found


def new_id() -> str:
    """Return a name for a form that is begun."""
    return secrets.token_urlsafe(12)


class Kept:
    """What is kept beside one town."""

    def __init__(self, town: Path) -> None:
        self._folder = town / _FOLDER

    def save(self, draft: Draft, *, seen: str | None = None) -> None:
        """Save a form, in the place of what was saved of it before.

        Parameters
        ----------
        draft
            The form.
        seen
            The seal of what was there when somebody began to change it; empty where there was nothing. None saves in any case.

        Raises
        ------
        UsageError
            It is no form of the desk, nobody is named, or somebody else has saved it meanwhile.
        OutputError
            It cannot be written.
        """
        if not draft.by:
            what = "this form is not saved: the desk does not know your name yet"
            raise UsageError(Fault(what=what, remedy="give your name for the log; it is saved from then on"))
        with _SAVING:
            there = self.draft(draft.kind, draft.id)
            if there is not None and seen is not None and there.seal != seen:
                at = f"{there.saved:%I:%M %p}".lstrip("0")
                what = f"this form is not saved: {there.by} saved it at {at}, after you opened it"
                remedy = "copy what you typed, load the page again, and go on with what it says then"
                raise UsageError(Fault(what=what, why="your form would take that back", remedy=remedy))
            for earlier in self._files_of(draft.kind, draft.id):
                earlier.unlink(missing_ok=True)
            write_file(self._file_of(draft.kind, draft.id), msgspec.json.encode(draft))
        for old in self.drafts()[_MOST_DRAFTS:]:
            self.discard(old.kind, old.id)

    def draft(self, kind: str, id_: str) -> Draft | None:
        """Return a form; None where there is none, or none that can be read."""
        for file in (self._file_of(kind, id_), *self._files_of(kind, id_)):
            try:
                return msgspec.json.decode(file.read_bytes(), type=Draft)
            except (OSError, msgspec.DecodeError):  # a draft that was damaged is no draft any more
                continue
        return None

    def require_form(self, kind: str, id_: str) -> None:
        """Refuse a form whose name none of the desk's forms has, before anything is written for it.

        Raises
        ------
        UsageError
            It is no form of the desk.
        """
        self._file_of(kind, id_)

    def seal(self, kind: str, id_: str) -> str:
        """Return the seal of a form as it was saved last; empty where it was not."""
        found = self.draft(kind, id_)
        return found.seal if found else ""

    def drafts(self, kind: str = "") -> "Sequence[Draft]":
        """Return the forms of the office that are not finished, the last saved first; of every kind where none is named."""
        named = {tuple(file.stem.split("-", 1)) for file in self._drafts.rglob(f"{kind or '*'}-*.json")}
        found = [self.draft(*one) for one in named]
        return sorted((one for one in found if one is not None), key=lambda one: one.saved, reverse=True)

    def discard(self, kind: str, id_: str) -> None:
        """Forget a form: it is finished, or not wanted any more."""
        for file in (self._file_of(kind, id_), *self._files_of(kind, id_)):
            file.unlink(missing_ok=True)

    def keep(self, given: "HandedIn") -> str:
        """Keep a file that was handed in, byte by byte, and return the key that an address names it by.

        Raises
        ------
        UsageError
            It is empty.
        OutputError
            It cannot be written.
        """
        if not given.content:
            what = f"the file {given.name} is empty"
            raise UsageError(Fault(what=what, remedy="save it again, or choose another one", key="file"))
        # The name too: what is made of a file names it.
        key = hashlib.sha256(given.name.encode() + b"\0" + given.content).hexdigest()[:_DIGITS]
        target = self._folder / "files" / key / given.name
        if not target.is_file():
            with in_the_making(target) as made:
                made.write_bytes(given.content)
                made.replace(target)
        return key

    def file(self, key: str) -> Path:
        """Return a file that was handed in.

        Raises
        ------
        UsageError
            There is none of that key.
        """
        folder = self._folder / "files" / key
        found = [file for file in folder.iterdir() if file.is_file()] if _KEY.fullmatch(key) and folder.is_dir() else []
        if len(found) != 1:
            what = "a file that was handed in is not there any more"
            raise UsageError(Fault(what=what, remedy="choose the file again, or take it out of the form"))
        return found[0]

    @property
    def _drafts(self) -> Path:
        return self._folder / "drafts"

    def _file_of(self, kind: str, id_: str) -> Path:
        if not (_KIND.fullmatch(kind) and _ID.fullmatch(id_)):
            raise UsageError(Fault(what="this is no form of the desk", remedy="load the page again"))
        return self._drafts / f"{kind}-{id_}.json"

    def _files_of(self, kind: str, id_: str) -> list[Path]:
        """Return where a form may stand of the time when each person had a folder."""
        return list(self._drafts.glob(f"*/{self._file_of(kind, id_).name}"))
