"""A notice with a little of everything, for the renderers."""

from datetime import date

import pytest
from msgspec.structs import replace

from geonotice.model import (
    Adjoining,
    Clause,
    District,
    Frontage,
    Municipality,
    NearMiss,
    Notice,
    NoticeParcel,
    OrdinanceRef,
    Override,
    Recipient,
    ResultWarning,
    Sign,
    Source,
)  # fmt: skip

ROLL = Source("parcels", "parcels.gpkg", "ab" * 32, date(2026, 7, 1), 1200, "EPSG:2261", 1, 1, 2026, False)  # noqa: FBT003  # not final


def piece(number, *names, address=("12 MAIN ST",), **changes):
    made = Recipient(
        number, "owner", names, address, "NAPLES", "NY", "04512", "", "first_class", ("12.01-1-15.1",), ("italy.notice1000",),
        "12 MAIN ST", "within", 123.456,
    )  # fmt: skip
    return replace(made, **changes)


@pytest.fixture
def recipient():
    """Make a recipient from its number and names."""
    return piece


@pytest.fixture
def notice():
    """Return a notice of two owners, a resident, a clerk and the applicant."""
    return Notice(
        occasion="hearing",
        required="yes",
        town="Town of Italy",
        ordinance=OrdinanceRef("italy", None, "cd" * 32),
        premises=("11.00-1-1",),
        premises_situs=("1 FAIR RD",),
        on=date(2026, 9, 1),
        hearing=date(2026, 10, 20),
        version="0.1.0",
        clauses=(Clause("italy.notice1000", "Italy, mass public assembly, C", "to all owners & residents"),),
        parcels=(
            NoticeParcel(
                2,
                "12.01-1-15.1",
                "572400",
                "abutting",
                0.0,
                "italy.notice1000",
                "C",
                "12 MAIN ST",
                ("within",),
                101.239,
                None,
                (),
                1,
                1,
            ),
            NoticeParcel(
                3, "12.01-1-16", "572400", "within", 1000.004, "italy.notice1000", "C", "", (), None, None, ("borderline",), 1, 0
            ),
        ),
        near_misses=(NearMiss("12.01-1-17", 1040.126),),
        recipients=(
            piece(1, "O'BRIEN & SÖHNE", "C/O ROE", "ATTN LEE", address=("12 MAIN ST", "FL 2", "PO BOX 3")),
            piece(2, "=HYPERLINK(0)", address=(), city="", state="", zip="", review=("unmailable",)),
            piece(3, "CURRENT RESIDENT", role="resident"),
            piece(
                4,
                "Village Clerk",
                "Village of Sagg",
                role="clerk",
                parcels=(),
                situs="",
                relation="",
                distance_ft=None,
                mail="certified",
            ),
            piece(
                5,
                "FAIR CO",
                role="applicant",
                mail="none",
                parcels=("11.00-1-1",),
                reasons=(),
                relation="premises",
                distance_ft=0.0,
            ),
        ),
        municipalities=(Municipality("Sagg", "573601", 120.555),),
        districts=(District("CR-60", "residential", 43560.4, 0.98765),),
        frontages=(Frontage(1, 100.126, "answered", "MAIN ST", "town"), Frontage(2, 20.0, "open")),
        signs=(Sign("MAIN ST", "town", 100.126),),
        schedule=(Adjoining("12.01-1-15.1", "O'BRIEN & SÖHNE"),),
        overrides=(Override("12.01-1-16", "add", "owner asked <to be told>"),),
        warnings=(
            ResultWarning("unmailable", "The address of an owner is missing, for 1 property.", ("12.01-1-15.1",)),
            ResultWarning("search_past_cover", "The search area reaches past the <layer>."),
        ),
        settings={"crs": "EPSG:2261", "tolerance_ft": 1.5},
        sources=(ROLL,),
    )
