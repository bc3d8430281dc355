"""The values of a profile, and their way through the store."""

import json

import pytest

from geonotice.ordinance.load import available, load_profile, profile_from_json, profile_to_json
from geonotice.ordinance.profile import KINDS, READINGS, Citation, district_key


@pytest.mark.parametrize("name", available())
class TestEveryBuiltInProfile:
    def test_comes_back_from_json_as_it_was(self, name):
        profile = load_profile(name)
        assert profile_from_json(json.loads(json.dumps(profile_to_json(profile)))) == profile

    def test_has_rules_of_the_closed_set_of_kinds_only(self, name):
        assert {rule.kind for rule in load_profile(name).rules} <= set(KINDS)

    def test_cites_a_section_for_each_rule_and_a_complete_one_the_words_too(self, name):
        profile = load_profile(name)
        assert [rule.id for rule in profile.rules if not rule.citation.section] == []
        assert [rule.id for rule in profile.rules if not rule.citation.words and profile.status == "complete"] == []

    def test_offers_no_reading_that_changes_nothing(self, name):
        offered = {item.name: item.choices for item in load_profile(name).settings.values() if len(item.choices) > 1}
        assert {key: choices for key, choices in offered.items() if not {*choices} <= {*READINGS.get(key, ())}} == {}


class TestTheHearingOfItaly:
    def test_goes_to_owners_and_residents_within_1000_feet(self):
        notice = load_profile("italy").rule("italy.notice1000").notice
        assert notice is not None
        assert notice.distance_ft == 1000.0
        assert notice.recipients == ("owners", "residents")

    def test_has_the_schedule_of_adjoining_owners_beside_it(self):
        assert [rule.id for rule in load_profile("italy").rules_for("hearing")] == ["italy.adjoining", "italy.notice1000"]


def test_a_citation_says_place_and_words():
    assert str(Citation(chapter="Town Code", section="1-2", words=("one", "two"))) == "Town Code, 1-2: “one … two”"


def test_a_district_code_is_the_same_however_it_is_written():
    assert district_key("CR-60") == district_key("cr 60") == district_key("CR60")
