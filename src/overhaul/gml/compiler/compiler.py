"""The entry point: a source text and its context in, code out."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from typing import Final, NamedTuple, TypeVar

from overhaul.gml.compiler.assignments import Assignments
from overhaul.gml.compiler.calls import Calls
from overhaul.gml.compiler.control import Control
from overhaul.gml.compiler.definitions import add_enums
from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.exceptions import Tries
from overhaul.gml.compiler.expressions import Expressions, Operators
from overhaul.gml.compiler.folding import Folder
from overhaul.gml.compiler.functions import Functions, Structs, declared_functions
from overhaul.gml.compiler.machine import EXIT, I
from overhaul.gml.compiler.names import GLOBAL_SCRIPT, SCRIPT, CodeNames, NameResolver, Scopes
from overhaul.gml.compiler.nodes import HoistedArgument, Hooked, Truth
from overhaul.gml.compiler.owners import Owners
from overhaul.gml.compiler.previous import (
    Learned,
    keep_names,
    learn,
    matches,
    may_be_instances,
    trial_number,
    unknown_names,
)
from overhaul.gml.compiler.source_map import InnerFunction, SourceMap
from overhaul.gml.compiler.statements import Exits, Shared, Statements
from overhaul.gml.compiler.unknown import changed_literals
from overhaul.gml.compiler.unknown import unknown_names as find_unknown
from overhaul.gml.compiler.values import References, Values
from overhaul.gml.compiler.variables import Accessors, Variables
from overhaul.gml.context import Context, Definitions
from overhaul.gml.decompiler.types.facts import InferredTypes
from overhaul.gml.dialect import Dialect
from overhaul.gml.errors import CompileError, SyntaxError_
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import MACRO, OPEN_COMMENT, tokenize
from overhaul.gml.syntax.macros import macro_parts
from overhaul.gml.syntax.parser import parse
from overhaul.gml.vm.code import Code
from overhaul.gml.vm.registration import local_names

KINDS: Final = ("event", "script", "global_script")


class Compiled(NamedTuple):
    """Compiled code with what else its source says.

    ``definitions`` are those of the source for other code. ``source`` is the text that offsets
    count in: it has the line ends the game was made with. ``points`` are (bytecode offset in
    bytes, source offset in characters), ascending; a source offset of 0xFFFFFFFF stands for what
    is not written in the source. ``functions`` are those of ``code.children``, in their order.
    ``points`` and ``functions`` are empty without a source map.
    """

    code: Code
    definitions: Definitions
    source: str
    points: list[tuple[int, int]]
    functions: list[InnerFunction]


def compile(
    source: str,
    context: Context,
    kind: str = "event",
    name: str = "",
    *,
    previous: Code | None = None,
    inferred: InferredTypes | None = None,
) -> Code:
    """Compile the text of a code entry; the context does not change.

    ``kind``: "event" (object events, room and instance creation code, timelines), "script" (a
    script before 2.3) or "global_script" (a script asset of 2.3 and later). ``name``: the entry's
    name in the CODE list. ``previous``: the code the entry had, whose names of inner functions
    and numbers of array owners are kept where they fit. ``inferred``: the types that the code it
    had is decompiled with (:func:`overhaul.gml.decompiler.gather`), if any.

    Raises SyntaxError_ when the text is not valid GML and CompileError when it does not compile;
    ``errors`` of either lists all problems found.
    """
    try:
        compiler = _run(source, context, kind, name, previous)
    except SyntaxError_ as error:
        whole = _without_open_comment(source, error, previous)
        if whole is None:
            raise
        code = compile(whole, context, kind, name, previous=previous, inferred=inferred)
        if previous is None or code.instructions != previous.instructions:
            raise
        return code
    code = compiler.finish()
    if previous is None:
        return code
    bare_globals = compiler.names.bare_globals
    if not compiler.is_same:
        names = unknown_names(code, previous)
        folder = compiler.shared.values.folder
        if (
            names
            and may_be_instances(code, previous, names, folder.weighed)
            and _with_instances(source, context, kind, name, previous, names)
        ):
            return copy(previous)
        if bare_globals:
            raise _unclear_globals(compiler, name)
    elif bare_globals:
        written = {variable: f"global.{variable}" for variable in bare_globals}
        if _is_decompiled(source, written, previous, context, inferred, by_line=True):
            raise _unclear_globals(compiler, name)
    return code


def recompile(source: str, context: Context, previous: Code) -> Code:
    """Compile the decompiled text of code, to be compared with the code; no name in it is looked
    for beyond what the context knows.

    Raises SyntaxError_ and CompileError.
    """
    kind = entry_kind(previous.name, context.dialect)
    return _run(source, context, kind, previous.name, previous).finish()


def entry_kind(name: str, dialect: Dialect) -> str:
    """The kind of an entry for the compiler, by its name."""
    if name.startswith(GLOBAL_SCRIPT):
        return "global_script"
    if name.startswith(SCRIPT) and not dialect.gml_v2:
        return "script"
    return "event"


def compile_with_source_map(
    source: str,
    context: Context,
    kind: str = "event",
    name: str = "",
    *,
    previous: Code | None = None,
) -> Compiled:
    """As :func:`compile`, with the source map and what the source defines; the same errors."""
    try:
        compiler = _run(source, context, kind, name, previous, with_map=True)
    except SyntaxError_ as error:
        whole = _without_open_comment(source, error, previous)
        if whole is None or compile(whole, context, kind, name, previous=previous) != previous:
            raise
        compiler = _run(whole, context, kind, name, previous, with_map=True)
    code = compiler.finish()
    source_map = compiler.source_map
    assert source_map is not None
    definitions = compiler.names.context.definitions_beyond(context)
    return Compiled(code, definitions, compiler.source, source_map.points(), source_map.functions)


class FunctionCompiler:
    """Compiles one entry with the functions in it: holds the parts and puts them together."""

    def __init__(
        self,
        context: Context,
        source: str,
        kind: str,
        name: str,
        previous: Code | None,
        with_map: bool,
    ) -> None:
        dialect = context.dialect
        self.dialect = dialect
        self.source = source
        self.entry_name = name
        self.previous = previous
        #: whether the instructions are those of ``previous``, once they are finished
        self.is_same = False
        self.problems = problems = ProblemList(source)
        learned = Learned()
        if previous is not None:
            learned = learn(previous, source, context.builtin_variables)
        self.code = code = Emitter(dialect.bytecode14_or_lower)
        self.scopes = scopes = Scopes(name)
        self.source_map = source_map = SourceMap(code, source, context) if with_map else None
        self.names = names = NameResolver(context, scopes, learned, source_map)
        owners = Owners(code, names)
        values = Values(code, names, Folder(names), owners)
        references = References(code, names)
        shared = Shared(
            code=code,
            names=names,
            code_names=CodeNames(scopes, dialect, name, kind),
            owners=owners,
            values=values,
            references=references,
            variables=Variables(code, names, values, references),
            accessors=Accessors(code, names, values),
            exits=Exits(code, names, values),
            statements=Statements(code, names, values, problems),
        )
        self.shared = shared
        self.operators: Operators = Operators(code, names, values)
        self.expressions: Expressions = Expressions(shared)
        self.assignments: Assignments = Assignments(shared, self.operators)
        self.calls: Calls = Calls(shared)
        self.control: Control = Control(shared)
        self.tries: Tries = Tries(shared)
        self.functions: Functions = Functions(shared, self.calls)
        self.structs: Structs = Structs(shared, self.functions, context.next_struct)
        values.emitters = _Emitters(self, _VALUES)
        shared.statements.emitters = _Emitters(self, _STATEMENTS)

    def compile(self, block: tree.Block) -> None:
        """Emit the whole entry."""
        self.functions.declare(block)
        of = self.shared.code_names.of
        if self.shared.code_names.global_script and self.dialect.gml_v2:
            context = self.names.context
            for name in declared_functions(block):  # known in the whole game, here too
                # not yet, or as a script that is a body
                if context.functions.get(name, name) == name:
                    context.own_functions()[name] = of(name)
        elif self.dialect.object_function_foresight and self.entry_name.startswith("gml_Object_"):
            for name in declared_functions(block):
                self.scopes.current.functions[name] = of(name)
        self.shared.statements.run(block.statements)
        if not self.code.instructions and self.empty_exits():
            self.code.one(EXIT, I)

    def empty_exits(self) -> bool:
        """Whether an entry without statements is an exit (2023 and later) or no code at all."""
        if self.previous is not None and len(self.previous.instructions) <= 1:
            return bool(self.previous.instructions)
        return self.dialect.gml_v2 and self.dialect.empty_code_exits

    def finish(self) -> Code:
        """The code of the entry."""
        code = Code(self.entry_name, self.code.instructions, self.functions.children)
        dialect = self.dialect
        if not dialect.bytecode14_or_lower:
            code.locals_count = len(self.scopes.current.locals)
            if dialect.arguments_counted_as_local:
                code.locals_count += 1
            elif not code.locals_count:
                code.arguments_count = 0x8000
        if dialect.code_locals_list:
            code.local_names = local_names(code)
        previous = self.previous
        self.shared.owners.number(previous.instructions if previous is not None else [])
        if previous is not None:
            self.is_same = keep_names(code, previous)
        code.unknown = [*find_unknown(self.names, self.source, code)]
        if previous is not None:
            literals = self.structs.literals
            code.unknown += changed_literals(literals, self.source, code, previous)
        return code


_Emit = TypeVar("_Emit")


class _Emitters(dict[type, _Emit]):
    """The emitters of each kind of node, found when one is met first: most entries have few
    kinds."""

    def __init__(
        self, parts: FunctionCompiler, known: dict[type, Callable[[FunctionCompiler], _Emit]]
    ) -> None:
        super().__init__()
        self._parts = parts
        self._known_kinds = known

    def __missing__(self, kind: type) -> _Emit:
        made = self[kind] = self._known_kinds[kind](self._parts)
        return made


_VALUES: Final[dict[type, Callable[[FunctionCompiler], Callable[..., int]]]] = {
    tree.Number: lambda parts: parts.expressions.number,
    tree.Int64: lambda parts: parts.expressions.int64,
    tree.String: lambda parts: parts.expressions.string,
    tree.StringField: lambda parts: parts.expressions.string,
    tree.Boolean: lambda parts: parts.expressions.boolean,
    Truth: lambda parts: parts.expressions.boolean,
    tree.ArrayLiteral: lambda parts: parts.expressions.array,
    tree.TemplateString: lambda parts: parts.expressions.template,
    tree.Name: lambda parts: parts.expressions.name,
    tree.Member: lambda parts: parts.expressions.read,
    tree.Index: lambda parts: parts.expressions.index,
    tree.Conditional: lambda parts: parts.expressions.conditional,
    tree.Unary: lambda parts: parts.operators.unary,
    tree.Binary: lambda parts: parts.operators.binary,
    tree.Increment: lambda parts: parts.assignments.increment,
    tree.Call: lambda parts: parts.calls.call,
    tree.New: lambda parts: parts.calls.new,
    tree.Function: lambda parts: parts.functions.literal,
    tree.StructLiteral: lambda parts: parts.structs.literal,
    HoistedArgument: lambda parts: parts.structs.hoisted_argument,
}
"""The emitter of each kind of expression."""

_STATEMENTS: Final[dict[type, Callable[[FunctionCompiler], Callable[..., None]]]] = {
    tree.Block: lambda parts: parts.shared.statements.block,
    tree.ExpressionStatement: lambda parts: parts.shared.statements.expression,
    tree.Call: lambda parts: parts.shared.statements.call,
    tree.New: lambda parts: parts.shared.statements.call,
    tree.Increment: lambda parts: parts.assignments.step_statement,
    tree.Function: lambda parts: parts.functions.declaration,
    tree.Assignment: lambda parts: parts.assignments.assignment,
    tree.Var: lambda parts: parts.assignments.var,
    tree.GlobalVar: lambda parts: parts.assignments.globalvar,
    tree.Delete: lambda parts: parts.assignments.delete,
    tree.If: lambda parts: parts.control.if_,
    tree.While: lambda parts: parts.control.while_,
    tree.For: lambda parts: parts.control.for_,
    tree.DoUntil: lambda parts: parts.control.do_until,
    tree.Repeat: lambda parts: parts.control.repeat,
    tree.With: lambda parts: parts.control.with_,
    tree.Switch: lambda parts: parts.control.switch,
    tree.Break: lambda parts: parts.control.break_,
    tree.Continue: lambda parts: parts.control.continue_,
    tree.Exit: lambda parts: parts.shared.exits.exit,
    tree.Return: lambda parts: parts.shared.exits.return_,
    tree.Throw: lambda parts: parts.shared.exits.throw,
    tree.Static: lambda parts: parts.functions.static,
    tree.Try: lambda parts: parts.tries.try_,
    Hooked: lambda parts: parts.tries.hooked,
    tree.Enum: lambda parts: parts.shared.statements.nothing,
    tree.Macro: lambda parts: parts.shared.statements.nothing,
    tree.Comment: lambda parts: parts.shared.statements.nothing,
}
"""The emitter of each kind of statement, and of expression used as one."""


def _run(
    source: str,
    context: Context,
    kind: str,
    name: str,
    previous: Code | None,
    with_map: bool = False,
) -> FunctionCompiler:
    """The compiler after it has read a text; raises as :func:`compile`."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind of code {kind!r}")
    if (
        previous is not None
        and "\r" not in source
        and '"' in source
        and _has_crlf_strings(previous)
    ):
        source = source.replace("\n", "\r\n")  # the project had the line ends of Windows
    context = context.overlay(functions=False)
    if "#macro" in source:
        _read_macros(source, context)
    block = parse(source, context.dialect, macros=context.macros, name=name)
    compiler = FunctionCompiler(context, source, kind, name, previous, with_map)
    if "enum" in source:
        add_enums(context, block, compiler.problems)
    compiler.compile(block)
    if compiler.problems.found:
        raise _compile_error(compiler.problems, name)
    return compiler


