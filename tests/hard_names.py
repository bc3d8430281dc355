"""Recipients whose names and addresses are hard to set, and how the PDFs are read back."""

import io
from itertools import pairwise

import pdfplumber

LONG = "THE VERY LONG FAMILY IRREVOCABLE TRUST DATED JANUARY 12 1998 AS AMENDED AND RESTATED BY THE SECOND AMENDMENT THEREOF LLC"
"""120 characters."""
SIX_LINES = ("C/O HOLLISTER & KIMBERLIN CPAS", "ATTN ESTATES DESK", "BUILDING 4 SUITE 1200", "12 EXCHANGE ST")


def hard(recipient, **changes):
    """Return people with a long name, six lines of address, letters outside Latin-1, letters the type lacks, and a plain one."""
    return (
        recipient(1, LONG, parcels=("12.01-1-15.1", "12.01-1-16"), **changes),
        recipient(2, "FAIRBROTHER KARL H & IRENE", address=SIX_LINES, **changes),
        recipient(3, "Łukasz Żółkiewski", "Ἑλένη Παπαδοπούλου", **changes),
        recipient(4, "王小明", **changes),
        recipient(5, "DOE JANE", situs="9 OAK ST", **changes),
    )


def squeezed(text):
    """Return a text without blanks: where a line is broken says nothing."""
    return "".join(text.split())


def read_pages(pdf):
    """Return the text of each page without blanks, in the order in which it was set."""
    with pdfplumber.open(io.BytesIO(pdf)) as document:
        return ["".join(letter["text"] for letter in page.chars if letter["text"].strip()) for page in document.pages]


def assert_on_the_page_and_apart(pdf):
    """Assert that no letter leaves its page, and that no two letters stand on one another."""
    with pdfplumber.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            letters = [one for one in page.chars if one["text"].strip()]
            for one in letters:
                assert one["x0"] >= 0, one
                assert one["x1"] <= page.width, one
                assert one["top"] >= 0, one
                assert one["bottom"] <= page.height, one
            lines = {}
            for one in letters:
                lines.setdefault(round(one["bottom"]), []).append(one)
            for line in lines.values():
                line.sort(key=lambda one: one["x0"])
                for one, other in pairwise(line):
                    assert other["x0"] - one["x0"] > 0.3, (one["text"], other["text"], page.page_number)
