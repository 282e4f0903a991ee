"""Functions of dialogs back in the language of the editor's dialogs.

The editor makes ``function _run_dialogN(int entryPoint)`` of a dialog, one line of script for each
line.  Here each statement is a line of the dialog again; what its language has no word for is
script, as authors write it: behind blanks.
Source: docs/formats/ags-decompiler.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.ags.decompiler.nodes import (
    LOCAL,
    Assign,
    Binary,
    Block,
    Braces,
    Constant,
    Declare,
    Expression,
    If,
    Load,
    MemoryPlace,
    Return,
    Statement,
    Variable,
)
from overhaul.ags.decompiler.structure import Body
from overhaul.ags.decompiler.writer import DIALOG, SIMPLE, Lines, Piece, Writer

_TEXT: Final = r'"((?:[^"\\]|\\.)*)"'
_SPEECH: Final = re.compile(rf"(?:(\w+)\.Say|Display)\({_TEXT}\)")
_WORDS: Final = (
    (re.compile(r"return (?:-1|RUN_DIALOG_RETURN)"), "return"),
    (re.compile(r"return (?:-2|RUN_DIALOG_STOP_DIALOG)"), "stop"),
    (re.compile(r"return (?:-4|RUN_DIALOG_GOTO_PREVIOUS)"), "goto-previous"),
    (re.compile(r"return (\d+)"), "goto-dialog {0}"),
    (re.compile(r"this\.SetOptionState\((\d+), eOptionOn\)"), "option-on {0}"),
    (re.compile(r"this\.SetOptionState\((\d+), eOptionOff\)"), "option-off {0}"),
    (re.compile(r"this\.SetOptionState\((\d+), eOptionOffForever\)"), "option-off-forever {0}"),
    (re.compile(r"player\.AddInventory\(inventory\[(\d+)\]\)"), "add-inv {0}"),
    (re.compile(r"player\.LoseInventory\(inventory\[(\d+)\]\)"), "lose-inv {0}"),
    (re.compile(r"PlaySound\((\d+)\)"), "play-sound {0}"),
    (re.compile(r"GiveScore\((\d+)\)"), "give-score {0}"),
    (re.compile(r"SetGlobalInt\((\d+), (\d+)\)"), "set-globalint {0} {1}"),
    (re.compile(r"(\w+)\.SpeechView = (\d+)"), "set-speech-view {0} {1}"),
)
_NEW_ROOM: Final = re.compile(r"player\.ChangeRoom\((\d+)\)")
_RUN_SCRIPT: Final = re.compile(r"(\w+) = _run_dialog_request\((\d+)\)")
#: The words that end an option.
_ENDS: Final = ("return", "stop", "goto-previous", "goto-dialog", "new-room")


class _Clause(NamedTuple):
    """The part of a dialog from one entry point on: 0 is its beginning, another an option."""

    entry: int
    line: int
    block: Block


def dialog_text(body: Body, writer: Writer) -> str | None:
    """The text of a dialog; None where its function is not one that the editor makes."""
    match = DIALOG.fullmatch(body.function.name.full)
    if match is None or len(body.parameters) != 1:
        return None
    writer.inference.function = body.function.number
    writer.body = body
    return _Dialog(int(match[1]), body, writer).text()


class _Dialog:
    def __init__(self, number: int, body: Body, writer: Writer) -> None:
        self.this = f"dialog[{number}]"
        self.entry = body.parameters[0]
        self.body = body
        self.writer = writer
        self.lines = Lines()

    def text(self) -> str | None:
        clauses = self._clauses()
        if clauses is None:
            return None
        count = self._count(clauses)
        last = 0 if count is None else count + 1
        for number, clause in enumerate(clauses, start=1):
            end = clauses[number].line if number < len(clauses) else last
            name = f"@{clause.entry}" if clause.entry else "@S"
            self.lines.add(Piece(name, 0, max(clause.line, 1)))
            self._statements(_in_braces(clause.block, end))
        self.lines.end(count)
        self.lines.lines += [""] * ((count or 0) - len(self.lines.lines))
        return "".join(f"{line}\r\n" for line in self.lines.lines)

    def _count(self, clauses: list[_Clause]) -> int | None:
        """The number of lines of the dialog, by the line of the function's end; None if the code
        does not have it."""
        statements = self.body.block.statements
        last = statements[-1] if statements else None
        if not isinstance(last, Return) or not last.marked:
            return None
        inner = clauses[-1].block.statements if clauses else []
        is_open = bool(clauses) and not (inner and isinstance(inner[-1], Return))
        return last.line - 1 - is_open

    # ----------------------------------------------------------------------------------- structure

    def _clauses(self) -> list[_Clause] | None:
        """The entry points in their order; None where something else stands between them."""
        statements = list(self.body.block.statements)
        if statements and isinstance(statements[-1], Return):
            statements.pop()
        clauses: list[_Clause] = []
        for statement in statements:
            found = list(self._chain(statement))
            if not found:
                return None
            clauses += found
        for number in range(1, len(clauses)):
            clause, following = clauses[number - 1 : number + 1]
            inner = clause.block.statements
            if inner and self._falls(inner[-1], following.entry):
                # both are in one line
                line = inner[-1].line if inner[-1].marked else following.line
                clauses[number] = following._replace(line=following.line or line)
                clauses[number - 1] = clause._replace(block=Block(inner[:-1], clause.block.end))
        return clauses

    def _chain(self, statement: Statement) -> Iterator[_Clause]:
        """The entry points of ``if … else if …``."""
        while isinstance(statement, If):
            entry = self._compared(statement.condition)
            if entry is None:
                return
            yield _Clause(entry, statement.line if statement.marked else 0, statement.then)
            otherwise = statement.otherwise
            if otherwise is None or len(otherwise.statements) != 1:
                return
            statement = otherwise.statements[0]

    def _compared(self, condition: Expression) -> int | None:
        """The number that the entry point is compared with."""
        if isinstance(condition, Binary) and condition.operator == "==":
            left, right = condition.left, condition.right
            if isinstance(left, Load) and self._is_entry(left.place):
                return right.value if isinstance(right, Constant) else None
        return None

    def _is_entry(self, place: MemoryPlace) -> bool:
        base = place.base
        return place.kind == LOCAL and isinstance(base, Variable) and base is self.entry

    def _falls(self, statement: Statement, entry: int) -> bool:
        """Whether a statement sets the entry point to the next one, because nothing ends this."""
        return (
            isinstance(statement, Assign)
            and isinstance(statement.target, MemoryPlace)
            and self._is_entry(statement.target)
            and isinstance(statement.value, Constant)
            and statement.value.value == entry
        )

    # ---------------------------------------------------------------------------------- statements

    def _statements(self, statements: list[Statement]) -> None:
        groups: list[list[Statement]] = []
        for statement in statements:
            if statement.marked or not groups:
                groups.append([])
            groups[-1].append(statement)
        for number, group in enumerate(groups):
            line = group[0].line if group[0].marked else 0
            word = self._word(group)
            ends = word.split(" ")[0] in _ENDS
            if word and line and ends == (ends and number == len(groups) - 1):
                self.lines.add(Piece(word, 0, line))
            else:
                self._script(group)

    def _word(self, group: list[Statement]) -> str:
        """The line of a dialog for the statements of a line; empty if there is none."""
        texts = [self._plain(statement) for statement in group]
        if len(group) == 1:
            return self._one(texts[0])
        room = _NEW_ROOM.fullmatch(texts[0])
        if room and len(texts) == 2 and self._one(texts[1]) == "stop":
            return f"new-room {room[1]}"
        request = _RUN_SCRIPT.fullmatch(texts[0])
        if request and len(group) == 2 and self._returns(group[1], request[1]):
            return f"run-script {request[2]}"
        return ""

    def _plain(self, statement: Statement) -> str:
        """A statement of one line, or empty; the dialog is ``this``."""
        if not isinstance(statement, SIMPLE):
            return ""
        text = self.writer.simple(statement)
        return text.replace(f"{self.this}.", "this.")

    def _one(self, text: str) -> str:
        speech = _SPEECH.fullmatch(text)
        if speech:
            return self._speech(speech[1], speech[2])
        for pattern, word in _WORDS:
            match = pattern.fullmatch(text)
            if match:
                return word.format(*match.groups())
        return ""

    def _speech(self, who: str | None, text: str) -> str:
        said = text.replace('\\"', '"')
        if not said.strip() or said != said.strip() or "//" in said or "%" in said:
            return ""
        name = who or "narrator"
        if name[:1] == "c" and name[1:2].isupper():
            name = name[1:]
        return f"{name}: {said}"

    def _returns(self, statement: Statement, variable: str) -> bool:
        """Whether a statement returns what ``run-script`` gave, if that ends the dialog."""
        if not isinstance(statement, If) or statement.otherwise is not None:
            return False
        inner = statement.then.statements
        condition = self.writer.expressions.text(statement.condition)
        is_return = len(inner) == 1 and isinstance(inner[0], Return)
        return is_return and condition == f"{variable} != -1"

    def _script(self, group: list[Statement]) -> None:
        """Statements as script: lines that begin with blanks."""
        self.writer.pieces = []
        self.writer.statements(group, 1)
        for piece in self.writer.pieces:
            text = piece.text.replace(f"{self.this}.", "this.")
            self.lines.add(piece._replace(text=text))


def _in_braces(block: Block, end: int) -> list[Statement]:
    """The statements of an entry point.  Where its variables end before the line ``end``, braces
    stand around them and what follows."""
    inner = block.statements
    first = next((n for n, statement in enumerate(inner) if isinstance(statement, Declare)), -1)
    if first < 0 or isinstance(inner[-1], Return) or not 0 < block.end < end:
        return inner
    braces = Braces(inner[first].line, inner[first].marked, Block(inner[first:], block.end))
    return [*inner[:first], braces]
