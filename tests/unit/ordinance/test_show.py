"""A profile as a person reads it, and its faults."""

import pytest

from geonotice.ordinance.load import available, load_profile
from geonotice.ordinance.profile import GROUPS
from geonotice.ordinance.show import render_profile, validate


@pytest.mark.parametrize("name", available())
class TestAPrintedProfile:
    def test_names_every_rule_with_its_section_and_words(self, name):
        profile, text = load_profile(name), " ".join(render_profile(load_profile(name)).split())
        for rule in profile.rules:
            assert rule.id in text
            assert rule.citation.section in text
            assert all(" ".join(words.split()) in text for words in rule.citation.words)

    def test_names_every_open_reading_and_district(self, name):
        profile, text = load_profile(name), " ".join(render_profile(load_profile(name)).split())
        assert [item.name for item in profile.settings.values() if item.name not in text] == []
        assert [item.code for item in profile.districts if item.code not in text] == []

    def test_fits_the_width(self, name):
        assert max(len(line) for line in render_profile(load_profile(name), width=80).splitlines()) <= 120

    def test_validates_without_a_fault(self, name):
        assert validate(name)[0] == ()


def test_the_groups_come_in_the_order_of_reading():
    text = render_profile(load_profile("southampton"))
    places = [text.index(f"\n{title}\n") for title in GROUPS.values()]
    assert places == sorted(places)


def test_faults_are_given_with_file_and_key(tmp_path):
    (tmp_path / "bad.toml").write_text('id = "bad"\nrules = []\n')
    found, _ = validate("bad.toml", relative_to=tmp_path)
    assert {fault.key for fault in found} >= {"town", "rules"}
    assert all(fault.file.endswith("bad.toml") for fault in found)
