"""How code draws texts: the font and the width of lines, where it shows.

The font is the one that ``draw_set_font`` sets before, in the same code or in all code that
calls a function. Values that are set in one branch only, or by code that runs in between, are
unknown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from overhaul.gamemaker.data.resources.sprite_fonts import MAKERS
from overhaul.gml.syntax import tree
from overhaul.translate.gamemaker.flow import Flow, ValueSource

#: the state of a draw whose font is not known
UNKNOWN: Final = ""
#: the functions that draw texts in the font that is set: the places of the text, the separation and
#: the width
_DRAWS: Final = {
    "draw_text": (2, None, None),
    "draw_text_color": (2, None, None),
    "draw_text_colour": (2, None, None),
    "draw_text_transformed": (2, None, None),
    "draw_text_transformed_color": (2, None, None),
    "draw_text_transformed_colour": (2, None, None),
    "draw_text_ext": (2, 3, 4),
    "draw_text_ext_color": (2, 3, 4),
    "draw_text_ext_colour": (2, 3, 4),
    "draw_text_ext_transformed": (2, 3, 4),
    "draw_text_ext_transformed_color": (2, 3, 4),
    "draw_text_ext_transformed_colour": (2, 3, 4),
    "action_draw_text": (0, None, None),
    "action_draw_text_transformed": (0, None, None),
}
#: which argument is the font
_WITH_FONT: Final = {"layer_text_create": 3}
_SETS: Final = {"draw_set_font": 0, "action_font": 0}
#: the font that a function found set, or the argument it was given: not the name of a font
_MARK: Final = "\0"
_BEFORE: Final = f"{_MARK}before"
_ARGUMENT: Final = f"{_MARK}argument"
#: how many calls deep functions that set fonts are followed
_ROUNDS: Final = 3
#: statements within statements that are followed
_DEEPEST: Final = 150


class Look(NamedTuple):
    """How a text is drawn: the name of the font, or of the variable that holds it; pixels from
    line to line (-1: the font's own) and of the width (0: lines are not broken); how many times
    as large.  ``font`` is "" where it is not known, and ``drawn`` False for what the system shows.
    """

    font: str = UNKNOWN
    separation: float = -1
    width: float = 0
    drawn: bool = True


class _State:
    """The facts known at a place of code."""

    def __init__(self, font: str) -> None:
        self.font = font


class _Body(NamedTuple):
    """The code of a function ("" for that of an event), and the numbers of its arguments by the
    names that they have in it."""

    block: tree.Node
    name: str
    arguments: dict[str, int]


class Looks:
    """How the calls that show texts draw them.

    :meth:`read` each tree, then :meth:`follow`; ``calls`` has the look of each call by ``id``.
    """

    def __init__(self) -> None:
        self.calls: dict[int, Look] = {}
        self._bodies: list[_Body] = []
        self._calls_of: defaultdict[str, set[str]] = defaultdict(set)
        self._held: defaultdict[str, set[str]] = defaultdict(set)
        #: the font that functions that set fonts leave: a font, _BEFORE for none, or that of an
        #: argument
        self._effects: dict[str, str] = {}
        self._left: set[str] = set()
        self._arguments: dict[str, int] = {}
        self._begins: defaultdict[str, set[str]] = defaultdict(set)
        self._entered: dict[str, str] = {}

    def read(self, block: tree.Node, name: str) -> None:
        """Read the code of an entry; ``name`` is that of its function, if it is one."""
        todo: list[tuple[tree.Node, str, list[str]]] = [(block, name, [])]
        while todo:
            body, called, parameters = todo.pop()
            arguments = {each: number for number, each in enumerate(parameters)}
            assigned: defaultdict[str, list[tree.Expression]] = defaultdict(list)
            for node in _own_nodes(body):
                if isinstance(node, tree.Function):
                    names = [parameter.name for parameter in node.parameters]
                    todo.append((node.body, node.name or "", names))
                elif isinstance(node, tree.Call):
                    self._calls_of[called].add(_name(node.function))
                elif isinstance(node, tree.Assignment):
                    assigned[_name(node.target)].append(node.value)
                elif isinstance(node, tree.Declarator | tree.StructMember) and node.value:
                    assigned[node.name].append(node.value)
            for each, values in assigned.items():
                self._held[each].update(map(_value, values))
                number = _argument(values[0]) if len(values) == 1 else None
                if number is not None:
                    arguments[each] = number
            self._bodies.append(_Body(body, called, arguments))

    def follow(self) -> None:
        """Follow the fonts that are set through all that was read."""
        setters = self._setters()
        self._effects = dict.fromkeys(setters, UNKNOWN)
        for _ in range(_ROUNDS):  # functions that call others come to rest after them
            for body in self._bodies:
                if body.name in setters:
                    self._effects[body.name] = self._effect(body)
        for _ in range(2):  # the second time, functions begin with what their callers set
            self._begins.clear()
            for body in self._bodies:
                self._arguments = body.arguments
                self._run(body.block, _State(self._entered.get(body.name, UNKNOWN)), 0)
            self._entered = {
                name: next(iter(fonts)) for name, fonts in self._begins.items() if len(fonts) == 1
            }

    def _setters(self) -> set[str]:
        """The functions that set a font, or call one that does."""
        names = {name for name, calls in self._calls_of.items() if name and calls & _SETS.keys()}
        while True:
            further = {
                name for name, calls in self._calls_of.items() if name and calls & names
            } - names
            if not further:
                return names
            names |= further

    def _effect(self, body: _Body) -> str:
        """The font that is set after a function, as :attr:`_effects` has it."""
        self._arguments, self._left = body.arguments, set()
        state = _State(_BEFORE)
        self._run(body.block, state, 0)
        ends = self._left | {state.font}
        return ends.pop() if len(ends) == 1 else UNKNOWN

    def held(self, name: str) -> str:
        """The font that a variable holds: the name it is given everywhere, or itself."""
        values = self._held.get(name, set())
        return next(iter(values)) if len(values) == 1 else name

    def _run(self, node: tree.Node | None, state: _State, depth: int) -> None:
        """Follow a statement; the state becomes what it is afterwards."""
        if node is None or isinstance(node, tree.Function):
            return
        if depth > _DEEPEST:
            state.font = UNKNOWN
        elif isinstance(node, tree.Expression):
            for part in (node, *_own_nodes(node)):
                if isinstance(part, tree.Call):
                    self._call(part, state)
        elif isinstance(node, tree.If):
            self._branches(node, state, depth)
        elif isinstance(node, tree.Switch):
            self._switch(node, state, depth)
        elif isinstance(node, tree.While | tree.DoUntil | tree.Repeat | tree.For | tree.With):
            before = state.font
            self._all(node.children(), state, depth)
            if state.font != before:  # the next round begins otherwise
                if before != UNKNOWN:  # else it is the same: loops in loops would be ever more
                    state.font = UNKNOWN
                    self._all(node.children(), state, depth)
                state.font = UNKNOWN
        elif isinstance(node, tree.Try):
            before = state.font
            self._all(node.children(), state, depth)
            if state.font != before and node.final is None:
                state.font = UNKNOWN
        else:
            self._all(node.children(), state, depth)
            if isinstance(node, tree.Exit | tree.Return):
                self._left.add(state.font)

    def _all(self, nodes: Iterable[tree.Node], state: _State, depth: int) -> None:
        for node in nodes:
            self._run(node, state, depth + 1)

    def _branches(self, node: tree.If, state: _State, depth: int) -> None:
        ends: set[str] = set()
        rest: tree.Statement | None = node
        while isinstance(rest, tree.If):
            self._run(rest.condition, state, depth)
            self._branch(rest.then, state, depth, ends)
            rest = rest.otherwise
        if rest is None:
            ends.add(state.font)
        else:
            self._branch(rest, state, depth, ends)
        if ends:
            state.font = ends.pop() if len(ends) == 1 else UNKNOWN

    def _branch(self, statement: tree.Statement, state: _State, depth: int, ends: set[str]) -> None:
        within = _State(state.font)
        self._run(statement, within, depth + 1)
        if not _leaves(statement):
            ends.add(within.font)

    def _switch(self, node: tree.Switch, state: _State, depth: int) -> None:
        self._run(node.value, state, depth)
        ends = set() if any(case.value is None for case in node.cases) else {state.font}
        before: str | None = None  # the state that falls into a case from the one above
        for case in node.cases:
            within = _State(state.font if before in (None, state.font) else UNKNOWN)
            self._all(case.body, within, depth)
            last = case.body[-1] if case.body else None
            before = None if last is not None and _leaves(last) else within.font
            if isinstance(last, tree.Break) or before is not None:
                ends.add(within.font)
        if ends:
            state.font = ends.pop() if len(ends) == 1 else UNKNOWN

    def _call(self, call: tree.Call, state: _State) -> None:
        name, arguments = _name(call.function), call.arguments
        if name in _SETS:
            state.font = self._font(arguments, _SETS[name])
        elif name in _DRAWS:
            _, separation, width = _DRAWS[name]
            known = not state.font.startswith(_MARK)
            self.calls[id(call)] = Look(
                state.font if known else UNKNOWN,
                _number(arguments, separation, -1),
                _number(arguments, width, 0),
            )
        elif name in _WITH_FONT:
            font = self._font(arguments, _WITH_FONT[name])
            self.calls[id(call)] = Look(UNKNOWN if font.startswith(_MARK) else font)
        else:
            if name in self._calls_of:
                self._begins[name].add(state.font)
            effect = self._effects.get(name, _BEFORE)
            if effect.startswith(_ARGUMENT):
                state.font = self._font(arguments, int(effect.removeprefix(_ARGUMENT)))
            elif effect != _BEFORE:
                state.font = effect

    def _font(self, arguments: list[tree.Expression | None], which: int) -> str:
        """The font that is an argument of a call."""
        node = arguments[which] if which < len(arguments) else None
        if node is None:
            return UNKNOWN
        number = _argument(node)
        if number is None and isinstance(node, tree.Name):
            number = self._arguments.get(node.name)
        return _value(node) if number is None else f"{_ARGUMENT}{number}"


def looks_of_texts(flow: Flow, looks: Looks) -> dict[int, set[Look]]:
    """How each text node is drawn, by its ``id``."""
    groups: defaultdict[Look, list[ValueSource]] = defaultdict(list)
    for call, function, sources in flow.sites:
        look = looks.calls.get(id(call))
        if look is None:
            look = Look(drawn=function not in _SYSTEM)
        groups[look] += sources
    by_text: defaultdict[int, set[Look]] = defaultdict(set)
    for look, sources in groups.items():
        for node in flow.reached(sources):
            by_text[node].add(look)
    return by_text


#: the functions that show texts without a font of the game, or only measure them
_SYSTEM: Final = frozenset(
    (
        *("show_message", "show_message_async", "show_message_ext", "show_question"),
        *("show_question_async", "get_integer", "get_integer_async", "get_string"),
        *("get_string_async", "get_login_async", "message_input", "show_menu", "action_message"),
        *("action_if_question", "get_open_filename_ext", "get_save_filename_ext"),
        *("window_set_caption", "room_caption", "caption_score", "caption_lives"),
        *("caption_health", "string_width", "string_width_ext", "string_height"),
        "string_height_ext",
    )
)


def _own_nodes(body: tree.Node) -> Iterator[tree.Node]:
    """The nodes of a function's body; functions inside it, but not what they hold."""
    stack = body.children()[::-1]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, tree.Function):
            stack.extend(reversed(node.children()))


