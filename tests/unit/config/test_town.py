"""What of a town file enters the store, and what every list reads afresh."""

import dataclasses
import typing
from pathlib import Path

import pytest

from geonotice.config.read_town import read_town_file
from geonotice.config.town import ENTERS_THE_STORE, READ_AFRESH, Town, changed_for_the_store, town_to_json

TOWN = """
[town]
name = "Town of Ovid"
ordinance = "italy"
crs = "EPSG:2261"
swis = ["4532"]
[[layers.parcels]]
path = "parcels.gpkg"
as_of = 2026-07-01
[layers.parcels.roles]
lot = ["1.-1-1"]
[layers.zoning]
path = "parcels.gpkg"
[[roll]]
path = "parcels.gpkg"
[settings]
tolerance_ft = 1.5
[clerk]
name = "Ann Roe"
[[districts]]
code = "R"
class = "residential"
source = "the board"
[[common_land]]
lot = "1.-1-1"
units = "contained"
source = "the assessor"
"""


def read(folder: Path, text: str) -> Town:
    (folder / "parcels.gpkg").touch()
    (folder / "town.toml").write_text(text)
    return read_town_file(folder)


def keys_of(table: str) -> set[str]:
    """Return the keys of a table of the town file, by its class."""
    kind = typing.get_type_hints(Town)[table]
    while not dataclasses.is_dataclass(kind):
        kind = next(one for one in typing.get_args(kind) if one is not type(None) and one is not ...)
    return {key.name for key in dataclasses.fields(kind)}


@pytest.mark.parametrize("table", [key.name for key in dataclasses.fields(Town) if key.name != "file"])
def test_every_key_of_a_town_file_enters_the_store_or_is_read_afresh_and_none_does_both(table):
    stored, afresh = ENTERS_THE_STORE.get(table, frozenset()), READ_AFRESH.get(table, frozenset())
    assert stored | afresh == keys_of(table)
    assert not stored & afresh


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('name = "Ann Roe"', 'name = "Bea Roe"'),
        ("tolerance_ft = 1.5", "tolerance_ft = 2.5\nborderline = 'ask'\ncommon_land = false"),
        ("[clerk]", "# a note\n[papers]\nsignature = 'A. Roe'\n[screen]\npersons_per_car = 2\n[clerk]"),
        ("[clerk]", "[register]\nurl = 'sqlite:///p.sqlite'\n[others]\nrecipients = []\n[clerk]"),
    ],
    ids=["clerk", "settings", "papers and screen", "register and others"],
)
def test_what_only_lists_and_papers_read_asks_for_no_import(tmp_path, before, after):
    stored = town_to_json(read(tmp_path, TOWN))
    assert before in TOWN
    assert changed_for_the_store(stored, read(tmp_path, TOWN.replace(before, after))) == ()


@pytest.mark.parametrize(
    ("before", "after", "table"),
    [
        ('name = "Town of Ovid"', 'name = "Town of Lodi"', "town"),
        ('swis = ["4532"]', 'swis = ["4533"]', "town"),
        ('crs = "EPSG:2261"', 'crs = "EPSG:2262"', "town"),
        ("as_of = 2026-07-01", "as_of = 2026-07-02", "layers"),
        ('lot = ["1.-1-1"]', 'lot = ["1.-1-2"]', "layers"),
        ("[layers.zoning]", "[layers.streets]", "layers"),
        ("[[roll]]", "[[roll]]\nroll_year = 2026", "rolls"),
        ("tolerance_ft = 1.5", "address_point_ft = 30", "settings"),
        ('class = "residential"', 'class = "other"', "districts"),
        ('units = "contained"', "units = []", "common_land"),
    ],
)
def test_what_the_store_was_made_from_asks_for_one_and_is_named(tmp_path, before, after, table):
    stored = town_to_json(read(tmp_path, TOWN))
    assert before in TOWN
    assert changed_for_the_store(stored, read(tmp_path, TOWN.replace(before, after))) == (table,)


def test_a_folder_that_was_moved_is_the_same_town(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert changed_for_the_store(town_to_json(read(tmp_path / "a", TOWN)), read(tmp_path / "b", TOWN)) == ()
