"""What is worth a second look in a profile that is sound."""

import pytest
from profile_toys import HEAD, PERMIT, profile_of, rule, text_of
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.errors import OrdinanceError
from geonotice.ordinance.lint import profile_notes
from geonotice.ordinance.show import render_profile

MAIL = rule(
    "mail", "distance_notice", tables='[rules.notice]\noccasion = "hearing"\nrecipients = ["owners"]\ndistance_ft = 500\n'
)
NO_OCCASIONS = HEAD.partition("[occasions]")[0]


def notes(*rules, head=NO_OCCASIONS):
    return profile_notes(profile_of(PERMIT, *rules, head=head))


def test_there_is_none_on_a_profile_that_was_read_and_has_nothing_idle():
    assert notes(rule("parking", "condition", more='check = "parking"\nvalues = { persons_per_car = 3 }')) == ()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (rule("bare", "reminder", words=""), "without the law's own words, which every result says: oak.bare."),
        (
            rule("acres", "condition"),
            "oak.acres is a condition without a check: it is shown as a reminder, and nothing is decided.",
        ),
        (
            rule("fee", "reminder", more="values = { dollars = 250 }"),
            "oak.fee has values and no check that uses them: they are shown only.",
        ),
        (
            rule("sign", "posting", more="values = { set_back = 10, days = 10 }"),
            "oak.sign has values that no sheet of a sign prints: set_back. Known are length_ft, width_ft, set_back_ft, lowest_ft, highest_ft, days.",
        ),
        (
            rule("parking", "reminder", more='check = "parking"\nvalues = { persons_per_car = 3 }'),
            "oak.parking is called a reminder, and its check parking refuses all the same.",
        ),
        (
            '[settings.parking_person]\nquestion = "Which persons?"\nvalue = "total"\n',
            "the setting parking_person is shown and changes no answer. Is parking_persons meant?",
        ),
        (
            rule("cap", "cap", more='check = "cap_other"\nvalues = { events = 4, night = 4 }'),
            "there is no [[districts]] table, so oak.cap always leave the district to be determined.",
        ),
    ],
)
def test_each_slip_that_can_be_meant_is_named(given, said):
    assert said in notes(given)


def test_an_occasion_that_no_rule_serves_is_named():
    assert notes(MAIL, head=HEAD) == ("no rule gives notice on the occasion 'gathering'.",)


def test_a_reminder_of_setbacks_refuses_only_with_a_distance_of_its_own():
    assert notes(rule("yards", "reminder", more='check = "setbacks"')) == ()
    (said,) = notes(rule("yards", "reminder", more='check = "setbacks"\nvalues = { buffer_ft = 50 }'))
    assert said == "oak.yards is called a reminder, and its check setbacks refuses all the same."


def test_a_cap_in_a_rule_of_another_kind_would_do_nothing_and_is_refused():
    cap = rule("cap", "condition", more='check = "cap_other"\nvalues = { events = 4, night = 4 }')
    with pytest.raises(OrdinanceError, match="belongs to a rule of kind 'cap'"):
        profile_of(PERMIT, cap)


@pytest.mark.parametrize(
    ("notice", "said"),
    [
        ('occasion = "hearing"\nrecipients = ["owners", "clerks"]\ndistance_ft = 500', "a clerk_notice of their own"),
        ('recipients = ["residents"]\ndistance_ft = 500\nschedule = true', "a schedule lists owners of record"),
    ],
)
def test_recipients_that_a_rule_would_not_reach_are_refused(notice, said):
    with pytest.raises(OrdinanceError, match=said):
        profile_of(PERMIT, rule("mail", "distance_notice", tables=f"[rules.notice]\n{notice}"))


def test_a_second_notice_to_clerks_of_one_occasion_is_refused():
    tables = '[rules.notice]\noccasion = "hearing"\nrecipients = ["clerks"]\ndistance_ft = {}'
    both = [rule(f"clerks{feet}", "clerk_notice", tables=tables.format(feet)) for feet in (500, 2640)]
    with pytest.raises(OrdinanceError, match="the second clerk_notice of the occasion 'hearing'"):
        profile_of(PERMIT, *both)


def test_validate_prints_the_notes_and_still_finds_the_profile_sound(tmp_path):
    (tmp_path / "oak.toml").write_text(text_of(PERMIT, rule("acres", "condition"), head=NO_OCCASIONS))
    done = CliRunner().invoke(every_command(), ["ordinance", "validate", str(tmp_path / "oak.toml")])
    assert (done.exit_code, "oak.toml is sound." in done.stdout, "oak.acres is a condition without a check" in done.stdout) == (
        0,
        True,
        True,
    )


def test_a_printed_rule_says_what_its_check_asks_or_that_nothing_is_decided():
    charity = rule("charity", "prohibition", more='check = "charity_benefit"')
    text = " ".join(render_profile(profile_of(PERMIT, charity, rule("acres", "condition"), head=NO_OCCASIONS)).split())
    assert "the program asks (charity_benefit): the event benefits a local charitable organization, whatever the district" in text
    assert "the program decides nothing here: it has no check" in text
