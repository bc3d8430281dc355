"""``permit issue --event`` runs the whole check inside the transaction that writes, and obeys it; an override is shown ever after."""

import json
from datetime import UTC, date, datetime

import pytest
from program import run_here
from typer.testing import CliRunner

from geonotice.cli import every_command
from geonotice.config.read_application import read_event_file
from geonotice.errors import PermitRefused, UsageError
from geonotice.facts.history import application_of, describe_land
from geonotice.facts.premises import gather_event
from geonotice.opened_town import open_store
from geonotice.register.session import open_town_register
from geonotice.workflow import permits as permit_cases
from geonotice.workflow.permit_request import Issuing, PermitRequest, StatedPermit

HOUSE = "0900-123.00-01.00-002.000"
NEXT_TOWN, VILLAGE = "0399-031.00-03.00-007.000", "0901-004.00-01.00-001.000"
ON = ["--on", "2026-09-01", "--by", "Fire Marshal"]


@pytest.fixture
def town(imported, tmp_path):
    return imported("southampton", tmp_path / "town")


@pytest.fixture
def event(town):
    """Write the event that meets every rule, with some lines changed; None takes a line out."""

    def written(name="event", **changes):
        text = (town / "events" / "allowed.toml").read_text()
        for key, value in changes.items():
            lines = text.splitlines()
            (at,) = [n for n, line in enumerate(lines) if line.split(" = ")[0] == key][:1] or [None]
            assert at is not None, key
            lines[at : at + 1] = [] if value is None else [f"{key} = {value}"]
            text = "\n".join(lines)
        file = town / "events" / f"{name}.toml"
        file.write_text(text)
        return file

    return written


def ask(*args):
    """Run a command; give its exit code, its JSON and what it says on standard error."""
    done = CliRunner().invoke(every_command(), [*map(str, args), "--json"])
    made = json.loads(done.stdout) if done.stdout else None
    error = done.exception if done.exception and not isinstance(done.exception, SystemExit) else None
    code = error.exit_code if error else done.exit_code
    return code, made, "\n".join(map(str, error.faults)) if error else ""


def permits(town):
    return json.loads(run_here("permit", "list", town, "--json").stdout)["permits"]


