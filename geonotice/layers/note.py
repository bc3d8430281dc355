"""What a reader should know of a source that can be used."""

from dataclasses import dataclass

__all__ = ["Note"]


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a source that its reader should know, though it can be used.

    ``code`` is stable and for programs; ``text`` is a sentence for the clerk.
    """

    code: str
    text: str
