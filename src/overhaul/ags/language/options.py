"""What a compilation depends on besides the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Version = tuple[int, ...]

#: The versions of the editor that changed what is emitted.
NEGATIVE_LITERALS: Final[Version] = (3, 3, 5, 2)
STATEMENTS: Final[Version] = (3, 4, 0, 0)
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
    """

    editor: Version = (3, 6, 1, 0)
    left_to_right: bool = True
    old_strings: bool = False
    macros: tuple[tuple[str, str], ...] = ()
    encoding: str = "utf-8"

    @property
    def script_version(self) -> int:
        """The version of the SCOM block that this editor writes."""
        return 90 if self.editor >= STATEMENTS else 89
