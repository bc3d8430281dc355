"""Chapter 283 of the Town of Southampton: 283-7 to 283-10, the place of the event, and every rule as a whole."""

import pytest
from law_toys import ask
from southampton_cases import southampton

from geonotice.ordinance.load import profile_bytes


class TestSection7:
    def tents(self, up, down, **more):
        return southampton(site__tents=[{"up": up, "down": down}], **more)

    def test_tents_go_up_no_more_than_14_days_before(self):
        assert self.tents("2026-08-02", "2026-08-16")["sh.tents"] == "met"
        assert self.tents("2026-08-01", "2026-08-16")["sh.tents"] == "not_met"

    def test_tents_come_down_within_7_days_after(self):
        assert self.tents("2026-08-10", "2026-08-23")["sh.tents"] == "met"
        assert self.tents("2026-08-10", "2026-08-24")["sh.tents"] == "not_met"

    def test_a_limit_on_how_long_they_stand_is_not_carried_past_a_sunday(self):
        found = self.tents("2026-08-10", "2026-08-24")
        assert found.findings["sh.tents"]["review"] == ["reading:standing_past_weekend"]
        assert any("Read here as: not carried" in item["text"] for item in found.result["warnings"])
        assert self.tents("2026-08-10", "2026-08-25").findings["sh.tents"]["review"] == []

    def test_a_town_that_reads_it_as_an_act_lets_them_come_down_on_the_monday(self, tmp_path):
        text = profile_bytes("southampton")[0].decode()
        (tmp_path / "own.toml").write_text(text.replace("carried = false\n", ""))
        own = str(tmp_path / "own.toml")
        assert [
            ask("southampton", {"site.tents": [{"up": "2026-08-10", "down": day}]}, profile=own)["sh.tents"]
            for day in ("2026-08-24", "2026-08-25")
        ] == ["met", "not_met"]

    def test_tents_stand_no_more_than_28_days_first_and_last_counted(self):
        long = {"event__starts": "2026-08-10T12:00:00", "event__filed": "2026-05-01"}
        assert self.tents("2026-07-27", "2026-08-23", **long)["sh.tents"] == "met"
        longer = {**long, "event__ends": "2026-08-17T17:00:00"}
        assert self.tents("2026-07-27", "2026-08-24", **longer)["sh.tents"] == "not_met"

    def test_28_days_are_those_of_all_the_structures_of_one_event(self):
        event = {"event__starts": "2026-08-10T12:00:00", "event__ends": "2026-08-17T17:00:00", "event__filed": "2026-05-01"}
        one_after_the_other = [{"up": "2026-07-27", "down": "2026-08-17"}, {"up": "2026-08-10", "down": "2026-08-24"}]
        assert southampton(site__tents=one_after_the_other, **event)["sh.tents"] == "not_met"
        with_days_between = [{"up": "2026-07-27", "down": "2026-07-30"}, {"up": "2026-08-10", "down": "2026-08-24"}]
        assert southampton(site__tents=with_days_between, **event)["sh.tents"] == "met"

    def test_the_chief_fire_marshal_may_authorize_longer(self):
        found = self.tents("2026-07-01", "2026-08-30", site__tents_authorized=True)
        assert found["sh.tents"] == "met"
        assert "46 days before; no more than 14 are allowed; tents come down 14 days after" in found.findings["sh.tents"]["text"]

    def test_tents_that_are_not_stated_are_asked_for(self):
        assert southampton(site__tents=None)["sh.tents"] == "decide"
        assert southampton(site__tents=[])["sh.tents"] is None
        found = southampton(site__tents=[{"up": "2026-08-10"}])
        assert (found["sh.tents"], found.allowed) == ("decide", None)
        assert any("site.tents" in key for key in found.asked)

    def test_town_grounds_need_a_facility_use_permit_and_alcohol_an_approval(self):
        found = southampton(premises__municipal_building_or_grounds=True, site__alcohol=True)
        assert (found["sh.facility"], found["sh.alcohol"], found.allowed) == ("remind", "remind", True)
        assert southampton(site__alcohol=True)["sh.alcohol"] is None
        unknown = southampton(premises__municipal_building_or_grounds=None, facts={"municipal_owner": None})
        assert (unknown["sh.facility"], unknown.allowed) == ("decide", True)

    @pytest.mark.parametrize(
        ("sign", "status"),
        [
            ({"up": "2026-08-02", "down": "2026-08-19", "on_county_or_state_road": False}, "met"),
            ({"up": "2026-08-01", "down": "2026-08-19", "on_county_or_state_road": False}, "not_met"),
            ({"up": "2026-08-02", "down": "2026-08-20", "on_county_or_state_road": False}, "not_met"),
            ({"up": "2026-08-02", "down": "2026-08-19", "on_county_or_state_road": True, "agency_approval": True}, "met"),
            ({"up": "2026-08-02", "down": "2026-08-19", "on_county_or_state_road": True, "agency_approval": False}, "not_met"),
            ({"up": "2026-08-02", "down": "2026-08-19", "on_county_or_state_road": True}, "decide"),
            ({"up": "2026-08-02", "down": "2026-08-19"}, "decide"),
            ({"down": "2026-08-19", "on_county_or_state_road": False}, "decide"),
        ],
    )
    def test_signs_go_up_14_days_before_come_down_3_after_and_are_approved(self, sign, status):
        assert southampton(site__signs=[sign])["sh.signs"] == status

    def test_animals_are_stated(self):
        assert southampton(site__animals=True)["sh.animals"] == "remind"
        assert southampton()["sh.animals"] is None
        assert southampton(site__animals=None)["sh.animals"] == "decide"


