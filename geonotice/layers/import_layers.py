"""Import: from the town file's layers to the store, whole or not at all."""

import hashlib
import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from geonotice.config.town import ParcelSpec, RollSpec, town_to_json
from geonotice.errors import Fault, LayerError, StoreError
from geonotice.io.output_files import in_the_making, remove_leftovers
from geonotice.io.source_files import BLANK_SEAL, seal, sha256_of, size_and_time, state_of
from geonotice.layers.columns.recognize import FieldMap
from geonotice.layers.columns.text import cut_warning
from geonotice.layers.common_land import find_common_land
from geonotice.layers.identity import Merged, comparable_column, merge_rows, unmailable
from geonotice.layers.other_layers import ReadFeatures, assign_points, off_parcels, read_features
from geonotice.layers.owner_spelling import with_keys
from geonotice.layers.parcels import ReadParcels, layer_name, read_parcels, stack_rows
from geonotice.layers.property_classes import town_says
from geonotice.layers.repair import layer_lines, stacked
from geonotice.layers.roles import parcel_roles
from geonotice.layers.rolls import ReadRoll, apply_roll, join_roll, read_roll
from geonotice.layers.source import for_town_file
from geonotice.layers.spill import SpilledTable, give_back
from geonotice.layers.write_store import write_common_land, write_layer, write_owners, write_parcels, write_tables
from geonotice.model import Problem, Source
from geonotice.ordinance.profile import district_key
from geonotice.store_tables import STORE_VERSION
from geonotice.units import measuring_crs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future
    from datetime import date
    from pathlib import Path

    from geonotice.config.town import LayerSpec, Town


__all__ = ["ImportReport", "import_town", "roll_warning"]


