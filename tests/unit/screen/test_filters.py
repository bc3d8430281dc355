"""Conditions: what they may say, and that the unknown neither passes nor fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geonotice.errors import UsageError
from geonotice.screen.filters import read_condition, read_order

COLUMNS = ("acres", "left", "district", "excluded")


def read(text):
    return read_condition(text, columns=COLUMNS, words=("district", "excluded"))


@pytest.mark.parametrize(
    ("text", "row", "answer"),
    [
        ("acres >= 3", {"acres": 3.0}, True),
        ("3 <= acres < 5", {"acres": 5.0}, False),
        ("district in ('R-40', 'R-60')", {"district": "R-60"}, True),
        ("district not in ('R-40',)", {"district": "R-40"}, False),
        ("not excluded == ''", {"excluded": "village"}, True),
        ("left > 0", {"left": None}, None),
        ("not left > 0", {"left": None}, None),
        ("acres >= 3 and left > 0", {"acres": 1.0, "left": None}, False),
        ("acres >= 3 or left > 0", {"acres": 4.0, "left": None}, True),
        ("acres >= 3 and left > 0", {"acres": 4.0, "left": None}, None),
        ("left > -1", {"left": 0}, True),
        ("district == 'R-40' and district in ['R-40']", {"district": None}, None),
    ],
)
def test_a_condition_is_answered(text, row, answer):
    assert read(text).holds(row) is answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("acre >= 3", "Write acres, if that is meant"),
        ("acres >=", "cannot be read"),
        ("__import__('os').system('x')", "is no comparison"),
        ("acres.real > 3", "neither a column"),
        ("acres > left.__class__", "neither a column"),
        ("(lambda: 1)() > 0", "neither a column"),
        ("acres + 1 > 3", "neither a column"),
        ("acres == 'three'", "compares words with numbers"),
        ("district > 'R'", "which of two words is greater"),
        ("acres in 3", "needs a list after 'in'"),
        ("acres is 3", "in a way that is not known"),
        ("acres", "is no comparison"),
        ("", "cannot be read"),
        ("[x for x in acres] == 3", "neither a column"),
    ],
)
def test_what_cannot_be_meant_is_refused(text, words):
    with pytest.raises(UsageError, match="--where") as refused:
        read(text)
    assert words in str(refused.value)


def test_all_faults_are_told_at_once():
    with pytest.raises(UsageError) as refused:
        read("acre > 1 and lefft > 2")
    assert len(refused.value.faults) == 2


@given(st.text(max_size=40))
def test_no_text_does_anything_but_be_read_or_refused(text):
    try:
        asked = read(text)
    except UsageError:
        return
    asked.holds(dict.fromkeys(COLUMNS))


def test_an_order_names_columns_and_which_end_comes_first():
    assert read_order("left, -acres", columns=COLUMNS) == (("left", False), ("acres", True))
    with pytest.raises(UsageError, match="no column 'size'"):
        read_order("size", columns=COLUMNS)
