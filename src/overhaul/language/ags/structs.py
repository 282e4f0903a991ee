"""The structs that scripts declare: their members, and what they extend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from overhaul.language.ags.scanning import Scan

#: the names of the functions of an attribute begin so (``get_Open``, ``seti_Open``)
ACCESSORS: Final = ("get_", "set_", "geti_", "seti_")


class Structs:
    """The structs of all scripts by name.

    Scripts whose structs have the same name are one here: headers repeat what others declare, and
    who renames a member of both changes neither.
    """

    def __init__(self, scans: Iterable[Scan]) -> None:
        self._members: dict[str, dict[str, str]] = {}
        self._bases: dict[str, set[str]] = {}
        for found in scans:
            for declaration in found.declared:
                if declaration.what == "struct":
                    self._members.setdefault(declaration.name, {})
                    self._bases.setdefault(declaration.name, set()).update(
                        {declaration.detail} - {""}
                    )
                elif declaration.what == "member" and declaration.type:
                    self._members.setdefault(declaration.detail, {}).setdefault(
                        declaration.name, declaration.type
                    )
                elif declaration.owner:
                    self._members.setdefault(declaration.owner, {}).setdefault(
                        declaration.name, declaration.type
                    )

    def family(self, name: str) -> Iterator[str]:
        """A struct, and all that it extends."""
        waiting, seen = [name], {name}
        while waiting:
            each = waiting.pop()
            yield each
            new = sorted(self._bases.get(each, set()) - seen)
            waiting += new
            seen.update(new)

    def home(self, owner: str, member: str) -> str:
        """The struct, of those that one extends, that declares a member; "" for none."""
        if not owner:
            return ""
        return next((struct for struct in self.family(owner) if self._has(struct, member)), "")

    def _has(self, owner: str, member: str) -> bool:
        return member in self._members.get(owner, ())

    def type_of(self, owner: str, member: str) -> str:
        """The type of a member as written; "" where it is not known."""
        return self._members.get(self.home(owner, member), {}).get(member, "")

    def related(self, owner: str) -> set[str]:
        """The names of all members of a struct, of those it extends and of those that extend it."""
        names: set[str] = set()
        for each, members in self._members.items():
            if owner in self.family(each) or each in self.family(owner):
                names.update(members)
        return names

    def accessors(self, owner: str, member: str) -> list[str]:
        """The functions of an attribute that are declared by their names."""
        return [
            f"{prefix}{member}" for prefix in ACCESSORS if self._has(owner, f"{prefix}{member}")
        ]

    def attribute(self, owner: str, function: str) -> str:
        """The attribute that a function is one of; "" for none."""
        for prefix in ACCESSORS:
            if function.startswith(prefix) and self._has(owner, function[len(prefix) :]):
                return function[len(prefix) :]
        return ""
