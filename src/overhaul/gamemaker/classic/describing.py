"""Drag-and-drop actions as sentences, in the blocks that they make.

>>> from overhaul.gamemaker.classic.action_table import definitions
>>> action = definitions()[103].action()
>>> action.arguments[0], action.relative = "4", 1
>>> str(describe(action))
'Set the horizontal speed to 4 (relative)'

In the sentences ``{0}`` is an argument as its kind shows it; ``{0:no|left|right}`` one of the items
of a menu; ``{0:*}`` the nine digits of directions; ``{1+}`` the arguments from there on in
parentheses, if any is given.  ``[is|is not]`` is what a question says, and what it says with "not".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from overhaul.gamemaker.classic.action_table import ARGUMENT_RESOURCES, definitions
from overhaul.gamemaker.classic.actions import Action, NameOf
from overhaul.gamemaker.classic.kinds import BY_PLURAL

_SOLID = "solid objects|any object"
_EQUAL = "equal to|smaller than|larger than|at most|at least"
_TRANSITION = (
    "without a transition|created from the left|created from the right|created from the top|"
    "created from the bottom|created from the centre|shifted from the left|"
    "shifted from the right|shifted from the top|shifted from the bottom|"
    "interlaced from the left|interlaced from the right|interlaced from the top|"
    "interlaced from the bottom|pushed from the left|pushed from the right|"
    "pushed from the top|pushed from the bottom|rotated to the left|rotated to the right|"
    "blended|faded out and in"
)
_FILLED = "filled|as an outline"
_SHAPE = "pixel|disk|square|line|star|circle|ring|sphere|flare|spark|explosion|cloud|smoke|snow"
_BARS = (
    "green to red|white to black|black|grey|silver|white|maroon|green|olive|navy|purple|teal|"
    "red|lime|yellow|blue|fuchsia|aqua"
)
_BACKS = (
    "no background|black|grey|silver|white|maroon|green|olive|navy|purple|teal|red|lime|yellow|"
    "blue|fuchsia|aqua"
)

SENTENCES = {
    101: "start moving {0:*} with speed {1}",
    102: "set the motion to direction {0}, speed {1}",
    103: "set the horizontal speed to {0}",
    104: "set the vertical speed to {0}",
    105: "start moving towards ({0}, {1}) with speed {2}",
    107: "set the gravity to {1} in direction {0}",
    108: "set the friction to {0}",
    109: "jump to ({0}, {1})",
    110: "jump to the start position",
    111: "jump to a random position, aligned to {0} by {1}",
    112: "wrap around the room {0:horizontally|vertically|in both directions}",
    113: "reverse the horizontal direction",
    114: "reverse the vertical direction",
    115: f"bounce {{0:not precisely|precisely}} against {{1:{_SOLID}}}",
    116: f"move in direction {{0}} to a contact with {{2:{_SOLID}}}, at most {{1}}",
    117: "align to a grid of {0} by {1}",
    119: (
        "follow the path {0} with speed {1}, at its end "
        "{2:stop|continue from the start|continue from there|reverse}, "
        "{3:relative to the current position|at its absolute position}"
    ),
    120: f"step straight towards ({{0}}, {{1}}) with speed {{2}}, stopping at {{3:{_SOLID}}}",
    121: f"step towards ({{0}}, {{1}}) with speed {{2}}, avoiding {{3:{_SOLID}}}",
    122: "set the position on the path to {0}",
    123: "set the speed on the path to {0}",
    124: "stop following the path",
    201: "create an instance of {0} at ({1}, {2})",
    202: "change into an instance of {0}, {1:without|with} performing events",
    203: "destroy the instance",
    204: "destroy all instances at ({0}, {1})",
    205: "set the sprite to {0}, scaled by {1}",
    206: "create an instance of {0} at ({1}, {2}) with speed {3} in direction {4}",
    207: "create an instance of one of {0}, {1}, {2}, {3} at ({4}, {5})",
    211: "play the sound {0}{1:| in a loop}",
    212: "stop the sound {0}",
    213: "the sound {0} [is|is not] playing",
    221: f"go to the previous room, {{0:{_TRANSITION}}}",
    222: f"go to the next room, {{0:{_TRANSITION}}}",
    223: f"restart the room, {{0:{_TRANSITION}}}",
    224: f"go to the room {{0}}, {{1:{_TRANSITION}}}",
    225: "there is [a|no] previous room",
    226: "there is [a|no] next room",
    301: "set alarm {1} to {0} steps",
    302: "sleep for {0} milliseconds, {1:without redrawing|redrawing} the screen",
    303: "start the time line {0} at position {1}",
    304: "set the position in the time line to {0}",
    305: (
        "set the time line to {0} at position {1}, {2:starting it|not starting it}, "
        "{3:not looping|looping}"
    ),
    306: "start the time line",
    307: "pause the time line",
    308: "stop the time line",
    309: "set the speed of the time line to {0}",
    321: "show the message {0}",
    322: "show the game information",
    323: "show the video {0} {1:in the window|full screen}, {2:once|in a loop}",
    326: "show the web page {0} as a splash ({1})",
    327: "show the video {0} as a splash ({1})",
    328: "set how splashes are shown: caption {0}{1+}",
    331: "restart the game",
    332: "end the game",
    333: "save the game to the file {0}",
    334: "load the game from the file {0}",
    401: f"there is [nothing|something] at ({{0}}, {{1}}), of {{2:{_SOLID}}}",
    402: f"there is [a|no] collision at ({{0}}, {{1}}) with {{2:{_SOLID}}}",
    403: "there is [an|no] instance of {0} at ({1}, {2})",
    404: f"the number of instances of {{0}} [is|is not] {{2:{_EQUAL}}} {{1}}",
    405: "a die with {0} sides [shows|does not show] a one",
    407: "the player answers [yes|no] to {0}",
    408: "{0} is [true|false]",
    409: "{0:no|the left|the right|the middle} mouse button is [down|not down]",
    410: "the position [is|is not] aligned to a grid of {0} by {1}",
    421: "else",
    422: "block",
    423: "repeat {0} times",
    424: "end of a block that has no beginning",
    425: "exit the event",
    500: "draw the instance itself",
    501: "draw the sprite {0}, subimage {3}, at ({1}, {2})",
    502: "draw the background {0} at ({1}, {2}){3:|, tiled}",
    511: f"draw a rectangle from ({{0}}, {{1}}) to ({{2}}, {{3}}), {{4:{_FILLED}}}",
    512: f"draw an ellipse from ({{0}}, {{1}}) to ({{2}}, {{3}}), {{4:{_FILLED}}}",
    513: "draw a line from ({0}, {1}) to ({2}, {3})",
    514: "draw the text {0} at ({1}, {2})",
    515: "draw an arrow from ({0}, {1}) to ({2}, {3}) with a tip of {4}",
    516: "draw a rectangle from ({0}, {1}) to ({2}, {3}), fading across from {4} to {5}",
    517: "draw a rectangle from ({0}, {1}) to ({2}, {3}), fading down from {4} to {5}",
    518: "draw an ellipse from ({0}, {1}) to ({2}, {3}), fading outwards from {4} to {5}",
    519: "draw the text {0} at ({1}, {2}), scaled by {3} and {4}, at an angle of {5}",
    521: "set the colour of fillings to {0}",
    523: "set the font to {0}, size {1}{2+}",
    524: "set the colour of drawings to {0}",
    525: "set the font to {0}",
    526: "set the font to {0}, aligned {1:left|centred|right}",
    531: "change the window: {0:switch between both|window|full screen}",
    532: (
        "create a {3:small|medium|large} "
        "{0:explosion|ring|ellipse|firework|smoke|rising smoke|star|spark|flare|cloud|rain|snow} "
        "of colour {4} at ({1}, {2}), {5:below|above} objects"
    ),
    541: "set the sprite to {0}, subimage {1}, speed {2}",
    542: (
        "transform the sprite: scaled by {0} and {1}, at an angle of {2}, "
        "{3:not mirrored|mirrored|flipped|mirrored and flipped}"
    ),
    543: "blend the sprite with {0}, opacity {1}",
    601: "execute the script {0}{1+}",
    603: "execute code",
    604: "call the inherited event",
    605: "{0}",
    611: "set the variable {0} to {1}",
    612: f"{{0}} [is|is not] {{2:{_EQUAL}}} {{1}}",
    613: "draw the value of {0} at ({1}, {2})",
    701: "set the score to {0}",
    702: f"the score [is|is not] {{1:{_EQUAL}}} {{0}}",
    703: "draw the score at ({0}, {1}) with the caption {2}",
    706: "show the high scores",
    707: "clear the high scores",
    709: (
        "show the high scores on the background {0}, {1:without|with} a border, "
        "new ones in {2}, others in {3}, font {4}"
    ),
    711: "set the lives to {0}",
    712: f"the lives [are|are not] {{1:{_EQUAL}}} {{0}}",
    713: "draw the lives at ({0}, {1}) with the caption {2}",
    714: "draw the lives at ({0}, {1}) as pictures of {2}",
    721: "set the health to {0}",
    722: f"the health [is|is not] {{1:{_EQUAL}}} {{0}}",
    723: (
        f"draw the health as a bar from ({{0}}, {{1}}) to ({{2}}, {{3}}): "
        f"{{4:{_BACKS}}}, bar {{5:{_BARS}}}"
    ),
    731: (
        "the window's caption: {0:no score|the score} ({1}), {2:no lives|the lives} ({3}), "
        "{4:no health|the health} ({5})"
    ),
    801: "use the sprite {0} as the cursor, {1:hiding|showing} the system's",
    802: "save a picture of the game to the file {0}",
    803: "replace the sprite {0} by the file {1} with {2} subimages",
    804: "replace the sound {0} by the file {1}",
    805: "replace the background {0} by the file {1}",
    807: "open the web page {0}",
    808: "play the CD from track {0} to {1}",
    809: "stop the CD",
    810: "pause the CD",
    811: "resume the CD",
    812: "a CD [is|is not] in the drive",
    813: "a CD [is|is not] playing",
    820: "create the particle system at depth {0}",
    821: "destroy the particle system",
    822: "clear the particle system",
    823: (
        f"particle type {{0}}: shape {{1:{_SHAPE}}}, sprite {{2}}, size {{3}} to {{4}}, "
        "growing by {5}"
    ),
    824: "particle type {0}: colours {1:mixed|changing} from {2} to {3}, opacity {4} to {5}",
    825: f"particle type {{0}}: shape {{1:{_SHAPE}}}, size {{2}} to {{3}}, colours {{4}} and {{5}}",
    826: "particle type {0}: life {1} to {2} steps",
    827: "particle type {0}: speed {1} to {2}, direction {3} to {4}, friction {5}",
    828: "particle type {0}: gravity {1} in direction {2}",
    829: "particle type {0}: {2} of type {1} each step, {4} of type {3} at its death",
    831: (
        "create the emitter {0}: {1:rectangle|ellipse|diamond|line} from ({2}, {4}) to ({3}, {5})"
    ),
    832: "destroy the emitter {0}",
    833: "emitter {0}: burst {2} particles of type {1}",
    834: "emitter {0}: stream {2} particles of type {1} each step",
}


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


class SentencePart(NamedTuple):
    """A part of a sentence.

    ``kind`` is empty for plain words, ``gml`` for an expression, ``colour`` for one as
    ``#rrggbb``, else the kind of the resource that it names (``object``).
    """

    text: str
    kind: str = ""


class Sentence(tuple[SentencePart, ...]):
    """An action as a sentence; ``str`` gives it as one text."""

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
    """The sentence of an action, with resources by their names.

    Actions of libraries that are not Game Maker's own are shown by their numbers, the function
    that they call, and their arguments.
    """
    words = _joined([*_applied(action, name_of), *_said(action, name_of)])
    if action.relative and action.can_be_relative:
        words.append(SentencePart(" (relative)"))
    if words and words[0].kind == "" and not _is_comment(action):
        words[0] = SentencePart(words[0].text[:1].upper() + words[0].text[1:])
    return Sentence(_joined(words))


def _applied(action: Action, name_of: NameOf) -> Iterator[SentencePart]:
    """The target of an action, if it is not the instance itself."""
    if action.applies_to == _SELF:
        return
    yield SentencePart("for ")
    if action.applies_to == _OTHER:
        yield SentencePart("the other instance")
    else:
        yield _resource("objects", action.applies_to, name_of)
    yield SentencePart(": ")


def _said(action: Action, name_of: NameOf) -> Iterator[SentencePart]:
    """The words of an action without its target."""
    definition = definitions().get(action.action_id) if action.library_id == 1 else None
    own = definition is not None and (
        action.exec_type != 1 or action.function_name == definition.name
    )
    if definition is not None and own:
        if action.is_question:
            yield SentencePart("if ")
        yield from _filled(SENTENCES[definition.id], action, definition.kinds, name_of)
        return
    if action.is_question:
        yield SentencePart("if not " if action.negated else "if ")
    count = min(max(action.argument_count, 0), len(action.arguments))
    kinds = (*action.argument_kinds[:count], *[0] * count)[:count]
    if action.exec_type == 1 and action.function_name:
        yield SentencePart("call ")
        yield SentencePart(action.function_name, "gml")
    else:
        yield SentencePart(f"action {action.action_id} of library {action.library_id}")
    yield SentencePart("(")
    yield from _listed(action, range(count), kinds, name_of)
    yield SentencePart(")")


def _filled(
    sentence: str, action: Action, kinds: Sequence[int], name_of: NameOf
) -> Iterator[SentencePart]:
    """The words of a sentence with the arguments in their places."""
    at = 0
    for place in _PLACE.finditer(sentence):
        yield SentencePart(sentence[at : place.start()])
        at = place.end()
        number, rest, menu, yes, no = place.groups()
        if number is None:
            yield SentencePart(no if action.negated else yes)
        elif rest:
            last = max((n for n in range(len(kinds)) if _text(action, n) != "0"), default=-1)
            if last >= int(number):
                yield SentencePart(" (")
                yield from _listed(action, range(int(number), last + 1), kinds, name_of)
                yield SentencePart(")")
        elif menu is not None:
            yield _chosen(menu, _text(action, int(number)))
        else:
            yield _argument(_text(action, int(number)), kinds[int(number)], name_of, action)
    yield SentencePart(sentence[at:])


def _text(action: Action, number: int) -> str:
    """An argument as it is stored; Game Maker stores "0" for what is not given."""
    return action.arguments[number] if number < len(action.arguments) else "0"


def _listed(
    action: Action, numbers: Iterable[int], kinds: Sequence[int], name_of: NameOf
) -> Iterator[SentencePart]:
    """Arguments with commas between them."""
    for place, number in enumerate(numbers):
        if place:
            yield SentencePart(", ")
        yield _argument(_text(action, number), kinds[number], name_of, action)


def _chosen(menu: str, text: str) -> SentencePart:
    """The item of a menu; ``*``: directions. A number without an item is shown unchanged."""
    if menu == "*":
        ways = [_DIRECTIONS[n] for n, digit in enumerate(text[:9]) if digit != "0"]
        if len(ways) > 1:
            return SentencePart(f"{', '.join(ways[:-1])} or {ways[-1]}")
        return SentencePart(ways[0] if ways else "nowhere")
    items = menu.split("|")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else len(items)
    return SentencePart(items[number]) if number < len(items) else SentencePart(text, "gml")


def _argument(text: str, kind: int, name_of: NameOf, action: Action) -> SentencePart:
    """An argument as its kind shows it."""
    if kind in ARGUMENT_RESOURCES:
        whole = text.removeprefix("-")
        if whole.isascii() and whole.isdigit() and len(whole) < 10:
            return _resource(ARGUMENT_RESOURCES[kind], int(text), name_of)
    if kind == _COLOUR and text.isascii() and text.isdigit() and len(text) < 11:
        value = int(text)
        return SentencePart(
            f"#{value & 255:02x}{value >> 8 & 255:02x}{value >> 16 & 255:02x}", "colour"
        )
    if kind in (_STRING, _BOTH) and not _is_comment(action):
        if kind == _BOTH and text[:1] in ("'", '"'):
            return SentencePart(text, "gml")
        return SentencePart(text, "gml") if _is_name(action) else SentencePart(f"“{text}”")
    return SentencePart(text) if kind == _FONT or _is_comment(action) else SentencePart(text, "gml")


def _is_name(action: Action) -> bool:
    """Whether a text is the name of a variable, not words."""
    return action.kind == 6 or action.action_id == 611


def _resource(kind: str, index: int, name_of: NameOf) -> SentencePart:
    """A resource by its name; one that is not there by its number."""
    singular = BY_PLURAL[kind].singular
    if index in (-1, -100):
        return SentencePart(f"no {singular}")
    name = name_of(kind, index)
    return SentencePart(f"{singular} {index}") if name is None else SentencePart(name, singular)


def _joined(words: Iterable[SentencePart]) -> list[SentencePart]:
    """Words with plain neighbours as one, and none that is empty."""
    joined: list[SentencePart] = []
    for word in words:
        if joined and word.kind == "" == joined[-1].kind:
            joined[-1] = SentencePart(joined[-1].text + word.text)
        elif word.text or word.kind:
            joined.append(word)
    return joined


# ------------------------------------------------------------------------------ lists of them


#: The open parts of a list: a question, and "else" or "repeat", which hold the next action; a block
#: that such a one holds; a block of its own.
_QUESTION, _ONCE, _HELD, _ALONE = range(4)


class _Blocks:
    """The open blocks at a place in a list of actions; ``depth`` is the indentation."""

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
        """Called when an action, or a whole block, ends: so do blocks that held only that.

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

    The action or the block after a question, "else" or "repeat" is indented. The actions that
    only begin and end such blocks have no line.
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


_ARGUMENT = re.compile(r"\{[^}]*\}")
_QUESTIONED = re.compile(r"\[([^|\]]*)\|[^\]]*\]")


def title_of(number: int) -> str:
    """The sentence of an action of Game Maker's own libraries without its arguments."""
    said = _QUESTIONED.sub(r"\1", SENTENCES.get(number, ""))
    said = _ARGUMENT.sub("…", said.replace("({1+})", ""))
    return said[:1].upper() + said[1:]


def choices_of(number: int, argument: int) -> list[str]:
    """The items of the menu that an argument of such an action chooses from; none for others."""
    found = re.search(rf"\{{{argument}:([^}}*]*)\}}", SENTENCES.get(number, ""))
    return found[1].split("|") if found else []


def _opened(action: Action) -> int | None:
    """The block that an action with a line opens; None without one."""
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
