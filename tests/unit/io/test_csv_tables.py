"""Tests of reading tables: rolls and permits find their headings the same way."""

import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from geonotice.errors import InputError, UnreadableLayer
from geonotice.io.csv_tables import column_faults, csv_heading, csv_records, decoded, find_heading
from geonotice.layers.roll_tables import read_roll_table
from geonotice.register.sheets import read_sheet

ROLL = [
    ["Town of Italy: final assessment roll 2026"],
    [],
    ["Printed 1 July 2026"],
    ["PRINT_KEY", "OWNER", "MAIL ADDR"],
    ["1.-1-1", "DOE, J", "1 A ST"],
]
PERMITS = [["Permits issued"], ["number", "parcels", "issued"], ["7", "1.-1-1", "2026-05-01"]]


def known(cells) -> int:
    return len({"PARCEL", "OWNER", "SWIS"} & set(cells))


def saved(path: Path, rows: list[list[str]], mark: str = ",") -> Path:
    if path.suffix == ".csv":
        lines = [mark.join(f'"{cell}"' if mark in cell else cell for cell in row) for row in rows]
        path.write_text("\n".join(lines), encoding="utf-8")
        return path
    book = openpyxl.Workbook()
    for n, row in enumerate(rows, start=1):
        for place, cell in enumerate(row, start=1):
            book.active.cell(n, place, cell)
    book.save(path)
    return path


@pytest.mark.parametrize("name", ["roll.csv", "roll.xlsx"])
def test_a_roll_with_titles_above_its_headings_is_read_and_the_titles_are_named(tmp_path: Path, name: str):
    table, notes, _ = read_roll_table(saved(tmp_path / name, ROLL))
    assert table.to_pylist() == [{"PRINT_KEY": "1.-1-1", "OWNER": "DOE, J", "MAIL ADDR": "1 A ST"}]
    assert notes == ["2 rows of titles stand above the headings, which are in row 4; the titles were not read"]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_rolls_and_permits_find_what_parts_their_cells_below_a_title(tmp_path: Path, mark: str):
    assert read_roll_table(saved(tmp_path / "roll.csv", ROLL, mark))[0].column("OWNER").to_pylist() == ["DOE, J"]
    sheet = read_sheet(saved(tmp_path / "permits.csv", PERMITS, mark))
    assert [(row.n, row.cells["parcels"]) for row in sheet.rows] == [(3, "1.-1-1")]


@pytest.mark.parametrize("name", ["roll.csv", "roll.xlsx"])
def test_headings_that_only_the_town_file_names_are_found_below_a_title(tmp_path: Path, name: str):
    path = saved(tmp_path / name, [["Roll of 2026"], ["SECT", "HOLDER"], ["1", "DOE"]])
    assert read_roll_table(path, columns=("SECT", "HOLDER"))[0].to_pylist() == [{"SECT": "1", "HOLDER": "DOE"}]


def test_a_row_of_data_never_passes_for_a_title(tmp_path: Path):
    """Headings that nobody knows, and an owner whose cells read like headings: each row below the first stays."""
    path = saved(tmp_path / "roll.csv", [["A", "B", "C"], ["1", "DOE", "x"], ["2", "OWNER", "TOWN"]])
    table, notes, _ = read_roll_table(path)
    assert (table.column_names, table.num_rows, notes) == (["A", "B", "C"], 2, [])


def test_the_row_of_headings_is_counted_with_blank_lines_and_cells_of_two_lines():
    text = '\n\n"A title\nof two lines"\n\nPARCEL,"OWNER"\n1,DOE\n'
    found = csv_heading(text, known)
    assert found is not None
    assert (found.row, found.line, found.titles, found.mark) == (6, 6, 1, ",")
    assert csv_heading("\n  \n", known) is None
    assert find_heading([(1, ["", None])], known) is None


