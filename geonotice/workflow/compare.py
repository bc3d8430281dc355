"""Compare the list that was mailed with another, or with what the town's layers say now: who must still get a letter, and whether there is time."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from geonotice.config.town import TOWN_FILE
from geonotice.decide.days import in_words
from geonotice.decide.deadlines import deadlines, notice_deadlines
from geonotice.errors import Fault, OrdinanceError, UsageError
from geonotice.model import ResultWarning, Supplement
from geonotice.packet.record import RECORD_FILE, record
from geonotice.result_warnings import worst_first
from geonotice.workflow.list_changes import Change, list_changes
from geonotice.workflow.packet_record import read_record, request_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile
    from geonotice.workflow.notice import Noticed
    from geonotice.workflow.packet import WrittenPacket

__all__ = ["Comparison", "compare_lists", "compare_with_town", "write_supplement"]


class Comparison(Struct, frozen=True, kw_only=True):
    """What differs between the list that was mailed and another.

    ``last_day`` is the last lawful day for the letters that are still due, None where it is not known; ``time`` says whether there is time, in words.
    """

    before: str
    after: str
    on: "date"
    changes: tuple[Change, ...]
    parcels_new: tuple[str, ...]
    parcels_gone: tuple[str, ...]
    last_day: "date | None"
    time: str

    @property
    def due(self) -> tuple[Change, ...]:
        """Those to whom a letter is still due."""
        return tuple(one for one in self.changes if one.must_be_mailed)

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        if not self.changes and not self.parcels_new and not self.parcels_gone:
            return "Nobody is new, gone, re-addressed or renamed."
        if not self.due:
            return "The lists differ, and no further letter is due."
        return f"{len(self.due)} {'letter is' if len(self.due) == 1 else 'letters are'} still due. {self.time}"

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {
            "before": self.before,
            "after": self.after,
            "on": self.on.isoformat(),
            "same": not (self.changes or self.parcels_new or self.parcels_gone),
            "headline": self.headline,
            "changes": [one.to_json() | {"must_be_mailed": one.must_be_mailed} for one in self.changes],
            "parcels": {"new": list(self.parcels_new), "gone": list(self.parcels_gone)},
            "due": len(self.due),
            "last_day": self.last_day and self.last_day.isoformat(),
            "time": self.time,
        }


def compare_lists(before: Path, after: Path, *, on: "date") -> Comparison:
    """Compare the lists of two packets; ``on`` is the day on which letters would be mailed.

    Raises
    ------
    UsageError
        One of them is no packet, or they are lists of different premises or occasions.
    """
    first, second = read_record(before), read_record(after)
    _require_alike(first, second, after)
    profile = _profile_of(after, second) or _profile_of(before, second)
    return _compared(first, second, profile, before=str(before), after=str(after), on=on)


def compare_with_town(opened: "Opened", before: Path, *, on: "date") -> "tuple[Comparison, Noticed]":
    """Compare the list of a packet with the list that the town's layers make now, for the same request.

    Raises
    ------
    UsageError
        It is no packet, or the town has no such premises any more.
    """
    from geonotice.opened_town import find_premises
    from geonotice.workflow.notice import make_notice

    first = read_record(before)
    noticed = make_notice(opened, find_premises(opened, first["premises"]), request_of(first, on=on))
    second = record(noticed.notice)
    return _compared(first, second, opened.profile, before=str(before), after=str(opened.town.file), on=on), noticed


def _require_alike(first: "Mapping[str, Any]", second: "Mapping[str, Any]", file: Path) -> None:
    differ = [name for name in ("town", "occasion") if first[name] != second[name]]
    differ += ["premises"] if set(first["premises"]) != set(second["premises"]) else []
    if differ:
        said = "; ".join(f"{name}: {first[name]!r} and {second[name]!r}" for name in differ)
        what = f"these are lists of different matters ({said})"
        raise UsageError(Fault(what=what, file=str(file), remedy="name two packets of the same premises and occasion"))
    if parts := [str(one.get("supplement", {}).get("to")) for one in (first, second) if one.get("supplement")]:
        what = f"a supplementary packet holds a part of a list only (to {', '.join(parts)})"
        raise UsageError(Fault(what=what, file=str(file), remedy="name the packets of the whole lists"))


def _profile_of(packet: Path, made: "Mapping[str, Any]") -> "Profile | None":
    """Return the law of a record: that of the town above the packet, or the built-in one; None where neither is the record's."""
    from geonotice.ordinance.load import load_profile

    above = packet.resolve().parent
    given = made["ordinance"]["id"]
    if (above / TOWN_FILE).is_file():
        from geonotice.config.read_town import read_town_file

        given = read_town_file(above / TOWN_FILE).ordinance
    try:
        profile = load_profile(given, relative_to=above)
    except OrdinanceError:
        return None
    return profile if profile.sha256 == made["ordinance"]["sha256"] else None


