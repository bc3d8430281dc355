"""How a check treats what is not known, what is read otherwise, and what it is given badly."""

from dataclasses import replace
from datetime import date

import pytest
from law_toys import ask, event_of

from geonotice.config.read_application import event_from_data
from geonotice.decide.cap_count import PastPermit, PropertyHistory
from geonotice.decide.case import Layout, PremisesFacts, Structure, all_of, any_of
from geonotice.decide.check import check, grouped
from geonotice.decide.stated_case import check_case
from geonotice.errors import EventFileError, OrdinanceError
from geonotice.ordinance.load import load_profile, profile_bytes
from geonotice.ordinance.profile import GROUPS


@pytest.mark.parametrize(
    ("values", "and_", "or_"),
    [
        ((True, True), True, True),
        ((True, None), None, True),
        ((False, None), False, None),
        ((None,), None, None),
        ((), True, False),
    ],
)
def test_three_valued_logic(values, and_, or_):
    assert (all_of(values), any_of(values)) == (and_, or_)


def test_a_check_that_this_version_lacks_is_an_error_and_no_reminder():
    profile = load_profile("italy")
    rules = tuple(replace(rule, check="turnout") if rule.check == "parking" else rule for rule in profile.rules)
    event = event_from_data(event_of("italy", {}), file="event")
    with pytest.raises(OrdinanceError, match="names the check 'turnout', which this version of geonotice does not know"):
        check(replace(profile, rules=rules), event, PremisesFacts(), on=date(2026, 6, 1))


class TestAnEmptyEventFile:
    @pytest.mark.parametrize("name", ["italy", "southampton"])
    def test_decides_nothing_and_asks_for_what_it_needs(self, name):
        result = check_case({"ordinance": name, "on": "2026-06-01", "event": {}, "parcel_facts": {}, "history": []})
        assert (result["permit_required"], result["allowed"]) == (None, None)
        assert {item["status"] for item in result["findings"]} <= {"decide", "remind", "met"}
        asked = {text.partition(":")[0] for text in result["missing"]}
        assert {"event.kind", "event.sponsor"} <= asked

    @pytest.mark.parametrize("name", ["italy", "southampton"])
    def test_applies_or_sets_aside_every_rule_once(self, name):
        result = check_case({"ordinance": name, "on": "2026-06-01", "event": {}, "parcel_facts": {}, "history": []})
        found = [item["rule"] for item in [*result["findings"], *result["not_applicable"]]]
        assert sorted(found) == sorted(rule.id for rule in load_profile(name).every_rule)


