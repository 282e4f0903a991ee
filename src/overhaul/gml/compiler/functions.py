"""Functions, constructors, structs and statics (2.3 and later), and the root of an entry."""

from __future__ import annotations

from copy import copy

from overhaul.gml.compiler.emitter import (
    ARGUMENT,
    ARRAY,
    BRANCH,
    BRANCH_FALSE,
    BRANCH_TRUE,
    BUILTIN,
    CALLV,
    CMP,
    EXIT,
    GLOBAL,
    ISSTATICOK,
    LOCAL,
    NORMAL,
    PUSH,
    PUSHBLTN,
    SELF,
    SETSTATIC,
    STACKTOP,
    STATIC,
    I,
    Label,
    V,
)
from overhaul.gml.compiler.errors import Problem
from overhaul.gml.compiler.exceptions import Exceptions, own_nodes
from overhaul.gml.compiler.folding import CONSTANTS
from overhaul.gml.compiler.owners import makes_array
from overhaul.gml.compiler.scopes import FUNCTION, ROOT, STRUCT, Scope
from overhaul.gml.context import Context
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.vm.code import Child, Code, FunctionReference, Instruction, VariableReference

_GLOBAL_SCRIPT = "gml_GlobalScript_"
MAX_NAME = 1 << 16
"""Characters of a scope's name; before 2023.11 a name holds that of the scope around it twice."""

_HOLDS_STATEMENTS = (tree.Statement, tree.Case)


