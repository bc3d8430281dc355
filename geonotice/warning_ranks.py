"""Warnings of a result: one table of their codes, the worst first, and how they are shown within the room there is.

The worst comes first: who will not be notified, what can no longer be done in time, what was not seen, what is old, what is only to be known. A code
that is not in the table counts among the worst, so that nothing new is ever hidden at the end. The record has every warning with every parcel; what a page or
a terminal leaves out it says, and where all of it stands.
"""

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from msgspec import Struct

from geonotice.model import ResultWarning

__all__ = [
    "ANSWERS", "NAMED", "RANKS", "RANK_WORDS", "Answer", "Cause", "Rank", "Shown", "answer_rows", "by_rank", "causes", "few", "fitted", "named", "rank_of", "worst_first",
]  # fmt: skip


class Rank(IntEnum):
    """How bad it is to pass a warning over; the least number is the worst."""

    NOT_NOTIFIED = 1
    LATE = 2
    NOT_SEEN = 3
    OLD = 4
    TO_KNOW = 5


RANK_WORDS: Mapping[Rank, str] = {
    Rank.NOT_NOTIFIED: "Somebody may not be notified",
    Rank.LATE: "It is late",
    Rank.NOT_SEEN: "Not seen, or not sure",
    Rank.OLD: "Old, or of an unknown date",
    Rank.TO_KNOW: "Good to know",
}
"""What a page writes over the warnings of a rank."""

_CODES: Mapping[Rank, tuple[str, ...]] = {
    # Somebody has a right to the notice and gets none, or the premises are not those that were meant.
    Rank.NOT_NOTIFIED: (
        "cover_ends", "supplement", "owner_unknown", "applicant_unknown", "unit_without_number", "unmailable", "name_cut", "correction_owner_changed",
        "not_mailed_by_correction", "clerk_address_missing", "open_run", "right_of_way_cut_off", "no_house_number", "units_unknown", "borderline_ask", "straight_across_ask",
        "common_land_question", "label_by_hand", "no_owner_right_of_way", "street_or_lot", "premises_apart", "outside_town", "in_village",
        "on_right_of_way", "on_railroad", "on_water", "no_frontage", "zone_undetermined", "dropped", "unmatched_roll", "renumbered", "number_reused",
    ),
    Rank.LATE: (
        "hearing_passed", "event_passed", "notice_late", "hearing_after_event", "hearing_before_filed",
        "hearing_after_decision", "filed_after_event", "complete_before_filed", "decided_after_event", "event_before_permit", "dated_otherwise",
    ),
    # The answer could be another one, had the program seen or known more.
    Rank.NOT_SEEN: (
        "answers_conflict", "answers_unlikely", "partly_in_village", "road_inside_parcel", "private_road", "diagonal_lot", "lines_too_short",
        "narrow_gap", "methods_differ", "same_owner_adjoins", "contiguous_land", "common_land_off", "corner_not_listed", "boundary_accuracy",
        "no_municipalities_layer", "swis_unknown", "clerk_addresses_differ", "clerk_names_differ", "no_streets_layer", "no_public_street",
        "no_zoning_layer", "unknown_district", "unverified_district", "date_in_future",
        "hearing_on_closed_day", "unzoned", "partly_unzoned", "districts_overlap", "split_zoned", "two_residential",
        "resident_address_incomplete", "address_incomplete", "country_missing", "owner_unnamed", "country_contradicts", "zip_not_of_state",
        "country_added", "placeholder", "no_address_point", "resident_place_assumed", "resident_place_from_town", "not_lived_in",
        "duplicate_points", "unmatched_parcel", "partial_profile", "unverified_profile", "text_gap", "no_permit_rule", "reading", "waiver_ignored",
        "layout_no_area", "layout_no_shape", "layout_not_measured", "layout_outside", "route_crs", "route_not_lines", "route_not_read",
        "route_outside", "no_register", "register_unreadable", "no_shape", "off_the_map", "snapshot_crs", "conflict", "side_by_side", "by_number",
        "owner_not_stated", "no_maximum_attendance", "cap_open", "nothing_of_that_name", "in_no_year", "year_by_other_day", "application_incomplete", "signed_before_change", "application_without_premises", "document_expired", "no_support_agreement", "maximum_below_expected", "maximum_beyond_application", "night_suggested", "fire_company_of_another_town",
        "corrections_not_named",
        "around_outside", "override_unsigned",
    ),
    Rank.OLD: (
        "roll_old", "roll_tentative", "roll_final_unknown", "roll_year_unknown", "source_old", "date_unknown", "correction_older",
    ),
    Rank.TO_KNOW: (
        "premises_residents", "other_listed_twice", "zip_completed", "country_moved", "country_spelled", "applicant_owns_neighbour", "no_owner_common_land", "straight_across", "met_narrowly", "not_residential", "on_demand",
        "discretionary", "district_by_town", "zoning_sliver", "profile_note", "no_clause_words", "distinct_events", "maximum_from_application", "own_permit", "copied_application", "number_form",
        "correction_no_change", "measure_scale", "foot_kind", "datum_accuracy",
    ),
}  # fmt: skip

