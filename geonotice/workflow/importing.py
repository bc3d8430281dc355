"""Start a town, and import its layers into the store."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from geonotice.ordinance.profile import profile_to_json
from geonotice.ordinance.read import load_profile

if TYPE_CHECKING:
    from collections.abc import Callable

    from geonotice.layers.build import ImportReport

__all__ = ["import_layers"]


def import_layers(place: Path, *, progress: "Callable[[str], None] | None" = None) -> "ImportReport":
    """Read the town file and its profile, check both, and build the store.

    Parameters
    ----------
    place
        A town file, or its folder.
    progress
        Told what is being done, in a few words.

    Raises
    ------
    TownFileError, OrdinanceError, LayerError
        With every fault of the file, the profile or a layer; the store that was there stays as it was.
    """
    from geonotice.layers.build import import_town
    from geonotice.town_file import read_town_file

    town = read_town_file(place)
    profile = load_profile(town.ordinance, relative_to=town.folder)
    meta = {"profile": json.dumps(profile_to_json(profile), ensure_ascii=False, sort_keys=True), "profile_sha256": profile.sha256}
    return import_town(town, meta=meta, progress=progress)
