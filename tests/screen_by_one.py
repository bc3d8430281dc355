"""Hold rows of a screen against what the list of each occasion, the check of the event and the check of a permit say of the parcel alone.

Run from the repository on any town that is imported; it exits with 1 where a value differs:

    PYTHONPATH=. python tests/screen_by_one.py TOWN --rows 200 --seed 5
"""

import argparse
import contextlib
import dataclasses
import json
import math
import random
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import shapely
from program import invoke

from geonotice.config.postage_rates import rates_on, read_rates
from geonotice.facts.municipalities import is_elsewhere, other_municipalities
from geonotice.facts.surroundings import frontage_ft
from geonotice.opened_town import may_have_permits, open_store
from geonotice.register.conflicts import conflicts_with, held_between
from geonotice.register.session import read_town_register
from geonotice.register.values import Application, Land
from geonotice.screen.event_checks import event_of
from geonotice.screen.table import Asked
from geonotice.select.boundary import is_village
from geonotice.select.streets import jurisdiction_of
from geonotice.workflow.check_event import check_measured
from geonotice.workflow.notice import MeasuredFor, NoticeRequest, make_notice
from geonotice.workflow.screen import screen_town

DAY = date(2026, 11, 30)
FESTIVAL = Asked(
    on=DAY, persons=800, kind="festival", starts=date(2026, 12, 20), ends=date(2026, 12, 20), hours=("10:00", "22:00"), night=False, charity=False
)  # fmt: skip
ROLES = {"right_of_way": "street or right-of-way", "railroad": "railroad", "water": "water"}


