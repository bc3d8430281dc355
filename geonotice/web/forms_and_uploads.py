"""What a browser sends with a form: its fields and its files, within the bounds of size and number that keep the desk whole."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]

__all__ = ["HandedIn", "Refused", "header", "read_form"]

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