def _without_open_comment(source: str, error: SyntaxError_, previous: Code | None) -> str | None:
    """The source with its open comment closed; None where that is not all that is wrong.

    The official compilers take such a source and leave out the rest. The source of the old code
    may be one; in any other text the rest was not meant to go.
    """
    if previous is None or [each.message for each in error.errors] != [OPEN_COMMENT]:
        return None
    return f"{source}*/"


def _compile_error(problems: ProblemList, name: str) -> CompileError:
    errors = problems.problems()
    first = errors[0]
    return CompileError(first.message, first.line, first.column, name=name, errors=errors)


def _has_crlf_strings(code: Code) -> bool:
    """Whether a string of the code has a line end of Windows, which stood raw in the source."""
    return any(
        isinstance(instruction.operand, str) and "\r\n" in instruction.operand
        for instruction in code.instructions
    )


def _read_macros(source: str, context: Context) -> None:
    """Add the macros the text itself defines."""
    dialect = context.dialect
    problems = ProblemList(source)
    tokens = tokenize(source, problems, gms2=dialect.gms2_or_later, v2=dialect.gml_v2)
    for kind, text in zip(tokens.kinds, tokens.values, strict=True):
        if kind == MACRO:
            context.add_macro(*macro_parts(text))


# ------------------------------------------------------------------------------------------------
# Names that only the old code explains


