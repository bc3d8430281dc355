"""A town's spreadsheet of past years comes in, with a report of what did not fit."""

import csv
import sqlite3
from contextlib import closing
from datetime import date, datetime

import pytest
import shapely
import xlsxwriter
from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules
from geonotice.decide.caps import CapRules
from geonotice.errors import AmbiguousParcel, InputError, ParcelNotFound, QuestionError
from geonotice.register.assignments import Answers
from geonotice.register.export_permits import export, permits_csv, permits_xlsx
from geonotice.register.headings import COLUMNS
from geonotice.register.import_permits import import_
from geonotice.register.permit_check import check
from geonotice.register.permits import list_permits, log_entries, rescind, show
from geonotice.register.session import open_register
from geonotice.register.verify_log import verify_log

NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time
GOOD = {
    "number": "SE-7",
    "kind": "Festival",
    "parcels": "12.01-1-15;12.01-1-16",
    "applicant": "O'Neil & Sons",
    "charitable": "no",
    "primarily_benefits_applicant": "no",
    "distinct_events": "1",
    "issued": "2026-02-01",
    "starts": "2026-06-06",
    "ends": "2026-06-07",
    "night": "yes",
    "persons": "1,200",
    "status": "issued",
}


@pytest.fixture
def locate(land):
    known = {"12.01-1-15": land(), "12.01-1-16": land("12.01-1-16", (1200, 1000, 1400, 1300))}

    def find(number):
        if number == "twice":
            raise AmbiguousParcel(number, ["573601/1", "573689/1"])
        if number not in known:
            raise ParcelNotFound(number, ["12.01-1-15"])
        return known[number]

    return find


@pytest.fixture
def take(register, locate, tmp_path):
    """Import rows (or a file) and give the report."""

    def taken(*rows, path=None, columns=COLUMNS, **how):
        if path is None:
            path = tmp_path / "past.csv"
            with path.open("w", newline="", encoding="utf-8-sig") as file:
                writer = csv.DictWriter(file, columns)
                writer.writeheader()
                writer.writerows(rows)
        return import_(register, path, locate=locate, now=NOW, by="Clerk", **how)

    return taken


def _row(**changes):
    return {**GOOD, **changes}


def test_a_row_is_taken_as_it_is(take, register):
    report = take(GOOD)
    assert [(row.n, row.number, row.outcome, row.reasons) for row in report.rows] == [(2, "SE-7", "taken", ())]
    permit, story = show(register, "SE-7")
    assert permit.kind == "festival"
    assert permit.parcels == ("12.01-1-15", "12.01-1-16")
    assert (permit.issued, permit.starts, permit.ends) == (date(2026, 2, 1), date(2026, 6, 6), date(2026, 6, 7))
    assert (permit.charitable, permit.night, permit.persons, permit.distinct_events) == (False, True, 1200, 1)
    assert permit.land[0].geometry is not None
    assert [(entry.action, entry.why) for entry in story] == [("import", "past.csv, row 2")]
    assert verify_log(register).sound


def test_what_was_imported_counts(take, register, application):
    take(_row(), _row(number="SE-8"))
    assert check(register, application, on=NOW.date(), rules=PermitRules(caps=CapRules())).finding.status == "not_met"


def test_the_cap_refuses_no_permit_of_the_past(take):
    assert take(*(_row(number=f"SE-{n}") for n in range(9))).count("taken") == 9


def test_a_day_of_issue_that_is_still_to_come_is_told(take):
    (row,) = take(_row(issued="2026-05-03")).rows
    assert row.outcome == "taken_with_remarks"
    assert "issued: 2026-05-03 is still to come" in " ".join(row.reasons)
    (row,) = take(_row(number="SE-8", issued="2026-05-02")).rows
    assert row.outcome == "taken"


