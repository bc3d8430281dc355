"""The stated deadline cases, and those of this project's own."""

import json
from dataclasses import replace
from datetime import date

import pytest
import typer
from deadline_cases import CASES

from geonotice.cli import every_command
from geonotice.decide.deadlines import deadline_of, deadlines
from geonotice.ordinance.load import load_profile

ITALY, SOUTHAMPTON = load_profile("italy"), load_profile("southampton")


def compute(rule, **given):
    profile = ITALY if rule.startswith("italy.") else SOUTHAMPTON
    return [item for item in deadlines(profile, **given) if item.rule == rule]


@pytest.mark.shared
def test_every_stated_case_has_its_last_day_and_its_suggested_day(shared):
    wrong = []
    for case in json.loads((shared / "cases" / "deadlines.json").read_text()):
        given = {name: date.fromisoformat(day) for name, day in case["given"].items()}
        found = compute(case["rule"], **given)
        if [(str(item.last_day), str(item.suggested)) for item in found] != [(case["last_day"], case["suggested"])]:
            wrong.append((case, found))
    assert wrong == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rule']}-{'-'.join(case['given'].values())}")
def test_own_case_through_the_command_line(tmp_path, capsys, case):
    ordinance = "italy" if case["rule"].startswith("italy.") else "southampton"
    (tmp_path / "town.toml").write_text(f'[town]\nname = "T"\nordinance = "{ordinance}"\n[[layers.parcels]]\npath = "p.gpkg"\n')
    options = [word for name, day in case["given"].items() for word in (f"--{name.replace('_', '-')}", day)]
    every_command()(["deadlines", str(tmp_path), *options, "--json"], standalone_mode=False)
    found = [
        (item["last_day"], item["suggested"])
        for item in json.loads(capsys.readouterr().out)["deadlines"]
        if (item["rule"], item["key"]) == (case["rule"], case["key"])
    ]
    assert found == [(case["last_day"], case["suggested"])], case["why"]


@pytest.mark.parametrize(
    ("rule", "given", "last", "suggested"),
    [
        # 90 days before Independence Day is a Sunday; the last open day ahead of it is the Friday.
        ("italy.file90", {"event": date(2026, 7, 4)}, date(2026, 4, 5), date(2026, 4, 3)),
        (
            "italy.hearing10",
            {"hearing": date(2026, 10, 22)},
            date(2026, 10, 12),
            date(2026, 10, 9),
        ),  # Columbus Day, after a weekend
        ("italy.cost", {"hearing": date(2026, 10, 20)}, date(2026, 10, 19), date(2026, 10, 19)),
        ("italy.act75", {"complete": date(2026, 4, 6)}, date(2026, 6, 20), date(2026, 6, 22)),
        ("italy.cleanup5", {"event_ends": date(2026, 6, 30)}, date(2026, 7, 5), date(2026, 7, 6)),
        ("sh.file90", {"event": date(2026, 8, 16)}, date(2026, 5, 18), date(2026, 5, 18)),
        ("sh.decide30", {"complete": date(2026, 6, 1)}, date(2026, 7, 14), date(2026, 7, 14)),
        ("sh.charity90", {"event": date(2026, 8, 15)}, date(2026, 11, 13), date(2026, 11, 13)),
        ("sh.amend15", {"event": date(2026, 6, 28)}, date(2026, 6, 13), date(2026, 6, 12)),
        ("sh.appeal10", {"denial_received": date(2026, 6, 15)}, date(2026, 6, 25), date(2026, 6, 25)),
        ("sh.hearing_publish", {"hearing": date(2026, 7, 21)}, date(2026, 7, 11), date(2026, 7, 10)),
        ("sh.hearing_sign", {"hearing": date(2026, 7, 21)}, date(2026, 7, 11), date(2026, 7, 10)),
        ("sh.hearing_500", {"hearing": date(2026, 7, 21)}, date(2026, 7, 11), date(2026, 7, 10)),
        ("sh.exempt", {"event": date(2026, 8, 19)}, date(2026, 8, 17), date(2026, 8, 17)),
    ],
)
def test_a_rule_with_one_date(rule, given, last, suggested):
    assert [(item.last_day, item.suggested) for item in compute(rule, **given)] == [(last, suggested)]


