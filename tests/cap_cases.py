"""Stated cases of the annual caps, 283-6B, in the form of the handed ones: a zone, a history, a request, an answer and why.

They are put both to the functions and to the command line. Permits are written as one line each; ``None`` for a date, a night or an
answer is *unknown*. A case of several parcels has ``parcels`` (zone and history of each) instead of one zone and one history.
"""

from typing import Any

__all__ = ["CASES", "case_parcels"]

CHARITY = {"charitable_applicant": True, "primarily_benefits_applicant": True}
ASKED = {
    "on": "2026-05-01",
    "starts": "2026-08-08",
    "night": False,
    "charitable_applicant": False,
    "primarily_benefits_applicant": False,
}


def permit(issued: str | None = "2026-02-01", starts: str | None = "2026-06-06", **more: Any) -> dict[str, Any]:
    """Return a permit of the past: by day, of somebody who is no charity, issued."""
    return {"issued": issued, "starts": starts, "night": False, "charitable": False, "status": "issued", **more}


FIRST, SECOND, THIRD = permit(), permit("2026-03-01", "2026-07-04"), permit("2026-04-01", "2026-05-02")
ISSUED_IN_DECEMBER = (permit("2025-12-10"), permit("2025-12-11", "2026-07-04"))
"""Two permits of December 2025 for the summer of 2026."""
OLD = (permit("2024-02-01", "2024-06-06"), permit("2025-02-01", "2025-06-06"), permit("2025-03-01", "2025-07-04"))


def case(name: str, zone: str, history: tuple[dict[str, Any], ...], expect: str, why: str, **more: Any) -> dict[str, Any]:
    """Put a case together; ``request`` holds what differs from an ordinary request of 1 May 2026 for 8 August 2026."""
    request = {**ASKED, **more.pop("request", {})}
    return {"name": name, "zone": zone, "history": history, "request": request, "expect": expect, "why": why, **more}


def premises(
    name: str, parcels: list[tuple[str, tuple[dict[str, Any], ...]]], expect: str, why: str, **more: Any
) -> dict[str, Any]:
    """Put a case of several parcels together."""
    return {**case(name, "", (), expect, why, **more), "parcels": parcels}


