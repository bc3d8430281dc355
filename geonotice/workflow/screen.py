"""Judge every candidate of a town at once: where an event could be held, with the fewest neighbors to notify and a permit left."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from geonotice.config.postage_rates import rates_on, read_rates
from geonotice.decide.cap_checks import cap_rules
from geonotice.decide.cap_count import UNCOUNTED_KINDS
from geonotice.decide.deadlines import filing_lines
from geonotice.decide.notice import due, notice_rules
from geonotice.decide.yard_sales_parades_nearby_events import Nearness
from geonotice.errors import Fault, UsageError
from geonotice.screen.event_checks import check_columns, event_of
from geonotice.screen.filters import Condition, Value, read_condition, read_order
from geonotice.screen.notice_counts import NoticeCounts, by_distance, by_relations
from geonotice.screen.table import (
    Asked,
    Candidates,
    adjoining_columns,
    clerk_letters,
    columns_of,
    event_columns,
    facts_of_land,
    gather_candidates,
    ground_of,
    land_columns,
    room_columns,
    word_columns,
)
from geonotice.select.streets import jurisdiction_of
from geonotice.workflow.notice import clerk_mail
from geonotice.workflow.screen_counts import AdjoiningAll, CountedLists, Tell
from geonotice.workflow.screen_workers import Workers, over_all_cores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geonotice.config.postage_rates import Rates
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register
    from geonotice.screen.table import Ground

__all__ = ["TICKS", "LeftOut", "Screen", "leave_out", "occasions_of", "screen_town"]

LISTS_MOST = 1000
"""Most candidates whose lists are made one by one without being asked for: some 10 seconds on two cores."""
MEASURED_MOST = 150_000
"""Most candidates whose lot lines are measured without being asked for: a few minutes on two cores."""


TICKS: "Mapping[str, tuple[str, Callable[[Value], bool]]]" = {
    "fits": ("there is no room for them", lambda value: value == "no"),
    "excluded": ("something speaks against an event there at all", bool),
    "left": ("no permit is left", lambda value: isinstance(value, (int, float)) and value <= 0),
}
"""What :func:`leave_out` can leave out, by the column: the reason in words, and whether a value that is known says so."""


class LeftOut(Struct, frozen=True):
    """One reason for which candidates are left out of an answer.

    ``count`` is of how many of those that met the condition, or might, it is known to hold, whatever other reasons hold of them too; ``unknown`` of how many
    that stay in it is not known.
    """

    name: str
    why: str
    count: int
    unknown: int


class Screen(Struct, frozen=True):
    """The answer of a screen.

    Parameters
    ----------
    town
        Whose parcels.
    asked
        What was asked: the event, and the date that was taken as today.
    columns
        The columns, each with what it is.
    found, table
        All candidates, and their values by column; None is unknown.
    ranked
        The places of the candidates that pass, in their order.
    top
        How many of these were asked for; all where None.
    unsettled
        The places of the candidates of which the condition is unknown: they neither pass nor fail.
    condition, order
        The condition, and by which columns it is ranked, each with whether the most comes first.
    notes
        What was not looked at, and with which numbers it was judged.
    filing
        By which day the application must be filed, or that this day is past; empty where no day was asked about.
    left_out, left_out_in_all
        The reasons for which candidates were left out after the condition (:func:`leave_out`), and how many candidates that are: one may have several reasons.
    """

    town: str
    asked: Asked
    columns: Mapping[str, str]
    found: Candidates
    table: "Mapping[str, Sequence[Value]]"
    ranked: tuple[int, ...]
    top: int | None
    unsettled: tuple[int, ...]
    condition: str
    order: tuple[tuple[str, bool], ...]
    notes: tuple[str, ...]
    filing: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    left_out_in_all: int = 0

    @property
    def left_out_lines(self) -> tuple[str, ...]:
        """What was left out, and what stays in although it is not known whether it should, as sentences; empty where nothing was asked for."""
        counted = [f"{one.count:,} where {one.why} ({one.name})" for one in self.left_out if one.count]
        open_ = [f"{one.unknown:,} whether {one.why} ({one.name})" for one in self.left_out if one.unknown]
        several = " One lot may be left out for several reasons." if len(counted) > 1 else ""
        return (
            *([f"Left out: {self.left_out_in_all:,}, of these {', '.join(counted)}.{several}"] if counted else []),
            *([f"They stay in, for it is not known (?) of {', of '.join(open_)}."] if open_ else []),
        )

    @property
    def on(self) -> date:
        """The date that was taken as today."""
        return self.asked.on

    @property
    def judged(self) -> int:
        """How many candidates were judged."""
        return len(self.found.ids)

    @property
    def kept(self) -> tuple[int, ...]:
        """The places of the candidates that are returned."""
        return self.ranked if self.top is None else self.ranked[: self.top]

    @property
    def rows(self) -> tuple[Mapping[str, "Value"], ...]:
        """The candidates that are returned; None is unknown."""
        return tuple(_row(self.table, n, self.columns) for n in self.kept)

    @property
    def undecided(self) -> tuple[str, ...]:
        """Ids of the candidates of which the condition is unknown."""
        return tuple(self.found.ids[n] for n in self.unsettled)


def screen_town(
    opened: "Opened",
    asked: Asked,
    register: "Register | None",
    *,
    where: str = "",
    rank: str = "",
    top: int | None = None,
    all_lists: bool = False,
    progress: Tell | None = None,
    over: Workers = over_all_cores,
) -> Screen:
    """Judge every candidate.

    Parameters
    ----------
    opened
        The town.
    asked
        The event, and what the candidates are.
    register
        The town's permits; None or an empty one where it has no register: then what is left is not known.
    where
        A condition (:mod:`geonotice.screen.filters`); candidates of which it is unknown are listed apart.
    rank
        The columns that candidates are ranked by; where empty, by letters of the first occasion, then by what is left.
    top
        How many are returned; all where None.
    all_lists
        Whether what takes minutes is done all the same: lot lines of more than 150,000 candidates; and lists that have to be made one by one, as a few
        laws need, of more than 1,000.
    progress
        Is told what is being done, and which share of it is done.
    over
        Who does the work: the cores of this machine, or the workers of a cluster (:func:`geonotice.workflow.screen_workers.over_cluster`).

    Raises
    ------
    UsageError
        The condition or the rank cannot be meant.
    """
    tell = progress or (lambda _text, _share: None)
    occasions = occasions_of(opened)
    rates = _prices(opened, occasions, asked.on)
    columns = columns_of(occasions, postage=bool(rates))
    condition = read_condition(where, columns=columns, words=word_columns(columns)) if where.strip() else None
    order = read_order(rank or ", ".join([*(f"pieces_{one}" for one in occasions[:1]), "-left", "-acres", "id"]), columns=columns)
    if top is not None and top < 1:
        raise UsageError(Fault(what=f"{top} candidates cannot be listed", key="--top", remedy="ask for 1 candidate or more"))
    event = event_of(asked)
    tell("Reading the parcels …", None)
    found = gather_candidates(opened, asked.candidates)
    there = register if register is not None and register.there else None
    ground = ground_of(opened, found, there)
    table: dict[str, Sequence[Value]] = {"id": found.ids}
    table |= land_columns(opened, found, asked, ground, there)
    table |= room_columns(opened, table["acres"], asked.persons)
    table |= event_columns(opened, found, asked, there)
    table |= _required(opened, occasions, table["zone"])
    clerks = _clerks(opened, occasions, found, ground, asked.on)
    notes = _notes(opened, asked, there, rates, clerks)
    counts = CountedLists(opened, found, asked, over=over)
    at_once = [occasion for occasion in occasions if by_distance(opened, occasion) is not None]
    for occasion in at_once:
        table |= _columns(occasion, counts.at_once(occasion, tell), rates, clerks)

    def may_pass() -> list[int]:
        return [n for n, answer in enumerate(_answers(table, condition, len(found.ids))) if answer is not False]

    wanted = may_pass()
    if len(wanted) <= MEASURED_MOST or all_lists:
        related = [occasion for occasion in occasions if occasion not in at_once and by_relations(opened, occasion)]
        around, of_occasions = counts.adjoining(related, wanted, tell)
        for occasion, counted in of_occasions.items():
            table |= _columns(occasion, counted, rates, clerks)
        table |= _of_surroundings(opened, around)
        land = facts_of_land(
            opened,
            found,
            ground,
            measured=around.measured.tolist(),
            sites=around.sites,
            on_streets=[any(jurisdiction_of(of) != "private" for _, of, _ in some) for some in around.streets],
        )
        table |= check_columns(opened, event, asked.on, land)
    else:
        related = []
        notes.append(
            f"Lot lines, frontages and streets are not measured (?): it would take minutes for {len(wanted):,} candidates. Narrow the question by"
            f" a condition to {MEASURED_MOST:,} candidates, or wait for all of them (all lists)."
        )
    others = [occasion for occasion in occasions if occasion not in at_once and occasion not in related]
    if others:
        wanted = may_pass()
        if len(wanted) <= LISTS_MOST or all_lists:
            for occasion, counted in counts.one_by_one(others, wanted, asked.on, tell).items():
                table |= _columns(occasion, counted, rates, clerks)
        else:
            notes.append(
                f"Parcels and letters for the {' and '.join(others)} are not computed (?): the list of each of {len(wanted):,} candidates has to be made by"
                f" itself. Narrow the question by a condition to {LISTS_MOST:,} candidates, or wait for all of them (all lists)."
            )
    answers = _answers(table, condition, len(found.ids))
    return Screen(
        town=opened.town.name,
        asked=asked,
        columns=columns,
        found=found,
        table=table,
        ranked=_ranked(table, [n for n, answer in enumerate(answers) if answer], order),
        top=top,
        unsettled=tuple(n for n, answer in enumerate(answers) if answer is None),
        condition=condition.text if condition else "",
        order=tuple(order),
        notes=tuple(notes),
        filing=filing_lines(opened.profile, asked.starts, on=asked.on) if asked.starts else (),
    )


def occasions_of(opened: "Opened") -> tuple[str, ...]:
    """Return the occasions whose letters a screen counts: those for which the town's law asks for a notice."""
    return tuple(dict.fromkeys(rule.occasion for rule in opened.profile.rules if rule.notice and rule.occasion))


