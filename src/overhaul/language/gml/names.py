"""The names in all GML files of a game: what declares them, and what each of them stands for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias

from overhaul.document.names import unescape_name
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gml.builtins import load_enums
from overhaul.gml.compiler.names import INSTANCE_WORDS
from overhaul.gml.context import Context
from overhaul.language.answers import Span
from overhaul.language.gml.scanning import Declaration, Occurrence, Scan, Scope, scan
from overhaul.language.texts import LONGEST, Lines, Texts

SOURCE: Final = ".gml"
CODE: Final = "code/"
OBJECT_CODE: Final = CODE + "gml_Object_"
#: The meanings of a name.
What: TypeAlias = Literal[
    "local", "function", "macro", "enum", "member", "variable", "asset", "builtin function",
    "builtin variable", "constant", "extension function", "word",
]  # fmt: skip
#: words of the language that the lexer takes as names
WORDS: Final = {
    "true": "constant of the language",
    "false": "constant of the language",
    "self": "the instance or struct that runs the code",
    "other": "the other instance of a collision or a with block",
    "all": "all instances",
    "noone": "no instance",
    "global": "the global variables of the game",
}
_EMPTY: Final = Scan([], [Scope(0, -1, 0)], [], [])


class Target(NamedTuple):
    """The meaning of a name; ``path`` and ``scope`` are those of a local variable, ``owner`` is
    the enum of a member."""

    what: What
    name: str
    path: str = ""
    scope: int = -1
    owner: str = ""


class NameInFile(NamedTuple):
    """A name in a file."""

    path: str
    occurrence: Occurrence

    @property
    def span(self) -> Span:
        """Its range."""
        at = self.occurrence.position
        return Span(self.path, at, at + len(self.occurrence.name))


class Index:
    """The names in all GML files, read again where a text became another.

    ``context`` gives what the game has besides its sources.
    """

    def __init__(
        self, texts: Texts, context: Callable[[], Context], layout: Layout | None = None
    ) -> None:
        self.texts = texts
        self.context: Callable[[], Context] = context
        #: where sources are
        self.layout: Layout = layout or Layout()
        self._scans: dict[str, tuple[str, Scan, frozenset[str]]] = {}
        self._declared: dict[str, list[tuple[str, Declaration]]] | None = None
        self._shared: dict[str, frozenset[tuple[str, str, str]]] = {}
        self._fields: dict[str, tuple[Scan, dict[str, int]]] = {}
        self._seen = 0
        #: grows where what the files declare changes
        self.version = 0

    # -- one file --------------------------------------------------------------------------------

    def scan(self, path: str) -> Scan:
        """The names in a file; none if it is too long."""
        return self._entry(path)[1]

    def names(self, path: str) -> frozenset[str]:
        """The names in a file."""
        return self._entry(path)[2]

    def _entry(self, path: str) -> tuple[str, Scan, frozenset[str]]:
        text = self.texts.read(path)
        known = self._scans.get(path)
        if known is not None and (known[0] is text or known[0] == text):
            return known
        found = scan(text, self.context().dialect) if len(text) <= LONGEST else _EMPTY
        names = frozenset(occurrence.name for occurrence in found.occurrences)
        made = self._scans[path] = text, found, names
        return made

    def fields(self, path: str) -> Mapping[str, int]:
        """The number of times each name in a file follows a dot or is set."""
        found = self.scan(path)
        kept = self._fields.get(path)
        if kept is not None and kept[0] is found:
            return kept[1]
        counts: dict[str, int] = {}
        for occurrence in found.occurrences:
            if occurrence.use in ("field", "key") or occurrence.written:
                counts[occurrence.name] = counts.get(occurrence.name, 0) + 1
        self._fields[path] = found, counts
        return counts

    def declares_within(self, path: str, name: str) -> bool:
        """Whether a file declares a function, also one inside of other code, or a static
        variable."""
        found = self.scan(path)
        if any(each.name == name for each in found.declared):
            return True
        return any(scope.names.get(name, ("",))[0] == "static" for scope in found.scopes)

    def forget(self) -> None:
        """The game is another: scan everything again."""
        self._scans.clear()
        self._declared = None

    # -- all files -------------------------------------------------------------------------------

    def paths(self) -> list[str]:
        """The GML files that can be read at once."""
        texts = self.texts
        return [path for path in texts.paths() if path.endswith(SOURCE) and texts.is_quick(path)]

    def update(self) -> None:
        """Take note of what changed since the last time."""
        changes = self.texts.changes
        if self._seen == len(changes):
            return
        changed = set(changes[self._seen :])
        self._seen = len(changes)
        if self._declared is None:
            return
        if "" in changed:
            self._declared = None
            return
        for path in changed:
            if path.endswith(SOURCE) and self._declarations(path) != self._shared.get(path):
                self._declare_again(path, self._declared)

    def _declare_again(self, path: str, declared: dict[str, list[tuple[str, Declaration]]]) -> None:
        """Take note of what a file that changed declares."""
        for name in [
            name for name, places in declared.items() if any(p == path for p, _ in places)
        ]:
            declared[name] = [place for place in declared[name] if place[0] != path]
            if not declared[name]:
                del declared[name]
        self._shared.pop(path, None)
        self._declare(path, declared)
        self.version += 1

    def _declare(self, path: str, declared: dict[str, list[tuple[str, Declaration]]]) -> None:
        if path not in self.texts:
            return
        try:
            found = list(self._public(path))
        except OverhaulError:
            return  # the file has just gone
        self._shared[path] = self._declarations(path)
        for declaration in found:
            declared.setdefault(declaration.name, []).append((path, declaration))

    def _declarations(self, path: str) -> frozenset[tuple[str, str, str]]:
        """The declarations of a file for others, without places."""
        if path not in self.texts:
            return frozenset()
        declared = self.scan(path).declared
        return frozenset(
            (declaration.what, declaration.name, declaration.detail) for declaration in declared
        )

    @property
    def declared(self) -> dict[str, list[tuple[str, Declaration]]]:
        """The declarations of all files for others, by name.

        The places are those when it was asked for the first time; :meth:`declarations` has them as
        they are now.
        """
        self.update()
        if self._declared is None:
            self._declared = {}
            self._shared = {}
            self.version += 1
            for path in self.paths():
                self._declare(path, self._declared)
        return self._declared

    def _public(self, path: str) -> Iterator[Declaration]:
        """The declarations of a file for other files."""
        everywhere = self.layout.is_global_script(path)
        for declaration in self.scan(path).declared:
            if declaration.what in ("function", "constructor") and (
                not everywhere or declaration.scope
            ):
                continue
            yield declaration
        name = self.layout.script_of(path)
        if name and not any(declaration.name == name for declaration in self.scan(path).declared):
            yield Declaration("function", name, 0, 0, 0, "(…)")

    def declarations(self, name: str, *kinds: str) -> Iterator[tuple[str, Declaration]]:
        """The places that declare a name, as they are now."""
        for path in dict.fromkeys(path for path, _ in self.declared.get(name, ())):
            for declaration in self._public(path):
                if declaration.name == name and (not kinds or declaration.what in kinds):
                    yield path, declaration

    def declares(self, name: str, *kinds: str) -> bool:
        """Whether a file declares a name as one of some kinds."""
        return any(each.what in kinds for _, each in self.declared.get(name, ()))

    def members(self, enum: str) -> list[str]:
        """The members of an enum: one of the game's sources, of its context or of the language."""
        own = [
            declaration.name
            for path, found in self.declarations(enum, "enum")
            for declaration in self.scan(path).declared
            if declaration.what == "member" and declaration.detail == found.name
        ]
        if own:
            return own
        known = self.context().enums.get(enum)
        return [name for name, _ in known] if known is not None else [*load_enums().get(enum, ())]

    def is_enum(self, name: str) -> bool:
        """Whether a name is that of an enum."""
        return self.declares(name, "enum") or name in self.context().enums or name in load_enums()

    # -- what a name means -----------------------------------------------------------------------

    def target(self, path: str, occurrence: Occurrence) -> Target:
        """The target of a name in a file."""
        found, name = self.scan(path), occurrence.name
        if found.is_local(occurrence):
            return Target("local", name, path, occurrence.scope)
        if occurrence.use == "declared" and occurrence.owner:
            return Target("member", name, owner=occurrence.owner)
        if occurrence.use in ("field", "key"):
            owner = occurrence.owner
            if occurrence.use == "field" and owner and self.is_enum(owner):
                return Target("member", name, owner=owner)
            return Target("variable", name)
        return self.meaning(name)

    def meaning(self, name: str) -> Target:
        """The meaning of a name that is neither a local variable nor after a dot."""
        context = self.context()
        if name in WORDS:
            return Target("word", name)
        if self.declares(name, "macro") or name in context.macros:
            return Target("macro", name)
        if self.is_enum(name):
            return Target("enum", name)
        asset = context.asset_id(name)
        if self.declares(name, "function", "constructor"):
            return Target("function", name)
        if name in context.functions:
            return Target("function", name)
        if asset is not None and asset[0] != "script":
            return Target("asset", name)
        if name in context.builtin_functions and not context.lacks(name):
            return Target("builtin function", name)
        if name in context.extension_functions:
            return Target("extension function", name)
        if name in context.builtin_variables:
            return Target("builtin variable", name)
        if name in context.builtin_constants or name in INSTANCE_WORDS:
            return Target("constant", name)
        return Target("asset" if asset is not None else "variable", name)

    def uses(self, target: Target) -> Iterator[NameInFile]:
        """All places of a name that stand for the same, also where it is declared."""
        paths = [target.path] if target.what == "local" else self.paths()
        for path in paths:
            try:
                if target.name not in self.names(path):
                    continue
            except OverhaulError:
                continue  # the file has just gone
            for occurrence in self.scan(path).occurrences:
                if occurrence.name == target.name and self.target(path, occurrence) == target:
                    yield NameInFile(path, occurrence)

    def texts_with(self, name: str) -> Iterator[tuple[str, int, str]]:
        """The strings that are a name, which code may use to find what is called so: the file, the
        line from 1, and the line."""
        for path in self.paths():
            text = self.texts.read(path)
            if name not in text:
                continue
            for position, value in self.scan(path).texts:
                if value.strip("@$\"'") == name:
                    lines = Lines(text)
                    line = lines.place(position)[0]
                    yield path, line + 1, lines.line(line).strip()


