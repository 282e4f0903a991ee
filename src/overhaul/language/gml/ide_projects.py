"""Projects of GameMaker's editor as a workspace of GML: what they have besides their sources.

A source is compiled with the macros, enums, functions and resources of the whole project.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Final

from overhaul.document.reading import FileSiblings
from overhaul.errors import FormatError, OverhaulError, WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.data.code.compiling import add_definitions
from overhaul.gamemaker.ide.dialects import closed
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.gmx import read_gmx
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.resources.kinds import listed
from overhaul.gamemaker.ide.resources.users import CODED
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import text_at
from overhaul.gamemaker.ide_game.sources import (
    add_version,
    constants_of,
    definitions_in,
)
from overhaul.gml.compiler import compile as compile_source
from overhaul.gml.context import Context
from overhaul.language.answers import Diagnostic, Doubt, Edit, Move, Renamed, Span
from overhaul.language.gml.games import Result, mistakes_in
from overhaul.language.gml.language import GmlLanguage
from overhaul.language.gml.names import SOURCE, Index, Layout, Objects, Target
from overhaul.language.gml.renaming import Renamer
from overhaul.language.protocol import Proof
from overhaul.language.texts import LONGEST, FolderTexts
from overhaul.sequences import anchored_opcodes

#: So many seconds a file is not looked at again.
_WHILE: Final = 1.0
_SCRIPT: Final = re.compile(r"scripts/(?:[^/]+/)?([^/]+)\.gml")
#: The folders whose sources the game has; those of extensions are in a form of their own.
_CODED: Final = ("objects/", "rooms/", "scripts/", "timelines/")
_OBJECT: Final = re.compile(r"objects/(?:([^/]+)/\1\.yy|(.+)\.object\.gmx)")


def open_project(texts: FolderTexts, name: str) -> IdeProjectDocument:
    """The project in a folder as editors show its files.  Raises FormatError for a broken one."""
    place = os.path.join(texts.root, name)
    document = IdeProjectDocument(texts.data(name), place, FileSiblings(place))
    for path, data in texts.unsaved.items():
        if path != name:
            document.files.write(path, data)
    return document


def checked(place: str, contents: Mapping[str, bytes | None]) -> Findings:
    """The faults of a project with other contents of some files; no notes.

    It touches nothing of a workspace, so that it may run in a thread of its own.
    """
    name = os.path.basename(place)
    try:
        data = contents.get(name)
        if data is None:
            with open(place, "rb") as file:
                data = file.read()
        document = IdeProjectDocument(data, place, FileSiblings(place))
        for path, other in contents.items():
            if path != name:
                document.files.write(path, other)
        document.decode()
    except OverhaulError as error:
        return error.findings
    return Findings(one for one in document.findings if one.severity != "note"
                    and one.code != "unusual")  # fmt: skip


class ProjectTexts(FolderTexts):
    """The files of a project: a file on the disk is looked at once in a while, as there may be
    thousands."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._looked: dict[str, tuple[float, str]] = {}

    def refresh(self) -> None:
        """Look again which files there are, and what is in them."""
        self._looked.clear()
        super().refresh()

    def original(self, path: str) -> str:
        """The text of a file on the disk, as it was within the last second."""
        now = time.monotonic()
        known = self._looked.get(path)
        if known is not None and now - known[0] < _WHILE:
            return known[1]
        text = super().original(path)
        self._looked[path] = now, text
        return text


class IdeLayout(Layout):
    """Where the sources of a project are; ``game`` says which language they are in."""

    def __init__(self, game: IdeGame) -> None:
        self._game = game

    def is_global_script(self, path: str) -> bool:
        """Whether a file is a script of 2.3 and later."""
        return self._game.context.dialect.gml_v2 and _SCRIPT.fullmatch(path) is not None

    def script_of(self, path: str) -> str:
        """The function that a script of before 2.3 is."""
        found = _SCRIPT.fullmatch(path)
        return "" if found is None or self._game.context.dialect.gml_v2 else found[1]


class IdeObjects(Objects):
    """The objects of a project."""

    endings = (".yy", ".yyp", ".gmx")

    @cached_property
    def names(self) -> dict[str, str]:
        """The objects, and the files that describe them."""
        found = (_OBJECT.fullmatch(path) for path in self._texts.paths())
        return {match[1] or match[2]: match[0] for match in found if match is not None}

    @cached_property
    def _ids(self) -> dict[str, str]:
        """The names of objects of 2.0 to 2.2 by their ids."""
        found: dict[str, str] = {}
        for name, path in self.names.items():
            key = re.search(r'"id": "([0-9a-f-]{36})"', self._texts.read(path)[:200])
            if key is not None:
                found[key[1]] = name
        return found

    def _parent(self, name: str) -> str:
        path = self.names.get(name)
        if path is None:
            return ""
        try:
            data = self._texts.data(path)
            if path.endswith(".gmx"):
                return read_gmx(data).root.value("parentName").removeprefix("<undefined>")
            value = read_json_file(data).value
        except OverhaulError:
            return ""  # while somebody edits it
        own = text_at(value, "parentObjectId")
        return self._ids.get(own, "") if own else text_at(value, "parentObjectId", "name")


