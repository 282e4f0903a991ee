"""Code entries as text, one file for each root entry: assembly, or GML where that was asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from overhaul.document.names import FileNames, unescape_name
from overhaul.document.protocol import Change, Folder, PlainFile, UnpackOptions
from overhaul.errors import (
    EncodeError,
    FormatError,
    OverhaulError,
    SourceError,
    SourceErrors,
    WorkspaceError,
)
from overhaul.gamemaker.data.chunks.code import Bytecode, CodeEntry
from overhaul.gamemaker.data.chunks.scpt import Script, ScriptCode
from overhaul.gamemaker.data.code.checking import explained, why_source_differs
from overhaul.gamemaker.data.references import references_in
from overhaul.gamemaker.data_folder.attaching import attach
from overhaul.gamemaker.data_folder.codedetails import CodeDetails
from overhaul.gamemaker.data_folder.kinds import FILES
from overhaul.gamemaker.data_folder.view import FolderView, name_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gml.context import Context

CODE = "code"
ASSEMBLY = ".asm"
SOURCE = ".gml"
#: the first line of an assembly file whose name is not the entry's
_NAMED = "; entry "
#: locals that are declared and never used show in a count alone
_UNUSED = "; unused locals "
_COUNTS = "; counts "
#: the note of source that compiles back to what it was
_EXACT = "compiles to identical bytecode"


def root_stems(view: FolderView) -> dict[str, CodeEntry]:
    """The file name of each root entry, in the order of the game."""
    names = FileNames()
    game = view.game
    if "CODE" not in game.slots:
        return {}
    return {
        names(name_of(entry)): entry
        for entry in game.code
        if entry is not None and entry.root is None
    }


def code_files(view: FolderView, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of all root entries.

    Where source is asked for, entries whose source does not compile back to the same bytecode are
    written as assembly too: that is what counts for them while neither is edited.
    """
    for stem, entry in root_stems(view).items():
        origin = f"CODE[{name_of(entry)}]"
        source = SourceFile(f"{CODE}/{stem}{SOURCE}", entry, origin)
        wanted = options.code == "gml" and options.whole and options.wants(source.path)
        if options.code in ("asm", "both") or (wanted and not source.is_exact):
            yield PlainFile(
                f"{CODE}/{stem}{ASSEMBLY}",
                partial(_assembly, entry, stem),
                origin=origin,
            )
        if options.code != "asm":
            yield source


class SourceFile(PlainFile):
    """An entry as source.  Its note, worked out when asked for after reading, says whether the
    source compiles back to the identical bytecode, and if not, why."""

    __slots__ = ("_entry", "_problems", "_reason", "_source")

    def __init__(self, path: str, entry: CodeEntry, origin: str) -> None:
        self._entry = entry
        self._source: str | None = None
        self._problems: list[str] = []
        self._reason: str | None = None
        super().__init__(path, self._read, origin=origin)

    @property
    def is_exact(self) -> bool:
        """Whether the source compiles back to the identical bytecode."""
        self._read()
        return self.note == _EXACT

    def _read(self) -> bytes:
        if self._source is not None:
            return _text(self._source)
        try:
            self._source, self._problems = self._entry.game.language.source(self._entry)
        except Exception as error:  # noqa: BLE001 - the note tells; the other files go on
            self._problems = [explained(error)]
            return _text(f"// This could not be decompiled: {self._problems[0]}")
        return _text(self._source)

    @property
    def note(self) -> str:
        """For the manifest; empty before reading."""
        if self._source is None:
            return f"not decompiled: {self._problems[0]}" if self._problems else ""
        if self._reason is None:
            entry = self._entry
            reason = why_source_differs(entry.game, entry, self._source, self._problems)
            self._reason = _EXACT if reason is None else reason
        return self._reason

    @note.setter
    def note(self, text: str) -> None:
        """The note follows from the source."""


