"""What a browser sends with a form: its fields and its files, within the bounds of size and number that keep the desk whole; and the fields read one by one.

Every fault of a field is kept with it, so that a page can name all of them at once and link to each.
"""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from geonotice.errors import Fault, UsageError
from geonotice.model import LIKELY_DAYS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, MutableMapping, Sequence

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]

__all__ = ["HandedIn", "Refused", "Values", "day_given", "header", "plain", "read_form", "shown_faults"]

_MOST_BODY = 256 * 1024
"""Most bytes of a form: some hundred parcels with a reason each are 50,000."""
_MOST_FIELDS = 5_000
_MOST_UPLOAD = 24 * 1024 * 1024
"""Most bytes of a form with files: a year's permits in a workbook, a scanned policy."""
_MOST_FILES = 20
_FORM = "application/x-www-form-urlencoded"
_FORM_WITH_FILES = "multipart/form-data"


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A file that came with a form: its name without any folder, and its bytes."""

    name: str
    content: bytes


class Refused(Exception):  # it is an answer, and no fault of the program
    """A request that is answered with a sentence and a status, and goes no further."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


def header(scope: "MutableMapping[str, Any]", name: str) -> list[str]:
    """Return every value of a header of a request."""
    wanted = name.lower().encode("latin-1")
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == wanted]


async def read_form(
    scope: "MutableMapping[str, Any]", receive: "Receive"
) -> tuple[dict[str, list[str]], dict[str, list[HandedIn]]]:
    """Read the fields of a form, and the files that come with it."""
    kind = (header(scope, "content-type") or [""])[0].partition(";")[0].strip().lower()
    if kind not in {_FORM, _FORM_WITH_FILES, ""}:
        raise Refused(415, "The desk takes forms only.")
    most = _MOST_UPLOAD if kind == _FORM_WITH_FILES else _MOST_BODY
    size = (header(scope, "content-length") or ["0"])[0]
    if not size.isdigit() or int(size) > most:
        raise _too_large(most)
    arriving = _arriving(receive, most)
    if kind == _FORM_WITH_FILES:
        return await _fields_and_files(scope, arriving)
    return _fields(b"".join([part async for part in arriving])), {}


def _too_large(most: int) -> Refused:
    files = f" All files of a form together may have {most // 1024**2} MB." if most == _MOST_UPLOAD else ""
    return Refused(413, f"The form is too large, and nothing was done.{files}")


async def _arriving(receive: "Receive", most: int) -> "AsyncGenerator[bytes, None]":
    """Hand on the body of a request part by part, within its bounds: what a browser says of its length is not believed."""
    length = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused(400, "The form did not arrive whole.")
        part: bytes = message.get("body", b"")
        length += len(part)
        if length > most:
            raise _too_large(most)
        yield part
        if not message.get("more_body"):
            return