class Layout:
    """Where the sources of a folder are: what the path of a file says about it."""

    def is_global_script(self, path: str) -> bool:
        """Whether functions of a file are known in the whole game: a script of 2.3 and later."""
        return path.startswith(CODE + GLOBAL_SCRIPT_PREFIX)

    def script_of(self, path: str) -> str:
        """The function that a whole file is: a script of before 2.3, or of a project; "" for
        others."""
        name = unescape_name(path.rpartition("/")[2].removesuffix(SOURCE))
        if path.startswith(CODE + SCRIPT_PREFIX):
            return name.removeprefix(SCRIPT_PREFIX)
        if path.startswith("scripts/") and path.count("/") == 1:
            return name
        return ""


# ------------------------------------------------------------------------------------ objects


_OBJECT_JSON: Final = re.compile(r"objects/([^/]+)(?:/object)?\.json")


class Objects:
    """The objects of a game: their code, and what they inherit from."""

    #: how the files end that describe them
    endings: tuple[str, ...] = (".json",)

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._seen = -1

    def _look(self) -> None:
        changes = self._texts.changes
        if 0 <= self._seen <= len(changes) and not any(
            not path or path.endswith(self.endings) for path in changes[self._seen :]
        ):
            self._seen = len(changes)
            return
        self._seen = len(changes)
        self.__dict__.pop("names", None)
        self.__dict__.pop("_code", None)

    @cached_property
    def names(self) -> dict[str, str]:
        """The objects, and the files that describe them."""
        found = (_OBJECT_JSON.fullmatch(path) for path in self._texts.paths())
        return {unescape_name(match[1]): match[0] for match in found if match is not None}

    @cached_property
    def _code(self) -> dict[str, list[str]]:
        code: dict[str, list[str]] = {}
        for path in self._texts.paths():
            if path.endswith(SOURCE):
                name = self.object_of(path)
                if name:
                    code.setdefault(name, []).append(path)
        return code

    def object_of(self, path: str) -> str:
        """The object whose code a file is; "" for other code."""
        self._look()
        if path.startswith("objects/"):
            return unescape_name(path.split("/")[1])
        if not path.startswith(OBJECT_CODE):
            return ""
        rest = unescape_name(path[len(OBJECT_CODE) :].removesuffix(SOURCE))
        while "_" in rest:
            rest = rest[: rest.rindex("_")]
            if rest in self.names:
                return rest
        return ""

    def family(self, name: str) -> Iterator[str]:
        """An object, its parent, that one's parent and so on, each once."""
        self._look()
        seen: set[str] = set()
        while name and name not in seen:
            seen.add(name)
            yield name
            name = self._parent(name)

    def _parent(self, name: str) -> str:
        path = self.names.get(name)
        if path is None:
            return ""
        try:
            shown = json.loads(self._texts.read(path))
        except (OverhaulError, ValueError, RecursionError):
            return ""  # while somebody edits it
        parent = shown.get("parent") if isinstance(shown, dict) else None
        return parent if isinstance(parent, str) else ""

    def code_of(self, names: Iterable[str]) -> list[str]:
        """The code of some objects, the files of creation first."""
        self._look()
        paths = [path for name in names for path in self._code.get(name, ())]
        return sorted(paths, key=lambda path: "create" not in path.lower())
