"""The JSON Schemas of a profile and of an event file, for editors."""

import json

__all__ = ["SCHEMA_FILES", "write_schemas"]

SCHEMA_FILES = ("event.schema.json", "ordinance.schema.json")


def write_schemas() -> dict[str, str]:
    """Give the text of each schema file by its name: what ``docs/`` holds, and a test keeps true."""
    from geonotice import event_file
    from geonotice.ordinance import schema

    return {
        "event.schema.json": _text(event_file.json_schema()),
        "ordinance.schema.json": _text(schema.json_schema()),
    }


def _text(data: dict[str, object]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
