"""Compare the list that was mailed with another, or with what the layers say now: who is new, gone or written to elsewhere, and whether there is time."""

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from geonotice.address_spelling import normal_address, normal_name
from geonotice.config.town import TOWN_FILE
from geonotice.decide.business_days_and_holidays import in_words
from geonotice.decide.deadlines import deadlines, notice_deadlines
from geonotice.errors import Fault, OrdinanceError, UsageError
from geonotice.model import MAIL_CLASSES, ResultWarning, Supplement
from geonotice.packet.read_record import stated_in
from geonotice.packet.record import RECORD_FILE, record
from geonotice.warning_ranks import worst_first
from geonotice.workflow.packet_record import read_record, request_of

if TYPE_CHECKING:
    from datetime import date

    from geonotice.opened_town import Opened
    from geonotice.ordinance.profile import Profile
    from geonotice.workflow.notice import Noticed
    from geonotice.workflow.packet import WrittenPacket

__all__ = [
    "Change",
    "Comparison",
    "Kind",
    "compare_lists",
    "compare_with_town",
    "list_changes",
    "mailed",
    "person",
    "write_supplement",
]


Kind = Literal["new", "gone", "readdressed", "renamed", "mail", "other"]
"""What became of a recipient; ``mail`` is another class of mail, or an address that was missing and is known now; ``other`` is what no letter turns on."""

Piece = Mapping[str, Any]
"""A recipient, as a record has it."""


class Change(Struct, frozen=True, kw_only=True):
    """What became of one recipient. ``before`` is None for who is new, ``after`` for who is gone."""

    kind: Kind
    before: Piece | None
    after: Piece | None
    text: str

    @property
    def must_be_mailed(self) -> bool:
        """Whether a letter is due that the first mailing did not send: to who is new, to another address or name, by a stricter class."""
        if self.after is None or self.kind == "other" or self.after["role"] == "applicant":
            return False
        if self.kind != "mail" or self.before is None:
            return bool(self.after["mail"] != "none")
        more = MAIL_CLASSES.index(self.after["mail"]) > MAIL_CLASSES.index(self.before["mail"])
        return bool(self.after["mail"] != "none" and (more or (self.after["mailable"] and not self.before["mailable"])))

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {"change": self.kind, "text": self.text, "before": self.before, "after": self.after}


def person(piece: Piece) -> str:
    """Return who a piece is for, in a line: name, address, parcels."""
    name = " / ".join(part for part in (piece["name"], piece.get("name_2", "")) if part) or "(no name)"
    place = " ".join(part for part in (piece["city"], piece["state"], piece["zip"]) if part)
    where = ", ".join([*piece["address"], *([place] if place else []), *([piece["country"]] if piece["country"] else [])])
    return f"{name}, {where or 'no address'}" + (f" [{', '.join(piece['parcels'])}]" if piece["parcels"] else "")


def mailed(piece: Piece) -> bool:
    """Return whether a letter goes out for a piece."""
    return bool(piece["mail"] != "none" and piece["mailable"])


def list_changes(before: Sequence[Piece], after: Sequence[Piece]) -> tuple[Change, ...]:
    """Return what differs between two lists of recipients, in the order of the second, then who is gone; numbers alone are no difference.

    Whoever has the name, the address and the parcels of before is the same person. Of the rest, who keeps the name and a parcel is written to elsewhere;
    who keeps the address and a parcel has another name. Residents have no names to go by: another address is another resident.
    """
    open_ = _Open(before, after)
    open_.pair(lambda one: (one["role"], _name(one), _address(one), tuple(sorted(one["parcels"]))), _same_person)
    open_.pair(lambda one: (one["role"], _name(one), _address(one)), _same_person)
    for kind, what in _STEPS:
        for number in _numbers([*open_.left, *open_.right]):
            open_.pair(_on_parcel(number, what), _changed(kind))
    for piece in open_.right:
        open_.changes[open_.places[id(piece)]] = _new(piece, open_.left)
    gone = [Change(kind="gone", before=piece, after=None, text=f"gone: {person(piece)}") for piece in open_.left]
    return (*(open_.changes[place] for place in sorted(open_.changes)), *gone)


