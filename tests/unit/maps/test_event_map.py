"""The event map as a file: what is left and why, the weeks, the packed list of parcels, what the public sees."""

import base64
import json
import random
import re
import sys
import zlib
from datetime import date

import numpy as np
import pytest
import shapely
from map_toys import CRS, SOUTH, WEST, around, lot, toy_year
from msgspec.structs import replace

from geonotice.errors import OutputError
from geonotice.maps import EventParcel, EventPermit, MapFeature, MapLayers, SearchRow, event_map, render
from geonotice.maps.drawing import BADGES, EVENT_LOOKS
from geonotice.maps.event_map import week_of, weeks_of
from geonotice.maps.event_map_data import COLUMN, LINE, encode_index
from geonotice.maps.layers import STEPS_PER_DEGREE, Projector, pack
from geonotice.maps.page import remote_references


def page_data(page: str) -> dict:
    start = re.search(r"geonotice\.events\(map_\d+, layer_control_\d+, ", page)
    assert start is not None
    return json.JSONDecoder().raw_decode(page[start.end() :])[0]


def page_index(page: str) -> list[list[str]]:
    packed = re.search(r'<script type="text/plain" id="index">([^<]*)</script>', page)
    assert packed is not None
    text = zlib.decompress(base64.b64decode(packed[1])).decode()
    return [column.split(LINE) for column in text.split(COLUMN)]


def without_scripts(page: str) -> str:
    return re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)


@pytest.fixture(scope="module")
def staff_page() -> str:
    return render(event_map(toy_year(), around())).decode()


@pytest.fixture(scope="module")
def public_page() -> str:
    return render(event_map(toy_year(), around(), public=True)).decode()


class TestWhatIsLeft:
    def test_each_state_has_its_parcel_and_its_reason(self, staff_page: str) -> None:
        parcels = page_data(staff_page)["parcels"]
        assert [one["state"] for one in parcels] == ["full", "charity", "last", "open", "decide", "exempt"]
        assert [one["used"] for one in parcels] == ["2 of 2", "2 of 2", "1 of 2", "1 of 3", "1 of 2", "5, no cap"]
        assert all("283-6B" in one["why"] for one in parcels)
        assert parcels[0]["next"] == "Fri, January 1, 2027"
        assert parcels[3]["night"] == "none left"

    def test_a_parcel_of_which_nothing_is_known_is_for_a_person_to_decide(self) -> None:
        assert EventParcel(fid=1, id="1", geometry=lot(0)).state == "decide"

    def test_the_states_differ_without_colour(self) -> None:
        shapes = {re.sub(r'(fill|stroke)="#\w+"', "", shape) for shape, _ in BADGES.values()}
        assert len(shapes) == len(BADGES) == len(EVENT_LOOKS)
        hatches = {(look.hatch, look.dash) for look in EVENT_LOOKS.values()}
        assert len(hatches) == len(EVENT_LOOKS)


class TestWeeks:
    @pytest.mark.parametrize("year", range(2020, 2041))
    def test_every_day_of_a_year_lies_in_one_week(self, year: int) -> None:
        mondays = weeks_of(year)
        assert all(monday.weekday() == 0 for monday in mondays)
        assert mondays[0] <= date(year, 1, 1) < mondays[1]
        assert 0 <= (date(year, 12, 31) - mondays[-1]).days <= 6
        assert week_of(date(year, 12, 31), mondays) == len(mondays) - 1
        assert week_of(date(year + 3, 1, 1), mondays) == len(mondays) - 1
        assert week_of(date(year - 3, 1, 1), mondays) == 0

    def test_an_event_is_on_in_every_week_it_touches(self, staff_page: str) -> None:
        data = page_data(staff_page)
        on = {
            permit["number"]: [n for n, week in enumerate(data["weeks"]) if place in week["permits"]]
            for place, permit in enumerate(data["permits"])
        }
        june29 = week_of(date(2026, 7, 4), weeks_of(2026))
        assert on["2026-1"] == on["2026-3"] == [june29], "4 and 5 July end one week"
        assert on["2026-2"] == [june29 + 4], "30 July to 2 August"
        assert data["weeks"][june29]["parades"] == [0]

    def test_void_rescinded_and_undated_permits_are_on_in_no_week_but_are_listed(self, staff_page: str) -> None:
        data = page_data(staff_page)
        listed = {permit["number"]: place for place, permit in enumerate(data["permits"])}
        shown = {place for week in data["weeks"] for place in week["permits"]}
        assert not shown & {listed["2026-4"], listed["2026-5"], listed["2026-6"]}
        assert data["permits"][listed["2026-5"]]["days"] == "no date yet"
        assert "1 permit has no date yet" in staff_page

    def test_it_opens_on_the_week_of_today(self, staff_page: str) -> None:
        data = page_data(staff_page)
        assert data["weeks"][data["week"]]["days"] == "Mon, June 29 to Sun, July 5, 2026"

    def test_in_another_year_it_opens_on_the_first_week_with_something_on(self) -> None:
        """On 30 November a clerk draws next year's map: it must not open on an empty week of January."""
        data = page_data(render(event_map(replace(toy_year(), on=date(2025, 11, 30)), around())).decode())
        shown = data["weeks"][data["week"]]
        assert shown["permits"] or shown["parades"]
        assert not any(week["permits"] or week["parades"] for week in data["weeks"][: data["week"]])

    def test_in_another_year_without_any_event_it_opens_on_the_end_that_is_nearer(self) -> None:
        bare = replace(toy_year(), permits=(), parades=(), parcels=(), conflicts=(), on=date(2027, 3, 1))
        data = page_data(render(event_map(bare, around())).decode())
        assert data["week"] == len(data["weeks"]) - 1


