"""The numbers of a game's variables and functions by name, kept in step as code is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from overhaul.gamemaker.data.chunks.func import Function, Variable
from overhaul.gml.vm.opcodes import InstanceType
from overhaul.gml.vm.registration import ARGUMENTS

if TYPE_CHECKING:
    from overhaul.gamemaker.data.model import GameModel

LOCAL = int(InstanceType.LOCAL)
SELF = int(InstanceType.SELF)
GLOBAL = int(InstanceType.GLOBAL)


class Mark(NamedTuple):
    """How many records and strings there were, and the highest ids."""

    variables: int
    functions: int
    strings: int
    highest: dict[int, int]


class KnownRecords:
    """What VARI and FUNC hold, looked up by name.

    Records added here are known at once, and :meth:`cut` removes them again; :meth:`fits` reports
    whether the lists were changed elsewhere.
    """

    def __init__(self, game: GameModel) -> None:
        self.game = game
        variables, functions = game.record("VARI"), game.record("FUNC")
        self.variables: list[Variable] = [] if variables is None else variables.variables
        self.functions: list[Function] = [] if functions is None else functions.functions
        #: before bytecode 15 variables have no scope and no id
        self.typed: bool = game.release.bytecode >= 15
        #: the variables that are no locals, by name and scope
        self.shared: dict[tuple[str, int], int] = {}
        self.function_numbers: dict[str, int] = {}
        #: the variables ``arguments``: one for each root, in the order of the roots
        self.arguments: list[int] = []
        #: the highest id of each pool
        self.highest: dict[int, int] = {}
        layout = game.release
        #: whether globals have ids of their own
        self.separate: bool = layout.bytecode == 15 and layout.major < 2
        self._edits = game.strings.edits
        for number in range(len(self.variables)):
            self._know(number)
        for number, function in enumerate(self.functions):
            self.function_numbers.setdefault(str(function.name), number)
        self._counts = (len(self.variables), len(self.functions))

    def fits(self) -> bool:
        """Whether the lists are as they were left here."""
        game = self.game
        return (
            self._edits == game.strings.edits
            and self.variables is game.variables.items
            and self.functions is game.functions.items
            and self._counts == (len(self.variables), len(self.functions))
        )

    def _know(self, number: int) -> None:
        variable = self.variables[number]
        scope = variable.instance_type if self.typed else SELF
        name = str(variable.name)
        if scope == LOCAL and self.typed:
            if name == ARGUMENTS:
                self.arguments.append(number)
            return
        self.shared.setdefault((name, scope), number)
        pool = self.pool(scope)
        self.highest[pool] = max(self.highest.get(pool, -1), variable.id)

    def pool(self, scope: int) -> int:
        """Which series of ids a variable's is from."""
        return GLOBAL if self.separate and scope == GLOBAL else SELF

    def add_variable(self, name: str, scope: int, number: int | None = None) -> int:
        """Append a variable; ``number`` is its id (None: that of its name)."""
        string = self.game.strings.add(name)
        variable = Variable(string, scope)
        if self.typed:
            variable.id = int(string.number) if number is None else number
        self.variables.append(variable)
        place = len(self.variables) - 1
        self._know(place)
        self._counts = (place + 1, self._counts[1])
        return place

    def add_function(self, name: str) -> int:
        """Append a function."""
        place = len(self.functions)
        self.functions.append(Function(self.game.strings.add(name)))
        self.function_numbers.setdefault(name, place)
        self._counts = (self._counts[0], place + 1)
        return place

    def mark(self) -> Mark:
        """Where to cut to take out what is added from now on."""
        return Mark(*self._counts, len(self.game.strings), dict(self.highest))

    def cut(self, mark: Mark) -> None:
        """Take out what was added since."""
        for number in range(mark.variables, len(self.variables)):
            variable = self.variables[number]
            scope = variable.instance_type if self.typed else SELF
            key = (str(variable.name), scope)
            if self.shared.get(key) == number:
                del self.shared[key]
        for number in range(mark.functions, len(self.functions)):
            name = str(self.functions[number].name)
            if self.function_numbers.get(name) == number:
                del self.function_numbers[name]
        while self.arguments and self.arguments[-1] >= mark.variables:
            self.arguments.pop()
        self.highest = dict(mark.highest)
        del self.variables[mark.variables :]
        del self.functions[mark.functions :]
        self._counts = (mark.variables, mark.functions)
        self.game.strings.cut(mark.strings)
