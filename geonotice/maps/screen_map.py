"""The map of a screen: every lot shaded by its rank, and the table of all candidates beside it."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.io.palette import HATCHES
from geonotice.maps.event_map import BACKGROUND_DECIMALS, box_around, draw_town
from geonotice.maps.lot_layer import encode_outlines, encode_words
from geonotice.maps.map_data import EventLot, MapLayers
from geonotice.maps.map_layers import Projector, Sheet
from geonotice.maps.page import attach, escape, offline_map, panel_html
from geonotice.maps.titles_and_badges import LOOKS, SCREEN_LOOKS, Look

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import folium
    from shapely.geometry.base import BaseGeometry

__all__ = ["UNKNOWN_SIGN", "MapScreen", "ScreenColumn", "screen_map"]

UNKNOWN_SIGN = "\x1a"
"""A value that is not known, in the packed columns: no word of a roll is this sign."""
_CLASSES = 5


class ScreenColumn(Struct, frozen=True, kw_only=True):
    """A column of the table: its values as words, one a candidate; None is unknown. ``listed`` columns stand in the table, the others in the pop-up."""

    name: str
    title: str
    about: str
    number: bool
    listed: bool
    values: "Sequence[str | None]"


class MapScreen(Struct, frozen=True, kw_only=True):
    """The answer of a screen, as its map shows it.

    Parameters
    ----------
    town, crs
        The town's name, and the CRS of its lots, in feet.
    lines
        What stands under the title: the event that was asked for.
    lots
        Number and outline of every lot.
    columns
        The table, a candidate a line; those that pass first, ranked.
    answers
        Of each candidate whether it passes the condition; None where that is unknown.
    lots_of
        The places of each candidate's lots.
    excluded
        Of each candidate whether something speaks against it at all.
    rank_by
        The column that the lots that pass are shaded by.
    best_is_most
        Whether the greatest number of it ranks first.
    condition, command
        The condition, and the command that brings all of this back.
    notes, sources
        With which numbers it was judged and what was not looked at; what it is drawn from.
    """

    town: str
    crs: str
    lines: tuple[str, ...]
    lots: "Sequence[tuple[str, BaseGeometry]]"
    columns: tuple[ScreenColumn, ...]
    answers: "Sequence[bool | None]"
    lots_of: "Sequence[Sequence[int]]"
    excluded: "Sequence[bool]"
    rank_by: str
    best_is_most: bool
    condition: str
    command: str
    notes: tuple[str, ...]
    sources: tuple[str, ...]


class _Shading(Struct, frozen=True):
    """The looks of the map in their order, and the place among them of each candidate's."""

    looks: tuple[Look, ...]
    of_candidate: list[int]


def screen_map(screen: MapScreen, layers: "MapLayers | None" = None) -> "folium.Map":
    """Draw the answer of a screen.

    Parameters
    ----------
    screen
        The candidates, and every lot of the town.
    layers
        The town's other layers.

    Returns
    -------
        A folium map; :func:`geonotice.maps.render` makes the file of it. It shows no owner.
    """
    shading = _shaded(screen)
    lots = [EventLot(n, number, shape) for n, (number, shape) in enumerate(screen.lots)]
    projector = Projector(screen.crs, decimals=BACKGROUND_DECIMALS)
    words: list[Iterable[Iterable[str]]] = [
        *([(UNKNOWN_SIGN if value is None else value,) for value in column.values] for column in screen.columns),
        [({True: "yes", False: "no", None: "unknown"}[answer],) for answer in screen.answers],
        [(str(n),) for n in shading.of_candidate],
        [[str(lot) for lot in some] for some in screen.lots_of],
    ]
    parts = {"index": encode_words(words) if screen.answers else "", "outlines": encode_outlines(lots, projector)}
    page = [_panel(screen, shading), *(f'<script type="text/plain" id="{name}">{text}</script>' for name, text in parts.items())]
    made = offline_map(
        title=f"Where in town: {screen.town}", panel="\n".join(page), scripts=("lots.js", "screen.js"), styles=("screen.css",)
    )
    sheet = Sheet(made, projector, box_around([shape for _, shape in screen.lots]))
    sheet.data |= {
        "packed": {},
        "columns": [
            {"name": one.name, "title": one.title, "about": one.about, "number": one.number, "listed": one.listed}
            for one in screen.columns
        ],
        "paints": [_paint(look) for look in shading.looks],
        "open": [n for n, look in enumerate(shading.looks) if look.title.endswith("(?)")],
        "condition": screen.condition,
    }
    sheet.add_packed("lots", LOOKS["lots"], [], pane="context", count=len(lots))
    # Districts would lie over the shades: whoever wants them switches the lots off.
    draw_town(sheet, replace(layers or MapLayers(), zoning=()))
    attach(made, start="geonotice.screen", data=sheet.data, names=sheet.names)
    return made