class TestOtherReadings:
    """A town that reads an open question otherwise says so in a profile of its own."""

    def profile(self, tmp_path, name, *changes):
        text = profile_bytes(name)[0].decode()
        for setting, value in changes:
            head, tail = text.split(f"[settings.{setting}]")
            start = tail.index("value = ")
            end = tail.index("\n", start)
            text = f'{head}[settings.{setting}]{tail[:start]}value = "{value}"{tail[end:]}'
        (tmp_path / "own.toml").write_text(text)
        return str(tmp_path / "own.toml")

    def test_the_prohibitions_can_reach_exempt_events(self, tmp_path):
        own = self.profile(tmp_path, "southampton", ("prohibitions_reach_exempt", "yes"))
        wedding = {"event.kind": "wedding", "event.wedding_of": "owner", "benefit.charity_local": False}
        found = ask("southampton", wedding, profile=own)
        assert (found.permit, found.allowed, found["sh.charity_benefit"], found["sh.file90"]) == (False, False, "not_met", None)

    def test_exempt_owners_can_be_free_of_the_whole_section(self, tmp_path):
        own = self.profile(tmp_path, "southampton", ("exempt_owners_reach", "whole_section"))
        museum = {"premises.owned_entirely_by": "museum", "site.lights": ["laser"]}
        found = ask("southampton", museum, profile=own)
        assert (found["sh.lights"], found.allowed) == (None, True)
        unknown = ask("southampton", {**museum, "premises.owned_entirely_by": None}, profile=own)
        assert (unknown["sh.lights"], unknown.allowed) == ("decide", None)

    @pytest.mark.parametrize(("value", "status"), [("allowed", "met"), ("prohibited", "not_met")])
    def test_farmers_markets_on_private_land(self, tmp_path, value, status):
        own = self.profile(tmp_path, "southampton", ("farmers_market_on_private_land", value))
        market = {"event.kind": "farmers_market", "benefit.outdoor_sale_of_goods": True}
        assert ask("southampton", market, profile=own)["sh.outdoor_sale"] == status

    @pytest.mark.parametrize(("value", "status"), [("residential", "not_met"), ("other", "met")])
    def test_rides_on_split_zoned_parcels(self, tmp_path, value, status):
        own = self.profile(tmp_path, "southampton", ("split_zoned_rides", value))
        assert ask("southampton", {"site.rides": True}, facts={"zone": "split"}, profile=own)["sh.carnival"] == status

    def test_split_zoned_parcels_without_the_notice(self, tmp_path):
        own = self.profile(tmp_path, "southampton", ("split_zoned_notice", "other"))
        assert ask("southampton", facts={"zone": "split"}, profile=own)["sh.notice_residential"] is None

    def test_summer_without_the_two_holidays(self, tmp_path):
        own = self.profile(tmp_path, "southampton", ("summer", "both_excluded"))
        sale = {
            "event.kind": "yard_sale", "yard_sale.hours": ["09:00", "16:00"], "yard_sale.own_goods_only": True,
            "yard_sale.on_dwelling_lot": True,
            "yard_sale.days": ["2026-05-25", "2026-06-13", "2026-06-20", "2026-07-11", "2026-08-08", "2026-08-22", "2026-09-07"],
        }  # fmt: skip
        assert ask("southampton", sale, profile=own)["sh.yard_sale"] == "met"
        assert ask("southampton", sale)["sh.yard_sale"] == "not_met"

    def test_the_year_of_a_residential_permit(self, tmp_path):
        own = self.profile(tmp_path, "southampton", ("cap_year_residential", "starts"))
        record = [
            {"issued": f"2025-12-1{n}", "starts": f"2026-0{n + 5}-06", "night": False, "charitable": False, "status": "issued"}
            for n in range(2)
        ]
        private = {"applicant.charitable": False, "benefit.primarily_benefits_applicant": False}
        at_home = {"facts": {"zone": "residential"}, "history": record}
        found = ask("southampton", private, **at_home)
        assert found["sh.cap_residential"] == "met"
        assert "other_reading" in found.findings["sh.cap_residential"]["review"]
        assert ask("southampton", private, profile=own, **at_home)["sh.cap_residential"] == "not_met"

    @pytest.mark.parametrize(("value", "permit"), [("outdoors_at_once", False), ("all_persons", True)])
    def test_persons_in_the_aggregate(self, tmp_path, value, permit):
        own = self.profile(tmp_path, "italy", ("aggregate", value))
        assert ask("italy", {"event.persons_outdoors": 400}, profile=own).permit is permit

    def test_a_fire_company_of_another_town(self, tmp_path):
        own = self.profile(tmp_path, "italy", ("fire_company_of_another_town", "not_exempt"))
        foreign = {"event.sponsor": "volunteer_fire_company", "event.sponsor_in_control": True, "event.sponsor_local": False}
        assert ask("italy", foreign, profile=own).permit is True

    @pytest.mark.parametrize(("value", "status"), [("extends", "not_met"), ("does_not_extend", None)])
    def test_the_small_hours(self, tmp_path, value, status):
        own = self.profile(tmp_path, "italy", ("overnight", value))
        assert ask("italy", {"event.ends": "2026-08-17T02:00:00"}, profile=own)["italy.camping"] == status

    def test_the_persons_who_need_parking(self, tmp_path):
        own = self.profile(tmp_path, "italy", ("parking_persons", "total"))
        assert ask("italy", {"event.persons_total": 4000}, profile=own)["italy.parking"] == "not_met"


class TestTheAnnualCap:
    def test_a_full_year_says_from_when_on_a_permit_could_be_issued(self):
        record = [{"issued": f"2026-0{n}-01", "starts": "2026-07-04", "night": False, "status": "issued"} for n in (1, 2, 3)]
        found = ask("southampton", facts={"zone": "residential"}, history=record).findings["sh.cap_residential"]
        assert found["status"] == "not_met"
        assert found["facts"]["next_date"] == "2027-01-01"
        elsewhere = ask("southampton", facts={"zone": "other"}, history=record).findings["sh.cap_other"]
        assert elsewhere["facts"]["next_date"] == "2027-01-01"