class Functions(Exceptions):
    """Emits whole functions."""

    def __init__(
        self,
        context: Context,
        source: str = "",
        entry_name: str = "",
        previous: Code | None = None,
        kind: str = "event",
    ) -> None:
        super().__init__(context)
        self.global_script = kind == "global_script" or entry_name.startswith(_GLOBAL_SCRIPT)
        self.source = source
        self.entry_name = entry_name
        self.previous = previous
        self.problems = ProblemList(source)
        self.children: list[Child] = []
        self.function_count = 1
        self.separator = "@" if self.dialect.global_constant_function else "_"
        self.scope.name = entry_name

    # -------------------------------------------------------------------------------------------
    # The entry

    def root(self, block: tree.Block) -> None:
        """The entry itself."""
        self.declare(block)
        foresight = self.dialect.object_function_foresight
        if self.global_script and self.v2:
            for name in _declared(block):  # known in the whole game, here too
                self.context.functions.setdefault(name, self.code_name(name))
        elif foresight and self.entry_name.startswith("gml_Object_"):
            for name in _declared(block):
                self.scope.functions[name] = self.code_name(name)
        self.statements(block.statements)
        if not self.instructions and self.empty_exits():
            self.one(EXIT, I)

    def empty_exits(self) -> bool:
        """Whether an entry without statements is an exit (2023 and later) or no code at all."""
        if self.previous is not None and len(self.previous.instructions) <= 1:
            return bool(self.previous.instructions)
        return self.v2 and self.dialect.empty_code_exits

    def declare(self, body: tree.Node) -> None:
        """Make known what a function declares, wherever it stands in it: locals, statics,
        functions.
        """
        scope = self.scope
        stack: list[tree.Node] = [body]
        while stack:
            node = stack.pop()
            if isinstance(node, tree.Var):
                for declarator in node.declarators:
                    scope.locals.setdefault(declarator.name, False)
            elif isinstance(node, tree.Static):
                for declarator in node.declarators:
                    scope.statics.add(declarator.name)
            elif isinstance(node, tree.Statement):
                stack.extend(
                    child for child in node.children() if isinstance(child, _HOLDS_STATEMENTS)
                )
                if isinstance(node, tree.Try) and node.name:
                    scope.locals.setdefault(node.name, False)
            elif isinstance(node, tree.Case):
                stack.extend(node.body)

    def finish(self) -> Code:
        """The code of the entry."""
        code = Code(self.entry_name, self.instructions, self.children)
        if not self.old:
            code.locals_count = len(self.scope.locals)
            if self.dialect.arguments_counted_as_local:
                code.locals_count += 1
            elif not self.scope.locals:
                code.arguments_count = 0x8000
        if self.dialect.code_locals_list:
            code.local_names = local_names(self.instructions)
        self.number_owners(self.previous.instructions if self.previous is not None else [])
        self.keep_names(code)
        return code

    def keep_names(self, code: Code) -> None:
        """Give inner functions the names they had: the numbers in them cannot be known."""
        previous = self.previous
        if previous is None:
            return
        self.rename_children(code, previous)
        if code.instructions == previous.instructions:
            # Nothing changed: neither has what instructions do not show (locals never used).
            code.children = [copy(child) for child in previous.children]
            code.locals_count = previous.locals_count
            code.arguments_count = previous.arguments_count
            code.local_names = list(previous.local_names)

    def rename_children(self, code: Code, previous: Code) -> None:
        renamed = _matches(code.children, previous.children)
        if not renamed:
            return
        variables = {_own_name(new): _own_name(old) for new, old in renamed.items()}
        for child in code.children:
            child.name = renamed.get(child.name, child.name)
        for instruction in code.instructions:
            operand = instruction.operand
            if isinstance(operand, FunctionReference):
                if operand.name in renamed:
                    instruction.operand = FunctionReference(renamed[operand.name])
            elif isinstance(operand, tuple) and operand[0] in variables and len(operand) == 3:
                instruction.operand = operand._replace(name=variables[operand[0]])

    # -------------------------------------------------------------------------------------------
    # Function values

    def function_value(self, name: str) -> int | None:
        code_name = self.declared_function(name)
        if code_name is None:
            code_name = self.enclosing_function(name) or self.context.function_code_name(name)
        if code_name is not None:
            if self.dialect.function_script_references and not self.in_method_arguments():
                self.push_reference(FunctionReference(code_name))
                return V
            self.push_function(code_name)
            return I
        if self.is_function(name):
            self.push_function(name)
            return I
        return None

    def function_reference(self, name: str) -> bool:
        """Push a function by its name, as a V; False where the name is none."""
        code_name = self.declared_function(name) or self.context.function_code_name(name)
        if code_name is None:
            if not self.is_function(name):
                return False
            code_name = name
        self.push_function(code_name)
        self.convert(I, V)
        return True

    def static_owner(self, node: tree.Name) -> bool:
        name = node.name
        asset = self.context.asset_id(name)
        if self.is_variable(name) or (asset is not None and asset[0] != "script"):
            return False
        if self.declared_function(name) is None and self.context.function_code_name(name) is None:
            return False
        self.function_reference(name)
        self.call("static_get", 1)
        return True

    def new(self, node: tree.New) -> int:
        self.arguments(node.arguments)
        function = node.function
        if not isinstance(function, tree.Name):
            self.value(function)
        elif self.is_variable(function.name) or not self.function_reference(function.name):
            self.called_variable(function)
        self.call("@@NewGMLObject@@", len(node.arguments) + 1)
        return V

    # -------------------------------------------------------------------------------------------
    # Declarations

    def function_declaration(self, node: tree.Function) -> None:
        self.function_value_of(node)
        self.discard(V)

    def function_literal(self, node: tree.Function) -> int:
        self.function_value_of(node)
        return V

    def function_value_of(self, node: tree.Function, static: str = "") -> None:
        """Emit a function in place and leave its method on the stack; store it when it has a
        name.
        """
        own = node.name or self.anonymous_name(node, static)
        code_name = self.code_name(own, bool(node.name))
        if node.name:
            self.scope.functions[node.name] = code_name
        self.body(node, own, code_name)
        self.push_method(code_name, node.constructor, bool(static))
        name = node.name
        if not name:
            return
        self.duplicate(V, 0)
        if self.dialect.optimized_function_declarations:
            self.pop_variable(V, V, SELF, name, SELF, NORMAL)
            return
        if self.dialect.new_function_variables or self.is_own_script(name):
            self.small(SELF)
        else:
            self.small(BUILTIN)
        self.pop_variable(V, V, 0, name, SELF, STACKTOP)

    def is_own_script(self, name: str) -> bool:
        return self.entry_name == _GLOBAL_SCRIPT + name

    def anonymous_name(self, node: tree.Function, static: str) -> str:
        """The name of a function without one: made of where it stands."""
        if self.separator == "_":
            outer = self.scope.naming.name
            if len(outer) > MAX_NAME:  # each function within another doubles it
                raise Problem("functions without names are nested too deeply", node.position)
            return f"anon_{outer}_{node.position}"
        prefix = f"{static}@" if static and self.dialect.new_function_variables else ""
        return f"{prefix}anon@{node.position}"

    def scope_name(self) -> str:
        name = self.scope.naming.name
        if self.separator == "@" and name.startswith(_GLOBAL_SCRIPT):
            return name[len(_GLOBAL_SCRIPT) :]
        return name

    def code_name(self, own: str, named: bool = True) -> str:
        """The name of the code entry of a function declared here.

        Only functions of global scripts that have a name (and struct literals) stand alone.
        """
        if named and self.scope.naming.kind == ROOT and self.global_script:
            return "gml_Script_" + own
        return f"gml_Script_{own}{self.separator}{self.scope_name()}"

    def enter_scope(self, kind: int, own: str) -> Scope:
        outer = self.scope
        self.function_count += 1
        name = f"{own}{self.separator}{self.scope_name()}"
        self.scope = Scope(kind, outer, name, self.function_count)
        return outer

    def body(self, node: tree.Function, own: str, code_name: str) -> None:
        """A function's code, with the branch around it."""
        after = Label()
        self.branch(BRANCH, after)
        offset = self.size * 4
        outer = self.enter_scope(FUNCTION, own)
        scope = self.scope
        scope.constructor = node.constructor
        for index, parameter in enumerate(node.parameters):
            if parameter.name in scope.parameters:
                self.problems.add(f"two parameters called {parameter.name}", parameter.position)
            scope.parameters[parameter.name] = index
        if node.parent is not None and not node.constructor:
            self.problems.add("only a constructor has a parent", node.parent.position)
        self.declare(node.body)
        scope.naming = outer  # what stands in the header carries the outer name
        scope.header = True
        self.defaults(node)
        if node.parent is not None:
            self.inherit(node.parent)
        scope.header = False
        scope.naming = scope
        if node.constructor and self.dialect.constructor_set_static:
            self.call("@@SetStatic@@", 0)
        self.statics(node.body)
        self.statements(node.body.statements)
        self.mark_static()
        self.one(EXIT, I)
        self.scope = outer
        self.place(after)
        self.children.append(Child(code_name, offset, len(scope.locals), len(node.parameters)))

    def defaults(self, node: tree.Function) -> None:
        """Parameters with a default: tested for ``undefined`` at the start."""
        for index, parameter in enumerate(node.parameters):
            if parameter.default is None:
                continue
            name = f"argument{index}"
            given = Label()
            builtin = self.dialect.builtin_default_arguments
            if builtin:
                self.push_variable(PUSHBLTN, self.builtin_globals, name, SELF, NORMAL)
            else:
                self.push_variable(PUSH, ARGUMENT, name, BUILTIN, NORMAL)
            self.push_variable(PUSHBLTN, self.builtin_globals, "undefined", SELF, NORMAL)
            self.one(CMP, V, V, 3)
            self.branch(BRANCH_FALSE, given)
            type_ = self.expression(parameter.default)
            if builtin:
                self.pop_variable(V, type_, self.builtin_globals, name, SELF, NORMAL)
            else:
                self.pop_variable(V, type_, ARGUMENT, name, BUILTIN, NORMAL)
            self.place(given)

    def inherit(self, parent: tree.Call) -> None:
        """A constructor's call of its parent, whose result stays for the copy of the statics."""
        self.call_expression(parent)
        if not isinstance(parent.function, tree.Name):
            raise Problem("a parent constructor is named directly", parent.position)
        if not self.function_reference(parent.function.name):
            self.value(parent.function)
        self.call("@@CopyStatic@@", 1)

    def statics(self, body: tree.Block) -> None:
        """All static declarations of a function, as one block that runs once."""
        found: list[tree.Declarator] = []
        stack: list[tree.Node] = [body]
        while stack:
            node = stack.pop()
            if isinstance(node, tree.Static):
                found.extend(node.declarators)
            elif isinstance(node, tree.Statement):
                stack.extend(
                    reversed([c for c in node.children() if isinstance(c, _HOLDS_STATEMENTS)])
                )
            elif isinstance(node, tree.Case):
                stack.extend(reversed(node.body))
        if not found:
            return
        done = Label()
        marks = not self.dialect.static_marker_everywhere
        if marks:
            self.extended(ISSTATICOK)
            self.branch(BRANCH_TRUE, done)
            if not self.dialect.reentrant_static:
                self.extended(SETSTATIC)
        for declarator in found:
            value = declarator.value
            if value is None:
                continue
            if isinstance(value, tree.Function):
                self.function_value_of(value, declarator.name)
                type_ = V
            else:
                type_ = self.expression(value)
            self.pop_variable(V, type_, STATIC, declarator.name, STATIC, NORMAL)
        if marks:
            self.place(done)
            if self.dialect.reentrant_static:
                self.extended(SETSTATIC)

    def static(self, node: tree.Static) -> None:
        if self.scope.kind == ROOT:
            raise Problem("static stands in functions only", node.position)

    def push_method(self, code_name: str, constructor: bool, static: bool) -> None:
        """Make the function just emitted a method."""
        self.push_function(code_name)
        self.convert(I, V)
        if constructor:
            self.call("@@NullObject@@", 0)
        else:
            self.small(STATIC if static else SELF)
            self.convert(I, V)
        self.call("method", 2)

    # -------------------------------------------------------------------------------------------
    # Structs

    def struct(self, node: tree.StructLiteral) -> int:
        """A struct literal: a function that fills the struct, given the values it cannot work
        out.
        """
        if not node.members and self.dialect.optimized_function_declarations:
            self.call("@@NewGMLObject@@", 0)
            return V
        number = self.context.next_number("struct")
        own = f"___struct___{number}"
        code_name = self.code_name(own)
        hoisted: list[tree.Expression] = []
        members = [(member.name, self.hoist(member.value, hoisted)) for member in node.members]
        for value in reversed(hoisted):
            self.value(value)
        after = Label()
        self.branch(BRANCH, after)
        offset = self.size * 4
        outer = self.enter_scope(STRUCT, own)
        if self.dialect.constructor_set_static:
            self.call("@@SetStatic@@", 0)
        for name, value in members:
            type_ = self.expression(value)
            self.pop_variable(V, type_, SELF, name, SELF, NORMAL)
        self.mark_static()
        self.one(EXIT, I)
        count = len(self.scope.locals)
        self.scope = outer
        self.place(after)
        self.children.append(Child(code_name, offset, count, 0))
        self.push_method(code_name, True, False)
        self.duplicate(V, 0)
        if self.dialect.optimized_function_declarations:
            self.pop_variable(V, V, GLOBAL, own, GLOBAL, NORMAL)
        else:
            scope = GLOBAL if self.dialect.new_function_variables else STATIC
            self.small(scope)
            self.pop_variable(V, V, 0, own, scope, STACKTOP)
        self.call("@@NewGMLObject@@", len(hoisted) + 1)
        return V

    def hoist(self, value: tree.Expression, hoisted: list[tree.Expression]) -> tree.Expression:
        """The value as it is written inside the struct.

        Literals, named constants, functions and the frames of nested literals stay; what else has
        to be worked out (``-1`` and members of enums too) is passed as an argument.
        """
        if isinstance(value, tree.Name):
            folded: tree.Expression | None = self.constant(value)
            if isinstance(folded, CONSTANTS):
                return folded
        if isinstance(value, (tree.Number, tree.String, tree.Boolean, tree.Function)):
            return value
        if isinstance(value, tree.ArrayLiteral) and not self.dialect.struct_arrays_passed:
            return tree.ArrayLiteral(
                [self.hoist(element, hoisted) for element in value.elements],
                position=value.position,
            )
        if isinstance(value, tree.StructLiteral):
            return tree.StructLiteral(
                [
                    tree.StructMember(m.name, self.hoist(m.value, hoisted), position=m.position)
                    for m in value.members
                ],
                position=value.position,
            )
        hoisted.append(value)
        return HoistedArgument(len(hoisted) - 1)

    def hoisted_argument(self, node: HoistedArgument) -> int:
        """A value passed to a struct's function: ``argument[k]``."""
        self.small(SELF if self.dialect.builtin_globals_as_self else ARGUMENT)
        self.small(node.index)
        self.push_variable(PUSH, 0, "argument", SELF, ARRAY)
        return V

    def emit(self, node: tree.Expression) -> int:
        if isinstance(node, HoistedArgument):
            return self.hoisted_argument(node)
        if self.marks_owners and self.owners_allowed and makes_array(node):
            self.set_owner((self.scope.number, False, ""))
        return super().emit(node)


