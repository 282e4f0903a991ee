"""The entry point: a source text and its context in, code out."""

from __future__ import annotations

import re
from copy import copy

from overhaul.gml.compiler.definitions import add_enums
from overhaul.gml.compiler.emitter import CALL, GLOBAL, NORMAL, POP, PUSHBLTN, SELF
from overhaul.gml.compiler.functions import Functions
from overhaul.gml.compiler.instances import matches, trial_number, unknown_names
from overhaul.gml.context import Context
from overhaul.gml.errors import CompileError, SyntaxError_
from overhaul.gml.syntax.errors import ProblemList
from overhaul.gml.syntax.lexer import MACRO, tokenize
from overhaul.gml.syntax.macros import macro_parts
from overhaul.gml.syntax.parser import parse
from overhaul.gml.vm.code import Code, FunctionReference, VariableReference

KINDS = ("event", "script", "global_script")


class Compiler(Functions):
    """One compilation of one entry."""

    def __init__(
        self, context: Context, source: str, kind: str, name: str, previous: Code | None
    ) -> None:
        super().__init__(context, source, name, previous, kind)
        if previous is not None:
            self.learn(previous)

    def learn(self, previous: Code) -> None:
        """Take from the code the entry had what neither the tables nor the context know.

        Functions it calls (with as many arguments), built-in globals it reads and built-in
        variables it writes are such also in the new source, whatever the tables say. Names
        that were global variables only, and whose owner the source never writes out, may be of
        a ``globalvar``.
        """
        written_out = set(_OWNED.findall(self.source))
        own: set[str] = set()
        for instruction in previous.instructions:
            operand = instruction.operand
            if isinstance(operand, VariableReference):
                if instruction.opcode == PUSHBLTN and operand.name not in self.builtin_variables:
                    self.learned_builtins.add(operand.name)
                elif (
                    instruction.value == GLOBAL
                    and operand.kind == NORMAL
                    and operand.name not in written_out
                ):
                    self.learned_globals.add(operand.name)
                elif operand.scope == SELF and operand.kind == NORMAL:
                    own.add(operand.name)
                if instruction.opcode == POP:
                    self.learned_writes.add(operand.name)
            elif isinstance(operand, FunctionReference):
                if instruction.opcode == CALL:
                    self.learned_calls.add((operand.name, instruction.value))
                if operand.name == "@@array_get@@":  # recent releases read so what is no variable
                    self.array_get = operand.name
                elif not operand.name.startswith(("gml_", "@@")):
                    self.learned_functions.add(operand.name)
        self.learned_globals -= own


# Written by decompilers and by people who have no globalvar: the name is no bare one.
_OWNED = re.compile(r"\b(?:global|self)\s*\.\s*(\w+)")


def compile(
    source: str,
    context: Context,
    kind: str = "event",
    name: str = "",
    *,
    previous: Code | None = None,
) -> Code:
    """Compile the text of a code entry.

    ``kind``: "event" (object events, room and instance creation code, timelines), "script" (a
    script before 2.3) or "global_script" (a script asset of 2.3 and later). ``name``: the entry's
    name in the CODE list. ``previous``: the code the entry had, whose names of inner functions
    and numbers of array owners are kept where they fit.

    Raises SyntaxError_ when the text is no GML and CompileError when it does not compile;
    ``errors`` of either lists all problems found.
    """
    compiler = run(Compiler, source, context, kind, name, previous)
    code = compiler.finish()
    if previous is None:
        return code
    if code.instructions != previous.instructions:
        names = unknown_names(code, previous)
        if names and with_instances(source, context, kind, name, previous, names):
            return copy(previous)
        if compiler.bare_globals:
            raise unclear_globals(compiler, name)
    elif compiler.bare_globals:
        written = {each: f"global.{each}" for each in compiler.bare_globals}
        if is_decompiled(source, written, previous, context):
            raise unclear_globals(compiler, name)
    return code