class TestItObeysTheCheck:
    def test_what_meets_every_rule_is_issued(self, town, event):
        code, made, _ = ask("permit", "issue", town, "--event", event(), *ON)
        assert (code, made["status"], made["headline"]["status"], made["checked"]) == (0, "issued", "met", "event")
        assert (made["against"], made["override"], made["overridden"]) == ([], "", "")
        assert "discretion" in made["headline"]["text"]
        assert "discretionary" in {one["code"] for one in made["warnings"]}

    @pytest.mark.parametrize(
        ("changes", "rule"),
        [
            ({"lights": '["laser"]'}, "sh.lights"),
            ({"advertises_goods": "true"}, "sh.advertise"),
            ({"names_town": "false"}, "sh.insurance30"),
            ({"persons_at_once": "400", "persons_total": "400"}, "sh.security250"),
        ],
    )
    def test_what_is_prohibited_exits_with_5_and_is_not_written(self, town, event, changes, rule):
        file = event(**changes)
        if rule == "sh.security250":
            file.write_text(file.read_text().replace("[insurance]", "security_plan = false\n[insurance]"))
        code, made, said = ask("permit", "issue", town, "--event", file, *ON)
        assert (code, made["number"], made["issued"], made["headline"]["status"]) == (5, None, None, "not_met")
        assert [one["rule"] for one in made["against"]] == [rule]
        assert f"{rule} (not met)" in said
        assert permits(town) == []

    def test_what_is_undecided_exits_with_4(self, town, event):
        code, made, said = ask("permit", "issue", town, "--event", event(names_town=None), *ON)
        assert (code, made["headline"]["status"], made["allowed"]) == (4, "decide", None)
        assert "sh.insurance30 (to decide)" in said
        assert permits(town) == []

    def test_answers_that_contradict_each_other_are_not_issued_upon(self, town, event):
        file = event(persons_at_once="200", persons_total="150", persons_outdoors="100")
        code, made, said = ask("permit", "issue", town, "--event", file, *ON)
        assert (code, made["headline"]["status"]) == (4, "decide")
        assert ("answers", "decide") in [(one["rule"], one["status"]) for one in made["against"]]
        assert "answers contradict each other (event.persons_total, event.persons_at_once)" in said
        assert permits(town) == []
        code, made, _ = ask("permit", "issue", town, "--event", file, "--override", "200 at most", *ON)
        assert code == 0
        assert "answers (to decide): " in made["overridden"]

    def test_late_filing_is_for_the_official(self, town, event):
        assert ask("permit", "issue", town, "--event", event(filed="2027-05-01"), *ON)[0] == 4

    def test_an_exempt_wedding_uses_up_nothing(self, town):
        exempt = town / "events" / "exempt.toml"
        code, made, said = ask("permit", "issue", town, "--event", exempt, *ON)
        assert (code, made["permit_required"]) == (4, False)
        assert "no_permit_needed" in {one["rule"] for one in made["against"]}
        assert made["headline"]["text"].startswith("No permit is required: ")
        assert "An official must" not in said
        assert permits(town) == []

    def test_the_exempt_stay_so_on_a_lot_whose_year_is_used_up(self, town):
        """No permit is needed, so the cap does not forbid it: a question, and no refusal."""
        for _ in range(2):
            run_here("permit", "issue", town, HOUSE, "--starts", "2026-12-20", *ON)
        file = town / "events" / "exempt.toml"
        text = [f'parcels = ["{HOUSE}"]' if line.startswith("parcels") else line for line in file.read_text().splitlines()]
        file.write_text("\n".join(text))
        code, made, _ = ask("permit", "issue", town, "--event", file, *ON)
        assert code == 4
        assert {one["status"] for one in made["against"]} == {"decide"}

    def test_the_check_shows_the_same(self, town, event):
        file = event(lights='["laser"]')
        code, made, _ = ask("permit", "check", town, "--event", file, "--on", "2026-09-01")
        assert (code, made["status"], made["rule"], made["headline"]["status"]) == (5, "not_met", "sh.lights", "not_met")
        assert made["used"] == 0
        undecided = event("undecided", names_town=None)
        assert ask("permit", "check", town, "--event", undecided, "--on", "2026-09-01")[0] == 0
        assert ask("permit", "check", town, "--event", undecided, "--on", "2026-09-01", "--strict")[0] == 4
        text = run_here("permit", "check", town, "--event", file, "--on", "2026-09-01", expect=5).stdout
        assert "May not be issued: 1 requirement is not met" in " ".join(text.split())

    def test_the_cap_is_named_once_where_both_count_it(self, town, event):
        for _ in range(2):
            run_here("permit", "issue", town, HOUSE, "--starts", "2026-12-20", *ON)
        code, made, _ = ask(
            "permit", "issue", town, "--event", event(parcels=f'["{HOUSE}"]', primarily_benefits_applicant="false"), *ON
        )
        assert code == 5
        assert [one["rule"] for one in made["against"]] == ["sh.cap_residential"]

    def test_an_exempt_owner_has_no_cap_to_pass(self, town, event):
        for _ in range(2):
            run_here("permit", "issue", town, HOUSE, "--starts", "2026-12-20", *ON)
        file = event(parcels=f'["{HOUSE}"]', primarily_benefits_applicant="false", owned_entirely_by='"museum"')
        code, made, _ = ask("permit", "issue", town, "--event", file, *ON)
        assert (code, made["against"]) == (0, [])

    def test_another_permit_between_the_check_and_the_writing_is_counted(self, town, event, monkeypatch):
        """The check reads the register as the transaction that writes sees it, after the lock is taken."""
        file = event(parcels=f'["{HOUSE}"]', primarily_benefits_applicant="false")
        now = datetime(2026, 9, 1, 12, tzinfo=UTC)
        with open_store(town) as opened, open_town_register(town=opened.town) as register:
            stated_event = read_event_file(file)
            gathered = gather_event(opened, stated_event, file=str(file), folder=file.parent)
            stated = StatedPermit(stated_event, gathered)
            land, said = describe_land(opened, [opened.store.find(HOUSE)])
            asked = application_of(stated.event, land)
            whole = permit_cases.checking

            def late(*args, **more):
                for _ in range(2):
                    permit_cases.issue_permit(
                        opened, register, PermitRequest(asked), Issuing(now=now, by="another clerk", issued=date(2026, 9, 1))
                    )
                return whole(*args, **more)

            # Two others are issued once everything but the register has been gathered.
            monkeypatch.setattr(permit_cases, "checking", lambda *args, **more: late(*args, **more) if args[1] else None)
            with pytest.raises(PermitRefused) as refused:
                permit_cases.issue_permit(
                    opened,
                    register,
                    PermitRequest(asked, said, stated),
                    Issuing(now=now, by="Clerk", issued=date(2026, 9, 1)),
                )
        assert refused.value.check.event.finding("sh.cap_residential").status == "not_met"
        assert len(permits(town)) == 2