class TestAgain:
    def test_the_same_file_changes_nothing(self, take, register):
        take(GOOD, _row(number=""))
        report = take(GOOD, _row(number=""))
        assert [row.outcome for row in report.rows] == ["there_already", "there_already"]
        assert len(log_entries(register)) == 2

    def test_a_permit_that_differs_is_offered_as_a_correction(self, take, register):
        take(GOOD)
        report = take(_row(status="void", persons="300"))
        assert report.differing[0].reasons == (
            "permit SE-7 stands in the register already, but otherwise: persons is 1200 there, 300 here; status is issued there, void here",
        )
        assert show(register, "SE-7")[0].status == "issued"

    def test_a_row_that_stands_twice_in_the_file(self, take):
        report = take(GOOD, GOOD, _row(starts="2026-06-05"))
        assert [row.outcome for row in report.rows] == ["taken", "there_already", "refused"]
        assert "in row 2" in report.rows[1].reasons[0]

    def test_rows_without_a_number_are_told_apart_by_what_they_say(self, take, register):
        report = take(_row(number=""), _row(number="", starts="2026-06-05"), _row(number=""))
        assert [row.outcome for row in report.rows] == ["taken_with_remarks", "taken_with_remarks", "there_already"]
        assert len(list_permits(register)) == 2


def test_whole_numbers_as_another_program_writes_them(take, register):
    take(_row(persons="1,200.0", distinct_events="2.0"))
    (permit,) = list_permits(register)
    assert (permit.persons, permit.distinct_events) == (1200, 2)


def test_numbers_that_look_like_the_register_s_own_do_not_clash(take, give):
    report = take(*(_row(number=number, parcels="gone: 99-1-1") for number in ("2026-7", "2026-0007", "2026-00007")))
    assert report.refused == ()
    assert give().permit.number == "2026-0008"


class TestRefusedRows:
    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"parcels": ""}, "parcels: none is named"),
            ({"parcels": "12.01-1-15; 12.01-1-15"}, "named twice"),
            ({"parcels": "twice"}, "573601/1; 573689/1"),
            ({"issued": "", "starts": ""}, "can be counted in no year"),
            ({"issued": "next week"}, "issued: 'next week' is not a date"),
            ({"starts": "7/4"}, "starts: '7/4' is not a date: its year is not written"),
            ({"starts": "46179"}, "it may be 2026-06-06: give the column the format of dates"),
            ({"applicant": "x" * 32_001}, "applicant: 32,001 characters are more than a cell of a workbook holds"),
            ({"starts": "2026-02-30"}, "starts: '2026-02-30' is not a date"),
            ({"issued": "0202-02-01"}, "no likely year"),
            ({"ends": "2026-06-05"}, "ends: 2026-06-05 is before the start"),
            ({"night": "perhaps"}, "night: 'perhaps' is not yes, no or unknown"),
            ({"distinct_events": "0"}, "there is at least one"),
            ({"distinct_events": "two"}, "'two' is not a whole number"),
            ({"distinct_events": "1.5"}, "'1.5' is not a whole number"),
            ({"persons": "-5"}, "'-5' is not a whole number"),
            ({"persons": "9" * 30}, "more than can be"),
            ({"status": "postponed"}, "rescinded where it was issued and taken back (it counts)"),
        ],
    )
    def test_is_refused_with_the_reason(self, changes, reason, take, register):
        report = take(_row(**changes), _row(number="good"))
        assert [row.outcome for row in report.rows] == ["refused", "taken"]
        assert reason in "; ".join(report.rows[0].reasons)
        assert [permit.number for permit in list_permits(register)] == ["good"]

    def test_with_all_its_faults_at_once(self, take):
        report = take(_row(night="perhaps", issued="soon", persons="many"))
        assert len(report.rows[0].reasons) == 3


