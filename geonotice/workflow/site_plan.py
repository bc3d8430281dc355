"""The site of an event as shapes: frontages, setback lines, and what the applicant drew, for every map that shows them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import shapely

from geonotice.decide.setbacks import buffer_of
from geonotice.ordinance.profile import District
from geonotice.select.layout import is_parking, lot_sides, within_setbacks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shapely.geometry.base import BaseGeometry

    from geonotice.select.layout import LotSides
    from geonotice.workflow.opening import Opened
    from geonotice.workflow.premises import Checked

__all__ = ["Drawn", "FrontageLine", "Setback", "SitePlan", "site_plan"]

_SIDES = ("front", "side", "rear")

BUFFER = "buffer"
"""What stands in the place of a district's code for the buffer that the officials or the law ask for."""


@dataclass(frozen=True, slots=True, eq=False)
class FrontageLine:
    """A frontage: its number, the street where one is known, its length in feet, and the run of lot line."""

    n: int
    street: str
    length_ft: float
    line: "BaseGeometry"


@dataclass(frozen=True, slots=True, eq=False)
class Setback:
    """The setbacks of one district, or the buffer: the widths in words, the line, and the ground between the lot lines and it."""

    code: str
    widths: str
    line: "BaseGeometry"
    ground: "BaseGeometry"

    @property
    def name(self) -> str:
        """What a map calls its line."""
        return self.code if self.code == BUFFER else f"setback {self.code}"


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A thing of the applicant's drawing; ``inside`` says which setbacks it does not keep, one sentence each."""

    what: str
    geometry: "BaseGeometry"
    inside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SitePlan:
    """What there is to draw of a site; ``unknown`` are the districts on it whose setbacks no table gives."""

    frontages: tuple[FrontageLine, ...]
    setbacks: tuple[Setback, ...]
    things: tuple[Drawn, ...]
    unknown: tuple[str, ...]

    def remark(self) -> str:
        """Say where no setback line is drawn; empty where all are."""
        if not self.unknown:
            return ""
        return f"No setback line is drawn for {', '.join(self.unknown)}: the profile's district table gives no widths."


def site_plan(opened: "Opened", checked: "Checked") -> SitePlan:
    """Gather the shapes of a checked event's site."""
    measured = checked.measured
    lines = [part for frontage in measured.near.frontages for part in shapely.get_parts(frontage.line)]
    sides = lot_sides(measured.land, lines, tolerance_ft=opened.town.settings.tolerance_ft)
    # A law without a rule on setbacks has no table of widths, and nothing to say of it.
    asked = any(rule.check == "setbacks" for rule in opened.profile.rules)
    codes = [one.code for one in checked.facts.districts] if asked else []
    table = {code: opened.profile.district(code) for code in codes}
    known = {code: district for code, district in table.items() if district and _widths(district)}
    buffers = [buffer_of(rule, checked.facts.buffer_ft) for rule in opened.profile.rules if rule.check == "setbacks"]
    if widest := max((one.width_ft for one in buffers if one), default=0.0):
        known[BUFFER] = District(BUFFER, "undetermined", front_ft=widest, side_ft=widest, rear_ft=widest)
    unknown = tuple(code for code in codes if code not in known)
    if asked and not codes:
        unknown = ("a district that is not known",)
    return SitePlan(
        frontages=tuple(FrontageLine(one.n, one.name, one.length_ft, one.line) for one in measured.near.frontages),
        setbacks=tuple(_setback(code, district, measured.land, sides) for code, district in known.items()),
        things=tuple(Drawn(what, shape, _inside(what, shape, sides, list(known.values()))) for what, shape in checked.layout),
        unknown=unknown,
    )


def _widths(district: "District") -> "dict[str, float]":
    return {name: width for name in _SIDES if (width := getattr(district, f"{name}_ft"))}


def _setback(code: str, district: "District", land: "BaseGeometry", sides: "LotSides") -> Setback:
    widths = _widths(district)
    inner = within_setbacks(land, sides, **{f"{name}_ft": widths.get(name) for name in _SIDES})
    words = ", ".join(f"{name} {width:g} ft" for name, width in widths.items())
    if len(widths) == len(_SIDES) and len({*widths.values()}) == 1:
        words = f"{widths['front']:g} ft from every lot line"
    return Setback(code, words, inner.boundary, land.difference(inner))


def _called(code: str) -> str:
    return code if code == BUFFER else f"setback of {code}"


def _inside(what: str, shape: "BaseGeometry", sides: "LotSides", districts: "Sequence[District]") -> tuple[str, ...]:
    """Say which setbacks a structure does not keep; parking is ground, and keeps none."""
    if is_parking(what):
        return ()
    return tuple(
        f"{distance:.1f} ft from the {name} line, {width:g} ft are the {_called(district.code)}"
        for district in districts
        for name, width in _widths(district).items()
        if (distance := float(shapely.distance(shape, getattr(sides, name)))) < width
    )
