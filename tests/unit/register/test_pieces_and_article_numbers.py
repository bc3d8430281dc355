"""Article numbers: checked, never refused for a wrong digit, never made up."""

import pytest

from geonotice.register.pieces_and_article_numbers import MailPiece, grouped, read_article_number

TWENTY, TWENTY_TWO, TWENTY_SIX = "70201290000012345671", "9407100000000000000009", "92055901755477000000000012"


class TestTheCheckDigit:
    """Modulo 10, weights 3 and 1 from the right."""

    # Computed by hand: 70201290000012345678 without its last digit, from the right 7 6 5 4 3 2 1 0 0 0 0 0 9 2 1 0 2 0 7; those in odd places
    # 7+5+3+1+0+0+9+1+2+7 = 35, times 3 = 105; the others 6+4+2+0+0+0+2+0+0 = 14; 119, so 1.
    @pytest.mark.parametrize("number", [TWENTY, TWENTY_TWO])
    def test_a_right_one_raises_no_doubt(self, number):
        assert read_article_number(number) == (number, "")

    def test_26_digits_are_checked_alike(self):
        found = [read_article_number(TWENTY_SIX[:-1] + digit) for digit in "0123456789"]
        assert sum(not one.doubt for one in found) == 1

    @pytest.mark.parametrize("number", [TWENTY, TWENTY_TWO])
    def test_any_single_digit_that_is_wrong_is_found_and_the_number_is_kept(self, number):
        for place, digit in enumerate(number):
            wrong = number[:place] + str((int(digit) + 1) % 10) + number[place + 1 :]
            found = read_article_number(wrong)
            assert found.number == wrong
            assert "scan or type it again" in found.doubt

    def test_another_length_is_a_doubt(self):
        assert "has 19 digits, and the post office's have 20, 22 or 26" in read_article_number(TWENTY[:-1]).doubt


class TestWhatIsScannedOrTyped:
    @pytest.mark.parametrize(
        "text",
        [
            grouped(TWENTY_TWO),
            "9407-1000-0000-0000-0000-09",
            f" {TWENTY_TWO}\n",
            f"42014512{TWENTY_TWO}",
            f"420145121234{TWENTY_TWO}",
            f"42014512\x1d{TWENTY_TWO}",
        ],
    )
    def test_blanks_and_the_zip_code_of_the_bar_code_are_left_out(self, text):
        assert read_article_number(text) == (TWENTY_TWO, "")

    def test_34_digits_with_a_short_zip_code_hold_a_number_of_26(self):
        number = next(n for d in "0123456789" if not read_article_number(n := TWENTY_SIX[:-1] + d).doubt)
        assert read_article_number(f"42014512{number}") == (number, "")

    def test_the_green_card_s_own_number_does_not_track_the_letter(self):
        assert "green card (PS Form 3811)" in read_article_number("9590940212345678901234").doubt

    def test_a_registered_letter_abroad_has_letters(self):
        assert read_article_number("ra 123 456 785 us") == ("RA123456785US", "")

    @pytest.mark.parametrize("text", ["", "see receipt", "n/a", "12AB"])
    def test_what_is_no_number_is_none(self, text):
        assert read_article_number(text) is None


def test_a_piece_says_how_far_it_is():
    piece = MailPiece(
        packet="ab", occasion="hearing", premises=("1",), number=7, letter=2, name="ROE", address="", mail="certified"
    )
    assert (piece.state, piece.key, piece.label) == ("not mailed", "ab/7.2", "No. 7 (letter 2)")
