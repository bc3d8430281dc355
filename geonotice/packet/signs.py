"""The signs: for each public street that the premises abut a sheet with where to stand, how large, how high, what the sign says, and a map."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from geonotice.decide.business_days_and_holidays import in_words
from geonotice.packet.paper import Duties, PacketContext, SignSite, paper
from geonotice.packet.pdf_pages import LETTER_PT, Pages
from geonotice.packet.pdf_text import stood_in
from geonotice.packet.sentences import count
from geonotice.packet.word_papers import BLANK, common_values

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["sign_words", "signs_pdf", "where_to_stand"]

_MAP_PT = 290.0
_NEAR_FT = 250.0
"""Half the side of what the map shows, where the premises are larger."""
_SLACK_FT = 0.05
"""Rounding of coordinates: a place at exactly the distance is at it."""

_COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


def compass(bearing_deg: float) -> str:
    """Return a bearing as a word.

    Examples
    --------
    >>> compass(0), compass(136), compass(350)
    ('north', 'southeast', 'north')
    """
    return _COMPASS[round(bearing_deg / 45) % 8]


def where_to_stand(site: SignSite, premises: "BaseGeometry", *, most_ft: float | None) -> str:
    """Return where a sign stands, in words; what the tax map does not show is stated, not guessed.

    ``most_ft`` is how far back from the street line the law lets it be.
    """
    import shapely

    if site.street_line is None:
        limit = f" The law lets it be {most_ft:g} ft back from the street line at most." if most_ft is not None else ""
        return (
            "The tax map shows no street line here: the lot is drawn into the road. Find the edge of the right-of-way on the ground, and put the sign on the"
            f" premises behind it.{limit}"
        )
    back = float(shapely.distance(site.street_line, site.point))
    if not shapely.covers(premises, site.point) or (most_ft is not None and back > most_ft + _SLACK_FT):
        return "No place on the tax map was found that meets the law's numbers: choose it on the ground."
    back_words = "at the street line" if back < 0.5 else f"{back:.0f} ft back from the street line"  # noqa: PLR2004  # feet
    limit = f" (the law: {most_ft:g} ft at most)" if most_ft is not None else ""
    return f"On the premises, {back_words}{limit}, {_along(site)}. It faces {compass(site.bearing_deg)}."


def _along(site: SignSite) -> str:
    """Return how far along its run of frontage a sign stands, from the nearer end."""
    import numpy as np
    import shapely

    parts = [part for part in shapely.get_parts(site.street_line) if part.geom_type == "LineString" and part.length > 0]
    line = min(parts, key=lambda part: float(shapely.distance(part, site.point)))
    at = float(shapely.line_locate_point(line, site.point))
    ends = shapely.get_coordinates(line)[[0, -1]]
    far = at > line.length / 2
    end, other = (ends[1], ends[0]) if far else (ends[0], ends[1])
    way = end - other
    bearing = float(np.degrees(np.arctan2(way[0], way[1]))) % 360
    return f"about {line.length - at if far else at:,.0f} ft along the frontage from its {compass(bearing)} end"


def sign_words(context: PacketContext) -> list[str]:
    """Return the lines of the sign; what is not known is a line to fill in."""
    notice = context.notice
    values = common_values(notice, context.settings)
    known = {name: text or BLANK for name, text in values.items()}
    # LAW: Southampton 283-9: that an application for a special event permit is pending, and the date, time and place of the hearing.
    clause = context.duties.signs.words if context.duties.signs else ""
    permit = "special event permit" if "special event permit" in clause else "permit"
    return [
        "NOTICE OF PUBLIC HEARING",
        f"An application for a {permit} is pending.",
        f"Hearing: {known['hearing_day']}, {known['hearing_time']}",
        f"Place: {known['hearing_place']}",
        f"Property: {known['premises']}",
        f"Applicant: {known['applicant_name']}",
        known["town"],
    ]


def signs_pdf(context: PacketContext) -> bytes:
    """Set a sheet for each street."""
    import shapely

    notice, duties = context.notice, context.duties
    premises = shapely.union_all(list(context.shapes.premises.values())) if context.shapes else shapely.GeometryCollection()
    pages = Pages(size_pt=LETTER_PT)
    for n, site in enumerate(context.sign_sites):
        if n:
            pages.new_page()
        street = stood_in(site.street) or "a street whose name is not known"
        pages.words(f"{notice.town}: sign {n + 1} of {len(context.sign_sites)}", 9, after=0, color="#4d5a68")
        pages.words(f"Facing {street}", 17, after=4)
        of = f" ({site.jurisdiction})" if site.jurisdiction else ""
        for name, text in (
            ("Street", f"{street}{of}"),
            ("Where to stand", where_to_stand(site, premises, most_ft=duties.sign_values.get("set_back_ft"))),
            (
                "Coordinates",
                f"{site.lon_lat[1]:.5f}, {site.lon_lat[0]:.5f} (a telephone finds them to some 15 ft: measure from the street line)"
                if site.lon_lat and site.street_line is not None
                else "",
            ),
            ("Size and height", size_words(duties)),
            ("When", _when(context)),
            ("The law", f"{duties.signs.citation}: “{duties.signs.words}”" if duties.signs and duties.signs.words else ""),
        ):
            if text:
                _named(pages, name, text)
        _sign_box(pages, sign_words(context))
        _map(pages, context, site, premises)
    return pages.save(
        title=f"Signs: {notice.town}, {', '.join(notice.premises)}",
        subject="Signs to be posted",
        foot=f"Signs · {notice.town} · {', '.join(notice.premises)}",
    )


def size_words(duties: Duties) -> str:
    """Return the size and the height that the law asks, from its numbers; empty where the profile has none."""
    values = duties.sign_values
    parts = []
    if "length_ft" in values and "width_ft" in values:
        parts.append(f"at least {values['length_ft']:g} ft long and {values['width_ft']:g} ft wide")
    if "lowest_ft" in values and "highest_ft" in values:
        parts.append(f"{values['lowest_ft']:g} to {values['highest_ft']:g} ft above grade")
    return f"{'; '.join(parts)}." if parts else ""


def _when(context: PacketContext) -> str:
    rule = context.duties.signs.rule if context.duties.signs else ""
    due = next((one for one in context.deadlines if rule and one.rule == rule), None)
    days = context.duties.sign_values.get("days")
    for_days = f"for at least {days:g} days immediately before the hearing" if days else "until the hearing"
    return f"Up by {in_words(due.suggested)}, {for_days}." if due else f"Up {for_days}."


def _named(pages: Pages, name: str, text: str) -> None:
    top = pages.y
    pages.words(name, 9, width=90, after=0, color="#4d5a68")
    pages.y = top
    pages.words(text, 9, x=pages.left_pt + 96, after=3)


def _sign_box(pages: Pages, lines: Sequence[str]) -> None:
    pages.y += 6
    top = pages.y
    pages.y += 6
    pages.words("What the sign says", 7, x=pages.left_pt + 8, after=2, color="#4d5a68")
    for n, line in enumerate(lines):
        pages.words(line, 14 if n == 0 else 10.5, x=pages.left_pt + 8, width=pages.right_pt - pages.left_pt - 16, after=1)
    pages.y += 5
    pages.box(pages.left_pt, top, pages.right_pt - pages.left_pt, pages.y - top, weight=1.2)
    pages.y += 8


def _map(pages: Pages, context: PacketContext, site: SignSite, premises: "BaseGeometry") -> None:
    import shapely

    from geonotice.packet.printed_map import ReportMap, Shown, report_map

    if not context.sign_map:
        return
    x, y = site.point.x, site.point.y  # type: ignore[attr-defined]  # it is a point
    near = shapely.box(x - _NEAR_FT, y - _NEAR_FT, x + _NEAR_FT, y + _NEAR_FT)
    wide = max(premises.bounds[2] - premises.bounds[0], premises.bounds[3] - premises.bounds[1])
    window = near if wide > 2 * _NEAR_FT else premises
    shown = [Shown(one.what, one.geometry, stood_in(one.label)) for one in context.sign_map]
    drawn = report_map(
        ReportMap(premises=window, shown=[*shown, Shown("sign", site.point)]),
        width_pt=pages.right_pt - pages.left_pt,
        height_pt=_MAP_PT,
    )
    pages.need(_MAP_PT)
    place = pages.height_pt - pages.y - _MAP_PT

    def drawing(canvas: Any) -> None:  # noqa: ANN401  # reportlab ships no types
        drawn.drawing.drawOn(canvas, pages.left_pt, place)

    pages.draw(drawing)
    pages.y += _MAP_PT + 4
    if drawn.key:
        pages.words("; ".join(f"{number}: {name}" for number, name in drawn.key), 7)


@paper(
    "signs.pdf",
    purpose="A sheet for each sign: the street it faces, where it stands, how large and how high, what it says, and a map.",
    place=90,
    when=lambda context: bool(context.sign_sites),
    before_mailing=lambda context: (
        f"Put up {count(len(context.sign_sites), 'sign')} as signs.pdf shows, and take a photograph of each on the day."
    ),
)
def _signs_paper(context: PacketContext) -> bytes:
    return signs_pdf(context)
