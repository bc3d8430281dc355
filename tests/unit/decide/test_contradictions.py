"""Answers that contradict each other: each pair of the table, what it leaves open, and what it leaves alone."""

import json
from datetime import date

import pytest
from law_toys import FACTS, ask, event_of
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.config.application import Event
from geonotice.config.questions import QUESTIONS
from geonotice.config.read_application import event_from_data
from geonotice.decide.case import Layout, PremisesFacts, Structure
from geonotice.decide.check import check
from geonotice.decide.contradiction_tests import Stated
from geonotice.decide.contradictions import PAIRS, contradictions
from geonotice.ordinance.load import load_profile

SALE = {
    "event.kind": "yard_sale", "yard_sale.days": ["2026-07-11"], "yard_sale.hours": ["09:00", "16:00"], "yard_sale.own_goods_only": True,
    "yard_sale.on_dwelling_lot": True, "event.starts": "2026-07-11T09:00:00", "event.ends": "2026-07-11T16:00:00",
}  # fmt: skip
DENIED = {"denial.received": "2026-06-10", "denial.appeal_filed": "2026-06-15", "denial.hearing": "2026-07-01"}

LEFT_OPEN = [
    # law, answers, the rules that are left open, both values as they are printed
    ("italy", {"event.persons_total": 500}, "parking", "500 persons in all|800 at one time"),
    ("italy", {"event.persons_total": 500, "event.persons_outdoors": 500}, "permit", "500 persons in all|800 at one time"),
    ("italy", {"event.persons_outdoors": 900, "event.persons_total": 900}, "parking", "900 persons outdoors|800 at one time"),
    ("southampton", {"event.persons_at_once": 300, "site.security_plan": False}, "security250 capacity", "300 at one time|200 persons in all"),
    ("italy", {"event.complete": "2026-04-30"}, "file90 act75", "April 30, 2026|May 1, 2026"),
    ("southampton", {"event.filed": "2026-08-20", "event.complete": "2026-08-20"}, "file90", "August 16, 2026|August 20, 2026"),
    ("southampton", {**SALE, "event.starts": "2026-07-11T06:00:00", "event.ends": "2026-07-11T19:00:00"}, "yard_sale exempt", "09:00 to 16:00|06:00 to 19:00"),
    ("southampton", {**SALE, "yard_sale.hours": ["06:00", "16:00"]}, "yard_sale", "06:00 to 16:00|from 09:00"),
    ("southampton", {**SALE, "event.ends": "2026-07-13T16:00:00"}, "yard_sale exempt", "on July 11, 2026|July 13, 2026"),
    ("southampton", {**SALE, "event.kind": "festival"}, "permit", "festival|yard_sale.days"),
    ("southampton", {"event.wedding_of": "owner", "event.kind": "party"}, "permit", "is party|(owner)"),
    ("southampton", {"event.kind": "funeral", "event.wedding_of": "owner", "event.tenant_lease_months": 12}, "exempt", "the owner|12 months"),
    ("southampton", {"event.regular_sporting_event": True, "event.kind": "carnival"}, "exempt permit", "carnival|regular game"),
    ("southampton", {"benefit.outdoor_sale_of_goods": True, "benefit.sale_premises_owner": "municipality", "premises.owned_entirely_by": "private"},
     "outdoor_sale", "a private owner|a municipality"),
    ("southampton", {"benefit.outdoor_sale_of_goods": None, "benefit.sale_premises_owner": "private", "premises.owned_entirely_by": "municipality",
                     "applicant.is_owner": False}, "outdoor_sale", "a private owner|a municipality"),
    ("southampton", {"applicant.organization": "individual"}, "charity90", "an individual|a charitable organization"),
    ("southampton", {"benefit.charity": None}, "charity_benefit", "no charity is named|a substantial donation"),
    ("southampton", {"event.commercial": True}, "profit", "commercial gain|not largely for private profit"),
    ("italy", {"applicant.owner_consent": False}, "owner_consent", "owns the property|not authorized"),
    ("italy", {"insurance.injury_each": 5000000}, "insurance", "$4,000,000|$5,000,000"),
    ("italy", {"site.vehicles_at_once": 300}, "parking", "300 vehicles|200 parking spaces"),
    ("italy", {"site.camping": True}, "camping", "camping or housing|August 16, 2026"),
    ("southampton", {"site.tents": [{"up": "2026-08-18", "down": "2026-08-20"}]}, "tents", "August 18, 2026|August 16, 2026"),
    ("southampton", {**DENIED, "denial.hearing": "2026-06-12"}, "appeal10 hearing_mail", "June 12, 2026|June 15, 2026"),
    ("southampton", {**DENIED, "denial.appeal_filed": "2026-06-09"}, "appeal10", "June 9, 2026|June 10, 2026"),
    ("southampton", {"denial.received": "2026-04-10"}, "file90", "April 10, 2026|May 1, 2026"),
    ("italy", {"notice_given.hearing": "2026-08-16"}, "hearing10 notice1000", "hearing on the application is held on August 16, 2026|begins on August"),
    ("italy", {"notice_given.hearing": "2026-04-20"}, "hearing10 notice1000", "April 20, 2026|May 1, 2026"),
    ("italy", {"notice_given.hearing": "2026-06-20", "notice_given.published": ["2026-05-20", "2026-04-20"], "notice_given.posted": "2026-05-20"},
     "hearing10", "was published on April 20, 2026|May 1, 2026"),
    ("italy", {"notice_given.hearing": "2026-06-20", "notice_given.mailed": "2026-04-20"}, "notice1000", "was mailed on April 20, 2026|May 1, 2026"),
    ("southampton", {**DENIED, "notice_given.posted": "2026-06-12"}, "hearing_sign", "June 12, 2026|June 15, 2026"),
    ("southampton", {"amendment.filed": "2026-04-20"}, "amend15", "April 20, 2026|May 1, 2026"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("law", "answers", "rules", "values"), LEFT_OPEN, ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_rests_on_a_contradiction_is_left_open_with_both_values(law, answers, rules, values):
    history = [{"issued": "2026-01-05", "starts": "2026-05-02", "night": False}] * 2
    found = ask(law, answers, history=history, on="2026-06-01")
    prefix = {"italy": "italy", "southampton": "sh"}[law]
    for rule in rules.split():
        finding = found.findings[f"{prefix}.{rule}"]
        assert finding["status"] == "decide", (rule, finding["text"])
        assert "answers_conflict" in finding["review"]
        for value in values.split("|"):
            assert value in finding["text"], (rule, finding["text"])
    assert "answers_conflict" in found.codes


def test_a_contradiction_about_a_barring_rule_leaves_the_whole_open():
    assert ask("italy").allowed is True
    assert ask("italy", {"site.vehicles_at_once": 300}).allowed is None
    assert ask("italy", {"event.complete": "2026-04-30"}).allowed is None


def test_a_rule_that_is_broken_whichever_answer_holds_stays_broken_and_shows_both():
    found = ask("italy", {"site.parking_spaces": 10})
    assert (found["italy.parking"], found.allowed) == ("not_met", False)
    assert "200 vehicles at one time are more than 10" in found.findings["italy.parking"]["text"]
    sale = ask("southampton", {**SALE, "event.ends": "2026-07-13T16:00:00", "yard_sale.own_goods_only": False})
    assert (sale["sh.yard_sale"], sale.permit) == ("not_met", True)


def test_what_would_be_answered_alike_stands_in_nobodys_way():
    found = ask("southampton", {"event.persons_at_once": 300, "site.security_plan": True})
    assert (found["sh.security250"], found.allowed) == ("decide", True)
    assert found["sh.lights"] == "met"
    assert "contradict" not in found.findings["sh.lights"]["text"]


def test_an_owner_whom_roll_and_application_name_differently_opens_only_what_turns_on_it():
    rides = {"site.rides": True, "premises.owned_entirely_by": "municipality", "applicant.is_owner": False}
    by_road = {"zone": "residential", "municipal_owner": False, "adjacent_state_or_county_road": True}
    found = ask("southampton", rides, facts=by_road)
    assert (found["sh.carnival"], found["sh.outdoor_sale"], found["sh.cap_residential"]) == ("met", "met", "met")
    assert ask("southampton", rides, facts={"zone": "residential", "municipal_owner": False})["sh.carnival"] == "decide"


def test_where_no_permit_is_needed_a_contradiction_opens_none_of_its_rules():
    wedding = {"event.kind": "wedding", "site.vehicles_at_once": 300}
    found = ask("italy", wedding)
    assert (found.permit, found["italy.parking"], found.allowed) == (False, None, True)
    assert "answers_conflict" in found.codes


def test_what_contradicts_is_asked_for_by_its_keys():
    assert {"event.filed", "event.complete"} <= ask("italy", {"event.complete": "2026-04-30"}).asked


def test_what_is_drawn_is_not_denied():
    layout = Layout(parking_sq_ft=5000.0, structures=(Structure(what="tent"), Structure(what="ride")))
    facts = PremisesFacts(
        zone="residential", municipal_owner=False, adjacent_lirr=False, adjacent_state_or_county_road=False, layout=layout
    )
    event = event_from_data(event_of("southampton", {"site.parking_spaces": 0, "site.vehicles_at_once": 0}), file="event")
    found = check(load_profile("southampton"), event, facts, on=date(2026, 6, 1))
    for rule, value in (("sh.tents", "the drawing shows 1"), ("sh.carnival", "there is no ride")):
        assert found.finding(rule).status == "decide"
        assert value in found.finding(rule).text
    assert sum(item.code == "answers_conflict" for item in found.warnings) == 3


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"applicant.charitable": False}, "no charitable organization as the law defines it"),
        ({"applicant.agent_in_county": "J. Smith"}, "whom only an applicant from elsewhere needs"),
        ({"event.sponsor": "private"}, "The sponsor is private, and the applicant is a charity"),
        ({"event.kind": "sale"}, "not primarily an outdoor sale"),
        ({"event.kind": "carnival"}, "there are no rides"),
        ({"site.vehicles_at_once": 250, "site.parking_spaces": 300}, "250 vehicles are more than 200 persons"),
        ({"event.admission_charged": False, "benefit.private_profit": True}, "Nobody pays to take part"),
        ({"premises.municipal_building_or_grounds": True}, "a private owner owns the whole property"),
        ({"event.planned_in_advance": False}, "107 days before it"),
        ({"site.tents": [{"up": "2026-08-10", "down": "2026-08-12"}]}, "before the event begins"),
    ],
)
def test_what_can_be_true_together_but_seldom_is_is_only_warned_of(answers, words):
    plain, found = ask("southampton"), ask("southampton", answers)
    assert any(item["code"] == "answers_unlikely" and words in item["text"] for item in found.result["warnings"])
    assert "answers_conflict" not in found.codes
    assert "answers_unlikely" not in plain.codes


