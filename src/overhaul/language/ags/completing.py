"""The names that may stand at a place of a script, and the arguments of calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from overhaul.ags.folder.code import SOURCE
from overhaul.ags.language import symbols as s
from overhaul.language.ags.names import ScriptNames, shown
from overhaul.language.ags.scanning import WORDS, pieces
from overhaul.language.answers import Completion, Kind, Parameter, Proposal, Signature

#: the most names of an answer
MOST: Final = 300
_WORD: Final = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_DOT: Final = re.compile(r"[\w)\]]\s*\.\s*\Z")
_SKIPPED: Final = frozenset(("comment", "string", "directive", "number"))
#: how much of a text before a place is looked at for a call
_BEFORE: Final = 1 << 14


class Completer:
    """Knows the names of a folder's scripts."""

    def __init__(self, names: ScriptNames) -> None:
        self._names = names

    def complete(self, path: str, text: str, offset: int) -> Completion:
        """The names that may stand at a place; none in comments and strings."""
        word = _WORD.search(text[max(0, offset - 256) : offset])
        begun = word[0] if word is not None else ""
        start = end = offset - len(begun)
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        if _is_skipped(text, offset):
            return Completion(start, end, [])
        if _DOT.search(text[max(0, start - 256) : start]):
            owner = self._names.type_before(path, text, start)
            items = self._members(path, owner)
        else:
            items = self._plain(path, offset)
        lower = begun.lower()
        found: dict[str, Proposal] = {}
        for item in items:
            if lower in item.name.lower():
                found.setdefault(item.name, item)
        ranked = sorted(
            found.values(),
            key=lambda each: (
                not each.name.startswith(begun),
                not each.name.lower().startswith(lower),
            ),
        )
        return Completion(start, end, ranked[:MOST], len(ranked) > MOST)

    def _members(self, path: str, owner: str) -> Iterator[Proposal]:
        for member in self._names.members(path, owner):
            yield Proposal(member.name, "method" if member.is_function else "field", member.text)

    def _plain(self, path: str, offset: int) -> Iterator[Proposal]:
        scope = self._names.scan(path).scope_at(offset)
        for name, (what, kind, _) in (scope.names if scope is not None else {}).items():
            yield Proposal(name, "parameter" if what == "parameter" else "local", f"{kind} {name}")
        for own in self._names.game.files_of(path):
            for declaration in self._names.scan(own).declared:
                if declaration.owner or (declaration.what == "member" and declaration.type):
                    continue
                yield Proposal(
                    declaration.name,
                    _KINDS[declaration.what],
                    f"{declaration.type} {declaration.name}{declaration.detail}",
                )
        known = self._names.known(path)
        if known is not None:
            for name, symbol in known.names.symbols.items():
                if "::" not in name:
                    yield Proposal(name, _kind_of(symbol), shown(known.names, name, symbol))
            for name, value in known.macros.items():
                yield Proposal(name, "macro", f"#define {name} {value}")
        for word in sorted(WORDS):
            yield Proposal(word, "keyword")

    # -- calls -------------------------------------------------------------------------------------

    def signature(self, path: str, text: str, offset: int) -> Signature | None:
        """The call whose arguments are written at a place."""
        begin = max(0, offset - _BEFORE)
        begin = text.rfind("\n", 0, begin) + 1
        calls: list[tuple[str, int, int]] = []
        name, at = "", -1
        for piece in pieces(text[begin:offset]):
            if piece.role in ("comment", "space"):
                continue
            if piece.text in ("(", "["):
                calls.append((name if piece.text == "(" else "", at, 0))
            elif piece.text in (")", "]"):
                if calls:
                    calls.pop()
            elif piece.text in (";", "{", "}"):
                calls.clear()
            elif piece.text == "," and calls:
                called, where, count = calls[-1]
                calls[-1] = called, where, count + 1
            name, at = (piece.text, begin + piece.position) if piece.role == "name" else ("", -1)
        for called, where, count in reversed(calls):
            if called:
                said = self.shape(path, text, called, where)
                return None if "(" not in said else _signature(said, count)
        return None

    def shape(self, path: str, text: str, name: str, at: int) -> str:
        """How a name at a place is declared; "" for one that is not known."""
        names = self._names
        if text[:at].rstrip().endswith("."):
            owner = names.type_before(path, text, at)
            members = (member for member in names.members(path, owner) if member.name == name)
            found = next(members, None)
            return "" if found is None else found.text
        scope = names.scan(path).scope_at(at)
        if scope is not None and name in scope.names:
            return f"{scope.names[name][1]} {name}"
        home = names.home(path, name)
        files = [home + SOURCE] if home else []
        for own in (*files, *names.game.files_of(path)):
            for declaration in names.scan(own).declared:
                is_member = declaration.owner or (declaration.what == "member" and declaration.type)
                if declaration.name == name and not is_member:
                    return _written(declaration.what, declaration.type, name, declaration.detail)
        known = names.known(path)
        if known is None:
            return ""
        if name in known.macros:
            return f"#define {name} {known.macros[name]}"
        symbol = known.names.symbols.get(name)
        return "" if symbol is None else shown(known.names, name, symbol)


def _written(what: str, kind: str, name: str, detail: str) -> str:
    if what == "macro":
        return f"#define {name} {detail}"
    if what in ("struct", "enum"):
        return f"{what} {name}"
    if what == "member":
        return f"{detail}.{name}"
    return f"{kind} {name}{detail}"


_KINDS: Final[dict[str, Kind]] = {
    "function": "function", "variable": "variable", "struct": "struct", "enum": "enum",
    "member": "member", "macro": "macro", "local": "local", "parameter": "parameter",
}  # fmt: skip


def _kind_of(symbol: object) -> Kind:
    if isinstance(symbol, s.Function):
        return "builtin"
    if isinstance(symbol, s.NamedType):
        return "struct" if symbol.struct else "enum"
    return "constant" if isinstance(symbol, s.Constant) else "variable"


def _is_skipped(text: str, offset: int) -> bool:
    """Whether a place is in a comment, a string, a number or a directive."""
    for piece in pieces(text):
        end = piece.position + len(piece.text)
        if piece.position < offset <= end and piece.role in _SKIPPED:
            closed = piece.role == "string" and len(piece.text) > 1 and piece.text[-1] in "\"'"
            closed = closed or (piece.text.startswith("/*") and piece.text.endswith("*/"))
            return offset < end or not closed
        if piece.position >= offset:
            return False
    return False


def _signature(text: str, active: int) -> Signature:
    start = text.index("(") + 1
    parameters: list[Parameter] = []
    depth, at = 0, start
    for position in range(start, len(text)):
        char = text[position]
        if char in "([":
            depth += 1
        elif char in ")]" and depth:
            depth -= 1
        elif (char == "," and not depth) or char == ")":
            piece = text[at:position]
            if piece.strip():
                begin = at + len(piece) - len(piece.lstrip())
                parameters.append(Parameter(begin, begin + len(piece.strip())))
            at = position + 1
            if char == ")":
                break
    if parameters and active >= len(parameters) and text[parameters[-1].start :].startswith("..."):
        active = len(parameters) - 1
    return Signature(text, parameters, active)
