"""textures.json and textures/N.png: pages and items made anew, repainted, or moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from overhaul.errors import EncodeError, FormatError, WorkspaceError
from overhaul.gamemaker.data.chunks.tpag import TexturePageItem
from overhaul.gamemaker.data.chunks.txtr import TexturePage
from overhaul.gamemaker.data.painting import ImageEdits, page_format
from overhaul.gamemaker.data_folder.images import read_picture
from overhaul.gamemaker.data_folder.kinds import TEXTURES
from overhaul.media import textures

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data_folder.applying import Applier

FOLDER = "textures"
_PAGE_KEYS = ("scaled", "generated_mips", "block_size", "width", "height", "index_in_group")
_RECTANGLES = {
    "source": ("source_x", "source_y", "source_width", "source_height"),
    "target": ("target_x", "target_y", "target_width", "target_height"),
    "canvas": ("bounding_width", "bounding_height"),
}
#: bit depth and colour type of the PNG files that the compiler writes
_PLAIN_PNG = b"\x08\x06"


class TextureEdits:
    """Changed texture pages and items.  ``items``: what a picture's path showed, for new games."""

    def __init__(self, applier: Applier) -> None:
        self.applier = applier
        self.game: GameData = applier.game
        self.items: dict[str, Any] = {}

    def run(self) -> None:
        """Read textures.json."""
        applier = self.applier
        if applier.changes.get(TEXTURES) in (None, "removed"):
            return
        if "TXTR" not in self.game.slots or "TPAG" not in self.game.slots:
            raise WorkspaceError(f"{TEXTURES}: this game has no texture pages")
        plain = applier.json(TEXTURES)
        if not isinstance(plain, dict):
            raise WorkspaceError(f"{TEXTURES}: expected an object with pages and items")
        try:
            if applier.fresh:
                self._make(plain)
            else:
                self._change(plain)
        except FormatError as error:
            raise WorkspaceError(f"{TEXTURES}: {error}") from None

    # -- a new game's -------------------------------------------------------------------------

    def _make(self, plain: dict[str, Any]) -> None:
        game = self.game
        missing: set[int] = set()
        for index, shown in enumerate(_list(plain, "pages")):
            page = None if shown is None else self._new_page(index, shown, missing)
            game.textures.append(page)
        pages = game.named("TXTR")
        for index, shown in enumerate(_list(plain, "items")):
            if shown is None:
                game.texture_items.append(None)
                continue
            item = TexturePageItem()
            _set_item(item, shown, index)
            number = shown.get("page")
            paths = shown.get("of", [])
            if not isinstance(number, int | None) or not isinstance(paths, list):
                raise FormatError("expected a page's number and a list of files").within(
                    "items", index
                )
            if number is not None and 0 <= number < len(pages):
                item.page = pages.reference(number)
            else:
                item.page = number
            if number in missing:
                continue  # its picture is put on a new page
            game.texture_items.append(item)
            for path in paths:
                self.items[str(path)] = item

    def _new_page(self, index: int, shown: Any, missing: set[int]) -> TexturePage:
        if not isinstance(shown, dict):
            raise FormatError("expected an object").within("pages", index)
        page = TexturePage()
        _set_page(page, shown, index)
        if "format" not in shown:
            return page  # in a file of its own, beside the game
        folder = self.applier.folder
        for ending in ("dds", "bin"):
            path = f"{FOLDER}/{index}.{ending}"
            if path in self.applier.present:
                page.blob = folder.read(path)
                return page
        path = f"{FOLDER}/{index}.png"
        if path not in self.applier.present:
            missing.add(index)
            return page
        page.blob = self._encode(folder.read(path), shown["format"], path)
        page.width, page.height = _size(page.blob)
        return page

    def _encode(self, data: bytes, name: Any, path: str) -> bytes:
        try:
            kind = textures.TextureFormat(name)
        except ValueError:
            raise WorkspaceError(f"{TEXTURES}: {name!r} is no format of texture pages") from None
        if kind in (textures.TextureFormat.DDS, textures.TextureFormat.UNKNOWN):
            kind = page_format(self.game.layout)
        if kind is textures.TextureFormat.PNG and data[24:26] == _PLAIN_PNG:
            read_picture(data, path)
            return data
        header = 8 if self.game.layout.number < (2022, 5) else 12
        try:
            return textures.encode(read_picture(data, path), kind, header_size=header)
        except EncodeError as error:
            raise WorkspaceError(f"{path}: {error}") from None

    # -- an opened game's -----------------------------------------------------------------------

    def _change(self, plain: dict[str, Any]) -> None:
        game = self.game
        pages = _list(plain, "pages")
        items = _list(plain, "items")
        if len(pages) != len(game.textures) or len(items) != len(game.texture_items):
            raise FormatError(
                "pages and items keep their numbers; put a picture's file into the folder to have "
                "it placed"
            )
        for index, shown in enumerate(pages):
            if shown is not None and game.textures[index] is not None:
                _set_page(game.textures[index], shown, index)
        for index, shown in enumerate(items):
            item = game.texture_items[index]
            if shown is None or item is None:
                continue
            _set_item(item, shown, index)
            number = shown.get("page")
            if isinstance(number, int) and 0 <= number < len(game.textures):
                item.page = game.named("TXTR").reference(number)

    def repaint(self, images: ImageEdits) -> None:
        """Take over repainted pages."""
        applier = self.applier
        if applier.fresh:
            return
        for path, change in applier.changes.items():
            head, _, rest = path.partition("/")
            if head != FOLDER:
                continue
            number, _, ending = rest.partition(".")
            page = self._page(number, path)
            if change == "removed":
                applier.warnings.append(f"{path} was removed; the texture page stays in the game")
            elif ending != "png":
                page.blob = applier.folder.read(path)
            else:
                self._repaint(images, page, applier.folder.read(path), path)

    def _page(self, number: str, path: str) -> Any:
        pages = self.game.textures
        if number.isascii() and number.isdigit() and int(number) < len(pages):
            page = pages[int(number)]
            if page is not None:
                return page
        raise WorkspaceError(
            f"{path}: there is no texture page of this number (pages for new pictures are made "
            "when they are packed)"
        )

    def _repaint(self, images: ImageEdits, page: Any, data: bytes, path: str) -> None:
        import numpy as np

        pixels = read_picture(data, path)
        old = images.images.page(page)
        if old is not None and np.array_equal(old, pixels):
            return
        if old is not None and old.shape != pixels.shape:
            for item in self.game.texture_items:
                inside = (
                    item is None
                    or not hasattr(item.page, "target")
                    or (
                        item.page.target is not page
                        or (
                            item.source_x + item.source_width <= pixels.shape[1]
                            and item.source_y + item.source_height <= pixels.shape[0]
                        )
                    )
                )
                if not inside:
                    raise WorkspaceError(
                        f"{path}: the page is smaller than before, and pictures lie outside it"
                    )
        images.replace_page(page, pixels)


def _size(blob: bytes) -> tuple[int, int]:
    info = textures.inspect(blob)
    return info.width, info.height


def _list(plain: dict[str, Any], name: str) -> list[Any]:
    value = plain.get(name, [])
    if not isinstance(value, list):
        raise FormatError("expected a list").within(name)
    return value


def _set_page(page: TexturePage, shown: Any, index: int) -> None:
    for key in _PAGE_KEYS:
        value = shown.get(key)
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, int):
                raise FormatError("expected a number").within(key).within("pages", index)
            setattr(page, key, value)


def _set_item(item: TexturePageItem, shown: Any, index: int) -> None:
    for key, names in _RECTANGLES.items():
        values = shown.get(key) if isinstance(shown, dict) else None
        if (
            not isinstance(values, list)
            or len(values) != len(names)
            or not all(isinstance(v, int) and 0 <= v <= 0xFFFF for v in values)
        ):
            raise FormatError(f"expected {len(names)} numbers").within(key).within("items", index)
        for name, value in zip(names, values, strict=True):
            setattr(item, name, value)
