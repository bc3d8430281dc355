"""The maps as files: nothing fetched, nothing run, nothing left to chance, nothing shown to those it is not for."""

import hashlib
import json
import re
from importlib.resources import files

import numpy as np
import pytest
import shapely
from map_toys import SOUTH, WEST, around, lot, recipient, toy
from msgspec.structs import replace

from geonotice.errors import OutputError
from geonotice.maps import EvidenceLine, MapFeature, MapLayers, MapParcel, notice_map, render
from geonotice.maps.page import escape, remote_references, script_json

HOSTILE = (
    "<img src=x onerror=window.pwned=1>",
    "</script><script>window.pwned=1</script>",
    "`${window.pwned=1}`",
    "{{ 7 * 191 }}{% for x in y %}{# gone #}",
    "'\"><svg onload=window.pwned=1>",
    "O'BRIEN & SONS, LLC",
    "]]><!--",
)


def page_data(page: str) -> tuple[dict[str, object], str]:
    """Return the data that the page's script starts with."""
    start = re.search(r"geonotice\.notice\(map_\d+, layer_control_\d+, ", page)
    assert start is not None
    return json.JSONDecoder().raw_decode(page[start.end() :])[0], page


def _turned(xy, centre, degrees: float):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return (xy - np.array(centre)) @ np.array([[c, s], [-s, c]]) + np.array(centre)


@pytest.fixture(scope="module")
def staff_page() -> str:
    return render(notice_map(toy(), around())).decode()


@pytest.fixture(scope="module")
def public_page() -> str:
    return render(notice_map(toy(), around(), public=True)).decode()


class TestOneFile:
    def test_nothing_is_fetched(self, staff_page: str) -> None:
        assert remote_references(staff_page) == []
        assert not re.search(r"<(script|img|iframe)[^>]+src=|<link", staff_page)

    def test_leaflet_stands_in_the_page_and_the_rest_of_foliums_scripts_does_not(self, staff_page: str) -> None:
        assert "Leaflet 1.9.4" in staff_page
        for absent in ("jquery", "bootstrap", "awesome", "cdn.", "sourceMappingURL"):
            assert absent not in staff_page.lower().replace("sourcemappingurl", "sourceMappingURL")

    def test_the_policy_names_each_script_by_its_hash(self, staff_page: str) -> None:
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', staff_page)
        assert policy is not None
        assert "default-src 'none'" in policy[1]
        assert "unsafe-inline" not in policy[1].split("style-src")[0]
        assert policy[1].count("'sha256-") == len(re.findall(r"<script>", staff_page))

    def test_a_page_that_would_fetch_is_refused(self) -> None:
        import folium

        made = notice_map(toy())
        made.get_root().header.add_child(folium.Element('<script src="https://cdn.example/x.js"></script>'))
        with pytest.raises(OutputError, match="would fetch"):
            render(made)

    def test_a_basemap_is_there_only_when_asked_for_and_opens_no_other_door(self) -> None:
        page = render(notice_map(toy(), basemap="OpenStreetMap.Mapnik")).decode()
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
        assert policy is not None
        assert "img-src data: https://tile.openstreetmap.org;" in policy[1]
        assert "from the internet" in page

    def test_an_unknown_basemap_is_an_error(self) -> None:
        with pytest.raises(OutputError, match="Nowhere"):
            notice_map(toy(), basemap="Nowhere.AtAll")

    @pytest.mark.parametrize(
        "harm",
        [
            '<img src="//evil.example/x.png">',
            '<link rel="stylesheet" href="https://evil.example/x.css">',
            "<style>@import 'https://evil.example/x.css';</style>",
            "<style>p { background: url(https://evil.example/x.png) }</style>",
            "<p style=\"background:url('http://evil.example')\">",
            '<a href="https://evil.example" ping="https://evil.example">x</a>',
            "<b onclick=alert(1)>x</b>",
            "<iframe srcdoc='x'></iframe>",
            "<base href='https://evil.example/'>",
            "<svg><use xlink:href='https://evil.example/x.svg'/></svg>",
        ],
    )
    def test_each_way_of_fetching_is_seen(self, harm: str) -> None:
        assert remote_references(f"<html><body>{harm}</body></html>")

    def test_same_inputs_same_bytes(self, staff_page: str) -> None:
        made = notice_map(toy(), around())
        assert render(made).decode() == staff_page
        assert render(made).decode() == staff_page, "rendering twice changes nothing"

    def test_a_hexadecimal_owner_is_not_renumbered(self) -> None:
        name = "0123456789abcdef0123456789abcdef"
        assert name in render(notice_map(toy((name, name)))).decode()

    def test_the_vendored_files_are_those_listed(self) -> None:
        folder = files("geonotice") / "vendor"
        rows = re.findall(
            r"^\| (\S+) \| (\S+) \| (\S+) \| (\S+) \| ([0-9a-f]{64}) \|$", (folder / "VENDORED.md").read_text(), re.MULTILINE
        )
        assert rows
        for _name, _version, licence, path, digest in rows:
            assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest, path
            assert licence in {"BSD-2-Clause", "0BSD", "MIT"}


