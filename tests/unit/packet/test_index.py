"""The packet's first page, and the packet as a whole."""

import re
from datetime import date
from html.parser import HTMLParser

import pytest
import shapely
from map_toys import toy
from msgspec.structs import replace

from geonotice.decide.deadlines import Deadline
from geonotice.errors import OutputError
from geonotice.maps import MapLayers
from geonotice.model import ResultWarning
from geonotice.packet import index
from geonotice.packet.notice_gpkg import NoticeShapes
from geonotice.packet.paper import LabelOptions, PacketContext, assemble, paper_of

NAMES = ["map.html", "labels.pdf", "notice-list.csv", "affidavit-mailing.pdf", "index.html"]


def index_html(notice, files, *, by_hand=(), **more):
    """Return the page of a packet that holds these files."""
    return index.index_html(PacketContext(notice=notice, files=files, labels=LabelOptions(by_hand=tuple(by_hand)), **more))


class Page(HTMLParser):
    """The page's text, links, and the ids of its headings in order."""

    def __init__(self, data: bytes):
        super().__init__()
        self.words, self.links, self.headings, self.tags = [], [], [], []
        self.feed(data.decode())
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in {"href", "src"}]
        self.headings += [value for name, value in attrs if tag == "h2" and name == "id"]

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture
def page(notice):
    return Page(index_html(notice, NAMES))


def test_warnings_stand_before_all_else(page):
    assert page.headings[0] == "warnings"
    assert "Read this before mailing: 2 warnings" in page.text
    for words in ("The address of an owner is missing, for 1 property.", "The search area reaches past the <layer>."):
        assert words in page.text


def test_it_names_town_occasion_law_roll_and_settings(page):
    for words in (
        "Town of Italy", "Notice of public hearing on October 20, 2026: 11.00-1-1 (1 FAIR RD)", "Notice is required.", "September 1, 2026",
        "Assessment roll: 2026 (tentative)", "Italy, mass public assembly, C", "to all owners & residents", "parcels.gpkg", "July 1, 2026",
        "tolerance_ft 1.5", "12.01-1-16 added owner asked <to be told>",
    ):  # fmt: skip
        assert words in page.text


def test_the_facts_of_the_property_are_shown_where_there_are_any(notice, page):
    for words in (
        "Owners to be listed with the application Property Owner of record 12.01-1-15.1 O'BRIEN & SÖHNE", "1 MAIN ST town 100.1 found", "2 name not known not known 20.0 nobody found",
        "Signs to be posted: 1 street", "Sagg 573601 120.6", "CR-60 residential 43,560 98.8 %",
    ):  # fmt: skip
        assert words in page.text
    bare = Page(
        index_html(replace(notice, schedule=(), frontages=(), signs=(), municipalities=(), districts=(), overrides=()), NAMES)
    )
    assert bare.headings == ["warnings", "lost", "steps", "files", "law", "facts", "settings"]


def test_it_counts(page):
    for words in (
        "2 properties on the list",
        "2 owners: 1 letter, 1 cannot be mailed",
        "1 resident: 1 letter",
        "1 municipal clerk: 1 letter",
        "1 cannot be mailed: no full address is known",
    ):
        assert words in page.text


def test_who_has_no_label_is_named(page):
    assert "Must be notified, but no label is printed" in page.text
    assert "2 =HYPERLINK(0) 12.01-1-15.1" in page.text


def test_every_file_is_listed_with_what_it_is_for(page):
    assert [link for link in page.links if link] == ["map.html", "notice-list.csv", "labels.pdf", "affidavit-mailing.pdf"]
    assert paper_of("labels.pdf").purpose in page.text


def test_it_needs_nothing_else(notice):
    made = index_html(notice, NAMES).decode()
    assert not re.search(r"https?://|<script|<img|@import|url\(", made)


def test_what_others_wrote_is_escaped(notice, recipient):
    evil = "<script>alert(1)</script>"
    made = index_html(
        replace(
            notice,
            town=evil,
            recipients=(recipient(1, evil, review=("unmailable",), situs=evil),),
            warnings=(ResultWarning("x", evil, (evil,)),),
            premises_situs=(evil,),
        ),
        [evil],
        steps=[evil],
    ).decode()
    assert "<script" not in made


