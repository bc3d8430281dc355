"""Several owners in a row, and whose a street is: nobody's address is taken for another's, and nobody is dropped."""

from typing import ClassVar

import pyarrow as pa

from geonotice.layers.columns.recognize import FieldMap, column_text, recognise

ROWS = range(40)
SURNAMES = ("ALDER", "BIRCH", "CEDAR", "ELM", "FIR", "HAZEL", "IVY", "LARCH", "OAK", "PINE")


def persons(word: str) -> list[str]:
    return [f"{SURNAMES[n % 10]}{'AEIOU'[n % 5]} {word}" for n in ROWS]


def streets(name: str) -> list[str]:
    return [f"{100 + n} {name}" for n in ROWS]


def found(columns: dict[str, list[str]], given: dict[str, str] | None = None) -> FieldMap:
    return recognise("parcels", pa.table({"PRINT_KEY": [f"1.-1-{n}" for n in ROWS], **columns}), given)


def person(n: int, *, name: str, street: str, place: str) -> dict[str, list[str]]:
    return {
        name.format(n): persons("ABCDEFGHIJK"[n] * 3),
        street.format("ADDR", n): streets(f"ROAD {'ABCDEFGHIJK'[n]}"),
        place.format("CITY", n): ["TROY"] * 40,
        place.format("STATE", n): ["NY"] * 40,
        place.format("ZIP", n): ["12180"] * 40,
    }


class TestOwnersWithTheirOwnAddress:
    def test_a_second_street_with_its_city_is_the_second_owners(self):
        forms = {"name": "OWNER_{}", "street": "MAIL_{}_{}", "place": "MAIL_{}_{}"}
        mapped = found({**person(1, **forms), **person(2, **forms)})
        assert mapped.fields["mail_address"] == "MAIL_ADDR_1"
        assert "mail_address_2" not in mapped.fields
        assert mapped.fields["add_owner"] == "OWNER_2"
        assert mapped.fields["add_mail_address"] == "MAIL_ADDR_2"
        assert mapped.fields["add_mail_zip"] == "MAIL_ZIP_2"
        assert not mapped.questions

    def test_so_it_is_where_the_names_say_no_mail(self):
        forms = {"name": "OWNER{}", "street": "{}{}", "place": "{}{}"}
        mapped = found({**person(1, **forms), **person(2, **forms)})
        assert (mapped.fields["mail_zip"], mapped.fields["add_mail_city"]) == ("ZIP1", "CITY2")

    def test_a_third_has_no_room_and_is_asked_about(self):
        forms = {"name": "OWNER_{}", "street": "MAIL_{}_{}", "place": "MAIL_{}_{}"}
        three = {**person(1, **forms), **person(2, **forms), **person(3, **forms)}
        (question,) = found(three).questions
        assert question.field == "owner_3"
        assert "MAIL_ADDR_3" in question.text
        assert "corrections file" in question.text
        answered = found(three, {"owner_3": "OWNER_3"})
        assert not answered.questions
        assert "mail_address_3" not in answered.fields

    def test_lines_of_one_address_stay_lines(self):
        mapped = found(
            {
                "OWNER1": persons("PAT"),
                "ADDR1": ["C/O BANK"] * 40,
                "ADDR2": streets("ELM ST"),
                "CITY": ["TROY"] * 40,
                "ZIP": ["12180"] * 40,
            }
        )
        assert (mapped.fields["mail_address"], mapped.fields["mail_address_2"]) == ("ADDR1", "ADDR2")


class TestMoreOwnersThanFields:
    def test_the_tenth_is_named_with_the_ninth(self):
        mapped = found({f"OWNER{n}": persons(f"P{'ABCDEFGHIJKL'[n]}") for n in range(1, 12)})
        assert mapped.fields["owner_9"] == "OWNER9 + ' & ' + OWNER10 + ' & ' + OWNER11"
        assert any("OWNER10, OWNER11" in note for note in mapped.notes)

    def test_who_answered_that_none_is_further_is_not_asked_again(self):
        layer = {
            "MAIL_NAME": persons("PAT"),
            "DEEDED_OWNER": persons("KIM"),
            "MAIL_ADDR": streets("ELM ST"),
            "MAIL_CITY": ["TROY"] * 40,
        }
        (question,) = found(layer).questions
        assert question.field == "owner_2"
        assert not found(layer, {"owner_2": "="}).questions

    def test_who_is_named_twice_is_no_further_owner(self):
        layer = {
            "MAIL_NAME": persons("PAT"),
            "DEEDED_OWNER": persons("PAT"),
            "MAIL_ADDR": streets("ELM ST"),
            "MAIL_CITY": ["TROY"] * 40,
        }
        assert not found(layer).questions


