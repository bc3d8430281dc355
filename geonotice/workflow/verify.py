"""Verify a packet: its sources unchanged, the list made again the same, a second opinion on it, and papers that say what the record says."""

import csv
import io
import re
import tempfile
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from geonotice import __version__
from geonotice.config.town import Settings
from geonotice.errors import Fault, InputError, StoreError
from geonotice.io.csv_tables import inert
from geonotice.packet.record import RECORD_FILE, record
from geonotice.workflow.compare import Change, list_changes, mailed, person
from geonotice.workflow.notice import make_notice
from geonotice.workflow.packet_record import NOT_SETTINGS, read_record, request_of, town_of
from geonotice.workflow.second_opinion import Check, read_by_sight, second_opinion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from geonotice.config.town import Town
    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile

__all__ = ["Verification", "verify_packet"]


class Verification(Struct, frozen=True, kw_only=True):
    """What came out: whether the list is the same, what differs, and every check with how it came out."""

    packet: str
    town: str
    changes: tuple[Change, ...]
    parcels: tuple[str, ...]
    other: tuple[str, ...]
    checks: tuple[Check, ...]

    @property
    def same(self) -> bool:
        """Whether the list is the one that was made: no check failed, and nothing of the list differs."""
        return not self.changes and not self.parcels and all(one.status != "failed" for one in self.checks)

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        if self.same:
            return "The list is the one that was made."
        if self.changes or self.parcels:
            return "This is another list than the one that was made."
        failed = ", ".join(one.name for one in self.checks if one.status == "failed")
        return f"The list made again is the same, but not everything holds: {failed}."

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {
            "packet": self.packet,
            "town": self.town,
            "same": self.same,
            "headline": self.headline,
            "recipients": [one.to_json() for one in self.changes],
            "parcels": list(self.parcels),
            "other": list(self.other),
            "checks": [{"check": one.name, "status": one.status, "text": one.text} for one in self.checks],
        }


def verify_packet(
    packet: Path,
    town: Path | None = None,
    *,
    anew: bool = False,
    second: bool = True,
    progress: "Callable[[str], None] | None" = None,
) -> Verification:
    """Make the list of a packet again from its sources, and compare.

    Parameters
    ----------
    packet
        The packet's folder.
    town
        The town file or its folder; the folder above the packet where it is not named.
    anew
        Import the sources anew into a temporary folder, also where the town's store is current.
    second
        Measure every parcel again along another path.
    progress
        Told what is being done.

    Raises
    ------
    UsageError
        It is no packet, or its town is not known.
    InputError
        Sources, the ordinance or the town file are not those of the record; all of it at once.
    """
    say = progress or (lambda _text: None)
    kept = read_record(packet)
    if kept.get("supplement"):
        raise InputError(
            Fault(
                what="this is a supplementary packet, whose list is a part of another",
                file=str(packet),
                remedy=f"verify the first packet ({kept['supplement']['to']}), and compare it with the town: geonotice compare",
            )
        )
    file = town_of(packet, town)
    say("Comparing the sources …")
    settled, profile = _same_sources(kept, file)
    with tempfile.TemporaryDirectory(prefix="geonotice-verify-") as room:
        say("Making the list again …")
        opened, how = _open(settled, profile, Path(room), anew=anew)
        with opened:
            found = _made_again(opened, kept)
            crs = opened.crs
        changes, parcels, other = _differences(kept, found)
        checks = [
            Check(
                name="sources unchanged", status="passed", text=f"{len(kept['sources'])} sources have the SHA-256 of the record."
            ),
            Check(name="list made again", status="failed" if changes or parcels else "passed", text=how),
        ]
        if second:
            say("Measuring every parcel again, along another path …")
            reach_ft, why_not = _reach(profile, kept, settled.settings)
            checks += second_opinion(
                kept,
                read_by_sight(settled, crs=crs),
                reach_ft=reach_ft,
                why_not=why_not,
                tolerance_ft=settled.settings.tolerance_ft,
            )
        else:
            checks.append(Check(name="second opinion", status="not_done", text="Left out, as asked (--quick)."))
    checks += _papers(packet, kept)
    return Verification(packet=str(packet), town=str(file), changes=changes, parcels=parcels, other=other, checks=tuple(checks))


