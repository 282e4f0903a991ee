"""The names in a script of Adventure Game Studio, with the functions around them, whatever is
wrong with the script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from overhaul.ags.language.unit import KEYWORDS

Role: TypeAlias = Literal[
    "comment", "directive", "string", "number", "keyword", "name", "operator", "space"
]
What: TypeAlias = Literal[
    "function", "variable", "struct", "enum", "member", "macro", "local", "parameter"
]

TYPES: Final = frozenset(
    ("int", "char", "short", "long", "float", "string", "void", "bool", "function", "String")
)
WORDS: Final = KEYWORDS | TYPES | {"true", "false"}
#: words that stand before a declaration
_BEFORE: Final = frozenset(
    ("import", "_tryimport", "export", "static", "const", "readonly", "protected", "writeprotected",
     "managed", "builtin", "autoptr", "attribute", "noloopcheck", "internalstring")
)  # fmt: skip
_PIECES: Final = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|(?P<directive>^[ \t]*\#[^\n]*)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)[^'\n]*'?)"""
    r"""|(?P<number>0[xX][0-9A-Fa-f]+|\d[\d.]*)|(?P<name>[A-Za-z_]\w*)"""
    r"""|(?P<space>\s*\n(?=[ \t]*\#)|\s+)"""
    r"""|(?P<operator>\.\.\.|::|&&|\|\||\+\+|--|<<=|>>=|<<|>>|[-+*/&|^!<>=]=|.)""",
    re.ASCII | re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_DEFINE: Final = re.compile(r"\s*#\s*define\s+(\w+)[ \t]*(.*)", re.ASCII)
_ASSIGNS: Final = frozenset(
    ("=", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "<<=", ">>=", "++", "--")
)


class Piece(NamedTuple):
    """A part of a script; all of them together are the script."""

    role: Role
    text: str
    position: int


class Occurrence(NamedTuple):
    """A name in a script.

    ``scope`` is the number of its function (0: none), ``dotted`` whether it follows a dot or
    ``::``, ``declared`` whether it is declared there.
    """

    name: str
    position: int
    scope: int
    dotted: bool = False
    declared: bool = False


class Declaration(NamedTuple):
    """Something that a script declares; ``type`` as written, ``detail`` the parameters of a
    function, the text of a macro, the owner of a member, what a struct extends; ``imported``: it
    is in another script, or a function or an attribute of a struct; ``owner`` is the struct of a
    function (``Sword::Hit``, ``this Sword*``).
    """

    what: What
    name: str
    position: int
    begin: int
    until: int
    type: str = ""
    detail: str = ""
    imported: bool = False
    owner: str = ""


class Scope:
    """A function with its variables: the type of each, and where it is declared."""

    __slots__ = ("end", "name", "names", "start")

    def __init__(self, name: str, start: int) -> None:
        self.name = name
        self.start = start
        self.end = -1
        self.names: dict[str, tuple[What, str, int]] = {}


class Scan(NamedTuple):
    """The names in a script."""

    occurrences: list[Occurrence]
    scopes: list[Scope]
    declared: list[Declaration]

    def scope_at(self, offset: int) -> Scope | None:
        """The function around a place."""
        for scope in self.scopes[1:]:
            if scope.start <= offset <= scope.end:
                return scope
        return None

    def at(self, offset: int) -> Occurrence | None:
        """The name at a place, or that ends there."""
        for occurrence in self.occurrences:
            if occurrence.position <= offset <= occurrence.position + len(occurrence.name):
                return occurrence
        return None

    def is_local(self, occurrence: Occurrence) -> bool:
        """Whether a name is a variable of its function."""
        if occurrence.dotted or not occurrence.scope:
            return False
        return occurrence.name in self.scopes[occurrence.scope].names


def pieces(source: str) -> Iterator[Piece]:
    """The pieces of a script, in order."""
    for match in _PIECES.finditer(source):
        role = cast("Role", match.lastgroup)
        if role == "name" and match[0] in WORDS:
            role = "keyword"
        yield Piece(role, match[0], match.start())


def script_lines(dialog: str) -> str:
    """The lines of a dialog with blanks for everything but script: places stay.

    Lines of the script begin with a blank.  Source: the manual, "Dialog scripts".
    """
    lines = dialog.split("\n")
    return "\n".join(line if line[:1] in (" ", "\t") else " " * len(line) for line in lines)


def scan(source: str) -> Scan:
    """Find the names in a script."""
    scanner = _Scanner(source)
    scanner.run()
    return Scan(scanner.occurrences, scanner.scopes, scanner.declared)


