"""Type for PDFs: one embedded font, what it can print, and lines that fit a box whole."""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import as_file, files
from typing import Any

from msgspec import Struct

__all__ = ["FONT", "STAND_IN", "Setting", "fit", "on_one_line", "printable", "stood_in", "unprintable", "width_pt", "wrapped"]

FONT = "DejaVuSansCondensed"

STAND_IN = "\u25af"
"""An upright empty box: what stands for a letter that the font cannot print, where the rest of the words is of use without it."""

ASCENT = 0.93
"""Height of the tallest capitals with accents over the baseline, and
:data:`DESCENT` the depth below it, in parts of the type's size (the font's own hhea table)."""
DESCENT = 0.24
LEADING = 1.17
"""From one baseline to the next: ascent and descent, so that no two lines touch."""
COMFORT_PT = 8.0
"""The smallest type that the Postal Service's readers are sure of (8 to 18 pt); smaller is taken only where nothing else fits."""
FLOOR_PT = 6.0
"""The smallest type a person reads without a glass."""
_STEP_PT = 0.5
_HANG = "   "
"""What a line that goes on begins with, so that it is not taken for one of its own."""


class Setting(Struct, frozen=True):
    """Lines as they are set: the size of type, and the lines after wrapping."""

    size_pt: float
    lines: tuple[str, ...]

    @property
    def height_pt(self) -> float:
        """Return the height from the top of the first line to the foot of the last."""
        return _height_pt(len(self.lines), self.size_pt)