class TestTakenWithRemarks:
    def test_a_parcel_that_the_layer_does_not_have_is_asked_about_once(self, take, register):
        report = take(_row(parcels="99-1-1"))
        assert report.refused[0].reasons == (
            "parcels: 99-1-1 is not in the layer (near it: 12.01-1-15); write the number of today, or 'gone: 99-1-1' where the layer has it no longer",
        )
        assert list_permits(register) == ()
        assert take(_row(parcels="gone: 99-1-1")).count("taken_with_remarks") == 1
        assert take(_row(parcels="99-1-1")).count("there_already") == 1

    def test_a_file_of_which_the_layer_has_hardly_any_parcel_is_not_taken(self, take, register):
        rows = [_row(number=f"SE-{n}", parcels=f"99-1-{n}", starts=f"2026-06-0{n + 1}", ends="") for n in range(6)]
        with pytest.raises(
            QuestionError, match=r"of 7 rows that name a parcel, the layer has none of the parcels of 6 \(99-1-0, 99-1-1"
        ):
            take(*rows, _row())
        assert list_permits(register) == ()
        assert take(*rows, _row(), answers=Answers(former_parcels=True)).count("taken_with_remarks") == 6

    def test_a_parcel_that_is_no_more_is_kept_by_its_number(self, take, register):
        report = take(_row(parcels="gone: 99-1-1"))
        assert report.rows[0].outcome == "taken_with_remarks"
        assert "99-1-1 is not in the layer (near it: 12.01-1-15)" in report.rows[0].reasons[0]
        assert show(register, "SE-7")[0].land[0].geometry is None

    @pytest.mark.parametrize("mark", [", ", " & ", " and ", "/", " + "])
    def test_parcels_with_other_marks_between_them_are_read_where_the_layer_knows_each(self, mark, take, register):
        report = take(_row(parcels=mark.join(("12.01-1-15", "12.01-1-16"))))
        assert "was read as 2 parcels: 12.01-1-15; 12.01-1-16" in report.rows[0].reasons[0]
        assert show(register, "SE-7")[0].parcels == ("12.01-1-15", "12.01-1-16")

    def test_one_that_the_layer_does_not_know_does_not_hide_the_other(self, take, register):
        assert "99-1-1 is not in the layer" in take(_row(parcels="12.01-1-15, 99-1-1")).refused[0].reasons[0]
        take(_row(parcels="12.01-1-15, gone: 99-1-1"))
        assert show(register, "SE-7")[0].parcels == ("12.01-1-15", "99-1-1")

    def test_a_date_that_is_not_known(self, take, register, application):
        report = take(_row(issued=""), _row(number="SE-8"))
        assert "in a residential district it may count in any year" in report.rows[0].reasons[0]
        assert check(register, application, on=NOW.date(), rules=PermitRules(caps=CapRules())).finding.status == "decide"

    def test_month_first_dates_are_said(self, take, register):
        report = take(_row(starts="6/7/2026", ends=""))
        assert "dates such as 7/4/2026 were read month first" in report.remarks
        assert show(register, "SE-7")[0].starts == date(2026, 6, 7)

    def test_columns_that_are_not_read_or_not_there_are_said(self, take):
        columns = ("Permit No", "Tax Map Number", "Date Issued", "Event Date", "Applicant", "Website", "Ward")
        cells = ("A-1", "12.01-1-15", "2026-02-01", "2026-06-06", "Ann Roe", "example.org", "Second")
        report = take(dict(zip(columns, cells, strict=True)), columns=columns)
        assert report.rows[0].outcome == "taken"
        said = " / ".join(report.remarks)
        assert "not kept, since a permit in the register has no place for it: Website" in said
        assert "the column 'Ward' was not read" in said
        assert "there is no column night" in said
        assert "there is no column status: each was taken for issued" in said


