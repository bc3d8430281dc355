"""What is mailed can be printed in another order; the numbers stay those of the list."""

import pytest
from hard_names import read_pages

from geonotice.config.town import Clerk
from geonotice.errors import UsageError
from geonotice.packet.addresses_and_mailing_order import in_mailing_order, sender_lines
from geonotice.packet.labels import labels_pdf, return_labels_pdf
from geonotice.packet.paper import Duties, PacketContext, prepare
from geonotice.packet.word_papers import BLANK, PaperSettings

CLERK = Clerk(title="Town Clerk", office="Italy Town Hall", address=("1 Main St", "Naples NY 14512"))


@pytest.fixture
def people(recipient):
    return (
        recipient(1, "ROE RAY", situs="10 OAK ST", parcels=("1-10",), zip="14512"),
        recipient(2, "doe jane", situs="9 OAK ST", parcels=("1-9",), zip="14424"),
        recipient(3, "LEE ANN", situs="200 ELM ST", parcels=("2-1",), zip="10001"),
        recipient(4, "FAIR CO", mail="none"),
    )


@pytest.mark.parametrize(
    ("sort", "numbers"),
    [("number", [1, 2, 3]), ("street", [3, 2, 1]), ("parcel", [2, 1, 3]), ("owner", [2, 3, 1]), ("zip", [3, 2, 1])],
)
def test_the_order(people, sort, numbers):
    assert [one.number for one in in_mailing_order(people, sort)] == numbers


def test_an_order_that_is_not_known_is_refused_before_anything_is_made(notice):
    with pytest.raises(UsageError, match="nothing can be sorted by 'color'"):
        prepare(PacketContext(notice=notice, sort="color"))


def test_each_label_has_the_number_of_its_recipient_over_the_address_or_beside_its_first_line(people):
    (page,) = read_pages(labels_pdf(in_mailing_order(people, "zip")))
    assert page.startswith("3LEEANN12MAINSTNAPLESNY10001")
    assert "2doejane" in page


class TestTheSender:
    def test_is_the_clerk(self, notice):
        context = PacketContext(notice=notice, settings=PaperSettings(clerk=CLERK))
        assert sender_lines(context) == ["Town of Italy", "Italy Town Hall", "1 Main St", "Naples NY 14512"]

    # LAW: Southampton 283-9 has the applicant mail.
    def test_is_the_applicant_where_the_law_has_the_applicant_mail(self, notice):
        settings = PaperSettings(clerk=CLERK, stated={"applicant_name": "Ann Roe"})
        context = PacketContext(notice=notice, settings=settings, duties=Duties(sent_by="applicant"))
        assert sender_lines(context) == ["Ann Roe", BLANK, BLANK]

    def test_has_lines_to_fill_in_where_no_address_is_known(self, notice):
        assert sender_lines(PacketContext(notice=notice)) == ["Town of Italy", "Town Clerk", BLANK, BLANK]

    def test_return_labels_fill_a_sheet(self):
        (page,) = read_pages(return_labels_pdf(["Town of Italy", "1 Main St", "Naples NY 14512"], sheet="5160"))
        assert page.count("TownofItaly1MainStNaplesNY14512") == 30

    def test_an_address_that_no_label_holds_costs_the_return_labels_only_and_is_told(self, notice):
        clerk = Clerk(office="Town Hall", address=tuple(f"LINE {n}" for n in range(20)))
        context = prepare(PacketContext(notice=notice, settings=PaperSettings(clerk=clerk), letters=False))
        assert any("There are no return labels" in note for note in context.notes)
        assert context.printed["return-labels"] == {}
