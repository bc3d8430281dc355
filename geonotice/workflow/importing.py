"""Start a town, and import its layers into the store."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from geonotice import __version__
from geonotice.config.town import TOWN_FILE
from geonotice.errors import Fault, GeonoticeError, StoreError, UsageError
from geonotice.io.output_files import write_file
from geonotice.model import Problem, Source
from geonotice.ordinance.load import load_profile, profile_to_json, with_determinations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from geonotice.config.town import Town
    from geonotice.layers.import_layers import ImportReport
    from geonotice.ordinance.profile import Profile

__all__ = [
    "LayersSeen",
    "Started",
    "StoreChange",
    "change_since",
    "import_layers",
    "import_layers_into",
    "init_town",
    "look_at_layers",
    "owners_by_parcel",
]


class Started(Struct, frozen=True):
    """A town file that was written: the questions left in it, and how the rest was decided, as sentences."""

    file: Path
    questions: tuple[str, ...]
    notes: tuple[str, ...]


def init_town(
    folder: Path,
    *,
    parcels: Path | None = None,
    ordinance: str | None = None,
    name: str | None = None,
    layer: str | None = None,
    fields: "Mapping[str, str] | None" = None,
    crs: str | None = None,
    measure_crs: str | None = None,
    municipality: "Sequence[str]" = (),
) -> Started:
    """Write a town file for a parcel layer, or answers into the one that is there.

    Parameters as :func:`geonotice.layers.init.propose_town_file`. Where there is a town file, only ``fields`` and ``municipality`` are written into it:
    whatever else a person has changed in it stays.

    Raises
    ------
    UsageError
        There is a town file in the folder already and nothing to answer in it; or there is none, and no layer or ordinance is named.
    LayerError, OrdinanceError
        The layer cannot serve as parcels, or there is no such ordinance.
    OutputError
        The town file cannot be written.
    """
    from geonotice.layers.init import propose_town_file

    file = folder / TOWN_FILE
    if file.exists() and (fields or municipality):
        return _answer(file, fields or {}, municipality)
    if file.exists():
        raise UsageError(
            Fault(
                what="there is a town file already",
                file=str(file),
                why="what was answered in it would be lost",
                remedy="answer its questions with --field NAME=COLUMN (the rest of it stays), change it by hand, or give another folder",
            )
        )
    if parcels is None or ordinance is None:
        missing = " and ".join(option for option, given in (("--parcels", parcels), ("--ordinance", ordinance)) if given is None)
        raise UsageError(
            Fault(
                what=f"there is no town file yet, and {missing} is not given",
                file=str(file),
                remedy="name the parcel layer and the ordinance: geonotice init DIR --parcels SOURCE --ordinance ID",
            )
        )
    load_profile(ordinance, relative_to=folder)
    draft = propose_town_file(
        folder,
        parcels=parcels,
        ordinance=ordinance,
        name=name,
        layer=layer,
        fields=fields,
        crs=crs,
        measure_crs=measure_crs,
        municipality=municipality,
    )
    write_file(file, draft.text.encode())
    return Started(file, draft.questions, draft.notes)


def _answer(file: Path, fields: "Mapping[str, str]", municipality: "Sequence[str]") -> Started:
    """Write answers into the town file: its first parcel layer is read again, and what that asks for stands in the file."""
    from geonotice.config.read_town import read_town_file
    from geonotice.layers.answer_town_file import answer, answer_layer, ask, questions_in, without
    from geonotice.layers.columns.recognize import recognise
    from geonotice.layers.init import value_counts
    from geonotice.layers.municipality import own_municipality
    from geonotice.layers.read import read_layer, require_parcels

    before = file.read_text(encoding="utf-8-sig")
    fields, others = _by_layer(fields)
    after = answer(before, fields=fields, municipality=municipality)
    for kind, named in others.items():
        _require_layer(before, kind, file)
        after = answer_layer(after, kind, named)
    # what is still open is no fault here: it is the next question
    town = read_town_file(file, text=after.replace('municipality = ""', ""))
    for kind in others:
        _require_columns(town, kind)
    spec = town.parcels[0]
    settled = {name: column for name, column in spec.fields.items() if column.strip()}
    raw = require_parcels(read_layer(spec.path, layer=spec.layer, crs=spec.crs))
    mapped = recognise("parcels", raw.table, settled, file=spec.given, layer=raw.layer)
    if municipality:
        # as the layer spells it; one that the layer does not name would leave every parcel outside the town
        own = own_municipality(value_counts(raw, mapped, "municipality"), swis=False, name=None, given=municipality)
        after = answer(after, fields={}, municipality=own.values)
    open_ = {question.field: question.text for question in mapped.questions}
    left = [name for name in spec.fields if name not in settled and name not in open_ and name in mapped.fields]
    after = answer(after, fields={name: mapped.fields[name] for name in left})
    after = without(
        after, [name for name in spec.fields if name not in settled and name not in open_ and name not in mapped.fields]
    )
    after = ask(after, open_)
    write_file(file, after.encode())
    return Started(file, questions_in(after), mapped.notes)


def _by_layer(fields: "Mapping[str, str]") -> "tuple[dict[str, str], dict[str, dict[str, str]]]":
    """Part the fields of the parcel layer from those of another (``address_points.street``)."""
    own: dict[str, str] = {}
    others: dict[str, dict[str, str]] = {}
    for name, column in fields.items():
        kind, dot, field = name.partition(".")
        if not dot or kind == "parcels":
            own[field or kind] = column
        else:
            others.setdefault(kind, {})[field] = column
    return own, others


def _require_layer(text: str, kind: str, file: Path) -> None:
    """Refuse an answer for a layer that the town file does not have."""
    from geonotice.config.town import LAYER_KINDS

    head = "[[roll]]" if kind == "roll" else f"[layers.{kind}]"
    if kind in (*LAYER_KINDS, "roll") and any(line.split("#")[0].strip() == head for line in text.split("\n")):
        return
    raise UsageError(
        Fault(
            what=f"the town file has no layer {kind!r}",
            file=str(file),
            remedy=f"write {head} with its path into the file first; the layers are: {', '.join((*LAYER_KINDS, 'roll'))}",
        )
    )


def _require_columns(town: "Town", kind: str) -> None:
    """Refuse a field or a column that another layer does not have."""
    from geonotice.layers.columns.recognize import recognise
    from geonotice.layers.read import read_layer

    spec = town.rolls[0] if kind == "roll" else getattr(town.layers, kind)
    layer = getattr(spec, "layer", None) or getattr(spec, "sheet", None)
    raw = read_layer(spec.path, layer=layer, crs=getattr(spec, "crs", None))
    recognise(kind, raw.table, spec.fields, file=spec.given, layer=raw.layer)


def import_layers(place: Path, *, on: "date | None" = None, progress: "Callable[[str], None] | None" = None) -> "ImportReport":
    """Read the town file and its profile, check both, and build the store.

    Parameters
    ----------
    place
        A town file, or its folder.
    on
        The date that is taken as today; without it the age of the roll is not judged.
    progress
        Told what is being done, in a few words.

    Raises
    ------
    TownFileError, OrdinanceError, LayerError
        With every fault of the file, the profile or a layer; the store that was there stays as it was.
    """
    from geonotice.config.read_town import read_town_file
    from geonotice.layers.import_layers import import_town

    town = read_town_file(place)
    profile = with_determinations(load_profile(town.ordinance, relative_to=town.folder), town.districts, file=str(town.file))
    return import_town(town, meta=_meta(profile), on=on, progress=progress)


def import_layers_into(town: "Town", profile: "Profile", folder: Path) -> Path:
    """Build the store of a town in another folder, and return where it is; the town's own stays as it is.

    Raises
    ------
    LayerError
        With every fault of a layer.
    """
    from geonotice.layers.import_layers import import_town

    # The store lies beside the town file, and the paths of the layers are absolute by now.
    file = folder / TOWN_FILE
    file.write_bytes(town.file.read_bytes())
    return import_town(replace(town, file=file), meta=_meta(profile)).store


def _meta(profile: "Profile") -> dict[str, str]:
    return {
        "profile": json.dumps(profile_to_json(profile), ensure_ascii=False, sort_keys=True),
        "profile_sha256": profile.sha256,
        "geonotice_version": __version__,
    }


# ---- what was imported, and what an import changed


class LayersSeen(Struct, frozen=True, kw_only=True):
    """What a town's store was made from, and whether it is still that.

    Parameters
    ----------
    town
        The town's name as the town file has it.
    sources
        The files that went in.
    parcels
        How many parcels are in the store.
    problems
        What was repaired, dropped, not matched or cannot be mailed.
    imported
        When the store was written, in UTC; None where there is none.
    against
        Why no list can be made from it now: it is not there, or out of date.
    warnings
        What is old, tentative or undated.
    seal
        What tells this store from any other.
    """

    town: str
    sources: tuple[Source, ...] = ()
    parcels: int = 0
    problems: tuple[Problem, ...] = ()
    imported: datetime | None = None
    against: tuple[Fault, ...] = ()
    warnings: tuple[str, ...] = ()
    seal: str = ""


def look_at_layers(place: Path, *, on: "date") -> LayersSeen:
    """Return what a town's store was made from, also where it is out of date or not there.

    Raises
    ------
    TownFileError
        There is no town file.
    """
    from geonotice.config.town import find_town_file, town_from_json
    from geonotice.decide.source_dates import vintage_warnings
    from geonotice.opened_town import open_store
    from geonotice.store import Store

    file = find_town_file(place).resolve()
    against: tuple[Fault, ...] = ()
    try:
        open_store(file).store.close()
    except GeonoticeError as error:
        against = tuple(error.faults)
    path = file.parent / "store.gpkg"
    try:
        store = Store(path)
    except StoreError:  # named by ``against`` already
        return LayersSeen(town=file.parent.name, against=against)
    with store:
        sources = store.sources()
        return LayersSeen(
            town=town_from_json(store.town_data(), file=file).name,
            sources=sources,
            parcels=store.count(),
            problems=store.problems(),
            imported=datetime.fromtimestamp(path.stat().st_mtime, UTC),
            against=against,
            warnings=tuple(one.text for one in vintage_warnings(sources, (one.roll_year for one in sources), on=on)),
            seal=store.meta.get("seal", ""),
        )


class StoreChange(Struct, frozen=True, kw_only=True):
    """What another store has in the place of the one before it, by parcel: new numbers, numbers that are gone, other names of owners."""

    before: int
    after: int
    new: tuple[str, ...]
    gone: tuple[str, ...]
    other_owners: tuple[str, ...]
    seal: str


def owners_by_parcel(place: Path) -> dict[str, tuple[str, ...]] | None:
    """Return the names of the owners of each parcel in the store that is there, to compare another one with; None where there is none that can be read."""
    from geonotice.config.town import find_town_file
    from geonotice.store import Store

    try:
        with Store(find_town_file(place).resolve().parent / "store.gpkg") as store:
            return {entry.id: tuple(sorted(entry.owners)) for _, entry in store.entries()}
    except StoreError:
        return None


def change_since(before: dict[str, tuple[str, ...]], place: Path) -> StoreChange:
    """Compare the store that is there now with what one had before.

    Raises
    ------
    StoreError
        There is none, or it cannot be read.
    """
    from geonotice.config.town import find_town_file
    from geonotice.store import Store

    with Store(find_town_file(place).resolve().parent / "store.gpkg") as store:
        seal = store.meta.get("seal", "")
        now = {entry.id: tuple(sorted(entry.owners)) for _, entry in store.entries()}
    return StoreChange(
        before=len(before),
        after=len(now),
        new=tuple(sorted(now.keys() - before.keys())),
        gone=tuple(sorted(before.keys() - now.keys())),
        other_owners=tuple(sorted(id_ for id_ in now.keys() & before.keys() if now[id_] != before[id_])),
        seal=seal,
    )