class IdeGame:
    """The parts of a project besides its sources: resources, constants, functions of extensions."""

    def __init__(self, texts: FolderTexts, name: str) -> None:
        self.texts = texts
        self.name = name
        self._context: Context | None = None
        self._seen = -1
        self._shared: tuple[tuple[int, int], Context] | None = None
        self._defining: tuple[Context, list[str], Context] | None = None
        self._defined: dict[str, tuple[str, list[str]]] = {}

    @property
    def context(self) -> Context:
        """The resources and constants of the project; made again if a file other than a source
        changed."""
        changes = self.texts.changes
        if self._context is not None and self._seen == len(changes):
            return self._context
        fresh = self._seen >= 0 and all(path.endswith(SOURCE) for path in changes[self._seen :])
        self._seen = len(changes)
        if self._context is None or not fresh:
            try:
                self._context = self._made()
            except FormatError:  # while somebody edits the project: check says what is wrong
                if self._context is None:
                    raise
        return self._context

    def _made(self) -> Context:
        with open_project(self.texts, self.name) as project:
            context = project.context()
            for extension in project.extensions:
                try:
                    for function in extension.function_types:
                        context.add_extension_function(function)
                except FormatError:  # check says what is wrong with it
                    continue
            add_version(project, context)
            for constant in constants_of(project):
                _define(context, constant)
        return context

    @cached_property
    def index(self) -> Index:
        """The names in its sources."""
        return Index(self.texts, lambda: self.context, IdeLayout(self))

    def close(self) -> None:
        """Nothing is open."""

    # -- mistakes -------------------------------------------------------------------------------

    def check(self, path: str, text: str) -> list[Diagnostic]:
        """The findings of compiling a file: mistakes, and unknown functions."""
        if not path.endswith(SOURCE) or not path.startswith(_CODED) or len(text) > LONGEST:
            return []
        context = self._known().overlay()
        result = Result(text)
        plain = text.replace("\r\n", "\n")
        is_global = self.index.layout.is_global_script(path)
        stem = path.rpartition("/")[2].removesuffix(SOURCE)
        try:
            source = closed(plain, context.dialect)
            kind = "global_script" if is_global else "event"
            result.code = compile_source(source, context, kind, stem)
        except OverhaulError as error:
            result.code, result.mistakes = None, mistakes_in(error)
        unknown = () if result.code is None else result.code.unknown
        return result.diagnostics({one.name for one in unknown if self._is_set(one.name)})

    def _is_set(self, name: str) -> bool:
        """Whether some source sets a variable or a member of a name, which may be a function."""
        index = self.index
        return any(
            name in index.names(path)
            and (name in index.fields(path) or index.declares_within(path, name))
            for path in index.paths()
        )

    def _known(self) -> Context:
        """The context with what all sources define; made again where a declaration changed."""
        declared, context = self.index.declared, self.context
        stamp = (self.index.version, id(context))
        if self._shared is not None and self._shared[0] == stamp:
            return self._shared[1]
        made = self._with_definitions(context).overlay()
        functions = [
            name for name, places in declared.items()
            if any(each.what in ("function", "constructor") for _, each in places)
        ]  # fmt: skip
        made.without_builtins(functions)  # an older release has no function of that name
        for name in functions:
            made.add_function(name, name)
        self._shared = stamp, made
        return made

    def _with_definitions(self, context: Context) -> Context:
        """A context with the macros, enums and ``globalvar`` names of all sources; made again where
        one of these changed."""
        texts = [text for path in self.index.paths() for text in self._definitions(path)]
        kept = self._defining
        if kept is not None and kept[0] is context and kept[1] == texts:
            return kept[2]
        made = context.overlay()
        for text in texts:
            _define(made, text)
        self._defining = context, texts, made
        return made

    def _definitions(self, path: str) -> list[str]:
        """The definitions in a source, each with its text."""
        text = self.texts.read(path)
        kept = self._defined.get(path)
        if kept is None or kept[0] is not text:
            found = [*definitions_in(text, self.context.dialect)]
            kept = self._defined[path] = text, found
        return kept[1]


def _define(context: Context, definition: str) -> None:
    """Make a definition known; one with a mistake is reported in its file."""
    with suppress(OverhaulError):
        add_definitions(context, definition)


