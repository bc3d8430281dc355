"""Write what the guide takes from the code: the table of checks in docs/adding-a-town.md, and the two JSON Schemas beside it.

Run from the repository, after a change of a check or of what a file may say: ``make guide``.
"""

from pathlib import Path

from geonotice.decide.event_form import write_schemas
from geonotice.ordinance.show import with_checks_table

DOCS = Path(__file__).resolve().parent.parent / "docs"


def main() -> None:
    """Write the files that differ, and name them."""
    guide = DOCS / "adding-a-town.md"
    texts = {guide: with_checks_table(guide.read_text(encoding="utf-8"))}
    texts |= {DOCS / name: text for name, text in write_schemas().items()}
    for path, text in texts.items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
