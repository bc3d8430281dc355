"""How many people a list names, how many letters go out, and how many people no letter reaches: said together, so that neither hides."""

from collections.abc import Iterable
from dataclasses import dataclass

from geonotice.model import Recipient, RecipientRole

__all__ = ["RoleCount", "count_roles"]

_NOUNS: dict[RecipientRole, tuple[str, str]] = {
    "owner": ("owner", "owners"),
    "resident": ("resident", "residents"),
    "clerk": ("municipal clerk", "municipal clerks"),
}
"""Who is notified. The applicant is on the list too, but gives the notice."""


@dataclass(frozen=True, slots=True)
class RoleCount:
    """The recipients of one role: those whose letter can be sent, whom no letter reaches, and who wait for a decision."""

    role: RecipientRole
    letters: int
    unmailable: int
    held: int

    @property
    def people(self) -> int:
        """All of them."""
        return self.letters + self.unmailable + self.held

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
    """Count the recipients by role: owners always, residents and clerks where the list has some."""
    found: dict[str, list[int]] = {"owner": [0, 0, 0]}
    for one in recipients:
        if one.role in _NOUNS:
            place = 2 if one.mail == "none" else 0 if one.mailable else 1
            found.setdefault(one.role, [0, 0, 0])[place] += 1
    return tuple(RoleCount(role, *found[role]) for role in _NOUNS if role in found)
