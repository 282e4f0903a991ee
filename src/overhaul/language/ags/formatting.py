"""The layout of a script of Adventure Game Studio: indentation and spaces.

Every token, comment and directive stays, and so does every line: the engine reports lines, and
compiled scripts hold their numbers.  Braces stay where people put them.  The style is that of the
editor (two spaces, ``if (x)``, no space in front of the brackets of a call), or tabs where the
author indents with them.  Source: scripts in the manual and the editor's templates.
"""

from __future__ import annotations

from typing import Final

from overhaul.language.ags.scanning import TYPES, Piece, pieces

_SPACES: Final = "  "
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_BINARY: Final = frozenset(
    ("||", "&&", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^", "<<", ">>", "+", "-", "*", "/",
     "%", "=", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "<<=", ">>=", "?")
)  # fmt: skip
_PREFIX: Final = frozenset(("-", "+", "!", "~", "++", "--"))
_HEADERS: Final = frozenset(("if", "while", "for", "switch"))
_VALUES: Final = frozenset(("name", "number", "string"))
_ENDS: Final = frozenset((")", "]", "this", "null", "true", "false"))
_CODE: Final = frozenset(("string", "number", "keyword", "name", "operator"))
#: the tokens in front of a statement, or of a parameter
_STARTS: Final = frozenset(
    (";", "{", "}", "import", "_tryimport", "static", "const", "readonly", "protected",
     "writeprotected", "attribute", "this", "autoptr", "export", "managed", "optional")
)  # fmt: skip


def formatted(source: str) -> str:
    """A script in one layout; as it is where its tokens could not be kept."""
    plain = source.replace("\r\n", "\n")
    made = _Formatter(plain).run()
    if _kept(plain) != _kept(made):
        return source
    return made.replace("\n", "\r\n") if "\r\n" in source else made


def _kept(source: str) -> list[str]:
    """The tokens that a layout may not change."""
    found = [
        piece.text.rstrip() if piece.role == "comment" else piece.text
        for piece in pieces(source)
        if piece.role != "space"
    ]
    return [*found, "\n" * source.count("\n")]


class _Opened:
    """An open bracket: the indentation of its line, the word in front of it, and what holds
    within it."""

    __slots__ = ("hanging", "ifs", "indent", "is_header", "is_switch", "text", "word")

    def __init__(self, text: str, indent: int) -> None:
        self.text = text
        self.indent = indent
        self.word = ""
        self.is_switch = False
        self.is_header = False
        #: bodies without braces that the next line may be
        self.hanging = 0
        #: the indentations of those ``if`` that an ``else`` may belong to
        self.ifs: list[int] = []


