"""Stated cases of the deadlines, in the form of the handed ones: what is given, the last lawful day, the day to aim for, and why.

Reckoned by hand from the General Construction Law: section 20 (the first day is left out), 24 (public holidays), 25-a (an act to be done
*within* a time may be done on the next business day; notice *before* a date is never moved later).
"""

__all__ = ["CASES"]

_COLUMNS = ("rule", "key", "given", "last_day", "suggested", "why")

_ROWS = [
    # ------------------------------------------------------------------------------------------------- before an event, never later
    ("italy.file90", "", {"event": "2028-05-29"}, "2028-02-29", "2028-02-29", "90 days back over March and April lead to the leap day, a Tuesday"),
    ("italy.file90", "", {"event": "2027-05-30"}, "2027-03-01", "2027-03-01", "a year without one"),
    ("italy.file90", "", {"event": "2026-05-13"}, "2026-02-12", "2026-02-11", "Lincoln's Birthday; the day before it"),
    ("italy.file90", "", {"event": "2026-04-01"}, "2026-01-01", "2025-12-31", "New Year's Day: filed in the old year"),
    ("italy.file90", "", {"event": "2027-04-03"}, "2027-01-03", "2026-12-31", "a Sunday after a Friday New Year's Day: Thursday, December 31"),
    ("sh.file90", "", {"event": "2026-09-17"}, "2026-06-19", "2026-06-18", "Juneteenth"),
    ("sh.file90", "", {"event": "2027-10-02"}, "2027-07-04", "2027-07-02", "Independence Day, a Sunday; Friday before, not the Monday it is kept on"),
    ("sh.file90", "", {"event": "2027-10-03"}, "2027-07-05", "2027-07-02", "the Monday on which Independence Day is kept"),
    ("sh.amend15", "", {"event": "2028-03-14"}, "2028-02-28", "2028-02-28", "15 days back over 29 February"),
    ("sh.amend15", "", {"event": "2027-03-16"}, "2027-03-01", "2027-03-01", "15 days back where there is none"),
    ("sh.amend15", "", {"event": "2026-07-18"}, "2026-07-03", "2026-07-03", "4 July 2026 is a Saturday and does not move to the Friday"),
    ("sh.amend15", "", {"event": "2026-09-22"}, "2026-09-07", "2026-09-04", "Labor Day; the Friday before"),
    ("sh.tents", "up", {"event": "2026-07-18"}, "2026-07-04", "2026-07-04", "the first day is no act to be done: a holiday changes nothing"),
    ("sh.tents", "up", {"event": "2028-03-10", "event_ends": "2028-03-12"}, "2028-02-25", "2028-02-25", "from the first day of the event"),
    ("sh.tents", "waiver", {"event": "2028-03-10"}, "2028-01-25", "2028-01-25", "45 days back over 29 February"),
    ("sh.tents", "waiver", {"event": "2027-01-09"}, "2026-11-25", "2026-11-25", "the day before Thanksgiving, in the old year"),
    ("sh.signs", "up", {"event": "2027-01-10"}, "2026-12-27", "2026-12-27", "a Sunday in the old year: signs may go up"),
    ("sh.exempt", "", {"event": "2026-08-17"}, "2026-08-15", "2026-08-14", "48 hours before a Monday are on the Saturday: hours, not a period of two days"),
    # ------------------------------------------------------------------------------------------------- before a hearing, never later
    ("italy.notice1000", "", {"hearing": "2026-11-13"}, "2026-11-03", "2026-11-02", "Election Day; the Monday before"),
    ("italy.notice1000", "", {"hearing": "2022-11-18"}, "2022-11-08", "2022-11-07", "Election Day follows the first Monday: 8 November, as 1 November is a Tuesday"),
    ("italy.hearing10", "", {"hearing": "2027-01-11"}, "2027-01-01", "2026-12-31", "New Year's Day, a Friday; Thursday in the old year"),
    ("italy.hearing10", "", {"hearing": "2028-01-11"}, "2028-01-01", "2027-12-31", "New Year's Day, a Saturday: the Friday is a business day"),
    ("italy.hearing10", "", {"hearing": "2026-12-07"}, "2026-11-27", "2026-11-27", "the day after Thanksgiving is no public holiday"),
    ("italy.hearing10", "", {"hearing": "2026-06-24"}, "2026-06-14", "2026-06-12", "Flag Day, a Sunday like any other"),
    ("italy.cost", "", {"hearing": "2026-10-13"}, "2026-10-12", "2026-10-09", "the day before is Columbus Day, after a weekend"),
    ("italy.cost", "", {"hearing": "2027-01-04"}, "2027-01-03", "2026-12-31", "Sunday, Saturday and New Year's Day"),
    ("sh.hearing_mail", "", {"hearing": "2026-12-04"}, "2026-11-24", "2026-11-24", "Tuesday before Thanksgiving"),
    ("sh.hearing_mail", "", {"hearing": "2028-03-10"}, "2028-02-29", "2028-02-29", "the leap day, a Tuesday"),
    ("sh.hearing_mail", "affidavit", {"hearing": "2026-12-04"}, "2026-12-04", "2026-12-04", "on or before the start of the hearing"),
    ("sh.hearing_500", "", {"hearing": "2026-11-21"}, "2026-11-11", "2026-11-10", "Veterans' Day, a Wednesday"),
    ("sh.hearing_sign", "", {"hearing": "2028-11-21"}, "2028-11-11", "2028-11-10", "Veterans' Day on a Saturday; Friday, November 10 is open"),
    ("sh.hearing_publish", "", {"hearing": "2023-02-23"}, "2023-02-13", "2023-02-10", "Lincoln's Birthday 2023, a Sunday, is kept on the Monday"),
    # ----------------------------------------------------------------------------------- within a time after a date: section 25-a
    ("italy.act75", "", {"complete": "2027-12-17"}, "2028-03-01", "2028-03-01", "75 days over New Year and 29 February"),
    ("italy.act75", "", {"complete": "2026-10-12"}, "2026-12-26", "2026-12-28", "the Saturday after Christmas: Monday, December 28"),
    ("italy.act75", "", {"complete": "2026-10-18"}, "2027-01-01", "2027-01-04", "New Year's Day, a Friday: Monday, January 4"),
    ("italy.cleanup5", "", {"event_ends": "2026-02-07"}, "2026-02-12", "2026-02-13", "Lincoln's Birthday, a Thursday: Friday"),
    ("italy.cleanup5", "", {"event": "2026-05-18", "event_ends": "2026-05-20"}, "2026-05-25", "2026-05-26", "from the end; Memorial Day: Tuesday"),
    ("italy.cleanup5", "", {"event": "2026-06-30"}, "2026-07-05", "2026-07-06", "Sunday; Monday, July 6 is no holiday, as 4 July is a Saturday"),
    ("sh.appeal10", "", {"denial_received": "2027-06-24"}, "2027-07-04", "2027-07-06", "Sunday, July 4, kept on Monday: Tuesday, July 6"),
    ("sh.appeal10", "", {"denial_received": "2026-06-04"}, "2026-06-14", "2026-06-15", "Flag Day, a Sunday: its Monday is no holiday"),
    ("sh.appeal10", "", {"denial_received": "2022-06-09"}, "2022-06-19", "2022-06-21", "Juneteenth 2022, a Sunday, kept on the Monday: Tuesday"),
    ("sh.appeal10", "", {"denial_received": "2026-12-15"}, "2026-12-25", "2026-12-28", "Christmas on a Friday: Monday"),
    ("sh.appeal10", "", {"denial_received": "2028-02-19"}, "2028-02-29", "2028-02-29", "the leap day"),
    ("sh.charity90", "", {"event": "2026-12-05"}, "2027-03-05", "2027-03-05", "90 days over New Year"),
    ("sh.charity90", "", {"event": "2027-12-02"}, "2028-03-01", "2028-03-01", "90 days over New Year and 29 February"),
    ("sh.tents", "down", {"event": "2026-08-31", "event_ends": "2026-08-31"}, "2026-09-07", "2026-09-07", "Labor Day: how long tents stand is not carried on"),
    ("sh.signs", "down", {"event": "2026-11-08"}, "2026-11-11", "2026-11-11", "Veterans' Day: nor how long signs stand"),
    ("sh.findings10", "", {"hearing": "2026-12-22"}, "2027-01-01", "2027-01-04", "New Year's Day: Monday, January 4"),
    ("sh.findings10", "", {"hearing": "2026-07-21", "hearing_closed": "2026-08-04"}, "2026-08-14", "2026-08-14", "from the close, where that is later"),
    ("sh.findings10", "mailed", {"determination": "2026-08-14"}, "2026-08-19", "2026-08-19", "five days after the determination"),
    # --------------------------------------------------------------------------------------------------------------- business days
    ("sh.decide30", "", {"complete": "2026-10-13"}, "2026-11-27", "2026-11-27", "without Election Day, Veterans' Day and Thanksgiving"),
    ("sh.decide30", "", {"complete": "2026-12-01"}, "2027-01-14", "2027-01-14", "without Christmas and New Year's Day"),
    ("sh.decide30", "", {"complete": "2026-12-03"}, "2027-01-19", "2027-01-19", "and without Dr. Martin Luther King, Jr. Day"),
    ("sh.decide30", "", {"complete": "2027-12-06"}, "2028-01-18", "2028-01-18", "Christmas 2027 and New Year's Day 2028 are Saturdays: only Dr. King's Day is left out"),
    ("sh.decide30", "", {"complete": "2026-06-06"}, "2026-07-20", "2026-07-20", "found complete on a Saturday: Monday is the first"),
    ("sh.decide30", "", {"complete": "2027-05-28"}, "2027-07-13", "2027-07-13", "without Memorial Day and Monday, July 5; Juneteenth 2027 is a Saturday"),
    ("sh.decide30", "", {"complete": "2028-01-14"}, "2028-02-29", "2028-02-29", "without Dr. King's Day, Lincoln's Birthday is a Saturday, Washington's; to the leap day"),
]  # fmt: skip

CASES = [dict(zip(_COLUMNS, row, strict=True)) for row in _ROWS]