def unclear_globals(compiler: Compiler, name: str) -> CompileError:
    """Names that may be of a ``globalvar`` this compilation was not told of, or of the instance.

    Only a source that compiles to the very code the entry had shows by itself which it is.
    """
    problems = ProblemList(compiler.source)
    for each, position in compiler.bare_globals.items():
        problems.add(
            f"{each} was a global variable here: write global.{each} or self.{each}, "
            f"or declare it (globalvar {each};)",
            position,
        )
    found = problems.problems()
    first = found[0]
    return CompileError(first.message, first.line, first.column, name=name, errors=found)


def is_decompiled(source: str, written: dict[str, str], previous: Code, context: Context) -> bool:
    """Whether a source is the decompiled text of the old code, some things of which were replaced
    by names: ``written`` has what stood there.
    """
    from overhaul.gml.decompiler import decompile

    names = re.compile(rf""" "[^"\n]*" | \b({"|".join(written)})\b """, re.VERBOSE)
    restored = names.sub(lambda found: written[found[1]] if found[1] else found[0], source)
    decompiled = _INSTANCE_NAME.sub(r"(\1)", decompile(previous, context))
    try:
        return parse(restored, context.dialect) == parse(decompiled, context.dialect)
    except SyntaxError_:
        return False


# The names the room editor gives, and how decompiled text writes an instance without a name.
_EDITOR_NAME = re.compile(r"inst_[0-9A-Fa-f]{1,8}")
_INSTANCE_NAME = re.compile(r"\broom_instance_([0-9]+)\b")


def with_instances(
    source: str, context: Context, kind: str, name: str, previous: Code, names: list[str]
) -> bool:
    """Whether the source is that of the old code, if ``names`` are names of room instances."""
    context = copy(context)
    context.assets = {kind: dict(known) for kind, known in context.assets.items()}
    context.asset_ids = dict(context.asset_ids)
    for index, each in enumerate(names):
        context.add_asset("room_instance", trial_number(index), each)
    try:
        tried = run(Compiler, source, context, kind, name, previous).finish()
    except SyntaxError_:
        return False
    numbers = matches(tried, previous)
    if not numbers or all(_EDITOR_NAME.fullmatch(each) for each in names):
        return bool(numbers)
    written = {names[index]: f"({number})" for index, number in numbers.items()}
    return not is_decompiled(source, written, previous, context)


def run(
    make: type[Compiler],
    source: str,
    context: Context,
    kind: str,
    name: str,
    previous: Code | None,
) -> Compiler:
    """The compiler (of the class ``make``) after it has read a text; raises as :func:`compile`."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind of code {kind!r}")
    if previous is not None and "\r" not in source and '"' in source and has_crlf_strings(previous):
        source = source.replace("\n", "\r\n")  # the project had the line ends of Windows
    context = scratch(context)
    read_macros(source, context)
    block = parse(source, context.dialect, macros=context.macros, name=name)
    compiler = make(context, source, kind, name, previous)
    if "enum" in source:
        add_enums(context, block, compiler.problems)
    compiler.root(block)
    if compiler.problems.found:
        found = compiler.problems.problems()
        first = found[0]
        raise CompileError(first.message, first.line, first.column, name=name, errors=found)
    return compiler


def has_crlf_strings(code: Code) -> bool:
    """Whether a string of the code holds a line end of Windows, which stood raw in the source."""
    return any(
        isinstance(each.operand, str) and "\r\n" in each.operand for each in code.instructions
    )


def scratch(context: Context) -> Context:
    """A context that what the text defines can be added to, while the given one stays as it is."""
    result = copy(context)
    result.macros = dict(context.macros)
    result.configured = set(context.configured)
    result.enums = dict(context.enums)
    result.globals = set(context.globals)
    result.functions = dict(context.functions)
    result.counters = dict(context.counters)
    return result


def read_macros(source: str, context: Context) -> None:
    """Add the macros the text itself defines."""
    if "#macro" not in source:
        return
    tokens = tokenize(
        source,
        ProblemList(source),
        gms2=context.dialect.gms2_or_later,
        v2=context.dialect.gml_v2,
    )
    for kind, text in zip(tokens.kinds, tokens.values, strict=True):
        if kind == MACRO:
            context.add_macro(*macro_parts(text))
