"""The same from Python, for those who work in notebooks."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from geonotice.errors import Fault, UsageError
from geonotice.opened_town import Opened, find_premises, open_store
from geonotice.packet.sentences import counts_line
from geonotice.workflow.notice import Noticed, NoticeRequest, make_notice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    import folium
    import geopandas

    from geonotice.config.application import Event
    from geonotice.decide.check import CheckResult
    from geonotice.model import Notice, NoticeParcel, Recipient, ResultWarning
    from geonotice.register.applications import FiledApplication
    from geonotice.register.values import Permit
    from geonotice.workflow.mail_status import MailStatus

__all__ = ["NoticeResult", "OpenTown", "open_town"]


class NoticeResult:
    """A notice list, with its map and its geometries; made by :meth:`OpenTown.notice`."""

    def __init__(self, opened: Opened, noticed: Noticed) -> None:
        self._opened = opened
        self._noticed = noticed

    def __repr__(self) -> str:
        return f"<notice of the {self.notice.occasion} at {', '.join(self.notice.premises)}: {counts_line(self.notice)}>"

    @property
    def notice(self) -> "Notice":
        """The whole of it, as in the record."""
        return self._noticed.notice

    @property
    def parcels(self) -> "tuple[NoticeParcel, ...]":
        """The parcels on the list, nearest first."""
        return self.notice.parcels

    @property
    def recipients(self) -> "tuple[Recipient, ...]":
        """The recipients, numbered: owners, residents, clerks, and the premises' own owners, who are not mailed."""
        return self.notice.recipients

    @property
    def warnings(self) -> "tuple[ResultWarning, ...]":
        """What the program could not see or was not sure of."""
        return self.notice.warnings

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """Return the listed parcels as a frame, indexed by their id, in the town's CRS."""
        import geopandas

        rows = [
            {
                "id": parcel.id,
                "swis": parcel.swis,
                "relation": parcel.relation,
                "distance_ft": parcel.distance_ft,
                "rule": parcel.rule,
                "citation": parcel.citation,
                "situs": parcel.situs,
                "owners": parcel.owners,
                "residents": parcel.residents,
            }
            for parcel in self.parcels
        ]
        shapes = [self._noticed.measured.geometries[parcel.fid] for parcel in self.parcels]
        columns = ["id", "swis", "relation", "distance_ft", "rule", "citation", "situs", "owners", "residents"]
        return geopandas.GeoDataFrame(rows, columns=columns, geometry=shapes, crs=self._opened.crs).set_index("id")

    def map(self) -> "folium.Map":
        """Draw the notice map."""
        from geonotice.maps import notice_map
        from geonotice.workflow.notice_map import draw_notice

        drawn, layers = draw_notice(self._opened, self._noticed)
        return notice_map(drawn, layers)


def _require_days(**given: object) -> None:
    """Refuse what is no day, before it is compared with one deep inside."""
    wrong = {name: day for name, day in given.items() if day is not None and type(day) is not date}
    if wrong:
        raise UsageError(
            [
                Fault(what=f"{name} is a datetime.date, not {day!r}", remedy="write for example: date(2026, 10, 20)")
                for name, day in wrong.items()
            ]
        )


