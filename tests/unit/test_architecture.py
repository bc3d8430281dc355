"""The guide to the house names only modules that there are."""

import re


def test_every_module_that_the_guide_names_is_there(root):
    named = set(re.findall(r"[\w/]+\.py\b", (root / "docs" / "architecture.md").read_text(encoding="utf-8")))
    stand_ins = {name for name in named if re.search(r"NAME|ROOM|MODULE|(^|/)_", name)}
    places = [root, root / "geonotice", root / "geonotice" / "layers"]
    there = {path.name for path in (root / "geonotice").rglob("*.py")}  # a name without its room stands beside one that has it
    missing = {
        name
        for name in named - stand_ins
        if not (any((place / name).is_file() for place in places) or ("/" not in name and name in there))
    }
    assert missing == set()
    assert len(named - stand_ins) > 20