class TestAnOverride:
    def test_names_what_it_passed_over_ever_after(self, town, event):
        file = event(lights='["laser"]', names_town=None)
        code, made, _ = ask("permit", "issue", town, "--event", file, "--override", "Board of 3 May", *ON)
        assert (code, made["override"], made["override_by"]) == (0, "Board of 3 May", "Fire Marshal")
        assert "sh.lights (not met)" in made["overridden"]
        assert "sh.insurance30 (to decide)" in made["overridden"]
        text = " ".join(run_here("permit", "show", town, made["number"]).stdout.split())
        assert "Board of 3 May" in text
        assert "Passed over: sh." in text
        shown = json.loads(run_here("permit", "show", town, made["number"], "--json").stdout)
        assert shown["overridden"] == made["overridden"]
        assert shown["log"][0]["why"] == "Board of 3 May (passed over: sh.lights, sh.insurance30)"
        assert json.loads(run_here("permit", "log", town, "--verify", "--json").stdout)["sound"]
        run_here("permit", "export", town, town / "out.csv")
        assert made["overridden"] in (town / "out.csv").read_text()

    def test_of_an_event_that_needs_none(self, town):
        code, made, _ = ask("permit", "issue", town, "--event", town / "events" / "exempt.toml", "--override", "asked for", *ON)
        assert code == 0
        assert made["overridden"].startswith("no_permit_needed (to decide)")

    def test_that_was_not_needed_is_none(self, town, event):
        made = ask("permit", "issue", town, "--event", event(), "--override", "to be sure", *ON)[1]
        assert (made["override"], made["overridden"]) == ("", "")

    def test_does_not_let_a_contradiction_through(self, town, event):
        assert ask("permit", "issue", town, "--event", event(), "--night", "no", "--override", "x", *ON)[0] == 2


