"""Which column is what: by name, by content, never guessed."""

import pyarrow as pa
import pytest

from geonotice.errors import MissingField
from geonotice.layers.columns import key
from geonotice.layers.columns.recognize import FieldMap, column_text, plain_name, recognise


def numbers(count: int = 100, prefix: str = "1.-1-") -> list[str]:
    return [f"{prefix}{place}" for place in range(1, count + 1)]


def found(columns: dict[str, list[object]], given: dict[str, str] | None = None, kind: str = "parcels") -> FieldMap:
    return recognise(kind, pa.table(columns), given)


def names_to_fields(*names: str, kind: str = "parcels") -> dict[str, str]:
    """Return the field of each column, in a layer whose columns all differ."""
    table = {name: [f"{name} {place}" for place in range(100)] for name in names}
    return {column: field for field, column in found(table, kind=kind).fields.items()}


class TestTheKey:
    def test_is_the_first_of_the_list_that_is_filled_and_unique(self):
        mapped = found({"PARID": numbers(), "PIN": numbers(prefix="P"), "PRINT_KEY": numbers(prefix="K")})
        assert mapped.fields["tax_map_number"] == "PRINT_KEY"
        assert [item.column for item in mapped.rejected] == ["PIN", "PARID"]

    @pytest.mark.parametrize(("filled", "key"), [(98, "SBL"), (97, "PIN")])
    def test_must_be_filled_on_98_rows_of_100(self, filled: int, key: str):
        mapped = found({"SBL": [*numbers(filled), *([None] * (100 - filled))], "PIN": numbers(prefix="P")})
        assert mapped.fields["tax_map_number"] == key

    def test_that_repeats_is_passed_over_with_its_figures(self):
        mapped = found({"PRINT_KEY": [*numbers(96), "x", "x", "x", "x"], "SBL": numbers()})
        assert mapped.fields["tax_map_number"] == "SBL"
        (item,) = mapped.rejected
        assert (item.column, item.filled, item.unique) == ("PRINT_KEY", 100, 96)
        assert "not filled and unique on 98 %" in str(item)

    def test_may_be_unique_within_its_swis_where_none_is_alone(self):
        mapped = found({"SWIS": ["572400"] * 50 + ["573000"] * 50, "PRINT_KEY": numbers(50) * 2})
        assert mapped.fields["tax_map_number"] == "PRINT_KEY"
        assert mapped.key is not None
        assert "together with SWIS" in mapped.key.reason

    def test_is_a_question_where_none_will_do(self):
        mapped = found({"ID": numbers(50) * 2})
        assert "tax_map_number" not in mapped.fields
        (question,) = mapped.questions
        assert (question.field, question.columns) == ("tax_map_number", ("ID",))

    def test_is_taken_as_given_whatever_it_is(self):
        mapped = found({"ID": numbers(50) * 2}, {"tax_map_number": "id"})
        assert mapped.fields["tax_map_number"] == "ID"
        assert not mapped.questions

    def test_record_numbers_of_kml_are_none(self):
        mapped = found({"id": [f"parcels.{place}" for place in range(100)], "PARCELKEY": numbers()})
        assert mapped.fields["tax_map_number"] == "PARCELKEY"


