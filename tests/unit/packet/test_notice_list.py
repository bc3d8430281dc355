"""The mailing list as CSV and XLSX."""

import csv
import io

import openpyxl
import pytest
from msgspec.structs import replace

from geonotice.errors import OutputError
from geonotice.packet.notice_list import COLUMNS, letter_rows, list_csv, list_rows, list_xlsx

PLAN = [
    "number",
    "role",
    "name_1",
    "name_2",
    "address_1",
    "address_2",
    "city",
    "state",
    "zip",
    "country",
    "mail",
    "mailable",
    "parcels",
    "situs",
    "relation",
    "distance_ft",
    "reasons",
    "article_number",
]


def read_csv(data: bytes):
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_the_columns_are_the_plans():
    assert list(COLUMNS) == PLAN


def test_no_line_of_a_name_or_an_address_is_lost(notice):
    first = list_rows(notice)[0]
    assert (first["name_1"], first["name_2"]) == ("O'BRIEN & SÖHNE", "C/O ROE; ATTN LEE")
    assert (first["address_1"], first["address_2"]) == ("12 MAIN ST", "FL 2; PO BOX 3")


def test_what_a_person_should_look_at_stands_with_the_reasons(notice):
    assert list_rows(notice)[1]["reasons"] == "italy.notice1000; review: unmailable"


def test_a_row_keeps_what_the_rule_asks_for_and_says_where_no_letter_can_be_addressed(notice, recipient):
    assert [(row["mail"], row["mailable"]) for row in list_rows(notice)] == [
        ("first_class", "yes"),
        ("first_class", "no"),
        ("first_class", "yes"),
        ("certified", "yes"),
        ("none", "yes"),
    ]
    nowhere = replace(notice, recipients=(recipient(1, "A", mail="certified", review=("unmailable",)),))
    assert [(row["mail"], row["mailable"]) for row in list_rows(nowhere)] == [("certified", "no")]
    assert letter_rows(nowhere) == []


class TestCSV:
    def test_mark_line_ends_and_header(self, notice):
        data = list_csv(notice)
        assert data.startswith(b"\xef\xbb\xbfnumber,role,")
        assert data.count(b"\r\n") == data.count(b"\n") == 1 + len(notice.recipients)

    def test_values(self, notice):
        rows = read_csv(list_csv(notice, article_numbers={1: "9407 1000"}))
        assert [row["number"] for row in rows] == ["1", "2", "3", "4", "5"]
        assert (rows[0]["zip"], rows[0]["distance_ft"], rows[0]["article_number"]) == ("04512", "123.46", "9407 1000")
        assert rows[0]["name_1"] == "O'BRIEN & SÖHNE"
        assert rows[3]["distance_ft"] == ""

    def test_a_name_that_would_run_is_inert(self, notice):
        assert read_csv(list_csv(notice))[1]["name_1"] == "'=HYPERLINK(0)"

    def test_the_same_notice_gives_the_same_bytes(self, notice):
        assert list_csv(notice) == list_csv(replace(notice))


