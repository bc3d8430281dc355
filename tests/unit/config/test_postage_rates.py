"""The rate table: dated, exact, and refused with every fault."""

from datetime import date
from decimal import Decimal

import pytest

from geonotice.config.postage_rates import rates_on, read_rates
from geonotice.errors import InputError

JULY = '[[rates]]\nfrom = 2025-07-13\nsource = "Notice 123, July 2025"\nletter = 0.78\n'
JANUARY = '[[rates]]\nfrom = 2026-01-18\nsource = "Notice 123, January 2026"\nletter = 0.78\ncertified = 5.30\n'


def read(tmp_path, text):
    file = tmp_path / "rates.toml"
    file.write_text(text, encoding="utf-8")
    return read_rates(file)


def test_the_table_that_holds_on_a_day_counts_and_before_the_first_there_is_none(tmp_path):
    table = read(tmp_path, JANUARY + JULY)
    assert rates_on(table, date(2026, 1, 17)).source == "Notice 123, July 2025"
    assert rates_on(table, date(2026, 1, 18)).certified == Decimal("5.30")
    assert rates_on(table, date(2025, 7, 12)) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (JULY.replace("0.78", "0.785"), "two decimals at most"),
        (JULY.replace("letter", "leter"), "unknown key"),
        (JULY.replace("0.78", "-1"), "rates"),
        (JULY.replace('source = "Notice 123, July 2025"\n', ""), "this is missing"),
        (JULY + JULY, "hold from 2025-07-13"),
        ("rates = yes", "not TOML"),
        ("", "this is missing"),
    ],
)
def test_a_fault_is_named(tmp_path, text, said):
    with pytest.raises(InputError, match=said):
        read(tmp_path, text)
