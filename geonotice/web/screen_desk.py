"""The siting question: asked in a form, worked out beside the requests, shown on the map and in a table, brought back by its link, taken along as a file."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import shapely
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from geonotice.config.application import EVENT_KINDS
from geonotice.decide.cap_checks import cap_rules
from geonotice.errors import Fault, UsageError
from geonotice.screen.table import Asked, columns_of
from geonotice.web.desk import Desk, desk_of
from geonotice.web.forms_and_uploads import Values, shown_faults
from geonotice.web.jobs import Job
from geonotice.web.permit_lists import asked_of
from geonotice.web.rendering import page, see_other
from geonotice.workflow.screen import TICKS, Screen, leave_out, occasions_of, screen_town
from geonotice.workflow.screen_files import write_screen
from geonotice.workflow.town_view import packed

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["router"]

router = APIRouter()

_FILES = {
    "csv": "text/csv; charset=utf-8",
    "gpkg": "application/geopackage+sqlite3",
    "parquet": "application/vnd.apache.parquet",
    "html": "text/html; charset=utf-8",
}
_FIELDS = (
    "persons", "starts", "ends", "night", "kind", "from", "until", "charity", "benefits_applicant", "candidates", "where", "rank", "top",
    "all_lists", *TICKS,
)  # fmt: skip
_NIGHT = {"yes": True, "no": False, "unknown": None}
_ROWS = 100
"""Candidates that the page lists and draws; the files have all."""
_UNSETTLED = 60
"""Candidates of which the condition is unknown that the page names."""
_MOST_KEPT = 3
"""Answers that are kept: each holds the town's lots."""
_OLDEST = timedelta(minutes=10)
"""So long an answer is shown again without being worked out anew: permits are issued meanwhile."""


@dataclass(slots=True)
class _Judged:
    """A question that is worked out, or was."""

    job: Job
    at: datetime
    screen: Screen | None = None


