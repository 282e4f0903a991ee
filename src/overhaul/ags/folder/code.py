"""Compiled scripts in a folder: as source, with what the source does not say; or as assembly.

A script is ``NAME.asc``, its text; ``NAME.ash``, which declares what it uses of other scripts and
of the game; and ``NAME.json``, the tables that neither says.  Where these do not compile to the
script's bytes, ``NAME.asm`` has them, and counts while the text is not edited.  The script of all
dialogs has a file for each: :mod:`overhaul.ags.folder.dialogs`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cached_property, lru_cache, partial
from itertools import zip_longest
from typing import Final, NamedTuple

import msgspec

from overhaul.ags import text
from overhaul.ags.api import ScriptSettings, version_in
from overhaul.ags.decompiler.decompiler import Environment
from overhaul.ags.decompiler.files import (
    ScriptFiles,
    Tables,
    compile_edited,
    compile_files,
    script_files,
)
from overhaul.ags.decompiler.untouched import NotTaken
from overhaul.ags.documents.base import AgsDocument
from overhaul.ags.folder.dialogs import DialogFiles, Split, is_dialog
from overhaul.ags.language import CompilerOptions, Source, tokens_of
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.disassembler import disassemble
from overhaul.ags.script.model import Script
from overhaul.ags.script.model import read_script as stored_script
from overhaul.ags.versions import SCRIPT_NEWEST, SCRIPT_NEWEST_COMPILED
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.errors import CharacterError, FormatError, PlainFileError, SourceError, WorkspaceError
from overhaul.folder.json_fields import (
    at_key,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    expect_texts,
    in_file,
    indented,
    json_bytes,
    read_object,
)

SOURCE: Final = ".asc"
HEADER: Final = ".ash"
TABLES: Final = ".json"
ASSEMBLY: Final = ".asm"
_PARTS: Final = (SOURCE, HEADER, TABLES)
#: The editor whose compiler a new script gets, where the game names none.
_NEWEST_EDITOR: Final = "3.6.1"
#: A slot has no more digits.
_DIGITS: Final = 6
#: No script has more fixups.
_MOST_FIXUPS: Final = 1 << 24
_OLD_NEGATIVES: Final = "old_negatives"


#: The fields of tables with their keys, and how messages call them.
_KEYS: Final = {
    "imports": "imports",
    "exports": "exports",
    "sections": "sections",
    "strings": "strings",
    "cut": "cut",
    "literals": "literals",
    "globals": "globals",
    "version": "version",
    "settings": "compiler",
    "old_negatives": "compiler",
    "name": "name",
    "unread": "unread",
}
_WORDS: Final = {
    "compiler": "settings of the compiler",
    "cut": "strings",
    "unread": "functions left as assembly",
}
#: Files that follow from an edited text, and those that it adds to.
_FOLLOW: Final = ("exports", "sections", "literals", "globals", "unread")
_GROW: Final = ("imports", "strings")


class ScriptPlace(NamedTuple):
    """Where a script is: the document, the path of its files without their endings, what the game
    says of its names, what the editor declares of them, and the dialogs that it is the script of.
    """

    document: AgsDocument
    stem: str
    environment: Callable[[], Environment]
    declared: Callable[[], Environment]
    dialogs: DialogFiles | None = None


def stem_of(path: str) -> str:
    """The path of a script's file without its ending."""
    return path.rpartition(".")[0] if path.endswith((SOURCE, ASSEMBLY)) else path


def is_there(stem: str, folder: Folder) -> bool:
    """Whether a folder has the script."""
    return stem + SOURCE in folder or stem + ASSEMBLY in folder


# -- unpacking -------------------------------------------------------------------------------------