class TestWhoseStreetItIs:
    PLACE: ClassVar[dict[str, list[str]]] = {"OwnerCity": ["TROY"] * 40, "OwnerState": ["NY"] * 40, "OwnerZip": ["12180"] * 40}

    def test_a_street_address_is_the_propertys_where_another_column_is_the_owners(self):
        mapped = found(
            {"OwnerName": persons("PAT"), "StreetAddress": streets("MAIN ST"), "OwnerStreet1": streets("ELM ST"), **self.PLACE}
        )
        assert (mapped.fields["mail_address"], mapped.fields["situs"]) == ("OwnerStreet1", "StreetAddress")

    def test_it_is_the_owners_where_no_other_is(self):
        mapped = found({"OwnerName": persons("PAT"), "StreetAddress": streets("MAIN ST"), **self.PLACE})
        assert mapped.fields["mail_address"] == "StreetAddress"

    def test_two_streets_of_owners_that_differ_are_a_question(self):
        mapped = found({"OwnerName": persons("PAT"), "ADDR1": streets("MAIN ST"), "MAILTO_STR": streets("ELM ST"), **self.PLACE})
        (question,) = mapped.questions
        assert question.field == "mail_address"
        assert set(question.columns) == {"ADDR1", "MAILTO_STR"}

    def test_a_column_of_names_and_addresses_together_is_asked_about(self):
        both = [f"{name}; {street}; TROY NY 12180" for name, street in zip(persons("PAT"), streets("ELM ST"), strict=True)]
        (question,) = found({"OWNER_NAME_AND_ADDRESS": both}).questions
        assert question.field == "mail_one_line"

    def test_a_name_in_pieces_of_a_primary_owner_is_joined(self):
        mapped = found({"PRIMARY_OWNER_LAST": list(SURNAMES) * 4, "PRIMARY_OWNER_FIRST": ["PAT"] * 40})
        assert mapped.fields["owner"] == "PRIMARY_OWNER_FIRST + PRIMARY_OWNER_LAST"


class TestAnOwnersStreetInPieces:
    NUMBERS: ClassVar[list[str]] = [str(100 + n) for n in ROWS]
    REST: ClassVar[dict[str, list[str]]] = {"mail_name": persons("PAT"), "mail_city": ["TROY"] * 40, "mail_zip": ["12180"] * 40}

    def test_is_put_together(self):
        mapped = found(
            {
                "mail_addr_number": self.NUMBERS,
                "mail_addr_street": ["SPRING HILL"] * 40,
                "mail_addr_suffix": ["RD"] * 40,
                **self.REST,
            }
        )
        assert mapped.fields["mail_address"] == "mail_addr_number + mail_addr_street + mail_addr_suffix"

    def test_without_its_numbers_is_asked_about(self):
        (question,) = found({"mail_addr_street": ["SPRING HILL"] * 40, "HSE": self.NUMBERS, **self.REST}).questions
        assert question.field == "mail_address"
        assert "house numbers" in question.text

    def test_needs_no_number_where_there_is_a_box(self):
        mapped = found({"MAIL_ADDR": ["MAIN ST"] * 40, "PO_BOX": self.NUMBERS, **self.REST})
        assert not mapped.questions


class TestTheProperty:
    def test_house_numbers_in_a_column_of_their_own(self):
        for number, street in (
            ("SITUSNUM", "SITUSSTREET"),
            ("PropertyStreetNumber", "PropertyStreet"),
            ("PROPLOCNUM", "PROP_LOC"),
        ):
            mapped = found({number: [str(n + 1) for n in ROWS], street: ["MAIN ST"] * 40})
            assert (mapped.fields.get("situs_number"), mapped.fields.get("situs_street")) == (number, street)
            assert "situs" not in mapped.fields

    def test_an_address_that_is_a_number_only(self):
        mapped = found({"SITUS_ADDRESS": [str(n + 1) for n in ROWS], "SITUS_STREET": ["MAIN"] * 40, "SITUS_SUFFIX": ["ST"] * 40})
        assert mapped.fields["situs_number"] == "SITUS_ADDRESS"
        assert mapped.fields["situs_street"] == "SITUS_STREET + SITUS_SUFFIX"


def test_the_line_break_of_a_web_page_parts_lines():
    cell = pa.array(["12 ELM ST<br/>TROY, NY 12180", "1 OAK ST<BR>TROY NY"])
    assert column_text(cell, lines=True).to_pylist() == ["12 ELM ST\nTROY, NY 12180", "1 OAK ST\nTROY NY"]
    assert column_text(cell).to_pylist() == ["12 ELM ST TROY, NY 12180", "1 OAK ST TROY NY"]


def test_address_points_of_other_states_keep_the_direction_the_type_and_the_city():
    rows = {
        "HOUSENUM": ["7"],
        "ST_PREFIX": ["N"],
        "ST_NAME": ["MAIN"],
        "ST_TYPE": ["ST"],
        "USPS_CITY": ["LIMA"],
        "ZIPCODE": ["45801"],
    }
    ohio = recognise("address_points", pa.table(rows)).fields
    assert (ohio["street"], ohio["city"]) == ("ST_PREFIX + ST_NAME + ST_TYPE", "USPS_CITY")
    rows = {
        "HOUSE_NUMBER": ["7"],
        "STREET_DIR": ["N"],
        "STREET_NM": ["MAIN"],
        "STREET_TYP": ["ST"],
        "CITY_NM": ["LIMA"],
        "ZIP_CD": ["45801"],
    }
    cut = recognise("address_points", pa.table(rows)).fields
    assert (cut["street"], cut["city"], cut["zip"]) == ("STREET_DIR + STREET_NM + STREET_TYP", "CITY_NM", "ZIP_CD")


def test_placeholders_are_no_streets_without_numbers():
    layer = {"OWNER": persons("PAT"), "MAIL_ADDR": ["<Null>", "N/A"] * 20, "MAIL_CITY": ["TROY"] * 40, "MAIL_ZIP": ["12180"] * 40}
    assert not found(layer).questions
