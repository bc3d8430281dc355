"""The numbers of recipients, by parcel, and how many people and letters a list has."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from geonotice.model import Recipient, RecipientRole

__all__ = [
    "RoleCount",
    "count_roles",
    "numbers_label",
    "numbers_text",
    "reachable",
    "recipients_by_parcel",
    "unreachable",
]


_MOST_RUNS = 2
"""What a label on a lot has room for: an owner and a resident, or the owners of a condominium and its residents."""
_RUN = 3
"""The least numbers in a row that are written as a range: "7, 8" is as short as "7-8" and plainer."""


def reachable(recipients: Iterable[Recipient]) -> tuple[Recipient, ...]:
    """Return the recipients to whom a letter goes out: whom the rule asks to mail, and to whom one can be addressed."""
    return tuple(one for one in recipients if one.mail != "none" and one.mailable)


def unreachable(recipients: Iterable[Recipient]) -> tuple[Recipient, ...]:
    """Return the recipients whom the rule asks to mail, and whose address is missing."""
    return tuple(one for one in recipients if one.mail != "none" and not one.mailable)


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


_NOUNS: dict[RecipientRole, tuple[str, str]] = {
    "owner": ("owner", "owners"),
    "resident": ("resident", "residents"),
    "clerk": ("municipal clerk", "municipal clerks"),
    "other": ("other recipient", "other recipients"),
}
"""Who is notified. The applicant is on the list too, but gives the notice."""


class RoleCount(Struct, frozen=True):
    """The recipients of one role: those whose letter can be sent, whom no letter reaches, and who wait for a decision.

    ``left_out`` gets no letter by the corrections file; ``combined`` are residents whom an owner's letter is for as well.
    """

    role: RecipientRole
    letters: int
    unmailable: int
    held: int
    left_out: int = 0
    combined: int = 0

    @property
    def people(self) -> int:
        """All of them."""
        return self.letters + self.unmailable + self.held + self.left_out + self.combined

    @property
    def noun(self) -> str:
        """The role in words, in the number that fits."""
        return _NOUNS[self.role][self.people != 1]

    @property
    def outcome(self) -> str:
        """What becomes of them, in words.

        Examples
        --------
        >>> RoleCount("owner", 511, 13, 0).outcome, RoleCount("resident", 1, 0, 2).outcome
        ('511 letters, 13 cannot be mailed', '1 letter, 2 held back')
        """
        parts = [f"{self.letters:,} {'letter' if self.letters == 1 else 'letters'}"]
        parts += [f"{self.unmailable:,} cannot be mailed"] if self.unmailable else []
        parts += [f"{self.held:,} held back"] if self.held else []
        parts += [f"{self.left_out:,} not mailed by a correction"] if self.left_out else []
        parts += [f"{self.combined:,} on the owner's letter"] if self.combined else []
        return ", ".join(parts)

    @property
    def words(self) -> str:
        """The count in words.

        Examples
        --------
        >>> RoleCount("owner", 511, 13, 0).words
        '524 owners: 511 letters, 13 cannot be mailed'
        """
        return f"{self.people:,} {self.noun}: {self.outcome}"


def count_roles(recipients: Iterable[Recipient]) -> tuple[RoleCount, ...]:
    """Count the recipients by role: owners always, residents, clerks and others where the list has some."""
    found: dict[str, list[int]] = {"owner": [0] * 5}
    for one in recipients:
        if one.role in _NOUNS:
            place = 3 if "not_mailed" in one.review else 2 if one.mail == "none" else 0 if one.mailable else 1
            found.setdefault(one.role, [0] * 5)[place] += 1
        if one.also_residents:
            found.setdefault("resident", [0] * 5)[4] += one.also_residents
    return tuple(RoleCount(role, *found[role]) for role in _NOUNS if role in found)
