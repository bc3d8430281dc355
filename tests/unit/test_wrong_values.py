"""What is wrong with a value is said as a clerk would say it, never as a program's types."""

from datetime import date

import pytest

from geonotice.errors import EventFileError, OrdinanceError, TownFileError
from geonotice.event_file import event_from_data
from geonotice.ordinance.schema import to_profile
from geonotice.town_file import read_town_file

PROGRAMMERS = ("Input should", "instance of", "datetime", "dictionary", "boolean", "integer", "parse", "True", "None", "{'")


def said_of(data):
    with pytest.raises(EventFileError) as refused:
        event_from_data(data, file="event.toml")
    return {fault.key: fault.what for fault in refused.value.faults}


@pytest.mark.parametrize(
    ("section", "key", "value", "words"),
    [
        ("event", "night", "yes", 'yes or no is meant, written as true or false (it says "yes")'),
        ("event", "title", 3, "a text is meant, in quotation marks (it says 3)"),
        ("event", "title", "T" * 200_000, "it must not be longer than 2,000 characters"),
        ("event", "persons_at_once", "many", 'a whole number is meant (it says "many")'),
        ("event", "persons_at_once", 2.5, "a whole number is meant (it says 2.5)"),
        ("event", "persons_at_once", -1, "it must be 0 or more (it says -1)"),
        ("event", "persons_at_once", 10**20, "it must be 10,000,000 or less"),
        ("event", "persons_at_once", True, "a number is meant, not yes or no (it says true)"),
        ("event", "filed", "soon", 'a date is meant, such as 2026-08-08 (it says "soon")'),
        ("event", "sponsor", "me", "it must be one of: 'private', 'charity'"),
        ("insurance", "property", float("inf"), "a number is meant that has an end (it says inf)"),
        ("insurance", "property", float("nan"), "(it says nan)"),
        ("premises", "parcels", "12-1", 'a list is meant, in square brackets (it says "12-1")'),
        ("site", "tents", [1], "a table of keys and values is meant (it says 1)"),
        ("yard_sale", "hours", ["25:00", "9"], 'a time of day is meant, such as 09:00 (it says "25:00")'),
        ("yard_sale", "hours", ["09:00"], "it must have 2 or more entries"),
        ("yard_sale", "days", [date(2026, 6, 6), "x"], 'a date is meant, such as 2026-08-08 (it says "x")'),
    ],
)
def test_in_an_event_file(section, key, value, words):
    found = said_of({section: {key: value}})
    assert any(place.startswith(f"{section}.{key}") and words in what for place, what in found.items()), found
    assert not any(word in what for what in found.values() for word in PROGRAMMERS), found


def test_a_table_is_not_repeated_in_what_is_said_of_it():
    found = said_of({"event": {"starts": "2026-08-08T14:00:00", "ends": "2026-08-08T13:00:00"}})
    assert found == {"event": "the event ends before it starts"}


def test_in_a_profile():
    with pytest.raises(OrdinanceError) as refused:
        to_profile({"id": 3, "town": [], "verified": "perhaps", "rules": "none", "districts": [1]}, file="own.toml", sha256="")
    said = [fault.what for fault in refused.value.faults]
    assert 'yes or no is meant, written as true or false (it says "perhaps")' in said
    assert not any(word in what for what in said for word in PROGRAMMERS), said


def test_in_a_town_file(tmp_path):
    (tmp_path / "town.toml").write_text(
        '[town]\nname = 3\nordinance = "italy"\ncrs = "EPSG:2262"\nswis = "5724"\n[layers]\nparcels = "p"\n'
    )
    with pytest.raises(TownFileError) as refused:
        read_town_file(tmp_path)
    said = [fault.what for fault in refused.value.faults]
    assert "a text is meant, in quotation marks (it says 3)" in said
    assert not any(word in what for what in said for word in PROGRAMMERS), said


class TestAKeyThatIsMisspelt:
    """The one that is meant is named, where one is like it."""

    @pytest.mark.parametrize(
        ("data", "meant"),
        [
            ({"event": {"person_at_once": 800}}, "persons_at_once"),
            ({"evnt": {}}, "event"),
            ({"site": {"tents": [{"upp": "2026-08-01"}]}}, "up"),
            ({"event": {"weather": "fine"}}, ""),
        ],
    )
    def test_in_an_event_file(self, data, meant):
        with pytest.raises(EventFileError) as refused:
            event_from_data(data, file="event.toml")
        (fault,) = refused.value.faults
        assert fault.remedy == (
            f"write {meant}, if that is meant, or take it out" if meant else "fix its spelling, or take it out"
        )

    @pytest.mark.parametrize(
        ("line", "key", "meant"),
        [
            ("[setting]\nborderline = 'ask'", "setting", "settings"),
            ("[settings]\ntolerance = 2", "settings.tolerance", "tolerance_ft"),
            ("[layers.zonning]\npath = 'p'", "layers.zonning", "zoning"),
            ("[[layers.parcels]]\npath = 'p'\nas_off = 2026-07-01", "layers.parcels[0].as_off", "as_of"),
        ],
    )
    def test_in_a_town_file(self, tmp_path, line, key, meant):
        (tmp_path / "town.toml").write_text(f"[town]\nname = 'T'\nordinance = 'italy'\ncrs = 'EPSG:2261'\n{line}\n")
        with pytest.raises(TownFileError) as refused:
            read_town_file(tmp_path)
        said = {fault.key: fault.remedy for fault in refused.value.faults}
        assert said[key].startswith(f"write {meant}, if that is meant; ")
