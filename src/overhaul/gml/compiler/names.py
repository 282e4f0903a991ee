"""The meaning of names: variables, constants and functions of the function being compiled, its
scope, and the names of the code entries that functions inside get.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from overhaul.gml.builtins import BuiltinConstant, BuiltinFunction, BuiltinVariable, load_enums
from overhaul.gml.compiler import machine as m
from overhaul.gml.compiler.emitter import Label
from overhaul.gml.compiler.nodes import Access, Constant, Problem, number
from overhaul.gml.compiler.previous import Learned
from overhaul.gml.compiler.source_map import SourceMap
from overhaul.gml.context import RUNNER, Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree

ROOT: Final = 0
FUNCTION: Final = 1
STRUCT: Final = 2


class Scope:
    """One function (or the root of an entry, or a struct literal) while it is compiled."""

    def __init__(self, kind: int, parent: Scope | None, name: str = "", number: int = 1) -> None:
        self.kind = kind
        self.parent = parent
        self.name = name  # the names of functions inside contain it
        self.number = number  # of the function, for array owners
        self.locals: dict[str, bool] = {}  # name -> used
        self.statics: set[str] = set()
        self.parameters: dict[str, int] = {}
        self.functions: dict[str, str] = {}  # name -> name of the code entry
        self.constructor = False
        self.static = ""  # the static whose value is compiled
        self.header = False  # while defaults and the parent constructor are compiled
        self.in_method_arguments = False  # while the arguments of ``e.f(...)`` are
        self.enclosing: list[Enclosing] = []
        self.naming: Scope = self  # the scope whose name the functions inside carry


class Scopes:
    """The scope that is compiled, and how many functions there are so far."""

    def __init__(self, entry_name: str = "") -> None:
        self.current: Scope = Scope(ROOT, None, entry_name)
        self.functions: int = 1

    def enter(self, kind: int, name: str) -> Scope:
        """Make a scope inside the current one the current one; returns the outer one."""
        outer = self.current
        self.functions += 1
        self.current = Scope(kind, outer, name, self.functions)
        return outer


class Enclosing:
    """A statement around the current one that break, continue or an early exit must know of."""

    def __init__(
        self, kind: str, breaks: Label, continues: Label, type_: int = 0, marks: int = 0
    ) -> None:
        self.kind = kind
        self.breaks = breaks
        self.continues = continues
        self.type = type_  # of the value it keeps on the stack
        self.marks = marks  # of array owners, so many before it
        self.broken = False
        self.continued = False
        self.in_default = False


SCRIPT: Final = "gml_Script_"
GLOBAL_SCRIPT: Final = "gml_GlobalScript_"
INSTANCE_WORDS: Final = {
    "self": m.SELF,
    "other": m.OTHER,
    "all": -3,
    "noone": -4,
    "global": m.GLOBAL,
}
ARGUMENTS: Final = {f"argument{index}": index for index in range(16)}


class NameResolver:
    """Resolves names in the current scope, the source's definitions and the game."""

    def __init__(
        self,
        context: Context,
        scopes: Scopes,
        learned: Learned,
        source_map: SourceMap | None = None,
    ) -> None:
        dialect = context.dialect
        self.context = context
        self.scopes = scopes
        self.learned = learned
        self.source_map = source_map
        self.dialect = dialect
        self.v2: bool = dialect.gml_v2
        self.old: bool = dialect.bytecode14_or_lower
        self.builtin_variables: Mapping[str, BuiltinVariable] = context.builtin_variables
        self.builtin_functions: Mapping[str, BuiltinFunction] = context.builtin_functions
        self.builtin_constants: Mapping[str, BuiltinConstant] = context.builtin_constants
        self.generation = "gms2" if dialect.gms2_or_later else "gms1"
        self.bare_globals: dict[str, int] = {}  # learned ones that are used -> first position
        self.loose: dict[str, int] = {}  # variables that nothing here declares -> first position
        self.lacking: dict[str, int] = {}  # called functions of the other generation -> position
        self.called: set[str] = set()  # variables whose value is called by their name
        early = dialect.plain_as_builtin
        self.plain_self: int = (
            m.BUILTIN if early or (dialect.self_to_builtin and self.v2) else m.SELF
        )
        as_self = not early and (dialect.builtin_globals_as_self or not self.v2)
        self.builtin_globals: int = m.SELF if as_self else m.BUILTIN

    def asset(self, name: str) -> tuple[str, int] | None:
        """(kind, index) of the asset that a name means here, or None."""
        asset = self.context.asset_id(name)
        if asset is None or (name in self.learned.reads and asset not in self.learned.assets):
            return None
        return asset

    def constant(self, node: tree.Name) -> Constant | None:
        """The constant a name stands for, if it is one (assets and scripts too, where they are
        numbers).
        """
        name = node.name
        scope = self.scopes.current
        if name in scope.locals or name in scope.parameters:
            return None
        asset = self.asset(name)
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
            if name == "os_browser" and not self.dialect.browser_constant:
                return None
            return number(builtin.value, node.position)
        word = INSTANCE_WORDS.get(name)
        if word is not None and self.is_number(word):
            return tree.Number(word, position=node.position)
        return None

    def is_number(self, instance: int) -> bool:
        """Whether ``self``, ``other``, ``all``, ``noone`` or ``global`` as a value is a number."""
        if instance in (m.SELF, m.OTHER):
            return not self.v2 and not self.dialect.instance_keywords_as_id
        return instance != m.GLOBAL or not self.v2 or not self.dialect.global_constant_function

    def enum_value(self, node: tree.Member) -> tree.Expression | None:
        """The value of ``enum.member``."""
        if not isinstance(node.object, tree.Name):
            return None
        members = self.context.enums.get(node.object.name)
        if members is None:
            builtin = load_enums().get(node.object.name) if self.v2 else None
            if builtin is None or node.name not in builtin:
                return None
            return self.enum_constant(builtin[node.name], node.position)
        for name, value in members:
            if name == node.name:
                return self.enum_constant(value, node.position)
        raise Problem(f"the enum {node.object.name} has no member {node.name}", node.position)

    def enum_constant(self, value: int, position: int) -> tree.Expression:
        if self.source_map is not None:
            position = self.source_map.behind_name(position)
        if self.dialect.enums_as_int64 and self.dialect.gms2_or_later:
            return tree.Int64(value, position=position)
        return tree.Number(value, position=position)

    def resolve(self, node: tree.Name) -> Access:
        """The plain variable a name means here."""
        name = node.name
        scope = self.scopes.current
        if name in scope.locals:
            scope.locals[name] = True
            return Access(m.NORMAL, name, m.LOCAL, m.LOCAL, m.PUSH if self.old else m.PUSHLOC)
        if self.v2:
            if name in scope.statics:
                return Access(m.NORMAL, name, m.STATIC, m.STATIC, m.PUSH)
            index = scope.parameters.get(name, -1)
            if index >= 0:
                return Access(m.NORMAL, f"argument{index}", m.BUILTIN, m.ARGUMENT, m.PUSH)
            if name in ARGUMENTS:
                if scope.kind == ROOT and self.dialect.self_to_builtin:
                    return Access(m.NORMAL, name, m.BUILTIN, m.ARGUMENT, m.PUSH)
                return Access(m.NORMAL, name, m.SELF, self.builtin_globals, m.PUSHBLTN)
        if name in self.context.globals:
            return Access(m.NORMAL, name, m.GLOBAL, m.GLOBAL, m.PUSH if self.old else m.PUSHGLB)
        if name in self.learned.globals:
            self.bare_globals.setdefault(name, node.position)
            return Access(m.NORMAL, name, m.GLOBAL, m.GLOBAL, m.PUSH if self.old else m.PUSHGLB)
        builtin = self.builtin_variables.get(name)
        if (builtin is not None and builtin.is_global) or name in self.learned.builtins:
            opcode = m.PUSH if self.old else m.PUSHBLTN
            return Access(m.NORMAL, name, m.SELF, self.builtin_globals, opcode)
        if name not in self.loose:
            self.loose[name] = node.position
        if scope.kind == STRUCT:
            return Access(m.NORMAL, name, m.SELF, m.SELF, m.PUSH)
        return Access(m.NORMAL, name, m.SELF, self.plain_self, m.PUSH)

    def array_instance(self, access: Access) -> int:
        """The instance number pushed for an element of a plain variable."""
        if access.name == "argument" and self.v2:
            return m.SELF if self.dialect.builtin_globals_as_self else m.ARGUMENT
        return access.instance

    def late_parameter(self, node: tree.Name) -> tree.Index | None:
        """The meaning of a parameter after the sixteenth: those do not have a variable of their
        own."""
        scope = self.scopes.current
        index = scope.parameters.get(node.name, -1)
        if index < len(ARGUMENTS) or node.name in scope.locals:
            return None
        number = tree.Number(index, position=node.position)
        return tree.Index(
            tree.Name("argument", position=node.position), [number], position=node.position
        )

    def is_element(self, node: tree.Expression) -> bool:
        """Whether an assignment's target is an array element, even without a written index."""
        if isinstance(node, tree.Name):
            name = node.name
            scope = self.scopes.current
            if name in scope.locals:
                return False
            if name in scope.parameters:
                return self.late_parameter(node) is not None
        elif isinstance(node, tree.Member):
            name = node.name
        else:
            return isinstance(node, tree.Index)
        builtin = self.builtin_variables.get(name)
        return builtin is not None and builtin.array

    def own_function(self, name: str) -> str | None:
        """The code name of a function that the old code declared in this scope."""
        children = self.learned.children
        if not children:
            return None
        scope = self.scopes.current.name
        own = f"{SCRIPT}{name}@{scope.removeprefix(GLOBAL_SCRIPT)}"
        if own in children:
            return own
        own = f"{SCRIPT}{name}_{scope}"
        return own if own in children else None

    def named_function(self, name: str) -> str | None:
        """The code name of a function as a value: one of this scope, or of the game's; None for a
        variable, also for one that holds such a function.
        """
        code_name = self.function_code_name(name)
        own = self.own_function(name)
        if own is None or (own in self.learned.values) == (name in self.learned.reads):
            return code_name  # by its place in the text
        return own if own in self.learned.values else None

    def called_name(
        self, node: tree.Expression, arguments: Sequence[tree.Expression | None]
    ) -> str | None:
        """The function a call names directly: its name in the code, None where it is computed."""
        if not isinstance(node, tree.Name):
            return None
        name = node.name
        if not self.v2:
            return name
        if self.is_variable(name):
            return None
        hidden = self.hidden_function(name)
        if hidden:
            return hidden
        code_name = self.declared_function(name)
        if code_name is None and self.dialect.enclosing_functions_called:
            code_name = self.enclosing_function(name)
        if code_name is None:
            code_name = self.function_code_name(name) or (name if self.is_function(name) else None)
        learned = self.learned
        own = self.own_function(name)
        called = (own, len(arguments)) in learned.calls
        if own is None or called == (name in learned.called):
            return code_name  # by its place in the text
        return own if called else None

    def is_function(self, name: str) -> bool:
        """Whether a name is a function of the runner or of an extension."""
        return (
            name.startswith("@@")
            or name in self.builtin_functions
            or name in self.context.extension_functions
            or name in self.learned.functions
        )

    def hidden_function(self, name: str) -> str:
        """The runner's ``f`` that ``@@runner_f@@`` means, as it is written where the game has a
        function of that name; "" for other names."""
        return name[len(RUNNER) : -2] if name.startswith(RUNNER) else ""

    def is_asset_reference(self, name: str) -> bool:
        """Whether a name as a value is a reference to an asset."""
        if self.is_variable(name):
            return False
        asset = self.asset(name)
        return asset is not None and asset[0] != "script" and self.dialect.asset_references

    def is_variable(self, name: str) -> bool:
        """Whether a name is a variable of the function, whatever else it may be."""
        scope = self.scopes.current
        return name in scope.locals or name in scope.parameters or name in scope.statics

    def declared_function(self, name: str) -> str | None:
        """The code name of a function declared in this scope (for a header: in the outer one)."""
        scope = self.scopes.current
        if scope.header and scope.parent is not None:
            scope = scope.parent
        return scope.functions.get(name)

    def enclosing_function(self, name: str) -> str | None:
        """The code name of a function declared in a scope around this one (2024.13 and later)."""
        if not self.dialect.new_function_resolution:
            return None
        current = self.scopes.current
        scope = current.parent
        if scope is not None and current.header:
            scope = scope.parent
        while scope is not None:
            if name in scope.functions:
                return scope.functions[name]
            scope = scope.parent
        return None

    def check_writable(self, target: tree.Expression) -> None:
        """Raise Problem for an assignment to a constant, an asset, a function or a read-only
        variable."""
        if isinstance(target, tree.Name):
            name = target.name
            scope = self.scopes.current
            if name in scope.locals or name in scope.parameters:
                return
            self._check_variable(target)
            builtin = self.builtin_variables.get(name)
            if (
                builtin is not None
                and builtin.readonly
                and name not in scope.statics
                and name not in self.learned.writes
            ):
                raise Problem(f"{name} is read-only", target.position)
        elif isinstance(target, tree.Member):
            if self.enum_value(target) is not None:
                raise Problem("a member of an enum is a constant", target.position)
        elif isinstance(target, tree.Index):
            array = target
            while isinstance(array.object, tree.Index) and not array.accessor:
                array = array.object
            plain = None if array.accessor else array.object
            # decompiled code may have ``global[0]``
            if isinstance(plain, tree.Name) and plain.name not in INSTANCE_WORDS:
                self._check_variable(plain)
        else:
            raise Problem("cannot assign to this", target.position)

    def _check_variable(self, node: tree.Name) -> None:
        """Raise Problem for a name that is not a variable here.

        A variable may have the name of a function, as the code shows that the entry had: official
        compilers take ``f = function() { ... }`` in an event where a script declares ``f``.
        """
        name = node.name
        if self.is_variable(name):
            return
        if name in INSTANCE_WORDS or self.constant(node) is not None:
            raise Problem(f"{name} is a constant: cannot assign to it", node.position)
        known = self.learned.writes, self.context.globals, self.learned.globals
        if any(name in names for names in known):
            return
        asset = self.asset(name)
        if asset is not None:
            kind = asset[0].replace("_", " ")
            raise Problem(f"{name} is an asset ({kind}): cannot assign to it", node.position)
        if self._is_taken(name):
            raise Problem(f"{name} is a function: cannot assign to it", node.position)

    def _is_taken(self, name: str) -> bool:
        """Whether a name is that of a function; before 2.3 no source shows whether variables may
        have those of extensions."""
        context = self.context
        if name in context.functions or (self.v2 and name in context.extension_functions):
            return True
        return name in self.builtin_functions and not context.lacks(name)

    def is_computed(self, instance: int) -> bool:
        """Whether a named instance is the result of a call when something is pushed upon it."""
        if instance == m.GLOBAL:
            return self.v2 and self.dialect.global_constant_function
        return self.v2 and instance in (m.SELF, m.OTHER)

    def function_code_name(self, name: str) -> str | None:
        """The code entry of a function declared in this scope, or of the game's; None for none."""
        return self.declared_function(name) or self.context.function_code_name(name)

    def in_method_arguments(self) -> bool:
        """Whether an argument of ``e.f(...)`` is compiled, where functions as values were numbers
        until 2024.13.
        """
        return self.scopes.current.in_method_arguments and not self.dialect.new_function_resolution


