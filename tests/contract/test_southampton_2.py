"""Chapter 283 of the Town of Southampton: 283-2, what it applies to and what is exempt."""

import pytest
from southampton_cases import YARD_SALE, permit, persons, southampton


class TestSection2A1And2:
    def test_a_special_event_needs_a_permit(self):
        found = southampton()
        assert (found.permit, found.allowed) == (True, True)
        assert (found["sh.permit"], found["sh.parade_permit"]) == ("remind", None)

    def test_a_parade_needs_one_of_its_own(self):
        found = southampton(event__kind="parade", parade__closes_highway=False)
        assert (found.permit, found.allowed) == (True, True)
        assert (found["sh.permit"], found["sh.parade_permit"]) == (None, "remind")

    def test_what_is_asked_of_special_events_only_is_not_asked_of_a_parade(self):
        found = southampton(event__kind="parade", parade__closes_highway=False, facts={"zone": "residential"})
        for rule in ("notice_residential", "cap_residential", "cap_other", "profit", "charity_benefit", "tents"):
            assert found[f"sh.{rule}"] is None

    def test_animals_are_stated_of_a_parade_too(self):
        parade = {"event__kind": "parade", "parade__closes_highway": False}
        assert southampton(site__animals=True, **parade)["sh.animals"] == "remind"
        assert southampton(site__animals=False, **parade)["sh.animals"] is None

    def test_of_a_kind_that_is_not_said_no_rule_is_set_aside_for_being_of_another(self):
        found = southampton(event__kind=None)
        assert (found["sh.yard_sale"], found["sh.expressive_notice"]) == ("decide", "remind")

    def test_a_kind_that_is_not_said_is_asked(self):
        found = southampton(event__kind=None)
        assert found.permit is None
        assert "event.kind" in found.asked


class TestSection2A3:
    def test_a_is_for_events_sponsored_and_conducted_by_the_town(self):
        assert southampton(event__sponsor="town", event__sponsor_in_control=True)["sh.exempt"] == "met"
        assert southampton(event__sponsor="town", event__sponsor_in_control=False).permit is True
        found = southampton(event__sponsor="town", event__sponsor_in_control=None)
        assert (found.permit, found["sh.exempt"]) == (None, "decide")
        assert southampton(event__sponsor="municipality", event__sponsor_in_control=True).permit is True

    def test_whoever_sponsors_an_event_without_conducting_it_need_not_be_named_for_a(self):
        found = southampton(event__sponsor=None, event__sponsor_in_control=False)
        assert (found.permit, found.allowed) == (True, True)
        assert "event.sponsor" not in found.asked

    def test_b_is_for_regular_sporting_events(self):
        assert southampton(event__kind="sports", event__regular_sporting_event=True)["sh.exempt"] == "met"
        assert southampton(event__kind="sports", event__regular_sporting_event=False).permit is True
        assert "event.regular_sporting_event" in southampton(event__kind="sports").asked

    @pytest.mark.parametrize("kind", ["wedding", "funeral", "family"])
    @pytest.mark.parametrize("whose", ["owner", "owner_family"])
    def test_c_d_and_e_are_for_the_owner_and_the_owners_family(self, kind, whose):
        found = southampton(event__kind=kind, event__wedding_of=whose)
        assert (found.permit, found.allowed, found["sh.exempt"]) == (False, True, "met")

    @pytest.mark.parametrize("kind", ["wedding", "funeral", "family"])
    def test_they_are_not_for_others(self, kind):
        assert southampton(event__kind=kind, event__wedding_of="other").permit is True
        assert "event.wedding_of" in southampton(event__kind=kind).asked

    @pytest.mark.parametrize(("months", "permit_needed"), [(6, False), (5.5, True), (5, True), (12, False)])
    def test_a_wedding_of_a_tenant_asks_six_months_of_lease(self, months, permit_needed):
        found = southampton(event__kind="wedding", event__wedding_of="tenant", event__tenant_lease_months=months)
        assert found.permit is permit_needed

    def test_a_lease_that_is_not_stated_is_asked_for(self):
        found = southampton(event__kind="wedding", event__wedding_of="tenant")
        assert found.permit is None
        assert "event.tenant_lease_months" in found.asked

    @pytest.mark.parametrize("kind", ["funeral", "family"])
    def test_a_funeral_or_a_family_event_of_a_tenant_asks_no_length_of_lease(self, kind):
        found = southampton(event__kind=kind, event__wedding_of="tenant", event__tenant_lease_months=1)
        assert found.permit is False

    def test_the_tenancy_must_be_lawful_and_is_a_reminder_until_answered(self):
        found = southampton(event__kind="funeral", event__wedding_of="tenant")
        assert "Chapter 270" in found.findings["sh.exempt"]["text"]
        assert southampton(event__kind="funeral", event__wedding_of="tenant", premises__lawful_tenancy=False).permit is True

    def test_f_is_for_student_assemblages_at_a_school(self):
        at_school = {"event__kind": "student", "premises__owned_entirely_by": "educational"}
        assert southampton(**at_school, event__sponsor="private")["sh.exempt"] == "met"
        assert southampton(event__kind="student", event__sponsor="school").permit is True  # not at the school
        assert "premises.owned_entirely_by" in southampton(event__kind="student", premises__owned_entirely_by=None).asked

    @pytest.mark.parametrize(
        ("people", "given", "permit_needed"),
        [
            (50, None, False),
            (51, "2026-08-14T12:00:00", False),  # 48 hours to the minute
            (51, "2026-08-14T12:01:00", True),
            (51, None, None),
            (51, "2026-08-13", False),
            (51, "2026-08-14", None),  # the hour is not known
        ],
    )
    def test_g_asks_48_hours_notice_for_more_than_50_persons(self, people, given, permit_needed):
        found = southampton(**persons(people, event__kind="expressive", expressive__notice_given=given))
        assert found.permit is permit_needed

    def test_g_says_what_the_notice_contains(self):
        given = {"event__kind": "expressive", "expressive__notice_given": "2026-08-01T12:00:00"}
        assert southampton(**persons(51), **given)["sh.expressive_notice"] == "remind"
        assert southampton(**persons(50), **given)["sh.expressive_notice"] is None

    def test_i_an_exempt_event_still_follows_the_general_regulations(self):
        assert southampton(event__kind="wedding", event__wedding_of="owner")["sh.general"] == "remind"
        assert southampton()["sh.general"] is None

    def test_the_prohibitions_do_not_reach_an_exempt_event(self):
        found = southampton(
            event__kind="wedding", event__wedding_of="owner", benefit__charity_local=False, site__lights=["laser"]
        )
        assert (found.allowed, found["sh.lights"], found["sh.charity_benefit"]) == (True, None, None)


