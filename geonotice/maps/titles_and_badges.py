"""How things look on a map in the browser: what the palette's colors are called there, so that the legend and the map cannot differ."""

from typing import Any

from msgspec import Struct

from geonotice.io.palette import HATCHES, PAINTS, Hatch

__all__ = [
    "BADGES",
    "EVENT_LOOKS",
    "EVIDENCE_LOOKS",
    "LOOKS",
    "SCREEN_LOOKS",
    "SITE_LOOKS",
    "Look",
    "badges",
    "other_evidence",
    "patterns",
]


class Look(Struct, frozen=True):
    """How one kind of thing is drawn; ``hatch`` is the id of a pattern in :func:`patterns`, ``line`` marks things without area, ``point`` things without length.

    ``badge`` is a drawing of :data:`BADGES` that stands on it; the legend shows it as well.
    """

    title: str
    stroke: str
    weight: float = 1.0
    fill: str = ""
    fill_opacity: float = 1.0
    hatch: str = ""
    dash: str = ""
    line: bool = False
    point: bool = False
    extra: dict[str, Any] = {}
    badge: str = ""

    def style(self) -> dict[str, Any]:
        """Return Leaflet's path options."""
        options: dict[str, Any] = {"color": self.stroke, "weight": self.weight, "opacity": 1, "fill": not self.line}
        if not self.line:
            options["fillColor"] = f"url(#{self.hatch})" if self.hatch else (self.fill or "#fff")
            options["fillOpacity"] = self.fill_opacity if (self.hatch or self.fill) else 0
        if self.dash:
            options["dashArray"] = self.dash
        return {**options, **self.extra}

    def swatch(self) -> str:
        """Return a small drawing of it for the legend."""
        dash = f' stroke-dasharray="{self.dash}"' if self.dash else ""
        stroke = f'stroke="{self.stroke}" stroke-width="{self.weight}"{dash}'
        if self.point:
            inside = f'<circle cx="18" cy="10" r="6" fill="{self.fill}" {stroke}/>'
        elif self.line:
            inside = f'<line x1="1" y1="10" x2="35" y2="10" {stroke}/>'
        else:
            fill = f"url(#{self.hatch})" if self.hatch else (self.fill or "none")
            opacity = f' fill-opacity="{self.fill_opacity}"' if self.fill_opacity != 1 and not self.hatch else ""
            inside = f'<rect x="2" y="2" width="32" height="16" fill="{fill}"{opacity} {stroke}/>'
        if self.badge:
            shape, text = BADGES[self.badge]
            inside += f'<g transform="translate(10.5 2.5) scale(.75)">{shape}{text.replace("@", _SAMPLE.get(self.badge, ""))}</g>'
        return f'<svg class="swatch" viewBox="0 0 36 20" aria-hidden="true">{inside}</svg>'


def _look(title: str, paint: str, **more: Any) -> Look:  # noqa: ANN401  # the other fields of a look
    """Return the look of a kind of thing: its colors from the palette, its title and what it is on this map."""
    of = PAINTS[paint]
    hatch = f"hatch-{of.hatch}" if of.hatch else ""
    return Look(title, of.stroke, of.weight, fill=of.fill, fill_opacity=of.opacity, hatch=hatch, dash=of.dash, **more)


_STILL = {"interactive": False}

LOOKS: dict[str, Look] = {
    "premises": _look("Premises", "premises"),
    "abutting": _look("Notified: abuts", "abutting"),
    "corner": _look("Notified: touches at a corner", "corner"),
    "opposite": _look("Notified: directly opposite", "opposite"),
    "within": _look("Notified: within the distance", "within"),
    "common_land": _look("Notified: owns common land on the list", "common_land"),
    "near_miss": _look("Near miss, not notified", "near_miss"),
    "no_parcels": _look("No parcel is known here", "no_parcels", extra=_STILL),
    "right_of_way": _look("Street or right-of-way parcel", "right_of_way"),
    "railroad": _look("Railroad parcel", "railroad"),
    "water_parcel": _look("Parcel under water", "water_parcel"),
    "context": _look("Other parcels", "context"),
    "radius": _look("The distance the law asks for", "radius", extra=_STILL),
    "streets": _look("Streets", "streets", line=True),
    "railroads": _look("Railroads", "railroads", line=True),
    "water": _look("Water", "water"),
    "municipalities": _look("Municipal boundaries", "municipalities", line=True),
    "zoning": _look("Zoning districts", "zoning"),
    "lots": _look("All lots", "lots", extra=_STILL),
    "reach": _look("Line off other municipalities", "municipality_line", line=True, extra=_STILL),
    "parades": _look("Parades", "parades", line=True),
}


def _number(color: str) -> str:
    return f'<text x="10" y="14.2" font-size="12" font-weight="700" text-anchor="middle" fill="{color}">@</text>'


