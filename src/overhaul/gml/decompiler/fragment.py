"""The result of reading an entry's code: a tree for each function, with marks.

Where the instructions leave open what was written, a pass decides later, and reading puts a mark: a
:class:`Loop` in the tree, or a note in the :class:`Fragment`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from overhaul.gml.decompiler.cfg import ControlFlow
from overhaul.gml.decompiler.choices import Choices
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.unstructured import MARK, StructureError, listing
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Child, Code, VariableReference, struct_number

BREAKING: Final = "__yy_breakEx"
CONTINUING: Final = "__yy_continueEx"
"""The names of the variables that a ``break`` or ``continue`` out of a ``try`` sets."""

AnyLoop = tree.While | tree.For | tree.DoUntil | tree.Repeat | tree.With


class RootEntry:
    """A root entry, as all stages of one reading of it know it.

    ``problems``: why parts of it have no structured form.
    """

    __slots__ = ("choices", "code", "dialect", "flow", "options", "problems")

    def __init__(
        self,
        code: Code,
        dialect: Dialect,
        choices: Choices,
        options: DecompileOptions = DEFAULT,
    ) -> None:
        self.code: Code = code
        self.dialect: Dialect = dialect
        self.flow: ControlFlow = ControlFlow(code)
        self.choices: Choices = choices
        self.options: DecompileOptions = options
        self.problems: list[str] = []

    def unstructured(self, problem: Exception, start: int, end: int) -> tree.Comment:
        """The text for instructions that have no structured form, and a note of the reason."""
        reason = str(problem) if isinstance(problem, StructureError) else "a value is missing"
        self.problems.append(reason)
        text = listing(self.code, self.dialect, start, end)
        comment = tree.Comment(f"{MARK}{reason}\n{text}")
        comment.address = self.flow.offsets[min(start, len(self.code.instructions))]
        return comment


class Loop(tree.Statement):
    """A mark: a loop, and what its instructions leave open.

    head      index of its first instruction
    loop      what the instructions show: a ``for`` where something jumps forward to its step (and
              its step is a Block), else a ``while``; or a ``do``, ``repeat`` or ``with``
    is_open   whether a ``while`` may as well be a ``for``: no ``continue`` in it jumps back
    is_part   whether it is the loop around a part of a ``try``
    may_end   whether the end of its body can be written with a ``continue``
    """

    fields: ClassVar[tuple[str, ...]] = ("loop",)

    def __init__(self, loop: AnyLoop, head: int, may_end: bool) -> None:
        self.position = -1
        self.loop: AnyLoop = loop
        self.head: int = head
        self.may_end: bool = may_end
        self.is_open: bool = False
        self.is_part: bool = False


class Fragment:
    """The instructions of one function: an entry without its functions, a function, a struct
    literal.  Names are resolved in it while it is read, and passes change its statements in place.

    child           None for the root
    function        the node of a function, which its tree is the body of
    locals          names of its local variables, as far as seen; ``looked_ahead``: all of them are
    of_constructor  whether it is a constructor or a function inside one
    is_declared     whether it is declared as a constructor
    used            how many named parameters it declares or uses
    parent_call     the call of a constructor's parent
    array_stores    stores of new arrays in locals, and whether ``var`` declares the local there,
                    where the owner of the array shows it
    owned_stores    stores of arrays in variables of the instance that are named without ``self.``,
                    the variable and the number of the array's owner
    dotted_owners   variables behind a dot that arrays are stored in, with the number of the owner
    own_statics     names that its instructions have for statics; None until they are looked for
    static_names    names that the function uses as its statics, in the order of their first uses
    static_stores   stores of statics in builds that don't mark the block of static declarations
    destroys        calls of ``instance_destroy``
    has_loops       whether there are marks of loops
    statements      what was read
    parameters      of a function, made by a pass
    globals         names of globals that were declared by ``globalvar``, of a whole root entry
    enum_values     members of the unknown enum that were shown anywhere in a root entry
    taken           names that no parameter of it can have; None until they are looked for
    """

    __slots__ = (
        "array_stores", "child", "constructor", "destroys", "dialect", "dotted_owners", "end",
        "entry", "enum_values", "function", "globals", "has_loops", "has_try", "is_declared",
        "is_struct", "locals", "looked_ahead", "of_constructor", "own_statics", "owned_stores",
        "parameters", "parent_call", "start", "statements", "static_names", "static_stores",
        "taken", "used",
    )  # fmt: skip

    def __init__(self, entry: RootEntry, child: Child | None, start: int, end: int) -> None:
        self.entry: RootEntry = entry
        self.child: Child | None = child
        self.start: int = start
        self.end: int = end
        self.dialect: Dialect = entry.dialect
        self.function: tree.Function | None = None
        self.locals: set[str] = set()
        self.looked_ahead: bool = False
        self.is_struct: bool = child is not None and struct_number(child.name) >= 0
        self.constructor: bool = False
        self.of_constructor: bool = False
        self.is_declared: bool = False
        self.has_loops: bool = False
        self.has_try: bool = False
        self.used: int = child.arguments_count & 0x7FFF if child is not None else 0
        self.parent_call: tree.Call | None = None
        self.array_stores: list[tuple[tree.Assignment, bool]] = []
        self.owned_stores: list[tuple[tree.Assignment, str, int]] = []
        self.dotted_owners: set[tuple[str, int]] = set()
        self.static_stores: list[tree.Assignment] = []
        self.own_statics: frozenset[str] | None = None
        self.static_names: dict[str, None] = {}
        self.destroys: list[tree.Call] = []
        self.statements: list[tree.Statement] = []
        self.parameters: list[tree.Parameter] = []
        self.enum_values: set[int] = set()
        self.globals: set[str] = set()
        self.taken: set[str] | None = None

    def parameter(self, position: int) -> str:
        """The name of a parameter: ``arg0``, or ``arg0_`` where something else has that name."""
        name = f"arg{position}"
        while self.taken and name in self.taken:
            name += "_"
        return name

    def unused_name(self, name: str) -> str:
        """A name that no instruction of the entry has: ``name``, or with ``_`` behind it."""
        operands = [each.operand for each in self.entry.flow.instructions]
        used = {each.name for each in operands if type(each) is VariableReference}
        while name in used:
            name += "_"
        return name


def is_missing(condition: tree.Expression) -> bool:
    """Whether a loop's condition is the ``push.l 1`` that stands for none."""
    return type(condition) is tree.Int64 and condition.value == 1


def as_static(statement: tree.Statement) -> tree.Static | None:
    """``name = value`` as the declaration of a static variable; None for other statements."""
    if not isinstance(statement, tree.Assignment) or statement.operator != "=":
        return None
    if not isinstance(statement.target, tree.Name):
        return None
    static = tree.Static([tree.Declarator(statement.target.name, statement.value)])
    static.address = statement.address
    return static