class TestRulesWithSeveralDates:
    def test_tents_go_up_14_days_before_come_down_7_after_and_a_waiver_is_asked_45_before(self):
        found = {item.key: item for item in compute("sh.tents", event=date(2026, 8, 10), event_ends=date(2026, 8, 16))}
        assert {key: item.last_day for key, item in found.items()} == {
            "up": date(2026, 7, 27),
            "down": date(2026, 8, 23),
            "waiver": date(2026, 6, 26),
        }
        assert found["up"].bound == "earliest"
        # A Sunday: how long tents stand is not carried past it, and taking them down needs no open office.
        assert found["down"].suggested == date(2026, 8, 23)
        assert "not to be carried past it" in found["down"].reckoning

    def test_signs_go_up_14_days_before_and_come_down_3_after(self):
        found = {item.key: item.last_day for item in compute("sh.signs", event=date(2026, 8, 16), event_ends=date(2026, 8, 16))}
        assert found == {"up": date(2026, 8, 2), "down": date(2026, 8, 19)}

    def test_the_affidavit_of_the_hearings_mail_is_due_when_it_starts(self):
        found = {item.key: item.last_day for item in compute("sh.hearing_mail", hearing=date(2026, 7, 21))}
        assert found == {"": date(2026, 7, 11), "affidavit": date(2026, 7, 21)}

    def test_findings_come_10_days_after_the_hearing_and_are_mailed_5_days_after_the_determination(self):
        found = {item.key: item for item in compute("sh.findings10", hearing=date(2026, 7, 21))}
        assert (found[""].last_day, found["mailed"].last_day) == (date(2026, 7, 31), date(2026, 8, 5))
        assert "if the hearing closes" in found[""].reckoning
        later = {
            item.key: item for item in compute("sh.findings10", hearing_closed=date(2026, 7, 22), determination=date(2026, 7, 24))
        }
        assert (later[""].last_day, later["mailed"].last_day) == (date(2026, 8, 1), date(2026, 7, 29))
        assert later[""].suggested == date(2026, 8, 3)


class TestWhatIsSaid:
    def test_section_25a_is_never_used_to_move_a_notice_later(self):
        for profile in (ITALY, SOUTHAMPTON):
            for item in deadlines(profile, event=date(2026, 7, 4), hearing=date(2026, 10, 20)):
                if item.bound == "latest" and item.reckoned_from in ("event", "hearing"):
                    assert item.suggested <= item.last_day

    def test_both_days_are_named_where_the_last_one_is_a_saturday(self):
        said = compute("sh.appeal10", denial_received=date(2026, 9, 2))[0].reckoning
        assert "Saturday, September 12, 2026" in said
        assert "Monday, September 14, 2026" in said
        assert "25-a" in said

    def test_a_mailing_on_a_saturday_says_that_post_offices_take_mail(self):
        assert "Post offices take mail" in compute("sh.hearing_mail", hearing=date(2026, 7, 21))[0].reckoning

    def test_a_mailing_on_columbus_day_says_that_post_offices_are_closed(self):
        assert "Post offices are closed" in compute("sh.hearing_500", hearing=date(2026, 10, 22))[0].reckoning

    def test_business_days_name_the_holidays_passed_over(self):
        assert "Juneteenth on Friday, June 19, 2026" in compute("sh.decide30", complete=date(2026, 6, 1))[0].reckoning

    def test_an_end_that_is_not_given_is_taken_to_be_the_first_day_and_said(self):
        assert "taking the event to end on the day it begins" in compute("italy.cleanup5", event=date(2026, 7, 5))[0].reckoning

    def test_a_day_that_the_governor_appoints_moves_the_suggestion(self):
        found = [
            item.suggested
            for item in deadlines(ITALY, event_ends=date(2026, 7, 5), appointed=[date(2026, 7, 10)])
            if item.rule == "italy.cleanup5"
        ]
        assert found == [date(2026, 7, 13)]

    def test_48_hours_are_said_as_hours(self):
        said = compute("sh.exempt", event=date(2026, 8, 19))[0].reckoning
        assert "48 hours before Wednesday, August 19, 2026" in said
        assert "Monday, August 17, 2026, at the same hour" in said

    def test_nothing_is_reckoned_without_a_date(self):
        assert deadlines(SOUTHAMPTON) == ()


