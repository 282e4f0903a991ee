"""Code entries as text, one file for each root entry: assembly, or GML where it was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import partial
from weakref import ReferenceType, WeakKeyDictionary, ref

from overhaul.document.names import unescape_name
from overhaul.document.plainfiles import PlainFile, UnpackOptions, is_glob
from overhaul.errors import FormatError, OverhaulError, SourceError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.code.chains import plain_dialect
from overhaul.gamemaker.data.code.checking import explained, why_source_differs
from overhaul.gamemaker.data.code.sameness import plain_numbers
from overhaul.gamemaker.data_folder.kind_folders import CODE
from overhaul.gamemaker.data_folder.names import name_of
from overhaul.gamemaker.data_folder.view import ASSEMBLY, SOURCE, FolderView
from overhaul.gml import assemble, disassemble
from overhaul.gml.context import Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.errors import SyntaxError_
from overhaul.gml.syntax.errors import Problem
from overhaul.gml.vm.code import AssetReference, Code, FunctionReference
from overhaul.gml.vm.registration import keep_unused_locals, root_counts

#: the first line of an assembly file whose name is not the entry's
_NAMED = "; entry "
#: locals that are declared and never used show only in a count
_UNUSED = "; unused locals "
_COUNTS = "; counts "
#: the text in place of code without assembly
_UNSHOWN = "; This can't be shown: "
#: the note of source that compiles back to its bytecode
_EXACT = "compiles to identical bytecode"


def is_code(path: str) -> bool:
    """Whether a plain file is that of a code entry."""
    folder, _, name = path.partition("/")
    return folder == CODE and "/" not in name and name.endswith((ASSEMBLY, SOURCE))


def stem_of(path: str) -> str:
    """The path of a code entry's file, without folder and ending."""
    return path[len(CODE) + 1 : path.rindex(".")]


# ------------------------------------------------------------------------------------- unpacking