class TestSiting:
    def result(self, layout, *, districts=(), profile=None):
        event = event_from_data(event_of("italy" if profile is None else "southampton", {}), file="event")
        facts = PremisesFacts(zone="other", layout=layout, districts=districts)
        return check(profile or load_profile("italy"), event, facts, on=date(2026, 6, 1))

    def test_a_parking_area_that_is_too_small_for_the_cars_must_be_decided(self):
        found = self.result(Layout(parking_sq_ft=59_999)).finding("italy.parking")
        assert (found.status, found.facts["cars_that_fit"]) == ("decide", 199)
        assert self.result(Layout(parking_sq_ft=60_000)).finding("italy.parking").status == "met"

    def test_setbacks_the_table_does_not_have_must_be_decided(self):
        layout = Layout(structures=(Structure(what="stage", front_ft=30.0, district="OSC"),))
        result = self.result(layout, profile=load_profile("southampton"))
        found = result.finding("sh.setbacks")
        assert (found.status, found.review) == ("decide", ("no_dimensions",))
        assert [key.partition(":")[0] for key in result.missing] == ["facts.yards"]

    def test_where_no_district_is_known_it_is_the_district_that_is_asked_for(self):
        layout = Layout(structures=(Structure(what="stage", front_ft=30.0),))
        result = self.result(layout, profile=load_profile("southampton"))
        assert "facts.zone" in [key.partition(":")[0] for key in result.missing]

    def test_the_yards_of_a_source_that_nobody_verified_are_said_to_be_so(self):
        near = Layout(structures=(Structure(what="stage", front_ft=30.0, district="CR-40"),))
        found = self.result(near, profile=load_profile("southampton")).finding("sh.setbacks")
        assert found.review == ("inside_setback", "unverified_yards")
        assert "The yards of CR-40 are not verified: they are those of the Town's own map viewer as of 2016" in found.text

    @pytest.mark.parametrize(("left", "right", "kept"), [(20.0, 40.0, True), (20.0, 39.0, False), (30.0, 30.0, True)])
    def test_both_side_yards_together_are_held_against_their_own_width(self, left, right, kept):
        one = Structure(what="tent", side_ft=min(left, right), both_sides_ft=left + right, district="R-40")
        found = self.result(Layout(structures=(one,)), profile=load_profile("southampton")).finding("sh.setbacks")
        said = [] if kept else ["tent stands 59.0 ft from both side lines together, 60 ft are the setback"]
        assert found.facts["inside"] == said

    def test_a_structure_inside_a_setback_is_named_with_its_distance(self):
        own = load_profile("southampton")
        near = Layout(structures=(Structure(what="stage", front_ft=59.9, side_ft=20.0, district="CR 40"),))
        found = self.result(near, profile=own).finding("sh.setbacks")
        assert found.status == "remind"
        assert found.facts["inside"] == ["stage stands 59.9 ft from the front line, 60 ft are the setback"]
        far = Layout(structures=(Structure(what="stage", front_ft=60.0, district="CR-40"),))
        assert self.result(far, profile=own).finding("sh.setbacks").facts["inside"] == []