class TestWordsStayWords:
    @pytest.mark.parametrize("words", HOSTILE)
    def test_in_a_script(self, words: str) -> None:
        from jinja2 import Template

        made = script_json({"owner": [words, {"deep": {"er": words}}], words: 1})
        assert "<" not in made
        assert Template(made).render() == made, "Jinja finds nothing to compute"
        assert json.loads(made)["owner"][1]["deep"]["er"] == words

    @pytest.mark.parametrize("words", HOSTILE)
    def test_in_html(self, words: str) -> None:
        from jinja2 import Template

        assert Template(escape(words)).render() == escape(words)
        assert not re.search(r"[<>\"'`{}]", escape(words))

    def test_a_name_that_is_a_template_is_not_computed(self) -> None:
        page = render(notice_map(toy(HOSTILE[3:4] * 2), around(HOSTILE[3]))).decode()
        assert str(7 * 191) not in re.sub(r"sha256-\S+|base64,\S+|\d+\.\d+", "", page)
        data, _ = page_data(page)
        assert data["parcels"][1]["owners"] == [HOSTILE[3]] * 2

    @pytest.mark.parametrize("words", HOSTILE)
    def test_hostile_words_reach_the_page_whole_and_inert(self, words: str) -> None:
        page = render(
            notice_map(replace(toy((words, words)), town=words, title=words, premises=words, subtitle=(words,)), around(words))
        ).decode()
        assert remote_references(page) == []
        data, _ = page_data(page)
        assert data["parcels"][1]["owners"] == [words, words]
        assert data["others"]["streets"] == [[words, words]]


