"""The numbers of recipients, by parcel: the list's own numbering, as maps show it."""

from collections.abc import Iterable, Sequence

from geonotice.model import Recipient

__all__ = ["numbers_label", "numbers_text", "recipients_by_parcel"]

_MOST_RUNS = 2
"""What a label on a lot has room for: an owner and a resident, or the owners of a condominium and its residents."""
_RUN = 3
"""The least numbers in a row that are written as a range: "7, 8" is as short as "7-8" and plainer."""


def recipients_by_parcel(recipients: Iterable[Recipient]) -> dict[str, tuple[Recipient, ...]]:
    """Group recipients by the parcels that make them one, in the order of their numbers.

    A recipient with several parcels stands under each of them; one without a parcel, such as a municipal clerk, under none.
    """
    found: dict[str, list[Recipient]] = {}
    for one in sorted(recipients, key=lambda recipient: recipient.number):
        for parcel in dict.fromkeys(one.parcels):
            found.setdefault(parcel, []).append(one)
    return {parcel: tuple(those) for parcel, those in found.items()}


def numbers_text(numbers: Iterable[int]) -> str:
    """Write all numbers, three or more in a row as a range.

    Examples
    --------
    >>> numbers_text([7]), numbers_text([7, 431]), numbers_text([9, 7, 8, 431, 432]), numbers_text([])
    ('7', '7, 431', '7-9, 431, 432', '')
    """
    return ", ".join(_runs(sorted(set(numbers))))


def numbers_label(numbers: Iterable[int]) -> str:
    """Write the numbers as a lot is labeled with them: all where they are few, else the first and a plus sign.

    Examples
    --------
    >>> numbers_label([7, 431]), numbers_label(range(12, 52)), numbers_label([7, 12, 431]), numbers_label([])
    ('7, 431', '12-51', '7+', '')
    """
    runs = _runs(sorted(set(numbers)))
    return ", ".join(runs) if len(runs) <= _MOST_RUNS else f"{runs[0]}+"


def _runs(numbers: Sequence[int]) -> list[str]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words: list[str] = []
    for run in runs:
        words += [f"{run[0]}-{run[-1]}"] if len(run) >= _RUN else [str(number) for number in run]
    return words
