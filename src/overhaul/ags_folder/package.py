"""A package as files: package.json, and its assets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.documents.sprites import INDEX_FILE
from overhaul.ags.library.package import Asset, Package
from overhaul.ags.library.tables import TABLES, Table6, Table30
from overhaul.ags.sprite_index import renewed, version_of
from overhaul.ags.sprites import SpriteSet
from overhaul.ags_folder import kit
from overhaul.ags_folder.knowledge import counter as counter
from overhaul.ags_folder.knowledge import meaning as meaning
from overhaul.ags_folder.knowledge import ordering as ordering
from overhaul.ags_folder.knowledge import share_analysis as share_analysis
from overhaul.ags_folder.knowledge import texts as texts
from overhaul.document.names import FileNames, unescape_name
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, WorkspaceError
from overhaul.folder.jsonkit import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    expect_texts,
    in_file,
)

PACKAGE_JSON: Final = "package.json"
PROGRAM: Final = "program.exe"
PART_DATA: Final = "part.bin"
ASSETS: Final = "assets/"
SPRITES: Final = "acsprset.spr"
#: What packing over an asset's file leaves next to it, and what editors leave.
_BACKUP: Final = re.compile(r"\.bak\d*$|~$")

#: The version that is one file always.
_WITHOUT_PARTS: Final = 6
#: What package.json may have, and the row of an asset.
_TABLE: Final = {
    "version", "part", "parts", "tail_width", "seed", "modifier", "unused", "password", "options",
    "assets", "trailing",
}  # fmt: skip
_ROW: Final = {"name", "file", "part", "gap", "overlap", "name_rest", "flags", "missing"}

settings = kit.encoding_settings
empty = partial(kit.new_document, PackageDocument)


def _paths(package: Package) -> Iterator[tuple[str, Asset]]:
    """(path, asset) of every asset."""
    names = FileNames()
    for asset in package:
        yield f"{ASSETS}{names(asset.name)}", asset


# --- unpacking ------------------------------------------------------------------------------


def tree(document: PackageDocument) -> Iterable[Resource]:
    """The assets."""
    for path, asset in _paths(document.package):
        yield Resource("asset", asset.name, path, asset.size)


def plain_files(document: PackageDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of the unpacked package."""
    package = document.package
    yield kit.json_file(document, PACKAGE_JSON, partial(_show, package), "table")
    if package.prefix:
        yield kit.bytes_file(PROGRAM, package.prefix, "program")
    if package.part_number and package.trailing.get(0):
        yield kit.bytes_file(PART_DATA, package.trailing[0], "part")
    for path, asset in _paths(package):
        if asset.data is not None:
            yield PlainFile(path, asset.read, origin=f"part {asset.part}")


def _show(package: Package) -> dict[str, object]:
    shown: dict[str, object] = {"version": package.version}
    if package.part_number:
        shown["part"] = package.part_number
    else:
        if package.version != _WITHOUT_PARTS:
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
    shown["assets"] = [_show_asset(path, asset) for path, asset in _paths(package)]
    trailing = {str(part): data.hex() for part, data in package.trailing.items() if data}
    return shown | {"trailing": trailing} if trailing and not package.part_number else shown


def _show_asset(path: str, asset: Asset) -> dict[str, object]:
    shown: dict[str, object] = {"name": asset.name, "file": path}
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


def derived(document: PackageDocument, path: str) -> bool:
    """The index of the sprites follows from them, where it is theirs."""
    if path != ASSETS + INDEX_FILE:
        return False
    sprites, index = document.package.get(SPRITES), document.package.get(INDEX_FILE)
    if sprites is None or index is None:
        return False
    try:
        return version_of(index.read(), SpriteSet.read(sprites.read())) is not None
    except FormatError:
        return False


def fixed(path: str, key: str) -> bool:
    """All that package.json says can be edited."""
    return False


# --- packing --------------------------------------------------------------------------------


