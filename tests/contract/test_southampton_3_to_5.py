"""Chapter 283 of the Town of Southampton: 283-3 to 283-5."""

import pytest
from southampton_cases import permit, persons, southampton


class TestSection3:
    def test_insurance_names_the_town_and_is_cancelable_on_30_days_notice(self):
        assert southampton()["sh.insurance30"] == "met"
        assert southampton(insurance__cancel_notice_days=29)["sh.insurance30"] == "not_met"
        assert southampton(insurance__names_town=False)["sh.insurance30"] == "not_met"
        found = southampton(insurance__names_town=None)
        assert (found["sh.insurance30"], found.allowed) == ("decide", None)

    def test_limits_are_not_in_the_text(self):
        assert "resolution" in southampton(insurance__injury_each=1).findings["sh.insurance30"]["text"]

    @pytest.mark.parametrize("rule", ["reimburse", "security_instrument", "on_site", "setbacks", "additional"])
    def test_what_is_the_officials_is_a_reminder(self, rule):
        assert southampton()[f"sh.{rule}"] == "remind"

    def test_an_applicant_that_is_no_charity_shows_payment_within_90_days(self):
        found = southampton(applicant__charitable=False)
        assert found["sh.charity90"] == "remind"
        assert found.findings["sh.charity90"]["facts"]["last_day"] == "2026-11-14"
        assert southampton()["sh.charity90"] is None

    def test_notice_is_for_residential_districts_and_a_split_zoned_parcel_is_read_as_one(self):
        assert southampton(facts={"zone": "residential"})["sh.notice_residential"] == "remind"
        assert southampton(facts={"zone": "split"})["sh.notice_residential"] == "remind"
        assert southampton(facts={"zone": "other"})["sh.notice_residential"] is None
        found = southampton(facts={"zone": "undetermined"})
        assert (found["sh.notice_residential"], found.allowed) == ("decide", True)
        assert "facts.zone" in found.asked

    def test_a_security_plan_is_asked_in_excess_of_250_persons(self):
        assert southampton(**persons(250), site__security_plan=False)["sh.security250"] is None
        assert southampton(**persons(251), site__security_plan=True)["sh.security250"] == "met"
        assert southampton(**persons(251), site__security_plan=False)["sh.security250"] == "not_met"
        assert southampton(**persons(251), site__security_plan=None)["sh.security250"] == "decide"

    def test_attendance_in_all_counts_for_the_security_plan(self):
        assert southampton(event__persons_total=251, site__security_plan=False)["sh.security250"] == "not_met"

    def test_a_parade_needs_insurance_and_a_security_plan_too(self):
        found = southampton(**persons(251), event__kind="parade", parade__closes_highway=False, site__security_plan=False)
        assert (found["sh.insurance30"], found["sh.security250"]) == ("met", "not_met")


class TestSection4:
    def test_the_officials_decide_within_30_business_days(self):
        assert southampton(event__complete="2026-06-01").findings["sh.decide30"]["facts"]["last_day"] == "2026-07-14"

    def test_a_closed_highway_needs_the_town_board(self):
        parade = {"event__kind": "parade"}
        assert southampton(**parade, parade__closes_highway=True)["sh.highway"] == "remind"
        assert southampton(**parade, parade__closes_highway=False)["sh.highway"] is None
        found = southampton(**parade)
        assert (found["sh.highway"], found.allowed) == ("decide", True)
        assert "parade.closes_highway" in found.asked

    def test_violations_elsewhere_are_a_factor(self):
        found = southampton(applicant__other_property_violations=True)
        assert (found["sh.other_property"], found.allowed) == ("decide", None)
        assert southampton(applicant__other_property_violations=None)["sh.other_property"] == "decide"

    def test_a_parade_near_in_time_but_out_of_season_is_named_and_one_without_its_day_must_be_found(self):
        memorial_day = {
            "event__kind": "parade", "parade__closes_highway": False, "event__filed": "2026-01-20",
            "event__starts": "2026-05-25T10:00:00", "event__ends": "2026-05-25T12:00:00",
        }  # fmt: skip
        before = southampton(on="2026-02-01", history=[permit("2026-01-12", "2026-05-20", kind="parade")], **memorial_day)
        assert (before["sh.parade30"], before.findings["sh.parade30"]["review"]) == ("met", ["other_reading"])
        assert "not in that period with it: Wednesday, May 20, 2026" in before.findings["sh.parade30"]["text"]
        undated = southampton(on="2026-02-01", history=[permit("2026-01-12", None, kind="parade")], **memorial_day)
        assert (undated["sh.parade30"], undated.asked) == ("decide", {"facts.permit_record"})

    def test_another_parade_within_30_days_in_summer_is_considered(self):
        parade = {"event__kind": "parade", "parade__closes_highway": False}
        near = [permit("2026-01-05", "2026-07-17", kind="parade")]
        far = [permit("2026-01-05", "2026-07-16", kind="parade")]
        assert southampton(**parade, history=near)["sh.parade30"] == "decide"
        assert southampton(**parade, history=far)["sh.parade30"] == "met"
        autumn = {"event__starts": "2026-10-10T12:00:00", "event__ends": "2026-10-10T13:00:00"}
        assert southampton(**parade, **autumn, history=near)["sh.parade30"] is None
        assert southampton(history=near)["sh.parade30"] is None

    @pytest.mark.parametrize(
        "rule", ["review", "factors", "other_events", "history3y", "denial_reasons", "capacity", "permit_term", "privilege"]
    )
    def test_what_is_weighed_is_a_reminder(self, rule):
        assert southampton()[f"sh.{rule}"] == "remind"

    def test_every_result_says_that_a_permit_is_a_privilege(self):
        assert "discretionary" in southampton().codes


class TestSection5:
    def test_fees_are_a_reminder(self):
        assert southampton()["sh.fee"] == "remind"
