"""The page of a texture page: its pictures, which are moved to other pages and packed again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

import msgspec

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageItem
from overhaul.gamemaker.data.rearranging import Pages
from overhaul.gamemaker.data.resources.backgrounds import TexturePage as PageSurface
from overhaul.gamemaker.data_folder.texture_moves import files_of
from overhaul.media import textures
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved, Page
from overhaul.viewer.opened import NotThere, Opened
from overhaul.viewer.pages import generic
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.page_parts import crumb, view_of
from overhaul.viewer.writing import must_write

#: pictures that are listed at a time
_LISTED = 300
_ITEM, _NEW = "item:", "new"


class Owner(msgspec.Struct, frozen=True):
    """The owner of a picture of the page: a sprite with the numbers of its ``frames``, or
    another resource."""

    link: Crumb
    frames: list[int] = []


class Rectangle(msgspec.Struct, frozen=True):
    """A picture on the page, in pixels of it: the ``items`` that show it, and what shows these;
    nothing for a picture that is not used."""

    x: int
    y: int
    width: int
    height: int
    items: list[int]
    owners: list[Owner]


class OtherPage(msgspec.Struct, frozen=True):
    """A texture page to which pictures can be moved."""

    number: int
    width: int
    height: int


class TexturePage(generic.ResourcePage, frozen=True):
    """A texture page; ``picture`` is its address, or empty.

    The ``rectangles`` from ``first`` on are listed, to ``last``.  ``act`` is where the page is
    changed, "" where it can't be: ``why``.  ``others`` are the pages that pictures can move to, in
    the texture group ``group``.  ``separate``: one picture has the page for itself.  ``problem`` is
    why a change was not made.
    """

    picture: str
    width: int
    height: int
    rectangles: list[Rectangle]
    first: int
    last: int
    group: str
    others: list[OtherPage]
    separate: bool
    act: str
    why: str
    problem: str = ""
    chosen: list[int] = []


def show_page(asked: Asked) -> TexturePage:
    """The page of a texture page; its list begins at ``?from=``."""
    opened, page = asked.opened, view_of(asked, PageSurface)
    base = generic.base(asked)
    pictures = [file for file in base.files if file.type == "picture"]
    base = msgspec.structs.replace(base, files=[f for f in base.files if f not in pictures])
    game = cast("GameData", opened.document)
    pages = _pages(opened)
    width, height = _size(game, page.number)
    rectangles = _rectangles(opened, pages, page.number)
    first = min(asked.number("from"), max(0, len(rectangles) - 1)) // _LISTED * _LISTED
    group, why = pages.group(page.number), _why_not(opened, pages, page.number)
    others = [] if why else pages.others(page.number)
    return TexturePage(
        **msgspec.structs.asdict(base),
        picture=pictures[0].href if pictures else "",
        width=width,
        height=height,
        rectangles=rectangles,
        first=first,
        last=min(first + _LISTED, len(rectangles)),
        group="" if group is None else str(group.name),
        others=[OtherPage(other, *_size(game, other)) for other in others],
        separate=pages.is_separate(page.number),
        act="" if why else f"{opened.prefix}/-/texture{opened.own_path(asked.resource)}",
        why=why,
    )


def _pages(opened: Opened) -> Pages:
    game = cast("GameData", opened.document)
    return opened.remember(
        "texture pages",
        lambda: Pages(game, game.painting.images),
        lambda pages: 100 * len(game.texture_items),
    )


def _size(game: GameData, number: int) -> tuple[int, int]:
    """The width and height of a page; zeros where its picture is in another file."""
    page = game.textures[number]
    if page is None or page.blob is None:
        return 0, 0
    info = textures.inspect(page.blob)
    return info.width, info.height


def _why_not(opened: Opened, pages: Pages, number: int) -> str:
    if opened.writer is None:
        return "this file can't be edited"
    return opened.writer.why or pages.why_not(number)


# -- what shows the pictures ---------------------------------------------------------------------


def _rectangles(opened: Opened, pages: Pages, number: int) -> list[Rectangle]:
    """The pictures of a page."""
    game = cast("GameData", opened.document)
    owners = opened.remember("owners of pictures", lambda: _owners(game), _cost)
    made = []
    for items in pages.places(number):
        item = game.texture_items[items[0]]
        assert item is not None
        place = (item.source_x, item.source_y, item.source_width, item.source_height)
        named: dict[tuple[str, str], list[int]] = {}
        for each in items:
            for kind, name, frame in owners.get(id(game.texture_items[each]), ()):
                named.setdefault((kind, name), []).extend([] if frame is None else [frame])
        shown = [
            Owner(crumb(opened, name, kind), sorted(frames))
            for (kind, name), frames in named.items()
        ]
        made.append(Rectangle(*place, items, shown))
    return made


def _owners(game: GameData) -> Mapping[int, list[tuple[str, str, int | None]]]:
    """Kind, name and frame of what shows each item, by its identity."""
    owners: dict[int, list[tuple[str, str, int | None]]] = {}
    for kind, name, frame, item in _shown_items(game):
        if item is not None:
            owners.setdefault(id(item), []).append((kind, name, frame))
    return owners


def _cost(owners: Mapping[int, list[tuple[str, str, int | None]]]) -> int:
    return 300 * sum(map(len, owners.values()))


def _shown_items(game: GameData) -> Iterator[tuple[str, str, int | None, PageItem | None]]:
    for sprite in game.records.sprites.present():
        for number, item in enumerate(sprite.textures):
            yield "sprite", str(sprite.name), number, item
        for item in getattr(sprite.special, "items", None) or ():
            yield "sprite", str(sprite.name), None, item
    for background in game.records.backgrounds.present():
        yield "background", str(background.name), None, background.texture
    for font in game.records.fonts.present():
        yield "font", str(font.name), None, font.texture
    if "EMBI" in game.chunks:
        for image in game.named("EMBI").present():
            yield "embedded image", str(image.name), None, image.image
    options = game.options
    if options is not None:
        for item in (options.back_image, options.front_image, options.load_image):
            yield "options", "options", None, item


# -- changes -------------------------------------------------------------------------------------


def change_page(asked: Asked) -> Answer:
    """``POST /-/texture/texture-pages/2`` with ``do``: ``move`` (the pictures ``item:N``, to the
    page ``to`` or ``new``) or ``repack``."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    page = opened.resource(entry)
    if not isinstance(page, PageSurface):
        raise NotThere(f"{entry.name} is not a texture page")
    if asked.method != "POST":
        return Moved(opened.href(entry))
    given = form_of(asked.body)
    items = _numbers(name.removeprefix(_ITEM) for name in given if name.startswith(_ITEM))
    try:
        _change(opened, page.number, given, items)
    except OverhaulError as error:
        shown = show_page(replace(asked, entry=entry, rest=""))
        shown = msgspec.structs.replace(shown, problem=str(error), chosen=items)
        crumbs = generic.way_of(opened, entry)[:1]
        return DataPage(PAGE.template, shown, entry.name, crumbs, status=422)
    return Moved(opened.href(entry))


def _change(opened: Opened, number: int, given: Mapping[str, str], items: list[int]) -> None:
    writer, pages = must_write(opened.writer), _pages(opened)
    do, to = given.get("do", ""), given.get("to", "")
    if do == "repack":
        made, label = pages.repacked(number), f"Repack texture page {number}"
    elif do == "move":
        target = None if to == _NEW else next(iter(_numbers([to])), -1)
        made = pages.moved(number, items, target)
        where = "a new page" if target is None else f"page {target}"
        pictures = "picture" if len(made.places) == 1 else "pictures"
        label = f"Move {len(made.places)} {pictures} of texture page {number} to {where}"
    else:
        raise WorkspaceError("that can't be done with a texture page")
    writer.step(files_of(made, pages, writer.read), label)


def _numbers(texts: Iterator[str] | list[str]) -> list[int]:
    return [int(text) for text in texts if text.isascii() and text.isdigit() and len(text) < 8]


PAGE = Page(
    show_page,
    "texture.html",
    {"files": generic.file_part, "thumbnail.png": generic.thumbnail},
    thumbnails=True,
)