class TestTheLand:
    """In another town, in a village, on a road: for an official to decide, with an event file or without."""

    @pytest.mark.parametrize("parcel", [NEXT_TOWN, VILLAGE])
    def test_without_an_event_file(self, town, parcel):
        code, made, _ = ask("permit", "issue", town, parcel, "--starts", "2026-12-20", *ON)
        assert (code, [one["rule"] for one in made["against"]]) == (4, ["land"])
        assert permits(town) == []
        code, made, _ = ask("permit", "check", town, parcel, "--starts", "2026-12-20", "--on", "2026-09-01")
        assert (code, made["status"], made["headline"]["status"]) == (0, "decide", "decide")
        code, made, _ = ask("permit", "issue", town, parcel, "--starts", "2026-12-20", "--override", "the village agrees", *ON)
        assert code == 0
        assert "land (to decide)" in made["overridden"]

    @pytest.mark.parametrize("parcel", [NEXT_TOWN, VILLAGE])
    def test_with_one(self, town, event, parcel):
        file = event(parcels=f'["{parcel}"]')
        code, made, _ = ask("permit", "issue", town, "--event", file, *ON)
        assert code == 4
        assert "land" in {one["rule"] for one in made["against"]}
        code, made, _ = ask("check", town, file, "--on", "2026-09-01")
        assert (code, made["headline"]["status"]) == (0, "decide")
        assert ask("check", town, file, "--on", "2026-09-01", "--strict")[0] == 4
        assert "No conflict" not in made["headline"]["text"]

    def test_a_railroad_of_the_next_town_is_both(self, town):
        code, made, _ = ask("permit", "issue", town, "0399-031.00-05.00-001.000", "--starts", "2026-12-20", *ON)
        assert (code, len(made["against"])) == (4, 2)
        assert "premises are a railroad by the parcel layer" in made["headline"]["text"]

    def test_premises_partly_in_a_village(self, town, event):
        file = event(parcels=f'["{HOUSE}", "{VILLAGE}"]')
        code, made, _ = ask("permit", "issue", town, "--event", file, *ON)
        assert code == 4
        assert any("illage of Pondcrest" in one["text"] for one in made["against"])

    def test_a_street_drawn_as_a_parcel(self, town, event, monkeypatch):
        from geonotice.store import Store

        plain = Store.find
        monkeypatch.setattr(Store, "find", lambda self, number: _street(plain(self, number)))
        code, made, _ = ask("permit", "issue", town, HOUSE, "--starts", "2026-12-20", *ON)
        assert (code, [one["rule"] for one in made["against"]]) == (4, ["land"])
        assert "a street or another right-of-way" in made["headline"]["text"]
        code, made, _ = ask("check", town, event(parcels=f'["{HOUSE}"]'), "--on", "2026-09-01")
        assert made["headline"]["status"] == "decide"
        assert ask("permit", "issue", town, HOUSE, "--kind", "parade", "--starts", "2026-10-20", *ON)[0] == 0


def _street(parcel):
    from msgspec.structs import replace

    return replace(parcel, role="right_of_way")


class TestWithoutAnEventFile:
    def test_only_the_caps_and_the_land_are_checked_and_it_says_so(self, town):
        code, made, _ = ask("permit", "issue", town, HOUSE, "--starts", "2026-12-20", *ON)
        assert (code, made["checked"], made["permit_required"], made["allowed"]) == (0, "caps_and_land", None, None)
        assert "Only the annual caps and the land were checked" in made["headline"]["text"]
        assert (
            "Only the annual caps and the land"
            in run_here("permit", "check", town, HOUSE, "--starts", "2026-12-20", *ON[:2]).stdout
        )

    def test_the_most_persons_are_asked_for(self, town):
        """283-4: the permit shall state the maximum number of persons."""
        made = ask("permit", "issue", town, HOUSE, "--starts", "2026-12-20", *ON)[1]
        assert "no_maximum_attendance" in {one["code"] for one in made["warnings"]}
        made = ask("permit", "issue", town, HOUSE, "--starts", "2026-12-20", "--maximum-attendance", "90", *ON)[1]
        assert made["maximum_attendance"] == 90
        assert "no_maximum_attendance" not in {one["code"] for one in made["warnings"]}

    def test_those_of_the_event_file_are_taken(self, town, event):
        made = ask("permit", "issue", town, "--event", event(), *ON)[1]
        assert made["maximum_attendance"] == 240
        assert "maximum_from_application" in {one["code"] for one in made["warnings"]}

    def test_more_than_the_application_states_is_said(self, town, event):
        made = ask("permit", "issue", town, "--event", event(), "--maximum-attendance", "400", *ON)[1]
        assert made["maximum_attendance"] == 400
        assert "maximum_beyond_application" in {one["code"] for one in made["warnings"]}


