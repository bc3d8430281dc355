"""The event map as a file: what is left and why, the weeks, the packed list of parcels, what the public sees."""

import base64
import json
import random
import re
import zlib
from collections.abc import Iterator
from datetime import date
from itertools import islice

import numpy as np
import pytest
import shapely
from map_toys import CRS, SOUTH, WEST, around, lot, toy_year
from msgspec.structs import replace

from geonotice.errors import OutputError
from geonotice.maps import EventLand, EventLot, EventParcel, EventPermit, MapFeature, MapLayers, event_map, lot_layer, render
from geonotice.maps.event_map import days_in_words, week_of, weeks_of
from geonotice.maps.lot_layer import COLUMN, ITEM, LINE, encode_columns, encode_outlines
from geonotice.maps.map_layers import STEPS_PER_DEGREE, Projector, pack
from geonotice.maps.page import remote_references
from geonotice.maps.titles_and_badges import BADGES, EVENT_LOOKS


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
        assert [permit["number"] for permit in data["permits"]] == ["2026-1", "2026-3", "2026-2", "2026-5"], (
            "no void, no rescinded"
        )
        text = without_scripts(public_page) + json.dumps(
            {**data, "permits": [{**permit, "title": ""} for permit in data["permits"]]}
        )
        for secret in ("ROE RICHARD", "OWNER", "SMITH", "fire", "500 ft and one", "not in the profile"):
            assert secret not in text, secret

    def test_staff_see_them(self, staff_page: str) -> None:
        data = page_data(staff_page)
        assert data["permits"][0]["conflicts"] == ["500 ft and one day apart"]
        assert page_index(staff_page)[2][7] == "SMITH JOHN 7\x1fROE RICHARD"


def lots_of(geometries: list[shapely.Geometry]) -> list[EventLot]:
    return [EventLot(n, str(n), geometry) for n, geometry in enumerate(geometries)]


def unpacked(text: str) -> list[list[np.ndarray]]:
    """Return the rings of each lot, in steps, as the page unpacks them."""

    def numbers(octets: bytes) -> Iterator[int]:
        value, shift = 0, 0
        for octet in octets:
            value |= (octet & 127) << shift
            shift += 7
            if octet < 128:
                yield value
                value, shift = 0, 0

    def signed(value: int) -> int:
        return (value >> 1) ^ -(value & 1)

    data = zlib.decompress(base64.b64decode(text))
    ends = [n for n, octet in enumerate(data) if octet < 128]
    lots, rings, corners, head_bytes, known_bytes = islice(numbers(data), 5)
    start = ends[4] + 1
    head = numbers(data[start : start + head_bytes])
    known = numbers(data[start + head_bytes : start + head_bytes + known_bytes])
    steps = numbers(data[start + head_bytes + known_bytes :])
    found, new, place, seen = [], [], 0, [0, 0]
    at = (0, 0)
    for _ in range(lots):
        first = next(head)
        counts = [next(head) for _ in range(first >> 1)] if first & 1 else [first >> 1]
        of_lot = []
        for count in counts:
            ring = []
            for _ in range(count):
                if back := next(known):
                    place += signed(back - 1)
                    at = new[place]
                else:
                    place = len(new)
                    at = (at[0] + signed(next(steps)), at[1] + signed(next(steps)))
                    new.append(at)
                ring.append(at)
            of_lot.append(np.array(ring))
            seen[1] += count
        seen[0] += len(counts)
        found.append(of_lot)
    assert [*head, *known, *steps] == []
    assert seen == [rings, corners]
    assert len(set(new)) == len(new), "no corner is in it twice"
    return found


class TestLots:
    """Every lot of the town is in the page, in little room."""

    def test_their_words_come_back_in_order(self, staff_page: str) -> None:
        ids, situs, owners, drawn, also, lands = page_index(staff_page)
        assert ids == sorted(ids)
        assert len(ids) == len(situs) == len(owners) == len(also) == len(lands) == 60
        assert drawn[:7] == ["0", "1", "2", "3", "4", "5", ""]
        assert lands == ["0"] * 50 + ["1"] * 10
        assert [land["state"] for land in page_data(staff_page)["lands"]] == ["open", "decide"]

    def test_signs_that_part_columns_cannot_come_from_data(self) -> None:
        lots = [EventLot(1, f"1{LINE}2", lot(0), f"a{COLUMN}b", (f"x{ITEM}y",))]
        text = zlib.decompress(base64.b64decode(encode_columns(lots, public=False, drawn={}))).decode()
        assert text.count(COLUMN) == 5
        assert LINE not in text
        assert ITEM not in text

    def test_outlines_come_back_within_a_step_holes_and_parts_kept(self) -> None:
        shapes = [
            lot(0),
            lot(3).difference(lot(3).buffer(-30)),
            shapely.MultiPolygon([lot(5), lot(7).difference(lot(7).buffer(-40))]),
            shapely.Polygon(),
            lot(9),
        ]
        projector = Projector(CRS)
        for shape, rings in zip(shapes, unpacked(encode_outlines(lots_of(shapes), projector)), strict=True):
            wanted = projector.lonlat_all([shape], what="it")[0]
            assert len(rings) == len(shapely.get_rings(shapely.get_parts(wanted)))
            drawn = [shapely.LinearRing(ring / lot_layer.STEPS_PER_DEGREE) for ring in rings]
            for line, ring in zip(drawn, shapely.get_rings(shapely.get_parts(wanted)), strict=True):
                assert shapely.hausdorff_distance(line, ring) < 1 / lot_layer.STEPS_PER_DEGREE

    def test_a_line_that_two_lots_share_is_the_same_for_both_when_smoothed(self) -> None:
        bend = [(WEST + 100 + 0.4 * (n % 3), SOUTH + 10 * n) for n in range(21)]
        left = shapely.Polygon([(WEST, SOUTH), *bend, (WEST, SOUTH + 200)])
        right = shapely.Polygon([(WEST + 300, SOUTH), (WEST + 300, SOUTH + 200), *reversed(bend)])
        (one,), (other,) = unpacked(encode_outlines(lots_of([left, right]), Projector(CRS)))
        assert len(one) < len(left.exterior.coords) - 1, "what nobody can see is left out"
        line = set(map(tuple, one.tolist())) & set(map(tuple, other.tolist()))
        assert len(line) >= 2
        assert len(one) - len(line) == len(other) - len(line) == 2, "but for the far corners, all are shared"

    def test_lots_that_lie_over_each_other_are_kept(self) -> None:
        stacked = [lot(0).buffer(5), lot(0).buffer(5), lot(0, wide=150).buffer(5)]
        for rings, shape in zip(unpacked(encode_outlines(lots_of(stacked), Projector(CRS))), stacked, strict=True):
            drawn = shapely.Polygon(rings[0] / lot_layer.STEPS_PER_DEGREE)
            assert drawn.area == pytest.approx(Projector(CRS).lonlat_all([shape], what="it")[0].area, rel=0.02)

    def test_a_place_outside_the_crs_is_an_error(self) -> None:
        far = shapely.Polygon([(0, 0), (1e30, 0), (1e30, 1e30)])
        with pytest.raises(OutputError, match="outside the area"):
            encode_outlines(lots_of([far]), Projector(CRS))


