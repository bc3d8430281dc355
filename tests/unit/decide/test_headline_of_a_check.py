"""The headline follows the worst of what was found; it never says that there is no conflict where something stands against the event."""

import pytest
from law_toys import FACTS, ask, event_of
from msgspec.structs import replace

from geonotice.decide.headline import against, headline
from geonotice.decide.stated_case import check_stated
from geonotice.model import ResultWarning


def result(law="southampton", answers=None, *, facts=None):
    case = {
        "ordinance": law,
        "on": "2026-06-01",
        "event": event_of(law, answers or {}),
        "parcel_facts": {**FACTS, **(facts or {})},
    }
    return check_stated(case)


def test_without_a_conflict_the_permit_stays_discretionary():
    found = headline(result())
    assert found.status == "met"
    assert found.text.startswith("May be issued: every requirement that could be checked is met.")
    assert "discretion" in found.text
    assert "discretion" in headline(result("italy")).text


def test_what_is_not_met_is_counted_and_named():
    found = headline(
        result(answers={"site.lights": ["laser"], "site.security_plan": None, "premises.certificates_of_occupancy": False})
    )
    assert found.status == "not_met"
    assert found.text.startswith("May not be issued: 2 requirements are not met (")
    assert headline(result(answers={"site.lights": ["laser"]})).text.startswith("May not be issued: 1 requirement is not met (")


def test_many_are_counted_and_the_first_named():
    answers = {
        "site.lights": ["laser"],
        "premises.certificates_of_occupancy": False,
        "benefit.charity": None,
        "benefit.charity_local": False,
    }
    answers |= {"benefit.advertises_goods": True, "premises.outstanding_violations": True, "insurance.names_town": False}
    found = headline(result(answers=answers))
    assert "6 requirements are not met" in found.text
    assert "and 2 more" in found.text


def test_what_must_be_decided_is_named_with_the_answers_that_are_missing():
    found = headline(result(answers={"insurance.names_town": None}))
    assert found.status == "decide"
    assert found.text.startswith(
        "May be issued once an official decides 1 question: Liability insurance that names the Town [283-3]. "
    )
    assert "1 answer is missing." in found.text


def test_a_question_that_cannot_forbid_is_no_decision():
    assert headline(result(answers={"site.animals": None})).status == "met"

    # The finding is "to decide" all the same: the sentence names it, so that the two do not contradict each other.
    assert "Still open, though it could not forbid the event: " in headline(result(answers={"site.animals": None})).text
    assert "Still open" not in headline(result()).text


@pytest.mark.parametrize(
    "answers",
    [
        {"event.persons_total": 150, "event.persons_at_once": 200, "event.persons_outdoors": 100},
        {"applicant.organization": "individual"},
    ],
)
def test_answers_that_contradict_each_other_are_decided_whether_or_not_they_could_forbid(answers):
    found = result(answers=answers)
    assert found.allowed is True
    assert headline(found).status == "decide"
    assert "answers contradict each other (" in headline(found).text
    assert [(one.rule, one.status) for one in against(found)] == [("answers", "decide")]


def test_answers_that_contradict_each_other_about_the_scope_alone():
    answers = {"event.persons_total": 250, "event.persons_at_once": 250, "event.persons_outdoors": 400}
    found = result("italy", answers)
    assert any(one.status == "decide" for one in found.findings)
    assert headline(found).status == "decide"


def test_where_no_permit_is_needed_it_says_why():
    found = headline(result("italy", {"event.kind": "wedding"}))
    assert (found.status, found.text[:24]) == ("met", "No permit is required: i")


def test_a_yard_sale_that_is_not_exempt_breaks_no_requirement_by_that():
    sale = {"event.kind": "yard_sale", "yard_sale.days": ["2026-06-05", "2026-06-06", "2026-06-07", "2026-06-08"]}
    assert "sh.yard_sale" not in {one.rule for one in against(result(answers=sale))}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("outside_town", "Premises lie in Town of Eastmere, not in Town of Southampton: its law does not reach them."),
        ("partly_in_village", "A part of the premises lies in the Village of Pondcrest, which counts as another municipality."),
        (
            "on_right_of_way",
            "Premises are a street or another right-of-way by the parcel layer, not a lot (7-1): who controls it decides.",
        ),
        ("on_railroad", "Premises are a railroad by the parcel layer, not a lot (7-1): who controls it decides."),
        ("layout_outside", "The drawing layout.gpkg is not wholly on the premises, but reaches onto 7-2: tent."),
    ],
)
class TestTheLand:
    def test_it_must_be_decided(self, code, text):
        found = headline(replace(result(), warnings=(ResultWarning(code, text),)))
        assert found.status == "decide"
        first = text.split(":")[0].split(", which")[0].rstrip(".")
        assert f"{first[0].lower()}{first[1:]}" in found.text

    def test_it_does_not_hide_what_is_not_met(self, code, text):
        found = headline(replace(result(answers={"site.lights": ["laser"]}), warnings=(ResultWarning(code, text),)))
        assert found.status == "not_met"
        assert "An official must also decide 1 question: whether the town may issue it, since " in found.text

    def test_an_event_without_a_permit_there_must_be_decided_too(self, code, text):
        found = headline(replace(result("italy", {"event.kind": "wedding"}), warnings=(ResultWarning(code, text),)))
        assert found.status == "decide"
        assert "An official must decide 1 question before it is held: whether it may be held there, since " in found.text


def test_a_village_that_is_stated_is_decided_and_allowed_keeps_its_meaning():
    found = ask("southampton", facts={"in_village": "Village of St. Clair"})
    assert found.allowed is True
    assert found.result["headline"]["status"] == "decide"
    assert "the Village of St. Clair" in found.result["headline"]["text"]


def test_a_parade_is_on_streets():
    parade = result(answers={"event.kind": "parade", "parade.closes_highway": False})
    text = "Premises are a street or another right-of-way by the parcel layer, not a lot (7-1): who controls it decides."
    assert headline(replace(parade, warnings=(ResultWarning("on_right_of_way", text),))).status == "met"
    assert (
        headline(replace(parade, warnings=(ResultWarning("route_outside", "660 ft of the route lie outside the town."),))).status
        == "decide"
    )


def test_the_paragraph_of_an_exemption_stands_behind_it_as_other_clauses_do():
    free = replace(result(), permit_required=False, why_no_permit="(h): a yard sale within its limits")
    assert headline(free).text.startswith("No permit is required: a yard sale within its limits [(h)]. No conflict was found.")
