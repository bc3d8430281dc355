"""Pictures for paper: looked at as a whole before they are used, and drawn as PNG where a Word file cannot hold them as they are."""

import io
import re

__all__ = ["paper_picture"]

_SIDE_PX = 1500
"""The longer side of a drawing: 600 dots per inch of 2.5 in, the widest that a letterhead has."""

_LONGEST = 20
"""A picture longer than this many times its width is a slip in the file, and would take gigabytes to draw."""

_MOST_PX = 40_000_000

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"


def paper_picture(content: bytes) -> bytes:
    """Return a picture as PNG or JPEG, every dot of it read.

    Parameters
    ----------
    content
        A PNG or JPEG, returned as it is; an SVG, or another picture (CMYK, GIF, TIFF, WebP), drawn as PNG.

    Raises
    ------
    ValueError
        It is no picture, is cut off, or cannot be drawn the same on every machine; the message says so.
    """
    if re.match(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|!DOCTYPE|svg)", content):
        return _drawn(content)
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content)) as picture:
            if picture.width * picture.height > _MOST_PX:
                raise ValueError(f"it has {picture.width:,} by {picture.height:,} dots: save it smaller")
            kept = picture.format in {"PNG", "JPEG"} and picture.mode != "CMYK"
            picture.load()
            if kept:
                return content
            made = io.BytesIO()
            picture.convert("RGBA" if picture.has_transparency_data else "RGB").save(made, "PNG")
            return made.getvalue()
    except UnidentifiedImageError as error:
        raise ValueError("it is not a picture that can be read: save it as PNG or SVG") from error
    except (OSError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise ValueError(f"it is damaged or cut off ({error}): save it again") from error


def _drawn(content: bytes) -> bytes:
    """Draw an SVG. What would come out differently from machine to machine, or not at all, is refused: type, and pictures beside the file."""
    import resvg_py
    from lxml import etree

    try:
        root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise ValueError(f"the SVG is damaged ({error}): save it again") from error
    if root.tag != f"{_SVG}svg":
        raise ValueError("it is no SVG: save it as PNG or SVG")
    if any(True for _ in root.iter(f"{_SVG}text", f"{_SVG}foreignObject")):
        raise ValueError(
            "the SVG has type in it, which looks different on every computer: turn the type into paths and save it again"
        )
    if any(not _held(node.get(_LINK) or node.get("href") or "") for node in root.iter(f"{_SVG}image")):
        raise ValueError("the SVG shows a picture that is another file: embed it and save it again")
    wide, high = _size(root)
    if not 1 / _LONGEST <= wide / high <= _LONGEST:
        raise ValueError(f"the SVG is {wide:g} by {high:g}: no seal is as long as that")
    try:
        made = bytes(
            resvg_py.svg_to_bytes(
                svg_string=content.decode("utf-8-sig"),
                width=round(_SIDE_PX * min(1, wide / high)),
                dpi=96,
                skip_system_fonts=True,
            )
        )
    except ValueError as error:
        raise ValueError(f"the SVG cannot be drawn ({error}): save it as PNG") from error
    from PIL import Image

    with Image.open(io.BytesIO(made)) as picture:
        if picture.convert("RGBA").getchannel("A").getextrema()[1] == 0:
            raise ValueError("nothing of the SVG can be seen: save it as PNG")
    return made


def _held(link: str) -> bool:
    """Whether a picture is in the file itself."""
    return link.startswith("data:")


def _size(root: object) -> tuple[float, float]:
    """Return width and height, as its box or its own numbers state them."""
    box = [float(one) for one in re.findall(r"-?[\d.]+(?:e-?\d+)?", root.get("viewBox") or "")]  # type: ignore[attr-defined]
    sides = [re.fullmatch(r"\s*([\d.]+)\s*(?:px|pt|mm|cm|in|pc)?\s*", root.get(key) or "") for key in ("width", "height")]  # type: ignore[attr-defined]
    wide, high = box[2:] if len(box) == 4 else (float(side[1]) if side else 0.0 for side in sides)  # noqa: PLR2004  # x, y, width, height
    if wide <= 0 or high <= 0:
        raise ValueError("the SVG does not state its size: save it with a viewBox, or as PNG")
    return wide, high
