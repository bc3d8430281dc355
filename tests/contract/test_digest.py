"""Every rule of the digest is in a profile, with its section, its marks, and the clause's own words."""

import re

import pytest

from geonotice.ordinance.load import load_profile

TEXTS = {"italy": "000_0ca119bbbf24e630.txt", "southampton": "004_fe5dca8b832a7d7b.txt"}
PREFIX = {"italy": "italy.", "southampton": "sh."}
ROW = re.compile(r"^\| ((?:italy|sh)\.\w+) \| (.*?) \| (.*) \| ([^|]*) \|$", re.MULTILINE)


def digest_of(shared, name):
    rows = ROW.findall((shared / "law" / "DIGEST.md").read_text())
    return {id_: (section, by) for id_, section, _, by in rows if id_.startswith(PREFIX[name])}


@pytest.mark.shared
@pytest.mark.parametrize("name", sorted(TEXTS))
class TestTheDigest:
    def test_has_each_rule_in_the_profile_and_the_profile_has_no_other(self, shared, name):
        assert {rule.id for rule in load_profile(name).rules} == set(digest_of(shared, name))

    def test_puts_each_rule_in_the_section_the_profile_cites(self, shared, name):
        digest = digest_of(shared, name)
        wrong = [
            (rule.id, rule.section, digest[rule.id][0])
            for rule in load_profile(name).rules
            if not digest[rule.id][0].startswith(rule.section)
        ]
        assert wrong == [("sh.simultaneous", "283-6 (end)", "283-6 (end; printed under 283-7)")] * (name == "southampton")

    def test_marks_each_rule_as_the_profile_does(self, shared, name):
        digest = digest_of(shared, name)
        wanted = {rule: [mark for mark in by.split(", ") if mark.strip() and mark != "—"] for rule, (_, by) in digest.items()}
        assert {rule.id: list(rule.marks) for rule in load_profile(name).rules} == wanted

    def test_every_clause_is_found_word_for_word_in_the_text(self, shared, name):
        text = " ".join((shared / "law" / TEXTS[name]).read_text().split())
        absent = [
            (rule.id, words)
            for rule in load_profile(name).rules
            for words in rule.citation.words
            if " ".join(words.split()) not in text
        ]
        assert absent == []


@pytest.mark.parametrize("name", sorted(TEXTS))
class TestEachRule:
    def test_has_a_citation_with_chapter_section_and_words(self, name):
        lacking = [
            rule.id
            for rule in load_profile(name).rules
            if not (rule.citation.chapter and rule.citation.section and all(rule.citation.words) and rule.citation.words)
        ]
        assert lacking == []

    def test_says_what_it_asks_in_plain_words(self, name):
        assert [rule.id for rule in load_profile(name).rules if not (rule.title and rule.text.endswith("."))] == []


def test_the_open_readings_are_named_settings_with_a_reason():
    names = {
        "italy": {
            "borderline", "premises", "day_of_hearing", "weekend_deadline", "below_permit", "aggregate",
            "fire_company_of_another_town", "parking_persons", "overnight",
        },
        "southampton": {
            "corner", "diagonal", "across_right_of_way", "right_of_way_max_ft", "two_residential_districts", "smallest_share",
            "cap_year_residential", "cap_year_other", "night", "day_of_hearing", "weekend_deadline", "premises", "definitions",
            "prohibitions_reach_exempt", "exempt_owners_reach", "farmers_market_on_private_land", "split_zoned_notice",
            "split_zoned_rides", "residential_notice_duty", "summer",
        },
    }  # fmt: skip
    for name, wanted in names.items():
        settings = load_profile(name).settings
        assert wanted <= set(settings)
        assert [reading.name for reading in settings.values() if not (reading.question and reading.why)] == []
