"""The event file that is written for a town, and the schemas for editors."""

import re
import tomllib

import pytest

from geonotice.config.application import Event
from geonotice.config.questions import QUESTIONS
from geonotice.config.read_application import event_from_data
from geonotice.decide.event_form import SCHEMA_FILES, event_template, keys_needed, write_schemas
from geonotice.ordinance.checks import CHECKS
from geonotice.ordinance.load import load_profile


@pytest.mark.parametrize("name", ["italy", "southampton"])
class TestTheTemplate:
    def test_states_nothing_as_it_is_written(self, name):
        assert event_from_data(tomllib.loads(event_template(load_profile(name))), file="event") == Event()

    def test_is_a_sound_event_file_once_every_answer_is_filled_in(self, name):
        text = event_template(load_profile(name))
        filled = re.sub(r"^# (?=[a-z_]+ = )", "", text, flags=re.MULTILINE)
        event = event_from_data(tomllib.loads(filled), file="event")
        for key in keys_needed(load_profile(name)):
            section, _, field = key.partition(".")
            assert getattr(getattr(event, section), field) is not None, key

    def test_asks_each_question_in_words(self, name):
        text = event_template(load_profile(name))
        assert all(f"# {QUESTIONS[key]}" in text for key in keys_needed(load_profile(name)))


def test_only_what_the_towns_law_needs_is_asked():
    italy, southampton = (set(keys_needed(load_profile(name))) for name in ("italy", "southampton"))
    assert "site.rides" not in italy
    assert "event.night" not in italy
    assert "site.parking_spaces" not in southampton
    assert "applicant.agent_in_county" not in southampton


def test_every_check_says_which_answers_it_looks_at():
    without = {name for name, check in CHECKS.items() if not check.asks}
    # `statement` asks what its rule names, and `waiver` what was waived; the others are answered by the map and the register.
    assert without == {"acreage", "exempt_place", "other_authority", "history_years", "setbacks", "statement"}


def test_the_schemas_in_the_guide_are_those_of_the_code(root):
    written = write_schemas()
    assert tuple(sorted(written)) == SCHEMA_FILES
    assert {name: (root / "docs" / name).read_text() for name in SCHEMA_FILES} == written