@dataclass(slots=True)
class Judgments:
    """The last questions of a desk with their answers, by their links."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _found: "OrderedDict[tuple[str, str], _Judged]" = field(default_factory=OrderedDict)

    def find(self, key: tuple[str, str], *, now: datetime) -> _Judged | None:
        """Return a question, where it is not too old."""
        with self._lock:
            found = self._found.get(key)
            if found is not None and found.job.ended and now - found.at > _OLDEST:
                del self._found[key]
                return None
            return found

    def begin(self, key: tuple[str, str], judged: _Judged) -> _Judged:
        """Keep a question that is new; the same one that somebody asked at the same time is theirs."""
        with self._lock:
            there = self._found.get(key)
            if there is not None:
                return there
            waiting = [one for one in self._found.values() if not one.job.ended]
            if len(waiting) >= _MOST_KEPT:
                remedy = "wait until one is answered, and load the page again"
                raise UsageError(Fault(what=f"{len(waiting)} questions are being worked out already", remedy=remedy))
            self._found[key] = judged
            for old in [one for one, other in self._found.items() if other.job.ended][: max(0, len(self._found) - _MOST_KEPT)]:
                del self._found[old]
            return judged

    def drop(self, key: tuple[str, str]) -> None:
        """Forget an answer, so that the question is worked out anew."""
        with self._lock:
            if (found := self._found.get(key)) is not None and found.job.ended:
                del self._found[key]


def _link(values: Values) -> str:
    """Return the address of a question: what is asked and nothing else, so that the same question has the same one."""
    given = values.raw()
    return "/screen?" + urlencode({"ask": "yes"} | {name: given[name] for name in _FIELDS if given.get(name)})


@router.get("/screen")
def show(request: Request) -> Response:
    """Show the form; with a question in the address, its answer, or how far it is."""
    desk, values = desk_of(request), asked_of(request)
    if not values.ticked("ask"):
        return _page(request, values, judged=None)
    asked, rest = _question(values, desk)
    if values.faults:
        return _page(request, values, judged=None, faults=tuple(values.faults))
    link, key = _link(values), _key(desk, values)
    if values.ticked("anew"):
        desk.judgments.drop(key)
        return see_other(link)
    judged = desk.judgments.find(key, now=desk.now()) or _begin(desk, key, link, asked, rest)
    state = judged.job.state  # read once: it may end between two looks
    if state == "failed":
        desk.judgments.drop(key)
        return _page(request, values, judged=None, faults=judged.job.faults)
    return _page(request, values, judged=judged, done=state == "done")


@router.get("/screen/file")
def file_(request: Request) -> Response:
    """Return an answer as a table, a layer, or a map with a table."""
    desk, values = desk_of(request), asked_of(request)
    ending = values.one_of("format", _FILES, "kind of file", otherwise="csv")
    values.require()
    judged = desk.judgments.find(_key(desk, values), now=desk.now())
    if judged is None or judged.screen is None:
        return see_other(_link(values))  # worked out there first
    with desk.open() as opened, TemporaryDirectory() as folder:
        file = Path(folder) / f"places-to-consider.{ending}"
        write_screen(opened, judged.screen, file)
        content = file.read_bytes()
    headers = {"content-disposition": f'attachment; filename="{file.name}"'}
    return Response(content, media_type=_FILES[ending], headers=headers)


def _key(desk: Desk, values: Values) -> tuple[str, str]:
    with desk.open() as opened:
        return f"{_link(values)} {desk.today()}", opened.store.meta.get("seal", "")


def _question(values: Values, desk: Desk) -> tuple[Asked, dict[str, Any]]:
    """Return what is asked, and how it is answered; the faults of the fields are in ``values``."""
    starts, ends = values.day("starts", "the first day"), values.day("ends", "the last day")
    if starts and ends and ends < starts:
        values.fault("ends", "the last day is before the first", "correct one of them")
    hours = _hour(values, "from"), _hour(values, "until")
    if any(hours) and not all(hours):
        values.fault("until" if hours[0] else "from", "only one of the hours is given", "give both, or neither")
    kind = values.one_of("kind", EVENT_KINDS, "kind of event")
    top = values.count("top", "the number of candidates")
    if top == 0:
        values.fault("top", "none are asked for", "ask for one or more, or leave it empty for all")
    asked = Asked(
        on=desk.today(),
        persons=values.count("persons", "the number of persons") or None,
        starts=starts,
        ends=ends or starts,
        night=_NIGHT[values.one_of("night", _NIGHT, "answer", otherwise="unknown")],
        charity=values.ticked("charity"),
        benefits_applicant=values.ticked("benefits_applicant") or None,
        kind=kind or None,
        hours=hours if hours[0] and hours[1] else None,
        candidates="land" if values.one_of("candidates", ("parcels", "land"), "kind of candidate") == "land" else "parcels",
    )
    return asked, {
        "where": values.text("where"),
        "rank": values.text("rank"),
        "top": top,
        "all_lists": values.ticked("all_lists"),
        "ticks": tuple(name for name in TICKS if values.ticked(name) and (name != "fits" or asked.persons)),
    }


def _hour(values: Values, name: str) -> str:
    text = values.text(name, most=5)
    try:
        return datetime.strptime(text, "%H:%M").strftime("%H:%M") if text else ""  # noqa: DTZ007  # an hour of the wall's clock
    except ValueError:
        values.fault(name, f"this is no hour: {text}", "write it as 22:00")
        return ""


def _begin(desk: Desk, key: tuple[str, str], link: str, asked: Asked, rest: dict[str, Any]) -> _Judged:
    waits = "The first question of a town takes the longest: its lot lines are measured once and kept. The answer is shown here when it is there."
    mine = _Judged(Job("It is being worked out", link, waits=waits), desk.now())
    judged = desk.judgments.begin(key, mine)
    if judged is mine:
        desk.jobs.start(mine.job, partial(_work, desk, mine, asked, rest))
    return judged


def _work(desk: Desk, judged: _Judged, asked: Asked, rest: dict[str, Any], progress: "Callable[[str], None]") -> str:
    from geonotice.register.session import read_town_register

    with desk.open() as opened, read_town_register(opened.town) as register:
        ticks = rest.pop("ticks")
        judged.screen = leave_out(screen_town(opened, asked, register, **rest, progress=lambda text, _: progress(text)), ticks)
    judged.at = desk.now()
    return f"{len(judged.screen.ranked):,} places to consider"


def _page(
    request: Request, values: Values, *, judged: _Judged | None, done: bool = False, faults: tuple[Fault, ...] = ()
) -> Response:
    desk = desk_of(request)
    screen = judged.screen if judged and done else None
    with desk.open() as opened:
        return page(
            request,
            "screen.html",
            status=400 if faults else 200,
            town=opened.town.name,
            box=desk.box(opened),
            shown=dict.fromkeys(_FIELDS, "")
            | {"night": "unknown", "candidates": "parcels"}
            | ({} if values.raw() else dict.fromkeys(TICKS, "yes"))
            | values.raw(),
            capped=cap_rules(opened.profile) is not None,
            rank_hint=", ".join([*(f"pieces_{one}" for one in occasions_of(opened)[:1]), "-left"]),
            all_columns=columns_of(occasions_of(opened), postage=bool(opened.town.postage)),
            kinds=EVENT_KINDS,
            job=judged.job if judged and not done else None,
            screen=screen,
            at=judged.at if judged else None,
            link=_link(values),
            files=[(one, _link(values).replace("/screen?", "/screen/file?") + f"&format={one}") for one in _FILES],
            **(_answer(screen) if screen else {"shapes": None}),
            **shown_faults(faults, {"--top": "top"}),
        )


def _answer(screen: Screen) -> dict[str, Any]:
    """Return what the page shows of an answer: the columns that have room, a row for each of the first candidates, their shapes."""
    first = screen.kept[:_ROWS]
    rows = screen.rows[:_ROWS]
    names = ["situs", "acres", "district", "left", "excluded", "fits", screen.order[0][0]]
    names += [name for name in screen.columns if name.startswith("pieces_")]
    listed = [name for name in dict.fromkeys(names) if name in screen.columns and name != "id"]
    drawn = [("within", n) for n in first] + [("near_miss", n) for n in screen.unsettled[:_UNSETTLED]]
    block = screen.found.block
    shapes = packed([shapely.union_all(block.geometries[list(screen.found.places[n])]) for _, n in drawn])
    return {
        "columns": [(name, _title(name), screen.columns[name]) for name in listed],
        "rows": [(_lots(screen, n), row) for n, row in zip(first, rows, strict=True)],
        "unsettled": [_lots(screen, n) for n in screen.unsettled[:_UNSETTLED]],
        "shapes": {
            "unit": 0.1,
            "shapes": [(kind, _lots(screen, n)[0], "", shape) for (kind, n), shape in zip(drawn, shapes, strict=True)],
        },
    }


def _lots(screen: Screen, n: int) -> list[str]:
    return [screen.found.block.parcels[at].id for at in screen.found.places[n]]


def _title(name: str) -> str:
    what, _, occasion = name.partition("_")
    return f"letters, {occasion.replace('_', ' ')}" if what == "pieces" and occasion else name.replace("_", " ")
