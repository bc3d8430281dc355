"""The standing of the mail on the terminal."""

from datetime import date
from typing import TYPE_CHECKING

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from geonotice.decide.days import in_words
from geonotice.layers.reports import plain_table
from geonotice.packet.sentences import count
from geonotice.register.mailing import OUTCOMES, grouped

if TYPE_CHECKING:
    from rich.console import RenderableType

    from geonotice.register.mailing import MailPiece
    from geonotice.workflow.mail_status import MailStatus

__all__ = ["status_table"]


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
            steps.add_row(when, escape(step.text), style=style)
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
