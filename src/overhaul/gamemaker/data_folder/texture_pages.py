"""textures.json and textures/N.png: texture pages, and which part of them shows what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import EncodeError, FormatError, PlainFileError, WorkspaceError
from overhaul.folder.json_fields import at_key, in_file, json_bytes, wide
from overhaul.gamemaker.data.chunks.txtr import TexturePage, TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.painting import page_format
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder.edits import GameEdits, Made, Making
from overhaul.gamemaker.data_folder.kind_folders import PAGES
from overhaul.gamemaker.data_folder.names import expect_keys, is_number
from overhaul.gamemaker.data_folder.view import FolderView
from overhaul.media import png, textures
from overhaul.media.textures import TextureFormat
from overhaul.schema.declaration import fields_of

TEXTURES = "textures.json"
_PAGE_KEYS = ("scaled", "generated_mips", "block_size", "width", "height", "index_in_group")
#: the fields that only a page without bytes, or in a group of pages, has
_OTHER_PAGE_KEYS = _PAGE_KEYS[2:]
_RECTANGLES = {
    "source": ("source_x", "source_y", "source_width", "source_height"),
    "target": ("target_x", "target_y", "target_width", "target_height"),
    "canvas": ("bounding_width", "bounding_height"),
}
#: bit depth and colour type of the PNG files that the compiler writes
_PLAIN_PNG = b"\x08\x06"


# ------------------------------------------------------------------------------------- unpacking


def page_path(index: int, page: TexturePage) -> str:
    """The file of a texture page: a picture, or its bytes where the format can't be written."""
    kind = textures.sniff(page.blob or b"")
    ending = {TextureFormat.DDS: "dds", TextureFormat.UNKNOWN: "bin"}.get(kind, "png")
    return f"{PAGES}/{index}.{ending}"


def stored_pages(game: GameData) -> Iterator[tuple[int, TexturePage]]:
    """The texture pages whose bytes are in the game, with their index."""
    for index, page in enumerate(game.textures if "TXTR" in game.chunks else ()):
        if page is not None and page.blob is not None:
            yield index, page


def page_files(view: FolderView, images: PageImages) -> Iterator[PlainFile]:
    """textures.json, and a file for each page."""
    game = view.game
    if "TXTR" not in game.chunks:
        return
    yield PlainFile(TEXTURES, lambda: json_bytes(textures_json(view), wide), origin="TXTR")
    for index, page in stored_pages(game):
        yield PageFile(page_path(index, page), page, images, index)


class PageFile(PlainFile):
    """A texture page as a picture, or its bytes."""

    __slots__ = ("_images", "_page")

    def __init__(self, path: str, page: TexturePage, images: PageImages, index: int) -> None:
        super().__init__(path, self._encode, origin=f"TXTR[{index}].blob", near=index + 1)
        self._page = page
        self._images = images

    def _encode(self) -> bytes:
        blob = self._page.blob or b""
        if textures.sniff(blob) is not TextureFormat.PNG:
            pixels = self.pixels()
            if pixels is not None:
                return png.encode(pixels)
        return bytes(blob)

    def pixels(self) -> NDArray[np.uint8] | None:
        """The page decoded; None for one that is not shown as a picture, or can't be decoded."""
        return self._images.page(self._page) if self.path.endswith(".png") else None


def textures_json(view: FolderView) -> dict[str, object]:
    """The JSON of all pages, and of every item with its users."""
    users = _item_users(view)
    pages = [None if page is None else _show_page(page) for page in view.game.textures]
    items = [
        None if item is None else _show_item(item) | {"of": users.get(id(item), [])}
        for item in view.game.texture_items
    ]
    return {"pages": pages, "items": items}


def _show_page(page: TexturePage) -> dict[str, object]:
    shown: dict[str, object] = {
        "scaled": page.scaled,
        "generated_mips": page.generated_mips,
    }
    if page.blob is not None:
        shown["format"] = textures.sniff(page.blob or b"").value
    if page.blob is None or page.index_in_group:
        shown |= {key: value for key in _OTHER_PAGE_KEYS if (value := getattr(page, key))}
    return shown


def _show_item(item: TexturePageItem) -> dict[str, object]:
    page = item.page.index if isinstance(item.page, Reference) else item.page
    rectangles = {
        key: [getattr(item, name) for name in names] for key, names in _RECTANGLES.items()
    }
    return {"page": page, **rectangles}


