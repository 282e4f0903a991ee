"""An extension package as a folder: ``package.json`` and the packed files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final, TypeVar

from overhaul.document.folder_format import FolderFormat
from overhaul.document.names import FileNames
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import at_key, expect_bytes, expect_list, expect_object, in_file
from overhaul.gamemaker.classic.documents.library import ExtensionDocument
from overhaul.gamemaker.classic.extensions import (
    ExtensionConstant,
    ExtensionFile,
    ExtensionFunction,
    Package,
    UsedPackage,
)
from overhaul.gamemaker.classic.fields import Deflated, VersionedRecord
from overhaul.gamemaker.classic_folder.kind import JsonObject, made_json, read_each, take
from overhaul.schema import Scheme
from overhaul.schema.jsonable import from_jsonable, to_jsonable

PACKAGE = "package.json"
_VERSION = 700  # of the files, functions and constants

V = TypeVar("V", bound=VersionedRecord)


class ExtensionFormat(FolderFormat[ExtensionDocument]):
    """An extension package as a folder."""

    def tree(self, document: ExtensionDocument) -> Iterator[Resource]:
        """The files, if they are packed, and the functions."""
        for name, stream in _packed(document.package):
            yield Resource("file", name, f"files/{name}", len(stream.stream))
        for file in document.package.files:
            for function in file.functions:
                yield Resource("function", function.name, PACKAGE)

    def settings(self, document: ExtensionDocument) -> dict[str, object]:
        """The seed that hides an installable package."""
        seed = document.package.seed
        return {} if seed is None else {"seed": seed}

    def plain_files(
        self, document: ExtensionDocument, options: UnpackOptions
    ) -> Iterator[PlainFile]:
        """``package.json`` and the packed files."""
        package = document.package
        plain = to_jsonable(package, Scheme(package.version))
        plain["uses"] = [used.name for used in package.uses]
        plain["files"] = [_show_file(file) for file in package.files]
        plain.pop("packed")
        if package.packed:
            plain["packed"] = [name for name, _ in _packed(package)]
        for index, (name, stream) in enumerate(_packed(package)):
            made = partial(_inflated, stream)
            yield PlainFile(f"files/{name}", made, origin=f"packed[{index}]")
        if document.behind:
            plain["behind"] = document.behind.hex()
        yield PlainFile(PACKAGE, made_json(plain))

    def empty(self, settings: Mapping[str, object]) -> ExtensionDocument:
        """A new package without files."""
        version = str(settings.get("version"))
        if version not in map(str, Package.versions):
            raise WorkspaceError(f"there is no version {version} of extension packages")
        return ExtensionDocument(Package(version=int(version)))

    def apply(
        self, document: ExtensionDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Make the package again from its files."""
        seed = folder.settings.get("seed")
        if seed is not None and (not isinstance(seed, int) or not 0 <= seed < 1 << 31):
            raise WorkspaceError(
                f"the seed in overhaul.toml is not a number of 31 bits: {seed!r:.40}"
            )
        with in_file(PACKAGE):
            document.package, document.behind = _read_package(
                Edits(folder, changes), document.package, seed
            )
        return Findings()


FORMAT: Final = ExtensionFormat()


def _packed(package: Package) -> Iterator[tuple[str, Deflated]]:
    """The file name and the stream of each packed file."""
    if not package.packed:
        return
    names = [package.help_file.replace("\\", "/").rpartition("/")[2]] * bool(package.help_file)
    names += [file.name for file in package.files]
    file_name = FileNames()
    for name, stream in zip(names, package.packed, strict=True):
        yield file_name(name), stream


def _inflated(stream: Deflated) -> bytes:
    return stream.data


def _show_file(file: ExtensionFile) -> JsonObject:
    return _show(file) | {
        "functions": [_show(function) for function in file.functions],
        "constants": [_show(constant) for constant in file.constants],
    }


def _show(record: VersionedRecord) -> JsonObject:
    return to_jsonable(record, Scheme(record.version))


def _read_package(files: Edits, before: Package, seed: int | None) -> tuple[Package, bytes]:
    """A package, and the bytes after it; packed files that are as ``before`` keep their stream."""
    plain = files.json_object(PACKAGE)
    uses, items, packed = (
        take(plain, name, expect_list, []) for name in ("uses", "files", "packed")
    )
    behind = take(plain, "behind", expect_bytes, "")
    streams = {stream.data: stream for stream in before.packed}
    package = from_jsonable(Package, plain, Scheme(before.version))
    package.version, package.seed = before.version, seed
    package.uses = [UsedPackage(str(name)) for name in uses]
    package.files = read_each(_read_file, items, "files")
    for index, name in enumerate(packed):
        with at_key("packed", index):
            data = files.named(f"files/{name}")
        package.packed.append(streams.get(data) or Deflated.of(data))
    expected = bool(package.help_file) + len(package.files)
    if packed and len(packed) != expected:
        with at_key("packed"):
            raise FormatError(
                f"expected {expected} files, the help_file (if it has a name) and each of files, "
                f"got {len(packed)}"
            )
    return package, behind


def _read_file(item: object) -> ExtensionFile:
    plain = dict(expect_object(item))
    functions, constants = (
        take(plain, name, expect_list, []) for name in ("functions", "constants")
    )
    file = _read(ExtensionFile, plain)
    file.functions = read_each(partial(_read, ExtensionFunction), functions, "functions")
    file.constants = read_each(partial(_read, ExtensionConstant), constants, "constants")
    return file


def _read(record: type[V], plain: object) -> V:
    made = from_jsonable(record, plain, Scheme(_VERSION))
    made.version = _VERSION
    return made
