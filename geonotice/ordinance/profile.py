"""An ordinance profile as values: frozen, plain, quick to import and to rebuild from the store.

A profile says *what* a law asks, in a closed set of rule kinds with numbers and words as values; *how* a kind is decided is code in
``decide``. Nothing here is an expression to be evaluated. Distances are in US survey feet, money in dollars, periods in days.

These classes are the only model of a profile. :mod:`~geonotice.ordinance.check_profile` holds a file to their annotations with
pydantic; :mod:`~geonotice.ordinance.load` rebuilds what was checked before with msgspec. This module imports neither.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from functools import cache
from typing import Annotated, Literal, cast, get_args

from geonotice.config.constraints import FileTable, Limit, only_known_keys

__all__ = [
    "FILE_KEYS",
    "GROUPS",
    "KINDS",
    "NOTICE_KINDS",
    "READINGS",
    "SIGN_VALUES",
    "Band",
    "Citation",
    "District",
    "Group",
    "Kind",
    "Notice",
    "Period",
    "Profile",
    "Reading",
    "Rule",
    "SignOff",
    "Size",
    "Threshold",
    "Value",
    "district_key",
]

Kind = Literal[
    "distance_notice", "adjoining_notice", "clerk_notice", "publication", "posting", "deadline_before", "deadline_after",
    "cap", "prohibition", "condition", "threshold", "exemption", "reminder",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The closed set of rule kinds."""

NOTICE_KINDS = ("distance_notice", "adjoining_notice", "clerk_notice")
"""The kinds that make somebody a recipient."""

Group = Literal["permit", "place", "count", "file", "notify", "when", "after"]
GROUPS: dict[str, str] = {
    "permit": "Is a permit needed",
    "place": "May it be held here",
    "count": "How many this year",
    "file": "What must be filed or shown",
    "notify": "Who must be notified",
    "when": "By when",
    "after": "What else the law says",
}
"""The groups findings are shown in, in this order."""

READINGS: dict[str, tuple[str, ...]] = {
    "aggregate": ("decide", "outdoors_at_once", "all_persons"),
    "cap_year_other": ("issued", "starts"),
    "cap_year_residential": ("issued", "starts"),
    "corner": ("listed", "not_listed"),
    "exempt_owners_reach": ("caps_only", "whole_section"),
    "farmers_market_on_private_land": ("decide", "allowed", "prohibited"),
    "fire_company_of_another_town": ("exempt_with_warning", "not_exempt"),
    "overnight": ("decide", "extends", "does_not_extend"),
    "parking_persons": ("at_once", "total"),
    "prohibitions_reach_exempt": ("no", "yes"),
    "split_zoned_notice": ("residential", "other"),
    "split_zoned_rides": ("decide", "residential", "other"),
    "summer": ("both_included", "both_excluded"),
    "two_residential_districts": ("residential", "split"),
}
"""The readings that change an answer, with their choices; any other is printed beside the results and changes none."""

FILE_KEYS = {"reckoned_from": "from", "zone": "class"}
"""What a file calls a field whose key is a word of Python."""


class _Table(FileTable):
    """A table of the file: a key that is not a field's is refused."""

    # A number without an end among a rule's values is refused by the rule's check, which names its key.
    __pydantic_config__ = only_known_keys(FILE_KEYS, allow_inf_nan=True)


Text = Annotated[str, Limit(min_length=1)]
Id = Annotated[str, Limit(pattern="^[a-z][a-z0-9_-]*$")]
Feet = Annotated[float, Limit(gt=0, le=52_800, allow_inf_nan=False)]
"""A length; one beyond ten miles is a slip of the pen."""
Yard = Annotated[float, Limit(ge=0, le=52_800, allow_inf_nan=False)]
"""The least width of a yard; 0 where the law asks for none."""
Days = Annotated[int, Limit(ge=0, le=3_660)]
"""A number of days; one beyond ten years is a slip of the pen."""
Persons = Annotated[int, Limit(ge=0)]
Hours = Annotated[float, Limit(gt=0)]

