"""States, their ZIP codes and countries: a code is completed only where the State says so."""

import pytest

from geonotice.layers.countries_and_zip_codes import (
    STATES,
    country_at_end,
    is_country,
    spelled_out,
    state_code,
    tidy_zip,
    zip_fits,
)


@pytest.mark.parametrize(
    ("code", "state", "printed"),
    [
        ("6390", "NY", "06390"), ("501", "NY", "00501"), ("901", "PR", "00901"), ("802", "VI", "00802"), ("2138", "Massachusetts", "02138"), ("7030", "N.J.", "07030"),
        ("65101234", "CT", "06510-1234"), ("9011234", "PR", "00901-1234"), ("145121234", "NY", "14512-1234"), ("14512-", "NY", "14512"), ("14512-0000", "NY", "14512"),
        ("14512.0", "NY", "14512"), ("9021", "AE", "09021"), ("96910", "GU", "96910"),
        # no State, or none whose codes begin so: as they are
        ("6390", "", "6390"), ("2000", "NY", "2000"), ("2000", "", "2000"), ("1204", "CA", "1204"), ("5691021", "", "5691021"), ("6329301", "IL", "6329301"), ("999077", "", "999077"),
    ],
)  # fmt: skip
def test_zeros_are_put_back_only_where_state_and_length_say_so(code: str, state: str, printed: str):
    assert tidy_zip(code, state=state) == printed


def test_every_state_has_zip_codes_and_is_known_by_its_code():
    assert all(state_code(state) == state for state in STATES)
    assert all(any(zip_fits(f"{three:03d}00", state) for three in range(1000)) for state in STATES)


@pytest.mark.parametrize(
    "name",
    [
        "Deutschland",
        "GERMANY",
        "España",
        "Österreich",
        "Suisse",
        "U.K.",
        "The Netherlands",
        "Republic of Korea",
        "P.R. CHINA",
        "日本",
        "Éire",
        "Brasil",
    ],
)
def test_countries_are_known_in_english_and_in_their_own_spelling(name: str):
    assert is_country(name)
    assert spelled_out(name) == name


@pytest.mark.parametrize(
    "text", ["LAS CRUCES NEW MEXICO", "SYDNEY NEW SOUTH WALES", "LITTLE ITALY", "NEW LEBANON", "MAYVILLE", "ATLANTA GEORGIA"]
)
def test_a_town_that_only_ends_so_is_no_country(text: str):
    assert country_at_end(text) == (text, "")
