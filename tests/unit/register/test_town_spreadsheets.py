"""Spreadsheets as towns keep them come in, or ask; what was corrected comes in as a correction."""

import csv
from datetime import date, datetime, time

import openpyxl
import pytest
import shapely

from geonotice.errors import ParcelNotFound, QuestionError, UnreadColumns
from geonotice.register.assignments import Answers
from geonotice.register.held_hours import sessions_text
from geonotice.register.import_permits import import_
from geonotice.register.permits import list_permits, log_entries, rescind, show
from geonotice.register.question_file import preview_table, question_table, table_bytes, understood_words
from geonotice.register.values import Land
from geonotice.register.verify_log import verify_log

NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time
P1, P2, P3 = "12.01-1-15", "12.01-1-16", "12.01-1-17"
HEAD = ["Permit No.", "Event Name", "Type", "SCTM #", "Organizer", "Event Date(s)", "Issued", "Non-Profit", "Attend.", "Status"]


@pytest.fixture
def locate():
    def find(number):
        if number not in {P1, P2, P3}:
            raise ParcelNotFound(number, [P1])
        shape = shapely.box(*[{P1: 0, P2: 500, P3: 1000}[number], 0, {P1: 0, P2: 500, P3: 1000}[number] + 400, 300])
        return Land(parcel=number, zone="residential", geometry=shape.wkb, crs="EPSG:2263", area_sq_ft=shape.area)

    return find


@pytest.fixture
def take(register, locate, tmp_path):
    """Import rows under headings, as a workbook or as CSV, or a file; give the report."""

    def taken(*rows, path=None, name="past.xlsx", merged=(), **how):
        if path is None:
            path = tmp_path / name
            if path.suffix == ".csv":
                with path.open("w", newline="", encoding="utf-8") as file:
                    csv.writer(file).writerows(rows)
            else:
                book = openpyxl.Workbook()
                for row in rows:
                    book.active.append(list(row))
                for area in merged:
                    book.active.merge_cells(area)
                book.save(path)
        return import_(register, path, locate=locate, now=NOW, by="Clerk", **how)

    return taken


def row(number="A-1", **cells):
    made = dict(zip(HEAD, [number, "Fair", "festival", P1, "Lions", "7/4/26", "5/1/26", "Y", 200, "Issued"], strict=True))
    return list((made | cells).values())


def outcomes(report):
    return [(item.n, item.outcome) for item in report.rows]


class TestBetweenTheRows:
    def test_months_subtotals_totals_repeated_headings_and_notes_are_told_from_permits(self, take, register):
        report = take(
            ["Town of S: special events 2026"], [], HEAD, ["JANUARY"], row(), ["Subtotal", *[None] * 7, 200], ["February 2026 (cont.)"], HEAD,
            row("A-2"), ["June", 3], [], ["Grand Total", *[None] * 7, "=SUM(I5:I9)"], ["* ask Ann for the binder of 2024"], merged=("A4:J4",),
        )  # fmt: skip
        assert [item.number for item in report.rows if item.outcome.startswith("taken")] == ["A-1", "A-2"]
        assert report.refused == ()
        assert report.count("not_a_permit") == 7
        assert all(item.reasons for item in report.rows if item.outcome == "not_a_permit")
        assert len(list_permits(register)) == 2

    def test_a_number_alone_is_asked_about(self, take):
        assert outcomes(take(HEAD, row(), ["A-2"])) == [(2, "taken"), (3, "refused")]


