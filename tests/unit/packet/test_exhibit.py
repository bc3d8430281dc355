"""The map for the record, read back from its PDF."""

import io
import re

import pdfplumber
import pytest
import shapely
from exhibit_toys import SOUTH, WEST, block, box, context
from msgspec.structs import replace

from geonotice.errors import OutputError
from geonotice.model import Override
from geonotice.packet.exhibit import exhibit_pdf

PREMISES = box(300, 350, 500, 500)
LOTS = [lot for lot in block(8, 6) if not lot.intersects(PREMISES)]


def opened(made):
    return pdfplumber.open(io.BytesIO(exhibit_pdf(made)))


def words_of(made):
    with opened(made) as pdf:
        return [" ".join(page.extract_text().split()) for page in pdf.pages]


def numbers_on(page):
    """Return the numbers of a page, those that are turned with the others; wider letters part a word."""
    words, last = [], None
    for char in page.chars:
        x, y = char["matrix"][4:6]
        if last is not None and abs(x - last[0]) + abs(y - last[1]) < 4.9:
            words[-1] += char["text"]
        else:
            words.append(char["text"])
        last = (x, y)
    return {word.strip() for word in words}


def outlines(page, corners):
    """Return the closed outlines of a page that have so many corners, as points."""
    return [
        one["pts"] for one in (*page.curves, *page.rects) if len({(round(x, 2), round(y, 2)) for x, y in one["pts"]}) == corners
    ]


@pytest.mark.parametrize("exhibit", ["letter", "tabloid"])
def test_it_is_drawn_to_the_scale_that_it_states(exhibit):
    odd = shapely.Polygon([(WEST + x, SOUTH + y) for x, y in ((300, 350), (510, 350), (500, 420), (460, 470), (300, 500))])
    lots = [lot for lot in block(8, 6) if not lot.intersects(odd)]
    with opened(context([odd], lots, radius_ft=600, exhibit=exhibit)) as pdf:
        page = pdf.pages[0]
        assert (page.width, page.height) == {"letter": (792, 612), "tabloid": (1224, 792)}[exhibit]
        feet = int(re.search(r"1 inch = ([\d,]+) feet", page.extract_text())[1].replace(",", ""))
        (points,) = {tuple(pts) for pts in outlines(page, 5)}
    (x0, _), (x1, _) = min(points), max(points)
    y0, y1 = min(y for _, y in points), max(y for _, y in points)
    assert (x1 - x0) / 72 * feet == pytest.approx(210, abs=0.1)
    assert (y1 - y0) / 72 * feet == pytest.approx(150, abs=0.1)


def test_the_scale_bar_is_two_inches_long():
    with opened(context([PREMISES], LOTS, radius_ft=600)) as pdf:
        bars = [one for one in pdf.pages[0].rects if round(one["height"], 1) == 4.0]
    assert min(one["x0"] for one in bars) == pytest.approx(max(one["x1"] for one in bars) - 144, abs=0.1)


def test_north_the_crs_the_roll_the_day_and_who_prepared_it_stand_beside_the_map():
    first = words_of(context([PREMISES], LOTS, radius_ft=600))[0]
    for words in (
        "Town of Italy",
        "Notice of public hearing on October 20, 2026",
        "1.00-1-1 (1 FAIR RD)",
        "600 ft from the premises",
        "grid north of EPSG:2261",
        "roll of 2026 (final)",
        "as of July 1, 2026",
        "List made on September 1, 2026",
        "Prepared by",
        "Page 1 of",
        "Elm Street",
    ):
        assert words in first


def test_the_owners_stand_on_the_pages_after_it_in_the_order_of_the_list():
    made = context([PREMISES], LOTS, radius_ft=900)
    table = " ".join(words_of(made)[1:])
    places = [
        table.index(f" {one.number} {one.parcels[0]}, {one.number} ELM ST OWNER {one.number} Within")
        for one in made.notice.recipients
    ]
    assert places == sorted(places)
    assert "PREMISES 1.00-1-1" in table


def test_every_page_is_numbered_of_all():
    pages = words_of(context([PREMISES], LOTS, radius_ft=900))
    assert [f"Page {n} of {len(pages)}" in page for n, page in enumerate(pages, 1)] == [True] * len(pages)


def test_the_same_list_has_the_same_bytes():
    assert exhibit_pdf(context([PREMISES], LOTS, radius_ft=600)) == exhibit_pdf(context([PREMISES], LOTS, radius_ft=600))


