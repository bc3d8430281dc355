"""Chapter 283 of the Town of Southampton, section by section."""

import pytest
from law_toys import ask

from geonotice.ordinance.load import profile_bytes

ISSUED = {"night": False, "charitable": False, "status": "issued"}


def southampton(*, facts=None, history=(), on="2026-06-01", **answers):
    changes = {key.replace("__", "."): value for key, value in answers.items()}
    return ask("southampton", changes, facts=facts, history=history, on=on)


def persons(number, **more):
    return {"event__persons_at_once": number, "event__persons_total": number, "event__persons_outdoors": number, **more}


def permit(issued, starts, **more):
    return {**ISSUED, "issued": issued, "starts": starts, **more}


TWO = (permit("2026-02-01", "2026-06-06"), permit("2026-03-01", "2026-07-04"))
PRIVATE = {"applicant__charitable": False, "benefit__primarily_benefits_applicant": False}
YARD_SALE = {
    "event__kind": "yard_sale",
    "yard_sale__days": ["2026-06-05", "2026-06-06", "2026-06-07"],
    "yard_sale__hours": ["07:00", "18:00"],
    "yard_sale__own_goods_only": True,
    "yard_sale__on_dwelling_lot": True,
}


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


class TestSection6A:
    @pytest.mark.parametrize(
        ("profit", "donation", "status"),
        [
            (False, False, "met"),
            (True, True, "met"),
            (True, False, "not_met"),
            (None, True, "met"),
            (False, None, "met"),
            (None, False, "decide"),
            (True, None, "decide"),
            (None, None, "decide"),
        ],
    )
    def test_1_private_profit_without_a_substantial_donation(self, profit, donation, status):
        found = southampton(benefit__private_profit=profit, benefit__substantial_donation=donation)
        assert found["sh.profit"] == status
        assert found.allowed is {"met": True, "not_met": False, "decide": None}[status]

    def test_2_advertising_goods_but_for_farmers_markets(self):
        assert southampton(benefit__advertises_goods=True)["sh.advertise"] == "not_met"
        assert southampton(benefit__advertises_goods=True, event__kind="farmers_market")["sh.advertise"] == "met"
        assert southampton(benefit__advertises_goods=None)["sh.advertise"] == "decide"
        assert southampton(benefit__advertises_goods=None, event__kind="farmers_market")["sh.advertise"] == "met"

    @pytest.mark.parametrize(
        ("sale", "owner", "status"),
        [
            (False, "private", "met"),
            (True, "private", "not_met"),
            (True, "municipality", "met"),
            (True, "charity_or_nonprofit", "met"),
            (None, "municipality", "met"),
            (None, "private", "decide"),
            (True, None, "decide"),
        ],
    )
    def test_3_outdoor_sale_of_goods_or_services(self, sale, owner, status):
        found = southampton(benefit__outdoor_sale_of_goods=sale, benefit__sale_premises_owner=owner)
        assert found["sh.outdoor_sale"] == status

    def test_3_a_farmers_market_on_private_land_must_be_decided(self):
        found = southampton(event__kind="farmers_market", benefit__outdoor_sale_of_goods=True)
        assert (found["sh.outdoor_sale"], found.allowed) == ("decide", None)
        assert "reading:farmers_market_on_private_land" in found.findings["sh.outdoor_sale"]["review"]

    def test_4_outstanding_violations_or_unsatisfied_conditions(self):
        assert southampton(premises__outstanding_violations=True)["sh.violations"] == "not_met"
        assert southampton(premises__unsatisfied_conditions=True)["sh.violations"] == "not_met"
        assert (
            southampton(premises__unsatisfied_conditions=True, premises__outstanding_violations=None)["sh.violations"]
            == "not_met"
        )
        assert southampton(premises__outstanding_violations=None)["sh.violations"] == "decide"

    def test_5_certificates_of_occupancy(self):
        assert southampton(premises__certificates_of_occupancy=False)["sh.co"] == "not_met"
        assert southampton(premises__certificates_of_occupancy=None)["sh.co"] == "decide"

    @pytest.mark.parametrize(
        ("facts", "status"),
        [
            ({"zone": "residential"}, "not_met"),
            ({"zone": "residential", "municipal_owner": True, "adjacent_lirr": None}, "met"),
            ({"zone": "residential", "adjacent_state_or_county_road": True, "municipal_owner": None}, "met"),
            ({"zone": "residential", "adjacent_lirr": True}, "met"),
            ({"zone": "residential", "adjacent_lirr": None}, "decide"),
            ({"zone": "residential", "municipal_owner": None}, "decide"),
            ({"zone": "other"}, "met"),
            ({"zone": "split"}, "decide"),
            ({"zone": "split", "adjacent_lirr": True}, "met"),
            ({"zone": "undetermined"}, "decide"),
            ({"zone": "undetermined", "municipal_owner": True}, "met"),
        ],
    )
    def test_6_carnival_rides_on_a_residential_lot(self, facts, status):
        assert southampton(site__rides=True, facts=facts)["sh.carnival"] == status

    def test_6_without_rides_it_does_not_apply_and_unanswered_it_is_asked(self):
        assert southampton(facts={"zone": "residential"})["sh.carnival"] is None
        found = southampton(site__rides=None, facts={"zone": "residential"})
        assert (found["sh.carnival"], found.allowed) == ("decide", None)
        assert "site.rides" in found.asked

    @pytest.mark.parametrize("light", ["search", "strobe", "laser", "revolving"])
    def test_7_lights(self, light):
        assert southampton(site__lights=["ordinary", light])["sh.lights"] == "not_met"

    def test_7_ordinary_lights_are_no_matter_and_unanswered_ones_are_asked_for(self):
        assert southampton(site__lights=["ordinary"])["sh.lights"] == "met"
        assert southampton(site__lights=None)["sh.lights"] == "decide"

    def test_8_a_benefit_to_a_local_charity(self):
        assert southampton(benefit__charity_local=False)["sh.charity_benefit"] == "not_met"
        assert southampton(benefit__charity_local=None)["sh.charity_benefit"] == "decide"
        # A charity left out means that there is none.
        assert southampton(benefit__charity=None, benefit__charity_local=None)["sh.charity_benefit"] == "not_met"


