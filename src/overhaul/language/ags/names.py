"""The meaning of names in scripts of Adventure Game Studio."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from overhaul.ags.folder.code import HEADER, SOURCE, TABLES
from overhaul.ags.folder.dialogs import ENDING
from overhaul.ags.language import Declared as Known
from overhaul.ags.language import symbols as s
from overhaul.ags.language.unit import Symbols
from overhaul.errors import OverhaulError
from overhaul.language.ags.games import SCRIPTS, AgsScripts
from overhaul.language.ags.scanning import (
    Declaration,
    Occurrence,
    Scan,
    Scope,
    pieces,
    scan,
    script_lines,
)
from overhaul.language.ags.structs import ACCESSORS, Structs
from overhaul.language.answers import Span
from overhaul.language.edits import mentions
from overhaul.language.texts import LONGEST, Texts

#: ``own``: declared by scripts of the folder, ``type`` a struct or an enum of theirs; ``known``:
#: by the editor, or of the game's things.
What: TypeAlias = Literal["local", "own", "type", "member", "known", "unknown"]
_EMPTY: Final = Scan([], [Scope("", 0)], [])
#: dots in front of a name that are followed
_LINKS: Final = 12
#: how much of a text before a dot is looked at
_BEFORE: Final = 4096


class Target(NamedTuple):
    """The meaning of a name: of a local the file and the function, of the script's own names its
    path without the ending; ``owner`` is the struct of a member."""

    what: What
    name: str
    path: str = ""
    scope: int = 0
    owner: str = ""


class Member(NamedTuple):
    """A member of a struct: its name, how it is written, whether it is a function."""

    name: str
    text: str
    is_function: bool


class ScriptNames:
    """The names in all scripts of a folder."""

    def __init__(self, texts: Texts, game: AgsScripts) -> None:
        self.texts = texts
        self.game = game
        self._scans: dict[str, tuple[str, Scan]] = {}
        self._structs: tuple[tuple[Scan, ...], Structs] = (), Structs(())

    def paths(self) -> list[str]:
        """The files of scripts."""
        return [path for path in self.texts.paths() if path.endswith(SCRIPTS)]

    def scan(self, path: str) -> Scan:
        """The names in a file; none if it is too long."""
        text = self.texts.read(path)
        known = self._scans.get(path)
        if known is not None and (known[0] is text or known[0] == text):
            return known[1]
        code = script_lines(text) if path.endswith(ENDING) else text
        made = scan(code) if len(text) <= LONGEST else _EMPTY
        self._scans[path] = text, made
        return made

    @property
    def structs(self) -> Structs:
        """The structs that the files declare, as they are now."""
        scans = []
        for path in self.paths():
            try:
                scans.append(self.scan(path))
            except OverhaulError:
                continue  # the file has just gone
        if len(scans) != len(self._structs[0]) or any(
            mine is not kept for mine, kept in zip(scans, self._structs[0], strict=True)
        ):
            self._structs = tuple(scans), Structs(scans)
        return self._structs[1]

    def known(self, path: str) -> Known | None:
        """The declarations of the editor and the game for a script, with its header."""
        return self.game.declared(path)

    # -- what a name means -------------------------------------------------------------------------

    def target(self, path: str, occurrence: Occurrence, structs: Structs | None = None) -> Target:
        """The target of a name in a file; ``structs``, if those of now are at hand."""
        found, name = self.scan(path), occurrence.name
        if found.is_local(occurrence):
            return Target("local", name, path, occurrence.scope)
        if occurrence.dotted or occurrence.declared:
            owner = self.owner_of(path, occurrence)
            if occurrence.dotted or owner:
                home = (structs or self.structs).home(owner, name)
                return Target("member", name, owner=home or owner)
        if self._is_type(path, name):
            return Target("type", name)
        home = self.home(path, name)
        if home:
            return Target("own", name, home)
        known = self.known(path)
        if known is not None and (name in known.names.symbols or name in known.macros):
            return Target("known", name)
        return Target("unknown", name)

    def _is_type(self, path: str, name: str) -> bool:
        """Whether a name is that of a struct or an enum which a script or its header declares.

        Types of the same name in all scripts are one here, as headers repeat the declarations of
        others.
        """
        found = [each for own in self.game.files_of(path) for each in self._declared(own, name)]
        return bool(found) and all(each.what in ("struct", "enum") for each in found)

    def home(self, path: str, name: str) -> str:
        """The script that declares a name for one: itself, or the one from which its header
        imports it; "" for neither.  As a path without its ending."""
        stem = path[: path.rindex(".")]
        imported = False
        for own in self.game.files_of(path):
            for declaration in self._declared(own, name):
                if own.endswith(SOURCE) and not declaration.imported:
                    return own[: -len(SOURCE)]
                imported = True
        if not imported:
            return ""
        for other in self.paths():
            if not other.endswith(SOURCE) or other[: -len(SOURCE)] == stem:
                continue
            gives = any(not declaration.imported for declaration in self._declared(other, name))
            if gives and self._is_shared(other):
                return other[: -len(SOURCE)]
        return ""

    def _is_shared(self, path: str) -> bool:
        """Whether other scripts can use what a script declares: not those of rooms."""
        return not self.game.is_of_room(path)

    def _declared(self, path: str, name: str) -> Iterator[Declaration]:
        try:
            declared = self.scan(path).declared
        except OverhaulError:
            return
        for declaration in declared:
            if declaration.owner:
                continue
            if declaration.name == name and declaration.what != "member":
                yield declaration
            elif declaration.name == name and declaration.what == "member" and not declaration.type:
                yield declaration  # of an enum, which is known by its own name

    def declarations(self, target: Target) -> Iterator[tuple[str, Declaration]]:
        """The places that declare one of the scripts' own names."""
        for path in (target.path + SOURCE, target.path + HEADER):
            if path in self.texts:
                for declaration in self._declared(path, target.name):
                    yield path, declaration

    def uses(self, target: Target) -> Iterator[tuple[str, Occurrence]]:
        """All places of a name that stand for the same."""
        paths = [target.path] if target.what == "local" else self.paths()
        structs = self.structs
        for path in paths:
            try:
                occurrences = self.scan(path).occurrences
            except OverhaulError:
                continue
            for occurrence in occurrences:
                if (
                    occurrence.name == target.name
                    and self.target(path, occurrence, structs) == target
                ):
                    yield path, occurrence

    def unsure(self, target: Target) -> Iterator[tuple[str, Occurrence]]:
        """The places of a member's name whose struct is not known."""
        for path in self.paths():
            for occurrence in self.scan(path).occurrences:
                is_member = occurrence.name == target.name and occurrence.dotted
                if is_member and not self.owner_of(path, occurrence):
                    yield path, occurrence

    def without_body(self, struct: str) -> str:
        """A function or an attribute of a struct that no script of the folder defines; "" for
        none."""
        every = [each for path in self.paths() for each in self.scan(path).declared]
        defined = {
            each.name
            for each in every
            if each.what == "function" and each.owner == struct and not each.imported
        }
        for each in every:
            if each.what == "member" and each.detail == struct and each.imported:
                names = (each.name, *(f"{prefix}{each.name}" for prefix in ACCESSORS))
                if defined.isdisjoint(names):
                    return each.name
        return ""

    def in_macros(self, name: str) -> Iterator[tuple[str, Declaration]]:
        """The macros in whose text a name is."""
        for path in self.paths():
            for declaration in self.scan(path).declared:
                if declaration.what == "macro" and re.search(
                    rf"\b{name}\b", declaration.detail, re.ASCII
                ):
                    yield path, declaration

    def events(self, target: Target) -> Iterator[Span]:
        """The events that run a function, in the JSON files of its room or of the game."""
        if target.what != "own":
            return
        room = target.path.rpartition("/")[0] + "/" if target.path.startswith("rooms/") else ""
        tables = target.path + TABLES
        for span, certain in mentions(self.texts, target.name):
            is_near = span.path.startswith(room) if room else not span.path.startswith("rooms/")
            if certain and is_near and span.path != tables:
                yield span

    def span(self, path: str, occurrence: Occurrence) -> Span:
        """The range of a name."""
        return Span(path, occurrence.position, occurrence.position + len(occurrence.name))

    # -- types -------------------------------------------------------------------------------------

    def owner_of(self, path: str, occurrence: Occurrence) -> str:
        """The struct whose member a name behind a dot or in a declaration is; "" for none, and
        where it is not known."""
        if occurrence.declared:
            for declaration in self.scan(path).declared:
                if declaration.position == occurrence.position:
                    return (
                        declaration.detail
                        if declaration.what == "member" and declaration.type
                        else declaration.owner
                    )
        if not occurrence.dotted:
            return ""
        text = self.texts.read(path)
        before = text[: occurrence.position].rstrip()
        if before.endswith("::"):
            match = re.search(r"([A-Za-z_]\w*)\s*::\Z", before, re.ASCII)
            return "" if match is None else match[1]
        return self.type_before(path, text, occurrence.position)

    def type_before(self, path: str, text: str, offset: int) -> str:
        """The struct of what stands in front of a dot: ``player.``, ``mouse.``, ``GetRoom().``."""
        links = _links(text, offset)
        if not links:
            return ""
        first, *rest = reversed(links)
        kind = self._type_of(path, first, offset)
        for name in rest:
            kind = self._type_of_member(path, kind, name)
        return kind

    def _type_of(self, path: str, name: str, offset: int) -> str:
        """The struct of a name that is not behind a dot."""
        scope = self.scan(path).scope_at(offset)
        if name == "this":
            return self._this(path, scope)
        if scope is not None and name in scope.names:
            return _bare(scope.names[name][1])
        for own in self.game.files_of(path):
            for declaration in self._declared(own, name):
                return (
                    declaration.name
                    if declaration.what in ("struct", "enum")
                    else _bare(declaration.type)
                )
        known = self.known(path)
        if known is None:
            return ""
        name = known.macros.get(name, name)
        symbol = known.names.symbols.get(name)
        if isinstance(symbol, s.NamedType):
            return symbol.name
        return _type_name(known.names, symbol)

    def _this(self, path: str, scope: Scope | None) -> str:
        """The struct of ``this``: in the lines of a dialog that of dialogs."""
        if path.endswith(ENDING):
            return "Dialog"
        for declaration in self.scan(path).declared:
            if scope is not None and declaration.position == scope.start and declaration.owner:
                return declaration.owner
        return ""

    def _type_of_member(self, path: str, owner: str, name: str) -> str:
        known = self.known(path)
        if known is not None:
            struct = known.names.symbols.get(owner)
            if isinstance(struct, s.NamedType):
                return _type_name(known.names, known.names.member(struct.number, name))
        return _bare(self.structs.type_of(owner, name))

    def members(self, path: str, owner: str) -> list[Member]:
        """The members of a struct, or of one that it extends."""
        found: dict[str, Member] = {}
        for own in self.game.files_of(path):
            for declaration in self.scan(own).declared:
                if (
                    declaration.what == "member"
                    and declaration.detail == owner
                    and declaration.type
                ):
                    found.setdefault(
                        declaration.name,
                        Member(declaration.name, f"{declaration.type} {declaration.name}", False),
                    )
        known = self.known(path)
        struct = None if known is None else known.names.symbols.get(owner)
        if known is None or not isinstance(struct, s.NamedType):
            return [*found.values()]
        names, number = known.names, struct.number
        while number:
            item = names.types[number]
            prefix = f"{item.name}::"
            for key, symbol in names.symbols.items():
                if key.startswith(prefix):
                    name = key[len(prefix) :]
                    if not name.startswith(("get_", "set_", "geti_", "seti_")):
                        is_function = isinstance(symbol, s.Function)
                        found.setdefault(
                            name, Member(name, shown(names, name, symbol), is_function)
                        )
            number = item.base
        return [*found.values()]