class TestXLSX:
    def book(self, notice, **settings):
        return openpyxl.load_workbook(io.BytesIO(list_xlsx(notice, **settings)))

    def test_the_first_sheet_is_the_table_from_its_first_row(self, notice):
        sheet = self.book(notice).worksheets[0]
        assert [cell.value for cell in sheet[1]] == PLAN
        assert sheet.tables["notice_list"].ref == "A1:R6"
        assert sheet.max_row == 6

    def test_zip_and_tax_map_number_are_text_and_nothing_is_a_formula(self, notice):
        sheet = self.book(notice, article_numbers={1: "00940"}).worksheets[0]
        head = {cell.value: cell.column for cell in sheet[1]}
        for column, value in {"zip": "04512", "parcels": "12.01-1-15.1", "article_number": "00940"}.items():
            cell = sheet.cell(2, head[column])
            assert (cell.value, cell.data_type, cell.number_format) == (value, "s", "@")
        cell = sheet.cell(3, head["name_1"])
        assert (cell.value, cell.data_type) == ("=HYPERLINK(0)", "s")
        assert sheet.cell(2, head["distance_ft"]).value == 123.46

    def test_it_prints_with_its_head_on_every_page(self, notice):
        sheet = self.book(notice).worksheets[0]
        assert sheet.freeze_panes == "A2"
        assert sheet.print_title_rows == "$1:$1"
        assert sheet.page_setup.orientation == "landscape"
        assert "Town of Italy" in sheet.oddHeader.left.text
        assert "October 20, 2026" in sheet.oddHeader.left.text
        assert "roll of 2026 (tentative)" in sheet.oddFooter.left.text

    def test_a_real_list_prints_in_letters_that_can_be_read(self, notice, recipient):
        many = [
            recipient(
                n,
                "Fallowfield Ruth A & Lloyd H Revocable Trust",
                "c/o Tamblyn Property Management",
                address=("4500 Prospect Blvd Ste 210", "PO Box 261"),
            )
            for n in range(1, 300)
        ]
        sheet = self.book(replace(notice, recipients=tuple(many))).worksheets[0]
        characters = sum(one.width for one in sheet.column_dimensions.values())
        # Letter paper has 10.4 in; a character of the standard letter is 7 pixels, of 96 to the inch, and 11 pt high.
        assert 11 * 10.4 * 96 / (7 * characters) > 6.2

    def test_a_row_with_several_parcels_is_high_enough_for_all_of_them(self, notice, recipient):
        several = tuple(f"52.11-2-{n}" for n in range(100, 140))
        made = replace(notice, recipients=(recipient(1, "A"), replace(recipient(2, "B"), parcels=several)))
        sheet = self.book(made).worksheets[0]
        lines = sheet.row_dimensions[3].height / 15
        width = sheet.column_dimensions["M"].width
        assert lines * width >= len("; ".join(several))
        assert (sheet.row_dimensions[2].height or 15) < sheet.row_dimensions[3].height

    def test_a_tax_map_number_fits_its_column(self, notice, recipient):
        long = "0900-123.00-01.00-002.000"
        sheet = self.book(replace(notice, recipients=(replace(recipient(1, "A"), parcels=(long,)),))).worksheets[0]
        assert sheet.column_dimensions["M"].width > len(long)

    def test_the_second_sheet_has_every_warning_and_the_sources(self, notice):
        rows = [[cell.value for cell in row] for row in self.book(notice).worksheets[1].iter_rows()]
        assert rows[1] == ["unmailable", "The address of an owner is missing, for 1 property.", "12.01-1-15.1"]
        assert rows[2][0] == "search_past_cover"
        words = "\n".join(str(value) for row in rows for value in row)
        for fact in (
            "italy.notice1000",
            "to all owners & residents",
            "parcels.gpkg",
            "July 1, 2026",
            "tolerance_ft",
            "owner asked <to be told>",
        ):
            assert fact in words

    def test_the_adjoining_owners_stand_on_a_third_sheet_where_there_are_any(self, notice):
        rows = [[cell.value for cell in row] for row in self.book(notice)["owners for the application"].iter_rows()]
        assert rows[:4] == [
            ["parcel", "owner"],
            ["12.01-1-15.1", "O'BRIEN & SÖHNE"],
            [None, None],
            ["street abutted", "frontage"],
        ]
        streets = [[one.street or "name not known", f"{one.length_ft:,.1f} ft"] for one in notice.frontages]
        assert streets
        assert rows[4:] == streets
        assert self.book(replace(notice, schedule=())).sheetnames == ["notice_list", "about and warnings", "to_mail"]

    def test_the_last_sheet_is_for_a_merge_and_has_only_letters_that_can_be_addressed(self, notice, recipient):
        held = recipient(6, "HELD", mail="none", review=("held",))
        book = self.book(replace(notice, recipients=(*notice.recipients, held)))
        head, *rows = [[cell.value or "" for cell in row] for row in book.worksheets[-1].iter_rows()]
        assert book.sheetnames[-1] == "to_mail"
        assert head == PLAN
        assert [row[:3] for row in rows] == [
            [one.number, one.role, one.names[0]]
            for one in notice.recipients
            if one.mail != "none" and "unmailable" not in one.review
        ]
        everyone = book.worksheets[0]
        assert [everyone.cell(row, 1).value for row in range(2, 8)] == [1, 2, 3, 4, 5, 6], "the list itself leaves nobody out"

    def test_a_merge_of_nobody_is_an_empty_table(self, notice):
        lost = tuple(one for one in notice.recipients if one.number == 2)
        sheet = self.book(replace(notice, recipients=lost)).worksheets[-1]
        assert sheet.tables["to_mail"].ref == "A1:R2"
        assert all(not cell.value for cell in sheet[2])

    def test_a_list_of_nobody_is_still_a_table(self, notice):
        sheet = self.book(replace(notice, recipients=(), warnings=())).worksheets[0]
        assert sheet.tables["notice_list"].ref == "A1:R2"

    def test_a_cell_too_full_for_excel_is_refused_by_name(self, notice, recipient):
        many = tuple(f"12.01-1-{n:06}" for n in range(3000))
        with pytest.raises(OutputError, match="parcels of recipient 1"):
            list_xlsx(replace(notice, recipients=(recipient(1, "STATE OF NEW YORK", parcels=many),)))

    def test_the_same_notice_gives_the_same_bytes(self, notice):
        assert list_xlsx(notice) == list_xlsx(replace(notice))
