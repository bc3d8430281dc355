"""Every check that a rule can name: one record each, and the function that answers it.

A new check is one record in ``CHECKS`` and one function in ``decide`` under ``@answers("its name")``. What a profile may say of it, the
questions of the event file, ``ordinance show``, the schema for editors and the guide's table all come from the record.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args

from geonotice.config import application
from geonotice.config.application import EVENT_KINDS
from geonotice.ordinance.profile import Kind

if TYPE_CHECKING:
    from geonotice.ordinance.profile import Rule

__all__ = ["CHECKS", "Answer", "Check", "Value", "answers", "answers_of_all"]

Sort = Literal["number", "count", "divisor", "clock", "flag", "word", "words", "text", "texts", "questions"]


# Named tuples: frozen, and built in a fifth of the time of a dataclass. Every command that decides anything imports them.
class Value(NamedTuple):
    """A value that a check takes from its rule.

    Parameters
    ----------
    name
        Its key in the rule's ``values``.
    sort
        A ``number``; a ``count`` of permits, days or persons, which has no halves; a ``divisor``, which is not zero; a ``clock`` time; a
        ``flag``; one of the ``words``; a list of them; any ``text``; a list of ``texts``; a list of ``questions`` of the event file.
    line
        What the guide says of it, behind its name.
    words
        The words it may have.
    optional
        Whether the check does without.
    asks
        The keys of the event file that the check looks at because the rule has this value.
    zero_asks_nothing
        Whether a zero is the same as no such requirement: then nothing is asked.
    spares
        The keys of the event file that the check does not look at where this value holds.
    refuses
        Whether the check can refuse only because the rule has this value.
    """

    name: str
    sort: Sort
    line: str = ""
    words: tuple[str, ...] = ()
    optional: bool = False
    asks: tuple[str, ...] = ()
    zero_asks_nothing: bool = False
    spares: tuple[str, ...] = ()
    refuses: bool = False


class Check(NamedTuple):
    """A question that code answers for a rule.

    Parameters
    ----------
    name
        What a rule calls it by.
    line
        What it asks, as the guide and ``ordinance show`` say it.
    values
        The numbers and words it takes.
    asks
        The keys of the event file that it looks at.
    refuses
        Whether its answer can be ``not_met``, which refuses the permit unless the rule has ``bars = false``.
    kind
        The kind of rule it is found by, where it is: in a rule of another kind it would do nothing.
    periods
        The keys of the periods it cannot do without; the empty key is that of a rule's only period.
    own_dates
        Whether its answer has the dates of its rule in it already, so that they are not added to it.
    of_another_authority
        Whether it is about what another authority asks for, such as the State.
    """

    name: str
    line: str
    values: tuple[Value, ...] = ()
    asks: tuple[str, ...] = ()
    refuses: bool = False
    kind: Kind | None = None
    periods: tuple[str, ...] = ()
    own_dates: bool = False
    of_another_authority: bool = False

    def questions(self, values: Mapping[str, object]) -> frozenset[str]:
        """Return the keys of the event file that it looks at in a rule with these values."""
        found = set(self.asks)
        for value in self.values:
            given = values.get(value.name)
            if given is None or (value.zero_asks_nothing and not given):
                continue
            found |= {*value.asks, *_listed(given)} if value.sort == "questions" else {*value.asks}
            found -= {*value.spares} if given else set()
        return frozenset(found)

    def can_refuse(self, values: Mapping[str, object]) -> bool:
        """Return whether it can refuse in a rule with these values."""
        return self.refuses or any(value.refuses and value.name in values for value in self.values)


def _listed(given: object) -> Iterator[str]:
    yield from (str(word) for word in given) if isinstance(given, (list, tuple)) else (str(given),)


_SIZE = ("event.persons_at_once", "event.persons_total")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "holiday_eve")
_LIMITS = tuple(
    Value(name, "number", "dollars", optional=True, asks=(f"insurance.{name}",))
    for name in ("injury_each", "injury_aggregate", "property")
)
_OPENS = Value("opens", "clock", 'as `"07:00"`')
_CLOSES = Value("closes", "clock", 'as `"22:00"`; `"01:00"`: after midnight')

_ALL = (
    Check(
        "filed_before",
        "the application was filed so many days before the event",
        (
            Value(
                "late",
                "word",
                "`not_met`, or `decide` where late filing may be accepted: say in `text` what the law makes of it",
                words=("not_met", "decide"),
                optional=True,
            ),
        ),
        asks=("event.filed",),
        refuses=True,
        periods=("",),
        own_dates=True,
    ),
    Check(
        "owner_consent",
        "an applicant who does not own the property has the owner's statement",
        asks=("applicant.is_owner", "applicant.owner_consent"),
        refuses=True,
    ),
    Check(
        "agent",
        "an applicant who does not reside in the town (not: the county) names an agent in the county",
        asks=("applicant.resident_of_town", "applicant.agent_in_county"),
        refuses=True,
    ),
    Check(
        "entry",
        "owner and tenant let the Town enter to inspect and clean",
        asks=("premises.entry_authorized",),
        refuses=True,
    ),
    Check(
        "insurance",
        "the policy has at least these limits, is not cancelled on shorter notice, and names the Town",
        (
            Value(
                "cancel_notice_days",
                "number",
                "0: none is asked",
                asks=("insurance.cancel_notice_days",),
                zero_asks_nothing=True,
            ),
            *_LIMITS,
        ),
        asks=("insurance.names_town",),
        refuses=True,
    ),
    Check(
        "parking",
        "room for at least one car for so many persons",
        (Value("persons_per_car", "divisor"),),
        asks=("event.persons_at_once", "site.parking_spaces"),
        refuses=True,
    ),
    Check(
        "access",
        "at least one access road is stated; whether they are enough stays with the official",
        asks=("site.access_roads",),
        refuses=True,
    ),
    Check(
        "camping",
        "an event that runs into another day has camping or housing",
        (Value("small_hours_end", "number", "an hour"),),
        asks=("site.camping",),
        refuses=True,
    ),
    Check(
        "security_plan",
        "for more than so many persons a security plan is submitted",
        (Value("more_than_persons", "count"),),
        asks=(*_SIZE, "site.security_plan"),
        refuses=True,
    ),
    Check(
        "tents",
        "tents go up no sooner, and come down no later, than the periods say, and stand no longer in all",
        (Value("total_days", "count"),),
        asks=("site.tents", "site.tents_authorized"),
        refuses=True,
        periods=("up", "down"),
        own_dates=True,
    ),
    Check(
        "signs",
        "signs go up no sooner, and come down no later, than the periods say; on county and State roads with that agency's approval",
        asks=("site.signs",),
        refuses=True,
        periods=("up", "down"),
        own_dates=True,
    ),
    Check(
        "setbacks",
        "what is drawn keeps the yards of the district, the clause's own distance, and the officials' buffer",
        (Value("buffer_ft", "number", "the clause's own distance from every lot line", optional=True, refuses=True),),
    ),
    Check(
        "lights",
        "none of these exterior lights is used",
        (Value("forbidden", "words", words=get_args(application.Light)),),
        asks=("site.lights",),
        refuses=True,
    ),
    Check(
        "hours",
        "the event begins and ends within the hours of the day; where it runs over several days, a person looks at the nights",
        (
            _OPENS,
            _CLOSES,
            Value("late_closes", "clock", "the later hour on the `late_days`", optional=True),
            Value("late_days", "words", words=_DAYS, optional=True),
        ),
        asks=("event.starts", "event.ends"),
        refuses=True,
    ),
    Check("acreage", "the premises have at least so many acres, by the map", (Value("acres", "number"),), refuses=True),
    Check(
        "rides",
        "no carnival rides on a residential lot, unless it is municipal or beside a State or county road or the Long Island Rail Road (the only railroad that is looked for)",
        asks=("site.rides",),
        refuses=True,
    ),
    Check(
        "alcohol",
        "a reminder where alcohol is served on Town property",
        (
            Value(
                "anywhere",
                "flag",
                "`true`: wherever it is served",
                optional=True,
                spares=("premises.municipal_building_or_grounds",),
            ),
        ),
        asks=("site.alcohol", "premises.municipal_building_or_grounds"),
    ),
    Check("animals", "a reminder where there are animals", asks=("site.animals",)),
    Check(
        "violations",
        "no outstanding violations and no unsatisfied conditions on the property (of the applicant it asks nothing)",
        asks=("premises.outstanding_violations", "premises.unsatisfied_conditions"),
        refuses=True,
    ),
    Check(
        "certificates",
        "the structures on the property have valid certificates of occupancy",
        asks=("premises.certificates_of_occupancy",),
        refuses=True,
    ),
    Check(
        "other_property",
        "no violations on the applicant's other property: weighed, no bar",
        asks=("applicant.other_property_violations",),
    ),
    Check(
        "profit",
        "it is not both largely for private profit and without a substantial donation to a charity",
        asks=("event.commercial", "benefit.private_profit", "benefit.substantial_donation"),
        refuses=True,
    ),
    Check(
        "charity_benefit",
        "the event benefits a local charitable organization, whatever the district and whether or not it charges",
        asks=("benefit.charity", "benefit.charity_local"),
        refuses=True,
    ),
    Check(
        "charity_proof",
        "a reminder to an applicant that is no charity",
        asks=("applicant.charitable",),
        own_dates=True,
    ),
    Check(
        "advertise",
        "its principal purpose is not to advertise goods",
        (Value("except_kinds", "words", "kinds of events, above", words=EVENT_KINDS),),
        asks=("benefit.advertises_goods",),
        refuses=True,
    ),
    Check(
        "outdoor_sale",
        "it is not primarily an outdoor sale, but on premises of these owners",
        (Value("except_owners", "words", words=get_args(application.SaleOwner)),),
        asks=("benefit.outdoor_sale_of_goods", "benefit.sale_premises_owner"),
        refuses=True,
    ),
    Check(
        "amendment",
        "a change of the event is filed in time",
        asks=("amendment.filed",),
        refuses=True,
        periods=("",),
        own_dates=True,
    ),
    Check(
        "appeal",
        "an appeal is filed in time",
        asks=("denial.received", "denial.appeal_filed", "denial.hearing"),
        refuses=True,
        periods=("",),
        own_dates=True,
    ),
    Check(
        "cap_residential",
        "fewer permits than the cap this year, on a property in a residential district",
        (
            Value("permits", "count", "permits a year"),
            Value(
                "charity",
                "count",
                "how many **more** a charity may have for its own benefit: **0** where the text says nothing of charities",
            ),
        ),
        asks=("applicant.charitable", "benefit.primarily_benefits_applicant", "event.distinct_events"),
        refuses=True,
        kind="cap",
    ),
    Check(
        "cap_other",
        "fewer events than the cap this year, on a property outside residential districts or in both",
        (
            Value("events", "count", "events a year"),
            Value(
                "night", "count", "how many of these may be at night; as many as `events` where the text says nothing of night"
            ),
        ),
        asks=("event.night", "event.distinct_events"),
        refuses=True,
        kind="cap",
    ),
    Check(
        "cap_exempt",
        "whether the property belongs entirely to an owner whom the caps do not bind",
        (Value("owners", "words", words=get_args(application.OwnedBy)),),
        asks=("premises.owned_entirely_by",),
        kind="exemption",
    ),
    # An exemption that is not made out refuses nothing: the permit is then asked for, by the rules that ask for it.
    Check(
        "exempt_events",
        "whether it is one of the events that need no permit: the Town's own, regular sports, weddings, funerals and family events, student "
        "assemblies, expressive activity, yard sales",
        (
            Value("lease_months", "number", "a tenant's lease that is long enough"),
            Value("notice_hours", "number", "notice of expressive activity, before it begins"),
            Value("notice_more_than_persons", "count", "for how many persons such notice is asked: MORE THAN"),
            Value(
                "clauses",
                "texts",
                "how the law calls the clauses: of the Town's own events, sports, weddings, funerals, family events, student assemblies, "
                "expressive activity, yard sales",
                optional=True,
            ),
            Value("tenancy", "text", "what makes a tenancy lawful, as `allowed by …`", optional=True),
            Value("school", "text", "what a school must be, as `licensed by …`", optional=True),
            Value(
                "fee",
                "text",
                "why expressive activity with a fee must be decided; left out, it is none the less exempt",
                optional=True,
            ),
        ),
        asks=(
            "event.sponsor",
            "event.sponsor_in_control",
            "event.regular_sporting_event",
            "event.wedding_of",
            "event.tenant_lease_months",
            "premises.lawful_tenancy",
            "premises.owned_entirely_by",
            "event.admission_charged",
            "expressive.notice_given",
            *_SIZE,
        ),
        kind="exemption",
        own_dates=True,
    ),
    Check(
        "exempt_place",
        "whether it is held where no permit is asked: on land that belongs entirely to one of these owners, or on Town grounds",
        (
            Value("owners", "words", words=get_args(application.OwnedBy), optional=True, asks=("premises.owned_entirely_by",)),
            Value(
                "town_grounds",
                "flag",
                "`true`: a Town building and Town grounds too",
                optional=True,
                asks=("premises.municipal_building_or_grounds",),
            ),
        ),
        kind="exemption",
    ),
    Check(
        "exempt_sports",
        "whether it is a regular game or tournament, of which no permit is asked",
        (
            Value(
                "owners",
                "words",
                "only on land of these",
                words=get_args(application.OwnedBy),
                optional=True,
                asks=("premises.owned_entirely_by",),
            ),
        ),
        asks=("event.regular_sporting_event",),
        kind="exemption",
    ),
    Check(
        "yard_sale",
        "whether a yard sale keeps to the days and hours that make it exempt",
        (
            Value("consecutive_days", "count", "in a row"),
            Value("days_a_year", "count"),
            Value("summer_days", "count", "of these, between Memorial Day and Labor Day"),
            _OPENS,
            Value("closes", "clock", 'as `"18:00"`'),
            Value("signs", "text", "what its signs must keep to", optional=True),
        ),
        asks=("yard_sale.days", "yard_sale.hours", "yard_sale.own_goods_only", "yard_sale.on_dwelling_lot"),
        refuses=True,
        kind="exemption",
    ),
    Check("expressive_notice", "a reminder for expressive activity", asks=("expressive.notice_given",)),
    Check(
        "facility",
        "a reminder where it is in a Town building or on Town grounds",
        asks=("premises.municipal_building_or_grounds",),
    ),
    Check("highway", "a reminder where a parade closes a Town highway", asks=("parade.closes_highway", "parade.route")),
    Check(
        "parade_interval",
        "no other parade within so many days, between Memorial Day and Labor Day",
        (Value("days", "count"),),
        asks=("event.starts",),
    ),
    Check(
        "capacity",
        "a reminder with area, frontage, access roads, and the ground for each person",
        asks=(*_SIZE, "site.access_roads"),
    ),
    Check("factors", "a reminder with the area and the number of persons", asks=_SIZE),
    Check(
        "history_years",
        "a reminder with the permits rescinded in so many years",
        (Value("years", "count"),),
    ),
    Check(
        "distinct_events",
        "one event goes on under one application: distinct events need one each",
        asks=("event.distinct_events",),
        refuses=True,
    ),
    Check(
        "statement",
        "a reminder with the answers that are not given yet",
        (Value("keys", "questions", 'the answers it must hold, as `"event.starts"`', optional=True),),
    ),
    Check("waiver", "a reminder with what is stated as waived", asks=("site.waived",)),
    Check(
        "parade_by_definition",
        "whether an event that is entered as another kind is a parade by the law's definition, by its title or its route",
        (
            Value("title_words", "texts", "words of a title, as `run`"),
            Value("kinds", "words", "kinds that are reminded of it whatever the title", words=EVENT_KINDS),
            Value("not_kinds", "words", "kinds that are not asked", words=EVENT_KINDS),
        ),
        asks=("event.title", "parade.route"),
        refuses=True,
    ),
    Check(
        "charity_definition",
        "a reminder of what a charitable organization is, where one is named",
        asks=("applicant.charitable", "benefit.charity"),
    ),
    Check(
        "other_authority",
        "a permit or a filing of another authority, such as the State: asked, with its days; the town's permit does not turn on it",
        own_dates=True,
        of_another_authority=True,
    ),
    Check(
        "per_persons",
        "another authority asks for one of each of these for so many persons at one time: how many that makes",
        (Value("what", "texts", "such as `toilet seat`"), Value("persons_each", "divisor")),
        asks=("event.persons_at_once",),
        of_another_authority=True,
    ),
    Check(
        "medical_staff",
        "another authority asks for these medical facilities and this staff",
        (
            Value("facilities", "count", "on site"),
            Value("emts_each_facility", "count"),
            Value("ambulances", "count"),
            Value("emts_each_ambulance", "count"),
            Value("physician_minutes", "number", "within how many minutes; 0: on site"),
        ),
        asks=("event.persons_at_once",),
        of_another_authority=True,
    ),
    Check(
        "drinking_water",
        "another authority asks for so much drinking water: how many gallons that makes",
        (Value("pints_an_hour", "number", "for each person"),),
        asks=("event.persons_at_once", "event.starts", "event.ends"),
        of_another_authority=True,
    ),
    Check(
        "parking_ground",
        "another authority lets so many cars park on an acre: how many acres that makes",
        (Value("cars_an_acre", "divisor"),),
        asks=("site.parking_spaces", "site.vehicles_at_once"),
        of_another_authority=True,
    ),
)

CHECKS: Mapping[str, Check] = {check.name: check for check in _ALL}
"""Each check by its name, in the order of the guide."""

if len(CHECKS) < len(_ALL):
    raise RuntimeError("two checks have one name")

Answer = Callable[["Rule", Any], Any]
"""What answers a check: ``decide`` gives it a rule and a case, and takes the outcome."""

_Answer = TypeVar("_Answer", bound=Answer)

_ANSWERS: dict[str, Answer] = {}


def answers(name: str) -> Callable[[_Answer], _Answer]:
    """Register a function as what answers a check.

    Raises
    ------
    RuntimeError
        Where no check has this name, or another function answers it: a rule would be left unanswered, or answered by the wrong one.
    """

    def register(function: _Answer) -> _Answer:
        if name not in CHECKS:
            raise RuntimeError(f"{function.__module__}.{function.__name__} answers {name!r}, and there is no such check")
        if name in _ANSWERS:
            first = _ANSWERS[name]
            raise RuntimeError(
                f"the check {name!r} is answered twice: by {first.__module__}.{first.__name__} "
                f"and by {function.__module__}.{function.__name__}"
            )
        _ANSWERS[name] = function
        return function

    return register


def answers_of_all() -> Mapping[str, Answer]:
    """Return the function of every check, once the modules that hold them are imported.

    Raises
    ------
    RuntimeError
        Where a check has none: a rule that names it would pass for a reminder.
    """
    if open_ := [name for name in CHECKS if name not in _ANSWERS]:
        raise RuntimeError(f"no function answers the checks {', '.join(open_)}")
    return {name: _ANSWERS[name] for name in CHECKS}
