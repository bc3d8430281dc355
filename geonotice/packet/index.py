"""The packet's first page: what is wrong, what the list comes to, what to do next, and every file with what it is for; with the pages of its map."""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from geonotice.decide.business_days_and_holidays import calendar_day, in_words
from geonotice.decide.deadlines import Deadline, notice_deadlines
from geonotice.model import FrontageStatus, Notice, Recipient, Required
from geonotice.packet.paper import LAST, PacketContext, Paper, paper, paper_of
from geonotice.packet.record import RECORD_FILE
from geonotice.packet.sentences import count, occasion_line, required_line, roll_state
from geonotice.recipients import count_roles, unreachable
from geonotice.warning_ranks import RANK_WORDS, by_rank, causes

__all__ = [
    "index_html",
    "map_page",
    "public_map_page",
]


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


class _Tile(Struct, frozen=True):
    """A number and what it counts; ``bad`` where somebody has to act on it."""

    number: int
    words: str
    bad: bool = False


@paper("index.html", purpose="The packet's first page.", place=LAST)
def index_html(context: PacketContext) -> bytes:
    """Write the page, which lists the files of ``context.files``: one file that needs no other and prints well."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from geonotice.maps.page import unbroken

    environment = Environment(
        loader=PackageLoader("geonotice.packet"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["calendar_day"] = calendar_day
    environment.filters["in_words"] = in_words
    environment.filters["unbroken"] = lambda text: Markup(unbroken(text))  # noqa: S704  # it escapes what it is given
    environment.globals["count"] = count
    environment.filters["roll_state"] = roll_state
    notice = context.notice
    found = causes(notice.warnings)
    lost = unreachable(notice.recipients)
    by_hand = set(context.labels.by_hand)
    hand = [recipient for recipient in notice.recipients if recipient.number in by_hand]
    listed = _listed(context.files)
    page = environment.get_template("index.html").render(
        notice=notice,
        office=context.office,
        occasion=occasion_line(notice),
        required=required_line(notice),
        tiles=_tiles(notice, lost),
        causes=len(found),
        ranks=[(RANK_WORDS[rank], those) for rank, those in by_rank(found, where=RECORD_FILE)],
        lost=lost,
        hand=hand,
        days=_by_day(context.deadlines, on=notice.on),
        steps=_steps(context, lost=lost, hand=hand, made=list({one.name: one for _, one in listed if one is not None}.values())),
        files=[(name, one.purpose if one else "") for name, one in listed],
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


def _steps(context: PacketContext, *, lost: Sequence[Recipient], hand: Sequence[Recipient], made: Sequence[Paper]) -> list[str]:
    """Return what to do with the packet, in order: what the list asks for, and what each paper made asks for."""
    notice = context.notice
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
    steps += context.notes
    steps += [one.before_mailing(context) for one in made]
    steps.append(f"{_MAILING[notice.required]} {_mail_by(notice, context.deadlines, context.undated)}".rstrip())
    steps += [one.after_mailing(context) for one in made]
    return [step for step in (*steps, *context.steps) if step]


def _by_day(deadlines: Sequence[Deadline], *, on: date) -> list[tuple[date, list[Deadline], bool]]:
    """Put what is due on one day together, by the day to aim for, with whether all of it is past and not known to be done."""
    days: dict[date, list[Deadline]] = {}
    for one in sorted(deadlines, key=lambda item: item.suggested):
        days.setdefault(one.suggested, []).append(one)
    return [(day, those, all(one.state(on) == "past" for one in those)) for day, those in days.items()]


def _mail_by(notice: Notice, deadlines: Sequence[Deadline], undated: Sequence[str]) -> str:
    """Return by which day the notice must be out: the earliest that the list's own rules name."""
    dates = {"hearing": notice.hearing, "event": notice.event}
    rules = {clause.rule for clause in notice.clauses}
    own = notice_deadlines(deadlines, rules=rules, hearing=notice.hearing, event=notice.event)
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


def _listed(files: Sequence[str]) -> list[tuple[str, Paper | None]]:
    """Return every other file with the paper it belongs to, in the places of the papers; what belongs to none comes last."""
    found = [(name, paper_of(name)) for name in set(files)]
    others = [(name, one) for name, one in found if one is None or one.place < LAST]
    return sorted(others, key=lambda pair: (LAST if pair[1] is None else pair[1].place, pair[0]))


def _roll(notice: Notice) -> str:
    """Return which assessment rolls the owners come from."""
    rolls = dict.fromkeys(f"{source.roll_year} ({roll_state(source.final)})" for source in notice.sources if source.roll_year)
    return ", ".join(rolls) or "year not known"


# ---- the notice map's pages: each is one file that works with no internet


_PROGRESS = "Drawing the map …"


def _is_drawn(context: PacketContext) -> bool:
    return context.draw is not None


@paper(
    "map.html",
    purpose="Map of the premises, the distance and every property on the list, with the reason for each. Works without the internet.",
    place=10,
    when=_is_drawn,
    before_mailing=lambda _: "Open map.html and look whether the list is what you expect on the ground.",
    progress=_PROGRESS,
)
def map_page(context: PacketContext) -> bytes:
    """Render the map for the staff: owners, distances, reasons."""
    return _page(context, public=False)


@paper("public-map.html", purpose="Map for the public: no owners, no distance.", place=20, when=_is_drawn, progress=_PROGRESS)
def public_map_page(context: PacketContext) -> bytes:
    """Render the map for the public: without owners and list."""
    return _page(context, public=True)


def _page(context: PacketContext, *, public: bool) -> bytes:
    from geonotice.maps import notice_map, render

    if context.draw is None:
        raise ValueError("no map is to be made")
    drawn, layers = context.draw()
    return render(notice_map(drawn, layers, public=public))
