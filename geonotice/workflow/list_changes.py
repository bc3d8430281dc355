"""What differs between two lists, as their records have them: who is new, gone, written to elsewhere or under another name."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from geonotice.model import MAIL_CLASSES
from geonotice.postal import normal_address, normal_name

__all__ = ["Change", "Kind", "list_changes", "mailed", "person"]

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