def test_many_small_lots_come_on_several_sheets_with_match_lines():
    village = block(24, 12, wide=25, deep=60)
    premises, lots = village[132], [lot for n, lot in enumerate(village) if n != 132]
    made = context([premises], lots, radius_ft=1000)
    pages = words_of(made)
    sheets = [page for page in pages if "Map sheet" in page]
    assert len(sheets) > 1
    assert "Map sheet 1 of" in sheets[0]
    assert "SHEET 2" in sheets[0]
    assert "MATCH LINE: SEE SHEET" in " ".join(sheets[1:])
    with opened(made) as pdf:
        drawn = set().union(*(numbers_on(page) for page in pdf.pages[: len(sheets)]))
    assert {str(one.number) for one in made.notice.recipients} <= drawn


def test_where_no_parcel_is_known_is_hatched_and_told():
    words = "No parcel is known here: owners, if there are any, are not on the list"
    edge = context(
        [box(0, 0, 200, 200)], [box(200, 0, 1300, 1300), box(-1300, 200, 200, 1300), box(200, -1300, 1300, 0)], radius_ft=500
    )
    assert words in words_of(edge)[0]
    all_round = [box(-1000, 200, 1200, 1200), box(-1000, -1000, 1200, 0), box(-1000, 0, 0, 200), box(200, 0, 1200, 200)]
    assert words not in words_of(context([box(0, 0, 200, 200)], all_round, radius_ft=500))[0]


def test_abutting_and_opposite_with_the_lines_of_the_law_and_no_ring():
    across = [box(100, 150, 200, 300), box(200, 150, 300, 300)]
    beside = [box(0, 0, 100, 100), box(200, 0, 300, 100)]
    lines = [
        ("extension", shapely.LineString([(WEST + 100, SOUTH + 100), (WEST + 100, SOUTH + 150)])),
        ("frontage", shapely.LineString([(WEST + 100, SOUTH + 100), (WEST + 200, SOUTH + 100)])),
    ]
    relations = {1: "abutting", 2: "abutting", 3: "opposite", 4: "opposite"}
    made = context([box(100, 0, 200, 100)], [*across, *beside], relation=relations, evidence=lines)
    first, *rest = words_of(made)
    for words in (
        "Notified: abuts",
        "Notified: directly opposite",
        "Lot lines extended across the street",
        "Frontage on a street",
    ):
        assert words in first
    assert "ft from the premises" not in first
    assert "Directly opposite" in " ".join(rest)
    assert "Village of Sagg: 120.5 ft" in " ".join(rest)


def test_premises_of_several_parcels_are_told_apart():
    made = context([box(300, 350, 400, 500), box(400, 350, 500, 500)], LOTS, radius_ft=300)
    first, *rest = words_of(made)
    assert {"P1", "P2"} <= set(first.split())
    assert "P2 1.00-1-2" in " ".join(rest)


def test_huge_premises_come_with_all_neighbours_numbered():
    lots = [box(-60, 200 * n, 0, 200 * n + 200) for n in range(40)]
    made = context([box(0, 0, 9000, 8000)], lots, radius_ft=1000)
    with opened(made) as pdf:
        found = set().union(*(numbers_on(page) for page in pdf.pages if "1 inch =" in page.extract_text()))
    assert {str(n) for n in range(1, 41)} <= found


def test_a_parcel_added_from_far_away_is_told_not_drawn():
    far = box(40_000, 0, 40_100, 100)
    made = context([PREMISES], [*LOTS, far], radius_ft=600, overrides=(Override(f"2.00-1-{len(LOTS) + 1}", "add", "asked"),))
    pages = words_of(made)
    assert f"NOT ON THE MAP, too far away: {len(LOTS) + 1}." in pages[0]
    assert "not on the map" in " ".join(pages[1:])


def test_a_letter_that_cannot_be_printed_is_told():
    assert "stands for a letter that this paper cannot print (U+738B)" in " ".join(
        words_of(context([PREMISES], LOTS, radius_ft=600, names={3: "王 LEE"}))
    )


def test_a_parcel_without_outline_is_refused():
    made = context([PREMISES], LOTS, radius_ft=600)
    bare = replace(made, shapes=replace(made.shapes, parcels={}))
    with pytest.raises(OutputError, match="no outline to draw"):
        exhibit_pdf(bare)