class TestPublic:
    def test_it_has_no_owner_applicant_note_conflict_reason_or_warning(self, public_page: str) -> None:
        data = page_data(public_page)
        assert all("owners" not in one for one in data["parcels"])
        for permit in data["permits"]:
            assert not {"applicant", "override", "note", "conflicts", "issued"} & set(permit)
        assert [permit["number"] for permit in data["permits"] if permit["over"]] == ["2026-2"], "that it was past the cap stays"
        assert set(page_index(public_page)[2]) == {""}
        text = without_scripts(public_page) + json.dumps(
            {**data, "permits": [{**permit, "title": ""} for permit in data["permits"]]}
        )
        for secret in ("ROE RICHARD", "OWNER", "SMITH", "fire", "500 ft and one", "not in the profile"):
            assert secret not in text, secret

    def test_staff_see_them(self, staff_page: str) -> None:
        data = page_data(staff_page)
        assert data["permits"][0]["conflicts"] == ["500 ft and one day apart"]
        assert page_index(staff_page)[2][7] == "SMITH JOHN 7\x1fROE RICHARD"


class TestIndex:
    def test_rows_come_back_sorted_with_their_places(self, staff_page: str) -> None:
        ids, situs, _, norths, easts, drawn, _ = page_index(staff_page)
        assert ids == sorted(ids)
        assert len(ids) == len(situs) == len(norths) == 60
        assert drawn[:7] == ["0", "1", "2", "3", "4", "5", ""]
        latitudes = np.cumsum([int(step) for step in norths]) / 100_000
        longitudes = np.cumsum([int(step) for step in easts]) / 100_000
        expected = Projector(CRS).point(shapely.Point(WEST + 3050, SOUTH + 50))
        assert latitudes[30] == pytest.approx(expected[0], abs=1e-5)
        assert longitudes[30] == pytest.approx(expected[1], abs=1e-5)

    def test_signs_that_part_columns_cannot_come_from_data(self) -> None:
        rows = [SearchRow(1, f"1{LINE}2", f"a{COLUMN}b", ("x\x1fy",), WEST, SOUTH)]
        text = zlib.decompress(base64.b64decode(encode_index(rows, Projector(CRS), public=False, drawn={}))).decode()
        assert text.count(COLUMN) == 6
        assert LINE not in text

    def test_a_place_outside_the_crs_is_an_error(self) -> None:
        with pytest.raises(OutputError, match="outside the area"):
            encode_index([SearchRow(1, "1", "", (), float("inf"), 0.0)], Projector(CRS), public=True, drawn={})


class TestPacking:
    @pytest.mark.parametrize(
        "geometry",
        [
            lot(0),
            lot(0).difference(lot(0).buffer(-30)),
            shapely.MultiPolygon([lot(0), lot(3)]),
            shapely.LineString([(WEST, SOUTH), (WEST, SOUTH), (WEST + 10, SOUTH + 4000)]),
            shapely.MultiLineString([[(WEST, SOUTH), (WEST + 9, SOUTH)], [(WEST, SOUTH + 8), (WEST + 7, SOUTH + 6)]]),
            shapely.Point(WEST, SOUTH),
        ],
    )
    def test_shapes_come_back_within_a_step(self, geometry: shapely.Geometry) -> None:
        projector = Projector(CRS)
        packed = pack([geometry], projector, what="it")
        kind, parts = packed["shapes"][0]

        def corners(row: list[int]) -> np.ndarray:
            return (np.array(row).reshape(-1, 2).cumsum(axis=0) + packed["origin"]) / STEPS_PER_DEGREE

        if kind == 1:
            back = shapely.MultiPolygon([(corners(rings[0]), [corners(ring) for ring in rings[1:]]) for rings in parts])
        elif kind == 2:
            back = shapely.Point(corners(parts[0])[0])
        else:
            back = shapely.MultiLineString([corners(part) for part in parts])
        expected = projector.lonlat(geometry, what="it")
        assert shapely.hausdorff_distance(back, expected) < 1.5 / STEPS_PER_DEGREE

    def test_an_empty_shape_keeps_its_place(self) -> None:
        packed = pack([shapely.Polygon(), lot(0)], Projector(CRS), what="it")
        assert packed["shapes"][0] == [0, []]
        assert len(packed["shapes"]) == 2