class TestFiles:
    def test_a_dry_run_writes_nothing(self, take, register):
        report = take(GOOD, dry_run=True)
        assert (report.count("taken"), report.written) == (1, False)
        assert list_permits(register) == ()

    def test_semicolons_windows_letters_and_a_title_above_the_columns(self, take, register, tmp_path):
        path = tmp_path / "past.csv"
        path.write_bytes(
            'Permits of 2026\r\n\r\nnumber;parcels;applicant;starts;issued\r\nA;"12.01-1-15;12.01-1-16";Café;2026-06-06;2026-02-01\r\n'.encode(
                "cp1252"
            )
        )
        report = take(path=path)
        assert [(row.n, row.outcome) for row in report.rows] == [(4, "taken")]
        assert "Windows" in report.remarks[0]
        assert show(register, "A")[0].applicant == "Café"
        assert len(show(register, "A")[0].land) == 2

    def test_a_workbook_with_dates_numbers_and_other_sheets(self, take, register, tmp_path):
        path = tmp_path / "past.xlsx"
        with xlsxwriter.Workbook(path) as book:
            book.add_worksheet("notes").write(0, 0, "ask Ann")
            sheet = book.add_worksheet("2026")
            sheet.write_row(0, 0, ["number", "parcels", "issued", "starts", "persons", "night"])
            sheet.write_row(1, 0, [1001, "12.01-1-15"])
            sheet.write_datetime(1, 2, datetime(2026, 2, 1), book.add_format({"num_format": "m/d/yy"}))  # noqa: DTZ001  # a cell's
            sheet.write_row(1, 3, ["2026-06-06", 250.0, True])
        report = take(path=path)
        assert report.remarks[0] == "the sheet '2026' was read; not read: notes"
        permit, _ = show(register, "1001")
        assert (permit.issued, permit.persons, permit.night) == (date(2026, 2, 1), 250, True)

    def test_a_formula_saved_without_its_result_is_not_taken_for_nothing(self, take, tmp_path):
        import openpyxl

        path = tmp_path / "past.xlsx"
        book = openpyxl.Workbook()
        book.active.append(["number", "parcels", "issued", "starts", "distinct_events"])
        book.active.append(["A", "12.01-1-15", "2026-02-01", "2026-06-06", "=1+1"])
        book.save(path)
        assert "saved without its result" in take(path=path).rows[0].reasons[0]

    def test_cells_merged_over_rows_stand_in_each_of_them(self, take, register, tmp_path):
        import openpyxl

        path = tmp_path / "past.xlsx"
        book = openpyxl.Workbook()
        sheet = book.active
        for row in (
            ["Special event permits of 2026"],
            ["Permit", "Tax Map Number", "Event", None, "Date Issued"],
            [None, None, "Starts", "Ends", None],
            ["A", "12.01-1-15", date(2026, 6, 6), date(2026, 6, 7), date(2026, 2, 1)],
            ["B", "12.01-1-16", date(2026, 6, 6), date(2026, 6, 7), None],
        ):
            sheet.append(row)
        for area in ("A1:E1", "A2:A3", "B2:B3", "C2:D2", "E2:E3", "E4:E5"):
            sheet.merge_cells(area)
        book.save(path)
        report = take(path=path)
        assert "cells merged over several rows were read as standing in each of them: rows 3, 5" in report.remarks
        assert [(row.n, row.outcome) for row in report.rows] == [(4, "taken"), (5, "taken")]
        permit, _ = show(register, "B")
        assert (permit.issued, permit.starts, permit.ends) == (date(2026, 2, 1), date(2026, 6, 6), date(2026, 6, 7))

    def test_headings_as_a_clerk_writes_them(self, take, register):
        columns = ("Permit No.", "Tax Map No.", "Date of issue", "Event start date", "Event end date", "Name of applicant", "Type of event",
                   "Night event (Y/N)", "Charitable? (yes/no)", "# of events", "Expected attendance", "Permit status")  # fmt: skip
        cells = ("A", "12.01-1-15", "2026-02-01", "2026-06-06", "2026-06-07", "Ann Roe", "Fair", "N", "Y", "2", "300", "issued")
        assert take(dict(zip(columns, cells, strict=True)), columns=columns).remarks == ()
        permit, _ = show(register, "A")
        assert (permit.issued, permit.starts, permit.ends) == (date(2026, 2, 1), date(2026, 6, 6), date(2026, 6, 7))
        assert (permit.kind, permit.night, permit.charitable, permit.distinct_events, permit.persons) == (
            "fair",
            False,
            True,
            2,
            300,
        )

    @pytest.mark.parametrize(
        ("name", "content", "words"),
        [
            ("past.csv", b"number,applicant,starts\n1,A,2026-06-06\n", "which parcels"),
            ("past.csv", b"number,parcels\n1,2\n", "when a permit was issued"),
            ("past.csv", b"number,parcels,starts,starts\n", "stand there twice: starts"),
            ("past.csv", b"number,parcels,starts\n1,2,2026-06-06,Roe, Ann\n", "more cells than there are columns"),
            ("past.csv", b"", "which parcels"),
            ("past.xlsx", b"PK no", "does not open"),
            ("past.gpkg", b"no database" * 100, "no GeoPackage"),
            ("past.ods", b"", "not from .ods"),
        ],
    )
    def test_a_file_that_cannot_be_used(self, name, content, words, take, tmp_path):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(InputError, match=words):
            take(path=path)

    def test_a_file_that_is_not_there(self, take, tmp_path):
        with pytest.raises(InputError, match="no such file"):
            take(path=tmp_path / "absent.csv")