def _declared(block: tree.Block) -> list[str]:
    """The names of the functions that the root of an entry declares, in any of its statements."""
    return [
        node.expression.name
        for node in own_nodes(block)
        if isinstance(node, tree.ExpressionStatement)
        and isinstance(node.expression, tree.Function)
        and node.expression.name
    ]


def local_names(instructions: list[Instruction]) -> list[str]:
    """The code locals list: names used as locals, in the order of the first appearance of the
    name.
    """
    locals_: set[str] = set()
    order: dict[str, None] = {}
    for instruction in instructions:
        operand = instruction.operand
        if isinstance(operand, VariableReference):
            order[operand.name] = None
            if operand.scope == LOCAL or instruction.value == LOCAL:
                locals_.add(operand.name)
    return ["arguments", *(name for name in order if name in locals_)]


class HoistedArgument(tree.Expression):
    """The k-th value passed to the function of a struct literal."""

    __slots__ = ("index",)
    fields = ("index",)

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index


def _matches(new: list[Child], old: list[Child]) -> dict[str, str]:
    """New names of generated functions, and the names to give them instead.

    In order when nothing was added or removed; else among those whose names differ in digits
    only.
    """
    if len(new) == len(old):
        return {
            made.name: had.name
            for made, had in zip(new, old, strict=True)
            if made.name != had.name and _same_kind(made.name, had.name)
        }
    waiting: dict[str, list[str]] = {}
    for had in reversed(old):
        waiting.setdefault(_without_digits(had.name), []).append(had.name)
    renamed: dict[str, str] = {}
    for made in new:
        names = waiting.get(_without_digits(made.name))
        if names and _same_kind(made.name, made.name):
            renamed[made.name] = names.pop()
    return {made: had for made, had in renamed.items() if made != had}


def _without_digits(name: str) -> str:
    return "".join(char for char in name if not char.isdigit())


def _same_kind(new: str, old: str) -> bool:
    """Whether both are generated names of the same kind (a long one may be shortened by a hash)."""
    return any(
        new.startswith(prefix) and old.startswith(prefix)
        for prefix in ("gml_Script____struct___", "gml_Script_anon_", "gml_Script_anon@")
    ) or ("@anon@" in new and "@anon@" in old)


def _own_name(code_name: str) -> str:
    """The first part of the name of a struct's code entry: the variable it is kept in."""
    name = code_name.removeprefix("gml_Script_")
    if not name.startswith("___struct___"):
        return name
    end = len("___struct___")
    while end < len(name) and name[end].isdigit():
        end += 1
    return name[:end]


__all__ = ["CALLV", "Functions"]
