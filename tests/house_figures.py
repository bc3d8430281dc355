"""Print the figures of the house: modules, lines, names, and words that newcomers do not expect.

Run from the repository: ``python tests/house_figures.py``. With ``--places`` it lists every place of the old vocabulary, too.
"""

import argparse
import ast
import collections
import re
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "geonotice"

OLD_WORDS = (
    r"\bGives?\b", r"\"\"\"Says?\b", r"\bSays? (?:what|whether|which|how|why|where|that|so|of)\b", r"\b[Rr]eckon(?:s|ed|ing)?\b", r"\b[Mm]end(?:s|ed|ing)?\b", r"\bhangs? together\b",
    r"\b(?:must|is|are|was|were|be) told\b", r"\bis not said\b", r"\bare not said\b", r"\bstands? in the way\b", r"\bA person must decide\b",
    r"\bstands? for today\b", r"\bit is no [a-z]+\b", r"\bone like them\b", r"\bthis one by itself\b", r"\bwhom the law frees\b",
)  # fmt: skip
"""The words that the plan replaces, as patterns; keys of JSON such as ``reckoning`` stay and are left out below."""
KEPT = re.compile(r"[\"'`.]reckon(?:ing|ed_from)|reckon(?:ing|ed_from)[\"'`=:]|\breckoned_from\b|\breckoning\b(?=[,)\]])")


def modules() -> list[Path]:
    """Return the modules of the package, without what is vendored."""
    return sorted(path for path in PACKAGE.rglob("*.py") if "vendor" not in path.parts)


def code_lines(path: Path) -> int:
    """Return the number of lines that hold code: no blank lines, no comments, no docstrings."""
    text = path.read_text(encoding="utf-8")
    strings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            strings.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), start=1)
    return sum(1 for n, line in lines if line.strip() and not line.lstrip().startswith("#") and n not in strings)


def read_by_people() -> list[Path]:
    """Return the files in which a person reads words: the package, the documents, the demonstration towns."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")  # noqa: S607  # git is where the user has it
    kept = (".py", ".md", ".toml", ".js", ".html", ".css", ".jinja")
    places = ("geonotice/", "docs/", "data/", "README.md", "CHANGELOG.md")
    return [ROOT / name for name in listed if name.startswith(places) and name.endswith(kept) and "vendor" not in name]


def old_words() -> list[str]:
    """Return every place of the old vocabulary, as file, line and words; the law's own words (profiles) are not ours to change."""
    pattern = re.compile("|".join(OLD_WORDS))
    found = []
    for path in read_by_people():
        if path.parent.name == "profiles" or not path.is_file():
            continue
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            found += [f"{path.relative_to(ROOT)}:{n}: {one.group(0)}" for one in pattern.finditer(KEPT.sub("", line))]
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", action="store_true", help="list every place of the old vocabulary")
    given = parser.parse_args()
    paths = modules()
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    own = {path: size for path, size in sizes.items() if path.name != "__init__.py"}
    twice = [name for name, count in collections.Counter(path.name for path in own).items() if count > 1]
    comments = sum(
        1
        for path in paths
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r"\s*#(?! (?:noqa|type:|fmt))", line)
    )
    code = sum(code_lines(path) for path in paths)
    words = old_words()
    print(f"modules                 {len(paths)} ({len(own)} without __init__.py)")
    print(f"lines                   {sum(sizes.values()):,}, of code {code:,}")
    print(f"median, largest module  {statistics.median(own.values()):.0f}, {max(own.values())}")
    print(f"modules under 60 lines  {sum(1 for size in own.values() if size < 60)}")
    print(f"names used twice        {len(twice)}: {', '.join(sorted(twice))}")
    print(f"comment lines to code   1 : {code / max(comments, 1):.0f}")
    print(f"old vocabulary          {len(words)} places")
    if given.places:
        print("\n".join(words))


if __name__ == "__main__":
    main()
