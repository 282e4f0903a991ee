"""Names, members and elements: where a variable lives, reading it and writing it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from overhaul.gml.builtins import load_enums
from overhaul.gml.compiler.emitter import (
    ARGUMENT,
    ARRAY,
    ARRAY_POPAF,
    ARRAY_PUSHAF,
    BUILTIN,
    CHKINDEX,
    GLOBAL,
    INSTANCE,
    LOCAL,
    NORMAL,
    OTHER,
    POPAF,
    PUSH,
    PUSHAC,
    PUSHAF,
    PUSHBLTN,
    PUSHGLB,
    PUSHLOC,
    RESTOREAREF,
    SAVEAREF,
    SELF,
    STACKED,
    STACKTOP,
    STATIC,
    Emitter,
    I,
    L,
    V,
)
from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.folding import Constant, number
from overhaul.gml.compiler.scopes import ROOT, STRUCT, Scope
from overhaul.gml.context import Context
from overhaul.gml.syntax import tree

READ: Final = 0
WRITE: Final = 1
CHANGE: Final = 2  # read and written: compound assignment
STEP: Final = 3  # the same for ++ and --

ELEMENT: Final = 0x100  # kind of access: an element behind an array reference (pushaf, popaf)
FIRST_ROOM_INSTANCE: Final = 100000

_INSTANCE_WORDS: Final = {"self": -1, "other": -2, "all": -3, "noone": -4, "global": -5}
_ARGUMENTS: Final = {f"argument{index}": index for index in range(16)}

# The function that reads an accessor, writes it, and stores for ++ (the old or the new value
# stays).
ACCESSORS: Final = {
    "|": ("ds_list_find_value", "ds_list_set", "ds_list_set_post", "ds_list_set_pre"),
    "?": ("ds_map_find_value", "ds_map_set", "ds_map_set_post", "ds_map_set_pre"),
    "#": ("ds_grid_get", "ds_grid_set", "ds_grid_set_post", "ds_grid_set_pre"),
    "$": (
        "variable_struct_get", "variable_struct_set",
        "variable_struct_set_post", "variable_struct_set_pre",
    ),
    "@": ("array_get", "array_set", "array_set_post", "array_set_pre"),
}  # fmt: skip
ACCESSORS_2D: Final = {
    "@": ("array_get_2D", "array_set_2D", "array_set_2D_post", "array_set_2D_pre"),
}


class Access:
    """A variable whose instance and index operands have been pushed.

    ``opcode`` reads it when nothing was pushed; ``over`` says that a value lies under the pushed
    -9.
    """

    __slots__ = ("instance", "kind", "name", "opcode", "over", "scope")

    def __init__(
        self, kind: int, name: str, scope: int, instance: int, opcode: int, over: bool = False
    ) -> None:
        self.kind = kind
        self.name = name
        self.scope = scope
        self.instance = instance
        self.opcode = opcode
        self.over = over


class Variables(Emitter):
    """Resolves names and emits variable accesses."""

    def __init__(self, context: Context) -> None:
        dialect = context.dialect
        super().__init__(dialect.bytecode14_or_lower)
        self.context = context
        self.dialect = dialect
        self.v2 = dialect.gml_v2
        self.old = dialect.bytecode14_or_lower
        self.old_bitwise = not dialect.shifts_convert_both
        self.builtin_variables = context.builtin_variables
        self.builtin_functions = context.builtin_functions
        self.builtin_constants = context.builtin_constants
        self.generation = "gms2" if dialect.gms2_or_later else "gms1"
        self.scope = Scope(ROOT, None)
        self.dotted_base: tree.Expression | None = None
        self.learned_globals: set[str] = set()
        self.bare_globals: dict[str, int] = {}  # the learned ones used, and where first
        self.learned_builtins: set[str] = set()
        self.learned_functions: set[str] = set()
        self.learned_calls: set[tuple[str, int]] = set()
        self.learned_writes: set[str] = set()
        self.array_get = "array_get"
        self.plain_self = BUILTIN if dialect.self_to_builtin and self.v2 else SELF
        self.builtin_globals = SELF if dialect.builtin_globals_as_self or not self.v2 else BUILTIN

    @abstractmethod
    def expression(self, node: tree.Expression) -> int:
        """Emit an expression, folded first; returns the type of the value it leaves."""

    @abstractmethod
    def emit(self, node: tree.Expression) -> int:
        """Emit an expression that is folded already."""

    @abstractmethod
    def fold(self, node: tree.Expression) -> tree.Expression:
        """Fold constants."""

    # -------------------------------------------------------------------------------------------
    # Names

    def constant(self, node: tree.Name) -> Constant | None:
        """The constant a name stands for, if it is one (assets and scripts too, where they are
        numbers).
        """
        name = node.name
        scope = self.scope
        if name in scope.locals or name in scope.parameters:
            return None
        asset = self.context.asset_id(name)
        if asset is not None:
            kind, index = asset
            if kind == "audio_group":
                return tree.Number(index, position=node.position)
            if kind == "script":
                return None if self.v2 else tree.Number(index, position=node.position)
            if kind == "room_instance":
                if self.dialect.room_instance_references:
                    return None
                return tree.Number(index, position=node.position)
            if self.dialect.asset_references:
                return None
            return tree.Number(index, position=node.position)
        builtin = self.builtin_constants.get(name)
        if builtin is not None and builtin.generation in ("", self.generation):
            return number(builtin.value, node.position)
        word = _INSTANCE_WORDS.get(name)
        if word is not None and self.is_number(word):
            return tree.Number(word, position=node.position)
        return None

    def is_number(self, instance: int) -> bool:
        """Whether ``self``, ``other``, ``all``, ``noone`` or ``global`` as a value is a number."""
        if instance in (SELF, OTHER):
            return not self.v2 and not self.dialect.instance_keywords_as_id
        return instance != GLOBAL or not self.v2 or not self.dialect.global_constant_function

    def enum_value(self, node: tree.Member) -> tree.Expression | None:
        """The value of ``enum.member``."""
        if not isinstance(node.object, tree.Name):
            return None
        members = self.context.enums.get(node.object.name)
        if members is None:
            builtin = load_enums().get(node.object.name) if self.v2 else None
            if builtin is None or node.name not in builtin:
                return None
            return tree.Number(builtin[node.name], position=node.position)
        for name, value in members:
            if name == node.name:
                return self.enum_constant(value, node.position)
        raise Problem(f"the enum {node.object.name} has no member {node.name}", node.position)

    def enum_constant(self, value: int, position: int) -> tree.Expression:
        if self.dialect.enums_as_int64 and self.dialect.gms2_or_later:
            return tree.Int64(value, position=position)
        return tree.Number(value, position=position)

    def resolve(self, node: tree.Name) -> Access:
        """The plain variable a name means here."""
        name = node.name
        scope = self.scope
        if name in scope.locals:
            scope.locals[name] = True
            return Access(NORMAL, name, LOCAL, LOCAL, PUSH if self.old else PUSHLOC)
        if self.v2:
            if name in scope.statics:
                return Access(NORMAL, name, STATIC, STATIC, PUSH)
            index = scope.parameters.get(name, -1)
            if index >= 0:
                return Access(NORMAL, f"argument{index}", BUILTIN, ARGUMENT, PUSH)
            if name in _ARGUMENTS:
                if scope.kind == ROOT and self.dialect.self_to_builtin:
                    return Access(NORMAL, name, BUILTIN, ARGUMENT, PUSH)
                return Access(NORMAL, name, SELF, self.builtin_globals, PUSHBLTN)
        if name in self.context.globals:
            return Access(NORMAL, name, GLOBAL, GLOBAL, PUSH if self.old else PUSHGLB)
        if name in self.learned_globals:
            self.bare_globals.setdefault(name, node.position)
            return Access(NORMAL, name, GLOBAL, GLOBAL, PUSH if self.old else PUSHGLB)
        builtin = self.builtin_variables.get(name)
        if (builtin is not None and builtin.is_global) or name in self.learned_builtins:
            opcode = PUSH if self.old else PUSHBLTN
            return Access(NORMAL, name, SELF, self.builtin_globals, opcode)
        if scope.kind == STRUCT:
            return Access(NORMAL, name, SELF, SELF, PUSH)
        return Access(NORMAL, name, SELF, self.plain_self, PUSH)

    def array_instance(self, access: Access) -> int:
        """The instance number pushed for an element of a plain variable."""
        if access.name == "argument" and self.v2:
            return SELF if self.dialect.builtin_globals_as_self else ARGUMENT
        return access.instance

    # -------------------------------------------------------------------------------------------
    # Accesses

    def access(self, node: tree.Expression, purpose: int) -> Access:
        """Push what an access needs (instance, index) and describe it."""
        if isinstance(node, tree.Name):
            late = self.late_parameter(node)
            if late is not None:
                return self.index_access(late, purpose)
            access = self.resolve(node)
            if (
                purpose >= CHANGE
                and access.instance == ARGUMENT
                and self.dialect.builtin_globals_as_self
            ):
                access.instance = access.scope = SELF  # the first 2.3 builds' way with parameters
            builtin = self.builtin_variables.get(node.name)
            if builtin is not None and builtin.array and node.name not in self.scope.locals:
                self.automatic_array(access)
            return access
        if isinstance(node, tree.Member):
            return self.member_access(node)
        if isinstance(node, tree.Index):
            return self.index_access(node, purpose)
        raise Problem("this is no variable", node.position)

    def late_parameter(self, node: tree.Name) -> tree.Index | None:
        """What a parameter behind the sixteenth means: those have no variable of their own."""
        index = self.scope.parameters.get(node.name, -1)
        if index < len(_ARGUMENTS) or node.name in self.scope.locals:
            return None
        number = tree.Number(index, position=node.position)
        return tree.Index(
            tree.Name("argument", position=node.position), [number], position=node.position
        )

    def is_element(self, node: tree.Expression) -> bool:
        """Whether what is assigned to is an array element, be it that no index is written."""
        if isinstance(node, tree.Name):
            name = node.name
            if name in self.scope.locals:
                return False
            if name in self.scope.parameters:
                return self.late_parameter(node) is not None
        elif isinstance(node, tree.Member):
            name = node.name
        else:
            return isinstance(node, tree.Index)
        builtin = self.builtin_variables.get(name)
        return builtin is not None and builtin.array

    def automatic_array(self, access: Access) -> None:
        """A built-in array without an index means its element 0."""
        self.small(access.instance)
        self.first_element()
        access.kind = ARRAY
        access.instance = 0

    def first_element(self) -> None:
        """The index that an automatic array has when none is written."""
        if not self.dialect.automatic_index_int64:
            self.small(0)
        else:
            self.push_int64(0)
            self.convert(L, I)

    def instance_number(self, node: tree.Expression) -> int | None:
        """The instance a dot's left side names at compile time, None where it is computed."""
        if isinstance(node, tree.Name):
            word = _INSTANCE_WORDS.get(node.name)
            if word is not None and node.name not in self.scope.locals:
                return word
            constant = self.constant(node)
            if constant is not None and isinstance(constant, tree.Number):
                return int(constant.value)
            return None
        folded = self.fold(node)
        if isinstance(folded, tree.Number) and isinstance(folded.value, int):
            return folded.value
        return None

    def member_access(self, node: tree.Member) -> Access:
        """``object.name``."""
        name = node.name
        instance = self.instance_number(node.object)
        builtin = self.builtin_variables.get(name)
        automatic = builtin is not None and builtin.array
        if instance is not None and not automatic:
            if instance == GLOBAL:
                return Access(NORMAL, name, GLOBAL, GLOBAL, PUSH if self.old else PUSHGLB)
            if instance >= FIRST_ROOM_INSTANCE:
                value = (instance - FIRST_ROOM_INSTANCE + 0x8000 & 0xFFFF) - 0x8000
                return Access(INSTANCE, name, SELF, value, PUSH)
            if -0x8000 <= instance <= 0x7FFF:
                return Access(NORMAL, name, SELF, instance, PUSH)
        over = self.push_instance(node.object)
        if automatic:
            self.first_element()
            return Access(ARRAY, name, SELF, 0, PUSH, over)
        return Access(STACKTOP, name, SELF, 0, PUSH, over)

    def push_instance(self, node: tree.Expression) -> bool:
        """Push the instance left of a dot (or of ``with``); True when it is a value under a -9."""
        if self.v2 and isinstance(node, tree.Index):
            self.left_of_dot(node)
            return self.to_instance(V)
        if self.v2 and isinstance(node, tree.Name) and self.static_owner(node):
            self.small(STACKED)
            return True
        instance = self.instance_number(node)
        if instance is not None and not self.is_computed(instance):
            self.push_number(instance)
            return False
        return self.to_instance(self.expression(node))

    def left_of_dot(self, node: tree.Index) -> None:
        """An element left of a dot: there a bare array is looked for in self itself."""
        base = node.object
        while isinstance(base, tree.Index):
            base = base.object
        self.dotted_base = base
        self.convert(self.expression(node), V)

    def static_owner(self, node: tree.Name) -> bool:
        """Push the statics of a function named left of a dot; False where the name is none."""
        return False

    def is_computed(self, instance: int) -> bool:
        """Whether a named instance is the result of a call when something is pushed upon it."""
        if instance == GLOBAL:
            return self.v2 and self.dialect.global_constant_function
        return self.v2 and instance in (SELF, OTHER)

    def to_instance(self, type_: int) -> bool:
        """Make a value an instance; True when it stays as a value under a -9."""
        if type_ == V and self.v2:
            self.small(STACKED)
            return True
        self.convert(type_, I)
        return False

    def index_access(self, node: tree.Index, purpose: int) -> Access:
        """``array[index]``."""
        indices = node.indices
        base = node.object
        if self.v2:
            while isinstance(base, tree.Index) and base.accessor in ("", "@"):
                indices = base.indices + indices
                base = base.object
            late = self.late_parameter(base) if isinstance(base, tree.Name) else None
            if late is not None:
                base, indices = late.object, late.indices + indices
        if isinstance(base, tree.Name):
            access = self.resolve(base)
            instance = self.array_instance(access)
            if base is self.dotted_base and access.opcode == PUSH and instance == BUILTIN:
                instance = SELF
            self.small(instance)
            over = False
        elif isinstance(base, tree.Member):
            access = Access(ARRAY, base.name, SELF, 0, PUSH)
            if isinstance(base.object, tree.Name) and base.object.name == "global":
                access.scope = GLOBAL
            over = self.push_instance(base.object)
        else:
            raise Problem("this has no elements that can be named", node.position)
        access.over = over
        access.kind = ARRAY
        access.instance = 0
        if self.v2 or self.old:
            access.scope = SELF
        if not self.v2:
            self.old_indices(indices)
            return access
        self.convert(self.expression(indices[0]), I)
        if len(indices) == 1:
            return access
        kind = ARRAY_PUSHAF if purpose == READ else ARRAY_POPAF
        self.push_variable(PUSH, 0, access.name, SELF, kind)
        for index in indices[1:-1]:
            self.convert(self.expression(index), I)
            self.extended(PUSHAC)
        self.convert(self.expression(indices[-1]), I)
        access.kind = ELEMENT
        return access

    def old_indices(self, indices: list[tree.Expression]) -> None:
        """One index, or two made one, before 2.3."""
        self.convert(self.expression(indices[0]), I)
        if len(indices) == 1:
            return
        if len(indices) > 2:
            raise Problem("an array has at most two indices here", indices[2].position)
        self.extended(CHKINDEX)
        self.push_int(32000)
        self.one(0x08, I, I)
        self.convert(self.expression(indices[1]), I)
        self.extended(CHKINDEX)
        self.one(0x0C, I, I)

    def load(self, access: Access, opcode: int) -> int:
        """Read what was accessed; ``opcode`` is for plain variables. Leaves a V."""
        if access.kind == ELEMENT:
            self.extended(PUSHAF)
        else:
            plain = access.kind == NORMAL
            self.push_variable(
                opcode if plain else PUSH, access.instance, access.name, access.scope, access.kind
            )
        return V

    def store(self, access: Access, type_: int) -> None:
        """Write a value that lies under the operands of the access."""
        if access.kind == ELEMENT:
            self.extended(POPAF)
        else:
            self.pop_variable(V, type_, access.instance, access.name, access.scope, access.kind)

    def store_top(self, access: Access, type_: int) -> None:
        """Write a value that lies on top of the (duplicated) operands of the access."""
        if access.kind == ELEMENT:
            self.duplicate(I, 4, 5)
            self.extended(POPAF)
        elif access.kind in (NORMAL, INSTANCE):
            self.store(access, type_)
        else:
            self.pop_variable(I, type_, 0, access.name, access.scope, access.kind)

    def duplicate_operands(self, access: Access, step: bool) -> None:
        """Double the operands of an access that is read and then written."""
        if access.kind == STACKTOP:
            self.duplicate(I, 4 if access.over else 0)
        elif access.kind == ARRAY:
            if step and not self.v2 and not self.old:
                self.duplicate(L, 0)
            else:
                self.duplicate(I, 5 if access.over else 1)
        elif access.kind == ELEMENT:
            self.duplicate(I, 4)
            if not step:
                self.extended(SAVEAREF)

    def restore_reference(self, access: Access) -> None:
        if access.kind == ELEMENT:
            self.extended(RESTOREAREF)

    def keep_below(self, access: Access) -> None:
        """Copy the value on top to below the operands of the access."""
        self.duplicate(V, 0)
        if access.kind == ELEMENT:
            self.duplicate(I, 4, 9)
        elif access.kind == STACKTOP:
            if self.v2:
                self.duplicate(I, 4, 9 if access.over else 5)
            else:
                self.one(0x45, 15, V, 5)
        elif access.kind == ARRAY:
            if self.v2:
                self.duplicate(I, 4, 10 if access.over else 6)
            else:
                self.one(0x45, 15, V, 6)