class TestHeadings:
    def test_two_rows_of_headings_one_wide_over_others(self, take, register):
        report = take(
            ["Permit", "Parcel", "Applicant", "Event", None, None, "Permit"],
            ["No.", "Number", "Name", "Name", "From", "To", "Issued"],
            ["A-1", P1, "Lions", "Fair", date(2025, 6, 7), date(2025, 6, 8), date(2025, 5, 1)],
        )
        assert "two rows of headings were read together: rows 1 and 2" in report.remarks
        permit, _ = show(register, "A-1")
        assert (permit.title, permit.applicant, permit.starts, permit.ends) == (
            "Fair",
            "Lions",
            date(2025, 6, 7),
            date(2025, 6, 8),
        )

    def test_the_lower_row_may_be_the_shorter_one(self, take, register):
        take(
            ["Permit", "Tax Map Number", "Applicant", "Event", None, "Date Issued"],
            [None, None, None, "Starts", "Ends", None],
            ["A-1", P1, "Lions", date(2025, 6, 7), date(2025, 6, 8), date(2025, 5, 1)],
        )
        assert show(register, "A-1")[0].ends == date(2025, 6, 8)

    def test_a_column_without_a_heading_does_not_vanish(self, take):
        with pytest.raises(UnreadColumns, match="'column K'"):
            take(HEAD, [*row(), "7/5/2026"])
        report = take(HEAD, [*row(), "7/5/2026"], answers=Answers(columns={"column K": "ends"}))
        assert report.rows[0].understood["ends"] == "2026-07-05"

    def test_sheets_for_several_years_are_each_named(self, take, register, tmp_path):
        book = openpyxl.Workbook()
        for n, year in enumerate((2024, 2025)):
            sheet = book.active if n == 0 else book.create_sheet()
            sheet.title = str(year)
            sheet.append(HEAD)
            sheet.append(row("1", **{"Event Date(s)": date(year, 7, 4), "Issued": date(year, 5, 1), "SCTM #": (P1, P2)[n]}))
        book.create_sheet("notes").append(["see binder"])
        path = tmp_path / "past.xlsx"
        book.save(path)
        with pytest.raises(QuestionError, match='--sheet "2024", --sheet "2025"'):
            take(path=path)
        assert take(path=path, sheet="2024").count("taken") == 1
        again = take(path=path, sheet="2025")
        assert "give the row a number of its own" in again.refused[0].reasons[0]  # numbers that begin anew are no corrections
        assert len(list_permits(register)) == 1


class TestDays:
    def test_a_workbook_whose_days_are_plain_numbers(self, take, register):
        take(HEAD, row(**{"Event Date(s)": 46249, "Issued": 46180}))
        permit, _ = show(register, "A-1")
        assert (permit.starts, permit.issued) == (date(2026, 8, 15), date(2026, 6, 7))

    def test_separate_days_are_kept_as_days(self, take, register):
        report = take(HEAD, row(**{"Event Date(s)": "7/18/26; 7/25/26; 8/1/26"}))
        permit, _ = show(register, "A-1")
        assert permit.yard_sale_days == (date(2026, 7, 18), date(2026, 7, 25), date(2026, 8, 1))
        assert (permit.starts, permit.ends, permit.distinct_events) == (date(2026, 7, 18), date(2026, 8, 1), 1)
        assert any("write 3 under distinct_events" in reason for reason in report.rows[0].reasons)

    @pytest.mark.parametrize("how", ["in the cell", "in columns"])
    def test_hours_suggest_night_and_decide_nothing(self, how, take, register):
        def sunset(land, day):
            assert land.parcel == P1
            return datetime.combine(day, time(20, 30))

        if how == "in the cell":
            report = take(HEAD, row(**{"Event Date(s)": "July 11, 2026 6pm-11pm"}), sunset=sunset)
        else:
            report = take([*HEAD, "Start Time", "End Time"], [*row(), "6:00 PM", time(23, 0)], sunset=sunset)
        assert (
            "night: kept as unknown; the hours suggest night (18:00 to 23:00, sunset at 20:30); write yes or no"
            in report.rows[0].reasons
        )
        assert show(register, "A-1")[0].night is None

    @pytest.mark.parametrize(
        ("cell", "hours"),
        [
            ("July 11, 2026 6pm-11pm", "2026-07-11 18:00-23:00"),
            ("7/11/2026 7pm", "2026-07-11 19:00"),
            ("7/11/26 10am-4pm; 7/18/26 noon-5pm", "2026-07-11 10:00-16:00; 2026-07-18 12:00-17:00"),
            ("7/11/26 - 7/12/26 10am-4pm", "2026-07-11 10:00-16:00; 2026-07-12 10:00-16:00"),
            ("7/11/26 6pm to 7/12/26 1am", "2026-07-11 18:00-01:00"),
        ],
    )
    def test_hours_beside_the_days_are_kept(self, cell, hours, take, register):
        take(HEAD, row(**{"Event Date(s)": cell}))
        assert sessions_text(show(register, "A-1")[0].hours) == hours

    def test_hours_contact_and_fee_in_columns_are_kept_and_a_file_corrects_them(self, take, register):
        head = [*HEAD, "Start Time", "End Time", "Phone", "Contact", "Fee Paid"]
        rest = [time(18), "11pm", "631-555-0101", "J. Moore", 150]
        assert take(head, [*row(), *rest]).rows[0].outcome == "taken"
        permit, _ = show(register, "A-1")
        assert (sessions_text(permit.hours), permit.contact, permit.fee) == (
            "2026-07-04 18:00-23:00",
            "631-555-0101; J. Moore",
            "150",
        )
        assert take(head, [*row(), *rest]).rows[0].outcome == "there_already"
        found = take(head, [*row(), "6pm", "10pm", *rest[2:]], correct=True).rows[0]
        assert found.reasons == ("hours: 2026-07-04 18:00-23:00 is now 2026-07-04 18:00-22:00",)
        assert take(head, [*row(), "6pm", "10pm", *rest[2:]]).rows[0].outcome == "there_already"

    def test_hours_move_with_a_day_that_a_file_without_hours_corrects(self, take, register):
        take([*HEAD, "Hours"], [*row(), "6pm-11pm"])
        found = take(HEAD, row(**{"Event Date(s)": "7/5/2026"}), correct=True).rows[0]
        assert "hours: 2026-07-04 18:00-23:00 is now 2026-07-05 18:00-23:00" in found.reasons
        assert sessions_text(show(register, "A-1")[0].hours) == "2026-07-05 18:00-23:00"

    def test_hours_that_are_not_understood_are_said_and_clear_nothing(self, take, register):
        found = take([*HEAD, "Hours"], [*row(), "till dusk"])
        assert any("hours: not kept: 'till dusk' is not understood" in said for said in found.rows[0].reasons)
        assert show(register, "A-1")[0].hours == ()

    def test_european_dates_are_asked_about_once(self, take, register):
        rows = [HEAD, row(**{"Event Date(s)": "04/07/2026"}), row("A-2", **{"Event Date(s)": "25/07/2026"})]
        with pytest.raises(UnreadColumns, match="--dates day-first"):
            take(*rows, name="past.csv")
        take(*rows, name="past.csv", answers=Answers(dates="day-first"))
        assert show(register, "A-1")[0].starts == date(2026, 7, 4)


