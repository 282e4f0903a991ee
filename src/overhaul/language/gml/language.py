"""GML as a language of a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from overhaul.document.names import escape_name
from overhaul.gml.syntax.lexer import keywords
from overhaul.language.answers import (
    Completion,
    Diagnostic,
    Edit,
    Fold,
    Hover,
    Lens,
    Renamed,
    Rules,
    Signature,
    Span,
    Symbol,
    Token,
)
from overhaul.language.edits import changed, mentions, text_at
from overhaul.language.gml import outline
from overhaul.language.gml.completing import Completer
from overhaul.language.gml.describing import Describer
from overhaul.language.gml.formatting import formatted
from overhaul.language.gml.games import Game
from overhaul.language.gml.names import SOURCE, Index, NameInFile, Objects, Target
from overhaul.language.gml.renaming import Renamer
from overhaul.language.gml.scanning import Occurrence
from overhaul.language.protocol import Proof
from overhaul.language.texts import Texts

#: the most symbols of an answer about all files
_MOST: Final = 500
_COUNTED: Final = frozenset(("function", "constructor", "macro", "enum"))


class GmlLanguage:
    """The GML of a game or a project."""

    name = "gml"

    def __init__(
        self,
        texts: Texts,
        game: Game,
        index: Index | None = None,
        objects: Objects | None = None,
        renamer: Renamer | None = None,
    ) -> None:
        self.texts = texts
        self.game = game
        self.index: Index = index or Index(texts, lambda: game.context)
        self.objects: Objects = objects or Objects(texts)
        self._describer = Describer(self.index, self.objects)
        self._completer = Completer(self.index, self.objects, self._describer)
        self._renamer = renamer or Renamer(self.index, self.objects)

    def knows(self, path: str) -> bool:
        """Files that end with ``.gml``."""
        return path.endswith(SOURCE)

    def knows_names(self, path: str) -> bool:
        """JSON files too, in which resources are named."""
        return path.endswith((SOURCE, ".json"))

    def close(self) -> None:
        """Release the game."""
        self.game.close()

    def rules(self) -> Rules:
        """The words, numbers and texts of the dialect of the game."""
        dialect = self.game.context.dialect
        return Rules(
            sorted(keywords(dialect.gml_v2)),
            "new" if dialect.gml_v2 else "old",
            "gms2" if dialect.gms2_or_later else "gms1",
            dialect.gml_v2,
        )

    def diagnostics(self, path: str) -> list[Diagnostic]:
        """The findings of packing about a file; for a project also the doubts in it."""
        return self.game.check(path, self.texts.read(path))

    def completion(self, path: str, offset: int) -> Completion:
        """The names that may stand at a place."""
        return self._completer.complete(path, self.texts.read(path), offset)

    def signature(self, path: str, offset: int) -> Signature | None:
        """The call whose arguments are written at a place."""
        return self._describer.signature_at(path, self.texts.read(path), offset)

    def _at(self, path: str, offset: int) -> tuple[NameInFile, Target] | None:
        if not path.endswith(SOURCE):
            return self._named_at(path, offset)
        found = self.index.scan(path).at(offset)
        return None if found is None else (NameInFile(path, found), self.index.target(path, found))

    def _named_at(self, path: str, offset: int) -> tuple[NameInFile, Target] | None:
        """The resource that a JSON file names at a place."""
        found = text_at(self.texts.read(path), offset)
        target = None if found is None else self.index.meaning(found[1])
        if found is None or target is None or target.what not in ("asset", "function"):
            return None
        return NameInFile(path, Occurrence(found[1], found[0], "name", 0)), target

    def hover(self, path: str, offset: int) -> Hover | None:
        """The description of the name at a place."""
        at = self._at(path, offset)
        if at is None:
            return None
        span, about = at[0].span, self._describer.about(at[1])
        return Hover(span.start, span.end, about.code, about.text)

    # -- where names are ---------------------------------------------------------------------------

    def definitions(self, path: str, offset: int) -> list[Span]:
        """The declaration; of a variable the places that set it, in the object or its nearest
        parent that does."""
        at = self._at(path, offset)
        return [] if at is None else [*self._definitions(at[1], path)]

    def _definitions(self, target: Target, path: str) -> Iterator[Span]:
        name = target.name
        match target.what:
            case "local":
                start = self.index.scan(target.path).scopes[target.scope].names[name][1]
                yield Span(target.path, start, start + len(name))
            case "function" | "macro" | "enum":
                kinds = ("function", "constructor") if target.what == "function" else (target.what,)
                for where, each in self.index.declarations(name, *kinds):
                    end = each.position + len(name) if each.until else 0
                    yield Span(where, each.position, end)
            case "member":
                for where, each in self.index.declarations(name, "member"):
                    if each.detail == target.owner:
                        yield Span(where, each.position, each.position + len(name))
            case "asset":
                yield from self._files_of(name)
            case "variable":
                yield from self._set_in(target, path)

    def _files_of(self, name: str) -> Iterator[Span]:
        """The file that describes a resource, and an object's code."""
        escaped = escape_name(name)
        for path in self.texts.paths():
            parts = path.split("/")
            is_json = path.endswith(".json") and parts[0] != "code"
            if is_json and 1 < len(parts) < 4 and parts[1] in (escaped, f"{escaped}.json"):
                yield Span(path, 0, 0)
                break
        for path in self.objects.code_of([name])[:1]:
            yield Span(path, 0, 0)

    def _set_in(self, target: Target, path: str) -> Iterator[Span]:
        declared = [
            Span(where, each.position, each.position + len(target.name))
            for where, each in self.index.declarations(target.name, "global")
        ]
        if declared:
            yield from declared
            return
        written = [place for place in self.index.uses(target) if place.occurrence.written]
        for owner in self.objects.family(self.objects.object_of(path)):
            own = [place for place in written if self.objects.object_of(place.path) == owner]
            created = [place for place in own if "create" in place.path.lower()]
            if own:
                yield from (place.span for place in created or own)
                return
        yield from (place.span for place in written)

    def references(self, path: str, offset: int, *, declaration: bool = True) -> list[Span]:
        """All places that mean the same; a resource's also in JSON files."""
        at = self._at(path, offset)
        if at is None:
            return []
        target = at[1]
        spans = [
            place.span
            for place in self.index.uses(target)
            if declaration or place.occurrence.use != "declared"
        ]
        if target.what == "asset" or (target.what == "function" and self._is_script(target.name)):
            spans += [span for span, certain in mentions(self.texts, target.name) if certain]
        return spans

    def _is_script(self, name: str) -> bool:
        return any(self.index.layout.script_of(path) == name for path in self.index.paths())

    def renameable(self, path: str, offset: int) -> Span | None:
        """The range of a name that can be renamed."""
        at = self._at(path, offset)
        if at is None:
            return None
        self._renamer.refuse(at[1])
        return at[0].span

    def rename(self, path: str, offset: int, new: str, prove: Proof) -> Renamed:
        """All edits for another name; every file is read for it."""
        for other in self.texts.paths():
            if other.endswith(SOURCE):
                self.texts.read(other)
        at = self._at(path, offset)
        if at is None:
            return Renamed([], [], [])
        return self._renamer.rename(at[1], new, prove)

    # -- the file ----------------------------------------------------------------------------------

    def symbols(self, path: str) -> list[Symbol]:
        """Functions, macros, enums and globals."""
        return [*outline.symbols(self.index, path)]

    def all_symbols(self, query: str) -> list[Symbol]:
        """The symbols of all files, the nearest first."""
        lower = query.lower()
        found = [
            symbol
            for name, places in self.index.declared.items()
            if lower in name.lower()
            for path in dict.fromkeys(path for path, _ in places)
            for symbol in outline.symbols(self.index, path)
            if symbol.name == name
        ]
        found.sort(key=lambda symbol: (not symbol.name.lower().startswith(lower), len(symbol.name)))
        return found[:_MOST]

    def format(self, path: str) -> list[Edit]:
        """Indentation and spaces."""
        text = self.texts.read(path)
        return changed(path, text, formatted(text, self.game.context.dialect))

    def tokens(self, path: str) -> list[Token]:
        """The pieces of a file with their colours."""
        return [*outline.tokens(self.index, path)]

    def folds(self, path: str) -> list[Fold]:
        """Blocks, regions and comments."""
        return outline.folds(self.texts.read(path), self.game.context.dialect)

    def lenses(self, path: str) -> list[Lens]:
        """The uses of functions, macros and enums."""
        lenses = []
        script = self.index.layout.script_of(path)
        places = [
            (declaration.name, declaration.position)
            for declaration in self.index.scan(path).declared
            if declaration.what in _COUNTED and not declaration.scope
        ]
        if script and all(name != script for name, _ in places):
            places.append((script, 0))
        for name, position in places:
            target = self.index.meaning(name)
            uses = [
                place.span
                for place in self.index.uses(target)
                if place.occurrence.use != "declared"
            ]
            word = "use" if len(uses) == 1 else "uses"
            end = position + (len(name) if (name, position) != (script, 0) else 0)
            lenses.append(Lens(position, end, f"{len(uses)} {word}", uses))
        return lenses
