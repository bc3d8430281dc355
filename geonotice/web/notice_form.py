"""What the notice desk is asked, as its address holds it: a list can be looked at again by its link, and nothing is lost with the session."""

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from geonotice.errors import Fault, UsageError
from geonotice.opened_town import find_premises
from geonotice.web.forms_and_uploads import day_given
from geonotice.web.notice_event import event_typed, others_handed_in, place_handed_in, stated_event
from geonotice.workflow.application import StatedEvent, agreed_hearing, agreed_premises
from geonotice.workflow.notice import NoticeRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from geonotice.model import Parcel
    from geonotice.opened_town import Opened
    from geonotice.web.kept import Kept

__all__ = ["CHANGES", "FILES", "TYPED", "NoticeForm", "changed_form", "read_form"]

CHANGES = ("add", "drop", "apart")
"""What a person may change by hand, as the command's options are called."""

TYPED = ("title", "kind", "from", "last", "until", "persons", "applicant", "contact", "filed")
"""What may be typed of the event, beside its first day; in an address with ``event_`` before it."""
FILES = ("event_file", "also", "around")
"""Files that were handed in, by their keys: the event file, interested persons of this case, a second place."""
_PLAIN = ("application", "hearing_place", "hearing_time", "draft")

_LONGEST = 500
"""Characters of a field."""
_MOST = 500
"""Parcels that one address may name: more is no form that somebody filled in."""


