"""One text being compiled: its tokens, what its names mean, and the block that it goes to."""

from __future__ import annotations

from typing import Final, NoReturn

from overhaul.ags.language import symbols as s
from overhaul.ags.language.emitter import Emitter
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.late import LateNames
from overhaul.ags.language.lexer import Lexer, Tokens, section_name
from overhaul.ags.language.options import STATEMENTS, CompilerOptions
from overhaul.ags.language.repair import Repair
from overhaul.ags.language.symbols import (
    ARRAY,
    CONST,
    NAMED,
    POINTER,
    Function,
    NamedType,
    Symbol,
    Variable,
)
from overhaul.suggest import did_you_mean

DIGITS: Final = frozenset("0123456789")

KEYWORDS: Final = frozenset(
    {
        "attribute", "autoptr", "break", "builtin", "case", "const", "continue", "default", "do",
        "else", "enum", "export", "extends", "for", "if", "import", "_tryimport",
        "internalstring", "noloopcheck", "managed", "new", "null", "protected", "readonly",
        "return", "static", "struct", "switch", "this", "while", "writeprotected",
    }
)  # fmt: skip
OLD_KEYWORDS: Final = KEYWORDS - {"break", "case", "continue", "default", "do", "for", "switch"}


def is_name(token: str) -> bool:
    """Whether a token is a name or a keyword."""
    return token.isidentifier() and token.isascii()