def apply(document: PackageDocument, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
    """Change the package as its files were changed.

    A file added under assets/ becomes an asset; the asset of a file that was removed is removed.
    """
    kit.take_settings(document, folder.settings)
    package = document.package
    paths = dict(_paths(package))
    before = set(paths)
    if PACKAGE_JSON in changes:
        shown = kit.read_json(document, folder, PACKAGE_JSON)
        with in_file(PACKAGE_JSON):
            paths = _take_table(package, shown, paths, folder)
    if PROGRAM in changes:
        package.prefix = folder.read(PROGRAM) if PROGRAM in folder else b""
    if PART_DATA in changes and PART_DATA in folder:
        package.trailing[0] = folder.read(PART_DATA)
    old_sprites = package.get(SPRITES)
    stored_sprites = old_sprites.read() if old_sprites is not None else b""
    if PACKAGE_JSON not in changes:
        _refuse_empty(before, folder)
    warnings: list[str] = []
    for path, change in changes.items():
        if not path.startswith(ASSETS):
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
            package.add(unescape_name(path.removeprefix(ASSETS)), folder.read(path))
            warnings.append(f"{path} is new: it becomes the last asset")
    if ASSETS + INDEX_FILE not in changes:
        _renew_index(package, stored_sprites)
    document.edited(package.version)
    return [*warnings, *_lost(package, folder, changes)]


def _refuse_empty(files: Collection[str], folder: Folder) -> None:
    """Raise WorkspaceError where all files are gone that package.json still lists: a renamed or
    lost folder is no removal of every asset."""
    if len(files) > 1 and not any(path in folder for path in files):
        raise WorkspaceError(
            f"the folder {ASSETS.rstrip('/')} is missing, or empty: all {len(files)} assets would "
            f"go (to remove them, take them out of {PACKAGE_JSON}, too)"
        )


def _lost(package: Package, folder: Folder, changes: Mapping[str, Change]) -> Iterator[str]:
    """A part has no table: its files are found by what they are, one behind the other."""
    if not package.part_number:
        return
    contents = {asset.read() for asset in Package.read(package.to_bytes()).assets}
    for path in changes:
        if path.startswith(ASSETS) and path in folder and folder.read(path) not in contents:
            yield (
                f"{path} is no file that is known by its bytes: a part has no table of its own, "
                f"so it and what stands behind it become {PART_DATA} when it is unpacked again"
            )


def _take_table(
    package: Package, shown: dict[str, object], known: dict[str, Asset], folder: Folder
) -> dict[str, Asset]:
    """Take package.json; return the assets by their files.  Raises FormatError."""
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
    paths: dict[str, Asset] = {}
    with at_key("assets"):
        for index, item in enumerate(expect_list(shown.get("assets", []))):
            with at_key("", index):
                row = expect_object(item)
                _known(row, _ROW)
                path = _text(row, "file")
                if path in paths:
                    with at_key("file"):
                        raise FormatError(f"{path} is the file of another asset")
                paths[path] = _asset(row, path, known.get(path), folder)
    _known(shown, _TABLE)
    for path in known:
        if path not in paths and path in folder:
            with at_key("assets"):
                raise FormatError(f"{path} is there, but no asset has it")
    package.assets = list(paths.values())
    for index, asset in enumerate(package.assets):
        # The order of the table is the order of the data, unless it was read otherwise.
        if asset.offset == 0:
            asset.offset = (1 << 40) + index
    return paths


def _take_constants(package: Package, shown: dict[str, object]) -> None:
    """Take what the table stores next to its assets."""
    if package.version == 6:
        package.table = Table6(
            modifier=_number(shown, "modifier", 20),
            unused=_number(shown, "unused", 0),
            password=_bytes(shown, "password", "00" * 13),
        )
    elif package.version == 30:
        package.table = Table30(options=_number(shown, "options", 0))
    else:
        package.table = TABLES[package.version]()


def _asset(row: dict[str, object], path: str, asset: Asset | None, folder: Folder) -> Asset:
    name = _text(row, "name")
    missing = row.get("missing", False)
    if not isinstance(missing, bool) or missing != (path not in folder):
        with at_key("missing"):
            raise FormatError(f"{path} is {'' if missing else 'not '}there")
    if asset is None:
        data = None if missing else folder.read(path)
        asset = Asset(name, data, size=len(data or b""))
    asset.name = name
    asset.part = _number(row, "part", 0)
    asset.gap = _bytes(row, "gap")
    with at_key("overlap"):
        asset.overlap = expect_integer(row.get("overlap", 0), 0)
    asset.name_rest = _bytes(row, "name_rest")
    asset.flags = _bytes(row, "flags", "0000")
    return asset


def _known(shown: dict[str, object], fields: Collection[str]) -> None:
    unknown = shown.keys() - fields
    if unknown:
        raise FormatError(f"unknown field {min(unknown)!r}")


def _number(shown: dict[str, object], key: str, default: int) -> int:
    with at_key(key):
        return expect_integer(shown.get(key, default))


def _bytes(shown: dict[str, object], key: str, default: str = "") -> bytes:
    with at_key(key):
        return expect_bytes(shown.get(key, default))


def _text(shown: dict[str, object], key: str) -> str:
    with at_key(key):
        return expect_text(shown.get(key))


def _part_number(key: str) -> int:
    if not key.isdecimal():
        raise FormatError(f"expected the number of a part, got {key!r}")
    return int(key)


def _renew_index(package: Package, old: bytes) -> None:
    """Make the sprite index follow a changed sprite set."""
    sprites, index = package.get(SPRITES), package.get(INDEX_FILE)
    if sprites is None or index is None or not old or sprites.read() == old:
        return
    try:
        before, after = SpriteSet.read(old), SpriteSet.read(sprites.read())
    except FormatError:
        return
    made = renewed(index.read(), before, after)
    if made is not None:
        package.replace(index.name, made)
