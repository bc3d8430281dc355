"""The event map of the demonstration town of Southampton: from its layers and its register to the page."""

import dataclasses
import json
import random
import re
from collections.abc import Iterator
from datetime import date, datetime

import pytest
import shapely
from msgspec.structs import replace

from geonotice.config.town import RegisterSpec
from geonotice.decide.cap_checks import permit_rules
from geonotice.errors import UsageError
from geonotice.facts.history import describe_land, slivers_of
from geonotice.opened_town import Opened, open_store
from geonotice.register.permit_check import check
from geonotice.register.session import open_town_register
from geonotice.register.values import Application
from geonotice.workflow.event_map import draw_year, year_page
from geonotice.workflow.permit_import import import_permits
from geonotice.workflow.permit_request import Issuing, PermitRequest
from geonotice.workflow.permits import issue_permit, year_of_permits

NOW = datetime(2026, 7, 1, 9, 0)  # noqa: DTZ001  # town hall time
ON = date(2026, 7, 20)
FULL, CHARITABLE, FREE = "0900-127.00-03.00-009.000", "0900-128.00-01.00-014.000", "0900-123.00-01.00-002.000"


@pytest.fixture(scope="module")
def made(imported, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Opened, object]]:
    """Return the town opened and its year: the spreadsheet's permits, a parade down Meadow Street, one permit past the cap."""
    place = imported("southampton", tmp_path_factory.mktemp("towns") / "southampton")
    with open_store(place) as plain:
        opened = replace(plain, town=dataclasses.replace(plain.town, register=RegisterSpec(f"sqlite:///{place}/year.sqlite")))
        with open_town_register(opened.town) as register:
            import_permits(opened, register, place / "permits.csv", now=NOW, by="Clerk")
            streets = opened.store.features_in("streets", (-1e9, -1e9, 1e9, 1e9))
            route = next(
                shape for row, shape in zip(streets.rows, streets.geometries, strict=True) if row["name"].startswith("Meadow")
            )
            parade = Application(
                kind="parade",
                title="Founders' Day",
                starts=date(2026, 9, 19),
                route=shapely.to_wkb(route),
                route_crs=opened.crs,
                streets=("Meadow Street",),
            )
            issue_permit(opened, register, PermitRequest(parade), Issuing(now=NOW, by="Clerk"))
            land, _ = describe_land(opened, [opened.store.find(FULL)])
            party = Application(
                kind="party",
                starts=date(2026, 8, 8),
                night=False,
                charitable=False,
                primarily_benefits_applicant=False,
                land=land,
            )
            issue_permit(
                opened,
                register,
                PermitRequest(party),
                Issuing(now=NOW, by="Supervisor", override="the hall burned down", why="moved here"),
            )
            yield opened, year_of_permits(opened, register, year=2026, on=ON)


def page_data(page: bytes) -> dict:
    text = page.decode()
    start = re.search(r"geonotice\.events\(map_\d+, layer_control_\d+, ", text)
    assert start is not None
    return json.JSONDecoder().raw_decode(text[start.end() :])[0]


def test_what_is_left_is_what_the_register_says(made) -> None:
    opened, year = made
    drawn, _ = draw_year(opened, year)
    states = {parcel.id: parcel.state for parcel in drawn.parcels}
    assert states[FULL] == "full"
    assert states[CHARITABLE] == "full"
    assert FREE not in states, "a parcel without permits is one of the lots"
    for parcel in drawn.parcels:
        said = next(item for item in year.parcels if item.parcel.id == parcel.id)
        assert (parcel.left, parcel.used, parcel.cap) == (said.left, said.used, said.cap)
        assert said.why in parcel.why


def test_what_is_left_on_every_lot_is_what_permit_check_says_of_it(made) -> None:
    opened, year = made
    drawn, _ = draw_year(opened, year)
    day = ON
    with open_town_register(opened.town) as register:
        of_permits = {parcel.fid: parcel for parcel in drawn.parcels}
        some = random.Random(283).sample(drawn.lots, 200) + [lot for lot in drawn.lots if lot.fid in of_permits]
        for lot in some:
            shown = of_permits.get(lot.fid, drawn.lands[lot.land])
            if shown.exempt:  # whose owner is exempt is an answer of the applicant, which this check does not have
                continue
            land, _ = describe_land(opened, [opened.store.find(lot.id)])
            asked = Application(
                kind="festival", starts=day, night=False, charitable=False, primarily_benefits_applicant=False, land=land
            )
            found = check(register, asked, on=day, rules=permit_rules(opened.profile), slivers=slivers_of(opened))
            (answer,) = found.finding.parcels
            decide = answer.status == "decide" or answer.zone == "undetermined"
            assert (shown.used, shown.cap, shown.decide) == (answer.used, answer.cap, decide), lot.id
            assert shown.left == (None if decide else answer.left), lot.id
            assert shown.state == ("decide" if decide else shown.state)
            assert answer.why in shown.why, lot.id


def test_a_lot_in_a_village_says_so(made) -> None:
    opened, year = made
    drawn, _ = draw_year(opened, year)
    notes = {drawn.lands[lot.land].note for lot in drawn.lots}
    assert any("Village of Pondcrest" in note for note in notes)
    assert "" in notes


def test_an_unknown_number_in_the_list_of_private_titles_is_refused(made) -> None:
    opened, year = made
    with pytest.raises(UsageError, match="no permit '2026-9999'"):
        year_page(opened, year, public=True, private_titles=["2026-9999"])


def test_every_permit_and_every_parcel_is_in_the_page(made) -> None:
    opened, year = made
    data = page_data(year_page(opened, year))
    shown = {permit["number"] for permit in data["permits"]} | {parade["number"] for parade in data["parades"]}
    assert shown == {item.permit.number for item in year.permits}
    assert len(draw_year(opened, year)[0].lots) == opened.store.count()
    assert [parade["title"] for parade in data["parades"]] == ["Founders' Day"]


def test_a_route_in_other_coordinates_is_not_drawn_and_that_is_said(made) -> None:
    opened, year = made
    moved = tuple(replace(item, permit=replace(item.permit, route_crs="EPSG:2261")) for item in year.permits)
    drawn, _ = draw_year(opened, replace(year, permits=moved))
    assert not drawn.parades
    (number,) = [item.permit.number for item in year.permits if item.permit.kind == "parade"]
    assert number in {permit.number for permit in drawn.permits}
    assert f"The route of {number} is in EPSG:2261" in drawn.warnings[-1].text


def test_the_override_is_shown_to_staff_with_its_reason_and_to_all_without(made) -> None:
    opened, year = made
    staff = next(permit for permit in page_data(year_page(opened, year))["permits"] if permit["over"])
    public = next(permit for permit in page_data(year_page(opened, year, public=True))["permits"] if permit["over"])
    assert staff["override"] == "the hall burned down"
    assert "override" not in public


def test_a_village_inside_the_town_has_the_500_ft_line_round_it(made) -> None:
    opened, year = made
    drawn, layers = draw_year(opened, year)
    assert drawn.boundary_ft == 500.0
    assert any("Pondcrest" in feature.label for feature in drawn.neighbours)
    assert not any("Southampton" in feature.label for feature in drawn.neighbours)
    assert layers.zoning


def test_the_public_page_has_no_owner_and_no_applicant(made) -> None:
    opened, year = made
    page = year_page(opened, year, public=True)
    drawn, _ = draw_year(opened, year)
    names = {name for parcel in drawn.parcels for name in parcel.owners} | {permit.applicant for permit in drawn.permits}
    assert len(names) > 10
    for name in names - {""}:
        assert json.dumps(name)[1:-1].encode() not in page, name
