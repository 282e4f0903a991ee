"""Many code files compiled or assembled at once, and put into a game.

A definition in one of them (a new script, a macro, an enum) is known to all the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from overhaul.errors import (
    EncodeError,
    FormatError,
    OverhaulError,
    PlainFileError,
    SourceError,
    SourceErrors,
)
from overhaul.findings import Findings
from overhaul.folder.parallel import Workers
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.func import Function, Variable
from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
from overhaul.gamemaker.data.code.declared import declared_twice
from overhaul.gamemaker.data.code.index import GLOBAL, LOCAL, CodeIndex
from overhaul.gamemaker.data.code.language import Language
from overhaul.gamemaker.data.code.registration import NewChildren, Registrar, assign_all_children
from overhaul.gamemaker.data.code.removed_names import RemovedNames
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.code import assemble_entry
from overhaul.gamemaker.data_folder.code_details import CodeDetails
from overhaul.gamemaker.data_folder.kind_folders import CODE
from overhaul.gamemaker.data_folder.names import name_of
from overhaul.gamemaker.data_folder.view import SOURCE
from overhaul.gml.compiler.definitions import add_definitions
from overhaul.gml.context import Context, Known, UnknownName
from overhaul.gml.decompiler.types.constants import UNKNOWN_ENUM
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse
from overhaul.gml.vm import registration as rules
from overhaul.gml.vm.code import Code, VariableReference
from overhaul.gml.vm.code import Variable as Name
from overhaul.gml.vm.parcels import PlainCode, pack_code, unpack_code
from overhaul.gml.vm.registration import VariableOrder

#: characters of texts that are worth starting processes
_MUCH = 50_000
_ENUM = re.compile(r"\benum\b(?: (\w+))?")


class EntryText(NamedTuple):
    """The text of a code entry, and the path of its file."""

    entry: CodeEntry
    path: str
    text: str


def has_definitions(text: str) -> bool:
    """Whether a source text may define something for all code."""
    return "#macro" in text or "globalvar" in text or next(_enums(text), None) is not None


def has_only_unknown_enum(text: str) -> bool:
    """Whether nothing but the enum of constants without a name can be a definition in a source
    text.  Each text that uses this enum has its own, so no other text needs it."""
    return "#macro" not in text and "globalvar" not in text and {*_enums(text)} == {UNKNOWN_ENUM}


def uses_unknown_enum(text: str) -> bool:
    """Whether a source text names the enum of constants without a name, and does not have it."""
    return UNKNOWN_ENUM in text and UNKNOWN_ENUM not in _enums(text)


def _enums(text: str) -> Iterator[str]:
    """The text after each ``enum``: the name, if only a space is between them, else ""."""
    at = text.find("enum")
    while at >= 0:
        found = _ENUM.match(text, at)
        if found is not None:
            yield found[1] or ""
        at = text.find("enum", at + 4)


def declare(context: Context, name: str, text: str, *, functions: bool = True) -> None:
    """Make known to a context what a source text defines for all code: macros, enums and global
    variables, and ``functions`` too unless the game has them already."""
    if has_definitions(text):
        add_definitions(context, text)
    if not functions or not context.dialect.gml_v2:
        return
    if name.startswith(SCRIPT_PREFIX):  # of an extension
        context.add_function(name.removeprefix(SCRIPT_PREFIX), name)
    if not name.startswith(GLOBAL_SCRIPT_PREFIX):
        return
    block = parse(text, context.dialect, macros=context.macros or None)
    for statement in block.statements:
        function = statement.expression if isinstance(statement, tree.ExpressionStatement) else None
        if isinstance(function, tree.Function) and function.name:
            context.add_function(function.name, SCRIPT_PREFIX + function.name)
    does_something = any(not isinstance(s, tree.Macro | tree.Enum) for s in block.statements)
    if does_something and not any(isinstance(node, tree.Function) for node in block.walk()):
        # a script of a project before 2.3, which is called by its own name
        script = name.removeprefix(GLOBAL_SCRIPT_PREFIX)
        context.functions.setdefault(script, script)


def assign_texts(
    game: GameData,
    texts: Iterable[EntryText],
    removed: RemovedNames,
    details: CodeDetails | None = None,
    jobs: int = 1,
) -> Findings:
    """Assemble or compile many entries, with what is known of the game looked up once.

    ``removed`` notes the functions and variables that entries lose.  With ``details`` they are all
    the code there is, and VARI and FUNC are made as the compiler makes them.  ``jobs``: as many
    processes compile.  Returns warnings about names that nothing has.  Raises SourceError,
    SourceErrors, WorkspaceError.
    """
    language = game.language
    codes: list[tuple[EntryText, Code, list[CodeEntry]]] = []
    errors: list[SourceError] = []
    texts = list(texts)
    for given, plain in zip(texts, _made_by_others(game, texts, details, jobs), strict=True):
        try:
            code = _code(given, details) if plain is None else unpack_code(plain)
        except SourceError as error:
            error.name = given.path
            errors.append(error)
        except OverhaulError as error:
            raise located(error, given.path) from error
        else:
            codes.append((given, code, language.children(given.entry)))
    made = [(given, code) for given, code, _ in codes]
    errors += [*_renamed(game, made), *_twice(game, made)]
    if errors:
        raise errors[0] if len(errors) == 1 else SourceErrors(errors)
    if details is None:
        registrar: ChangeRegistrar | NewRegistrar = ChangeRegistrar(language.index, removed)
    else:
        order = _new_tables(game, [code for _, code, _ in codes], details.unused)
        # all at once, while no code has numbers that would have to follow each of them
        children_of_all = assign_all_children(
            game, [NewChildren(given.entry, code, children) for given, code, children in codes]
        )
        codes = [
            (given, code, children)
            for (given, code, _), children in zip(codes, children_of_all, strict=True)
        ]
        language.forget()
        registrar = NewRegistrar(game, order)
    context = language.context
    with registrar:
        for number, (given, code, children) in enumerate(codes):
            registrar.root_number = number
            try:
                registrar.assign(given.entry, code, context, children)
            except OverhaulError as error:
                raise located(error, given.path) from error
        if isinstance(registrar, ChangeRegistrar):
            registrar.finish()
    language.forget()
    return _unknown([(given.path, code) for given, code, _ in codes])


def _renamed(game: GameData, codes: Sequence[tuple[EntryText, Code]]) -> Iterator[SourceError]:
    """The errors about names that resources had before the edit, and nothing has now."""
    renamed = game.language.names.renamed
    given_names = set().union(*(rules.names_given(code) for _, code in codes)) if renamed else ()
    for given, code in codes if renamed else ():
        for unknown in code.unknown:
            new = renamed.get(unknown.name)
            if new is not None and unknown.name not in given_names:
                message = f"{unknown.name} is {new} now: write that name"
                yield SourceError(message, unknown.line, unknown.column, name=given.path)


def _twice(game: GameData, codes: Sequence[tuple[EntryText, Code]]) -> Iterator[SourceError]:
    """The errors about functions that other code declares too."""
    texts = {id(given.entry): given for given, _ in codes}
    for root, function, other in declared_twice(game, [(g.entry, code) for g, code in codes]):
        given = texts[id(root)]
        name = function.removeprefix(SCRIPT_PREFIX).partition("@")[0]
        match = re.search(rf"\b{re.escape(name)}\b", given.text)
        start = 0 if match is None else match.start()
        line = given.text.count("\n", 0, start) + 1
        column = start - given.text.rfind("\n", 0, start)
        message = f"{other} has a function {name} too: call one of them otherwise"
        yield SourceError(message, line, column, name=given.path)


def _code(given: EntryText, details: CodeDetails | None) -> Code:
    if given.path.endswith(SOURCE):
        return _compile(given.entry, given.text.removesuffix("\n"), details)
    return assemble_entry(given.entry, given.text)


class _Texts(NamedTuple):
    """The texts that processes compile."""

    texts: Sequence[EntryText]
    details: CodeDetails | None


def _made_by_others(
    game: GameData, texts: Sequence[EntryText], details: CodeDetails | None, jobs: int
) -> Iterator[PlainCode | None]:
    """The code that several processes make of texts; None for each that is left to this one."""
    workers: Workers[GameData] = Workers(b"", game, jobs=jobs)
    size = sum(len(given.text) for given in texts)
    if jobs <= 1 or not workers.inherits or size < _MUCH:
        yield from [None] * len(texts)
        return
    yield None  # so that processes inherit what compiling the first one loads
    inherited = _Texts(texts, details)
    yield from workers.map(lambda _: inherited, _make, range(1, len(texts)), jobs=jobs)


def _make(inherited: _Texts, number: int) -> PlainCode | None:
    """A text's code; None for errors, which are raised where it is compiled again."""
    try:
        return pack_code(_code(inherited.texts[number], inherited.details))
    except OverhaulError:
        return None


