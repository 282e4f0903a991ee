"""Functions, constructors, statics, and struct literals: functions that fill a struct and get the
values computed outside (2.3 and later).
"""

from __future__ import annotations

from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.calls import Calls
from overhaul.gml.compiler.emitter import Label
from overhaul.gml.compiler.machine import I, V
from overhaul.gml.compiler.names import FUNCTION, ROOT, STRUCT
from overhaul.gml.compiler.nodes import CONSTANTS, HoistedArgument, Problem
from overhaul.gml.compiler.statements import Composed, Shared
from overhaul.gml.syntax import tree
from overhaul.gml.vm.code import Child


class Functions(Composed):
    """Emits whole functions where they are declared."""

    def __init__(self, shared: Shared, calls: Calls) -> None:
        super().__init__(shared)
        self.calls = calls
        self.children: list[Child] = []
        #: the places of the named ones, by the names of their code
        self._declared: dict[str, int] = {}

    def literal(self, node: tree.Function) -> int:
        """A function as a value."""
        self.value(node, self.scopes.current.static)
        return V

    def declaration(self, node: tree.Function) -> None:
        """A function used as a statement."""
        self.value(node)
        self.code.discard(V)

    def value(self, node: tree.Function, static: str = "") -> None:
        """Emit a function in place and leave its method on the stack; store it when it has a
        name.
        """
        own = node.name or self.code_names.anonymous(node, static)
        code_name = self.code_names.of(own, bool(node.name))
        if node.name:
            self._check_name(node, code_name)
            self.scopes.current.functions[node.name] = code_name
        self.body(node, own, code_name)
        self.push_method(code_name, node.constructor, bool(static))
        name = node.name
        if not name:
            return
        self.code.duplicate(V, 0)
        if self.dialect.optimized_function_declarations:
            self.code.pop_variable(V, V, m.SELF, name, m.SELF, m.NORMAL)
            return
        if self.dialect.new_function_variables or self.code_names.is_own_script(name):
            self.code.small(m.SELF)
        else:
            self.code.small(m.BUILTIN)
        self.code.pop_variable(V, V, 0, name, m.SELF, m.STACKTOP)
        if self.source_map is not None:
            self.source_map.function_name(node.position)

    def _check_name(self, node: tree.Function, code_name: str) -> None:
        """Note a name that another function of the entry, an asset or the runner has, unless the
        entry had such a function before."""
        learned, context = self.names.learned, self.names.context
        problems, name = self.statements.problems, node.name
        first = self._declared.setdefault(code_name, node.position)
        if first != node.position and code_name not in learned.twice:
            problems.add(f"there is another function {name} here", node.position)
        if code_name in learned.children or name in learned.writes:
            return
        asset = context.asset_id(name)
        if asset is not None and asset[0] != "script":
            kind = asset[0].replace("_", " ")
            problems.add(f"{name} is an asset ({kind}): call the function otherwise", node.position)
        elif name in context.builtin_functions and not context.lacks(name):
            problems.add(
                f"{name} is a built-in function: call the function otherwise", node.position
            )

    def body(self, node: tree.Function, own: str, code_name: str) -> None:
        """A function's code, with the branch around it."""
        after = Label()
        if self.source_map is not None:
            self.source_map.mark(node.position)
        self.code.branch(m.BRANCH, after)
        offset = self.code.size * 4
        outer = self.code_names.enter(FUNCTION, own)
        scope = self.scopes.current
        scope.constructor = node.constructor
        problems = self.statements.problems
        for index, parameter in enumerate(node.parameters):
            if parameter.name in scope.parameters:
                problems.add(f"two parameters called {parameter.name}", parameter.position)
            scope.parameters[parameter.name] = index
        if node.parent is not None and not node.constructor:
            problems.add("only a constructor has a parent", node.parent.position)
        self.declare(node.body)
        if self.dialect.enclosing_functions_called:
            for name in declared_functions(node.body):
                scope.functions[name] = self.code_names.of(name)
        scope.naming = outer  # values in the header have the outer name
        scope.header = True
        self.defaults(node)
        if node.parent is not None:
            self.inherit(node.parent)
        scope.header = False
        scope.naming = scope
        if node.constructor and self.dialect.constructor_set_static:
            self.code.call("@@SetStatic@@", 0)
        self.statics(node.body)
        self.statements.run(node.body.statements)
        self.exits.end()
        self.scopes.current = outer
        self.code.place(after)
        self.children.append(Child(code_name, offset, len(scope.locals), len(node.parameters)))
        if self.source_map is not None:
            self.source_map.function(own, node, scope.locals)

    def defaults(self, node: tree.Function) -> None:
        """Parameters with a default: tested for ``undefined`` at the start."""
        globals_ = self.names.builtin_globals
        if self.dialect.builtin_default_arguments:
            opcode, instance, scope = m.PUSHBLTN, globals_, m.SELF
        else:
            opcode, instance, scope = m.PUSH, m.ARGUMENT, m.BUILTIN
        for index, parameter in enumerate(node.parameters):
            if parameter.default is None:
                continue
            name = f"argument{index}"
            given = Label()
            self.code.push_variable(opcode, instance, name, scope, m.NORMAL)
            self.code.push_variable(m.PUSHBLTN, globals_, "undefined", m.SELF, m.NORMAL)
            self.code.one(m.CMP, V, V, m.EQ)
            self.code.branch(m.BRANCH_FALSE, given)
            type_ = self.values.expression(parameter.default)
            self.code.pop_variable(V, type_, instance, name, scope, m.NORMAL)
            self.code.place(given)

    def inherit(self, parent: tree.Call) -> None:
        """A constructor's call of its parent; the result is left for the copy of the statics."""
        self.calls.call(parent)
        if not isinstance(parent.function, tree.Name):
            raise Problem("expected the name of the parent constructor", parent.position)
        if not self.references.push_function(parent.function.name):
            self.values.value(parent.function)
        self.code.call("@@CopyStatic@@", 1)

    def statics(self, body: tree.Block) -> None:
        """All static declarations of a function, as one block that runs once."""
        statics = [node for node in own_nodes(body) if isinstance(node, tree.Static)]
        if not statics:
            return
        done = Label()
        marks = not self.dialect.static_marker_everywhere
        if marks:
            self.code.extended(m.ISSTATICOK)
            self.code.branch(m.BRANCH_TRUE, done)
            if not self.dialect.reentrant_static:
                self.code.extended(m.SETSTATIC)
        for declarator in [declarator for static in statics for declarator in static.declarators]:
            value = declarator.value
            if value is None:
                continue
            self.scopes.current.static = declarator.name
            type_ = self.values.expression(value)
            self.scopes.current.static = ""
            self.code.pop_variable(V, type_, m.STATIC, declarator.name, m.STATIC, m.NORMAL)
        if marks:
            self.code.place(done)
            if self.dialect.reentrant_static:
                self.code.extended(m.SETSTATIC)

    def static(self, node: tree.Static) -> None:
        if self.scopes.current.kind == ROOT:
            raise Problem("static is allowed only in functions", node.position)

    def push_method(self, code_name: str, constructor: bool, static: bool) -> None:
        """Make the function just emitted a method."""
        self.code.push_function(code_name)
        self.code.convert(I, V)
        if constructor:
            self.code.call("@@NullObject@@", 0)
        else:
            self.code.small(m.STATIC if static else m.SELF)
            self.code.convert(I, V)
        self.code.call("method", 2)

    def declare(self, body: tree.Node) -> None:
        """Make known the locals and statics of a function, wherever in it they are declared."""
        scope = self.scopes.current
        for node in own_nodes(body):
            if isinstance(node, tree.Var):
                for declarator in node.declarators:
                    scope.locals.setdefault(declarator.name, False)
            elif isinstance(node, tree.Static):
                scope.statics.update(declarator.name for declarator in node.declarators)
            elif isinstance(node, tree.Try) and node.name:
                scope.locals.setdefault(node.name, False)


