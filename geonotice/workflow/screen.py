"""Judge every candidate of a town at once: where an event could be held, with the fewest neighbors to notify and a permit left."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from msgspec import Struct

from geonotice.config.postage_rates import rates_on, read_rates
from geonotice.decide.cap_checks import cap_rules
from geonotice.decide.notice import notice_rules
from geonotice.decide.yard_sales_and_parades import Nearness
from geonotice.errors import Fault, UsageError
from geonotice.screen.filters import Condition, Value, read_condition, read_order
from geonotice.screen.notice_counts import NoticeCounts, by_distance
from geonotice.screen.table import (
    Asked,
    Candidates,
    columns_of,
    event_columns,
    gather_candidates,
    land_columns,
    room_columns,
    word_columns,
)
from geonotice.workflow.screen_counts import CountedLists

if TYPE_CHECKING:
    from geonotice.config.postage_rates import Rates
    from geonotice.opened_town import Opened
    from geonotice.register.session import Register

__all__ = ["Screen", "screen_town"]

LISTS_MOST = 1000
"""Most candidates whose lot lines are measured one by one without being asked to: some 40 seconds on two cores."""


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
    progress: Callable[[str], None] | None = None,
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
        Whether lot lines are measured for every candidate, however many there are.
    progress
        Is told what is being done.

    Raises
    ------
    UsageError
        The condition or the rank cannot be meant.
    """
    tell = progress or (lambda _: None)
    occasions = tuple(dict.fromkeys(rule.occasion for rule in opened.profile.rules if rule.notice and rule.occasion))
    rates = _prices(opened, occasions, asked.on)
    columns = columns_of(occasions, postage=bool(rates))
    condition = read_condition(where, columns=columns, words=word_columns()) if where.strip() else None
    order = read_order(rank or ", ".join([*(f"pieces_{one}" for one in occasions[:1]), "-left", "-acres", "id"]), columns=columns)
    if top is not None and top < 1:
        raise UsageError(Fault(what=f"--top {top}", remedy="ask for 1 candidate or more"))
    tell("Reading the parcels …")
    found = gather_candidates(opened, asked.candidates)
    there = register if register is not None and register.there else None
    table: dict[str, Sequence[Value]] = {"id": found.ids}
    table |= land_columns(opened, found, asked, there)
    table |= room_columns(opened, table["acres"], asked.persons)
    counts = CountedLists(opened, found, asked)
    table |= event_columns(opened, found, asked, there)
    notes = _notes(opened, asked, there, rates)
    lot_lines = [occasion for occasion in occasions if by_distance(opened, occasion) is None]
    for occasion in occasions:
        if occasion not in lot_lines:
            tell(f"Counting neighbors for the {occasion} …")
            table |= _columns(occasion, counts.at_once(occasion), rates)
    if lot_lines:
        open_ = [n for n, answer in enumerate(_answers(table, condition, len(found.ids))) if answer is not False]
        if len(open_) <= LISTS_MOST or all_lists:
            for occasion, counted in counts.one_by_one(lot_lines, open_, asked.on, tell).items():
                table |= _columns(occasion, counted, rates)
        else:
            notes.append(
                f"Parcels and letters for the {' and '.join(lot_lines)} are not computed (?): they need the lot lines of each of {len(open_):,} candidates."
                f" Narrow the question with --where to {LISTS_MOST:,} candidates, or wait for all of them with --all-lists."
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
    )


def _columns(occasion: str, counts: NoticeCounts | None, prices: "Mapping[str, Decimal | None]") -> "dict[str, Sequence[Value]]":
    parcels, pieces = ([], []) if counts is None else (counts.parcels.tolist(), counts.pieces.tolist())
    made: dict[str, Sequence[Value]] = {
        f"parcels_{occasion}": [one if one >= 0 else None for one in parcels],
        f"pieces_{occasion}": [one if one >= 0 else None for one in pieces],
    }
    if occasion in prices:
        price = prices[occasion]
        made[f"postage_{occasion}"] = [float(one * price) if price is not None and one >= 0 else None for one in pieces]
    return made


def _prices(opened: "Opened", occasions: "Sequence[str]", on: date) -> "dict[str, Decimal | None]":
    """Return what a letter of each occasion costs, by the town's rate table; empty where it has none, None where no one price holds."""
    town = opened.town
    if town.postage is None:
        return {}
    rates = rates_on(read_rates(town.folder / town.postage.file), on)
    return {occasion: _price(opened, occasion, rates) for occasion in occasions}


def _price(opened: "Opened", occasion: str, rates: "Rates | None") -> "Decimal | None":
    notices = [
        rule.notice
        for rule in notice_rules(opened.profile, occasion)
        if rule.notice and not rule.notice.schedule and rule.kind != "clerk_notice"
    ]
    classes = {one.mail for one in notices}
    if rates is None or len(classes) != 1 or any(one.bands for one in notices):
        return None
    parts = {"certified": rates.certified_piece, "first_class": ("letter",)}.get(classes.pop(), ())
    prices = [price for part in parts if (price := getattr(rates, part)) is not None]
    return sum(prices, Decimal(0)) if parts and len(prices) == len(parts) else None


def _row(table: "Mapping[str, Sequence[Value]]", n: int, columns: "Iterable[str]") -> dict[str, "Value"]:
    """Return one candidate's values; a column that is not computed is unknown."""
    return {name: values[n] if (values := table.get(name)) else None for name in columns}


def _answers(table: "Mapping[str, Sequence[Value]]", condition: Condition | None, count: int) -> "list[bool | None]":
    """Return of each candidate whether the condition holds; None where that is unknown."""
    if condition is None:
        return [True] * count
    return [condition.holds(_row(table, n, condition.columns)) for n in range(count)]


def _ranked(
    table: "Mapping[str, Sequence[Value]]", passing: "Sequence[int]", order: Sequence[tuple[str, bool]]
) -> tuple[int, ...]:
    """Return the candidates that pass in their order; what is unknown ranks last, whichever end comes first."""
    for name, most_first in reversed(order):
        values = table.get(name) or ()
        known = sorted((n for n in passing if values and values[n] is not None), key=values.__getitem__, reverse=most_first)  # type: ignore[arg-type]  # of one column, all words or all numbers
        passing = [*known, *(n for n in passing if not values or values[n] is None)]
    return tuple(passing)


def _notes(opened: "Opened", asked: Asked, register: "Register | None", prices: "Mapping[str, Decimal | None]") -> list[str]:
    """Return with which numbers it is judged, and what is not looked at."""
    spec, notes = (
        opened.town.screen,
        ["These are places to consider. Nothing here is a decision: an application is judged by geonotice check."],
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
            else f"${price} a letter, as if all went within the United States."
        )
        for occasion, price in prices.items()
    ]
    notes.append(
        "Not looked at: slope, wetlands, buildings, access for emergency vehicles, the streets a lot abuts and its frontage, the owner's consent,"
        f" {'' if days else 'other events on those days, '}and whether an owner is exempt from the limits."
    )
    return notes