def test_a_text_is_never_half_of_one_encoding():
    assert decoded("MÜLLER".encode("cp1252"), "roll") == ("MÜLLER", True)
    assert decoded("MÜLLER".encode("utf-16"), "roll") == ("MÜLLER", False)
    with pytest.raises(UnreadableLayer, match="line 2: it is not in UTF-8"):
        decoded("MÜLLER\nN\xdc".encode() + b"\xff", "roll", UnreadableLayer)
    with pytest.raises(InputError, match="damaged"):
        decoded(b"\x81\x8d", "permits")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_rows_of_a_roll_are_named_by_their_lines_in_the_file(tmp_path: Path, end: str):
    lines = ["Title", "", "PRINT_KEY,OWNER", '1,"DOE', 'ROE"', "", '2,"A ""B"""', "3,C"]
    path = tmp_path / "roll.csv"
    path.write_bytes(end.join(lines).encode())
    table = read_roll_table(path)
    assert [table.rows(place) for place in range(table.table.num_rows)] == ["row 4", "row 7", "row 8"]


def test_where_quotation_marks_stray_a_record_is_named_by_its_place(tmp_path: Path):
    table = read_roll_table(saved(tmp_path / "roll.csv", [["PRINT_KEY", "OWNER"], ["1", 'DOE "JOHN'], ["2", "ROE"]]))
    assert [table.rows(place) for place in range(table.table.num_rows)] in (["record 1", "record 2"], ["row 2", "row 3"])


def formulas(path: Path, *, results: str) -> Path:
    """Write a workbook with a formula in B3 whose result is as given, in the words of its XML."""
    book = openpyxl.Workbook()
    for row in (["Roll 2026"], ["PRINT_KEY", "OWNER", "MAIL_ADDR"], ["1", '=A1&"x"', "1 ELM"], ["2", "ROE", "2 ELM"]):
        book.active.append(row)
    book.save(path)
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(path, "w") as new:
        for name, data in parts.items():
            text = re.sub(rb'<c r="B3">(<f>.*?</f>)<v ?/?>(?:</v>)?</c>', results.encode(), data)
            assert (text != data) == name.startswith("xl/worksheets/")
            new.writestr(name, text)
    return path


@pytest.mark.parametrize("results", [r'<c r="B3">\1</c>', r'<c r="B3" >\1<v></v></c>'])
def test_a_roll_with_formulas_without_results_is_refused_by_the_cell(tmp_path: Path, results: str):
    with pytest.raises(UnreadableLayer, match=r"without their results \(cell B3\)"):
        read_roll_table(formulas(tmp_path / "roll.xlsx", results=results))


def test_a_formula_whose_result_is_an_empty_text_is_a_blank_cell(tmp_path: Path):
    path = formulas(tmp_path / "roll.xlsx", results=r'<c r="B3" t="str">\1<v></v></c>')
    assert read_roll_table(path).table.column("OWNER").to_pylist() == [None, "ROE"]
    assert read_roll_table(path).rows(1) == "row 4"


class TestAFileWithColumnsByName:
    FILE = Path("corrections.csv")

    def test_its_rows_come_by_their_headings_with_the_line_they_begin_on(self):
        names, rows = csv_records(b' Parcel ,VALUE\n\n1.-1-1,"SMITH, J ",\n2.-1-1,x,beyond\n', self.FILE, ("parcel", "value"))
        assert names == ("parcel", "value")
        assert [(row.line, row.values, row.extra) for row in rows] == [
            (3, {"parcel": "1.-1-1", "value": "SMITH, J"}, []),
            (4, {"parcel": "2.-1-1", "value": "x"}, ["beyond"]),
        ]

    def test_a_blank_file_has_no_headings(self):
        names, rows = csv_records(b"\n \n", self.FILE, ("parcel",))
        assert (names, list(rows)) == (None, [])

    def test_what_is_wrong_with_the_headings_can_be_told_before_a_row_is_read(self):
        names, rows = csv_records(b'parcel,vale,vale\n1,"never closed\n', self.FILE, ("parcel", "value"))
        found = column_faults(
            self.FILE, names, needed=("parcel", "value"), may_be=(), why="w", remedy="begin it with parcel,value"
        )
        assert [fault.what for fault in found] == ["its first row has no column value", "unknown column vale"]
        with pytest.raises(InputError, match="it is not a CSV"):
            list(rows)

    def test_a_column_that_stands_twice_is_one_fault(self):
        found = column_faults(self.FILE, ("a", "b", "a"), needed=("a",), may_be=("b",), why="", remedy="")
        assert [fault.what for fault in found] == ["the column a stands there twice"]
