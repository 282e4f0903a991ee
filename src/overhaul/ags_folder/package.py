"""A package as a document that contains documents: package.json and its assets as files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from overhaul.ags.fields import plain_bytes
from overhaul.ags.game.game import read_summary
from overhaul.ags.library.package import Asset, Package
from overhaul.ags.library.tables import TABLES, Table6, Table30
from overhaul.ags.sprite_index import renewed
from overhaul.ags.sprites import SpriteSet
from overhaul.ags_folder import plainfiles
from overhaul.ags_folder.base import AgsDocument, Tally
from overhaul.document.names import FileNames, unescape_name
from overhaul.document.protocol import (
    Beside,
    Buffer,
    Change,
    Coverage,
    Folder,
    PlainFile,
    Resource,
    UnpackOptions,
)
from overhaul.errors import EncodeError, FormatError, WorkspaceError

PACKAGE_JSON: Final = "package.json"
PROGRAM: Final = "program.exe"
PART_DATA: Final = "part.bin"
ASSETS: Final = "assets"
SPRITES: Final = "acsprset.spr"
GAME_FILES: Final = ("game28.dta", "ac2game.dta")
INDEX: Final = "sprindex.dat"
#: What packing over an asset's file leaves beside it, and what editors leave.
_BACKUP: Final = re.compile(r"\.bak\d*$|~$")


class PackageDocument(AgsDocument):
    """A package (.ags, .vox, .exe ...), or a part of one (.001 ...)."""

    kind = "ags-package"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.package = Package()

    def load(self, data: Buffer, beside: Beside | None) -> None:
        """Read the table, and find the other parts beside the file."""
        self.package = Package.read(
            data, source=self.source, read_part=_part_reader(beside) if beside else None
        )
        self.version = str(self.package.version)
        self.warnings += self.package.warnings

    def to_bytes(self) -> bytes:
        """The file with the table."""
        return self.package.to_bytes()

    def companions(self) -> Mapping[str, bytes]:
        """The other parts that are at hand."""
        return self.package.other_parts()

    def close(self) -> None:
        """Let go of the file; assets that were not read yet can't be read afterwards."""
        for asset in self.package.assets:
            if isinstance(asset.data, memoryview):
                asset.data.release()
                asset.data = None
        super().close()

    def has_foreign_texts(self) -> bool:
        """Whether an asset's name is not UTF-8."""
        return any(plainfiles.has_foreign_bytes(asset.name) for asset in self.package)

    # -- looking -----------------------------------------------------------------------------

    def info(self) -> dict[str, object]:
        """The package's version, parts and assets."""
        package = self.package
        found: dict[str, object] = {"kind": self.kind, "library_version": package.version}
        if package.part_number:
            return found | {"part": package.part_number, "assets": len(package.assets)}
        found["parts"] = package.parts
        found["assets"] = len(package.assets)
        found["missing_assets"] = sum(1 for asset in package if asset.data is None)
        if package.prefix:
            found["program_bytes"] = len(package.prefix)
        for asset in package:
            if asset.name.casefold() in GAME_FILES and asset.data is not None:
                summary = read_summary(asset.data)
                if summary is not None:
                    name, found["compiled_with"] = summary
                    found["game"] = name.encode("utf-8", "surrogateescape").decode(
                        plainfiles.UTF_8 if not plainfiles.has_foreign_bytes(name) else "cp1252",
                        "replace",
                    )
        return found

    def tree(self) -> Iterable[Resource]:
        """The assets."""
        for path, asset in self._paths():
            yield Resource("asset", asset.name, path, asset.size)

    def members(self) -> Iterable[PlainFile]:
        """The assets, by their names in the package."""
        for asset in self.package:
            if asset.data is not None:
                yield PlainFile(asset.name, _reader(asset), origin=f"part {asset.part}")

    def coverage(self) -> Coverage:
        """The table is decoded; assets and the program are files of formats of their own."""
        tally = Tally()
        package = self.package
        total = self.size or len(package.to_bytes())
        tally.media = len(package.prefix)
        if package.part_number:
            rest = len(package.trailing.get(0, b""))
            tally.add_opaque(total - rest, "part", rest, "assets whose table is in another file")
            tally.media += total - rest - package.table_size
            return tally.coverage(total)
        for index, asset in enumerate(package):
            if asset.part:
                continue
            tally.media += max(0, len(asset.data or b"") - asset.overlap)
            tally.add_opaque(asset.offset, f"assets[{index}].gap", len(asset.gap), "a gap")
        trailing = len(package.trailing.get(0, b""))
        tally.add_opaque(total - trailing, "trailing", trailing, "bytes after the last asset")
        return tally.coverage(total)

    def locate(self, offset: int) -> str:
        """The asset that an offset lies in."""
        offset -= len(self.package.prefix)
        for index, asset in enumerate(self.package):
            if asset.part == 0 and asset.offset <= offset < asset.offset + asset.size:
                return f"assets[{index}] {asset.name}"
        return "table" if 0 <= offset < self.package.table_size else ""

    def _paths(self) -> Iterator[tuple[str, Asset]]:
        names = FileNames()
        for asset in self.package:
            yield f"{ASSETS}/{names(asset.name)}", asset

    # -- unpacking ---------------------------------------------------------------------------

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked package."""
        package = self.package
        yield PlainFile(PACKAGE_JSON, lambda: self.json(self._show()), origin="table")
        if package.prefix:
            yield PlainFile(PROGRAM, lambda: package.prefix, origin="program")
        if package.part_number and package.trailing.get(0):
            yield PlainFile(PART_DATA, lambda: package.trailing.get(0, b""), origin="part")
        for path, asset in self._paths():
            if asset.data is not None:
                yield PlainFile(path, _reader(asset), origin=f"part {asset.part}")

    def _show(self) -> dict[str, Any]:
        package = self.package
        shown: dict[str, Any] = {"version": package.version}
        if package.part_number:
            shown["part"] = package.part_number
            shown["assets"] = [self._show_asset(path, asset) for path, asset in self._paths()]
            return shown
        shown["parts"] = package.parts
        if package.tail_width:
            shown["tail_width"] = package.tail_width
        if package.version == 21:
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
        shown["assets"] = [self._show_asset(path, asset) for path, asset in self._paths()]
        trailing = {str(part): data.hex() for part, data in package.trailing.items() if data}
        return shown | {"trailing": trailing} if trailing else shown

    def _show_asset(self, path: str, asset: Asset) -> dict[str, Any]:
        shown: dict[str, Any] = {"name": asset.name, "file": path}
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

    # -- packing -----------------------------------------------------------------------------

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Change the package as its files were changed.

        A file added under assets/ becomes an asset; one removed is taken out.
        """
        self.take_settings(folder.settings)
        package = self.package
        paths = dict(self._paths())
        before = set(paths)
        if PACKAGE_JSON in changes:
            paths = self._take_table(self.read_json(folder, PACKAGE_JSON), paths, folder)
        if PROGRAM in changes:
            package.prefix = folder.read(PROGRAM) if PROGRAM in folder else b""
        if PART_DATA in changes and PART_DATA in folder:
            package.trailing[0] = folder.read(PART_DATA)
        warnings: list[str] = []
        old_sprites = package.get(SPRITES)
        stored_sprites = bytes(old_sprites.data or b"") if old_sprites is not None else b""
        for path, change in changes.items():
            if not path.startswith(f"{ASSETS}/"):
                continue
            asset = paths.get(path)
            if change == "removed":
                if asset is not None and path in before:
                    package.remove(asset.name)
            elif asset is not None:
                package.replace(asset.name, folder.read(path))
            elif _BACKUP.search(path):
                warnings.append(f"{path} is a backup and is left out")
            else:
                name = unescape_name(path.removeprefix(f"{ASSETS}/"))
                package.add(name, folder.read(path))
                warnings.append(f"{path} is new: it becomes the last asset")
        if f"{ASSETS}/{INDEX}" not in changes:
            _renew_index(package, stored_sprites)
        self.size = 0
        self.version = str(package.version)
        return warnings

    def _take_table(
        self, shown: dict[str, Any], known: dict[str, Asset], folder: Folder
    ) -> dict[str, Asset]:
        """Take package.json; return the assets by their files."""
        package = self.package
        try:
            package.version = _number(shown, "version", package.version)
            if package.version not in TABLES:
                raise WorkspaceError(f"{PACKAGE_JSON}: library version {package.version}?")
            package.part_number = _number(shown, "part", 0)
            parts = shown.get("parts", package.parts)
            if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
                raise WorkspaceError(f"{PACKAGE_JSON}: parts must be a list of file names")
            package.parts = parts if not package.part_number else []
            package.tail_width = _number(shown, "tail_width", 0)
            package.seed = _number(shown, "seed", 0)
            trailing = shown.get("trailing", {})
            if not package.part_number:
                package.trailing = {int(k): plain_bytes(v) for k, v in trailing.items()}
            self._take_constants(shown)
            rows = shown.get("assets", [])
            paths = {str(row["file"]): _asset(row, known, folder) for row in rows}
        except (KeyError, TypeError, ValueError, AttributeError, FormatError, EncodeError) as error:
            raise WorkspaceError(f"{PACKAGE_JSON} can't be read: {error}") from None
        package.assets = list(paths.values())
        for index, asset in enumerate(package.assets):
            # The order of the table is the order of the data, unless it was read otherwise.
            if asset.offset == 0:
                asset.offset = (1 << 40) + index
        return paths

    def _take_constants(self, shown: dict[str, Any]) -> None:
        package = self.package
        if package.version == 6:
            package.table = Table6(
                modifier=_number(shown, "modifier", 20),
                unused=_number(shown, "unused", 0),
                password=plain_bytes(shown.get("password", "00" * 13)),
            )
        elif package.version == 30:
            package.table = Table30(options=_number(shown, "options", 0))
        else:
            package.table = TABLES[package.version]()


