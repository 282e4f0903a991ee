"""What the scripts of a game declare of each other: the header of a recovered project."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from overhaul.ags_project.structs import merged, renamed_fields, size_of

if TYPE_CHECKING:
    from overhaul.ags_project.elements import Value

_STRUCT: Final = re.compile(r"^(?:[a-z]+ )*struct (\w+)")
_STRUCT_NAME: Final = re.compile(r"struct (\w+)")
_UNUSED: Final = re.compile(
    r"(?P<blank>\s*)(?P<type>int|short|char) unused\d+(?:\[(?P<count>\d{1,6})\])?;"
)
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_IMPORT: Final = re.compile(r"^import (?:\w+ )*?\w+(?: ?\* ?| )(\w+)(?:\[|\(|;)")
_IMPORTED_VARIABLE: Final = re.compile(r"^import (?P<type>\w+ ?\*?) ?(?P<name>\w+)(?:\[\d*\])?;")
#: The type of a struct whose name is ours.
_OWN_STRUCT: Final = re.compile(r"\bStruct\d+\b")
_ANY_OWN: Final = re.compile(r"\b\w+_Struct\d+\b")
_ACCESSOR: Final = re.compile(
    r"(?P<static>static )?(?P<type>\b[A-Za-z_]\w*(?: ?\*+ ?| ))(?P<struct>\w+)::"
    r"(?P<name>[gs]eti?_\w+)\((?P<parameters>[^()]*)\)"
)
#: The head of a function, and the struct that it extends.
_DEFINED: Final = re.compile(
    r"(?:^|\} )(?P<head>[A-Za-z_]\w* ?\*? ?(?P<name>\w+)\([^()]*\))\s*(?:\{|$)", re.M
)
_EXTENDED: Final = re.compile(r"\((?:this|static) (\w+)")
_UNNAMED: Final = re.compile(r"\s*(?:this|static|\.\.\.)")
_LAST_WORD: Final = re.compile(r"\w+(?=(?:\[\])?$)")
_MEMBER: Final = re.compile(r"(\w+)(?:\[[^\]]*\])?(?:\(|;)")
#: The functions behind an attribute.
_VERBS: Final = ("get", "set", "geti", "seti")


class Declared:
    """The declarations of several scripts, each name once; members of a struct are put together.

    A struct that only holds values has a name of ours, ``Struct1``: it gets that of its script in
    front, as another script may have one of this name.
    """

    def __init__(self, known: Collection[str]) -> None:
        self._known = set(known)
        self._forward: dict[str, None] = {}
        self._values: dict[str, list[str]] = {}
        self._heads: dict[str, str] = {}
        self._same: dict[str, str] = {}
        #: The functions of structs by their names, and their fields.
        self._structs: dict[str, tuple[str, dict[str, str]]] = {}
        self._fields: dict[str, list[str]] = {}
        #: The structs of values of each script, as it declares them.
        self._first_values: dict[str, dict[str, list[str]]] = {}
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
                    self._first_values.setdefault(script, {})[struct[1]] = members
            elif imported is not None and imported[1] not in self._known:
                name = _full_name(imported[1], line)
                self._users.setdefault(name, []).append(script)
                held = self._imports.setdefault(name, line)
                self._share(held, line)
                if _kind_strength(line) > _kind_strength(held):
                    self._imports[name] = line

    def _share(self, first: str, line: str) -> None:
        """Put the structs together that two scripts have for one variable."""
        ours, other = (declared.split()[1] for declared in (first, line))
        ours = self._same.get(ours, ours)
        if ours != other and ours in self._values and other in self._values:
            members = merged(self._values[ours], self._values[other])
            if members is not None:
                self._values[ours] = members
                del self._values[other]
                self._same[other] = ours
                self._users[ours] += self._users.pop(other)

    def with_shared(self, text: str) -> str:
        """A text with the names of structs that were put together."""
        return _ANY_OWN.sub(lambda found: self._same.get(found[0], found[0]), text)

    def with_types(self, text: str) -> str:
        """A text whose exported numbers are pointers, or true or false, where others show it."""
        for name, line in self._imports.items():
            found = _IMPORTED_VARIABLE.match(line)
            if found is not None and _kind_strength(line) and f"export {name};" in text:
                kind = found["type"].strip()
                kind = f"{kind[:-1].strip()} *" if kind.endswith("*") else f"{kind} "
                text = re.sub(rf"\bint {name};", f"{kind}{name};", text)
        return text

    def define(self, text: str) -> None:
        """Declare functions as a script defines them, not as others use them."""
        for found in _DEFINED.finditer(text):
            name = _full_name(found["name"], found["head"])
            if name in self._imports:
                self._imports[name] = f"import {_without_names(found['head'])};"

    def _take_struct(self, name: str, head: str, lines: Iterable[str]) -> None:
        _, functions = self._structs.setdefault(name, (head, {}))
        fields: list[str] = []
        for line in lines:
            found = _MEMBER.search(line)
            if "import " in line:
                functions.setdefault(found[1] if found else line, line)
            else:
                fields.append(line)
        held = self._fields.setdefault(name, fields)
        if held is not fields and fields:
            self._fields[name] = (merged(held, fields) if held else fields) or held

    def with_fields(self, script: str, text: str) -> str:
        """A text with the names that fields have in structs which several scripts share.

        A name stays where fields of two structs have it that get different ones.
        """
        changed: dict[str, set[str]] = {}
        for struct, own in self._fields_of(script):
            final = self._final(struct)
            names = renamed_fields(own, final)
            for line in own:
                found = _MEMBER.search(line)
                if found is not None:
                    name = found[1]
                    changed.setdefault(name, set()).add(names.get(name, name))
        plain = {name: min(others) for name, others in changed.items() if others != {name}}
        only = {name: new for name, new in plain.items() if len(changed[name]) == 1}
        if not only:
            return text
        pattern = re.compile(rf"(?<=\.)(?:{'|'.join(map(re.escape, only))})\b")
        text = pattern.sub(lambda found: only[found[0]], text)
        floats = [name for name in only.values() if name.startswith("number_")]
        for name in floats:  # 0 is the same in both
            text = re.sub(rf"(\.{name} [!=]?= )(?:false|0)\b", r"\g<1>0.0", text)
        return text

    def with_whole_variables(self, script: str, text: str) -> str:
        """A text in which variables of structs have all bytes of theirs.

        What a script does not use of a struct is unused variables behind it.
        """
        for struct, own in self._fields_of(script):
            more = size_of(self._final(struct)) - size_of(own)
            if more > 0:
                for found in reversed(list(re.finditer(rf"\b{struct} \w+;", text))):
                    text = _without_unused(text, found.end(), more)
        return text

    def _fields_of(self, script: str) -> Iterator[tuple[str, list[str]]]:
        """The structs of a script with the fields as it declares them."""
        yield from self._first_values.get(script, {}).items()
        for struct, declared in self._own.items():
            if script in declared and struct in self._structs:
                yield struct, [line for line in declared[script][1] if "import " not in line]

    def _final(self, struct: str) -> list[str]:
        """The fields of a struct in the header."""
        if struct in self._structs:
            return self._fields.get(struct, [])
        return self._values.get(self._same.get(struct, struct), [])

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

        What a script defines is in its header, as authors have it; what scripts before it use is in
        that of the first of these.  ``order`` are the scripts in the order of the project,
        ``definers`` the scripts that define names.  ``places`` are where the tables of scripts have
        a name, which is the order in which the author declared them.
        """
        attributes = self.attributes()
        items: dict[str, list[str]] = {}
        for name, fields in self._values.items():
            items[name] = [self._heads[name], *fields, "};"]
        for name, (head, members) in self._structs.items():
            accessors = {f"{verb}_{one}" for one in attributes[name] for verb in _VERBS}
            shown = [one for one in members if one not in accessors]
            shown.sort(key=partial(_place, places, name))
            functions = (members[one] for one in shown)
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
            final = self._same.get(name, name)
            made[order[of.get(final, 0)]].append(line)
        for name, lines in items.items():
            made[order[of[name]]] += lines
        return {
            script: self.with_shared("".join(f"{line}\r\n" for line in lines))
            for script, lines in made.items()
        }

    def _before_users(self, items: Mapping[str, list[str]], of: dict[str, int]) -> None:
        """Declare each struct in the script of its first user, or in one before."""
        names = {
            name: {self._same.get(word, word) for line in lines for word in _WORD.findall(line)}
            & items.keys()
            for name, lines in items.items()
        }
        changed = True
        while changed:
            changed = False
            for name, used in names.items():
                for other in used:
                    if of[other] > of[name]:
                        of[other], changed = of[name], True


