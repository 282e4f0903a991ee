"""The layout of a GML source: indentation and spaces; every token and comment stays, and so do
line breaks.

The style is that of decompiled source (:mod:`overhaul.gml.syntax.printer`), whose layout
stays as it is; braces stay in the lines that people gave them.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax.lexer import words
from overhaul.gml.syntax.marking import Piece, pieces

INDENT: Final = 4
_OPENING: Final = frozenset(("(", "[", "{", "[|", "[?", "[#", "[@", "[$", "begin"))
_CLOSING: Final = frozenset((")", "]", "}", "end"))
_BINARY: Final = frozenset(
    ("??", "||", "&&", "^^", "==", "!=", "<>", "<", "<=", ">", ">=", "&", "|", "^", "<<", ">>", "+",
     "-", "*", "/", "%", "=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "??=", "?",
     "and", "or", "xor", "div", "mod")
)  # fmt: skip
_PREFIX: Final = frozenset(("-", "+", "!", "~", "not", "++", "--"))
_HEADERS: Final = frozenset(("if", "while", "for", "with", "repeat", "switch"))
#: the ends of a line that is not finished
_OPEN_ENDED: Final = (_BINARY - {"?"}) | {"?", "."}
_VALUES: Final = frozenset(("name", "field", "number", "string"))


def formatted(source: str, dialect: Dialect) -> str:
    """A source in one layout; as it is where its tokens could not be kept."""
    plain = source.replace("\r\n", "\n")
    made = _Formatter(plain, dialect).run()
    known = {"gms2": dialect.gms2_or_later, "v2": dialect.gml_v2}
    if words(plain, **known) != words(made, **known) or _comments(plain, dialect) != _comments(
        made, dialect
    ):
        return source
    return made.replace("\n", "\r\n") if "\r\n" in source else made


def _comments(source: str, dialect: Dialect) -> list[str]:
    return [
        piece.text.rstrip()
        for piece in pieces(source, dialect)
        if piece.role in ("comment", "directive")
    ]


class _Opened:
    """An open bracket: the indentation of its line, and whether it is that of a switch."""

    __slots__ = ("indent", "is_switch", "ternaries", "text")

    def __init__(self, text: str, indent: int, is_switch: bool) -> None:
        self.text = text
        self.indent = indent
        self.is_switch = is_switch
        self.ternaries = 0


class _Formatter:
    """Writes the pieces of a source, line by line."""

    def __init__(self, source: str, dialect: Dialect) -> None:
        self.pieces: list[Piece] = [*pieces(source, dialect)]
        self.out: list[str] = []
        self.opened: list[_Opened] = []
        #: the word in front of each parenthesis that is open, and of the one that was closed last
        self.headers: list[str] = []
        self.closed = ""
        #: the indentations of the line of that one's opening, and of the line before
        self.closed_indent = 0
        self.last_indent = 0
        self.hanging = 0  # bodies without braces that the next line may be
        self.ternaries = 0
        self.switches = False

    def run(self) -> str:
        """The source."""
        line: list[Piece] = []
        gaps: list[str] = []
        blank = 0
        gap = ""
        for piece in self.pieces:
            if piece.role == "space":
                breaks = piece.text.count("\n")
                if not breaks:
                    gap += piece.text
                    continue
                if line:
                    self._line(line, gaps)
                    line, gaps = [], []
                    blank = breaks - 1
                else:
                    blank += breaks
                gap = ""
                continue
            if not line and self.out and blank:
                self.out.append("\n")
            blank = 0 if line else blank
            if not line:
                blank = 0
            line.append(piece)
            gaps.append(gap)
            gap = ""
        if line:
            self._line(line, gaps)
        return "".join(self.out)

    def _line(self, line: list[Piece], gaps: list[str]) -> None:
        indent = self._indent(line)
        text = [" " * (INDENT * indent) if line[0].text[:6] != "#macro" else ""]
        before: Piece | None = None
        for piece, gap in zip(line, gaps, strict=True):
            if before is not None:
                text.append(self._space(before, piece, gap))
            value = piece.text.rstrip() if piece.role in ("comment", "directive") else piece.text
            text.append(value)
            self._note(piece, indent)
            before = piece
        self.last_indent = indent
        self.out.append("".join(text) + "\n")
        self._hang(line)

    # -- indentation -------------------------------------------------------------------------------

    def _indent(self, line: list[Piece]) -> int:
        first = line[0]
        is_code = first.role in ("operator", "keyword")
        if is_code and first.text in _CLOSING:
            closed = 0
            for piece in line:
                if piece.text not in _CLOSING or piece.role not in ("operator", "keyword"):
                    break
                closed += 1
            self.hanging = 0
            return self.opened[-closed].indent if closed <= len(self.opened) else 0
        if not self.opened:
            base = 0
        else:
            inner = self.opened[-1]
            base = inner.indent + 1
            is_label = first.role == "keyword" and first.text in ("case", "default")
            if inner.is_switch and not is_label:
                base += 1
        if is_code and first.text in ("{", "begin"):
            self.hanging = max(0, self.hanging - 1)
            at = self._before(first)
            if at is not None and at.text == ")":
                return self.closed_indent
            if at is not None and at.role in ("keyword", "name"):
                return self.last_indent
        return base + self.hanging

    def _hang(self, line: list[Piece]) -> None:
        """Count what the next line belongs to: a condition without a brace, or half a statement."""
        code = [piece for piece in line if piece.role not in ("comment", "directive")]
        if not code:
            return
        last = code[-1]
        in_brackets = bool(self.opened) and self.opened[-1].text not in ("{", "begin")
        if in_brackets:
            self.hanging = 0
            return
        is_header = last.text == ")" and self.closed in _HEADERS
        if is_header or (last.role == "keyword" and last.text in ("else", "do")):
            self.hanging += 1
        elif last.role in ("operator", "keyword") and last.text in _OPEN_ENDED:
            self.hanging = max(self.hanging, 1)
        else:
            self.hanging = 0

    def _note(self, piece: Piece, indent: int) -> None:
        if piece.role not in ("operator", "keyword"):
            return
        text = piece.text
        if text in _OPENING:
            if text == "(":
                self.headers.append(self._header(piece))
            is_block = text in ("{", "begin")
            self.opened.append(_Opened(text, indent, is_block and self.switches))
            if is_block:
                self.switches = False
        elif text in _CLOSING and self.opened:
            popped = self.opened.pop()
            if text == ")":
                self.closed = self.headers.pop() if self.headers else ""
                self.closed_indent = popped.indent
                self.switches = self.closed == "switch"
        elif text == "?":
            self._ternary(1)
        elif text == ":" and self._in_ternary():
            self._ternary(-1)
        elif text == ";":
            self.ternaries = 0

    def _header(self, piece: Piece) -> str:
        """The word in front of a parenthesis; ``function`` also where a name is between."""
        before = self._before(piece)
        first = None if before is None else self._before(before)
        if first is not None and first.text == "function":
            return "function"
        return "" if before is None else before.text

    def _in_ternary(self) -> bool:
        return (self.opened[-1].ternaries if self.opened else self.ternaries) > 0

    def _ternary(self, by: int) -> None:
        if self.opened:
            self.opened[-1].ternaries += by
        else:
            self.ternaries += by

    # -- spaces ------------------------------------------------------------------------------------

    def _space(self, before: Piece, piece: Piece, gap: str) -> str:
        """The space between two pieces of a line."""
        if piece.role in ("comment", "directive") or before.role in ("comment", "directive"):
            return gap or " "
        left, right = before.text, piece.text
        if "{" in (left, right) or "}" in (left, right):
            return self._at_brace(left, right, gap)
        if right in (",", ";", ")", "]") or left in ("(", "[") or "." in (left, right):
            return ""
        if left in ("++", "--") or right in ("++", "--"):
            return "" if self._is_step(before, piece) else " "
        if right == ":":
            heads = left == ")" and self.closed == "function"
            return " " if heads or self._in_ternary() else ""
        if left in _PREFIX and left not in ("not",) and self._is_prefix(before):
            return ""
        if right in ("(", "[") or right.startswith("["):
            is_value = before.role in _VALUES or left in (")", "]", "function")
            return "" if is_value else " "
        if left.startswith("[") and len(left) == 2:
            return " "
        return " "

    def _at_brace(self, left: str, right: str, gap: str) -> str:
        if right in (",", ";", ")", "]", ".") or left in ("(", "["):
            return ""
        return " " if gap or (right == "{" and left not in ("{",)) else gap

    def _is_prefix(self, operator: Piece) -> bool:
        """Whether an operator stands in front of its only operand."""
        at = self._before(operator)
        if at is None or operator.text in ("!", "~"):
            return True
        return not (at.role in _VALUES or at.text in (")", "]", "}"))

    def _is_step(self, before: Piece, piece: Piece) -> bool:
        """Whether ``++`` belongs to the piece next to it."""
        if piece.text in ("++", "--"):
            return before.role in _VALUES or before.text in (")", "]")
        return piece.role in _VALUES or piece.text == "("

    def _before(self, piece: Piece) -> Piece | None:
        """The piece of code in front of another."""
        at = self._places.get(piece.position)
        return None if at is None else at

    @property
    def _places(self) -> dict[int, Piece]:
        known = self.__dict__.get("places")
        if known is None:
            known = {}
            last: Piece | None = None
            for piece in self.pieces:
                if piece.role in ("space", "comment", "directive"):
                    continue
                if last is not None:
                    known[piece.position] = last
                last = piece
            self.__dict__["places"] = known
        return known
