"""The records of the checks: each is answered once, asks what it looks at, and says the same to the program, the editor and the guide."""

import pytest
from profile_toys import PERMIT, profile_of, rule

from geonotice.config.questions import QUESTIONS
from geonotice.decide.check import ANSWERS
from geonotice.decide.event_form import keys_needed
from geonotice.errors import OrdinanceError
from geonotice.ordinance import checks
from geonotice.ordinance.checks import CHECKS, Check, Value, answers, answers_of_all
from geonotice.ordinance.lint import check_faults
from geonotice.ordinance.load import load_profile
from geonotice.ordinance.show import BEGIN, END, checks_schema, checks_table, with_checks_table


class TestWhoAnswers:
    def test_every_check_is_answered_by_a_function_of_its_own(self):
        assert [*ANSWERS] == [*CHECKS]
        assert len({*ANSWERS.values()}) == len(CHECKS)

    def test_a_function_for_a_check_that_is_not_there_is_an_error(self):
        with pytest.raises(RuntimeError, match=r"turnout answers 'turnout', and there is no such check"):

            @answers("turnout")
            def turnout(rule, case):
                raise AssertionError

    def test_a_second_function_for_a_check_is_an_error_that_names_both(self):
        with pytest.raises(RuntimeError, match=r"answered twice: by geonotice\.decide\.conditions\.parking and by .*second"):

            @answers("parking")
            def second(rule, case):
                raise AssertionError

        assert ANSWERS["parking"].__name__ == "parking"

    def test_a_record_without_a_function_is_an_error(self, monkeypatch):
        monkeypatch.setattr(checks, "CHECKS", {**CHECKS, "turnout": Check("turnout", "how many came")})
        with pytest.raises(RuntimeError, match="no function answers the checks turnout"):
            answers_of_all()


def test_every_question_of_a_check_is_one_of_the_event_file():
    asked = {key for check in CHECKS.values() for key in (*check.asks, *(key for value in check.values for key in value.asks))}
    assert asked - {*QUESTIONS} == set()


@pytest.mark.parametrize(
    ("check", "values", "asked"),
    [
        ("acreage", {"acres": 5}, set()),
        ("parking", {"persons_per_car": 3}, {"event.persons_at_once", "site.parking_spaces"}),
        ("alcohol", {}, {"site.alcohol", "premises.municipal_building_or_grounds"}),
        ("alcohol", {"anywhere": False}, {"site.alcohol", "premises.municipal_building_or_grounds"}),
        ("alcohol", {"anywhere": True}, {"site.alcohol"}),
        ("insurance", {"cancel_notice_days": 0}, {"insurance.names_town"}),
        (
            "insurance",
            {"cancel_notice_days": 20, "property": 0},
            {"insurance.names_town", "insurance.cancel_notice_days", "insurance.property"},
        ),
        ("statement", {}, set()),
        ("statement", {"keys": ("event.contact", "site.sound")}, {"event.contact", "site.sound"}),
    ],
)
def test_what_a_check_asks_follows_from_its_record_and_the_values_of_the_rule(check, values, asked):
    assert CHECKS[check].questions(values) == asked


def test_a_check_whose_refusal_hangs_on_a_value_refuses_only_with_it():
    assert not CHECKS["setbacks"].can_refuse({})
    assert CHECKS["setbacks"].can_refuse({"buffer_ft": 50})
    assert CHECKS["parking"].can_refuse({})


