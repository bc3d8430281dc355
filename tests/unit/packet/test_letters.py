"""Letters: each recipient's own, in the order of the list, with what the law wants in them."""

import pdfplumber
import pytest
from msgspec.structs import replace

from geonotice.config.town import Clerk
from geonotice.errors import TemplateError, UsageError
from geonotice.io.pdf_words import words_of_pdf
from geonotice.io.word_files import words_of_word_file
from geonotice.io.word_pages import Block, build_word_file
from geonotice.model import Clause
from geonotice.packet.addresses_and_mailing_order import address_lines
from geonotice.packet.letters import letter_words
from geonotice.packet.paper import PacketContext, assemble, prepare
from geonotice.packet.word_papers import PaperSettings, common_values, fields_text, own_templates, template_bytes, word_papers
from geonotice.recipients import reachable

STATED = {
    "event_title": "Hay & Seed <Fair>",
    "event_kind": "festival",
    "event_when": "Saturday, October 24, 2026, 2 p.m. to 10 p.m.",
    "applicant_name": "Ann Roe",
    "applicant_contact": "555-0101",
    "hearing_time": "7:00 p.m.",
    "hearing_place": "Italy Town Hall",
}
CLERK = Clerk(
    name="R. Doe", title="Town Clerk", office="Italy Town Hall", address=("1 Main St", "Naples NY 14512"), phone="555-0100",
    hours="Monday to Thursday, 9 a.m. to 3 p.m.",
)  # fmt: skip


def packet(notice, **settings):
    return PacketContext(notice=notice, settings=PaperSettings(clerk=CLERK, stated=STATED, **settings))


def made(context):
    return {name: content for name, content in assemble(prepare(context)).items() if name.startswith("letters")}


class TestTheLettersOfAHearing:
    def test_there_is_one_for_each_who_is_reached_in_the_order_of_the_list(self, notice):
        pages = words_of_pdf(made(packet(notice))["letters.pdf"])
        reached = [one for one in reachable(notice.recipients) if one.role != "clerk"]
        assert len(pages) == len(reached) > 1
        for page, one in zip(pages, reached, strict=True):
            assert all(line in page for line in address_lines(one))
            assert f"No. {one.number} on the notice list" in page

    # LAW: Italy C.
    def test_they_state_location_dates_times_type_and_where_the_application_is_read(self, notice):
        text = " ".join(words_of_pdf(made(packet(notice))["letters.pdf"])[0].split())
        for words in (
            "Tuesday, October 20, 2026 at 7:00 p.m., at Italy Town Hall",
            "application of Ann Roe",
            "Event: Hay & Seed <Fair>",
            "Type of event: festival",
            "Saturday, October 24, 2026, 2 p.m. to 10 p.m.",
            "1 FAIR RD (tax map number 11.00-1-1)",
            "reviewed at the Town Clerk's office, 1 Main St, Naples NY 14512, during regular business hours (Monday to Thursday",
            "“to all owners & residents”",
        ):
            assert words in text

    def test_the_word_file_and_the_pdf_have_the_same_words(self, notice):
        files = made(packet(notice))
        one, other = (
            "".join("".join(part).split())
            for part in (words_of_word_file(files["letters.docx"]), words_of_pdf(files["letters.pdf"]))
        )
        for word in (word for line in words_of_word_file(files["letters.docx"]) for word in line.split()):
            assert word.replace("-", "") in other.replace("-", "")
        assert len(other) >= len(one)

    def test_what_is_not_known_is_a_line_to_fill_in_and_the_packet_names_it(self, notice):
        context = prepare(PacketContext(notice=notice, settings=PaperSettings(clerk=CLERK)))
        assert "the time of the hearing; where the hearing is held; the event's title" in context.notes[0]
        assert any("____" in line for line in words_of_word_file(assemble(context)["letters.docx"]))

    def test_the_same_notice_makes_the_same_bytes(self, notice):
        assert made(packet(notice)) == made(packet(notice))

    def test_nothing_is_cut_of_a_name_of_120_characters_and_six_lines(self, notice, recipient):
        long = recipient(
            1, " ".join(["ESTATE OF ŁUKASZ O'NEIL-ŽIŽEK"] * 4)[:120], address=tuple(f"LINE {n} OF AN ADDRESS" for n in range(5))
        )
        content = made(packet(replace(notice, recipients=(long,))))["letters.pdf"]
        import io

        with pdfplumber.open(io.BytesIO(content)) as document:
            page = document.pages[0]
            assert len(document.pages) == 1
            words = page.extract_words()
            assert all(word["x0"] > 0.5 * 72 and word["x1"] < 8 * 72 for word in words)
            assert "LINE 4 OF AN ADDRESS" in page.extract_text()

    def test_a_letterhead_that_reaches_into_the_window_is_told(self, notice):
        assert "shows in the window" in assemble(prepare(packet(notice)))["index.html"].decode()
        office = (
            "Office of the Town Clerk, Registrar of Vital Statistics and Receiver of Taxes, Second Floor, Room 214, West Wing"
        )
        clerk = Clerk(title="Town Clerk", office=office, address=tuple(f"Line {number}" for number in range(8)))
        long = PacketContext(notice=notice, settings=PaperSettings(clerk=clerk, stated=STATED))
        assert "reaches into the window of a #10 envelope" in assemble(prepare(long))["index.html"].decode()

    def test_a_name_that_the_type_lacks_is_in_the_word_file_and_named_in_the_steps(self, notice, recipient):
        context = prepare(packet(replace(notice, recipients=(recipient(1, "DOE JANE"), recipient(2, "王小明")))))
        files = assemble(context)
        assert any("王小明" in line for line in words_of_word_file(files["letters.docx"]))
        assert len(words_of_pdf(files["letters.pdf"])) == 1
        assert "Print the letters of No. 2 from letters.docx" in files["index.html"].decode()

    def test_without_letters_there_are_none(self, notice):
        assert not made(replace(packet(notice), letters=False))