def _links(text: str, offset: int) -> list[str]:
    """The names in front of a dot that lead to it, the nearest first: of ``a.b(c)[d].`` ``b`` and
    ``a``; none where something else stands there."""
    begin = text.rfind("\n", 0, max(0, offset - _BEFORE)) + 1
    before = [
        piece for piece in pieces(text[begin:offset]) if piece.role not in ("space", "comment")
    ]
    at = len(before) - 2 if before and before[-1].text == "." else len(before) - 1
    links: list[str] = []
    while at >= 0 and len(links) < _LINKS:
        depth = 0
        while at >= 0 and (depth or before[at].text in (")", "]")):
            depth += (before[at].text in (")", "]")) - (before[at].text in ("(", "["))
            at -= 1
        if at < 0 or before[at].role not in ("name", "keyword"):
            return []
        links.append(before[at].text)
        if at < 1 or before[at - 1].text != ".":
            break
        at -= 2
    return links


def _bare(kind: str) -> str:
    return kind.rstrip("*[]")


def _type_name(names: Symbols, symbol: object) -> str:
    if isinstance(symbol, s.Variable):
        return names.types[symbol.type & s.NAMED].name
    if isinstance(symbol, s.Function):
        return names.types[symbol.result & s.NAMED].name
    return ""


def shown(names: Symbols, name: str, symbol: object) -> str:
    """How a name is declared: ``int Random(int)``."""
    if isinstance(symbol, s.Function):
        parameters = [names.text(kind) for kind in symbol.parameters]
        for index, default in enumerate(symbol.defaults):
            if default is not None and index < len(parameters):
                parameters[index] += f" = {default}"
        if symbol.variadic:
            parameters.append("...")
        static = "static " if symbol.static else ""
        return f"{static}{names.text(symbol.result)} {name}({', '.join(parameters)})"
    if isinstance(symbol, s.Variable):
        array = "[]" if symbol.array or symbol.dynamic else ""
        return f"{names.text(symbol.type)} {name}{array}"
    if isinstance(symbol, s.Constant):
        return f"{name} = {symbol.value}"
    if isinstance(symbol, s.NamedType):
        return f"{'struct' if symbol.struct else 'enum'} {name}"
    return name