@cache
def _font() -> Any:  # noqa: ANN401  # reportlab ships no types
    """Load the font once, and make it known to reportlab under :data:`FONT`."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    with as_file(files("geonotice.packet") / "fonts" / f"{FONT}.ttf") as path:
        font = TTFont(FONT, str(path))
    pdfmetrics.registerFont(font)
    return font


def width_pt(text: str, size_pt: float) -> float:
    """Measure a text."""
    return _width_at_one_point(text) * size_pt


@lru_cache(maxsize=65_536)
def _width_at_one_point(text: str) -> float:
    """Measure a text once for all sizes: the same words come back on label after label."""
    width: float = _font().stringWidth(text, 1)
    return width


def printable(text: str) -> str:
    r"""Return a text as it is set: composed letters, and one space for a tab or a line end; every letter stays.

    Examples
    --------
    >>> printable("Mu\u0308ller\tLee ")
    'Müller Lee'
    """
    if text.isascii() and text.isprintable():  # most are
        return text.strip()
    composed = unicodedata.normalize("NFC", text)
    return "".join(" " if letter in "\t\r\n\v\f\x85\u2028\u2029" else letter for letter in composed).strip()


@lru_cache(maxsize=16_384)
def unprintable(text: str) -> tuple[str, ...]:
    """List the letters of a text that would not come out right, each once.

    Those that the font lacks; and those that need more than setting one after the other: scripts written from the right, and
    marks that stand over another letter without a composed form.
    """
    return tuple(letter for letter in dict.fromkeys(printable(text)) if _is_unprintable(letter))


@cache
def _is_unprintable(letter: str) -> bool:
    known = _font().face.charToGlyph
    return (
        ord(letter) not in known
        or known[ord(letter)] == 0
        or unicodedata.bidirectional(letter) in {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "PDF", "PDI", "FSI"}
        or unicodedata.category(letter) in {"Mn", "Mc", "Me", "Cc", "Cs", "Co", "Cn"}
    )


def stood_in(text: str) -> str:
    """Return a text that the font can print, with :data:`STAND_IN` for each letter that it cannot: none is dropped silently.

    Examples
    --------
    >>> stood_in("Łukasz 王小")
    'Łukasz ▯▯'
    """
    bad = unprintable(text)
    return printable(text).translate(dict.fromkeys(map(ord, bad), STAND_IN)) if bad else printable(text)


def fit(lines: Sequence[str], *, width_pt: float, height_pt: float, most_pt: float) -> Setting | None:
    """Set lines in a box: smaller, then wrapped, then smaller still; None where not even that holds all of them.

    Nothing is hyphenated and no word is parted: a name is wrapped between words, or not at all.
    """
    return _fit(tuple(line for line in map(printable, lines) if line), width_pt, height_pt, most_pt)


@lru_cache(maxsize=16_384)
def _fit(lines: tuple[str, ...], width_pt: float, height_pt: float, most_pt: float) -> Setting | None:
    """Set lines once: each address is looked at before anything is printed, and again when it is."""
    for most, least in ((most_pt, min(COMFORT_PT, most_pt)), (min(COMFORT_PT, most_pt), FLOOR_PT)):
        for wrapped in (False, True):
            for size_pt in _sizes(most, least):
                made = _wrap(lines, width_pt, size_pt) if wrapped else list(lines)
                if made is not None and _height_pt(len(made), size_pt) <= height_pt and _widest(made, size_pt) <= width_pt:
                    return Setting(size_pt, tuple(made))
    return None


def _sizes(most: float, least: float) -> Iterable[float]:
    steps = int((most - least) / _STEP_PT)
    return [most - step * _STEP_PT for step in range(steps + 1)]


def _height_pt(lines: int, size_pt: float) -> float:
    return size_pt * (LEADING * max(lines - 1, 0) + ASCENT + DESCENT)


def _widest(lines: Iterable[str], size_pt: float) -> float:
    return max((width_pt(line, size_pt) for line in lines), default=0.0)


def _wrap(lines: Iterable[str], most_pt: float, size_pt: float) -> list[str] | None:
    """Wrap each line between its words; None where a word alone is too wide."""
    made: list[str] = []
    for line in lines:
        rows = [""]
        for word in line.split(" "):
            longer = f"{rows[-1]} {word}" if rows[-1].strip() else f"{rows[-1]}{word}"
            if width_pt(longer, size_pt) <= most_pt:
                rows[-1] = longer
            elif width_pt(_HANG + word, size_pt) <= most_pt:
                rows.append(_HANG + word)
            else:
                return None
        made += [row for row in rows if row.strip()]
    return made


def wrapped(text: str, *, width_pt: float, size_pt: float) -> tuple[str, ...]:
    """Return the lines of a text in a column: broken between words, and within a word only where it alone is wider than the column.

    Nothing is lost: what the font lacks has :data:`STAND_IN` in its place.

    Examples
    --------
    >>> wrapped("to all owners", width_pt=40, size_pt=9), wrapped("12.01-1-15.1", width_pt=30, size_pt=9)
    (('to all', 'owners'), ('12.01-', '1-15.1'))
    """
    return _wrapped(text, width_pt, size_pt)


def on_one_line(text: str, *, width_pt: float, size_pt: float) -> str:
    """Return as much of a text as one line holds, with dots where there is more."""
    lines = wrapped(text, width_pt=width_pt, size_pt=size_pt)
    return lines[0] if len(lines) == 1 else f"{wrapped(text, width_pt=width_pt - 1.5 * size_pt, size_pt=size_pt)[0]} …"


@lru_cache(maxsize=16_384)
def _wrapped(text: str, most_pt: float, size_pt: float) -> tuple[str, ...]:
    made: list[str] = []
    for line in text.split("\n"):
        row = ""
        for word in stood_in(line).split():
            longer = f"{row} {word}" if row else word
            if width_pt(longer, size_pt) <= most_pt:
                row = longer
                continue
            made += [row] if row else []
            rest = word
            while width_pt(rest, size_pt) > most_pt:
                most = next(n for n in range(len(rest), 0, -1) if n == 1 or width_pt(rest[:n], size_pt) <= most_pt)
                # A tax map number or a hash is parted after its own dividers where it can be.
                at = max((n for n in range(most // 2, most + 1) if n and rest[n - 1] in "-./,;"), default=most)
                made.append(rest[:at])
                rest = rest[at:]
            row = rest
        made += [row] if row else []
    return tuple(made)