def _item_users(view: FolderView) -> dict[int, list[str]]:
    """The users of each texture page item: paths without their ending, by the item's identity."""
    users: dict[int, list[str]] = {}
    for kind in view.kinds:
        for _, stem, record in view.resources(kind):
            for picture in kind.pictures(record):
                path = f"{kind.folder}/{stem}{picture.path}"
                users.setdefault(id(picture.item), []).append(path)
    return users


# --------------------------------------------------------------------------------------- packing


def read_textures(edits: GameEdits) -> None:
    """Read textures.json, and in a new game the files of its pages."""
    game = edits.game
    if not edits.edited(TEXTURES):
        return
    if "TXTR" not in game.chunks or "TPAG" not in game.chunks:
        raise PlainFileError("this game has no texture pages", TEXTURES)
    plain = edits.json(TEXTURES)
    if not isinstance(plain, dict):
        raise PlainFileError("expected an object with pages and items", TEXTURES)
    with in_file(TEXTURES):
        expect_keys(plain, ("pages", "items"))
        pages, items = _list(plain, "pages"), _list(plain, "items")
        if edits.fresh:
            _make(edits, pages, items)
        else:
            _change(edits, pages, items)


def _make(edits: GameEdits, pages: list[object], items: list[object]) -> None:
    """The pages and items of a new game."""
    game = edits.game
    missing: set[object] = set()
    edits.expect(_expected(edits, pages))
    for index, shown in enumerate(pages):
        page = None if shown is None else _new_page(index, shown, edits)
        if page is not None and page.blob is None and isinstance(shown, dict) and "format" in shown:
            missing.add(index)
        game.textures.append(page)
    for index, shown in enumerate(items):
        if shown is None:
            game.texture_items.append(None)
            continue
        item = TexturePageItem()
        values = _set_item(item, shown, index)
        number, paths = values.get("page"), values.get("of", [])
        if not isinstance(number, int | None) or not isinstance(paths, list):
            raise FormatError("expected a page's number and a list of files").within("items", index)
        if number is not None and 0 <= number < len(game.textures):
            item.page = game.textures.reference(number)
        else:
            item.page = number
        if number in missing:
            continue  # its picture is put on a new page
        game.texture_items.append(item)
        edits.items.update((str(path), item) for path in paths)
        if paths:
            edits.known_items.add(id(item))


def _new_page(index: int, shown: object, edits: GameEdits) -> TexturePage:
    """A page of a new game; without a blob where it has no file."""
    if not isinstance(shown, dict):
        raise FormatError("expected an object").within("pages", index)
    page = TexturePage()
    _set_page(page, shown, index, edits.names.version)
    if "format" not in shown:
        return page  # in a file of its own, next to the game
    for ending in ("dds", "bin"):
        path = f"{PAGES}/{index}.{ending}"
        if path in edits:
            page.blob = edits.bytes(path)
            return page
    path = f"{PAGES}/{index}.png"
    if path in edits:
        kind, header = _format(shown["format"], edits.names.version)
        try:
            with in_file(path):
                blob, pixels = edits.made(page_of, path, kind, header)
        except EncodeError as error:
            raise PlainFileError(str(error), path) from None
        page.blob = cast("bytes", blob)
        info = textures.inspect(page.blob)
        page.width, page.height = info.width, info.height
        if pixels is not None:
            edits.images.know(page, pixels)
    return page


def _expected(edits: GameEdits, pages: list[object]) -> Iterator[Making]:
    """How the files of the pages of a new game are read."""
    for index, shown in enumerate(pages):
        path = f"{PAGES}/{index}.png"
        if path in edits and isinstance(shown, dict) and "format" in shown:
            try:
                yield page_of, path, _format(shown["format"], edits.names.version)
            except WorkspaceError:  # reported when the page is made
                return


def _format(name: object, version: Version) -> tuple[TextureFormat, int]:
    """The format that a page of a new game has, and the size of its header."""
    try:
        kind = TextureFormat(name)
    except ValueError:
        raise PlainFileError(f"{name!r} is not a format of texture pages", TEXTURES) from None
    if kind in (TextureFormat.DDS, TextureFormat.UNKNOWN):
        kind = page_format(version)
    return kind, 8 if version.number < (2022, 5) else 12


def page_of(data: bytes, kind: TextureFormat, header_size: int) -> Made:
    """The bytes of a page in a format, and its pixels, of a PNG file.

    Raises FormatError, EncodeError.
    """
    pixels = png.decode(data)
    if kind is TextureFormat.PNG and data[24:26] == _PLAIN_PNG:
        return data, pixels
    return textures.encode(pixels, kind, header_size=header_size), pixels