def leave_out(screen: Screen, ticks: Sequence[str]) -> Screen:
    """Return a screen without the candidates that are known to be of no use; one of which it is unknown (?) stays, and the screen says how many do.

    Parameters
    ----------
    screen
        The answer.
    ticks
        Names of :data:`TICKS`.
    """
    answer = (*screen.ranked, *screen.unsettled)
    known = {name: screen.table.get(name) or [None] * screen.judged for name in ticks}
    out = {name: {n for n in answer if (value := known[name][n]) is not None and TICKS[name][1](value)} for name in ticks}
    gone = set().union(*out.values())
    ranked, unsettled = (tuple(n for n in some if n not in gone) for some in (screen.ranked, screen.unsettled))
    return replace(
        screen,
        ranked=ranked,
        unsettled=unsettled,
        left_out=tuple(
            LeftOut(name, TICKS[name][0], len(out[name]), sum(known[name][n] is None for n in ranked)) for name in ticks
        ),
        left_out_in_all=len(gone),
    )


def _required(opened: "Opened", occasions: Sequence[str], zones: "Sequence[Value]") -> "dict[str, Sequence[Value]]":
    """Return whether the law asks for the notice of each occasion, by the class of each candidate's districts."""
    made: dict[str, Sequence[Value]] = {}
    for occasion in occasions:
        rules = notice_rules(opened.profile, occasion)
        answers = {zone: due(opened.profile, rules, zone or "undetermined").required for zone in {*zones}}  # type: ignore[arg-type]  # a zone, or none
        made[f"required_{occasion}"] = [answers[zone] for zone in zones]
    return made