class TestParades:
    def test_a_run_on_no_parcel_is_a_parade_on_its_street(self, take, register):
        report = take([*HEAD, "Location"], [*row(Type="Run/Race", **{"SCTM #": "n/a"}), "Bay Shore Dr"])
        permit, _ = show(register, "A-1")
        assert (permit.kind, permit.land, permit.streets) == ("parade", (), ("Bay Shore Dr",))
        assert any("was read as parade, which does not count" in reason for reason in report.rows[0].reasons)

    def test_a_run_on_a_parcel_stays_what_it_is_and_counts(self, take, register):
        report = take(HEAD, row(Type="5K"))
        assert show(register, "A-1")[0].kind == "5k"
        assert any("write parade where it is one" in reason for reason in report.rows[0].reasons)

    def test_anything_else_without_a_parcel_is_asked_about(self, take):
        assert "none is named" in take(HEAD, row(Type="ceremony", **{"SCTM #": ""})).refused[0].reasons[0]


class TestStatuses:
    def test_each_is_said(self, take, register):
        report = take(
            HEAD, row(Status="Approved"), row("A-2", Status="Cancelled"), row("A-3", Status="DENIED", Issued=""),
            row("A-4", Status="Withdrawn"), row("A-5", Status="entered in error"),
        )  # fmt: skip
        assert [item.outcome for item in report.rows] == [
            "taken_with_remarks", "taken_with_remarks", "not_a_permit", "refused", "taken_with_remarks",
        ]  # fmt: skip
        assert {permit.number: permit.status for permit in list_permits(register)} == {
            "A-1": "issued",
            "A-2": "rescinded",
            "A-5": "void",
        }

    def test_a_permit_that_a_file_now_calls_denied_is_asked_about(self, take, register):
        take(HEAD, row())
        report = take(HEAD, row(Status="Denied", Issued=""))
        assert "void permit A-1" in report.refused[0].reasons[0]
        assert show(register, "A-1")[0].status == "issued"


