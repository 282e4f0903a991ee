"""Drag-and-drop actions as people read them: a sentence each, in the blocks they make.

>>> from overhaul.gamemaker.classic.action_table import definitions
>>> action = definitions()[103].action()
>>> action.arguments[0], action.relative = "4", 1
>>> str(describe(action))
'Set the horizontal speed to 4 (relative)'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from overhaul.gamemaker.classic.action_table import ARGUMENT_RESOURCES, definitions
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.sentences import SENTENCES

if TYPE_CHECKING:
    from overhaul.gamemaker.classic.actions import Action
    from overhaul.gamemaker.classic.events import NameOf

#: the kinds of actions that make blocks, and what code does
BEGIN, END, ELSE, REPEAT, CODE = 1, 2, 3, 5, 7
_COMMENT, _MOVE = 605, 101
_EXPRESSION, _STRING, _BOTH, _COLOUR, _FONT = 0, 1, 2, 13, 15
_PLACE = re.compile(r"\{(\d)(?:(\+)|:([^}]*))?\}|\[([^|\]]*)\|([^\]]*)\]")
#: by their place among the nine digits of directions
_DIRECTIONS = (
    "down-left", "down", "down-right", "left", "nowhere", "right", "up-left", "up", "up-right",
)  # fmt: skip
_SELF, _OTHER = -1, -2


class Word(NamedTuple):
    """A part of a sentence.

    ``kind`` is empty for plain words, ``gml`` for an expression, ``colour`` for one as
    ``#rrggbb``, else the kind of the resource that it names (``object``).
    """

    text: str
    kind: str = ""


class Sentence(tuple[Word, ...]):
    """What an action does, as a person reads it; ``str`` gives it as one text."""

    __slots__ = ()

    def __str__(self) -> str:
        return "".join(word.text for word in self)


class Line(NamedTuple):
    """A line of a list of actions.

    ``depth`` counts the questions, loops and blocks it is in; ``number`` is that of its action in
    the list, from 0.  ``role`` is ``block`` for what decides about the lines below it, ``comment``,
    or empty.  ``code`` is GML: of "execute code", and what the library of another author defines;
    None for all others.
    """

    number: int
    depth: int
    sentence: Sentence
    role: str = ""
    code: str | None = None


def _no_names(kind: str, index: int) -> str | None:
    """No resource has a name."""
    return None


# --------------------------------------------------------------------------------- one action


def describe(action: Action, name_of: NameOf = _no_names) -> Sentence:
    """What an action does, as a sentence; resources by their names.

    Actions of libraries that are not Game Maker's own are told by their numbers, the function
    that they call, and their arguments.
    """
    words = _joined([*_applied(action, name_of), *_said(action, name_of)])
    if action.relative and action.can_be_relative:
        words.append(Word(" (relative)"))
    if words and words[0].kind == "" and not _is_comment(action):
        words[0] = Word(words[0].text[:1].upper() + words[0].text[1:])
    return Sentence(_joined(words))


def _applied(action: Action, name_of: NameOf) -> Iterator[Word]:
    """Whom an action applies to, where that is not the instance itself."""
    if action.applies_to == _SELF:
        return
    yield Word("for ")
    if action.applies_to == _OTHER:
        yield Word("the other instance")
    else:
        yield _resource("objects", action.applies_to, name_of)
    yield Word(": ")


def _said(action: Action, name_of: NameOf) -> Iterator[Word]:
    """The words of an action without whom it applies to."""
    definition = definitions().get(action.action_id) if action.library_id == 1 else None
    own = definition is not None and (
        action.exec_type != 1 or action.function_name == definition.name
    )
    if definition is not None and own:
        if action.is_question:
            yield Word("if ")
        yield from _filled(SENTENCES[definition.id], action, definition.kinds, name_of)
        return
    if action.is_question:
        yield Word("if not " if action.negated else "if ")
    count = min(max(action.argument_count, 0), len(action.arguments))
    kinds = (*action.argument_kinds[:count], *[0] * count)[:count]
    if action.exec_type == 1 and action.function_name:
        yield Word("call ")
        yield Word(action.function_name, "gml")
    else:
        yield Word(f"action {action.action_id} of library {action.library_id}")
    yield Word("(")
    yield from _listed(action, range(count), kinds, name_of)
    yield Word(")")


def _filled(sentence: str, action: Action, kinds: Sequence[int], name_of: NameOf) -> Iterator[Word]:
    """The words of a sentence with the arguments in their places."""
    at = 0
    for place in _PLACE.finditer(sentence):
        yield Word(sentence[at : place.start()])
        at = place.end()
        number, rest, menu, yes, no = place.groups()
        if number is None:
            yield Word(no if action.negated else yes)
        elif rest:
            last = max((n for n in range(len(kinds)) if _text(action, n) != "0"), default=-1)
            if last >= int(number):
                yield Word(" (")
                yield from _listed(action, range(int(number), last + 1), kinds, name_of)
                yield Word(")")
        elif menu is not None:
            yield _chosen(menu, _text(action, int(number)))
        else:
            yield _argument(_text(action, int(number)), kinds[int(number)], name_of, action)
    yield Word(sentence[at:])


def _text(action: Action, number: int) -> str:
    """An argument as it is stored; Game Maker stores "0" for what is not given."""
    return action.arguments[number] if number < len(action.arguments) else "0"


def _listed(
    action: Action, numbers: Iterable[int], kinds: Sequence[int], name_of: NameOf
) -> Iterator[Word]:
    """Arguments with commas between them."""
    for place, number in enumerate(numbers):
        if place:
            yield Word(", ")
        yield _argument(_text(action, number), kinds[number], name_of, action)


def _chosen(menu: str, text: str) -> Word:
    """The item of a menu; ``*``: directions.  What is no item is told as it is."""
    if menu == "*":
        ways = [_DIRECTIONS[n] for n, digit in enumerate(text[:9]) if digit != "0"]
        if len(ways) > 1:
            return Word(f"{', '.join(ways[:-1])} or {ways[-1]}")
        return Word(ways[0] if ways else "nowhere")
    items = menu.split("|")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else len(items)
    return Word(items[number]) if number < len(items) else Word(text, "gml")


def _argument(text: str, kind: int, name_of: NameOf, action: Action) -> Word:
    """An argument as its kind shows it."""
    if kind in ARGUMENT_RESOURCES:
        whole = text.removeprefix("-")
        if whole.isascii() and whole.isdigit() and len(whole) < 10:
            return _resource(ARGUMENT_RESOURCES[kind], int(text), name_of)
    if kind == _COLOUR and text.isascii() and text.isdigit() and len(text) < 11:
        value = int(text)
        return Word(f"#{value & 255:02x}{value >> 8 & 255:02x}{value >> 16 & 255:02x}", "colour")
    if kind in (_STRING, _BOTH) and not _is_comment(action):
        if kind == _BOTH and text[:1] in ("'", '"'):
            return Word(text, "gml")
        return Word(text, "gml") if _is_name(action) else Word(f"“{text}”")
    return Word(text) if kind == _FONT or _is_comment(action) else Word(text, "gml")


def _is_name(action: Action) -> bool:
    """Whether a text is the name of a variable, not words."""
    return action.kind == 6 or action.action_id == 611


def _resource(kind: str, index: int, name_of: NameOf) -> Word:
    """A resource by its name; one that is not there by its number."""
    singular = BY_PLURAL[kind].singular
    if index in (-1, -100):
        return Word(f"no {singular}")
    name = name_of(kind, index)
    return Word(f"{singular} {index}") if name is None else Word(name, singular)


def _joined(words: Iterable[Word]) -> list[Word]:
    """Words with plain neighbours as one, and none that is empty."""
    joined: list[Word] = []
    for word in words:
        if joined and word.kind == "" == joined[-1].kind:
            joined[-1] = Word(joined[-1].text + word.text)
        elif word.text or word.kind:
            joined.append(word)
    return joined


# ------------------------------------------------------------------------------ lists of them


#: What is open in a list: a question, and "else" or "repeat", which hold the next action; a block
#: that such a one holds; a block of its own.
_QUESTION, _ONCE, _HELD, _ALONE = range(4)


class _Blocks:
    """What is open at a place in a list of actions; ``depth`` is how far it is indented."""

    def __init__(self) -> None:
        self.open: list[int] = []
        self.depth = 0
        self._blocks = 0

    def begin(self, what: int) -> None:
        """Open something."""
        self.open.append(what)
        self.depth += what != _HELD
        self._blocks += what in (_HELD, _ALONE)

    def holds(self) -> bool:
        """Whether the next action is what a question, "else" or "repeat" decides about."""
        return bool(self.open) and self.open[-1] in (_QUESTION, _ONCE)

    def done(self, before_else: bool) -> None:
        """An action, or a whole block, is over: so is what held only that.

        An "else" that follows belongs to the innermost question.
        """
        while self.holds():
            if self._pop() == _QUESTION and before_else:
                return

    def end(self) -> bool:
        """End the innermost block; False where there is none."""
        if not self._blocks:
            return False
        while self._pop() not in (_HELD, _ALONE):
            continue
        return True

    def _pop(self) -> int:
        what = self.open.pop()
        self.depth -= what != _HELD
        self._blocks -= what in (_HELD, _ALONE)
        return what


def lines_of(actions: Sequence[Action], name_of: NameOf = _no_names) -> Iterator[Line]:
    """A list of actions as lines, indented as their blocks are.

    What a question, "else" or "repeat" decides about stands one level deeper: the action behind
    it, or the block.  The actions that only begin and end such blocks have no line.
    """
    blocks = _Blocks()
    for number, action in enumerate(actions):
        before_else = number + 1 < len(actions) and actions[number + 1].kind == ELSE
        if action.kind == BEGIN and blocks.holds():
            blocks.begin(_HELD)
            continue
        if action.kind == END and blocks.end():
            blocks.done(before_else)
            continue
        opened = _opened(action)
        role = "comment" if _is_comment(action) else "" if opened is None else "block"
        yield Line(number, blocks.depth, describe(action, name_of), role, code_of(action))
        if opened is None:
            blocks.done(before_else)
        else:
            blocks.begin(opened)


def _opened(action: Action) -> int | None:
    """What an action that has a line opens; None for nothing."""
    if action.kind == BEGIN:
        return _ALONE
    if action.is_question:
        return _QUESTION
    return _ONCE if action.kind in (ELSE, REPEAT) else None


def _is_comment(action: Action) -> bool:
    return action.library_id == 1 and action.action_id == _COMMENT


def code_of(action: Action) -> str | None:
    """The GML of an action: of "execute code", or of its library; None if it has none."""
    if action.kind == CODE and action.arguments:
        return action.arguments[0]
    own = action.library_id == 1 and action.action_id in definitions()
    return action.code if action.exec_type == 2 and action.code and not own else None
