"""Labels as they come out of the PDF: every letter of every address on its own label, or a refusal that names who."""

import io

import pdfplumber
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from geonotice.errors import OutputError, UsageError
from geonotice.model import Recipient
from geonotice.packet.addresses_and_mailing_order import address_lines
from geonotice.packet.labels import SHEETS, labels_pdf, labels_test_pdf, sheet_named
from geonotice.packet.pdf_text import printable
from geonotice.recipients import reachable, unreachable

ALL_SHEETS = [sheet.name for sheet in SHEETS]
LONG = "THE VERY LONG FAMILY IRREVOCABLE TRUST DATED JANUARY 12 1998 AS AMENDED AND RESTATED"


def piece(number, *names, address=("12 MAIN ST",), **changes):
    return replace(
        Recipient(number, "owner", names, address, "NAPLES", "NY", "14512", "", "first_class", ("1-1",), ("r",)), **changes
    )


NUMBER_PT = 5.5
"""The type of the reference number, which no address is set in."""


def letters_by_label(pdf: bytes, sheet, *, nudge_x_in=0.0, nudge_y_in=0.0, of_numbers=False):
    """Return the letters of the addresses on each label, or those of the reference numbers; fail where a letter lies outside of its label."""
    found: dict[tuple[int, int], str] = {}
    with pdfplumber.open(io.BytesIO(pdf)) as document:
        for number, page in enumerate(document.pages):
            assert (page.width, page.height) == (612, 792)
            for letter in page.chars:
                if not letter["text"].strip():
                    continue
                where = [
                    place
                    for place in range(sheet.labels)
                    if inside(letter, sheet, place, nudge_x_in=nudge_x_in, nudge_y_in=nudge_y_in)
                ]
                is_number = abs(letter["size"] - NUMBER_PT) < 0.01
                assert len(where) == 1, f"{letter['text']!r} at {letter['x0']:.1f}, {letter['top']:.1f} is on {len(where)} labels"
                if is_number == of_numbers:
                    found[number, where[0]] = found.get((number, where[0]), "") + letter["text"]
    return found


def inside(letter, sheet, place, *, nudge_x_in, nudge_y_in):
    left, top = sheet.corner_in(place)
    left, top = (left + nudge_x_in) * 72, (top + nudge_y_in) * 72
    return (
        left <= letter["x0"]
        and letter["x1"] <= left + sheet.width_in * 72
        and top <= letter["top"]
        and letter["bottom"] <= top + sheet.height_in * 72
    )


def letters(recipient):
    return "".join("".join(printable(line) for line in address_lines(recipient)).split())


@pytest.mark.parametrize("name", ALL_SHEETS)
def test_every_address_is_whole_on_its_own_label(name):
    sheet = sheet_named(name)
    people = [piece(n, f"DOE JANE {n}", "C/O ROE" * (n % 2)) for n in range(1, sheet.labels + 4)]
    found = letters_by_label(labels_pdf(people, sheet=name), sheet)
    assert list(found) == [divmod(n, sheet.labels) for n in range(len(people))]
    assert list(found.values()) == [letters(one) for one in people]


@pytest.mark.parametrize("name", ALL_SHEETS)
def test_each_label_has_the_number_of_the_list_clear_of_the_address(name):
    sheet = sheet_named(name)
    six = () if name == "5167" else ("ATTN ESTATES DESK", "BUILDING 4", "SUITE 1200")
    people = [piece(n, "DOE JANE", address=(*six, "12 EXCHANGE ST")) for n in (7, 431, 2999)]
    made = labels_pdf(people, sheet=name)
    assert list(letters_by_label(made, sheet, of_numbers=True).values()) == ["7", "431", "2999"]
    with pdfplumber.open(io.BytesIO(made)) as document:
        numbers = [one for one in document.pages[0].chars if abs(one["size"] - NUMBER_PT) < 0.01]
        others = [one for one in document.pages[0].chars if abs(one["size"] - NUMBER_PT) >= 0.01]
    for one in numbers:
        assert not any(
            one["x0"] < other["x1"]
            and other["x0"] < one["x1"]
            and one["top"] < other["bottom"] - 1
            and other["top"] + 1 < one["bottom"]
            for other in others
        )


@pytest.mark.parametrize(("first", "places"), [(1, [(0, 0), (0, 1)]), (30, [(0, 29), (1, 0)]), (7, [(0, 6), (0, 7)])])
def test_a_sheet_that_is_partly_used(first, places):
    found = letters_by_label(labels_pdf([piece(1, "A"), piece(2, "B")], start_at=first), sheet_named("5160"))
    assert list(found) == places


def test_nudged():
    people = [piece(1, LONG)]
    found = letters_by_label(
        labels_pdf(people, nudge_x_in=0.1, nudge_y_in=-0.05), sheet_named("5160"), nudge_x_in=0.1, nudge_y_in=-0.05
    )
    assert found == {(0, 0): letters(people[0])}


@pytest.mark.parametrize(
    "wrong",
    [{"start_at": 0}, {"start_at": 31}, {"nudge_x_in": 0.3}, {"nudge_y_in": float("nan")}, {"sheet": "5999"}, {"by_hand": {9}}],
)
def test_wrong_usage_is_refused(wrong):
    with pytest.raises(UsageError):
        labels_pdf([piece(1, "A")], **wrong)