def test_every_key_of_the_table_is_a_key_of_the_event_file_or_a_fact():
    sections = set(Event.__dataclass_fields__)
    for pair in PAIRS:
        assert len(pair.keys) >= 2
        for key in pair.keys:
            assert key in QUESTIONS or key in sections, key


def test_a_plain_no_for_another_kind_of_event_contradicts_nothing():
    event = event_from_data({"event": {"kind": "festival"}, "parade": {"closes_highway": False}}, file="event")
    assert contradictions(Stated(event, PremisesFacts())) == ()


def test_distinct_events_do_not_share_a_permit():
    """Southampton 283-6 (end): "shall not operate under the same special event permit"."""
    found = ask("southampton", {"event.distinct_events": 2})
    assert (found["sh.simultaneous"], found.allowed) == ("not_met", False)
    assert "one application for each" in found.findings["sh.simultaneous"]["change"]
    assert ask("southampton")["sh.simultaneous"] is None
    asked = ask("southampton", {"event.distinct_events": None})
    assert (asked["sh.simultaneous"], "event.distinct_events" in asked.asked) == ("decide", True)
    exempt = ask("southampton", {"event.distinct_events": 2, "event.kind": "wedding", "event.wedding_of": "owner"})
    assert exempt["sh.simultaneous"] is None