class TestWhatARuleMaySayOfItsCheck:
    """The program and the editor's schema take and refuse the same."""

    SOUND = (
        ("parking", "condition", {"persons_per_car": 3}, []),
        ("filed_before", "condition", {"late": "decide"}, [""]),
        ("tents", "condition", {"total_days": 14}, ["up", "down"]),
        ("lights", "prohibition", {"forbidden": ["search", "laser"]}, []),
        ("cap_other", "cap", {"events": 4, "night": 2}, []),
        ("statement", "reminder", {"keys": ["event.starts"]}, []),
        ("alcohol", "reminder", {"anywhere": True}, []),
        ("insurance", "condition", {"cancel_notice_days": 20, "property": 2.5}, []),
    )
    FAULTY = (
        ("parkin", "condition", {}, [], "there is no check 'parkin'"),
        ("parking", "condition", {}, [], "needs values for: persons_per_car"),
        ("parking", "condition", {"persons_per_car": 0}, [], "above 0"),
        ("parking", "condition", {"persons_per_car": 3, "cars": 4}, [], "knows no value 'cars'"),
        ("filed_before", "condition", {"late": "maybe"}, [""], "'maybe', which nothing can match"),
        ("filed_before", "condition", {"late": ["decide"]}, [""], "is one word, not a list"),
        ("filed_before", "condition", {}, [], "with key: ''"),
        ("tents", "condition", {"total_days": 14}, ["up"], "with key: 'down'"),
        ("tents", "condition", {"total_days": 14.5}, ["up", "down"], "a whole number"),
        ("lights", "prohibition", {"forbidden": ["strobes"]}, [], "'strobes', which nothing can match"),
        ("cap_other", "condition", {"events": 4, "night": 2}, [], "belongs to a rule of kind 'cap'"),
        ("statement", "reminder", {"keys": ["event.begins"]}, [], "'event.begins', which nothing can match"),
        ("alcohol", "reminder", {"anywhere": "yes"}, [], "true or false"),
    )

    @pytest.mark.parametrize(("check", "kind", "values", "periods"), SOUND)
    def test_sound(self, check, kind, values, periods):
        assert list(check_faults(check, kind, values, periods)) == []
        assert _allowed(checks_schema(), _as_written(check, kind, values, periods))

    @pytest.mark.parametrize(("check", "kind", "values", "periods", "said"), FAULTY)
    def test_faulty(self, check, kind, values, periods, said):
        (fault,) = check_faults(check, kind, values, periods)
        assert said in fault
        if check != "statement":  # the schema leaves the questions of the event file to the program
            assert not _allowed(checks_schema(), _as_written(check, kind, values, periods))

    @pytest.mark.parametrize("name", ["italy", "southampton"])
    def test_the_schema_takes_every_rule_of_the_built_in_profiles(self, name):
        for one in load_profile(name).rules:
            values = {key: [*value] if isinstance(value, tuple) else value for key, value in one.values.items()}
            assert _allowed(checks_schema(), _as_written(one.check, one.kind, values, [period.key for period in one.periods]))

    def test_all_faults_of_a_check_are_told_at_once(self):
        bad = rule("tents", "condition", more='check = "tents"\nvalues = { totaldays = 3 }')
        with pytest.raises(OrdinanceError) as refused:
            profile_of(PERMIT, bad)
        for said in ("needs values for: total_days", "knows no value 'totaldays'", "with key: 'up', 'down'"):
            assert said in str(refused.value)


def test_a_question_of_a_statement_is_asked_by_the_form_of_the_town():
    asks = rule("statement", "reminder", more='check = "statement"\nvalues = { keys = ["site.sound"] }')
    assert "site.sound" in keys_needed(profile_of(PERMIT, asks))
    assert "site.sound" not in keys_needed(profile_of(PERMIT))


class TestTheTableOfTheGuide:
    def test_is_todays_so_run_make_guide_after_a_change_of_a_check(self, root):
        guide = (root / "docs" / "adding-a-town.md").read_text()
        assert with_checks_table(guide) == guide

    def test_has_a_row_for_a_new_check_with_all_it_takes(self, monkeypatch):
        turnout = Check(
            "turnout",
            "no more came than last year",
            (Value("persons", "count", "last year's"), Value("by", "word", words=("gate", "guess"), optional=True, refuses=True)),
            kind="condition",
            periods=("up", ""),
        )
        monkeypatch.setattr("geonotice.ordinance.show.CHECKS", {"turnout": turnout})
        row = (
            "| `turnout` | no more came than last year | a rule of kind `condition`; periods with the keys `up`; the rule's period; "
            "`persons` (last year's); may: `by` (of `gate`, `guess`) | with `by` |"
        )
        assert checks_table().splitlines()[2:] == [row]

    @pytest.mark.parametrize("guide", ["", BEGIN, f"{END}\n{BEGIN}", f"{BEGIN}\n{END}\n{BEGIN}\n{END}"])
    def test_a_guide_without_its_two_marks_is_refused(self, guide):
        with pytest.raises(ValueError, match="once each, in this order"):
            with_checks_table(guide)


def _as_written(check, kind, values, periods):
    """Return a rule as an editor sees it; an empty key is left out."""
    return {"check": check, "kind": kind, "values": values, "periods": [{"key": key} if key else {} for key in periods]}


TYPES = {"number": (int, float), "integer": int, "string": str, "boolean": bool, "array": list}


def _allowed(schema, value):  # noqa: C901, PLR0911, PLR0912  # one answer for each keyword of JSON Schema that the program writes
    """Return whether a value keeps to a JSON Schema, by the keywords that the checks use; no other is let through."""
    assert {*schema} <= {
        "additionalProperties", "allOf", "anyOf", "const", "contains", "description", "enum", "exclusiveMinimum", "if", "items", "minimum",
        "properties", "required", "then", "type",
    }  # fmt: skip
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if (kind := schema.get("type")) and (not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean")):
        return False
    if value < schema.get("minimum", value) if isinstance(value, (int, float)) else False:
        return False
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        return False
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        if not {*schema.get("required", ())} <= {*value}:
            return False
        if schema.get("additionalProperties") is False and not {*value} <= {*parts}:
            return False
        if not all(_allowed(part, value[name]) for name, part in parts.items() if name in value):
            return False
    if isinstance(value, list):
        if not all(_allowed(schema.get("items", {}), item) for item in value):
            return False
        if "contains" in schema and not any(_allowed(schema["contains"], item) for item in value):
            return False
    if "anyOf" in schema and not any(_allowed(part, value) for part in schema["anyOf"]):
        return False
    if "if" in schema and _allowed(schema["if"], value) and not _allowed(schema["then"], value):
        return False
    return all(_allowed(part, value) for part in schema.get("allOf", ()))
