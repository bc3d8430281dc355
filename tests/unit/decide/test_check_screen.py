"""The summary of a check: one screen that names what is not met, what must be decided, and what happens next."""

from datetime import date

import pytest
from law_toys import event_of

from geonotice.config.read_application import event_from_data
from geonotice.decide.case import PremisesFacts
from geonotice.decide.check import check
from geonotice.decide.check_screen import SCREEN_LINES, render_check, render_summary
from geonotice.decide.proposal import proposal, proposal_in_brief
from geonotice.ordinance.load import load_profile

EVERY_FAULT = {
    "site.lights": ["laser"],
    "premises.certificates_of_occupancy": False,
    "benefit.charity": None,
    "benefit.charity_local": False,
    "benefit.advertises_goods": True,
    "benefit.private_profit": True,
    "benefit.substantial_donation": False,
    "benefit.outdoor_sale_of_goods": True,
    "premises.outstanding_violations": True,
    "insurance.names_town": False,
    "event.distinct_events": 3,
    "site.security_plan": False,
}


def result(law="italy", *, on=date(2026, 6, 1), in_village="", **answers):
    event = event_from_data(event_of(law, answers), file="event")
    return check(load_profile(law), event, PremisesFacts(zone="other", in_village=in_village or None), on=on)


def flat(text):
    return " ".join(text.split())


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize(
    ("law", "answers"),
    [
        ("italy", {}),
        ("italy", {"event.title": "A title of a hundred and twenty letters " * 3, "event.sponsor": None}),
        ("southampton", EVERY_FAULT),
        ("southampton", {"event.title": "Very long " * 12}),
    ],
)
def test_it_keeps_to_one_screen_and_to_the_width(law, answers, width):
    lines = render_summary(result(law, **answers), width=width).splitlines()
    assert len(lines) <= SCREEN_LINES
    assert max(map(len, lines)) <= width
    assert "--full" in lines[-1]


@pytest.mark.parametrize("width", [80, 100])
def test_an_event_without_any_answer_keeps_to_one_screen(width):
    event = event_from_data({"event": {"kind": "party"}, "premises": {"parcels": ["1"]}}, file="event")
    found = check(load_profile("southampton"), event, PremisesFacts(), on=date(2026, 6, 1))
    text = render_summary(found, width=width)
    assert len(text.splitlines()) <= SCREEN_LINES
    assert "more: --full" in text


def test_every_requirement_that_is_not_met_is_named_with_its_clause():
    found = result("southampton", **EVERY_FAULT)
    text = flat(render_summary(found, width=80))
    refused = [one for one in found.findings if one.status == "not_met"]
    assert len(refused) > 7
    for one in refused:
        assert f"{one.title} [{one.section}]" in text


def test_what_is_proposed_stands_below_the_outcome():
    lines = render_summary(result(), width=100).splitlines()
    assert lines[0].startswith("May be issued: every requirement that could be checked is met.")
    assert "Lake concert: Sunday, August 16, 2026, 2 p.m. to 9 p.m.; 800 persons at once" in flat(" ".join(lines[1:4]))


def test_what_happens_next_is_in_order_and_a_missed_day_first():
    late = flat(render_summary(result("italy", on=date(2026, 8, 20)), width=100))
    assert "MISSED" in late
    assert late.index("MISSED") < late.index("By Fri 2026-08-21: remove all trash, garbage and waste from the premises [G]")
    without = flat(render_summary(result("italy", **{"notice_given.hearing": None}), width=100))
    assert "No date yet, for the day of the hearing is not stated: publish and post the notice of the hearing" in without


def test_the_land_is_a_question_for_an_official():
    text = flat(render_summary(result("southampton", in_village="Village of Pondcrest"), width=100))
    assert text.startswith("May be issued once an official decides 1 question.")
    assert "To decide - Whether the town may issue it, since the premises lie in the Village of Pondcrest" in text


