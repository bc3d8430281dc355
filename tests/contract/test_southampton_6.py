"""Chapter 283 of the Town of Southampton: 283-6, the permit and its caps."""

import pytest
from southampton_cases import PRIVATE, TWO, permit, southampton


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