def _change(edits: GameEdits, pages: list[object], items: list[object]) -> None:
    """Changed values of an opened game's pages and items, and new pages after the others."""
    game = edits.game
    old = len(game.textures)
    if len(pages) < old or len(items) != len(game.texture_items):
        raise FormatError(
            "pages and items keep their numbers; put a picture's file into the folder to have it "
            "placed"
        )
    for index, shown in enumerate(pages[old:], old):
        new = _new_page(index, shown, edits)
        if new.blob is None:
            raise FormatError(f"expected its picture as {PAGES}/{index}.png").within("pages", index)
        game.textures.append(new)
    for index, (page, shown) in enumerate(zip(list(game.textures)[:old], pages[:old], strict=True)):
        if shown is not None and page is not None:
            _set_page(page, shown, index, edits.names.version)
    for index, (item, shown) in enumerate(zip(game.texture_items, items, strict=True)):
        if shown is None or item is None:
            continue
        number = _set_item(item, shown, index).get("page")
        if number == _show_item(item)["page"]:
            continue
        if not isinstance(number, int) or not 0 <= number < len(game.textures):
            raise FormatError("expected a page's number").within("page").within("items", index)
        item.page = game.textures.reference(number)


def _list(plain: dict[str, object], name: str) -> list[object]:
    value = plain.get(name, [])
    if not isinstance(value, list):
        raise FormatError("expected a list").within(name)
    return value


def _set_page(page: TexturePage, shown: object, index: int, version: Version) -> None:
    with at_key("pages", index):
        expect_keys(shown, (*_PAGE_KEYS, "format"))
    for field in fields_of(TexturePage):
        key = field.name
        value = shown.get(key) if key in _PAGE_KEYS and isinstance(shown, dict) else None
        if value is not None:
            if not is_number(value):
                raise FormatError("expected a number").within(key).within("pages", index)
            if value != getattr(page, key) and not field.present(version):
                raise (
                    FormatError(f"games of {version} do not have it")
                    .within(key)
                    .within("pages", index)
                )
            setattr(page, key, value)


def _set_item(item: TexturePageItem, shown: object, index: int) -> dict[str, object]:
    """Set the rectangles of an item from its JSON; return that."""
    plain: dict[str, object] = shown if isinstance(shown, dict) else {}
    with at_key("items", index):
        expect_keys(plain, ("page", *_RECTANGLES, "of"))
    for key, names in _RECTANGLES.items():
        values = plain.get(key)
        if (
            not isinstance(values, list)
            or len(values) != len(names)
            or not all(isinstance(v, int) and 0 <= v <= 0xFFFF for v in values)
        ):
            raise FormatError(f"expected {len(names)} numbers").within(key).within("items", index)
        for name, value in zip(names, values, strict=True):
            setattr(item, name, value)
    return plain


def repaint_pages(edits: GameEdits) -> None:
    """Put repainted pages into an opened game."""
    if edits.fresh:
        return
    for path, change in edits.changes.items():
        head, _, rest = path.partition("/")
        if head != PAGES:
            continue
        number, _, ending = rest.partition(".")
        page = _page_of(number, path, edits.game)
        if change == "removed":
            edits.findings.warn(
                "no-effect", "the file was removed; the texture page stays in the game", path
            )
        elif ending != "png":
            page.blob = edits.bytes(path)
        else:
            _repaint(page, path, edits)


def _page_of(number: str, path: str, game: GameData) -> TexturePage:
    pages = game.textures
    if number.isascii() and number.isdigit() and int(number) < len(pages):
        page: TexturePage | None = pages[int(number)]
        if page is not None:
            return page
    raise PlainFileError(
        "there is no texture page of this number (pages for new pictures are made when "
        "they are packed)",
        path,
    )


def _repaint(page: TexturePage, path: str, edits: GameEdits) -> None:
    pixels = edits.picture(path)
    old = edits.images.page(page)
    if old is not None and np.array_equal(old, pixels):
        return
    if old is not None and old.shape != pixels.shape:
        height, width = pixels.shape[:2]
        for item in edits.game.texture_items:
            if item is None or not isinstance(item.page, Reference) or item.page.target is not page:
                continue
            right, bottom = item.source_x + item.source_width, item.source_y + item.source_height
            if right > width or bottom > height:
                raise PlainFileError(
                    "the page is smaller than before, and pictures lie outside it", path
                )
    edits.painting.replace_page(page, pixels)
