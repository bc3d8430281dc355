"""How things look on a map: one place for colours, dashes and hatches, so that the legend and the map cannot differ.

Colours are of the Okabe and Ito set, told apart by colour-blind readers; every kind also has a hatch or a dash of its own, so that
a black-and-white print says the same.
"""

from dataclasses import dataclass, field
from typing import Any

from geonotice.maps.page import escape

__all__ = [
    "BADGES",
    "DISTRICT_FILLS",
    "EVENT_LOOKS",
    "EVIDENCE_LOOKS",
    "LOOKS",
    "SITE_LOOKS",
    "Look",
    "badges",
    "layer_title",
    "patterns",
]


@dataclass(frozen=True, slots=True)
class Look:
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
    extra: dict[str, Any] = field(default_factory=dict)
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


LOOKS: dict[str, Look] = {
    "premises": Look("Premises", "#7a2e00", 3, hatch="hatch-premises"),
    "abutting": Look("Notified: abuts", "#00507d", 1.8, hatch="hatch-abutting"),
    "corner": Look("Notified: touches at a corner", "#00507d", 1.8, hatch="hatch-corner"),
    "opposite": Look("Notified: directly opposite", "#00664a", 1.8, hatch="hatch-opposite"),
    "within": Look("Notified: within the distance", "#7d5f00", 1.4, fill="#f7e2a0", fill_opacity=0.85),
    "common_land": Look("Notified: owns common land on the list", "#6a3d8a", 1.6, hatch="hatch-common"),
    "near_miss": Look("Near miss, not notified", "#555c66", 1.4, hatch="hatch-near", dash="6 4"),
    "right_of_way": Look("Street or right-of-way parcel", "#8b919b", 0.8, fill="#e3e5e8", dash="2 2"),
    "railroad": Look("Railroad parcel", "#4a4f57", 1, hatch="hatch-railroad"),
    "water_parcel": Look("Parcel under water", "#5d93b8", 0.8, fill="#d6e8f3"),
    "context": Look("Other parcels", "#aab0b9", 0.8, fill="#ffffff"),
    "radius": Look("The distance the law asks for", "#b3125f", 2, dash="10 5 2 5", extra={"interactive": False}),
    "streets": Look("Streets", "#767e8a", 2.2, line=True),
    "railroads": Look("Railroads", "#3a3f47", 2.4, dash="8 5", line=True),
    "water": Look("Water", "#5d93b8", 0.8, fill="#cfe3f0", fill_opacity=0.9),
    "municipalities": Look("Municipal boundaries", "#5b2a6e", 2.6, dash="14 4 3 4", line=True),
    "zoning": Look("Zoning districts", "#8d8256", 1.4, fill="#efe6c4", fill_opacity=0.55, dash="3 3"),
}

LOOKS |= {
    "lots": Look("Lots", "#b9bec6", 0.7, fill="#ffffff", extra={"interactive": False}),
    "reach": Look("Line off other municipalities", "#5b2a6e", 1.6, dash="2 5", line=True, extra={"interactive": False}),
    "parades": Look("Parades", "#b3125f", 5, dash="9 6", line=True),
}


def _number(colour: str) -> str:
    return f'<text x="10" y="14.2" font-size="12" font-weight="700" text-anchor="middle" fill="{colour}">@</text>'


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
    "full": Look("None left", "#7a2400", 1.8, hatch="hatch-capped", badge="full"),
    "charity": Look("None left, but one for a charity", "#7a2400", 1.8, hatch="hatch-charity", dash="6 3", badge="charity"),
    "last": Look("One left", "#7d5f00", 1.6, hatch="hatch-last", badge="last"),
    "open": Look("Two or more left", "#00664a", 1.4, fill="#dff3ea", badge="open"),
    "decide": Look("Needs an official's decision", "#6a3d8a", 1.6, hatch="hatch-decide", badge="decide"),
    "exempt": Look("No cap", "#5a6473", 1.4, hatch="hatch-exempt", badge="exempt"),
}
"""By what is left on the parcel, for any applicant; the fullest first."""


def badges() -> dict[str, str]:
    """Return the badges as SVG for the page; ``@`` is where the number left goes."""
    return {
        state: f'<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">{shape}{text}</svg>'
        for state, (shape, text) in BADGES.items()
    }


