"""The guide to adding a town is true: its examples are sound, and it names all there is to choose from."""

import re
from typing import get_args

import pytest

from geonotice.config.application import EVENT_KINDS, SPONSORS
from geonotice.ordinance.checks import CHECKS
from geonotice.ordinance.load import parse_profile
from geonotice.ordinance.profile import GROUPS, KINDS, READINGS, From

PERMIT = '[[rules]]\nid = "mytown.permit"\nkind = "threshold"\ntitle = "A permit"\n[rules.citation]\nsection = "1"\n'


@pytest.fixture
def guide(root):
    return (root / "docs" / "adding-a-town.md").read_text()


def test_its_first_example_is_a_sound_profile(guide):
    profile = parse_profile(re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)[0].encode(), file="guide")
    assert profile.rules_for("hearing")[0].notice.distance_ft == 300.0


def test_its_examples_together_are_one(guide):
    first, *others = re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)
    profile = parse_profile((first + PERMIT + "".join(others)).encode(), file="guide")
    assert profile.rule("mytown.permit").threshold.more_than_persons == 500
    assert profile.district("r 40").front_ft == 40.0
    assert profile.setting("day_of_hearing") == "not_counted"


VALUES = tuple(value.name for check in CHECKS.values() for value in check.values)
WORDS = [value.words for check in CHECKS.values() for value in check.values]


def test_its_table_says_of_each_check_what_the_program_shows_below_a_rule(guide):
    assert [name for name, check in CHECKS.items() if f"| `{name}` | {check.line} |" not in guide] == []


@pytest.mark.parametrize(
    "words",
    [tuple(CHECKS), KINDS, tuple(GROUPS), VALUES, tuple(READINGS), get_args(From), EVENT_KINDS, SPONSORS, *WORDS],
)
def test_it_names_everything_that_can_be_chosen(guide, words):
    assert [word for word in words if f"`{word}`" not in guide] == []