def _assembly(entry: Any, stem: str) -> bytes:
    from overhaul.gml import disassemble

    name = name_of(entry)
    language = entry.game.language
    head = "" if unescape_name(stem) == name else f"{_NAMED}{name}\n"
    try:
        code = language.code(entry)
    except FormatError as error:
        return _text(f"{head}; This can't be shown: {explained(error)}")
    head += _show_counts(entry, code)
    return _text(head + disassemble(code, language.context))


def _show_counts(entry: Any, code: Any) -> str:
    """What the instructions do not tell of the counts of locals and arguments."""
    from overhaul.gamemaker.data.code.chains import plain_dialect
    from overhaul.gml.vm.registration import root_counts

    usual = root_counts(code, plain_dialect(entry.game))
    if (entry.locals_count, entry.arguments) == usual:
        return ""
    unused = entry.locals_count - usual[0]
    if unused > 0 and entry.arguments == 0:
        return f"{_UNUSED}{unused}\n"
    return f"{_COUNTS}{entry.locals_count} {entry.arguments}\n"


def read_head(text: str) -> tuple[dict[str, str], str]:
    """The lines above the assembly itself, and the rest."""
    found: dict[str, str] = {}
    while True:
        mark = next((m for m in (_NAMED, _UNUSED, _COUNTS) if text.startswith(m)), None)
        if mark is None:
            return found, text
        line, _, text = text.partition("\n")
        found[mark] = line[len(mark) :].rstrip()


def _set_counts(code: Any, head: dict[str, str], dialect: Any) -> None:
    from overhaul.gml.vm.registration import root_counts

    try:
        if _UNUSED in head:
            code.locals_count = root_counts(code, dialect)[0] + int(head[_UNUSED])
            code.arguments_count = 0
        elif _COUNTS in head:
            code.locals_count, code.arguments_count = map(int, head[_COUNTS].split())
    except ValueError:
        raise FormatError("expected numbers behind the mark in the first lines") from None


def _text(text: str) -> bytes:
    if text and not text.endswith("\n"):
        text += "\n"
    return text.encode("utf-8", "surrogateescape")


