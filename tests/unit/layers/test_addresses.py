"""One-string addresses: taken apart where that is safe, printed whole in any case."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geonotice.layers.addresses import city_state_zip, known_cities, split_address
from geonotice.layers.countries import country_of, tidy_zip


@pytest.mark.parametrize(
    ("text", "lines", "city"),
    [
        ("88 PENNSYLVANIA BLVD FLORAL PARK NY 11001", ("88 PENNSYLVANIA BLVD",), "FLORAL PARK"),
        ("12 MAIN ST, FLORAL PARK, NY 11001", ("12 MAIN ST",), "FLORAL PARK"),
        ("248 -62 JERICHO TPKE BELLEROSE NY 11001", ("248 -62 JERICHO TPKE",), "BELLEROSE"),
        ("36 DYCKMAN AVE NEW HYDE PARK NY 11040", ("36 DYCKMAN AVE",), "NEW HYDE PARK"),
        ("1299 BROADWAY SUITE 1100 NEW YORK NY 10001", ("1299 BROADWAY SUITE 1100",), "NEW YORK"),
        ("1299 BROADWAY # 1100 NEW YORK NY 10001", ("1299 BROADWAY # 1100",), "NEW YORK"),
        ("78 PAULL ST APT #2 TAUNTON MA 03780", ("78 PAULL ST APT #2",), "TAUNTON"),
        ("10 HURON RD FLORAL PARK NY 11001 0068", ("10 HURON RD",), "FLORAL PARK"),
        ("P.O. BOX 495 WASHINGTON NH 03280", ("P.O. BOX 495",), "WASHINGTON"),
        ("6 HALF MOON POND RD PO BOX 654 WASHINGTON NH 03280", ("6 HALF MOON POND RD", "PO BOX 654"), "WASHINGTON"),
        ("C/O A SMITH 87 SOUTH GREAT RD LINCOLN MA 01773", ("C/O A SMITH", "87 SOUTH GREAT RD"), "LINCOLN"),
        ("C/O UKUMU PO BOX 420 WASHINGTON NH 03280", ("C/O UKUMU", "PO BOX 420"), "WASHINGTON"),
        ("12 OAK ST ST JAMES NY 11780", ("12 OAK ST",), "ST JAMES"),
        ("50 PORTSMOUTH ST. CONCORD NH 03301", ("50 PORTSMOUTH ST.",), "CONCORD"),
        ("5 NH RTE 120 RD CORNISH NH 03745", ("5 NH RTE 120 RD",), "CORNISH"),
    ],
)
def test_the_city_is_split_off_where_something_marks_it(text: str, lines: tuple[str, ...], city: str):
    made = split_address(text)
    assert (made.lines, made.city) == (lines, city)


@pytest.mark.parametrize(
    "text",
    ["93 -11 35TH LONG ISLAND CITY NY 11106", "75 CORNFIELD SOUTH WINDSOR CT 06074", "1132 ROUTE 12 WESTMORELAND NH 03467"],
)
def test_what_nothing_marks_stays_in_the_line(text: str):
    made = split_address(text)
    assert (made.lines, made.city) == ((text[:-9],), "")
    assert f"{made.state} {made.zip}" == text[-8:]


@pytest.mark.parametrize(
    ("text", "line", "state", "code"),
    [
        ("12 Main St, Naples, N.Y. 14512", "12 Main St", "N.Y.", "14512"),
        ("12 Main St, Naples, New York 14512", "12 Main St, Naples, New York", "", "14512"),
        ("PO BOX 14512", "PO BOX 14512", "", ""),
        ("STATE ROUTE 12345", "STATE ROUTE 12345", "", ""),
    ],
)
def test_states_may_be_written_otherwise(text: str, line: str, state: str, code: str):
    made = split_address(text)
    assert (made.lines, made.state, made.zip) == ((line,), state, code)


def test_a_city_that_the_layer_knows_is_split_off():
    texts = ["1 OAK ST SOUTH WINDSOR CT 06074", "2 ELM RD SOUTH WINDSOR CT 06074", "3 A ST ONCE CT 06074"]
    assert known_cities(texts) == {"SOUTH WINDSOR"}
    assert split_address("75 CORNFIELD SOUTH WINDSOR CT 06074", known_cities(texts)).city == "SOUTH WINDSOR"


@pytest.mark.parametrize(
    ("text", "country"),
    [("GRANGE OF ELCHO PERTH SCOTLAND PH28QJ", "UNITED KINGDOM"), ("184 FARNHAM AVENUE TORONTO ON M4V 1H4", "CANADA"), ("184 FARNHAM AVENUE TORONTO ONTARIO M4V1H", "CANADA")],
)  # fmt: skip
def test_foreign_addresses_stay_whole(text: str, country: str):
    made = split_address(text)
    assert (made.lines, made.city, made.country) == ((text,), "", country)


@pytest.mark.parametrize("text", ["", "   ", "UNKNOWN", "12 MAIN ST", "FLORAL PARK NY", "12 MAIN ST ZZ 11001"])
def test_what_is_no_whole_address_stays_as_it_is(text: str):
    made = split_address(text)
    assert "".join(made.lines) == text.strip()
    assert not made.zip


@given(
    st.lists(
        st.sampled_from(
            [
                "12",
                "248",
                "-62",
                "C/O",
                "SMITH",
                "MAIN",
                "ST",
                "AVE",
                "RD",
                "PO",
                "BOX",
                "9",
                "APT",
                "#2",
                ",",
                "NEW",
                "HYDE",
                "PARK",
                "ROUTE",
                "214",
                "SUITE",
                "N",
                "ST.",
                "JAMES",
            ]
        ),
        min_size=1,
        max_size=10,
    ),
    st.sampled_from(["NY 11001", "FL 34103-0001", ", NJ, 07030", "UK", ""]),
)
def test_the_parts_are_the_string_in_its_order(words: list[str], end: str):
    text = " ".join([*words, end])
    made = split_address(text)

    def letters(part: str) -> str:
        return re.sub(r"[^A-Z0-9#/.]", "", part)

    whole = " ".join([*made.lines, made.city, made.state, made.zip, *([] if "country_added" in made.changed else [made.country])])
    assert letters(whole) == letters(text)


@pytest.mark.parametrize(
    ("text", "city", "state", "code"),
    [("Albany, NY  12203", "Albany", "NY", "12203"), ("Saratoga Springs NY 12866-1234", "Saratoga Springs", "NY", "12866-1234"), ("Delmar, NY", "Delmar", "NY", ""),
     ("PARIS FRANCE", "PARIS FRANCE", "", ""), ("NY 12203", "NY 12203", "", "")],
)  # fmt: skip
def test_city_state_and_zip_in_one_field(text: str, city: str, state: str, code: str):
    made = city_state_zip(text)
    assert (made.city, made.state, made.zip) == (city, state, code)


def test_codes_from_abroad_are_left_alone():
    assert tidy_zip("7501", home=False) == "7501"
    assert tidy_zip("PH2 8QJ") == "PH2 8QJ"


def test_the_united_states_are_no_country_apart():
    assert country_of("NAPLES NY USA") == ""
    assert country_of("Toronto, Canada.") == "Canada"
