"""Sheets of labels: where each label lies on a page of US Letter paper, in inches."""

from collections.abc import Iterable
from dataclasses import dataclass

from geonotice.errors import Fault, UsageError

__all__ = ["PAGE_HEIGHT_IN", "PAGE_WIDTH_IN", "SHEETS", "LabelSheet", "sheet_named"]

PAGE_WIDTH_IN = 8.5
PAGE_HEIGHT_IN = 11.0


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """One product: size of a label, how many across and down, where the first lies, and the step from one to the next.

    All in inches, ``left_in`` and ``top_in`` from the page's upper left corner. ``type_pt`` is the size of type to begin with.
    ``same_as`` are products cut alike.
    """

    name: str
    width_in: float
    height_in: float
    columns: int
    rows: int
    left_in: float
    top_in: float
    step_x_in: float
    step_y_in: float
    type_pt: float
    same_as: tuple[str, ...] = ()

    @property
    def labels(self) -> int:
        """How many labels a sheet has."""
        return self.columns * self.rows

    def corner_in(self, place: int) -> tuple[float, float]:
        """Give the upper left corner of a label; places run along the rows, from 0."""
        row, column = divmod(place, self.columns)
        return self.left_in + column * self.step_x_in, self.top_in + row * self.step_y_in


# Sizes: the label templates of gLabels (templates/avery-us-templates.xml); for 5160 Avery's own Word template, whose left edge is 1/32 in
# further in. Both are symmetric on the page.
SHEETS = (
    LabelSheet("5160", 2.625, 1.0, 3, 10, 0.1875, 0.5, 2.75, 1.0, 10, ("8160", "5260", "5520", "8460", "18160")),
    LabelSheet("5161", 4.0, 1.0, 2, 10, 0.15625, 0.5, 4.1875, 1.0, 11, ("8161", "5261")),
    LabelSheet("5162", 4.0, 4 / 3, 2, 7, 0.15625, 5 / 6, 4.1875, 4 / 3, 12, ("8162",)),
    LabelSheet("5163", 4.0, 2.0, 2, 5, 0.1625, 0.5, 4.1875, 2.0, 12, ("8163",)),
    LabelSheet("5164", 4.0, 10 / 3, 2, 3, 0.15625, 0.5, 4.1875, 10 / 3, 14, ("8164",)),
    LabelSheet("5167", 1.75, 0.5, 4, 20, 0.28125, 0.5, 2.0625, 0.5, 7, ("8167",)),
)


def sheet_named(name: str, *, sheets: Iterable[LabelSheet] = SHEETS) -> LabelSheet:
    """Find a sheet by its product number, as printed on its box (``Avery 8160``, ``5160``).

    Raises
    ------
    UsageError
        No such sheet is known.

    Examples
    --------
    >>> sheet_named("Avery 8160").name
    '5160'
    """
    number = name.lower().removeprefix("avery").strip()
    for sheet in sheets:
        if number == sheet.name or number in sheet.same_as:
            return sheet
    known = ", ".join(f"{sheet.name} ({sheet.width_in:.4g} x {sheet.height_in:.4g} in)" for sheet in sheets)
    raise UsageError(Fault(what=f"no sheet of labels is known as {name!r}", remedy=f"use one of {known}, or a product cut alike"))
