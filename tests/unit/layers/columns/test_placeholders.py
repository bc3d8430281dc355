"""Whole columns are read as their cells are, one by one: what is tidied, and what stands in the place of a value."""

import re

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geonotice.layers.columns.placeholders import NO_LINE, NO_NAME, field_value, is_placeholder, words_in_place_of
from geonotice.layers.columns.text import column_text

CELLS = st.one_of(
    st.none(),
    st.sampled_from(
        [*NO_NAME, *NO_LINE, "...", "( n/a )", "NO  OWNER", "Ünknown", "O'BRIEN JR.", "SMITH (ESTATE)", "-", "x", "NULL, JOHN"]
    ),
    st.text(alphabet="aZ0 .-<>/\t\n\x0b\x00é\u200b\xa0", max_size=8),
    st.sampled_from(["DOE<br>ROE", " DOE <BR/> ROE ", "DOE \r\n\n ROE", "\ufeffDOE", "DOE\u2060", "DOE\x1f", "DOE\x7f"]),
)


@pytest.mark.parametrize("lines", [False, True])
@given(cells=st.lists(CELLS, max_size=12))
def test_a_cell_is_tidied_alike_alone_and_in_a_column(lines, cells: list[str | None]):
    alone = [column_text(pa.array([cell], pa.string()), lines=lines).to_pylist()[0] for cell in cells]
    assert column_text(pa.array(cells, pa.string()), lines=lines).to_pylist() == alone


@given(st.text(alphabet="aZ<br/> .\t\r\n\x00\xa0\u3000\u200b\ufeff", max_size=12))
def test_a_cell_is_one_line_without_outer_blanks(cell: str):
    plain = re.sub("[\u200b\u2060\ufeff]+", "", cell).strip()
    plain = re.sub(r"(?i)[ \t\r\n]*<br[ \t\r\n]*/?>[ \t\r\n]*", "\n", plain)
    assert column_text(pa.array([cell])).to_pylist() == [re.sub(r"[\x00\r\n\t]+", " ", plain).strip() or None]


@pytest.mark.parametrize("kind", ["value", "name", "line"])
@given(st.lists(CELLS, max_size=12))
def test_a_column_has_the_placeholders_that_its_cells_are(kind, cells: list[str | None]):
    texts = column_text(pa.array(cells, pa.string())).to_pylist()
    table = pa.table({"CELL": pa.array(cells, pa.string())})
    assert field_value(table, "CELL", kind).to_pylist() == [
        None if text is None or is_placeholder(text, kind) else text for text in texts
    ]


def test_a_persons_word_is_told_from_a_programs_nothing():
    table = pa.table({"CELL": ["SAME", "<Null>", "Unknown", "#N/A", "-", "DOE", None, "Unknown."]})
    assert words_in_place_of(table, "CELL", "name").tolist() == [True, False, True, False, False, False, False, True]
