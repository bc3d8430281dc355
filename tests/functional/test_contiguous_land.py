"""Brookhaven: the applicant's contiguous land moves out the line from which 200 and 500 feet are measured."""

import json
from datetime import date

import geopandas
import pytest
import shapely
import shapely.affinity
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.errors import UsageError
from geonotice.opened_town import find_premises, open_store
from geonotice.workflow.importing import import_layers
from geonotice.workflow.notice import NoticeRequest, make_notice

OWNERS = {
    "P": "DOE JANE",
    "C1": "Doe, Jane",
    "C2": "DOE JANE",
    "N190": "ROE R",
    "N490": "POE P",
    "N510": "LOE L",
    "FAR": "DOE JANE",
}
LAND = {
    "P": (0, 0, 100, 100),
    "C1": (100, 0, 200, 100),
    "C2": (200, 0, 300, 100),
    "N190": (490, 0, 590, 100),
    "N490": (790, 0, 890, 100),
    "N510": (810, 200, 910, 300),
    "FAR": (0, 2000, 100, 2100),
}


@pytest.fixture
def town(tmp_path):
    rows = {
        "PRINT_KEY": list(LAND),
        "PRIMARY_OWNER": list(OWNERS.values()),
        "MAIL_ADDR": [f"{n} MAIN ST" for n in range(len(LAND))],
        "MAIL_CITY": ["YAPHANK"] * len(LAND),
        "MAIL_STATE": ["NY"] * len(LAND),
        "MAIL_ZIP": ["11980"] * len(LAND),
    }
    shapes = [shapely.affinity.translate(shapely.box(*box), 1_240_000, 250_000) for box in LAND.values()]
    geopandas.GeoDataFrame(rows, geometry=shapes, crs="EPSG:2263").to_file(tmp_path / "parcels.gpkg", engine="pyogrio")
    lines = ["[town]", 'name = "Town of Brookhaven"', 'ordinance = "brookhaven"', 'crs = "EPSG:2263"']
    (tmp_path / "town.toml").write_text("\n".join([*lines, "[[layers.parcels]]", 'path = "parcels.gpkg"']))
    import_layers(tmp_path)
    return tmp_path


def test_the_line_moves_out_with_all_land_of_the_owner_that_touches(town):
    with open_store(town) as opened:
        made = make_notice(opened, find_premises(opened, ["P"]), NoticeRequest(occasion="hearing", on=date(2026, 9, 1))).notice
    distances = {parcel.id: parcel.distance_ft for parcel in made.parcels}
    assert distances["N190"] == 190
    assert distances["N490"] == 490
    assert "N510" not in distances
    assert "FAR" not in distances
    assert {warning.code: warning.parcels for warning in made.warnings}["contiguous_land"] == ("C1", "C2")


def test_each_distance_has_its_class_of_mail(town):
    with open_store(town) as opened:
        made = make_notice(opened, find_premises(opened, ["P"]), NoticeRequest(occasion="hearing", on=date(2026, 9, 1))).notice
    mail = {recipient.parcels[0]: recipient.mail for recipient in made.recipients if recipient.role == "owner"}
    assert mail["N190"] == "certified"
    assert mail["N490"] == "first_class"


class TestLandKeptApart:
    """An official says that a parcel beside the premises is not the applicant's, though the roll has the same name."""

    def made(self, town, parcel="P", **options):
        with open_store(town) as opened:
            return make_notice(
                opened, find_premises(opened, [parcel]), NoticeRequest(occasion="hearing", on=date(2026, 9, 1), **options)
            ).notice

    def test_distances_are_not_measured_from_it_and_the_record_says_why(self, town):
        made = self.made(town, apart={"C2": "another Jane Doe"})
        distances = {parcel.id: parcel.distance_ft for parcel in made.parcels}
        assert distances["N190"] == 290
        assert "N490" not in distances
        assert distances["C2"] == 0
        assert [(one.id, one.action, one.reason) for one in made.overrides] == [("C2", "apart", "another Jane Doe")]
        assert {warning.code: warning.parcels for warning in made.warnings}["contiguous_land"] == ("C1",)

    def test_what_only_it_joins_to_the_premises_is_left_too(self, town):
        made = self.made(town, apart={"C1": "sold"})
        assert {parcel.id: parcel.distance_ft for parcel in made.parcels} == {"C1": 0, "C2": 100, "N190": 390}
        assert "contiguous_land" not in {warning.code for warning in made.warnings}

    def test_its_owner_is_told_as_a_neighbour(self, town):
        made = self.made(town, apart={"C1": "sold"})
        assert ("C1",) in {one.parcels for one in made.recipients if one.role == "owner"}

    def test_a_parcel_that_moves_no_line_and_an_empty_reason_are_refused_at_once(self, town):
        with pytest.raises(UsageError) as caught:
            self.made(town, apart={"FAR": "sold", "C1": " "})
        assert [(fault.parcel, fault.what.split()[0]) for fault in caught.value.faults] == [("FAR", "it"), ("C1", "no")]

    def test_it_is_refused_where_the_law_measures_from_the_premises_alone(self, town):
        lines = (town / "town.toml").read_text().replace('ordinance = "brookhaven"', 'ordinance = "new_paltz"')
        (town / "town.toml").write_text(lines)
        import_layers(town)
        with pytest.raises(UsageError, match="from the premises alone"):
            self.made(town, apart={"C1": "sold"})

    def test_it_is_given_on_the_command_line(self, town):
        done = CliRunner().invoke(
            every_command(),
            [
                "notice",
                str(town),
                "P",
                "--for",
                "hearing",
                "--apart",
                "C2=sold",
                "--by",
                "R. Doe",
                "--json",
                "--on",
                "2026-09-01",
            ],
        )
        assert json.loads(done.stdout)["overrides"] == [
            {"id": "C2", "action": "apart", "reason": "sold", "by": "R. Doe", "on": "2026-09-01"}
        ]
