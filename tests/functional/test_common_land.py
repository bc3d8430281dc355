"""The owners of a condominium's units on the lists that their common land is on."""

import json
import sqlite3
from contextlib import closing

import pytest
import shapely
from condo_toys import COMMON, PREMISES, X, Y, building, notice_of, relations_of, row, write_town
from program import HEAVY, imported_by, run

from geonotice.errors import StoreError
from geonotice.opened_town import open_store

UNITS = {f"1-2-C{n}": building(n) for n in range(3)}
HOLED = COMMON.difference(shapely.union_all(list(UNITS.values())))
BESIDE = shapely.box(X + 900, Y, X + 1_000, Y + 100)
"""A lot that the common lot abuts, its units more than 100 ft away."""


def condo(folder, *more_rows, common=HOLED, units=UNITS, owner=None, **more):
    rows = [row("1-1", PREMISES), row("1-2", common, owner=owner), *more_rows]
    rows += [row(number, shape) for number, shape in units.items()]
    return write_town(folder, rows, **more)


@pytest.mark.parametrize("common", [HOLED, COMMON], ids=["in holes", "on top"])
def test_units_beyond_the_distance_are_listed_for_their_common_land(tmp_path, common):
    condo(tmp_path, common=common)
    notice = notice_of(tmp_path, "1-1")
    by_id = {parcel.id: parcel for parcel in notice.parcels}
    assert relations_of(notice) == {"1-2": "within"} | dict.fromkeys(UNITS, "common_land")
    first = by_id["1-2-C0"]
    assert (first.distance_ft, first.also, first.rule, first.citation) == (1_100, (), by_id["1-2"].rule, by_id["1-2"].citation)
    assert (first.owners, first.residents, first.common_lots) == (1, 0, ("1-2",))
    assert first.reason == "owns a unit of the condominium whose common land 1-2 is within 1,000 ft"
    mailed = [one for one in notice.recipients if one.mail != "none"]
    assert [(one.role, one.relation) for one in mailed if one.parcels[0] in UNITS] == [("owner", "common_land")] * 3
    assert all(one.reasons == (first.rule, first.reason) for one in mailed if one.parcels[0] in UNITS)
    assert not [miss for miss in notice.near_misses if miss.id in UNITS]


def test_units_that_the_distance_reaches_themselves_say_both(tmp_path):
    condo(tmp_path, row("1-3", BESIDE))
    found = {parcel.id: (parcel.relation, parcel.also) for parcel in notice_of(tmp_path, "1-3").parcels}
    assert found == {"1-1": ("within", ()), "1-2": ("abutting", ("within",))} | dict.fromkeys(UNITS, ("within", ("common_land",)))


@pytest.mark.parametrize("occasion", ["filing", "appeal"])
def test_where_the_common_land_abuts_the_owners_of_units_are_notified_as_it_is(tmp_path, occasion):
    condo(tmp_path, row("1-3", BESIDE), ordinance="southampton")
    notice = notice_of(tmp_path, "1-3", occasion=occasion)
    assert relations_of(notice) == {"1-2": "abutting"} | dict.fromkeys(UNITS, "common_land")
    assert {one.mail for one in notice.recipients if one.role == "owner"} == {"certified"}
    assert notice.parcels[1].reason == "owns a unit of the condominium whose common land 1-2 abuts the premises"


def test_common_land_across_the_street_counts_too(tmp_path):
    across = shapely.box(X + 1_050, Y - 160, X + 1_200, Y - 60)
    ends = [row(f"1-{n + 5}", shapely.box(x, Y - 160, x + 50, Y - 60)) for n, x in enumerate((X + 1_000, X + 1_200))]
    condo(tmp_path, row("1-4", across), *ends, ordinance="southampton")
    found = relations_of(notice_of(tmp_path, "1-4", occasion="appeal"))
    assert found["1-2"] == "opposite"
    assert {number: found[number] for number in UNITS} == dict.fromkeys(UNITS, "common_land")


@pytest.mark.parametrize("common", [HOLED, COMMON], ids=["in holes", "on top"])
def test_from_one_unit_the_owners_of_the_others_are_notified_for_the_land_round_it(tmp_path, common):
    condo(tmp_path, common=common, ordinance="southampton")
    found = {one.id: (one.relation, *one.also) for one in notice_of(tmp_path, "1-2-C0", occasion="appeal").parcels}
    assert set(found) == {"1-2", "1-2-C1", "1-2-C2"}
    assert found["1-2"][0] == "abutting"
    # where the common lot lies under them, the gap between two units may be looked across as well
    assert all(found[unit][-1] == "common_land" for unit in ("1-2-C1", "1-2-C2"))


