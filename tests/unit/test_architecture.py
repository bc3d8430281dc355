"""The guide to the house names only modules that there are."""

import ast
import re

from geonotice.ordinance.load import available, load_profile


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


def test_decide_knows_no_rule_of_a_built_in_profile_by_its_id(root):
    ids = {rule.id for name in available() for rule in load_profile(name).every_rule}
    named = {
        f"{module.name}: {id_}"
        for module in (root / "geonotice" / "decide").glob("*.py")
        for id_ in ids
        if re.search(rf"(?<![\w.]){re.escape(id_)}(?!\w)", module.read_text(encoding="utf-8"))
    }
    assert named == set()


def test_decide_cites_no_town_s_law_outside_its_comments_and_docstrings(root):
    """A section or an official of one town in a result would be told to every other."""
    town = re.compile(r"\b283-\w|Chapter 2\d\d|\(\w\): |Southampton|\bItaly\b")
    named = {
        f"{module.name}: {node.value}"
        for module in (root / "geonotice" / "decide").glob("*.py")
        for tree in [ast.parse(module.read_text(encoding="utf-8"))]
        for docs in [
            {id(node.body[0].value) for node in ast.walk(tree) if _has_docstring(node)}
            | {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        ]
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs and town.search(node.value)
    }
    assert named == set()


def _has_docstring(node):
    return isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and isinstance(node.body[0], ast.Expr)