def _paint(look: Look) -> "Mapping[str, Any]":
    if not look.hatch:
        return {"fill": look.fill}
    hatch = HATCHES[look.hatch.removeprefix("hatch-")]
    return {
        "hatch": {
            "angle": hatch.angle,
            "size": hatch.size,
            "ground": hatch.ground,
            "ink": hatch.ink,
            "width": hatch.width,
            "marks": hatch.marks,
        }
    }


def _shaded(screen: MapScreen) -> _Shading:
    """Put what passes into classes of about as many candidates each, by the number that it is ranked by."""
    column = next((one for one in screen.columns if one.name == screen.rank_by and one.number), None)
    numbers = [
        None if column is None or value is None else float(value) for value in (column.values if column else screen.answers)
    ]
    ranked = sorted(
        number
        for number, answer, against in zip(numbers, screen.answers, screen.excluded, strict=True)
        if answer and not against and number is not None
    )
    limits = (
        sorted({ranked[min(len(ranked) * n // _CLASSES, len(ranked) - 1)] for n in range(1, _CLASSES)} | {ranked[-1]})
        if ranked
        else []
    )
    classes = [f"{_figure(low)} to {_figure(high)}" if low != high else _figure(high) for low, high in _ends(ranked, limits)]
    names = [f"rank_{n}" for n in range(1, len(limits) + 1)]
    title = column.title if column else ""
    looks = [
        replace(SCREEN_LOOKS[name], title=f"{title}: {words}")
        for name, words in zip(names, classes[::-1] if screen.best_is_most else classes, strict=True)
    ]
    others = ("rank_unknown", "undecided", "excluded", "out")
    looks += [SCREEN_LOOKS[name] for name in others]
    place = {name: n for n, name in enumerate((*names, *others))}

    def of(number: float | None, answer: bool | None, against: bool) -> int:  # noqa: FBT001  # values of one candidate
        if against:
            return place["excluded"]
        if not answer:
            return place["undecided" if answer is None else "out"]
        if number is None:
            return place["rank_unknown"]
        n = next(n for n, limit in enumerate(limits) if number <= limit)
        return len(limits) - 1 - n if screen.best_is_most else n

    return _Shading(tuple(looks), [of(*each) for each in zip(numbers, screen.answers, screen.excluded, strict=True)])


def _ends(ranked: "Sequence[float]", limits: "Sequence[float]") -> "list[tuple[float, float]]":
    """Return the least and the greatest number that there is in each class."""
    ends, below = [], float("-inf")
    for limit in limits:
        inside = [number for number in ranked if below < number <= limit]
        ends.append((inside[0], inside[-1]))
        below = limit
    return ends


def _figure(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:,.2f}"


def _panel(screen: MapScreen, shading: _Shading) -> str:
    """Return the HTML beside the map."""
    counts = {answer: sum(one is answer for one in screen.answers) for answer in (True, None, False)}
    legend = "".join(
        f'{look.swatch()}<span>{escape(look.title)} <span class="n">({many:,})</span></span>'
        for n, look in enumerate(shading.looks)
        if (many := shading.of_candidate.count(n))
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in screen.notes)
    condition = (
        f"<p>Asked: <code>{escape(screen.condition)}</code></p>"
        if screen.condition
        else "<p>No condition was asked: every candidate passes.</p>"
    )
    shown = "".join(
        f'<option value="{value}">{words} ({many:,})</option>'
        for value, words, many in (
            ("yes", "Pass", counts[True]),
            ("unknown", "Unknown whether they pass", counts[None]),
            ("no", "Do not pass", counts[False]),
            ("all", "All", len(screen.answers)),
        )
    )
    table = f"""<h2>Candidates</h2>{condition}
<div class="pick screen"><label>Show <select id="which">{shown}</select></label>
<label>Filter <input id="filter" type="search" autocomplete="off" spellcheck="false"></label></div>
<p class="said" id="said" role="status"></p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of candidates"><table class="list" id="candidates"><thead><tr></tr></thead><tbody></tbody></table></div>"""
    how = f"""<section><h2>How this was judged</h2><ul class="notes">{notes}</ul>
<p>To bring it back:</p><pre class="query" tabindex="0" aria-label="Command">{escape(screen.command)}</pre></section>"""
    return panel_html(
        town=screen.town,
        title="Where in town: places to consider",
        lines=screen.lines,
        public=True,
        warnings=(),
        sources=screen.sources,
        above=(
            f'<section><h2>Candidates by rank</h2><div class="marks shades">{legend}</div></section>',
            f'<section id="list">{table}</section>',
        ),
        below=(how,),
        listed=None,
    )
