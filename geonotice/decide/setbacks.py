"""How far structures stand from the lot lines: the setbacks of the district, and a buffer that the officials or the law itself ask for."""

from math import inf
from typing import NamedTuple

from geonotice.decide.facts import Case, Outcome, Structure, decide, met, not_met, remind
from geonotice.ordinance.checks import answers
from geonotice.ordinance.profile import District, Rule

__all__ = ["Buffer", "buffer_of", "setbacks"]

_LINES = ("front", "side", "rear")


class Buffer(NamedTuple):
    """A distance that is to be kept from every lot line, in feet, and whether the officials set it or the rule names it."""

    width_ft: float
    by_officials: bool

    @property
    def lead(self) -> str:
        """Return what is asked, in a sentence."""
        asked = f"{self.width_ft:g} ft from every lot line"
        return f"The officials set a buffer of {asked}." if self.by_officials else f"The rule asks for {asked}."


_NOWHERE = "the district"
"""What the district is called where the layers know none."""


def buffer_of(rule: Rule, set_ft: float | None) -> Buffer | None:
    """Return the buffer that holds: the wider of the rule's own and the one the officials set; None where there is neither.

    LAW: Southampton 283-3: the Town may "require a buffer zone at a distance greater than the minimum zoning setbacks": it comes on top of
    them, so a narrower figure takes nothing from a setback.
    """
    own_ft = rule.number("buffer_ft") if "buffer_ft" in rule.values else None
    found = [Buffer(width, by) for width, by in ((own_ft, False), (set_ft, True)) if width is not None]
    return max(found, key=lambda one: one.width_ft, default=None)


@answers("setbacks")
def setbacks(rule: Rule, case: Case) -> Outcome:
    """Hold the structures drawn against the setbacks of the district and the buffer; what the table does not have must be decided."""
    layout, buffer = case.facts.layout, buffer_of(rule, case.facts.buffer_ft)
    facts: dict[str, object] = {}
    if buffer:
        facts |= {"buffer_ft": buffer.width_ft, "buffer_set_by": "officials" if buffer.by_officials else "law"}
    lead = f"{buffer.lead} " if buffer else ""
    if layout is None or not layout.structures:
        return remind(f"{lead}Nothing is drawn to hold against it. {rule.text}" if buffer else rule.text, facts=facts)
    within = [text for one in layout.structures if buffer and (text := _within(one, buffer))]
    inside, unknown = _inside_setbacks(case, layout.structures)
    drawn = [f"{one.what}: {_measured(one)}" for one in layout.structures]
    facts |= {"inside": [*within, *inside], "structures": drawn}
    review = (*(("inside_buffer",) if within else ()), *(("inside_setback",) if inside else ()))
    named = f"{'; '.join([*within, *inside])}. " if review else ""
    # A rule that names its own distance does not speak of the district's setbacks, known or not.
    by_law = "buffer_ft" in rule.values
    if unknown and not by_law:
        text = f"{lead}{named}The profile's table has no setbacks for {', '.join(sorted(unknown))}: the official decides. Drawn are {'; '.join(drawn)}. {rule.text}"
        asked = "facts.zone" if _NOWHERE in unknown else "facts.yards"
        return decide(text, asked, could_forbid=bool(within), review=("no_dimensions", *review), facts=facts)
    kept = f"All structures drawn keep {'it' if by_law else 'the setbacks of the district'}{' and the buffer' if buffer and not by_law else ''}. "
    text = f"{lead}{named or kept}{rule.text}"
    if within:
        broken = by_law and any(_nearest_ft(one) < rule.number("buffer_ft") for one in layout.structures)
        refuse = not_met if broken else decide
        return refuse(text, change="another place for what stands too near", review=review, facts=facts)
    return met(text, facts=facts) if by_law else remind(text, review=review, facts=facts)


def _nearest_ft(structure: Structure) -> float:
    return min((distance for name in _LINES if (distance := getattr(structure, f"{name}_ft")) is not None), default=inf)


def _within(structure: Structure, buffer: Buffer) -> str:
    """Name a structure that stands nearer to a lot line than the buffer, with every line it stands too near to; empty where it does not."""
    distances = {name: getattr(structure, f"{name}_ft") for name in _LINES}
    near = [
        f"{distance:.1f} ft from the {name} line"
        for name, distance in distances.items()
        if distance is not None and distance < buffer.width_ft
    ]
    return f"{structure.what} stands {', '.join(near)}, {buffer.width_ft:g} ft are the buffer" if near else ""


def _inside_setbacks(case: Case, structures: tuple[Structure, ...]) -> tuple[list[str], set[str]]:
    """Name the structures that stand inside a setback, and the districts whose setbacks the table does not have."""
    table = {item.code: case.profile.district(item.code) for item in case.facts.districts}
    inside: list[str] = []
    unknown: set[str] = set()
    for structure in structures:
        codes = [structure.district] if structure.district else list(table)
        for code in codes or [""]:
            district = table.get(code) or (case.profile.district(code) if code else None)
            found, open_ = _inside(structure, district)
            inside += [f"{structure.what} stands {text}" for text in found]
            unknown |= {code or _NOWHERE} if open_ else set()
    return inside, unknown


def _measured(structure: Structure) -> str:
    """Return how far a structure stands from each sort of lot line."""
    distances = {name: getattr(structure, f"{name}_ft") for name in _LINES}
    return (
        ", ".join(f"{distance:,.1f} ft from the {name} line" for name, distance in distances.items() if distance is not None)
        or "no lot line"
    )


def _inside(structure: Structure, district: District | None) -> tuple[list[str], bool]:
    """Say by how much a structure stands inside each setback, and whether a setback that matters is not in the table."""
    found: list[str] = []
    unknown = False
    for name in _LINES:
        distance = getattr(structure, f"{name}_ft")
        least = getattr(district, f"{name}_ft") if district else None
        if distance is None:
            continue
        if least is None:
            unknown = True
        elif distance < least:
            found.append(f"{distance:.1f} ft from the {name} line, {least:g} ft are the setback")
    return found, unknown
