"""Which column of a layer is the tax map number, or which columns together."""

from typing import TYPE_CHECKING

from geonotice.layers.columns.aliases import KEY_COLUMNS, KEY_PARTS, PARCEL_ALIASES
from geonotice.layers.columns.expression import PLUS, key_text
from geonotice.layers.columns.layer_columns import KEY_SHARE, SAME_SHARE, KeyCandidate, LayerColumns, Question
from geonotice.layers.columns.text import AT_ONCE, NO_KEY, Column, hashes, plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

__all__ = ["KeyColumns"]


class KeyColumns(LayerColumns):
    """The columns of a layer, with what finds its key."""

    def choose_key(self) -> None:
        """Take the first column of the list that is filled and unique on 98 % of the rows; then the first that is so within its SWIS."""
        need = KEY_SHARE * self.table.num_rows
        if "tax_map_number" in self.fields:
            candidates = self._key_candidates() if self.table.num_rows else []
            # an ID is the number of a record and not of a parcel
            self.other_keys = tuple(c.name for c in candidates if c.plain != "ID" and _key_figures(c.text)[1] >= need)
            return
        candidates = self._key_candidates()
        swis = next((column for column in self.columns if any(column.fits(alias) for alias in PARCEL_ALIASES["swis"])), None)
        judged = [(column, *_key_figures(column.text)) for column in candidates]
        rows = self.table.num_rows
        chosen = next((item for item in judged if rows and item[2] >= need), None)
        how = "the first of the list of keys that is filled and unique on 98 % of the rows"
        if chosen is None and swis is not None and rows:
            within = [(column, *_key_figures(column.text, swis.text)) for column in candidates]
            chosen = next((item for item in within if item[2] >= need), None)
            how = f"unique on 98 % of the rows together with {swis.name}, which no other is alone"
        for column, filled, unique in judged:
            if chosen is not None and column is chosen[0]:
                self.key = KeyCandidate(column.name, rows, chosen[1], chosen[2], how)
                continue
            after = chosen is not None and unique >= need
            reason = "comes after it in the list" if after else "not filled and unique on 98 % of the rows"
            self.rejected.append(KeyCandidate(column.name, rows, filled, unique, reason))
        self.other_keys = tuple(
            item.column for item in self.rejected if self.key and item.unique >= need and item.column.upper() != "ID"
        )
        if self.key is None:
            self.key = self._joined_key()
        if self.key is not None:
            self.fields["tax_map_number"] = self.key.column
            return
        self.questions.append(self._key_question())

    def _joined_key(self) -> KeyCandidate | None:
        """Return the columns that together are the tax map number, where they are known to be spread and do as well as one would."""
        rows = self.table.num_rows
        for names in KEY_PARTS if rows else ():
            found = [next((c for alias in part for c in self.columns if c.fits(alias)), None) for part in names]
            there = [column.name for column in found if column is not None and column.filled]
            # the last one may be missing: not every town has sublots
            if len(there) < 2 or any(column is None for column in found[:2]):  # noqa: PLR2004  # one is no joined number
                continue
            written = PLUS.join(there)
            filled, unique = _key_figures(key_text(self.table, written))
            if unique >= KEY_SHARE * rows:
                example = key_text(self.table.slice(0, 50), written).drop_null()
                how = f"no one column is, and these together are unique: {example[0].as_py() if len(example) else ''}"
                return KeyCandidate(written, rows, filled, unique, how)
        return None

    def _key_candidates(self) -> list[Column]:
        taken = self.taken | self.ignored
        found: list[Column] = []
        keys = (*(self.schema.fields.get("tax_map_number", ()) if self.schema else ()), *KEY_COLUMNS)
        for match in (Column.fits, Column.fits_cut):
            for alias in keys:
                found += [c for c in self.columns if match(c, alias) and c not in found and c.name not in taken]
        order = {plain_name(alias): place for place, alias in reversed(list(enumerate(keys)))}
        found.sort(key=lambda c: order.get(c.plain, min((i for i, a in enumerate(keys) if c.fits_cut(a)), default=len(order))))
        # KML and GML number their records in a column called id: "parcels.17"
        return [c for c in found if not (c.plain == "ID" and c.share_matching(r"^[A-Za-z_][\w]*\.\d+$") > SAME_SHARE)]

    def _key_question(self) -> Question:
        if self.rejected:
            tried = "; ".join(str(item) for item in self.rejected)
            text = (
                f"which column is the tax map number? {tried}. Where one number stands on several rows, the rows become one parcel;"
                f" name the column with --field tax_map_number=COLUMN"
            )
        elif self.columns:
            names = ", ".join(f"{column.name} ({column.examples(1)})" for column in self.columns[:40])
            text = f"which column is the tax map number? None has a name that is known. The columns are: {names}"
        else:
            text = (
                "the layer has no columns at all, so no tax map number: find the layer with its attributes (a shapefile needs its .dbf),"
                f" or take the record's number with --field tax_map_number={NO_KEY}"
            )
        return Question("tax_map_number", tuple(item.column for item in self.rejected), text)


def _key_figures(text: "pa.ChunkedArray", group: "pa.ChunkedArray | None" = None) -> tuple[int, int]:
    """Count the rows that are filled, and those whose value stands on one row only."""
    import pyarrow.compute as pc

    filled = len(text) - text.null_count
    value = text if group is None else pc.binary_join_element_wise(pc.fill_null(group, ""), text, "\x1f")
    if text.null_count:
        value = value.filter(pc.is_valid(text))
    return filled, sum(_once(part) for part in _apart(value))


def _once(values: "pa.ChunkedArray") -> int:
    """Count the values that stand there once."""
    import pyarrow.compute as pc

    return int(pc.sum(pc.equal(pc.value_counts(values).field("counts"), 1)).as_py() or 0)


def _apart(values: "pa.ChunkedArray") -> "Iterator[pa.ChunkedArray]":
    """Return a long column in parts, equal values in one part: the counts of all values at once would fill the memory."""
    import numpy as np
    import pyarrow as pa

    parts = len(values) // _COUNTED + 1
    if parts == 1:
        yield values
        return
    starts = range(0, len(values), AT_ONCE)
    part_of = np.concatenate([(hashes(values.slice(start, AT_ONCE).to_pylist()) % parts).astype(np.int8) for start in starts])
    for part in range(parts):
        yield values.filter(pa.array(part_of == part))


_COUNTED = 1_000_000
"""So many values are counted at once."""
