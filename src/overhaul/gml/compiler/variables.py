"""Variables, members and elements: their operands, reading and writing; and elements that are
reached by calling a function: ``list[| i]``, ``map[? k]`` and the like.
"""

from __future__ import annotations

from typing import Final

from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.folding import Folder
from overhaul.gml.compiler.machine import E, I, L, V
from overhaul.gml.compiler.names import NameResolver
from overhaul.gml.compiler.nodes import CHANGE, ELEMENT, READ, Access, Problem
from overhaul.gml.compiler.part import CompilerPart
from overhaul.gml.compiler.values import References, Values
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.language import is_name

FIRST_ROOM_INSTANCE: Final = 100000


class Variables(CompilerPart):
    """Emits accesses of variables."""

    def __init__(
        self, code: Emitter, names: NameResolver, values: Values, references: References
    ) -> None:
        super().__init__(code, names)
        self.old: bool = names.old
        self.folder: Folder = values.folder
        self.values = values
        self.references = references
        self.dotted_base: tree.Expression | None = None

    def access(self, node: tree.Expression, purpose: int) -> Access:
        """Push what an access needs (instance, index) and describe it."""
        if self.source_map is not None:
            named = (
                isinstance(node, tree.Member)
                and self.folder.instance_number(node.object) is not None
            )
            self.source_map.access(node, purpose, named)
        if isinstance(node, tree.Name):
            late = self.names.late_parameter(node)
            if late is not None:
                return self.index_access(late, purpose)
            access = self.names.resolve(node)
            if (
                purpose >= CHANGE
                and access.instance == m.ARGUMENT
                and self.dialect.builtin_globals_as_self
            ):
                access.instance = access.scope = m.SELF  # the first 2.3 builds' way with parameters
            builtin = self.names.builtin_variables.get(node.name)
            if (
                builtin is not None
                and builtin.array
                and node.name not in self.scopes.current.locals
            ):
                self.automatic_array(access)
            return access
        if isinstance(node, tree.Member):
            return self.member_access(node)
        if isinstance(node, tree.Index):
            return self.index_access(node, purpose)
        raise Problem("not a variable", node.position)

    def automatic_array(self, access: Access) -> None:
        """A built-in array without an index means its element 0."""
        if self.source_map is not None:
            self.source_map.automatic_array()
        self.code.small(access.instance)
        self.first_element()
        access.kind = m.ARRAY
        access.instance = 0

    def first_element(self) -> None:
        """The index of a built-in array where none is written."""
        if self.source_map is not None:
            self.source_map.mark(-1)
        if not self.dialect.automatic_index_int64:
            self.code.small(0)
            self.check_index(self.dialect.every_index_checked)
        else:
            self.code.push_int64(0)
            self.code.convert(L, I)

    def member_access(self, node: tree.Member) -> Access:
        """``object.name``."""
        if self.source_map is not None:
            self.source_map.member(node)
        name = node.name
        instance = self.folder.instance_number(node.object)
        builtin = self.names.builtin_variables.get(name)
        automatic = builtin is not None and builtin.array
        if instance is not None and not automatic:
            if instance == m.GLOBAL:
                return Access(m.NORMAL, name, m.GLOBAL, m.GLOBAL, m.PUSH if self.old else m.PUSHGLB)
            if instance >= FIRST_ROOM_INSTANCE:
                value = (instance - FIRST_ROOM_INSTANCE + 0x8000 & 0xFFFF) - 0x8000
                return Access(m.INSTANCE, name, m.SELF, value, m.PUSH)
            if -0x8000 <= instance <= 0x7FFF:
                return Access(m.NORMAL, name, m.SELF, instance, m.PUSH)
        over = self.push_instance(node.object)
        if automatic:
            self.first_element()
            return Access(m.ARRAY, name, m.SELF, 0, m.PUSH, over)
        return Access(m.STACKTOP, name, m.SELF, 0, m.PUSH, over)

    def push_instance(self, node: tree.Expression) -> bool:
        """Push the instance left of a dot; True when it is a value under a -9."""
        if self.v2 and isinstance(node, tree.Index):
            self.left_of_dot(node)
            return self.to_instance(V)
        return self.push_target(node)

    def push_target(self, node: tree.Expression) -> bool:
        """Push the instance of a ``with``, or left of a dot; True when it is a value under a -9."""
        if self.v2 and isinstance(node, tree.Name) and self.references.static_owner(node):
            self.code.small(m.STACKED)
            return True
        instance = self.folder.instance_number(node)
        if instance is not None and not self.names.is_computed(instance):
            if self.source_map is not None:
                self.source_map.mark_name(node.position)
            self.code.push_number(instance)
            return False
        return self.to_instance(self.values.expression(node))

    def left_of_dot(self, node: tree.Index) -> None:
        """An element left of a dot: there a plain array is an array of self."""
        base = node.object
        while isinstance(base, tree.Index):
            base = base.object
        self.dotted_base = base
        self.code.convert(self.values.expression(node), V)

    def to_instance(self, type_: int) -> bool:
        """Make a value an instance; True when it stays as a value under a -9."""
        if type_ == V and self.v2:
            self.code.small(m.STACKED)
            return True
        self.code.convert(type_, I)
        return False

    def index_access(self, node: tree.Index, purpose: int) -> Access:
        """``array[index]``."""
        indices = node.indices
        base = node.object
        if self.v2:
            while isinstance(base, tree.Index) and base.accessor in ("", "@"):
                indices = base.indices + indices
                base = base.object
            late = self.names.late_parameter(base) if isinstance(base, tree.Name) else None
            if late is not None:
                base, indices = late.object, late.indices + indices
        if isinstance(base, tree.Name):
            access = self.names.resolve(base)
            instance = self.names.array_instance(access)
            if base is self.dotted_base and access.opcode == m.PUSH and instance == m.BUILTIN:
                instance = m.SELF
            self.code.small(instance)
            over = False
        elif isinstance(base, tree.Member):
            access = Access(m.ARRAY, base.name, m.SELF, 0, m.PUSH)
            if isinstance(base.object, tree.Name) and base.object.name == "global":
                access.own = access.scope = m.GLOBAL
            over = self.push_instance(base.object)
        else:
            raise Problem("expected a variable before the index", node.position)
        access.over = over
        access.kind = m.ARRAY
        access.instance = 0
        if self.v2 or self.old:
            access.scope = m.SELF
        if not self.v2:
            self.old_indices(indices)
            return access
        self.code.convert(self.values.expression(indices[0]), I)
        if len(indices) == 1:
            return access
        kind = m.ARRAY_PUSHAF if purpose == READ else m.ARRAY_POPAF
        self.code.push_variable(m.PUSH, 0, access.name, m.SELF, kind)
        for index in indices[1:-1]:
            self.code.convert(self.values.expression(index), I)
            self.code.extended(m.PUSHAC)
        self.code.convert(self.values.expression(indices[-1]), I)
        access.kind = ELEMENT
        return access

    def old_indices(self, indices: list[tree.Expression]) -> None:
        """One index, or two made one, before 2.3."""
        self.code.convert(self.values.expression(indices[0]), I)
        if len(indices) == 1:
            self.check_index(self.dialect.every_index_checked)
            return
        if len(indices) > 2:
            raise Problem("an array has at most two indices in this release", indices[2].position)
        self.check_index(self.dialect.two_indices_checked)
        self.code.push_int(32000)
        self.code.one(m.MUL, I, I)
        self.code.convert(self.values.expression(indices[1]), I)
        self.check_index(self.dialect.two_indices_checked)
        self.code.one(m.ADD, I, I)

    def check_index(self, checked: bool) -> None:
        """The check of the index on top, in releases that check it here."""
        if checked:
            self.code.extended(m.CHKINDEX)

    def load(self, access: Access, opcode: int) -> int:
        """Read what was accessed; ``opcode`` is for plain variables. Leaves a V."""
        if access.kind == ELEMENT:
            self.code.extended(m.PUSHAF)
        else:
            plain = access.kind == m.NORMAL
            self.code.push_variable(
                opcode if plain else m.PUSH, access.instance, access.name, access.scope, access.kind
            )
        return V

    def store(self, access: Access, type_: int) -> None:
        """Write a value that lies under the operands of the access."""
        if access.kind == ELEMENT:
            self.code.extended(m.POPAF)
        else:
            self.code.pop_variable(
                V, type_, access.instance, access.name, access.scope, access.kind
            )

    def store_top(self, access: Access, type_: int) -> None:
        """Write a value that lies on top of the (duplicated) operands of the access."""
        if access.kind == ELEMENT:
            self.code.duplicate(I, 4, 5)
            self.code.extended(m.POPAF)
        elif access.kind in (m.NORMAL, m.INSTANCE):
            self.store(access, type_)
        else:
            self.code.pop_variable(I, type_, 0, access.name, access.scope, access.kind)

    def duplicate_operands(self, access: Access, step: bool) -> None:
        """Double the operands of an access that is read and then written."""
        if access.kind == m.STACKTOP:
            self.code.duplicate(I, 4 if access.over else 0)
        elif access.kind == m.ARRAY:
            if step and not self.v2:
                self.code.duplicate(L, 0)
            else:
                self.code.duplicate(I, 5 if access.over else 1)
        elif access.kind == ELEMENT:
            self.code.duplicate(I, 4)
            if not step:
                self.code.extended(m.SAVEAREF)

    def restore_reference(self, access: Access) -> None:
        if access.kind == ELEMENT:
            self.code.extended(m.RESTOREAREF)

    def keep_below(self, access: Access) -> None:
        """Copy the value on top to below the operands of the access."""
        self.code.duplicate(V, 0)
        if access.kind == ELEMENT:
            self.code.duplicate(I, 4, 9)
        elif access.kind == m.STACKTOP:
            if self.v2:
                self.code.duplicate(I, 4, 9 if access.over else 5)
            else:
                self.code.one(m.POP, E, V, 5)
        elif access.kind == m.ARRAY:
            if self.v2:
                self.code.duplicate(I, 4, 10 if access.over else 6)
            else:
                self.code.one(m.POP, E, V, 6)


