"""The maps' search and the command line's find the same, in the same order."""

from geonotice.maps.notice_map import notice_map
from geonotice.search import best, rank
from tests.map_toys import toy
from tests.search_cases import FOUND, LOTS

SEARCH = """([lots, queries]) => {
    const rows = lots.map(([id, situs, owners, also], place) => geonotice.entry(id, situs, owners, { place, also }));
    return queries.map((query) => geonotice.match(rows, query)).map((found) => [found.best, found.rows.map((row) => row.place)]);
}"""


def test_the_map_ranks_as_the_command_line(opened) -> None:
    from tests.functional.test_map_browser import render

    there = opened(render(notice_map(toy())))
    lots = [[lot.id, lot.situs, list(lot.owners), list(lot.also)] for lot in LOTS]
    answers = there.page.evaluate(SEARCH, [lots, list(FOUND)])
    for query, (top, places) in zip(FOUND, answers, strict=True):
        ranks = {place: found for place, lot in enumerate(LOTS) if (found := rank(query, lot)) is not None}
        kept = (
            ranks if set(ranks.values()) == {6} else {place: found for place, found in ranks.items() if found < 6}
        )  # without the type of street
        assert places == sorted(kept, key=lambda place: (kept[place], place)), query
        if len(best(query, ranks.values())) == 1 and ranks:
            assert top == min(ranks.values()), query