Value = bool | int | float | str | tuple[str, ...]
From = Literal[
    "event", "event_ends", "hearing", "filed", "complete", "denial_received", "hearing_closed", "determination", "notice"
]
ZoneClass = Literal["residential", "other", "undetermined"]
MailClass = Literal["certified", "first_class", "none"]
Recipients = Literal["owners", "residents", "clerks"]
Relation = Literal["abutting", "corner", "opposite"]
Mark = Literal["G", "D", "C", "A", "J"]
OppositeBy = Literal["extension", "perpendicular", "distance"]


class Citation(_Table, kw_only=True):
    """Where a rule stands: chapter, section, and the clause's own words (one or more passages, verbatim)."""

    chapter: str = field(default="", metadata={"description": "Chapter; left out: that of the whole profile"})
    section: Text = field(metadata={"description": "Section or paragraph, as one cites it"})
    words: tuple[Text, ...] = field(
        default=(), metadata={"description": "The clause's own words, one or more passages, verbatim"}
    )

    @property
    def place(self) -> str:
        """Chapter and section, as one cites it."""
        return f"{self.chapter}, {self.section}" if self.section else self.chapter

    def __str__(self) -> str:
        """Place, then the clause's words in quotation marks."""
        if not self.words:
            return self.place
        return f"{self.place}: “{' … '.join(self.words)}”"


class Band(_Table):
    """Owners up to this distance get this class of mail (the nearest band that reaches them counts)."""

    up_to_ft: Feet
    mail: MailClass


class Notice(_Table, kw_only=True):
    """Who is notified on an occasion, and how.

    Parameters
    ----------
    occasion
        ``hearing``, ``filing``, ``appeal``; empty for a schedule that goes with the application.
    recipients
        ``owners``, ``residents``, ``clerks``.
    distance_ft
        Reach from the nearest property line of the premises, or from the municipal boundary for a clerk's notice.
    relations
        ``abutting``, ``corner``, ``opposite``: for an adjoining notice.
    opposite, opposite_distance_ft
        How the law finds who is opposite: by ``extension`` of lot lines, ``perpendicular`` to the frontage, or within a ``distance`` of it.
    mail
        The class of mail that the text asks for; ``none`` where it does not say how notice is given.
    return_receipt
        Whether a return receipt is asked for.
    only_in
        ``residential``: the notice is due only where the premises lie in such a district.
    on_demand
        The official *may* require it: the list is made, the duty is a reminder.
    bands
        Classes of mail by distance, nearest first; empty where one class holds for all.
    contiguous_land
        The applicant's contiguous land moves the line out from which the distance is measured.
    around
        The distance is measured from a second place of the event too, where one is named (off-site parking, a parade's route).
    schedule
        Not mailed: adjoining owners and streets are listed for the plan that goes with the application.
    sent_by
        ``applicant``, ``town``, or empty where the text does not say.
    states
        What the notice must say, in the order of the text.
    encloses
        What goes with it.
    proof
        How the mailing is proved, in words; empty where nothing is asked.
    days_before
        Least number of days before the date of the occasion; None where no number is given.
    """

    occasion: str = field(
        default="",
        metadata={"description": "hearing, filing, appeal; left out for a schedule that goes with the application"},
    )
    recipients: Annotated[tuple[Recipients, ...], Limit(min_length=1)]
    distance_ft: Feet | None = None
    relations: tuple[Relation, ...] = ()
    opposite: OppositeBy = field(default="extension", metadata={"description": "How the law finds who is opposite"})
    opposite_distance_ft: Feet | None = None
    mail: MailClass = "none"
    return_receipt: bool = False
    only_in: Literal["residential"] | None = None
    on_demand: bool = False
    bands: tuple[Band, ...] = ()
    contiguous_land: bool = False
    around: bool = field(
        default=False, metadata={"description": "The law measures from a second place of the event too (notice --around FILE)"}
    )
    schedule: bool = False
    sent_by: Literal["applicant", "town", ""] = ""
    states: tuple[Text, ...] = ()
    encloses: tuple[Text, ...] = ()
    proof: str = ""
    days_before: Days | None = None


