"""The declarations that the scripts of a game need of each other: the headers of a recovered
project."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from overhaul.ags.decompiler.declared import Declaration, DeclaredMember

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
#: The functions behind an attribute.
_VERBS: Final = ("get", "set", "geti", "seti")


class DeclaredNames:
    """The declarations of scripts that were read together, each name once; the functions of a
    struct are those that one of them uses."""

    def __init__(self, known: Collection[str]) -> None:
        self._known = set(known)
        self._managed: dict[str, str] = {}
        #: The structs with functions: their members by name, and the head of the first.
        self._structs: dict[str, tuple[Declaration, dict[str, DeclaredMember]]] = {}
        self._fields: dict[str, list[str]] = {}
        #: The structs with functions of each script, as it declares them.
        self._own: dict[str, dict[str, Declaration]] = {}
        #: The structs without functions, enums and imports.
        self._others: dict[str, Declaration] = {}
        #: The scripts that use each struct or name.
        self._users: dict[str, list[str]] = {}

    def know(self, names: Iterable[str]) -> None:
        """Leave out names that the editor declares."""
        self._known.update(names)

    def take(self, script: str, declarations: Iterable[Declaration]) -> None:
        """Add those of a script, without names that no source can have."""
        for each in declarations:
            name = each.name.rpartition("::")[2]
            if each.kind == "import" and (name in self._known or not _WORD.fullmatch(name)):
                continue
            self._users.setdefault(each.name, []).append(script)
            if each.kind == "managed":
                self._managed.setdefault(each.name, each.text)
            elif each.kind != "struct":
                self._others.setdefault(each.name, each)
            elif any(member.kind != "field" for member in each.members):
                self._own.setdefault(each.name, {})[script] = each
                self._take_struct(each)
            else:
                self._others[each.name] = each

    def define(self, prototypes: Mapping[str, str]) -> None:
        """Declare functions as a script defines them, not as others use them."""
        for name, text in prototypes.items():
            if name in self._others:
                self._others[name] = Declaration("import", name, text)

    def _take_struct(self, struct: Declaration) -> None:
        _, members = self._structs.setdefault(struct.name, (struct, {}))
        fields: list[str] = []
        for member in struct.members:
            if member.kind == "field":
                fields.append(f"  {member.text}")
                continue
            known = members.setdefault(member.name, member)
            if member.has_defaults and not known.has_defaults:  # a call leaves arguments out
                members[member.name] = member
        if fields:
            self._fields[struct.name] = fields

    def own_structs(self, functions: Mapping[str, Collection[str]]) -> dict[str, str]:
        """Structs that several scripts have under one name, each with functions of its own.

        They are left out of the header; each script gets its own, in a line by its name.
        ``functions`` are those of structs that scripts define, with their structs.
        """
        made: dict[str, str] = {}
        for struct, declared in self._own.items():
            defined = [
                {name for name in functions.get(script, ()) if name.startswith(f"{struct}::")}
                for script in declared
            ]
            names = [name for found in defined for name in found]
            if not all(defined) or len(names) == len(set(names)):
                continue
            del self._structs[struct]
            for script, own in declared.items():
                body = " ".join(member.text for member in own.members)
                made[script] = f"{made.get(script, '')}{own.text} {body} }}; "
        return made

    def headers(
        self, order: Sequence[str], definers: Mapping[str, str], places: Mapping[str, int]
    ) -> dict[str, str]:
        """The texts of headers, by the scripts that they belong to.

        The definitions of a script are in its header, as authors have them; those that scripts
        before it use are in the header of the first of these. ``order`` are the scripts in the
        order of the project, ``definers`` the scripts that define names. ``places`` are where
        the tables of scripts have a name, which is the order in which the author declared them.
        """
        items = {
            each.name: list(each.lines()) for each in self._others.values() if each.kind == "struct"
        }
        for name, (struct, used) in self._structs.items():
            members = self._as_defined(name, used, definers)
            accessors = {f"{verb}_{one.name}" for one in used.values() if one.kind == "attribute"
                         for verb in _VERBS}  # fmt: skip
            shown = [one for one in members if one not in accessors]
            shown.sort(key=partial(_place, places, name))
            functions = (_of_owner(members[one], f"{name}::", definers) for one in shown)
            items[name] = [struct.text, *functions, *self._fields.get(name, ()), "};"]
        others = [name for name, each in self._others.items() if each.kind != "struct"]
        for name in sorted(others, key=partial(_at, places)):
            items[name] = list(self._others[name].lines())
        numbers = {script: number for number, script in enumerate(order)}
        owners = {struct: script for full, script in definers.items()
                  for struct in full.split("::")[:-1]}  # fmt: skip
        of = {
            name: min(
                (
                    numbers[script]
                    for script in (*self._users.get(name, ()), definers.get(name) or
                                   owners.get(name, ""))
                    if script in numbers
                ),
                default=len(order) - 1,
            )
            for name in items
        }  # fmt: skip
        self._before_users(items, of)
        made: dict[str, list[str]] = {script: [] for script in order}
        for name, line in self._managed.items():
            made[order[of.get(name, 0)]].append(line)
        bases = {name: self._base(name) for name in items}
        for name, lines in _bases_first(items, bases).items():
            made[order[of[name]]] += lines
        return {script: "".join(f"{line}\r\n" for line in lines) for script, lines in made.items()}

    def _base(self, name: str) -> str:
        """The struct that one extends; "" without."""
        struct = self._structs[name][0] if name in self._structs else self._others[name]
        return struct.base

    def _as_defined(
        self, struct: str, used: Mapping[str, DeclaredMember], definers: Mapping[str, str]
    ) -> dict[str, DeclaredMember]:
        """The functions of a struct as the scripts that define them have them; one with default
        values is as it is used."""
        made = dict(used)
        declared = self._own.get(struct, {})
        for name, member in used.items():
            definer = declared.get(definers.get(f"{struct}::{name}", ""))
            if definer is not None and not member.has_defaults:
                own = (one for one in definer.members if one.name == name and one.kind != "field")
                made[name] = next(own, member)
        return made

    def _before_users(self, items: Mapping[str, list[str]], of: dict[str, int]) -> None:
        """Declare each struct in the script of its first user, or in one before."""
        names = {
            name: {word for line in lines for word in _WORD.findall(line)} & items.keys()
            for name, lines in items.items()
        }
        changed = True
        while changed:
            changed = False
            for name, used in names.items():
                for other in used:
                    if of[other] > of[name]:
                        of[other], changed = of[name], True


def _bases_first(items: Mapping[str, list[str]], bases: Mapping[str, str]) -> dict[str, list[str]]:
    """Declarations, each struct behind the one that it extends."""
    made: dict[str, list[str]] = {}
    for name in items:
        waiting = [name]
        while bases[waiting[-1]] in items:
            waiting.append(bases[waiting[-1]])
        for one in reversed(waiting):
            made.setdefault(one, items[one])
    return made


def _of_owner(member: DeclaredMember, owner: str, definers: Collection[str]) -> str:
    """The declaration of a member: an attribute is readonly if a script has only the function
    that reads it."""
    reads = (f"{owner}{verb}_{member.name}" in definers for verb in ("get", "geti"))
    writes = (f"{owner}{verb}_{member.name}" in definers for verb in ("set", "seti"))
    is_readonly = member.kind == "attribute" and any(reads) and not any(writes)
    return f"  readonly {member.text}" if is_readonly else f"  {member.text}"


def _at(places: Mapping[str, int], name: str) -> int:
    """The place of a name; behind all others for one that no script uses."""
    return places.get(name, len(places) << 16)


def _place(places: Mapping[str, int], struct: str, member: str) -> int:
    """The place of a function of a struct, or of the functions behind an attribute."""
    names = (member, *(f"{verb}_{member}" for verb in _VERBS))
    return min(_at(places, f"{struct}::{name}") for name in names)
