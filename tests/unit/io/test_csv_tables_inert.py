"""What a spreadsheet would run is made inert, an honest cell is unchanged, and the way back loses nothing."""

import csv
import io
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geonotice.io.csv_tables import inert, live, quoted

SIGNS = "=+-@＝＋－＠"  # noqa: RUF001  # the last four are the wide forms
HIDING = " \t\r\n\v\f\x00\xa0\u200b\ufeff\u3000"
any_text = st.text(st.characters(codec="utf-8"))


def as_a_spreadsheet_sees(text: str) -> str:
    """Return the text without what a spreadsheet skips at its start."""
    while text and (text[0].isspace() or unicodedata.category(text[0]) in {"Cc", "Cf"}):
        text = text[1:]
    return text


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", ["", *HIDING, " \t", "\n\t ", "\ufeff "])
@pytest.mark.parametrize("after", ["1+1", "HYPERLINK(0)", " SMITH", '""', "cmd|' /C calc'!A0", "1\n"])
def test_a_formula_is_made_inert_whatever_hides_its_sign(sign: str, before: str, after: str) -> None:
    cell = before + sign + after
    assert inert(cell) == f"'{cell}"
    assert live(inert(cell)) == cell


@pytest.mark.parametrize(
    "text",
    ["", " \t", "\t", "\r\n", "\t12 MAIN ST", "12-14 MAIN ST", "A=B", "#12", "'quoted'", "'=1", "12 MAIN ST\n=1", "-", " - ", "--", "+", "=", "@"],
)  # fmt: skip
def test_an_honest_cell_is_unchanged(text: str) -> None:
    assert inert(text) == text


@given(text=st.one_of(any_text, st.text(f"{SIGNS}{HIDING}'1A")))
@example(text=" \t")
def test_any_cell_is_unchanged_or_gets_one_apostrophe_and_never_runs(text: str) -> None:
    made = inert(text)
    seen = as_a_spreadsheet_sees(text)
    more = [letter for letter in seen if letter not in SIGNS and as_a_spreadsheet_sees(letter)]
    assert made == (f"'{text}" if seen[:1] and seen[0] in SIGNS and more else text)
    assert inert(made) == made


@given(text=st.one_of(any_text, st.text(f"{SIGNS}{HIDING}'1A")))
@example(text="'-")
@example(text="''=1")
def test_the_way_back_gives_the_text_again(text: str) -> None:
    assert live(inert(quoted(text))) == text
    assert live(quoted(text)) == text


@given(text=any_text)
def test_a_quoted_cell_of_a_csv_file_comes_back_whole(text: str) -> None:
    cell = '"' + inert(text).replace('"', '""') + '"'
    ((back,),) = csv.reader(io.StringIO(cell, newline=""))
    assert back == inert(text)
