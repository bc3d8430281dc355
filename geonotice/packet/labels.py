"""Mailing labels as PDF, on the common sheets; every line of every address whole, or none of the labels."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from geonotice.errors import Fault, OutputError, UsageError
from geonotice.model import Recipient, ResultWarning
from geonotice.packet.addresses_and_mailing_order import address_lines, in_mailing_order, sender_lines
from geonotice.packet.paper import PacketContext, paper
from geonotice.packet.pdf_pages import open_canvas
from geonotice.packet.pdf_text import ASCENT, FLOOR_PT, FONT, LEADING, Setting, fit, unprintable, width_pt
from geonotice.packet.sentences import count
from geonotice.recipients import reachable
from geonotice.warning_ranks import worst_first

__all__ = [
    "PAGE_HEIGHT_IN",
    "PAGE_WIDTH_IN",
    "SHEETS",
    "LabelSheet",
    "check_labels",
    "check_sheet",
    "labels_pdf",
    "labels_test_pdf",
    "return_labels_pdf",
    "sheet_named",
    "unprintable_labels",
]


PAGE_WIDTH_IN = 8.5
PAGE_HEIGHT_IN = 11.0


class LabelSheet(Struct, frozen=True):
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
        """Return the upper left corner of a label; places run along the rows, from 0."""
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
    raise UsageError(
        Fault(
            what=f"no sheet of labels is known as {name!r}", key="--sheet", remedy=f"use one of {known}, or a product cut alike"
        )
    )


_INCH = 72.0
_PAD_X_IN = 0.11
"""Kept free at the left and the right of a label: a printer pulls a sheet in askew by up to a sixteenth of an inch."""
_PAD_Y_SHARE = 0.05
"""Kept free above and below, as a part of the label's height."""
_NUDGE_MOST_IN = 0.25
"""A sheet that is off by more than this is the wrong sheet; text moved further would leave the paper."""


def check_labels(
    recipients: Sequence[Recipient],
    *,
    sheet: str = "5160",
    start_at: int = 1,
    nudge_x_in: float = 0.0,
    nudge_y_in: float = 0.0,
    by_hand: Collection[int] = (),
) -> LabelSheet:
    """Check how labels are to be printed, without printing them, and give the sheet; parameters as :func:`labels_pdf`.

    Raises
    ------
    UsageError
        No such sheet or label, too large a nudge, or a number in ``by_hand`` that is no label.
    """
    product = check_sheet(sheet, start_at=start_at, nudge_x_in=nudge_x_in, nudge_y_in=nudge_y_in)
    _check_by_hand(reachable(recipients), by_hand)
    return product


def labels_pdf(
    recipients: Sequence[Recipient],
    *,
    sheet: str = "5160",
    start_at: int = 1,
    nudge_x_in: float = 0.0,
    nudge_y_in: float = 0.0,
    by_hand: Collection[int] = (),
    title: str = "Mailing labels",
) -> bytes:
    """Print one label for each recipient who is mailed, in the order given, with the number that the list gives.

    Parameters
    ----------
    recipients
        All recipients of a notice; those who are not mailed, or have no address, get no label (:func:`geonotice.recipients.reachable`).
    sheet
        The product number of the sheet, 5160 or a kin.
    start_at
        The first label of the first sheet to print on, from 1, along the rows: for a sheet that is partly used.
    nudge_x_in, nudge_y_in
        How far to move everything, right and down, for a printer that is a little off.
    by_hand
        Numbers of recipients whose address will be written by hand: left out.
    title
        The document's title.

    Raises
    ------
    UsageError
        No such sheet or label, too large a nudge, or a number in ``by_hand`` that is no label.
    OutputError
        An address does not fit its label in the smallest type, or has letters that cannot be printed. All are named.
    """
    product = check_labels(
        recipients, sheet=sheet, start_at=start_at, nudge_x_in=nudge_x_in, nudge_y_in=nudge_y_in, by_hand=by_hand
    )
    wanted = tuple(recipient for recipient in reachable(recipients) if recipient.number not in set(by_hand))
    settings = _all_set(wanted, product)

    stream, canvas = open_canvas(f"{title}: {count(len(wanted), 'label')}, Avery {product.name}")
    for index, setting in enumerate(settings):
        place = (index + start_at - 1) % product.labels
        if index and place == 0:
            canvas.showPage()
        left, top = product.corner_in(place)
        _draw(canvas, setting, product, left + nudge_x_in, top + nudge_y_in, number=str(wanted[index].number))
    if not settings:
        canvas.setFont("Helvetica", 12)
        canvas.drawString(
            _INCH, PAGE_HEIGHT_IN * _INCH - 1.5 * _INCH, "No labels: nobody on this list is mailed at an address that is known."
        )
    canvas.showPage()
    canvas.save()
    return stream.getvalue()