def test_a_clerk_gets_words_of_their_own(notice, recipient):
    clerk = recipient(3, "VILLAGE CLERK", role="clerk")
    files = made(packet(replace(notice, recipients=(recipient(1, "DOE JANE"), clerk))))
    assert len(words_of_pdf(files["letters.pdf"])) == 1
    assert "NOTICE TO A NEIGHBORING MUNICIPALITY" in words_of_pdf(files["letters-clerks.pdf"])[0]


def test_an_occasion_of_another_towns_ordinance_has_the_general_words():
    assert letter_words("filing").name == "letter-filing"
    assert letter_words("renewal").name == "letter-notice"


def test_the_clause_that_is_quoted_is_the_one_that_names_the_recipients(notice, recipient):
    plan = Clause("italy.plan", "Italy, B(3)", "A plan drawn to scale")
    listed = replace(notice, clauses=(plan, *notice.clauses), recipients=(recipient(1, "DOE JANE"),))
    assert common_values(listed, PaperSettings())["clause"] == "to all owners & residents"


class TestATownsOwnWords:
    def test_its_template_takes_the_place_of_the_programs(self, notice):
        own = build_word_file([Block(kind="text", text="Dear {{ recipient }}: {{ premises }}, {{ hearing_day }}. Yours, R.")])
        page = words_of_pdf(made(packet(notice, templates={"letter-hearing.docx": own}))["letters.pdf"])[0]
        assert page.startswith("Dear O'BRIEN & SÖHNE")
        assert "Yours, R." in page

    def test_all_faults_of_all_templates_are_told_at_once(self):
        wrong = build_word_file([Block(kind="text", text="Dear {{ resident }}")])
        with pytest.raises(TemplateError) as refused:
            own_templates({"letter-hearing.docx": wrong, "letter-appeal.docx": wrong}, folder="templates")
        told = str(refused.value)
        assert "templates/letter-appeal.docx: paragraph 1 uses '{{ resident }}'" in told
        assert "does not use the field {{ premises }}" in told

    def test_a_template_that_no_paper_uses_is_refused(self):
        with pytest.raises(UsageError, match=r"no paper has the template leter-hearing\.docx"):
            own_templates({"leter-hearing.docx": b""}, folder="templates")

    @pytest.mark.parametrize("paper", word_papers(), ids=lambda paper: paper.name)
    def test_the_programs_own_templates_have_no_faults_and_their_fields_are_listed(self, paper):
        own_templates({paper.file: template_bytes(paper)}, folder="templates")
        assert paper.file in fields_text()
