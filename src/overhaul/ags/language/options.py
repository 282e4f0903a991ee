"""The options of a compilation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Version = tuple[int, ...]

#: The versions of the editor that changed what is emitted.
#: The first with blocks as those of 2.5, whose functions do not begin with their own address yet.
BLOCKS_OF_2_5: Final[Version] = (2, 3, 1, 0)
FUNCTION_BASES: Final[Version] = (2, 5, 0, 0)
ARGUMENT_COUNTS: Final[Version] = (2, 7, 0, 0)
#: Since then: addresses of locals in one instruction, && and || that stop early, checked indices,
#: functions that return 0 without saying so.
SHORT_CIRCUITS: Final[Version] = (2, 7, 1, 0)
#: Before, texts had no marks among the literals, and sections without code were listed.
MARKS: Final[Version] = (3, 0, 0, 0)
NEGATIVE_LITERALS: Final[Version] = (3, 3, 5, 2)
STATEMENTS: Final[Version] = (3, 4, 0, 0)
#: Since then the line of ``case`` stands before all of its code, and that of what follows a
#: ``switch`` behind where it ends.
CASE_LINES: Final[Version] = (3, 4, 1, 0)
HEXADECIMAL: Final[Version] = (3, 6, 0, 0)
ESCAPES: Final[Version] = (3, 6, 2, 1)
#: From the first to the second, what an escape saves in a literal is not reserved in the table.
TIGHT_LITERALS: Final[tuple[Version, Version]] = ((3, 5, 0, 0), (3, 6, 2, 0))
COUNTED_IMPORTS: Final[Version] = (3, 6, 2, 2)
ARRAY_LENGTH: Final[Version] = (3, 6, 2, 3)


@dataclass(frozen=True)
class Source:
    """A text to compile: a header or a script.

    Its name goes into the string table and the list of sections.
    """

    name: str
    text: str


@dataclass(frozen=True)
class CompilerOptions:
    """The editor whose compiler is meant, and the settings of the game that it asks for.

    ``macros`` are defined before the first header, as (name, text).  ``encoding`` is that of the
    texts in the string table; bytes that it lacks are lone surrogates ("surrogateescape").
    ``left_to_right``: operators of equal rank are grouped so (else from the right);
    ``old_strings``: the old type ``string`` may be used.
    """

    editor: Version = (3, 6, 1, 0)
    left_to_right: bool = True
    old_strings: bool = False
    macros: tuple[tuple[str, str], ...] = ()
    encoding: str = "utf-8"

    @property
    def script_version(self) -> int:
        """The version of the SCOM block that this editor writes."""
        return next(version for since, version in _SCRIPT_VERSIONS if self.editor >= since)


def editor_of(script_version: int) -> Version:
    """The first editor that writes blocks of a version, or of the next older one known."""
    oldest = _SCRIPT_VERSIONS[-1][0]
    return next((since for since, version in _SCRIPT_VERSIONS if script_version >= version), oldest)


_SCRIPT_VERSIONS: Final[tuple[tuple[Version, int], ...]] = (
    (STATEMENTS, 90),
    (SHORT_CIRCUITS, 89),
    (ARGUMENT_COUNTS, 83),
    (FUNCTION_BASES, 81),
    (BLOCKS_OF_2_5, 81),
    ((0,), 73),
)