def labels_test_pdf(*, sheet: str = "5160", nudge_x_in: float = 0.0, nudge_y_in: float = 0.0) -> bytes:
    """Print the outlines of the labels with their numbers on one page, to be held against a sheet before labels are wasted.

    Raises
    ------
    UsageError
        No such sheet, or too large a nudge.
    """
    product = check_sheet(sheet, nudge_x_in=nudge_x_in, nudge_y_in=nudge_y_in)
    stream, canvas = open_canvas(f"Test page for labels, Avery {product.name}")
    canvas.setLineWidth(0.5)
    size = min(12.0, product.height_in * _INCH / 4)
    for place in range(product.labels):
        left, top = product.corner_in(place)
        x, y = (left + nudge_x_in) * _INCH, (PAGE_HEIGHT_IN - top - product.height_in - nudge_y_in) * _INCH
        canvas.roundRect(x, y, product.width_in * _INCH, product.height_in * _INCH, 4)
        canvas.setFont("Helvetica", size)
        canvas.drawCentredString(x + product.width_in * _INCH / 2, y + product.height_in * _INCH / 2 - size / 3, str(place + 1))
    canvas.setFont("Helvetica", 7)
    canvas.drawCentredString(
        PAGE_WIDTH_IN * _INCH / 2,
        PAGE_HEIGHT_IN * _INCH - 16,
        f"Avery {product.name}. Print on plain paper at 100 % (not fit to page), hold against a sheet of labels; if the outlines are off,"
        " note by how many inches, right and down.",
    )
    canvas.drawCentredString(PAGE_WIDTH_IN * _INCH / 2, 22, "This line is 2 inches long where the print is at 100 %:")
    canvas.line((PAGE_WIDTH_IN / 2 - 1) * _INCH, 16, (PAGE_WIDTH_IN / 2 + 1) * _INCH, 16)
    canvas.showPage()
    canvas.save()
    return stream.getvalue()


_LABEL_CODE = "label_by_hand"


def _prepare(context: PacketContext) -> PacketContext:
    """Check how labels are to be printed, and leave out each whose address no label of the sheet holds whole, with a warning that names it.

    One odd name must not cost the clerk all other labels, and must not be printed with letters missing.
    """
    notice, options = context.notice, context.labels
    in_mailing_order((), context.sort)
    check_labels(notice.recipients, **asdict(options))
    found = [
        (one, fault)
        for one, fault in unprintable_labels(notice.recipients, sheet=options.sheet)
        if one.number not in options.by_hand
    ]
    if not found:
        return context
    by_hand = (*options.by_hand, *(one.number for one, _ in found))
    context = replace(context, labels=replace(options, by_hand=by_hand))
    if any(warning.code == _LABEL_CODE for warning in notice.warnings):
        return context
    many = f"{count(len(found), 'letter')} {'has' if len(found) == 1 else 'have'}"
    said = "; ".join(f"{fault.what} (to do: {fault.remedy})" for _, fault in found)
    text = f"{many} no label and must be addressed by hand: {said}."
    parcels = tuple(dict.fromkeys(parcel for one, _ in found for parcel in one.parcels))
    warnings = worst_first((*notice.warnings, ResultWarning(_LABEL_CODE, text, parcels)))
    return replace(context, notice=replace(notice, warnings=warnings))


def _print_step(context: PacketContext) -> str:
    return (
        f"Print labels.pdf at 100 % (not “fit to page”) on sheets of Avery {context.labels.sheet} or a kind cut alike; print labels-test.pdf on plain"
        " paper first and hold it against a sheet. Where the outlines are off, make the packet again with all print moved by so many inches (--nudge-x, --nudge-y)."
    )


@paper("labels.pdf", purpose="Mailing labels, ready to print.", place=50, prepare=_prepare, before_mailing=_print_step)
def _labels_paper(context: PacketContext) -> bytes:
    pieces = in_mailing_order(context.notice.recipients, context.sort)
    return labels_pdf(pieces, **asdict(context.labels), title=f"Mailing labels, {context.notice.town}")


@paper(
    "labels-test.pdf",
    purpose="The outlines of the labels, to be printed on plain paper and held against a sheet before labels are wasted.",
    place=60,
)
def _test_paper(context: PacketContext) -> bytes:
    options = context.labels
    return labels_test_pdf(sheet=options.sheet, nudge_x_in=options.nudge_x_in, nudge_y_in=options.nudge_y_in)


