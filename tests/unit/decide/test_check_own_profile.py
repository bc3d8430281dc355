"""A town's own profile: what the checks say where no built-in law uses them so."""

from datetime import date

import pytest
from law_toys import event_of
from profile_toys import PERMIT, profile_of, rule

from geonotice.config.read_application import event_from_data
from geonotice.decide.case import PremisesFacts
from geonotice.decide.check import check
from geonotice.decide.event_form import event_template, keys_needed


def found(*rules, name, **answers):
    changes = {key.replace("__", "."): value for key, value in answers.items()}
    event = event_from_data(event_of("southampton", changes), file="event")
    return check(profile_of(PERMIT, *rules), event, PremisesFacts(zone="other"), on=date(2026, 6, 1)).finding(f"oak.{name}")


INSURANCE = rule(
    "insurance",
    "condition",
    more='check = "insurance"\nvalues = { injury_each = 1000000, cancel_notice_days = 0 }\nwaivable = true',
    tables='[[rules.periods]]\nwhat = "furnish the certificate"\ndays = 10\ndirection = "before"\nfrom = "event"',
)
FEW = {"insurance__injury_each": 900_000}
ENOUGH = {"insurance__injury_each": 1_000_000, "insurance__cancel_notice_days": None}


class TestInsuranceThatAsksForNoNoticeOfCancellation:
    def test_asks_no_question_on_it(self):
        assert found(INSURANCE, name="insurance", **ENOUGH).status == "met"
        assert "insurance.cancel_notice_days" not in keys_needed(profile_of(PERMIT, INSURANCE))
        assert "cancellation" not in found(INSURANCE, name="insurance", **ENOUGH).text


class TestACheckWithAPeriodBesides:
    @pytest.mark.parametrize("answers", [FEW, ENOUGH])
    def test_says_its_last_day_with_the_answer(self, answers):
        made = found(INSURANCE, name="insurance", **answers)
        assert "Last day to furnish the certificate: Thursday, August 6, 2026" in made.text
        assert made.facts["last_day"] == date(2026, 8, 6)


class TestAConditionThatTheBoardMayWaive:
    def test_can_be_waived_whatever_its_check(self):
        assert found(INSURANCE, name="insurance", **FEW).status == "not_met"
        made = found(INSURANCE, name="insurance", **FEW, site__waived=["oak.insurance"])
        assert (made.status, made.review) == ("met", ("waived",))

    def test_is_said_to_be_waived_where_it_is_a_reminder(self):
        acres = rule("acres", "reminder", more="waivable = true")
        assert "has been waived" in found(acres, name="acres", site__waived=["oak.acres"]).text
        assert "waived" not in found(acres, name="acres").text

    def test_is_the_example_in_the_event_file(self):
        assert 'waived = ["oak.insurance"]' in event_template(profile_of(PERMIT, INSURANCE))


class TestAlcohol:
    def test_is_asked_on_town_property_only_unless_the_rule_says_anywhere(self):
        license_ = rule("license", "condition", more='check = "alcohol"')
        assert found(license_, name="license", site__alcohol=True) is None
        anywhere = rule("license", "condition", more='check = "alcohol"\nvalues = { anywhere = true }')
        assert found(anywhere, name="license", site__alcohol=True).status == "remind"
        assert "premises.municipal_building_or_grounds" not in keys_needed(profile_of(PERMIT, anywhere))


def test_only_the_lights_that_the_rule_forbids_are_said_to_be_absent():
    lights = rule("lights", "prohibition", more='check = "lights"\nvalues = { forbidden = ["search", "laser"] }')
    made = found(lights, name="lights", site__lights=["strobe"])
    assert (made.status, made.text) == ("met", "No conflict: none of the forbidden lights (search, laser).")


def test_a_late_parade_is_told_what_the_rule_says_where_the_law_does_not_tell_parades_apart():
    late = rule(
        "filed",
        "deadline_before",
        more='check = "filed_before"\nvalues = { late = "decide" }',
        tables='[[rules.periods]]\nwhat = "file it"\ndays = 90\ndirection = "before"\nfrom = "event"',
    )
    made = found(late, name="filed", event__kind="parade", event__filed="2026-08-01")
    assert made.status == "decide"
    assert "The clause of filed." in made.text