class TestSection2A3hYardSales:
    def sale(self, **changes):
        return southampton(**{**YARD_SALE, "on": "2026-04-01", **changes})

    def test_three_days_from_7_to_18_on_the_dwellings_lot_are_exempt(self):
        found = self.sale()
        assert (found.permit, found["sh.exempt"], found["sh.yard_sale"]) == (False, "met", "met")

    @pytest.mark.parametrize(
        "change",
        [
            {"yard_sale__days": ["2026-06-04", "2026-06-05", "2026-06-06", "2026-06-07"]},
            {"yard_sale__hours": ["06:59", "18:00"]},
            {"yard_sale__hours": ["07:00", "18:01"]},
            {"yard_sale__own_goods_only": False},
            {"yard_sale__on_dwelling_lot": False},
        ],
    )
    def test_one_condition_failed_is_not_exempt(self, change):
        found = self.sale(**change)
        assert (found.permit, found["sh.yard_sale"]) == (True, "not_met")

    @pytest.mark.parametrize("key", ["days", "hours", "own_goods_only", "on_dwelling_lot"])
    def test_what_is_not_said_is_asked(self, key):
        found = self.sale(**{f"yard_sale__{key}": None})
        assert (found.permit, found["sh.yard_sale"]) == (None, "decide")
        assert f"yard_sale.{key}" in found.asked

    def test_a_day_that_is_not_within_the_event_is_a_contradiction(self):
        august = {"event__starts": "2026-08-16T07:00:00", "event__ends": "2026-08-16T18:00:00"}
        assert "answers_conflict" in self.sale(yard_sale__days=["2026-06-06", "2026-09-05"], **august).codes
        assert "answers_conflict" not in self.sale(yard_sale__days=["2026-08-16"], **august).codes

    def test_a_sale_on_no_day_at_all_is_asked_for_its_days(self):
        assert self.sale(yard_sale__days=[])["sh.yard_sale"] == "decide"

    def test_no_more_than_12_days_a_year(self):
        days = [f"2026-{month:02}-{day:02}" for month in (3, 4, 10, 11) for day in (7, 14, 21)]
        assert self.sale(yard_sale__days=days)["sh.yard_sale"] == "met"
        assert self.sale(yard_sale__days=[*days, "2026-11-28"])["sh.yard_sale"] == "not_met"

    def test_no_more_than_6_days_in_summer_both_holidays_counted(self):
        days = ["2026-05-25", "2026-06-13", "2026-06-20", "2026-07-11", "2026-08-08", "2026-09-07"]
        found = self.sale(yard_sale__days=days)
        assert found["sh.yard_sale"] == "met"
        assert "reading:summer" in found.findings["sh.yard_sale"]["review"]
        assert self.sale(yard_sale__days=[*days, "2026-08-22"])["sh.yard_sale"] == "not_met"
        assert self.sale(yard_sale__days=[*days, "2026-05-24", "2026-09-08"])["sh.yard_sale"] == "met"

    def test_days_of_two_years_are_counted_apart(self):
        days = [f"2026-{month:02}-{day:02}" for month in (3, 4, 10, 11) for day in (7, 14, 21)]
        assert self.sale(yard_sale__days=[*days, "2027-03-07"])["sh.yard_sale"] == "met"

    def test_earlier_sales_in_the_record_count_on_the_same_property(self):
        record = [permit(None, "2026-06-03", ends="2026-06-04", kind="yard_sale")]
        assert self.sale(history=record)["sh.yard_sale"] == "not_met"  # five days in a row


class TestSection2B:
    def test_90_days_before_are_in_time(self):
        assert southampton(event__filed="2026-05-18")["sh.file90"] == "met"

    def test_a_later_filing_is_no_bar_and_must_be_decided(self):
        found = southampton(event__filed="2026-05-19")
        assert (found["sh.file90"], found.allowed) == ("decide", None)

    def test_of_a_late_parade_it_says_that_the_text_has_no_late_rule(self):
        found = southampton(event__kind="parade", event__filed="2026-05-19", parade__closes_highway=False)
        assert found["sh.file90"] == "decide"
        assert "no rule on late filing" in found.findings["sh.file90"]["text"]

    def test_without_a_filing_date_it_is_a_question(self):
        found = southampton(event__filed=None)
        assert (found["sh.file90"], found.allowed) == ("decide", None)
        assert "event.filed" in found.asked

    @pytest.mark.parametrize("rule", ["contents", "incomplete"])
    def test_the_rest_is_a_reminder(self, rule):
        assert southampton()[f"sh.{rule}"] == "remind"
