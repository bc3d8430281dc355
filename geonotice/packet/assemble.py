"""All files of a notice's packet, as bytes: the caller writes the folder, whole or not at all."""

from collections.abc import Collection, Mapping, Sequence

from geonotice.decide.deadlines import Deadline
from geonotice.model import Notice
from geonotice.packet.index import index_html
from geonotice.packet.labels import labels_pdf, labels_test_pdf
from geonotice.packet.notice_gpkg import NoticeShapes, notice_gpkg
from geonotice.packet.notice_list import list_csv, list_xlsx
from geonotice.packet.record import record_json

__all__ = ["assemble"]


def assemble(
    notice: Notice,
    shapes: NoticeShapes,
    *,
    extra: Mapping[str, bytes],
    label_sheet: str = "5160",
    start_at: int = 1,
    nudge_x_in: float = 0.0,
    nudge_y_in: float = 0.0,
    by_hand: Collection[int] = (),
    article_numbers: Mapping[int, str] | None = None,
    office: str = "",
    deadlines: Sequence[Deadline] = (),
    undated: Sequence[str] = (),
    steps: Sequence[str] = (),
) -> dict[str, bytes]:
    """Make every file, by name, ``index.html`` last; the quick ones that can refuse come first.

    Parameters
    ----------
    notice
        The notice.
    shapes
        Its geometries, for the GeoPackage.
    extra
        Files made elsewhere (``map.html``), listed on the index page with the others.
    label_sheet, start_at, nudge_x_in, nudge_y_in, by_hand
        How the labels are printed: see :func:`geonotice.packet.labels.labels_pdf`.
    article_numbers
        Numbers of certified mail by recipient number.
    office
        The town clerk's office in a line, for the index page.
    deadlines, undated
        The days that hang on the hearing or the event, and which of the two the law counts this notice from and was not given: for the
        index page.
    steps
        What else is to be done, for the index page.

    Raises
    ------
    OutputError
        Something cannot be printed or written whole.
    UsageError
        A setting of the labels is wrong.
    """
    made = {
        "labels.pdf": labels_pdf(
            notice.recipients,
            sheet=label_sheet,
            start_at=start_at,
            nudge_x_in=nudge_x_in,
            nudge_y_in=nudge_y_in,
            by_hand=by_hand,
            title=f"Mailing labels, {notice.town}",
        ),
        "labels-test.pdf": labels_test_pdf(sheet=label_sheet, nudge_x_in=nudge_x_in, nudge_y_in=nudge_y_in),
        "notice-list.csv": list_csv(notice, article_numbers=article_numbers),
        "notice-list.xlsx": list_xlsx(notice, article_numbers=article_numbers),
        "record.json": record_json(notice),
        "notice.gpkg": notice_gpkg(notice, shapes),
        **extra,
    }
    made["index.html"] = index_html(
        notice,
        list(made),
        office=office,
        deadlines=deadlines,
        undated=undated,
        steps=steps,
        label_sheet=label_sheet,
        by_hand=sorted(by_hand),
    )
    return made
