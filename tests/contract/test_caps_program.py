"""The stated cap cases through the command line: a town is imported, its past permits come in as CSV, ``permit check`` and ``issue`` answer.

Every case has lots of its own in one town, so that one import of layers and one of permits serve all of them.
"""

import csv
import json
from pathlib import Path

import geopandas
import pytest
import shapely
from cap_cases import CASES, case_parcels
from law_toys import FACTS, event_of
from program import exit_code

HANDED = Path(__file__).resolve().parents[3] / "shared" / "cases" / "caps.json"
ALL = [
    *CASES,
    *({**case, "name": f"handed_{case['name']}"} for case in (json.loads(HANDED.read_text()) if HANDED.exists() else [])),
]
DISTRICTS = {"residential": ("CR-40",), "other": ("HO",), "split": ("CR-40", "HO"), "undetermined": ("PDD",)}
RULES = ("sh.cap_residential", "sh.cap_other", "sh.cap_exempt")
EXITS = {"met": 0, "decide": 4, "not_met": 5}
WORDS = {True: "yes", False: "no", None: "unknown"}
COLUMNS = ("number", "kind", "parcels", "charitable", "distinct_events", "issued", "starts", "ends", "night", "status")


def lots(n: int) -> list[str]:
    """Return the tax map numbers of a case's parcels."""
    return [f"12-{n + 1}-{k}" for k in range(1, len(case_parcels(ALL[n])) + 1)]


def write_layers(folder: Path) -> None:
    """Write a lot of 200 by 300 ft for every parcel of every case, and a district over it; a split lot has two, half each."""
    numbers, parcels, codes, districts = [], [], [], []
    for n, case in enumerate(ALL):
        for k, (number, (zone, _)) in enumerate(zip(lots(n), case_parcels(case), strict=True)):
            x, y = 1_400_000 + 250 * n, 250_000 + 350 * k
            numbers.append(number)
            parcels.append(shapely.box(x, y, x + 200, y + 300))
            width = 200 / len(DISTRICTS[zone])
            for part, code in enumerate(DISTRICTS[zone]):
                codes.append(code)
                districts.append(shapely.box(x + part * width, y, x + (part + 1) * width, y + 300))
    columns = {"PRINT_KEY": numbers, "OWNER": ["A. Able"] * len(numbers)}
    geopandas.GeoDataFrame(columns, geometry=parcels, crs="EPSG:2263").to_file(folder / "parcels.gpkg", engine="pyogrio")
    geopandas.GeoDataFrame({"district": codes}, geometry=districts, crs="EPSG:2263").to_file(
        folder / "zoning.gpkg", engine="pyogrio"
    )
    (folder / "town.toml").write_text(
        '[town]\nname = "Caps"\nordinance = "southampton"\ncrs = "EPSG:2263"\n'
        '[[layers.parcels]]\npath = "parcels.gpkg"\n[layers.parcels.fields]\ntax_map_number = "PRINT_KEY"\n'
        '[layers.zoning]\npath = "zoning.gpkg"\n[layers.zoning.fields]\ndistrict = "district"\n'
    )


def write_permits(file: Path) -> int:
    """Write the histories of all cases as the spreadsheet of one town, and give how many permits that is."""
    rows = []
    for n, case in enumerate(ALL):
        for number, (_, history) in zip(lots(n), case_parcels(case), strict=True):
            for k, permit in enumerate(history, start=1):
                row = {"number": f"{number}/{k}", "parcels": number, **permit}
                rows.append(
                    {name: WORDS[value] if isinstance(value, bool) or value is None else value for name, value in row.items()}
                )
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return len(rows)


@pytest.fixture(scope="module")
def town(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("caps")
    write_layers(folder)
    assert exit_code("import", folder) == 0
    assert write_permits(folder / "past.csv") > 0
    assert exit_code("permit", "import", folder, folder / "past.csv", "--by", "the clerk", "--on", "2026-01-02") == 0
    return folder


def toml_of(event: dict) -> str:
    """Write an event as TOML: tables of texts, numbers, yes and no, and lists of these."""
    return "\n".join(
        line
        for name, table in event.items()
        for line in (f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items()))
    )


