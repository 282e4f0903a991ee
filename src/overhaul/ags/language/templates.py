"""Code that is the same whenever a path is used: kept with the variable that the path begins with.

What reading ``player.Room`` takes depends on the declarations only, but for the distance of a local
variable from the top of the stack.  So it is compiled once, and copied from then on.
"""

from __future__ import annotations

from typing import Final

from overhaul.ags.language.emitter import Emitter

#: What is done with a path.
READ: Final = 0
WRITE: Final = 1
UPDATE: Final = 2
#: The path begins with a local pointer, or with the object of the function.
LOCAL: Final = 4
THIS: Final = 8


class Template:
    """The code of a path.

    ``fixups`` count from its start.  ``hole`` is the word with the distance of a local variable, or
    -1, and ``distance`` that word for an empty stack and a variable at its start.
    ``value`` is the type that is read, or that a value to write must have.
    """

    __slots__ = ("distance", "fixups", "hole", "used", "value", "words")

    def __init__(self, code: Emitter, start: int, fixups: int, value: int) -> None:
        """Take the code that was written since the word ``start`` and the fixup ``fixups``."""
        words = code.words[start:]
        moved = start << 3
        self.words: tuple[int, ...] = tuple(words)
        self.fixups: tuple[int, ...] = tuple(fixup - moved for fixup in code.fixups[fixups:])
        self.value: int = value
        self.used: frozenset[int] = frozenset()
        self.hole: int = code.hole - start if code.hole >= start else -1
        self.distance: int = words[self.hole] - code.depth if self.hole >= 0 else 0

    def write(self, code: Emitter, offset: int = 0) -> None:
        """Write the code, for a local variable with an offset."""
        if code.line:
            code.flush()
        words = code.words
        start = len(words)
        words += self.words
        if self.hole >= 0:
            words[start + self.hole] = code.depth + self.distance - offset
        if self.fixups:
            moved = start << 3
            for fixup in self.fixups:
                code.fixups.append(fixup + moved)
        if self.used:
            code.used |= self.used
