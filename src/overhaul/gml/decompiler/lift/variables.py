"""The names of variables in source."""

from __future__ import annotations

from typing import Final

from overhaul.gml.context import Context
from overhaul.gml.decompiler import opcodes as op
from overhaul.gml.decompiler.lift.scope import Frame, Scope, Value
from overhaul.gml.decompiler.types.locations import Uses
from overhaul.gml.decompiler.unstructured import StructureError
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Instruction, VariableReference

FIRST_ROOM_INSTANCE: Final = 100000
ARRAY_LIMIT: Final = 32000
"""Pre-2.3 arrays hold 32000 elements per row: ``a[i, j]`` is element ``i * 32000 + j``."""
_OTHERS: Final = {op.OTHER: "other", op.ALL: "all", op.NOONE: "noone"}


class Variables:
    """Turns variable operands into expressions."""

    def __init__(self, frame: Frame, scope: Scope, uses: Uses) -> None:
        self.frame = frame
        self.scope = scope
        self.uses = uses
        self.context: Context = scope.context
        self.dialect: Dialect = self.context.dialect
        self.v2: bool = self.dialect.gml_v2
        self.says_self: bool = scope.locations.names.says_self
        self.automatic_arrays: frozenset[str] = scope.locations.names.automatic_arrays

    def variable(self, instruction: Instruction, reference: VariableReference) -> Value:
        """The variable an instruction accesses; takes its instance and index from the stack."""
        kind = reference.kind
        name = reference.name
        stack, grow = self.frame.stack, self.frame.grow
        if kind == op.NORMAL:
            owner = instruction.value
            if owner == op.LOCAL:
                self.scope.fragment.locals.add(name)
                return Value(tree.Name(name), op.VARIABLE, instruction)
            if owner == op.STACKTOP:
                instance = stack.pop()
                self.scope.note_self(instance.node)
                member = tree.Member(_owner(instance), name)
                value = Value(member, op.VARIABLE, instruction)
                return grow(value, instance)
            return Value(self._normal(instruction, name), op.VARIABLE, instruction)
        if kind == op.ROOM_INSTANCE:
            number = FIRST_ROOM_INSTANCE + (instruction.value & 0xFFFF)
            room_instance = None
            if not self.dialect.room_instance_references:
                room_instance = self.context.asset_name("room_instance", number)
            holder: tree.Expression = (
                tree.Name(room_instance) if room_instance else tree.Number(number)
            )
            return Value(tree.Member(holder, name), op.VARIABLE, instruction)
        if kind == op.ON_STACK:
            instance = stack.pop()
            node, part = self._member(instance, name)
            value = grow(Value(node, op.VARIABLE, instruction), part)
            value.instance = instance
            return value
        if kind in (op.ARRAY, op.PUSHAF, op.POPAF):
            subscript = stack.pop()
            instance = stack.pop()
            node, part = self._member(instance, name, of_array=True)
            indices = self._subscripts(subscript, name)
            if name == "argument" and self._is_late_parameter(subscript):
                node = tree.Name(f"arg{subscript.constant}")
            elif indices:
                node = tree.Index(node, indices)
            value = grow(Value(node, op.VARIABLE, instruction), part, subscript)
            value.instance = instance
            value.index = subscript
            return value
        raise StructureError(f"a variable reference of unknown kind {kind:#x}")

    def _normal(self, instruction: Instruction, name: str) -> tree.Expression:
        """A variable whose instance stands in the instruction."""
        owner, opcode = instruction.value, instruction.opcode
        if owner == op.SELF and opcode == op.PUSHBLTN:
            return tree.Name(name)
        if owner == op.SELF and opcode == op.PUSH and self._is_parameter(name):
            return tree.Name(self.scope.argument_name(name))
        if self.v2 and opcode == op.POP and self._is_own(name, owner):
            if owner == op.SELF and (self._is_refused(name) or self._is_of_runner(name)):
                return tree.Member(tree.Name("self"), name)
            return self._own(name)
        return self._plain(name, owner)

    def _plain(self, name: str, owner: int) -> tree.Expression:
        """A variable of an instance type, or of an object by number."""
        if owner == op.SELF:
            if self._must_say_self(name, owner):
                self.scope.with_self += self.scope.fragment.of_constructor
                return tree.Member(tree.Name("self"), name)
            is_inherited = name in self.scope.statics() and name not in self.scope.own_statics()
            if self.says_self and is_inherited:
                return tree.Name(name)
            return self._own(name)
        if owner == op.LOCAL:
            self.scope.fragment.locals.add(name)
            return tree.Name(name)
        if owner == op.GLOBAL:
            if name in self.context.globals:
                return tree.Name(name)
            return tree.Member(tree.Name("global"), name)
        if owner == op.BUILTIN and self._must_say_self(name, owner):
            return tree.Member(tree.Name("self"), name)
        if owner == op.STATIC:
            self.scope.fragment.static_names[name] = None
        if owner in (op.BUILTIN, op.STATIC):
            return tree.Name(name)
        if owner == op.ARGUMENT:
            return tree.Name(self.scope.argument_name(name))
        if owner in _OTHERS:
            return tree.Member(tree.Name(_OTHERS[owner]), name)
        if owner >= 0:
            return tree.Member(self._object(owner), name)
        return tree.Member(tree.Number(owner), name)  # no instance has the number

    # -- self ----------------------------------------------------------------------------------

    def _own(self, name: str) -> tree.Expression:
        """A variable of the instance, which the author may have addressed either way, unless the
        function has a static of that name."""
        if name in self.scope.own_statics():
            return tree.Member(tree.Name("self"), name)
        if self.says_self and self.scope.fragment.of_constructor:
            return tree.Member(tree.Name("self"), name)
        return tree.Name(name)

    def _is_late_parameter(self, subscript: Value) -> bool:
        """Whether an element of ``argument`` is a parameter behind the sixteenth, which has no
        variable of its own."""
        child = self.scope.fragment.child
        if child is None or subscript.constant is None or self.scope.fragment.is_struct:
            return False
        return 16 <= subscript.constant < child.arguments_count & 0x7FFF

    def _is_parameter(self, name: str) -> bool:
        """Whether ``argumentN`` of the instance means a named parameter that is being changed, as
        it did in the first 2.3 builds."""
        child = self.scope.fragment.child
        if not self.dialect.builtin_globals_as_self or child is None:
            return False
        number = name[8:]
        return (
            name.startswith("argument")
            and number.isdecimal()
            and int(number) < child.arguments_count
        )

    def _is_own(self, name: str, owner: int) -> bool:
        """Whether a name, as an assignment's target, can only mean the instance's variable, even if
        a function is called so."""
        own = op.BUILTIN if self.dialect.self_to_builtin else op.SELF
        if owner != own or name in self.scope.root_locals:
            return False
        return not self.scope.is_parameter(name)

    def _must_say_self(self, name: str, owner: int) -> bool:
        """Whether a bare name would mean something else than the instance's variable."""
        if name in self.scope.root_locals and name in self.scope.all_locals():
            return True
        context = self.context
        if self.v2 and (name in context.functions or self.scope.is_parameter(name)):
            return True
        if owner != op.SELF:
            return False
        if self.dialect.plain_as_builtin:
            return True
        if self.v2 and self._is_of_runner(name):
            return True
        if self.dialect.self_to_builtin and not self.scope.fragment.is_struct:
            return True
        return self._is_refused(name)

    def _is_of_runner(self, name: str) -> bool:
        """Whether a function of the runner or of an extension is called so."""
        context = self.context
        return name in context.builtin_functions or name in context.extension_functions

    def _is_refused(self, name: str) -> bool:
        """Whether a bare name belongs to the game and not to variables of instances: an asset, a
        constant, a macro, a global variable."""
        context = self.context
        asset = context.asset_ids.get(name)
        if asset is not None:
            return not self.v2 or asset[0] != "script"
        if name in context.macros or name in context.globals:
            return True
        constant = context.builtin_constants.get(name)
        if constant is not None:
            return constant.generation in ("", "gms2" if self.dialect.gms2_or_later else "gms1")
        if not self.v2 or self.dialect.builtin_globals_as_self:
            return False  # there the built-in ones are said to be the instance's
        variable = context.builtin_variables.get(name)
        return variable is not None and variable.is_global

    # -- instances and indices on the stack ----------------------------------------------------

    def _object(self, number: int) -> tree.Expression:
        """An object by number, as the left side of a dot; its name would be a reference where the
        release has them."""
        name = None
        if not self.dialect.asset_references:
            name = self.context.asset_name("object", number)
        return tree.Name(name) if name is not None else tree.Number(number)

    def _member(
        self, instance: Value, name: str, of_array: bool = False
    ) -> tuple[tree.Expression, Value]:
        """``name`` of an instance on the stack, and the value the instance really came from."""
        number = instance.constant if instance.converted < 0 else None
        if number is None:
            self.uses.addressed(instance.node)
            return tree.Member(instance.node, name), instance
        if number == op.STACKTOP:
            if not self.frame.stack:
                raise StructureError("an instance is missing on the stack")
            real = self.frame.stack.pop()
            self.uses.addressed(real.node)
            instance.instance = real
            self.scope.note_self(real.node)
            return tree.Member(self.uses.as_instance(_owner(real)), name), real
        if number == op.LOCAL:
            self.scope.root_locals.add(name)
        elif number == op.SELF and not self.dialect.plain_as_builtin:
            self.scope.with_self -= self.scope.fragment.of_constructor
            number = op.BUILTIN  # an array left of a dot is addressed so without a `self.`
        elif number == op.GLOBAL and of_array and self.dialect.global_constant_function:
            self.scope.globals.add(name)  # `global.` would be a call
            return tree.Name(name), instance
        return self._plain(name, number), instance

    def _subscripts(self, subscript: Value, name: str) -> list[tree.Expression]:
        """The indices between the brackets; none for a built-in array used without one."""
        if subscript.operator == op.ADD and not self.v2:
            row, column = subscript.left, subscript.right
            if row is not None and row.operator == op.MUL and column is not None:
                limit = row.right
                if limit is not None and limit.constant == ARRAY_LIMIT and row.left is not None:
                    return [row.left.node, column.node]
        source = subscript.source
        if source is not None and name in self.automatic_arrays:
            if source.type1 == op.INT64 and source.operand == 0:
                return []
            if self.dialect.bytecode <= 13:  # later, only an index that was written is such a one
                if subscript.constant == 0 and not self.scope.locations.names.with_index:
                    self.scope.lacks_index = True
                    return []
                self.scope.with_index |= subscript.constant != 0
        return [subscript.node]


def _owner(instance: Value) -> tree.Expression:
    """The expression left of a dot: a function for its statics."""
    node = instance.node
    if instance.source is None or not isinstance(node, tree.Call):
        return node
    statics = node.function == tree.Name("static_get")
    return (node.arguments[0] if statics else None) or node
