"""Find shapes by place with plain integers, in any database.

Each shape is put into the square cells that its box meets, on the level whose cells are at least as wide as the box: one to four
cells, whatever its size. A search looks at every level. Cells of level ``k`` are ``256 * 2**k`` feet wide.
"""

from collections.abc import Iterator
from math import floor

__all__ = ["LEVELS", "Bounds", "cells_of", "search_ranges"]

Bounds = tuple[float, float, float, float]

CELL_FT = 256.0
"""The width of the smallest cell: about two house lots."""

LEVELS = 16
"""Levels there are; the widest cells measure 1,600 miles, so that any shape on the map has a level."""


def cells_of(bounds: Bounds) -> tuple[tuple[int, int, int], ...]:
    """Give the cells ``(level, ix, iy)`` that a shape's box (minx, miny, maxx, maxy) is stored in.

    Examples
    --------
    >>> cells_of((10.0, 10.0, 200.0, 300.0))
    ((1, 0, 0),)
    """
    minx, miny, maxx, maxy = bounds
    span = max(maxx - minx, maxy - miny)
    level = next((level for level in range(LEVELS - 1) if span <= CELL_FT * 2**level), LEVELS - 1)
    xs, ys = _range(minx, maxx, level), _range(miny, maxy, level)
    return tuple((level, ix, iy) for ix in range(xs[0], xs[1] + 1) for iy in range(ys[0], ys[1] + 1))


def search_ranges(bounds: Bounds) -> Iterator[tuple[int, int, int, int, int]]:
    """Give, for each level, the cells a search box meets: ``(level, first ix, last ix, first iy, last iy)``."""
    minx, miny, maxx, maxy = bounds
    for level in range(LEVELS):
        yield (level, *_range(minx, maxx, level), *_range(miny, maxy, level))


def _range(low: float, high: float, level: int) -> tuple[int, int]:
    width = CELL_FT * 2**level
    return floor(low / width), floor(high / width)
