"""Code entries as text, one file for each root entry: assembly, or GML where that was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ....document import Change, Folder, PlainFile, UnpackOptions
from ....errors import EncodeError, FormatError, OverhaulError, SourceError, WorkspaceError
from ....names import FileNames, unescape_name
from ..chunks.code import Bytecode, CodeEntry
from .view import FolderView, name_of

if TYPE_CHECKING:
    from ..game import GameData

CODE = "code"
ASSEMBLY = ".asm"
SOURCE = ".gml"
#: the first line of an assembly file whose name is not the entry's
_NAMED = "; entry "


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
    """The files of all root entries."""
    for stem, entry in root_stems(view).items():
        origin = f"CODE[{name_of(entry)}]"
        if options.code != "gml":
            yield PlainFile(
                f"{CODE}/{stem}{ASSEMBLY}",
                lambda entry=entry, stem=stem: _assembly(entry, stem),
                origin=origin,
            )
        if options.code != "asm":
            yield PlainFile(
                f"{CODE}/{stem}{SOURCE}",
                lambda entry=entry: _text(entry.gml),
                origin=origin,
            )


def _assembly(entry: Any, stem: str) -> bytes:
    name = name_of(entry)
    head = "" if unescape_name(stem) == name else f"{_NAMED}{name}\n"
    return _text(head + entry.assembly)


def _text(text: str) -> bytes:
    if text and not text.endswith("\n"):
        text += "\n"
    return text.encode("utf-8", "surrogateescape")


class CodeEdits:
    """Changed code files, put into the game."""

    def __init__(self, view: FolderView, folder: Folder, changes: Mapping[str, Change]) -> None:
        self.game: GameData = view.game
        self.folder = folder
        self.changes = {
            path: change for path, change in changes.items() if path.startswith(f"{CODE}/")
        }
        self.roots = root_stems(view) if self.changes else {}
        self.texts: list[tuple[CodeEntry, str, str]] = []

    def prepare(self, order: list[str]) -> None:
        """Remove and add entries, so that their names are known; texts are read later."""
        if not self.changes:
            return
        by_stem: dict[str, dict[str, Change]] = {}
        for path, change in self.changes.items():
            by_stem.setdefault(_stem(path), {})[path] = change
        place = {stem: index for index, stem in enumerate(order)}
        removed = []
        for stem in sorted(by_stem, key=lambda s: (place.get(s, len(place)), s)):
            files = by_stem[stem]
            here = [path for path, change in files.items() if change != "removed"]
            entry = self.roots.get(stem)
            left = any(f"{CODE}/{stem}{ending}" in self.folder for ending in (ASSEMBLY, SOURCE))
            if entry is not None and not left:
                removed.append(entry)
                continue
            if not here:
                continue
            path = self._chosen(stem, here)
            text = _decode(self.folder.read(path), path)
            if entry is None:
                entry = self._add(_name(stem, text))
            self.texts.append((entry, path, text))
        if removed:
            self.game.code.remove(*removed)

    def _chosen(self, stem: str, here: list[str]) -> str:
        if len(here) == 1:
            return here[0]
        if all(self.changes[path] == "added" for path in here):
            return f"{CODE}/{stem}{ASSEMBLY}"
        raise WorkspaceError(f"{' and '.join(sorted(here))} both changed: keep one of the edits")

    def _add(self, name: str) -> CodeEntry:
        from ....gml.vm.columns import decode

        game = self.game
        if "CODE" not in game.slots:
            raise WorkspaceError(f"{CODE}/{name}: a game of native code (YYC) holds no code")
        empty = Bytecode.of(decode(b"", game.layout.bytecode))
        entry = CodeEntry(game.strings.add(name), bytecode=empty, game=game)
        game.code.append(entry)
        return entry

    def assemble(self) -> None:
        """Put the texts into their entries."""
        if not self.texts:
            return
        game = self.game
        game.language.forget()
        assembled = []
        for entry, path, text in self.texts:
            try:
                if path.endswith(ASSEMBLY):
                    assembled.append((entry, path, _without_name(text)))
                else:
                    entry.gml = text.removesuffix("\n")
            except OverhaulError as error:
                raise _located(error, path) from error
        if assembled:
            assign_assembly(game, assembled)


def assign_assembly(game: GameData, texts: list[tuple[CodeEntry, str, str]]) -> None:
    """Assemble many entries at once, with what is known of the game looked up once."""
    from ....gml import assemble
    from ....gml.vm.registration import keep_unused_locals
    from ..code.registration import Registrar

    language = game.language
    context = language.context
    codes = []
    for entry, path, text in texts:
        try:
            code = assemble(text, context)
            if len(entry.bytecode):
                keep_unused_locals(code, language.code(entry), context.dialect)
        except OverhaulError as error:
            raise _located(error, path) from error
        codes.append((entry, path, code, language.children(entry)))
    with Registrar(game) as registrar:
        for entry, path, code, children in codes:
            try:
                registrar.assign(entry, code, context, children)
            except OverhaulError as error:
                raise _located(error, path) from error
    language.forget()


def _located(error: OverhaulError, path: str) -> OverhaulError:
    if isinstance(error, SourceError):
        error.name = path
        return error
    if isinstance(error, (FormatError, EncodeError)):
        return WorkspaceError(f"{path}: {error}")
    return error


def _stem(path: str) -> str:
    rest = path[len(CODE) + 1 :]
    for ending in (ASSEMBLY, SOURCE):
        if rest.endswith(ending) and "/" not in rest:
            return rest[: -len(ending)]
    raise WorkspaceError(f"{path}: expected a file ending in {ASSEMBLY} or {SOURCE} here")


def _name(stem: str, text: str) -> str:
    if text.startswith(_NAMED):
        return text[len(_NAMED) :].partition("\n")[0].rstrip("\r")
    return unescape_name(stem)


def _without_name(text: str) -> str:
    if text.startswith(_NAMED):
        return text.partition("\n")[2]
    return text


def _decode(data: bytes, path: str) -> str:
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
