"""The names in a GML source, with the functions around them, whatever is wrong with the source."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias

from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import END, MACRO, NAME, STRING, TEMPLATE, Tokens, tokenize

#: ``key``: of a struct literal; ``declared``: where a name is given to something.
Use: TypeAlias = Literal["name", "field", "key", "declared"]
#: The declarations for other code too, and the declarations in a function.
What: TypeAlias = Literal[
    "function", "constructor", "macro", "enum", "member", "global", "local", "parameter", "static",
    "variable",
]  # fmt: skip

_MACRO_HEAD: Final = re.compile(r"#macro[ \t]+(?:(\w+):)?(\w+)")
_ASSIGNS: Final = frozenset(
    ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "??=", "++", "--")
)
_OPENING: Final = frozenset(("(", "[", "{", "[|", "[?", "[#", "[@", "[$"))
_CLOSING: Final = frozenset((")", "]", "}"))
_LISTS: Final[dict[str, What]] = {"var": "local", "static": "static", "globalvar": "global"}
#: the tokens that end the names after ``var``, besides a semicolon
_STATEMENTS: Final = frozenset(
    ("if", "switch", "break", "continue", "exit", "return", "while", "for", "repeat", "do",
     "with", "var", "globalvar", "enum", "try", "throw", "delete", "static", "case", "default")
)  # fmt: skip
#: braces with expressions in one template string that are looked into
_FIELDS: Final = 1000
_DEEPEST: Final = 20


class Occurrence(NamedTuple):
    """A name in a source.

    ``scope`` is the number of its function, ``owner`` the name in front of its dot ("" for none,
    and for other expressions), ``written`` whether it is assigned to.
    """

    name: str
    position: int
    use: Use
    scope: int
    owner: str = ""
    written: bool = False


class Declaration(NamedTuple):
    """Something that a source declares: its name at ``position``, the whole of it from ``begin``
    to ``until``; ``detail``: the parameters of a function, the text of a macro, the enum of a
    member."""

    what: What
    name: str
    position: int
    begin: int
    until: int
    detail: str = ""
    scope: int = 0


class Scope:
    """A function, or the code around all of them (number 0)."""

    __slots__ = ("end", "name", "names", "number", "outer", "parameters", "start")

    def __init__(self, number: int, outer: int, start: int, name: str = "") -> None:
        self.number = number
        self.outer = outer
        self.start: int = start
        self.end = -1
        self.name: str = name
        self.parameters: list[str] = []
        #: its declarations: the kind of each name, and its place
        self.names: dict[str, tuple[What, int]] = {}


class Scan(NamedTuple):
    """The names in a source. ``texts``: its strings, with their places."""

    occurrences: list[Occurrence]
    scopes: list[Scope]
    declared: list[Declaration]
    texts: list[tuple[int, str]]

    def scope_at(self, offset: int) -> Scope:
        """The innermost function around a place."""
        found = self.scopes[0]
        for scope in self.scopes[1:]:
            if scope.start <= offset <= scope.end and scope.start >= found.start:
                found = scope
        return found

    def at(self, offset: int) -> Occurrence | None:
        """The name at a place, or that ends there."""
        found = None
        for occurrence in self.occurrences:
            if occurrence.position <= offset <= occurrence.position + len(occurrence.name):
                found = occurrence
                if offset < occurrence.position + len(occurrence.name):
                    return occurrence
        return found

    def is_local(self, occurrence: Occurrence) -> bool:
        """Whether a name is a variable of its function: declared in it, or a parameter."""
        if occurrence.use not in ("name", "declared"):
            return False
        known = self.scopes[occurrence.scope].names.get(occurrence.name)
        return known is not None and known[0] != "static"


def scan(source: str, dialect: Dialect) -> Scan:
    """Find the names in a source."""
    scanner = _Scanner(source, dialect)
    scanner.run(0, len(source), 0)
    for scope in scanner.scopes:
        if scope.end < 0:
            scope.end = len(source)
    scanner.occurrences.sort(key=lambda each: each.position)
    return Scan(scanner.occurrences, scanner.scopes, scanner.declared, scanner.texts)


class _Scanner:
    """Goes through the tokens of a source once."""

    def __init__(self, source: str, dialect: Dialect) -> None:
        self.source = source
        self.gms2: bool = dialect.gms2_or_later
        self.v2: bool = dialect.gml_v2
        self.occurrences: list[Occurrence] = []
        self.scopes: list[Scope] = [Scope(0, -1, 0)]
        self.declared: list[Declaration] = []
        self.texts: list[tuple[int, str]] = []
        self.scope = self.scopes[0]
        self.depth = 0

    def tokens(self, start: int, end: int) -> Tokens:
        problems = ProblemList(self.source)
        return tokenize(self.source, problems, gms2=self.gms2, v2=self.v2, start=start, end=end)

    def run(self, start: int, end: int, depth: int) -> None:
        """The names between two offsets; ``depth`` counts the strings around them."""
        _Run(self, self.tokens(start, end), depth).run()

    def template(self, position: int, text: str, depth: int) -> None:
        """The expressions in a template string."""
        at, fields = position + 2, 0
        last = position + len(text) - 1
        source = self.source
        while at < last and fields < _FIELDS and depth < _DEEPEST:
            if source[at] == "\\":
                at += 2
            elif source[at] == "{":
                close = self._closing(at + 1, last)
                self.run(at + 1, close, depth + 1)
                fields += 1
                at = close + 1
            else:
                at += 1

    def _closing(self, start: int, end: int) -> int:
        """The offset of the brace that closes an expression in a template string."""
        tokens = self.tokens(start, end)
        open_braces = 0
        for kind, position in zip(tokens.kinds, tokens.positions, strict=True):
            if kind == "{":
                open_braces += 1
            elif kind == "}":
                if not open_braces:
                    return position
                open_braces -= 1
        return end

    def declare(self, what: What, name: str, position: int, scope: Scope) -> None:
        scope.names.setdefault(name, (what, position))


class _Brace(NamedTuple):
    """An open bracket: its token, and the function whose body it opens."""

    kind: str
    scope: Scope | None
    function: int = -1


class _Run:
    """One pass over a list of tokens."""

    def __init__(self, scanner: _Scanner, tokens: Tokens, depth: int) -> None:
        self.scanner = scanner
        self.kinds: list[str] = tokens.kinds
        self.values: list[str] = tokens.values
        self.positions: list[int] = tokens.positions
        self.depth = depth
        self.braces: list[_Brace] = []
        #: the kind of declaration whose names are read, and how many brackets were open then
        self.listing: tuple[What, int] | None = None
        self.waiting: list[tuple[Scope, int, int]] = []  # functions whose body has not begun
        self.headers = 0  # of functions, which are being read

    def run(self) -> None:
        kinds = self.kinds
        at = 0
        while kinds[at] != END:
            at = self._step(at, kinds[at])

    def _step(self, at: int, kind: str) -> int:
        scanner = self.scanner
        if kind == NAME:
            self._name(at)
        elif self.kinds[at + 1] == ":" and at and self.kinds[at - 1] in ("{", ","):
            pass  # a word of the language as the key of a struct
        elif kind == MACRO:
            self._macro(at)
        elif kind == STRING:
            scanner.texts.append((self.positions[at], self.values[at]))
        elif kind == TEMPLATE:
            scanner.texts.append((self.positions[at], self.values[at]))
            scanner.template(self.positions[at], self.values[at], self.depth)
        elif kind in _OPENING:
            self._open(at, kind)
        elif kind in _CLOSING:
            self._close(at)
        elif kind == ";":
            self.listing = None
        elif kind in ("var", "static", "globalvar"):
            self.listing = (_LISTS[kind], len(self.braces))
            return self._listed(at + 1)
        elif kind == "," and self.listing is not None and self.listing[1] == len(self.braces):
            return self._listed(at + 1)
        elif kind == "enum":
            return self._enum(at)
        elif kind == "function":
            return self._function(at)
        elif kind == "catch":
            self._catch(at)
        elif kind in _STATEMENTS:
            self.listing = None
        return at + 1

    def _listed(self, at: int) -> int:
        """The name that ``var`` and its like declare at a token."""
        if self.listing is None or self.kinds[at] != NAME:
            return at
        what = self.listing[0]
        name, position = self.values[at], self.positions[at]
        scanner = self.scanner
        if what == "global":
            end = position + len(name)
            scanner.declared.append(Declaration("global", name, position, position, end))
        else:
            scanner.declare(what, name, position, scanner.scope)
        self._add(at, "declared", written=True)
        return at + 1

    def _name(self, at: int) -> None:
        before = self.kinds[at - 1] if at else ""
        after = self.kinds[at + 1]
        written = after in _ASSIGNS or before in ("++", "--")
        if before == ".":
            owner = self.values[at - 2] if at > 1 and self.kinds[at - 2] == NAME else ""
            if owner and at > 2 and self.kinds[at - 3] == ".":
                owner = ""
            self._add(at, "field", owner=owner, written=written)
        elif after == ":" and before in ("{", ",") and self.braces and self.braces[-1].kind == "{":
            self._add(at, "key", written=True)
        else:
            self._add(at, "name", written=written)

    def _add(self, at: int, use: Use, *, owner: str = "", written: bool = False) -> None:
        scope = self.scanner.scope.number
        self.scanner.occurrences.append(
            Occurrence(self.values[at], self.positions[at], use, scope, owner, written)
        )

    # -- brackets and functions ------------------------------------------------------------------

    def _open(self, at: int, kind: str) -> None:
        scope = None
        declared = -1
        if kind == "{" and self.waiting and self.waiting[-1][1] == len(self.braces):
            outer = self.scanner.scope
            inner, _, declared = self.waiting.pop()
            scope = outer
            inner.start = min(inner.start, self.positions[at])
            self.scanner.scope = inner
            self.listing = None
        self.braces.append(_Brace(kind, scope, declared))

    def _close(self, at: int) -> None:
        if not self.braces:
            return
        brace = self.braces.pop()
        if self.listing is not None and self.listing[1] > len(self.braces):
            self.listing = None
        if brace.scope is None:
            return
        until = self.positions[at] + 1
        self.scanner.scope.end = until
        self.scanner.scope = brace.scope
        if brace.function >= 0:
            found = self.scanner.declared[brace.function]
            self.scanner.declared[brace.function] = found._replace(until=until)

    def _function(self, at: int) -> int:
        """``function name(a, b = 1) : parent() constructor``; its body begins at a brace."""
        scanner = self.scanner
        if self.headers >= _DEEPEST:  # in the defaults of parameters, which nest
            return at + 1
        begin = self.positions[at]
        at += 1
        name, position = "", begin
        if self.kinds[at] == NAME:
            name, position = self.values[at], self.positions[at]
            self._add(at, "declared", written=True)
            at += 1
        scope = Scope(len(scanner.scopes), scanner.scope.number, position, name)
        scanner.scopes.append(scope)
        number = -1
        self.headers += 1
        header, what, at = self._header(at, scope)
        self.headers -= 1
        if name:
            number = len(scanner.declared)
            text = " ".join(scanner.source[header[0] : header[1]].split())
            scanner.declared.append(
                Declaration(what, name, position, begin, header[1], text, scanner.scope.number)
            )
        if self.kinds[at] == "{":
            self.waiting.append((scope, len(self.braces), number))
        else:
            scope.end = header[1]
        return at

    def _header(self, at: int, scope: Scope) -> tuple[tuple[int, int], What, int]:
        """The range of the parameters, what the function is, and the token behind its header."""
        scanner = self.scanner
        if self.kinds[at] != "(":
            here = self.positions[at]
            return (here, here), "function", at
        start = self.positions[at]
        outer, scanner.scope = scanner.scope, scope
        depth = 0
        while self.kinds[at] != END:
            kind = self.kinds[at]
            if depth == 1 and kind == NAME and self.kinds[at - 1] in ("(", ","):
                scope.parameters.append(self.values[at])
                scanner.declare("parameter", self.values[at], self.positions[at], scope)
                self._add(at, "declared", written=True)
                at += 1
                continue
            if kind in _OPENING:
                depth += 1
                self.braces.append(_Brace(kind, None))
                at += 1
                continue
            if kind in _CLOSING:
                depth -= 1
                self.braces.pop()
                at += 1
                if not depth:
                    break
                continue
            at = self._step(at, kind)
        end = self.positions[at - 1] + 1
        what: What = "function"
        while self.kinds[at] not in ("{", END, ";"):
            if self.values[at] == "constructor":
                what = "constructor"
                at += 1
                break
            if self.kinds[at] != ":" and what == "function" and self.kinds[at - 1] == ")":
                break
            at = self._step(at, self.kinds[at])
        scanner.scope = outer
        return (start, end), what, at

    def _catch(self, at: int) -> None:
        name = at + 2 if self.kinds[at + 1] == "(" else at + 1
        if name < len(self.kinds) and self.kinds[name] == NAME:
            scanner = self.scanner
            scanner.declare("local", self.values[name], self.positions[name], scanner.scope)

    # -- what holds in the whole game --------------------------------------------------------------

    def _enum(self, at: int) -> int:
        """``enum name { a, b = 1 }``"""
        scanner = self.scanner
        begin = self.positions[at]
        at += 1
        if self.kinds[at] != NAME:
            return at
        name, position = self.values[at], self.positions[at]
        number = len(scanner.declared)
        end = position + len(name)
        scanner.declared.append(Declaration("enum", name, position, begin, end))
        self._add(at, "declared", written=True)
        at += 1
        if self.kinds[at] != "{":
            return at
        at += 1
        while self.kinds[at] not in ("}", END):
            if self.kinds[at] == NAME and self.kinds[at - 1] in ("{", ","):
                member, place = self.values[at], self.positions[at]
                until = place + len(member)
                scanner.declared.append(Declaration("member", member, place, place, until, name))
                self._add(at, "declared", owner=name, written=True)
                at += 1
            else:
                at = self._step(at, self.kinds[at])
        until = min(self.positions[at] + 1, len(scanner.source))
        scanner.declared[number] = scanner.declared[number]._replace(until=until)
        return at + (self.kinds[at] != END)

    def _macro(self, at: int) -> None:
        text, position = self.values[at], self.positions[at]
        head = _MACRO_HEAD.match(text)
        if head is None:
            return
        scanner = self.scanner
        name, place = head[2], position + head.start(2)
        body = text[head.end() :].strip()
        until = position + len(text)
        scanner.declared.append(Declaration("macro", name, place, position, until, body))
        scanner.occurrences.append(
            Occurrence(name, place, "declared", scanner.scope.number, "", True)
        )
        if self.depth < _DEEPEST:
            scanner.run(position + head.end(), until, self.depth + 1)