RANKS: Mapping[str, Rank] = {code: rank for rank, codes in _CODES.items() for code in codes}
"""The rank of every code; of one rank, the codes stand in the order in which they are shown."""

_PLACE = {code: place for place, code in enumerate(RANKS)}


class Answer(Struct, frozen=True):
    """A row of the corrections file that answers a warning: its field, and what stands for the value until a person writes it."""

    field: str
    value: str


ANSWERS: Mapping[str, tuple[Answer, ...]] = {
    "owner_unknown": (Answer("owner", "NAME"), Answer("address", "STREET OR BOX")),
    "unmailable": (Answer("address", "STREET OR BOX"),),
    "address_incomplete": (Answer("zip", "ZIP"),),
    "country_missing": (Answer("country", "COUNTRY"),),
    "country_contradicts": (Answer("country", "COUNTRY"),),
    "zip_not_of_state": (Answer("zip", "ZIP"),),
    "owner_unnamed": (Answer("owner", "NAME"),),
    "name_cut": (Answer("owner", "NAME"),),
    "units_unknown": (Answer("unit", "APT 2"),),
    "no_house_number": (Answer("situs", "NUMBER AND STREET"),),
    "resident_address_incomplete": (Answer("situs_zip", "ZIP"),),
    "resident_place_assumed": (Answer("situs_zip", "ZIP"),),
    "resident_place_from_town": (Answer("situs_zip", "ZIP"),),
}
"""What a clerk who has found the answer writes into the corrections file."""


_ELSEWHERE = frozenset({"dropped", "unmatched_roll", "unmatched_parcel"})
"""Codes of import that say, where they name no parcel, that nothing near this list is concerned."""


def rank_of(warning: ResultWarning) -> Rank:
    """Return how bad it is; a code that is not known is among the worst."""
    if warning.code in _ELSEWHERE and not warning.parcels:
        return Rank.TO_KNOW
    return RANKS.get(warning.code, Rank.NOT_NOTIFIED)


def worst_first(warnings: Iterable[ResultWarning]) -> tuple[ResultWarning, ...]:
    """Put the worst first, and those of one code together in the order in which they came; what is said twice word for word, once."""
    once = dict.fromkeys(warnings)
    return tuple(sorted(once, key=lambda warning: (rank_of(warning), _PLACE.get(warning.code, -1))))


NAMED = 5
"""Parcels named under a warning, on the terminal and on the first page: enough to find the matter, few enough to be read."""

_TOLD_BY = {"unmailable": "owner_unknown", "resident_address_incomplete": "no_house_number"}
"""Codes whose parcels another code names with its own remedy: who has no owner's name has no address either, and is named once."""


