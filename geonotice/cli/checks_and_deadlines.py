"""``check``, ``deadlines``, ``ordinance`` and ``event``: the law without a map, or with one."""

import json
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

from geonotice.cli.app import (
    JsonOption,
    OnOption,
    StrictOption,
    TownArgument,
    app,
    as_day,
    columns,
    print_json,
    prose_columns,
    say,
    stands,
    today,
)
from geonotice.errors import EventFileError, Fault, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from geonotice.decide.check import CheckResult
    from geonotice.model import ResultWarning
    from geonotice.ordinance.profile import Profile

__all__ = ["check", "deadlines", "event_new", "ordinance_list", "ordinance_show", "ordinance_validate"]

ordinance = typer.Typer(help="The ordinances that are built in, and profiles of a town's own.", no_args_is_help=True)
event = typer.Typer(help="Event files: what an application states.", no_args_is_help=True)
app.add_typer(ordinance, name="ordinance")
app.add_typer(event, name="event")


@app.command()
def check(
    town: Annotated[Path | None, typer.Argument(metavar="TOWN", help="The town file, or its folder.")] = None,
    event_file: Annotated[Path | None, typer.Argument(metavar="EVENT", help="The event file.")] = None,
    *,
    case: Annotated[Path | None, typer.Option(metavar="FILE.json", help="Stated facts instead of a town's layers.")] = None,
    pdf: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the staff report, with the parcel's map, too.")] = None,
    map_: Annotated[
        Path | None, typer.Option("--map", metavar="FILE.html", help="Write a map of the site: frontages, setbacks, the drawing.")
    ] = None,
    buffer_ft: Annotated[
        float | None, typer.Option(metavar="N", help="A buffer of so many feet from every lot line, where the officials set one.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Print every finding with its section, not the summary of one screen.")
    ] = False,
    on: OnOption = None,
    json_: JsonOption = False,
    strict: StrictOption = False,
) -> None:
    """Check an event against the ordinance: is a permit needed, may it be held here, what must be filed, who is notified, by when."""
    from geonotice.decide.check_screen import render_check, render_summary
    from geonotice.decide.stated_case import result_to_json

    of_layers = {"--pdf": pdf, "--map": map_, "--buffer-ft": buffer_ft}
    if case is not None:
        given = [name for name, value in of_layers.items() if value is not None]
        result = _check_stated(case, town, event_file, given, on=on)
    elif town is None or event_file is None:
        raise UsageError(Fault(what="an event is checked in a town", remedy="give TOWN and EVENT, or --case FILE.json"))
    elif pdf is not None or map_ is not None:
        from geonotice.workflow.check_papers import check_with_papers

        result = check_with_papers(town, event_file, on=today(on), buffer_ft=buffer_ft, report=pdf, site_map=map_)
        for what, file in (("staff report", pdf), ("site map", map_)):
            if file is not None:
                stands(f"The {what} {file} was written")
                say(f"The {what} is {file}")
    else:
        from geonotice.workflow.check_event import check_event

        result = check_event(town, event_file, on=today(on), buffer_ft=buffer_ft)
    if json_:
        print_json(result_to_json(result))
    else:
        typer.echo((render_check if full else render_summary)(result, width=prose_columns()), nl=False)
    _leave(result, strict=strict)


def _check_stated(
    case: Path, town: Path | None, event_file: Path | None, given: "Sequence[str]", *, on: str | None
) -> "CheckResult":
    """Check stated facts; ``given`` are options that need a town's layers."""
    from geonotice.decide.stated_case import check_stated

    if given:
        why = "stated facts hold neither lots nor a drawing"
        raise UsageError(Fault(what=f"{given[0]} needs a town's layers", why=why, remedy="give TOWN and EVENT instead of --case"))
    if town is not None or event_file is not None:
        raise UsageError(Fault(what="--case takes the place of TOWN and EVENT", remedy="give one or the other"))
    stated = _read_case(case)
    if on is not None:
        stated["on"] = today(on).isoformat()
    return check_stated(stated, file=str(case), relative_to=case.parent)


def _leave(result: "CheckResult", *, strict: bool) -> None:
    from geonotice.decide.headline import headline

    if result.allowed is False:
        raise typer.Exit(5)
    if strict and (result.allowed is None or headline(result).status == "decide"):
        say("An official must decide, or what is asked for must be answered")
        raise typer.Exit(4)


def _read_case(file: Path) -> dict[str, Any]:
    try:
        stated = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EventFileError(Fault(what=f"cannot be read: {error.strerror}", remedy="fix the path", file=str(file))) from error
    except ValueError as error:
        raise EventFileError(Fault(what=f"this is not JSON: {error}", remedy="fix it at that place", file=str(file))) from error
    except RecursionError as error:
        what = "it nests values too deeply to be a case"
        raise EventFileError(Fault(what=what, remedy="write it anew", file=str(file))) from error
    if not isinstance(stated, dict):
        raise EventFileError(Fault(what="a case is one object", remedy="begin it with { and its keys", file=str(file)))
    return stated