class _Formatter:
    """Writes the pieces of a script, line by line."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.unit: str = _unit(source)
        self.out: list[str] = []
        self.opened: list[_Opened] = [_Opened("", -1)]
        self.before: list[Piece] = []  # the code so far: the last three pieces
        #: the bracket that was closed last
        self.closed = _Opened("", 0)
        self.ternaries = 0

    def run(self) -> str:
        """The script."""
        line: list[Piece] = []
        gaps: list[str] = []
        gap = ""
        for piece in pieces(self.source):
            if piece.role != "space":
                line.append(piece)
                gaps.append(gap)
                gap = ""
                continue
            breaks = piece.text.count("\n")
            if not breaks:
                gap += piece.text
                continue
            if line:
                self._line(line, gaps)
                line, gaps = [], []
            self.out.append("\n" * breaks)
            gap = ""
        if line:
            self._line(line, gaps)
        return "".join(self.out)

    def _line(self, line: list[Piece], gaps: list[str]) -> None:
        if line[0].role == "directive":
            self.out += [piece.text for piece in line]
            return
        indent = max(0, self._indent(line))
        self.out.append(self.unit * indent)
        last: Piece | None = None
        for piece, gap in zip(line, gaps, strict=True):
            if last is not None:
                self.out.append(self._space(last, piece, gap))
            self.out.append(piece.text.rstrip() if piece.role == "comment" else piece.text)
            self._note(piece, indent)
            last = piece
        self._hang(line, indent)

    # -- indentation -------------------------------------------------------------------------------

    def _indent(self, line: list[Piece]) -> int:
        first, inner = line[0], self.opened[-1]
        if first.text in _CLOSING:
            closed = 0
            while closed < len(line) and line[closed].text in _CLOSING:
                closed += 1
            return self.opened[max(1, len(self.opened) - closed)].indent if self._is_open() else 0
        base = inner.indent + 1
        is_label = first.text in ("case", "default") and first.role == "keyword"
        is_body = first.text == "{" and self._last() == ":"  # of a label
        if inner.is_switch and not is_label and not is_body:
            base += 1
        if first.text == "else" and inner.ifs:
            inner.hanging = 0
            return inner.ifs.pop()
        if first.text == "{" and inner.hanging:
            inner.hanging -= 1
            return base + inner.hanging
        if not inner.hanging and first.role != "comment":
            inner.ifs.clear()
        if first.text in _BINARY and first.text not in _PREFIX and not inner.hanging:
            return base + (inner.text in ("", "{"))
        return base + inner.hanging

    def _is_open(self) -> bool:
        return len(self.opened) > 1

    def _hang(self, line: list[Piece], indent: int) -> None:
        """Note what the next line belongs to: a header without a brace, or half a statement."""
        code = [piece for piece in line if piece.role in _CODE]
        inner = self.opened[-1]
        if not code or inner.text in ("(", "["):
            return
        last = code[-1]
        is_header = last.text == ")" and self.closed.word in _HEADERS
        if is_header or (last.role == "keyword" and last.text in ("else", "do")):
            inner.hanging = indent - inner.indent - (2 if inner.is_switch else 1) + 1
        elif last.role == "operator" and last.text in _BINARY:
            inner.hanging = max(inner.hanging, 1)
        else:
            inner.hanging = 0

    def _note(self, piece: Piece, indent: int) -> None:
        """Follow the brackets."""
        if piece.role not in _CODE:
            return
        text, inner = piece.text, self.opened[-1]
        if piece.role == "operator":
            if text in _OPENING:
                self._open(text, indent)
            elif text in _CLOSING and self._is_open():
                self.closed = self.opened.pop()
            elif text == "?":
                self.ternaries += 1
            elif text == ":" and self.ternaries:
                self.ternaries -= 1
            elif text == ";":
                self.ternaries = 0
        elif text == "if" and piece.role == "keyword":
            inner.ifs.append(indent)
        self.before = [*self.before[-2:], piece]

    def _open(self, text: str, indent: int) -> None:
        made = _Opened(text, indent)
        before = self._last()
        outer = self.opened[-1]
        if text == "(":
            made.word = before
            made.is_header = all(piece.text == "" for piece in self.opened) or self._in_struct()
        elif text == "{":
            made.is_switch = before == ")" and self.closed.word == "switch"
            made.word = "" if before == ")" else self._last(1)
            outer.hanging = 0
        self.opened.append(made)

    def _in_struct(self) -> bool:
        """Whether the brackets that are open are those of a struct's declaration."""
        return len(self.opened) == 2 and self.opened[-1].word in ("struct", "extends", "enum")

    def _last(self, back: int = 0) -> str:
        return self.before[-1 - back].text if len(self.before) > back else ""

    # -- spaces ------------------------------------------------------------------------------------

    def _space(self, before: Piece, piece: Piece, gap: str) -> str:
        """The space between two pieces of a line."""
        if piece.role == "comment" or before.role == "comment":
            return gap if gap and not gap.strip(" \t") else " "
        left, right = before.text, piece.text
        if "{" in (left, right) or "}" in (left, right):
            return self._at_brace(before, piece, gap)
        if right in (",", ";", ")", "]") or left in ("(", "["):
            return ""
        if {left, right} & {".", "::"} and "string" not in (before.role, piece.role):
            return ""
        if self._is_pointer(before) or (right == "*" and self._is_pointer(piece)):
            return " " if gap or left == "," else ""
        if left in ("++", "--") or right in ("++", "--"):
            return "" if self._is_step(before, piece) else " "
        if right == ":":
            return " " if self.ternaries else ""
        if left in _PREFIX and before.role == "operator" and self._is_prefix():
            return "" if left != right else " "
        if right in ("(", "["):
            is_value = before.role in _VALUES or left in (")", "]") or left in TYPES
            return "" if is_value else " "
        return " "

    def _at_brace(self, before: Piece, piece: Piece, gap: str) -> str:
        left, right = before.text, piece.text
        if right in (",", ";", ")", "]", ".") or left in ("(", "["):
            return ""
        is_word = left == "}" and piece.role in ("keyword", "name")
        return " " if gap or is_word or (right == "{" and left != "{") else ""

    def _is_prefix(self) -> bool:
        """Whether the last operator stands in front of its only operand."""
        if len(self.before) < 2:
            return True
        at = self.before[-2]
        return not (at.role in _VALUES or at.text in _ENDS)

    def _is_step(self, before: Piece, piece: Piece) -> bool:
        """Whether ``++`` belongs to the piece next to it."""
        if piece.text in ("++", "--"):
            return before.role in _VALUES or before.text in (")", "]")
        return piece.role in _VALUES or piece.text in ("(", "this")

    def _is_pointer(self, piece: Piece) -> bool:
        """Whether a star is that of a type, and not a product: behind a type at the beginning of a
        statement or a parameter."""
        if piece.text != "*":
            return False
        at = [earlier for earlier in self.before if earlier is not piece][-2:]
        if at and at[-1].text == "," and self.opened[-1].text in ("", "{"):
            return True
        if not at or at[-1].role not in ("name", "keyword"):
            return False
        start = at[-2].text if len(at) > 1 else ";"
        if start in ("(", ","):
            inner = self.opened[-1]
            return inner.is_header or inner.word == "for" or inner.word in ("struct", "extends")
        return start in _STARTS or (len(at) > 1 and at[-2].role == "directive")


def _unit(source: str) -> str:
    """The indent of a line: a tab where most lines have one."""
    lines = source.split("\n")
    tabs = sum(line.startswith("\t") for line in lines)
    return "\t" if tabs > sum(line.startswith("  ") for line in lines) else _SPACES
