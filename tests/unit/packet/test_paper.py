"""A new paper is one module: the folder and the first page have it without a change to either."""

import subprocess
import sys
from decimal import Decimal

import pytest
import shapely
from msgspec.structs import replace

from geonotice.config.postage_rates import Rates
from geonotice.config.town import Clerk
from geonotice.model import Clause, Municipality, ResultWarning
from geonotice.packet import paper as registry
from geonotice.packet.invoice import Costs
from geonotice.packet.notice_gpkg import NoticeShapes
from geonotice.packet.paper import LAST, Duties, PacketContext, SignSite, assemble, paper, paper_of, papers, prepare
from geonotice.packet.word_papers import PaperSettings


@pytest.fixture
def context(notice):
    return PacketContext(notice=notice, office="Town Hall, 1 MAIN ST")


@pytest.fixture
def mine(monkeypatch):
    """Return the decorator, for papers that only one test has."""
    papers()  # those of the room are registered first
    monkeypatch.setattr(registry, "_PAPERS", dict(registry._PAPERS))
    return paper


class TestMadeUpPaper:
    def test_is_in_the_folder_and_on_the_first_page_with_its_purpose_and_steps(self, mine, context):
        @mine(
            "bulletin.txt",
            purpose="The hearing for the bulletin board.",
            place=55,
            before_mailing=lambda context: f"Pin up bulletin.txt at {context.office}.",
            after_mailing=lambda _: "Take bulletin.txt down after the hearing.",
        )
        def bulletin(context):
            return f"{context.notice.town}: {context.notice.hearing}".encode()

        made = assemble(context)
        assert made["bulletin.txt"] == b"Town of Italy: 2026-10-20"
        page = made["index.html"].decode()
        assert '<a href="bulletin.txt">bulletin.txt</a></th><td>The hearing for the bulletin board.</td>' in page
        assert page.index(">labels.pdf</a>") < page.index(">bulletin.txt</a>") < page.index(">labels-test.pdf</a>")
        steps = [
            page.index(words)
            for words in ("Pin up bulletin.txt at Town Hall, 1 MAIN ST.", "Mail the notice to", "Take bulletin.txt down")
        ]
        assert steps == sorted(steps)

    def test_is_left_out_where_it_is_not_asked_for(self, mine, context):
        @mine("appeal.txt", purpose="For an appeal.", place=55, when=lambda context: context.notice.occasion == "appeal")
        def appeal(_):
            return b"appeal"

        assert "appeal.txt" not in assemble(context)
        assert b"For an appeal." not in assemble(context)["index.html"]
        assert assemble(replace(context, notice=replace(context.notice, occasion="appeal")))["appeal.txt"] == b"appeal"

    def test_may_be_several_files_named_alike(self, mine, context):
        @mine("slip-*.txt", purpose="A slip for each recipient.", place=70)
        def slips(context):
            return {f"slip-{one.number}.txt": one.names[0].encode() for one in context.notice.recipients}

        made = assemble(context)
        assert {name for name in made if name.startswith("slip-")} == {f"slip-{n}.txt" for n in range(1, 6)}
        assert made["index.html"].decode().count("A slip for each recipient.") == 5

    def test_may_warn_before_anything_is_made(self, mine, context):
        def warn(context):
            warning = ResultWarning("too_long", "The town's name does not fit.")
            return replace(context, notice=replace(context.notice, warnings=(*context.notice.warnings, warning)))

        @mine("banner.txt", purpose="A banner.", place=80, prepare=warn)
        def banner(_):
            return b""

        made = assemble(prepare(context))
        assert "The town&#39;s name does not fit." in made["index.html"].decode()
        assert b"too_long" in made["record.json"]


class TestMistakes:
    def test_two_papers_of_one_name(self, mine):
        with pytest.raises(ValueError, match=r"two papers are called record\.json"):
            mine("record.json", purpose="", place=1)(lambda _: b"")

    def test_a_place_past_the_first_page_would_not_be_listed_on_it(self, mine):
        with pytest.raises(ValueError, match="1001"):
            mine("late.txt", purpose="", place=LAST + 1)(lambda _: b"")

    def test_a_file_of_another_paper(self, mine, context):
        mine("slip-*.txt", purpose="", place=1)(lambda _: {"record.json": b"{}"})
        with pytest.raises(ValueError, match=r"slip-\*\.txt made record\.json"):
            assemble(context)

    def test_two_papers_that_make_one_file(self, mine, context):
        mine("a-*.txt", purpose="", place=1)(lambda _: {"a-b.txt": b""})
        mine("*-b.txt", purpose="", place=2)(lambda _: {"a-b.txt": b""})
        with pytest.raises(ValueError, match=r"two papers made a-b\.txt"):
            assemble(context)


class TestTheRoom:
    def test_every_paper_says_what_it_is_for_and_the_page_that_lists_them_comes_last(self):
        assert all(one.purpose.endswith(".") for one in papers())
        assert [one.place for one in papers()] == sorted({one.place for one in papers()})
        assert papers()[-1].name == "index.html"

    def test_nothing_is_promised_that_nothing_makes(self, notice):
        from map_toys import toy

        from geonotice.decide.deadlines import Deadline
        from geonotice.maps import MapLayers

        box = shapely.box(0, 0, 10, 10)
        shapes = NoticeShapes("EPSG:2261", {"11.00-1-1": box}, {2: box, 3: box}, {"12.01-1-17": box})
        due = Deadline("italy.notice1000", "give notice", notice.hearing, notice.hearing, "", "C", reckoned_from="hearing")
        clause, price = Clause("r", "C", "words"), Decimal("0.78")
        kinds = ("letter", "certified", "return_receipt", "international", "registered_international")
        prices = Rates(since=notice.on, source="s", **dict.fromkeys(kinds, price))
        full = PacketContext(
            notice=notice,
            shapes=shapes,
            draw=lambda: (toy(), MapLayers()),
            deadlines=(due,),
            settings=PaperSettings(clerk=Clerk(address=("1 MAIN ST", "NAPLES NY 14512"))),
            duties=Duties(return_receipts=frozenset({"italy.notice1000"}), published=clause, signs=clause),
            envelopes=True,
            beyond=(Municipality("Town of Naples", "", 0.0),),
            costs=Costs(clause=clause, day=notice.on, rates=prices),
            sign_sites=(SignSite(street="ELM", jurisdiction="", point=box.centroid, street_line=None, bearing_deg=0.0),),
        )
        made = assemble(prepare(full))
        assert {paper_of(name).name for name in made} == {one.name for one in papers()}

    def test_a_file_belongs_to_its_paper(self):
        assert paper_of("labels.pdf").purpose == "Mailing labels, ready to print."
        assert paper_of("holiday.jpg") is None

    def test_finding_the_papers_loads_no_heavy_library(self):
        heavy = (
            "{'folium', 'pandas', 'geopandas', 'pyogrio', 'fiona', 'xlsxwriter', 'reportlab', 'icalendar', 'jinja2', 'pydantic'}"
        )
        code = (
            f"import sys; from geonotice.packet.paper import papers; assert papers(); print(sorted({heavy} & set(sys.modules)))"
        )
        assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == "[]"

    def test_the_record_alone_does_not_import_the_others(self):
        code = "import sys; import geonotice.packet.record; print(sorted(name for name in sys.modules if name.startswith('geonotice.packet.')))"
        run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert run.stdout.strip() == "['geonotice.packet.paper', 'geonotice.packet.record']"