class _Scanner:
    """Goes through the pieces of a script once."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.pieces = [piece for piece in pieces(source) if piece.role not in ("comment", "space")]
        self.occurrences: list[Occurrence] = []
        self.scopes: list[Scope] = [Scope("", 0)]
        self.declared: list[Declaration] = []
        self.at = 0
        self.depth = 0
        self.owner = ""  # the struct or enum that is open

    def run(self) -> None:
        while self.at < len(self.pieces):
            self._declaration()
        for scope in self.scopes:
            if scope.end < 0:
                scope.end = len(self.source)

    def _text(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.pieces[at].text if 0 <= at < len(self.pieces) else ""

    def _role(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.pieces[at].role if 0 <= at < len(self.pieces) else ""

    # -- outside of functions ----------------------------------------------------------------------

    def _declaration(self) -> None:
        """One declaration outside of functions, or a piece that begins none."""
        piece = self.pieces[self.at]
        begin = piece.position
        if piece.role == "directive":
            self._define(piece)
            return
        imported = False
        while self._text() in _BEFORE:
            imported = imported or self._text() in ("import", "_tryimport")
            self.at += 1
        word = self._text()
        if word in ("struct", "enum") and self._role(1) == "name":
            self._type(word, begin)
        elif self._is_type():
            self._of_type(begin, imported)
        else:
            self._skip(0)

    def _define(self, piece: Piece) -> None:
        match = _DEFINE.match(piece.text)
        if match is not None:
            at = piece.position + match.start(1)
            until = piece.position + len(piece.text)
            self.declared.append(
                Declaration("macro", match[1], at, piece.position, until, "", match[2].strip())
            )
            self.occurrences.append(Occurrence(match[1], at, 0, False, True))
        self.at += 1

    def _is_type(self) -> bool:
        """Whether a declaration follows: a type, perhaps with signs, and a name."""
        if self._role() == "name" or self._text() in TYPES:
            return self._name_ahead() > 0
        return False

    def _name_ahead(self) -> int:
        """How far behind a type the name is that it declares; 0 for none."""
        ahead = 1
        while self._text(ahead) in ("*", "[", "]"):
            ahead += 1
        return ahead if self._role(ahead) == "name" else 0

    def _skip(self, scope: int) -> None:
        """Note the name at a piece, and go on; nothing at the end of the text."""
        if self.at >= len(self.pieces):
            return
        piece = self.pieces[self.at]
        if piece.role == "name":
            before = self._text(-1)
            self.occurrences.append(
                Occurrence(piece.text, piece.position, scope, before in (".", "::"))
            )
        self.at += 1

    def _type(self, word: str, begin: int) -> None:
        """A struct with its members, or an enum."""
        piece = self.pieces[self.at + 1]
        what: What = "struct" if word == "struct" else "enum"
        number = len(self.declared)
        until = piece.position + len(piece.text)
        self.declared.append(Declaration(what, piece.text, piece.position, begin, until))
        self.occurrences.append(Occurrence(piece.text, piece.position, 0, False, True))
        self.at += 2
        while self._text() not in ("{", ";", ""):
            if self._text(-1) == "extends":
                base = self._text()
                self.declared[number] = self.declared[number]._replace(detail=base)
            self._skip(0)
        if self._text() != "{":
            return
        self.at += 1
        while self._text() not in ("}", ""):
            if what == "enum" and self._role() == "name" and self._text(-1) in ("{", ","):
                self._member(piece.text, "")
            elif what == "struct":
                self._struct_member(piece.text)
            else:
                self._skip(0)
        if self.at < len(self.pieces):
            end = self.pieces[self.at].position + 1
            self.declared[number] = self.declared[number]._replace(until=end)
            self.at += 1

    def _member(self, owner: str, kind: str, *, imported: bool = False) -> None:
        piece = self.pieces[self.at]
        at, end = piece.position, piece.position + len(piece.text)
        self.declared.append(Declaration("member", piece.text, at, at, end, kind, owner, imported))
        self.occurrences.append(Occurrence(piece.text, piece.position, 0, True, True))
        self.at += 1

    def _struct_member(self, owner: str) -> None:
        """A member of a struct, to its semicolon."""
        imported = False
        while self._text() in _BEFORE:
            imported = imported or self._text() == "import"
            self.at += 1
        ahead = self._name_ahead() if self._is_type() else 0
        if not ahead:
            self._skip(0)
            return
        kind = self._type_text(ahead)
        self._member(owner, kind, imported=imported)
        while self._text() not in (";", "}", ""):
            if self._text() == "," and self._role(1) == "name" and self._text(-1) != "(":
                self.at += 1
                self._member(owner, kind, imported=imported)
            elif self._text() == "(":
                scope = Scope("", self.pieces[self.at].position)
                self.scopes.append(scope)
                scope.end = self._parameters(scope, len(self.scopes) - 1)
            else:
                self._skip(0)
        if self._text() == ";":
            self.at += 1

    def _type_text(self, ahead: int) -> str:
        """The type in front of a name; its own name is noted."""
        parts = [self._text(distance) for distance in range(ahead)]
        first = self.pieces[self.at]
        if first.role == "name":
            self.occurrences.append(Occurrence(first.text, first.position, 0))
        self.at += ahead
        return "".join(parts)

    def _of_type(self, begin: int, imported: bool) -> None:
        """A function, or variables, of the type that stands here."""
        kind = self._type_text(self._name_ahead())
        piece = self.pieces[self.at]
        owner = ""
        if self._text(1) == "::":  # a function of a struct
            owner = piece.text
            self._skip(0)
            self.at += 1
            piece = self.pieces[self.at] if self._role() == "name" else piece
        if self._text(1) == "(":
            self._function(piece, kind, begin, imported, owner)
            return
        while self._role() == "name":
            piece = self.pieces[self.at]
            until = piece.position + len(piece.text)
            self.declared.append(
                Declaration(
                    "variable", piece.text, piece.position, begin, until, kind, "", imported
                )
            )
            self.occurrences.append(Occurrence(piece.text, piece.position, 0, False, True))
            self.at += 1
            while self._text() not in (",", ";", ""):
                self._skip(0)
            if self._text() != ",":
                break
            self.at += 1
        if self._text() == ";":
            self.at += 1

    def _function(self, piece: Piece, kind: str, begin: int, imported: bool, owner: str) -> None:
        dotted = self._text(-1) == "::"
        self.occurrences.append(Occurrence(piece.text, piece.position, 0, dotted, True))
        number = len(self.declared)
        self.at += 1
        scope = Scope(piece.text, piece.position)
        start = self.pieces[self.at].position
        self.scopes.append(scope)
        index = len(self.scopes) - 1
        if self._text(1) in ("this", "static") and self._role(2) == "name":
            owner = self._text(2)  # of a function that extends a struct
        end = self._parameters(scope, index)
        detail = " ".join(self.source[start:end].split())
        self.declared.append(
            Declaration(
                "function", piece.text, piece.position, begin, end, kind, detail, imported, owner
            )
        )
        if self._text() != "{":
            if self._text() == ";":
                self.at += 1
            scope.end = end
            return
        until = self._body(scope, index)
        scope.end = until
        self.declared[number] = self.declared[number]._replace(until=until)

    def _parameters(self, scope: Scope, index: int) -> int:
        """Read parameters in parentheses; returns where they end."""
        depth = 0
        while self.at < len(self.pieces):
            text = self._text()
            if text == "(":
                depth += 1
            elif text == ")":
                depth -= 1
                if not depth:
                    self.at += 1
                    return self.pieces[self.at - 1].position + 1
            elif text in ("{", ";"):
                break
            elif index and self._text(-1) in ("(", ",", "const", "optional") and self._is_type():
                self._local(scope, index, "parameter")
                continue
            self._skip(index)
        return self.pieces[min(self.at, len(self.pieces) - 1)].position

    def _local(self, scope: Scope, index: int, what: What) -> None:
        """A variable of a function, behind its type."""
        kind = self._type_text(self._name_ahead())
        self._give(scope, index, what, kind)

    def _give(self, scope: Scope, index: int, what: What, kind: str) -> None:
        piece = self.pieces[self.at]
        scope.names.setdefault(piece.text, (what, kind, piece.position))
        self.occurrences.append(Occurrence(piece.text, piece.position, index, False, True))
        self.at += 1

    def _body(self, scope: Scope, index: int) -> int:
        """The statements of a function; returns where it ends."""
        depth = 0
        kind = ""  # of the variables that are listed
        brackets = 0
        while self.at < len(self.pieces):
            text = self._text()
            if text == "{":
                depth += 1
            elif text == "}":
                depth -= 1
                if not depth:
                    self.at += 1
                    return self.pieces[self.at - 1].position + 1
            elif text in ("(", "["):
                brackets += 1
            elif text in (")", "]"):
                brackets -= 1
            elif text == ";":
                kind, brackets = "", 0
            elif text == "," and kind and not brackets and self._role(1) == "name":
                self.at += 1
                self._give(scope, index, "local", kind)
                continue
            elif self._begins_statement() and self._is_type() and self._declares():
                kind, brackets = self._type_text(self._name_ahead()), 0
                self._give(scope, index, "local", kind)
                continue
            self._skip(index)
        return len(self.source)

    def _begins_statement(self) -> bool:
        return self._text(-1) in ("{", "}", ";", "(", ")", "const", "else")

    def _declares(self) -> bool:
        """Whether what follows the name is that of a declaration."""
        return self._text(self._name_ahead() + 1) in ("=", ";", ",", "[")