def _unknown(codes: Sequence[tuple[str, Code]]) -> Findings:
    """Warnings about names that nothing has, and none of these codes gives to anything."""
    unknown = [(path, name) for path, code in codes for name in code.unknown]
    if not unknown:
        return Findings()
    given = set().union(*(rules.names_given(code) for _, code in codes))
    findings = Findings()
    known: dict[int, Known] = {}  # nothing is defined any more
    for path, name in unknown:
        if name.name in given:
            continue
        if isinstance(name, UnknownName):
            if id(name.origin) not in known:
                known[id(name.origin)] = Known(name.origin)
            findings.append(name.finding(path, known[id(name.origin)]))
        else:
            findings.append(name.finding(path))
    return findings


def located(error: OverhaulError, path: str) -> OverhaulError:
    """The error, with the path of the file it is in."""
    if isinstance(error, SourceError):
        error.name = path
        return error
    if isinstance(error, (FormatError, EncodeError)):
        return PlainFileError(error.message, path, error.path)
    return error


def _compile(entry: CodeEntry, source: str, details: CodeDetails | None) -> Code:
    language: Language = entry.game.language
    if details is None:
        return language.compile_entry(entry, source)
    name = name_of(entry)
    if name in details.crlf:
        source = source.replace("\n", "\r\n")
    code = language.compile_new(entry, source, details.before(name))
    details.finish(name, code, language.context.dialect)
    return code


