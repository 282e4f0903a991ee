"""The declarations that the scripts of a game need of each other: the headers of a recovered
project."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

_STRUCT: Final = re.compile(r"^(?:[a-z]+ )*struct (\w+)")
_EXTENDS: Final = re.compile(r" extends (\w+)")
_STRUCT_NAME: Final = re.compile(r"struct (\w+)")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_ENUM: Final = re.compile(r"^enum (\w+)")
_IMPORT: Final = re.compile(r"^import (?:\w+ )*?\w+(?: ?\* ?| )(\w+)(?:\[|\(|;)")
_ACCESSOR: Final = re.compile(
    r"(?P<static>static )?(?P<type>\b[A-Za-z_]\w*(?: ?\*+ ?| ))(?P<struct>\w+)::"
    r"(?P<name>[gs]eti?_\w+)\((?P<parameters>[^()]*)\)"
)
#: The head of a function, and the struct that it extends.
_DEFINED: Final = re.compile(
    r"(?:^|\} )(?P<type>[A-Za-z_]\w* ?\*? ?)(?:noloopcheck )?"
    r"(?P<head>(?P<name>\w+)\([^()]*\))\s*(?:\{|$)",
    re.M,
)
_EXTENDED: Final = re.compile(r"\((?:this|static) (\w+)")
_UNNAMED: Final = re.compile(r"\s*(?:this|static|\.\.\.)")
_LAST_WORD: Final = re.compile(r"\w+(?=(?:\[\])?$)")
_MEMBER: Final = re.compile(r"(\w+)(?:\[[^\]]*\])?(?:\(|;)")
#: The functions behind an attribute.
_VERBS: Final = ("get", "set", "geti", "seti")


class DeclaredNames:
    """The declarations of scripts that were read together, each name once; the functions of a
    struct are those that one of them uses."""

    def __init__(self, known: Collection[str]) -> None:
        self._known = set(known)
        self._forward: dict[str, None] = {}
        self._values: dict[str, list[str]] = {}
        self._heads: dict[str, str] = {}
        #: The functions of structs by their names, and their fields.
        self._structs: dict[str, tuple[str, dict[str, str]]] = {}
        self._fields: dict[str, list[str]] = {}
        #: The structs with functions of each script, as it declares them.
        self._own: dict[str, dict[str, tuple[str, list[str]]]] = {}
        self._imports: dict[str, str] = {}
        #: The scripts that use each struct or name.
        self._users: dict[str, list[str]] = {}

    def know(self, names: Iterable[str]) -> None:
        """Leave out names that the editor declares."""
        self._known.update(names)

    def take(self, script: str, declarations: str) -> None:
        """Add those of a script."""
        lines = iter(declarations.splitlines())
        for line in lines:
            struct, imported = _STRUCT.match(line), _IMPORT.match(line)
            if struct is not None:
                self._users.setdefault(struct[1], []).append(script)
            if struct is not None and line.endswith(";"):  # declared before it is defined
                self._forward.setdefault(line)
            elif struct is not None:
                members = _members(lines)
                if any("import " in member for member in members):
                    self._own.setdefault(struct[1], {})[script] = (line, members)
                    self._take_struct(struct[1], line, members)
                else:
                    self._values[struct[1]] = members
                    self._heads[struct[1]] = line
            elif (enum := _ENUM.match(line)) is not None:
                self._users.setdefault(enum[1], []).append(script)
                self._imports.setdefault(enum[1], line)
            elif imported is not None and imported[1] not in self._known:
                name = _full_name(imported[1], line)
                self._users.setdefault(name, []).append(script)
                self._imports.setdefault(name, line)

    def define(self, text: str) -> None:
        """Declare functions as a script defines them, not as others use them."""
        for found in _DEFINED.finditer(text):
            name = _full_name(found["name"], found["head"])
            if name in self._imports:
                head = found["type"] + found["head"]
                self._imports[name] = f"import {_without_names(head)};"

    def _take_struct(self, name: str, head: str, lines: Iterable[str]) -> None:
        _, functions = self._structs.setdefault(name, (head, {}))
        fields: list[str] = []
        for line in lines:
            if "import " in line:
                known = functions.setdefault(_member_of(line), line)
                if " = " in line and " = " not in known:  # who calls it leaves arguments out
                    functions[_member_of(line)] = line
            else:
                fields.append(line)
        if fields:
            self._fields[name] = fields

    def attributes(self) -> dict[str, set[str]]:
        """The attributes of each struct."""
        return {
            name: {member for member, line in members.items() if "attribute " in line}
            for name, (_, members) in self._structs.items()
        }

    def own_structs(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Structs that several scripts have under one name, each with functions of its own.

        They are left out of the header; each script gets its own, in a line by its name.
        """
        made: dict[str, str] = {}
        for struct, declared in self._own.items():
            defined = [
                {found[1] for found in re.finditer(rf"\b{struct}::(\w+)\(", texts.get(script, ""))}
                for script in declared
            ]
            names = [name for found in defined for name in found]
            if not all(defined) or len(names) == len(set(names)):
                continue
            del self._structs[struct]
            for script, (head, members) in declared.items():
                body = " ".join(line.strip() for line in members)
                made[script] = f"{made.get(script, '')}{head} {body} }}; "
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
        attributes = self.attributes()
        items: dict[str, list[str]] = {}
        for name, fields in self._values.items():
            items[name] = [self._heads[name], *fields, "};"]
        for name, (head, used) in self._structs.items():
            members = self._as_defined(name, used, definers)
            accessors = {f"{verb}_{one}" for one in attributes[name] for verb in _VERBS}
            shown = [one for one in members if one not in accessors]
            shown.sort(key=partial(_place, places, name))
            functions = (_of_owner(members[one], f"{name}::", one, definers) for one in shown)
            items[name] = [head, *functions, *self._fields.get(name, ()), "};"]
        for name in sorted(self._imports, key=partial(_at, places)):
            items[name] = [self._imports[name]]
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
        forward = {_STRUCT_NAME.findall(line)[0]: line for line in self._forward}
        self._before_users(items, of)
        made: dict[str, list[str]] = {script: [] for script in order}
        for name, line in forward.items():
            made[order[of.get(name, 0)]].append(line)
        for name, lines in _bases_first(items).items():
            made[order[of[name]]] += lines
        return {script: "".join(f"{line}\r\n" for line in lines) for script, lines in made.items()}

    def _as_defined(
        self, struct: str, used: Mapping[str, str], definers: Mapping[str, str]
    ) -> dict[str, str]:
        """The functions of a struct as the scripts that define them have them; one with default
        values is as it is used."""
        made = dict(used)
        declared = self._own.get(struct, {})
        for member, line in used.items():
            _, lines = declared.get(definers.get(f"{struct}::{member}", ""), ("", []))
            if " = " not in line:
                own = (one for one in lines if _member_of(one) == member and "import " in one)
                made[member] = next(own, line)
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