class CodeEdits:
    """Changed code files, put into the game."""

    def __init__(self, view: FolderView, folder: Folder, changes: Mapping[str, Change]) -> None:
        self.game: GameData = view.game
        self.folder = folder
        self.changes = {path: change for path, change in changes.items() if is_code(path)}
        self.roots = root_stems(view) if self.changes else {}
        self.texts: list[tuple[CodeEntry, str, str]] = []
        self.added: list[CodeEntry] = []
        self.warnings: list[str] = []
        self._read_details: CodeDetails | None = None
        #: the functions of removed entries, and the files these were
        self._functions: dict[str, str] = {}

    def prepare(self, order: list[str]) -> None:
        """Remove and add entries, so that their names are known; texts are read later."""
        if not self.changes:
            return
        by_stem: dict[str, dict[str, Change]] = {}
        for path, change in self.changes.items():
            by_stem.setdefault(_stem(path), {})[path] = change
        place = {stem: index for index, stem in enumerate(order)}
        removed: dict[str, CodeEntry] = {}
        for stem in sorted(by_stem, key=lambda s: (place.get(s, len(place)), s)):
            files = by_stem[stem]
            here = [path for path, change in files.items() if change != "removed"]
            entry = self.roots.get(stem)
            left = any(f"{CODE}/{stem}{ending}" in self.folder for ending in (ASSEMBLY, SOURCE))
            if entry is not None and not left:
                removed[next(iter(files))] = entry
                continue
            if not here:
                continue
            path = self._chosen(stem, here)
            text = _decode(self.folder.read(path), path)
            if entry is None:
                entry = self._add(self._details().names.get(stem) or _name(stem, text))
            self.texts.append((entry, path, text))
        if removed:
            self._remove(removed)

    def _details(self) -> CodeDetails:
        """What code.json says."""
        if self._read_details is None:
            self._read_details = CodeDetails(self.folder)
        return self._read_details

    def _remove(self, removed: dict[str, CodeEntry]) -> None:
        """Take entries out; warn of what speaks of them still."""
        game = self.game
        view = FolderView(game)
        users: dict[int, str] = {}
        for kind in view.kinds:
            if kind.chunk in ("OBJT", "ROOM", "TMLN"):
                for stem, record in zip(
                    view.stems(kind.chunk), game.named(kind.chunk), strict=True
                ):
                    path = kind.json_path(stem)
                    if record is not None and path in self.folder:
                        for reference in references_in(record):
                            users.setdefault(id(reference), path)
        for path, entry in removed.items():
            user = users.get(id(game.code.reference_to(entry)))
            if user is not None and name_of(entry).encode() in self.folder.read(user):
                self.warnings.append(
                    f"{path} was removed, but {user} names it: there is nothing there now"
                )
            for each in (entry, *entry.children):
                self._functions[name_of(each)] = path
        game.code.remove(*removed.values())

    def tell_calls(self) -> None:
        """Warn of code that calls functions whose code was removed."""
        from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX
        from overhaul.gml.vm.chains import FUNCTION_BIT

        game = self.game
        if not self._functions:
            return
        numbers: dict[int, tuple[str, str]] = {}
        for number, function in enumerate(game.functions):
            name = str(function.name)
            for code_name in (name, SCRIPT_PREFIX + name):
                if code_name in self._functions and code_name not in game.code:
                    numbers[number | FUNCTION_BIT] = (name, self._functions[code_name])
        for entry in game.code if numbers else ():
            if entry is None or entry.root is not None:
                continue
            for number in sorted(set(entry.bytecode.record.tolist()) & numbers.keys()):
                name, path = numbers.pop(number)
                self.warnings.append(f"{path} was removed, but {name_of(entry)} calls {name}")

    def _chosen(self, stem: str, here: list[str]) -> str:
        if len(here) == 1:
            return here[0]
        if all(self.changes[path] == "added" for path in here):
            return f"{CODE}/{stem}{ASSEMBLY}"
        raise WorkspaceError(f"{' and '.join(sorted(here))} both changed: keep one of the edits")

    def _add(self, name: str) -> CodeEntry:
        from overhaul.gml.vm.columns import decode

        game = self.game
        if "CODE" not in game.slots:
            raise WorkspaceError(f"{CODE}/{name}: a game of native code (YYC) holds no code")
        empty = Bytecode.of(decode(b"", game.layout.bytecode))
        entry = CodeEntry(game.strings.add(name), bytecode=empty, game=game)
        game.code.append(entry)
        self.added.append(entry)
        return entry

    def list_scripts(self, fresh: bool) -> None:
        """Enter new scripts where the runner looks for them, if no file of the folder says how."""
        from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX

        game = self.game
        modern = game.layout.at_least(2, 3)
        prefix = GLOBAL_SCRIPT_PREFIX if modern else SCRIPT_PREFIX
        files = set(self.folder.list()) if fresh else set()
        for entry in self.added:
            name = name_of(entry)
            if not name.startswith(prefix):
                continue
            reference = game.code.reference_to(entry)
            if FILES["SCPT"] not in files and "SCPT" in game.slots:
                named = [s for s in game.scripts if s is not None]
                if all(script.code.entry is not reference for script in named):
                    text = game.strings.add(name.removeprefix(prefix))
                    game.scripts.append(Script(text, ScriptCode(reference)))
            if modern and FILES["GLOB"] not in files and "GLOB" in game.slots:
                order = game.global_init.code
                if all(each is not reference for each in order):
                    order.append(reference)

    def attach(self, settled: Collection[int], fresh: bool) -> None:
        """Let objects and rooms run new code, if nothing does so yet."""
        list_scripts = not (fresh and FILES["SCPT"] in self.folder)
        for entry in attach(self.game, self.added, settled, list_scripts=list_scripts):
            if not fresh:
                self.warnings.append(f"nothing in the game runs the new code {name_of(entry)}")

    def assemble(self, fresh: bool) -> None:
        """Put the texts into their entries; in a new game they also make the code's tables."""
        if not self.texts:
            return
        self.game.language.forget()
        details = self._details() if fresh else None
        if any(path.endswith(SOURCE) for _, path, _ in self.texts):
            self._declare()
            if details is not None:
                details.declare(self.game.language.context)
        assign_texts(self.game, self.texts, details)

    def _declare(self) -> None:
        """Make known what source files define for all code: macros, enums, global functions."""
        context = self.game.language.context
        edited = {path: text for _, path, text in self.texts}
        sources = [path for path in self.folder.list() if is_code(path) and path.endswith(SOURCE)]
        for path in sources:
            text = edited.get(path) or _decode(self.folder.read(path), path)
            try:
                declare(context, unescape_name(_stem(path)), text)
            except SourceError as error:
                if path not in edited:
                    raise _located(error, path) from error
                # compiling it tells, with the errors of the other files
            except OverhaulError as error:
                raise _located(error, path) from error