_ASKED = 5
"""Most questions about common land that the report names."""
JULY = 7
"""The final assessment roll of a New York town is completed and filed by 1 July (RPTL 516)."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What import did.

    Parameters
    ----------
    store
        The file written.
    counts
        Rows of each table of features, and of ``owners``.
    fields
        How the fields of each layer and roll map, in the town file's order.
    sources
        What went in.
    problems
        All that was repaired, dropped, dissolved, not matched or cannot be mailed.
    warnings
        What the clerk should know of the whole, as sentences.
    """

    store: "Path"
    counts: dict[str, int]
    fields: tuple[tuple[str, FieldMap], ...]
    sources: tuple[Source, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]

    def problems_by_code(self) -> dict[str, int]:
        """Count the problems of each code, the most frequent first."""
        counts = Counter(problem.code for problem in self.problems)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON values; problems counted, not listed."""
        return {
            "store": str(self.store),
            "counts": self.counts,
            "fields": {name: fields.fields for name, fields in self.fields},
            "sources": [
                {
                    "layer": s.layer,
                    "path": s.path,
                    "sha256": s.sha256,
                    "as_of": str(s.as_of) if s.as_of else None,
                    "features": s.features,
                }
                for s in self.sources
            ],
            "problems": self.problems_by_code(),
            "warnings": list(self.warnings),
        }


def import_town(
    town: "Town",
    *,
    meta: "Mapping[str, str] | None" = None,
    on: "date | None" = None,
    progress: "Callable[[str], None] | None" = None,
) -> ImportReport:
    """Read every layer of a town file and write its store.

    Parameters
    ----------
    town
        The town file, checked.
    meta
        What else the store's ``meta`` keeps: ``profile`` (JSON), ``profile_sha256``, ``geonotice_version``.
    on
        What is taken as today; without it the age of the roll is not judged.
    progress
        Told what is being done, in a few words.

    Raises
    ------
    LayerError
        A layer cannot be used, all that are at fault named at once; the store that was there stays.
    UnknownCRS
        The town's CRS cannot be measured in.
    StoreError
        Nothing can be written where the store belongs; found before anything is read.
    """

    def say(text: str) -> None:
        give_back()
        if progress:
            progress(text)

    measure = measuring_crs(town.crs)
    _require_writable(town.store)
    remove_leftovers(town.store.parent)
    with ExitStack() as making, ThreadPoolExecutor(max_workers=1) as beside:
        files: list[LayerSpec | RollSpec] = [*town.parcels, *town.layers.others.values(), *town.rolls]
        states = {spec.path: state_of(spec.path) for spec in files if spec.path.exists()}
        sums = {path: beside.submit(sha256_of, path) for path in states}
        parcels, features, rolls = _read_all(town, measure.crs, say)
        names = [layer_name(layer.spec, layer.index) for layer in parcels]
        say("Finding what is one parcel")
        merged = merge_rows(stack_rows([layer.rows for layer in parcels]), names)
        problems = [problem for layer in parcels for problem in layer.problems]
        problems += merged.problems
        merged, owners, roll_problems = _with_rolls(merged, rolls, names)
        problems += roll_problems
        merged = replace(merged, rows=replace(merged.rows, owners=owners))
        keyed = beside.submit(with_keys, owners)
        say("Finding streets drawn as lots")
        roles = parcel_roles(merged, names, [layer.spec for layer in parcels])
        problems += roles.problems
        say("Looking for the common land of condominiums")
        shared = find_common_land(merged, roles.roles, town.common_land, names, file=str(town.file))
        problems += shared.problems
        give_back()
        problems += unmailable(owners, merged.id, merged.rows.layer, names)
        problems += stacked(merged.rows.shapes, merged.id, merged.rows.layer, names)
        problems += layer_lines(merged.rows.shapes, merged.id, merged.rows.layer, names)
        merged.rows.shapes.let_go()
        cut = _cut_names(owners)
        temporary = making.enter_context(in_the_making(town.store, "the store"))
        say(f"Writing {len(merged.rows):,} parcels")
        write_parcels(temporary, merged, roles, crs=measure.crs)
        for found in features:
            problems += found.problems
            problems += _write_features(temporary, found, merged, town, measure.crs)
        say(f"Writing {owners.num_rows:,} owners")
        write_owners(temporary, keyed.result())
        sources = _sources(parcels, features, rolls, sums, states)
        counts = {"parcels": len(merged.rows), "owners": owners.num_rows}
        fields = [(name, layer.fields) for name, layer in zip(names, parcels, strict=True)]
        # what was read stands in the store by now: indexes are sorted in the memory that it took
        del parcels, merged, owners, keyed
        give_back()
        write_common_land(temporary, shared.ties)
        write_tables(temporary, problems, sources, {**_meta(town), "crs": measure.crs, **(meta or {})})
        seal(temporary)
        temporary.replace(town.store)
    return ImportReport(
        store=town.store,
        counts=counts | {found.spec.kind: len(found.geometry) for found in features},
        fields=(
            *fields,
            *((found.spec.kind, found.fields) for found in features),
            *((_roll_name(index), roll.fields) for index, roll in enumerate(rolls)),
        ),
        sources=tuple(sources),
        problems=tuple(problems),
        warnings=(
            *(for_town_file(warning.text, "[town]") for warning in measure.warnings),
            *(warning for found in features for warning in found.warnings),
            *(f"{roll.spec.given}: {note}" for roll in rolls for note in roll.notes),
            *_source_warnings(sources, on),
            *cut,
            *_common_land_questions(shared.questions),
            *_districts_nowhere(town, features),
            *roles.warnings,
        ),
    )


def _cut_names(owners: SpilledTable) -> list[str]:
    """Return for each source of owners whether its column was too short for their names."""
    import pyarrow.compute as pc

    warnings = []
    every, sources = owners["names"], owners["source"]
    for source in pc.unique(sources).to_pylist():
        names = every.filter(pc.equal(sources, source))
        lines = pc.list_flatten(pc.split_pattern(names, "\n"))
        warnings.append(cut_warning(lines.filter(pc.not_equal(lines, "")), str(source)))
    return [warning for warning in warnings if warning]


def _common_land_questions(questions: "Sequence[str]") -> list[str]:
    """Ask what import cannot know of common land, a few lots by name; all are problems of the store."""
    more = len(questions) - _ASKED
    named = [f"Question: {text} (docs/town-file.md)" for text in questions[:_ASKED]]
    return [*named, *([f"Question: the same of {more:,} more, named among what was found in the layers"] if more > 0 else [])]


def _districts_nowhere(town: "Town", features: "Sequence[ReadFeatures]") -> list[str]:
    """Name the districts that the town file says something of and that the zoning layer does not have: a slip that would change nothing."""
    if not town.districts:
        return []
    zoning = next((found for found in features if found.spec.kind == "zoning"), None)
    if zoning is None:
        return ["[[districts]] of the town file changes nothing: the town file names no zoning layer"]
    there = {district_key(code) for code in zoning.columns["district"].to_pylist() if code}
    return [
        f"[[districts]] {spec.code}: no district of {zoning.spec.given} has this code, so it changes nothing"
        for spec in town.districts
        if district_key(spec.code) not in there
    ]


def _require_writable(store: "Path") -> None:
    """Refuse a folder that nothing can be written to, before minutes are spent on reading."""
    if store.is_dir():
        raise StoreError(
            Fault(
                what="there is a folder where the store belongs",
                file=str(store),
                remedy="move or delete it, and run import again",
            )
        )
    probe = store.with_name(f".{store.stem}.{os.getpid()}.probe")
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise StoreError(
            Fault(
                what=f"nothing can be written to the town's folder ({error.strerror or error})",
                file=str(store.parent),
                why="the store lies beside the town file",
                remedy="copy the folder to where you may write, or ask for the right to",
            )
        ) from error


def roll_warning(year: int | None, *, final: bool | None, on: "date | None") -> str:
    """Return what is to be known of a roll's age: whose year is not known, that is not final, or that is older than the latest 1 July.

    Examples
    --------
    >>> from datetime import date
    >>> roll_warning(2026, final=True, on=date(2026, 11, 30))
    ''
    >>> roll_warning(2025, final=True, on=date(2026, 11, 30))
    'the roll of 2025 is older than that of July 1, 2026: owners may have changed'
    """
    if year is None:
        return "the year of the assessment roll is not known (roll_year in the town file)"
    latest = None if on is None else on.year if on.month >= JULY else on.year - 1
    if latest is not None and year < latest:
        return f"the roll of {year} is older than that of July 1, {latest}: owners may have changed"
    if final is False:
        return f"the roll of {year} is not the final one"
    return ""


def _read_all(
    town: "Town", crs: str, say: "Callable[[str], None]"
) -> "tuple[list[ReadParcels], list[ReadFeatures], list[ReadRoll]]":
    """Read everything, and refuse with all the faults at once."""
    faults: list[Fault] = []
    parcels, features, rolls = [], [], []
    error: LayerError | None = None
    for index, spec in enumerate(town.parcels):
        try:
            parcels.append(read_parcels(spec, index, crs=crs, say=say, new_york=town_says(town, index)))
        except LayerError as found:
            error = found
            faults += found.faults
    for other in town.layers.others.values():
        try:
            features.append(read_features(other, crs=crs, say=say))
        except LayerError as found:
            error = found
            faults += found.faults
    key = parcels[0].fields.column("tax_map_number") if parcels else None
    known = (
        {text for layer in parcels for text in comparable_column(layer.rows.number).to_pylist() if text} if town.rolls else set()
    )
    state = parcels[0].new_york or None if parcels else None
    for roll in town.rolls:
        try:
            say(f"Reading {roll.given}")
            rolls.append(read_roll(roll, key_column=key, known=known, new_york=state))
        except LayerError as found:
            error = found
            faults += found.faults
    if error is not None:
        raise error if len(faults) == len(error.faults) else LayerError(faults)
    return parcels, features, rolls


def _with_rolls(merged: Merged, rolls: "Sequence[ReadRoll]", names: list[str]) -> "tuple[Merged, SpilledTable, list[Problem]]":
    """Return the owners with where they come from, the rolls' in the place of the layers', and fill the gaps of the columns."""
    import pyarrow as pa

    owners = merged.rows.owners
    row = owners["row"].to_numpy()
    years = merged.rows.roll_year.combine_chunks().take(pa.array(row))
    source = pa.array(["layer"], pa.string()).take(pa.array(np.zeros(len(row), dtype=np.int64)))
    owners = owners.with_columns({"source": source, "roll_year": years})
    problems: list[Problem] = []
    for index, roll in enumerate(rolls):
        joined = join_roll(
            roll,
            key=merged.identities.key,
            swis=merged.rows.swis,
            ids=merged.id,
            layer=merged.rows.layer,
            names=names,
            name=_roll_name(index),
        )
        table, nameless = apply_roll(owners.table(), roll, joined, merged.id)
        owners = SpilledTable.of(table)
        merged = replace(merged, rows=merged.rows.filled(roll.filling, joined.parcel))
        problems += [*joined.problems, *nameless]
    return merged, owners, problems


def _write_features(path: "Path", found: ReadFeatures, merged: Merged, town: "Town", crs: str) -> tuple[Problem, ...]:
    if found.spec.kind != "address_points":
        write_layer(path, found, crs=crs)
        return ()
    within = town.settings.address_point_ft
    parcel, _several = assign_points(found.geometry, np.asarray(merged.rows.shapes), within_ft=within)
    write_layer(path, found, crs=crs, parcel=parcel)
    return off_parcels(found, parcel, within_ft=within)


def _meta(town: "Town") -> dict[str, str]:
    town_file = town.file.read_bytes() if town.file.is_file() else b""
    return {
        "store_version": str(STORE_VERSION),
        "seal": BLANK_SEAL,
        "town": json.dumps(town_to_json(town), ensure_ascii=False, sort_keys=True),
        "town_file": town.file.name,
        "town_file_sha256": hashlib.sha256(town_file).hexdigest(),
    }


def _roll_name(index: int) -> str:
    return "roll" if index == 0 else f"roll {index + 1}"


def _sources(
    parcels: "Sequence[ReadParcels]",
    features: "Sequence[ReadFeatures]",
    rolls: "Sequence[ReadRoll]",
    sums: "Mapping[Path, Future[str]]",
    states: "Mapping[Path, str]",
) -> list[Source]:
    """Describe what went in; refuse where a file was changed while it was read, for then the sum may be that of other content."""
    specs: list[LayerSpec | RollSpec] = [
        *(layer.spec for layer in parcels),
        *(found.spec for found in features),
        *(roll.spec for roll in rolls),
    ]
    hashed = {path: future.result() for path, future in sums.items()}
    changed = [spec.given for spec in specs if not spec.path.exists() or state_of(spec.path) != states[spec.path]]
    if changed:
        raise LayerError(
            Fault(
                what="the file was changed by another program while it was imported",
                why="the store could hold half of the one and half of the other",
                remedy="wait until the other program has saved it, and run import again",
                file=given,
            )
            for given in dict.fromkeys(changed)
        )

    def source(name: str, spec: "LayerSpec | RollSpec", rows: int, crs: str, *, year: int | None = None) -> Source:
        size, mtime_ns = size_and_time(spec.path)
        return Source(
            layer=name, path=spec.given, sha256=hashed[spec.path], as_of=spec.as_of, features=rows, crs=crs, size=size, mtime_ns=mtime_ns,
            roll_year=year, final=spec.final if isinstance(spec, ParcelSpec | RollSpec) else None, files=states[spec.path],
        )  # fmt: skip

    return [
        *(
            source(
                layer_name(layer.spec, layer.index),
                layer.spec,
                layer.raw_rows,
                layer.crs,
                year=layer.spec.roll_year or _year_of(layer),
            )
            for layer in parcels
        ),
        *(source(found.spec.kind, found.spec, found.raw_rows, found.crs) for found in features),
        *(source(_roll_name(index), roll.spec, roll.rows, "", year=roll.year) for index, roll in enumerate(rolls)),
    ]


def _year_of(layer: ReadParcels) -> int | None:
    """Return the year that most rows of a layer name."""
    import pyarrow.compute as pc

    counts = pc.value_counts(layer.rows.roll_year.drop_null()).to_pylist()
    return max(counts, key=lambda item: (item["counts"], item["values"]))["values"] if counts else None


def _source_warnings(sources: "Sequence[Source]", on: "date | None") -> list[str]:
    warnings = [
        f"{source.path}: its date is not known (as_of in the town file); every list says so"
        for source in sources
        if source.as_of is None
    ]
    for source in sources:
        if source.layer.startswith(("parcels", "roll")):
            text = roll_warning(source.roll_year, final=source.final, on=on)
            warnings += [f"{source.path}: {text}"] if text else []
    return warnings
