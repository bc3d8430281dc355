"""The list on paper: everybody whole and in order, from which roll, and lines for who prepared it and who checked it."""

import io
from typing import get_args

import pdfplumber
import pytest
from hard_names import assert_on_the_page_and_apart, hard, read_pages, squeezed
from msgspec.structs import replace

from geonotice.model import RecipientRole
from geonotice.packet.addresses_and_mailing_order import address_lines
from geonotice.packet.certified_list import notice_list_pdf
from geonotice.packet.notice_list import list_sha256
from geonotice.packet.pdf_text import stood_in


def names_column(pdf):
    """Return what stands in the column of names and addresses, page after page, without blanks."""
    found = []
    with pdfplumber.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            column = [one for one in page.chars if 70 < one["x0"] < 274 and one["text"].strip()]
            found.append("".join(one["text"] for one in column))
    return "".join(found)


class TestEverybodyIsOnIt:
    def test_whole_and_in_the_order_of_the_numbers(self, notice, recipient):
        people = hard(recipient)
        pdf = notice_list_pdf(replace(notice, recipients=people))
        text = names_column(pdf)
        at = 0
        for one in people:
            wanted = squeezed("".join(stood_in(line) for line in address_lines(one)))
            at = text.index(wanted, at) + len(wanted)
        assert_on_the_page_and_apart(pdf)

    def test_a_row_higher_than_a_page_goes_on_on_the_next(self, notice, recipient):
        endless = tuple(f"LINE {n} OF THE ADDRESS" for n in range(90))
        pdf = notice_list_pdf(replace(notice, recipients=(recipient(1, "DOE JANE", address=endless),)))
        text = names_column(pdf)
        assert all(squeezed(line) in text for line in endless)
        assert len(read_pages(pdf)) > 2

    @pytest.mark.parametrize("many", [0, 1, 5, 400])
    def test_of_any_length_with_each_page_numbered(self, notice, recipient, many):
        people = tuple(recipient(n, f"OWNER {n}") for n in range(1, many + 1))
        pages = read_pages(notice_list_pdf(replace(notice, recipients=people)))
        assert all(f"Page{n}of{len(pages)}" in page for n, page in enumerate(pages, 1))
        assert all(f"OWNER{n}12MAINST" in "".join(pages) for n in range(1, many + 1))

    def test_the_names_of_those_with_letters_that_the_type_lacks_are_told(self, notice, recipient):
        text = "".join(read_pages(notice_list_pdf(replace(notice, recipients=hard(recipient)))))
        assert "No.4(U+738BU+5C0FU+660E)" in text


class TestWhatItCertifies:
    @pytest.fixture
    def text(self, notice):
        return "".join(read_pages(notice_list_pdf(notice, return_receipts=frozenset({"italy.notice1000"}))))

    def test_the_roll_and_the_law(self, text):
        for words in (
            "roll of 2026 (tentative)",
            "as of July 1, 2026",
            "“to all owners & residents”",
            "C: “to all owners & residents”",
        ):
            assert squeezed(words) in text

    def test_totals_by_role_and_class_of_mail(self, text):
        for words in (
            "5 persons on the list for 2 parcels",
            "owners, first class: 2",
            "municipal clerks, certified: 1",
            "Without a full address: 1",
            "Warnings: 2",
        ):
            assert squeezed(words) in text

    def test_what_was_changed_by_hand(self, text):
        assert squeezed("12.01-1-16: put on the list by hand, by whom is not stated: owner asked <to be told>") in text

    def test_every_role_has_its_total(self, notice, recipient):
        roles = get_args(RecipientRole)
        people = tuple(recipient(n, f"P {n}", role=role) for n, role in enumerate(roles, 1))
        text = "".join(read_pages(notice_list_pdf(replace(notice, recipients=people))))
        assert text.count("firstclass:1") == len(roles)

    def test_distance_relation_and_mail_of_each(self, text):
        assert squeezed("within the distance") in text
        assert "123.5" in text
        assert squeezed("certified, return receipt") in text

    def test_lines_for_who_prepared_and_who_checked_it(self, text):
        assert text.count("Signature") == 2
        assert "Preparedby:" in text
        assert "Checkedby:" in text

    @pytest.mark.parametrize(("name", "printed"), [("Ann Roe", "AnnRoe"), ("Bartholomew " * 9, "BartholomewBartholomew…")])
    def test_who_prepared_it_is_named_on_the_line_where_it_is_stated(self, notice, name, printed):
        assert printed in "".join(read_pages(notice_list_pdf(notice, prepared_by=name.strip())))

    def test_the_hash_of_the_list_which_article_numbers_do_not_change(self, notice, text):
        assert list_sha256(notice) in text
        other = replace(notice, recipients=notice.recipients[:-1])
        assert list_sha256(other) != list_sha256(notice)

    def test_the_same_list_makes_the_same_bytes(self, notice):
        assert notice_list_pdf(notice) == notice_list_pdf(notice)
