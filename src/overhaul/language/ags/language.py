"""The script of Adventure Game Studio as a language of a workspace."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from overhaul.ags.folder.code import HEADER, SOURCE
from overhaul.errors import WorkspaceError
from overhaul.language.ags.completing import Completer
from overhaul.language.ags.formatting import formatted
from overhaul.language.ags.games import SCRIPTS, AgsScripts
from overhaul.language.ags.names import ScriptNames, Target
from overhaul.language.ags.renaming import Renamer
from overhaul.language.ags.scanning import WORDS, Occurrence, pieces
from overhaul.language.answers import (
    Completion,
    Diagnostic,
    Edit,
    Fold,
    Hover,
    Kind,
    Lens,
    Renamed,
    Role,
    Rules,
    Signature,
    Span,
    Symbol,
    Token,
)
from overhaul.language.edits import changed
from overhaul.language.protocol import Proof
from overhaul.language.texts import Lines, Texts

_MOST: Final = 500
_KINDS: Final[dict[str, Kind]] = {
    "function": "function", "variable": "variable", "struct": "struct", "enum": "enum",
    "member": "member", "macro": "macro",
}  # fmt: skip
_ROLES: Final[dict[str, Role]] = {
    "local": "local", "own": "name", "type": "type", "member": "field", "known": "builtin",
    "unknown": "name",
}  # fmt: skip


class AgsLanguage:
    """The scripts, their headers and the lines of dialogs in an unpacked folder."""

    name = "ags"

    def __init__(self, texts: Texts, game: AgsScripts) -> None:
        self.texts = texts
        self.game = game
        self.names: ScriptNames = ScriptNames(texts, game)
        self._completer = Completer(self.names)
        self._renamer = Renamer(self.names)

    def knows(self, path: str) -> bool:
        """Files that end with ``.asc``, ``.ash`` or ``.ads``."""
        return path.endswith(SCRIPTS)

    def knows_names(self, path: str) -> bool:
        """Only its own files."""
        return self.knows(path)

    def close(self) -> None:
        """Release the game."""
        self.game.close()

    def rules(self) -> Rules:
        """The words, numbers and texts of scripts."""
        return Rules(sorted(WORDS), "ags", "ags")

    def diagnostics(self, path: str) -> list[Diagnostic]:
        """The findings of packing about a file: the compiler stops at the first mistake of a
        script."""
        return self.game.check(path)

    def completion(self, path: str, offset: int) -> Completion:
        """The names that may stand at a place."""
        return self._completer.complete(path, self.texts.read(path), offset)

    def signature(self, path: str, offset: int) -> Signature | None:
        """The call whose arguments are written at a place."""
        return self._completer.signature(path, self.texts.read(path), offset)

    def _at(self, path: str, offset: int) -> tuple[Occurrence, Target] | None:
        found = self.names.scan(path).at(offset)
        return None if found is None else (found, self.names.target(path, found))

    def hover(self, path: str, offset: int) -> Hover | None:
        """The description of the name at a place."""
        at = self._at(path, offset)
        if at is None:
            return None
        found, target = at
        text = self.texts.read(path)
        code = self._completer.shape(path, text, found.name, found.position) or found.name
        said = {
            "local": "variable of this function",
            "own": f"in {target.path}{SOURCE}",
            "type": "declared by these scripts",
            "member": f"member of {target.owner}" if target.owner else "member of a struct",
            "known": "declared by the editor or for the game's things",
            "unknown": "not declared",
        }[target.what]
        return Hover(found.position, found.position + len(found.name), code, said)

    # -- where names are ---------------------------------------------------------------------------

    def definitions(self, path: str, offset: int) -> list[Span]:
        """The declaration: of one of the scripts' own names where it has a body."""
        at = self._at(path, offset)
        if at is None:
            return []
        target = at[1]
        if target.what == "local":
            scope = self.names.scan(target.path).scopes[target.scope]
            start = scope.names[target.name][2]
            return [Span(target.path, start, start + len(target.name))]
        if target.what == "own":
            return [
                Span(where, each.position, each.position + len(each.name))
                for where, each in self.names.declarations(target)
                if not each.imported
            ]
        if target.what in ("member", "type"):
            spans = [
                self.names.span(own, each) for own, each in self.names.uses(target) if each.declared
            ]
            near = {*self.game.files_of(path)}
            return [span for span in spans if span.path in near] or spans
        return []

    def references(self, path: str, offset: int, *, declaration: bool = True) -> list[Span]:
        """All places that mean the same."""
        at = self._at(path, offset)
        if at is None or at[1].what == "unknown":
            return []
        spans = [
            self.names.span(where, each)
            for where, each in self.names.uses(at[1])
            if declaration or not each.declared
        ]
        return [*spans, *self.names.events(at[1])]

    def renameable(self, path: str, offset: int) -> Span | None:
        """The range of a name that can be renamed."""
        self._refuse()
        at = self._at(path, offset)
        if at is None:
            return None
        self._renamer.refuse(at[1])
        return self.names.span(path, at[0])

    def rename(self, path: str, offset: int, new: str, prove: Proof) -> Renamed:
        """All edits for another name."""
        self._refuse()
        at = self._at(path, offset)
        if at is None:
            return Renamed([], [], [])
        return self._renamer.rename(at[1], new, prove)

    def _refuse(self) -> None:
        """Raise WorkspaceError where nothing can be renamed."""
        if self.game.refused:
            raise WorkspaceError(self.game.refused)

    # -- the file ----------------------------------------------------------------------------------

    def symbols(self, path: str) -> list[Symbol]:
        """Functions, variables, structs and enums with their members, macros."""
        return [
            Symbol(
                declaration.name,
                _KINDS[declaration.what],
                path,
                declaration.position,
                declaration.position + len(declaration.name),
                declaration.begin,
                declaration.until,
                declaration.detail if declaration.what == "member" else "",
            )
            for declaration in self.names.scan(path).declared
        ]

    def all_symbols(self, query: str) -> list[Symbol]:
        """The symbols of all scripts, the nearest first."""
        lower = query.lower()
        found = [
            symbol
            for path in self.names.paths()
            if not path.endswith(HEADER)
            for symbol in self.symbols(path)
            if lower in symbol.name.lower()
        ]
        found.sort(key=lambda symbol: (not symbol.name.lower().startswith(lower), len(symbol.name)))
        return found[:_MOST]

    def format(self, path: str) -> list[Edit]:
        """Indentation and spaces of a script or a header: every line stays, as the engine reports
        lines; nothing in dialogs, whose spaces mean something."""
        if not path.endswith((SOURCE, HEADER)):
            return []
        text = self.texts.read(path)
        return changed(path, text, formatted(text))

    def tokens(self, path: str) -> list[Token]:
        """The pieces of a file with their colours."""
        places = {
            occurrence.position: occurrence for occurrence in self.names.scan(path).occurrences
        }
        found = []
        for piece in pieces(self.texts.read(path)):
            if piece.role == "space":
                continue
            role: Role = piece.role
            if piece.role == "name":
                each = places.get(piece.position)
                role = "name" if each is None else self._role(path, each)
            found.append(Token(piece.position, piece.position + len(piece.text), role))
        return found

    def _role(self, path: str, occurrence: Occurrence) -> Role:
        if occurrence.dotted:
            return "field"
        target = self.names.target(path, occurrence)
        if target.what == "own" and any(
            each.what == "function" for _, each in self.names.declarations(target)
        ):
            return "function"
        return _ROLES[target.what]

    def folds(self, path: str) -> list[Fold]:
        """The blocks in braces, and comments of several lines."""
        text = self.texts.read(path)
        lines = Lines(text)
        found: list[Fold] = []
        opened: list[int] = []
        for piece in pieces(text):
            line = bisect_right(lines.starts, piece.position)
            if piece.role == "comment":
                last = bisect_right(lines.starts, piece.position + len(piece.text) - 1)
                if last > line:
                    found.append(Fold(line, last, True))
            elif piece.text == "{":
                opened.append(line)
            elif piece.text == "}" and opened:
                first = opened.pop()
                if line > first:
                    found.append(Fold(first, line))
        return sorted(found, key=lambda fold: (fold.first, -fold.last))

    def lenses(self, path: str) -> list[Lens]:
        """The uses of functions."""
        lenses = []
        for declaration in self.names.scan(path).declared:
            if declaration.what != "function" or declaration.imported or not path.endswith(SOURCE):
                continue
            target = Target("own", declaration.name, path[: -len(SOURCE)])
            if declaration.owner:
                target = Target("member", declaration.name, owner=declaration.owner)
            uses = [
                self.names.span(where, one)
                for where, one in self.names.uses(target)
                if not one.declared
            ]
            uses += self.names.events(target)
            word = "use" if len(uses) == 1 else "uses"
            end = declaration.position + len(declaration.name)
            lenses.append(Lens(declaration.position, end, f"{len(uses)} {word}", uses))
        return lenses
