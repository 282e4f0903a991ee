"""One function's worth of code: an entry without its functions, a function, a struct literal."""

from __future__ import annotations

from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.vm.children import struct_number
from overhaul.gml.vm.code import Child


class Fragment:
    """The scope that names are resolved in while instructions are read, and what passes work on.

    child           None for the root
    locals          names of its local variables, as far as seen; ``looked_ahead``: all of them are
    of_constructor  whether it is a constructor or a function inside one
    used            how many named parameters it declares or uses
    parent_call     the call of a constructor's parent
    array_stores    stores of new arrays in locals, and whether ``var`` declares the local there,
                    where the owner of the array tells
    owned_stores    stores of arrays in variables of the instance that are named without ``self.``,
                    the variable and the number of the array's owner
    static_stores   stores of statics in builds that don't mark the block of static declarations
    statements      what was read, which passes change in place
    parameters      of a function, made by a pass
    globals         names of globals that were declared by ``globalvar``, of a whole root entry
    enum_values     members of the unknown enum that were shown anywhere in a root entry
    taken           names that no parameter of it can have; None as long as nobody has looked
    """

    __slots__ = (
        "array_stores", "child", "constructor", "dialect", "end", "enum_values", "globals",
        "has_try", "is_struct", "locals", "looked_ahead", "of_constructor", "options",
        "owned_stores", "parameters", "parent_call", "start", "statements", "static_stores",
        "taken", "used",
    )  # fmt: skip

    def __init__(
        self,
        child: Child | None,
        start: int,
        end: int,
        dialect: Dialect,
        options: DecompileOptions = DEFAULT,
    ) -> None:
        self.child: Child | None = child
        self.start: int = start
        self.end: int = end
        self.dialect: Dialect = dialect
        self.options: DecompileOptions = options
        self.locals: set[str] = set()
        self.looked_ahead: bool = False
        self.is_struct: bool = child is not None and struct_number(child.name) >= 0
        self.constructor: bool = False
        self.of_constructor: bool = False
        self.has_try: bool = False
        self.used: int = child.arguments_count & 0x7FFF if child is not None else 0
        self.parent_call: tree.Call | None = None
        self.array_stores: list[tuple[tree.Assignment, bool]] = []
        self.owned_stores: list[tuple[tree.Assignment, str, int]] = []
        self.static_stores: list[tree.Assignment] = []
        self.statements: list[tree.Statement] = []
        self.parameters: list[tree.Parameter] = []
        self.enum_values: set[int] = set()
        self.globals: set[str] = set()
        self.taken: set[str] | None = None

    def parameter(self, position: int) -> str:
        """What a parameter is called: ``arg0``, or ``arg0_`` where something else has that name."""
        name = f"arg{position}"
        while self.taken and name in self.taken:
            name += "_"
        return name