BADGES: dict[str, tuple[str, str]] = {
    "full": ('<rect x="1" y="1" width="18" height="18" fill="#9c2f00" stroke="#fff" stroke-width="1.4"/>', _number("#fff")),
    "charity": (
        '<path d="M10 .6 L19.4 7.6 L15.8 19 L4.2 19 L.6 7.6 Z" fill="#9c2f00" stroke="#fff" stroke-width="1.4"/>',
        _number("#fff"),
    ),
    "last": ('<path d="M10 0 L20 10 L10 20 L0 10 Z" fill="#f0b429" stroke="#4d3600" stroke-width="1.2"/>', _number("#2b1f00")),
    "open": ('<circle cx="10" cy="10" r="9" fill="#cdebdf" stroke="#00664a" stroke-width="1.6"/>', _number("#003d2c")),
    "decide": (
        '<path d="M6 1 L14 1 L19 6 L19 14 L14 19 L6 19 L1 14 L1 6 Z" fill="#ece3f2" stroke="#6a3d8a" stroke-width="1.6"/>',
        _number("#4a2068").replace("@", "?"),
    ),
    "exempt": (
        '<path d="M1 4 L19 4 L19 16 L1 16 Z" fill="#fff" stroke="#5a6473" stroke-width="1.6"/>',
        _number("#39414d").replace("@", "\u2013"),
    ),
}
"""Shape and text of each badge, on a square of 20; ``@`` in the text stands for how many are left. The shapes differ without colour."""

_SAMPLE = {"full": "0", "charity": "0", "last": "1", "open": "2"}

EVENT_LOOKS: dict[str, Look] = {
    "full": _look("None left", "none_left", badge="full"),
    "charity": _look("None left, but one for a charity", "charity_left", badge="charity"),
    "last": _look("One left", "one_left", badge="last"),
    "open": _look("Two or more left", "several_left", badge="open"),
    "decide": _look("Needs an official's decision", "official_decides", badge="decide"),
    "exempt": _look("No cap", "no_cap", badge="exempt"),
}
"""By what is left on the parcel, for any applicant; the fullest first."""


def badges() -> dict[str, str]:
    """Return the badges as SVG for the page; ``@`` is where the number left goes."""
    return {
        state: f'<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">{shape}{text}</svg>'
        for state, (shape, text) in BADGES.items()
    }


EVIDENCE_LOOKS: dict[str, Look] = {
    "extension": _look("Lot lines extended across the street", "extension", line=True),
    "across": _look("Straight across to what is opposite", "across", line=True),
    "straight_across": _look("Straight across to what the extended lines do not meet", "straight_across", line=True),
    "shared_run": _look("Lot line shared with a neighbour", "shared_run", line=True),
    "frontage": _look("Frontage on a street", "frontage", line=True, extra={"lineCap": "round"}),
    "corner": _look("Touching at a corner", "corner_point", point=True),
    "nearest": _look("Shortest way to the premises", "nearest", line=True),
    "boundary": _look("Shortest way to a municipal boundary", "boundary", line=True),
    "sign": _look("Where a sign goes", "sign", point=True),
    "area": _look("Area the event uses", "event_area"),
}

SITE_LOOKS: dict[str, Look] = {
    "premises": _look("Premises", "site_premises"),
    "setback": _look("Setback or buffer line", "setback_line", line=True),
    "setback_ground": _look("Too near to a lot line", "setback_ground", extra=_STILL),
    "inside": _look("Drawn, and too near to a lot line", "drawn_too_near"),
    "thing": _look("Drawn by the applicant", "drawn"),
    "parking": _look("Parking drawn", "parking"),
}
"""What the site map has beside frontages and background."""


SCREEN_LOOKS: dict[str, Look] = {
    **{f"rank_{n}": _look("", f"rank_{n}") for n in range(1, 6)},
    "rank_unknown": _look("Passes; what it is ranked by is unknown (?)", "rank_unknown"),
    "undecided": _look("Unknown whether it passes (?)", "passing_undecided"),
    "excluded": _look("Something speaks against it at all", "spoken_against"),
    "out": _look("Does not pass", "ruled_out"),
}
"""What the map of a screen tells of a lot; the ranks, the best first, are named by their numbers."""


def other_evidence(kind: str) -> Look:
    """Return the look of a kind of evidence that has none of its own."""
    return _look(kind.replace("_", " ").capitalize(), "other_evidence", line=True)


def patterns() -> str:
    """Return the hatches as an SVG that takes no room; paths refer to them by ``url(#id)``."""
    drawn = "".join(_pattern(f"hatch-{name}", hatch) for name, hatch in HATCHES.items())
    return f'<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>{drawn}</defs></svg>'


def _pattern(name: str, hatch: Hatch) -> str:
    size, width = hatch.size, f"{hatch.width:g}"
    stripe = f'<rect width="{width}" height="{size}" fill="{hatch.ink}"/>'
    rung = f'<rect width="{size}" height="{width}" fill="{hatch.ink}"/>'
    marks = {
        "stripes": stripe,
        "rungs": rung,
        "crossed": stripe + rung,
        "dots": f'<circle cx="{size / 2:g}" cy="{size / 2:g}" r="{width}" fill="{hatch.ink}"/>',
    }[hatch.marks]
    return (
        f'<pattern id="{name}" patternUnits="userSpaceOnUse" width="{size}" height="{size}" patternTransform="rotate({hatch.angle})">'
        f'<rect width="{size}" height="{size}" fill="{hatch.ground}"/>{marks}</pattern>'
    )