class TestTheCaseForm:
    def case(self, **changes):
        return {
            "ordinance": "italy",
            "on": "2026-06-01",
            "event": event_of("italy", {}),
            "parcel_facts": {},
            "history": [],
            **changes,
        }

    def test_unknown_keys_and_wrong_values_are_refused_all_at_once(self):
        case = self.case(
            event={"event": {"kined": "party"}},
            parcel_facts={"zone": "urban", "colour": 1},
            history=[{"stat": 1}],
            on="soon",
            extra=1,
        )
        with pytest.raises(EventFileError) as caught:
            check_case(case)
        keys = {fault.key for fault in caught.value.faults}
        assert keys == {"extra", "parcel_facts.colour", "parcel_facts.zone", "history[0].stat", "on", "event.kined"}

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            # Taken as a list, a text would be a street, or a village's clerk, for each of its letters.
            ("within_500_ft_of", "Village of Elm"),
            ("streets_abutted", "Mill Road"),
            ("streets_abutted", [1]),
            ("in_village", True),
            ("municipal_owner", "no"),
            ("area_sq_ft", "two acres"),
        ],
    )
    def test_a_fact_of_the_wrong_sort_is_refused_never_bent(self, key, value):
        with pytest.raises(EventFileError, match=f"parcel_facts.{key}"):
            check_case(self.case(parcel_facts={key: value}))

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("night", "yes"),
            ("charitable", "no"),
            ("distinct_events", 0),
            ("distinct_events", "two"),
            ("kind", "parrade"),
            ("issued", "2026-01-12 or so"),
            ("ends", "2026-05-01"),
            ("parcels", "1.00-1-1"),
        ],
    )
    def test_a_permit_of_the_wrong_sort_is_refused(self, key, value):
        permit = {"issued": "2026-01-12", "starts": "2026-05-02", "night": False, "status": "issued", key: value}
        with pytest.raises(EventFileError, match=rf"history\[0\].{key}"):
            check_case(self.case(history=[permit]))

    @pytest.mark.parametrize(
        "wrong", [{"history": {"issued": "2026-01-12"}}, {"history": ["2026-01-12"]}, {"parcel_facts": [1]}, {"event": [1]}]
    )
    def test_a_list_for_a_table_and_a_table_for_a_list_are_refused(self, wrong):
        with pytest.raises(EventFileError, match="is meant"):
            check_case(self.case(**wrong))

    def test_a_permit_may_be_stated_with_the_columns_the_register_writes(self):
        permit = {
            "number": 7, "kind": "festival", "applicant": "A. Able", "charitable": True, "primarily_benefits_applicant": True,
            "distinct_events": 1, "issued": "2026-01-12", "starts": "2026-05-02T20:00:00", "ends": "2026-05-02", "night": True,
            "persons": 40, "status": "issued",
        }  # fmt: skip
        assert ask("southampton", {"event.night": True}, history=[permit])["sh.cap_other"] == "not_met"

    def test_a_table_that_is_null_states_nothing(self):
        assert check_case(self.case(event={"benefit": None, "denial": None})) == check_case(self.case(event={}))

    def test_an_ordinance_that_is_none_is_refused(self):
        with pytest.raises(OrdinanceError, match="atlantis"):
            check_case(self.case(ordinance="atlantis"))

    def test_a_case_without_a_day_is_refused(self):
        case = self.case()
        del case["on"]
        with pytest.raises(EventFileError, match="is taken as today"):
            check_case(case)


class TestAnswersThatConflict:
    def test_fewer_persons_in_all_than_at_once_is_said(self):
        assert "answers_conflict" in ask("italy", {"event.persons_total": 10}).codes

    def test_a_private_sale_on_land_the_roll_calls_municipal_must_be_decided(self):
        found = ask("southampton", {"benefit.outdoor_sale_of_goods": True}, facts={"municipal_owner": True})
        assert found["sh.outdoor_sale"] == "decide"


def test_findings_are_grouped_under_the_questions_in_order():
    event = event_from_data(event_of("italy", {}), file="event")
    groups = grouped(check(load_profile("italy"), event, PremisesFacts(zone="other"), on=date(2026, 6, 1)))
    assert list(groups) == [title for title in GROUPS.values() if title != "How many this year"]
    assert [item.rule for item in groups["Is a permit needed"]] == ["italy.scope", "italy.permit"]


class TestTheRegisterOfSeveralParcels:
    def test_a_permit_that_covered_two_of_them_is_one_permit(self):
        rained_off = PastPermit(issued=date(2025, 5, 1), starts=date(2025, 7, 4), status="rescinded", number="2025-0007")
        both = [PropertyHistory(parcel=number, zone="other", permits=(rained_off,)) for number in ("1-1-1", "1-1-2")]
        event = event_from_data(event_of("southampton", {}), file="event.toml")
        result = check(
            load_profile("southampton"), event, PremisesFacts(zone="other"), (), on=date(2026, 6, 1), properties=tuple(both)
        )
        (found,) = [item for item in result.findings if item.rule == "sh.history3y"]
        assert found.facts["rescinded"] == 1
        assert found.text.endswith("Permits rescinded since Thursday, June 1, 2023: 1.")
