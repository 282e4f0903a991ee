"""An unpacked data.win: the game with the edits of its folder, and its code compiled as packing
compiles it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from typing import Final

from overhaul.document.plainfiles import Change, Folder
from overhaul.document.protocol import Document
from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError
from overhaul.folder.comparing import is_same_content
from overhaul.folder.manifest import Manifest, ManifestEntry
from overhaul.folder.opening import find
from overhaul.folder.packing import Edited, edited
from overhaul.folder.toml import FolderSettings
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.compiling import compile_entry
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.assigning import declare
from overhaul.gamemaker.data_folder.code import entry_name, is_code, stem_of
from overhaul.gamemaker.data_folder.strings import STRINGS
from overhaul.gamemaker.data_folder.view import SOURCE, FolderView
from overhaul.gml.context import Context
from overhaul.gml.vm.registration import names_given
from overhaul.language.answers import Diagnostic
from overhaul.language.gml.games import Result, mistakes_in
from overhaul.language.texts import FolderTexts

_DEFINING: Final = ("#macro", "enum", "globalvar")
_SCRIPTS: Final = f"code/{GLOBAL_SCRIPT_PREFIX}"
#: the definitions of sources for others are kept for so many of them
_KEPT: Final = 8


class FolderGame:
    """An unpacked data.win with its edits.

    ``reason`` says why its edits besides code can't be taken, which packing reports; the game is
    then the one that was unpacked.
    """

    def __init__(self, texts: FolderTexts) -> None:
        self.texts = texts
        self.reason: str = ""
        self._base: GameData | None = None
        self._stamp: bytes = b""
        self._seen = -1
        self._known: dict[str, ManifestEntry] | None = None
        self._roots: dict[str, CodeEntry] = {}
        self._changes: dict[str, Change] = {}
        self._results: dict[str, tuple[object, Result]] = {}
        self._declared: dict[tuple[object, ...], Context] = {}
        self._given: dict[str, frozenset[str]] = {}
        self._messages: tuple[object, dict[tuple[str, bool], str]] = (None, {})

    @property
    def context(self) -> Context:
        """The game with its edited resources, without what its sources define."""
        return self.game.language.context

    # -- the game ----------------------------------------------------------------------------------

    @property
    def game(self) -> GameData:
        """The unpacked game, with all edits but those of sources; made again where they changed."""
        changes = self.texts.changes
        new = set(changes[max(self._seen, 0) :])
        self._seen = len(changes)
        if self._base is not None and all(path and is_code(path) for path in new):
            for path in new:
                self._note(path)
            return self._base
        given = edited(self.texts.root, self.texts.unsaved)
        stamp = _stamp_of(given)
        self._changes = dict(given.changes)
        if self._base is None or stamp != self._stamp:
            old, self._base, self._stamp = self._base, self._made(given), stamp
            self._roots = FolderView(self._base).roots()
            self._results.clear()
            self._declared.clear()
            self._messages = (None, {})
            if old is not None:
                old.close()
        return self._base

    def close(self) -> None:
        """Release the kept original."""
        if self._base is not None:
            self._base.close()

    def _note(self, path: str) -> None:
        """Note how a source differs from what was unpacked."""
        if path not in self.texts:
            return
        if not self._is_original(path, self.texts.read(path)):
            self._changes.setdefault(path, "changed")
        else:
            self._changes.pop(path, None)

    def _made(self, given: Edited) -> GameData:
        self.reason = ""
        self._given = {}
        if given.reopen is None:
            self._known = None
            return self._from_scratch(given)
        manifest = Manifest.load(self.texts.root)
        self._known = {} if manifest is None else {entry.path: entry for entry in manifest.entries}
        others = {path: how for path, how in given.changes.items() if not _is_source(path, how)}
        if others:
            try:
                return _applied(given.reopen(), _without_code(given.files), others)
            except OverhaulError as error:
                self.reason = str(error)
        return _applied(given.reopen(), given.files, {})

    def _from_scratch(self, given: Edited) -> GameData:
        """The game of a folder without a kept original: all of it is packed; where that fails, a
        game without resources."""
        try:
            game = _as_game(find(self.texts.root).open())
        except OverhaulError as error:
            self.reason = str(error)
            settings = FolderSettings.load(self.texts.root).for_model()
            return _as_game(folder_format_of("gamemaker-data").empty(settings))
        language = game.language
        self._given = {
            f"code/{stem}{SOURCE}": frozenset(names_given(language.code_to_read(entry)))
            for stem, entry in FolderView(game).roots().items()
        }
        if STRINGS in given.files:
            rows = csv.reader(io.StringIO(given.files.read(STRINGS).decode("utf-8", "replace")))
            self._given[STRINGS] = frozenset(row[1] for row in rows if len(row) > 1)
        return game

    # -- code --------------------------------------------------------------------------------------

    def check(self, path: str, text: str) -> list[Diagnostic]:
        """The findings of packing about a file with this text; none while it is unchanged since
        unpacking."""
        game = self.game
        if not is_code(path) or not path.endswith(SOURCE) or self._is_original(path, text):
            return []
        if self.reason and self._known is None:
            return []  # packing reports why it has no game to compile for
        given: set[str] = set()
        for other in self._edited():
            if other != path and self._known is not None:
                code = self._compiled(game, other, self.texts.read(other)).code
                given |= set() if code is None else names_given(code)
        result = self._compiled(game, path, text)
        defines = path.startswith(_SCRIPTS) or any(word in text for word in _DEFINING)
        return result.diagnostics(given, None if defines else self._said(path))

    def _said(self, path: str) -> dict[tuple[str, bool], str]:
        """The earlier findings about unknown names, in files without definitions of their own."""
        stamp = self._results[path][0]
        assert isinstance(stamp, tuple)
        if self._messages[0] != stamp[1]:
            self._messages = stamp[1], {}
        return self._messages[1]

    def _is_original(self, path: str, text: str) -> bool:
        known = None if self._known is None else self._known.get(path)
        return known is not None and is_same_content(text.encode("utf-8", "surrogateescape"), known)

    def _edited(self) -> Iterator[str]:
        """The sources that differ from what was unpacked."""
        for path, change in self._changes.items():
            is_there = change != "removed" and path in self.texts
            if is_there and is_code(path) and path.endswith(SOURCE):
                yield path

    def _compiled(self, game: GameData, path: str, text: str) -> Result:
        """A file compiled for the game; kept while neither changes."""
        context, stamp = self._context_for(game, path)
        key = (text, stamp)
        kept = self._results.get(path)
        if kept is not None and kept[0] == key:
            return kept[1]
        result = Result(text)
        plain = text.replace("\r\n", "\n").removesuffix("\n")
        language = game.language
        entry = self._roots.get(stem_of(path))
        context = context.overlay()
        if self._known is None:
            others = [names for other, names in self._given.items() if other != path]
            context.variables = frozenset().union(*others)
        try:
            stem = stem_of(path)
            name = entry_name(stem, plain) if entry is None else str(entry.name)
            # compiling knows the functions, macros and enums of its own text
            if "globalvar" in plain or not (path.startswith(_SCRIPTS) and "function" in plain):
                declare(context, name, plain)
            before = None if entry is None or self._known is None else language.before(entry)
            inferred = language.decompiled.inferred_of(entry)
            code = compile_entry(plain, context, name, before, inferred)
            if entry is not None:
                code.dialect = context.dialect
                language.link(entry, code)
            result.code = code
        except OverhaulError as error:
            result.code, result.mistakes = None, mistakes_in(error)
        self._results[path] = key, result
        return result

    def _context_for(self, game: GameData, path: str) -> tuple[Context, tuple[object, ...]]:
        """The game's context with what all files but one define, and what that depends on."""
        sources = [
            (other, self.texts.read(other), other in self._changes)
            for other in self._defining()
            if other != path
        ]
        stamp = tuple((other, text, mine) for other, text, mine in sources)
        kept = self._declared.get(stamp)
        if kept is not None:
            return kept, stamp
        context = game.language.context.overlay()
        for other, text, mine in sources:
            stem = stem_of(other)
            try:
                plain = text.replace("\r\n", "\n")
                functions = mine or self._known is None
                declare(context, entry_name(stem, plain), plain, functions=functions)
            except OverhaulError:
                continue  # a mistake in that file, which is reported there
        while len(self._declared) >= _KEPT:
            del self._declared[next(iter(self._declared))]
        self._declared[stamp] = context
        return context, stamp

    def _defining(self) -> Iterator[str]:
        """The sources that may define something for others."""
        for path in self.texts.paths():
            if not (is_code(path) and path.endswith(SOURCE)):
                continue
            edited = path in self._changes or self._known is None
            if edited or any(word in self.texts.read(path) for word in _DEFINING):
                yield path