@dataclass(slots=True)
class NoticeForm:
    """The fields as they were given.

    Parameters
    ----------
    parcels
        The premises, by number.
    occasion, hearing, event
        As the fields hold them; empty where nothing is given.
    by_hand
        For each of :data:`CHANGES`: parcels with the reason.
    application
        The number of an application in the register, which is the event.
    files
        For each of :data:`FILES` the key of one that was handed in.
    typed
        For each of :data:`TYPED` what was typed of the event.
    hearing_place, hearing_time
        Where and when the hearing is held, for the letters; empty where it is as the town file says.
    draft
        The name under which the form is saved; empty where it is not.
    """

    parcels: list[str] = field(default_factory=list)
    occasion: str = ""
    hearing: str = ""
    event: str = ""
    by_hand: dict[str, dict[str, str]] = field(default_factory=lambda: {name: {} for name in CHANGES})
    application: str = ""
    files: dict[str, str] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)
    hearing_place: str = ""
    hearing_time: str = ""
    draft: str = ""

    @property
    def changed(self) -> bool:
        """Whether something is changed by hand, which needs a name."""
        return any(self.by_hand.values())

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The fields as an address or a form repeats them."""
        found = [("parcel", number) for number in self.parcels]
        plain = [("for", self.occasion), ("hearing", self.hearing), ("event", self.event)]
        plain += [(name, getattr(self, name)) for name in _PLAIN]
        plain += [(f"event_{name}", self.typed.get(name, "")) for name in TYPED]
        plain += [(name, self.files.get(name, "")) for name in FILES]
        found += [(name, value) for name, value in plain if value]
        for name, those in self.by_hand.items():
            for number, why in those.items():
                found += [(name, number), (f"{name}_why", why)]
        return found

    @property
    def link(self) -> str:
        """The address of the list."""
        return "/notice" + (f"?{urlencode(self.pairs)}" if self.pairs else "")

    @property
    def has_file(self) -> bool:
        """Whether an application or an event file says what the event is."""
        return bool(self.application or self.files.get("event_file"))

    def stated(self, opened: "Opened", kept: "Kept | None" = None) -> StatedEvent:
        """Return what is known of the event: of an application, of an event file, or typed.

        Raises
        ------
        UsageError
            Two of them are given, or one has faults; each fault with its field as key.
        """
        key = self.files.get("event_file", "")
        if self.application or (key and kept is not None):
            if twice := [name for name, value in {"event": self.event, **self.typed}.items() if value]:
                what = "the event is typed, and an application or an event file says what it is"
                raise UsageError(Fault(what=what, remedy="empty these fields, or take the file out", key=_anchor(twice[0])))
            return stated_event(opened, kept, application=self.application, key=key)
        faults: list[Fault] = []
        day = day_given(self.event, "event", "the first day of the event", faults)
        last = day_given(self.typed.get("last", ""), "event_last", "the last day of the event", faults)
        filed = day_given(self.typed.get("filed", ""), "event_filed", "the day on which the application was filed", faults)
        if faults:
            raise UsageError(faults)
        return event_typed(day, last, filed, self.typed) if any(self.typed.values()) else StatedEvent(day)

    def premises(self, opened: "Opened", stated: StatedEvent) -> "tuple[Parcel, ...]":
        """Return the premises, as they are named here or as the event names them.

        Raises
        ------
        UsageError
            The two differ, or a parcel is not found.
        """
        if not stated.parcels:
            return find_premises(opened, self.parcels)
        return agreed_premises(opened, self.parcels, find=(), stated=stated)

    def request(self, opened: "Opened", stated: StatedEvent, *, on: date, by: str, kept: "Kept | None" = None) -> NoticeRequest:
        """Return what is asked for; ``stated`` is what is known of the event.

        Raises
        ------
        UsageError
            The occasion or a day cannot be meant; all of it at once, each fault with its field as key.
        """
        faults: list[Fault] = []
        known = opened.profile.occasions
        if self.occasion not in known:
            faults.append(
                Fault(
                    what="why notice is given is not stated" if not self.occasion else "the ordinance knows no such occasion",
                    remedy="choose one of the occasions",
                    key="for",
                )
            )
        hearing = day_given(self.hearing, "hearing", "the day of the hearing", faults)
        if faults:
            raise UsageError(faults)
        return NoticeRequest(
            occasion=self.occasion,
            on=on,
            hearing=agreed_hearing(stated, hearing, profile=opened.profile, occasion=self.occasion, given_by="this form"),
            event=stated.first_day,
            filed=stated.filed,
            add=self.by_hand["add"],
            drop=self.by_hand["drop"],
            apart=self.by_hand["apart"],
            by=by if self.changed else "",
            others=others_handed_in(kept, self.files.get("also", "")),
            around=place_handed_in(opened, kept, self.files.get("around", "")),
            stated=stated.warnings,
        )


def _anchor(name: str) -> str:
    return name if name == "event" else f"event_{name}"


def read_form(given: "Mapping[str, Sequence[str]]") -> NoticeForm:
    """Read the fields of an address or of a form.

    Raises
    ------
    UsageError
        There are more parcels than anybody fills in.
    """
    form = NoticeForm(
        parcels=list(dict.fromkeys(number.strip() for number in given.get("parcel", ()) if number.strip())),
        occasion=_first(given, "for"),
        hearing=_first(given, "hearing"),
        event=_first(given, "event"),
        files={name: _first(given, name) for name in FILES},
        typed={name: _first(given, f"event_{name}")[:_LONGEST] for name in TYPED},
    )
    for name in _PLAIN:
        setattr(form, name, _first(given, name)[:_LONGEST])
    for name in CHANGES:
        reasons = given.get(f"{name}_why", ())
        form.by_hand[name] = {
            number.strip(): reasons[place].strip() if place < len(reasons) else ""
            for place, number in enumerate(given.get(name, ()))
            if number.strip()
        }
    if len(form.parcels) + sum(map(len, form.by_hand.values())) > _MOST:
        raise UsageError(Fault(what=f"more than {_MOST} parcels are named", remedy="name fewer"))
    return form


def _first(given: "Mapping[str, Sequence[str]]", name: str) -> str:
    return next(iter(given.get(name, ())), "").strip()


def changed_form(opened: "Opened", form: NoticeForm, given: "Mapping[str, Sequence[str]]") -> NoticeForm | None:
    """Return the form with what a button asks for done; None where no button does.

    The buttons are ``pick`` (a parcel more), ``q`` (the same by what was typed), ``without`` (one less), ``change`` with ``change_parcel`` and
    ``change_why`` (by hand), ``undo`` (no longer by hand), ``leave`` (a file or the application taken out), and an application that was not chosen before.

    Raises
    ------
    UsageError
        The parcel is not found, or is several, or no reason is given; all of it at once.
    """
    if _taken_out(form, given):
        return form
    if pick := _first(given, "pick"):
        return _with_premises(form, opened.store.find(pick).id)
    if "change" in given:
        return _by_hand(opened, form, given)
    if text := _first(given, "q"):
        return _with_premises(form, _meant(opened, text).id)
    return None


def _taken_out(form: NoticeForm, given: "Mapping[str, Sequence[str]]") -> bool:
    """Take out of the form what a button names; return whether one does."""
    if without := _first(given, "without"):
        form.parcels = [number for number in form.parcels if number != without]
    elif leave := _first(given, "leave"):
        form.files.pop(leave, None)
    elif undo := _first(given, "undo"):
        name, _, number = undo.partition(":")
        form.by_hand.get(name, {}).pop(number, None)
    elif "event_was" in given and form.application and _first(given, "event_was") != form.application:
        # The application says what the event is; what was typed of it is not asked any more. Premises and hearing are held against it.
        form.event, form.typed = "", {}
        form.files.pop("event_file", None)
    else:
        return False
    return True


def _with_premises(form: NoticeForm, number: str) -> NoticeForm:
    form.parcels = list(dict.fromkeys([*form.parcels, number]))
    return form


def _meant(opened: "Opened", text: str) -> "Parcel":
    matches = opened.store.search(text)
    if len(matches) == 1:
        return matches[0]
    if not matches:
        what = f"nothing is found for {text[:80]!r}"
        raise UsageError(Fault(what=what, remedy="type fewer letters, or the tax map number", key="q"))
    named = "; ".join(f"{parcel.id} ({parcel.situs.text})" if parcel.situs.text else parcel.id for parcel in matches[:5])
    what = f"{text[:80]!r} is found in {len(matches):,} parcels: {named}{' …' if len(matches) > 5 else ''}"  # noqa: PLR2004  # as many as are named
    raise UsageError(Fault(what=what, remedy="choose one of those under the field, or type more", key="q"))


def _by_hand(opened: "Opened", form: NoticeForm, given: "Mapping[str, Sequence[str]]") -> NoticeForm:
    change, number, why = (_first(given, name) for name in ("change", "change_parcel", "change_why"))
    faults = []
    if change not in CHANGES:
        faults.append(
            Fault(what="what is to be changed is not stated", remedy="choose whether to add, drop or keep apart", key="change")
        )
    if not number:
        faults.append(
            Fault(
                what="no parcel is named",
                remedy="type its tax map number, or choose it in the table or on the map",
                key="change_parcel",
            )
        )
    if not why:
        faults.append(
            Fault(
                what="no reason is given",
                why="a list changed by hand must say why a year later",
                remedy="type the reason",
                key="change_why",
            )
        )
    found = ""
    if number:
        try:
            found = opened.store.find(number, any_layer=True).id
        except UsageError as error:
            faults += [Fault(what=fault.what, why=fault.why, remedy=fault.remedy, key="change_parcel") for fault in error.faults]
    if faults:
        raise UsageError(faults)
    for those in form.by_hand.values():
        those.pop(found, None)
    form.by_hand[change][found] = why
    return form
