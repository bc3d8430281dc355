"""A check as a person reads it."""

from datetime import date

from law_toys import event_of
from profile_toys import profile_of, rule

from geonotice.config.read_application import event_from_data
from geonotice.decide.case import PremisesFacts
from geonotice.decide.check import check
from geonotice.decide.check_screen import render_check
from geonotice.decide.headline import headline
from geonotice.ordinance.load import load_profile


def result(**answers):
    event = event_from_data(event_of("italy", answers), file="event")
    return check(load_profile("italy"), event, PremisesFacts(zone="other"), on=date(2026, 6, 1))


def test_every_finding_and_every_rule_set_aside_is_printed():
    found = result(**{"site.parking_spaces": 10, "event.filed": None})
    text = render_check(found)
    names = [item.rule for item in found.findings] + [item.rule for item in found.not_applicable]
    assert [name for name in names if name not in text] == []
    assert text.startswith("May not be issued: 1 requirement is not met (Parking")
    assert "event.filed: When was the application filed?" in text


def test_what_stands_in_the_way_comes_first_in_its_group():
    text = render_check(result(**{"insurance.property": 0}))
    group = text[text.index("May it be held here") :]
    assert group.index("[NOT MET] Liability insurance") < group.index("[met] Parking") < group.index("[remember]")


def test_lines_keep_to_the_width():
    assert max(len(line) for line in render_check(result(), width=72).splitlines()) <= 72


def test_what_is_not_known_of_a_threshold_is_said_once():
    (found,) = (item for item in result(**{"event.sponsor": None}).findings if item.rule == "italy.scope")
    assert found.text == "Who sponsors it is not stated."
    assert render_check(result(**{"event.sponsor": None})).count(found.title) == 1


def test_a_law_that_says_nothing_of_nights_is_told_of_no_sunset():
    """Italy's text has no rule for the night; only Southampton's cap on other districts asks (283-6B(2))."""
    evening = {"event.night": None, "event.ends": "2026-08-16T23:00:00"}
    facts = PremisesFacts(zone="other", lon_lat=(-72.39, 40.88))
    for law, said in (("italy", False), ("southampton", True)):
        event = event_from_data(event_of(law, evening), file="event")
        found = check(load_profile(law), event, facts, on=date(2026, 6, 1))
        assert ("night_suggested" in {one.code for one in found.warnings}) is said


def test_a_profile_that_names_no_permit_is_not_said_to_have_marked_something():
    event = event_from_data({"premises": {"parcels": ["1"]}}, file="event")
    found = check(profile_of(rule("bare", "reminder", more='applies = "always"')), event, PremisesFacts(), on=date(2026, 6, 1))
    assert found.permit_required is None
    assert headline(found).text == "An official must decide first whether a permit is required."
    assert "no_permit_rule" in {one.code for one in found.warnings}