class Period(_Table, kw_only=True):
    """A number of days counted from a date.

    ``direction`` ``before`` is a last day for an act that must come ahead of a date: it is never moved later. ``after`` is an act
    within a time: General Construction Law section 25-a carries it past a weekend or a public holiday. ``key`` tells the periods of
    one rule apart; ``bound`` ``earliest`` makes the day the first on which something may be done, not the last. ``carried`` False says
    of a period ``after`` that it limits how long something stands, which that section is not read to lengthen. ``in_hours`` says that
    the law counts hours, not days: what section 20 says of a period of two days does not reach it.
    """

    what: Text
    days: Days
    unit: Literal["days", "business_days"] = "days"
    direction: Literal["before", "after"]
    reckoned_from: From
    key: str = ""
    given_by: Literal["applicant", "town", "official", ""] = ""
    bound: Literal["latest", "earliest"] = "latest"
    carried: bool = True
    in_hours: bool = False


class Threshold(_Table):
    """When a chapter, or its permit, reaches an event.

    Parameters
    ----------
    regulates
        ``chapter``: below it nothing in the chapter applies; ``permit``: below it no permit is needed.
    events
        ``any``, ``special_event`` or ``parade``.
    more_than_persons
        The event is reached when **more than** this many attend; None for every event.
    at_once
        They are counted at one time; else the largest number stated counts.
    outdoors_only
        Only those outside a fully enclosed structure make it a matter for the permit.
    planned_in_advance_only
        Only events planned in advance.
    exempt_kinds
        Kinds of event that are not reached, whoever's they are.
    exempt_sponsors
        Sponsors in direct control of the event that are not reached.
    local_tie
        Of these, the ones that must have their chapter, house or company in the town.
    doubtful_sponsors, doubt
        Sponsors of which an official must decide whether they are among the exempt ones, and why that is open, as a clause.
    more_than_hours
        The event is reached when it goes on for **longer than** so many hours.
    commercial_or_admission
        Only events that are commercial, or for which admission is charged or a donation is asked.
    """

    regulates: Literal["chapter", "permit"]
    events: Literal["any", "special_event", "parade"] = "any"
    more_than_persons: Persons | None = None
    at_once: bool = False
    outdoors_only: bool = False
    planned_in_advance_only: bool = False
    exempt_kinds: tuple[Text, ...] = ()
    exempt_sponsors: tuple[Text, ...] = ()
    local_tie: tuple[Text, ...] = ()
    doubtful_sponsors: tuple[Text, ...] = ()
    doubt: str = ""
    more_than_hours: Hours | None = None
    commercial_or_admission: bool = False


class Size(_Table):
    """A size of events: **more than** so many persons (at one time, or else in all), and **longer than** so many hours or **so many or more**."""

    more_than_persons: Persons
    more_than_hours: Hours | None = None
    at_once: bool = False
    hours_or_more: Hours | None = None

    @property
    def words(self) -> str:
        """The size in words."""
        persons = f"more than {self.more_than_persons:,} persons{' at one time' if self.at_once else ''}"
        longer = "" if self.more_than_hours is None else f" and longer than {self.more_than_hours:g} hours"
        return f"{persons}{longer}" + ("" if self.hours_or_more is None else f" and for {self.hours_or_more:g} hours or more")


_DISCRETION = ("board may grant a permit", "is a privilege and not a right")
"""Words of a clause that leave the permit to the officials' discretion."""


OfficePaper = Literal["permit", "amendment", "denial", "rescission"]
"""A paper of the office that a rule may be printed on."""


class SignOff(_Table):
    """An official who reviews or approves in writing under a rule, what of, and for which events: a line to be signed on the staff report."""

    by: Text
    what: Text
    events: Literal["any", "special_event", "parade"] = "any"


SIGN_VALUES = ("length_ft", "width_ft", "set_back_ft", "lowest_ft", "highest_ft", "days")
"""The numbers of a posting rule: what the sheet of a sign prints."""


