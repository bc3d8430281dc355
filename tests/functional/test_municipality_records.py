"""A municipalities layer that lists one municipality in several records."""

import geopandas as gpd
import shapely
from condo_toys import PREMISES, X, Y, notice_of, row, write_town

CLERK = "1 Clerk St, Milo, NY 14527"
HOME = shapely.box(X - 5_000, Y - 5_000, X + 400, Y + 5_000)


def notice_with(folder, *municipalities):
    rows = [{"NAME": "Italy", "KIND": "Town", "SWIS": "573000", "CLERK_ADDRESS": "", "geometry": HOME}, *municipalities]
    gpd.GeoDataFrame(rows, crs="EPSG:2261").to_file(folder / "towns.gpkg", layer="towns")
    write_town(folder, [row("1-1", PREMISES)], ordinance="southampton", more='[layers.municipalities]\npath = "towns.gpkg"\n')
    return notice_of(folder, "1-1", occasion="appeal")


def part(name, kind, swis, west, south=0, *, address=CLERK):
    shape = shapely.box(X + west, Y + south, X + 5_000, Y + south + 2_000)
    return {"NAME": name, "KIND": kind, "SWIS": swis, "CLERK_ADDRESS": address, "geometry": shape}


def test_its_clerk_is_listed_and_mailed_once_from_the_nearest_part(tmp_path):
    notice = notice_with(
        tmp_path, part("Milo", "Town", "573800", 550, 0), part("Milo", "Town", "573800", 400, -1_000), part("Milo", "Village", "573801", 500, 0)
    )  # fmt: skip
    assert [(one.name, one.kind, one.distance_ft) for one in notice.municipalities] == [
        ("Milo", "town", 300),
        ("Milo", "village", 400),
    ]
    assert [one.distance_ft for one in notice.recipients if one.role == "clerk"] == [300, 400]


def test_addresses_that_differ_are_a_warning(tmp_path):
    notice = notice_with(
        tmp_path,
        part("Milo", "Town", "573800", 400, 0),
        part("Milo", "Town", "573800", 500, address="2 Other St, Milo, NY 14527"),
    )
    assert len(notice.municipalities) == 1
    assert [one.code for one in notice.warnings if one.code == "clerk_addresses_differ"] == ["clerk_addresses_differ"]


def test_one_address_in_two_spellings_is_one(tmp_path):
    notice = notice_with(
        tmp_path,
        part("Milo", "Town", "573800", 400, 0, address="1 Clerk Street, Milo, NY 14527"),
        part("Milo", "Town", "573800", 500, address="1 CLERK ST., MILO NY 14527"),
    )
    assert not [one.code for one in notice.warnings if one.code == "clerk_addresses_differ"]


def test_clerks_of_two_names_are_a_warning_that_has_both(tmp_path):
    one, other = part("Milo", "Town", "573800", 400, 0), part("Milo", "Town", "573800", 500)
    notice = notice_with(tmp_path, {**one, "CLERK_NAME": "A. Smith"}, {**other, "CLERK_NAME": "B. Jones"})
    assert [recipient.names[-1] for recipient in notice.recipients if recipient.role == "clerk"] == ["Attn: A. Smith"]
    (found,) = (one for one in notice.warnings if one.code == "clerk_names_differ")
    assert "The letter names: A. Smith. Not used: B. Jones." in found.text


def test_premises_in_one_part_of_a_village_are_not_near_its_other_part(tmp_path):
    here = {**part("Milo", "Village", "573801", -100, -100), "geometry": shapely.box(X - 100, Y - 100, X + 150, Y + 200)}
    notice = notice_with(tmp_path, here, part("Milo", "Village", "573801", 300, 0))
    assert notice.municipalities == ()
    assert [one.code for one in notice.warnings if one.code == "in_village"] == ["in_village"]
