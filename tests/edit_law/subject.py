"""A real file as a folder in memory: unpacked, edited, packed and unpacked again."""

from __future__ import annotations

import glob
import random
from collections.abc import Collection, Mapping

from memory_folder import memory_folder
from overhaul.document.plainfiles import Change, UnpackOptions
from overhaul.document.protocol import Document, companions_of
from overhaul.document.reading import open_data
from overhaul.document.registry import folder_format_of
from overhaul.folder.packing import build
from overhaul.folder.toml import NAME, FolderSettings

Files = dict[str, bytes]
CODE, SOURCE, ASSEMBLY = "code/", ".gml", ".asm"
#: Entries of code that have files.
CODE_FILES = 50


class MemorySiblings:
    """Companions in memory, as the files next to a document."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = dict(files)

    def names(self) -> list[str]:
        """The names of the files."""
        return sorted(self._files)

    def read(self, name: str) -> bytes:
        """The bytes of a file.  Raises FileNotFoundError for an unknown name."""
        if name not in self._files:
            raise FileNotFoundError(2, "not here", name)
        return self._files[name]


class Packed:
    """A packed folder: the file, the companions, and the warnings."""

    def __init__(self, data: bytes, companions: Files, warnings: list[str]) -> None:
        self.data = data
        self.companions = companions
        self.warnings = warnings

    def same_as(self, other: Packed) -> bool:
        """Whether file and companions are the same bytes."""
        return (self.data, self.companions) == (other.data, other.companions)


class Subject:
    """A file, and its folder as it was unpacked; overhaul.toml is among the ``files``.

    Of a game's code only some entries have files, as decompiling takes long; ``assembly`` is that
    of all.
    """

    def __init__(
        self, name: str, data: bytes, companions: Mapping[str, bytes] | None = None
    ) -> None:
        self.name = name
        self.original = Packed(data, dict(companions or {}), [])
        with self._open(self.original) as document:
            self.kind = document.kind
            self.assembly = self._assembly_of(document)
            paths = sorted(self.assembly)
            some = random.Random(len(paths)).sample(paths, min(CODE_FILES, len(paths)))
            self.files = self._files_of(document, some, {*paths} - {*some})
            self.original.companions = dict(companions_of(document))

    def pack(self, files: Files) -> Packed:
        """What packing makes of an edited folder.  Raises as overhaul.pack does."""
        toml = FolderSettings.from_bytes(files[NAME])
        changes: dict[str, Change] = {
            path: "added" if path not in self.files else "changed" if path in files else "removed"
            for path in sorted({*files, *self.files})
            if files.get(path) != self.files.get(path)
        }
        folder = memory_folder(files, toml.for_model()).only(lambda path: path != NAME)
        if toml.for_model() == FolderSettings.from_bytes(self.files[NAME]).for_model():
            changes.pop(NAME, None)
        document = self._open(self.original)
        built = build(document, folder, changes, lambda: self._open(self.original))
        return Packed(bytes(built.data), dict(built.companions), built.findings.texts())

    def unpack(self, packed: Packed) -> Files:
        """The plain files of what was packed, which must rebuild identically.

        Entries of code whose assembly is as it was are not decompiled again.
        """
        with self._open(packed) as document:
            now = self._assembly_of(document)
            same = {path for path, text in now.items() if self.assembly.get(path) == text}
            files = self._files_of(document, now.keys() - same, same)
        for path in same & self.files.keys() | {*map(_source, same)} & self.files.keys():
            files[path] = self.files[path]
        return files

    def source_of(self, path: str) -> bytes:
        """The original source of code that has no file among the ``files``; empty for no code."""
        assembly = path.removesuffix(SOURCE) + ASSEMBLY
        if assembly not in self.assembly:
            return b""
        with self._open(self.original) as document:
            files = self._files_of(document, [assembly], self.assembly.keys() - {assembly})
        return files.get(path, b"")

    def _open(self, packed: Packed) -> Document:
        return open_data(packed.data, source=self.name, siblings=MemorySiblings(packed.companions))

    def _files_of(
        self, document: Document, code: Collection[str], without: Collection[str]
    ) -> Files:
        """The plain files; of code with the entries of ``code`` alone, by their assembly."""
        folder = folder_format_of(document.kind)
        leave = {*without, *map(_source, without)}
        if code or without:  # the sources of some, and all that is no code
            only = [*map(glob.escape, map(_source, code)), NAME]
            others = folder.plain_files(document, UnpackOptions(code="asm"))
            plain = [
                *(file for file in others if not file.path.startswith(CODE)),
                *folder.plain_files(document, UnpackOptions(only=only)),
            ]
        else:
            plain = [*folder.plain_files(document, UnpackOptions())]
        files = {file.path: bytes(file.read()) for file in plain if file.path not in leave}
        toml = FolderSettings(
            document.kind, document.version, "file", settings=folder.settings(document)
        )
        return files | {NAME: toml.to_bytes("0")}

    def _assembly_of(self, document: Document) -> Files:
        """The assembly of all entries of a game's code."""
        if document.kind != "gamemaker-data":
            return {}
        plain = folder_format_of(document.kind).plain_files(document, UnpackOptions(code="asm"))
        return {file.path: bytes(file.read()) for file in plain if file.path.startswith(CODE)}


def _source(path: str) -> str:
    return path.removesuffix(ASSEMBLY) + SOURCE
