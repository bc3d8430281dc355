"""283-3: zoning setbacks, or "a buffer zone at a distance greater than the minimum zoning setbacks"."""

import dataclasses
from datetime import date

import pytest
from law_toys import event_of
from msgspec.structs import replace
from profile_toys import PERMIT, profile_of, rule

from geonotice.config.read_application import event_from_data
from geonotice.decide.case import Layout, PremisesFacts, Structure
from geonotice.decide.check import check
from geonotice.model import District
from geonotice.ordinance.load import load_profile

STAGE = Structure(what="stage", front_ft=60.0, side_ft=30.0, rear_ft=80.0)
TENT = Structure(what="tent", front_ft=120.0, side_ft=50.0, rear_ft=49.9)
ON_CR40 = (District("CR-40", "residential", 40_000.0, 1.0),)


@pytest.fixture
def with_widths():
    """Southampton's law with a table of widths that somebody read in it."""
    profile = load_profile("southampton")
    known = [dataclasses.replace(one, yards_verified=True) if one.code == "CR-40" else one for one in profile.districts]
    return dataclasses.replace(profile, districts=tuple(known))


def setbacks(profile, *structures, buffer_ft=None, rule="sh.setbacks"):
    layout = Layout(structures=structures) if structures else None
    facts = PremisesFacts(zone="residential", districts=ON_CR40, layout=layout, buffer_ft=buffer_ft)
    result = check(profile, event_from_data(event_of("southampton", {}), file="event"), facts, on=date(2026, 6, 1))
    return result, result.finding(rule)


class TestABufferThatTheOfficialsSet:
    def test_is_in_the_text_and_the_facts_and_names_what_stands_nearer_to_a_lot_line(self, with_widths):
        result, found = setbacks(with_widths, STAGE, TENT, buffer_ft=50.0)
        assert found.text.startswith("The officials set a buffer of 50 ft from every lot line.")
        assert (found.facts["buffer_ft"], found.facts["buffer_set_by"]) == (50.0, "officials")
        assert found.facts["inside"] == [
            "stage stands 30.0 ft from the side line, 50 ft are the buffer",
            "tent stands 49.9 ft from the rear line, 50 ft are the buffer",
            "tent stands 49.9 ft from the rear line, 70 ft are the setback",
        ]
        assert (found.status, found.review, result.allowed) == ("decide", ("inside_buffer", "inside_setback"), None)

    def test_at_exactly_the_buffer_keeps_it(self, with_widths):
        _, found = setbacks(with_widths, replace(STAGE, side_ft=50.0), buffer_ft=50.0)
        assert (found.status, found.facts["inside"]) == ("remind", [])
        assert "keep the setbacks of the district and the buffer" in found.text

    def test_takes_nothing_from_a_wider_setback(self, with_widths):
        _, found = setbacks(with_widths, replace(STAGE, rear_ft=65.0), buffer_ft=25.0)
        assert found.facts["inside"] == ["stage stands 65.0 ft from the rear line, 70 ft are the setback"]

    def test_is_held_against_the_drawing_where_the_setbacks_are_not_known(self):
        profile = load_profile("southampton")
        bare = dataclasses.replace(profile, districts=tuple(dataclasses.replace(one, front_ft=None) for one in profile.districts))
        result, found = setbacks(bare, STAGE, buffer_ft=50.0)
        assert found.review == ("no_dimensions", "inside_buffer")
        assert "stage stands 30.0 ft from the side line, 50 ft are the buffer." in found.text
        assert (found.status, result.allowed) == ("decide", None)

    def test_without_a_drawing_is_told_as_not_held_against_anything(self, with_widths):
        _, found = setbacks(with_widths, buffer_ft=50.0)
        assert (found.status, found.facts["buffer_ft"]) == ("remind", 50.0)
        assert "Nothing is drawn to hold against it." in found.text

    def test_where_none_is_set_the_setbacks_alone_are_looked_at(self, with_widths):
        _, found = setbacks(with_widths, STAGE)
        assert "buffer_ft" not in found.facts
        assert found.status == "remind"


class TestADistanceThatTheLawNames:
    """A town whose clause says: no stage within 100 feet of a property line."""

    profile = profile_of(
        PERMIT, rule("lines", "condition", more='check = "setbacks"\nvalues = { buffer_ft = 100 }\napplies = "always"')
    )

    def test_refuses_what_stands_nearer_whatever_the_district(self):
        result, found = setbacks(self.profile, STAGE, rule="oak.lines")
        assert (found.status, found.facts["buffer_set_by"], result.allowed) == ("not_met", "law", False)
        assert found.text.startswith("The rule asks for 100 ft from every lot line. stage stands 60.0 ft from the front line")

    def test_is_met_where_everything_keeps_it(self):
        _, found = setbacks(self.profile, Structure(what="stage", front_ft=100.0, side_ft=140.0), rule="oak.lines")
        assert found.status == "met"

    def test_holds_beside_a_wider_one_that_the_officials_set(self):
        far = Structure(what="stage", front_ft=120.0)
        assert setbacks(self.profile, far, buffer_ft=150.0, rule="oak.lines")[1].status == "decide"
        assert setbacks(self.profile, STAGE, buffer_ft=150.0, rule="oak.lines")[1].status == "not_met"