def test_from_the_common_lot_itself_the_owners_of_its_units_are_notified(tmp_path):
    units = {f"1-2-C{n}": shapely.box(X + 1_500 + 50 * n, Y, X + 1_550 + 50 * n, Y + 80) for n in range(3)}
    condo(tmp_path, common=COMMON, units=units, ordinance="southampton")
    notice = notice_of(tmp_path, "1-2", occasion="appeal")
    assert relations_of(notice) == {"1-2-C0": "abutting", "1-2-C1": "common_land", "1-2-C2": "common_land"}
    assert notice.parcels[1].reason.endswith("common land 1-2 is part of the premises")


def test_a_common_lot_without_an_owner_is_no_line_without_a_name(tmp_path):
    rows = [
        row("1-1", PREMISES),
        {**row("1-2", HOLED, owner=""), "MAIL_ADDR": "", "MAIL_CITY": "", "MAIL_STATE": "", "MAIL_ZIP": ""},
    ]
    write_town(tmp_path, [*rows, *(row(number, shape) for number, shape in UNITS.items())])
    notice = notice_of(tmp_path, "1-1")
    assert [one.parcels for one in notice.recipients if one.role == "owner"] == [(number,) for number in UNITS]
    assert [warning.parcels for warning in notice.warnings if warning.code == "no_owner_common_land"] == [("1-2",)]
    assert not [warning for warning in notice.warnings if warning.code == "owner_unknown"]


def test_one_owner_of_two_units_gets_one_letter(tmp_path):
    same = {**row("1-2-C1", UNITS["1-2-C1"]), **{name: row("1-2-C0", None)[name] for name in ("PRIMARY_OWNER", "MAIL_ADDR")}}
    condo(tmp_path, same, units={number: UNITS[number] for number in ("1-2-C0", "1-2-C2")})
    letters = [one.parcels for one in notice_of(tmp_path, "1-1").recipients if one.role == "owner"]
    assert ("1-2-C0", "1-2-C1") in letters


def test_the_setting_leaves_them_out_and_every_list_says_so(tmp_path):
    condo(tmp_path, settings="common_land = false")
    notice = notice_of(tmp_path, "1-1")
    assert relations_of(notice) == {"1-2": "within"}
    (warning,) = [one for one in notice.warnings if one.code == "common_land_off"]
    assert (warning.parcels, "3 lots of these common lots are NOT on this list" in warning.text) == (("1-2",), True)
    assert notice.settings["common_land"] is False


def test_lots_that_may_be_units_are_a_question_on_the_list(tmp_path):
    condo(tmp_path, units={f"7-{n}": shape for n, shape in enumerate(UNITS.values())})
    notice = notice_of(tmp_path, "1-1")
    assert relations_of(notice) == {"1-2": "within"}
    (warning,) = [one for one in notice.warnings if one.code == "common_land_question"]
    assert (warning.parcels, warning.text.startswith("3 lots that may be units")) == (("1-2",), True)
    run(
        "notice",
        tmp_path,
        "1-1",
        "--for",
        "hearing",
        "--hearing",
        "2026-12-20",
        "--on",
        "2026-09-01",
        "--json",
        "--strict",
        expect=4,
    )


def test_what_lies_on_the_list_by_itself_is_no_question(tmp_path):
    condo(tmp_path, row("1-3", BESIDE), units={f"7-{n}": shape for n, shape in enumerate(UNITS.values())})
    assert not [one for one in notice_of(tmp_path, "1-3").warnings if one.code == "common_land_question"]


@pytest.mark.parametrize(("borderline", "mail"), [("mail", "first_class"), ("ask", "none")])
def test_common_land_just_beyond_the_distance_is_borderline_for_its_units_too(tmp_path, borderline, mail):
    condo(
        tmp_path, common=shapely.affinity.translate(HOLED, 103, 0), settings=f'borderline = "{borderline}"',
        units={number: shapely.affinity.translate(shape, 103, 0) for number, shape in UNITS.items()},
    )  # fmt: skip
    notice = notice_of(tmp_path, "1-1")
    assert {parcel.id: parcel.review for parcel in notice.parcels} == dict.fromkeys(["1-2", *UNITS], ("borderline",))
    assert {one.mail for one in notice.recipients if one.role == "owner"} == {mail}
    asked = [warning.parcels for warning in notice.warnings if warning.code == "borderline_ask"]
    assert asked == ([("1-2", *UNITS)] if borderline == "ask" else [])