class TestThereAndBack:
    @pytest.fixture
    def filled(self, give, register, land):
        give(applicant='=HYPERLINK("x")', title="'tis a fair", conditions="no\nnoise", persons=300, owned_by="private")
        give(
            charitable=None,
            night=None,
            ends=date(2026, 8, 9),
            land=(land("1", (5000, 0, 5100, 300)), land("2", (5100, 0, 5200, 300))),
        )
        give(kind="yard_sale", yard_sale_days=(date(2026, 6, 6), date(2026, 6, 7)))
        route = shapely.LineString([(0, 0), (900, 0)]).wkb
        give(kind="parade", land=(), route=route, route_crs="EPSG:2263", streets=("Main Street", "Elm Street"))
        give(override="Town Board resolution 12", distinct_events=2)
        # A parade that sets out from a lot; texts as a form, a keyboard and a spreadsheet hand them over.
        give(kind="parade", land=(land("3", (0, 9000.1, 333.3, 9300.7)),), route=route, route_crs="EPSG:2263")
        give(
            kind="Foot-Race",
            land=(land("4", (0, 5000, 9, 5009)), land("5", (9, 5000, 18, 5009))),
            title="'=not a formula",
            applicant=" Roe\r\n& Co\x07 ",
        )
        give(
            land=(land("6", (0, 7000, 9, 7009)),),
            title="\tindented",
            applicant="\ud83d",
            conditions="_x0041_ \ufffe",
            streets=("Elm; Oak",),
        )
        rescind(register, "2026-0001", reason="withdrawn", now=NOW, by="Clerk")
        return register

    @pytest.mark.parametrize("ending", ["csv", "xlsx", "gpkg"])
    def test_nothing_is_lost(self, ending, filled, locate, tmp_path):
        path = tmp_path / f"permits.{ending}"
        assert export(filled, path).permits == 8
        with open_register(f"sqlite:///{tmp_path}/other.sqlite") as other:
            report = import_(other, path, locate=locate, now=NOW, by="Clerk")
            assert report.refused == ()
            for old, new in zip(list_permits(filled), list_permits(other), strict=True):
                if ending == "gpkg":
                    assert replace(new, source="") == old
                else:
                    assert replace(new, source="", land=(), route=None, route_crs="") == replace(
                        old, land=(), route=None, route_crs=""
                    )
                    assert new.parcels == old.parcels
        report = import_(filled, path, locate=locate, now=NOW, by="Clerk")
        assert {row.outcome for row in report.rows} == {"there_already"}

    @pytest.mark.parametrize("ending", ["csv", "xlsx"])
    def test_a_file_of_cells_says_which_routes_it_does_not_hold(self, ending, filled, tmp_path):
        (said,) = export(filled, tmp_path / f"permits.{ending}").remarks
        assert said == "without the routes of 2026-0004, 2026-0006: a GeoPackage holds them"

    def test_a_lot_is_no_route(self, give, land, locate, tmp_path):
        """A town's own layer of parades may draw them as lines; the lot a parade sets out from is none."""
        give(kind="parade", land=(land("3", (0, 9000, 300, 9300)),))
        path = tmp_path / "permits.gpkg"
        with open_register(f"sqlite:///{tmp_path}/permits.sqlite") as register:
            export(register, path)
        with closing(sqlite3.connect(path)) as file, file:
            file.execute("DELETE FROM gpkg_contents WHERE table_name = 'permit_routes'")
        with open_register(f"sqlite:///{tmp_path}/other.sqlite") as other:
            import_(other, path, locate=locate, now=NOW, by="Clerk")
            assert [(permit.kind, permit.route) for permit in list_permits(other)] == [("parade", None)]

    def test_the_same_permits_give_the_same_bytes(self, filled):
        found = list_permits(filled)
        assert permits_csv(found) == permits_csv(found)
        assert permits_xlsx(found) == permits_xlsx(found)

    def test_csv_runs_nothing_and_is_read_by_excel(self, filled):
        data = permits_csv(list_permits(filled))
        assert data.startswith(b"\xef\xbb\xbfnumber,kind,parcels,")
        assert b"\"'=HYPERLINK" in data

    def test_gdal_reads_the_geopackage(self, filled, tmp_path):
        import pyogrio

        path = tmp_path / "permits.gpkg"
        export(filled, path)
        assert {name for name, _ in pyogrio.list_layers(path)} == {"permits", "permit_parcels", "permit_routes"}
        frame = pyogrio.read_dataframe(path, layer="permits")
        assert frame.crs.to_epsg() == 2263
        assert len(frame) == 8
        assert frame.geometry.is_valid.all()

    def test_shapes_in_another_crs_are_left_out_and_said(self, filled, give, land, tmp_path):
        give(land=(land("9", crs="EPSG:2261"),), rules=PermitRules())
        assert export(filled, tmp_path / "permits.gpkg").remarks == (
            "without their shapes, which are not in EPSG:2263: 2026-0009",
        )