def code_files(view: FolderView, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of all root entries.

    Where source is asked for, entries whose source does not compile back to the same bytecode are
    written as assembly too: that is what counts for them while neither is edited.
    """
    named = _stems(options)
    for stem, entry in view.roots().items():
        if named is not None and stem not in named:
            continue
        if options.leaving and f"{CODE}/{stem}" in options.leaving:
            continue
        path = f"{CODE}/{stem}{SOURCE}"
        if options.only and not (options.wants(path) or options.wants(f"{CODE}/{stem}{ASSEMBLY}")):
            continue
        origin = f"CODE[{name_of(entry)}]"
        source = SourceFile(path, entry, origin)
        wanted = options.code == "gml" and options.whole and options.wants(source.path)
        if options.code in ("asm", "both") or (wanted and not source.is_exact):
            yield PlainFile(
                f"{CODE}/{stem}{ASSEMBLY}",
                partial(_assembly, entry, stem),
                origin=origin,
            )
        if options.code != "asm":
            yield source


def _stems(options: UnpackOptions) -> set[str] | None:
    """The stems of the files that are asked for by path; None where others are asked for too."""
    if options.only and all(is_code(path) and not is_glob(path) for path in options.only):
        return set(map(stem_of, options.only))
    return None


class SourceFile(PlainFile):
    """An entry as source.  Its note, worked out when asked for after reading, says whether the
    source compiles back to the identical bytecode, and if not, why."""

    __slots__ = ("_problems", "_reason", "_source", "entry")

    def __init__(self, path: str, entry: CodeEntry, origin: str) -> None:
        self.entry = entry
        self._source: str | None = None
        self._problems: list[str] = []
        self._reason: str | None = None
        super().__init__(path, self._read, origin=origin)

    @property
    def is_source(self) -> bool:
        """It is."""
        return True

    @property
    def is_exact(self) -> bool:
        """Whether the source compiles back to the identical bytecode."""
        self._read()
        return self.note == _EXACT

    def same(self, other: PlainFile) -> bool:
        """Whether both entries do the same; most are compared without decompiling."""
        other = other.shown()
        if not isinstance(other, SourceFile):
            return super().same(other)
        like = compare_entries(self.entry, other.entry)
        if like is not Likeness.NUMBERS:
            return like is Likeness.SAME
        return self.read() == other.read()

    def alone(self) -> bytes | None:
        """The source without what other code shows of its numbers, if that is not known yet
        and the source compiles back to the identical bytecode."""
        entry = self.entry
        if self._source is not None:
            return None
        try:
            made = entry.game.language.decompiled.source_alone(entry)
        except OverhaulError:  # reported where it is read
            return None
        if made is None or why_source_differs(entry.game, entry, *made) is not None:
            return None
        return _text(made[0])

    def finding(self) -> object:
        """The source, and why parts of it are assembly in comments."""
        return None if self._source is None else (self._source, self._problems)

    def take_over(self, finding: object) -> None:
        """Keep the source that another process decompiled."""
        if isinstance(finding, tuple):
            self._source, self._problems = finding
            self.entry.game.language.decompiled.note_source(self.entry, finding)

    def _read(self) -> bytes:
        if self._source is not None:
            return _text(self._source)
        try:
            self._source, self._problems = self.entry.game.language.decompiled.source(self.entry)
        except Exception as error:  # noqa: BLE001 - the note says why; the other files are still written
            self._problems = [explained(error)]
            return _text(f"// This could not be decompiled: {self._problems[0]}")
        return _text(self._source)

    @property
    def note(self) -> str:
        """For the manifest; empty before reading."""
        if self._source is None:
            return f"not decompiled: {self._problems[0]}" if self._problems else ""
        if self._reason is None:
            entry = self.entry
            noted = entry.game.language.decompiled.noted_check(entry)
            if noted is None:
                reason = why_source_differs(entry.game, entry, self._source, self._problems)
                entry.game.language.decompiled.note_check(entry, reason, self._source)
            else:
                reason = noted[0]
            self._reason = _EXACT if reason is None else reason
        return self._reason

    @note.setter
    def note(self, text: str) -> None:
        """The note follows from the source."""


def _assembly(entry: CodeEntry, stem: str) -> bytes:
    name = name_of(entry)
    language = entry.game.language
    head = "" if unescape_name(stem) == name else f"{_NAMED}{name}\n"
    try:
        code = language.code(entry)
    except FormatError as error:
        return _text(f"{head}{_UNSHOWN}{explained(error)}")
    return _text(head + _show_counts(entry, code) + disassemble(code, language.context))


def _show_counts(entry: CodeEntry, code: Code) -> str:
    """The counts of locals and arguments, where they do not follow from the instructions."""
    usual = root_counts(code, plain_dialect(entry.game))
    if (entry.locals_count, entry.arguments) == usual:
        return ""
    unused = entry.locals_count - usual[0]
    if unused > 0 and entry.arguments == 0:
        return f"{_UNUSED}{unused}\n"
    return f"{_COUNTS}{entry.locals_count} {entry.arguments}\n"


def _text(text: str) -> bytes:
    if text and not text.endswith("\n"):
        text += "\n"
    return text.encode("utf-8", "surrogateescape")


# --------------------------------------------------------------------------------------- packing


def read_text(data: bytes) -> str:
    """The text of a code file, with LF."""
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def entry_name(stem: str, text: str) -> str:
    """The name of the entry in a file: that of the file, if the text says no other."""
    return _read_head(text)[0].get(_NAMED, unescape_name(stem))


def assemble_entry(entry: CodeEntry, text: str) -> Code:
    """Assemble the text of a file as an entry's code.  Raises SyntaxError_, FormatError."""
    language = entry.game.language
    head, body = _read_head(text)
    if body.startswith(_UNSHOWN):
        raise FormatError("this stands for code that can't be shown: write assembly in its place")
    try:
        code = assemble(body, language.context)
    except SourceError as error:
        raise _with_lines(error, text, len(text) - len(body)) from None
    if head.keys() & {_UNUSED, _COUNTS}:
        _set_counts(code, head, plain_dialect(entry.game))
    elif len(entry.bytecode):
        keep_unused_locals(code, language.before(entry), language.context.dialect)
    return code


def _read_head(text: str) -> tuple[dict[str, str], str]:
    """The lines above the assembly itself, by their beginning, and the rest."""
    stems: dict[str, str] = {}
    while True:
        mark = next((m for m in (_NAMED, _UNUSED, _COUNTS) if text.startswith(m)), None)
        if mark is None:
            return stems, text
        line, _, text = text.partition("\n")
        stems[mark] = line[len(mark) :].rstrip()


def _set_counts(code: Code, head: dict[str, str], dialect: Dialect) -> None:
    try:
        if _UNUSED in head:
            code.locals_count = root_counts(code, dialect)[0] + int(head[_UNUSED])
            code.arguments_count = 0
        elif _COUNTS in head:
            code.locals_count, code.arguments_count = map(int, head[_COUNTS].split())
    except ValueError:
        raise FormatError("expected numbers after the mark in the first lines") from None


def _with_lines(error: SourceError, text: str, start: int) -> SourceError:
    """The errors of assembly that begins at a character of a text, with lines and carets."""
    lines = text.split("\n")
    above = text.count("\n", 0, start)
    mistakes = [
        Problem(
            mistake.message,
            0,
            mistake.line + above,
            mistake.column,
            lines[mistake.line + above - 1],
        )
        for mistake in getattr(error, "errors", None) or [error]
        if 0 < mistake.line + above <= len(lines)
    ]
    first = mistakes[0] if mistakes else error
    return SyntaxError_(first.message, first.line, first.column, errors=mistakes)


class Likeness(Enum):
    """The result of comparing two entries; NUMBERS: only numbers differ, which may name assets."""

    SAME = 1
    NUMBERS = 2
    DIFFERENT = 3


def compare_entries(one: CodeEntry, two: CodeEntry) -> Likeness:
    """Compare two entries by their instructions, with names in place of references.

    The names of functions inside an entry, which come from places in the source, mean nothing, and
    neither do the counts of local variables, where some are never used.
    """
    if one.unreadable or two.unreadable:
        return Likeness.SAME if one.to_bytes() == two.to_bytes() else Likeness.DIFFERENT
    same = one.game.language.decompiled.same_code(two.game.language.decompiled)
    contexts = same.contexts
    if same(one, two):
        others = _moved_numbers(*contexts)
        is_same = not others or others.isdisjoint(plain_numbers(one.bytecode))
        return Likeness.SAME if is_same else Likeness.NUMBERS
    try:
        first, second = one.game.language.code(one), two.game.language.code(two)
    except FormatError:
        return Likeness.NUMBERS  # the shown numbers decide
    if len(first.instructions) != len(second.instructions):
        return Likeness.DIFFERENT
    if [child.offset for child in first.children] != [child.offset for child in second.children]:
        return Likeness.DIFFERENT
    inside = {
        FunctionReference(a.name): FunctionReference(b.name)
        for a, b in zip(first.children, second.children, strict=True)
    }
    moved = None
    like = Likeness.SAME
    for a, b in zip(first.instructions, second.instructions, strict=True):
        if (a.opcode, a.type1, a.type2) != (b.opcode, b.type1, b.type2):
            return Likeness.DIFFERENT
        if isinstance(a.operand, AssetReference):
            if _asset(a.operand, contexts[0]) != _asset(b.operand, contexts[1]):
                return Likeness.DIFFERENT
        elif isinstance(a.operand, str | tuple) or isinstance(b.operand, str | tuple):
            if a.value != b.value or inside.get(a.operand, a.operand) != b.operand:
                return Likeness.DIFFERENT
        elif a.value != b.value or a.operand != b.operand:
            like = Likeness.NUMBERS
        elif like is Likeness.SAME:
            if moved is None:
                moved = _moved_numbers(*contexts)
            if (a.value if a.operand is None else a.operand) in moved:
                like = Likeness.NUMBERS
    return like


def same_sources(files: Mapping[str, PlainFile], others: Mapping[str, PlainFile]) -> set[str]:
    """The paths of sources whose entries are alike by :func:`compare_entries`, where that shows
    without making instructions."""
    pairs = {
        path: (shown.entry, other.entry)
        for path, file in files.items()
        if isinstance(shown := file.shown(), SourceFile)
        and path in others
        and isinstance(other := others[path].shown(), SourceFile)
    }
    return set(_same_entries(pairs))


def same_code(one: FolderView, two: FolderView) -> frozenset[str]:
    """The paths, without endings, of the code that is alike so in two games."""
    others = two.roots()
    pairs = {
        f"{CODE}/{stem}": (entry, others[stem])
        for stem, entry in one.roots().items()
        if stem in others
    }
    return frozenset(_same_entries(pairs))


def _same_entries(pairs: Mapping[str, tuple[CodeEntry, CodeEntry]]) -> Iterator[str]:
    """The keys of pairs that are alike by :func:`compare_entries`, where that shows without making
    instructions."""
    if not pairs:
        return
    first = next(iter(pairs.values()))
    one, two = (entry.game.language for entry in first)
    same = one.decompiled.same_code(two.decompiled)
    if _moved_numbers(*same.contexts):
        return
    for key, (mine, theirs) in pairs.items():
        if not mine.unreadable and not theirs.unreadable and same.compare(mine, theirs):
            yield key


def _asset(operand: object, context: Context) -> object:
    """The kind and name of an asset; its number where it has none."""
    if not isinstance(operand, AssetReference):
        return operand
    name = context.assets.get(operand.kind, {}).get(operand.index)
    return operand if name is None else (operand.kind, name)


#: of the last game that each was compared with: the names of other assets there
_moved: WeakKeyDictionary[Context, tuple[ReferenceType[Context], frozenset[object]]] = (
    WeakKeyDictionary()
)


def _moved_numbers(one: Context, two: Context) -> frozenset[object]:
    """The numbers that name other assets in the one game than in the other."""
    if one is two:
        return frozenset()
    kept = _moved.get(one)
    if kept is None or kept[0]() is not two:
        features: set[object] = set()
        for kind, names in one.assets.items():
            others = two.assets.get(kind, {})
            both = names.keys() | others.keys()
            features.update(number for number in both if names.get(number) != others.get(number))
        kept = _moved[one] = ref(two), frozenset(features)
    return kept[1]