def check_sheet(sheet: str, *, start_at: int = 1, nudge_x_in: float = 0.0, nudge_y_in: float = 0.0) -> LabelSheet:
    """Check how a sheet is printed, whoever is written to, and return it: what a form or a command can tell before there is a list.

    Raises
    ------
    UsageError
        No such sheet or label, or too large a nudge.
    """
    product = sheet_named(sheet)
    faults = []
    if not 1 <= start_at <= product.labels:
        faults.append(
            Fault(
                what=f"there is no label {start_at} on a sheet of {product.name}",
                key="--start-at",
                remedy=f"count along the rows, from 1 to {product.labels}",
            )
        )
    faults += [
        Fault(
            what=f"to move labels {way} by {value} in takes the text off its label",
            key=key,
            remedy=f"move it by {_NUDGE_MOST_IN} in at most; a sheet that is off by more is another product",
        )
        for key, way, value in (("--nudge-x", "right", nudge_x_in), ("--nudge-y", "down", nudge_y_in))
        if not abs(value) <= _NUDGE_MOST_IN
    ]
    if faults:
        raise UsageError(faults)
    return product


def _check_by_hand(wanted: Iterable[Recipient], by_hand: Collection[int]) -> None:
    unknown = sorted(set(by_hand) - {recipient.number for recipient in wanted})
    if unknown:
        raise UsageError(
            Fault(
                what=f"no label would be printed for the recipients {', '.join(map(str, unknown))}",
                key="--by-hand",
                remedy="give numbers of recipients who are mailed, as the list has them",
            )
        )


def unprintable_labels(recipients: Iterable[Recipient], *, sheet: str = "5160") -> tuple[tuple[Recipient, Fault], ...]:
    """Return the recipients whose address no label of a sheet holds whole, each with what is wrong and what to do.

    A letter missing from a name is a letter that does not arrive, so such a label is never printed in part.
    """
    product = sheet_named(sheet)
    faults = ((recipient, _fault(recipient, product)) for recipient in reachable(recipients))
    return tuple((recipient, fault) for recipient, fault in faults if fault is not None)


def _fault(recipient: Recipient, product: LabelSheet) -> Fault | None:
    """Return what prevents a label; None where nothing does."""
    lines = address_lines(recipient)
    if letters := unprintable("\n".join(lines)):
        shown = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters)
        return Fault(
            what=f"the label of {_who(recipient)} has letters that this font cannot print: {shown}",
            remedy="address this letter by hand, and leave it out of the labels",
            command=f"address this letter by hand and leave it out of the labels: --by-hand {recipient.number}",
        )
    if _set(lines, product) is not None:
        return None
    larger = [
        other.name
        for other in SHEETS
        if other.width_in * other.height_in > product.width_in * product.height_in and _set(lines, other)
    ]
    hand = "address this letter by hand"
    sheet = f"use sheet {larger[0]}, or " if larger else ""
    return Fault(
        what=f"the address of {_who(recipient)} does not fit a label of {product.name} in type of {FLOOR_PT:g} points",
        remedy=f"{sheet}{hand}",
        command=f"{sheet}{hand}: --by-hand {recipient.number}",
    )


def _all_set(recipients: Sequence[Recipient], product: LabelSheet) -> list[Setting]:
    """Set every label, or refuse with the name of each that cannot be."""
    faults = [fault for recipient in recipients if (fault := _fault(recipient, product)) is not None]
    if faults:
        raise OutputError(faults)
    made = []
    for recipient in recipients:
        lines = address_lines(recipient)
        if (setting := _set(lines, product)) is not None:
            made.append(_with_room(lines, setting, product, str(recipient.number)))
    return made


def _set(lines: Sequence[str], product: LabelSheet) -> Setting | None:
    width_in, height_in = _room_in(product)
    return fit(lines, width_pt=width_in * _INCH, height_pt=height_in * _INCH, most_pt=product.type_pt)


def _room_in(product: LabelSheet) -> tuple[float, float]:
    """Return the size of what may be printed on."""
    return product.width_in - 2 * _PAD_X_IN, product.height_in * (1 - 2 * _PAD_Y_SHARE)


def _who(recipient: Recipient) -> str:
    return f"recipient {recipient.number}, {' / '.join(recipient.names)}"


_NUMBER_PT = 5.5
"""The type of the reference number: small, so that nobody takes it for a part of the address."""
_NUMBER_GAP_PT = 6.0


