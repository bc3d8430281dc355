"""The papers of an application: noted by name and hash, or kept as files beside the register, unchanged."""

import hashlib
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from geonotice.errors import Fault, InputError, UsageError
from geonotice.io.output_files import in_the_making
from geonotice.register.applications import Document, FiledApplication, Writer, show_application, update_application
from geonotice.register.database import file_of
from geonotice.register.session import town_register_url

if TYPE_CHECKING:
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register

__all__ = ["DOCUMENTS", "add_document", "keep_document", "kept_document"]


def add_document(
    register: "Register", number: str, file: Path, *, what: str, expires: date | None, on: date, writer: Writer
) -> FiledApplication:
    """Note a paper of an application by its name and hash; one of the same name takes the place of the earlier one, and the log keeps both.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(
            Fault(what=f"the document cannot be read: {error.strerror}", file=str(file), remedy="fix the path")
        ) from error
    return _note_document(register, number, file.name, content, what=what, expires=expires, on=on, writer=writer)


def _note_document(
    register: "Register",
    number: str,
    name: str,
    content: bytes,
    *,
    what: str,
    expires: date | None,
    on: date,
    writer: Writer,
) -> FiledApplication:
    if not what.strip():
        remedy, command = "type it, such as insurance", "give --what, such as insurance"
        raise UsageError(Fault(what="what the document is, is not given", remedy=remedy, command=command, key="what"))
    digest = hashlib.sha256(content).hexdigest()
    document = Document(name=name, sha256=digest, what=" ".join(what.split()), expires=expires, received=on)

    def change(before: FiledApplication) -> FiledApplication:
        others = tuple(one for one in before.documents if one.name != document.name)
        return replace(before, documents=(*others, document))

    return update_application(register, number, "document", replace(writer, why=f"{document.what}: {document.name}"), change)


DOCUMENTS = "documents"
"""The folder beside the register in which papers of applications are kept that came in as files."""


def keep_document(
    opened: "Opened",
    register: "Register",
    number: str,
    content: bytes,
    *,
    name: str,
    what: str,
    expires: date | None,
    on: date,
    writer: Writer,
) -> FiledApplication:
    """Keep a paper of an application as a file beside the register, unchanged, and note it as :func:`add_document` does.

    Raises
    ------
    InputError
        The file is empty.
    OutputError
        It cannot be kept; nothing was noted.
    """
    if not content:
        raise InputError(Fault(what="the document is an empty file", file=name, remedy="save it again", key="file"))
    filed, _ = show_application(register, number)
    kept = _document_file(opened, filed.number, name, hashlib.sha256(content).hexdigest())
    if not kept.is_file():
        with in_the_making(kept, "the copy of the document") as made:
            made.write_bytes(content)
            made.replace(kept)
    return _note_document(register, filed.number, name, content, what=what, expires=expires, on=on, writer=writer)


def kept_document(opened: "Opened", filed: FiledApplication, name: str) -> bytes | None:
    """Return a document of an application as it came in; None where the town keeps it elsewhere.

    Raises
    ------
    UsageError
        The application has no such document.
    InputError
        The file was changed since.
    """
    found = next((one for one in filed.documents if one.name == name), None)
    if found is None:
        what = f"application {filed.number} has no document {name[:80]!r}"
        raise UsageError(Fault(what=what, remedy="look at the application again"))
    file = _document_file(opened, filed.number, found.name, found.sha256)
    if not file.is_file():
        return None
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != found.sha256:
        remedy = "bring it back from a backup, or ask for the document again"
        raise InputError(Fault(what="the document was changed since it was kept", file=str(file), remedy=remedy))
    return content


def _document_file(opened: "Opened", number: str, name: str, digest: str) -> Path:
    file = file_of(town_register_url(opened.town))
    return (file.parent if file else opened.town.folder) / DOCUMENTS / number / f"{digest[:12]}-{Path(name).name}"
