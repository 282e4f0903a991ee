"""The declarations that a decompiled script needs of other scripts, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class DeclaredMember:
    """A member of a struct: its declaration, which ends with a semicolon.

    ``has_defaults``: a parameter of the function has a default value.
    """

    name: str
    text: str
    kind: Literal["field", "function", "attribute"] = "field"
    has_defaults: bool = False


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration of a name: its text, for a struct up to the brace before its ``members``.

    ``managed`` declares a struct before its definition.  The name of a function that extends a
    struct begins with the name of the struct: ``Character::Greet``.  ``base`` is the struct that a
    struct extends.
    """

    kind: Literal["managed", "struct", "enum", "import"]
    name: str
    text: str
    members: tuple[DeclaredMember, ...] = ()
    base: str = ""

    def lines(self) -> Iterator[str]:
        """The lines of the declaration, with those of its members."""
        yield self.text
        if self.kind == "struct":
            for member in self.members:
                yield f"  {member.text}"
            yield "};"


@dataclass(frozen=True, slots=True)
class GlobalVariable:
    """A variable of a script.  ``value`` is its number at the start, or the text that a function of
    the script gives it; "" for neither."""

    name: str
    type: str
    value: str
