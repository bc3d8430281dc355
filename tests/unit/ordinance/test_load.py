"""Finding and reading profiles, and what is said of a bad one."""

import subprocess
import sys

import pytest

from geonotice.errors import OrdinanceError
from geonotice.ordinance.load import available, load_profile, parse_profile, profile_bytes
from geonotice.ordinance.profile import READINGS

SMALL = """
id = "small"
town = "Town of Small"
status = "partial"
chapter = "Small Town Code"
source = "made for a test"
[occasions]
hearing = "a hearing"
[[rules]]
id = "small.notice"
kind = "distance_notice"
title = "Owners within 300 feet"
citation = { section = "1", words = ["within 300 feet"] }
[rules.notice]
occasion = "hearing"
recipients = ["owners"]
distance_ft = 300
"""


def faults_of(text):
    with pytest.raises(OrdinanceError) as caught:
        parse_profile(text.encode(), file="small.toml")
    return [(fault.key, fault.what) for fault in caught.value.faults]


def test_a_profile_is_read_from_a_path_relative_to_the_town_file(tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    profile = load_profile("small.toml", relative_to=tmp_path)
    assert profile.rule("small.notice").citation.place == "Small Town Code, 1"
    assert len(profile.sha256) == 64


@pytest.mark.parametrize("name", available())
def test_a_built_in_profile_is_the_same_read_without_checks_as_with_them(name):
    content, file = profile_bytes(name)
    assert load_profile(name) == parse_profile(content, file=file)


def test_a_built_in_profile_is_read_without_pydantic():
    code = (
        "import sys; from geonotice.ordinance.load import load_profile; from geonotice.decide.deadlines import deadlines; "
        "from datetime import date; deadlines(load_profile('southampton'), event=date(2026, 7, 4)); "
        "print(sorted({'pydantic', 'numpy', 'shapely', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_name_that_is_not_built_in_is_refused_with_those_that_are():
    with pytest.raises(OrdinanceError, match="italy"):
        load_profile("atlantis")


def test_a_path_that_is_not_there_is_refused_by_name(tmp_path):
    with pytest.raises(OrdinanceError, match=r"none\.toml"):
        load_profile("none.toml", relative_to=tmp_path)


def test_text_that_is_not_toml_is_refused_with_the_place():
    assert "line 1" in faults_of("id = ?")[0][1]


def test_unknown_keys_are_refused_by_name_and_all_faults_are_told_at_once():
    text = SMALL.replace("distance_ft = 300", "distanse_ft = 300").replace(
        'status = "partial"', 'status = "perfect"\ncolour = "red"'
    )
    keys = [key for key, _ in faults_of(text)]
    assert keys == ["status", "rules[small.notice].notice.distanse_ft", "colour"]


def test_a_distance_notice_needs_its_distance():
    assert "distance_ft" in faults_of(SMALL.replace("distance_ft = 300", ""))[0][1]


def test_bands_must_go_outward():
    text = SMALL + 'bands = [{ up_to_ft = 300, mail = "certified" }, { up_to_ft = 200, mail = "none" }]\n'
    assert faults_of(text)[0][0] == "rules[small.notice].notice"


def test_a_rule_that_stands_twice_and_an_occasion_that_is_not_declared_are_faults():
    text = SMALL.replace('hearing = "a hearing"', "") + SMALL[SMALL.index("[[rules]]") :]
    assert [key for key, _ in faults_of(text)] == ["rules[0].notice.occasion", "rules[1].id", "rules[1].notice.occasion"]


CONDITION = """
[[rules]]
id = "small.more"
kind = "condition"
title = "A condition"
citation = { section = "2", words = ["unless"] }
"""


@pytest.mark.parametrize(
    ("added", "word"),
    [
        (CONDITION + 'check = "lights"\nvalues = { forbidden = ["strobes"] }', "'strobes'"),
        (CONDITION + 'check = "insurance"\nvalues = { cancel_notice_days = 20, injury_eech = 1 }', "'injury_eech'"),
        (
            CONDITION
            + 'check = "filed_before"\nvalues = { late = "maybe" }\nperiods = [{ what = "file", days = 60, direction = "before", from = "event" }]',
            "'maybe'",
        ),
        (
            CONDITION.replace("condition", "threshold") + 'threshold = { regulates = "permit", exempt_kinds = ["weddings"] }',
            "'weddings'",
        ),
        (
            CONDITION.replace("condition", "threshold") + 'threshold = { regulates = "permit", local_tie = ["church"] }',
            "'church'",
        ),
        ('[settings.summer]\nquestion = "Which days?"\nvalue = "excluded"', "'excluded'"),
    ],
)
def test_a_word_that_nothing_can_match_is_refused_for_it_would_silently_do_nothing(added, word):
    (fault,) = faults_of(SMALL + added)
    assert word in fault[1]


def test_a_reading_of_the_towns_own_may_have_any_value():
    profile = parse_profile(
        (SMALL + '[settings.good_cause]\nquestion = "What is it?"\nvalue = "board"').encode(), file="small.toml"
    )
    assert profile.setting("good_cause") == "board"


@pytest.mark.parametrize("name", available())
def test_each_reading_that_changes_an_answer_offers_the_choices_there_are(name):
    offered = {reading.name: reading.choices for reading in load_profile(name).settings.values() if reading.name in READINGS}
    assert offered == {reading: READINGS[reading] for reading in offered}


class TestAValueThatCannotBeMeant:
    """A number that no law has would be computed with, or dropped, without a word."""

    @pytest.mark.parametrize("feet", ["inf", "nan", "1e12", "-1", "0", '"300 ft"'])
    def test_a_distance(self, feet):
        ((key, what),) = faults_of(SMALL.replace("distance_ft = 300", f"distance_ft = {feet}"))
        assert key == "rules[small.notice].notice.distance_ft"
        assert "Input" not in what

    @pytest.mark.parametrize("days", ["1000000000", "-1", "2.5", '"ten"'])
    def test_a_period(self, days):
        period = f'periods = [{{ what = "send it", days = {days}, direction = "before", from = "hearing" }}]\n[rules.notice]'
        ((key, _),) = faults_of(SMALL.replace("[rules.notice]", period))
        assert key == "rules[small.notice].periods[0].days"

    @pytest.mark.parametrize("permits", ["2.5", "inf", "-1", '"two"', "true"])
    def test_half_a_permit(self, permits):
        rule = (
            f'\n[[rules]]\nid = "small.cap"\nkind = "cap"\ntitle = "Permits a year"\ncitation = {{ section = "2" }}\ncheck = "cap_residential"\n'
            f"values = {{ permits = {permits}, charity = 1 }}\n"
        )
        ((key, what),) = faults_of(SMALL + rule)
        assert key == "rules[small.cap]"
        assert "values.permits is a whole number, from 0" in what

    def test_a_list_of_numbers_is_one_fault_under_its_own_key(self):
        found = faults_of(SMALL.replace("[rules.notice]", "values = { days = [1, 2] }\n[rules.notice]"))
        assert found == [
            ("rules[small.notice].values.days", "true or false, a number, a text or a list of texts is meant (it says [1, 2])")
        ]

    def test_an_id_with_blanks(self):
        ((key, what),) = faults_of(SMALL.replace('"small"', '"Small Town"'))
        assert (key, "small letters" in what) == ("id", True)


def test_a_byte_order_mark_is_no_fault():
    """Windows' own editor writes one."""
    assert parse_profile(b"\xef\xbb\xbf" + SMALL.encode(), file="small.toml").id == "small"
