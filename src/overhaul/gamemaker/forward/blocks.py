"""Lists of actions as sources: questions, blocks, loops, and each action as a comment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from overhaul.gamemaker.classic.describing import describe
from overhaul.gamemaker.forward.actions import (
    BEGIN,
    CODE,
    COMMENT,
    ELSE,
    END,
    EXIT,
    REPEAT,
    VARIABLE,
    WITHOUT,
    Act,
    argument,
    condition,
    has_transition,
    statements,
)
from overhaul.gamemaker.forward.exits import ending_alone, has_exit
from overhaul.gamemaker.forward.texts import closed

_INDENT: Final = "    "
_SELF: Final = "self"
#: How many blocks may be in each other.
_DEEPEST: Final = 64


class ActionSource:
    """The source of a list of actions.

    ``warn`` is called with a code of findings, a message and a line of the source.  ``count`` is
    how many actions there are, ``unknown`` how many of them became nothing but a comment.
    ``ends_alone``: an exit in the code of an action ends that alone.
    """

    def __init__(
        self,
        acts: Sequence[Act],
        warn: Callable[[str, str, int], None],
        *,
        ends_alone: bool = False,
    ) -> None:
        self._acts = acts
        self._ends_alone = ends_alone
        self.count: int = len(acts)
        self.unknown: int = 0
        self._warn = warn
        self._at = 0
        self._depth = 0
        self._lines: list[str] = []

    def text(self) -> str:
        """The source.  One that is nothing but code has no comment for that."""
        acts = self._acts
        if len(acts) == 1 and acts[0].kind == CODE and acts[0].who == _SELF:
            return _code(acts[0])
        while self._at < len(acts):
            self._statement()
        return "\n".join(self._lines) + "\n" if self._lines else ""

    # -- lines -----------------------------------------------------------------------------------

    def _put(self, text: str) -> None:
        indent = _INDENT * self._depth
        for line in text.split("\n"):
            self._lines.append(indent + line if line.strip() else line)

    def _note(self, act: Act) -> None:
        """The action as a comment."""
        words = str(describe(act.record(), lambda kind, index: act.who))
        self._put(f"// {' '.join(words.split())}")

    def _report(self, code: str, message: str) -> None:
        self._warn(code, message, len(self._lines))

    # -- statements ------------------------------------------------------------------------------

    def _statement(self) -> None:
        """The next action, with what belongs to it."""
        while self._is_too_deep():
            self._note(self._acts[self._at])
            self._at += 1
            self.unknown += 1
            message = f"it is in {_DEEPEST} others: it is a comment, and its contents always run"
            self._report("unsupported", message)
            if self._at == len(self._acts):
                return
        act = self._acts[self._at]
        self._at += 1
        if act.is_question:
            self._question(act)
        elif act.kind == BEGIN:
            self._put("{")
            self._block()
            self._put("}")
        elif act.kind == END:
            self._note(act)
            self._report("syntax", "a block ends here that has no beginning")
        elif act.kind == ELSE:
            self._put("// Else: no question is before it")
            self._report("syntax", "an else without a question: its action is done always")
        elif act.kind == REPEAT:
            self._put(f"repeat ({argument(act, 0)})")
            self._body()
        else:
            self._plain(act)

    def _is_too_deep(self) -> bool:
        """Whether the next action begins a block in too many others."""
        act = self._acts[self._at]
        return self._depth >= _DEEPEST and (act.is_question or act.kind in (BEGIN, REPEAT))

    def _body(self) -> None:
        """The body of a question, an else or a loop: an action, or a block."""
        self._put("{")
        if self._at < len(self._acts) and self._acts[self._at].kind == BEGIN:
            self._at += 1
            self._block()
        elif self._at < len(self._acts) and self._acts[self._at].kind != END:
            self._depth += 1
            self._statement()
            self._depth -= 1
        else:
            self._report("syntax", "no action follows it")
        self._put("}")

    def _block(self) -> None:
        self._depth += 1
        while self._at < len(self._acts):
            if self._acts[self._at].kind == END:
                self._at += 1
                break
            self._statement()
        else:
            self._report("syntax", "this block has no end")
        self._depth -= 1

    def _question(self, act: Act) -> None:
        self._note(act)
        asked = condition(act)
        if asked is None:
            self._unknown(act)
            asked = "false"
        if act.who != _SELF:
            self._put("var action_answer = false;")
            self._put(f"with ({act.who}) action_answer = ({asked});")
            asked = "action_answer"
        self._put(f"if ({'!(' if act.negated else ''}{asked}{')' if act.negated else ''})")
        self._body()
        if self._at < len(self._acts) and self._acts[self._at].kind == ELSE:
            self._at += 1
            self._put("else")
            self._body()

    def _plain(self, act: Act) -> None:
        """An action that nothing depends on."""
        if act.library == 1 and act.number == COMMENT:
            text = act.arguments[0][1] if act.arguments else ""
            for line in text.splitlines() or [""]:
                self._put(f"// {line.strip()}".rstrip())
            return
        if act.kind == CODE:
            self._run(act)
            return
        if act.kind == EXIT:
            self._put("exit;")
            return
        self._note(act)
        if has_transition(act):
            self._report("unsupported", "no later release has transitions between rooms")
        made = self._variable(act) if act.kind == VARIABLE else statements(act)
        if made is None:
            self._unknown(act)
            return
        self._applied(act, made)

    def _variable(self, act: Act) -> str:
        name = act.arguments[0][1].strip() if act.arguments else ""
        if not name:
            return "// no variable was named"
        return f"{name} {'+=' if act.relative else '='} {argument(act, 1)};"

    def _run(self, act: Act) -> None:
        """Code."""
        text = _code(act).strip("\n")
        is_last = self._at >= len(self._acts)
        if not is_last and self._ends_alone and has_exit(text):
            alone = ending_alone(text)
            if alone is None:
                message = "an exit in this code ends the event, and with it the actions below"
                self._report("approximated", message)
            text = alone or text
        self._applied(act, text)

    def _applied(self, act: Act, made: str) -> None:
        """Statements, done by those that the action applies to."""
        if act.who == _SELF:
            self._put(made)
            return
        self._put(f"with ({act.who})")
        self._put("{")
        self._depth += 1
        self._put(made)
        self._depth -= 1
        self._put("}")

    def _unknown(self, act: Act) -> None:
        """An action that nothing is known to do the same as."""
        self.unknown += 1
        what = act.function or f"action {act.number} of library {act.library}"
        if act.function in WITHOUT:
            self._report("unsupported", f"no later release has anything for {what}")
        else:
            self._report("unsupported", f"the action {what} is unknown, and is a comment")


def _code(act: Act) -> str:
    return closed(act.arguments[0][1].replace("\r\n", "\n")) if act.arguments else ""