def wrapped(value: int) -> int:
    """A whole number as 32 bits with a sign hold it: the official compiler counts with these."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


class Text:
    """The tokens of a text and of those before it."""

    __slots__ = ("_places", "_words", "before", "tokens")

    def __init__(self, before: Text | None, tokens: list[str]) -> None:
        self.before = before
        self.tokens = tokens
        self._places: dict[str, tuple[int, int] | None] = {}
        self._words: frozenset[str] | None = None

    @property
    def words(self) -> frozenset[str]:
        """The tokens of this text."""
        if self._words is None:
            self._words = frozenset(self.tokens)
        return self._words

    def place(self, name: str) -> tuple[int, int] | None:
        """Where a name was first seen, in this text and in those before it; places are in order.

        A member behind a dot is not seen.
        """
        if name in self._places:
            return self._places[name]
        found: tuple[int, int] | None = None
        text: Text | None = self
        number = 0
        while text is not None:
            if name in text.words:
                at = first_seen(text.tokens, name)
                if at >= 0:
                    found = number, at
            text = text.before
            number -= 1
        self._places[name] = found
        return found


def first_seen(tokens: list[str], name: str) -> int:
    """Where a name stands first that is not behind a dot; -1 for nowhere."""
    at = -1
    try:
        while True:
            at = tokens.index(name, at + 1)
            if not at or tokens[at - 1] != ".":
                return at
    except ValueError:
        return -1


class Symbols:
    """The declarations: symbols by name, members as ``Struct::member``; and types by number."""

    def __init__(self) -> None:
        self.types: list[NamedType] = s.basic_types()
        self.symbols: dict[str, Symbol] = {item.name: item for item in self.types[1:8]}
        #: The number of the struct whose pointers are strings, or 0.
        self.string_struct = 0
        #: Names of functions of structs that were declared behind their structs: extenders.
        self.fresh: set[str] = set()
        #: The last of the texts that declared it.
        self.text_before: Text | None = None
        #: The tokens of each function that is defined, with its head.
        self.bodies: dict[str, tuple[str, ...]] = {}

    def copy(self) -> Symbols:
        """The same names, to declare more."""
        other = Symbols()
        other.types = self.types.copy()
        other.symbols = self.symbols.copy()
        other.string_struct = self.string_struct
        other.fresh = self.fresh.copy()
        other.text_before = self.text_before
        other.bodies = self.bodies.copy()
        return other

    def add_type(self, name: str, size: int, *, struct: bool) -> NamedType:
        """Declare a type."""
        item = NamedType(name, len(self.types), size, struct=struct)
        self.types.append(item)
        self.symbols[name] = item
        return item

    def declare_late(self, kind: str, name: str, code: Emitter, late: LateNames) -> bool:
        """Declare an import that belongs among those of a header; returns whether it can be."""
        item = self.symbols.get(kind)
        if not isinstance(item, NamedType) or not item.struct or item.autoptr:
            return False
        variable = Variable(name, s.GLOBAL, item.number, item.size)
        variable.imported = True
        variable.offset = late.slots[name] = code.add_import(name)
        self.symbols[name] = variable
        return True

    def member(self, number: int, name: str) -> Symbol | None:
        """The member ``name`` of a struct or of one that it extends."""
        types = self.types
        symbols = self.symbols
        while number:
            item = types[number]
            found = symbols.get(f"{item.name}::{name}")
            if found is not None:
                return found
            number = item.base
        return None

    def text(self, value: int) -> str:
        """A type as people write it."""
        item = self.types[value & NAMED]
        text = item.name
        if value & POINTER and not item.autoptr and text != "null":
            text += "*"
        if value & ARRAY:
            text += "[]"
        return f"const {text}" if value & CONST else text


class Unit:
    """A text that is being compiled.

    ``at`` is the token that comes next.  The compiler of the editor takes line breaks from the
    stream of tokens, and skips those in an expression up to the token behind it; ``line`` is the
    line that it believes to be at, and ``skipped`` the token whose line break it has skipped.
    """

    def __init__(
        self,
        tokens: Tokens,
        names: Symbols,
        code: Emitter,
        lexer: Lexer,
        options: CompilerOptions,
        late: LateNames | None = None,
    ) -> None:
        self.tokens: list[str] = tokens.tokens
        self.lines: list[int] = tokens.lines
        self.names = names
        self.symbols: dict[str, Symbol] = names.symbols
        self.types: list[NamedType] = names.types
        self.code = code
        self.literals: dict[str, int] = lexer.literals
        self.options = options
        self.late = late
        self.at: int = 0
        self.line: int = 1
        self.skipped = -1
        self.marked: int = 0
        self.keywords: frozenset[str] = KEYWORDS if options.editor >= STATEMENTS else OLD_KEYWORDS
        #: The type of the value in AX.
        self.value = 0
        self.locals: list[Variable] = []
        self.level = 0
        self.function: Function | None = None
        self._convertible: set[int] = set()
        #: Collects errors; None lets the first one end the compilation.
        self.repair: Repair | None = None

    # places

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        """Raise an error at a token (the next one if none is given)."""
        raise self.error(message, self.at if at is None else at)

    def error(
        self, message: str, at: int, *, undeclared: tuple[str, str] = ("", ""), redeclared: str = ""
    ) -> ScriptError:
        """An error at a token; its column is the number of the token in its line, from 1.

        Its name is that of the section of the text, for all but the first.
        """
        at = min(at, len(self.tokens) - 1)
        while at and not self.tokens[at]:
            at -= 1
        line = abs(self.lines[at])
        first = at
        while first and self.lines[first - 1] == line:
            first -= 1
        mark = first
        while mark and self.lines[mark] > 0:
            mark -= 1
        error = ScriptError(
            message,
            line,
            at - first + 1,
            name=section_name(self.tokens[mark]) if mark else "",
            undeclared=undeclared,
            redeclared=redeclared,
        )
        error.at = at
        return error

    def see(self, at: int) -> None:
        """A token is taken from the stream: the line may change."""
        line = self.lines[at]
        before = self.lines[at - 1]
        if line != before and at != self.skipped:
            self.line = line

    def see_range(self, start: int, end: int) -> None:
        """All tokens from ``start`` to ``end`` are taken from the stream."""
        lines = self.lines
        if lines[start - 1] != lines[end]:
            for at in range(end, start - 1, -1):
                if lines[at] != lines[at - 1] and at != self.skipped:
                    self.line = lines[at]
                    break

    def mark(self, at: int) -> None:
        """A statement begins at a token: if on a new line, its number is to be written."""
        line = self.lines[at]
        if line != self.lines[at - 1] and at != self.skipped:
            self.line = line
        if self.line != self.marked:
            self.code.line = self.line
            self.marked = self.line

    # tokens

    def expect(self, token: str, what: str = "") -> None:
        """The next token must be this one."""
        if self.tokens[self.at] != token:
            self.fail(f"expected {what or repr(token)}, got {self.shown(self.at)}")
        self.at += 1

    def taken(self, token: str) -> None:
        """The next token must be this one, and is taken from the stream."""
        self.see(self.at)
        self.expect(token)

    def shown(self, at: int) -> str:
        """A token, for messages."""
        return repr(self.tokens[at]) if self.tokens[at] else "the end of the text"

    def new_name(self, what: str) -> str:
        """The next token, which must be a name that is not a keyword."""
        token = self.tokens[self.at]
        if token in self.keywords or not (token.isidentifier() and token.isascii()):
            self.fail(f"expected the name of {what}, got {self.shown(self.at)}")
        return token

    def unknown(self, at: int) -> NoReturn:
        """Fail for a name that is not declared, or a token that can't stand here."""
        token = self.tokens[at]
        if token in self.keywords or not is_name(token):
            self.fail(f"expected a value, got {self.shown(at)}", at)
        close = did_you_mean(token, self.symbols)
        member = self.tokens[at + 2] if self.tokens[at + 1] == "." else ""
        raise self.error(f"{token!r} is not declared{close}", at, undeclared=(token, member))

    def guessed(self, at: int) -> bool:
        """Whether a name that is not declared is guessed to be a late import, and declared so."""
        if self.late is None:
            return False
        token = self.tokens[at]
        if token in self.keywords or not is_name(token):
            return False
        member = self.tokens[at + 2] if self.tokens[at + 1] == "." else ""
        kind = self.late.kind(token, member)
        return kind != "" and self.names.declare_late(kind, token, self.code, self.late)

    def constant(self, what: str) -> int:
        """The whole number or member of an enum that comes next, perhaps with a minus."""
        negative = self.tokens[self.at] == "-"
        if negative:
            self.at += 1
        token = self.tokens[self.at]
        symbol = self.symbols.get(token)
        if isinstance(symbol, s.Constant):
            value = wrapped(-symbol.value) if negative else symbol.value
        elif token and token[0] in DIGITS:
            value = self.number(token, self.at, negative=negative)
        else:
            self.fail(f"expected {what}, got {self.shown(self.at)}")
        self.at += 1
        return value

    def number(self, token: str, at: int, *, negative: bool = False) -> int:
        """The value of a literal number without a point."""
        if token[:2] in ("0x", "0X"):
            value = int(token[2:].zfill(1)[:40], 16)
            if value > 0xFFFFFFFF:
                self.fail(f"the number {token} does not fit 32 bits", at)
            value = value - (1 << 32) if value > 0x7FFFFFFF else value
            return -value if negative else value
        if not token.isdecimal():
            self.fail(f"expected a whole number, got {token}", at)
        value = int(token[:40])
        if value > 0x7FFFFFFF + negative:
            self.fail(f"the number {token} does not fit 32 bits", at)
        return -value if negative else value

    # types

    def is_string(self, value: int) -> bool:
        """Whether a value is an old string: a pointer to characters."""
        return value & ~CONST == s.STRING or value == s.CHAR | POINTER

    def is_text(self, value: int) -> bool:
        """Whether a value is a string of any kind."""
        named = value & ~(CONST | POINTER)
        return named in (s.STRING, self.names.string_struct)

    def check_convertible(self, value: int, wanted: int, at: int) -> None:
        """Fail if a value can't be had as the type ``wanted``."""
        known = value << 32 | wanted
        if known in self._convertible:
            return
        if self.converts(value, wanted):
            self._convertible.add(known)
        else:
            text = self.names.text
            self.fail(f"can't convert {text(value)} to {text(wanted)}", at)

    def converts(self, value: int, wanted: int) -> bool:
        """Whether a value can be had as the type ``wanted``."""
        if value == wanted and value != s.VOID:
            return True
        if value == POINTER | self.names.string_struct and wanted == CONST | s.STRING:
            return True
        if value == s.VOID or (value & CONST and not wanted & CONST):
            return False
        null = value == POINTER | s.NULL
        if null and wanted & ARRAY:
            return True
        if value & ARRAY != wanted & ARRAY:
            return False
        strings = self.is_string(value) + self.is_string(wanted)
        value &= ~(CONST | ARRAY)
        wanted &= ~(CONST | ARRAY)
        if strings == 1 or (value == s.FLOAT) != (wanted == s.FLOAT):
            return False
        if strings == 2 or value == wanted:
            return True
        if (value | wanted) & POINTER:
            if not value & wanted & POINTER:
                return False
            return null or self.extends(value & NAMED, wanted & NAMED)
        return not (self.types[value].struct or self.types[wanted].struct)

    def extends(self, number: int, base: int) -> bool:
        """Whether a struct extends another, perhaps through others."""
        while number:
            number = self.types[number].base
            if number == base:
                return number != 0
        return False

    def pointed(self, token: str) -> NamedType | None:
        """The type that a name stands for."""
        symbol = self.symbols.get(token)
        return symbol if isinstance(symbol, NamedType) else None

    def rank(self, name: str) -> tuple[int, int]:
        """When a name was first seen: in a header, or in this text."""
        header = self.names.text_before
        place = None if header is None else header.place(name)
        return place or (1, first_seen(self.tokens, name))