def _without_unused(text: str, start: int, size: int) -> str:
    """A text without unused variables of so many bytes; itself if there are other ones.

    The ends of lines stay, as code counts them.
    """
    at = start
    ends = ""
    while size > 0:
        found = _UNUSED.match(text, at)
        if found is None:
            return text
        bytes_ = {"int": 4, "short": 2, "char": 1}[found["type"]] * int(found["count"] or 1)
        if bytes_ > size:
            return text
        size -= bytes_
        ends += "".join(letter for letter in found["blank"] if letter in "\r\n")
        at = found.end()
    return text[:start] + ends + text[at:]


def _at(places: Mapping[str, int], name: str) -> int:
    """The place of a name; behind all others for one that no script uses."""
    return places.get(name, len(places) << 16)


def _place(places: Mapping[str, int], struct: str, member: str) -> int:
    """The place of a function of a struct, or of the functions behind an attribute."""
    names = (member, *(f"{verb}_{member}" for verb in _VERBS))
    return min(_at(places, f"{struct}::{name}") for name in names)


def renamed(script: str, text: str) -> str:
    """A text in which the structs of ours have the name of their script in front."""
    own = re.sub(r"\W", "_", script)
    return _OWN_STRUCT.sub(lambda found: f"{own}_{found[0]}", text)


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


