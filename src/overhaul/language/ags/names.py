"""What the names in scripts of Adventure Game Studio stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from overhaul.ags.language import Declared as Known
from overhaul.ags.language import symbols as s
from overhaul.ags.language.unit import Names
from overhaul.ags_folder.code import HEADER, SOURCE, TABLES
from overhaul.errors import OverhaulError
from overhaul.language.ags.games import SCRIPTS, AgsScripts
from overhaul.language.ags.scanning import Declared, Occurrence, Scan, Scope, scan
from overhaul.language.answers import Span
from overhaul.language.edits import mentions
from overhaul.language.texts import LONGEST, Texts

#: ``own``: declared by scripts of the folder; ``known``: by the editor, or of the game's things.
What: TypeAlias = Literal["local", "own", "member", "known", "unknown"]
_EMPTY: Final = Scan([], [Scope("", 0)], [])
_LINK: Final = re.compile(r"([A-Za-z_]\w*)\s*((?:\([^()]*\)|\[[^\[\]]*\])*)\s*\.\s*\Z", re.ASCII)
#: dots in front of a name that are followed
_LINKS: Final = 12


class Target(NamedTuple):
    """What a name stands for: of a local the file and the function, of the script's own names its
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

    def paths(self) -> list[str]:
        """The files of scripts."""
        return [path for path in self.texts.paths() if path.endswith(SCRIPTS)]

    def scan(self, path: str) -> Scan:
        """What is in a file; nothing where it is too long."""
        text = self.texts.read(path)
        known = self._scans.get(path)
        if known is not None and (known[0] is text or known[0] == text):
            return known[1]
        made = scan(text) if len(text) <= LONGEST else _EMPTY
        self._scans[path] = text, made
        return made

    def known(self, path: str) -> Known | None:
        """What the editor and the game declare for a script, with its header."""
        return self.game.declared(path)

    # -- what a name means -------------------------------------------------------------------------

    def target(self, path: str, occurrence: Occurrence) -> Target:
        """What a name in a file stands for."""
        found, name = self.scan(path), occurrence.name
        if found.is_local(occurrence):
            return Target("local", name, path, occurrence.scope)
        if occurrence.dotted:
            owner = self._owner_at(path, occurrence)
            return Target("member", name, owner=owner)
        home = self.home(path, name)
        if home:
            return Target("own", name, home)
        known = self.known(path)
        if known is not None and (name in known.names.symbols or name in known.macros):
            return Target("known", name)
        return Target("unknown", name)

    def home(self, path: str, name: str) -> str:
        """The script that declares a name for one: itself, or the one from which its header
        imports it; "" for neither.  As a path without its ending."""
        stem = path[: path.rindex(".")]
        imported = False
        for own in self.game.files_of(path):
            for each in self._declared(own, name):
                if own.endswith(SOURCE) and not each.imported:
                    return own[: -len(SOURCE)]
                imported = True
        if not imported:
            return ""
        for other in self.paths():
            if not other.endswith(SOURCE) or other[: -len(SOURCE)] == stem:
                continue
            gives = any(not each.imported for each in self._declared(other, name))
            if gives and self._is_shared(other):
                return other[: -len(SOURCE)]
        return ""

    def _is_shared(self, path: str) -> bool:
        """Whether other scripts can use what a script declares: not those of rooms."""
        return not path.startswith("rooms/")

    def _declared(self, path: str, name: str) -> Iterator[Declared]:
        try:
            declared = self.scan(path).declared
        except OverhaulError:
            return
        for each in declared:
            if each.name == name and each.what != "member":
                yield each
            elif each.name == name and each.what == "member" and not each.type:
                yield each  # of an enum, which is known by its own name

    def declarations(self, target: Target) -> Iterator[tuple[str, Declared]]:
        """The places that declare one of the scripts' own names."""
        for path in (target.path + SOURCE, target.path + HEADER):
            if path in self.texts:
                for each in self._declared(path, target.name):
                    yield path, each

    def uses(self, target: Target) -> Iterator[tuple[str, Occurrence]]:
        """All places of a name that stand for the same."""
        paths = [target.path] if target.what == "local" else self.paths()
        for path in paths:
            try:
                occurrences = self.scan(path).occurrences
            except OverhaulError:
                continue
            for each in occurrences:
                if each.name == target.name and self.target(path, each) == target:
                    yield path, each

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

    def _owner_at(self, path: str, occurrence: Occurrence) -> str:
        text = self.texts.read(path)
        before = text[: occurrence.position].rstrip()
        if before.endswith("::"):
            match = re.search(r"([A-Za-z_]\w*)\s*::\Z", before, re.ASCII)
            return "" if match is None else match[1]
        return self.type_before(path, text, occurrence.position)

    def type_before(self, path: str, text: str, offset: int) -> str:
        """The struct of what stands in front of a dot: ``player.``, ``mouse.``, ``GetRoom().``."""
        links: list[str] = []
        head = text[max(0, offset - 4096) : offset]
        while len(links) < _LINKS:
            match = _LINK.search(head)
            if match is None:
                break
            links.append(match[1])
            head = head[: match.start()]
            if not head.rstrip().endswith("."):
                break
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
        if name == "this" and scope is not None:
            match = re.search(r"([A-Za-z_]\w*)\s*::\s*\Z", self.texts.read(path)[: scope.start])
            return "" if match is None else match[1]
        if scope is not None and name in scope.names:
            return _bare(scope.names[name][1])
        for own in self.game.files_of(path):
            for each in self._declared(own, name):
                return each.name if each.what in ("struct", "enum") else _bare(each.type)
        known = self.known(path)
        if known is None:
            return ""
        name = known.macros.get(name, name)
        symbol = known.names.symbols.get(name)
        if isinstance(symbol, s.NamedType):
            return symbol.name
        return _type_name(known.names, symbol)

    def _type_of_member(self, path: str, owner: str, name: str) -> str:
        known = self.known(path)
        if known is not None:
            struct = known.names.symbols.get(owner)
            if isinstance(struct, s.NamedType):
                return _type_name(known.names, known.names.member(struct.number, name))
        for own in self.game.files_of(path):
            for each in self.scan(own).declared:
                if each.what == "member" and each.detail == owner and each.name == name:
                    return _bare(each.type)
        return ""

    def members(self, path: str, owner: str) -> list[Member]:
        """The members of a struct, or of one that it extends."""
        found: dict[str, Member] = {}
        for own in self.game.files_of(path):
            for each in self.scan(own).declared:
                if each.what == "member" and each.detail == owner and each.type:
                    found.setdefault(
                        each.name, Member(each.name, f"{each.type} {each.name}", False)
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


def _bare(kind: str) -> str:
    return kind.rstrip("*[]")


def _type_name(names: Names, symbol: object) -> str:
    if isinstance(symbol, s.Variable):
        return names.types[symbol.type & s.NAMED].name
    if isinstance(symbol, s.Function):
        return names.types[symbol.result & s.NAMED].name
    return ""


def shown(names: Names, name: str, symbol: object) -> str:
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