@app.command()
def deadlines(
    town: TownArgument,
    *,
    event: Annotated[str | None, typer.Option(metavar="DATE", help="The day the event begins.")] = None,
    event_ends: Annotated[str | None, typer.Option(metavar="DATE", help="The day it ends.")] = None,
    hearing: Annotated[str | None, typer.Option(metavar="DATE", help="The day of the hearing.")] = None,
    filed: Annotated[str | None, typer.Option(metavar="DATE", help="The day the application was filed.")] = None,
    complete: Annotated[str | None, typer.Option(metavar="DATE", help="The day it was found complete.")] = None,
    denial_received: Annotated[str | None, typer.Option(metavar="DATE", help="The day a denial was received.")] = None,
    hearing_closed: Annotated[
        str | None, typer.Option(metavar="DATE", help="The day the hearing closed, where that is a later one.")
    ] = None,
    determination: Annotated[str | None, typer.Option(metavar="DATE", help="The day of the decision on an appeal.")] = None,
    ics: Annotated[Path | None, typer.Option(metavar="FILE", help="Write them as a calendar file too.")] = None,
    about: Annotated[
        str, typer.Option(help="With --ics: what they are about, such as the premises; a later file about the same updates it.")
    ] = "",
    on: OnOption = None,
    json_: JsonOption = False,
) -> None:
    """Compute the deadlines: the last lawful day, the day to aim for, and why."""
    from geonotice.decide.date_checks import calendar_warnings, hearing_window, window_in_words
    from geonotice.decide.deadlines import deadlines as compute
    from geonotice.decide.headline import deadlines_to_json, render_deadlines
    from geonotice.decide.source_dates import standing_warnings

    profile, name = _profile_of(town)
    begins, ends = as_day(event, "--event"), as_day(event_ends, "--event-ends")
    if begins and ends and ends < begins:
        raise UsageError(Fault(what="the event ends before it begins", remedy="fix --event or --event-ends"))
    if not any((event, event_ends, hearing, filed, complete, denial_received, hearing_closed, determination)):
        raise UsageError(Fault(what="no date is given", remedy="give one at least, such as --event 2026-07-04"))
    found = compute(
        profile,
        event=begins,
        event_ends=ends,
        hearing=as_day(hearing, "--hearing"),
        filed=as_day(filed, "--filed"),
        complete=as_day(complete, "--complete"),
        denial_received=as_day(denial_received, "--denial-received"),
        hearing_closed=as_day(hearing_closed, "--hearing-closed"),
        determination=as_day(determination, "--determination"),
    )
    given = {
        "event": begins,
        "hearing": as_day(hearing, "--hearing"),
        "filed": as_day(filed, "--filed"),
        "complete": as_day(complete, "--complete"),
        "denial_received": as_day(denial_received, "--denial-received"),
    }
    window = hearing_window(profile, given, on=today(on))
    said = (
        *standing_warnings(profile),
        *_dates_that_conflict(given),
        *calendar_warnings(profile, given, on=today(on)),
    )
    if ics is not None:
        if not about.strip():
            why = "the events of another matter in this town would be overwritten"
            raise UsageError(
                Fault(what="--ics needs --about", why=why, remedy='say what they are about: --about "51.00-1-1, harvest concert"')
            )
        from geonotice.io.output_files import write_file
        from geonotice.packet.calendar_files import deadlines_ics
        from geonotice.workflow.outputs import check_output

        check_output(ics, ".ics", option="--ics")
        if found:
            write_file(ics, deadlines_ics(found, town=name, about=about, on=today(on)))
            stands(f"The calendar {ics} was written")
            say(f"The calendar is {ics}")
        else:
            say(f"{ics} is not written: there is no day to put into a calendar")  # RFC 5545, 3.6: one at least
    if json_:
        print_json(deadlines_to_json(found, said, window=window, on=today(on)))
        return
    words = window_in_words(window, profile) if window else ""
    typer.echo(render_deadlines(found, said, window=words, on=today(on), width=prose_columns()), nl=False)


def _dates_that_conflict(given: "Mapping[str, date | None]") -> "Iterator[ResultWarning]":
    """Return which of the dates given cannot be in this order; an event file's are held against each other by ``check``."""
    from geonotice.model import ResultWarning

    begins, hearing, filed, complete = (given[name] for name in ("event", "hearing", "filed", "complete"))
    if begins and hearing and hearing >= begins:
        yield ResultWarning("hearing_after_event", "The hearing is not before the event begins: check the dates.")
    if filed and hearing and hearing < filed:
        yield ResultWarning("hearing_before_filed", "The hearing is before the application was filed: check the dates.")
    if filed and complete and complete < filed:
        yield ResultWarning("complete_before_filed", "The application was found complete before it was filed: check the dates.")
    if filed and begins and filed > begins:
        yield ResultWarning("filed_after_event", "The application was filed after the event began: check the dates.")