class TestOptionsBesideTheFile:
    @pytest.mark.parametrize(
        ("option", "value", "key"),
        [
            ("--starts", "2027-06-20", "event.starts"),
            ("--ends", "2027-06-20", "event.ends"),
            ("--night", "no", "event.night"),
            ("--night", "unknown", "event.night"),
            ("--kind", "festival", "event.kind"),
            ("--persons", "241", "event.persons_at_once"),
            ("--applicant", "Another Trust", "applicant.name"),
            ("--distinct-events", "2", "event.distinct_events"),
            ("--owned-by", "museum", "premises.owned_entirely_by"),
        ],
    )
    def test_one_that_says_otherwise_is_refused(self, town, event, option, value, key):
        for command in ("check", "issue"):
            code, made, said = ask("permit", command, town, "--event", event(), option, value, "--on", "2026-09-01")
            assert (code, made) == (2, None)
            assert f"Leave {option} out" in said
            assert key in said

    def test_all_of_them_at_once(self, town, event):
        said = ask("permit", "issue", town, "--event", event(), "--starts", "2027-06-20", "--night", "no", *ON)[2]
        assert said.count("in the event file. The ordinance would be applied to another event") == 2

    def test_parcels_that_are_others_are_refused(self, town, event):
        code, _, said = ask("permit", "issue", town, HOUSE, "--event", event(), *ON)
        assert code == 2
        assert "the event file names 0900-127.00-01.00-009.000" in said

    def test_one_that_says_the_same_is_none(self, town, event):
        args = ["--starts", "2027-06-19", "--applicant", "bay keepers  trust", "--charity", "--night", "yes"]
        assert ask("permit", "issue", town, "0900-127.00-01.00-009.000", "--event", event(), *args, *ON)[0] == 0

    def test_one_answers_what_the_file_leaves_open_for_the_check_too(self, town, event):
        file = event(kind=None, owned_entirely_by=None, parcels=None)
        code, made, _ = ask("permit", "issue", town, HOUSE, "--event", file, "--kind", "party", "--owned-by", "private", *ON)
        assert (code, made["kind"], made["parcels"], made["against"]) == (0, "party", [HOUSE], [])

    def test_a_kind_that_no_check_knows_is_refused(self, town, event):
        assert ask("permit", "issue", town, "--event", event(kind=None), "--kind", "rodeo", *ON)[0] == 2

    def test_a_file_without_a_parcel_or_a_day_is_refused(self, town, event):
        assert ask("permit", "issue", town, "--event", event(parcels=None), *ON)[0] == 2
        assert ask("permit", "issue", town, "--event", event(starts=None, ends=None), *ON)[0] == 2


def test_a_parade_is_checked_as_one(town, tmp_path):
    file = tmp_path / "parade.toml"
    file.write_text(
        '[event]\nkind = "parade"\ntitle = "Walk"\nstarts = 2026-12-20T10:00:00\nends = 2026-12-20T12:00:00\nfiled = 2026-08-01\n'
        'persons_at_once = 200\npersons_total = 200\nsponsor = "private"\n[applicant]\nname = "Striders"\ncharitable = true\n'
        "other_property_violations = false\n[premises]\noutstanding_violations = false\n[insurance]\ncancel_notice_days = 30\n"
        "names_town = true\n[site]\ntents = []\nsigns = []\n[parade]\ncloses_highway = false\n"
    )
    code, made, said = ask("permit", "issue", town, "--event", file, *ON)
    assert (code, made["kind"], made["parcels"]) == (0, "parade", []), said
    file.write_text(file.read_text().replace("names_town = true", "names_town = false"))
    assert ask("permit", "issue", town, "--event", file, *ON)[0] == 5


def test_a_contradiction_from_python_is_a_usage_error(town, event):
    from geonotice.workflow.application import Options, completed

    with pytest.raises(UsageError, match="persons is 3 as given here, and 240 in the event file"):
        completed(read_event_file(event()), Options(persons=3), file="event")
