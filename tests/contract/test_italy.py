"""The Town of Italy's mass public assembly law, paragraph by paragraph."""

import pytest
from law_toys import ask


def italy(**answers):
    return ask("italy", {key.replace("__", "."): value for key, value in answers.items()})


def persons(number, **more):
    return {"event__persons_at_once": number, "event__persons_total": number, "event__persons_outdoors": number, **more}


class TestPreamble:
    def test_300_persons_do_not_exceed_300(self):
        found = italy(**persons(300))
        assert (found.permit, found.allowed) == (False, True)
        assert found["italy.scope"] is None
        assert found["italy.cleanup5"] is None

    def test_301_persons_are_in_scope_but_below_the_permit_and_both_are_said(self):
        found = italy(**persons(301))
        assert (found.permit, found.allowed) == (False, True)
        assert found["italy.scope"] == "remind"
        assert "no permit is needed" in found.findings["italy.scope"]["text"]
        assert "not more than 500" in found.aside["italy.permit"]
        assert found["italy.cleanup5"] == "remind"

    @pytest.mark.parametrize(
        "sponsor", ["volunteer_fire_company", "fraternal_or_civic", "religious_corporation", "municipality", "town"]
    )
    def test_an_assembly_under_the_direct_control_of_an_exempt_sponsor_is_outside_the_whole_chapter(self, sponsor):
        found = italy(**persons(2000, event__sponsor=sponsor, event__sponsor_local=True, event__sponsor_in_control=True))
        assert (found.permit, found.allowed) == (False, True)
        assert found["italy.cleanup5"] is None

    @pytest.mark.parametrize("sponsor", ["volunteer_fire_company", "religious_corporation", "municipality"])
    def test_it_must_be_under_the_sponsors_direct_control(self, sponsor):
        found = italy(event__sponsor=sponsor, event__sponsor_local=True, event__sponsor_in_control=False)
        assert found.permit is True

    @pytest.mark.parametrize("sponsor", ["fraternal_or_civic", "religious_corporation"])
    def test_a_chapter_or_a_house_of_worship_must_be_in_the_town(self, sponsor):
        assert italy(event__sponsor=sponsor, event__sponsor_local=False, event__sponsor_in_control=True).permit is True

    def test_of_a_municipality_no_local_tie_is_asked(self):
        assert italy(event__sponsor="municipality", event__sponsor_local=False, event__sponsor_in_control=True).permit is False

    def test_a_fire_company_of_another_town_is_exempt_with_a_warning(self):
        found = italy(event__sponsor="volunteer_fire_company", event__sponsor_local=False, event__sponsor_in_control=True)
        assert found.permit is False
        assert "fire_company_of_another_town" in found.codes

    def test_whoever_sponsors_it_without_direct_control_need_not_be_named(self):
        found = italy(event__sponsor=None, event__sponsor_in_control=False)
        assert (found.permit, found.allowed) == (True, True)
        assert "event.sponsor" not in found.asked

    def test_what_is_not_said_of_the_sponsor_is_asked(self):
        found = italy(event__sponsor="religious_corporation")
        assert (found.permit, found["italy.scope"]) == (None, "decide")
        assert {"event.sponsor_in_control", "event.sponsor_local"} <= found.asked
        assert italy(event__sponsor=None).asked >= {"event.sponsor"}

    @pytest.mark.parametrize("sponsor", ["private", "charity"])
    def test_other_sponsors_are_not_exempt(self, sponsor):
        assert italy(event__sponsor=sponsor, event__sponsor_local=True, event__sponsor_in_control=True).permit is True


class TestParagraphA:
    def test_500_persons_outdoors_are_not_more_than_500(self):
        assert italy(**persons(500)).permit is False

    def test_501_persons_outdoors_need_a_permit(self):
        assert italy(**persons(501)).permit is True

    def test_a_fully_enclosed_structure_needs_none(self):
        assert italy(event__persons_outdoors=0).permit is False

    def test_an_event_that_is_not_planned_in_advance_needs_none(self):
        assert italy(event__planned_in_advance=False).permit is False

    @pytest.mark.parametrize("kind", ["funeral", "wedding", "auction"])
    def test_funerals_wedding_events_and_auctions_are_exempted(self, kind):
        found = italy(event__kind=kind)
        assert (found.permit, found.allowed) == (False, True)
        assert found["italy.cleanup5"] == "remind"

    @pytest.mark.parametrize("key", ["event__kind", "event__planned_in_advance", "event__persons_outdoors"])
    def test_an_answer_it_needs_is_asked_for(self, key):
        found = italy(**{key: None})
        assert (found.permit, found["italy.permit"]) == (None, "decide")
        assert key.replace("__", ".") in found.asked

    def test_more_than_500_in_the_aggregate_but_not_outdoors_at_once_must_be_decided(self):
        found = italy(event__persons_outdoors=400)
        assert (found.permit, found["italy.permit"]) == (None, "decide")
        assert "reading" in found.codes

    def test_a_refusal_that_hangs_on_the_permit_is_a_question(self):
        found = italy(event__persons_outdoors=None, event__filed="2026-05-19")
        assert (found.permit, found.allowed) == (None, None)
        assert found["italy.file90"] == "decide"

    def test_where_all_is_met_it_does_not_matter_whether_a_permit_is_needed(self):
        assert italy(event__persons_outdoors=None).allowed is True


