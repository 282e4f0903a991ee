"""Renaming what a GML name stands for: in all sources, and for resources in all files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from overhaul.document.names import escape_name, unescape_name
from overhaul.errors import OverhaulError, SourceError, WorkspaceError, mistakes_of
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gml.syntax.language import is_name
from overhaul.gml.syntax.lexer import keywords
from overhaul.language.answers import Doubt, Edit, Move, Renamed
from overhaul.language.edits import after_edits, mentions
from overhaul.language.gml.names import CODE, SOURCE, WORDS, Index, Objects, Target
from overhaul.language.gml.scanning import Scan
from overhaul.language.protocol import Proof
from overhaul.language.texts import Lines
from overhaul.suggest import with_article

_WORD: Final = re.compile(r"[^\W\d]\w*")
_REFUSED: Final = {
    "builtin function": "is a function of GameMaker",
    "builtin variable": "is a variable of GameMaker",
    "constant": "is a constant of GameMaker",
    "extension function": "is a function of an extension",
    "word": "is a word of the language",
}
#: the folders of resources, by the kinds of :data:`overhaul.gml.context.ASSET_KINDS`
_FOLDERS: Final = {
    "object": "objects", "sprite": "sprites", "sound": "sounds", "room": "rooms",
    "background": "backgrounds", "path": "paths", "script": "scripts", "font": "fonts",
    "timeline": "timelines", "shader": "shaders", "sequence": "sequences",
    "animation_curve": "animation_curves", "particle_system": "particle_systems",
}  # fmt: skip
#: how the names of the code of a resource begin
_CODE: Final = {
    "object": ("gml_Object_",), "room": ("gml_Room_", "gml_RoomCC_"), "timeline": ("Timeline_",),
}  # fmt: skip


class Renamer:
    """Renames names of a game."""

    def __init__(self, index: Index, objects: Objects) -> None:
        self._index = index
        self._objects = objects

    def refuse(self, target: Target) -> None:
        """Raise WorkspaceError if the new name is the present one."""
        said = _REFUSED.get(target.what)
        context = self._index.context()
        if target.what == "macro" and not self._index.declares(target.name, "macro"):
            said = "is a constant of the project, in constants.json"
        if target.what in ("enum", "member"):
            owner = target.owner or target.name
            if not self._index.declares(owner, "enum"):
                said = "is not declared in these files"
        if target.what == "function" and not self._index.declares(
            target.name, "function", "constructor"
        ):
            said = "is not declared in these files"
        if target.what == "variable" and (
            target.name in context.builtin_variables or target.name in WORDS
        ):
            said = _REFUSED["builtin variable"]
        if target.what == "asset":
            self._folder(target.name)
        if said:
            raise WorkspaceError(f"{target.name} {said}: it can't be renamed")

    def rename(self, target: Target, new: str, prove: Proof) -> Renamed:
        """All edits for another name.  Raises WorkspaceError where it is refused."""
        self.refuse(target)
        self._check(target, new)
        edits = [
            Edit(place.path, place.span.start, place.span.end, new)
            for place in self._index.uses(target)
        ]
        moves: list[Move] = []
        doubts: list[Doubt] = []
        if target.what == "asset":
            moves = [*self._moves(target.name, new)]
        elif target.what == "function":
            moves = [*self._script(target.name, new)]
        if moves:
            edits += self._in_json(target.name, new, doubts)
        if target.what == "function":  # scripts.json names the code of a script
            for move in moves:
                if move.path.startswith(CODE):
                    edits += self._in_json(_entry(move.path), _entry(move.to), doubts)
        doubts += self._macros(target) if target.what == "local" else self._doubts(target)
        if not edits and not moves:
            raise WorkspaceError(f"nothing is called {target.name} here")
        self._prove(target, new, edits, moves, doubts, prove)
        return Renamed(edits, moves, doubts)

    def _prove(
        self,
        target: Target,
        new: str,
        edits: list[Edit],
        moves: list[Move],
        doubts: list[Doubt],
        prove: Proof,
    ) -> None:
        """Pack it in memory: what packing refuses is refused, its new warnings are doubts."""
        made = dict(after_edits(self._index.texts, edits, moves))
        without: dict[str, bytes | None] = {}
        try:
            without = _without_mistakes(prove, set(self._index.texts.paths()))
            before = set(prove(without))
        except OverhaulError as error:
            doubts.append(
                Doubt("", 0, f"it is not checked, as the folder can't be packed: {error}")
            )
            return
        moved = {move.path: move.to for move in moves}
        made |= {moved.get(path, path): data for path, data in without.items()}
        try:
            findings = prove(made)
        except OverhaulError as error:
            raise WorkspaceError(
                f"{target.name} can't become {new}: the folder could not be packed then: {error}"
            ) from error
        doubts += [Doubt("", 0, str(each)) for each in findings if each not in before]

    # -- the new name ------------------------------------------------------------------------------

    def _check(self, target: Target, new: str) -> None:
        """Raise WorkspaceError for a name that can't be one here, or is taken."""
        index, context = self._index, self._index.context()
        if not is_name(new):
            raise WorkspaceError(f"{new!r} is not a name: letters, digits and _ only")
        if new in keywords(context.dialect.gml_v2) or new in WORDS:
            raise WorkspaceError(f"{new} is a word of the language")
        if new == target.name:
            raise WorkspaceError(f"it is called {new} already")
        meant = index.meaning(new).what
        if meant != "variable":
            raise WorkspaceError(f"{new} is taken: it is {with_article(meant)} here")
        if target.what == "local":
            self._check_local(index.scan(target.path), target, new)
            return
        for path in index.paths():
            if new in index.names(path):
                for occurrence in index.scan(path).occurrences:
                    if occurrence.name == new:
                        line = Lines(index.texts.read(path)).place(occurrence.position)[0] + 1
                        raise WorkspaceError(f"{new} is taken: {path}:{line} has it")

    def _check_local(self, scan: Scan, target: Target, new: str) -> None:
        for occurrence in scan.occurrences:
            plain = occurrence.use in ("name", "declared") and occurrence.name == new
            if plain and occurrence.scope == target.scope:
                line = Lines(self._index.texts.read(target.path)).place(occurrence.position)[0] + 1
                raise WorkspaceError(f"{new} is taken: line {line} of the same function has it")

    # -- files -------------------------------------------------------------------------------------

    def _folder(self, name: str) -> tuple[str, str]:
        """The kind and the folder of a resource.  Raises WorkspaceError where it has no files."""
        asset = self._index.context().asset_id(name)
        kind = "" if asset is None else asset[0]
        folder = _FOLDERS.get(kind, "")
        if kind in BY_PLURAL:
            folder = kind
        head = f"{folder}/{escape_name(name)}"
        paths = self._index.texts.paths()
        if not folder or not any(path.startswith((f"{head}/", f"{head}.")) for path in paths):
            raise WorkspaceError(f"{name} has no files of its own here: it can't be renamed")
        return kind, folder

    def _moves(self, name: str, new: str) -> Iterator[Move]:
        """The files of a resource, and of its code."""
        kind, folder = self._folder(name)
        old, now = escape_name(name), escape_name(new)
        for path in self._index.texts.paths():
            head = f"{folder}/{old}"
            if path.startswith((f"{head}/", f"{head}.")):
                yield Move(path, f"{folder}/{now}{path[len(head) :]}")
                continue
            own = self._code_path(path, kind, name, old, now)
            if own:
                yield Move(path, own)

    def _code_path(self, path: str, kind: str, name: str, old: str, now: str) -> str:
        """The new path of a code file that has the name of a resource; "" for others."""
        for prefix in _CODE.get(kind, ()):
            head = f"{CODE}{prefix}{old}_"
            is_own = kind != "object" or self._objects.object_of(path) == name
            if path.startswith(head) and is_own:
                own = f"{CODE}{prefix}{now}_{path[len(head) :]}"
                return _collided(own, old, now) if kind == "object" else own
        if kind != "object":
            return ""
        moved = _collided(path, old, now)
        return "" if moved == path else moved

    def _script(self, name: str, new: str) -> Iterator[Move]:
        """The file that is a script of before 2.3, whose name the script has."""
        for path in self._index.paths():
            if self._index.layout.script_of(path) == name and not any(
                declaration.name == name for declaration in self._index.scan(path).declared
            ):
                folder, _, file = path.rpartition("/")
                renamed = file.removesuffix(SOURCE).removesuffix(escape_name(name))
                yield Move(path, f"{folder}/{renamed}{escape_name(new)}{SOURCE}")

    def _in_json(self, name: str, new: str, doubts: list[Doubt]) -> Iterator[Edit]:
        """The names of a resource in JSON files."""
        for span, certain in mentions(self._index.texts, name):
            if certain:
                yield Edit(span.path, span.start, span.end, new)
                continue
            lines = Lines(self._index.texts.read(span.path))
            line = lines.place(span.start)[0]
            doubts.append(Doubt(span.path, line + 1, lines.line(line).strip()))

    def _macros(self, target: Target) -> Iterator[Doubt]:
        """Macros that the file of a local variable uses and that name it: they mean the one of the
        function that they are used in."""
        index = self._index
        macros = [(path, each) for path in index.paths() for each in index.scan(path).declared
                  if each.what == "macro"]  # fmt: skip
        used = set(index.names(target.path))
        size = -1
        while size != len(used):  # macros that name macros
            size = len(used)
            used |= {word for _, each in macros if each.name in used
                     for word in _WORD.findall(each.detail)}  # fmt: skip
        for path, each in macros:
            if each.name in used and target.name in _WORD.findall(each.detail):
                lines = Lines(index.texts.read(path))
                line = lines.place(each.position)[0]
                yield Doubt(path, line + 1, lines.line(line).strip())

    def _doubts(self, target: Target) -> Iterator[Doubt]:
        """Strings that are the name, and assembly that has it."""
        for path, line, text in self._index.texts_with(target.name):
            yield Doubt(path, line, text)
        word = re.compile(rf"(?<!\w){re.escape(target.name)}(?!\w)")
        for path in self._index.texts.paths():
            if path.endswith(".asm"):
                lines = Lines(self._index.texts.read(path))
                found = word.search(lines.text)
                if found is not None:
                    line = lines.place(found.start())[0]
                    yield Doubt(path, line + 1, lines.line(line).strip())


def _without_mistakes(prove: Proof, paths: set[str]) -> dict[str, bytes | None]:
    """Files that have mistakes already, empty instead: the rest of the folder can be packed."""
    empty: dict[str, bytes | None] = {}
    while True:
        try:
            prove(empty)
        except SourceError as error:
            found = {mistake.name for mistake in mistakes_of(error)} & paths
            if not found - empty.keys():
                raise
            empty |= dict.fromkeys(found, b"")
        else:
            return empty


def _entry(path: str) -> str:
    """The code entry that a file in ``code/`` is."""
    return unescape_name(path.removeprefix(CODE).removesuffix(SOURCE))


def _collided(path: str, old: str, now: str) -> str:
    """The path of the code of a collision with an object that has another name."""
    for mark in ("_Collision_", "/collision_"):
        head, found, rest = path.partition(mark)
        if found and (rest == f"{old}{SOURCE}" or rest.startswith(f"{old}/")):
            return f"{head}{mark}{now}{rest[len(old) :]}"
    return path
