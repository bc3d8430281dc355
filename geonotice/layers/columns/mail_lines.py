"""Correct by content what a column's name alone cannot tell of a mailing address."""

import re

from geonotice.layers.columns.expression import columns_of, field_text
from geonotice.layers.columns.layer_columns import ENDS_IN_ZIP, KEY_SHARE, SAME_SHARE, SPARSE_SHARE, LayerColumns, Question
from geonotice.layers.columns.text import CUT, Column, plain_name

__all__ = ["ONE_LINE_SHARE", "MailColumns"]

ONE_LINE_SHARE = 0.1
"""An only column of addresses of which this share ends in a ZIP code holds whole addresses."""
SAMPLE = 20_000
"""Rows looked at to see how addresses end."""
_LINES = ("mail_address_2", "mail_address_3", "mail_address_4")


class MailColumns(LayerColumns):
    """The columns of a layer, with what settles the lines of mailing addresses."""

    def look_inside(self) -> None:
        """Correct by content what a name alone cannot tell: one-string addresses, and addresses in lines without a column for the city."""
        self._first_line_first()
        self._city_with_its_zip()
        place = {"mail_city", "mail_zip", "mail_city_state_zip"} & set(self.fields)
        written = self.fields.get("mail_address")
        plain = written in self.table.column_names and "mail_address" not in self.given
        lines = [name for name in ("mail_address", *_LINES) if name in self.fields and name not in self.given]
        if plain and not place:
            # No column names a city: where even some rows end in a ZIP code, the others are foreign or lack it, and are no streets alone.
            if self._ending_in_zip(lines) >= ONE_LINE_SHARE and len(lines) > 1:
                joined = " + ', ' + ".join(self.fields.pop(name) for name in lines)
                self.fields["mail_one_line"] = joined
                self.notes.append(
                    f"mail_one_line is {joined}: the last line that is filled ends in a ZIP code, and no column is the city"
                )
            elif self.column(str(written)).share_matching(ENDS_IN_ZIP) >= ONE_LINE_SHARE:
                self.fields["mail_one_line"] = self.fields.pop("mail_address")
        elif plain and self.column(str(written)).share_matching(ENDS_IN_ZIP) >= SPARSE_SHARE:
            self._whole_and_parts(self.column(str(written)), lines[1:])
        if not ({"mail_address", "mail_one_line"} & set(self.fields)):
            self._cut_one_line()

    def _city_with_its_zip(self) -> None:
        """Take a column of cities that have their State or ZIP code behind them for what it is (``MAIL_CITY_STATE_ZIP``, cut)."""
        for name, together, zip_code in (("mail_city", "mail_city_state_zip", "mail_zip"),):
            written = self.fields.get(name)
            if written not in self.table.column_names or name in self.given or together in self.fields:
                continue
            column = self.column(str(written))
            whole = column.share_matching(rf"\D.*{ENDS_IN_ZIP}") >= SPARSE_SHARE and zip_code not in self.fields
            stated = column.share_matching(r"(?i)^\D{2,},?\s+[A-Z]{2}\.?$") >= KEY_SHARE and "mail_state" not in self.fields
            if whole or stated:
                self.fields[together] = self.fields.pop(name)

    def _first_line_first(self) -> None:
        """Move the lines of an address up, where the column of the first is missing or empty."""
        lines = [name for name in ("mail_address", *_LINES) if name in self.fields]
        if not lines or "mail_address" in self.given or "mail_one_line" in self.given:
            return
        kept = [
            self.fields[name]
            for name in lines
            if any(self.column(c).filled for c in columns_of(self.fields[name], self.table.column_names))
        ]
        if kept and not set(lines) & set(self.given):
            for name in lines:
                del self.fields[name]
            self.fields.update(zip(("mail_address", *_LINES), kept, strict=False))

    def _ending_in_zip(self, lines: list[str]) -> float:
        """Return the share of rows whose last filled line ends in a ZIP code."""
        import pyarrow.compute as pc

        texts = [field_text(self.table.slice(0, SAMPLE), self.fields[name]) for name in reversed(lines)]
        last = pc.coalesce(*texts).drop_null() if texts else None
        return (
            float(pc.mean(pc.match_substring_regex(last, ENDS_IN_ZIP)).as_py() or 0.0) if last is not None and len(last) else 0.0
        )

    def _whole_and_parts(self, whole: Column, lines: list[str]) -> None:
        """Settle a column that has the whole address where others have its parts: printed both, the street would stand twice."""
        import pyarrow.compute as pc

        if "mail_one_line" in self.fields:
            return
        if lines:
            street = Column(self.fields[lines[0]], self.table) if self.fields[lines[0]] in self.table.column_names else None
            pairs = [(a, b) for a, b in zip(whole.values(), street.values(), strict=True) if a and b] if street else []
            if pairs and sum(a.startswith(b) for a, b in pairs) >= SAME_SHARE * len(pairs):
                moved = [self.fields.pop(name) for name in lines]
                self.fields.update(zip(("mail_address", *_LINES), moved, strict=False))
                self.fields["mail_one_line"] = whole.name
                self.notes.append(f"mail_address is {moved[0]}; {whole.name} is the whole address, for rows where that is empty")
                return
        self.fields.pop("mail_address")
        self.fields["mail_one_line"] = whole.name
        for name in lines:
            self.passed_over.update(columns_of(self.fields[name], self.table.column_names))
        kept = [name for name in lines if pc.sum(pc.is_valid(field_text(self.table, self.fields[name]))).as_py()]
        if kept:
            del self.fields["mail_one_line"]
            self.fields["mail_address"] = whole.name
            named = ", ".join(self.fields[name] for name in kept)
            self.questions.append(
                Question(
                    "mail_address",
                    (whole.name, *(self.fields[name] for name in kept)),
                    f"{whole.name} ({whole.examples()}) is a whole address, and {named} has more lines of one: which is what a letter goes to?"
                    f" Name it with --field mail_address=COLUMN, or --field mail_one_line={whole.name} if that is all",
                )
            )
            return
        self.notes.append(f"mail_one_line is {whole.name}: it holds whole addresses")

    def _cut_one_line(self) -> None:
        """Find the mailing address behind a name that a Shapefile cut and numbered (``2025_OWN_1``)."""
        taken = self.taken | self.passed_over
        stems = ("OWN", "MAIL")
        found = [
            column
            for column in self.columns
            if column.name not in taken
            and len(column.name) == CUT
            and re.search(r"_\d$", column.name)
            and plain_name(column.name[:-2]).lstrip("0123456789").startswith(stems)
            and column.share_matching(ENDS_IN_ZIP) >= SPARSE_SHARE
        ]
        if len(found) == 1:
            self.fields["mail_one_line"] = found[0].name
            self.notes.append(f"mail_one_line is {found[0].name}: its name is cut, and it holds addresses that end in a ZIP code")