class _ScriptFiles:
    """A script as its files show it."""

    def __init__(self, script: Script, place: ScriptPlace) -> None:
        self.script = script
        self.encoding = place.document.encoding
        self._environment = place.environment
        self._dialogs = place.dialogs

    @cached_property
    def files(self) -> ScriptFiles:
        """The text, the header and the tables."""
        return script_files(self.script, self._environment())

    @cached_property
    def split(self) -> Split:
        """The text, without the dialogs that have files of their own; and these."""
        if self._dialogs is None or not self.is_exact:
            return Split(self.files.text, {})
        return self._dialogs.split(self.files, self.script)

    @cached_property
    def source(self) -> bytes:
        """The text as it is written."""
        return self._written(self.split.text).encode(errors="backslashreplace")

    def dialog(self, number: int) -> bytes:
        """The lines of a dialog as they are written; empty where it has no file."""
        lines = self.split.dialogs.get(number, "")
        return self._written(lines).encode(errors="backslashreplace")

    @property
    def is_exact(self) -> bool:
        """Whether the files compile to the script."""
        return not self.files.reason and not text.is_foreign(self._written(self.files.text))

    def has_parts_of(self, other: _ScriptFiles) -> bool:
        """Whether a script of the same text has the same texts, imports and exports."""
        return (self.is_exact and other.is_exact) and all(
            sorted(one) == sorted(two)
            for one, two in (
                (self.files.tables.strings, other.files.tables.strings),
                (filter(None, self.files.tables.imports), filter(None, other.files.tables.imports)),
                (self.files.tables.exports, other.files.tables.exports),
            )
        )

    @property
    def header(self) -> bytes:
        """The header as it is written."""
        return self._written(self.files.header).encode(errors="backslashreplace")

    @property
    def tables(self) -> bytes:
        """The tables as JSON."""
        return json_bytes(show_tables(self.files.tables, self._written), indented)

    def assembly(self) -> bytes:
        """The script as assembly."""
        return disassemble(self.script, self.encoding).encode()

    def _written(self, value: str) -> str:
        return text.show(value, self.encoding)


class _ScriptFile(PlainFile):
    """A file of a script; two are the same if the scripts are."""

    __slots__ = ("_shown",)

    def __init__(
        self, path: str, shown: _ScriptFiles, read: Callable[[], bytes], origin: str
    ) -> None:
        super().__init__(path, read, origin=origin)
        self._shown = shown

    @property
    def is_source(self) -> bool:
        """Whether it is the text."""
        return self.path.endswith(SOURCE)

    @property
    def is_exact(self) -> bool:
        """Whether packing makes the same script of the text."""
        return self._shown.is_exact

    def same(self, other: PlainFile) -> bool:
        """Whether both say the same.  Tables follow from another text, which says more; scripts
        with one text are the same if they only differ in the places of names and texts."""
        if not isinstance(other, _ScriptFile):
            return super().same(other)
        ours, theirs = self._shown, other._shown
        if ours.script.to_bytes() == theirs.script.to_bytes():
            return True
        edited = ours.files.text != theirs.files.text
        if self.path.endswith(TABLES) and edited:
            return True
        return super().same(other) and (not self.is_source or edited or ours.has_parts_of(theirs))


def script_plain_files(
    place: ScriptPlace, script: Script, origin: str, options: UnpackOptions
) -> Iterator[PlainFile]:
    """The files of a script: its source, and assembly where it is asked for or needed."""
    stem, shown = place.stem, _ScriptFiles(script, place)
    wanted = any(options.wants(stem + part) for part in _PARTS)
    if options.code != "gml" or _needs_assembly(shown, options, wanted):
        yield PlainFile(stem + ASSEMBLY, shown.assembly, origin=origin)
    if options.code == "asm":
        return
    yield _ScriptFile(stem + SOURCE, shown, lambda: shown.source, origin)
    if not options.proven or (wanted and shown.files.header):
        yield _ScriptFile(stem + HEADER, shown, lambda: shown.header, origin)
    if options.whole:
        yield _ScriptFile(stem + TABLES, shown, lambda: shown.tables, origin)
    for number, path in enumerate(place.dialogs.paths if place.dialogs is not None else ()):
        if options.wants(path) and (not options.proven or number in shown.split.dialogs):
            yield _ScriptFile(path, shown, partial(shown.dialog, number), f"dialog {number}")


def _needs_assembly(shown: _ScriptFiles, options: UnpackOptions, wanted: bool) -> bool:
    if not options.proven:
        return True
    return options.whole and wanted and not shown.is_exact


def show_tables(tables: Tables, shown: Callable[[str], str]) -> dict[str, object]:
    """Tables as JSON; what is as usual is left out."""
    usual = ScriptSettings(tables.settings.version)
    settings = {
        field.name: getattr(tables.settings, field.name)
        for field in fields(ScriptSettings)
        if field.name == "version"
        or getattr(tables.settings, field.name) != getattr(usual, field.name)
    }
    if tables.old_negatives:
        settings[_OLD_NEGATIVES] = True
    json: dict[str, object] = {"version": tables.version, "compiler": settings}
    if tables.name != _first_name(tables.sections):
        json["name"] = shown(tables.name)
    if tables.unread:
        json["unread"] = list(map(shown, tables.unread))
    json["sections"] = [
        shown(names[0]) if len(names) == 1 else list(map(shown, names)) for names in tables.sections
    ]
    json["import_count"] = len(tables.imports)
    json["imports"] = {str(n): shown(name) for n, name in enumerate(tables.imports) if name}
    json["exports"] = list(map(shown, tables.exports))
    json["strings"] = [shown(text.decode(value)) for value in tables.strings]
    if tables.cut:
        json["cut"] = True
    if tables.literals:
        json["literals"] = list(tables.literals)
    if tables.globals:
        json["globals"] = list(tables.globals)
    return json