class TestKnownSchemas:
    def test_new_york_state(self):
        names = [
            "PRINT_KEY",
            "SWIS",
            "MUNI_NAME",
            "CITYTOWN_NAME",
            "PARCEL_ADDR",
            "LOC_ST_NBR",
            "LOC_STREET",
            "LOC_UNIT",
            "LOC_ZIP",
            "PROP_CLASS",
            "ROLL_SECTION",
            "PRIMARY_OWNER",
            "MAIL_ADDR",
            "PO_BOX",
            "MAIL_CITY",
            "MAIL_STATE",
            "MAIL_ZIP",
            "ADD_OWNER",
            "ADD_MAIL_ADDR",
            "ADD_MAIL_PO_BOX",
            "ADD_MAIL_CITY",
            "ADD_MAIL_STATE",
            "ADD_MAIL_ZIP",
            "ROLL_YR",
            "OWNER_TYPE",
        ]
        made = names_to_fields(*names)
        assert {"OWNER_TYPE", "CITYTOWN_NAME"} == set(names) - set(made)
        assert (made["PRIMARY_OWNER"], made["PO_BOX"], made["ADD_OWNER"], made["ADD_MAIL_PO_BOX"]) == (
            "owner",
            "po_box",
            "add_owner",
            "add_po_box",
        )

    def test_new_york_state_cut_to_ten_characters(self):
        names = [
            "PRINT_KEY",
            "SWIS",
            "MUNI_NAME",
            "PARCEL_ADD",
            "PRIMARY_OW",
            "MAIL_ADDR",
            "ADD_OWNER",
            "ADD_MAIL_A",
            "ADD_MAIL_P",
            "ADD_MAIL_C",
            "ADD_MAIL_S",
            "ADD_MAIL_Z",
        ]
        made = names_to_fields(*names)
        assert [made[name] for name in names[3:5]] == ["situs", "owner"]
        assert [made[name] for name in names[7:]] == [
            "add_mail_address",
            "add_po_box",
            "add_mail_city",
            "add_mail_state",
            "add_mail_zip",
        ]

    def test_rps_export(self):
        names = "print_key SWIS_CODE primary_ow attention_ additional po_box street_add city_state own_countr loc_st_nbr loc_st_nam loc_mail_s prop_class roll_secti"
        made = names_to_fields(*names.split())
        assert made["attention_"] == "care_of"
        assert made["additional"] == "mail_address_2"
        assert made["street_add"] == "mail_address"
        assert made["city_state"] == "mail_city_state_zip"
        assert (made["loc_st_nam"], made["loc_mail_s"]) == ("situs_street", "situs_suffix")

    def test_published_rolls_of_the_state_give_names_in_pieces(self):
        table = {
            "swis_code": ["572400"], "print_key_code": ["1.-1-1"], "primary_owner_first_name": ["Ann"], "primary_owner_last_name": ["Lee"],
            "mailing_address_number": ["12"], "mailing_address_street": ["Main"], "mailing_address_suff": ["St"], "mailing_address_city": ["Naples"],
        }  # fmt: skip
        mapped = found(table, kind="roll")
        assert mapped.fields["owner"] == "primary_owner_first_name + primary_owner_last_name"
        assert mapped.fields["mail_address"] == "mailing_address_number + mailing_address_street + mailing_address_suff"
        assert not mapped.questions

    def test_massachusetts_and_vermont(self):
        assert (
            names_to_fields("LOC_ID", "PROP_ID", "OWNER1", "OWN_ADDR", "OWN_CITY", "OWN_STATE", "OWN_ZIP", "SITE_ADDR")[
                "OWN_ADDR"
            ]
            == "mail_address"
        )
        made = names_to_fields("SPAN", "OWNER1", "OWNER2", "ADDRGL1", "ADDRGL2", "CITYGL", "STGL", "ZIPGL", "E911ADDR", "TNAME")
        assert (made["OWNER2"], made["ADDRGL2"], made["STGL"], made["E911ADDR"]) == (
            "owner_2",
            "mail_address_2",
            "mail_state",
            "situs",
        )


class TestTwoColumnsForOneField:
    def test_that_differ_are_a_question(self):
        mapped = found({"PIN": numbers(), "OWNER": ["A"] * 100, "TAXPAYER": ["B"] * 100})
        assert "owner" not in mapped.fields
        assert [question.columns for question in mapped.questions] == [("OWNER", "TAXPAYER")]

    def test_that_say_the_same_are_none(self):
        mapped = found({"PIN": numbers(), "OWNER": ["SMITH, J."] * 100, "OWNER_NAME": ["Smith J"] * 100})
        assert mapped.fields["owner"] == "OWNER"
        assert not mapped.questions

    def test_of_which_one_is_empty_are_none(self):
        mapped = found({"PIN": numbers(), "OWNER": [None] * 100, "TAXPAYER": ["B"] * 100})
        assert mapped.fields["owner"] == "TAXPAYER"

    def test_a_scarce_second_column_of_owners_is_a_second_name_line(self):
        mapped = found({"PIN": numbers(), "COUNTY_OWN": ["A"] * 100, "2025_OWNER": ["B", *([None] * 99)]})
        assert (mapped.fields["owner"], mapped.fields["owner_2"]) == ("COUNTY_OWN", "2025_OWNER")
        assert mapped.notes