class TestSection8:
    def test_what_is_filed_after_the_event_is_said_to_be_after_it(self):
        found = southampton(amendment__filed="2026-08-20", event__filed="2026-08-17", on="2026-08-21")
        assert "filed 4 days after the event begins" in found.findings["sh.amend15"]["text"]
        assert "Filed 1 day after the event begins" in found.findings["sh.file90"]["text"]

    def test_changes_are_filed_at_least_15_days_before(self):
        assert southampton(amendment__filed="2026-08-01")["sh.amend15"] == "met"
        assert southampton(amendment__filed="2026-08-02")["sh.amend15"] == "not_met"
        assert southampton().findings["sh.amend15"]["facts"]["last_day"] == "2026-08-01"

    def test_the_power_to_rescind_is_a_reminder(self):
        assert southampton()["sh.rescind"] == "remind"


class TestSection9:
    def denied(self, **more):
        return southampton(denial__received="2026-06-15", **more)

    def test_without_a_denial_it_does_not_apply(self):
        assert southampton()["sh.appeal10"] is None
        assert southampton()["sh.hearing_mail"] is None

    def test_an_appeal_is_filed_within_10_days_from_receipt(self):
        assert self.denied(denial__appeal_filed="2026-06-25")["sh.appeal10"] == "met"
        assert self.denied(denial__appeal_filed="2026-06-26")["sh.appeal10"] == "not_met"

    def test_section_25a_carries_a_saturday_to_the_monday(self):
        assert southampton(denial__received="2026-09-02", denial__appeal_filed="2026-09-14")["sh.appeal10"] == "met"
        assert southampton(denial__received="2026-09-02", denial__appeal_filed="2026-09-15")["sh.appeal10"] == "not_met"

    def test_an_appeal_that_is_not_stated_is_a_reminder_while_there_is_time_and_then_a_question(self):
        assert self.denied(on="2026-06-25")["sh.appeal10"] == "remind"
        late = self.denied(on="2026-06-26")
        assert late["sh.appeal10"] == "decide"
        assert "denial.appeal_filed" in late.asked

    @pytest.mark.parametrize("rule", ["denial_notice", "hearing_publish", "hearing_sign", "hearing_mail", "findings10"])
    def test_the_hearing_and_its_notices_are_duties_to_come(self, rule):
        assert self.denied(denial__hearing="2026-07-21")[f"sh.{rule}"] == "remind"

    def test_a_last_day_that_has_passed_is_said_to_have(self):
        late = self.denied(denial__appeal_filed="2026-06-20", denial__hearing="2026-06-25", on="2026-06-22")
        assert "Monday, June 15, 2026. That day has passed." in late.findings["sh.hearing_mail"]["text"]
        assert "passed" not in late.findings["sh.findings10"]["text"]

    def test_an_appeal_filed_before_the_denial_was_received_is_a_contradiction(self):
        assert "answers_conflict" in self.denied(denial__appeal_filed="2026-06-10").codes

    def test_a_sign_faces_each_public_street(self):
        found = self.denied(denial__hearing="2026-07-21", facts={"streets_abutted": ["A Street", "B Lane"]})
        assert found.findings["sh.hearing_sign"]["facts"]["signs"] == 2
        assert self.denied(facts={"streets_abutted": None})["sh.hearing_sign"] == "decide"

    def test_the_clerk_of_a_municipality_within_500_feet_is_told(self):
        assert self.denied(facts={"within_500_ft_of": ["Village of Sagaponack"]})["sh.hearing_500"] == "remind"
        assert self.denied()["sh.hearing_500"] is None
        assert self.denied(facts={"within_500_ft_of": None})["sh.hearing_500"] == "decide"

    def test_mail_to_the_owners_is_asked_in_any_district(self):
        for zone in ("residential", "other", "undetermined"):
            assert self.denied(facts={"zone": zone})["sh.hearing_mail"] == "remind"


class TestSection10:
    def test_penalties_are_a_reminder(self):
        assert southampton()["sh.penalty"] == "remind"


class TestThePlace:
    def test_premises_in_a_village_are_warned_of(self):
        assert "in_village" in southampton(facts={"in_village": "Village of Sagaponack"}).codes

    def test_a_split_zoned_parcel_is_said(self):
        assert "split_zoned" in southampton(facts={"zone": "split"}).codes


def test_every_rule_is_applied_reminded_of_or_set_aside_with_a_reason():
    for found in (
        southampton(),
        southampton(event__kind="wedding", event__wedding_of="owner"),
        southampton(event__kind="parade"),
    ):
        assert len(found.findings) + len(found.aside) == 58 + 2 + 13  # two definitions of 283-1, and the State's rules
        assert all(found.aside.values())
