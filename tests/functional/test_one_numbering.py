"""One numbering: a recipient has the same number on list, labels, map, index page, notice.gpkg and record, and is the same person there."""

import csv
import io
import json
import re

import openpyxl
import pdfplumber
import pyogrio
import pytest
from program import run

from geonotice.packet.labels import sheet_named
from geonotice.recipients import numbers_text

TOWNS = {
    "italy": ["51.00-1-1", "--for", "hearing", "--hearing", "2026-10-20"],
    "southampton": ["0900-123.00-01.00-002.000", "--for", "appeal", "--hearing", "2026-10-20"],
}


@pytest.fixture(scope="module", params=sorted(TOWNS))
def packet(request, imported, tmp_path_factory):
    folder = tmp_path_factory.mktemp("towns")
    town = imported(request.param, folder / request.param)
    run("notice", town, *TOWNS[request.param], "--on", "2026-09-01", "--out", folder / "packet")
    return folder / "packet"


@pytest.fixture(scope="module")
def recipients(packet):
    return json.loads((packet / "record.json").read_text(encoding="utf-8"))["recipients"]


def numbers_of(recipients, parcel):
    return [one["number"] for one in recipients if parcel in one["parcels"]]


def test_the_record_numbers_everybody_once(recipients):
    assert [one["number"] for one in recipients] == list(range(1, len(recipients) + 1))
    assert any(not one["mailable"] for one in recipients) or all(one["address"] for one in recipients)


def test_the_list(packet, recipients):
    rows = list(csv.DictReader(io.StringIO((packet / "notice-list.csv").read_text(encoding="utf-8-sig"), newline="")))
    stated = [(one["number"], one["name"], one["mail"], one["mailable"], "; ".join(one["parcels"])) for one in recipients]
    found = [(int(r["number"]), r["name_1"], r["mail"], r["mailable"] == "yes", r["parcels"]) for r in rows]
    assert found == stated
    book = openpyxl.load_workbook(packet / "notice-list.xlsx")
    for name, wanted in (
        ("notice_list", stated),
        ("to_mail", [one for one in stated if one[2] != "none" and one[3]]),
    ):
        head, *cells = [[cell.value or "" for cell in row] for row in book[name].iter_rows()]
        at = [head.index(column) for column in ("number", "name_1", "mail", "mailable", "parcels")]
        found = [tuple(row[place] for place in at) for row in cells]
        assert [(n, who, mail, yes == "yes", where) for n, who, mail, yes, where in found] == wanted


def test_the_labels_are_those_of_the_letters_in_the_order_of_their_numbers(packet, recipients):
    sheet = sheet_named("5160")
    labels = []
    with pdfplumber.open(packet / "labels.pdf") as document:
        for page in document.pages:
            for place in range(sheet.labels):
                left, top = (side * 72 for side in sheet.corner_in(place))
                box = page.crop((left, top, left + sheet.width_in * 72, top + sheet.height_in * 72))
                labels += [box.extract_text()] if box.extract_text() else []
    letters = [one for one in recipients if one["mail"] != "none" and one["mailable"]]
    for text, one in zip(labels, letters, strict=True):
        assert " ".join(one["name"].split()) in " ".join(text.split())
        assert str(one["number"]) in text.split(), "each label has its number on the list"


def test_the_map(packet, recipients):
    page = (packet / "map.html").read_text(encoding="utf-8")
    start = re.search(r"geonotice\.notice\(map_\d+, layer_control_\d+, ", page)
    assert start is not None
    data = json.JSONDecoder().raw_decode(page[start.end() :])[0]
    names = {one["number"]: " / ".join(filter(None, [one["name"], *one.get("name_2", "").split("; ")])) for one in recipients}
    for parcel in data["parcels"]:
        assert parcel["numbers"] == numbers_of(recipients, parcel["id"])
        for number, line in zip(parcel["numbers"], parcel["letters"], strict=True):
            assert line.startswith(f"{number} {names[number] or 'name not known'} (")
    notified = [data["parcels"][number] for number in data["list"]]
    labels = {label["text"]: label for label in data["labels"] if label.get("first")}
    for parcel in notified:
        first = [int(text) for text in re.findall(r"\d+", labels[parcel["id"]]["first"])]
        assert first[:1] == parcel["numbers"][:1], "the label begins with the first of its recipients"
        assert set(first) <= set(parcel["numbers"])
        assert (
            labels[parcel["id"]]["first"].rstrip(" ?").endswith("+")
            or len(parcel["numbers"]) == len(first)
            or "-" in labels[parcel["id"]]["first"]
        )
    also = re.search(r'<ul class="plain also">(.*?)</ul>', page, re.DOTALL)
    elsewhere = {int(text) for text in re.findall(r"<li>(\d+) ", also[1] if also else "")}
    on_rows = {number for parcel in notified for number in parcel["numbers"]}
    assert on_rows | elsewhere == {one["number"] for one in recipients}, "nobody on the list is missing from the map"
    assert not on_rows & elsewhere


def test_the_exhibit_and_its_table(packet, recipients):
    listed = [one["id"] for one in json.loads((packet / "record.json").read_text(encoding="utf-8"))["parcels"]]
    with pdfplumber.open(packet / "exhibit.pdf") as pdf:
        text = " ".join(" ".join(page.extract_text().split()) for page in pdf.pages)
    for parcel in listed:
        assert f"{numbers_text(numbers_of(recipients, parcel))} {parcel}" in text


def test_notice_gpkg(packet, recipients):
    for layer in ("premises", "notice_parcels"):
        for row in pyogrio.read_dataframe(packet / "notice.gpkg", layer=layer, read_geometry=False).to_dict("records"):
            assert row["recipients"] == ", ".join(map(str, numbers_of(recipients, row["id"])))


def test_the_index_page_names_whom_no_label_is_for_by_their_numbers(packet, recipients):
    page = (packet / "index.html").read_text(encoding="utf-8")
    lost_part = page.partition('id="lost"')[2].partition("</section>")[0]
    found = [int(text) for text in re.findall(r'<tr><td class="no">(\d+)</td>', lost_part)]
    assert found == [one["number"] for one in recipients if one["mail"] != "none" and not one["mailable"]]
    owners = [one for one in recipients if one["role"] == "owner"]
    lost = sum(not one["mailable"] for one in owners)
    told = f"owner{'s' * (len(owners) != 1)}: {len(owners) - lost:,} letter{'s' * (len(owners) - lost != 1)}"
    assert f"<strong>{len(owners):,}</strong> {told}{f', {lost} cannot be mailed' if lost else ''}" in page


def test_the_public_map_has_no_numbers(packet):
    page = (packet / "public-map.html").read_text(encoding="utf-8")
    start = re.search(r"geonotice\.notice\(map_\d+, layer_control_\d+, ", page)
    assert start is not None
    data = json.JSONDecoder().raw_decode(page[start.end() :])[0]
    assert all(not parcel.keys() & {"numbers", "letters", "row"} for parcel in data["parcels"])