class Types:
    """The types of global variables, as the scripts that use them show them.

    Their own script shows only sizes: a pointer, and true or false, is a number there.
    """

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def take(self, declarations: str) -> None:
        """Take what the declarations of a script say; a pointer says more than a number."""
        for line in declarations.splitlines():
            found = _IMPORTED_VARIABLE.match(line)
            if found is None:
                continue
            name, kind = found["name"], found["type"].replace(" ", "")
            held = self._found.get(name, "int")
            if _strength(kind) > _strength(held):
                self._found[name] = kind

    def typed(self, variable: Mapping[str, Value]) -> Mapping[str, Value]:
        """A global variable with its type."""
        kind = self._found.get(str(variable["Name"]), "int")
        if variable["Type"] != "int" or kind == "int":
            return variable
        value = str(variable["DefaultValue"])
        if kind == "bool":
            value = {"0": "false", "1": "true"}.get(value, value)
        if kind == "bool" and value not in ("", "false", "true"):
            return variable
        return {**variable, "Type": kind, "DefaultValue": "" if kind.endswith("*") else value}


def _kind_strength(line: str) -> int:
    """How much an import of a variable says of its type; 0 for other imports."""
    found = _IMPORTED_VARIABLE.match(line)
    return 0 if found is None else _strength(found["type"].replace(" ", ""))


def _strength(kind: str) -> int:
    """How much a type says."""
    return 2 if kind.endswith("*") else {"int": 0, "bool": 1}.get(kind, 1)


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
            part = _LAST_WORD.sub(f"p{number}", part.rstrip())
        made.append(part)
    return f"{head[:start]}{','.join(made)})"


def _full_name(name: str, head: str) -> str:
    """The name of a function with that of the struct that it extends."""
    extended = _EXTENDED.search(head)
    return f"{extended[1]}::{name}" if extended is not None else name


def _members(lines: Iterator[str]) -> list[str]:
    """The lines of a struct, up to its end."""
    members = []
    for line in lines:
        if line.startswith("}"):
            break
        members.append(line)
    return members