def _profile_of(place: Path) -> "tuple[Profile, str]":
    """Return the ordinance of a town and the town's name: without its store, and for a built-in one without pydantic."""
    from geonotice.ordinance.load import profile_and_name_of_town

    return profile_and_name_of_town(place)


@ordinance.command("list")
def ordinance_list(*, json_: JsonOption = False) -> None:
    """List the ordinances that are built in."""
    from geonotice.ordinance.load import available, load_profile

    profiles = [load_profile(name) for name in available()]
    if json_:
        print_json({"ordinances": [_listed(profile) for profile in profiles]})
        return
    for profile in profiles:
        said = [profile.status, *(() if profile.verified else ("not checked against the text",))]
        said += ["without the law's words"] if len(profile.without_words) == len(profile.rules) else []
        rules = f"{len(profile.rules)} rule{'' if len(profile.rules) == 1 else 's'}"
        line = f"{profile.id:<12} {profile.town}, {profile.county}: {rules} ({', '.join(said)})"
        typer.echo(fill(line, columns(200), subsequent_indent=" " * 13))


def _listed(profile: "Profile") -> dict[str, object]:
    return {
        "id": profile.id,
        "town": profile.town,
        "status": profile.status,
        "verified": profile.verified,
        "rules": len(profile.rules),
        "without_words": len(profile.without_words),
        "source": profile.source,
    }


@ordinance.command("show")
def ordinance_show(
    name: Annotated[str, typer.Argument(metavar="ID", help="A built-in id, or the path of a profile.")],
    *,
    json_: JsonOption = False,
) -> None:
    """Print an ordinance profile as a person reads it."""
    from geonotice.ordinance.load import load_profile

    profile = load_profile(name)
    if json_:
        from geonotice.ordinance.load import profile_to_json

        print_json(profile_to_json(profile))
        return
    from geonotice.ordinance.show import render_profile

    typer.echo(render_profile(profile, width=prose_columns()), nl=False)


@ordinance.command("validate")
def ordinance_validate(
    name: Annotated[str, typer.Argument(metavar="ID", help="A built-in id, or the path of a profile.")],
    *,
    text: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The text of the law: every clause that is quoted is looked for in it.")
    ] = None,
    json_: JsonOption = False,
    strict: StrictOption = False,
) -> None:
    """Tell every fault of a profile, with the file and the key it is in; of a sound one, what is worth a second look.

    With --text, a clause that is not in the law's text is a fault; one that begins or ends in the middle of a sentence is worth a second look.
    """
    from geonotice.errors import OrdinanceError
    from geonotice.ordinance.show import validate, validate_against

    faults, notes = validate(name)
    cut = False
    if text is not None and not faults:
        faults, quoted = validate_against(name, _law_text(text), file=str(text))
        notes, cut = (*quoted, *notes), bool(quoted)
    if json_:
        told = [
            {"file": item.file, "key": item.key, "what": item.what, "why": item.why, "remedy": item.remedy} for item in faults
        ]
        print_json({"profile": name, "sound": not faults, "faults": told, "notes": [str(note) for note in notes]})
        if faults:
            raise typer.Exit(OrdinanceError.exit_code)
    elif faults:
        raise OrdinanceError(faults)
    else:
        typer.echo(f"{name} is sound." + (f" Every clause that it quotes stands in {text}." if text else ""))
        if notes:
            typer.echo("Worth a second look:")
            typer.echo("\n".join(f"  - {note}" for note in notes))
    if strict and cut:
        say("A clause is quoted in part: somebody must see that nothing which limits it is left out")
        raise typer.Exit(4)


def _law_text(file: Path) -> str:
    from geonotice.errors import OrdinanceError

    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        remedy = "correct the path of --text"
        raise OrdinanceError(Fault(what=f"cannot be read: {error.strerror}", remedy=remedy, file=str(file))) from error
    except UnicodeDecodeError as error:
        remedy = "save the law as plain text in UTF-8 (a PDF or a Word file is not plain text)"
        raise OrdinanceError(Fault(what="this is not text in UTF-8", remedy=remedy, file=str(file))) from error
    if not text.strip():
        raise OrdinanceError(Fault(what="the file has no text", remedy="give the text of the law", file=str(file)))
    return text


@event.command("new")
def event_new(town: TownArgument) -> None:
    """Write a commented event file on standard output, asking only what the town's law needs."""
    from geonotice.decide.event_form import event_template

    profile, name = _profile_of(town)
    typer.echo(event_template(profile, town=name, parcel=_example_of(town)), nl=False)


def _example_of(town: Path) -> str:
    """Return a number of the town's own layer; empty where it has no store yet, or one that is no longer current."""
    from geonotice.errors import StoreError
    from geonotice.opened_town import example_number, open_store

    try:
        with open_store(town) as opened:
            return example_number(opened.store)
    except StoreError:
        return ""