def test_an_official_can_drop_a_unit_and_add_a_common_lot(tmp_path):
    condo(tmp_path, common=shapely.affinity.translate(HOLED, 900, 0),
          units={number: shapely.affinity.translate(shape, 900, 0) for number, shape in UNITS.items()})  # fmt: skip
    assert relations_of(notice_of(tmp_path, "1-1")) == {}
    notice = notice_of(tmp_path, "1-1", add={"1-2": "asked for by the board"}, drop={"1-2-C1": "sold to the town"})
    assert relations_of(notice) == {"1-2": "within", "1-2-C0": "common_land", "1-2-C2": "common_land"}
    assert notice.parcels[1].reason.endswith("common land 1-2 was added to the list")


def test_dropping_the_common_lot_keeps_the_owners_of_its_units(tmp_path):
    condo(tmp_path)
    assert relations_of(notice_of(tmp_path, "1-1", drop={"1-2": "it has no owner of its own"})) == dict.fromkeys(
        UNITS, "common_land"
    )


def test_the_owners_of_units_stand_in_the_schedule_that_the_common_lot_stands_in(tmp_path):
    condo(tmp_path, row("1-3", BESIDE))
    assert {line.id for line in notice_of(tmp_path, "1-3").schedule} == {"1-2", *UNITS}


def test_record_map_and_geopackage_name_the_relation(tmp_path):
    condo(tmp_path)
    asked = ("notice", tmp_path, "1-1", "--for", "hearing", "--hearing", "2026-12-20", "--on", "2026-09-01", "--json")
    found = json.loads(run(*asked, "--out", tmp_path / "packet").stdout)
    unit = next(parcel for parcel in found["parcels"] if parcel["id"] == "1-2-C0")
    assert (unit["relation"], unit["common_lots"]) == ("common_land", ["1-2"])
    assert "Notified: owns common land on the list" in (tmp_path / "packet" / "map.html").read_text()
    with closing(sqlite3.connect(tmp_path / "packet" / "notice.gpkg")) as database:
        drawn = dict(database.execute("SELECT id, relation FROM notice_parcels"))
    assert drawn == {"1-2": "within"} | dict.fromkeys(UNITS, "common_land")


def test_the_list_stays_light(tmp_path):
    condo(tmp_path)
    asked = ("notice", tmp_path, "1-1", "--for", "hearing", "--hearing", "2026-12-20", "--on", "2026-09-01", "--json")
    assert not imported_by(*asked) & set(HEAVY)
    with open_store(tmp_path) as opened:
        plan = opened.store._db.execute(
            "EXPLAIN QUERY PLAN SELECT unit_fid FROM common_land WHERE lot_fid IN (1, 2)"
        ).fetchall()  # how it is looked up
    assert "USING INDEX common_land_lot" in plan[0][3]


def test_a_store_of_before_is_refused(tmp_path):
    condo(tmp_path)
    with closing(sqlite3.connect(tmp_path / "store.gpkg")) as database, database:
        database.execute("UPDATE meta SET value = '3' WHERE name = 'store_version'")
    with pytest.raises(StoreError, match="another version") as raised:
        notice_of(tmp_path, "1-1")
    assert "geonotice import" in raised.value.faults[0].command


@pytest.mark.parametrize("name", ["in_holes", "on_top"])
def test_the_handed_condominiums(tmp_path, shared, name):
    layer = shared / "faults" / "condo" / f"{name}.gpkg"
    if not layer.is_file():
        pytest.skip("these layers are not kept beside this repository")
    (tmp_path / "town.toml").write_text(
        f'[town]\nname = "Town of Italy"\nordinance = "italy"\ncrs = "EPSG:2261"\n[[layers.parcels]]\npath = "{layer}"\n'
    )
    run("import", tmp_path)
    assert relations_of(notice_of(tmp_path, "1-1")) == {"1-2": "within"} | {f"1-2-C{n}": "common_land" for n in range(12)}
