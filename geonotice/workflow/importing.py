"""Start a town, and import its layers into the store."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from geonotice import __version__
from geonotice.config.town import TOWN_FILE
from geonotice.errors import Fault, UsageError
from geonotice.io.output_files import write_file
from geonotice.ordinance.load import load_profile, profile_to_json, with_determinations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from geonotice.layers.import_layers import ImportReport

__all__ = ["Started", "import_layers", "init_town"]


class Started(Struct, frozen=True):
    """A town file that was written: the questions left in it, and how the rest was decided, as sentences."""

    file: Path
    questions: tuple[str, ...]
    notes: tuple[str, ...]


def init_town(
    folder: Path,
    *,
    parcels: Path,
    ordinance: str,
    name: str | None = None,
    layer: str | None = None,
    fields: "Mapping[str, str] | None" = None,
    crs: str | None = None,
    measure_crs: str | None = None,
) -> Started:
    """Write a town file for a parcel layer; parameters as :func:`geonotice.layers.init.propose_town_file`.

    Raises
    ------
    UsageError
        There is a town file in the folder already.
    LayerError, OrdinanceError
        The layer cannot serve as parcels, or there is no such ordinance.
    OutputError
        The town file cannot be written.
    """
    from geonotice.layers.init import propose_town_file

    file = folder / TOWN_FILE
    if file.exists():
        raise UsageError(
            Fault(
                what="there is a town file already",
                file=str(file),
                why="what was answered in it would be lost",
                remedy="change it by hand, or give another folder",
            )
        )
    load_profile(ordinance, relative_to=folder)
    draft = propose_town_file(
        folder, parcels=parcels, ordinance=ordinance, name=name, layer=layer, fields=fields, crs=crs, measure_crs=measure_crs
    )
    write_file(file, draft.text.encode())
    return Started(file, draft.questions, draft.notes)


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
    meta = {
        "profile": json.dumps(profile_to_json(profile), ensure_ascii=False, sort_keys=True),
        "profile_sha256": profile.sha256,
        "geonotice_version": __version__,
    }
    return import_town(town, meta=meta, on=on, progress=progress)