class IdeRenamer(Renamer):
    """Renames names in a project: resources as the library does, with all that refers to them."""

    def __init__(self, index: Index, objects: Objects, game: IdeGame) -> None:
        super().__init__(index, objects)
        self._game = game

    def _folder(self, name: str) -> tuple[str, str]:
        """The kind and the folder of a resource.  Raises WorkspaceError for one that is none."""
        with open_project(self._game.texts, self._game.name) as project:
            entry = _entry(project, name)
            if entry is None:
                raise WorkspaceError(
                    f"{name} is not a resource of the project: it can't be renamed"
                )
            return entry.kind, entry.folder

    def rename(self, target: Target, new: str, prove: Proof) -> Renamed:
        """All edits for another name.  Raises WorkspaceError where it is refused."""
        self.refuse(target)
        is_resource = target.what == "asset" or (
            target.what == "function" and self._is_script(target.name)
        )
        if not is_resource:
            return super().rename(target, new, prove)
        self._check(target, new)
        with open_project(self._game.texts, self._game.name) as project:
            entry = _entry(project, target.name)
            if entry is None:
                raise WorkspaceError(f"{target.name} is not a resource of the project")
            try:
                findings = listed(project, entry.kind).rename(entry.name, new)
            except ValueError as error:
                raise WorkspaceError(str(error)) from None
            return self._made(project, entry, new, findings)

    def _is_script(self, name: str) -> bool:
        return any(self._index.layout.script_of(path) == name for path in self._index.paths())

    def _made(
        self, project: IdeProjectDocument, entry: ListedEntry, new: str, findings: Findings
    ) -> Renamed:
        """The edits and moves of files that a renamed project has."""
        texts, files = self._game.texts, project.files
        moves: dict[str, str] = {}
        for path in sorted(files.moved):
            moved = _moved(path, entry.name, new)
            if files.changed.get(moved) is None:
                raise WorkspaceError(f"{path} has another name: rename {entry.name} in GameMaker")
            moves[path] = moved
        sources = {moved: path for path, moved in moves.items()}
        edits: list[Edit] = []
        for path, data in sorted(files.changed.items()):
            old = sources.get(path, path)
            if data is not None and data != texts.data(old):
                text = data.decode("utf-8", "surrogateescape")
                edits += _line_edits(old, texts.read(old), text.removeprefix("\ufeff"))
        doubts = [Doubt("", 0, str(finding)) for finding in findings]
        return Renamed(edits, [Move(*pair) for pair in moves.items()], doubts)


def _entry(project: IdeProjectDocument, name: str) -> ListedEntry | None:
    """The resource of a name that code knows."""
    return next((one for one in project.project.entries if one.name == name
                 and one.kind in CODED), None)  # fmt: skip


def _moved(path: str, old: str, new: str) -> str:
    """The path of a file of a resource, or of a collision with it, under another name."""
    return re.sub(rf"(?<![^/_]){re.escape(old)}(?=[/._]|\Z)", new, path)


def _line_edits(path: str, before: str, after: str) -> Iterator[Edit]:
    """The edits that make a text another, for each stretch of lines that differs."""
    one, two = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in one:
        starts.append(starts[-1] + len(line))
    for a, b, c, d in anchored_opcodes(one, two):
        yield Edit(path, starts[a], starts[b], "".join(two[c:d]))


class IdeLanguage(GmlLanguage):
    """The GML of a project of GameMaker's editor."""

    def __init__(self, texts: FolderTexts, name: str) -> None:
        game = IdeGame(texts, name)
        objects = IdeObjects(texts)
        super().__init__(texts, game, game.index, objects, IdeRenamer(game.index, objects, game))

    def knows_names(self, path: str) -> bool:
        """The files of resources too, which name others."""
        return path.endswith((SOURCE, ".yy", ".yyp"))

    def _files_of(self, name: str) -> Iterator[Span]:
        """The file of a resource, and an object's code."""
        for path in self.texts.paths():
            if path.endswith((f"/{name}/{name}.yy", f"/{name}.object.gmx", f"/{name}.sprite.gmx")):
                yield Span(path, 0, 0)
        for path in self.objects.code_of([name])[:1]:
            yield Span(path, 0, 0)

    def references(self, path: str, offset: int, *, declaration: bool = True) -> list[Span]:
        """All places that mean the same; of a resource also those in files of others."""
        spans = super().references(path, offset, declaration=declaration)
        at = self._at(path, offset)
        if at is not None and at[1].what in ("asset", "function"):
            spans += self._referring(at[1].name)
        return spans

    def _referring(self, name: str) -> Iterator[Span]:
        """The paths in files of other resources that lead to one."""
        mark = f"/{name}/{name}.yy"
        for path in self.texts.paths():
            if not path.endswith(".yy") or path.endswith(mark):
                continue
            text = self.texts.read(path)
            at = text.find(f'{mark}"')
            while at >= 0:
                start = at + len(mark) - len(f"{name}.yy")
                yield Span(path, start, start + len(name))
                at = text.find(f'{mark}"', at + 1)
