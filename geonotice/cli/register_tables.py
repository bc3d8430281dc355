"""Applications and the mail of a packet on the terminal; applications as plain JSON values, too."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from geonotice.cli.tables import log_table
from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.proposal import when
from geonotice.layers.reports import plain_table
from geonotice.packet.sentences import count
from geonotice.register.pieces_and_article_numbers import OUTCOMES, grouped
from geonotice.workflow.application_status import Due, appeal_deadline, known_of
from geonotice.workflow.applications import event_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from geonotice.opened_town import Opened
    from geonotice.register.applications import FiledApplication
    from geonotice.register.pieces_and_article_numbers import MailPiece
    from geonotice.register.values import Entry
    from geonotice.workflow.mail_status import MailStatus

__all__ = [
    "application_json",
    "application_table",
    "due_json",
    "due_table",
    "list_table",
    "status_table",
]


def application_json(opened: "Opened", filed: "FiledApplication") -> dict[str, Any]:
    """Return an application as it is kept, with who has not signed off, the day of the decision and, once denied, the appeal."""
    known = known_of(opened, filed)
    made: dict[str, Any] = msgspec.to_builtins(filed)
    decision = known.decision
    return {
        **made,
        "sign_offs_missing": list(known.missing),
        "decide_by": decision and decision.last_lawful_day.isoformat(),
        "appeal": _appeal(opened, filed),
        "warnings": [warning.to_json() for warning in known.warnings],
    }


def _appeal(opened: "Opened", filed: "FiledApplication") -> dict[str, Any] | None:
    """Return the days of the appeal from a denial: as if it were received on the day it was made, which is the earliest."""
    last = appeal_deadline(opened.profile, filed.decided) if filed.status == "denied" and filed.decided else None
    if last is None or filed.decided is None:
        return None
    return {
        "rule": last.rule,
        "what": last.what,
        "received": filed.decided.isoformat(),
        "last_day": last.last_lawful_day.isoformat(),
        "reckoning": last.reckoning,
        "citation": last.citation,
    }


def application_table(opened: "Opened", filed: "FiledApplication", entries: "Sequence[Entry]") -> "RenderableType":
    """Lay out an application, with its history where its rows of the log are given."""
    event, known = event_of(filed).event, known_of(opened, filed)
    about = event.event
    table = Table(
        title=f"Application {escape(filed.number)}", title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0)
    )
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    persons = about.persons_at_once if about.persons_at_once is not None else about.persons_total
    decided = f" on {filed.decided} by {filed.decided_by}" if filed.decided else ""
    appeal = _appeal(opened, filed)
    rows = [
        ("Status", f"{filed.status}{decided}"),
        ("Event", " ".join(part for part in ((about.kind or "").replace("_", " "), about.title or "") if part)),
        ("Days", "\n".join(when(about))),
        ("Parcels", "\n".join(event.premises.parcels or ())),
        ("Applicant", event.applicant.name or ""),
        ("Contact", about.contact or ""),
        ("Persons", "" if persons is None else f"{persons:,}"),
        ("Received", filed.received.isoformat()),
        ("Complete", filed.complete.isoformat() if filed.complete else "not yet"),
        ("Decide by", f"{known.decision.last_lawful_day} ({known.decision.brief})" if known.decision else ""),
        ("Fee", f"${filed.fee}, paid {filed.fee_paid}" if filed.fee else ""),
        *(("Document", _document(one.what, one.name, one.expires, one.sha256)) for one in filed.documents),
        *(
            (
                "Signed off" if one.approves else "Not approved",
                f"{one.official}: {one.by}, {one.on}{f' ({one.note})' if one.note else ''}",
            )
            for one in filed.sign_offs
        ),
        ("To sign off", "\n".join(known.missing) if filed.status == "open" else ""),
        ("Permits", ", ".join(filed.permits)),
        ("Copied from", filed.copied_from),
        ("Reasons", "\n".join(filed.reasons)),
        ("Appeal", f"{appeal['reckoning']} Counted from the day it is received." if appeal else ""),
    ]
    for name, value in rows:
        if value:
            table.add_row(name, escape(value))
    return Group(table, *([log_table(entries)] if entries else []))


def _document(what: str, name: str, expires: date | None, digest: str) -> str:
    return f"{what}: {name}{f', expires {expires}' if expires else ''} (SHA-256 {digest[:12]})"


def list_table(opened: "Opened", listed: "Sequence[FiledApplication]") -> "RenderableType":
    """Lay out a list of applications."""
    if not listed:
        return Text("0 applications", style="bold")
    table = plain_table(count(len(listed), "application"))
    for name in ("Number", "Received", "Decide by", "Event", "Title", "Applicant", "Status"):
        table.add_column(name, overflow="fold", no_wrap=name in {"Number", "Received", "Decide by", "Event"})
    for filed in listed:
        event, known = event_of(filed).event, known_of(opened, filed)
        waiting = f"{count(len(known.missing), 'sign-off')} missing" if known.missing and filed.status == "open" else ""
        row = (
            filed.number,
            filed.received.isoformat(),
            known.decision.last_lawful_day.isoformat() if known.decision and filed.status == "open" else "",
            str(event.event.first_day or ""),
            event.event.title or "",
            event.applicant.name or "",
            ", ".join(part for part in (filed.status, waiting) if part),
        )
        table.add_row(*(escape(cell) for cell in row))
    return table


def due_json(opened: "Opened", due: Due, *, on: date) -> dict[str, Any]:
    """Return an application with what is due on it."""
    reasons = [{"day": day.isoformat(), "what": what, "late": day < on} for day, what in due.reasons]
    return {**application_json(opened, due.filed), "due": reasons}


def due_table(found: Sequence[Due], *, on: date) -> "RenderableType":
    """Lay out what is due this week, by its day."""
    if not found:
        return Text("Nothing is due within a week.", style="bold")
    table = plain_table("Due within a week")
    for name in ("By", "Application", "What", "Title"):
        table.add_column(name, overflow="fold", no_wrap=name in {"By", "Application"})
    rows = sorted(
        (day, due.filed.number, what, event_of(due.filed).event.event.title or "") for due in found for day, what in due.reasons
    )
    for day, number, what, title in rows:
        late = day < on
        cells = (f"{day}{' LATE' if late else ''}", number, what, title)
        table.add_row(*(escape(cell) for cell in cells), style="red" if late else None)
    return table


# ---- how the mail stands


def status_table(status: "MailStatus", *, on: date) -> "RenderableType":
    """Lay out how the mail stands: what is late in red, what comes next with its days, then the letters."""
    notice = status.packet.notice
    head = Text()
    head.append(f"Mail of the {notice.occasion}, premises {', '.join(notice.premises)}", style="bold")
    if notice.hearing:
        head.append(f"\nHearing on {in_words(notice.hearing)}")
    head.append(f"\n{_counts(status)}")
    parts: list[RenderableType] = [head, *(Text(f"! {warning}", style="yellow") for warning in status.warnings)]
    if status.next:
        steps = Table(title="\nWhat comes next", title_justify="left", show_header=False, box=None, padding=(0, 1))
        steps.add_column(no_wrap=True)
        steps.add_column(overflow="fold")
        for step in status.next:
            when = "now" if step.by is None else f"by {step.by:%a} {step.by.isoformat()}{' PAST' if step.late else ''}"
            style = "bold red" if step.code == "late" else "yellow" if step.late or (step.by and step.by < on) else None
            steps.add_row(when, escape(step.whole), style=style)
        parts.append(steps)
    table = plain_table("\nLetters")
    for name in ("No.", "Name", "Mail", "Article number", "Mailed", "Stamped", "State"):
        table.add_column(name, overflow="fold", no_wrap=name not in {"Name", "State"})
    for piece in status.pieces:
        late = any(step.code == "late" and piece.number in step.numbers for step in status.next)
        table.add_row(*(escape(cell) for cell in _row(piece)), style="red" if late else None)
    parts.append(table)
    parts.append(Text(f"List {status.packet.identity}; {notice.town}", style="dim"))
    return Group(*parts)


def _counts(status: "MailStatus") -> str:
    out = status.count("mailed", "stamped")
    said = [count(len(status.pieces), "letter"), f"{status.count('not mailed')} not mailed", f"{out} on the way"]
    said += [f"{status.count(outcome)} {outcome}" for outcome in OUTCOMES]  # type: ignore[arg-type]  # each is a state
    return "; ".join(said) + "."


def _row(piece: "MailPiece") -> tuple[str, ...]:
    number = str(piece.number) if piece.letter == 1 else f"{piece.number}.{piece.letter}"
    ended = next((day for name in OUTCOMES if (day := getattr(piece, name))), None)
    state = f"{piece.state} {ended.isoformat()}" if ended else piece.state
    days = ("" if day is None else day.isoformat() for day in (piece.mailed, piece.stamped))
    return (number, piece.name.partition("\n")[0], piece.mail.replace("_", " "), grouped(piece.article_number), *days, state)
