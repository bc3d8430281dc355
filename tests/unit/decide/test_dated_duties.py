"""Notice of a hearing: given in time, late, or not stated. The day of the hearing is not counted; nothing carries a last day later."""

import pytest
from law_toys import ask, event_of

from geonotice.config.read_application import event_from_data
from geonotice.decide.event_form import event_template, keys_needed
from geonotice.errors import EventFileError, OrdinanceError
from geonotice.ordinance.load import load_profile

HEARING = "2026-06-23"
"""A Tuesday: ten days before it is Saturday, June 13."""
IN_TIME, LATE = "2026-06-13", "2026-06-14"


def italy(on="2026-06-01", **answers):
    return ask(
        "italy", {"notice_given.hearing": HEARING, **{f"notice_given.{key}": value for key, value in answers.items()}}, on=on
    )


class TestItalyC:
    """Paragraph C: a hearing on 10 days' notice, published **and** posted; the same notice to all within 1,000 feet."""

    @pytest.mark.parametrize(
        ("published", "posted", "status"),
        [
            ([IN_TIME], IN_TIME, "met"),
            ([LATE], IN_TIME, "not_met"),
            ([IN_TIME], LATE, "not_met"),
            (["2026-06-20", IN_TIME], IN_TIME, "met"),
            (IN_TIME, IN_TIME, "met"),
            ([], IN_TIME, "remind"),
            ([IN_TIME], None, "remind"),
            (None, LATE, "not_met"),
        ],
    )
    def test_both_acts_are_in_time(self, published, posted, status):
        found = italy(published=published, posted=posted)
        assert found["italy.hearing10"] == status
        assert found.allowed is (status != "not_met")

    @pytest.mark.parametrize(("mailed", "status"), [(IN_TIME, "met"), (LATE, "not_met")])
    def test_so_is_the_notice_to_those_within_1000_feet(self, mailed, status):
        found = italy(mailed=mailed)
        assert found["italy.notice1000"] == status
        assert found["italy.hearing10"] == "remind"

    def test_what_is_late_says_by_how_much_and_what_would_change_it(self):
        found = italy(published=["2026-06-16"], posted=IN_TIME).findings["italy.hearing10"]
        assert "published on Tuesday, June 16, 2026, 3 days too late" in found["text"]
        assert "Saturday, June 13, 2026" in found["text"]
        assert "later day" in found["change"]

    def test_the_day_the_law_would_carry_an_act_to_is_no_excuse(self):
        """Section 25-a moves an act within a time to Monday; notice **before** a date is never moved later."""
        assert italy(mailed="2026-06-15")["italy.notice1000"] == "not_met"

    def test_until_the_last_day_it_is_a_question_that_forbids_nothing(self):
        found = italy(on=IN_TIME)
        assert (found["italy.hearing10"], found["italy.notice1000"], found.allowed) == ("remind", "remind", True)
        assert {"notice_given.published", "notice_given.posted", "notice_given.mailed"} <= found.asked
        assert found.result["headline"]["status"] == "met"

    def test_after_it_the_headline_says_that_notice_can_no_longer_be_given(self):
        found = italy(on=LATE)
        assert (found["italy.hearing10"], found["italy.notice1000"], found.allowed) == ("decide", "decide", None)
        assert found.result["headline"]["status"] == "decide"
        assert "notice can no longer be given in time, unless it was given" in found.result["headline"]["text"]

    def test_once_answered_it_says_so_no_more(self):
        found = italy(on="2026-06-20", published=[IN_TIME], posted=IN_TIME, mailed=IN_TIME)
        assert found.result["headline"]["status"] == "met"
        assert "passed" not in found.findings["italy.hearing10"]["text"]

    def test_not_published_is_an_answer(self):
        found = italy(on=LATE, published=[], posted=IN_TIME)
        assert (found["italy.hearing10"], found.allowed) == ("not_met", False)

    def test_a_day_to_come_is_said_to_be_one(self):
        assert (
            "It is to be mailed on Saturday, June 13, 2026, in time" in italy(mailed=IN_TIME).findings["italy.notice1000"]["text"]
        )

    def test_without_a_hearing_the_hearing_is_asked_for_and_nothing_else(self):
        found = ask("italy")
        assert "notice_given.hearing" in found.asked
        assert not {"notice_given.published", "notice_given.posted", "notice_given.mailed"} & found.asked
        assert found["italy.hearing10"] == "remind"

    def test_where_no_permit_is_needed_no_hearing_is_asked_for(self):
        assert ask("italy", {"event.kind": "wedding"}).asked == set()

    def test_a_hearing_under_denial_is_the_one_hearing_of_this_law(self):
        found = ask("italy", {"denial.hearing": HEARING, "notice_given.mailed": LATE})
        assert found["italy.notice1000"] == "not_met"

    def test_two_days_for_the_one_hearing_must_be_decided(self):
        found = ask("italy", {"denial.hearing": "2026-06-30", "notice_given.hearing": HEARING, "notice_given.mailed": IN_TIME})
        text = found.findings["italy.notice1000"]["text"]
        assert found["italy.notice1000"] == "decide"
        assert "June 30, 2026" in text
        assert "June 23, 2026" in text