def _bases_first(items: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Declarations, each struct behind the one that it extends."""
    made: dict[str, list[str]] = {}
    for name in items:
        waiting = [name]
        while (base := _EXTENDS.search(items[waiting[-1]][0])) and base[1] in items:
            waiting.append(base[1])
        for one in reversed(waiting):
            made.setdefault(one, items[one])
    return made


def _of_owner(line: str, owner: str, member: str, definers: Collection[str]) -> str:
    """The declaration of a member: an attribute is readonly if a script has only the function
    that reads it."""
    reads = (f"{owner}{verb}_{member}" in definers for verb in ("get", "geti"))
    writes = (f"{owner}{verb}_{member}" in definers for verb in ("set", "seti"))
    is_readonly = "attribute " in line and any(reads) and not any(writes)
    return line.replace("import ", "readonly import ", 1) if is_readonly else line


def _at(places: Mapping[str, int], name: str) -> int:
    """The place of a name; behind all others for one that no script uses."""
    return places.get(name, len(places) << 16)


def _place(places: Mapping[str, int], struct: str, member: str) -> int:
    """The place of a function of a struct, or of the functions behind an attribute."""
    names = (member, *(f"{verb}_{member}" for verb in _VERBS))
    return min(_at(places, f"{struct}::{name}") for name in names)


def with_accessors(text: str, attributes: Mapping[str, Collection[str]]) -> str:
    """A text in which the functions behind attributes extend the struct, as the editor wants them.

    Functions of a struct are declared in it; those of an attribute are not.
    """

    def extended(found: re.Match[str]) -> str:
        name = found["name"].partition("_")[2]
        if name not in attributes.get(found["struct"], ()):
            return found[0]
        this = f"static {found['struct']}" if found["static"] else f"this {found['struct']}*"
        more = f", {found['parameters']}" if found["parameters"] else ""
        return f"{found['type']}{found['name']}({this}{more})"

    return _ACCESSOR.sub(extended, text)


def _without_names(head: str) -> str:
    """The head of a function with ``p0`` and so on as the names of its parameters.

    The compiler frees pointers in the order in which it saw their names first, so a header must not
    have the names of the scripts.
    """
    start = head.index("(") + 1
    made: list[str] = []
    for part in head[start : head.rindex(")")].split(","):
        if part.strip() and not _UNNAMED.match(part):
            number = sum(_UNNAMED.match(one) is None for one in made)
            parameter, *default = part.rstrip().split(" = ")
            part = " = ".join((_LAST_WORD.sub(f"p{number}", parameter), *default))
        made.append(part)
    return f"{head[:start]}{','.join(made)})"


def _full_name(name: str, head: str) -> str:
    """The name of a function with that of the struct that it extends."""
    extended = _EXTENDED.search(head)
    return f"{extended[1]}::{name}" if extended is not None else name


def _member_of(line: str) -> str:
    """The name of the member that a line declares."""
    found = _MEMBER.search(line)
    return found[1] if found else line


def _members(lines: Iterator[str]) -> list[str]:
    """The lines of a struct, up to its end."""
    members = []
    for line in lines:
        if line.startswith("}"):
            break
        members.append(line)
    return members
