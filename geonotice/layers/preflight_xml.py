"""Look at an XML document (GML, KML) before GDAL does: GDAL reads what it can of one that was cut off."""

import re
from pathlib import Path
from xml.parsers import expat

from geonotice.errors import Fault, UnreadableLayer
from geonotice.layers.preflight_json import cut_off

__all__ = ["examine"]

_HEAD = 65_536
_MATCHED = re.compile(rb'\bnumberMatched="(\d+)"')


def examine(shown: Path, path: Path) -> int | None:
    """Look at an XML document; give the number of features that its service says there are.

    Raises
    ------
    UnreadableLayer
        It is a web page, a service's error message, or not whole.
    """
    file = str(shown)
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:2000].lower()
    if start.startswith((b"<!doctype html", b"<html")) or b"<html" in start:
        raise UnreadableLayer(
            Fault(
                what="the file is a web page (HTML), not a layer: the download was answered with a page, perhaps to sign in",
                remedy="open the address in a browser, sign in there, and download the data itself",
                file=file,
            )
        )
    if b"exceptionreport" in start or b"serviceexception" in start:
        said = " ".join(re.sub(rb"<[^>]*>", b" ", head).decode("utf-8", "replace").split())[:300]
        raise UnreadableLayer(
            Fault(
                what=f"the file holds the service's error message, not the layer: {said}",
                remedy="correct the request, and download again",
                file=file,
            )
        )
    parser = expat.ParserCreate()
    try:
        with path.open("rb") as stream:
            parser.ParseFile(stream)
    except expat.ExpatError as error:
        if error.code in {
            expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
            expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
        }:
            raise cut_off(file) from error
        raise UnreadableLayer(
            Fault(
                what=f"the file is damaged at line {error.lineno} ({expat.ErrorString(error.code)})",
                remedy="download or export it again",
                file=file,
            )
        ) from error
    matched = _MATCHED.search(head)
    return int(matched[1]) if matched else None
