"""Signs: where each stands, how large and how high, what it says; what the tax map does not show is said, not guessed."""

import pytest
import shapely
from hard_names import assert_on_the_page_and_apart, read_pages, squeezed
from msgspec.structs import replace

from geonotice.decide.deadlines import Deadline
from geonotice.model import Clause
from geonotice.packet.notice_gpkg import NoticeShapes
from geonotice.packet.paper import Duties, PacketContext, SignSite, assemble
from geonotice.packet.printed_map import Shown
from geonotice.packet.signs import signs_pdf, size_words, where_to_stand
from geonotice.packet.word_papers import PaperSettings

LAND = shapely.box(0, 0, 200, 150)
STREET = shapely.LineString([(0, 150), (200, 150)])
VALUES = {"length_ft": 2, "width_ft": 1, "set_back_ft": 10, "lowest_ft": 2, "highest_ft": 6, "days": 10}
CLAUSE = Clause("sh.hearing_sign", "Southampton Town Code, Chapter 283, 283-9", "a special event permit is pending")


def site(point=(60, 145), street_line=STREET, **changes):
    made = SignSite(
        street="Meadow Street",
        jurisdiction="Town",
        point=shapely.Point(point),
        street_line=street_line,
        bearing_deg=0.0,
        lon_lat=(-72.39113, 40.87615),
    )
    return replace(made, **changes)


@pytest.fixture
def context(notice):
    shown = (Shown("premises", LAND, "11.00-1-1"), Shown("frontage", STREET), Shown("street", STREET, "Meadow Street"))
    return PacketContext(
        notice=notice,
        shapes=NoticeShapes("EPSG:2261", {"11.00-1-1": LAND}, {2: LAND, 3: LAND}, {"12.01-1-17": LAND}),
        duties=Duties(signs=CLAUSE, sign_values=VALUES),
        settings=PaperSettings(stated={"hearing_time": "7:00 p.m.", "applicant_name": "Ann Roe"}),
        deadlines=(Deadline("sh.hearing_sign", "put up a sign", notice.on.replace(day=8), notice.on.replace(day=8), "", "C"),),
        sign_sites=(site(), site(street="", jurisdiction="", point=(195, 30), street_line=None)),
        sign_map=shown,
        letters=False,
    )


# LAW: Southampton 283-9: on the premises, not more than 10 feet back from the street line.
class TestWhereItStands:
    def test_so_far_back_and_so_far_along(self):
        assert (
            where_to_stand(site(), LAND, most_ft=10)
            == "On the premises, 5 ft back from the street line (the law: 10 ft at most), about 60 ft along the frontage from its west end. It faces north."
        )

    @pytest.mark.parametrize(
        ("point", "words"), [((150, 145), "about 50 ft along the frontage from its east end"), ((60, 150), "at the street line")]
    )
    def test_from_the_nearer_end(self, point, words):
        assert words in where_to_stand(site(point), LAND, most_ft=10)

    def test_at_exactly_ten_feet_it_is_lawful(self):
        assert "10 ft back" in where_to_stand(site((60, 140)), LAND, most_ft=10)

    @pytest.mark.parametrize("point", [(60, 139), (60, 155)], ids=["too far back", "not on the premises"])
    def test_a_place_that_the_law_does_not_allow_is_not_proposed(self, point):
        assert where_to_stand(site(point), LAND, most_ft=10).endswith("choose it on the ground.")

    def test_lots_drawn_into_the_road_have_no_street_line(self):
        words = where_to_stand(site(street_line=None), LAND, most_ft=10)
        assert "shows no street line here" in words
        assert "10 ft back from the street line at most" in words


class TestTheSheets:
    def test_one_for_each_street_with_size_height_day_and_words(self, context):
        pdf = signs_pdf(context)
        first, second = read_pages(pdf)
        for words in (
            "sign 1 of 2",
            "Facing Meadow Street",
            "at least 2 ft long and 1 ft wide; 2 to 6 ft above grade.",
            "Up by Tuesday, September 8, 2026, for at least 10 days immediately before the hearing.",
            "An application for a special event permit is pending.",
            "Hearing: Tuesday, October 20, 2026, 7:00 p.m.",
            "Applicant: Ann Roe",
            "Property: 1 FAIR RD (tax map number 11.00-1-1)",
            "40.87615, -72.39113",
            "place for the sign",
        ):
            assert squeezed(words) in first, words
        assert squeezed("a street whose name is not known") in second
        assert "40.87615" not in second
        assert_on_the_page_and_apart(pdf)

    def test_the_same_bytes(self, context):
        assert signs_pdf(context) == signs_pdf(context)

    def test_where_the_profile_has_no_numbers_none_are_printed(self):
        assert size_words(Duties()) == ""

    def test_none_where_the_law_asks_for_none(self, context):
        assert "signs.pdf" not in assemble(replace(context, sign_sites=()))
        page = assemble(context)["index.html"].decode()
        assert "Put up 2 signs as signs.pdf shows" in page