def _compared(
    first: "Mapping[str, Any]", second: "Mapping[str, Any]", profile: "Profile | None", *, before: str, after: str, on: "date"
) -> Comparison:
    was, now = ([one["id"] for one in made["parcels"]] for made in (first, second))
    last_day, time = _time(second, profile, on=on)
    return Comparison(
        before=before,
        after=after,
        on=on,
        changes=list_changes(first["recipients"], second["recipients"]),
        parcels_new=tuple(id_ for id_ in now if id_ not in was),
        parcels_gone=tuple(id_ for id_ in was if id_ not in now),
        last_day=last_day,
        time=time,
    )


def _time(made: "Mapping[str, Any]", profile: "Profile | None", *, on: "date") -> "tuple[date | None, str]":
    """Return the last lawful day for the notice, and whether there is time."""
    asked = request_of(made)
    if profile is None:
        return (
            None,
            "Whether there is time is not known: the record's ordinance profile is not at hand. Name the town in the second place.",
        )
    if asked.hearing is None and asked.event is None:
        return None, "Whether there is time is not known: the list states no day of a hearing or an event."
    own = notice_deadlines(
        deadlines(profile, hearing=asked.hearing, event=asked.event),
        rules={one["rule"] for one in made["parcels"]} | {rule.id for rule in profile.rules_for(asked.occasion)},
        hearing=asked.hearing,
        event=asked.event,
    )
    if not own:
        return None, "The law names no last day for this notice: ask the town's attorney."
    last = min(one.last_lawful_day for one in own)
    if last < on:
        return last, (
            f"It is too late: the last lawful day was {in_words(last)}. Ask the town's attorney whether the hearing must be moved."
        )
    days = (last - on).days
    left = "today is that day" if not days else f"{days} day{'' if days == 1 else 's'} from {on.isoformat()}"
    aim = min(one.suggested for one in own)
    by = f" Mail by {in_words(aim)}." if on <= aim < last else ""
    return last, f"There is time: the last lawful day is {in_words(last)} ({left}).{by}"


def write_supplement(
    opened: "Opened",
    noticed: "Noticed",
    compared: Comparison,
    out: Path,
    *,
    first: Path,
    progress: "Callable[[str], None] | None" = None,
    **options: Any,  # noqa: ANN401  # those of write_packet
) -> "WrittenPacket":
    """Write a packet for those alone to whom a letter is still due; its numbers go on from those of the first list.

    Raises
    ------
    UsageError
        No letter is due: an empty packet would look like one that was made.
    """
    from geonotice.workflow.packet import write_packet

    if not compared.due:
        raise UsageError(
            Fault(what="no further letter is due, so there is no supplementary packet to write", remedy="take out --out")
        )
    kept = read_record(first)
    start = max((one["number"] for one in kept["recipients"]), default=0) + 1
    due = {one.after["number"] for one in compared.due if one.after is not None}
    chosen = [one for one in noticed.notice.recipients if one.number in due]
    recipients = tuple(replace(one, number=number) for number, one in enumerate(chosen, start))
    concerned = {parcel for one in recipients for parcel in one.parcels}
    file = (first if first.is_dir() else first.parent) / RECORD_FILE
    supplement = Supplement(file.parent.name, hashlib.sha256(file.read_bytes()).hexdigest(), kept["settings"]["on"], start)
    text = (
        f"This is not the whole list. It supplements the list of {supplement.made} (packet {supplement.to}) with those to whom a letter is still due, and"
        f" its numbers go on from that list's: No. {start} to {start + len(recipients) - 1}. {compared.time}"
    )
    notice = replace(
        noticed.notice,
        recipients=recipients,
        parcels=tuple(one for one in noticed.notice.parcels if one.id in concerned),
        near_misses=(),
        supplement=supplement,
        warnings=worst_first((ResultWarning("supplement", text), *noticed.notice.warnings)),
    )
    return write_packet(opened, replace(noticed, notice=notice), out, progress=progress, **options)
