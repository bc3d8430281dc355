"""A register of its own for each test, and an application that fits it."""

import shutil
from datetime import date, datetime
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
import shapely
from msgspec.structs import replace

from geonotice.decide.cap_checks import PermitRules, permit_rules
from geonotice.errors import ParcelNotFound
from geonotice.model import Parcel, Situs
from geonotice.ordinance.load import load_profile
from geonotice.register.permits import issue
from geonotice.register.session import open_register
from geonotice.register.values import Application, Land
from geonotice.store import FeatureBlock, ParcelBlock

SOUTHAMPTON = permit_rules(load_profile("southampton"))
NOW = datetime(2026, 5, 1, 12, 0)  # noqa: DTZ001  # town hall time, as the log keeps it


def make_land(
    parcel: str = "12.01-1-15", box: tuple[float, float, float, float] = (1000, 1000, 1200, 1300), **more: object
) -> Land:
    shape = shapely.box(*box)
    made = {"parcel": parcel, "zone": "residential", "geometry": shape.wkb, "crs": "EPSG:2263", "area_sq_ft": shape.area}
    return Land(**{**made, **more})


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/permits.sqlite"


@pytest.fixture(scope="session")
def empty_register(tmp_path_factory) -> Path:
    """Return the file of a register that holds nothing: made once, as all versions of its tables are gone through, and copied for each test."""
    made = tmp_path_factory.mktemp("empty") / "permits.sqlite"
    with open_register(f"sqlite:///{made}"):
        return made


@pytest.fixture
def register(url, empty_register):
    shutil.copyfile(empty_register, url.removeprefix("sqlite:///"))
    with open_register(url, examined=False) as opened:
        yield opened


@pytest.fixture
def land():
    return make_land


@pytest.fixture
def application():
    return Application(
        kind="festival",
        title="Fair",
        applicant="Ann Roe",
        charitable=False,
        primarily_benefits_applicant=False,
        starts=date(2026, 8, 8),
        night=False,
        land=(make_land(),),
    )


@pytest.fixture
def give(register, application):
    """Issue a permit; keywords change the application, ``now``, ``rules``, ``override`` and ``apart`` the issuing."""

    def issued(
        *, now: datetime = NOW, override: str = "", rules: PermitRules = SOUTHAMPTON, apart: bool = False, **changes: object
    ):
        asked = replace(application, **changes)
        return issue(register, asked, now=now, by="Clerk", rules=rules, override=override, apart=apart)

    return issued


class Layer:
    """Parcels of today, asked as a store is asked: a number to each box."""

    def __init__(
        self, boxes: dict[str, tuple[float, float, float, float]], streets: dict[str, shapely.LineString] | None = None
    ) -> None:
        self.boxes = boxes
        self.streets = streets or {}
        self.listed = [
            Parcel(fid, number, number, "", "lot", Situs(), "210", "", 2026, 0, shapely.box(*box).area)
            for fid, (number, box) in enumerate(boxes.items(), start=1)
        ]

    meta: ClassVar = {"crs": "EPSG:2263"}

    def geometries(self, fids):
        return np.array([shapely.box(*self.boxes[self.listed[fid - 1].id]) for fid in fids], dtype=object)

    def parcels(self, fids):
        return ParcelBlock(tuple(self.listed[fid - 1] for fid in sorted(fids)), self.geometries(sorted(fids)))

    def parcels_in(self, *boxes):
        area = shapely.union_all([shapely.box(*box) for box in boxes])
        found = [parcel for parcel in self.listed if area.intersects(shapely.box(*self.boxes[parcel.id]))]
        return ParcelBlock(tuple(found), self.geometries([parcel.fid for parcel in found]))

    def features_in(self, kind, bounds):
        assert kind == "streets"
        return FeatureBlock(tuple({"name": name, "jurisdiction": ""} for name in self.streets), list(self.streets.values()))

    def find(self, number):
        for parcel in self.listed:
            if parcel.id == number:
                return parcel
        raise ParcelNotFound(number)


@pytest.fixture
def layer():
    return Layer
