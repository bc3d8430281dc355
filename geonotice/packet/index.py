"""The packet's first page: what is wrong, what the list comes to, what to do next, and every file with what it is for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from geonotice.decide.days import calendar_day, in_words
from geonotice.decide.deadlines import Deadline
from geonotice.model import FrontageStatus, Notice, Recipient, Required
from geonotice.packet.labels import unlabelled
from geonotice.packet.words import count, occasion_line, required_line
from geonotice.recipients import count_roles

__all__ = ["FILES", "index_html"]

FILES: dict[str, str] = {
    "map.html": "Map of the premises, the distance and every property on the list, with the reason for each. Works without the internet.",
    "public-map.html": "Map for the public: no owners, no distance.",
    "notice-list.xlsx": (
        "The mailing list for Excel; warnings and sources on its second sheet. Its last sheet, to_mail, is for Word's mail merge: it has"
        " only those to whom a letter can be addressed."
    ),
    "notice-list.csv": (
        "The same list for any other program. For a mail merge, take the rows whose mail is not none and whose mailable is yes."
    ),
    "labels.pdf": "Mailing labels, ready to print.",
    "labels-test.pdf": "The outlines of the labels, to be printed on plain paper and held against a sheet before labels are wasted.",
    "letters.pdf": "The letters, ready to print.",
    "letters.docx": "The letters for Word, to be changed.",
    "mailing-sheet.pdf": "Firm mailing sheet for the post office.",
    "mailing-sheet.csv": "The firm mailing sheet's lines for a mailing program.",
    "invoice.pdf": "What the notices cost, for the applicant.",
    "deadlines.ics": "Every deadline, for a calendar.",
    "exhibit.pdf": "Map for the hearing's record.",
    "staff-report.pdf": "The event against the ordinance, in two pages.",
    "notice.gpkg": "The premises and the properties on the list for QGIS or ArcGIS, styled.",
    "record.json": "Everything this packet is made of, for the file: sources, settings, reasons, warnings. It lets the list be made again.",
}
"""What each file of a packet is for, in the order in which they are listed."""

_SHOWN = 30
"""Most parcels named under a warning; the record names all."""

_ACROSS: dict[FrontageStatus, str] = {
    "answered": "found",
    "open": "nobody found: look at the map",
    "cut_off": "not looked further than the widest right-of-way: look at the map",
}

_MAILING: dict[Required, str] = {
    "yes": "Mail the notice to everybody on the list.",
    "no": "The ordinance does not ask for this notice here. If the town wants it all the same, mail it to everybody on the list.",
    "decide": "Ask the official in charge whether this notice is required; if it is, mail it to everybody on the list.",
    "on_demand": "Ask the town whether it demands this notice; if it does, mail it to everybody on the list.",
}


@dataclass(frozen=True, slots=True)
class _Tile:
    """A number and what it counts; ``bad`` where somebody has to act on it."""

    number: int
    words: str
    bad: bool = False


def index_html(
    notice: Notice,
    files: Sequence[str],
    *,
    office: str = "",
    deadlines: Sequence[Deadline] = (),
    undated: Sequence[str] = (),
    steps: Sequence[str] = (),
    label_sheet: str = "5160",
    by_hand: Sequence[int] = (),
) -> bytes:
    """Write the page: one file that needs no other and prints well.

    Parameters
    ----------
    notice
        The notice.
    files
        Names of the packet's files, each of which is listed; the page itself may be among them.
    office
        The town clerk's office, in a line.
    deadlines
        The days that hang on the hearing or the event, as far as these are known.
    undated
        What the law counts this notice from, and whose day was not given: ``hearing``, ``event``.
    steps
        What else is to be done, after mailing, in the caller's words.
    label_sheet
        The sheet that the labels are made for.
    by_hand
        Numbers of recipients who have no label because their address is to be written by hand.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("geonotice.packet"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["calendar_day"] = calendar_day
    environment.filters["in_words"] = in_words
    environment.globals["count"] = count
    lost = unlabelled(notice.recipients)
    hand = [recipient for recipient in notice.recipients if recipient.number in set(by_hand)]
    page = environment.get_template("index.html").render(
        notice=notice,
        office=office,
        occasion=occasion_line(notice),
        required=required_line(notice),
        tiles=_tiles(notice, lost),
        warnings=[(warning, warning.parcels[:_SHOWN], len(warning.parcels) - _SHOWN) for warning in notice.warnings],
        lost=lost,
        hand=hand,
        days=_by_day(deadlines),
        steps=[
            *_steps(
                notice, lost=lost, hand=hand, files=files, label_sheet=label_sheet, mail_by=_mail_by(notice, deadlines, undated)
            ),
            *steps,
        ],
        files=_described(files),
        across=_ACROSS,
        roll=_roll(notice),
        settings=sorted(notice.settings.items()),
    )
    return f"{page.rstrip()}\n".encode()


def _tiles(notice: Notice, lost: Sequence[Recipient]) -> list[_Tile]:
    counts = count_roles(notice.recipients)
    held = sum(one.held for one in counts)
    tiles = [
        _Tile(len(notice.parcels), "property on the list" if len(notice.parcels) == 1 else "properties on the list"),
        *(_Tile(one.people, f"{one.noun}: {one.outcome}", bad=bool(one.unmailable)) for one in counts),
    ]
    if held:
        tiles.append(_Tile(held, "held back until you decide", bad=True))
    return [
        *tiles,
        _Tile(len(lost), "cannot be mailed: no full address is known" if lost else "without an address", bad=bool(lost)),
    ]


def _steps(
    notice: Notice, *, lost: Sequence[Recipient], hand: Sequence[Recipient], files: Sequence[str], label_sheet: str, mail_by: str
) -> list[str]:
    """Return what to do with the packet, in order."""
    steps = []
    if notice.warnings:
        steps.append("Read every warning above. Settle each one, or note in the file why it does not matter.")
    if any("held" in recipient.review for recipient in notice.recipients):
        steps.append(
            "Decide on the properties that are held back, then make the packet again: their owners are on the list but are not mailed."
        )
    if lost:
        steps.append(
            "Find the missing addresses named above and write those letters by hand: nobody on the list may be left out."
        )
    if hand:
        steps.append("Address by hand the letters that have no label.")
    if "map.html" in files:
        steps.append("Open map.html and look whether the list is what you expect on the ground.")
    if "labels.pdf" in files:
        steps.append(
            f"Print labels.pdf at 100 % (not “fit to page”) on sheets of Avery {label_sheet} or a kind cut alike; print labels-test.pdf on plain"
            " paper first and hold it against a sheet."
        )
    if any(recipient.mail == "certified" for recipient in notice.recipients):
        steps.append(
            "Write the article number of each certified letter into the column article_number of the list, and keep the receipts."
        )
    steps.append(f"{_MAILING[notice.required]} {mail_by}".rstrip())
    steps.append("Keep this folder in the file as it is. record.json shows later how the list was made.")
    return steps


def _by_day(deadlines: Sequence[Deadline]) -> list[tuple[date, list[Deadline]]]:
    """Put what is due on one day together, by the day to aim for."""
    days: dict[date, list[Deadline]] = {}
    for one in sorted(deadlines, key=lambda item: item.suggested):
        days.setdefault(one.suggested, []).append(one)
    return list(days.items())


def _mail_by(notice: Notice, deadlines: Sequence[Deadline], undated: Sequence[str]) -> str:
    """Say by which day the notice must be out: the earliest that the list's own rules name."""
    rules = {clause.rule for clause in notice.clauses}
    dates = {"hearing": notice.hearing, "event": notice.event}
    own = [
        one
        for one in deadlines
        if one.rule in rules and one.bound == "latest" and (start := dates.get(one.reckoned_from)) and one.last_day < start
    ]
    said = []
    if own:
        first = min(own, key=lambda one: one.suggested)
        last = "" if first.suggested == first.last_day else f"; the last lawful day is {in_words(first.last_day)}"
        said.append(f"Do it by {in_words(first.suggested)}{last}.")
    elif given := [f"the {name} on {calendar_day(when)}" for name, when in dates.items() if when]:
        said.append(f"It must be given in time before {' and '.join(given)}; the ordinance's words are below.")
    if undated:
        names = " and ".join(f"the {name}" for name in undated)
        said.append(f"The law counts its days from {names}, whose day was not given: make the packet again with it.")
    return " ".join(said)


def _described(files: Sequence[str]) -> list[tuple[str, str]]:
    """List every file with what it is for, in the order of use."""
    order = {name: place for place, name in enumerate(FILES)}
    names = sorted(set(files) - {"index.html"}, key=lambda name: (order.get(name, len(order)), name))
    return [
        (name, FILES.get(name) or ("Affidavit of mailing or posting." if name.startswith("affidavit-") else "")) for name in names
    ]


def _roll(notice: Notice) -> str:
    """Return which assessment rolls the owners come from."""
    state: Mapping[bool | None, str] = {True: "final", False: "tentative", None: "not known whether final"}
    rolls = dict.fromkeys(f"{source.roll_year} ({state[source.final]})" for source in notice.sources if source.roll_year)
    return ", ".join(rolls) or "year not known"