def _same_sources(kept: "Mapping[str, Any]", file: Path) -> "tuple[Town, Profile]":
    """Return the town with the settings of the record, and its law, or refuse with everything that is not as it was."""
    from geonotice.config.read_town import read_town_file
    from geonotice.io.source_files import sha256_of
    from geonotice.ordinance.load import load_profile, with_determinations

    faults = []
    for source in kept["sources"]:
        path = file.parent / source["path"]
        if not path.exists():
            faults.append(
                Fault(what=f"the source {source['path']} ({source['layer']}) is missing", file=str(path), remedy="put it back")
            )
        elif (now := sha256_of(path)) != source["sha256"]:
            what = f"the source {source['path']} ({source['layer']}) has changed since: SHA-256 {now[:16]}…, the record has {source['sha256'][:16]}…"
            again = "put the file back that the list was made from, for this check; geonotice compare PACKET TOWN shows what the change does to the list"
            faults.append(Fault(what=what, file=str(path), remedy=again))
    if faults:
        raise InputError(faults)
    town = read_town_file(file)
    profile = with_determinations(load_profile(town.ordinance, relative_to=town.folder), town.districts, file=str(town.file))
    if profile.sha256 != kept["ordinance"]["sha256"]:
        what = f"the ordinance profile {town.ordinance} is not the one that the list was made by ({kept['ordinance']['id']})"
        faults.append(
            Fault(what=what, file=str(file), remedy="put back the profile, or use the version of the program in the record")
        )
    named = {part.given for part in town.parcels} | {part.given for part in town.layers.others.values()}
    named |= {part.given for part in town.rolls}
    named |= {town.corrections.path} if town.corrections else set()
    named |= {town.others.path} if town.others and town.others.path else set()
    known = {source["path"] for source in kept["sources"]}
    # A corrections file without a row is no source.
    named -= {town.corrections.path} if town.corrections and town.corrections.path not in known else set()
    if named != known:
        more, fewer = sorted(named - known), sorted(known - named)
        said = "; ".join(
            part
            for part in (
                f"it names {', '.join(more)}, which the list was not made from" if more else "",
                f"it no longer names {', '.join(fewer)}" if fewer else "",
            )
            if part
        )
        faults.append(
            Fault(what=f"the town file is not that of the record: {said}", file=str(file), remedy="put back the town file")
        )
    if town.crs != kept["settings"]["crs"]:
        what = f"the town measures in {town.crs} now, and the list was measured in {kept['settings']['crs']}"
        faults.append(Fault(what=what, file=str(file), key="town.crs", remedy="put back the town file"))
    if faults:
        raise InputError(faults)
    values = {name: value for name, value in kept["settings"].items() if name not in NOT_SETTINGS}
    names = {one.name for one in fields(Settings)}
    return replace(town, settings=Settings(**{name: value for name, value in values.items() if name in names})), profile


def _open(town: "Town", profile: "Profile", room: Path, *, anew: bool) -> "tuple[Opened, str]":
    """Open the town with the settings of the record: by its store where that is current, else by an import into a folder that is removed."""
    from msgspec.structs import replace as changed

    from geonotice.opened_town import open_store, with_tables
    from geonotice.store import Store
    from geonotice.workflow.importing import import_layers_into

    by_town_file = _other_settings(town)
    if not anew:
        try:
            opened = open_store(town.file)
        except StoreError:
            pass
        else:
            return changed(
                opened, town=town
            ), f"Made from the town's store, which is as import wrote it from these sources.{by_town_file}"
    path = import_layers_into(town, profile, room)
    return with_tables(town, profile, Store(path)), f"Made from the sources, imported anew into a temporary folder.{by_town_file}"


def _other_settings(town: "Town") -> str:
    """Return which settings of the town file differ from the record's, by which the list was made again."""
    from geonotice.config.read_town import read_town_file

    now, then = asdict(read_town_file(town.file).settings), asdict(town.settings)
    differ = [f"{name} = {now[name]}, the record {then[name]}" for name in now if now[name] != then[name]]
    return f" The town file has other settings by now; the record's were used: {'; '.join(differ)}." if differ else ""


