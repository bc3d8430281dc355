"""One-string addresses: taken apart where that is safe, printed whole in any case."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geonotice.layers.addresses import city_state_zip, known_cities, settle_address, split_address, split_situs
from geonotice.layers.countries_and_zip_codes import country_of, tidy_zip


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


AWAY = "country_moved"


@pytest.mark.parametrize(
    ("given", "label", "changed"),
    [
        # at home, whatever the city is called
        ((["1 CHURCH ST"], "MEXICO", "NY", "13114"), ["1 CHURCH ST", "MEXICO NY 13114"], ""),
        ((["1 CHURCH ST"], "ITALY", "N.Y.", "14512"), ["1 CHURCH ST", "ITALY N.Y. 14512"], ""),
        ((["16 HILLSIDE AVE"], "JAMAICA", "NY", "11432"), ["16 HILLSIDE AVE", "JAMAICA NY 11432"], ""),
        ((["1 MAIN ST"], "PERU", "NY", ""), ["1 MAIN ST", "PERU NY"], ""),
        ((["9 A ST"], "LEBANON", "Pennsylvania", "17042"), ["9 A ST", "LEBANON Pennsylvania 17042"], ""),
        ((["9 A ST"], "NAPLES", "NY", "14512.0"), ["9 A ST", "NAPLES NY 14512"], ""),
        ((["9 A ST"], "NAPLES", "NY", "145120001"), ["9 A ST", "NAPLES NY 14512-0001"], ""),
        ((["9 A ST"], "NAPLES, NY", "", "14512"), ["9 A ST", "NAPLES NY 14512"], ""),
        ((["9 A ST"], "NAPLES NY 14512", "", ""), ["9 A ST", "NAPLES NY 14512"], ""),
        ((["9 A ST"], "NAPLES", "NY 14512", ""), ["9 A ST", "NAPLES NY 14512"], ""),
        ((["44 MAIN ST NAPLES NY 14512"], "", "", ""), ["44 MAIN ST", "NAPLES NY 14512"], ""),
        ((["44 MAIN ST", "NAPLES NY 14512"], "", "", ""), ["44 MAIN ST", "NAPLES NY 14512"], ""),
        ((["C/O A. ROE", "44 MAIN ST", "NAPLES, NY 14512 USA"], "", "", ""), ["C/O A. ROE", "44 MAIN ST", "NAPLES NY 14512"], ""),
        ((["9 A ST"], "NAPLES", "NY", "14512", "", "USA"), ["9 A ST", "NAPLES NY 14512"], ""),
        ((["9 A ST"], "LAS CRUCES NEW MEXICO", "", "88001"), ["9 A ST", "LAS CRUCES NEW MEXICO 88001"], ""),
        ((["9 A ST"], "NEW YORK", "", "10001"), ["9 A ST", "NEW YORK 10001"], ""),
        # zeros
        ((["9 A ST"], "FISHERS ISLAND", "NY", "6390"), ["9 A ST", "FISHERS ISLAND NY 06390"], "zip_completed"),
        ((["9 A ST"], "CAMBRIDGE", "MA", "2138", "1234"), ["9 A ST", "CAMBRIDGE MA 02138-1234"], "zip_completed"),
        ((["9 A ST"], "NAPLES", "FL", "14512"), ["9 A ST", "NAPLES FL 14512"], "zip_not_of_state"),
        # the armed forces and the territories
        ((["PSC 1234 BOX 56"], "APO", "AE", "09021"), ["PSC 1234 BOX 56", "APO AE 09021"], ""),
        ((["PSC 1234 BOX 56"], "APO AE", "", "9021"), ["PSC 1234 BOX 56", "APO AE 09021"], "zip_completed"),
        ((["UNIT 5 BOX 6"], "FPO", "AP", "96349"), ["UNIT 5 BOX 6", "FPO AP 96349"], ""),
        ((["UNIT 5 BOX 6"], "DPO", "AA", "34002"), ["UNIT 5 BOX 6", "DPO AA 34002"], ""),
        ((["PSC 3"], "APO", "NY", "09012"), ["PSC 3", "APO NY 09012"], ""),
        ((["CALLE SOL 5"], "SAN JUAN", "PR", "901"), ["CALLE SOL 5", "SAN JUAN PR 00901"], "zip_completed"),
        ((["CALLE SOL 5"], "SAN JUAN", "PR", "00901", "", "PUERTO RICO"), ["CALLE SOL 5", "SAN JUAN PR 00901"], ""),
        ((["CALLE SOL 5"], "SAN JUAN PUERTO RICO", "", "00901"), ["CALLE SOL 5", "SAN JUAN PUERTO RICO 00901"], ""),
        ((["BOX 7"], "ST THOMAS", "VI", "00802"), ["BOX 7", "ST THOMAS VI 00802"], ""),
        ((["BOX 7"], "TAMUNING", "GU", "96913"), ["BOX 7", "TAMUNING GU 96913"], ""),
        # abroad: the country in the city, on a line, in the State's or the ZIP code's place, in its own
        ((["23-21 NIJO"], "OSAKA, JAPAN", "", "5691021"), ["23-21 NIJO", "OSAKA 5691021", "JAPAN"], AWAY),
        ((["12 MOUNT ST", "UNITED KINGDOM"], "LONDON W1K 3JP", "", ""), ["12 MOUNT ST", "LONDON W1K 3JP", "UNITED KINGDOM"], AWAY),
        ((["8 RUE CAMBON", "FRANCE"], "PARIS", "", "75001"), ["8 RUE CAMBON", "PARIS 75001", "FRANCE"], AWAY),
        ((["ZEIL 5"], "60313 FRANKFURT", "", "", "", "DEUTSCHLAND"), ["ZEIL 5", "60313 FRANKFURT", "DEUTSCHLAND"], ""),
        ((["ZEIL 5"], "FRANKFURT", "DE", "60313", "", "GERMANY"), ["ZEIL 5", "FRANKFURT DE 60313", "GERMANY"], ""),
        ((["ZEIL 5"], "FRANKFURT", "", "60313", "", "DE"), ["ZEIL 5", "FRANKFURT 60313", "GERMANY"], "country_spelled"),
        ((["1 HAYARKON"], "TEL AVIV", "ISRAEL", "6329301"), ["1 HAYARKON", "TEL AVIV 6329301", "ISRAEL"], AWAY),
        ((["1 HAYARKON"], "TEL AVIV", "ISR", "6329301"), ["1 HAYARKON", "TEL AVIV 6329301", "ISRAEL"], "country_spelled country_moved"),
        ((["5 JONG-RO"], "SEOUL", "SOUTH KOREA", "04524"), ["5 JONG-RO", "SEOUL 04524", "SOUTH KOREA"], AWAY),
        ((["AV JUAREZ 10"], "MEXICO DF MEXICO", "", "06700"), ["AV JUAREZ 10", "MEXICO DF 06700", "MEXICO"], AWAY),
        ((["1 GEORGE ST"], "SYDNEY NSW AUSTRALIA", "", "2000"), ["1 GEORGE ST", "SYDNEY NSW 2000", "AUSTRALIA"], AWAY),
        ((["1 GEORGE ST"], "SYDNEY", "NSW AUSTRALIA", "2000"), ["1 GEORGE ST", "SYDNEY NSW 2000", "AUSTRALIA"], AWAY),
        ((["STORGATA 1"], "0155 OSLO NORGE", "", ""), ["STORGATA 1", "0155 OSLO", "NORGE"], AWAY),
        ((["RUE DU RHONE 1"], "1204 GENEVE", "SUISSE", ""), ["RUE DU RHONE 1", "1204 GENEVE", "SUISSE"], AWAY),
        ((["HERENGRACHT 1"], "AMSTERDAM", "", "1015 BA", "", "The Netherlands"), ["HERENGRACHT 1", "AMSTERDAM 1015 BA", "The Netherlands"], ""),
        ((["FLAT 5"], "CENTRAL, HONG KONG", "", "999077"), ["FLAT 5", "CENTRAL 999077", "HONG KONG"], AWAY),
        ((["1 HIGH ST"], "HAMILTON HM 11", "BERMUDA", ""), ["1 HIGH ST", "HAMILTON HM 11", "BERMUDA"], AWAY),
        ((["1 HIGH ST"], "EDINBURGH", "", "UK"), ["1 HIGH ST", "EDINBURGH", "UK"], AWAY),
        ((["VIA ROMA 1, 00184 ROMA, ITALIA"], "", "", ""), ["VIA ROMA 1, 00184 ROMA", "ITALIA"], AWAY),
        ((["CALLE 5", "28001 MADRID", "ESPAÑA"], "", "", ""), ["CALLE 5", "28001 MADRID", "ESPAÑA"], AWAY),
        ((["1 ORCHARD RD"], "SINGAPORE", "", "238801", "", "SINGAPORE"), ["1 ORCHARD RD", "SINGAPORE 238801", "SINGAPORE"], ""),
        ((["23-21 NIJO"], "OSAKA, JAPAN", "", "5691021", "", "JAPAN"), ["23-21 NIJO", "OSAKA 5691021", "JAPAN"], ""),
        # Canada and the United Kingdom without their names
        ((["400 KING ST W"], "TORONTO", "ON", "M5V 2T6"), ["400 KING ST W", "TORONTO ON M5V 2T6", "CANADA"], "country_added"),
        ((["400 KING ST W"], "TORONTO ON M5V 2T6", "", ""), ["400 KING ST W", "TORONTO ON M5V 2T6", "CANADA"], "country_added"),
        ((["5 RUE A"], "MONTRÉAL", "Québec", ""), ["5 RUE A", "MONTRÉAL Québec", "CANADA"], "country_added"),
        ((["5 RUE A"], "OTTAWA", "ON", "K1A0B1", "", "USA"), ["5 RUE A", "OTTAWA ON K1A0B1", "CANADA"], "country_added"),
        ((["5 RUE A"], "OTTAWA", "ON", "K1A 0B1", "", "CA"), ["5 RUE A", "OTTAWA ON K1A 0B1", "CANADA"], "country_spelled"),
        ((["10 DOWNING ST"], "LONDON", "", "SW1A 2AA"), ["10 DOWNING ST", "LONDON SW1A 2AA", "UNITED KINGDOM"], "country_added"),
        # what nobody can tell stays as it is
        ((["1 MAIN ST"], "TBILISI", "", "0105"), ["1 MAIN ST", "TBILISI 0105"], ""),
        ((["1 MAIN ST"], "OSAKA", "", "5691021"), ["1 MAIN ST", "OSAKA 5691021"], ""),
        ((["1 MAIN ST"], "JAMAICA", "", "11432"), ["1 MAIN ST", "JAMAICA 11432"], ""),
        ((["1 MAIN ST"], "NAPLES", "NY", "14512", "", "FRANCE"), ["1 MAIN ST", "NAPLES NY 14512", "FRANCE"], "country_contradicts"),
    ],
)  # fmt: skip
def test_the_label_is_what_the_roll_has_with_the_country_once_and_last(given: tuple, label: list[str], changed: str):
    lines, city, state, code, plus, country = (*given, *[""] * (6 - len(given)))
    made = settle_address(lines, city, state, code, plus=plus, country=country)
    place = " ".join(part for part in (made.city, made.state, made.zip) if part)
    assert [line for line in (*made.lines, place, made.country) if line] == label
    assert " ".join(made.changed) == changed


@pytest.mark.parametrize(
    ("text", "line", "city", "state", "code"),
    [
        ("6237 SECOND, MAYVILLE", "6237 SECOND", "MAYVILLE", "", ""),
        ("6237 SECOND ST, MAYVILLE NY 14757", "6237 SECOND ST", "MAYVILLE", "NY", "14757"),
        ("12 MAIN ST MAYVILLE, NY", "12 MAIN ST", "MAYVILLE", "NY", ""),
        ("12 MAIN ST, MAYVILLE, NY, 14757", "12 MAIN ST", "MAYVILLE", "NY", "14757"),
        ("12 MAIN ST MAYVILLE NY 14757-1234", "12 MAIN ST", "MAYVILLE", "NY", "14757-1234"),
        ("12 MAIN ST APT 3, MAYVILLE", "12 MAIN ST APT 3", "MAYVILLE", "", ""),
        ("12 MAIN ST, UNIT 3, MAYVILLE", "12 MAIN ST, UNIT 3", "MAYVILLE", "", ""),
        ("12 MAIN ST MAYVILLE", "12 MAIN ST", "MAYVILLE", "", ""),
        ("12 MAIN ST, REAR", None, "", "", ""),
        ("12 MAIN ST, UNIT 3", None, "", "", ""),
        ("12 MAIN ST", None, "", "", ""),
        ("MAIN ST, 12", None, "", "", ""),
        ("12 MAYVILLE", None, "", "", ""),
        ("12 MAYVILLE RD", None, "", "", ""),
    ],
)
def test_the_city_is_taken_off_a_propertys_own_address(text: str, line: str | None, city: str, state: str, code: str):
    made = split_situs(text, frozenset({"MAYVILLE"}))
    if line is None:
        assert made is None
    else:
        assert made is not None
        assert (", ".join(made.lines), made.city, made.state, made.zip) == (line, city, state, code)