def _first_name(sections: tuple[tuple[str, ...], ...]) -> str:
    return sections[0][-1] if sections else ""


def assembly_file(place: ScriptPlace, script: Script, origin: str) -> PlainFile:
    """The file of a script that is only shown as assembly."""
    return PlainFile(place.stem + ASSEMBLY, _ScriptFiles(script, place).assembly, origin=origin)


# -- packing ---------------------------------------------------------------------------------------


def read_assembly(place: ScriptPlace, folder: Folder) -> Script:
    """The script of an assembly file.  Raises SourceError, and WorkspaceError if not UTF-8."""
    path = place.stem + ASSEMBLY
    encoding = place.document.encoding
    return assemble(_text(folder, path), name=path, encoding=encoding)


def read_script(
    place: ScriptPlace, folder: Folder, changes: Mapping[str, Change], old: Script | None
) -> Script | None:
    """The script of changed files; None if none changed.

    An edited text is compiled with the tables of the ``old`` script, so all else stays.  Raises
    SourceError with the file, the line and the column; and WorkspaceError.
    """
    stem = place.stem
    assembly, source = stem + ASSEMBLY, stem + SOURCE
    parts = (SOURCE, HEADER) if assembly in folder else _PARTS
    dialogs = sorted(filter(is_dialog, changes)) if place.dialogs is not None else []
    edited = bool(dialogs) or any(stem + part in changes for part in parts)
    if assembly in changes and assembly in folder:
        texts = [source, *dialogs] if source in folder and old is not None else []
        both = next((text for text in texts if changes.get(text) == "changed"), "")
        if both:
            raise WorkspaceError(f"{both} and {assembly} are both edited; delete one of them")
        return read_assembly(place, folder)
    if place.dialogs is not None:
        place.dialogs.check(folder.list())
    if not edited and assembly not in changes:
        return None
    if source not in folder:
        raise PlainFileError("it is missing", source)
    files = read_files(place, folder, changes, old)
    own = None
    if place.dialogs is not None:
        files, own = _with_dialogs(place.dialogs, place, files, folder, old)
    if files.tables.version > SCRIPT_NEWEST_COMPILED:
        raise PlainFileError(
            f"AGS 4 has another compiler than the one that compiles sources here: edit {assembly}",
            source,
        )
    if stem + TABLES not in changes:
        return _compiled(place, files, old, old, own)
    made = _compiled(place, files, old, None, own)
    if old is not None and stem + TABLES in folder:
        again = script_files(made, place.environment())
        if place.dialogs is not None:
            again = place.dialogs.as_packed(again, made)
        with in_file(stem + TABLES):
            text_edited = bool(dialogs) or source in changes or stem + HEADER in changes
            _check_tables(files, again, text_edited)
    return made


def _compiled(
    place: ScriptPlace,
    files: ScriptFiles,
    old: Script | None,
    keep: Script | None,
    own: Mapping[str, str] | None,
) -> Script:
    """The block of edited files, with the tables of the block ``keep`` if it is given."""
    stem = place.stem
    unedited = None
    if old is not None:
        unedited = _unedited(old.to_bytes(), place.environment(), place.document.encoding)
    if old is None or unedited is None:
        return compile_files(files, keep, place.declared(), stem, own, every=True)
    try:
        return compile_edited(files, unedited, old, keep, place.declared(), stem)
    except NotTaken as error:
        line, column = _head(files.text, error.function)
        message = f"{error}: edit {stem}{ASSEMBLY}"
        raise SourceError(message, line, column, name=f"{stem}{SOURCE}") from None
    except FormatError as error:
        raise WorkspaceError(f"{stem}{SOURCE}: {error}: edit {stem}{ASSEMBLY}") from None