class TestCorrections:
    def test_a_corrected_file_is_offered_and_with_correct_taken_exactly(self, take, register):
        take(HEAD, row(), row("A-2", **{"Event Date(s)": "7/11/26"}))
        corrected = [HEAD, row(**{"Event Date(s)": "7/5/26", "SCTM #": f"{P1};{P2}"}), row("A-2", **{"Event Date(s)": "7/11/26"})]
        offered = take(*corrected)
        assert outcomes(offered) == [(2, "differs"), (3, "there_already")]
        assert [(one.field, one.there, one.here) for one in offered.rows[0].differences] == [
            ("starts", "2026-07-04", "2026-07-05"),
            ("parcels", P1, f"{P1}, {P2}"),
        ]
        assert show(register, "A-1")[0].starts == date(2026, 7, 4)
        before = show(register, "A-2")
        assert outcomes(take(*corrected, correct=True)) == [(2, "corrected"), (3, "there_already")]
        permit, story = show(register, "A-1")
        assert (permit.starts, permit.parcels) == (date(2026, 7, 5), (P1, P2))
        assert (story[-1].action, story[-1].why) == (
            "import_correct",
            f"past.xlsx, row 2: starts: 2026-07-04 is now 2026-07-05; parcels: {P1} is now {P1}, {P2}",
        )
        assert show(register, "A-2") == before
        assert verify_log(register).sound
        assert outcomes(take(*corrected, correct=True)) == [(2, "there_already"), (3, "there_already")]

    def test_a_column_that_the_corrected_file_lacks_clears_nothing(self, take, register):
        take(HEAD, row())
        head, cells = (values[:7] for values in (HEAD, row(Organizer="Lions Club")))
        assert outcomes(take(head, cells, correct=True)) == [(2, "corrected")]
        permit, _ = show(register, "A-1")
        assert (permit.applicant, permit.charitable, permit.persons) == ("Lions Club", True, 200)

    def test_what_was_changed_in_the_register_since_stays(self, take, register):
        take(HEAD, row())
        rescind(register, "A-1", reason="false statements", now=NOW, by="Marshal")
        report = take(HEAD, row(), correct=True)
        assert report.rows[0].reasons == ("it stands in the register, where it was changed since: status",)
        assert show(register, "A-1")[0].status == "rescinded"

    def test_a_file_brings_no_permit_back(self, take, register):
        take(HEAD, row(Status="VOID"))
        assert "is not brought back by a file" in take(HEAD, row(), correct=True).refused[0].reasons[0]

    def test_a_dry_run_corrects_nothing(self, take, register):
        take(HEAD, row())
        assert take(HEAD, row(Organizer="Lions Club"), correct=True, dry_run=True).count("corrected") == 1
        assert len(log_entries(register)) == 1

    def test_a_corrected_row_without_a_number_is_not_counted_twice(self, take, register):
        take(HEAD, row(""))
        report = take(HEAD, row("", **{"Event Date(s)": "7/5/26"}))
        assert "may be unnumbered-" in report.refused[0].reasons[0]
        assert len(list_permits(register)) == 1


class TestQuestions:
    @pytest.mark.parametrize("ending", ["csv", "xlsx"])
    def test_answered_they_come_in_and_are_not_asked_again(self, ending, take, register, tmp_path):
        rows = [HEAD, row(), row("A-2", **{"Event Date(s)": "9/31/26"}), row("A-3", **{"SCTM #": "Town Hall"})]
        report = take(*rows)
        columns, asked = question_table(report)
        assert (columns[-1], [cells[0] for cells in asked]) == ("question", ["A-2", "A-3"])
        assert "no such day" in asked[0][-1]
        asked[0][5], asked[1][3] = "9/30/26", P2
        path = tmp_path / f"past.questions.{ending}"
        path.write_bytes(table_bytes((columns, asked), path))
        assert take(path=path).count("taken") == 2
        assert {permit.number for permit in list_permits(register)} == {"A-1", "A-2", "A-3"}
        again = take(*rows)
        assert outcomes(again) == [(2, "there_already"), (3, "there_already"), (4, "there_already")]
        assert again.rows[1].reasons == ("it stands in the register, with an answer for starts",)

    def test_a_preview_has_every_row_as_it_was_understood(self, take):
        report = take(HEAD, row(**{"Event Date(s)": "10/11-10/12/26"}), row("A-2", Issued="soon"), dry_run=True)
        columns, rows = preview_table(report)
        first, second = (dict(zip(columns, cells, strict=True)) for cells in rows)
        assert (first["starts"], first["ends"], first["charitable"], first["outcome"]) == (
            "2026-10-11",
            "2026-10-12",
            "yes",
            "taken",
        )
        assert (second["issued"], second["outcome"]) == (None, "refused")
        assert understood_words(report.rows[0]) == (
            f"festival; 2026-10-11 to 2026-10-12; {P1}; Lions; 200 persons; charitable yes; night unknown; issued 2026-05-01"
        )