def _with_room(lines: Sequence[str], setting: Setting, product: LabelSheet, number: str) -> Setting:
    """Return the setting in which the number has room too: smaller where it must be, as it is where even that does not help."""
    width_in, height_in = _room_in(product)
    width, height = width_in * _INCH, height_in * _INCH - _NUMBER_PT * LEADING
    if setting.height_pt <= height or _fits_beside(setting, width, number):
        return setting
    return fit(lines, width_pt=width, height_pt=height, most_pt=setting.size_pt) or setting


def _fits_beside(setting: Setting, room_pt: float, number: str) -> bool:
    """Whether a number has room at the right of the first line, which must not be the last: that is for the post's machines."""
    needed = width_pt(setting.lines[0], setting.size_pt) + _NUMBER_GAP_PT + width_pt(number, _NUMBER_PT)
    return len(setting.lines) > 1 and needed <= room_pt


def _draw(
    canvas: Any,  # noqa: ANN401  # reportlab ships no types
    setting: Setting,
    product: LabelSheet,
    left_in: float,
    top_in: float,
    *,
    number: str = "",
) -> None:
    """Draw one address, flush left, in the middle of its label's height; the number small over it or beside its first line."""
    width_in, height_in = _room_in(product)
    strip = _NUMBER_PT * LEADING
    over = bool(number) and height_in * _INCH - setting.height_pt >= strip
    x, right = (left_in + _PAD_X_IN) * _INCH, (left_in + _PAD_X_IN + width_in) * _INCH
    free_pt = product.height_in * _INCH - setting.height_pt - (strip if over else 0)
    y = (PAGE_HEIGHT_IN - top_in) * _INCH - free_pt / 2
    canvas.setFont(FONT, _NUMBER_PT)
    if over:
        canvas.drawRightString(right, y - ASCENT * _NUMBER_PT, number)
        y -= strip
    y -= ASCENT * setting.size_pt
    if number and not over and _fits_beside(setting, width_in * _INCH, number):
        canvas.drawRightString(right, y, number)
    canvas.setFont(FONT, setting.size_pt)
    for line in setting.lines:
        canvas.drawString(x, y, line)
        y -= LEADING * setting.size_pt


def return_labels_pdf(lines: Sequence[str], *, sheet: str = "5160", nudge_x_in: float = 0.0, nudge_y_in: float = 0.0) -> bytes:
    """Print one sheet of labels with the sender's address on each; print it as often as it takes.

    Raises
    ------
    UsageError
        No such sheet, or too large a nudge.
    OutputError
        The address does not fit, or has letters that cannot be printed.
    """
    product = check_sheet(sheet, nudge_x_in=nudge_x_in, nudge_y_in=nudge_y_in)
    setting = None if unprintable("\n".join(lines)) else _set(lines, product)
    if setting is None:
        raise OutputError(
            Fault(
                what=f"the return address cannot be printed on a label of {product.name}: {' / '.join(lines)}",
                key="clerk",
                remedy="shorten office and address of [clerk] in the town file, write them in Latin letters, or use a larger sheet",
                command="shorten office and address of [clerk] in the town file, write them in Latin letters, or use a larger sheet (--sheet 5163)",
            )
        )
    stream, canvas = open_canvas(f"Return address labels, Avery {product.name}")
    for place in range(product.labels):
        left, top = product.corner_in(place)
        _draw(canvas, setting, product, left + nudge_x_in, top + nudge_y_in)
    canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _prepare_return(context: PacketContext) -> PacketContext:
    """Print the return labels, or say why there are none: they must not cost the clerk the packet."""
    if "return-labels" in context.printed or not context.settings.clerk.address or context.duties.sent_by == "applicant":
        return context
    options = context.labels
    try:
        pdf = return_labels_pdf(
            sender_lines(context), sheet=options.sheet, nudge_x_in=options.nudge_x_in, nudge_y_in=options.nudge_y_in
        )
    except OutputError as error:
        fault = error.faults[0]
        note = f"There are no return labels: {fault.what}. To do: {fault.remedy}."
        return replace(context, notes=(*context.notes, note), printed={**context.printed, "return-labels": {}})
    return replace(context, printed={**context.printed, "return-labels": {"return-labels.pdf": pdf}})


@paper(
    "return-labels.pdf",
    purpose="A sheet of return address labels with the office's address; print it as often as it takes.",
    place=55,
    when=lambda context: bool(_prepare_return(context).printed.get("return-labels")),
    prepare=_prepare_return,
)
def _return_paper(context: PacketContext) -> dict[str, bytes]:
    return dict(_prepare_return(context).printed["return-labels"])
