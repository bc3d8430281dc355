"""Owners of record: verbatim, every one, on the lines they are printed on."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geonotice.address_spelling import normal_address, normal_name
from geonotice.layers.addresses import settle_address
from geonotice.layers.columns.recognize import FieldMap
from geonotice.layers.countries_and_zip_codes import state_code, zip_fits
from geonotice.layers.owner_spelling import OWNER_TEXT, address_keys, name_keys
from geonotice.layers.owners import owners_of_record, situs_of


def owners(**columns: str | list[str | None] | None) -> list[dict[str, object]]:
    """Return the owners of rows whose columns are called as the fields are."""
    lists = {name: value if isinstance(value, list) else [value] for name, value in columns.items()}
    table = pa.table({name: pa.array(values, pa.string()) for name, values in lists.items()})
    return owners_of_record(table, FieldMap("parcels", {name: name for name in lists})).to_pylist()


def only(**columns: str | None) -> dict[str, object]:
    (owner,) = owners(**columns)
    return owner


HOME = {"mail_city": "Naples", "mail_state": "NY", "mail_zip": "14512"}


class TestNames:
    @pytest.mark.parametrize(
        "name",
        ["SMITH, JOHN A & MARY", "Smith  John ", "A + B", "DOE, J; ROE, R", "O'BRIEN/LEE L.P.", "ESTATE OF X % Y", "Łukasz Żółć"],
    )
    def test_are_printed_as_they_are(self, name: str):
        assert only(owner=name, mail_address="1 Main St", **HOME)["names"] == name.strip()

    def test_a_second_owner_and_a_care_of_line_follow(self):
        owner = only(owner="DOE, J", owner_2="ROE, R", care_of="C/O SMITH", mail_address="1 Main St", **HOME)
        assert owner["names"] == "DOE, J\nROE, R\nC/O SMITH"

    def test_a_second_owner_who_is_the_first_again_is_no_second_line(self):
        assert only(owner="DOE, J", owner_2="Doe, J", mail_address="1 Main St", **HOME)["names"] == "DOE, J"

    @pytest.mark.parametrize("name", [None, "", "  ", "UNKNOWN", "Unknown Owner", "N/A", "null", "-"])
    def test_placeholders_are_nobody(self, name: str | None):
        assert only(owner=name, care_of="C/O SMITH", mail_address="1 Main St", **HOME)["names"] == ""


class TestAdditionalOwner:
    def test_with_an_address_of_their_own_is_another_owner(self):
        first, second = owners(
            owner="DOE, J", mail_address="1 Main St", **HOME, add_owner="ROE, R", add_mail_address="2 Elm St", add_mail_city="Albany", add_mail_state="NY",
            add_mail_zip="12203",
        )  # fmt: skip
        assert (first["n"], first["names"], first["address"]) == (0, "DOE, J", "1 Main St")
        assert (second["n"], second["names"], second["address"], second["city"]) == (1, "ROE, R", "2 Elm St", "Albany")

    def test_without_an_address_is_a_second_name_line(self):
        assert (
            only(owner="DOE, J", mail_address="1 Main St", **HOME, add_owner="ROE, R", add_mail_address=None)["names"]
            == "DOE, J\nROE, R"
        )

    def test_at_the_same_address_is_a_second_name_line(self):
        added = {"add_mail_address": "1 MAIN STREET", "add_mail_city": "NAPLES", "add_mail_state": "NY", "add_mail_zip": "14512"}
        assert only(owner="DOE, J", mail_address="1 Main St", **HOME, add_owner="ROE, R", **added)["names"] == "DOE, J\nROE, R"


class TestAddresses:
    def test_street_and_box_are_lines_of_their_own_the_box_last(self):
        assert only(owner="D", mail_address="1 Main St", po_box="PO Box 9", **HOME)["address"] == "1 Main St\nPO Box 9"

    @pytest.mark.parametrize(
        ("box", "line"), [("1701", "PO BOX 1701"), ("12A", "PO BOX 12A"), ("Drawer 7", "Drawer 7"), ("0", "")]
    )
    def test_a_box_that_is_only_a_number_is_called_one(self, box: str, line: str):
        assert only(owner="D", po_box=box, mail_address=None, **HOME)["address"] == line

    def test_a_box_said_twice_is_printed_once(self):
        assert only(owner="D", mail_address="PO BOX 9", po_box="PO Box 9", **HOME)["address"] == "PO BOX 9"

    def test_city_and_state_in_one_field(self):
        owner = only(owner="D", mail_address="1 Main St", mail_city_state_zip="Albany, NY  12203")
        assert (owner["city"], owner["state"], owner["zip"]) == ("Albany", "NY", "12203")

    @pytest.mark.parametrize(
        ("code", "extra", "printed"),
        [("11001.0", None, "11001"), ("145121234", None, "14512-1234"), ("14512 1234", None, "14512-1234"), ("14512", "77", "14512-0077"),
         ("14512-0000", None, "14512"), ("00000", None, ""), ("K1A 0B1", None, "K1A 0B1")],
    )  # fmt: skip
    def test_zip_codes(self, code: str, extra: str | None, printed: str):
        assert only(owner="D", mail_address="1 Main St", mail_zip=code, mail_zip_4=extra)["zip"] == printed

    @pytest.mark.parametrize(
        ("city", "state", "code", "country", "printed"),
        [
            ("Toronto", "ON", "M4V 1H4", None, "CANADA"),
            ("TORONTO ONTARIO", None, "M4V1H", None, "CANADA"),
            ("EDINBURGH PH28QJ", None, "UK", None, "UK"),
            ("Naples", "NY", "14512", "USA", ""),
            ("Paris", None, "75001", "France", "France"),
            ("Naples", "NY", None, None, ""),
        ],
    )
    def test_countries(self, city: str, state: str | None, code: str | None, country: str | None, printed: str):
        owner = only(owner="D", mail_address="1 Main St", mail_city=city, mail_state=state, mail_zip=code, mail_country=country)
        assert owner["country"] == printed
        assert owner["city"] == city

    def test_a_one_string_address_is_split_where_that_is_safe(self):
        owner = only(owner="D", mail_one_line="248 -62 JERICHO TPKE FLORAL PARK NY 11001")
        assert (owner["address"], owner["city"], owner["zip"]) == ("248 -62 JERICHO TPKE", "FLORAL PARK", "11001")


class TestSitus:
    def test_is_put_together_from_its_parts_where_the_layer_has_no_whole(self):
        table = pa.table({"n": ["0264", "000"], "s": ["Quail", "Elm"], "x": ["St", None], "u": ["2", None]})
        made = situs_of(
            table, FieldMap("parcels", {"situs_number": "n", "situs_street": "s", "situs_suffix": "x", "situs_unit": "u"})
        )
        assert made["text"].to_pylist() == ["0264 Quail St 2", "Elm"]
        assert made["number"].to_pylist() == ["0264", None]


TEXTS = st.text(alphabet="AaBbSsTt12 .,'&#-/\nÉ", max_size=24) | st.sampled_from(
    ["12 North Main Street", "P.O. Box 12", "POB 7", "PO BOX 12", "Apt. 3\n12 Oak Avenue", "RR 1 Box 2", "12.5 Elm", "UNIT # 4"]
)


@given(st.lists(st.tuples(*[TEXTS] * len(OWNER_TEXT)), min_size=1, max_size=8))
def test_whole_columns_are_normalised_as_single_texts_are(rows: list[tuple[str, ...]]):
    table = pa.table({name: pa.array([row[place] for row in rows], pa.string()) for place, name in enumerate(OWNER_TEXT)})
    names, address, city, state, code, country = zip(*rows, strict=True)
    assert name_keys(table).to_pylist() == [normal_name(text.split("\n")) for text in names]
    wanted = [
        normal_address(one.split("\n"), city=c, state=s, zip=z, country=k)
        for one, c, s, z, k in zip(address, city, state, code, country, strict=True)
    ]
    assert address_keys(table).to_pylist() == wanted


PLACES = st.tuples(
    st.sampled_from(["12 OAK ST", "12 OAK ST\nAPT 4", "5 HIGH ST LONDON", "", "ALBANY NY 12203"]),
    st.sampled_from(["ALBANY", "ALBANY, NY", "APO", "a.p.o.", "MEXICO", "OSAKA, JAPAN", "Montréal", None]),
    st.sampled_from(["NY", "ny", "N.Y.", "FL", "CT", "AE", "ON", "QQ", "PR", None]),
    st.sampled_from(
        ["12203", "33101", "6390", "12203-0000", "12203-4455", "122034455", "00012", "00501", "12203.0", "M4V 1H4", None]
    ),
    st.sampled_from([None, None, "0012", "1H4"]),
    st.sampled_from([None, None, "USA", "Canada", "DE"]),
)


@given(st.lists(PLACES, min_size=1, max_size=8))
def test_addresses_of_whole_columns_are_settled_as_single_ones_are(rows: list[tuple[str | None, ...]]):
    columns = ("MAIL_ADDR", "MAIL_CITY", "MAIL_STATE", "MAIL_ZIP", "ZIP4", "COUNTRY")
    table = pa.table({name: pa.array(column, pa.string()) for name, column in zip(columns, zip(*rows, strict=True), strict=True)})
    names = ("mail_address", "mail_city", "mail_state", "mail_zip", "mail_zip_4", "mail_country")
    fields = {"owner": "=DOE", **dict(zip(names, columns, strict=True))}
    owners = owners_of_record(table, FieldMap("parcels", fields, (), (), ())).to_pylist()
    for row, owner in zip(rows, owners, strict=True):
        lines, city, state, code, plus, country = (text or "" for text in row)
        one = settle_address(lines.split("\n"), city, state, code, plus=plus, country=country)
        assert (owner["address"], owner["city"], owner["state"]) == ("\n".join(one.lines), one.city, one.state)
        assert (owner["zip"], owner["country"]) == (one.zip, one.country)
        if not (state and zip_fits(one.zip, state_code(state))):
            assert owner["changed"] == " ".join(one.changed)


class TestWithoutAName:
    def test_an_address_is_kept_and_the_care_of_line_with_it(self):
        owner = only(owner="N/A", care_of="C/O SMITH", mail_address="1 Main St", **HOME)
        assert (owner["names"], owner["address"]) == ("", "C/O SMITH\n1 Main St")

    def test_a_layer_without_names_has_the_rows_with_an_address(self):
        made = owners(mail_address=["1 Main St", None], mail_city=["Naples", "Naples"], mail_zip=["14512", "14512"])
        assert [(owner["row"], owner["names"], owner["address"]) for owner in made] == [(0, "", "1 Main St")]

    def test_a_persons_word_in_the_place_of_a_value_is_said_and_a_programs_is_not(self):
        assert only(owner="SAME", mail_address="1 Main St", **HOME)["changed"] == "placeholder"
        assert only(owner="<Null>", mail_address="1 Main St", **HOME)["changed"] == ""


def test_a_line_break_in_a_cell_parts_names_and_addresses():
    owner = only(owner="DOE, J\r\nROE, R", mail_one_line="1 Main St\nNaples NY 14512")
    assert (owner["names"], owner["address"], owner["city"], owner["zip"]) == ("DOE, J\nROE, R", "1 Main St", "Naples", "14512")