def _head(source: str, function: str) -> tuple[int, int]:
    """The line and the column of a function's name in a source; of its beginning without."""
    name = re.escape(function.rpartition("::")[2])
    match = re.search(rf"^\w[^;(){{}}\n]*?\b({name})\s*\(", source, re.MULTILINE)
    if match is None:
        return 1, 1
    start = match.start(1)
    return source.count("\n", 0, start) + 1, start - source.rfind("\n", 0, start)


@lru_cache(8)
def _unedited(block: bytes, environment: Environment, encoding: str) -> ScriptFiles | None:
    """The files of a script as they are unpacked; None where they compile to its bytes."""
    files = script_files(stored_script(block)[0], environment)
    if not text.is_foreign(text.show(files.text, encoding)):
        return files if files.reason else None
    return replace(
        files,
        text=_as_written(files.text, encoding),
        header=_as_written(files.header, encoding),
    )


def _as_written(value: str, encoding: str) -> str:
    """A text as it is read from its file; bytes that do not encode a letter are escaped."""
    shown = text.show(value, encoding).encode(errors="backslashreplace").decode()
    return text.unshow(shown, encoding)


def shown_texts(place: ScriptPlace, script: Script) -> list[tuple[str, str]]:
    """The texts of a script as its files have them, with their paths: that of all dialogs has one
    for each.  Nothing for a script that has no source."""
    if script.version > SCRIPT_NEWEST_COMPILED:
        return []
    shown = _ScriptFiles(script, place)
    texts = [(place.stem + SOURCE, shown.split.text)]
    if place.dialogs is not None:
        texts += [(place.dialogs.paths[n], lines) for n, lines in shown.split.dialogs.items()]
    return texts


def first_difference(name: str, before: bytes, after: bytes) -> int:
    """The line where the code of a source differs from another; 0 if only comments and spaces do.

    Raises SourceError for a text that has other tokens than the language.
    """
    texts = (Source(name, source.decode("latin-1")) for source in (before, after))
    old, new = (tokens_of(source, CompilerOptions()) for source in texts)
    differ = (b[1] for a, b in zip_longest(old, new, fillvalue=("", 1)) if a[0] != b[0])
    return next(differ, 0)


def _with_dialogs(
    dialogs: DialogFiles, place: ScriptPlace, files: ScriptFiles, folder: Folder, old: Script | None
) -> tuple[ScriptFiles, dict[str, str]]:
    """The files of the script of all dialogs with the text of all, and the paths of its parts."""
    encoding = place.document.encoding
    lines = {path: stored_text(folder, path, encoding) for path in filter(is_dialog, folder.list())}
    joined = dialogs.joined(
        files,
        lines,
        place.stem + SOURCE,
        had=[section.name for section in old.sections] if old is not None else (),
    )
    return replace(files, text=joined.text), joined.paths


def _check_tables(given: ScriptFiles, made: ScriptFiles, text_edited: bool) -> None:
    """Raise FormatError if edited tables are not those of the script that was compiled with them;
    an edited text adds to them."""
    for name, key in _KEYS.items():
        want, got = getattr(given.tables, name), getattr(made.tables, name)
        if text_edited and (name in _FOLLOW or (name in _GROW and got[: len(want)] == want)):
            continue
        if want != got:
            with at_key(key):
                raise FormatError(f"the source needs other {_WORDS.get(key, key)} than these")
    if not text_edited and made.text != given.text.replace("\r\n", "\n"):
        raise FormatError("with these tables the script has another source")


def _text(folder: Folder, path: str) -> str:
    try:
        return folder.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PlainFileError(f"it is not UTF-8: {error}", path) from None


def read_files(
    place: ScriptPlace, folder: Folder, changes: Mapping[str, Change], old: Script | None
) -> ScriptFiles:
    """The files of a script; tables that are not there are those of the ``old`` script, or new.

    Raises WorkspaceError and SourceError.
    """
    stem = place.stem
    path = stem + TABLES
    if path in folder:
        tables = read_tables(read_object(folder.read(path), path), path, place.document)
    elif old is not None:
        tables = script_files(old, place.environment()).tables
        if path in changes:  # removed: the script is new
            tables = Tables(0, tables.name, tables.settings, tables.old_negatives, tables.sections)
    else:
        name = f"{stem.rpartition('/')[2]}{SOURCE}"
        known = place.declared()
        settings = known.settings or ScriptSettings(known.version or _NEWEST_EDITOR)
        tables = Tables(0, name, settings, sections=((name,),))
    header, encoding = "", place.document.encoding
    if stem + HEADER in folder:
        header = stored_text(folder, stem + HEADER, encoding)
    return ScriptFiles(stored_text(folder, stem + SOURCE, encoding), header, tables)


