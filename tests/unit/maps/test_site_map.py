"""The site map as a file."""

import pytest
from map_toys import around, toy_site
from msgspec.structs import replace

from geonotice.errors import OutputError
from geonotice.maps import render, site_map
from geonotice.maps.page import remote_references


def page(site, layers=None):
    return render(site_map(site, layers)).decode()


def test_nothing_is_fetched():
    assert remote_references(page(toy_site(), around())) == []


def test_the_same_site_gives_the_same_bytes():
    assert page(toy_site(), around()) == page(toy_site(), around())


def test_what_stands_inside_a_setback_is_told_with_the_width():
    text = page(toy_site())
    assert "12.0 ft from the side line, 20 ft are the setback of R-40" in text
    assert "Setback of R-40: front 40 ft, side 20 ft, rear 30 ft" in text


def test_where_no_setbacks_are_known_the_map_says_so():
    site = replace(
        toy_site(), setbacks=(), remark="No setback line is drawn for R-40: the profile's district table gives no widths."
    )
    text = page(site)
    assert "No setback line is drawn for R-40" in text
    assert "Setback or buffer line<" not in text


def test_a_site_without_a_drawing_says_so():
    assert "No drawing is named in the event file." in page(replace(toy_site(), things=()))


def test_kinds_are_told_apart_by_dash_and_hatch_not_by_colour_alone():
    text = page(toy_site())
    for sign in ("hatch-inside", "hatch-setback", "hatch-parking", '"dashArray": "9 5"'):
        assert sign in text


def test_a_site_without_premises_or_shape_is_refused():
    site = toy_site()
    with pytest.raises(OutputError, match="no premises"):
        site_map(replace(site, parcels=site.parcels[1:]))
    with pytest.raises(OutputError, match="no geometry"):
        site_map(replace(site, parcels=(replace(site.parcels[0], geometry=None), *site.parcels)))
