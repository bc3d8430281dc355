"""The list for the record, on paper: everybody who must be notified, what it was made from, and lines for who prepared it and who checked it."""

import re
from collections import Counter
from collections.abc import Sequence

from geonotice.decide.business_days_and_holidays import calendar_day
from geonotice.model import Clause, Notice, Recipient, RecipientRole
from geonotice.packet.addresses_and_mailing_order import address_lines, by_hand_note
from geonotice.packet.notice_list import list_sha256
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.pdf_pages import LETTER_PT, Column, Pages, set_row
from geonotice.packet.pdf_text import on_one_line
from geonotice.packet.sentences import count, occasion_line, premises_with_situs, required_line, source_line

__all__ = ["notice_list_pdf", "sign_lines"]

_TYPE_PT = 8.0
_WIDE_PT = (LETTER_PT[1], LETTER_PT[0])
_COLUMNS = (
    Column("No.", 30, right=True),
    Column("Name and mailing address", 204),
    Column("Tax map number and address of the property", 148),
    Column("Relation", 62),
    Column("Distance, ft", 52, right=True),
    Column("Why on the list", 156),
    Column("Mail", 60),
)

_RELATIONS = {
    "abutting": "abuts",
    "corner": "touches at a corner",
    "opposite": "directly opposite",
    "within": "within the distance",
    "common_land": "common land",
    "premises": "the premises",
}
_ROLES: dict[RecipientRole, tuple[str, str]] = {
    "owner": ("", "owners"),
    "resident": ("resident", "residents"),
    "clerk": ("municipal clerk", "municipal clerks"),
    "other": ("notified besides", "others"),
    "applicant": ("applicant", "applicant"),
}
"""What a role is called in a row, where it says more than the relation, and in the totals."""
_MAIL = {"certified": "certified", "first_class": "first class", "none": "not mailed"}
_REVIEW = {"held": "held back until decided", "unmailable": "no full address known"}
_ACTIONS = {
    "add": "put on the list by hand",
    "drop": "taken off the list by hand",
    "apart": "kept apart from the applicant's land",
}
_WHO = re.compile(r"\b(?:all|any|each|every|the)\b[^,.;]{0,40}\b(?:owner|resident|occupant|clerk)s?\b", re.IGNORECASE)
"""Where a clause begins to say who is notified."""
_CLAUSE_LETTERS = 76
"""So much of a clause stands in a row; the whole of it stands on the first page."""


def notice_list_pdf(notice: Notice, *, return_receipts: frozenset[str] = frozenset(), prepared_by: str = "") -> bytes:
    """Set the list in the order of its numbers, all of it: no name, address or reason is cut."""
    pages = Pages(size_pt=_WIDE_PT, margin_pt=40)
    digest = list_sha256(notice)
    _head(pages, notice)
    clauses = {clause.rule: clause for clause in notice.clauses}
    rows = [
        set_row(_COLUMNS, _cells(one, clauses, return_receipts), size_pt=_TYPE_PT)
        for one in sorted(notice.recipients, key=lambda one: one.number)
    ]
    pages.y += 6
    if rows:
        pages.table(_COLUMNS, rows, size_pt=_TYPE_PT)
    else:
        pages.words("Nobody is on this list.", 10)
    _end(pages, notice, digest, prepared_by)
    where = ", ".join(notice.premises)
    return pages.save(
        title=f"Notice list: {notice.town}, {where}",
        subject="Certified list of persons to be notified",
        foot=f"List of {calendar_day(notice.on)} · SHA-256 {digest[:16]} · {notice.town} · {where}",
    )


@paper(
    "notice-list.pdf",
    purpose="The list for the record, to be certified: who prepared it and who checked it sign at its end.",
    place=25,
    before_mailing=lambda _: "Have notice-list.pdf checked against the assessment roll and signed.",
)
def _list_paper(context: PacketContext) -> bytes:
    return notice_list_pdf(context.notice, return_receipts=context.duties.return_receipts, prepared_by=context.prepared_by)


def _head(pages: Pages, notice: Notice) -> None:
    pages.words(notice.town, 9, after=0, color="#4d5a68")
    pages.words("List of persons to be notified", 15, after=2)
    pages.words(f"{occasion_line(notice)}. {required_line(notice)}", 9, after=2)
    situs = "; ".join(f"{number}, {place}" if place else number for number, place in premises_with_situs(notice))
    pages.words(f"Premises: {situs}. List made on {calendar_day(notice.on)}.", 9, after=2)
    for clause in notice.clauses:
        pages.words(
            f"{clause.citation}: {f'“{clause.words}”' if clause.words else 'the words are not in the profile.'}", 8, after=1
        )
    for source in notice.sources:
        if source.layer in ("parcels", "roll") or source.roll_year:
            pages.words(f"{source.layer.capitalize()}: {source_line(source)}", 8, after=1)


