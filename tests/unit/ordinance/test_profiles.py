"""The profiles that hold some rules of a law only."""

from datetime import date

import pytest
from law_toys import ask

from geonotice.decide.deadlines import deadlines
from geonotice.ordinance.load import available, load_profile

PARTIAL = ("brookhaven", "new_paltz", "walworth")


def test_they_are_built_in():
    assert set(PARTIAL) <= set(available())


@pytest.mark.parametrize("name", PARTIAL)
def test_each_is_marked_with_its_source_and_as_not_checked(name):
    profile = load_profile(name)
    assert (profile.status, profile.verified) == ("partial", False)
    assert profile.source
    assert profile.gaps


def test_brookhaven_mails_certified_to_200_feet_and_first_class_to_500():
    notice = load_profile("brookhaven").rule("brookhaven.hearing_mail").notice
    assert notice is not None
    assert [(band.up_to_ft, band.mail) for band in notice.bands] == [(200.0, "certified"), (500.0, "first_class")]
    assert notice.contiguous_land


def test_new_paltz_counts_10_calendar_days_before_the_hearing():
    found = {item.rule: item.last_day for item in deadlines(load_profile("new_paltz"), hearing=date(2026, 7, 21))}
    assert found == {"new_paltz.publish": date(2026, 7, 16), "new_paltz.hearing_mail": date(2026, 7, 11)}


class TestWalworth:
    def test_regulates_more_than_200_persons(self):
        few = {"event.persons_at_once": 200, "event.persons_total": 200, "event.persons_outdoors": 200}
        assert ask("italy", few, profile="walworth").permit is False
        found = ask("italy", {**few, "event.persons_total": 201}, profile="walworth")
        assert found["walworth.scope"] == "remind"

    def test_does_not_say_when_a_permit_is_needed_and_says_so(self):
        found = ask("italy", profile="walworth")
        assert (found.permit, found.allowed) == (None, None)
        assert {"partial_profile", "unverified_profile", "no_permit_rule"} <= found.codes

    def test_its_religious_corporations_must_be_local_and_municipalities_are_not_named(self):
        church = {"event.sponsor": "religious_corporation", "event.sponsor_in_control": True}
        assert ask("italy", {**church, "event.sponsor_local": True}, profile="walworth").permit is False
        assert ask("italy", {**church, "event.sponsor_local": False}, profile="walworth").permit is None
        town = {"event.sponsor": "municipality", "event.sponsor_in_control": True}
        assert ask("italy", town, profile="walworth").permit is None
