"""Which module each command is in: the command line imports no other."""

import subprocess
import sys

import pytest
import typer.main

from geonotice.cli import MODULES, every_command


def commands():
    return typer.main.get_command(every_command()).commands


def test_the_table_names_every_command_and_no_other():
    assert set(MODULES) == set(commands())


@pytest.mark.parametrize("modules", sorted(set(MODULES.values())))
def test_the_modules_of_a_command_hold_the_whole_of_it(modules):
    code = (
        "import sys, typer.main\nfrom geonotice.cli import _with\n"
        f"for name, one in typer.main.get_command(_with({modules!r})).commands.items():\n"
        "    print(name, *getattr(one, 'commands', ()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = {name: set(inner) for name, *inner in map(str.split, done.stdout.splitlines())}
    for name in (name for name, held in MODULES.items() if held == modules):
        assert found[name] == set(getattr(commands()[name], "commands", ()))
