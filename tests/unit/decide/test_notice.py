"""Who is notified: the notice rules applied to measured relations."""

import dataclasses

import pytest
from msgspec.structs import replace

from geonotice.decide.notice import ParcelFacts, apply_overrides, decide_notice
from geonotice.errors import UsageError
from geonotice.model import Told
from geonotice.ordinance.load import load_profile
from geonotice.ordinance.profile import Band, Citation, Notice, Profile, Reading, Rule


def facts(fid, distance_ft, **more):
    return ParcelFacts(fid=fid, id=str(fid), swis="572400", situs="", distance_ft=distance_ft, **more)


def decide(profile, occasion, parcels, *, zone="undetermined", borderline="mail", straight_across="mail"):
    return decide_notice(
        profile,
        occasion,
        parcels,
        zone=zone,
        borderline_ft=5,
        borderline=borderline,
        straight_across=straight_across,
        near_miss_ft=50,
    )


def mail(told):
    return {fid: one.mail for fid, one in told.items()}


def reading(profile, name, value):
    return dataclasses.replace(
        profile, settings={**profile.settings, name: dataclasses.replace(profile.settings[name], value=value)}
    )


def profile_of(*notices):
    rules = tuple(
        Rule(f"x.{n}", "distance_notice", "", Citation(chapter="Chapter X", section=str(n), words=("words",)), notice=notice)
        for n, notice in enumerate(notices)
    )
    return Profile(id="x", town="Town of X", county="County", status="complete", chapter="Chapter X", source="", rules=rules)


@pytest.fixture(scope="module")
def italy():
    return load_profile("italy")


@pytest.fixture(scope="module")
def southampton():
    return load_profile("southampton")


class TestDoubtfullyOpposite:
    """Lots straight across that the extended lot lines do not meet, and lots that they barely meet: mailed, unless the town wants to be asked."""

    parcels = (
        facts(1, 50.0, opposite_ft=90.0),
        facts(2, 51.0, opposite_ft=1.9, review=("borderline",)),
        facts(3, 52.0, across_ft=60.0, review=("straight_across",)),
        facts(4, 0.0, shared_ft=80.0, opposite_ft=1.2, review=("borderline",)),
    )

    def test_they_are_opposite_and_mailed(self, southampton):
        made = decide(southampton, "appeal", self.parcels, zone="other")
        assert mail(made.owners) == dict.fromkeys((1, 2, 3, 4), "certified")
        three = next(parcel for parcel in made.parcels if parcel.fid == 3)
        assert (three.relation, three.opposite_ft, three.across_ft, three.review) == (
            "opposite",
            None,
            60.0,
            ("straight_across",),
        )

    @pytest.mark.parametrize(
        ("setting", "held", "code"), [("borderline", 2, "borderline_ask"), ("straight_across", 3, "straight_across_ask")]
    )
    def test_each_setting_asks_for_its_own(self, southampton, setting, held, code):
        made = decide(southampton, "appeal", self.parcels, zone="other", **{setting: "ask"})
        assert mail(made.owners) == {**dict.fromkeys((1, 2, 3, 4), "certified"), held: "none"}
        assert [(warning.code, warning.parcels) for warning in made.warnings] == [(code, (str(held),))]

    def test_within_a_rule_s_own_distance_nothing_is_asked(self):
        rule = Notice(occasion="hearing", recipients=("owners",), relations=("opposite",), distance_ft=200.0, mail="certified")
        made = decide(profile_of(rule), "hearing", [self.parcels[1]], borderline="ask")
        assert mail(made.owners) == {2: "certified"}