def test_every_rule_with_a_period_is_reckoned_once_all_dates_are_given():
    day = date(2026, 6, 1)
    for profile in (ITALY, SOUTHAMPTON):
        found = {
            item.rule for item in deadlines(profile, event=day, event_ends=day, hearing=day, complete=day, denial_received=day)
        }
        assert found == {rule.id for rule in profile.rules if rule.periods}


@pytest.mark.parametrize("day", ["0001-01-05", "9999-12-31", "2027-02-29"])
def test_a_day_that_cannot_be_meant_is_refused(tmp_path, day):
    (tmp_path / "town.toml").write_text('[town]\nname = "T"\nordinance = "italy"\n[[layers.parcels]]\npath = "p.gpkg"\n')
    with pytest.raises(typer.BadParameter, match="is no"):
        every_command()(["deadlines", str(tmp_path), "--event", day], standalone_mode=False)


class TestAPeriodOfTwoDays:
    """Section 20: from a period of two days a Saturday, Sunday or public holiday in between is left out; from no other."""

    @pytest.mark.parametrize(
        ("direction", "start", "last", "suggested"),
        [
            ("after", date(2026, 8, 12), date(2026, 8, 14), date(2026, 8, 14)),  # Wednesday: Thursday, Friday
            (
                "after",
                date(2026, 8, 13),
                date(2026, 8, 15),
                date(2026, 8, 17),
            ),  # Thursday: Friday, Saturday; section 25-a: Monday
            ("after", date(2026, 8, 14), date(2026, 8, 18), date(2026, 8, 18)),  # Friday: Monday, Tuesday
            ("after", date(2026, 9, 4), date(2026, 9, 9), date(2026, 9, 9)),  # Friday before Labor Day: Tuesday, Wednesday
            (
                "before",
                date(2026, 8, 17),
                date(2026, 8, 13),
                date(2026, 8, 13),
            ),  # Monday: back over the weekend to Friday, Thursday
            ("before", date(2026, 8, 19), date(2026, 8, 17), date(2026, 8, 17)),  # Wednesday: Tuesday, Monday
            (
                "before",
                date(2026, 8, 18),
                date(2026, 8, 16),
                date(2026, 8, 14),
            ),  # Tuesday: Monday, Sunday; the Friday is suggested
        ],
    )
    def test_leaves_out_what_is_closed_in_between(self, direction, start, last, suggested):
        rule = next(rule for rule in SOUTHAMPTON.rules if rule.id == "sh.amend15")
        period = replace(rule.periods[0], days=2, direction=direction)
        found = deadline_of(rule, period, {"event": start})
        assert (found.last_day, found.suggested) == (last, suggested)
        assert ("period of two days" in found.reckoning) == (abs((last - start).days) > 2)
        assert ("period of two days" in found.brief) == (abs((last - start).days) > 2)


class TestTheReckoningInFewWords:
    """What a table says beside a date says the same as the computation in sentences."""

    def test_hours_are_called_hours(self):
        (found,) = compute("sh.exempt", event=date(2026, 8, 17))
        assert found.brief.startswith("48 hours before 2026-08-17")

    def test_business_days_name_the_holidays_passed_over(self):
        (found,) = compute("sh.decide30", complete=date(2027, 8, 2))
        assert (
            found.brief
            == "30 business days after 2027-08-02; without Saturdays, Sundays and public holidays (§\u00a024): Labor Day"
        )

    @pytest.mark.parametrize(
        "given", [{"event": date(2026, 12, 19)}, {"hearing": date(2026, 10, 20)}, {"complete": date(2026, 4, 6)}]
    )
    def test_every_date_has_one_and_names_the_day_it_is_counted_from(self, given):
        for profile in (ITALY, SOUTHAMPTON):
            for item in deadlines(profile, **given):
                if item.reckoned_from in given:
                    assert given[item.reckoned_from].isoformat() in item.brief, item
                assert item.brief