class TestWhatIsShown:
    def test_staff_see_owner_relation_distance_reason_and_what_to_check(self, staff_page: str) -> None:
        data, _ = page_data(staff_page)
        parcel = next(one for one in data["parcels"] if one["id"] == "12.1-1-2")
        assert parcel["status"] == "Notified: abuts the premises"
        assert parcel["owners"] == ["ROE RICHARD", "DOE JANE"]
        assert parcel["feet"] == 0.0
        assert parcel["reasons"] == ["it.notice_radius: ROE RICHARD"]
        assert parcel["review"][0].startswith("just beyond the distance")

    def test_the_list_has_the_notified_and_no_near_miss(self, staff_page: str) -> None:
        data, _ = page_data(staff_page)
        assert [data["parcels"][number]["id"] for number in data["list"]] == ["12.1-1-2", "12.1-2-1", "12.1-2-8"]

    def test_each_kind_is_a_layer_with_its_count_and_a_hatch_or_dash_of_its_own(self, staff_page: str) -> None:
        names = [json.loads(f'"{name}"') for name in re.findall(r'"(\\u003csvg class[^"\n]*(?:\\"[^"\n]*)*)" :', staff_page)]
        titles = [re.sub(r"<[^>]+>", " ", name).split() for name in names]
        assert [" ".join(title[:-1]) for title in titles] == [
            "Premises", "Notified: abuts", "Notified: directly opposite", "Notified: within 1,000 ft", "Near miss, not notified",
            "1,000 ft from the premises", "Lot line shared with a neighbour", "Where a sign goes", "Something new", "Zoning districts",
            "Municipal boundaries", "Streets",
        ]  # fmt: skip
        swatches = [re.sub(r'(stroke|fill)="#[0-9a-f]{3,6}"', "", re.search(r"<svg.*</svg>", name)[0]) for name in names]
        assert len(set(swatches)) == len(swatches), "without colour, no two swatches are alike"

    def test_a_notified_lot_is_labelled_with_the_numbers_of_its_recipients(self, staff_page: str) -> None:
        data, _ = page_data(staff_page)
        labels = {label["text"]: (label.get("first"), label.get("short")) for label in data["labels"]}
        assert labels["12.1-1-2"] == ("1+ ?", "1+ ?"), "three that do not follow one another are shortened"
        assert labels["12.1-2-1"] == labels["12.1-2-8"] == ("2", "2"), "one letter for two lots: both have its number"
        assert labels["12.1-2-13"] == (None, None), "a near miss is on no list"

    def test_every_recipient_stands_on_the_map_with_the_number_of_the_list(self, staff_page: str) -> None:
        data, _ = page_data(staff_page)
        rows = {parcel["id"]: parcel for parcel in data["parcels"]}
        assert {id_: parcel["row"] for id_, parcel in rows.items() if parcel["status"].startswith("Notified")} == {
            "12.1-1-2": "1, 3, 6",
            "12.1-2-1": "2",
            "12.1-2-8": "2",
        }
        assert rows["12.1-1-2"]["letters"] == [
            "1 ROE RICHARD (owner)",
            "3 CURRENT RESIDENT (resident)",
            "6 DOE JANE (owner, cannot be mailed)",
        ]
        assert rows["12.1-1-1"]["letters"] == ["4 CURRENT RESIDENT (resident)", "7 POE PETER (applicant, not mailed)"]
        also = re.search(r'<ul class="plain also">(.*?)</ul>', staff_page)
        assert also is not None
        assert re.findall(r"<li>(\d+) ", also[1]) == ["4", "5", "7"], "whom no row has: the premises' own, and a clerk"

    def test_the_legend_explains_the_numbers_that_this_map_has(self) -> None:
        def marks(*recipients) -> list[str]:
            page = render(notice_map(replace(toy(), recipients=recipients))).decode()
            found = re.search(r'<div class="marks">(.*?)</div>', page)
            assert found is not None
            return re.findall(r"<strong>(.*?)</strong>", found[1])

        each = [recipient(n, "owner", "A", id_) for n, id_ in enumerate(("12.1-1-2", "12.1-2-1", "12.1-2-8"), 1)]
        assert marks(*each) == ["7", "?"]
        assert marks(*each, recipient(9, "owner", "B", "12.1-1-2")) == ["7", "3, 7", "3+", "?"]
        assert marks(*each, recipient(4, "owner", "B", "12.1-2-8"), recipient(5, "owner", "B", "12.1-2-8")) == [
            "7",
            "3, 7",
            "3+",
            "3-7",
            "?",
        ]
        assert marks(*each[:2]) == ["7", "none", "?"]

    def test_the_public_map_has_no_number_of_the_list(self, public_page: str) -> None:
        data, _ = page_data(public_page)
        assert not [parcel for parcel in data["parcels"] if parcel.keys() & {"numbers", "row", "letters", "owners"}]
        assert not [label for label in data["labels"] if label.keys() & {"first", "short"}]
        assert "mailing list" not in re.sub(r"<script>.*?</script>", "", public_page, flags=re.DOTALL)

    def test_a_label_has_the_room_of_upright_boxes_that_lie_in_the_lot(self) -> None:
        """A lot of 100 by 200 ft holds boxes as wide as itself; turned, it holds only smaller ones."""
        feet = 1200 / 3937
        whole = lot(2)
        turned = shapely.transform(whole, lambda xy: _turned(xy, whole.centroid.coords[0], 45))
        ell = whole.difference(shapely.box(WEST + 240, SOUTH + 40, WEST + 400, SOUTH + 200))
        rooms = []
        for shape in (whole, turned, ell):
            more = MapParcel(fid=9, id="12.1-1-3", geometry=shape, relation="within", distance_ft=99.0, status="notified")
            notice = replace(toy(), parcels=(*toy().parcels, more))
            data, _ = page_data(render(notice_map(notice)).decode())
            (label,) = [one for one in data["labels"] if one["text"] == "12.1-1-3"]
            rooms.append(label["room"])
            middle = shapely.point_on_surface(shape)
            for wide, high in label["room"]:
                box = shapely.box(
                    middle.x - wide / feet / 2, middle.y - high / feet / 2, middle.x + wide / feet / 2, middle.y + high / feet / 2
                )
                assert shape.buffer(0.3).contains(box)
                assert not shape.contains(box.buffer(2, join_style="mitre"))
        assert rooms[0] == [[round(100 * feet, 1), round(100 * feet / shape, 1)] for shape in (8, 4, 2, 1)]
        assert all(max(one) < max(two) for one, two in zip(rooms[1][2:], rooms[0][2:], strict=True))

    def test_the_way_to_a_municipal_boundary_is_in_view(self) -> None:
        way = EvidenceLine(
            kind="boundary", geometry=shapely.LineString([(WEST, SOUTH), (WEST - 4000, SOUTH)]), label="to the village"
        )
        near, far = (
            page_data(render(notice_map(replace(toy(), evidence=evidence))).decode())[0]["home"] for evidence in ((), (way,))
        )
        assert far[0][1] < near[0][1]
        assert far[1] == near[1]

    def test_the_town_one_is_in_is_not_written_across_the_premises(self) -> None:
        here = MapFeature(geometry=lot(0).buffer(5000), label="Italy")
        beside = MapFeature(geometry=shapely.box(WEST + 900, SOUTH - 500, WEST + 9000, SOUTH + 700), label="Jerusalem")
        data, _ = page_data(render(notice_map(toy(), MapLayers(municipalities=(here, beside)))).decode())
        assert [label["text"] for label in data["labels"] if label["kind"] == "town"] == ["Jerusalem"]

    def test_warnings_are_counted_and_spelled_out(self, staff_page: str) -> None:
        assert "1 warning: read before use" in staff_page
        assert re.search(r"The parcel layer ends 300 ft to the north\W* 12\.1-2-8", staff_page)

    def test_the_ring_reaches_the_distance_everywhere(self) -> None:
        ring = lot(0).buffer(1000, quad_segs=64)
        corner = shapely.Point(WEST + 100, SOUTH + 200)
        assert min(shapely.distance(corner, part) for part in [ring.boundary]) > 999.9

    def test_the_public_map_has_no_owner_ring_list_distance_reason_or_warning(self, public_page: str) -> None:
        for secret in (
            "ROE",
            "DOE",
            "POE",
            "FOE",
            "it.notice_radius",
            "owner",
            "702.5",
            "1,000 ft",
            "Notified parcels",
            "warning",
            "12.1-2-8",
        ):
            assert secret not in re.sub(r"<script>.*?</script>", "", public_page, count=4, flags=re.DOTALL), secret
        data, _ = page_data(public_page)
        assert [one["id"] for one in data["parcels"]] == ["12.1-1-1"]
        assert set(data["others"]) == {"evidence sign", "streets", "municipalities", "zoning"}

    def test_the_public_map_draws_neighbours_alike_where_there_are_others_among_them(self) -> None:
        others = tuple(MapParcel(fid=10 + n, id=f"12.1-3-{n}", geometry=lot(n)) for n in (2, 3, 9))
        notice = replace(toy(), parcels=toy().parcels + others)
        data, _ = page_data(render(notice_map(notice, public=True)).decode())
        assert len(data["parcels"]) == 5, "what lies farther than 300 ft off is not drawn"
        assert {tuple(sorted(one)) for one in data["parcels"]} == {("at", "id", "role", "situs", "status")}
        assert [one["status"] for one in data["parcels"] if one["id"] != "12.1-1-1"] == [""] * 4

    def test_the_public_maps_extent_does_not_tell_the_reach(self) -> None:
        near = notice_map(replace(toy(), radius_ft=None), public=True)
        far = notice_map(toy(), public=True)
        assert page_data(render(near).decode())[0]["home"] == page_data(render(far).decode())[0]["home"]

    def test_geometry_is_drawn_where_it_lies(self, staff_page: str) -> None:
        data, _ = page_data(staff_page)
        latitude, longitude = data["parcels"][0]["at"]
        assert 42.6 < latitude < 42.8
        assert -77.6 < longitude < -77.2

    def test_no_premises_is_an_error(self) -> None:
        with pytest.raises(OutputError, match="no premises"):
            notice_map(replace(toy(), parcels=toy().parcels[1:]))

    def test_parcels_without_geometry_are_all_named(self) -> None:
        bad = tuple(
            MapParcel(fid=n, id=f"12.1-9-{n}", geometry=shapely.Polygon(), status="notified", relation="within") for n in (7, 8)
        )
        with pytest.raises(OutputError) as raised:
            notice_map(replace(toy(), parcels=(*toy().parcels, *bad)))
        assert [fault.what for fault in raised.value.faults] == [
            "parcel 12.1-9-7 has no geometry",
            "parcel 12.1-9-8 has no geometry",
        ]

    def test_four_hundred_parcels_stay_small(self) -> None:
        many = tuple(
            MapParcel(
                fid=100 + n,
                id=f"0900-123.00-01.00-{n:03d}.000",
                geometry=shapely.Point(WEST + 150 * (n % 20), SOUTH + 150 * (n // 20)).buffer(70),
                situs=f"{n} COUNTY ROAD 39A",
                owners=("SOMEBODY WITH A LONG NAME, TRUSTEE", "OF THE OTHER PERSON FAMILY REVOCABLE TRUST"),
                relation="within",
                distance_ft=float(n),
                reasons=("it.notice_radius, § C(2): all owners and residents within one thousand (1,000) feet",),
                status="notified",
            )
            for n in range(400)
        )
        assert len(render(notice_map(replace(toy(), parcels=(toy().parcels[0], *many)), around()))) < 1_500_000