def _of_surroundings(opened: "Opened", around: AdjoiningAll) -> "dict[str, Sequence[Value]]":
    return adjoining_columns(
        around.measured.tolist(),
        _or_none(around.frontage_ft),
        around.streets,
        known=opened.store.has("streets"),
    )


def _or_none(feet: "NDArray[np.float64]") -> list[float | None]:
    return [None if missing else one for one, missing in zip(feet.tolist(), np.isnan(feet).tolist(), strict=True)]


def _of_clerks(clerks: "_Clerks | None", price: Decimal) -> str:
    """Return what a letter to a clerk costs, where that is another price than the other letters'."""
    if clerks is None or clerks.price == price:
        return ""
    return f" and {'an unknown price (?)' if clerks.price is None else f'${clerks.price}'} for one to a municipal clerk"


class _Clerks(Struct, frozen=True):
    """The letters to clerks of other municipalities on an occasion: how many for each candidate, and what one costs; None where that is not known."""

    letters: "NDArray[np.int64]"
    price: Decimal | None


def _clerks(opened: "Opened", occasions: Sequence[str], found: Candidates, ground: "Ground", on: date) -> "dict[str, _Clerks]":
    """Return the letters to clerks by occasion, where the law asks for them.

    LAW: Southampton 283-9 has notice of the hearing mailed to the clerk of any other municipality within 500 ft.
    """
    made = {}
    rates = _rates(opened, on)
    for occasion in occasions:
        rule = next((one for one in notice_rules(opened.profile, occasion) if one.kind == "clerk_notice"), None)
        if rule is not None and rule.notice is not None:
            letters = clerk_letters(opened, found, ground, distance_ft=rule.notice.distance_ft or 0.0)
            made[occasion] = _Clerks(letters, _letter(rates, clerk_mail(rule)))
    return made


