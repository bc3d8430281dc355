"""What a KML says of a placemark is read wherever it stands, in the encoding that its bytes are in."""

import pytest

from geonotice.layers.read import read_layer

RING = "-77.2,42.7 -77.2,42.701 -77.199,42.701 -77.199,42.7 -77.2,42.7"


def kml(tmp_path, *inside: str, encoding="utf-8", declared="UTF-8"):
    shape = f"<Polygon><outerBoundaryIs><LinearRing><coordinates>{RING}</coordinates></LinearRing></outerBoundaryIs></Polygon>"
    marks = "".join(f"<Placemark><name>{n}</name>{text}{shape}</Placemark>" for n, text in enumerate(inside, start=1))
    text = f'<?xml version="1.0" encoding="{declared}"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>{marks}</Document></kml>'
    path = tmp_path / "parcels.kml"
    path.write_bytes(text.encode(encoding))
    return path


def balloon(html: str) -> str:
    return f"<description><![CDATA[{html}]]></description>"


@pytest.mark.parametrize(
    "html",
    [
        "<html><body><table><tr><td>OWNER</td><td>DOE &amp; ROE</td></tr><tr><td>ZIP</td><td>14512</td></tr></table></body></html>",
        "<table><tr><td>1</td></tr><tr><td><table><tr><th>OWNER</th><td>DOE &amp; ROE</td></tr><tr><th>ZIP:</th><td>14512</td></tr></table></td></tr></table>",
        "<ul><li><b>OWNER:</b> DOE &amp; ROE</li><li><strong>ZIP</strong>: 14512</li></ul>",
        "<b>OWNER</b> = DOE &amp; ROE<br/><b>ZIP</b> = 14512",
    ],
)
def test_the_attributes_in_a_balloon_are_columns(tmp_path, html):
    raw = read_layer(kml(tmp_path, balloon(html), ""))
    assert raw.table.column("OWNER").to_pylist() == ["DOE & ROE", None]
    assert raw.table.column("ZIP").to_pylist() == ["14512", None]
    assert "1 of 2 records have no such balloon" in raw.notes[0].text


def test_a_description_in_words_stays_one(tmp_path):
    raw = read_layer(kml(tmp_path, balloon("The <b>old</b> mill")))
    assert raw.table.column("description").to_pylist() == ["The <b>old</b> mill"]
    assert raw.notes == ()


def test_what_a_balloon_and_the_data_say_differently_is_kept_from_both(tmp_path):
    data = '<ExtendedData><Data name="OWNER"><value>DOE</value></Data></ExtendedData>'
    raw = read_layer(kml(tmp_path, balloon("<table><tr><td>OWNER</td><td>ROE</td></tr></table>") + data))
    assert (raw.table.column("OWNER").to_pylist(), raw.table.column("OWNER (balloon)").to_pylist()) == (["DOE"], ["ROE"])


def test_an_attribute_called_name_does_not_take_the_place_of_the_name(tmp_path):
    raw = read_layer(kml(tmp_path, '<ExtendedData><Data name="Name"><value>DOE</value></Data></ExtendedData>'))
    assert (raw.table.column("Name").to_pylist(), raw.table.column("Name_2").to_pylist()) == (["1"], ["DOE"])
    assert raw.notes[0].code == "renamed"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
@pytest.mark.parametrize("declared", ["UTF-8", "ISO-8859-1", "windows-1252", "UTF-16"])
def test_text_is_read_as_what_it_is_whatever_is_declared(tmp_path, encoding, declared):
    data = '<ExtendedData><Data name="OWNER"><value>NUÑEZ “JOSÉ”</value></Data></ExtendedData>'
    raw = read_layer(kml(tmp_path, data, encoding=encoding, declared=declared))
    assert raw.table.column("OWNER").to_pylist() == ["NUÑEZ “JOSÉ”"]
