"""Pictures for paper: PNG, JPEG and SVG; what cannot be printed is refused with the reason."""

import io

import pytest
from PIL import Image

from geonotice.io.pictures import paper_picture
from geonotice.io.word_pages import picture_size


def picture(mode: str, form: str) -> bytes:
    made = io.BytesIO()
    Image.effect_noise((60, 40), 80).convert(mode).save(made, form)
    return made.getvalue()


def svg(inner: str, head: str = 'viewBox="0 0 200 100"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {head}>{inner}</svg>'.encode()


CIRCLE = '<circle cx="50" cy="50" r="40" fill="navy"/>'


@pytest.mark.parametrize(("mode", "form"), [("RGB", "PNG"), ("P", "PNG"), ("RGBA", "PNG"), ("RGB", "JPEG"), ("L", "JPEG")])
def test_a_png_or_jpeg_stays_as_it_is(mode: str, form: str) -> None:
    content = picture(mode, form)
    assert paper_picture(content) == content


@pytest.mark.parametrize(("mode", "form"), [("CMYK", "JPEG"), ("P", "GIF"), ("RGB", "TIFF"), ("RGB", "WEBP")])
def test_another_picture_is_made_a_png(mode: str, form: str) -> None:
    assert picture_size(paper_picture(picture(mode, form))) == (60, 40)


@pytest.mark.parametrize(
    "head", ['viewBox="0 0 200 100"', 'width="200mm" height="100mm"', 'viewBox="-5 -5 2e2 1e2" width="100%"']
)
def test_an_svg_is_drawn_as_large_as_paper_shows(head: str) -> None:
    content = svg(CIRCLE, head)
    made = paper_picture(b'\xef\xbb\xbf<?xml version="1.0"?>\n<!DOCTYPE svg [<!ENTITY ns "x">]>\n' + content)
    assert picture_size(made) == (1500, 750)
    assert made == paper_picture(content)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (picture("RGB", "PNG")[:300], "damaged or cut off"),
        (picture("RGB", "PNG")[:40], "not a picture that can be read"),
        (picture("RGB", "JPEG")[:600], "damaged or cut off"),
        (b"", "not a picture"),
        (b"%PDF-1.7", "not a picture"),
        (b"<svg", "the SVG is damaged"),
        (b"<?xml version='1.0'?><html/>", "no SVG"),
        (svg('<text x="5" y="50">SEAL</text>'), "turn the type into paths"),
        (svg('<image href="seal.png" width="50" height="50"/>'), "embed it"),
        (svg('<image xlink:href="/etc/passwd" width="50" height="50"/>'), "embed it"),
        (svg(CIRCLE, ""), "does not state its size"),
        (svg(CIRCLE, 'viewBox="0 0 1 100000000"'), "no seal is as long"),
        (svg(""), "nothing of the SVG can be seen"),
    ],
)
def test_what_cannot_be_printed_is_refused_with_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        paper_picture(content)