class TestItalyParagraphC:
    """Owners and residents of property within 1,000 feet of the nearest property line of the premises."""

    def test_at_exactly_1000_feet_is_within_and_not_borderline(self, italy):
        made = decide(italy, "hearing", [facts(1, 1000.0)])
        assert [(p.id, p.relation, p.review, p.rule) for p in made.parcels] == [("1", "within", (), "italy.notice1000")]

    def test_the_distance_is_compared_before_it_is_rounded(self, italy):
        made = decide(italy, "hearing", [facts(1, 1000.0001)])
        assert made.parcels[0].review == ("borderline",)

    def test_up_to_five_feet_beyond_is_borderline_and_mailed(self, italy):
        made = decide(italy, "hearing", [facts(1, 1005.0), facts(2, 1005.01)])
        assert [(p.id, p.review) for p in made.parcels] == [("1", ("borderline",))]
        assert mail(made.owners) == {1: "first_class"}

    def test_a_town_may_ask_instead_of_mailing_the_borderline(self, italy):
        made = decide(italy, "hearing", [facts(1, 1003.0), facts(2, 10.0)], borderline="ask")
        assert mail(made.owners) == {1: "none", 2: "first_class"}
        assert [warning.code for warning in made.warnings] == ["borderline_ask"]
        assert made.warnings[0].parcels == ("1",)

    def test_up_to_fifty_feet_beyond_that_is_a_near_miss_and_never_mailed(self, italy):
        made = decide(italy, "hearing", [facts(1, 1055.0), facts(2, 1055.01), facts(3, 1006.0)])
        assert made.parcels == ()
        assert [(miss.id, miss.distance_ft) for miss in made.near_misses] == [("3", 1006.0), ("1", 1055.0)]

    def test_residents_are_told_too(self, italy):
        assert decide(italy, "hearing", [facts(1, 0.0), facts(2, 2000.0)]).residents.keys() == {1}

    def test_the_notice_is_required_whatever_the_zoning(self, italy):
        assert decide(italy, "hearing", [], zone="other").required == "yes"

    def test_an_abutting_parcel_is_abutting_and_also_within_and_stands_in_the_schedule(self, italy):
        made = decide(
            italy, "hearing", [facts(1, 0.0, shared_ft=200.0), facts(2, 0.0, corner=True), facts(3, 60.0, opposite_ft=80.0)]
        )
        assert [(p.relation, p.also) for p in made.parcels] == [
            ("abutting", ("within",)),
            ("corner", ("within",)),
            ("opposite", ("within",)),
        ]
        assert made.schedule == (1, 2)

    def test_parcels_are_sorted_by_distance_then_key(self, italy):
        made = decide(italy, "hearing", [facts(3, 7.0), facts(2, 0.0), facts(1, 7.0)])
        assert [p.id for p in made.parcels] == ["2", "1", "3"]


class TestSouthampton283:
    """Owners of parcels abutting and directly opposite, by extension of lot lines through a street or right-of-way."""

    parcels = (facts(1, 0.0, shared_ft=100.0), facts(2, 0.0, corner=True), facts(3, 50.0, opposite_ft=50.0), facts(4, 60.0))

    def test_abutting_corner_and_opposite_are_recipients_of_the_appeal_by_certified_mail(self, southampton):
        made = decide(southampton, "appeal", self.parcels, zone="other")
        assert [p.relation for p in made.parcels] == ["abutting", "corner", "opposite"]
        assert set(mail(made.owners).values()) == {"certified"}
        assert made.required == "yes"
        assert not made.residents

    @pytest.mark.parametrize(
        ("zone", "required", "code"),
        [
            ("residential", "on_demand", "on_demand"),
            ("split", "on_demand", "split_zoned"),
            ("other", "no", "not_residential"),
            ("undetermined", "decide", "zone_undetermined"),
        ],
    )
    def test_the_filing_notice_is_due_only_in_a_residential_district_and_the_list_is_made_all_the_same(
        self, southampton, zone, required, code
    ):
        made = decide(southampton, "filing", self.parcels, zone=zone)
        assert made.required == required
        assert code in [warning.code for warning in made.warnings]
        assert [p.id for p in made.parcels] == ["1", "2", "3"]


def test_an_occasion_that_the_ordinance_does_not_know_is_refused_with_those_it_does(italy):
    with pytest.raises(UsageError, match="hearing"):
        decide(italy, "appeal", [])


def test_bands_give_each_distance_its_class_of_mail():
    notice = Notice(
        occasion="hearing", recipients=("owners",), distance_ft=500, bands=(Band(200, "certified"), Band(500, "first_class"))
    )
    made = decide(profile_of(notice), "hearing", [facts(1, 200.0), facts(2, 200.1), facts(3, 503.0)])
    assert mail(made.owners) == {1: "certified", 2: "first_class", 3: "first_class"}