def declare(context: Context, name: str, text: str) -> None:
    """Make known to a context what a text defines for all code."""
    from overhaul.gamemaker.data.code.context import GLOBAL_SCRIPT_PREFIX, SCRIPT_PREFIX
    from overhaul.gml.compiler.definitions import add_definitions
    from overhaul.gml.syntax import tree
    from overhaul.gml.syntax.parser import parse

    if any(word in text for word in ("#macro", "enum", "globalvar")):
        add_definitions(context, text)
    if not (context.dialect.gml_v2 and name.startswith(GLOBAL_SCRIPT_PREFIX)):
        return
    for statement in parse(text, context.dialect, macros=context.macros or None).statements:
        function = statement.expression if isinstance(statement, tree.ExpressionStatement) else None
        if isinstance(function, tree.Function) and function.name:
            code_name = SCRIPT_PREFIX + function.name
            context.add_function(function.name, code_name, len(function.parameters))


def assign_texts(
    game: GameData, texts: list[tuple[CodeEntry, str, str]], details: CodeDetails | None = None
) -> None:
    """Assemble or compile many entries, with what is known of the game looked up once.

    With ``details`` they are all the code there is, and VARI and FUNC are made as the compiler
    makes them.
    """
    from overhaul.gamemaker.data.code.registration import Registrar

    language = game.language
    context = language.context
    codes = []
    errors: list[SourceError] = []
    for entry, path, text in texts:
        try:
            if path.endswith(SOURCE):
                code = _compile(entry, text.removesuffix("\n"), details)
            else:
                code = assemble_entry(entry, text)
        except SourceError as error:
            error.name = path
            errors.append(error)
            continue
        except OverhaulError as error:
            raise _located(error, path) from error
        codes.append((entry, path, code, language.children(entry)))
    if errors:
        raise errors[0] if len(errors) == 1 else SourceErrors(errors)
    if details is None:
        registrar = Registrar(game)
    else:
        registrar = new_tables(game, [code for _, _, code, _ in codes])
    with registrar:
        for number, (entry, path, code, children) in enumerate(codes):
            registrar.root_number = number
            try:
                registrar.assign(entry, code, context, children)
            except OverhaulError as error:
                raise _located(error, path) from error
    language.forget()


def _compile(entry: CodeEntry, source: str, details: CodeDetails | None) -> Any:
    language = entry.game.language
    if details is None:
        return language.compile_entry(entry, source)
    name = name_of(entry)
    if name in details.crlf:
        source = source.replace("\n", "\r\n")
    code = language.compile_new(entry, source, details.before(name))
    details.finish(name, code, language.context.dialect)
    return code


