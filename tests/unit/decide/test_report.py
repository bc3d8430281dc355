"""A check as a person reads it."""

from datetime import date

from law_toys import event_of

from geonotice.decide.check import check
from geonotice.decide.facts import PremisesFacts
from geonotice.decide.report import HEADLINES, render_check
from geonotice.event_file import event_from_data
from geonotice.ordinance.read import load_profile


def result(**answers):
    event = event_from_data(event_of("italy", answers), file="event")
    return check(load_profile("italy"), event, PremisesFacts(zone="other"), on=date(2026, 6, 1))


def test_there_is_a_headline_for_every_outcome():
    assert set(HEADLINES) == {(permit, allowed) for permit in (True, False, None) for allowed in (True, False, None)}


def test_every_finding_and_every_rule_set_aside_is_printed():
    found = result(**{"site.parking_spaces": 10, "event.filed": None})
    text = render_check(found)
    names = [item.rule for item in found.findings] + [item.rule for item in found.not_applicable]
    assert [name for name in names if name not in text] == []
    assert text.startswith("A permit is needed, and the law stands in its way.")
    assert "event.filed: When was the application filed?" in text


def test_what_stands_in_the_way_comes_first_in_its_group():
    text = render_check(result(**{"insurance.property": 0}))
    group = text[text.index("May it be held here") :]
    assert group.index("[NOT MET] Liability insurance") < group.index("[met] Parking") < group.index("[remember]")


def test_lines_keep_to_the_width():
    assert max(len(line) for line in render_check(result(), width=72).splitlines()) <= 72