def test_two_rules_that_reach_one_parcel_make_one_line_with_both_relations():
    near = Notice(occasion="hearing", recipients=("owners",), relations=("abutting",), mail="certified")
    far = Notice(occasion="hearing", recipients=("owners", "residents"), distance_ft=500)
    made = decide(profile_of(near, far), "hearing", [facts(1, 0.0, shared_ft=90.0), facts(2, 300.0)])
    assert [(p.id, p.rule, p.relation, p.also) for p in made.parcels] == [
        ("1", "x.0", "abutting", ("within",)),
        ("2", "x.1", "within", ()),
    ]
    assert mail(made.owners) == {1: "certified", 2: "first_class"}
    assert mail(made.residents) == {1: "first_class", 2: "first_class"}


class TestMailByRecipient:
    """Each of a parcel's people is notified as the rules that name them ask, and as the strictest of these."""

    certified = Notice(occasion="hearing", recipients=("owners",), distance_ft=200, mail="certified")
    households = Notice(occasion="hearing", recipients=("residents",), distance_ft=400)
    plain = Notice(occasion="hearing", recipients=("owners",), distance_ft=750, mail="first_class")

    def test_residents_get_the_mail_of_the_rule_that_names_them_not_that_of_their_owner(self):
        made = decide(profile_of(self.certified, self.households), "hearing", [facts(1, 100.0)])
        assert (mail(made.owners), mail(made.residents)) == ({1: "certified"}, {1: "first_class"})
        assert (made.owners[1].rule, made.residents[1].rule) == ("x.0", "x.1")

    def test_a_rule_for_residents_only_puts_no_owner_on_the_list_of_letters(self):
        made = decide(profile_of(self.certified, self.households), "hearing", [facts(1, 100.0), facts(2, 300.0)])
        assert [parcel.id for parcel in made.parcels] == ["1", "2"]
        assert (made.owners.keys(), made.residents.keys()) == ({1}, {1, 2})

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_the_strictest_mail_holds_in_whatever_order_the_rules_stand(self, order):
        notices = [(self.certified, self.plain)[n] for n in order]
        made = decide(profile_of(*notices), "hearing", [facts(1, 200.0), facts(2, 300.0)])
        assert mail(made.owners) == {1: "certified", 2: "first_class"}

    def test_residents_of_the_premises_are_told_as_nearest_neighbours_are(self):
        banded = Notice(
            occasion="hearing",
            recipients=("residents",),
            distance_ft=500,
            bands=(Band(200, "certified"), Band(500, "first_class")),
        )
        assert decide(profile_of(self.plain, banded), "hearing", []).premises_residents == Told("x.1", "certified")
        assert decide(profile_of(self.plain), "hearing", []).premises_residents is None

    def test_a_parcel_just_beyond_one_distance_and_within_another_is_mailed_where_the_town_asks_first(self):
        made = decide(profile_of(self.certified, self.plain), "hearing", [facts(1, 203.0), facts(2, 753.0)], borderline="ask")
        assert mail(made.owners) == {1: "first_class", 2: "none"}
        assert [warning.parcels for warning in made.warnings] == [("2",)]

    def test_a_parcel_added_by_hand_is_told_as_its_distance_asks_and_its_residents_with_it(self):
        parcels = [facts(1, 50.0), facts(2, 900.0)]
        made = decide(profile_of(self.certified, self.plain, self.households), "hearing", parcels)
        added = apply_overrides(made, parcels, add={2: "asked to be told"}, drop={})
        assert (added.owners[2].mail, added.residents[2].mail) == ("certified", "first_class")


class TestTheScheduleThatGoesWithTheApplication:
    def test_reaches_as_far_as_its_rule_says(self):
        listed = Notice(occasion="", recipients=("owners",), distance_ft=750, schedule=True)
        hearing = Notice(occasion="hearing", recipients=("owners",), relations=("abutting",))
        made = decide(
            profile_of(listed, hearing),
            "hearing",
            [facts(1, 0.0, shared_ft=9.0), facts(2, 750.0), facts(3, 754.0), facts(4, 756.0)],
        )
        assert made.schedule == (1, 2, 3)
        assert [parcel.id for parcel in made.parcels] == ["1"]