def _renew_index(package: Package, old: bytes) -> None:
    """Let the sprite index follow a changed sprite set."""
    sprites, index = package.get(SPRITES), package.get(INDEX)
    if sprites is None or index is None or not old or bytes(sprites.data or b"") == old:
        return
    try:
        before, after = SpriteSet.read(old), SpriteSet.read(bytes(sprites.data or b""))
    except FormatError:
        return
    made = renewed(bytes(index.data or b""), before, after)
    if made is not None:
        package.replace(index.name, made)


def _asset(row: dict[str, Any], known: Mapping[str, Asset], folder: Folder) -> Asset:
    path = str(row["file"])
    asset = known.get(path)
    if asset is None:
        data = None if row.get("missing") else folder.read(path)
        asset = Asset(str(row["name"]), data, size=len(data or b""))
    asset.name = str(row["name"])
    asset.part = int(row.get("part", 0))
    asset.gap = plain_bytes(row.get("gap", ""))
    asset.overlap = max(0, int(row.get("overlap", 0)))
    asset.name_rest = plain_bytes(row.get("name_rest", ""))
    asset.flags = plain_bytes(row.get("flags", "0000"))
    return asset


def _number(shown: Mapping[str, Any], key: str, default: int) -> int:
    value = shown.get(key, default)
    if not isinstance(value, int):
        raise WorkspaceError(f"{PACKAGE_JSON}: {key} must be a number")
    return value


def _reader(asset: Asset) -> Any:
    return lambda: bytes(asset.data or b"")


def _part_reader(beside: Beside) -> Any:
    def read(name: str) -> bytes | None:
        key = name.replace("\\", "/").rpartition("/")[2].casefold()
        for other in beside.names():
            if other.casefold() == key:
                return beside.read(other)
        return None

    return read