def _unclear_globals(compiler: FunctionCompiler, name: str) -> CompileError:
    """The error for names that may be those of a ``globalvar`` declared elsewhere, or of the
    instance.

    Only a source that compiles to the very code of the entry shows its kind by itself.
    """
    problems = ProblemList(compiler.source)
    for variable, position in compiler.names.bare_globals.items():
        problems.add(
            f"{variable} was a global variable here: write global.{variable} or self.{variable}, "
            f"or declare it (globalvar {variable};)",
            position,
        )
    return _compile_error(problems, name)


def _is_decompiled(
    source: str,
    written: dict[str, str],
    previous: Code,
    context: Context,
    inferred: InferredTypes | None = None,
    *,
    by_line: bool = False,
) -> bool:
    """Whether a source is the decompiled text of the old code, with parts replaced by names:
    ``written`` has what stood there.

    ``by_line``: only if a line with such a name is, but for that, a line of the decompiled text.
    """
    from overhaul.gml.decompiler import decompile_as_likely  # start-up: seldom needed, and large

    names = re.compile(rf""" "[^"\n]*" | \b({"|".join(written)})\b """, re.VERBOSE)
    restored = names.sub(lambda match: written[match[1]] if match[1] else match[0], source)
    likely = decompile_as_likely(previous, context, inferred)
    decompiled = _INSTANCE_NAME.sub(r"(\1)", likely)
    if by_line:
        lines = {line.strip() for line in decompiled.splitlines()}
        pairs = zip(source.splitlines(), restored.splitlines(), strict=True)
        if not any(old != new and _COMMENT.sub("", new).strip() in lines for old, new in pairs):
            return False
    try:
        return parse(restored, context.dialect) == parse(decompiled, context.dialect)
    except SyntaxError_:
        return False


_COMMENT: Final = re.compile(r"//.*|/\*.*?\*/")


# The names the room editor gives, and how decompiled text writes an instance without a name.
_EDITOR_NAME: Final = re.compile(r"inst_[0-9A-Fa-f]{1,8}")
_INSTANCE_NAME: Final = re.compile(r"\binst_([0-9]{6,})\b")


def _with_instances(
    source: str, context: Context, kind: str, name: str, previous: Code, names: list[str]
) -> bool:
    """Whether the source is that of the old code, if ``names`` are names of room instances."""
    context = context.overlay(assets=True)
    for index, unknown in enumerate(names):
        context.add_asset("room_instance", trial_number(index), unknown)
    try:
        tried = _run(source, context, kind, name, previous).finish()
    except SyntaxError_:
        return False
    numbers = matches(tried, previous)
    if not numbers or all(_EDITOR_NAME.fullmatch(unknown) for unknown in names):
        return bool(numbers)
    written = {names[index]: f"({number})" for index, number in numbers.items()}
    return not _is_decompiled(source, written, previous, context)