def test_a_kin_is_the_same_sheet():
    assert labels_pdf([piece(1, "A")], sheet="Avery 8160") == labels_pdf([piece(1, "A")], sheet="5160")


def test_who_is_not_mailed_or_has_no_address_gets_no_label():
    people = [piece(1, "A"), piece(2, "B", mail="none"), piece(3, "C", review=("unmailable",)), piece(4, "D", mail="certified")]
    assert [one.number for one in reachable(people)] == [1, 4]
    assert [one.number for one in unreachable(people)] == [3]
    assert len(letters_by_label(labels_pdf(people), sheet_named("5160"))) == 2


def test_nobody_to_mail_is_a_page_that_says_so():
    with pdfplumber.open(io.BytesIO(labels_pdf([]))) as document:
        assert "No labels" in document.pages[0].extract_text()


def test_a_long_name_is_wrapped_between_words():
    with pdfplumber.open(io.BytesIO(labels_pdf([piece(1, LONG)]))) as document:
        words = document.pages[0].extract_text().split()
    assert " ".join(words) == f"1 {LONG} 12 MAIN ST NAPLES NY 14512"


def test_letters_of_many_languages():
    person = piece(1, "Łukasz Ørsted Šimůnková", "Жуков / Παπαδόπουλος", address=("Nguyễn Văn Cừ 4",), country="VIỆT NAM")
    assert letters_by_label(labels_pdf([person]), sheet_named("5160")) == {(0, 0): letters(person)}


class TestRefused:
    def test_what_does_not_fit_is_named_with_the_sheet_that_holds_it(self):
        lines = tuple(f"LINE {n} OF THE ADDRESS" for n in range(12))
        people = [piece(1, "A"), piece(2, "ROE RAY", address=lines), piece(3, "DOE JANE", address=lines)]
        with pytest.raises(OutputError) as refused:
            labels_pdf(people)
        assert len(refused.value.faults) == 2
        assert "recipient 2, ROE RAY" in str(refused.value.faults[0])
        assert "Use sheet 5163" in str(refused.value.faults[0])
        assert letters_by_label(labels_pdf(people, sheet="5163"), sheet_named("5163"))[0, 1] == letters(people[1])

    def test_a_word_wider_than_any_sheet_goes_by_hand(self):
        with pytest.raises(OutputError, match="Address this letter by hand: --by-hand 1") as refused:
            labels_pdf([piece(1, "W" * 200)])
        assert "use sheet" not in str(refused.value).lower()

    @pytest.mark.parametrize("name", ["王小明", "محمد", "שלום", "A\u0332B", "A\x00B", "\U0001f9d9", "\ue000"])
    def test_letters_that_would_not_come_out_right_are_named(self, name):
        with pytest.raises(OutputError, match=r"recipient 7, .*U\+"):
            labels_pdf([piece(7, name)])

    def test_one_address_by_hand_lets_the_others_be_printed(self):
        people = [piece(1, "王小明"), piece(2, "DOE JANE")]
        assert letters_by_label(labels_pdf(people, by_hand={1}), sheet_named("5160")) == {(0, 0): letters(people[1])}


@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(st.text(max_size=80), min_size=1, max_size=4),
    address=st.lists(st.text(st.characters(max_codepoint=0x24F), max_size=60), min_size=1, max_size=3),
    sheet=st.sampled_from(ALL_SHEETS),
)
def test_any_address_is_whole_on_its_label_or_refused_by_name(names, address, sheet):
    person = piece(12, *names, address=tuple(address))
    try:
        made = labels_pdf([person], sheet=sheet)
    except OutputError as refused:
        assert "recipient 12, " in str(refused)  # noqa: PT017  # either outcome is right; each is checked
        return
    ((_, found),) = letters_by_label(made, sheet_named(sheet)).items()
    assert sorted(found) == sorted(letters(person))


def test_the_same_recipients_give_the_same_bytes():
    people = [piece(n, f"DOE {n}") for n in range(1, 40)]
    assert labels_pdf(people) == labels_pdf(people)


@pytest.mark.parametrize("name", ALL_SHEETS)
def test_the_test_page_has_an_outline_for_each_label(name):
    sheet = sheet_named(name)
    with pdfplumber.open(io.BytesIO(labels_test_pdf(sheet=name))) as document:
        (page,) = document.pages
        assert len(page.curves) == sheet.labels
        assert "100 %" in page.extract_text()
        boxes = sorted((round(curve["top"], 1), round(curve["x0"], 1)) for curve in page.curves)
    assert boxes[0] == (round(sheet.top_in * 72, 1), round(sheet.left_in * 72, 1))


def test_a_viewer_is_told_to_print_at_full_size():
    made = labels_pdf([piece(1, "A")])
    assert b"/PrintScaling /None" in made
    with pdfplumber.open(io.BytesIO(made)) as document:
        assert "100 %" in document.metadata["Subject"]


@pytest.mark.parametrize("sheet", SHEETS, ids=ALL_SHEETS)
def test_labels_of_a_sheet_lie_on_the_page_and_not_on_one_another(sheet):
    assert sheet.step_x_in >= sheet.width_in
    assert sheet.step_y_in >= sheet.height_in - 1e-9
    left, top = sheet.corner_in(sheet.labels - 1)
    assert left + sheet.width_in <= 8.5
    assert top + sheet.height_in <= 11.0
    assert abs((8.5 - left - sheet.width_in) - sheet.left_in) < 0.02, "as much free at the right as at the left"