class _Open:
    """Two lists while their pieces are matched: what is left of each, and the changes so far by their place in the second."""

    def __init__(self, before: Sequence[Piece], after: Sequence[Piece]) -> None:
        self.left, self.right = list(before), list(after)
        self.places = {id(piece): place for place, piece in enumerate(after)}
        self.changes: dict[int, Change] = {}

    def pair(self, key: Callable[[Piece], Hashable | None], make: Callable[[Piece, Piece], Change | None]) -> None:
        """Match the pieces of equal key, each with the first that is left, and note what ``make`` says of the two."""
        waiting: dict[Hashable, list[Piece]] = {}
        for piece in self.left:
            if (found := key(piece)) is not None:
                waiting.setdefault(found, []).append(piece)
        for piece in list(self.right):
            found = key(piece)
            if found is not None and waiting.get(found):
                old = waiting[found].pop(0)
                _take(self.left, old)
                _take(self.right, piece)
                if change := make(old, piece):
                    self.changes[self.places[id(piece)]] = change


def _new(piece: Piece, left: Sequence[Piece]) -> Change:
    """Return that somebody is new, with the owners of before whose land it is now."""
    previous = [one for one in left if one["role"] == piece["role"] and set(one["parcels"]) & set(piece["parcels"])]
    text = f"new: {person(piece)}"
    if previous and piece["role"] == "owner":
        text += f"; before: {'; '.join(person(one) for one in previous)}"
    return Change(kind="new", before=None, after=piece, text=text)


def _take(pieces: list[Piece], one: Piece) -> None:
    """Remove this very piece: an equal one is another person's."""
    del pieces[next(place for place, piece in enumerate(pieces) if piece is one)]


def _numbers(pieces: Sequence[Piece]) -> list[str]:
    """Return the parcels of the pieces, and the empty one of those who have none."""
    return list(dict.fromkeys(number for piece in pieces for number in (piece["parcels"] or [""])))


_STEPS: tuple[tuple[Kind, str], ...] = (("readdressed", "name"), ("renamed", "address"))


def _on_parcel(number: str, what: str) -> Callable[[Piece], Hashable | None]:
    def key(piece: Piece) -> Hashable | None:
        if number not in (piece["parcels"] or [""]) or (what == "name" and piece["role"] == "resident"):
            return None
        same = _name(piece) if what == "name" else _address(piece)
        return (piece["role"], same) if same else None

    return key


def _changed(kind: Kind) -> Callable[[Piece, Piece], Change]:
    words = {"readdressed": "at another address", "renamed": "under another name"}[kind]
    return lambda old, new: Change(kind=kind, before=old, after=new, text=f"{words}: {person(new)}; before: {person(old)}")


def _same_person(old: Piece, new: Piece) -> Change | None:
    """Return what differs for who is the same person at the same address; None where nothing does but the number."""
    if (old["mail"], old["mailable"]) != (new["mail"], new["mailable"]):
        was, now = (f"{one['mail']}{'' if one['mailable'] else ', not mailable'}" for one in (old, new))
        return Change(kind="mail", before=old, after=new, text=f"mail is {now}, was {was}: {person(new)}")
    names = sorted(name for name in {*old, *new} - {"number"} if old.get(name) != new.get(name))
    if not names:
        return None
    differ = "; ".join(f"{name} is {_shown(new.get(name))}, was {_shown(old.get(name))}" for name in names)
    return Change(kind="other", before=old, after=new, text=f"{person(new)}: {differ}")


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value) if value not in (None, "") else "none"


def _name(piece: Piece) -> str:
    return normal_name([piece["name"], *piece.get("name_2", "").split("; ")])


def _address(piece: Piece) -> str:
    return normal_address(piece["address"], city=piece["city"], state=piece["state"], zip=piece["zip"], country=piece["country"])


# ---- lists and packets


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
            Fault(
                what="no further letter is due, so there is no supplementary packet to write",
                remedy="make none",
                command="take out --out",
            )
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
    return write_packet(opened, replace(noticed, notice=notice), out, progress=progress, stated=stated_in(kept), **options)