def test_expressive_activity_that_asks_for_money_is_for_the_official():
    expressive = {
        "event.kind": "expressive",
        "event.admission_charged": True,
        "event.persons_total": 40,
        "event.persons_at_once": 40,
        "event.persons_outdoors": 40,
    }
    found = ask("southampton", expressive)
    assert (found["sh.exempt"], found.permit) == ("decide", None)
    assert "unverified_definition" in found.findings["sh.exempt"]["review"]
    assert ask("southampton", {**expressive, "event.admission_charged": False})["sh.exempt"] == "met"


def test_the_support_agreement_is_asked_for_and_bars_nothing():
    found = ask("southampton")
    assert "benefit.support_agreement" in found.findings["sh.contents"]["facts"]["not_stated"]
    refused = ask("southampton", {"benefit.support_agreement": False})
    assert (refused["sh.contents"], refused.allowed) == ("remind", True)
    assert "Answered no: Is the charitable support agreement" in refused.findings["sh.contents"]["text"]


HANDED = {
    "case_distinct": ("sh.simultaneous", "not_met", "2 distinct events", 5),
    "case_yard_hours": ("sh.yard_sale", "decide", "06:00 to 19:00", 0),
    "case_yard_days": ("sh.yard_sale", "decide", "July 12, 2027", 0),
    "case_sale_owner_contradiction": ("sh.outdoor_sale", "decide", "a private owner", 0),
    "case_complete_before_filed": ("italy.file90", "decide", "May 1, 2027", 0),
    "case_hearing_before_appeal": ("sh.appeal10", "decide", "March 22, 2027", 0),
    "case_vehicles": ("italy.parking", "decide", "300 vehicles", 0),
}


@pytest.mark.shared
@pytest.mark.parametrize("name", sorted(HANDED))
def test_handed_case(shared, name):
    rule, status, words, code = HANDED[name]
    done = CliRunner().invoke(every_command(), ["check", "--case", str(shared / "faults" / "law" / f"{name}.json"), "--json"])
    finding = next(item for item in json.loads(done.stdout)["findings"] if item["rule"] == rule)
    assert (finding["status"], done.exit_code) == (status, code)
    assert words in finding["text"]


def test_the_facts_of_the_toys_contradict_none_of_their_answers():
    for law in ("italy", "southampton"):
        event = event_from_data(event_of(law, {}), file="event")
        assert contradictions(Stated(event, PremisesFacts(municipal_owner=FACTS["municipal_owner"]))) == ()