def case_parcels(one: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the parcels of a case, each as zone and history."""
    return [(zone, list(history)) for zone, history in one.get("parcels", [(one["zone"], one["history"])])]


RESIDENTIAL = [
    # "no more than two special event permits may be issued per calendar year": the day of issue says the year
    case("issued_on_31_december", "residential", (permit("2025-12-31"), permit("2025-12-31", "2026-07-04")), "not_met",
         "two issued in 2025, a third asked for on the last day of 2025",
         request={"on": "2025-12-31"}, used=2, cap=2, next_date="2026-01-01", next_date_of="issue"),
    case("issued_on_1_january", "residential", (permit("2025-12-31"), permit("2025-12-31", "2026-07-04")), "met",
         "a day later none is issued in the year; two events are held in it",
         request={"on": "2026-01-01"}, used=0, review=["other_reading"]),
    case("issued_all_through_the_year", "residential", (permit("2026-01-01", "2026-01-02"), permit("2026-12-30", "2027-06-06")), "not_met",
         "1 January and 30 December are one calendar year", request={"on": "2026-12-31", "starts": "2027-07-04"}, used=2,
         next_date="2027-01-01", review=["other_reading"]),
    case("twelve_months_are_no_calendar_year", "residential", (permit("2025-07-01", "2025-08-01"), permit("2025-08-01", "2025-09-01")), "met",
         "two within the last twelve months, none in 2026", used=0),
    case("issued_on_29_february", "residential", (permit("2028-02-29", "2028-06-03"), permit("2028-03-01", "2028-07-04")), "not_met",
         "29 February 2028 is in 2028", request={"on": "2028-12-31", "starts": "2029-02-10"}, used=2, next_date="2029-01-01",
         review=["other_reading"]),
    case("asked_on_29_february", "residential", (permit("2028-01-03", "2028-06-03"), permit("2028-02-28", "2028-07-04")), "not_met",
         "the next year has no 29 February", request={"on": "2028-02-29", "starts": "2028-09-02"}, used=2, next_date="2029-01-01",
         next_date_of="issue"),
    case("only_old_permits", "residential", OLD, "met", "1,000 permits of other years would not count", used=0),
    case("for_next_year_but_issued_in_this", "residential", (permit("2026-02-01", "2027-06-06"), permit("2026-03-01", "2027-07-04")), "not_met",
         "issued in 2026, whatever year the events are in; by events none is used", used=2, next_date="2027-01-01", review=["other_reading"]),
    # "A third special event permit ... provided the applicant ... is a charitable organization ... and the primary purpose ... is to benefit the applicant"
    case("third_for_a_charity_whoever_had_the_two", "residential", (permit(charitable=True), permit("2026-03-01", "2026-07-04", charitable=True)),
         "met", "the first two were charities' as well", request=CHARITY, used=2, cap=3),
    case("third_refused_though_charities_had_the_two", "residential",
         (permit(charitable=True), permit("2026-03-01", "2026-07-04", charitable=True)), "not_met", "the third itself must be a charity's", used=2, cap=2,
         next_date="2027-01-01"),
    case("third_permit_used_charity_asks", "residential", (FIRST, SECOND, permit("2026-04-01", "2026-05-02", charitable=True)), "not_met",
         "under no circumstances more than three", request=CHARITY, used=3, cap=3, next_date="2027-01-01"),
    case("third_permit_used_nobody_else_either", "residential", (FIRST, SECOND, permit("2026-04-01", "2026-05-02", charitable=True)), "not_met",
         "three are issued", used=3, next_date="2027-01-01"),
    case("charity_is_no_need_for_the_second", "residential", (permit(charitable=True),), "met", "the second is anybody's", used=1),
    case("charity_unanswered_for_the_third", "residential", (FIRST, SECOND), "decide", "it turns on whether the applicant is a charity",
         request={**CHARITY, "charitable_applicant": None}, missing=["applicant.charitable"]),
    case("purpose_unanswered_for_the_third", "residential", (FIRST, SECOND), "decide", "it turns on the event's primary purpose",
         request={**CHARITY, "primarily_benefits_applicant": None}, missing=["benefit.primarily_benefits_applicant"]),
    case("charity_unanswered_but_other_purpose", "residential", (FIRST, SECOND), "not_met", "whoever it is, the event is not for the applicant",
         request={"charitable_applicant": None}, next_date="2027-01-01"),
    case("charity_unanswered_for_the_second", "residential", (FIRST,), "met", "the second is anybody's",
         request={"charitable_applicant": None, "primarily_benefits_applicant": None}),
    case("charity_unanswered_for_the_fourth", "residential", (FIRST, SECOND, THIRD), "not_met", "no fourth for anybody",
         request={"charitable_applicant": None, "primarily_benefits_applicant": None}, next_date="2027-01-01"),
    case("night_is_no_matter_in_residential_districts", "residential", (permit(night=True),), "met", "B(1) counts permits, not nights",
         request={"night": True}),
    case("night_unknown_in_residential_districts", "residential", (permit(night=None),), "met", "nor does it matter that nobody said",
         request={"night": None}),
]  # fmt: skip

STATUSES = [
    case("only_void_entries", "residential", tuple({**one, "status": "void"} for one in (FIRST, SECOND, THIRD)), "met", "none was ever a permit", used=0),
    case("one_void_two_issued", "residential", (FIRST, SECOND, {**THIRD, "status": "void"}), "not_met", "two are permits", used=2, next_date="2027-01-01"),
    case("one_rescinded_one_void", "residential", ({**FIRST, "status": "rescinded"}, {**SECOND, "status": "void"}), "met",
         "one was issued, though rescinded", used=1, review=["rescinded_counted"]),
    case("rescinded_leaves_the_third_to_a_charity", "residential", ({**FIRST, "status": "rescinded"}, SECOND), "met",
         "two were issued; the third is a charity's", request=CHARITY, used=2, review=["rescinded_counted"]),
    case("rescinded_of_last_year", "residential", ({**OLD[1], "status": "rescinded"}, {**OLD[2], "status": "rescinded"}), "met",
         "they count in 2025, and are not spoken of", used=0),
    case("rescinded_at_night", "other", (permit(night=True, status="rescinded"),), "not_met", "the night one was issued, though rescinded",
         request={"night": True}, used=1, next_date="2027-01-01", next_date_of="event", review=["rescinded_counted"]),
    case("void_at_night", "other", (permit(night=True, status="void"),), "met", "it was never a permit", request={"night": True}, used=0),
    case("void_would_not_change_the_other_reading", "residential", tuple({**one, "status": "void"} for one in ISSUED_IN_DECEMBER), "met",
         "void under either reading", used=0),
    case("parades_do_not_count", "residential", (permit(kind="parade"), permit("2026-03-01", "2026-07-04", kind="parade")), "met",
         "a parade has a permit of its own, from the Chief of Police", used=0),
    case("yard_sales_do_not_count", "residential", (permit(kind="yard_sale"), permit("2026-03-01", "2026-07-04", kind="yard_sale")), "met",
         "a yard sale within its limits needs no permit", used=0),
]  # fmt: skip

OTHER = [
    # "Special events shall be limited to three per calendar year": the day the event starts says the year
    case("event_on_31_december", "other", (FIRST, SECOND, permit("2026-09-01", "2026-12-31")), "not_met", "the last day of 2026 is in 2026",
         request={"on": "2026-10-01", "starts": "2026-12-31"}, used=3, cap=3, next_date="2027-01-01", next_date_of="event"),
    case("event_on_1_january", "other", (FIRST, SECOND, THIRD), "met", "2027 has none; by permits issued 2026 is full",
         request={"starts": "2027-01-01"}, used=0, review=["other_reading"]),
    case("issued_last_year_held_in_this", "other", (*ISSUED_IN_DECEMBER, permit("2025-12-12", "2026-05-02")), "not_met",
         "three held in 2026, none issued in it: say that the other reading would allow it", used=3, next_date="2027-01-01",
         review=["other_reading"]),
    case("issued_this_year_held_in_the_next", "other",
         (permit("2026-02-01", "2027-06-06"), permit("2026-02-02", "2027-07-04"), permit("2026-02-03", "2027-08-01")), "met",
         "none held in 2026, three issued in it", used=0, review=["other_reading"]),
    case("the_next_year_is_booked_too", "other",
         (FIRST, SECOND, THIRD, *(permit("2026-04-02", day) for day in ("2027-06-06", "2027-07-04", "2027-08-01"))), "not_met",
         "three in 2026 and three in 2027: the next is in 2028", used=3, next_date="2028-01-01", next_date_of="event"),
    case("event_on_29_february", "other", (permit("2027-11-01", "2028-02-29"), permit("2027-11-02", "2028-05-06"), permit("2027-11-03", "2028-06-03")),
         "not_met", "three in 2028; the next year has no 29 February", request={"on": "2027-11-30", "starts": "2028-09-02"}, used=3,
         next_date="2029-01-01"),
    case("asked_for_29_february", "other", (permit("2027-03-01", "2027-06-06"), permit("2027-03-02", "2027-07-04"), permit("2027-03-03", "2027-08-01")),
         "met", "three in 2027, none in 2028; by permits issued 2027 is full", request={"on": "2027-11-30", "starts": "2028-02-29"}, used=0,
         review=["other_reading"]),
    case("refused_for_29_february", "other", tuple(permit("2027-03-01", day) for day in ("2028-01-08", "2028-02-05", "2028-03-04")),
         "not_met", "29 February 2028 is past the three of 2028, and there is none in 2029",
         request={"on": "2028-01-03", "starts": "2028-02-29"}, used=3, next_date="2029-01-01", review=["other_reading"]),
    case("over_new_year_counts_where_it_starts", "other",
         (permit("2026-09-01", "2026-12-31", ends="2027-01-01"), permit("2026-09-02", "2027-03-06"), permit("2026-09-03", "2027-04-03")), "met",
         "two start in 2027; counted in both its years the one over New Year would make three",
         request={"on": "2027-02-01", "starts": "2027-08-07"}, used=2, review=["spans_years"]),
    case("no_charity_slot", "other", (FIRST, SECOND, permit("2026-04-01", "2026-05-02", charitable=True)), "not_met",
         "the third for a charity is B(1)'s alone", request=CHARITY, used=3, cap=3, next_date="2027-01-01"),
    case("charity_unanswered_is_no_matter", "other", (FIRST, SECOND), "met", "B(2) does not ask",
         request={"charitable_applicant": None, "primarily_benefits_applicant": None}, used=2),
    # "only one of which may be held at night"
    case("the_first_at_night", "other", (FIRST, SECOND), "met", "two by day, then one at night", request={"night": True}, used=2),
    case("night_of_last_year", "other", (permit("2025-02-01", "2025-06-06", night=True),), "met", "last year's night is last year's",
         request={"night": True}, used=0),
    case("night_of_new_years_eve", "other", (permit("2026-11-01", "2026-12-31", night=True),), "met", "31 December's night is 2026's",
         request={"on": "2026-11-10", "starts": "2027-01-01", "night": True}, used=0, review=["other_reading"]),
    case("night_unknown_none_used", "other", (FIRST, SECOND), "met", "at night or not, it would be the first at night", request={"night": None}),
    case("night_unknown_three_used", "other", (FIRST, SECOND, THIRD), "not_met", "at night or not, it would be the fourth",
         request={"night": None}, next_date="2027-01-01"),
    case("night_of_the_record_unknown", "other", (permit(night=None),), "decide", "the one held may have been the one at night",
         request={"night": True}, review=["record_incomplete"], missing=[]),
    case("night_of_the_record_unknown_day_wanted", "other", (permit(night=None), permit("2026-03-01", "2026-07-04", night=None)), "met",
         "a day event beside whatever they were", used=2),
    case("night_unknown_in_both", "other", (permit(night=None),), "decide", "by day it could be held; at night it turns on the record",
         request={"night": None}, review=["record_incomplete"], missing=["event.night"]),
    case("night_of_the_record_unknown_beside_a_known_one", "other", (permit(night=True), permit("2026-03-01", "2026-07-04", night=None)), "not_met",
         "one was at night for certain", request={"night": True}, next_date="2027-01-01"),
    case("void_of_unknown_night", "other", (permit(night=None, status="void"),), "met", "it was never a permit", request={"night": True}),
]  # fmt: skip

DISTINCT = [
    # "if occupying the same individual property simultaneously, shall be counted as two or more events"
    case("two_asked_none_used", "residential", (), "met", "they count as two of two", request={"distinct_events": 2}, used=0),
    case("two_asked_one_used", "residential", (FIRST,), "not_met", "they would make three, and no charity asks", request={"distinct_events": 2}, used=1,
         cap=2, next_date="2027-01-01"),
    case("two_asked_one_used_by_a_charity", "residential", (FIRST,), "met", "they make three, the last a charity's",
         request={"distinct_events": 2, **CHARITY}, used=1, cap=3),
    case("two_asked_two_used_by_a_charity", "residential", (FIRST, SECOND), "not_met", "never more than three",
         request={"distinct_events": 2, **CHARITY}, used=2, next_date="2027-01-01"),
    case("three_under_one_permit", "residential", (permit(distinct_events=3),), "not_met", "one permit, three events", request=CHARITY, used=3,
         next_date="2027-01-01"),
    case("void_with_two_events", "residential", (permit(distinct_events=2, status="void"), SECOND), "met", "void, with all that was under it", used=1),
    case("rescinded_with_two_events", "residential", (permit(distinct_events=2, status="rescinded"),), "not_met", "issued for two", used=2,
         next_date="2027-01-01", review=["rescinded_counted"]),
    case("two_at_night_asked", "other", (), "not_met", "only one may be at night, in any year", request={"distinct_events": 2, "night": True}, used=0,
         next_date=None),
    case("two_asked_night_unknown", "other", (), "decide", "two by day may be held, two at night not",
         request={"distinct_events": 2, "night": None}, missing=["event.night"]),
    case("two_by_day_asked_one_used", "other", (permit(night=True),), "met", "three in all, one at night", request={"distinct_events": 2}, used=1),
    case("two_by_day_asked_two_used", "other", (FIRST, SECOND), "not_met", "four in all", request={"distinct_events": 2}, used=2, next_date="2027-01-01"),
    case("four_asked", "other", (), "not_met", "no year can hold four", request={"distinct_events": 4}, next_date=None),
]  # fmt: skip

SPLIT = [
    case("split_fourth", "split", (FIRST, SECOND, THIRD), "not_met", "B(2): three a year", request=CHARITY, used=3, next_date="2027-01-01",
         rule="sh.cap_other"),
    case("split_second_night", "split", (permit(night=True),), "not_met", "B(2): only one at night", request={"night": True}, next_date="2027-01-01"),
    case("split_counts_events", "split", (*ISSUED_IN_DECEMBER, permit("2025-12-12", "2026-05-02")), "not_met", "B(2) counts events of the year",
         next_date="2027-01-01", review=["other_reading"]),
]  # fmt: skip

UNKNOWN_ZONE = [
    case("zone_unknown_one_used", "undetermined", (FIRST,), "met", "the second is allowed in either"),
    case("zone_unknown_three_used", "undetermined", (FIRST, SECOND, THIRD), "not_met", "a fourth in neither", request=CHARITY, next_date="2027-01-01"),
    case("zone_unknown_third_for_a_charity", "undetermined", (FIRST, SECOND), "met", "the third: B(1)(b) in the one, B(2) in the other", request=CHARITY),
    case("zone_unknown_third_charity_unanswered", "undetermined", (FIRST, SECOND), "decide", "B(2) would allow it, B(1) only to a charity",
         request={"charitable_applicant": None, "primarily_benefits_applicant": True}, missing=["applicant.charitable", "zone"]),
    case("zone_unknown_second_night", "undetermined", (permit(night=True),), "decide", "B(1) asks for no night, B(2) has one",
         request={"night": True}, missing=["zone"]),
    case("zone_unknown_night_unknown", "undetermined", (permit(night=True),), "decide", "only at night and only under B(2) is it refused",
         request={"night": None}, missing=["event.night", "zone"]),
    case("zone_unknown_issued_last_year", "undetermined", ISSUED_IN_DECEMBER, "met",
         "B(1): none issued in 2026; B(2): the third event of 2026; by the years swapped B(1) would be full", review=["other_reading"]),
    case("zone_unknown_three_held_issued_last_year", "undetermined", (*ISSUED_IN_DECEMBER, permit("2025-12-12", "2026-05-02")), "decide",
         "B(1): none issued in 2026; B(2): three held in it", missing=["zone"]),
    case("zone_unknown_rescinded", "undetermined", ({**FIRST, "status": "rescinded"}, SECOND), "decide", "two were issued",
         review=["rescinded_counted"], missing=["zone"]),
]  # fmt: skip

EXEMPT = [
    case("museum", "residential", (FIRST, SECOND, THIRD), "met", "owned entirely by a museum", exempt_owner=True, owned_by="museum", cap=None,
         rule="sh.cap_exempt"),
    case("fire_district_at_night", "other", (permit(night=True), SECOND, THIRD), "met", "owned entirely by a fire district", exempt_owner=True, owned_by="fire",
         request={"night": True}),
    case("veterans_in_an_unknown_zone", "undetermined", (FIRST, SECOND, THIRD), "met", "owned entirely by a veteran organization", exempt_owner=True,
         owned_by="nonprofit_civic_or_similar"),
    case("exempt_with_rescinded", "residential", ({**FIRST, "status": "rescinded"}, SECOND), "met", "nothing is counted: a rescinded one is no matter",
         exempt_owner=True, owned_by="emergency_medical"),
    case("exempt_under_either_reading", "residential", ISSUED_IN_DECEMBER, "met", "no cap under either reading", exempt_owner=True, owned_by="educational"),
    case("municipality", "residential", (FIRST, SECOND), "not_met", "municipal owners are not named", owned_by="municipality", next_date="2027-01-01"),
    case("private_charity_is_no_exempt_owner", "other", (FIRST, SECOND, THIRD), "not_met", "a charity that is none of the owners named", owned_by="private",
         request=CHARITY, next_date="2027-01-01"),
]  # fmt: skip

INCOMPLETE = [
    case("issue_unknown", "residential", (FIRST, permit(None, "2026-07-04")), "decide", "it may have been issued in 2026 or before; by events two are held",
         review=["other_reading", "record_incomplete"], missing=[], used=1),
    case("issue_unknown_but_no_matter", "residential", (permit(None, "2026-07-04"),), "met", "at most the first of two"),
    case("issue_unknown_on_top_of_two", "residential", (FIRST, SECOND, permit(None, "2026-05-02")), "not_met", "two for certain", next_date="2027-01-01"),
    case("issue_unknown_of_an_event_long_past", "residential", (FIRST, permit(None, "2025-07-04")), "met",
         "a permit comes before its event: this one was not issued in 2026", used=1),
    case("event_unknown", "other", (FIRST, SECOND, permit("2026-04-01", None)), "decide", "its event may be in 2026 or later; by permits three are issued",
         review=["other_reading", "record_incomplete"], missing=[], used=2),
]  # fmt: skip

PREMISES = [
    premises("one_parcel_full_one_empty", [("residential", ()), ("residential", (FIRST, SECOND))], "not_met", "each is an individual property: the full one refuses",
             used=2, next_date="2027-01-01"),
    premises("each_within_its_own_clause", [("other", (FIRST, SECOND)), ("residential", (FIRST,))], "met", "the third event, the second permit"),
    premises("full_by_events_beside_residential", [("residential", ()), ("other", (FIRST, SECOND, THIRD))], "not_met", "B(2) on the one parcel",
             rule="sh.cap_other", next_date="2027-01-01", next_date_of="event"),
    premises("night_refused_on_one_parcel", [("residential", (permit(night=True),)), ("other", (permit(night=True),))], "not_met",
             "the residential parcel asks for no night, the other has had its own", request={"night": True}, next_date="2027-01-01"),
    premises("open_on_one_parcel", [("undetermined", (FIRST, SECOND)), ("residential", ())], "decide", "the one parcel's zone decides", missing=["zone"]),
    premises("open_on_one_full_on_another", [("undetermined", (FIRST, SECOND)), ("residential", (FIRST, SECOND))], "not_met",
             "whatever the zone of the one, the other is full", next_date="2027-01-01"),
    premises("charity_on_both", [("residential", (FIRST, SECOND)), ("split", (FIRST, SECOND))], "met", "the third on both", request=CHARITY),
    premises("full_by_issue_here_booked_by_event_there",
             [("residential", (FIRST, SECOND)), ("other", tuple(permit("2026-04-02", day) for day in ("2027-06-06", "2027-07-04", "2027-08-01")))],
             "not_met", "from 2027 on one can be issued, but only for an event of 2028", next_date="2027-01-01", next_date_of="issue"),
    premises("full_by_issue_booked_the_year_after",
             [("residential", (permit("2026-09-01", "2027-05-01"), permit("2026-09-02", "2027-05-02"))),
              ("other", tuple(permit("2026-09-02", day) for day in ("2028-06-03", "2028-07-04", "2028-08-05")))],
             "not_met", "issued on 1 January 2027 the event of July 2027 as asked can be held: 2028 does not come into it",
             request={"on": "2026-12-10", "starts": "2027-07-03"}, next_date="2027-01-01", next_date_of="issue"),
    premises("exempt_all_of_it", [("residential", (FIRST, SECOND)), ("other", (FIRST, SECOND, THIRD))], "met", "all owned by a fire district", exempt_owner=True,
             owned_by="fire"),
]  # fmt: skip

CASES = [*RESIDENTIAL, *STATUSES, *OTHER, *DISTINCT, *SPLIT, *UNKNOWN_ZONE, *EXEMPT, *INCOMPLETE, *PREMISES]