def test_no_warnings_is_said_too(notice):
    page = Page(index_html(replace(notice, warnings=(), recipients=()), NAMES))
    assert "No warnings" in page.text
    assert "Must be notified" not in page.text


def test_a_long_row_of_parcels_is_shortened_and_said(notice):
    many = tuple(f"1-{n}" for n in range(500))
    page = Page(index_html(replace(notice, warnings=(ResultWarning("x", "Words.", many),)), NAMES))
    assert "1-0, 1-1, 1-2, 1-3, 1-4 and 495 more: record.json" in page.text.replace(" ,", ",")


def test_the_worst_stands_first_under_words_of_its_rank(notice):
    found = (
        ResultWarning("unmailable", "An address is missing.", ("1-1",)),
        ResultWarning("notice_late", "The last day was Friday."),
        ResultWarning("no_address_point", "No point.", ("1-7",)),
        ResultWarning("resident_address_incomplete", "No ZIP code.", ("1-7",)),
        ResultWarning("roll_old", "The roll is old."),
    )
    text = Page(index_html(replace(notice, warnings=found), NAMES)).text
    assert "Read this before mailing: 4 warnings Somebody may not be notified An address is missing." in text
    assert "To answer it, a row of corrections.csv: 1-1,address," in text
    assert "It is late The last day was Friday. Not seen, or not sure No point. No ZIP code. 1-7 " in text


@pytest.mark.parametrize(
    ("required", "words"),
    [
        ("yes", "Mail the notice to everybody"),
        ("no", "does not ask"),
        ("on_demand", "demands this notice"),
        ("decide", "official in charge"),
    ],
)
def test_the_step_of_mailing_follows_the_law(notice, required, words):
    assert words in Page(index_html(replace(notice, required=required), NAMES)).text


def test_held_and_by_hand_are_said(notice, recipient):
    held = replace(notice, recipients=(recipient(1, "A", mail="none", review=("held",)), recipient(2, "王")))
    page = Page(index_html(held, NAMES, by_hand=[2]))
    assert "1 held back until you decide" in page.text
    assert "2 王 12.01-1-15.1 To be addressed by hand" in page.text


def test_it_is_made_for_every_reader(notice):
    made = index_html(notice, NAMES).decode()
    page = Page(made.encode())
    assert '<html lang="en">' in made
    assert page.tags.count("h1") == page.tags.count("main") == 1
    assert page.tags.count("th") == len(re.findall(r'<th scope="(?:row|col)"', made))


class TestAssemble:
    @pytest.fixture
    def shapes(self):
        box = shapely.box(0, 0, 10, 10)
        return NoticeShapes("EPSG:2261", {"11.00-1-1": box}, {2: box, 3: box}, {"12.01-1-17": box})

    def test_every_file_of_the_packet(self, notice, shapes):
        made = assemble(PacketContext(notice=notice, shapes=shapes, draw=lambda: (toy(), MapLayers())))
        assert set(made) == {
            "labels.pdf",
            "labels-test.pdf",
            "notice-list.csv",
            "notice-list.xlsx",
            "record.json",
            "notice.gpkg",
            "map.html",
            "public-map.html",
            "exhibit.pdf",
            "index.html",
            "letters.docx",
            "letters.pdf",
            "letters-clerks.docx",
            "letters-clerks.pdf",
            "notice-list.pdf",
            "mailing-sheet.pdf",
            "mailing-sheet.csv",
            "mailing-service.csv",
            "certificates-of-mailing.pdf",
            *(f"affidavit-{kind}.{ending}" for kind in ("mailing", "posting") for ending in ("docx", "pdf")),
        }
        assert all(isinstance(data, bytes) and data for data in made.values())
        assert set(Page(made["index.html"]).links) == set(made) - {"index.html"}

    def test_nothing_is_made_where_a_label_cannot_be(self, notice, shapes, recipient):
        odd = replace(notice, recipients=(recipient(1, "王小明"),))
        with pytest.raises(OutputError, match="--by-hand 1"):
            assemble(PacketContext(notice=odd, shapes=shapes))
        by_hand = PacketContext(notice=odd, shapes=shapes, labels=LabelOptions(by_hand=(1,)))
        assert "To be addressed by hand" in Page(assemble(by_hand)["index.html"]).text

    def test_the_same_notice_gives_the_same_bytes(self, notice, shapes):
        context = PacketContext(notice=notice, shapes=shapes)
        one, two = assemble(context), assemble(context)
        assert {name for name in one if one[name] != two[name]} <= {"notice.gpkg"}


