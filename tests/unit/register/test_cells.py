"""A cell of a town's spreadsheet, as clerks write it."""

import pytest

from geonotice.register.cells import CHARITY_WORDS, CellError, read_count, read_status, read_yes_no


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("180+", 180),
        ("~200", 200),
        ("approx. 1,200", 1200),
        ("200-300 people", 300),
        ("up to 90", 90),
        ("350 est.", 350),
        ("600", 600),
    ],
)
def test_how_many_persons_in_the_ways_it_is_written(text, count):
    assert read_count(text)[0] == count


@pytest.mark.parametrize("text", ["many", "two hundred", "200 or 2000 (ask Ann)", "-5", "12/5"])
def test_what_is_no_count_is_asked_about(text):
    with pytest.raises(CellError, match="is not a whole number"):
        read_count(text)


@pytest.mark.parametrize(
    ("text", "was_issued", "stands"),
    [
        ("", True, "issued"),
        ("Approved", True, "issued"),
        ("ISSUED ", True, "issued"),
        ("Event held", False, "issued"),
        ("Cancelled", True, "rescinded"),
        ("Canceled by applicant", True, "rescinded"),
        ("Revoked", False, "rescinded"),
        ("VOID", True, "void"),
        ("Entered in error", True, "void"),
        ("DENIED", False, "not_a_permit"),
        ("Pending", False, "not_a_permit"),
        ("Withdrawn", False, "not_a_permit"),
    ],
)
def test_what_a_word_for_a_status_comes_to(text, was_issued, stands):
    assert read_status(text, was_issued=was_issued).stands == stands


@pytest.mark.parametrize(
    ("text", "was_issued", "why"),
    [
        ("Denied", True, "beside a day of issue"),
        ("Withdrawn", True, "beside a day of issue"),
        ("Cancelled", False, "without a day of issue"),
        ("Postponed", True, "is not issued, rescinded or void"),
    ],
)
def test_a_status_that_could_count_or_not_is_asked_about(text, was_issued, why):
    with pytest.raises(CellError, match=why):
        read_status(text, was_issued=was_issued)


@pytest.mark.parametrize(
    ("text", "answer"),
    [("501(c)(3)", True), ("Non-Profit", True), ("x", True), ("for profit", False), ("None", False), ("?", None), ("N/A", None)],
)
def test_whether_an_applicant_is_a_charity(text, answer):
    assert read_yes_no(text, yes=CHARITY_WORDS[0], no=CHARITY_WORDS[1]) is answer