async def _fields_and_files(
    scope: "MutableMapping[str, Any]", arriving: "AsyncGenerator[bytes, None]"
) -> tuple[dict[str, list[str]], dict[str, list[HandedIn]]]:
    from starlette.datastructures import Headers
    from starlette.formparsers import MultiPartException, MultiPartParser

    parser = MultiPartParser(
        Headers(scope=scope), arriving, max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=_MOST_BODY
    )
    try:
        form = await parser.parse()
    except (MultiPartException, UnicodeDecodeError):
        raise Refused(400, "The form cannot be read.") from None
    fields: dict[str, list[str]] = {}
    files: dict[str, list[HandedIn]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            fields.setdefault(name, []).append(value)
        elif value.filename:  # without a name, no file was chosen
            files.setdefault(name, []).append(HandedIn(_plain_name(value.filename), await value.read()))
    await form.close()
    return fields, files


_LONGEST_NAME = 100
"""Characters of a file's name, with its ending: a file system takes 255 bytes."""


def _plain_name(given: str) -> str:
    r"""Return a file's name as it may stand in a folder: no folder in it, no sign that a file system knows.

    Examples
    --------
    >>> _plain_name("C:\\Users\\ann\\event.toml"), _plain_name("../../town.toml"), _plain_name("..."), _plain_name("a<b>:c\0.csv")
    ('event.toml', 'town.toml', 'file', 'a_b__c_.csv')
    """
    last = given.replace("\\", "/").rpartition("/")[2]
    plain = "".join(sign if sign.isprintable() and sign not in '<>:"|?*' else "_" for sign in last).strip(". ")
    stem, dot, ending = plain.rpartition(".")
    if dot and len(plain) > _LONGEST_NAME:
        plain = f"{stem[: _LONGEST_NAME - len(ending[:10]) - 1]}.{ending[:10]}"
    return plain[:_LONGEST_NAME] or "file"


def _fields(body: bytes) -> dict[str, list[str]]:
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError:  # bytes that are no text, or too many fields
        raise Refused(400, "The form cannot be read.") from None
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields


# ---- the fields, one by one


_MOST_LETTERS = 2_000


def day_given(text: str, key: str, what: str, faults: list[Fault]) -> date | None:
    """Read a day of a form; what is wrong with it becomes a fault with its field as key."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        faults.append(
            Fault(what=f"{what} is no date: {text[:40]}", remedy="choose it in the calendar, or write it as 2026-07-21", key=key)
        )
        return None
    if not LIKELY_DAYS[0] <= day <= LIKELY_DAYS[1]:
        faults.append(Fault(what=f"{day.year} is no likely year for {what}", remedy="correct the year", key=key))
        return None
    return day


class Values:
    """The fields of a form or of an address, and the faults that were met while they were read."""

    def __init__(self, given: "Mapping[str, Sequence[str]]") -> None:
        self._given = given
        self.faults: list[Fault] = []

    def text(self, name: str, *, most: int = _MOST_LETTERS) -> str:
        """Return a line of text, without blanks at its ends."""
        return self._kept(name, " ".join(self._first(name).split()), most)

    def paragraph(self, name: str, *, most: int = _MOST_LETTERS) -> str:
        """Return a text of several lines."""
        lines = [" ".join(line.split()) for line in self._first(name).replace("\r", "").split("\n")]
        return self._kept(name, "\n".join(lines).strip(), most)

    def several(self, name: str) -> list[str]:
        """Return what a field holds that stands several times, each once; empty ones are left out."""
        return list(dict.fromkeys(text for given in self._given.get(name, ()) if (text := given.strip())))

    def day(self, name: str, what: str) -> date | None:
        """Return a day; None where the field is empty or holds none."""
        return day_given(self._first(name).strip(), name, what, self.faults)

    def count(self, name: str, what: str, *, most: int = 10_000_000) -> int | None:
        """Return a whole number; None where the field is empty or holds none."""
        text = self._first(name).strip().replace(",", "")
        if not text:
            return None
        if not (text.isascii() and text.isdigit()) or int(text[:12]) > most:
            self.fault(name, f"{what} is no whole number up to {most:,}: {text[:40]}", "write it in digits")
            return None
        return int(text)

    def one_of(self, name: str, choices: "Collection[str]", what: str, *, otherwise: str = "") -> str:
        """Return one of several words; ``otherwise`` where the field is empty or holds another."""
        text = self._first(name).strip()
        if text and text not in choices:
            self.fault(name, f"{text[:40]!r} is no {what}", "choose one of the list")
            return otherwise
        return text or otherwise

    def answer(self, name: str) -> bool | None:
        """Return a yes or a no; None for unknown."""
        return {"yes": True, "no": False}.get(self._first(name).strip())

    def ticked(self, name: str) -> bool:
        """Return whether a box is marked."""
        return bool(self._first(name))

    def has(self, name: str) -> bool:
        """Return whether a field was sent, be it empty."""
        return name in self._given

    def raw(self) -> dict[str, str]:
        """Return every field as it was typed, for a form that is shown again."""
        return {name: self._first(name) for name in self._given}

    def fault(self, name: str, what: str, remedy: str, *, why: str = "") -> None:
        """Keep a fault of a field."""
        self.faults.append(Fault(what=what, why=why, remedy=remedy, key=name))

    def require(self) -> None:
        """Refuse where any field has a fault.

        Raises
        ------
        UsageError
            With every fault, each with its field as key.
        """
        if self.faults:
            raise UsageError(self.faults)

    def _first(self, name: str) -> str:
        return next(iter(self._given.get(name, ())), "")

    def _kept(self, name: str, text: str, most: int) -> str:
        if len(text) > most:
            self.fault(name, f"this has {len(text):,} letters", f"write {most:,} at most")
        return text[:most]


def plain(fault: Fault) -> Fault:
    """Return a fault as a page tells it: without the key, which is a field or an option, and without what is said of it on the command line."""
    return Fault(what=fault.what, why=fault.why, remedy=fault.remedy, file=fault.file, parcel=fault.parcel)


def shown_faults(faults: "Sequence[Fault]", fields: "Mapping[str, str] | None" = None) -> dict[str, Any]:
    """Return what a page needs to list faults: in words, each with the id of its field where it has one.

    ``fields`` is the id of the field that a key means, where that is another than the key; an empty one where the page has no such field.
    """
    told: list[Fault] = []
    links: dict[Fault, str] = {}
    for fault in faults:
        shown = plain(fault)
        if shown in told:
            continue
        told.append(shown)
        if field := (fields or {}).get(fault.key, _field_of(fault.key)):
            links[shown] = field
    return {"faults": told, "links": links}


def _field_of(key: str) -> str:
    """Return the id of the field that a key means; an option of the command line has the name of its field.

    Examples
    --------
    >>> _field_of("event.title"), _field_of("--owned-by")
    ('event.title', 'owned_by')
    """
    return key.removeprefix("--").replace("-", "_") if key.startswith("--") else key