def stored_text(folder: Folder, path: str, encoding: str) -> str:
    """A text as the model has it.  Raises SourceError for letters that the encoding lacks, and
    WorkspaceError if it is not UTF-8."""
    lines = _text(folder, path).split("\n")
    for number, line in enumerate(lines, start=1):
        try:
            lines[number - 1] = text.unshow(line, encoding)
        except CharacterError as error:
            column = line.find(error.character) + 1
            raise SourceError(error.message, number, column, name=path) from None
    return "\n".join(lines)


def read_tables(json: dict[str, object], path: str, document: AgsDocument) -> Tables:
    """The tables in JSON.  Raises WorkspaceError."""
    with in_file(path):
        shown = expect_object(text.recoded(json, document.encoding, text.unshow))
        known = {"version", "compiler", "name", "unread", "sections", "import_count", "imports"}
        unknown = shown.keys() - known - {"exports", "strings", "cut", "literals", "globals"}
        if unknown:
            raise FormatError(f"unknown field {min(unknown)!r}")
        with at_key("version"):
            version = expect_integer(shown.get("version"), 1, SCRIPT_NEWEST)
        with at_key("compiler"):
            settings, old_negatives = _read_settings(expect_object(shown.get("compiler")))
        sections = _read_sections(shown.get("sections", []))
        with at_key("name"):
            name = expect_text(shown.get("name", _first_name(sections)))
        return Tables(
            version=version,
            name=name,
            settings=settings,
            old_negatives=old_negatives,
            sections=sections,
            imports=_read_imports(shown),
            exports=_texts(shown, "exports"),
            strings=tuple(map(text.encode, _texts(shown, "strings"))),
            cut=_flag(shown.get("cut", False), "cut"),
            literals=_read_numbers(shown, "literals"),
            globals=_read_numbers(shown, "globals", _MOST_FIXUPS),
            unread=_texts(shown, "unread"),
        )


def _texts(shown: dict[str, object], key: str) -> tuple[str, ...]:
    with at_key(key):
        return tuple(expect_texts(shown.get(key, [])))


def _read_settings(json: dict[str, object]) -> tuple[ScriptSettings, bool]:
    shown = dict(json)
    old_negatives = _flag(shown.pop(_OLD_NEGATIVES, False), _OLD_NEGATIVES)
    names = {field.name for field in fields(ScriptSettings)}
    unknown = shown.keys() - names
    if unknown:
        raise FormatError(f"unknown field {min(unknown)!r}")
    try:
        settings = msgspec.convert(shown, ScriptSettings)
    except msgspec.ValidationError as error:
        raise FormatError(str(error)) from None
    if not settings.version or version_in(settings.version) != settings.version:
        with at_key("version"):
            raise FormatError(
                f"expected a version of the editor such as 3.6.1, got {settings.version!r:.40}"
            )
    return settings, old_negatives


def _flag(value: object, key: str) -> bool:
    with at_key(key):
        if not isinstance(value, bool):
            raise FormatError(f"expected true or false, got {value!r:.40}")
        return value


def _read_sections(value: object) -> tuple[tuple[str, ...], ...]:
    sections = []
    with at_key("sections"):
        for index, names in enumerate(expect_list(value)):
            with at_key("", index):
                group = expect_texts(names) if isinstance(names, list) else [expect_text(names)]
                if not group:
                    raise FormatError("expected a name, got an empty list")
                sections.append(tuple(group))
    return tuple(sections)


def _read_imports(shown: dict[str, object]) -> tuple[str, ...]:
    with at_key("imports"):
        named = expect_object(shown.get("imports", {}))
        for slot in named:
            if not slot.isdecimal() or len(slot) > _DIGITS:
                raise FormatError(f"expected the number of a slot, got {slot!r:.20}")
    needed = max(map(int, named), default=-1) + 1
    with at_key("import_count"):
        count = expect_integer(shown.get("import_count", needed), needed, 10**_DIGITS)
    imports = [""] * count
    with at_key("imports"):
        for slot, name in named.items():
            with at_key(slot):
                imports[int(slot)] = expect_text(name)
    return tuple(imports)


def _read_numbers(shown: dict[str, object], key: str, most: int = (1 << 31) - 1) -> tuple[int, ...]:
    numbers = []
    with at_key(key):
        for index, number in enumerate(expect_list(shown.get(key, []))):
            with at_key("", index):
                numbers.append(expect_integer(number, 0, most))
    return tuple(numbers)