class TestSection6B:
    def test_1a_two_permits_a_year_in_a_residential_district(self):
        at_home = {"facts": {"zone": "residential"}, **PRIVATE}
        assert southampton(**at_home, history=TWO[:1])["sh.cap_residential"] == "met"
        found = southampton(**at_home, history=TWO)
        assert (found["sh.cap_residential"], found["sh.cap_other"], found.allowed) == ("not_met", None, False)

    def test_1b_a_third_for_a_charity_that_it_primarily_benefits(self):
        assert southampton(facts={"zone": "residential"}, history=TWO)["sh.cap_residential"] == "met"
        other = southampton(facts={"zone": "residential"}, history=TWO, benefit__primarily_benefits_applicant=False)
        assert other["sh.cap_residential"] == "not_met"
        unknown = southampton(facts={"zone": "residential"}, history=TWO, applicant__charitable=None)
        assert unknown["sh.cap_residential"] == "decide"
        assert "applicant.charitable" in unknown.asked

    def test_2_three_events_a_year_elsewhere_and_on_split_zoned_parcels(self):
        for zone in ("other", "split"):
            assert southampton(facts={"zone": zone}, history=TWO)["sh.cap_other"] == "met"
            three = [*TWO, permit("2026-01-05", "2026-05-02")]
            assert southampton(facts={"zone": zone}, history=three)["sh.cap_other"] == "not_met"

    def test_2_only_one_at_night(self):
        record = [permit("2026-02-01", "2026-06-06", night=True)]
        assert southampton(history=record)["sh.cap_other"] == "met"
        assert southampton(history=record, event__night=True)["sh.cap_other"] == "not_met"
        found = southampton(history=record, event__night=None)
        assert (found["sh.cap_other"], found.allowed) == ("decide", None)
        assert "event.night" in found.asked

    def test_a_district_that_is_not_known_is_never_taken_for_another(self):
        nowhere = {"facts": {"zone": "undetermined"}, **PRIVATE}
        found = southampton(**nowhere, history=TWO)
        assert (found["sh.cap_residential"], found["sh.cap_other"]) == ("decide", "decide")
        assert "facts.zone" in found.asked
        assert southampton(**nowhere)["sh.cap_residential"] == "met"

    @pytest.mark.parametrize("owner", ["educational", "museum", "emergency_medical", "fire", "nonprofit_civic_or_similar"])
    def test_exempt_owners_have_no_cap(self, owner):
        full = [*TWO, permit("2026-01-05", "2026-05-02")]
        found = southampton(history=full, facts={"zone": "residential"}, premises__owned_entirely_by=owner)
        assert (found["sh.cap_exempt"], found["sh.cap_residential"], found.allowed) == ("met", None, True)

    def test_municipal_owners_are_not_named(self):
        found = southampton(history=TWO, facts={"zone": "residential"}, premises__owned_entirely_by="municipality", **PRIVATE)
        assert (found["sh.cap_exempt"], found["sh.cap_residential"]) == (None, "not_met")

    def test_an_owner_that_is_not_stated_is_asked_for_where_it_matters(self):
        at_home = {"facts": {"zone": "residential"}, "premises__owned_entirely_by": None, **PRIVATE}
        found = southampton(**at_home, history=TWO)
        assert (found["sh.cap_residential"], found.allowed) == ("decide", None)
        assert "premises.owned_entirely_by" in found.asked
        assert southampton(**at_home)["sh.cap_residential"] == "met"

    def test_exempt_owners_are_free_of_the_caps_only_and_the_other_reading_is_named(self):
        found = southampton(premises__owned_entirely_by="museum", site__lights=["laser"])
        assert (found["sh.lights"], found.allowed) == ("not_met", False)
        assert "other_reading" in found.findings["sh.lights"]["review"]

    def test_an_event_that_is_exempt_does_not_count(self):
        found = southampton(event__kind="wedding", event__wedding_of="owner", facts={"zone": "residential"}, history=TWO)
        assert (found["sh.cap_residential"], found.allowed) == (None, True)

    def test_distinct_events_count_each(self):
        found = southampton(facts={"zone": "residential"}, history=TWO[:1], event__distinct_events=2, **PRIVATE)
        assert (found["sh.cap_residential"], found["sh.simultaneous"]) == ("not_met", "not_met")
        unknown = southampton(event__distinct_events=None)
        assert (unknown["sh.cap_other"], unknown.allowed) == ("decide", None)

    def test_where_the_district_is_not_known_each_cap_tells_of_its_own_count(self):
        found = southampton(facts={"zone": "undetermined"}, history=TWO, **PRIVATE)
        residential, other = (found.findings[rule] for rule in ("sh.cap_residential", "sh.cap_other"))
        assert (residential["status"], other["status"], found.allowed) == ("decide", "decide", None)
        assert "residential district: 2 of 2 permits issued in 2026" in residential["text"]
        assert "another district: 2 of 3 events in 2026, 0 of 1 at night" in other["text"]
        assert [item["facts"]["cap"] for item in (residential, other)] == [2, 3]

    def test_a_permit_of_the_record_that_does_not_say_whether_it_was_at_night_is_asked_about(self):
        found = southampton(event__night=True, history=[permit("2026-02-01", "2026-06-06", night=None)])
        assert (found["sh.cap_other"], found.asked) == ("decide", {"facts.permit_record"})

    def test_what_the_cap_turns_on_is_said_in_words(self):
        found = southampton(facts={"zone": "residential"}, history=TWO, benefit__primarily_benefits_applicant=None)
        assert "whether its primary purpose is to benefit the applicant" in found.findings["sh.cap_residential"]["text"]


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
        assert len(found.findings) + len(found.aside) == 58
        assert all(found.aside.values())
