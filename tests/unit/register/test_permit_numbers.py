"""The number of the next permit goes on from the town's own, is never handed out twice, and a doubt is told."""

from datetime import date, datetime
from threading import Thread

import pytest

from geonotice.decide.cap_checks import permit_rules
from geonotice.errors import PermitRefused
from geonotice.ordinance.load import load_profile
from geonotice.register.permit_numbers import number_doubt
from geonotice.register.permits import issue, list_permits, void
from geonotice.register.rows import add
from geonotice.register.session import open_register
from geonotice.register.values import Permit

RULES = permit_rules(load_profile("southampton"))
NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time


@pytest.fixture
def imported(register):
    """Write permits of the town's own numbers, as an import does."""

    def written(*numbers, issued=date(2026, 3, 2), status="issued", **values):
        with register.writing() as writing:
            permits = [Permit(number=number, issued=issued, status=status, source="past.csv", **values) for number in numbers]
            add(writing.connection, permits)

    return written


@pytest.fixture
def given(give, land):
    """Issue a permit on other land each time; return its number and whether the form was in doubt."""
    at = iter(range(1, 100))

    def issued(**changes):
        n = next(at)
        made = give(land=(land(parcel=f"P{n}", box=(n * 2000, 0, n * 2000 + 100, 100)),), **changes)
        return made.permit.number, [warning.text for warning in made.check.warnings if warning.code == "number_form"]

    return issued


def number_doubt_of(register):
    """Return the doubt that a permit issued now would have."""
    with register.reading() as connection:
        return "".join(warning.text for warning in number_doubt(connection, NOW.year))


def test_after_an_import_the_town_s_own_numbers_go_on(imported, given):
    imported("2026-003", "2026-014")
    assert [given(), given()] == [("2026-015", []), ("2026-016", [])]


def test_an_imported_permit_that_had_no_number_tells_nothing(imported, given):
    imported("2026-014", "unnumbered-0123456789ab")
    assert given() == ("2026-015", [])


def test_a_gap_is_not_filled_and_a_void_number_is_not_given_again(imported, given, register):
    imported("SE-2026-003")
    imported("SE-2026-022", status="void")
    assert given() == ("SE-2026-023", [])
    void(register, "SE-2026-023", reason="a slip", now=NOW, by="Clerk")
    assert given() == ("SE-2026-024", [])


def test_a_new_year_begins_anew_in_the_form_of_the_last_and_a_running_number_runs_on(imported, given):
    imported("SE-2026-003", "SE-2026-022")
    january = datetime(2027, 1, 4, 9, 0)  # noqa: DTZ001  # as above
    assert given(now=january, starts=date(2027, 3, 1)) == ("SE-2027-001", [])


def test_after_years_without_a_permit_the_form_is_that_of_the_last(imported, given):
    imported("SE-2023-009", issued=date(2023, 6, 1))
    imported("SE-2024-014", issued=date(2024, 6, 1))
    assert given() == ("SE-2026-001", [])


def test_a_permit_whose_day_of_issue_is_not_known_is_of_the_year_of_its_event(imported, given):
    imported("SE-2026-014", issued=None, starts=date(2026, 7, 4))
    assert given() == ("SE-2026-015", [])


@pytest.mark.parametrize("days", [{"issued": None}, {"issued": None, "starts": date(2031, 7, 4)}])
def test_numbers_of_no_known_year_are_not_passed_over_in_silence(imported, given, days):
    imported("SE-2026-014", **days)
    number, doubt = given()
    assert number == "2026-0001"
    assert "SE-2026-014" in doubt[0]


def test_a_permit_that_is_refused_is_not_refused_for_its_number(imported, register, application):
    imported("2026-014", "SE 7/26")

    def issue_up_to_the_cap():
        for _ in range(20):  # more than any cap
            issue(register, application, now=NOW, by="Clerk", rules=RULES)

    with pytest.raises(PermitRefused) as refused:
        issue_up_to_the_cap()
    assert "numbers its permits" in number_doubt_of(register)
    assert "numbers its permits" not in str(refused.value)


def test_a_number_without_a_year_runs_on(imported, given):
    imported("No. 98", "No. 104")
    january = datetime(2027, 1, 4, 9, 0)  # noqa: DTZ001  # as above
    assert given() == ("No. 105", [])
    assert given(now=january, starts=date(2027, 3, 1)) == ("No. 106", [])


def test_a_number_of_the_form_that_was_issued_in_another_year_is_not_given_again(imported, given):
    imported("SE-2026-003")
    imported("SE-2026-030", issued=date(2025, 12, 30))
    imported("SE-2026-031", issued=None)
    assert given() == ("SE-2026-032", [])


def test_numbers_of_several_forms_are_not_guessed_from_and_the_permit_says_so(imported, given):
    imported("2026-014", "SE 7/26")
    number, doubt = given()
    assert number == "2026-0001"
    assert doubt[0].startswith(
        "how the town numbers its permits does not follow from those it has (2026-014, SE 7/26): the next has the register's own form, 2026-0001"
    )
    assert given()[0] == "2026-0002"


def test_a_register_that_has_numbers_of_its_own_beside_the_town_s_stays_with_them_and_says_so(imported, given):
    assert given() == ("2026-0001", [])
    imported("SE-2026-014")
    number, doubt = given()
    assert number == "2026-0002"
    assert "2026-0001, SE-2026-014" in doubt[0]


def test_what_the_town_file_states_goes_before_what_the_numbers_tell(imported, register, application):
    imported("2026-014", "SE 7/26")
    for expected in ("SE 8/26", "SE 9/26"):
        made = issue(register, application, now=NOW, by="Clerk", rules=RULES, number_form="SE {n}/{yy}", override="a test")
        assert made.permit.number == expected
        assert "number_form" not in {warning.code for warning in made.check.warnings}


def test_distinct_events_written_apart_have_numbers_in_a_row(imported, give):
    imported("SE-2026-003")
    made = give(distinct_events=2, apart=True)
    assert [made.permit.number, *(other.number for other in made.others)] == ["SE-2026-004", "SE-2026-005"]


def test_clerks_at_once_are_handed_each_number_once(imported, url, application, register):
    imported("SE-2026-098")

    def issues():
        with open_register(url) as own:
            for _ in range(3):
                issue(own, application, now=NOW, by="Clerk", rules=RULES, override="a race")

    clerks = [Thread(target=issues) for _ in range(4)]
    for clerk in clerks:
        clerk.start()
    for clerk in clerks:
        clerk.join()
    numbers = sorted((permit.number for permit in list_permits(register)), key=lambda number: int(number[8:]))
    assert numbers == [f"SE-2026-{n:03d}" for n in range(98, 111)]