def _columns(
    occasion: str, counts: NoticeCounts | None, prices: "Mapping[str, Decimal | None]", clerks: "Mapping[str, _Clerks]"
) -> "dict[str, Sequence[Value]]":
    parcels, pieces = ([], []) if counts is None else (counts.parcels.tolist(), counts.pieces.tolist())
    told = clerks.get(occasion)
    more = [0] * len(pieces) if told is None else told.letters.tolist()
    made: dict[str, Sequence[Value]] = {
        f"parcels_{occasion}": [one if one >= 0 else None for one in parcels],
        f"pieces_{occasion}": [one + clerk if one >= 0 else None for one, clerk in zip(pieces, more[: len(pieces)], strict=True)],
    }
    if occasion in prices:
        price, of_clerk = prices[occasion], told.price if told else None
        made[f"postage_{occasion}"] = [
            float(one * price + (clerk * of_clerk if of_clerk is not None else 0))
            if price is not None and one >= 0 and (of_clerk is not None or not clerk)
            else None
            for one, clerk in zip(pieces, more[: len(pieces)], strict=True)
        ]
    return made


def _prices(opened: "Opened", occasions: "Sequence[str]", on: date) -> "dict[str, Decimal | None]":
    """Return what a letter of each occasion costs, by the town's rate table; empty where it has none, None where no one price holds."""
    rates = _rates(opened, on)
    return {occasion: _price(opened, occasion, rates) for occasion in occasions} if opened.town.postage else {}


def _rates(opened: "Opened", on: date) -> "Rates | None":
    """Return the town's rates in force on a day; None where it has no table, or none of that day."""
    town = opened.town
    return rates_on(read_rates(town.folder / town.postage.file), on) if town.postage else None


def _price(opened: "Opened", occasion: str, rates: "Rates | None") -> "Decimal | None":
    notices = [
        rule.notice
        for rule in notice_rules(opened.profile, occasion)
        if rule.notice and not rule.notice.schedule and rule.kind != "clerk_notice"
    ]
    classes = {one.mail for one in notices}
    if len(classes) != 1 or any(one.bands for one in notices):
        return None
    return _letter(rates, classes.pop())


def _letter(rates: "Rates | None", mail: str) -> "Decimal | None":
    """Return what one letter of a class of mail costs; None where the rates do not say."""
    if rates is None:
        return None
    parts = {"certified": rates.certified_piece, "first_class": ("letter",)}.get(mail, ())
    prices = [price for part in parts if (price := getattr(rates, part)) is not None]
    return sum(prices, Decimal(0)) if parts and len(prices) == len(parts) else None


def _row(table: "Mapping[str, Sequence[Value]]", n: int, columns: "Iterable[str]") -> dict[str, "Value"]:
    """Return one candidate's values; a column that is not computed is unknown."""
    return {name: values[n] if (values := table.get(name)) else None for name in columns}


