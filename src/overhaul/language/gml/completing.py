"""The names that may stand at a place of a GML source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from overhaul.errors import OverhaulError
from overhaul.gml.syntax.lexer import keywords
from overhaul.gml.syntax.marking import Piece, pieces
from overhaul.language.answers import Completion, Kind, Proposal
from overhaul.language.gml.describing import Describer
from overhaul.language.gml.names import WORDS, Index, Objects
from overhaul.language.gml.scanning import Scan

#: the most names of an answer
MOST: Final = 300
_WORD: Final = re.compile(r"[A-Za-z_]\w*\Z")
_OWNER: Final = re.compile(r"([A-Za-z_]\w*)\s*\.\s*\Z")
_DOT: Final = re.compile(r"[\w)\]]\s*\.\s*\Z")
_SKIPPED: Final = frozenset(("comment", "string", "number"))


class Completer:
    """Knows the names of a game."""

    def __init__(self, index: Index, objects: Objects, describer: Describer) -> None:
        self._index = index
        self._objects = objects
        self._describer = describer

    def complete(self, path: str, text: str, offset: int) -> Completion:
        """The names that may stand at a place; none in comments and strings."""
        line = text[text.rfind("\n", 0, offset) + 1 : offset]
        word = _WORD.search(line)
        begun = word[0] if word is not None else ""
        start = offset - len(begun)
        end = offset
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        if self._is_skipped(text, start, offset):
            return Completion(start, end, [])
        before = line[: len(line) - len(begun)]
        if _DOT.search(before):
            owner = _OWNER.search(before)
            items = self._members(path, owner[1] if owner is not None else "", begun)
        else:
            items = self._names(path, offset, begun)
        found: dict[str, Proposal] = {}
        for item in items:
            if item.name != begun or len(begun) > 1:
                found.setdefault(item.name, item)
        ranked = _ranked(found.values(), begun)
        return Completion(start, end, ranked[:MOST], len(ranked) > MOST)

    def _is_skipped(self, text: str, start: int, offset: int) -> bool:
        """Whether a place is in a comment, a string or a number."""
        dialect = self._index.context().dialect
        # Most places are found by the line above: a text without quotes and comments before.
        head = text[:offset]
        if not any(mark in head for mark in ("//", "/*", '"', "'")):
            return bool(head[:start][-1:].isdigit())
        for piece in pieces(text, dialect):
            stop = piece.position + len(piece.text)
            if piece.position < offset <= stop and piece.role in _SKIPPED:
                return offset < stop or not _is_closed(piece)
            if piece.position >= offset:
                return False
        return False

    # -- members -----------------------------------------------------------------------------------

    def _members(self, path: str, owner: str, begun: str) -> Iterator[Proposal]:
        """The names behind a dot."""
        index = self._index
        if owner and index.is_enum(owner):
            for name in index.members(owner):
                yield Proposal(name, "member", f"{owner}.{name}")
            return
        if owner == "global":
            yield from self._globals()
            return
        own = self._own(path) if owner in ("self", "") else ()
        context = index.context()
        asset = context.asset_id(owner) if owner else None
        if asset is not None and asset[0] == "object":
            own = self._of_objects([*self._objects.family(owner)], owner)
        yield from own
        for name, variable in context.builtin_variables.items():
            if not variable.is_global and _fits(name, begun):
                yield Proposal(name, "builtin", self._describer.about(index.meaning(name)).text)
        yield from self._fields(begun)

    def _globals(self) -> Iterator[Proposal]:
        names = set()
        for path in self._index.paths():
            if "global" not in self._index.names(path):
                continue
            for occurrence in self._index.scan(path).occurrences:
                if occurrence.use == "field" and occurrence.owner == "global":
                    names.add(occurrence.name)
        for name in sorted(names):
            yield Proposal(name, "variable", "global variable")

    def _fields(self, begun: str) -> Iterator[Proposal]:
        """All names that follow a dot, or are set, somewhere."""
        names: dict[str, int] = {}
        for path in self._index.paths():
            try:
                found = self._index.fields(path)
            except OverhaulError:
                continue
            for name, count in found.items():
                if _fits(name, begun):
                    names[name] = names.get(name, 0) + count
        for name in sorted(names, key=lambda name: -names[name]):
            yield Proposal(name, "field", "variable of the game")

    # -- names -------------------------------------------------------------------------------------

    def _names(self, path: str, offset: int, begun: str) -> Iterator[Proposal]:
        index, context = self._index, self._index.context()
        yield from self._locals(index.scan(path), offset)
        yield from self._own(path)
        for name, found in index.declared.items():
            if _fits(name, begun):
                yield from self._declared(name, {each.what for _, each in found})
        for name in context.functions:
            if _fits(name, begun):
                yield Proposal(name, "function", self._describer.shape(name))
        for name, (kind, _) in context.asset_ids.items():
            if name.isidentifier() and _fits(name, begun):
                yield Proposal(name, "asset", kind.replace("_", " "))
        for name, text in context.macros.items():
            if _fits(name, begun):
                yield Proposal(name, "constant", text)
        for name in context.globals:
            yield Proposal(name, "variable", "global variable")
        for name in context.extension_functions:
            if _fits(name, begun) and name.isidentifier():
                yield Proposal(name, "function", self._describer.shape(name))
        yield from self._builtins(begun)
        for word in (*keywords(context.dialect.gml_v2), *WORDS):
            yield Proposal(word, "keyword", WORDS.get(word, ""))
        if begun:
            yield from self._fields(begun)

    def _declared(self, name: str, kinds: set[str]) -> Iterator[Proposal]:
        if "function" in kinds or "constructor" in kinds:
            kind: Kind = "struct" if "constructor" in kinds else "function"
            yield Proposal(name, kind, self._describer.shape(name))
        elif "macro" in kinds:
            yield Proposal(name, "macro", self._describer.about(self._index.meaning(name)).code)
        elif "enum" in kinds:
            yield Proposal(name, "enum", "enum")
        elif "global" in kinds:
            yield Proposal(name, "variable", "global variable")

    def _builtins(self, begun: str) -> Iterator[Proposal]:
        context = self._index.context()
        other = "gms1" if context.dialect.gms2_or_later else "gms2"
        for name, variable in context.builtin_variables.items():
            if _fits(name, begun):
                said = "of the game" if variable.is_global else "of each instance"
                yield Proposal(name, "builtin", f"built-in variable {said}")
        if not begun:
            return
        for name, function in context.builtin_functions.items():
            if _fits(name, begun) and function.generation != other and name.isidentifier():
                yield Proposal(name, "builtin", self._describer.builtin(function))
        for name, constant in context.builtin_constants.items():
            if _fits(name, begun) and constant.generation != other:
                yield Proposal(name, "constant", f"{name} = {constant.value}")

    def _locals(self, scan: Scan, offset: int) -> Iterator[Proposal]:
        scope = scan.scope_at(offset)
        for name, (what, _) in scope.names.items():
            yield Proposal(
                name, "parameter" if what == "parameter" else "local", f"{what} variable"
            )

    def _own(self, path: str) -> Iterator[Proposal]:
        """The variables of the object whose code a file is, and of its parents."""
        owner = self._objects.object_of(path)
        if owner:
            yield from self._of_objects([*self._objects.family(owner)], owner)
            return
        for occurrence in self._index.scan(path).occurrences:
            if (
                occurrence.use == "name"
                and occurrence.written
                and self._is_variable(occurrence.name)
            ):
                yield Proposal(occurrence.name, "variable", "variable")

    def _of_objects(self, family: list[str], owner: str) -> Iterator[Proposal]:
        for name in family:
            detail = f"variable of {name}" + ("" if name == owner else f", a parent of {owner}")
            for path in self._objects.code_of([name]):
                scan = self._index.scan(path)
                for occurrence in scan.occurrences:
                    own = occurrence.use in ("name", "declared") or occurrence.owner == "self"
                    if not own or not occurrence.written or scan.is_local(occurrence):
                        continue
                    if self._is_variable(occurrence.name):
                        yield Proposal(occurrence.name, "variable", detail)

    def _is_variable(self, name: str) -> bool:
        return self._index.meaning(name).what == "variable"


def _is_closed(piece: Piece) -> bool:
    """Whether a comment or a string ends with its last character."""
    if piece.role == "comment":
        return piece.text.startswith("/*") and piece.text.endswith("*/") and len(piece.text) > 3
    opening = piece.text.lstrip("@$")[:1]
    return piece.role == "string" and piece.text.endswith(opening) and len(piece.text) > 1


def _fits(name: str, begun: str) -> bool:
    """Whether a name has the letters that were typed: at its beginning, or anywhere in it."""
    return not begun or begun.lower() in name.lower()


def _ranked(items: Iterable[Proposal], begun: str) -> list[Proposal]:
    """The matches, prefix matches first."""
    lower = begun.lower()
    fitting = [item for item in items if _fits(item.name, begun)]

    def rank(item: Proposal) -> int:
        name = item.name
        if name.startswith(begun):
            return 0
        if name.lower().startswith(lower):
            return 1
        return 2 if f"_{lower}" in name.lower() else 3

    return sorted(fitting, key=rank)