def own_nodes(part: tree.Node) -> list[tree.Node]:
    """The statements of a function in source order, without those of functions in it."""
    nodes: list[tree.Node] = []
    stack: list[tree.Node] = [part]
    while stack:
        node = stack.pop()
        nodes.append(node)
        below = [child for child in node.children() if not isinstance(child, tree.Expression)]
        below.reverse()
        stack += below
    return nodes


def declared_functions(block: tree.Block) -> list[str]:
    """The names of the functions that the root of an entry declares, in any of its statements."""
    return [
        node.expression.name
        for node in own_nodes(block)
        if isinstance(node, tree.ExpressionStatement)
        and isinstance(node.expression, tree.Function)
        and node.expression.name
    ]


class Structs(Composed):
    """Emits struct literals. ``number`` is the one the next literal gets in its name."""

    def __init__(self, shared: Shared, functions: Functions, number: int) -> None:
        super().__init__(shared)
        self.functions = functions
        self.number: int = number
        #: the literals: position, index among the functions, members, and how many are passed
        self.literals: list[tuple[int, int, list[str], int]] = []

    def literal(self, node: tree.StructLiteral) -> int:
        """A struct literal: a function that fills the struct, called with computed values."""
        if not node.members and self.dialect.optimized_function_declarations:
            if self.source_map is not None:
                self.source_map.mark(node.position)
            self.code.call("@@NewGMLObject@@", 0)
            return V
        # The official compilers count the position of a struct in tokens instead of characters.
        token = -1 if self.source_map is None else self.source_map.token(node.position)
        own = f"___struct___{self.number}"
        self.number += 1
        code_name = self.code_names.of(own)
        hoisted: list[tree.Expression] = []
        members = [(member.name, self.hoist(member.value, hoisted)) for member in node.members]
        for value in reversed(hoisted):
            self.values.value(value)
        after = Label()
        if self.source_map is not None:
            self.source_map.mark(token)
        self.code.branch(m.BRANCH, after)
        offset = self.code.size * 4
        outer = self.code_names.enter(STRUCT, own)
        if self.dialect.constructor_set_static:
            self.code.call("@@SetStatic@@", 0)
        for name, value in members:
            type_ = self.values.expression(value)
            if name in ("self", "other"):
                self.code.call("@@This@@", 0)
                self.code.small(m.STACKED)
                self.code.pop_variable(V, type_, 0, name, m.SELF, m.STACKTOP)
            else:
                self.code.pop_variable(V, type_, m.SELF, name, m.SELF, m.NORMAL)
        self.exits.end()
        locals_ = self.scopes.current.locals
        self.scopes.current = outer
        self.code.place(after)
        names = [member.name for member in node.members]
        number = len(self.functions.children)
        self.literals.append((node.position, number, names, len(hoisted)))
        self.functions.children.append(Child(code_name, offset, len(locals_), 0))
        if self.source_map is not None:
            self.source_map.mark(token)
            self.source_map.struct(own, locals_)
        self.functions.push_method(code_name, True, False)
        self.code.duplicate(V, 0)
        if self.dialect.optimized_function_declarations:
            self.code.pop_variable(V, V, m.GLOBAL, own, m.GLOBAL, m.NORMAL)
        else:
            scope = m.GLOBAL if self.dialect.new_function_variables else m.STATIC
            if self.source_map is not None:  # the owner of the variable that keeps the function
                self.source_map.mark(token)
            self.code.small(scope)
            self.code.pop_variable(V, V, 0, own, scope, m.STACKTOP)
        self.code.call("@@NewGMLObject@@", len(hoisted) + 1)
        return V

    def hoist(self, value: tree.Expression, hoisted: list[tree.Expression]) -> tree.Expression:
        """The value inside the struct.

        Literals, named constants, assets, functions and the frames of nested literals stay;
        everything else (``-1`` and members of enums too) is passed as an argument.
        """
        if isinstance(value, tree.Name):
            folded: tree.Expression | None = self.names.constant(value)
            if isinstance(folded, CONSTANTS):
                return folded
            if self.names.is_asset_reference(value.name):
                return value
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
        return HoistedArgument(len(hoisted) - 1, value.position)

    def hoisted_argument(self, node: HoistedArgument) -> int:
        """A value passed to a struct's function: ``argument[k]``."""
        token = -1
        if self.source_map is not None:
            token = self.source_map.token_behind(node.position)
            self.source_map.mark(token)
        self.code.small(m.SELF if self.dialect.builtin_globals_as_self else m.ARGUMENT)
        if self.source_map is not None:
            self.source_map.mark(token)
        self.code.small(node.index)
        self.code.push_variable(m.PUSH, 0, "argument", m.SELF, m.ARRAY)
        return V
