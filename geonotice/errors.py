"""Every error geonotice raises on purpose, in one tree.

::

    GeonoticeError
    ├─ UsageError                 exit 2   the command or call cannot be meant as given
    │  ├─ ParcelNotFound                   no parcel has that number
    │  └─ AmbiguousParcel                  several parcels have it, or match what was searched
    ├─ InputError                 exit 3   a file cannot be used as it is
    │  ├─ TownFileError                    the town file
    │  ├─ CorrectionsError                 the corrections file
    │  ├─ OrdinanceError                   an ordinance profile
    │  ├─ EventFileError                   an event file
    │  ├─ TemplateError                    a Word template of the town's
    │  ├─ LayerError                       a layer or roll
    │  │  ├─ UnreadableLayer                 the file does not open, or a record in it does not
    │  │  ├─ CutOffLayer                     the file says itself that it is not complete
    │  │  ├─ UnknownCRS                      no CRS is known, or none that can be transformed safely
    │  │  ├─ WrongGeometry                   points, lines or a table where polygons are needed
    │  │  └─ MissingField                    a field that is needed is not there
    │  ├─ StoreError                       the store is missing, of another version, or out of date
    │  └─ RegisterError                    the permit register
    ├─ QuestionError              exit 4   a person must answer something first
    │  ├─ UnreadColumns                    columns of a file of permits that must be assigned before anything is counted
    │  └─ PermitUndecided                  an official must decide before a permit is issued, or none is needed
    ├─ OutputError                exit 3   a result cannot be written or printed whole
    └─ RefusedError               exit 5   the rule says no
       └─ PermitRefused                    a permit may not be issued: the cap or another rule forbids it

A legal doubt is never an error: it is a ``decide`` finding or a ``review`` code in the result.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

__all__ = [
    "AmbiguousParcel",
    "CorrectionsError",
    "CutOffLayer",
    "EventFileError",
    "Fault",
    "GeonoticeError",
    "InputError",
    "LayerError",
    "MissingField",
    "OrdinanceError",
    "OutputError",
    "ParcelNotFound",
    "PermitRefused",
    "PermitUndecided",
    "QuestionError",
    "RefusedError",
    "RegisterError",
    "StoreError",
    "TemplateError",
    "Together",
    "TownFileError",
    "UnknownCRS",
    "UnreadColumns",
    "UnreadableLayer",
    "UsageError",
    "WrongGeometry",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with one input.

    Parameters
    ----------
    what
        What is wrong, as a sentence without its full stop.
    remedy
        What the reader can do about it, as a sentence without its full stop; in words that hold at the desk and on the command line.
    command
        The same as the command line says it, with its options and commands; pages never show it. Empty where ``remedy`` says all.
    why
        Why it matters, where that is not plain.
    file
        The file, as the user named it.
    layer
        The layer in the file.
    key
        The key of a settings file (``layers.parcels[0].path``), the field of a layer, or an option of the command line (``--fee``).
    parcel
        The parcel or record.
    """

    what: str
    remedy: str = ""
    why: str = ""
    file: str = ""
    layer: str = ""
    key: str = ""
    parcel: str = ""
    command: str = ""

    def __str__(self) -> str:
        """Return where, what, why and what to do on the command line, in that order."""
        return self._told(self.key, self.command or self.remedy)

    @property
    def at_desk(self) -> str:
        """The same in words that hold at the desk, too: no option and no command is named. For what stands within a warning or a note."""
        return self._told("" if self.key.startswith("--") else self.key, self.remedy)

    def _told(self, key: str, remedy: str) -> str:
        where = [self.file]
        where += [f"layer {self.layer}"] if self.layer else []
        where += [key] if key else []
        where += [f"parcel {self.parcel}"] if self.parcel else []
        place = ", ".join(part for part in where if part)
        first, *others = [f"{part.rstrip('.')}." for part in (self.what, self.why, remedy) if part] or [""]
        sentences = [first, *(_capitalised(sentence) for sentence in others)]
        return f"{place}: {' '.join(sentences)}" if place else " ".join(sentences)


def _capitalised(sentence: str) -> str:
    """Begin a sentence with a capital, unless its first word is a command, a file or a key, which are spelled as they are."""
    word = re.split(r"[ ,;:]", sentence, maxsplit=1)[0]
    return sentence[0].upper() + sentence[1:] if word.rstrip(".").isalpha() and word != "geonotice" else sentence


class GeonoticeError(Exception):
    """Root of the tree; carries one or more :class:`Fault`.

    Parameters
    ----------
    faults
        What is wrong: one fault, or all the faults of one input at once; a plain string stands for a fault of that text.
    """

    exit_code: ClassVar[int] = 3

    def __init__(self, faults: "Fault | str | Iterable[Fault]") -> None:
        if isinstance(faults, str):
            faults = Fault(what=faults)
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    @property
    def at_desk(self) -> str:
        """What is wrong, in words that hold at the desk, too (:attr:`Fault.at_desk`)."""
        return "\n".join(fault.at_desk for fault in self.faults)