def _leaves(statement: tree.Statement) -> bool:
    """Whether what follows a statement does not run after it."""
    if isinstance(statement, tree.Block):
        return bool(statement.statements) and _leaves(statement.statements[-1])
    return isinstance(statement, tree.Exit | tree.Return | tree.Break | tree.Continue | tree.Throw)


def _name(node: tree.Expression | None) -> str:
    while isinstance(node, tree.Index):
        node = node.object
    return node.name if isinstance(node, tree.Name | tree.Member) else ""


def _value(node: tree.Expression) -> str:
    """The name that a value has; "" for what is computed, the maker's for fonts of sprites."""
    if isinstance(node, tree.Call) and _name(node.function) in MAKERS:
        return "@sprite"
    return _name(node) if isinstance(node, tree.Name | tree.Member) else UNKNOWN


def _argument(node: tree.Expression) -> int | None:
    """The number of ``argument0`` or ``argument[0]``; None for anything else."""
    if isinstance(node, tree.Index) and isinstance(node.object, tree.Name):
        index = node.indices[0] if node.indices else None
        if node.object.name == "argument" and isinstance(index, tree.Number):
            return int(index.value)
    if isinstance(node, tree.Name) and node.name.startswith("argument"):
        rest = node.name.removeprefix("argument")
        return int(rest) if rest.isdecimal() and rest.isascii() else None
    return None


def _number(arguments: list[tree.Expression | None], which: int | None, otherwise: float) -> float:
    """The number that is an argument; ``otherwise`` for one that is computed."""
    node = arguments[which] if which is not None and which < len(arguments) else None
    return float(node.value) if isinstance(node, tree.Number) else otherwise