class OneByOne:
    """What a town's other commands say of one parcel, as the columns of a screen."""

    def __init__(self, opened, register, asked):
        self.opened, self.register, self.asked = opened, register, asked
        self.event = event_of(asked)
        self.occasions = list(dict.fromkeys(rule.occasion for rule in opened.profile.rules if rule.notice and rule.occasion))

    def row(self, number):
        """Return the columns of one parcel."""
        parcel = self.opened.store.find(number)
        shape = self.opened.store.parcels([parcel.fid]).geometries[0]
        made = {"id": parcel.id, "parcels": parcel.id, "situs": parcel.situs.text, "acres": round(shape.area / 43_560, 2)}
        made |= self._notices(parcel)
        made |= self._event(parcel)
        made |= self._permit(parcel, made.pop("village"))
        return made | self._municipalities(shape) | self._other_events(parcel, shape) | self._room(made["acres"])

    def _notices(self, parcel):
        before: MeasuredFor = {}
        made = {}
        town = self.opened.town
        rates = rates_on(read_rates(town.folder / town.postage.file), self.asked.on) if town.postage else None
        for occasion in self.occasions:
            said = make_notice(self.opened, [parcel], NoticeRequest(occasion=occasion, on=self.asked.on), before=before).notice
            sent = [
                one
                for one in said.recipients
                if one.role in {"owner", "resident", "clerk"} and one.mail != "none" and one.mailable
            ]
            made |= {
                f"parcels_{occasion}": len(said.parcels),
                f"pieces_{occasion}": len(sent),
                f"required_{occasion}": said.required,
            }
            if rates:
                letter = sum(price for part in rates.certified_piece if (price := getattr(rates, part)) is not None)
                price = {"certified": letter, "first_class": rates.letter}
                made[f"postage_{occasion}"] = float(sum(price[one.mail] for one in sent))
        return made

    def _event(self, parcel):
        there = dataclasses.replace(self.event, premises=dataclasses.replace(self.event.premises, parcels=(parcel.id,)))
        checked = check_measured(self.opened, there, on=self.asked.on)
        said, facts, near = checked.result, checked.gathered.facts, checked.gathered.measured.near
        feet = Counter()
        for one in near.streets:
            kind = jurisdiction_of(one.jurisdiction)
            feet[kind if kind in {"state", "county", "town"} else "other"] += one.frontage_ft
        known = self.opened.store.has("streets")
        return {
            "permit_required": {True: "yes", False: "no", None: "decide"}[said.permit_required],
            "not_met": "; ".join(one.rule for one in said.findings if one.status == "not_met"),
            "to_decide": sum(one.status == "decide" for one in said.findings),
            "zone": facts.zone if self.opened.store.has("zoning") else None,
            "district": ", ".join(dict.fromkeys(one.code for one in facts.districts)) or None,
            "frontage_ft": round(frontage_ft(near) or 0.0, 1),
            "streets": "; ".join(
                f"{one.name or 'unnamed'} ({jurisdiction_of(one.jurisdiction) or 'not known'})" for one in near.streets
            )
            if known
            else None,
            "village": facts.in_village,
        } | {f"{kind}_ft": round(feet[kind], 1) if known else None for kind in ("state", "county", "town", "other")}

    def _permit(self, parcel, village):
        against = [f"village ({village})"] if village else []
        against += ["another town"] if is_elsewhere(self.opened.town, parcel) else []
        against += [ROLES[parcel.role]] if parcel.role in ROLES else []
        made = {"excluded": "; ".join(against), "limit": None, "used": None, "left": None, "permit": None}
        night = {True: "yes", False: "no", None: "unknown"}[self.asked.night]
        asked = ("--starts", self.asked.starts, "--night", night, "--json", "--on", self.asked.on)
        outcome = invoke("permit", "check", self.opened.town.file, parcel.id, *asked)
        if not any(rule.kind == "cap" for rule in self.opened.profile.rules):
            return made
        assert outcome.exit_code in {0, 4, 5}, outcome.output
        said = json.loads(outcome.stdout)
        known = said["zone"] != "undetermined"
        made["limit"] = said["cap"] if known else None
        if known and self.register:
            made |= {"used": said["used"], "permit": said["status"]}
            made["left"] = None if said["cap"] is None else max(said["cap"] - said["used"], 0)
        return made

    def _municipalities(self, shape):
        made = {"municipality": None, "municipal_ft": None, "village_ft": None}
        if others := other_municipalities(self.opened):
            feet = [*zip(shapely.distance(shape, others.geometries).tolist(), others.rows, strict=True)]
            if feet:
                nearest = min(feet, key=lambda one: one[0])
                made |= {"municipal_ft": round(nearest[0], 1), "municipality": nearest[1]["name"]}
            if villages := [distance for distance, row in feet if is_village(row["kind"])]:
                made["village_ft"] = round(min(villages), 1)
        return made

    def _other_events(self, parcel, shape):
        if not self.register:
            return {"same_days": None, "events_near": None}
        land = Land(parcel=parcel.id, swis=parcel.swis, geometry=shapely.to_wkb(shape), crs=self.opened.crs)
        days = {"starts": self.asked.starts, "ends": self.asked.ends}
        held = held_between(self.register, self.asked.starts, self.asked.ends)
        return {
            "same_days": len(held),
            "events_near": len(conflicts_with(self.register, Application(kind="special_event", land=(land,), **days))),
        }

    def _room(self, acres):
        spec, persons = self.opened.town.screen, self.asked.persons
        crowd, parking = persons * spec.sq_ft_per_person / 43_560, math.ceil(persons / spec.persons_per_car) / spec.cars_per_acre
        return {
            "acres_needed": round(crowd + parking, 2), "fits": "yes" if acres >= crowd + parking else "no",
            "binding": "parking" if parking > crowd else "crowd",
        }  # fmt: skip


def differences(town, *, rows, seed, asked=FESTIVAL):
    """Return how many values of each column were held against one parcel's, and those that differ."""
    held, wrong = Counter(), []
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(open_store(town))
        register = stack.enter_context(read_town_register(opened.town)) if may_have_permits(town) else None
        register = register if register is not None and register.there else None
        screened = screen_town(opened, asked, register)
        alone = OneByOne(opened, register, asked)
        for row in random.Random(seed).sample(screened.rows, min(rows, len(screened.rows))):
            for column, value in alone.row(row["id"]).items():
                if row[column] is None and column.startswith("postage_"):
                    continue  # letters of that occasion have no one price: the screen leaves it open
                held[column] += 1
                if value != row[column] and not (
                    isinstance(value, float) and row[column] is not None and math.isclose(value, row[column])
                ):
                    wrong.append((row["id"], column, row[column], value))
        left_out = {*screened.columns} - {*held}
    return held, wrong, left_out


def main():
    """Hold rows of a town's screen, and print how many values of each column."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("town", type=Path)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    held, wrong, left_out = differences(given.town, rows=given.rows, seed=given.seed)
    print(", ".join(f"{column} {count}" for column, count in held.items()))
    print(f"not held: {', '.join(sorted(left_out)) or 'none'}")
    for number, column, row, alone in wrong:
        print(f"{number} {column}: screen {row!r}, alone {alone!r}")
    print(f"{sum(held.values()):,} values of {max(held.values()):,} rows, {len(wrong)} differ")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