class Together:
    """Several readings whose faults are raised at once: each stands in a ``with`` of its own, and :meth:`settle` raises what went wrong.

    Examples
    --------
    >>> together = Together()
    >>> with together:
    ...     raise InputError("the seal is not there")
    >>> with together:
    ...     raise InputError("the rate table is not there")
    >>> together.settle()
    Traceback (most recent call last):
    geonotice.errors.InputError: the seal is not there.
    the rate table is not there.
    """

    def __init__(self) -> None:
        self._errors: list[GeonoticeError] = []

    def __enter__(self) -> None:
        """Begin one reading."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None") -> bool:
        """Keep a fault of what is read until all was read; any other error goes on at once."""
        if isinstance(error, InputError | UsageError):
            self._errors.append(error)
            return True
        return False

    def settle(self) -> None:
        """Raise what was found: one error as it is; several as one of all their faults, for a file where one of them is about a file.

        Raises
        ------
        InputError
            A file cannot be used; of the kind of all, where they are of one.
        UsageError
            Something cannot be meant as given.
        """
        if len(self._errors) == 1:
            raise self._errors[0]
        if self._errors:
            about_files = {type(error) for error in self._errors if isinstance(error, InputError)}
            alike = len(about_files) == 1 and len({type(error) for error in self._errors}) == 1
            tree = about_files.pop() if alike else InputError if about_files else UsageError
            # One file may be read twice, for two purposes: its faults come up once.
            raise tree(dict.fromkeys(fault for error in self._errors for fault in error.faults))


class UsageError(GeonoticeError):
    """The command or call cannot be meant as given."""

    exit_code = 2


class ParcelNotFound(UsageError):
    """No parcel has the tax map number, or none matches the search."""

    def __init__(self, sought: str, suggestions: "Sequence[str]" = ()) -> None:
        self.sought = sought
        self.suggestions = tuple(suggestions)
        near = f"nearest: {', '.join(self.suggestions)}" if self.suggestions else "none is near it"
        super().__init__(
            Fault(
                what=f"no parcel is known as {sought!r} ({near})",
                remedy="give the tax map number as the layer prints it, or search by address or owner",
                command="give the tax map number as the layer prints it, or search with --find by address or owner",
            )
        )


class AmbiguousParcel(UsageError):
    """Several parcels match where one is meant."""

    def __init__(self, sought: str, matches: "Sequence[str]") -> None:
        self.sought = sought
        self.matches = tuple(matches)
        super().__init__(
            Fault(
                what=f"{sought!r} is more than one parcel: {'; '.join(self.matches)}",
                why="the list would be that of whichever came first",
                remedy="name one of these as it is written here",
            )
        )


class InputError(GeonoticeError):
    """A file cannot be used as it is."""


class TownFileError(InputError):
    """The town file has faults."""


class CorrectionsError(InputError):
    """The corrections file is wrong."""


class OrdinanceError(InputError):
    """An ordinance profile has faults, or there is none of that name."""


class EventFileError(InputError):
    """An event file has faults."""


class TemplateError(InputError):
    """A Word template of the town's has faults."""


class LayerError(InputError):
    """A layer or a roll cannot be used."""


class UnreadableLayer(LayerError):
    """The file does not open, or a record in it does not."""


class CutOffLayer(LayerError):
    """The file says itself that it is not complete."""


class UnknownCRS(LayerError):
    """No CRS is known, or none that can be transformed safely."""


class WrongGeometry(LayerError):
    """Points, lines or a table where polygons are needed."""


class MissingField(LayerError):
    """A field that is needed is not there, or several could be it."""


class StoreError(InputError):
    """The store is missing, of another version, or its sources have changed since."""


class RegisterError(InputError):
    """The permit register cannot be opened or does not hold what it should."""


class OutputError(GeonoticeError):
    """A result cannot be written, or not without losing part of it."""


class QuestionError(GeonoticeError):
    """A person must answer something before this can go on."""

    exit_code = 4


class UnreadColumns(QuestionError):
    """A file of permits has columns that must be assigned before anything is counted; ``mapping`` is the text of a file to answer in."""

    def __init__(self, faults: "Fault | Sequence[Fault]", mapping: str) -> None:
        self.mapping = mapping
        super().__init__(faults)


class RefusedError(GeonoticeError):
    """The rule says no."""

    exit_code = 5


class PermitUndecided(QuestionError):
    """An official must decide, or something must be answered, before a permit is issued, or none is needed; ``check`` says on what it turns."""

    def __init__(self, faults: "Fault | Sequence[Fault]", check: object) -> None:
        self.check = check
        super().__init__(faults)


class PermitRefused(RefusedError):
    """A permit may not be issued: past the annual cap, or against another rule; ``check`` has what stands against it, and the next date."""

    def __init__(self, faults: "Fault | Sequence[Fault]", check: object) -> None:
        self.check = check
        super().__init__(faults)