class ChangeRegistrar(Registrar):
    """Registers changed code; inner entries are added and removed once, for all roots together."""

    def __init__(self, index: CodeIndex, removed: RemovedNames) -> None:
        super().__init__(index, removed=removed)
        self._waiting: list[NewChildren] = []

    def assign_children(self, root: CodeEntry, code: Code, old: list[CodeEntry]) -> list[CodeEntry]:
        """The inner entries that the root still has; :meth:`finish` changes them."""
        known = {str(entry.name) for entry in old}
        for child in code.children:
            if child.name not in known:
                self.game.strings.add(child.name)
        if old or code.children:
            self._waiting.append(NewChildren(root, code, old))
        return old

    def finish(self) -> None:
        """Give all roots the inner entries of their new code."""
        assign_all_children(self.game, self._waiting)


class NewRegistrar(Registrar):
    """Registers code with the tables that were just made for all code."""

    def __init__(self, game: GameData, order: VariableOrder) -> None:
        super().__init__(game.language.index)
        self._order = order

    def variable_record(self, reference: VariableReference) -> int:
        return self._order.record(self.root_number, reference)

    def assign_children(self, root: CodeEntry, code: Code, old: list[CodeEntry]) -> list[CodeEntry]:
        """The inner entries, which all roots have already."""
        return old


def _new_tables(game: GameData, codes: Sequence[Code], unused: Iterable[Name]) -> VariableOrder:
    """Make VARI and FUNC for all code of a new game, and variables that are ``unused`` there;
    return the order of the variables."""
    head = game.record("VARI")
    if head is None or game.record("FUNC") is None:
        raise PlainFileError("a game with code needs the chunks VARI and FUNC", CODE)
    context = game.language.context
    dialect = context.dialect
    text = game.strings.add
    for string in rules.string_order(codes, dialect):
        text(string)
    order = rules.variable_order(codes, dialect)
    order.variables += unused
    game.functions.items[:] = [Function(text(name)) for name in rules.function_order(codes)]
    if dialect.bytecode14_or_lower:
        game.variables.items[:] = [Variable(text(v.name)) for v in order.variables]
    else:
        ids = rules.variable_ids(
            order, codes, dialect, context.builtin_variables, lambda name: text(name).number
        )
        game.variables.items[:] = [
            Variable(text(variable.name), variable.scope, number)
            for variable, number in zip(order.variables, ids, strict=True)
        ]
        separate = game.release.bytecode == 15 and game.release.major < 2
        shared = [v for v in game.variables.present() if v.instance_type != LOCAL]
        pools = [
            [v.id for v in shared if not separate or (v.instance_type == GLOBAL) == is_global]
            for is_global in (True, False)
        ]
        head.globals_count, head.instance_count = (max(pool, default=-1) + 1 for pool in pools)
        head.max_locals = max(
            (len(code.local_names or rules.local_names(code)) for code in codes), default=0
        )
    game.language.forget()
    return order
