"""package.json: how a package is stored, and where each of its files is in the folder."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.folder import file_io, layout
from overhaul.ags.folder.layout import PACKAGE_JSON, PROGRAM
from overhaul.ags.library.package import Asset, Package
from overhaul.ags.library.tables import TABLES, Table6, Table30
from overhaul.ags.versions import PACKAGE_ENCRYPTED, PACKAGE_LONG, PACKAGE_PASSWORD
from overhaul.document.plainfiles import Folder
from overhaul.errors import FormatError
from overhaul.folder.json_fields import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    expect_texts,
    in_file,
)
from overhaul.folder.nested import NestedDocument

#: The version that is one file always.
_WITHOUT_PARTS: Final = 6
#: The kinds of documents without texts in an encoding.
_NO_TEXTS: Final = frozenset({"ags-sprites"})
#: The values that package.json can have, in the row of an asset, and in that of a file next to the
#: package.
_TABLE: Final = {
    "version", "part", "parts", "tail_width", "seed", "modifier", "unused", "password", "options",
    "assets", "companions", "trailing",
}  # fmt: skip
_ROW: Final = {
    "name", "file", "folder", "encoding", "part", "gap", "overlap", "name_rest", "flags", "missing",
}  # fmt: skip
_COMPANION: Final = {"name", "folder", "encoding"}


# --- showing --------------------------------------------------------------------------------


def paths(document: PackageDocument, parts: Collection[NestedDocument]) -> dict[str, Asset]:
    """The assets that are files of their own, by their paths."""
    inside = {part.name for part in parts}
    assets = [asset for asset in document.package if asset.name not in inside]
    listed = layout.asset_paths(asset.name for asset in assets)
    return {path: asset for (_, path), asset in zip(listed, assets, strict=True)}


def show(document: PackageDocument) -> dict[str, object]:
    """package.json of a package."""
    package = document.package
    shown: dict[str, object] = {"version": package.version}
    if package.part_number:
        shown["part"] = package.part_number
    else:
        if package.version != _WITHOUT_PARTS:
            shown["parts"] = package.parts
        if package.tail_width:
            shown["tail_width"] = package.tail_width
        if package.version == PACKAGE_ENCRYPTED:
            shown["seed"] = package.seed
        table = package.table
        if isinstance(table, Table6):
            shown |= {
                "modifier": table.modifier,
                "unused": table.unused,
                "password": table.password.hex(),
            }
        elif isinstance(table, Table30) and table.options:
            shown["options"] = table.options
    parts = {part.name: part for part in layout.parts(document)}
    files = {id(asset): path for path, asset in paths(document, parts.values()).items()}
    shown["assets"] = [
        _show_asset(asset, _place(document, parts.get(asset.name), files.get(id(asset), "")))
        for asset in package
    ]
    companions = [
        {"name": name, **_place(document, parts[name], "")}
        for name in document.next_to
        if name in parts
    ]
    if companions:
        shown["companions"] = companions
    trailing = {str(part): data.hex() for part, data in package.trailing.items() if data}
    return shown | {"trailing": trailing} if trailing and not package.part_number else shown


def _place(document: PackageDocument, part: NestedDocument | None, file: str) -> dict[str, object]:
    if part is None:
        return {"file": file}
    shown: dict[str, object] = {"folder": layout.folder_in_words(part.prefix)}
    if part.kind not in _NO_TEXTS:
        shown["encoding"] = document.encoding_inside(part.name)
    return shown


def _show_asset(asset: Asset, place: dict[str, object]) -> dict[str, object]:
    shown: dict[str, object] = {"name": asset.name, **place}
    if asset.part:
        shown["part"] = asset.part
    if asset.gap:
        shown["gap"] = asset.gap.hex()
    if asset.overlap:
        shown["overlap"] = asset.overlap
    if any(asset.name_rest):
        shown["name_rest"] = asset.name_rest.hex()
    if any(asset.flags):
        shown["flags"] = asset.flags.hex()
    if asset.data is None:
        shown["missing"] = True
    return shown


# --- taking ---------------------------------------------------------------------------------


@dataclass(slots=True)
class PackageTable:
    """The value of package.json: the assets with files of their own by path, and the documents.

    ``encodings`` are those of documents by name; ``companions`` names the files next to the
    package.
    """

    files: dict[str, Asset] = field(default_factory=dict)
    parts: list[NestedDocument] = field(default_factory=list)
    encodings: dict[str, str] = field(default_factory=dict)
    companions: list[str] = field(default_factory=list)


def as_it_is(document: PackageDocument) -> PackageTable:
    """The table of a package that was opened."""
    parts = layout.parts(document)
    return PackageTable(paths(document, parts), parts, {}, [*document.next_to])


def take(
    document: PackageDocument, shown: dict[str, object], known: PackageTable, folder: Folder
) -> PackageTable:
    """Take package.json.  Raises WorkspaceError."""
    with in_file(PACKAGE_JSON):
        _take_head(document.package, shown, folder)
        return _Rows(document, known, folder).take(shown)


def _take_head(package: Package, shown: dict[str, object], folder: Folder) -> None:
    with at_key("version"):
        version = expect_integer(shown.get("version", package.version))
        if version not in TABLES:
            raise FormatError(f"unknown library version {version}")
    package.version = version
    package.part_number = _number(shown, "part", 0)
    package.tail_width = _number(shown, "tail_width", 0)
    widths = [4, 8] if PROGRAM in folder else [0, 4, 8]
    if package.tail_width not in widths:
        with at_key("tail_width"):
            raise FormatError(f"expected {' or '.join(map(str, widths))}, got {package.tail_width}")
    package.seed = _number(shown, "seed", 0)
    if package.part_number:
        package.parts = []
    else:
        with at_key("parts"):
            if version != _WITHOUT_PARTS:
                package.parts = expect_texts(shown.get("parts", package.parts))
            elif "parts" in shown:
                raise FormatError(f"version {version} has no list of parts")
            else:
                package.parts = [""]
        with at_key("trailing"):
            trailing = expect_object(shown.get("trailing", {})).items()
            package.trailing = {_part_number(part): expect_bytes(data) for part, data in trailing}
    _take_constants(package, shown)


class _Rows:
    """Takes the rows of package.json."""

    def __init__(self, document: PackageDocument, known: PackageTable, folder: Folder) -> None:
        self.document = document
        self.known = known
        self.folder = folder
        self.table = PackageTable()
        self.before: dict[str, Asset] = {asset.name: asset for asset in document.package}
        self.prefixes: dict[tuple[str, str], str] = {}

    def take(self, shown: dict[str, object]) -> PackageTable:
        """The table; the assets of the package are those of its rows, in their order."""
        assets: list[Asset] = []
        with at_key("assets"):
            for index, item in enumerate(expect_list(shown.get("assets", []))):
                with at_key("", index):
                    assets.append(self._asset(expect_object(item)))
        with at_key("companions"):
            for index, item in enumerate(expect_list(shown.get("companions", []))):
                with at_key("", index):
                    self._companion(expect_object(item))
        _known(shown, _TABLE)
        for path in self.known.files:
            if path not in self.table.files and path in self.folder:
                with at_key("assets"):
                    raise FormatError(f"{path} is there, but no asset has it")
        kept = {part.name for part in self.table.parts}
        for part in self.known.parts:
            if part.name not in kept and any(map(part.has, self.folder.list())):
                if not part.prefix:
                    continue
                with at_key("assets"):
                    raise FormatError(f"{part.prefix} is there, but no asset has it")
        self.document.package.assets = assets
        for index, asset in enumerate(assets):
            # The order of the table is the order of the data, unless it was read otherwise.
            if asset.offset == 0:
                asset.offset = (1 << 40) + index
        return self.table

    def _asset(self, row: dict[str, object]) -> Asset:
        _known(row, _ROW)
        name = _text(row, "name")
        if "folder" in row:
            self._part(row, name)
            asset = self.before.get(name) or Asset(name, b"", size=0)
        else:
            path = _text(row, "file")
            if path in self.table.files:
                with at_key("file"):
                    raise FormatError(f"{path} is the file of another asset")
            asset = self.table.files[path] = self._file(row, name, path)
        asset.name = name
        asset.part = _number(row, "part", 0)
        asset.gap = _bytes(row, "gap")
        with at_key("overlap"):
            asset.overlap = expect_integer(row.get("overlap", 0), 0)
        asset.name_rest = _bytes(row, "name_rest")
        asset.flags = _bytes(row, "flags", "0000")
        return asset

    def _file(self, row: dict[str, object], name: str, path: str) -> Asset:
        missing = row.get("missing", False)
        if not isinstance(missing, bool) or missing != (path not in self.folder):
            with at_key("missing"):
                raise FormatError(f"{path} is {'' if missing else 'not '}there")
        if "encoding" in row:
            with at_key("encoding"):
                raise FormatError("only a folder has one")
        asset = self.known.files.get(path)
        if asset is None and name in self.before:  # it was a document
            asset = self.before[name]
        if asset is None:
            data = None if missing else self.folder.read(path)
            asset = Asset(name, data, size=len(data or b""))
        return asset

    def _part(self, row: dict[str, object], name: str) -> None:
        """Take the place of a document in the folder."""
        place = layout.place_of(name)
        if "file" in row or "missing" in row or self.document.flat:
            with at_key("folder"):
                raise FormatError("expected a file, not a folder")
        if place is None:
            with at_key("folder"):
                raise FormatError(f"{name} is not a document: expected a file")
        expected = layout.folder_in_words(place.prefix)
        with at_key("folder"):
            if expect_text(row["folder"]) != expected:
                raise FormatError(f"{name} has the folder {expected!r}")
        key = (place.prefix.casefold(), "" if place.prefix else place.kind)
        if key in self.prefixes:
            with at_key("name"):
                raise FormatError(f"{self.prefixes[key]} has the same folder, {expected!r}")
        self.prefixes[key] = name
        self.table.parts.append(layout.part_at(self.document, name, place))
        with at_key("encoding"):
            if "encoding" in row:
                if place.kind in _NO_TEXTS:
                    raise FormatError("it has no texts")
                encoding = expect_text(row["encoding"])
                try:
                    "".encode(encoding)
                except LookupError:
                    raise FormatError(f"unknown encoding {encoding!r}") from None
                self.table.encodings[name] = encoding

    def _companion(self, row: dict[str, object]) -> None:
        _known(row, _COMPANION)
        name = _text(row, "name")
        self._part({"folder": "", **row}, name)
        self.table.companions.append(name)


def settings_of(table: PackageTable, part: NestedDocument) -> dict[str, object]:
    """The settings of a document's folder, which package.json has."""
    encoding = table.encodings.get(part.name)
    return {} if encoding is None else {file_io.ENCODING: encoding}


def _take_constants(package: Package, shown: Mapping[str, object]) -> None:
    """Take what the table stores next to its assets."""
    if package.version == PACKAGE_PASSWORD:
        package.table = Table6(
            modifier=_number(shown, "modifier", 20),
            unused=_number(shown, "unused", 0),
            password=_bytes(shown, "password", "00" * 13),
        )
    elif package.version == PACKAGE_LONG:
        package.table = Table30(options=_number(shown, "options", 0))
    else:
        package.table = TABLES[package.version]()


def _known(shown: Mapping[str, object], fields: Collection[str]) -> None:
    unknown = shown.keys() - fields
    if unknown:
        raise FormatError(f"unknown field {min(unknown)!r}")


def _number(shown: Mapping[str, object], key: str, default: int) -> int:
    with at_key(key):
        return expect_integer(shown.get(key, default))


def _bytes(shown: Mapping[str, object], key: str, default: str = "") -> bytes:
    with at_key(key):
        return expect_bytes(shown.get(key, default))


def _text(shown: Mapping[str, object], key: str) -> str:
    with at_key(key):
        return expect_text(shown.get(key))


def _part_number(key: str) -> int:
    if not key.isdecimal():
        raise FormatError(f"expected the number of a part, got {key!r}")
    return int(key)