def _made_again(opened: "Opened", kept: "Mapping[str, Any]") -> dict[str, Any]:
    from geonotice.opened_town import find_premises

    return record(make_notice(opened, find_premises(opened, kept["premises"]), request_of(kept)).notice)


_OF_THE_LIST = ("required", "municipalities", "schedule", "signs", "overrides", "premises")
"""The parts of a record, besides parcels and recipients, that make it another list."""
_BESIDES = ("near_misses", "districts", "frontages", "corrections", "warnings", "version")


def _differences(
    kept: "Mapping[str, Any]", found: "Mapping[str, Any]"
) -> tuple[tuple[Change, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what differs in recipients, in parcels and the rest of the list, and in what no letter turns on."""
    changes = list_changes(kept["recipients"], found["recipients"])
    if not changes and [one["number"] for one in kept["recipients"]] != [one["number"] for one in found["recipients"]]:
        parcels = ["the recipients are numbered otherwise"]
    else:
        parcels = []
    parcels += _parcel_changes(kept, found)
    parcels += [
        f"{name} differs: {found[name]!r}, the record has {kept[name]!r}" for name in _OF_THE_LIST if kept[name] != found[name]
    ]
    other = tuple(_besides(name, kept, found) for name in _BESIDES if kept[name] != found[name])
    return changes, tuple(parcels), other


def _besides(name: str, kept: "Mapping[str, Any]", found: "Mapping[str, Any]") -> str:
    if name == "version":
        return f"version: made by {kept[name]}, verified by {__version__}"
    more = [one for one in found[name] if one not in kept[name]]
    fewer = [one for one in kept[name] if one not in found[name]]
    said = [f"now also {', '.join(_called(one) for one in more)}"] if more else []
    said += [f"no longer {', '.join(_called(one) for one in fewer)}"] if fewer else []
    return f"{name.replace('_', ' ')}: {'; '.join(said) or 'in another order'}"


def _called(one: "Mapping[str, Any]") -> str:
    return str(next((one[key] for key in ("code", "id", "n", "parcel") if key in one), one))


def _parcel_changes(kept: "Mapping[str, Any]", found: "Mapping[str, Any]") -> list[str]:
    was, now = ({one["id"]: one for one in made["parcels"]} for made in (kept, found))
    made = [
        f"parcel {id_} is new on the list ({now[id_]['relation']}, {now[id_]['distance_ft']:,.2f} ft)"
        for id_ in now
        if id_ not in was
    ]
    made += [f"parcel {id_} is gone from the list" for id_ in was if id_ not in now]
    for id_ in was.keys() & now.keys():
        if names := sorted(name for name in {*was[id_], *now[id_]} if was[id_].get(name) != now[id_].get(name)):
            differ = "; ".join(f"{name} is {now[id_].get(name)}, was {was[id_].get(name)}" for name in names)
            made.append(f"parcel {id_}: {differ}")
    return sorted(made)


def _reach(profile: "Profile", kept: "Mapping[str, Any]", settings: Settings) -> tuple[float | None, str]:
    """Return the distance within which every parcel is on the list; None, and why, where the law has none that is certain here."""
    rules = [
        (rule, rule.notice)
        for rule in profile.rules_for(kept["occasion"])
        if rule.notice and rule.notice.distance_ft and not rule.notice.schedule and rule.kind != "clerk_notice"
    ]
    if not rules:
        return (
            None,
            "The law of this occasion names no distance: who abuts and who is opposite was found by the first path alone.",
        )
    if any(notice.only_in for _, notice in rules):
        return None, "Whether the distance holds turns on the zoning district, which this path does not look at."
    if kept.get("around") and not all(notice.around for _, notice in rules):
        return None, "Not every rule of the occasion measures from the second place."
    return max(notice.distance_ft or 0.0 for _, notice in rules) + settings.borderline_ft, ""


def _papers(packet: Path, kept: "Mapping[str, Any]") -> "Iterator[Check]":
    """Hold the list and the labels of the packet against its record."""
    folder = packet.parent if packet.name == RECORD_FILE else packet
    for name, look in (("notice-list.csv", _csv_faults), ("notice-list.xlsx", _xlsx_faults), ("labels.pdf", _label_faults)):
        file = folder / name
        if not file.is_file():
            yield Check(name=name, status="failed" if name.endswith(".csv") else "not_done", text="The packet has no such file.")
            continue
        try:
            faults = look(file, kept)
        except (OSError, ValueError, KeyError, InputError) as error:
            yield Check(name=name, status="failed", text=f"The file cannot be read: {error}")
            continue
        text = f"It differs from the record: {'; '.join(faults)}." if faults else "It has what the record has."
        yield Check(name=name, status="failed" if faults else "passed", text=text)


def _expected(kept: "Mapping[str, Any]") -> dict[str, dict[str, str]]:
    """Return the cells of a list that a record vouches for, by number."""
    rows = {}
    for one in kept["recipients"]:
        first, *others = one["address"] or [""]
        rows[str(one["number"])] = {
            "role": one["role"],
            "name_1": one["name"],
            "name_2": one.get("name_2", ""),
            "address_1": first,
            "address_2": "; ".join(others),
            "city": one["city"],
            "state": one["state"],
            "zip": one["zip"],
            "country": one["country"],
            "mail": one["mail"],
            "mailable": "yes" if one["mailable"] else "no",
            "parcels": "; ".join(one["parcels"]),
        }
    return rows


def _csv_faults(file: Path, kept: "Mapping[str, Any]") -> list[str]:
    from geonotice.io.csv_tables import decoded

    text, _ = decoded(file.read_bytes(), str(file))
    return _row_faults(list(csv.DictReader(io.StringIO(text, newline=""))), kept, written=inert)


def _xlsx_faults(file: Path, kept: "Mapping[str, Any]") -> list[str]:
    from geonotice.io.archives import open_workbook

    book = open_workbook(file, data_only=True)
    try:
        rows = [["" if cell is None else str(cell) for cell in row] for row in book.worksheets[0].iter_rows(values_only=True)]
    finally:
        book.close()
    return _row_faults([dict(zip(rows[0], row, strict=False)) for row in rows[1:]] if rows else [], kept, written=str)


def _row_faults(rows: "list[dict[str, str]]", kept: "Mapping[str, Any]", *, written: "Callable[[str], str]") -> list[str]:
    """Return what differs; the column of article numbers is to be filled in by hand, and no difference."""
    expected = _expected(kept)
    found = {
        row.get("number", "").strip(): row
        for row in rows
        if any((cell or "").strip() for cell in row.values() if isinstance(cell, str))
    }
    faults = [f"No. {number} is not on it" for number in expected if number not in found]
    faults += [f"No. {number or '(none)'} is on it, and not in the record" for number in found if number not in expected]
    for number, cells in expected.items():
        for name, value in cells.items():
            if number in found and (found[number].get(name) or "") != written(value):
                faults.append(
                    f"No. {number}: {name} is {found[number].get(name) or 'empty'!r}, the record has {value or 'nothing'!r}"
                )
    return faults


def _label_faults(file: Path, kept: "Mapping[str, Any]") -> list[str]:
    """Return the recipients whose label is not there whole, but for those whom the record has as addressed by hand."""
    from geonotice.io.output_files import origin
    from geonotice.io.pdf_words import squeezed, words_of_pdf

    printed = squeezed(" ".join(words_of_pdf(file.read_bytes())))
    faults = ["it was changed after it was made"] if origin(file) == "changed" else []
    told = " ".join(warning["text"] for warning in kept["warnings"] if warning["code"] == "label_by_hand")
    # A record of an earlier version has them in the warning alone.
    by_hand = {int(number) for number in re.findall(r"--by-hand (\d+)\)", told)} | set(kept.get("labels", {}).get("by_hand", ()))
    for one in kept["recipients"]:
        if not mailed(one) or one["number"] in by_hand:
            continue
        place = " ".join(part for part in (one["city"], one["state"], one["zip"]) if part)
        lines = [one["name"], *one.get("name_2", "").split("; "), *one["address"], place, one["country"]]
        label = squeezed("".join(lines))
        # Where a label is full its number stands behind its first line, among the words as they are read back.
        numbered = (f"{label[:at]}{one['number']}{label[at:]}" for at in range(1, len(label)))
        if label not in printed and not any(text in printed for text in numbered):
            faults.append(f"No. {one['number']} has no label, or another: {person(one)}")
    return faults
