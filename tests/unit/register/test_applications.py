"""Applications in the register: numbered, changed while they are open, decided once, and never behind the log."""

from datetime import date, datetime

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from geonotice.errors import RegisterError, UsageError
from geonotice.register.applications import (
    Document,
    FiledApplication,
    Signed,
    Writer,
    add_application,
    approve,
    decide_application,
    list_applications,
    missing_sign_offs,
    open_application,
    show_application,
    update_application,
)
from geonotice.register.permits import log_entries
from geonotice.register.sqlalchemy_tables import applications
from geonotice.register.verify_log import verify_log

NOW = datetime(2026, 5, 2, 9, 30)  # noqa: DTZ001  # town hall time
WRITER = Writer(by="Clerk", now=NOW)
FILED = FiledApplication(number="", event={"event": {"title": "Fête"}}, received=date(2026, 5, 1))
POLICE = {"Chief of Police": ("sh.review", "283-4"), "Chief Fire Marshal": ("sh.review", "283-4")}


@pytest.fixture
def file(register):
    return lambda **changes: add_application(register, replace(FILED, **changes), WRITER)


def sign(register, number, official):
    signed = Signed(official=official, by="Chief", on=NOW.date())
    change = lambda one: replace(one, sign_offs=(*one.sign_offs, signed))  # noqa: E731  # short
    return update_application(register, number, "sign_off", WRITER, change)


def test_numbers_run_within_the_year_of_filing(file):
    assert [file().number, file().number, file(received=date(2025, 12, 30)).number] == ["A2026-0001", "A2026-0002", "A2025-0001"]


def test_what_was_filed_is_read_back_exactly(register, file):
    document = Document(name="policy.pdf", sha256="0" * 64, what="insurance", expires=date(2026, 9, 1), received=date(2026, 5, 1))
    made = file(documents=(document,), complete=date(2026, 5, 4), fee="150.00")
    assert show_application(register, " a2026-0001 ")[0] == made
    assert list_applications(register) == (made,)
    assert list_applications(register, status="denied") == ()


def test_each_change_stands_in_the_log(register, file):
    file()
    sign(register, "A2026-0001", "Chief of Police")
    decide_application(register, "A2026-0001", "denied", reasons=["too few services"], on=date(2026, 5, 9), writer=WRITER)
    found, log = show_application(register, "A2026-0001")
    assert [(entry.action, entry.why) for entry in log] == [
        ("application_add", ""),
        ("application_sign_off", ""),
        ("application_deny", "too few services"),
    ]
    assert (found.status, found.reasons, found.decided_by) == ("denied", ("too few services",), "Clerk")
    assert verify_log(register).sound


def test_what_is_decided_stays_as_it_was(register, file):
    file()
    decide_application(register, "A2026-0001", "withdrawn", reasons=["moved"], on=date(2026, 5, 9), writer=WRITER)
    with pytest.raises(UsageError, match="withdrawn on 2026-05-09"):
        sign(register, "A2026-0001", "Chief of Police")


def test_a_denial_states_its_reasons(register, file):
    file()
    with pytest.raises(UsageError, match="no reason"):
        decide_application(register, "A2026-0001", "denied", reasons=[" "], on=date(2026, 5, 9), writer=WRITER)


def test_sign_offs_that_are_missing_are_named_by_their_rule(register, file):
    file()
    found = missing_sign_offs(sign(register, "A2026-0001", "Chief of Police"), POLICE)
    assert [(one.rule, one.status, one.text) for one in found] == [
        ("sh.review", "not_met", "the application is not signed off by: Chief Fire Marshal")
    ]
    assert missing_sign_offs(sign(register, "A2026-0001", "Chief Fire Marshal"), POLICE) == ()


def test_one_that_was_changed_meanwhile_is_not_approved(register, file):
    made = file()
    change = lambda one: replace(one, event={"event": {"title": "Other"}})  # noqa: E731  # short
    update_application(register, made.number, "receive", WRITER, change)
    with register.reading() as connection, pytest.raises(UsageError, match="changed a moment ago"):
        open_application(connection, made)


def test_approved_with_its_permits_or_not_at_all(register, file):
    made = file()
    with pytest.raises(UsageError), register.writing() as writing:
        approve(writing, made, permits=["2026-0001"], on=date(2026, 5, 9), writer=replace(WRITER, by=""))
    assert show_application(register, made.number)[0].status == "open"
    with register.writing() as writing:
        approve(writing, made, permits=["2026-0001"], on=date(2026, 5, 9), writer=WRITER)
    assert show_application(register, made.number)[0].permits == ("2026-0001",)


def test_a_permit_of_the_same_number_has_a_log_of_its_own(register, file, give):
    """A town may have numbered its own permits as applications are."""
    file(), give()
    assert [entry.action for entry in log_entries(register, permit="2026-0001")] == ["issue"]
    assert [entry.action for entry in log_entries(register)] == ["application_add", "issue"]


class TestTampering:
    """Whoever may write the file is found out."""

    def test_an_edited_application(self, register, file):
        file()
        self._write(register, state='{"number":"A2026-0001"}')
        assert [fault.code for fault in verify_log(register).faults] == ["application_changed"]
        with pytest.raises(RegisterError, match="cannot be read"):
            show_application(register, "A2026-0001")

    def test_a_status_that_is_not_the_application_s(self, register, file):
        file()
        self._write(register, status="approved")
        assert [fault.code for fault in verify_log(register).faults] == ["application_changed"]

    def test_one_that_is_gone_and_one_that_nobody_filed(self, register, file):
        file()
        self._write(register, number="A2026-0009")
        assert [fault.code for fault in verify_log(register).faults] == ["unlogged", "application_gone"]

    @staticmethod
    def _write(register, **values):
        with register.writing() as writing:
            writing.connection.execute(update(applications).values(**values))