class TestSouthampton2839:
    """283-9: the hearing on an appeal: published, a sign put up, owners and the clerk mailed, each at least 10 days before."""

    def denied(self, on="2026-06-26", **given):
        answers = {"denial.received": "2026-06-15", "denial.appeal_filed": "2026-06-22", "denial.hearing": "2026-07-21"}
        answers |= {f"notice_given.{key}": value for key, value in given.items()}
        return ask("southampton", answers, facts={"within_500_ft_of": ["Village of Sagaponack"]}, on=on)

    @pytest.mark.parametrize(
        ("rule", "given"),
        [
            ("hearing_publish", "published"),
            ("hearing_sign", "posted"),
            ("hearing_mail", "mailed"),
            ("hearing_500", "mailed"),
        ],
    )
    def test_each_is_held_against_its_own_day(self, rule, given):
        for day, status in (("2026-07-11", "met"), ("2026-07-12", "not_met")):
            found = self.denied(**{given: [day] if given == "published" else day})
            assert found[f"sh.{rule}"] == status
        assert self.denied()[f"sh.{rule}"] == "remind"
        assert self.denied(on="2026-07-12")[f"sh.{rule}"] == "decide"

    def test_a_hearing_on_the_application_is_not_that_on_the_appeal(self):
        answers = {"denial.received": "2026-06-15", "denial.appeal_filed": "2026-06-22", "notice_given.hearing": "2026-06-25"}
        found = ask("southampton", {**answers, "notice_given.mailed": "2026-06-24"}, on="2026-06-26")
        assert found["sh.hearing_mail"] == "remind"
        assert "denial.hearing" in found.asked

    def test_whether_a_notice_is_due_at_all_comes_first(self):
        found = ask(
            "southampton",
            {
                "denial.received": "2026-06-15",
                "denial.appeal_filed": "2026-06-22",
                "denial.hearing": "2026-07-21",
                "notice_given.mailed": "2026-07-20",
            },
            facts={"within_500_ft_of": None},
            on="2026-06-26",
        )
        assert found["sh.hearing_500"] == "decide"
        assert "too late" in found.findings["sh.hearing_500"]["text"]

    def test_without_an_appeal_no_hearing_is_asked_for(self):
        assert "denial.hearing" not in ask("southampton", {"denial.received": "2026-06-15"}, on="2026-06-16").asked


class TestTheEventFile:
    def test_its_keys_are_checked(self):
        with pytest.raises(EventFileError) as refused:
            event_from_data({"notice_given": {"publishd": ["2026-06-10"], "mailed": "yesterday"}}, file="event")
        assert {fault.key for fault in refused.value.faults} == {"notice_given.publishd", "notice_given.mailed"}

    @pytest.mark.parametrize("law", ["italy", "new_paltz", "brookhaven"])
    def test_a_law_with_a_hearing_on_the_application_asks_for_it(self, law):
        assert "notice_given.hearing" in keys_needed(load_profile(law))

    def test_italy_asks_for_all_and_southampton_for_no_hearing_of_that_kind(self):
        asked = {key for key in keys_needed(load_profile("southampton")) if key.startswith("notice_given")}
        assert asked == {"notice_given.published", "notice_given.posted", "notice_given.mailed"}
        text = event_template(load_profile("italy"))
        assert "[notice_given]   # once the day of the hearing is fixed" in text
        assert "# hearing = 2026-06-23" in text

    def test_the_template_reads_back(self):
        made = event_from_data(event_of("italy", {"notice_given.published": ["2026-06-10", "2026-06-03"]}), file="event")
        assert [day.isoformat() for day in made.notice_given.published] == ["2026-06-10", "2026-06-03"]


def test_a_profile_cannot_name_an_act_that_no_event_file_states(tmp_path, root):
    text = (root / "geonotice" / "ordinance" / "profiles" / "italy.toml").read_text()
    file = tmp_path / "italy.toml"
    file.write_text(text.replace('given = ["published", "posted"]', 'given = ["published", "shouted"]'))
    with pytest.raises(OrdinanceError, match="'shouted', which no event file states"):
        load_profile(str(file))