class Rule(_Table):
    """One requirement of a law.

    Parameters
    ----------
    id
        What a profile, a finding and a test call it.
    kind
        One of :data:`KINDS`.
    title
        The rule in a few words.
    citation
        Chapter, section and the clause's words.
    group
        The group its finding is shown in, of :data:`GROUPS`.
    marks
        How it is decided: G geometry, D dates, C the register, A the application, J an official's judgement; empty for information.
    applies
        ``permit``: when a permit is needed; ``special_event`` and ``parade``: when one of that sort is needed; ``chapter``: to every
        event in the chapter's scope; ``exempt``: to an event that is exempt; ``denial``: once an application was denied.
    check
        The name of the question that code answers for this rule (``parking``, ``insurance``, ``lights`` …); empty where the kind alone says it.
    text
        The rule in plain English, shown with the reminder.
    values
        The numbers and words the check uses.
    waivable
        Whether the body that decides may waive it.
    only_for, not_for
        Sizes of events: a rule is meant for events of one of the first, and for those of none of the second; empty for all.
    sign_offs
        Who reviews or approves in writing under it.
    printed_on
        The papers of the office that print its text.
    cost_of_notices
        The applicant pays the actual cost of the notices under it: a packet has an invoice.
    bars
        Whether ``not_met`` forbids the event; False for a duty whose breach does not stop the permit.
    discretion
        Whether the rule leaves the permit to the officials' discretion; left out, the clause's own words tell.
    verified, source
        False where nobody has read the rule against the text it comes from, and where it was read instead: every finding of it says so.
    """

    id: Text
    kind: Kind
    title: Text
    citation: Citation
    group: Group = "after"
    marks: tuple[Mark, ...] = ()
    applies: Literal["always", "chapter", "permit", "special_event", "parade", "exempt", "denial"] = "permit"
    check: str = ""
    text: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    waivable: bool = False
    bars: bool = True
    notice: Notice | None = None
    threshold: Threshold | None = None
    periods: tuple[Period, ...] = ()
    only_for: tuple[Size, ...] = field(default=(), metadata={"description": "Only for events of one of these sizes"})
    not_for: tuple[Size, ...] = field(default=(), metadata={"description": "Only for events of none of these sizes"})
    sign_offs: tuple[SignOff, ...] = field(
        default=(),
        metadata={"description": "Who reviews or approves in writing under it: lines to be signed on the staff report"},
    )
    printed_on: tuple[OfficePaper, ...] = field(
        default=(), metadata={"description": "The papers of the office that print the rule's text"}
    )
    discretion: bool | None = None
    cost_of_notices: bool = field(
        default=False, metadata={"description": "The applicant pays the actual cost of the notices: a packet has an invoice"}
    )
    verified: bool = True
    source: str = ""

    @property
    def leaves_discretion(self) -> bool:
        """Whether it leaves the permit to the officials: as the profile says, or else by the clause's own words."""
        if self.discretion is not None:
            return self.discretion
        clause = " ".join(self.citation.words).casefold()
        return any(words in clause for words in _DISCRETION)

    @property
    def size_words(self) -> str:
        """For which sizes of events it is, in words; empty for all."""
        parts = (("only for ", self.only_for), ("not for ", self.not_for))
        return "; ".join(f"{lead}{', or '.join(size.words for size in sizes)}" for lead, sizes in parts if sizes)

    @property
    def section(self) -> str:
        """The section the rule stands in."""
        return self.citation.section

    @property
    def occasion(self) -> str:
        """The occasion of its notice; empty for a rule without one."""
        return self.notice.occasion if self.notice else ""

    def number(self, name: str) -> float:
        """Return a number of the rule by name."""
        return float(cast("float", self.values[name]))

    def words(self, name: str) -> tuple[str, ...]:
        """Return a list of words of the rule by name."""
        value = self.values[name]
        return value if isinstance(value, tuple) else (str(value),)


class Reading(_Table, kw_only=True):
    """A question the text leaves open: a named setting with its value, the choices, and why the default is what it is.

    ``name`` is the key of its table in the file.
    """

    name: str = ""
    question: Text
    value: Value
    why: str = ""
    choices: tuple[Text, ...] = ()
    section: str = ""


class District(_Table):
    """A zoning district: how it is classed, and the setbacks of its dimensional table in feet (None where the table was not supplied).

    ``side_ft`` is the least width of one side yard, ``both_sides_ft`` that of both together. ``verified`` is False where nobody has read
    its class in the law itself, ``yards_verified`` where nobody has read its yards there; ``source`` and ``yards_source`` say where they were
    read instead. ``by_town`` says that the law's own table leaves its class open, and the town's officials have determined it.
    """

    code: Text
    zone: ZoneClass
    name: str = ""
    municipality: str = ""
    source: str = ""
    front_ft: Yard | None = None
    side_ft: Yard | None = None
    rear_ft: Yard | None = None
    by_town: bool = False
    both_sides_ft: Yard | None = None
    verified: bool = True
    yards_verified: bool = True
    yards_source: str = ""