_SUBJECTS = (
    ("owner_unknown", "owner_unnamed", "unmailable", "address_incomplete", "country_missing", "country_contradicts", "zip_not_of_state"),
    (
        "no_house_number", "units_unknown", "no_address_point", "resident_address_incomplete", "resident_place_assumed", "resident_place_from_town",
        "duplicate_points",
    ),
    ("same_owner_adjoins", "applicant_owns_neighbour", "contiguous_land"),
    ("straight_across", "met_narrowly", "methods_differ", "diagonal_lot", "road_inside_parcel", "street_or_lot"),
)  # fmt: skip
_SUBJECT_OF = {code: n for n, codes in enumerate(_SUBJECTS) for code in codes}
"""Codes of one subject: about the same parcels they have one cause. Of two subjects they only happen to be about the same parcel."""


class Cause(Struct, frozen=True):
    """Warnings of one subject about the very same parcels, told as one; ``answers`` are rows of the corrections file that would answer it."""

    rank: Rank
    codes: tuple[str, ...]
    texts: tuple[str, ...]
    parcels: tuple[str, ...]
    answers: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it, as one paragraph."""
        return " ".join(self.texts)

    @property
    def names_more(self) -> bool:
        """Whether it has more parcels than are named where there is little room."""
        return " more" in named(self)


class Shown(Struct, frozen=True):
    """What a narrow place shows: by cause, its text and a row that answers it (or empty), and what is left out, in words (empty: nothing)."""

    items: tuple[tuple[str, str], ...]
    left_out: str


def causes(warnings: Sequence[ResultWarning]) -> tuple[Cause, ...]:
    """Put warnings that name the same parcels together, in the place of the worst of them; ``warnings`` come worst first.

    A warning without parcels is a cause of its own: nothing says that two of them are about the same.
    """
    found: dict[object, list[ResultWarning]] = {}
    parcels_of: dict[object, tuple[str, ...]] = {}
    by_code = {warning.code: frozenset(warning.parcels) for warning in warnings}
    for n, warning in enumerate(warnings):
        told = by_code.get(_TOLD_BY.get(warning.code, ""), frozenset())
        own = warning.parcels if set(warning.parcels) <= told else tuple(id_ for id_ in warning.parcels if id_ not in told)
        key = (_SUBJECT_OF.get(warning.code, warning.code), *sorted(own)) if own else n
        found.setdefault(key, []).append(warning)
        parcels_of.setdefault(key, own)
    return tuple(
        Cause(
            rank_of(those[0]),
            tuple(dict.fromkeys(warning.code for warning in those)),
            tuple(dict.fromkeys(warning.text for warning in those)),
            parcels_of[key],
            tuple(dict.fromkeys(row for warning in those for row in answer_rows(warning.code, parcels_of[key]))),
        )
        for key, those in found.items()
    )


def by_rank(found: Sequence[Cause], *, where: str = "") -> list[tuple[Rank, list[tuple[Cause, str, str]]]]:
    """Put causes under their ranks, each with its parcels as a page names them (:func:`named`) and a row that would answer it."""
    ranks: dict[Rank, list[tuple[Cause, str, str]]] = {}
    for cause in found:
        ranks.setdefault(cause.rank, []).append((cause, named(cause, where=where), next(iter(cause.answers), "")))
    return list(ranks.items())


def answer_rows(code: str, parcels: Sequence[str]) -> tuple[str, ...]:
    """Return the rows of the corrections file that answer a warning, for its first parcel.

    Examples
    --------
    >>> answer_rows("unmailable", ["52.11-2-32", "52.11-2-40"])
    ('52.11-2-32,address,STREET OR BOX,YOUR NAME,DATE,WHY',)
    """
    return tuple(f"{parcels[0]},{answer.field},{answer.value},YOUR NAME,DATE,WHY" for answer in ANSWERS.get(code, ()) if parcels)


def named(cause: Cause, *, most: int = NAMED, where: str = "") -> str:
    """Return the first parcels of a cause, and how many more there are; those that its text names already are not repeated.

    Examples
    --------
    >>> named(Cause(Rank.OLD, ("a",), ("Look.",), tuple("ABCDEFGH")), most=5, where="record.json")
    'A, B, C, D, E and 3 more: record.json'
    >>> named(Cause(Rank.OLD, ("a",), ("No owner of A is known.",), ("A",)))
    ''
    """
    return few([id_ for id_ in cause.parcels if not _stands_in(id_, cause.text)], most=most, where=where)


def few(parcels: Sequence[str], *, most: int = NAMED, where: str = "") -> str:
    """Return the first of some parcels, and how many more there are; ``where`` is where all of them stand."""
    more = len(parcels) - most
    # One more is named rather than counted: the words would take its place.
    if more <= 1:
        return ", ".join(parcels)
    return f"{', '.join(parcels[:most])} and {more:,} more" + (f": {where}" if where else "")


def _stands_in(id_: str, text: str) -> bool:
    # Most do not stand in it at all, and a pattern for each of thousands costs more than the rest of a map.
    return id_ in text and re.search(rf"(?<![\w./-]){re.escape(id_)}(?![\w/-]|\.\w)", text) is not None


def fitted(found: Sequence[Cause], *, width: int, lines: int) -> Shown:
    """Fit warnings into so many lines of so many columns, from the least bad up.

    First the texts are cut to their first sentences, then the rows that would answer them are left out, then the warnings themselves are counted only.
    The worst is always told. The lines that say what is left out are not counted.
    """
    forms = [_forms(cause) for cause in found]
    sizes = [[_lines_taken(form, width) for form in those] for those in forms]
    chosen = [0] * len(found)
    for step in range(1, len(_FORMS)):
        for n in reversed(range(len(found))):
            if sum(size[form] for size, form in zip(sizes, chosen, strict=True)) <= lines:
                break
            chosen[n] = max(chosen[n], step) if n or step < _GONE else chosen[n]
    items = tuple(form[choice] for form, choice in zip(forms, chosen, strict=True) if choice != _GONE)
    gone = chosen.count(_GONE)
    parts = [f"{gone:,} more warning{'' if gone == 1 else 's'}"] if gone else []
    if any(form[0][0] != form[choice][0] for form, choice in zip(forms, chosen, strict=True) if choice != _GONE):
        parts.append("the whole texts")
    if any(cause.names_more for cause in found):
        parts.append("all parcels")
    if any(cause.answers[1:] or (cause.answers and choice >= _BARE) for cause, choice in zip(found, chosen, strict=True)):
        parts.append("the rows for the corrections file that answer them")
    return Shown(items, " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts))


_FORMS = ("whole", "brief", "bare", "gone")
_BARE, _GONE = 2, 3


def _forms(cause: Cause) -> tuple[tuple[str, str], ...]:
    """Return the ways to tell a cause, as :data:`_FORMS` names them: its text, and a row that answers it."""
    of = named(cause)
    whole, brief = (f"{text} [{of}]" if of else text for text in (cause.text, _first_sentences(cause)))
    row = next(iter(cause.answers), "")
    return (whole, row), (brief, row), (brief, ""), ("", "")


def _lines_taken(form: tuple[str, str], width: int) -> int:
    wrapper = textwrap.TextWrapper(width=max(width, 20), break_on_hyphens=False)
    return sum(len(wrapper.wrap(text)) for text in form if text)


_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])")
_SHORTEST = 30
"""Fewer characters are no sentence but an abbreviation, or a count that needs the next one."""


def _first_sentences(cause: Cause) -> str:
    """Return the first sentence of each text: what was found. What to do about it stands in the whole text."""
    return " ".join(_first_sentence(text) for text in cause.texts)


def _first_sentence(text: str) -> str:
    for match in _SENTENCE.finditer(text):
        if match.start() >= _SHORTEST:
            # Who is left out is named however little room there is.
            more = [sentence for sentence in _SENTENCE.split(text[match.end() :]) if " NOT " in sentence]
            return " ".join([text[: match.start()], *more])
    return text
