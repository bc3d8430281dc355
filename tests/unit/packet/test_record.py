"""The record has the plan's keys and nothing is lost on the way into it."""

import json
import subprocess
import sys

from msgspec.structs import replace

from geonotice.packet.record import record, record_json


def test_the_keys_come_in_the_plans_order(notice):
    assert list(record(notice)) == [
        "occasion", "required", "town", "ordinance", "premises", "parcels", "near_misses", "recipients", "municipalities", "districts",
        "frontages", "signs", "schedule", "overrides", "corrections", "warnings", "settings", "sources", "version",
    ]  # fmt: skip


def test_an_empty_notice_has_the_same_keys(notice):
    bare = replace(
        notice, **dict.fromkeys(("parcels", "near_misses", "recipients", "warnings", "schedule", "overrides", "sources"), ())
    )
    assert list(record(bare)) == list(record(notice))
    assert record(bare)["warnings"] == []


def test_parcels(notice):
    first, second = record(notice)["parcels"]
    assert first == {
        "id": "12.01-1-15.1", "swis": "572400", "relation": "abutting", "also": ["within"], "distance_ft": 0.0, "shared_ft": 101.24,
        "rule": "italy.notice1000", "citation": "C", "review": [], "owners": 1, "residents": 1, "situs": "12 MAIN ST",
    }  # fmt: skip
    assert second["distance_ft"] == 1000.0
    assert "shared_ft" not in second
    assert second["review"] == ["borderline"]


def test_recipients(notice):
    made = record(notice)["recipients"]
    assert made[0] == {
        "number": 1, "role": "owner", "name": "O'BRIEN & SÖHNE", "name_2": "C/O ROE; ATTN LEE", "address": ["12 MAIN ST", "FL 2", "PO BOX 3"],
        "city": "NAPLES", "state": "NY", "zip": "04512", "country": "", "mail": "first_class", "mailable": True, "parcels": ["12.01-1-15.1"],
        "reasons": ["italy.notice1000"],
    }  # fmt: skip
    assert made[1]["review"] == ["unmailable"]
    assert (made[1]["mail"], made[1]["mailable"]) == ("first_class", False), "what the rule asks for, and that it cannot be done"
    assert [one["mailable"] for one in made] == [True, False, True, True, True]
    assert [one["role"] for one in made] == ["owner", "owner", "resident", "clerk", "applicant"]


def test_the_other_parts(notice):
    made = record(notice)
    assert made["ordinance"] == {"id": "italy", "effective": None, "sha256": "cd" * 32}
    assert made["near_misses"] == [{"id": "12.01-1-17", "distance_ft": 1040.13}]
    assert made["municipalities"] == [{"name": "Sagg", "swis": "573601", "distance_ft": 120.56}]
    assert made["districts"] == [{"code": "CR-60", "class": "residential", "area_sq_ft": 43560, "share": 0.9877}]
    assert made["frontages"] == [
        {"n": 1, "street": "MAIN ST", "jurisdiction": "town", "length_ft": 100.13, "status": "answered"},
        {"n": 2, "length_ft": 20.0, "status": "open"},
    ]
    assert made["signs"] == [{"street": "MAIN ST", "jurisdiction": "town", "frontage_ft": 100.13}]
    assert made["overrides"] == [{"id": "12.01-1-16", "action": "add", "reason": "owner asked <to be told>"}]
    assert made["warnings"][0]["parcels"] == ["12.01-1-15.1"]
    assert "parcels" not in made["warnings"][1]
    assert made["settings"] == {"crs": "EPSG:2261", "tolerance_ft": 1.5, "on": "2026-09-01", "hearing": "2026-10-20"}
    assert made["sources"] == [
        {
            "layer": "parcels",
            "path": "parcels.gpkg",
            "sha256": "ab" * 32,
            "as_of": "2026-07-01",
            "features": 1200,
            "roll_year": 2026,
            "final": False,
        }
    ]


def test_the_same_notice_gives_the_same_bytes(notice):
    assert record_json(notice) == record_json(replace(notice))
    assert json.loads(record_json(notice)) == record(notice)
    assert "SÖHNE" in record_json(notice).decode()


def test_the_record_loads_no_heavy_library():
    code = "import sys, geonotice.packet.record; print([m for m in ('pandas', 'geopandas', 'pyogrio', 'fiona', 'folium', 'pyproj', 'pydantic', 'jinja2', 'reportlab') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