def _without_code(files: Folder) -> Folder:
    """A folder whose sources are empty: their names are known, not what they say."""
    sources = [path for path in files.list() if is_code(path) and path.endswith(SOURCE)]
    return files.overlay(dict.fromkeys(sources, bytes))


def _as_game(document: Document) -> GameData:
    if not isinstance(document, GameData):
        raise TypeError(f"expected a data.win, got {document.kind}")
    return document


def _applied(document: Document, files: Folder, changes: Mapping[str, Change]) -> GameData:
    """A game with some of the changes of its folder, as packing has it when it compiles code."""
    game = _as_game(document)
    if changes:
        folder_format_of(game.kind).apply(game, files, changes)
    game.language.forget()
    game.language.names.refresh()
    return game


def _stamp_of(given: Edited) -> bytes:
    """The files that the game without its sources depends on."""
    total = hashlib.sha256()
    for path, change in given.changes.items():
        if not _is_source(path, change):
            total.update(f"{path}\0{change}\0".encode("utf-8", "surrogateescape"))
            if change != "removed" and path in given.files:
                total.update(given.files.read(path))
    total.update(json.dumps(given.files.settings, default=str, sort_keys=True).encode())
    return total.digest()


def _is_source(path: str, change: str) -> bool:
    """Whether a change is only that of a source."""
    return is_code(path) and path.endswith(SOURCE) and change == "changed"
