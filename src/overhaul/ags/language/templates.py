"""Code that is the same whenever a path is used: kept with the variable that the path begins with.

The code that reads ``player.Room`` depends on the declarations only, but for the distance of a
local variable from the top of the stack. So it is compiled once, and copied from then on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: The use of a path.
READ: Final = 0
WRITE: Final = 1
UPDATE: Final = 2
#: The path begins with a local pointer, or with the object of the function.
LOCAL: Final = 4
THIS: Final = 8


@dataclass(slots=True)
class Template:
    """The code of a path.

    ``fixups`` count from its start.  ``hole`` is the word with the distance of a local variable, or
    -1, and ``distance`` that word for an empty stack and a variable at its start.  ``used`` are the
    slots of imports.  ``value`` is the type that is read, or that a value to write must have.
    """

    words: tuple[int, ...]
    fixups: tuple[int, ...]
    hole: int = -1
    distance: int = 0
    value: int = 0
    used: frozenset[int] = frozenset()