class TestFile:
    def test_nothing_is_fetched_and_the_list_is_no_script(self, staff_page: str) -> None:
        assert remote_references(staff_page) == []
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', staff_page)
        assert policy is not None
        assert policy[1].count("'sha256-") == len(re.findall(r"<script>", staff_page))

    def test_same_inputs_same_bytes_in_any_order(self, staff_page: str) -> None:
        year = toy_year()
        turned = replace(year, parcels=year.parcels[::-1], permits=year.permits[::-1], rows=year.rows[::-1])
        assert render(event_map(turned, around())).decode() == staff_page

    def test_the_line_off_other_municipalities_lies_500_ft_from_them(self, staff_page: str) -> None:
        packed = page_data(staff_page)["packed"]["reach"]
        row = np.array(packed["shapes"][0][1][0]).reshape(-1, 2).cumsum(axis=0) + packed["origin"]
        middle = Projector(CRS).point(shapely.Point(WEST + 1100, SOUTH))
        assert row[:, 0] / STEPS_PER_DEGREE == pytest.approx(middle[1], abs=1e-4)

    def test_permits_on_unknown_parcels_are_all_named(self) -> None:
        lost = tuple(EventPermit(number=number, kind="sale", parcels=(99,), starts=None) for number in ("X1", "X2"))
        with pytest.raises(OutputError) as raised:
            event_map(replace(toy_year(), permits=lost))
        assert [fault.what.split()[1] for fault in raised.value.faults] == ["X1", "X2"]

    def test_a_year_without_permits_shows_the_town(self) -> None:
        page = render(event_map(replace(toy_year(), parcels=(), permits=(), parades=(), conflicts=()))).decode()
        assert page_data(page)["parcels"] == []
        assert len(page_index(page)[0]) == 60

    def test_nothing_at_all_is_an_error(self) -> None:
        with pytest.raises(OutputError, match="nothing to draw"):
            event_map(replace(toy_year(), parcels=(), permits=(), parades=(), conflicts=(), rows=()))

    def test_too_many_lots_are_left_out_and_said(self, monkeypatch: pytest.MonkeyPatch, staff_page: str) -> None:
        assert "are not drawn" not in staff_page
        monkeypatch.setattr(sys.modules["geonotice.maps.event_map"], "MOST_LOT_POINTS", 10)
        page = render(event_map(toy_year())).decode()
        assert "Lots without permits are not drawn" in page
        assert "lots" not in page_data(page)["packed"]

    def test_51_000_parcels_and_400_permits_stay_under_3_mb(self) -> None:
        dice = random.Random(283)  # a town that is the same each time
        syllables = [first + second for first in "bcdfghklmnprst" for second in "aeiou"]
        names = ["".join(dice.choices(syllables, k=dice.randint(2, 4))).upper() for _ in range(9000)]
        streets = [f"{name} {kind}" for name in names[:120] for kind in ("RD", "LN", "AVE")]
        rows = tuple(
            SearchRow(
                n,
                f"0900-{n // 200:03d}.00-{n % 7 + 1:02d}.00-{n % 200:03d}.000",
                f"{dice.randint(1, 999)} {dice.choice(streets)}",
                tuple(
                    f"{dice.choice(names)} {dice.choice(names)} {dice.choice('ABCDEF')}" for _ in range(dice.choice((1, 1, 2)))
                ),
                WEST + n % 300 * 240 + dice.random() * 60,
                SOUTH + n // 300 * 300 + dice.random() * 60,
            )
            for n in range(51_000)
        )
        parcels = tuple(
            EventParcel(
                fid=row.fid,
                id=row.id,
                geometry=shapely.Point(row.x, row.y).buffer(90),
                situs=row.situs,
                owners=row.owners,
                left=1,
                used=1,
                cap=2,
                why="one of two used, 283-6B(1)(a)",
            )
            for row in dice.sample(rows, 300)
        )
        permits = tuple(
            EventPermit(
                number=f"2026-{n}",
                kind="music_festival",
                parcels=(parcels[n % 300].fid,),
                starts=date(2026, 5, 1),
                title="Benefit concert",
                applicant="The Friends of the Library, Inc.",
            )
            for n in range(400)
        )
        streets_drawn = tuple(
            MapFeature(
                geometry=shapely.LineString(
                    [(WEST + n % 60 * 1200, SOUTH + n // 60 * 1000), (WEST + n % 60 * 1200 + 900, SOUTH + n // 60 * 1000 + 300)]
                ),
                label=streets[n % 360],
            )
            for n in range(3000)
        )
        year = replace(toy_year(), rows=rows, parcels=parcels, permits=permits, parades=(), conflicts=(), lots=())
        assert len(render(event_map(year, MapLayers(streets=streets_drawn)))) < 3_000_000