def _answers(table: "Mapping[str, Sequence[Value]]", condition: Condition | None, count: int) -> "list[bool | None]":
    """Return of each candidate whether the condition holds; None where that is unknown."""
    if condition is None:
        return [True] * count
    # Thousands of candidates have the same few values in the columns of a condition.
    values = [table.get(name) or [None] * count for name in condition.columns]
    answered: dict[tuple[Value, ...], bool | None] = {}
    made = []
    for some in zip(*values, strict=True) if values else [()] * count:
        if some not in answered:
            answered[some] = condition.holds(dict(zip(condition.columns, some, strict=True)))
        made.append(answered[some])
    return made


def _ranked(
    table: "Mapping[str, Sequence[Value]]", passing: "Sequence[int]", order: Sequence[tuple[str, bool]]
) -> tuple[int, ...]:
    """Return the candidates that pass in their order; what is unknown ranks last, whichever end comes first."""
    for name, most_first in reversed(order):
        values = table.get(name) or ()
        known = sorted((n for n in passing if values and values[n] is not None), key=values.__getitem__, reverse=most_first)  # type: ignore[arg-type]  # of one column, all words or all numbers
        passing = [*known, *(n for n in passing if not values or values[n] is None)]
    return tuple(passing)


def _notes(
    opened: "Opened",
    asked: Asked,
    register: "Register | None",
    prices: "Mapping[str, Decimal | None]",
    clerks: "Mapping[str, _Clerks]",
) -> list[str]:
    """Return with which numbers it is judged, and what is not looked at."""
    spec, notes = (
        opened.town.screen,
        ["These are places to consider. Nothing here is a decision: an application is checked by itself."],
    )
    if asked.persons is not None:
        notes.append(
            f"Room for {asked.persons:,} persons: {spec.sq_ft_per_person:g} sq ft a person ({spec.sq_ft_per_person_source}),"
            f" {spec.persons_per_car:g} persons a car ({spec.persons_per_car_source}), {spec.cars_per_acre:g} cars an acre"
            f" ({spec.cars_per_acre_source})."
        )
    missing = [kind for kind in ("zoning", "municipalities") if not opened.store.has(kind)]
    if missing:
        notes.append(f"The town file names no layer of {' and '.join(missing)}: what hangs on it is unknown (?).")
    if "municipalities" in missing and any(rule.kind == "clerk_notice" for rule in opened.profile.rules):
        notes.append("Letters to clerks of other municipalities are therefore not among the letters counted.")
    if register is None and cap_rules(opened.profile) is not None:
        notes.append("The town has no permit register yet: what is used and left of the limits is unknown (?).")
    days = register is not None and asked.starts is not None
    if days:
        notes.append(
            f"Other events: permits in the register for those days, and those of them within {Nearness().within_ft:,.0f} ft. One whose place is not"
            " recorded leaves it unknown (?)."
        )
    notes += [
        f"Postage for the {occasion}: "
        + (
            "unknown (?), as no one price of the rate table holds for all its letters."
            if price is None
            else f"${price} a letter{_of_clerks(clerks.get(occasion), price)}, as if all went within the United States."
        )
        for occasion, price in prices.items()
    ]
    if asked.kind in UNCOUNTED_KINDS:
        notes.append(
            f"A {str(asked.kind).replace('_', ' ')} is not counted in the yearly limits: limit, used, left and permit do not apply (?)."
        )
    unsaid = [
        name
        for name, value in (
            ("the kind of event", asked.kind),
            ("how many come", asked.persons),
            ("the days", asked.starts),
            ("the hours", asked.hours),
            ("whether it goes on at night", asked.night),
        )
        if value is None
    ]
    if unsaid:
        notes.append(f"Not stated, so that requirements which turn on it are to be decided: {', '.join(unsaid)}.")
    notes.append(
        "Not looked at: slope, wetlands, buildings, access for emergency vehicles, a drawing of the site, the owner's consent, whatever else an application"
        f" states, {'' if days else 'other events on those days, '}and whether an owner is exempt from the limits."
    )
    return notes
