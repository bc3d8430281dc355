"""Owners of record, verbatim: rows stay where they are, filled or not."""

from types import SimpleNamespace

import pyarrow as pa
import pytest

from geonotice.layers.owners import owners_of_record


def owners(**columns: list[str | None]) -> list[dict[str, object]]:
    table = pa.table({name: pa.chunked_array([pa.array(values, pa.string())]) for name, values in columns.items()})
    return owners_of_record(table, SimpleNamespace(fields={name: name for name in columns})).to_pylist()


@pytest.mark.filterwarnings("error")
def test_an_owner_without_an_address_does_not_move_the_addresses_of_those_after_them():
    made = owners(
        owner=["Ashdown Ida", "Birdsong Leon", "Calloway Roy", "Dunmire Fern"],
        mail_address=["1 Mill St", None, None, "4 Mill St"],
        po_box=[None, None, "PO Box 3", None],
    )
    assert [(one["row"], one["names"], one["address"]) for one in made] == [
        (0, "Ashdown Ida", "1 Mill St"),
        (1, "Birdsong Leon", ""),
        (2, "Calloway Roy", "PO Box 3"),
        (3, "Dunmire Fern", "4 Mill St"),
    ]