EVIDENCE_LOOKS: dict[str, Look] = {
    "extension": Look("Lot lines extended across the street", "#b3125f", 1.8, dash="7 4", line=True),
    "across": Look("Straight across to what is opposite", "#00664a", 1.2, dash="1 3", line=True),
    "straight_across": Look("Straight across to what the extended lines do not meet", "#b3125f", 1.6, dash="2 5", line=True),
    "shared_run": Look("Lot line shared with a neighbour", "#00507d", 4.5, line=True),
    "frontage": Look("Frontage on a street", "#00664a", 4.5, dash="1 6", line=True, extra={"lineCap": "round"}),
    "corner": Look("Touching at a corner", "#00507d", 2.5, fill="#ffffff", point=True),
    "nearest": Look("Shortest way to the premises", "#3a3f47", 1.2, dash="2 3", line=True),
    "boundary": Look("Shortest way to a municipal boundary", "#5b2a6e", 2.2, dash="4 3", line=True),
    "sign": Look("Where a sign goes", "#b3125f", 3, fill="#ffffff", point=True),
    "area": Look("Area the event uses", "#7a2e00", 1.5, hatch="hatch-area", dash="4 2"),
}

SITE_LOOKS: dict[str, Look] = {
    "premises": Look("Premises", "#7a2e00", 3, fill="#fbe3d0"),
    "setback": Look("Setback or buffer line", "#7a0177", 2.4, dash="9 5", line=True),
    "setback_ground": Look("Too near to a lot line", "#7a0177", 0, hatch="hatch-setback", extra={"interactive": False}),
    "inside": Look("Drawn, and too near to a lot line", "#a00020", 3.2, hatch="hatch-inside"),
    "thing": Look("Drawn by the applicant", "#33236b", 2, fill="#ffffff"),
    "parking": Look("Parking drawn", "#33236b", 1.4, hatch="hatch-parking", dash="5 3"),
}
"""What the site map has beside frontages and background."""

DISTRICT_FILLS = ("#f3e3b5", "#d9e8c8", "#f5d3c4", "#d5dff0", "#e8d5ea", "#cfe9e5", "#eee0cf", "#e0e0d0")
"""Fills of zoning districts, taken in turn; the district's code is written on each, and a dotted line parts them."""


def layer_title(look: Look, count: int | None = None, *, title: str = "") -> str:
    """Return a layer's name for the layer control, which is the legend as well: HTML of a swatch, the name and how many."""
    number = "" if count is None else f'<span class="n">{count:,}</span>'
    return f"{look.swatch()}<span>{escape(title or look.title)}</span>{number}"


def patterns() -> str:
    """Return the hatches as an SVG that takes no room; paths refer to them by ``url(#id)``."""

    def hatch(name: str, angle: int, size: int, ground: str, lines: str) -> str:
        return (
            f'<pattern id="{name}" patternUnits="userSpaceOnUse" width="{size}" height="{size}" patternTransform="rotate({angle})">'
            f'<rect width="{size}" height="{size}" fill="{ground}"/>{lines}</pattern>'
        )

    def stripe(size: int, width: float, colour: str) -> str:
        return f'<rect width="{width}" height="{size}" fill="{colour}"/>'

    drawn = (
        hatch("hatch-premises", 45, 8, "#f4b183", stripe(8, 1.6, "#9c3c00") + '<rect width="8" height="1.6" fill="#9c3c00"/>'),
        hatch("hatch-abutting", 45, 7, "#cfe4f3", stripe(7, 1.8, "#0072b2")),
        hatch("hatch-corner", 0, 7, "#e3f1fb", '<circle cx="3.5" cy="3.5" r="1.5" fill="#0072b2"/>'),
        hatch("hatch-opposite", 135, 7, "#cdebdf", stripe(7, 1.8, "#009e73")),
        hatch("hatch-common", 90, 8, "#ece3f2", stripe(8, 1.6, "#6a3d8a")),
        hatch("hatch-near", 0, 10, "#f7f7f5", '<circle cx="5" cy="5" r="0.9" fill="#8b919b"/>'),
        hatch("hatch-railroad", 0, 8, "#e9e9ea", stripe(8, 1.6, "#4a4f57")),
        hatch("hatch-area", 90, 5, "none", stripe(5, 1, "#7a2e00")),
        hatch("hatch-capped", 45, 8, "#eeb39b", stripe(8, 2.2, "#a32d00") + '<rect width="8" height="2.2" fill="#a32d00"/>'),
        hatch("hatch-charity", 45, 8, "#f3c9b8", stripe(8, 1.6, "#a32d00")),
        hatch("hatch-last", 45, 8, "#fbe6b8", stripe(8, 2, "#b07a00")),
        hatch("hatch-decide", 0, 8, "#ece3f2", '<circle cx="4" cy="4" r="1.6" fill="#6a3d8a"/>'),
        hatch("hatch-setback", 45, 9, "none", stripe(9, 1, "#7a0177")),
        hatch("hatch-inside", 135, 7, "#f6d5d8", stripe(7, 2, "#a00020")),
        hatch("hatch-parking", 0, 10, "#f3f1fa", stripe(10, 1.2, "#8577b5")),
        hatch("hatch-exempt", 0, 8, "#e4e9ee", '<rect width="8" height="1.6" fill="#5a6473"/>'),
    )
    return f'<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>{"".join(drawn)}</defs></svg>'