FUNCTIONS: Final = {
    "|": ("ds_list_find_value", "ds_list_set", "ds_list_set_post", "ds_list_set_pre"),
    "?": ("ds_map_find_value", "ds_map_set", "ds_map_set_post", "ds_map_set_pre"),
    "#": ("ds_grid_get", "ds_grid_set", "ds_grid_set_post", "ds_grid_set_pre"),
    "$": (
        "variable_struct_get", "variable_struct_set",
        "variable_struct_set_post", "variable_struct_set_pre",
    ),
    "@": ("array_get", "array_set", "array_set_post", "array_set_pre"),
}  # fmt: skip
"""The function that reads an accessor, writes it, and stores for ++ and leaves the old or the new
value."""
INTERNAL_ARRAY: Final = ("@@array_get@@", "@@array_set@@", *FUNCTIONS["@"][2:])
ARRAY_2D: Final = ("array_get_2D", "array_set_2D", "array_set_2D_post", "array_set_2D_pre")


class Accessors(CompilerPart):
    """Emits the operands of accessors."""

    def __init__(self, code: Emitter, names: NameResolver, values: Values) -> None:
        super().__init__(code, names)
        internal = self.dialect.internal_array_access
        self.array_access = INTERNAL_ARRAY if internal else FUNCTIONS["@"]
        self.values = values

    def is_call(self, node: tree.Index) -> bool:
        """Whether an element is reached by calling a function."""
        if node.accessor in ("", "@"):
            if node.accessor == "@" and not self.v2:
                return True
            base = node.object
            while self.v2 and isinstance(base, tree.Index) and base.accessor in ("", "@"):
                base = base.object
            return not isinstance(base, (tree.Name, tree.Member))
        return True

    def functions(self, node: tree.Index) -> tuple[str, str, str, str]:
        """The functions that read, write, and store for ++ (the old value stays, the new one
        stays)."""
        kind = node.accessor or "@"
        if kind == "@":
            return ARRAY_2D if len(node.indices) == 2 else self.array_access
        return FUNCTIONS[kind]

    def operands(self, node: tree.Index) -> None:
        """The indices, last first, and what they look into."""
        for index in reversed(node.indices):
            self.operand(index)
        self.operand(node.object)

    def operand(self, node: tree.Expression) -> None:
        """An argument of an accessor; there elements of plain arrays are read by a function too
        (2.3+).
        """
        if not self.v2 or not is_plain_element(node):
            self.values.value(node)
            return
        spine: list[tree.Index] = []
        inner: tree.Expression = node
        while isinstance(inner, tree.Index):
            spine.append(inner)
            inner = inner.object
        indices = [index for element in reversed(spine) for index in element.indices]
        for index in reversed(indices):
            self.values.value(index)
        self.values.value(inner)
        for _ in indices:
            self.code.call(self.array_access[0], 2)

    def get(self, node: tree.Index) -> None:
        """Read an element."""
        key = constant_key(node) if self.dialect.struct_keys_fold else ""
        if key:
            self.code.push_hash(key)
            self.code.convert(I, V)
            self.operand(node.object)
            self.code.call("struct_get_from_hash", 2)
            return
        self.operands(node)
        self.code.call(self.functions(node)[0], len(node.indices) + 1)

    def set(self, node: tree.Index) -> None:
        """Write the value on top of the stack to an element."""
        self.operands(node)
        self.code.call(self.functions(node)[1], len(node.indices) + 2)
        self.code.discard(V)


def constant_key(node: tree.Index) -> str:
    """The name of the member that ``struct[$ "name"]`` is; "" for other elements."""
    key = node.indices[0]
    if node.accessor != "$" or not isinstance(key, tree.String):
        return ""
    return key.value if is_name(key.value) else ""


def is_plain_element(node: tree.Expression) -> bool:
    """Whether an expression is an element of an array that a plain name holds."""
    if not isinstance(node, tree.Index):
        return False
    inner: tree.Expression = node
    while isinstance(inner, tree.Index) and inner.accessor in ("", "@"):
        inner = inner.object
    return isinstance(inner, tree.Name)