class TestByWhen:
    """General Construction Law section 20: ten days before a hearing on Tuesday, October 20 are over on Saturday the 10th."""

    @pytest.fixture
    def due(self):
        return Deadline(
            "italy.notice1000",
            "give the notice to all owners",
            date(2026, 10, 10),
            date(2026, 10, 9),
            "",
            "C",
            reckoned_from="hearing",
        )

    def test_the_days_stand_before_the_steps_with_the_last_day_by_the_plain_count(self, notice, due):
        cost = replace(due, rule="italy.cost", what="pay the cost", last_day=date(2026, 10, 19), suggested=date(2026, 10, 19))
        page = Page(index_html(notice, NAMES, deadlines=[cost, due]))
        assert page.headings.index("dates") < page.headings.index("steps")
        assert (
            f"By when Friday, October 9, 2026 give the notice to all owners ({due.citation}) By the plain count the last day is Saturday,"
            f" October 10, 2026. Monday, October 19, 2026 pay the cost ({cost.citation})"
        ) in page.text
        assert "italy." not in page.text.replace("italy.toml", "")

    def test_what_is_due_on_one_day_stands_together(self, notice, due):
        page = Page(index_html(notice, NAMES, deadlines=[due, replace(due, what="publish it")]))
        assert page.text.count("Friday, October 9, 2026") == 2  # once in the table, once in the step of mailing

    def test_a_day_that_the_law_carries_on_says_so(self, notice, due):
        after = replace(due, last_day=date(2027, 1, 30), suggested=date(2027, 2, 1))
        said = Page(index_html(notice, NAMES, deadlines=[after])).text
        assert (
            "Saturday, January 30, 2027; General Construction Law § 25-a carries it past the weekend or holiday to Monday, February 1, 2027."
            " The careful reading is the plain count: an act by then is in time by either."
        ) in said

    def test_a_day_that_is_the_one_to_aim_for_has_no_other_beside_it(self, due):
        assert replace(due, suggested=due.last_day).other_day == ""

    def test_a_day_that_is_past_says_so(self, notice, due):
        assert "(past)" in Page(index_html(replace(notice, on=date(2026, 10, 12)), NAMES, deadlines=[due])).text
        assert "(past)" not in Page(index_html(replace(notice, on=date(2026, 10, 9)), NAMES, deadlines=[due])).text

    def test_what_is_done_says_so_and_is_not_past(self, notice, due):
        done = replace(due, rule="italy.file90", what="file the petition", done_on=date(2026, 10, 8))
        late = replace(due, rule="italy.other", what="ask the board", done_on=date(2026, 10, 11))
        said = Page(index_html(replace(notice, on=date(2026, 10, 12)), NAMES, deadlines=[done, late, due])).text
        assert (
            f"file the petition ({due.citation}): filed on Thursday, October 8, 2026, in time, 2 days before the last day" in said
        )
        assert f"ask the board ({due.citation}): filed on Sunday, October 11, 2026, 1 day late" in said
        assert f"give the notice to all owners ({due.citation}) (past)" in said
        assert "Friday, October 9, 2026 (past)" not in said

    def test_the_step_of_mailing_names_the_earliest_day_of_the_lists_own_rules(self, notice, due):
        earlier = replace(due, rule="italy.other", suggested=date(2026, 10, 1))
        page = Page(index_html(notice, NAMES, deadlines=[earlier, due]))
        assert (
            "Mail the notice to everybody on the list. Do it by Friday, October 9, 2026; the last lawful day is Saturday, October 10, 2026."
            in page.text
        )

    def test_an_affidavit_due_at_the_hearing_is_not_the_day_to_mail_by(self, notice, due):
        affidavit = replace(due, last_day=date(2026, 10, 20), suggested=date(2026, 10, 20))
        assert "It must be given in time before the hearing" in Page(index_html(notice, NAMES, deadlines=[affidavit])).text

    def test_without_the_day_of_the_hearing_it_says_what_the_law_counts_from(self, notice):
        page = Page(index_html(replace(notice, hearing=None), NAMES, undated=["hearing"]))
        assert "The law counts its days from the hearing, whose day was not given" in page.text
        assert "dates" not in page.headings
