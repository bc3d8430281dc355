"""A town whose law reads *opposite* in its own way is added by its profile alone: three readings of one block, decided by hand."""

import json

import pytest
import shapely
from profile_toys import PERMIT, rule, text_of, town_of
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.errors import OrdinanceError
from geonotice.ordinance.load import parse_profile
from geonotice.ordinance.show import render_profile


def leaning(left, right):
    """A lot between the lines y = 0 and y = 100 whose side lines lean 50 ft to the east on the way up."""
    return shapely.Polygon([(left, 0), (right, 0), (right + 50, 100), (left + 50, 100)])


LAND = {
    "P": leaning(0, 100),  # its frontage runs from (50, 100) to (150, 100); the street is 50 ft wide
    "L": leaning(-100, 0),
    "R": leaning(100, 130),
    "R2": leaning(130, 230),  # 30 ft from the frontage, on the same side of the street
    "B": (0, -100, 100, 0),
    "W2": (-100, 150, 0, 250),  # 71 ft from the frontage: 50 ft along the street, 50 ft across
    "W": (0, 150, 70, 250),
    "M": (70, 150, 160, 165),
    "Q": (70, 165, 160, 265),  # 65 ft from the frontage, behind M
    "E": (160, 150, 260, 250),  # 51 ft from the frontage: 10 ft along, 50 ft across
    "F": (260, 150, 360, 250),  # 121 ft: 110 ft along, 50 ft across
}


def mail(opposite, relations='["abutting", "opposite"]', name="mail"):
    return rule(
        name,
        "adjoining_notice",
        tables=f'[rules.notice]\noccasion = "hearing"\nrecipients = ["owners"]\nrelations = {relations}\n{opposite}\n',
    )


def listed(folder, opposite):
    town = town_of(folder, text_of(PERMIT, mail(opposite)), LAND)
    done = CliRunner().invoke(every_command(), ["notice", str(town), "P", "--for", "hearing", "--on", "2026-06-01", "--json"])
    assert done.exit_code == 0, done.output
    made = json.loads(done.stdout)
    across = {parcel["id"]: parcel["review"] for parcel in made["parcels"] if parcel["relation"] == "opposite"}
    abutting = {parcel["id"] for parcel in made["parcels"] if parcel["relation"] == "abutting"}
    assert abutting == {"L", "R", "B"}
    mailed = {piece["parcels"][0] for piece in made["recipients"] if piece["mail"] != "none"}
    assert mailed == {*across, *abutting}
    return across, made


def test_by_extension_the_leaning_lot_lines_reach_from_75_to_175_and_where_straight_across_differs_it_says_so(tmp_path):
    across, _ = listed(tmp_path, "")
    assert across == {"M": [], "E": ["methods_differ"], "W": ["straight_across"]}
    assert listed(tmp_path, 'opposite = "extension"')[0] == across


def test_by_perpendiculars_the_land_from_50_to_150_is_opposite(tmp_path):
    across, made = listed(tmp_path, 'opposite = "perpendicular"')
    assert across == {"W": [], "M": []}
    lengths = {parcel["id"]: parcel.get("opposite_ft") for parcel in made["parcels"]}
    assert (lengths["W"], lengths["M"]) == (pytest.approx(20, abs=0.01), pytest.approx(80, abs=0.01))


def test_by_distance_the_land_across_the_street_within_80_ft_is_opposite_and_neither_what_is_behind_nor_beside(tmp_path):
    across, made = listed(tmp_path, 'opposite = "distance"\nopposite_distance_ft = 80')
    assert across == {"W2": [], "W": [], "M": [], "E": []}
    ways = {parcel["id"]: parcel["across_ft"] for parcel in made["parcels"] if parcel["id"] in across}
    assert ways == {"W2": 70.71, "W": 50.0, "M": 50.0, "E": 50.99}
    assert "F" not in across
    reasons = {miss["id"]: miss["reason"] for miss in made["near_misses"]}
    assert reasons["F"].startswith("across the right-of-way, but farther than the distance")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ([mail('opposite = "across"')], "opposite"),
        ([mail('opposite = "distance"')], "go together"),
        ([mail("opposite_distance_ft = 80")], "go together"),
        ([mail('opposite = "perpendicular"', '["abutting"]')], "does nothing without"),
        ([mail(""), mail('opposite = "perpendicular"', name="again")], "reads opposite otherwise"),
    ],
)
def test_a_key_that_cannot_be_meant_is_refused(rules, words):
    with pytest.raises(OrdinanceError, match=words):
        parse_profile(text_of(PERMIT, *rules).encode(), file="oak.toml")


@pytest.mark.parametrize(
    ("opposite", "words"),
    [
        ("", "to owners abutting, opposite;"),
        ('opposite = "perpendicular"', "opposite (by perpendiculars from the frontage)"),
        ('opposite = "distance"\nopposite_distance_ft = 80', "opposite (across the right-of-way, within 80 ft of the frontage)"),
    ],
)
def test_show_says_how_the_law_finds_who_is_opposite(opposite, words):
    profile = parse_profile(text_of(PERMIT, mail(opposite)).encode(), file="oak.toml")
    assert words in " ".join(render_profile(profile).split())
