"""Every command of docs/register.md, run as it stands there."""

import re
import shlex
import shutil

import pytest
from program import exit_code


def commands(root):
    """Return the commands of the guide, in their order."""
    lines = (root / "docs" / "register.md").read_text().splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("    geonotice ")]


def test_every_command_of_the_guide_does_what_it_says(root, tmp_path, monkeypatch, capsys):
    shutil.copytree(root / "data" / "southampton", tmp_path / "demo" / "southampton")
    monkeypatch.chdir(tmp_path)
    assert exit_code("import", "demo/southampton") == 0
    head = ""
    for args in commands(root):
        capsys.readouterr()
        code = exit_code(*(head if word == "HASH" else word for word in args))
        said = capsys.readouterr()
        assert code == 0, (args, said.out, said.err)
        if found := re.search(r"head is ([0-9a-f]{64})", said.out.replace("\n", "")):
            head = found[1]
    assert head
    for name in ("permits-2026.csv", "permits.xlsx", "permits.gpkg", "maps/southampton-2026-public.html"):
        assert (tmp_path / name).stat().st_size > 0


@pytest.mark.parametrize("name", ["README.md", "docs/town-file.md"])
def test_the_guide_is_linked(root, name):
    assert "register.md" in (root / name).read_text()