class TestParagraphB:
    def test_the_petition_is_filed_at_least_90_days_before(self):
        assert italy(event__filed="2026-05-18")["italy.file90"] == "met"

    def test_89_days_are_too_late_and_there_is_no_late_filing(self):
        found = italy(event__filed="2026-05-19")
        assert (found["italy.file90"], found.allowed) == ("not_met", False)

    def test_the_waiver_of_d_does_not_reach_it(self):
        found = italy(event__filed="2026-05-19", site__waived=["italy.file90"])
        assert found["italy.file90"] == "not_met"
        assert "waiver_ignored" in found.codes

    def test_without_a_filing_date_it_is_a_question(self):
        found = italy(event__filed=None)
        assert (found["italy.file90"], found.allowed) == ("decide", None)
        assert "event.filed" in found.asked

    def test_the_town_board_acts_within_75_days_of_a_complete_application(self):
        assert italy(event__complete="2026-04-06").findings["italy.act75"]["facts"]["last_day"] == "2026-06-20"

    def test_an_applicant_from_outside_names_an_agent(self):
        assert italy(applicant__resident_of_town=False, applicant__agent_in_county="J. Smith")["italy.agent"] == "met"
        assert italy(applicant__resident_of_town=False, applicant__agent_in_county="")["italy.agent"] == "not_met"
        found = italy(applicant__resident_of_town=False)
        assert (found["italy.agent"], found.allowed) == ("decide", None)
        assert "applicant.agent_in_county" in found.asked

    def test_a_resident_needs_no_agent(self):
        assert italy()["italy.agent"] is None

    def test_an_applicant_who_may_be_from_outside_is_asked(self):
        assert "applicant.resident_of_town" in italy(applicant__resident_of_town=None).asked
        assert italy(applicant__resident_of_town=None, applicant__agent_in_county="J. Smith")["italy.agent"] == "met"

    def test_an_applicant_who_is_not_the_owner_files_the_owners_statement(self):
        assert italy()["italy.owner_consent"] is None
        assert italy(applicant__is_owner=False, applicant__owner_consent=True)["italy.owner_consent"] == "met"
        assert italy(applicant__is_owner=False, applicant__owner_consent=False)["italy.owner_consent"] == "not_met"
        assert "applicant.owner_consent" in italy(applicant__is_owner=False).asked
        assert italy(applicant__is_owner=None, applicant__owner_consent=True)["italy.owner_consent"] == "met"
        assert "applicant.is_owner" in italy(applicant__is_owner=None).asked

    @pytest.mark.parametrize("rule", ["fee", "applicant", "statement", "adjoining", "plans", "statements"])
    def test_what_else_is_filed_is_a_reminder(self, rule):
        assert italy()[f"italy.{rule}"] == "remind"

    def test_the_statement_says_what_is_not_stated_yet(self):
        found = italy(site__vehicles_at_once=None)
        assert found.findings["italy.statement"]["facts"]["not_stated"] == ["site.vehicles_at_once"]


class TestParagraphC:
    @pytest.mark.parametrize("rule", ["hearing10", "notice1000", "cost"])
    def test_hearing_notice_and_their_cost_are_duties_to_come(self, rule):
        assert italy()[f"italy.{rule}"] == "remind"


