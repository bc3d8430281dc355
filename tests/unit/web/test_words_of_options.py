"""What is told at the desk names no option and no command: there is nothing there to type them into.

Every sentence of the program is walked, and not those alone that a test has met: a sentence beside ``command=`` is for the command line, the rest is told anywhere.
"""

import ast
import re
from pathlib import Path

import pytest
from desk_toys import copied, desk_at, layers_imported, sit_down, words_of

import geonotice
from geonotice.cli import MODULES
from geonotice.errors import Fault, UsageError
from geonotice.layers.source import for_town_file

HOUSE = Path(geonotice.__file__).parent
COMMANDS = "|".join(sorted(name for name in MODULES if isinstance(name, str)))
SAID = re.compile(rf"(?<![\w-])--[a-z][\w-]*|\bgeonotice (?:{COMMANDS})\b|problems(?:”|\")? of the store")

ELSEWHERE = {
    "decide/check_screen.py": "the summary of `check` on a terminal",
    "layers/init.py": "`init`, which the desk does not have",
    "layers/inspect.py": "`inspect`, which the desk does not have",
    "layers/municipality.py": "a question of `init`",
    "layers/reports.py": "the report of `import` on a terminal",
    "layers/source.py": "the patterns by which options become keys of the town file",
    "ordinance/profile.py": "the description of a key, for who writes a profile",
    "packet/affidavits.py": "the packet's first page, which names the command beside the desk's page",
    "packet/cards_and_envelopes.py": "printed on a sheet",
    "packet/invoice.py": "the packet's first page",
    "packet/labels.py": "printed on a sheet",
    "units/measuring_crs.py": "`init`; NOAA's own command",
    "web/server.py": "the terminal in which the desk is started",
    "workflow/demo.py": "`demo`",
    "workflow/importing.py": "`init`",
    "workflow/permit_import.py": "what goes behind `command`",
    "workflow/screen_workers.py": "workers, which the desk does not have",
    "workflow/verify.py": "`verify`",
}
"""Modules whose sentences with options are not told at the desk, and why."""

APART = {"geonotice event file", "geonotice ordinance profile", "--column X"}
"""Titles of schemas, and a key: no sentences, though they read so."""

TRANSLATED = ("layers/", "units/")
"""Rooms whose sentences about a layer are put into keys of the town file before they are told of an import."""


def sentences(module):
    """Return what a module says: its texts with X for what is put into them, without docstrings, keys, and what is for the command line alone."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    apart = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            apart.add(id(node.value))
        for_commands = (isinstance(node, ast.keyword) and node.arg in {"command", "key", "option", "given_by"}) or (
            isinstance(node, ast.Assign) and "command" in ast.unparse(node.targets[0])
        )
        if for_commands:
            apart |= {id(one) for one in ast.walk(node.value)}
        if isinstance(node, ast.JoinedStr):
            apart |= {id(one) for one in node.values}
    for node in ast.walk(tree):
        if id(node) in apart:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "X" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def named_in(text):
    # An option by itself is a key or a default, and no sentence.
    return SAID.findall(text) if " " in text.strip() and text not in APART else []


def modules():
    for module in sorted(HOUSE.rglob("*.py")):
        name = module.relative_to(HOUSE).as_posix()
        if not name.startswith("cli/"):
            yield name, module


def test_no_sentence_outside_the_command_line_names_an_option_or_a_command():
    found = {
        f"{name}: {text}"
        for name, module in modules()
        if name not in ELSEWHERE and not name.startswith(TRANSLATED)
        for text in sentences(module)
        if named_in(text)
    }
    assert found == set()


def test_what_is_said_of_a_layer_becomes_keys_of_the_town_file():
    met = 0
    for name, module in modules():
        if name in ELSEWHERE or not name.startswith(TRANSLATED):
            continue
        for text in sentences(module):
            if named_in(text):
                met += 1
                told = for_town_file(text.replace("EPSG:X", "EPSG:2263"), "[[layers.parcels]]")
                assert not named_in(told), f"{name}: {told}"
    assert met > 10


def test_the_exceptions_are_there_and_needed():
    known = dict(modules())
    assert ELSEWHERE.keys() <= known.keys()
    for name in ELSEWHERE:
        if name.startswith("packet/"):
            continue  # papers are held by what they print
        assert [text for text in sentences(known[name]) if named_in(text)], f"{name} needs no exception any more"


@pytest.mark.parametrize(
    "file",
    [*HOUSE.joinpath("web").rglob("templates/*.html"), *HOUSE.joinpath("web").rglob("static/*.js")],
    ids=lambda file: file.name,
)
def test_no_page_names_an_option_or_a_command(file):
    text = re.sub(
        r"pg_dump --format=custom --file=", "", file.read_text(encoding="utf-8")
    )  # of the database server, whose administrator reads it
    assert SAID.findall(text) == []


def test_an_error_within_a_warning_is_told_without_its_command():
    error = UsageError(
        [
            Fault(what="it is not there", remedy="import it", command="run geonotice import", key="--crs", file="a.gpkg"),
            Fault(what="nor is that"),
        ]
    )
    assert error.at_desk == "a.gpkg: it is not there. Import it.\nnor is that."
    assert "Run geonotice import" in str(error)


class TestImport:
    """An import at the desk that cannot be done says what to write into the town file."""

    @pytest.fixture
    def town(self, southampton, tmp_path):
        return copied(southampton, tmp_path / "southampton")

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda text: text.replace('path = "parcels.gpkg"', 'path = "nowhere.csv"'), "[[layers.parcels]]"),
            (lambda text: text.replace('path = "zoning.geojson"', 'path = "plain.csv"'), "[layers.zoning]"),
        ],
    )
    def test_it_names_keys_and_no_options(self, town, change, words):
        (town / "nowhere.csv").write_text("A,B\n1,2\n3,4\n")
        (town / "plain.csv").write_text("A,B\n1,2\n3,4\n")
        file = town / "town.toml"
        changed = change(file.read_text())
        assert changed != file.read_text()
        file.write_text(changed)
        with desk_at(town) as client:
            sit_down(client)
            answer = layers_imported(client)
        said = words_of(answer.text)
        assert answer.status_code == 400
        assert SAID.findall(said) == []
