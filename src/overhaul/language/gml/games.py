"""The game around GML files: what it has besides them, and what compiling a file says.

Mistakes and doubts are those of ``pack``: a file that was edited is compiled as packing compiles
it, against the kept original with all other edits.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cached_property
from typing import Final, Protocol

from overhaul.document.names import unescape_name
from overhaul.errors import OverhaulError, SourceError
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.code import is_code, stem_of
from overhaul.gml.context import ASSET_KINDS, Context, UnknownName
from overhaul.gml.dialect import Dialect
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.vm.code import Code
from overhaul.language.answers import Diagnostic
from overhaul.language.gml.names import Index
from overhaul.language.gml.project_checks import ProjectChecker
from overhaul.language.places import diagnostic
from overhaul.language.texts import Lines, Texts

#: the properties that the compilers of Game Maker 5 to 8.1 share with the first one that is known
_PROJECT_DIALECT: Final = Dialect.for_version(8, (1, 0, 0, 0))


class Game(Protocol):
    """The facts about a game besides its sources."""

    @property
    def context(self) -> Context:
        """Its dialect, assets, functions and built-in names."""
        ...

    def check(self, path: str, text: str) -> list[Diagnostic]:
        """The findings of ``pack`` about a file with this text: mistakes, or doubts."""
        ...

    def close(self) -> None:
        """Release the files that it opened."""
        ...


class Result:
    """The result of compiling a file: reports, or code with doubts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mistakes: list[SourceError] = []
        self.code: Code | None = None

    def diagnostics(
        self, given: Collection[str], said: dict[tuple[str, bool], str] | None = None
    ) -> list[Diagnostic]:
        """The reports; doubts about names that other files give to something are none.

        ``said`` has what was said of unknown names in the same surroundings: what a name may have
        meant takes long to find.
        """
        lines = Lines(self.text)
        if self.code is None:
            return [
                diagnostic("error", mistake.message, mistake.line, mistake.column, lines)
                for mistake in self.mistakes
            ]
        found = []
        for unknown in self.code.unknown:
            if unknown.name in given:
                continue
            message = ""
            if said is not None and isinstance(unknown, UnknownName):
                key = unknown.name, unknown.called
                message = said[key] = said.get(key) or unknown.message
            message = message or unknown.message
            found.append(diagnostic("warning", message, unknown.line, unknown.column, lines))
        return found


def mistakes_in(error: OverhaulError) -> list[SourceError]:
    """The mistakes that compiling reported; one without a place for what is none of the source."""
    if isinstance(error, SyntaxError_):
        return error.errors
    return [error if isinstance(error, SourceError) else SourceError(str(error))]


class OpenGame:
    """A compiled game that is open, whose code is edited."""

    def __init__(self, game: GameData) -> None:
        self.game = game

    @property
    def context(self) -> Context:
        """The context of the game's language tools."""
        return self.game.language.context

    def close(self) -> None:
        """Nothing: who opened the game closes it."""

    def is_known(self, path: str) -> bool:
        """Whether the source in a file was decompiled before; other files always are."""
        if not is_code(path):
            return True
        entry = self.game.records.code.get(unescape_name(stem_of(path)))
        return entry is None or self.game.language.decompiled.knows(entry)

    def check(self, path: str, text: str) -> list[Diagnostic]:
        """Compile a text in the place of an entry's; the game does not change."""
        result = Result(text)
        name = unescape_name(stem_of(path)) if is_code(path) else path
        entry = self.game.records.code.get(name)
        if entry is None:
            return []
        try:
            result.code = self.game.language.compile(name, text.replace("\r\n", "\n").rstrip("\n"))
            result.code.to_bytes()
        except OverhaulError as error:
            result.code, result.mistakes = None, mistakes_in(error)
        return result.diagnostics(())


class ProjectGame:
    """A project of Game Maker 5 to 8.1 as its folder shows it, whose code packing does not
    compile: what is doubtful in it is reported to editors only."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._context: Context | None = None
        self._seen = -1

    @property
    def context(self) -> Context:
        """The resources by the names of their files, and the constants."""
        changes = self.texts.changes
        fresh = self._seen >= 0 and all(path.endswith(".gml") for path in changes[self._seen :])
        self._seen = len(changes)
        if self._context is None or not fresh:
            self._context = self._made()
        return self._context

    def _made(self) -> Context:
        context = Context(_PROJECT_DIALECT)
        counts: dict[str, int] = {}
        for path in self.texts.paths():
            plural, _, rest = path.partition("/")
            kind = BY_PLURAL[plural].singular if plural in BY_PLURAL else ""
            name = unescape_name(rest.partition("/")[0].partition(".")[0])
            if kind in ASSET_KINDS and name and name not in context.asset_ids:
                context.add_asset(kind, counts.get(kind, 0), name)
                counts[kind] = counts.get(kind, 0) + 1
        if "constants.json" in self.texts:
            for row in _rows(self.texts.read("constants.json")):
                constant, value = row.get("name"), row.get("value")
                if isinstance(constant, str) and isinstance(value, str):
                    context.add_macro(constant, value)
        return context

    @cached_property
    def index(self) -> Index:
        """The names in its files."""
        return Index(self.texts, lambda: self.context)

    @cached_property
    def _checker(self) -> ProjectChecker:
        return ProjectChecker(self.texts, self.index)

    def check(self, path: str, text: str) -> list[Diagnostic]:
        """Doubts only, as packing takes any text as code."""
        return self._checker.check(path, text)

    def close(self) -> None:
        """Nothing is open."""


def _rows(text: str) -> list[dict[str, object]]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return []  # while somebody edits it
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
