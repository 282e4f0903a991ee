"""Action libraries and extension packages as documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from overhaul.document.names import FileNames
from overhaul.document.protocol import BaseDocument, Coverage, PlainFile, Resource, UnpackOptions
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.classic.document import date_in_words
from overhaul.gamemaker.classic.extensions import (
    FILE_KINDS,
    ExtensionConstant,
    ExtensionFile,
    ExtensionFunction,
    Package,
    UsedPackage,
    read_package,
    write_package,
)
from overhaul.gamemaker.classic.fields import Deflated, Versioned
from overhaul.gamemaker.classic.libraries import (
    NEWER,
    OLDER,
    LglLibrary,
    Library,
    LibraryAction,
    read_lgl,
    write_lgl,
)
from overhaul.gamemaker.classic.measure import Measure
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter
from overhaul.gamemaker.classic_folder.files import Files, in_file, json_bytes
from overhaul.schema.jsonable import Scheme, from_jsonable, to_jsonable

if TYPE_CHECKING:
    from overhaul.document.protocol import Beside, Buffer, Change, Folder

LIBRARY = Versioned(Library)
_LIBRARY_FILE, _PACKAGE_FILE = "library.json", "package.json"


class LibraryFile(BaseDocument):
    """An action library: Game Maker's own form (.lib) or LateralGM's (.lgl)."""

    kind = "gamemaker-library"

    def __init__(self, library: Library | LglLibrary, source: str | None = None) -> None:
        super().__init__(source)
        self.library = library
        self.version = str(library.version) if isinstance(library, Library) else "lgl"
        self._size = 0

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> LibraryFile:
        """Read a library."""
        raw, reader = bytes(data), ProjectReader(source=source)
        library: Library | LglLibrary
        if raw[:3] == b"LGL":
            library = read_lgl(raw, reader)
        else:
            library, end = LIBRARY.read(raw, 0, reader)
            if end != len(raw):
                raise reader.fail("bytes behind the last action", end)
        document = cls(library, source)
        document._size = len(raw)
        return document

    @classmethod
    def empty(cls, settings: Mapping[str, object]) -> LibraryFile:
        """A new library without actions."""
        if settings.get("version") == "lgl":
            library = LglLibrary()
            library.form = OLDER
            return cls(library)
        version = str(settings.get("version"))
        if version not in ("500", "520"):
            raise WorkspaceError(f"there is no version {version} of action libraries")
        return cls(Library(version=int(version)))

    def info(self) -> dict[str, object]:
        """The tab's caption, the author, the actions."""
        library = self.library
        return {
            "tab_caption": library.tab_caption,
            "library_id": library.library_id,
            "author": library.author,
            "library_version": library.library_version,
            "last_changed": date_in_words(library.last_changed),
            "actions": len(self._actions()),
        }

    def _actions(self) -> list[Any]:
        library = self.library
        return library.actions if isinstance(library, Library) else library.actions[1]

    def tree(self) -> Iterator[Resource]:
        """The actions."""
        for action in self._actions():
            yield Resource("action", action.name, _LIBRARY_FILE)

    def to_bytes(self) -> bytes:
        """The file, rebuilt from its records."""
        writer = ProjectWriter()
        if isinstance(self.library, LglLibrary):
            data = write_lgl(self.library, writer)
        else:
            LIBRARY.write(writer, self.library)
            data = bytes(writer.out)
        self._size = len(data)
        return data

    def coverage(self) -> Coverage:
        """The pictures are media, all the rest is fields."""
        measure = Measure(self._size)
        for action in self._actions():
            measure.add(action.image)
        if isinstance(self.library, LglLibrary):
            measure.add(self.library.icons)
        return measure.coverage()

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """``library.json`` and the actions' pictures."""
        library = self.library
        plain: dict[str, Any]
        if isinstance(library, LglLibrary):
            plain = to_jsonable(library, Scheme(library.form))
            plain["form"] = library.form
            shown = plain["actions"]["list"]
            if library.icons:
                yield PlainFile("icons.png", partial(bytes, library.icons))
        else:
            plain = to_jsonable(library, Scheme(library.version))
            shown = plain["actions"] = [_show_action(action) for action in library.actions]
        for index, action in enumerate(self._actions()):
            shown[index].pop("image", None)
            if action.image:
                data = action.image.data if isinstance(action.image, Deflated) else action.image
                name = f"icons/{index}.bmp"
                shown[index]["image"] = name
                yield PlainFile(name, partial(bytes, data), origin=f"actions[{index}].image")
        yield PlainFile(_LIBRARY_FILE, lambda: json_bytes(plain))

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Make the library anew of its files."""
        files = Files(folder)
        in_file(_LIBRARY_FILE, lambda: self._read(files))
        return []

    def _read(self, files: Files) -> None:
        plain = files.object(_LIBRARY_FILE)
        if isinstance(self.library, LglLibrary):
            self._read_lgl(plain, files)
            return
        items = plain.pop("actions", [])
        if not isinstance(items, list):
            raise FormatError("a list is expected", path="actions")
        actions = []
        for index, item in enumerate(items):
            try:
                actions.append(_read_action(item, self.library.version, files))
            except FormatError as error:
                raise error.within("actions", index) from None
        version = self.library.version
        self.library = from_jsonable(Library, plain, Scheme(version))
        self.library.version, self.library.actions = version, actions

    def _read_lgl(self, plain: dict[str, Any], files: Files) -> None:
        form = plain.pop("form", OLDER)
        actions = plain.get("actions")
        items = actions.get("list") if isinstance(actions, dict) else None
        if form not in (OLDER, NEWER) or not isinstance(items, list):
            raise FormatError("a form (0 or 1) and a list of actions are expected")
        pictures = [item.pop("image", None) if isinstance(item, dict) else None for item in items]
        library = from_jsonable(LglLibrary, plain, Scheme(form))
        library.form = form
        library.icons = files.bytes("icons.png") if "icons.png" in files else b""
        for action, name in zip(library.actions[1], pictures, strict=True):
            if form == OLDER:
                action.image = Deflated.of(files.bytes(str(name)))
        self.library = library


def _show_action(action: LibraryAction) -> dict[str, Any]:
    plain = to_jsonable(action, Scheme(action.version))
    if action.version != 520:
        plain["version"] = action.version
    return plain


def _read_action(item: Any, version: int, files: Files) -> LibraryAction:
    if not isinstance(item, dict):
        raise FormatError("an object is expected")
    plain = dict(item)
    number = plain.pop("version", 520)
    if number not in LibraryAction.versions:
        raise FormatError(f"{number!r:.20} is no version of it", path="version")
    image = plain.pop("image", None)
    action = from_jsonable(LibraryAction, plain, Scheme(number))
    action.version = number
    action.image = b"" if image is None else files.bytes(str(image))
    return action


class PackageFile(BaseDocument):
    """An extension package: the maker's definition (.ged) or an installable package (.gex)."""

    kind = "gamemaker-extension"

    def __init__(self, package: Package, behind: bytes = b"", source: str | None = None) -> None:
        super().__init__(source)
        self.package = package
        self.behind = behind
        self.version = str(package.version)
        self._size = 0

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> PackageFile:
        """Read a package."""
        package, behind = read_package(data, ProjectReader(source=source))
        document = cls(package, behind, source)
        document._size = len(data)
        return document

    @classmethod
    def empty(cls, settings: Mapping[str, object]) -> PackageFile:
        """A new package without files."""
        version = str(settings.get("version"))
        if not version.isdigit() or int(version) not in Package.versions:
            raise WorkspaceError(f"there is no version {version} of extension packages")
        return cls(Package(version=int(version)))

    def info(self) -> dict[str, object]:
        """The name, the maker, the files and what they offer."""
        package = self.package
        return {
            "name": package.name,
            "package_version": package.package_version,
            "author": package.author,
            "installable": package.seed is not None,
            "packed": bool(package.packed),
            "files": [f"{file.name} ({FILE_KINDS.get(file.kind, '?')})" for file in package.files],
            "functions": sum(len(file.functions) for file in package.files),
            "constants": sum(len(file.constants) for file in package.files),
        }

    def tree(self) -> Iterator[Resource]:
        """The files, if they are packed, and the functions."""
        for name, stream, _ in self._packed():
            yield Resource("file", name, f"files/{name}", len(stream.stream))
        for file in self.package.files:
            for function in file.functions:
                yield Resource("function", function.name, _PACKAGE_FILE)

    def _packed(self) -> Iterator[tuple[str, Deflated, int]]:
        """File name, stream and place of each packed file."""
        package = self.package
        if not package.packed:
            return
        names = [package.help_file.replace("\\", "/").rpartition("/")[2]] * bool(package.help_file)
        names += [file.name for file in package.files]
        file_name = FileNames()
        for index, (name, stream) in enumerate(zip(names, package.packed, strict=True)):
            yield file_name(name), stream, index

    def to_bytes(self) -> bytes:
        """The file, rebuilt from its records."""
        data = write_package(self.package, ProjectWriter(), self.behind)
        self._size = len(data)
        return data

    def coverage(self) -> Coverage:
        """The packed files are media, all the rest is fields."""
        measure = Measure(self._size)
        for stream in self.package.packed:
            measure.add(stream)
        if self.behind:
            start = self._size - len(self.behind)
            measure.opaque("behind", len(self.behind), "bytes behind the packed files", start)
        return measure.coverage()

    def settings(self) -> dict[str, object]:
        """What hides an installable package."""
        return {} if self.package.seed is None else {"seed": self.package.seed}

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """``package.json`` and the packed files."""
        package = self.package
        plain = to_jsonable(package, Scheme(package.version))
        plain.pop("packed")
        plain["uses"] = [used.name for used in package.uses]
        plain["files"] = [_show_file(file) for file in package.files]
        names = []
        for name, stream, index in self._packed():
            names.append(name)
            yield PlainFile(f"files/{name}", partial(_inflated, stream), origin=f"packed[{index}]")
        if names:
            plain["packed"] = names
        if self.behind:
            plain["behind"] = self.behind.hex()
        yield PlainFile(_PACKAGE_FILE, lambda: json_bytes(plain))

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Make the package anew of its files."""
        files = Files(folder)
        seed = folder.settings.get("seed")
        if seed is not None and (not isinstance(seed, int) or not 0 <= seed < 1 << 31):
            raise WorkspaceError("the seed in overhaul.toml is not a number of 31 bits")
        in_file(_PACKAGE_FILE, lambda: self._read(files, seed))
        return []

    def _read(self, files: Files, seed: int | None) -> None:
        plain = files.object(_PACKAGE_FILE)
        lists = {name: plain.pop(name, []) for name in ("uses", "files", "packed")}
        for name, value in lists.items():
            if not isinstance(value, list):
                raise FormatError("a list is expected", path=name)
        behind = plain.pop("behind", "")
        before = {stream.data: stream for stream in self.package.packed}
        package = from_jsonable(Package, plain, Scheme(self.package.version))
        package.version, package.seed = self.package.version, seed
        package.uses = [UsedPackage(str(name)) for name in lists["uses"]]
        package.files = [_read_file(item) for item in lists["files"]]
        package.packed = []
        for name in lists["packed"]:
            data = files.bytes(f"files/{name}")
            package.packed.append(before.get(data) or Deflated.of(data))
        try:
            self.behind = bytes.fromhex(behind)
        except (TypeError, ValueError):
            raise FormatError("hexadecimal digits are expected", path="behind") from None
        self.package = package


def _inflated(stream: Deflated) -> bytes:
    return stream.data


def _show_file(file: ExtensionFile) -> dict[str, Any]:
    plain = to_jsonable(file, Scheme(file.version))
    plain["functions"] = [to_jsonable(item, Scheme(item.version)) for item in file.functions]
    plain["constants"] = [to_jsonable(item, Scheme(item.version)) for item in file.constants]
    return plain


def _read_file(item: Any) -> ExtensionFile:
    if not isinstance(item, dict):
        raise FormatError("an object is expected", path="files")
    plain = dict(item)
    functions, constants = plain.pop("functions", []), plain.pop("constants", [])
    file = from_jsonable(ExtensionFile, plain, Scheme(700))
    file.functions = [from_jsonable(ExtensionFunction, one, Scheme(700)) for one in functions]
    file.constants = [from_jsonable(ExtensionConstant, one, Scheme(700)) for one in constants]
    for record in (file, *file.functions, *file.constants):
        record.version = 700
    return file
