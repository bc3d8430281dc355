"""The papers of a packet: each module of this room registers its own, and nothing here knows one by name.

A new paper is one module in this room::

    from geonotice.packet.paper import PacketContext, paper


    @paper("bulletin.txt", purpose="The hearing for the bulletin board.", place=65)
    def bulletin(context: PacketContext) -> bytes:
        return f"{context.notice.town}: {context.notice.hearing}".encode()

It then stands in every packet and on its first page. Heavy libraries are imported inside the functions that render: all modules of the room are
imported to find the papers.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from geonotice.model import Clause, Municipality, Notice

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from geonotice.decide.deadlines import Deadline
    from geonotice.maps import MapLayers, MapNotice
    from geonotice.packet.invoice import Costs
    from geonotice.packet.notice_gpkg import NoticeShapes
    from geonotice.packet.printed_map import Shown
    from geonotice.packet.word_papers import PaperSettings

__all__ = [
    "LAST",
    "Duties",
    "LabelOptions",
    "PacketContext",
    "Paper",
    "SignSite",
    "assemble",
    "paper",
    "paper_of",
    "papers",
    "prepare",
]

LAST = 1000
"""The place of the paper that is made after all others, because it lists them."""


class LabelOptions(Struct, frozen=True, kw_only=True):
    """How labels are printed: see :func:`geonotice.packet.labels.labels_pdf`."""

    sheet: str = "5160"
    start_at: int = 1
    nudge_x_in: float = 0.0
    nudge_y_in: float = 0.0
    by_hand: tuple[int, ...] = ()


class SignSite(Struct, frozen=True, kw_only=True, eq=False):
    """Where the premises abut a public street that a sign has to face; geometries are the town's, in feet.

    Parameters
    ----------
    street, jurisdiction
        Of the street, empty where not known.
    point
        The place proposed for the sign.
    street_line
        The frontage that faces the street; None where the lots are drawn into the road, and the tax map shows no street line.
    bearing_deg
        The way the sign faces, clockwise from north.
    lon_lat
        The place in degrees, to be found with a telephone; None where it is not known.
    """

    street: str
    jurisdiction: str
    point: "BaseGeometry"
    street_line: "BaseGeometry | None"
    bearing_deg: float
    lon_lat: tuple[float, float] | None = None


class Duties(Struct, frozen=True, kw_only=True):
    """What the law of the occasion asks for besides the list.

    Parameters
    ----------
    return_receipts
        The rules whose certified mail goes with a return receipt.
    sent_by
        Who mails: ``applicant``, ``town``, or empty where the law does not say.
    published
        The clause that has the notice published or posted; None where none does.
    given
        What it asks for: ``published``, ``posted``.
    signs
        The clause that has a sign face each public street; None where none does.
    sign_values
        Its numbers: ``length_ft``, ``width_ft``, ``set_back_ft``, ``lowest_ft``, ``highest_ft``, ``days``.
    """

    return_receipts: frozenset[str] = frozenset()
    sent_by: str = ""
    published: Clause | None = None
    given: Sequence[str] = ()
    signs: Clause | None = None
    sign_values: Mapping[str, float] = {}


def _paper_settings() -> "PaperSettings":
    from geonotice.packet.word_papers import PaperSettings

    return PaperSettings()


class PacketContext(Struct, frozen=True, kw_only=True):
    """Everything that a paper of a packet may read, gathered once.

    Parameters
    ----------
    notice
        The notice.
    shapes
        Its geometries; None where they are not at hand, and then no paper is made that needs them.
    draw
        Returns what the notice map draws, the same values each time; None where no map is to be made.
    labels
        How labels are printed, and who is addressed by hand.
    article_numbers
        Numbers of certified mail by recipient number.
    office
        The town clerk's office, in a line.
    deadlines
        The days that hang on the hearing or the event, as far as these are known.
    undated
        What the law counts this notice from, and whose day was not given: ``hearing``, ``event``.
    settings
        The clerk's office, the town's own templates, and what the application states: for papers written in Word.
    letters
        Whether letters are made.
    envelopes
        Whether envelopes are printed.
    sort
        The order of what is mailed, one of :data:`geonotice.packet.addresses_and_mailing_order.SORTS`; the numbers stay those of the list.
    duties
        What the law of the occasion asks for besides the list.
    costs
        What an invoice rests on; None where the law does not have the applicant pay for the notices.
    beyond
        The municipalities into which the search area reaches past the layers; one without a name where no layer tells which.
    searched_ft
        The distance that the law names; None where it names none.
    sign_sites
        Where a sign has to face a public street.
    sign_map
        What the small maps of the signs show: the premises, the lots around, the streets and frontages.
    exhibit
        The paper that the map for the record is printed on.
    prepared_by
        Who made the list, as the lines to sign name them; empty where it was not stated.
    printed
        What a paper made while it was prepared, by file name, under a name of its own.
    open_fields
        The fields that stand open in a paper as lines to fill in, by file name: one note for all papers is made of them.
    notes
        What the papers lack, or could not be made, a sentence each: the first steps of the first page.
    steps
        What else is to be done after mailing, in the caller's words.
    files
        The names of the files made so far. Only the paper that lists the others needs them.
    """

    notice: Notice
    shapes: "NoticeShapes | None" = None
    draw: "Callable[[], tuple[MapNotice, MapLayers]] | None" = None
    labels: LabelOptions = field(default_factory=LabelOptions)
    article_numbers: Mapping[int, str] = {}
    office: str = ""
    deadlines: "Sequence[Deadline]" = ()
    undated: Sequence[str] = ()
    settings: "PaperSettings" = field(default_factory=_paper_settings)
    letters: bool = True
    envelopes: bool = False
    sort: str = "number"
    duties: Duties = field(default_factory=Duties)
    costs: "Costs | None" = None
    beyond: Sequence[Municipality] = ()
    searched_ft: float | None = None
    sign_sites: Sequence[SignSite] = ()
    sign_map: "Sequence[Shown]" = ()
    exhibit: Literal["letter", "tabloid"] = "letter"
    prepared_by: str = ""
    printed: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    open_fields: Mapping[str, Collection[str]] = {}
    notes: Sequence[str] = ()
    steps: Sequence[str] = ()
    files: Sequence[str] = ()

    def with_made(
        self,
        name: str,
        files: Mapping[str, bytes],
        *,
        notes: Iterable[str] = (),
        open_fields: Mapping[str, Collection[str]] | None = None,
    ) -> "PacketContext":
        """Return the context with what a paper made while it was prepared, under its ``name``, and with what is to be said of it."""
        return replace(
            self,
            notes=(*self.notes, *(note for note in notes if note)),
            open_fields={**self.open_fields, **(open_fields or {})},
            printed={**self.printed, name: files},
        )


Render = Callable[[PacketContext], bytes | Mapping[str, bytes]]


def _always(_: PacketContext) -> bool:
    return True


def _unchanged(context: PacketContext) -> PacketContext:
    return context


def _no_step(_: PacketContext) -> str:
    return ""


class Paper(Struct, frozen=True, kw_only=True):
    """One paper of a packet: what it is called, what it is for, when and how it is made.

    Parameters
    ----------
    name
        Its file name. With a ``*`` in it (``affidavit-*.pdf``) the paper is several files, and ``render`` returns them by name.
    purpose
        What it is for, as the packet's first page says it.
    place
        Where it stands among the papers, from 0 to :data:`LAST`: on the first page, and in the order of making. Of one place, by name.
    render
        Returns its bytes: the same for the same context.
    when
        Whether a packet has it.
    prepare
        Runs before any paper is made. Refuses a setting that is wrong, or returns the context with what the paper cannot show whole: a warning on the
        notice, a recipient who is addressed by hand. Twice is as good as once.
    before_mailing, after_mailing
        What to do with it, as a step of the first page; an empty text is no step.
    progress
        What the user reads while it is made.
    """

    name: str
    purpose: str
    place: int
    render: Render
    when: Callable[[PacketContext], bool] = _always
    prepare: Callable[[PacketContext], PacketContext] = _unchanged
    before_mailing: Callable[[PacketContext], str] = _no_step
    after_mailing: Callable[[PacketContext], str] = _no_step
    progress: str = "Printing the papers …"

    def files(self, context: PacketContext) -> dict[str, bytes]:
        """Render it, by file name.

        Raises
        ------
        ValueError
            It made a file under a name that is not its own.
        """
        content = self.render(context)
        made = {self.name: content} if isinstance(content, bytes) else dict(content)
        if strange := [name for name in made if not fnmatchcase(name, self.name) or "*" in name]:
            raise ValueError(f"the paper {self.name} made {', '.join(strange)}")
        return made


_PAPERS: dict[str, Paper] = {}
"""The papers registered, by name; the modules of this room fill it as they are imported."""


def paper(
    name: str,
    *,
    purpose: str,
    place: int,
    when: Callable[[PacketContext], bool] = _always,
    prepare: Callable[[PacketContext], PacketContext] = _unchanged,
    before_mailing: Callable[[PacketContext], str] = _no_step,
    after_mailing: Callable[[PacketContext], str] = _no_step,
    progress: str = "Printing the papers …",
) -> Callable[[Render], Render]:
    """Register the function below as what renders a paper; parameters as :class:`Paper`.

    Raises
    ------
    ValueError
        The name is taken, or the place is past :data:`LAST`.
    """

    def register(render: Render) -> Render:
        if name in _PAPERS:
            raise ValueError(f"two papers are called {name}")
        if not 0 <= place <= LAST:
            raise ValueError(f"{name}: the place {place} is not from 0 to {LAST}")
        _PAPERS[name] = Paper(
            name=name,
            purpose=purpose,
            place=place,
            render=render,
            when=when,
            prepare=prepare,
            before_mailing=before_mailing,
            after_mailing=after_mailing,
            progress=progress,
        )
        return render

    return register


def papers() -> tuple[Paper, ...]:
    """Return all papers in their places."""
    _import_room()
    return tuple(sorted(_PAPERS.values(), key=lambda one: (one.place, one.name)))


def paper_of(file: str) -> Paper | None:
    """Return the paper that a file of a packet belongs to; None where it belongs to none."""
    return next((one for one in papers() if fnmatchcase(file, one.name)), None)


@cache
def _import_room() -> None:
    """Import every module of this room, once, so that its papers are registered: a list of names would be one more file to touch."""
    import importlib
    import pkgutil

    import geonotice.packet as room

    for module in pkgutil.iter_modules(room.__path__):
        importlib.import_module(f"{room.__name__}.{module.name}")


def prepare(context: PacketContext) -> PacketContext:
    """Return the context as the papers need it, before the first of them is made: what takes seconds comes after what is wrong at once.

    Raises
    ------
    UsageError
        A setting of a paper is wrong.
    """
    for one in papers():
        context = one.prepare(context)
    if context.open_fields:
        from geonotice.packet.word_papers import open_fields_note

        note = open_fields_note(context.open_fields)
        if note and note not in context.notes:
            context = replace(context, notes=(*context.notes, note))
    return context


def assemble(context: PacketContext, *, progress: Callable[[str], None] | None = None) -> dict[str, bytes]:
    """Make every file of the packet, by name, in the places of the papers; the caller writes the folder, whole or not at all.

    Raises
    ------
    OutputError
        Something cannot be printed or written whole.
    UsageError
        A setting of a paper is wrong.
    ValueError
        Two papers made a file of one name.
    """
    made: dict[str, bytes] = {}
    told = ""
    for one in papers():
        if not one.when(context):
            continue
        if progress is not None and one.progress != told:
            told = one.progress
            progress(told)
        files = one.files(replace(context, files=tuple(made)))
        if twice := sorted(files.keys() & made.keys()):
            raise ValueError(f"two papers made {', '.join(twice)}")
        made |= files
    return made