def test_what_could_not_forbid_it_stands_apart():
    text = render_summary(result("southampton", **{"site.animals": None}), width=100)
    assert "Still open, though it could not forbid the event" in text
    assert "\nTo decide\n" not in text


def test_the_whole_says_what_the_summary_leaves_out():
    found = result("southampton", **EVERY_FAULT)
    whole = render_check(found)
    assert all(one.text.split()[0] in whole and one.rule in whole for one in found.findings)
    assert len(whole.splitlines()) > 3 * SCREEN_LINES


class TestWhatIsProposed:
    def rows(self, **answers):
        return dict(proposal(event_from_data(event_of("italy", answers), file="event")))

    def test_each_day_with_its_hours(self):
        days = [
            {"on": "2026-07-25", "from": "10:00", "to": "16:00"},
            {"on": "2026-07-18", "from": "9:30", "to": "00:00"},
            {"on": "2026-07-19", "from": "20:00", "to": "02:00"},
        ]
        rows = self.rows(**{"event.starts": None, "event.ends": None, "event.days": days})
        assert rows["Days and hours"].splitlines() == [
            "Saturday, July 18, 2026, 9:30 a.m. to midnight",
            "Sunday, July 19, 2026, 8 p.m. to 2 a.m. on Monday, July 20",
            "Saturday, July 25, 2026, 10 a.m. to 4 p.m.",
        ]

    def test_what_is_not_stated_says_so(self):
        rows = dict(proposal(event_from_data({}, file="event")))
        assert set(rows.values()) == {
            "not stated",
            "not stated at one time, not stated in all, not stated outdoors at one time",
        }
        assert proposal_in_brief(event_from_data({}, file="event")) == (
            "Event without a title: days not stated; number of persons not stated; applicant: not stated."
        )

    def test_who_applies_and_how_many_come(self):
        rows = self.rows(**{"event.contact": "Ann Lee, 555-0100", "event.persons_total": 1100})
        assert rows["Contact"] == "Ann Lee, 555-0100"
        assert rows["Attendance"] == "800 at one time, 1,100 in all, 800 outdoors at one time"


class TestWhetherAPermitIsRequired:
    def test_what_it_turns_on_stands_beside_it(self):
        text = flat(render_summary(result("italy", **{"event.sponsor": "school"})))
        assert (
            "Whether a permit is required. - Assemblies of more than 300 persons are regulated [preamble]: A school sponsors it"
            in text
        )

    def test_that_a_run_may_be_a_parade_is_on_the_first_screen(self):
        run = {"event.kind": "sports", "event.title": "Harvest 5-km run", "event.regular_sporting_event": None}
        text = flat(render_summary(result("southampton", **run)))
        assert "its title says “run”: by the definition it may be a parade" in text

    def test_a_contradiction_is_told_once(self):
        sale = {
            "event.kind": "yard_sale", "event.starts": "2026-07-08T06:00:00", "event.ends": "2026-07-12T19:00:00",
            "yard_sale.days": ["2026-07-10"], "yard_sale.hours": ["09:00", "16:00"],
            "yard_sale.own_goods_only": True, "yard_sale.on_dwelling_lot": True,
        }  # fmt: skip
        text = flat(render_summary(result("southampton", **sale)))
        decided = text.partition("To decide")[2].partition("To be answered")[0]
        assert decided.count("the yard sale is held on July 10, 2026") == 1


def test_what_no_event_file_has_is_to_be_looked_up():
    event = event_from_data(event_of("southampton", {"premises.owned_entirely_by": None}), file="event")
    found = check(load_profile("southampton"), event, PremisesFacts(zone="undetermined"), on=date(2026, 6, 1))
    for text in (render_summary(found), render_check(found)):
        assert "To be looked up" in text
        assert "facts.zone" not in text
        assert "In which zoning district does the property lie" in text


def test_a_name_that_ends_in_a_point_gets_no_second_one():
    event = event_from_data(event_of("italy", {"applicant.name": "Hay Field Concerts, Inc."}), file="event")
    assert proposal_in_brief(event).endswith("applicant: Hay Field Concerts, Inc.")
