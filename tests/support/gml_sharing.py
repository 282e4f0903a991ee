"""Games of random scripts that hand values on to each other: ``from gml_sharing import sharing``.

The same few names are fields, globals, elements and arguments in most scripts; numbers, assets,
instances and results of functions are stored there, compared, calculated with and passed on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import numpy as np

from overhaul.errors import OverhaulError
from small_games import game_of

NUMBERS = ("0", "1", "2", "3", "5", "6", "-1", "-4", "0.5", "5 / 60", "255", "16711680")
OWNERS = ("self", "other", "noone", "true", "false", '"t"')
OBJECTS = 3


class _Writer:
    """Writes the statements of one game."""

    def __init__(self, random: Random, *, new: bool) -> None:
        self._random = random
        self._new = new
        self._names = [*(f"f{n}" for n in range(random.randrange(2, 9))), "hp", "is_on", "spr_now"]
        self.functions = [f"fn{n}" for n in range(random.randrange(8, 20))]

    def body(self, argument: str) -> str:
        """The statements of a function, or of an event; ``argument`` is a variable in it."""
        self._argument = argument
        return "var v1 = 0; " + " ".join(self._statement() for _ in range(self._of(4) + 1))

    def _of(self, count: int) -> int:
        return self._random.randrange(count)

    def _name(self) -> str:
        return self._random.choice(self._names)

    def _place(self) -> str:
        name = self._name()
        own = f"self.{name}" if self._new else name
        places = (name, f"global.{name}", own, f"obj_{self._of(OBJECTS)}.{name}")
        return self._random.choice((*places, f"{name}[{self._of(3)}]", self._argument, "v1"))

    def _call(self, depth: int) -> str:
        function = self._random.choice(self.functions)
        return f"{function}({self._value(depth)}, {self._value(depth)})"

    def _value(self, depth: int = 0) -> str:
        kind = self._of(10)
        if kind < 3 or depth > 1:
            return self._random.choice(NUMBERS)
        if kind < 6:
            return self._place()
        if kind == 6:
            return self._call(depth + 1)
        if kind == 7:
            operator = self._random.choice(("+", "-", "*", "/", "==", "<"))
            return f"({self._value(depth + 1)} {operator} {self._value(depth + 1)})"
        made = f"ds_list_find_value({self._name()}, 0)"
        return self._random.choice((*OWNERS, made))

    def _statement(self, depth: int = 0) -> str:
        kind = self._of(12 if depth < 3 else 7)
        if kind < 4:
            return f"{self._place()} = {self._value()};"
        if kind == 4:
            return f"{self._place()} {self._random.choice(('+=', '-=', '*='))} {self._value()};"
        if kind == 5:
            return f"draw_sprite({self._value()}, {self._value()}, 0, 0);"
        if kind == 6:
            added = f"ds_list_add({self._name()}, {self._value()});"
            return self._random.choice((f"{self._call(0)};", added, f"return {self._value()};"))
        inner = f"{{ {self._statement(depth + 1)} }}"
        if kind == 7:
            operator = self._random.choice(("==", "!=", "<", ">"))
            return f"if ({self._value()} {operator} {self._value()}) {inner}"
        if kind == 8:
            return f"if ({self._place()}) {inner} else {{ {self._statement(depth + 1)} }}"
        if kind == 9:
            return f"with ({self._value()}) {inner}"
        if kind == 10:
            return f"for (var i = 0; i < {self._value()}; i += 1) {inner}"
        case = self._statement(depth + 1)
        return f"switch ({self._place()}) {{ case {self._of(4)}: {case} break; default: {inner} }}"


def sharing(seed: int, version: str) -> bytes:
    """A game of a release, made of such scripts and of events of objects."""
    random = Random(f"{version} {seed}")
    game = game_of(version)
    new = game.release.number >= (2, 3)
    for number in range(8):
        game.sprites.add(f"spr_{number}", [np.zeros((1, 1, 4), np.uint8)])
    writer = _Writer(random, new=new)
    for function in writer.functions:
        constructor = "constructor " if new and random.random() < 0.3 else ""
        text = f"function {function}(a0, a1) {constructor}{{ %s }}" if new else "%s"
        _add(partial(game.add_script, function), partial(writer.body, "argument0"), text)
    for number in range(OBJECTS):
        game.objects.add(f"obj_{number}")
        for event in ("Create_0", "Step_0"):
            _add(partial(game.add_event, f"obj_{number}", event), partial(writer.body, "v1"), "%s")
    return game.to_bytes()


def _add(add: Callable[[str], object], write: Callable[[], str], text: str) -> None:
    """Add the first body that compiles: some random ones, such as ``self = 6``, do not."""
    while True:
        try:
            add(text % write())
        except OverhaulError:
            continue
        return