def asked(n: int, folder: Path) -> list[str]:
    """Write the request of a case as a clerk types it.

    The options know *yes* and *no*; an answer nobody gave is one that an event file leaves out.
    """
    case, request = ALL[n], ALL[n]["request"]
    charity = {
        "charitable": request["charitable_applicant"],
        "primarily_benefits_applicant": request["primarily_benefits_applicant"],
    }
    words = [*lots(n), "--starts", request["starts"], "--night", WORDS[request["night"]], "--on", request["on"]]
    if request.get("ends"):
        words += ["--ends", request["ends"]]
    if "distinct_events" in request:
        words += ["--distinct-events", str(request["distinct_events"])]
    owner = case.get("owned_by", "fire" if case.get("exempt_owner") else None)
    if owner:
        words += ["--owned-by", owner]
    if None in charity.values():
        file = folder / f"event-{n}.toml"
        # The rest of the ordinance is applied too: everything but what the case leaves open is answered and met.
        answers = {
            "event.starts": None,
            "event.ends": None,
            "event.night": None,
            "event.filed": "2024-01-02",
            "event.distinct_events": request.get("distinct_events", 1),
            "premises.parcels": None,
            "premises.owned_entirely_by": "private",
            "applicant.charitable": charity["charitable"],
            "benefit.primarily_benefits_applicant": charity["primarily_benefits_applicant"],
        }
        file.write_text(toml_of(event_of("southampton", answers)))
        return [*words, "--event", str(file)]
    words += ["--charity"] if charity["charitable"] else []
    return words + (["--benefits-applicant"] if charity["primarily_benefits_applicant"] else [])


@pytest.mark.parametrize("n", range(len(ALL)), ids=[case["name"] for case in ALL])
def test_permit_check_answers_and_permit_issue_keeps_to_it(town, tmp_path, capsys, n):
    case, words = ALL[n], asked(n, tmp_path)
    capsys.readouterr()
    code = exit_code("permit", "check", town, *words, "--json", "--strict")
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["status"] == case["expect"], (case["why"], found["text"])
    assert code == EXITS[case["expect"]]
    assert sorted(found["review"]) == sorted(case.get("review", [])), (case["why"], found["text"])
    assert (found["next_date"] is None) == (found["status"] != "not_met" or case.get("next_date", ...) is None)
    for name in ("used", "cap", "rule", "next_date", "next_date_of"):
        assert found[name] == case.get(name, found[name]), (name, found["text"])
    assert sorted(found["missing"]) == sorted(case.get("missing", found["missing"])), found["text"]
    zones = [zone for zone, _ in case_parcels(case)]
    assert [(parcel["id"], parcel["zone"]) for parcel in found["parcels"]] == list(zip(lots(n), zones, strict=True))
    assert exit_code("permit", "issue", town, *words, "--by", "Chief Fire Marshal", "--json") == EXITS[case["expect"]]


@pytest.mark.parametrize("n", [n for n, case in enumerate(ALL) if "parcels" not in case], ids=lambda n: ALL[n]["name"])
def test_a_check_of_stated_facts_answers_the_same(tmp_path, capsys, n):
    case, request = ALL[n], ALL[n]["request"]
    owner = case.get("owned_by", "fire" if case.get("exempt_owner") else "private")
    event = event_of(
        "southampton",
        {
            "event.starts": request["starts"],
            "event.ends": request.get("ends", request["starts"]),
            "event.night": request["night"],
            "event.distinct_events": request.get("distinct_events", 1),
            "applicant.charitable": request["charitable_applicant"],
            "benefit.primarily_benefits_applicant": request["primarily_benefits_applicant"],
            "premises.owned_entirely_by": owner,
        },
    )
    stated = {
        "ordinance": "southampton",
        "on": request["on"],
        "event": event,
        "parcel_facts": {**FACTS, "zone": case["zone"]},
        "history": list(case["history"]),
    }
    (tmp_path / "case.json").write_text(json.dumps(stated))
    capsys.readouterr()
    exit_code("check", "--case", tmp_path / "case.json", "--json")
    findings = json.loads(capsys.readouterr().out)["findings"]
    found = {item["rule"]: item["status"] for item in findings if item["rule"] in RULES}
    if case.get("exempt_owner"):
        assert found == {"sh.cap_exempt": "met"}
    else:
        rules = {"residential": RULES[:1], "undetermined": RULES[:2]}.get(case["zone"], RULES[1:2])
        assert found == dict.fromkeys(rules, case["expect"]), case["why"]


def test_the_register_holds_the_past_permits_and_those_that_could_be_issued(town, capsys):
    """Runs after the cases of its worker: nothing past a cap was written."""
    capsys.readouterr()
    assert exit_code("permit", "log", town, "--verify", "--json") == 0
    assert json.loads(capsys.readouterr().out)["sound"]
