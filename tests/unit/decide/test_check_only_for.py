"""Laws that ask more of large events: "1,000 or more persons, or 500 or more for more than eight consecutive hours"."""

from datetime import date

import pytest
from law_toys import event_of
from profile_toys import HEAD, profile_of, rule

from geonotice.config.read_application import event_from_data
from geonotice.decide.case import PremisesFacts
from geonotice.decide.check import check
from geonotice.decide.deadlines import deadlines
from geonotice.decide.event_form import keys_needed
from geonotice.ordinance.show import render_profile

LARGE = "[{ more_than_persons = 999, at_once = true }, { more_than_persons = 499, more_than_hours = 8, at_once = true }]"
WORDS = "more than 999 persons at one time, or more than 499 persons at one time and longer than 8 hours"


def filed(name, days, sizes):
    return rule(
        name,
        "deadline_before",
        more=f'check = "filed_before"\nvalues = {{ late = "not_met" }}\n{sizes} = {LARGE}',
        tables=f'[[rules.periods]]\nwhat = "file it"\ndays = {days}\ndirection = "before"\nfrom = "event"',
    )


PERMIT = """
[[rules]]
id = "oak.permit"
kind = "threshold"
title = "Gatherings of 150 or more at any one time"
applies = "always"
[rules.citation]
section = "61-1"
words = ["any assemblage of 150 or more persons at any one time"]
[rules.threshold]
regulates = "permit"
more_than_persons = 149
at_once = true
"""
PROFILE = profile_of(PERMIT, filed("large", 90, "only_for"), filed("small", 60, "not_for"), head=HEAD.partition("[occasions]")[0])


def checked(at_once, hours=4, *, total=5000, days_before=75, starts="2026-08-16T12:00:00", profile=PROFILE):
    changes = {
        "event.persons_at_once": at_once,
        "event.persons_outdoors": None,
        "event.persons_total": total,
        "event.starts": starts,
        "event.ends": None if hours is None else f"2026-08-{16 + (12 + hours) // 24}T{(12 + hours) % 24:02}:00:00",
        "event.filed": str(date.fromordinal(date(2026, 8, 16).toordinal() - days_before)),
    }
    event = event_from_data(event_of("southampton", changes), file="event")
    return check(profile, event, PremisesFacts(zone="other"), on=date(2026, 6, 1))


def which(result):
    return {item.rule: item.status for item in result.findings if item.rule != "oak.permit"}


class TestTheEdgesOfTheSizes:
    @pytest.mark.parametrize(
        ("at_once", "hours", "found"),
        [
            (999, 8, {"oak.small": "met"}),
            (1000, 8, {"oak.large": "not_met"}),
            (499, 9, {"oak.small": "met"}),
            (500, 8, {"oak.small": "met"}),
            (500, 9, {"oak.large": "not_met"}),
        ],
    )
    def test_one_more_and_one_fewer(self, at_once, hours, found):
        assert which(checked(at_once, hours)) == found

    def test_a_rule_that_is_not_for_this_size_is_set_aside_with_the_size(self):
        aside = {item.rule: item.why for item in checked(200).not_applicable}
        assert aside == {"oak.large": f"it is not for {WORDS}"}


class TestAPermitFromANumberAtOneTime:
    @pytest.mark.parametrize(("at_once", "required"), [(149, False), (150, True)])
    def test_is_not_moved_by_how_many_come_over_the_day(self, at_once, required):
        assert checked(at_once).permit_required is required

    def test_is_asked_for_where_only_the_persons_in_all_are_stated_and_they_are_more(self):
        assert checked(None).permit_required is None
        assert any(text.startswith("event.persons_at_once") for text in checked(None).missing)
        assert checked(None, total=149).permit_required is False


class TestASizeThatIsNotKnown:
    def test_makes_the_rules_questions_and_asks_for_the_answer(self):
        result = checked(500, None)
        assert which(result) == {"oak.large": "decide", "oak.small": "met"}
        assert (result.allowed, [text.partition(":")[0] for text in result.missing]) == (None, ["event.ends"])
        assert result.finding("oak.large").text.startswith(f"If it is for {WORDS}: Filed 75 days")

    def test_is_left_to_a_person_where_several_days_may_have_nights_between(self):
        result = checked(500, 30)
        assert result.finding("oak.large").status == "decide"
        assert [asked.partition(":")[0] for asked in result.missing] == ["event.days", "site.camping"]


def test_the_sizes_are_read_back_and_said_with_the_dates():
    assert f"only for {WORDS}" in " ".join(render_profile(PROFILE, width=500).split())
    found = {item.rule: item.what for item in deadlines(PROFILE, event=date(2026, 8, 16))}
    assert found == {"oak.large": f"file it (only for {WORDS})", "oak.small": f"file it (not for {WORDS})"}


def test_what_they_turn_on_is_asked_in_the_event_file():
    assert {"event.persons_at_once", "event.persons_total", "event.starts", "event.ends"} <= {*keys_needed(PROFILE)}


def test_a_threshold_may_be_for_a_size_too():
    long = profile_of(
        PERMIT.replace(
            'applies = "always"',
            'applies = "always"\nonly_for = [{ more_than_persons = 299, more_than_hours = 8, at_once = true }]',
        )
    )
    assert [checked(persons, hours, profile=long).permit_required for persons, hours in ((300, 9), (300, 8), (299, 9))] == [
        True,
        False,
        False,
    ]