class TestNoticesForResidentialDistrictsOnly:
    everywhere = Notice(occasion="hearing", recipients=("owners",), relations=("abutting",))
    residential = Notice(occasion="hearing", recipients=("owners",), distance_ft=500, only_in="residential")
    parcels = (facts(1, 0.0, shared_ft=9.0), facts(2, 300.0))

    @pytest.mark.parametrize(
        ("zone", "listed", "codes"),
        [
            ("residential", ["1", "2"], []),
            ("split", ["1", "2"], ["split_zoned"]),
            ("undetermined", ["1", "2"], ["zone_undetermined"]),
            ("other", ["1"], ["not_residential"]),
        ],
    )
    def test_beside_a_rule_for_all_districts_are_set_aside_outside_and_said(self, zone, listed, codes):
        made = decide(profile_of(self.everywhere, self.residential), "hearing", self.parcels, zone=zone)
        assert ([parcel.id for parcel in made.parcels], made.required) == (listed, "yes")
        assert [warning.code for warning in made.warnings] == codes

    def test_alone_are_a_duty_there_unless_the_officials_may_choose(self):
        assert decide(profile_of(self.residential), "hearing", self.parcels, zone="residential").required == "yes"
        chosen = dataclasses.replace(self.residential, on_demand=True)
        assert decide(profile_of(chosen), "hearing", self.parcels, zone="residential").required == "on_demand"

    def test_a_split_zoned_parcel_is_as_the_profile_reads_it(self, southampton):
        assert decide(southampton, "filing", self.parcels, zone="split").required == "on_demand"
        other = reading(southampton, "split_zoned_notice", "other")
        made = decide(other, "filing", self.parcels, zone="split")
        assert (made.required, [warning.code for warning in made.warnings]) == ("no", ["split_zoned"])


class TestACornerTouch:
    """DIGEST, "Does a corner touch abut?": listed, marked `corner`; a profile may read it otherwise, and then says so."""

    parcels = (facts(1, 0.0, shared_ft=100.0), facts(2, 0.0, corner=True), facts(3, 0.0, corner=True, opposite_ft=40.0))

    @pytest.mark.parametrize("occasion", ["filing", "appeal"])
    def test_is_listed_as_southampton_is_read(self, southampton, occasion):
        assert [parcel.id for parcel in decide(southampton, occasion, self.parcels).parcels] == ["1", "2", "3"]

    @pytest.mark.parametrize("occasion", ["filing", "appeal"])
    def test_is_a_near_miss_with_a_warning_where_the_profile_reads_it_as_not_abutting(self, southampton, occasion):
        made = decide(reading(southampton, "corner", "not_listed"), occasion, self.parcels, zone="residential")
        assert [(parcel.id, parcel.relation, parcel.also) for parcel in made.parcels] == [
            ("1", "abutting", ()),
            ("3", "opposite", ()),
        ]
        assert [(miss.id, "at a corner only" in miss.reason) for miss in made.near_misses] == [("2", True)]
        assert [warning.parcels for warning in made.warnings if warning.code == "corner_not_listed"] == [("2",)]

    def test_is_listed_under_any_reading_where_the_law_names_corners_itself(self):
        named = Notice(occasion="hearing", recipients=("owners",), relations=("abutting", "corner"))
        profile = dataclasses.replace(
            profile_of(named), settings={"corner": Reading(name="corner", question="?", value="not_listed")}
        )
        assert [parcel.id for parcel in decide(profile, "hearing", self.parcels).parcels] == ["1", "2", "3"]


class TestOverrides:
    """An official may add or drop a parcel, with a reason that the record keeps."""

    parcels = (facts(1, 10.0), facts(2, 1040.0), facts(3, 3000.0))

    def test_added_and_dropped_parcels_stand_in_the_record_with_their_reasons(self, italy):
        made = apply_overrides(
            decide(italy, "hearing", self.parcels), self.parcels, add={2: "asked to be told"}, drop={1: "demolished"}
        )
        assert [(p.id, p.review) for p in made.parcels] == [("2", ("added_by_hand",))]
        assert made.near_misses == ()
        assert [(o.id, o.action, o.reason) for o in made.overrides] == [
            ("2", "add", "asked to be told"),
            ("1", "drop", "demolished"),
        ]

    def test_all_that_cannot_be_meant_is_refused_at_once(self, italy):
        with pytest.raises(UsageError) as caught:
            apply_overrides(
                decide(italy, "hearing", self.parcels), self.parcels, add={1: "again"}, drop={2: "never there", 3: " "}
            )
        assert [fault.parcel for fault in caught.value.faults] == ["3", "1", "2", "3"]

    def test_nothing_changes_without_one(self, italy):
        made = decide(italy, "hearing", self.parcels)
        assert apply_overrides(made, self.parcels, add={}, drop={}) == replace(made, overrides=())
