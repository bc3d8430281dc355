"""The mailing list as rows: the columns that a mail merge takes, the same for every format."""

from collections.abc import Iterable, Mapping

from geonotice.model import Notice, Recipient

__all__ = ["COLUMNS", "NUMBERS", "letter_rows", "list_rows"]

COLUMNS = (
    "number", "role", "name_1", "name_2", "address_1", "address_2", "city", "state", "zip", "country", "mail", "mailable", "parcels",
    "situs", "relation", "distance_ft", "reasons", "article_number",
)  # fmt: skip
"""The columns of ``notice-list``, in order; names that Word's merge fields can have."""

NUMBERS = frozenset({"number", "distance_ft"})
"""The columns that hold numbers; all others are text, ZIP codes and tax map numbers above all."""


def list_rows(notice: Notice, *, article_numbers: Mapping[int, str] | None = None) -> list[dict[str, str]]:
    """Give one row for each recipient, in the order of their numbers; every value is text, also of the columns of numbers.

    Name lines after the second stand behind it, and so do delivery lines: nothing is cut off. ``reasons`` holds the ids of the
    rules, then, with ``review:`` before them, the codes of what a person should look at. ``mail`` is what the rule asks for; where no
    letter can be addressed, ``mailable`` is ``no``.

    Parameters
    ----------
    notice
        The notice.
    article_numbers
        Numbers of certified mail by recipient number, where they are known.
    """
    return [_row(recipient, (article_numbers or {}).get(recipient.number, "")) for recipient in notice.recipients]


def letter_rows(rows: Iterable[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return the rows of those to whom a letter goes out: whom the rule asks to mail, and to whom one can be addressed."""
    return [row for row in rows if row["mail"] != "none" and row["mailable"] == "yes"]


def _row(recipient: Recipient, article_number: str) -> dict[str, str]:
    name_1, *other_names = recipient.names or ("",)
    address_1, *other_lines = recipient.address or ("",)
    return {
        "number": str(recipient.number),
        "role": recipient.role,
        "name_1": name_1,
        "name_2": "; ".join(other_names),
        "address_1": address_1,
        "address_2": "; ".join(other_lines),
        "city": recipient.city,
        "state": recipient.state,
        "zip": recipient.zip,
        "country": recipient.country,
        "mail": recipient.mail,
        "mailable": "yes" if recipient.mailable else "no",
        "parcels": "; ".join(recipient.parcels),
        "situs": recipient.situs,
        "relation": recipient.relation,
        "distance_ft": "" if recipient.distance_ft is None else f"{recipient.distance_ft:.2f}",
        "reasons": "; ".join([*recipient.reasons, *(f"review: {code}" for code in recipient.review)]),
        "article_number": article_number,
    }
