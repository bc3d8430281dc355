"""Fetch the vendored browser files from their npm packages and write VENDORED.md beside this file.

Run by hand, from the repository, with npm on the path and access to the npm registry::

    python geonotice/vendor/refresh.py

The versions stand below; nothing else decides what is fetched. The files are written as the packages hold them, byte for byte.
"""

import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent

# package, version, the files taken from it. folium 0.20 asks for leaflet 1.9.3; 1.9.4 is its last correction release.
PACKAGES = (
    (
        "leaflet",
        "1.9.4",
        (
            "dist/leaflet.js",
            "dist/leaflet.css",
            "dist/images/layers.png",
            "dist/images/layers-2x.png",
            "dist/images/marker-icon.png",
            "LICENSE",
        ),
    ),
    ("htmx.org", "2.0.11", ("dist/htmx.min.js", "LICENSE")),
    (
        "@geoman-io/leaflet-geoman-free",
        "2.20.2",
        ("dist/leaflet-geoman.min.js", "dist/leaflet-geoman.css", "LICENSE"),
    ),
)

INTRODUCTION = """# Vendored browser files

What the maps and the desk need in the browser, as their npm packages hold it, so that they work with no internet. Nothing here is edited.
`python geonotice/vendor/refresh.py` fetches the files again and writes this page; `tests/unit/maps/test_notice_map.py` compares the hashes.

| package | version | licence | file | SHA-256 |
| --- | --- | --- | --- | --- |
"""


def main() -> None:
    """Fetch each package, keep its files, list them."""
    npm = shutil.which("npm")
    if npm is None:
        message = "npm is not on the path: install Node.js, or leave the vendored files as they are"
        raise SystemExit(message)
    rows = []
    for name, version, wanted in PACKAGES:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([npm, "pack", "--silent", f"{name}@{version}"], cwd=folder, check=True)  # noqa: S603  # the names and versions stand above
            (archive,) = Path(folder).glob("*.tgz")
            with tarfile.open(archive) as packed:
                packed.extractall(folder, filter="data")
            root = Path(folder) / "package"
            about = json.loads((root / "package.json").read_text(encoding="utf-8"))
            if about["version"] != version:
                message = f"asked for {name} {version}, got {about['version']}"
                raise SystemExit(message)
            for inside in wanted:
                target = HERE / name / inside.removeprefix("dist/")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((root / inside).read_bytes())
                digest = hashlib.sha256(target.read_bytes()).hexdigest()
                shown = target.relative_to(HERE).as_posix()
                rows.append(f"| {name} | {version} | {about['license']} | {shown} | {digest} |")
    (HERE / "VENDORED.md").write_text(INTRODUCTION + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
