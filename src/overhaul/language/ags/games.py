"""The game around scripts of Adventure Game Studio in an unpacked folder: what they can use, and
what compiling them says, as packing does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from overhaul.ags.decompiler.files import declared_in
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.documents.script import ScriptDocument
from overhaul.ags.folder import layout, room, script, stored_game
from overhaul.ags.folder.code import HEADER, SOURCE, TABLES, ScriptPlace, read_files, read_script
from overhaul.ags.folder.dialogs import ENDING, is_dialog
from overhaul.ags.language import Declared
from overhaul.ags.script.model import Script
from overhaul.document.plainfiles import Change, Folder
from overhaul.document.protocol import Document
from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError, SourceError
from overhaul.folder.comparing import is_same_content
from overhaul.folder.manifest import Manifest, ManifestEntry
from overhaul.folder.nested import NestedDocument, part_of
from overhaul.folder.packing import edited
from overhaul.language.answers import Diagnostic
from overhaul.language.places import diagnostic
from overhaul.language.texts import DocumentTexts, FolderTexts, Lines, Texts

SCRIPTS: Final = (SOURCE, HEADER, ENDING)


class Known(NamedTuple):
    """A script of the folder: the document it is in with the prefix of that one's files, and the
    script that packing keeps the tables of (None: it is new)."""

    prefix: str
    place: ScriptPlace
    old: Script | None


class AgsScripts(ABC):
    """The scripts of a document, and what is around them.

    A subclass says what the document is, and how its files differ from what it holds.
    """

    #: why nothing can be renamed; "" where things can
    refused: str = ""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._document: Document | None = None
        self._parts: list[NestedDocument] = []
        self._open: dict[str, Document] = {}
        self._scripts: dict[str, Known] = {}
        self._declared: dict[str, tuple[object, Declared | None]] = {}
        self._results: dict[str, tuple[object, list[SourceError]]] = {}

    # -- the documents -----------------------------------------------------------------------------

    @abstractmethod
    def _look(self) -> None:
        """Open the game again where its files besides scripts became others."""

    @abstractmethod
    def _difference(self, path: str) -> Change | None:
        """How a file differs from what the document holds; None where it does not."""

    def close(self) -> None:
        """Release the files."""
        for document in self._open.values():
            document.close()
        self._open = {}

    def _inner(self, path: str) -> tuple[str, Document | None]:
        """The document that a file is in, and the prefix of its files."""
        part = part_of(self._parts, path) if self._parts else None
        if part is None:
            return "", self._document
        key = f"{part.prefix}\0{part.kind}"
        if key not in self._open:
            self._open[key] = part.open()
        return part.prefix, self._open[key]

    def script(self, path: str) -> tuple[str, Known] | None:
        """The script that a file is one of, with its path without the ending; None for another
        file, and if no original is kept."""
        self._look()
        stem = path[: path.rindex(".")]
        if path.endswith(ENDING):
            stem = stored_game.DIALOG_SCRIPT
        known = self._scripts.get(stem)
        if known is None:
            try:
                prefix, document = self._inner(stem + SOURCE)
                known = _known(document, prefix, stem[len(prefix) :])
            except OverhaulError:
                return None
            if known is None:
                return None
            self._scripts[stem] = known
        return stem, known

    def is_of_room(self, path: str) -> bool:
        """Whether a script is that of a room, which no other one can use."""
        return path.startswith("rooms/")

    # -- what is asked -----------------------------------------------------------------------------

    def declared(self, path: str) -> Declared | None:
        """The names that a script can use besides its own; None where that is not known."""
        found = self.script(path)
        if found is None:
            return None
        stem, known = found
        header = self.texts.read(stem + HEADER) if stem + HEADER in self.texts else ""
        kept = self._declared.get(stem)
        if kept is not None and kept[0] == header:
            return kept[1]
        made: Declared | None
        try:
            files = read_files(
                known.place, self._files(known), self._changes(stem, known), known.old
            )
            made = declared_in(files, known.place.declared())
        except OverhaulError:
            made = None if kept is None else kept[1]
        self._declared[stem] = header, made
        return made

    def check(self, path: str) -> list[Diagnostic]:
        """The findings of packing about a file of a script; none while it is unchanged since
        unpacking."""
        found = self.script(path)
        if found is None:
            return []
        stem, known = found
        changes = self._changes(stem, known)
        stamp = tuple(
            self.texts.data(known.prefix + each)
            for each, how in changes.items()
            if how != "removed" and known.prefix + each in self.texts
        )
        kept = self._results.get(stem)
        if kept is None or kept[0] != stamp:
            kept = self._results[stem] = stamp, self._compiled(known, changes)
        lines = Lines(self.texts.read(path))
        mine = path[len(known.prefix) :]
        return [
            diagnostic("error", mistake.message, mistake.line, mistake.column, lines)
            for mistake in kept[1]
            if (mistake.name or known.place.stem + SOURCE) == mine
        ]

    def _compiled(self, known: Known, changes: Mapping[str, Change]) -> list[SourceError]:
        try:
            read_script(known.place, self._files(known), changes, known.old)
        except SourceError as error:
            return list(getattr(error, "errors", ())) or [error]
        except OverhaulError as error:
            return [SourceError(str(error))]
        return []

    def _files(self, known: Known) -> Folder:
        texts = self.texts
        folder = Folder(texts.paths, texts.data, has=texts.__contains__)

        def is_own(path: str) -> bool:
            part = part_of(self._parts, path)
            return (part.prefix if part is not None else "") == known.prefix

        return folder.only(is_own).under(known.prefix, {})

    def _changes(self, stem: str, known: Known) -> dict[str, Change]:
        """How the files of a script differ from what was unpacked."""
        changes: dict[str, Change] = {}
        paths = [stem + SOURCE, stem + HEADER, stem + TABLES]
        if known.place.dialogs is not None:
            paths += [known.prefix + path for path in known.place.dialogs.paths]
        for path in paths:
            change = self._difference(path)
            if change is not None:
                changes[path[len(known.prefix) :]] = change
        return changes

    def files_of(self, path: str) -> Iterator[str]:
        """The texts of the script that a file is one of."""
        stem = path[: path.rindex(".")]
        if path.endswith(ENDING):
            stem = stored_game.DIALOG_SCRIPT
        for ending in (SOURCE, HEADER):
            if stem + ending in self.texts:
                yield stem + ending
        if path.endswith(ENDING) or stem == stored_game.DIALOG_SCRIPT:
            yield from (path for path in self.texts.paths() if is_dialog(path))


class AgsFolder(AgsScripts):
    """An unpacked package, game, room or script."""

    def __init__(self, texts: FolderTexts) -> None:
        super().__init__(texts)
        self._folder = texts
        self._seen = -1
        self._known: dict[str, ManifestEntry] | None = None

    def _look(self) -> None:
        """Open the game again where its files besides scripts became others."""
        changes = self.texts.changes
        new = changes[max(self._seen, 0) :]
        is_first, self._seen = self._seen < 0, len(changes)
        if not is_first and all(path.endswith(SCRIPTS) for path in new):
            return
        self.close()
        self._parts, self._scripts, self._declared, self._results = [], {}, {}, {}
        given = edited(self._folder.root, self._folder.unsaved)
        manifest = Manifest.load(self._folder.root)
        self._known = (
            None if manifest is None else {entry.path: entry for entry in manifest.entries}
        )
        if given.reopen is None:
            return
        others = {path: how for path, how in given.changes.items() if not path.endswith(SCRIPTS)}
        self._document = given.reopen()
        folder_format = folder_format_of(self._document.kind)
        if others:
            try:
                folder_format.apply(self._document, given.files, others)
            except OverhaulError:  # which packing reports
                self._document.close()
                self._document = given.reopen()
        if isinstance(self._document, PackageDocument):
            self._parts = layout.parts(self._document)

    def close(self) -> None:
        """Release the files."""
        super().close()
        if self._document is not None:
            self._document.close()
            self._document = None

    def _difference(self, path: str) -> Change | None:
        entry = None if self._known is None else self._known.get(path)
        if path not in self.texts:
            return None if entry is None else "removed"
        if entry is None:
            return "added"
        return None if is_same_content(self.texts.data(path), entry) else "changed"


class AgsOpen(AgsScripts):
    """A package, game, room or script that is open."""

    def __init__(self, document: Document, texts: DocumentTexts) -> None:
        super().__init__(texts)
        self._shown = texts
        self._document = document
        if isinstance(document, PackageDocument):
            self._parts = layout.parts(document)

    def _look(self) -> None:
        """Nothing to do: the document that is open stays the same."""

    def _difference(self, path: str) -> Change | None:
        if path not in self.texts:
            return None
        return None if self.texts.read(path) == self._shown.original(path) else "changed"


def _known(document: Document | None, prefix: str, stem: str) -> Known | None:
    """A script of a document."""
    if isinstance(document, RoomDocument):
        if document.room.source is not None or stem + SOURCE != room.SCRIPT:
            return None
        return Known(prefix, room.script_place(document), document.room.script)
    if isinstance(document, GameDocument):
        content = document.game.content
        if content is None:
            return None
        places = stored_game.script_places(document)
        old = dict(stored_game.scripts(content)).get(stem)
        return Known(prefix, places(stem), old)
    if isinstance(document, ScriptDocument):
        return Known(prefix, script.script_place(document), document.script)
    return None