class Profile(_Table, kw_only=True):
    """A town's law as data.

    ``status`` is ``complete`` where every rule of the text is an entry, ``partial`` where only some are: then results say so.
    ``verified`` says that somebody read it against the text; where the file does not say so, nobody did. ``effective`` is when the
    text's last amendment took effect or was adopted, where the text gives it. ``gaps`` says what the text supplied does not hold.
    ``sha256`` is the file's. ``further`` are rules that bear on its events and are not in the text of its own law, each with its
    ``source``; ``also`` names sets of such rules that come with the program (``ny_large_gatherings``), which are then among them.
    """

    id: Id
    town: Text
    county: str = ""
    status: Literal["complete", "partial"]
    chapter: Text
    source: Text
    effective: date | None = None
    sha256: str = ""
    official: str = ""
    occasions: Mapping[str, Text] = field(
        default_factory=dict, metadata={"description": "The occasions of its notices, with a line on each"}
    )
    gaps: tuple[Text, ...] = ()
    settings: Mapping[str, Reading] = field(default_factory=dict)
    districts: tuple[District, ...] = ()
    rules: Annotated[tuple[Rule, ...], Limit(min_length=1)]
    verified: bool = field(
        default=False,
        metadata={
            "description": "true once a person has read it against the text; left out, nobody has, and every result says so"
        },
    )
    note: str = ""
    also: tuple[Text, ...] = ()
    further: tuple[Rule, ...] = ()

    @property
    def every_rule(self) -> tuple[Rule, ...]:
        """The rules of the law's own text, then those from elsewhere."""
        return (*self.rules, *self.further)

    def rule(self, id_: str) -> Rule:
        """Return the rule of this id; KeyError where the profile has none."""
        for rule in self.every_rule:
            if rule.id == id_:
                return rule
        raise KeyError(id_)

    def has(self, id_: str) -> bool:
        """Return whether the profile has a rule of this id."""
        return any(rule.id == id_ for rule in self.every_rule)

    @property
    def without_words(self) -> tuple[str, ...]:
        """The ids of the rules that do not have the clause's own words."""
        return tuple(rule.id for rule in self.rules if not rule.citation.words)

    def rules_for(self, occasion: str) -> tuple[Rule, ...]:
        """Return the notice rules of an occasion, in the profile's order (a schedule that goes with every application included)."""
        return tuple(
            rule
            for rule in self.rules
            if rule.notice and (rule.notice.occasion == occasion or (rule.notice.schedule and not rule.occasion))
        )

    def of_kind(self, *kinds: str) -> tuple[Rule, ...]:
        """Return the rules of these kinds."""
        return tuple(rule for rule in self.rules if rule.kind in kinds)

    @property
    def opposite(self) -> tuple[OppositeBy, float | None]:
        """How the law finds who is opposite, and by distance how far; all its rules that name ``opposite`` agree."""
        every = (rule.notice for rule in self.rules if rule.notice and "opposite" in rule.notice.relations)
        return next(((notice.opposite, notice.opposite_distance_ft) for notice in every), ("extension", None))

    def setting(self, name: str) -> Value:
        """Return the value of a reading; KeyError where the profile has none of that name."""
        return self.settings[name].value

    def reads(self, name: str, choice: str) -> bool:
        """Return whether a reading is set to this choice; False where the profile does not have it."""
        return name in self.settings and self.settings[name].value == choice

    def district(self, code: str, municipality: str = "") -> District | None:
        """Find a district by its code, however it is hyphenated or cased; None where the table does not have it.

        A village's own code may look like the town's: a district is looked for under its municipality, and under the town's
        (entries without a municipality) only where none is named or the town is meant.
        """
        sought = district_key(code)
        place = municipality.strip().casefold()
        town = self.town.casefold()
        for item in self.districts:
            own = item.municipality.strip().casefold()
            same_place = own == place or (not own and (not place or place in (town, town.removeprefix("town of "))))
            if district_key(item.code) == sought and same_place:
                return item
        return None


@cache
def district_key(code: str) -> str:
    """Return a district code without spaces, hyphens and case: ``CR60``, ``CR-60`` and ``cr 60`` are one."""
    return "".join(letter for letter in code.casefold() if letter.isalnum())
