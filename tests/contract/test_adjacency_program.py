"""The adjacency cases through the whole program: imported as a town's layer, and listed for Southampton's appeal."""

import json
import shutil
from datetime import date

import pyogrio
import pytest

from geonotice.opened_town import find_premises, open_store
from geonotice.workflow.importing import import_layers
from geonotice.workflow.notice import NoticeRequest, make_notice

pytestmark = pytest.mark.shared

CASES = (
    "midblock_aligned", "midblock_offset", "skewed_lot_lines", "corner_lot", "row_polygons", "railroad_between", "two_lot_premises",
    "digitizing_gaps", "cul_de_sac", "through_lot", "stacked_condominium", "stacked_premises", "flag_lot", "waterfront",
)  # fmt: skip


def test_every_case_is_here(shared):
    assert set(CASES) == set(json.loads((shared / "cases" / "adjacency" / "expected.json").read_text()))


@pytest.mark.parametrize("case", CASES)
def test_the_appeal_lists_who_abuts_and_who_is_opposite(shared, tmp_path, case):
    expected = json.loads((shared / "cases" / "adjacency" / "expected.json").read_text())[case]
    shutil.copy(shared / "cases" / "adjacency" / f"{case}.gpkg", tmp_path / "parcels.gpkg")
    layers = [name for name, _ in pyogrio.list_layers(tmp_path / "parcels.gpkg")]
    lines = [
        "[town]",
        f'name = "{case}"',
        'ordinance = "southampton"',
        'crs = "EPSG:2263"',
        "[[layers.parcels]]",
        'path = "parcels.gpkg"',
    ]
    lines += [f'layer = "{layers[0]}"', "[layers.parcels.fields]"]
    columns = pyogrio.read_info(tmp_path / "parcels.gpkg", layer=layers[0])["fields"]
    key = next(name for name in columns if name.lower() in ("id", "print_key", "key", "tax_map_number"))
    lines.append(f'tax_map_number = "{key}"')
    (tmp_path / "town.toml").write_text("\n".join(lines))
    import_layers(tmp_path)
    with open_store(tmp_path) as opened:
        made = make_notice(
            opened, find_premises(opened, expected["premises"]), NoticeRequest(occasion="appeal", on=date(2026, 9, 1))
        ).notice
    found = {
        relation: {p.id for p in made.parcels if relation in (p.relation, *p.also) and "straight_across" not in p.review}
        for relation in ("abutting", "corner", "opposite")
    }
    assert {relation: sorted(ids) for relation, ids in found.items()} == {
        relation: sorted(expected[relation]) for relation in ("abutting", "corner", "opposite")
    }