class TestContent:
    def test_one_string_addresses_are_known_by_their_zip_code(self):
        mapped = found(
            {"PIN": numbers(), "OWNER": ["A"] * 100, "2025_OWNER_MAILING_ADDRESS": ["1 MAIN ST NAPLES NY 14512"] * 100}
        )
        assert mapped.fields["mail_one_line"] == "2025_OWNER_MAILING_ADDRESS"

    def test_an_address_column_is_no_owner_though_its_name_is_cut(self):
        mapped = found({"PIN": numbers(), "COUNTY_OWN": ["A"] * 100, "2025_OWN_1": ["1 MAIN ST NAPLES NY 14512"] * 100})
        assert (mapped.fields["owner"], mapped.fields["mail_one_line"]) == ("COUNTY_OWN", "2025_OWN_1")

    def test_a_bare_address_is_the_propertys_where_the_owners_is_known(self):
        mapped = found(
            {
                "id": numbers(),
                "owner": ["A"] * 100,
                "addressOfOwner": ["1 MAIN ST NAPLES NY 14512"] * 100,
                "address": ["2 ELM ST"] * 100,
            }
        )
        assert mapped.fields["situs"] == "address"

    def test_a_bare_address_is_the_owners_where_the_propertys_is_known(self):
        columns = {
            "PIN": numbers(),
            "OWNER": ["A"] * 100,
            "LOCNUMB": ["1"] * 100,
            "LOCNAME": ["ELM"] * 100,
            "ADDRESS": ["2 OAK"] * 100,
            "CITY": ["X"] * 100,
        }
        mapped = found(columns)
        assert (mapped.fields["mail_address"], mapped.fields["mail_city"]) == ("ADDRESS", "CITY")

    def test_a_bare_address_in_several_states_is_the_owners(self):
        columns = {
            "PIN": numbers(),
            "OWNER": ["A"] * 100,
            "ADDRESS": ["2 OAK"] * 100,
            "CITY": ["X"] * 100,
            "STATE": ["NY", "FL"] * 50,
        }
        assert found(columns).fields["mail_address"] == "ADDRESS"

    def test_a_bare_address_that_could_be_either_is_a_question(self):
        columns = {"PIN": numbers(), "OWNER": ["A"] * 100, "ADDRESS": ["2 OAK"] * 100, "CITY": ["X"] * 100, "STATE": ["NY"] * 100}
        assert [question.field for question in found(columns).questions] == ["mail_address"]


def test_an_only_address_column_holds_whole_addresses_even_where_most_are_foreign():
    whole = [
        "PO BOX 12 NAPLES NY 14512",
        "10 DOWNING ST LONDON SW1A 2AA UK",
        "12 RUE DE LA PAIX 75002 PARIS FRANCE",
        "CHURCH STREET",
    ]
    mapped = found({"PIN": numbers(), "OWNER": ["A"] * 100, "OWNER_ADDRESS": whole * 25})
    assert mapped.fields["mail_one_line"] == "OWNER_ADDRESS"
    assert "mail_address" not in mapped.fields


def test_a_column_that_is_not_there_is_refused_with_all_the_others():
    with pytest.raises(MissingField) as caught:
        found({"PIN": numbers()}, {"owner": "NOBODY", "no_such_field": "PIN"})
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [("Print Key", "PRINT_KEY"), ("printkey", "PRINT_KEY"), ("OWNER_2024", "OWNER"), ("2025_OWNER_CAREOF", "OwnerCareOf")],
)
def test_case_blanks_marks_and_years_do_not_count_in_names(one: str, other: str):
    assert plain_name(one) == plain_name(other)


def test_other_layers_are_known_by_the_states_schemas():
    made = names_to_fields("DOT_ID", "Road_Name", "Jurisdiction", kind="streets")
    assert made == {"Road_Name": "name", "Jurisdiction": "jurisdiction"}
    made = names_to_fields("NAME", "MUNI_TYPE", "SWIS", "POP2020", kind="municipalities")
    assert made == {"NAME": "name", "MUNI_TYPE": "kind", "SWIS": "swis"}
    made = names_to_fields(
        "AddressNumber", "CompleteStreetName", "SubAddress", "ZipName", "State", "ZipCode", kind="address_points"
    )
    assert list(made.values()) == ["number", "street", "unit", "city", "state", "zip"]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([1.5e15, 12.0, None], ["1500000000000000", "12", None]),
        ([True, False], ["true", "false"]),
        (["a\r\nb", "  ", "\x00x"], ["a b", None, "x"]),
    ],
)
def test_anything_becomes_text_without_outer_blanks(values: list[object], text: list[str | None]):
    assert column_text(pa.array(values)).to_pylist() == text


@pytest.mark.parametrize("counted", [1_000_000, 3])
def test_numbers_of_a_long_layer_are_counted_in_parts(monkeypatch, counted):
    monkeypatch.setattr(key, "_COUNTED", counted)
    numbers = [f"1-{n}" for n in range(98)] + ["2-1", "2-1"]
    found = recognise("parcels", pa.table({"PRINT_KEY": numbers, "PIN": ["7"] * 100}))
    assert (found.key.column, found.key.filled, found.key.unique) == ("PRINT_KEY", 100, 98)
    assert [(item.column, item.filled, item.unique) for item in found.rejected] == [("PIN", 100, 0)]


@pytest.mark.parametrize("odd", ["", " ", " A", "A ", "A<br>B", "A\tB", "\x7f", "M\u00fcller", "A\u200b", None])
def test_one_odd_text_among_plain_ones_is_tidied(odd):
    plain = ["12 MAIN ST", "O'NEIL & SON", "#4", "~"]
    wanted = column_text(pa.chunked_array([[odd]], pa.string())).to_pylist()
    for texts in ([odd, *plain], [*plain, odd], [plain[0], odd, plain[1]]):
        column = pa.chunked_array([["X ", *texts, " Y"]], pa.string()).slice(1, len(texts))
        assert column_text(column).to_pylist() == [wanted[0] if text is odd else text for text in texts]