class TestDays:
    def test_three_saturdays_are_no_range(self) -> None:
        saturdays = (date(2026, 7, 4), date(2026, 7, 11), date(2026, 7, 25))
        permit = EventPermit(
            number="2026-9", kind="market", parcels=(0,), starts=saturdays[0], ends=saturdays[-1], days=saturdays
        )
        data = page_data(render(event_map(replace(toy_year(), permits=(permit,), parades=()))).decode())
        assert data["permits"][0]["days"] == "Sat, July 4; Sat, July 11; Sat, July 25, 2026"
        on = [n for n, week in enumerate(data["weeks"]) if week["permits"]]
        assert on == [week_of(day, weeks_of(2026)) for day in saturdays]

    def test_days_of_two_years_name_both(self) -> None:
        assert days_in_words(None, None, [date(2027, 1, 2), date(2026, 12, 26)]) == "Sat, December 26, 2026; Sat, January 2, 2027"


class TestPrivateTitles:
    def test_a_title_stays_off_the_map(self) -> None:
        page = render(event_map(toy_year("Emma and Luke"), public=True, private_titles=["2026-1", "P-1"])).decode()
        assert "Emma and Luke" not in page
        assert "Old Home Day" not in page
        assert "2026-1" in page

    def test_all_titles_stay_off_the_map(self) -> None:
        data = page_data(render(event_map(toy_year(), private_titles=None)).decode())
        assert {permit["title"] for permit in data["permits"]} == {""}


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
        expected = projector.lonlat_all([geometry], what="it")[0]
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
        turned = replace(year, parcels=year.parcels[::-1], permits=year.permits[::-1], lots=year.lots[::-1])
        assert render(event_map(turned, around())).decode() == staff_page

    def test_the_line_off_other_municipalities_lies_500_ft_from_them(self, staff_page: str) -> None:
        packed = page_data(staff_page)["packed"]["reach"]
        row = np.array(packed["shapes"][0][1][0]).reshape(-1, 2).cumsum(axis=0) + packed["origin"]
        (middle,) = Projector(CRS).points_inside([shapely.Point(WEST + 1100, SOUTH)])
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
            event_map(replace(toy_year(), parcels=(), permits=(), parades=(), conflicts=(), lots=()))

    def test_51_000_parcels_and_400_permits_stay_under_3_mb(self) -> None:
        dice = random.Random(283)  # a town that is the same each time
        syllables = [first + second for first in "bcdfghklmnprst" for second in "aeiou"]
        names = ["".join(dice.choices(syllables, k=dice.randint(2, 4))).upper() for _ in range(9000)]
        streets = [f"{name} {kind}" for name in names[:120] for kind in ("RD", "LN", "AVE")]
        # The corners of a crooked grid, each shared by the lots that meet there, and one more corner in every side.
        grid = np.array([[(240 * x, 300 * y) for x in range(601)] for y in range(341)]) / 2.0 + np.random.default_rng(
            283
        ).uniform(-9, 9, (341, 601, 2))
        grid += [WEST, SOUTH]

        def shape(n: int) -> shapely.Polygon:
            x, y = 2 * (n % 300), 2 * (n // 300)
            around = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
            return shapely.Polygon([grid[y + up, x + right] for right, up in around])

        rows = tuple(
            EventLot(
                n,
                f"0900-{n // 200:03d}.00-{n % 7 + 1:02d}.00-{n % 200:03d}.000",
                shape(n),
                f"{dice.randint(1, 999)} {dice.choice(streets)}",
                tuple(
                    f"{dice.choice(names)} {dice.choice(names)} {dice.choice('ABCDEF')}" for _ in range(dice.choice((1, 1, 2)))
                ),
                land=n % 200,
            )
            for n in range(51_000)
        )
        parcels = tuple(
            EventParcel(
                fid=row.fid,
                id=row.id,
                geometry=row.geometry,
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
        lands = tuple(
            EventLand(zone=f"R-{n}, residential", left=2, cap=2, why="0 of 2 permits issued in 2026") for n in range(200)
        )
        year = replace(toy_year(), lots=rows, lands=lands, parcels=parcels, permits=permits, parades=(), conflicts=())
        assert len(render(event_map(year, MapLayers(streets=streets_drawn)))) < 3_000_000
