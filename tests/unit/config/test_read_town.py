"""The town file: read whole, or refused with all its faults at once."""

from datetime import date

import pytest

from geonotice.config.read_town import read_town_file
from geonotice.config.town import Clerk, DistrictSpec, town_from_json, town_to_json
from geonotice.errors import TownFileError

GOOD = """
[town]
name = "Town of Italy"
ordinance = "italy"
crs = "EPSG:2261"
swis = ["5724"]

[[layers.parcels]]
path = "parcels.geojson"
as_of = 2026-07-01
roll_year = 2026
final = true
[layers.parcels.fields]
tax_map_number = "PRINT_KEY"

[layers.water]
path = "water.geojson"

[[roll]]
path = "roll.csv"
[roll.key]
columns = ["MAP", "LOT"]
drop_zero_parts = true

[settings]
borderline = "ask"

[clerk]
name = "A. Clerk"
address = ["Town Hall", "Naples NY 14512"]

[[districts]]
code = "HB"
class = "other"
source = "Town Attorney, letter of 3 March 2026"
front_ft = 30

[register]
url = "sqlite:///permits.sqlite"
"""


@pytest.fixture
def write(tmp_path):
    for name in ("parcels.geojson", "water.geojson", "roll.csv"):
        (tmp_path / name).write_text("")

    def made(text):
        (tmp_path / "town.toml").write_text(text)
        return tmp_path

    return made


def test_a_town_is_read_from_its_folder_or_file_with_absolute_paths(write):
    folder = write(GOOD)
    town = read_town_file(folder)
    assert town == read_town_file(folder / "town.toml")
    assert town.parcels[0].path == (folder / "parcels.geojson").resolve()
    assert town.parcels[0].as_of == date(2026, 7, 1)
    assert town.parcels[0].fields == {"tax_map_number": "PRINT_KEY"}
    assert town.rolls[0].key.columns == ("MAP", "LOT")
    assert town.settings.borderline == "ask"
    assert town.settings.tolerance_ft == 1.5
    assert town.clerk.address == ("Town Hall", "Naples NY 14512")
    assert town.register_url == "sqlite:///permits.sqlite"
    assert town.districts == (DistrictSpec("HB", "Town Attorney, letter of 3 March 2026", "other", front_ft=30.0),)


def test_the_store_gives_back_the_town_that_was_checked(write):
    town = read_town_file(write(GOOD))
    assert town_from_json(town_to_json(town), file=town.file) == town


def test_a_clerk_s_address_may_be_one_text_of_several_lines(write):
    town = read_town_file(write(GOOD.replace('["Town Hall", "Naples NY 14512"]', '"Town Hall\\nNaples NY 14512"')))
    assert town.clerk.address == ("Town Hall", "Naples NY 14512")


def test_all_faults_are_said_at_once_each_with_its_key(write):
    text = GOOD.replace('name = "Town of Italy"', 'nam = "Town of Italy"').replace("as_of = 2026-07-01", 'as_of = "soon"')
    text = text.replace('["5724"]', '["Yates"]').replace('borderline = "ask"', 'borderline = "perhaps"')
    with pytest.raises(TownFileError) as caught:
        read_town_file(write(text))
    keys = {fault.key for fault in caught.value.faults}
    assert keys == {"town.name", "town.nam", "town.swis", "layers.parcels[0].as_of", "settings.borderline"}
    assert all(fault.file.endswith("town.toml") for fault in caught.value.faults)


def test_files_that_are_not_there_and_fields_nobody_knows_are_said_at_once(write):
    text = (
        GOOD.replace("water.geojson", "lake.geojson").replace("roll.csv", "rolls.csv").replace("tax_map_number", "parcel_number")
    )
    with pytest.raises(TownFileError) as caught:
        read_town_file(write(text))
    assert [fault.key for fault in caught.value.faults] == [
        "layers.parcels[0].fields.parcel_number",
        "layers.water.path",
        "roll[0].path",
    ]


def test_tables_and_seal_that_are_not_there_are_said_at_once(write):
    named = '\n[corrections]\npath = "fixed.csv"\n[others]\npath = "others.csv"\n[postage]\nfile = "rates.toml"\n[papers]\nseal = "seal.png"\n'
    with pytest.raises(TownFileError) as raised:
        read_town_file(write(GOOD + named))
    assert [(fault.key, fault.what) for fault in raised.value.faults] == [
        ("corrections.path", "fixed.csv is not there"),
        ("others.path", "others.csv is not there"),
        ("postage.file", "rates.toml is not there"),
        ("papers.seal", "seal.png is not there"),
    ]
    assert raised.value.faults[3].remedy.endswith("or take the line out")


@pytest.mark.parametrize(
    ("lines", "key", "words"),
    [
        ("[clerk]\naddress = 3", "clerk.address", "a list is meant, in square brackets (it says 3)"),
        ("[clerk]\naddress = [1]", "clerk.address[0]", "a text is meant, in quotation marks (it says 1)"),
        (
            '[[common_land]]\nlot = "1"\nsource = "A."\nunits = "all"',
            "common_land[0].units",
            'a list is meant, in square brackets, or "contained" (it says "all")',
        ),
        ("[settings]\nsliver_sq_ft = inf", "settings.sliver_sq_ft", "a number is meant that has an end (it says inf)"),
        ('[layers.water]\npath = "water.geojson"\nkind = "zoning"', "layers.water.kind", "unknown key"),
        ('[layers.water]\npath = "water.geojson"\nroll_year = 2026', "layers.water.roll_year", "unknown key"),
    ],
)
def test_a_value_that_may_be_written_two_ways_has_one_fault_that_names_its_key(write, lines, key, words):
    text = "[town]\nname = 'T'\nordinance = 'italy'\ncrs = 'EPSG:2261'\n[[layers.parcels]]\npath = 'parcels.geojson'\n"
    with pytest.raises(TownFileError) as caught:
        read_town_file(write(f"{text}{lines}\n"))
    assert [(fault.key, fault.what) for fault in caught.value.faults] == [(key, words)]


def test_text_that_is_not_toml_is_refused_with_its_line(write):
    with pytest.raises(TownFileError, match="line 2"):
        read_town_file(write("\n[town\n"))


def test_a_layer_in_the_place_of_the_town_file_is_said_to_be_none(write):
    folder = write(GOOD)
    with pytest.raises(TownFileError, match=r"this is no town file\. Name a town's folder"):
        read_town_file(folder / "parcels.geojson")


def test_a_folder_without_a_town_file_says_how_to_make_one(tmp_path):
    with pytest.raises(TownFileError, match="geonotice init"):
        read_town_file(tmp_path)


class TestTheClerksOffice:
    """[clerk]: printed in a line on what goes out."""

    @pytest.mark.parametrize(
        ("clerk", "line"),
        [
            (Clerk(), ""),
            (Clerk(title="Town Clerk"), ""),
            (Clerk(name="A. Clerk"), "A. Clerk"),
            (Clerk(title="Town Clerk", office="Town Hall", hours="9 to 3"), "Town Clerk; Town Hall; 9 to 3"),
            (
                Clerk(name="A. Clerk", title="Town Clerk", address=("1 Main St", "Naples NY 14512")),
                "A. Clerk, Town Clerk; 1 Main St, Naples NY 14512",
            ),
        ],
    )
    def test_leaves_out_what_is_not_known(self, clerk, line):
        assert clerk.line == line
