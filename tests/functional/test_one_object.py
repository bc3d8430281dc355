"""With --json every command prints one object on standard output and nothing else, also where it exits with other than 0."""

import json
import shutil

import pytest
from program import run

FREE = "0900-123.00-01.00-002.000"
FULL = "0900-127.00-03.00-009.000"
TODAY = ["--on", "2026-09-01"]


@pytest.fixture(scope="module")
def town(southampton, tmp_path_factory):
    """A copy of the demonstration town: some of these commands write into it."""
    return shutil.copytree(southampton, tmp_path_factory.mktemp("towns") / "southampton")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["inspect", "TOWN/parcels.gpkg"], 0),
        (["init", "NEW", "--parcels", "TOWN/parcels.gpkg", "--ordinance", "southampton"], 0),
        (["import", "TOWN"], 0),
        (["notice", "TOWN", FREE, "--for", "appeal", "--hearing", "2026-10-20", *TODAY], 0),
        (["parcel", "TOWN", FREE], 0),
        (["check", "TOWN", "TOWN/events/allowed.toml", *TODAY], 0),
        (["check", "TOWN", "TOWN/events/refused.toml", *TODAY], 5),
        (["check", "TOWN", "TOWN/events/undecided.toml", *TODAY, "--strict"], 4),
        (["deadlines", "TOWN", "--event", "2026-07-04"], 0),
        (["permit", "check", "TOWN", FREE, "--starts", "2026-12-20", *TODAY], 0),
        (["permit", "check", "TOWN", FULL, "--starts", "2026-12-20", *TODAY], 5),
        (["permit", "list", "TOWN"], 0),
        (["permit", "log", "TOWN"], 0),
        (["permit", "log", "TOWN", "--verify"], 0),
        (["permit", "log", "TOWN", "--verify", "--head", "0"], 3),
        (["permit", "show", "TOWN", "SE-2026-003"], 0),
        (["permit", "export", "TOWN", "NEW.csv"], 0),
        (["permit", "import", "TOWN", "TOWN/permits.csv", "--dry-run"], 0),
        (["map", "TOWN", "--year", "2026", "--out", "NEW.html", *TODAY], 0),
        (["ordinance", "list"], 0),
        (["ordinance", "show", "italy"], 0),
        (["ordinance", "validate", "italy"], 0),
        (["ordinance", "validate", "TOWN/town.toml"], 3),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else str(value),
)
def test_one_object(town, tmp_path, args, code):
    filled = [str(arg).replace("TOWN", str(town)).replace("NEW", str(tmp_path / "new")) for arg in args]
    assert isinstance(json.loads(run(*filled, "--json", expect=code).stdout), dict)


@pytest.mark.parametrize(
    "args",
    [
        ["parcel", "TOWN", "99-9"],
        ["permit", "show", "TOWN", "99"],
        ["check", "TOWN", "none.toml"],
        ["map", "TOWN", "--year", "1"],
    ],
)
def test_an_error_is_said_on_standard_error_only(town, args):
    done = run(*(arg.replace("TOWN", str(town)) for arg in args), "--json", expect=3 if args[0] == "check" else 2)
    assert done.stdout == ""
    assert done.stderr


def test_init_names_its_questions_and_exits_with_4(tmp_path):
    (tmp_path / "parcels.geojson").write_text(
        json.dumps(
            {
                "type": "FeatureCollection",
                "features": [
                    {
                        "type": "Feature",
                        "properties": {"LOT": f"12-{n}", "CODE": f"A{n}"},
                        "geometry": {
                            "type": "Polygon",
                            "coordinates": [
                                [
                                    [-77.3 + n / 1000, 42.6],
                                    [-77.2995 + n / 1000, 42.6],
                                    [-77.2995 + n / 1000, 42.601],
                                    [-77.3 + n / 1000, 42.6],
                                ]
                            ],
                        },
                    }
                    for n in range(3)
                ],
            }
        )
    )
    made = json.loads(
        run(
            "init", tmp_path / "town", "--parcels", tmp_path / "parcels.geojson", "--ordinance", "italy", "--json", expect=4
        ).stdout
    )
    assert made["questions"]
    assert made["file"] == str(tmp_path / "town" / "town.toml")