def _cells(one: Recipient, clauses: "dict[str, Clause]", return_receipts: frozenset[str]) -> tuple[str, ...]:
    address = address_lines(one)
    if not one.mailable:
        address.append("(no full address is known)")
    receipt = one.mail == "certified" and not return_receipts.isdisjoint(one.reasons)
    residents = [f"{count(one.also_residents, 'resident')} named in the same letter"] if one.also_residents else []
    relation = _RELATIONS.get(one.relation, one.relation.replace("_", " "))
    return (
        str(one.number),
        "\n".join(line for line in (*address, *residents) if line.strip()),
        "\n".join(part for part in ("; ".join(one.parcels), one.situs) if part),
        "\n".join(part for part in (relation, _ROLES[one.role][0]) if part),
        "" if one.distance_ft is None else f"{one.distance_ft:,.1f}",
        "\n".join([*(_why(reason, clauses) for reason in one.reasons), *(_reviewed(code) for code in one.review)]),
        _MAIL[one.mail] + (", return receipt" if receipt else ""),
    )


def _why(reason: str, clauses: "dict[str, Clause]") -> str:
    """Return the section and the clause's words on who is notified, as far as a row holds them."""
    clause = clauses.get(reason)
    if clause is None:
        return reason
    section = clause.citation.rsplit(", ", 1)[-1]
    found = _WHO.search(clause.words)
    start = found.start() if found else 0
    words = clause.words[start:]
    short = words if len(words) <= _CLAUSE_LETTERS else f"{words[:_CLAUSE_LETTERS].rsplit(' ', 1)[0]} …"
    return f"{section}: “{'… ' if start else ''}{short}”" if words else section


def _reviewed(code: str) -> str:
    return _REVIEW.get(code, f"to look at: {code.replace('_', ' ')}")


def _end(pages: Pages, notice: Notice, digest: str, prepared_by: str) -> None:
    """Set totals, what was done by hand, what to look at, and the lines to sign: together, so that nobody signs a page without the totals."""
    totals = Counter((one.role, one.mail) for one in notice.recipients)
    pages.need(170)
    pages.heading("Totals")
    parts = [
        f"{_ROLES[role][1]}, {_MAIL[mail]}: {n:,}"
        for (role, mail), n in sorted(totals.items(), key=lambda one: list(_ROLES).index(one[0][0]))
    ]
    where = " (they stand on the packet's first page)" if notice.warnings else ""
    lost = sum(one.mail != "none" and not one.mailable for one in notice.recipients)
    pages.words(
        f"{count(len(notice.recipients), 'person')} on the list for {count(len(notice.parcels), 'parcel')}. {'; '.join(parts)}."
        f" Without a full address: {lost:,}. Warnings: {len(notice.warnings):,}"
        f"{where}.",
        9,
    )
    if notice.overrides or notice.corrections:
        pages.heading("Changed by hand")
        for one in notice.overrides:
            pages.words(f"{one.id}: {_ACTIONS[one.action]}, {one.who}: {one.reason}", _TYPE_PT, after=1)
        for row in notice.corrections:
            pages.words(
                f"{row.parcel}: {row.field} is “{row.value}”, the layers have “{row.before}”. {row.by}, {calendar_day(row.on)}: {row.why}",
                _TYPE_PT,
                after=1,
            )
    if note := by_hand_note(notice.recipients, "this list"):
        pages.words(note, _TYPE_PT)
    pages.words(f"SHA-256 of this list (notice-list.csv without article numbers): {digest}", _TYPE_PT)
    sign_lines(
        pages,
        [
            ("Prepared by: I made this list from the sources named on its first page.", prepared_by),
            ("Checked by: I compared this list with the assessment roll named on its first page.", ""),
        ],
    )


def sign_lines(pages: Pages, roles: Sequence[tuple[str, str]]) -> None:
    """Set side by side a statement for each who signs, and their name where it is known, with lines for title, date and signature: all on one page."""
    gap, height = 24.0, 88.0
    pages.need(height)
    width = (pages.right_pt - pages.left_pt - gap * (len(roles) - 1)) / len(roles)
    top = pages.y + 8
    for n, (role, name) in enumerate(roles):
        x = pages.left_pt + n * (width + gap)
        pages.y = top
        pages.words(role, 9, x=x, width=width, after=0)
        for place, (left, right) in enumerate((("Name", "Title"), ("Signature", "Date"))):
            y = top + 44 + 30 * place
            pages.line(x, y, x + 0.6 * width, y)
            pages.line(x + 0.64 * width, y, x + width, y)
            pages.text(x, y + 8, left, 7)
            if left == "Name" and name:
                pages.text(x, y - 3, on_one_line(name, width_pt=0.6 * width, size_pt=9), 9)
            pages.text(x + 0.64 * width, y + 8, right, 7)
    pages.y = top + height - 4
