"""The handed layers with odd addresses, names and classes: every owner whose address stands in the file has a letter, or a warning says why not."""

import json
from typing import TYPE_CHECKING

import pytest
from program import run_here

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def lists(shared, tmp_path_factory):
    """Make the list of a layer, each once: init, import, notice."""
    made: dict[tuple[str, str], dict] = {}
    place: Path = tmp_path_factory.mktemp("towns")

    def listed(name: str, premises: str, town: str = "") -> dict:
        if (name, town) not in made:
            folder = place / f"{name}{len(made)}"
            run_here(
                "init",
                folder,
                "--parcels",
                shared / "faults" / "layers" / f"{name}.gpkg",
                "--ordinance",
                "italy",
                "--name",
                "Town of T",
            )
            file = folder / "town.toml"
            file.write_text(file.read_text().replace("\ncrs = ", f"\n{town}\ncrs = ", 1))
            run_here("import", folder)
            out = run_here(
                "notice", folder, premises, "--for", "hearing", "--hearing", "2027-03-10", "--on", "2027-01-05", "--json"
            )
            made[name, town] = json.loads(out.stdout)
        return made[name, town]

    return listed


def labels(record: dict, role: str) -> list[str]:
    lines = []
    for one in record["recipients"]:
        place = " ".join(part for part in (one["city"], one["state"], one["zip"]) if part)
        if one["role"] == role and one["mailable"]:
            lines.append(
                " / ".join(
                    line
                    for line in (one["name"], *one.get("name_2", "").split("; "), *one["address"], place, one["country"])
                    if line
                )
            )
    return lines


def said(record: dict) -> dict[str, int]:
    return {one["code"]: len(one.get("parcels", [])) for one in record["warnings"]}


@pytest.mark.parametrize(
    "label",
    [
        "ALDER HIROSHI / 23-21 NIJO / OSAKA 5691021 / JAPAN",
        "BIRCH ANNE / 12 MOUNT ST / LONDON W1K 3JP / UNITED KINGDOM",
        "CEDAR TOM / 400 KING ST W / TORONTO ON M5V 2T6 / CANADA",
        "DOGWOOD LUC / 8 RUE CAMBON / PARIS 75001 / FRANCE",
        "GUM SARAH / 1 GEORGE ST / SYDNEY NSW 2000 / AUSTRALIA",
        "HAZEL ROB / PSC 1234 BOX 56 / APO AE 09021",
        "IVY MARIA / CALLE SOL 5 / SAN JUAN PR 00901",
        "DATE B / 1 HAYARKON / TEL AVIV 6329301 / ISRAEL",
        "PROPERTY OWNER / 28 MAIN ST / NAPLES NY 14512",
        "SMITH JOHN / JONES MARY / 22 MAIN ST / NAPLES NY 14512",
        "WILLOW DAN / 44 MAIN ST / NAPLES NY 14512",
        "YEW PAT / 46 MAIN ST / FISHERS ISLAND NY 06390",
        "EBONY C / RUE DU RHONE 1 / 1204 GENEVE / SWITZERLAND",
    ],
)
def test_addresses_are_as_the_roll_has_them_and_the_country_is_the_last_line(lists, label):
    assert label in labels(lists("addr", "1-1-10"), "owner")


def test_what_was_changed_in_an_address_is_said_with_its_parcels(lists):
    codes = said(lists("addr", "1-1-10"))
    assert (codes["zip_completed"], codes["country_moved"], codes["country_added"], codes["owner_unnamed"]) == (3, 15, 1, 1)
    assert codes["country_missing"] == 1
    assert codes["unmailable"] == 6


def test_no_placeholder_is_a_street(lists):
    record = lists("null_addr", "2.-1-24")
    assert labels(record, "owner") == []
    assert said(record)["unmailable"] == 23


def test_a_placeholder_for_a_name_is_the_propertys_owner(lists):
    record = lists("null_owner", "2.-1-24")
    assert labels(record, "owner") == ["PROPERTY OWNER / 9 ELM ST / NAPLES NY 14512"] * 23
    assert said(record)["owner_unnamed"] == 23


@pytest.mark.parametrize(("name", "unnamed"), [("no_names", 3), ("blank_name", 2)])
def test_an_address_without_a_name_is_mailed(lists, name, unnamed):
    record = lists(name, "1-1")
    assert len(labels(record, "owner")) == 3
    assert said(record)["owner_unnamed"] == unnamed
    assert "PROPERTY OWNER / 12 SECOND ST / PENN YAN NY 14527" in labels(record, "owner")


@pytest.mark.parametrize(("name", "line"), [("situs_city", "11 SECOND"), ("situs_city_st", "11 SECOND ST")])
def test_a_propertys_address_with_its_city_makes_a_residents_letter(lists, name, line):
    assert f"CURRENT RESIDENT / {line} / PENN YAN NY 14527" in labels(lists(name, "1-1"), "resident")


def test_the_town_file_says_what_is_meant_and_the_list_says_so(lists):
    record = lists("class_letters", "7-1", 'city = "NAPLES"\nstate = "NY"\nzip = "14512"')
    assert "CURRENT RESIDENT / 5 CHURCH ST / NAPLES NY 14512" in labels(record, "resident")
    (warning,) = [one for one in record["warnings"] if one["code"] == "resident_place_from_town"]
    assert "NAPLES NY 14512" in warning["text"]
    assert {"7-2", "7-5"} <= set(warning["parcels"])


def test_classes_of_another_state_take_no_residents_letter_away(lists):
    assert len(labels(lists("class_letters", "7-1"), "resident")) == 12