def assemble_entry(entry: CodeEntry, text: str) -> Any:
    """Assemble the text of a file as an entry's code.  Raises SyntaxError_, FormatError."""
    from overhaul.gamemaker.data.code.chains import plain_dialect
    from overhaul.gml import assemble
    from overhaul.gml.vm.registration import keep_unused_locals

    language = entry.game.language
    head, body = read_head(text)
    try:
        code = assemble(body, language.context)
    except SourceError as error:
        raise _shown(error, text, len(text) - len(body)) from None
    if head.keys() & {_UNUSED, _COUNTS}:
        _set_counts(code, head, plain_dialect(entry.game))
    elif len(entry.bytecode):
        keep_unused_locals(code, language.code(entry), language.context.dialect)
    return code


def _shown(error: SourceError, text: str, start: int) -> SourceError:
    """The errors of assembly that begins at a character of a text, with lines and carets."""
    from overhaul.gml.errors import SyntaxError_
    from overhaul.gml.syntax.errors import Problem

    lines = text.split("\n")
    above = text.count("\n", 0, start)
    found = [
        Problem(each.message, 0, each.line + above, each.column, lines[each.line + above - 1])
        for each in getattr(error, "errors", None) or [error]
        if 0 < each.line + above <= len(lines)
    ]
    first = found[0] if found else error
    return SyntaxError_(first.message, first.line, first.column, errors=found)


def new_tables(game: GameData, codes: list[Any]) -> Any:
    """Make VARI and FUNC for all code of a new game; return what registers the code with them."""
    from overhaul.gamemaker.data.chunks.func import Function
    from overhaul.gamemaker.data.chunks.vari import Variable
    from overhaul.gamemaker.data.code.records import GLOBAL, LOCAL
    from overhaul.gamemaker.data.code.registration import Registrar
    from overhaul.gml.vm import registration as rules

    if game.chunk("VARI") is None or game.chunk("FUNC") is None:
        raise WorkspaceError(f"{CODE}: a game with code needs the chunks VARI and FUNC")
    context = game.language.context
    dialect = context.dialect
    text = game.strings.add
    for string in rules.string_order(codes, dialect):
        text(string)
    order = rules.variable_order(codes, dialect)
    functions = [Function(text(name)) for name in rules.function_order(codes)]
    game.functions.items[:] = functions
    if dialect.bytecode14_or_lower:
        game.variables.items[:] = [Variable(text(v.name)) for v in order.variables]
    else:
        ids = rules.variable_ids(
            order, codes, dialect, context.builtin_variables, lambda name: text(name).index
        )
        game.variables.items[:] = [
            Variable(text(variable.name), variable.scope, number)
            for variable, number in zip(order.variables, ids, strict=True)
        ]
        head = game.chunk("VARI")
        separate = game.layout.bytecode == 15 and game.layout.major < 2
        shared = [v for v in game.variables if v.instance_type != LOCAL]
        pools = [
            [v.id for v in shared if (v.instance_type == GLOBAL) == is_global]
            if separate
            else [v.id for v in shared]
            for is_global in (True, False)
        ]
        head.globals_count, head.instance_count = (max(pool, default=-1) + 1 for pool in pools)
        head.max_locals = max(
            (len(code.local_names or rules.local_names(code)) for code in codes), default=0
        )

    game.language.forget()

    class NewRegistrar(Registrar):
        """Takes the records that were just made."""

        def variable_record(self, reference: Any) -> int:
            return order.record(self.root_number, reference)

    return NewRegistrar(game)


def _located(error: OverhaulError, path: str) -> OverhaulError:
    if isinstance(error, SourceError):
        error.name = path
        return error
    if isinstance(error, (FormatError, EncodeError)):
        return WorkspaceError(f"{path}: {error}")
    return error


def is_code(path: str) -> bool:
    """Whether a plain file is that of a code entry."""
    folder, _, name = path.partition("/")
    return folder == CODE and "/" not in name and name.endswith((ASSEMBLY, SOURCE))


def _stem(path: str) -> str:
    return path[len(CODE) + 1 : path.rindex(".")]


def _name(stem: str, text: str) -> str:
    return read_head(text)[0].get(_NAMED, unescape_name(stem))


def _decode(data: bytes, path: str) -> str:
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