MAX_NAME: Final = 1 << 16
"""Characters of a scope's name; before 2023.11 a name holds that of the scope around it twice."""


class CodeNames:
    """Names functions declared in the current scope."""

    def __init__(self, scopes: Scopes, dialect: Dialect, entry_name: str, kind: str) -> None:
        self.scopes = scopes
        self.dialect = dialect
        self.entry_name = entry_name
        self.global_script: bool = kind == "global_script" or entry_name.startswith(GLOBAL_SCRIPT)
        self.separator = "@" if dialect.global_constant_function else "_"
        self.scope_separator = self.separator if dialect.new_scope_names else "_"
        self.package: str = ""  # of the library, with the underscore behind it

    def of(self, own: str, named: bool = True) -> str:
        """The name of the code entry of a function declared here.

        Named functions and struct literals at the root of a global script have just their name.
        Functions of library packages are declared under the full name of their entry.
        """
        if own.startswith(SCRIPT):
            at = own.rfind("__")
            self.package = own[len(SCRIPT) : at + 1] if at > len(SCRIPT) else ""
            return own
        own = self.package + own
        if named and self.is_script_root():
            return SCRIPT + own
        return f"{SCRIPT}{own}{self.separator}{self.scope_name()}"

    def anonymous(self, node: tree.Function, static: str) -> str:
        """The name of an anonymous function: it contains the function's position."""
        if self.separator == "_":
            outer = self.scopes.current.naming.name
            if len(outer) > MAX_NAME:  # each function within another doubles it
                raise Problem("anonymous functions are nested too deeply", node.position)
            return f"anon_{outer}_{node.position}"
        prefix = f"{static}@" if static and self.dialect.new_function_variables else ""
        return f"{prefix}anon@{node.position}"

    def scope_name(self) -> str:
        name = self.scopes.current.naming.name
        if self.separator == "@" and name.startswith(GLOBAL_SCRIPT):
            return name[len(GLOBAL_SCRIPT) :]
        return name

    def is_own_script(self, name: str) -> bool:
        return self.entry_name == GLOBAL_SCRIPT + name

    def enter(self, kind: int, own: str) -> Scope:
        """Enter the scope of a function declared here; returns the outer one."""
        own = own.removeprefix(SCRIPT) if own.startswith(SCRIPT) else self.package + own
        outer = self.scope_name()
        if self.separator == "@" and own.startswith("anon@") and self.is_script_root():
            # as a named function there has the name that entries see
            own = f"{own}{self.scope_separator}{outer}"
        return self.scopes.enter(kind, f"{own}{self.scope_separator}{outer}")

    def is_script_root(self) -> bool:
        """Whether functions declared here are declared at the root of a global script."""
        return self.global_script and self.scopes.current.naming.kind == ROOT