class OpenTown:
    """A town, open for questions; close it, or use it in a ``with`` statement."""

    def __init__(self, place: Path) -> None:
        self._opened = open_store(place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None") -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self._opened.store.close()

    @property
    def name(self) -> str:
        """The town's name."""
        return self._opened.town.name

    def __repr__(self) -> str:
        return f"<{self.name}: {self._opened.store.count():,} parcels>"

    def notice(
        self,
        parcels: "str | Sequence[str]",
        *,
        occasion: str,
        on: date,
        hearing: date | None = None,
        event: date | None = None,
        filed: date | None = None,
        add: "Mapping[str, str] | None" = None,
        drop: "Mapping[str, str] | None" = None,
        apart: "Mapping[str, str] | None" = None,
        by: str = "",
        also: "str | Path | None" = None,
        around: "str | Path | None" = None,
    ) -> NoticeResult:
        """Compute who must be notified of an occasion.

        ``parcels`` are tax map numbers, or one by itself; ``also`` is a CSV of interested persons, ``around`` the file of a second place; the other parameters and the errors are those of
        :class:`geonotice.workflow.notice.NoticeRequest` and :func:`geonotice.workflow.notice.make_notice`.
        """
        from geonotice.config.others_to_notify import read_others
        from geonotice.facts.drawings import read_second_place

        _require_days(on=on, hearing=hearing, event=event, filed=filed)
        premises = find_premises(self._opened, [parcels] if isinstance(parcels, str) else parcels)
        asked = NoticeRequest(
            occasion=occasion,
            on=on,
            hearing=hearing,
            event=event,
            filed=filed,
            add=add or {},
            drop=drop or {},
            apart=apart or {},
            by=by,
            others=() if also is None else read_others(Path(also), standing=False),
            around=None if around is None else read_second_place(self._opened, Path(around)),
        )
        return NoticeResult(self._opened, make_notice(self._opened, premises, asked))

    def check(self, event: "Event | str | Path", *, on: date, buffer_ft: float | None = None) -> "CheckResult":
        """Check an event, given as its file or as values; parameters and errors as :func:`geonotice.workflow.check_event.check_event`."""
        from geonotice.workflow.check_event import check_opened

        _require_days(on=on)
        if isinstance(event, (str, Path)):
            from geonotice.config.read_application import read_event_file

            file = Path(event)
            event = read_event_file(file)
            return check_opened(self._opened, event, on=on, buffer_ft=buffer_ft, file=str(file), folder=file.parent)
        return check_opened(self._opened, event, on=on, buffer_ft=buffer_ft)

    def screen(
        self,
        *,
        on: date,
        persons: int | None = None,
        starts: date | None = None,
        ends: date | None = None,
        night: bool | None = None,
        charity: bool | None = None,
        benefits_applicant: bool | None = None,
        kind: str | None = None,
        hours: tuple[str, str] | None = None,
        candidates: Literal["parcels", "land"] = "parcels",
        where: str = "",
        rank: str = "",
        top: int | None = None,
        all_lists: bool = False,
    ) -> "geopandas.GeoDataFrame":
        """Judge every candidate at once; parameters and errors as :func:`geonotice.workflow.screen.screen_town`.

        Returns
        -------
        geopandas.GeoDataFrame
            A row for each candidate that passes, ranked, in the town's CRS; what is unknown is missing. ``attrs`` has ``judged``, ``undecided``
            and ``notes``.
        """
        from geonotice.register.session import read_town_register
        from geonotice.screen.table import Asked
        from geonotice.workflow.screen import screen_town
        from geonotice.workflow.screen_files import screen_frame

        _require_days(on=on, starts=starts, ends=ends)
        asked = Asked(
            on=on, persons=persons, starts=starts, ends=ends or starts, night=night, charity=charity, benefits_applicant=benefits_applicant,
            kind=kind, hours=hours, candidates=candidates,
        )  # fmt: skip
        with read_town_register(self._opened.town) as register:
            found = screen_town(self._opened, asked, register, where=where, rank=rank, top=top, all_lists=all_lists)
        frame = screen_frame(self._opened, found)
        frame.attrs |= {"judged": found.judged, "undecided": list(found.undecided), "notes": list(found.notes)}
        return frame

    @property
    def permits(self) -> "tuple[Permit, ...]":
        """The permits of the register, by the first day of the event; none where the town has no register yet."""
        from geonotice.register.permits import list_permits
        from geonotice.register.session import read_town_register

        with read_town_register(self._opened.town) as register:
            return list_permits(register)

    @property
    def applications(self) -> "tuple[FiledApplication, ...]":
        """The applications of the register, by number; none where the town has no register yet."""
        from geonotice.register.applications import list_applications
        from geonotice.register.session import read_town_register

        with read_town_register(self._opened.town) as register:
            return list_applications(register)

    def mail(self, packet: "str | Path", *, on: date) -> "MailStatus":
        """Return how the mail of a packet stands: its letters, and what must happen next; errors as :func:`geonotice.workflow.mail.open_packet`."""
        from geonotice.workflow.mail import open_packet
        from geonotice.workflow.mail_status import mail_status

        _require_days(on=on)
        town, found = open_packet(self._opened.town.file, Path(packet))
        return mail_status(town, self._opened.profile, found, on=on)

    def event_map(self, year: int, *, on: date | None = None, public: bool = False) -> "folium.Map":
        """Draw the event map of a year; ``on`` is taken as today, the last day of the year by itself.

        Where the town has no register yet, the map says so, and shows no permit.
        """
        from geonotice.maps import event_map
        from geonotice.register.session import read_town_register
        from geonotice.workflow.event_map import draw_year
        from geonotice.workflow.permits import year_of_permits

        with read_town_register(self._opened.town) as register:
            found = year_of_permits(self._opened, register, year=year, on=on or date(year, 12, 31))
        drawn, layers = draw_year(self._opened, found)
        return event_map(drawn, layers, public=public)

    def parcels(self) -> "geopandas.GeoDataFrame":
        """Return all parcels as a frame, in the town's CRS."""
        import geopandas

        return geopandas.read_file(self._opened.store.path, layer="parcels").set_index("id")


def open_town(place: "str | Path") -> OpenTown:
    """Open a town by its file or folder; ``geonotice import`` must have been run.

    Raises
    ------
    TownFileError
        There is no town file.
    StoreError
        The layers have not been imported, or have changed since.
    """
    return OpenTown(Path(place))