class TestParagraphD:
    @pytest.mark.parametrize(
        ("people", "spaces", "status"), [(801, 201, "met"), (801, 200, "not_met"), (800, 200, "met"), (800, 199, "not_met")]
    )
    def test_parking_for_at_least_one_car_for_every_four_persons(self, people, spaces, status):
        assert italy(**persons(people, site__parking_spaces=spaces))["italy.parking"] == status

    def test_the_most_at_one_time_are_those_in_attendance(self):
        found = italy(event__persons_total=4000)
        assert found["italy.parking"] == "met"
        assert "reading:parking_persons" in found.findings["italy.parking"]["review"]

    def test_those_outdoors_are_in_attendance_too(self):
        more = italy(event__persons_outdoors=900)
        assert (more["italy.parking"], more.findings["italy.parking"]["facts"]["spaces_needed"]) == ("decide", 225)
        assert "900 persons outdoors are more than 800" in more.findings["italy.parking"]["text"]
        unknown = {"event__persons_at_once": None, "event__persons_total": None, "event__persons_outdoors": 501}
        assert italy(**unknown, site__parking_spaces=125)["italy.parking"] == "not_met"
        assert italy(**unknown, site__parking_spaces=126)["italy.parking"] == "decide"

    def test_parking_that_is_not_stated_is_asked_for(self):
        found = italy(site__parking_spaces=None)
        assert (found["italy.parking"], found.allowed) == ("decide", None)
        assert "site.parking_spaces" in found.asked

    def test_a_condition_that_fails_can_be_waived_and_says_so(self):
        found = italy(site__parking_spaces=10)
        assert "can be waived" in found.findings["italy.parking"]["text"]
        waived = italy(site__parking_spaces=10, site__waived=["italy.parking"])
        assert (waived["italy.parking"], waived.allowed) == ("met", True)
        assert "has been waived" in waived.findings["italy.parking"]["text"]

    def test_access_roads(self):
        assert italy()["italy.access"] == "remind"
        assert italy(site__access_roads=0)["italy.access"] == "not_met"
        assert italy(site__access_roads=None)["italy.access"] == "decide"
        assert italy(site__access_roads=0, site__waived=["italy.access"]).allowed is True

    def test_one_day_needs_no_camping(self):
        assert italy()["italy.camping"] is None

    @pytest.mark.parametrize(
        ("ends", "status"),
        [
            ("2026-08-17T05:59:00", "decide"),  # into the small hours only
            ("2026-08-17T06:00:00", "not_met"),
            ("2026-08-17T21:00:00", "not_met"),
            ("2026-08-18T02:00:00", "not_met"),
        ],
    )
    def test_an_event_from_one_day_to_another_needs_camping_or_housing(self, ends, status):
        assert italy(event__ends=ends)["italy.camping"] == status

    def test_camping_that_is_provided_is_for_the_official_to_judge(self):
        assert italy(event__ends="2026-08-17T21:00:00", site__camping=True)["italy.camping"] == "remind"

    def test_an_end_on_the_next_day_without_its_hour_is_asked_for_that(self):
        found = italy(event__ends="2026-08-17", site__camping=False)
        assert (found["italy.camping"], found.allowed) == ("decide", None)
        assert "event.ends" in found.asked
        assert "small hours" not in found.findings["italy.camping"]["text"]

    def test_camping_that_is_not_answered_is_asked_for(self):
        found = italy(event__ends="2026-08-17T21:00:00", site__camping=None)
        assert (found["italy.camping"], found.allowed) == ("decide", None)
        assert "site.camping" in found.asked
        assert "event.ends" in italy(event__ends=None).asked

    @pytest.mark.parametrize("rule", ["waiver", "other_D"])
    def test_the_rest_is_for_the_official(self, rule):
        assert italy()[f"italy.{rule}"] == "remind"


class TestParagraphE:
    def test_leave_to_enter_is_a_reminder_until_it_is_answered(self):
        assert italy()["italy.entry"] == "remind"
        assert italy(premises__entry_authorized=True)["italy.entry"] == "met"
        found = italy(premises__entry_authorized=False)
        assert (found["italy.entry"], found.allowed) == ("not_met", False)


class TestParagraphF:
    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("injury_each", 1999999),
            ("injury_aggregate", 3999999),
            ("property", 1999999),
            ("cancel_notice_days", 9),
            ("names_town", False),
        ],
    )
    def test_a_policy_that_falls_short_is_not_enough(self, key, value):
        found = italy(**{f"insurance__{key}": value})
        assert (found["italy.insurance"], found.allowed) == ("not_met", False)

    def test_exactly_the_figures_are_enough(self):
        assert italy()["italy.insurance"] == "met"

    @pytest.mark.parametrize("key", ["injury_each", "injury_aggregate", "property", "cancel_notice_days", "names_town"])
    def test_what_is_not_said_of_the_policy_is_asked(self, key):
        found = italy(**{f"insurance__{key}": None})
        assert found["italy.insurance"] == "decide"
        assert f"insurance.{key}" in found.asked

    def test_it_cannot_be_waived(self):
        assert italy(insurance__property=0, site__waived=["italy.insurance"])["italy.insurance"] == "not_met"


class TestParagraphG:
    def test_waste_is_removed_within_five_days_from_the_end(self):
        assert italy().findings["italy.cleanup5"]["facts"]["last_day"] == "2026-08-21"


class TestParagraphsHAndIAndTheRest:
    @pytest.mark.parametrize("rule", ["revoke", "discretion", "permit_content", "penalty"])
    def test_is_shown_as_a_reminder(self, rule):
        assert italy()[f"italy.{rule}"] == "remind"

    def test_every_result_that_needs_a_permit_says_that_it_stays_discretionary(self):
        assert "discretionary" in italy().codes
        assert "discretionary" not in italy(**persons(300)).codes


def test_every_rule_is_applied_reminded_of_or_set_aside_with_a_reason():
    found = italy()
    assert len(found.findings) + len(found.aside) == 27 + 13  # the State's rules for large gatherings
    assert all(found.aside.values())
    assert all(item["text"] and item["citation"] for item in found.findings.values())
