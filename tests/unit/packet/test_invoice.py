"""The invoice: exact cents by class of mail, what is open stays open, and words that the Word file and the PDF share."""

from datetime import date
from decimal import Decimal

import pytest
from msgspec.structs import replace

from geonotice.config.postage_rates import Rates
from geonotice.io.pdf_words import words_of_pdf
from geonotice.io.word_files import words_of_word_file
from geonotice.model import Clause
from geonotice.packet.invoice import Costs, Piece, bill_of
from geonotice.packet.paper import PacketContext, assemble, prepare

JANUARY = Rates(
    since=date(2026, 1, 1), source="USPS Notice 123", letter=Decimal("0.78"), certified=Decimal("5.30"), return_receipt=Decimal("4.40"),
    electronic=Decimal("2.82"),
)  # fmt: skip
COSTS = Costs(
    clause=Clause("italy.cost", "Italy, C", "The applicant shall be responsible for the actual cost"), day=date(2026, 9, 1), rates=JANUARY,
    last_day=date(2026, 10, 19),
)  # fmt: skip
LETTERS = [Piece(number, "first_class") for number in range(1, 4)]


class TestTheBill:
    def test_a_certified_piece_is_letter_certified_and_return_receipt(self):
        bill, _ = bill_of([*LETTERS, Piece(4, "certified"), Piece(5, "certified")], COSTS)
        assert [(line.pieces, line.each, line.amount) for line in bill.lines[:2]] == [
            (2, Decimal("10.48"), Decimal("20.96")),
            (3, Decimal("0.78"), Decimal("2.34")),
        ]
        assert bill.known == Decimal("23.30")

    def test_while_publication_or_paper_is_not_known_there_is_no_total(self):
        assert bill_of(LETTERS, COSTS)[0].total is None
        assert bill_of(LETTERS, replace(COSTS, publication=Decimal("84.20")))[0].total is None

    def test_what_was_paid_and_what_is_still_due_are_exact(self):
        costs = replace(COSTS, publication=Decimal("84.20"), paper=Decimal("12.00"))
        part = bill_of(LETTERS, replace(costs, payments=[(date(2026, 10, 12), Decimal("50.10"))]))[0]
        assert (part.total, part.still_due) == (Decimal("98.54"), Decimal("48.44"))
        full = bill_of(LETTERS, replace(costs, payments=[(date(2026, 10, 12), Decimal("50.10")), (date(2026, 10, 13), None)]))[0]
        assert [one.amount for one in full.payments] == [Decimal("50.10"), Decimal("48.44")]
        assert full.still_due == 0

    def test_the_electronic_receipt_where_the_town_pays_for_that(self):
        rates = Rates(**{**{name: getattr(JANUARY, name) for name in ("since", "source", "letter", "certified", "electronic")},
                         "certified_piece": ("letter", "certified", "electronic")})  # fmt: skip
        assert bill_of([Piece(1, "certified")], replace(COSTS, rates=rates))[0].lines[0].each == Decimal("8.90")

    def test_a_class_without_a_price_is_named_with_its_numbers(self):
        bill, problem = bill_of([*LETTERS, Piece(9, "first_class", abroad=True)], COSTS)
        assert bill is None
        assert problem == "the rates from January 1, 2026 have no price for international (letters abroad: No. 9)"


class TestThePaper:
    def made(self, notice, costs):
        context = prepare(PacketContext(notice=notice, letters=False, costs=costs))
        return context, assemble(context)

    @pytest.fixture
    def domestic(self, notice):
        return replace(notice, recipients=tuple(replace(one, country="") for one in notice.recipients))

    def test_it_is_made_although_nobody_is_mailed(self, notice):
        _, files = self.made(replace(notice, recipients=()), COSTS)
        text = " ".join(" ".join(words_of_pdf(files["invoice.pdf"])).split())
        assert "Amount Publication" in text
        assert "Total so far: $0.00" in text

    def test_word_file_and_pdf_have_the_pieces_the_due_day_the_clause_and_the_source_of_the_rates(self, domestic):
        _, files = self.made(domestic, COSTS)
        for text in (
            " ".join(words_of_word_file(files["invoice.docx"])),
            " ".join(" ".join(words_of_pdf(files["invoice.pdf"])).split()),
        ):
            for words in (
                "INVOICE: COST OF THE NOTICES",
                "Total so far: $",
                "before the date of the hearing, Tuesday, October 20, 2026: by Monday, October 19, 2026.",
                "“The applicant shall be responsible for the actual cost”",
                "USPS Notice 123 (from January 1, 2026)",
            ):
                assert words in text

    def test_without_a_rate_the_first_page_says_what_is_missing(self, domestic):
        context, files = self.made(domestic, replace(COSTS, rates=None, problem="rates.toml has no rate for 2026-09-01"))
        assert not [name for name in files if name.startswith("invoice")]
        assert any("No invoice was made" in note and "has no rate for 2026-09-01" in note for note in context.notes)
        assert "has no rate for 2026-09-01" in files["index.html"].decode()

    def test_where_no_law_asks_for_payment_there_is_none(self, domestic):
        context, files = self.made(domestic, None)
        assert not [name for name in files if name.startswith("invoice")]
        assert not [note for note in context.notes if "invoice" in note]
