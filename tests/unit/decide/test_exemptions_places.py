"""Exemptions by the place of an event, and of regular sports, as a town's own profile may have them."""

from datetime import date
from typing import Any

import pytest
from law_toys import event_of
from profile_toys import PERMIT, profile_of, rule

from geonotice.config.read_application import event_from_data
from geonotice.decide.case import PremisesFacts
from geonotice.decide.check import CheckResult, check


def asked(kind: str, values: str, facts: PremisesFacts | None = None, **answers: Any) -> CheckResult:
    free = rule("free", "exemption", more=f'check = "{kind}"\nvalues = {{ {values} }}')
    changes = {key.replace("__", "."): value for key, value in answers.items()}
    event = event_from_data(event_of("southampton", changes), file="event")
    return check(profile_of(PERMIT, free), event, facts or PremisesFacts(zone="other"), on=date(2026, 6, 1))


def status(result: CheckResult) -> str:
    """Return how the exemption was answered; where it does not apply, that."""
    found = [one.status for one in result.findings if one.rule == "oak.free"]
    return found[0] if found else "does not apply"


class TestByPlace:
    OWNERS = 'owners = ["educational", "fire"]'

    @pytest.mark.parametrize(
        ("owner", "answer", "needed"), [("fire", "met", False), ("private", "does not apply", True), (None, "decide", None)]
    )
    def test_land_of_these_owners_needs_no_permit(self, owner, answer, needed):
        made = asked("exempt_place", self.OWNERS, premises__owned_entirely_by=owner)
        assert (status(made), made.permit_required) == (answer, needed)

    def test_who_owns_it_is_asked(self):
        made = asked("exempt_place", self.OWNERS, premises__owned_entirely_by=None)
        assert any("premises.owned_entirely_by" in question for question in made.missing)

    def test_municipal_land_is_told_by_the_roll_where_nothing_is_answered(self):
        roll = PremisesFacts(zone="other", municipal_owner=True)
        made = asked("exempt_place", 'owners = ["municipality"]', roll, premises__owned_entirely_by=None)
        assert (status(made), made.permit_required) == ("met", False)

    @pytest.mark.parametrize(("grounds", "answer"), [(True, "met"), (False, "does not apply"), (None, "decide")])
    def test_town_grounds(self, grounds, answer):
        made = asked("exempt_place", "town_grounds = true", premises__municipal_building_or_grounds=grounds)
        assert status(made) == answer

    def test_private_land_is_no_town_grounds(self):
        roll = PremisesFacts(zone="other", municipal_owner=False)
        assert (
            status(asked("exempt_place", "town_grounds = true", roll, premises__municipal_building_or_grounds=None))
            == "does not apply"
        )

    def test_either_is_enough(self):
        both = f"{self.OWNERS}, town_grounds = true"
        made = asked("exempt_place", both, premises__owned_entirely_by="private", premises__municipal_building_or_grounds=True)
        assert status(made) == "met"


class TestRegularSports:
    @pytest.mark.parametrize(
        ("kind", "regular", "answer"),
        [
            ("sports", True, "met"),
            ("sports", False, "does not apply"),
            ("sports", None, "decide"),
            ("festival", None, "does not apply"),
            (None, None, "decide"),
        ],
    )
    def test_a_regular_game_needs_no_permit(self, kind, regular, answer):
        assert status(asked("exempt_sports", "", event__kind=kind, event__regular_sporting_event=regular)) == answer

    @pytest.mark.parametrize(("owner", "answer"), [("educational", "met"), ("private", "does not apply"), (None, "decide")])
    def test_on_land_of_these_owners_only(self, owner, answer):
        made = asked(
            "exempt_sports", 'owners = ["educational"]',
            event__kind="sports", event__regular_sporting_event=True, premises__owned_entirely_by=owner,
        )  # fmt: skip
        assert status(made) == answer