LOT = (1_400_000, 250_000, 1_400_200, 250_300)


class TestAGeopackageOfTheTowns:
    """A planner's own layer of past permits, in whatever coordinates it was drawn."""

    @pytest.fixture
    def drawn(self, tmp_path):
        """Return a layer of one permit on a lot that is no more, drawn in a CRS."""

        def made(crs):
            import geopandas

            shape = shapely.box(*LOT)

            path = tmp_path / "past.gpkg"
            rows = {"number": ["A"], "parcels": ["9-9-9"], "issued": ["2026-02-01"], "starts": ["2026-06-06"], "kind": ["party"]}
            geopandas.GeoDataFrame(rows, geometry=[shape], crs=2263).to_crs(crs).to_file(path, driver="GPKG")
            return path

        return made

    @pytest.fixture
    def asked(self, application, land):
        """Return an application for the lot of today."""
        return replace(application, land=(land("9-9-10", LOT),))

    @pytest.fixture
    def bring(self, register, locate):
        """Import as the program does, into a town that measures in EPSG:2263."""

        def imported(path, **how):
            def move(shape, crs):
                from pyproj import Transformer

                way = Transformer.from_crs(crs, "EPSG:2263", always_xy=True).transform
                return shapely.transform(shapely.from_wkb(shape), way, interleaved=False).wkb

            return import_(register, path, locate=locate, crs="EPSG:2263", move=move, now=NOW, by="Clerk", **how)

        return imported

    @pytest.mark.parametrize("crs", ["EPSG:2263", "EPSG:4326", "EPSG:3857", "EPSG:32618"])
    def test_the_lot_is_kept_where_it_lies_and_counts_on_the_land_of_today(self, crs, drawn, bring, register, asked):
        report = bring(drawn(crs))
        (permit,) = list_permits(register)
        assert permit.land[0].crs == "EPSG:2263"
        assert permit.land[0].area_sq_ft == pytest.approx(60_000, rel=1e-4)
        found = check(register, asked, on=NOW.date(), rules=PermitRules(caps=CapRules())).finding
        assert (found.used, found.parcels[0].recorded_as) == (1, ("9-9-9",))
        said = [remark for remark in report.remarks if "brought from" in remark]
        assert said == (
            [] if crs == "EPSG:2263" else [f"the shapes were brought from {crs} to EPSG:2263, in which the town measures"]
        )

    def test_one_that_does_not_say_its_coordinates_is_taken_without_shapes(self, drawn, bring, register):
        path = drawn("EPSG:2263")
        with closing(sqlite3.connect(path)) as file, file:
            file.execute("UPDATE gpkg_geometry_columns SET srs_id = -1")
        report = bring(path, answers=Answers(former_parcels=True))
        assert "the shapes were not read: the file does not say in which coordinates they are drawn" in report.remarks
        assert list_permits(register)[0].land[0].geometry is None

    def test_a_shape_that_is_none_is_named_by_its_row(self, drawn, bring):
        path = drawn("EPSG:2263")
        with closing(sqlite3.connect(path)) as file, file:
            for trigger in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                file.execute(f'DROP TRIGGER "{trigger[0]}"')
            file.execute("UPDATE past SET geom = X'47500001d70800000103000000010000'")
        with pytest.raises(InputError, match="the shape of row 1 cannot be read"):
            bring(path)
