"""The resources of a game, as ``overhaul ls`` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from overhaul.document.names import FileNames
from overhaul.document.protocol import Resource
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.listed_names import stored_names
from overhaul.gamemaker.data_folder.kind_folders import CODE, FOLDERS, PAGES, in_release
from overhaul.lazy import LazyModule

if TYPE_CHECKING:
    from overhaul.gamemaker.data_folder import names as naming
    from overhaul.gamemaker.data_folder import strings, tables, texture_pages, view
    from overhaul.gamemaker.data_folder.view import FolderView
else:  # start-up: names that are stored need no records
    naming = LazyModule("overhaul.gamemaker.data_folder.names")
    strings = LazyModule("overhaul.gamemaker.data_folder.strings")
    tables = LazyModule("overhaul.gamemaker.data_folder.tables")
    texture_pages = LazyModule("overhaul.gamemaker.data_folder.texture_pages")
    view = LazyModule("overhaul.gamemaker.data_folder.view")


def resources(game: GameData) -> Iterator[Resource]:
    """All resources, in the order of the folder."""
    return resources_in(game, lambda folder: True)


def resources_in(game: GameData, wanted: Callable[[str], bool]) -> Iterator[Resource]:
    """The resources in some of the folders, of "" too; what is in the others is not decoded."""
    shown: FolderView | None = None
    for kind in FOLDERS:
        at = in_release(kind, game.release)
        if not wanted(at.folder):
            continue
        names = None if at.lists_bytes else stored_names(game, at.chunk)
        if names is not None:
            listed = zip(map(FileNames(), names), names, strict=True)
            yield from (Resource(at.word, name, at.place(stem)) for stem, name in listed)
            continue
        shown = shown or view.FolderView(game)
        yield from _decoded(shown, at.chunk)
    if any(map(wanted, (CODE, PAGES, ""))):
        yield from _others(shown or view.FolderView(game), wanted)


def _decoded(shown: FolderView, chunk: str) -> Iterator[Resource]:
    """The resources of a kind, which are decoded."""
    (kind,) = (kind for kind in shown.kinds if kind.chunk == chunk)
    for _, stem, record in shown.resources(kind):
        path, size = kind.listed(record, stem, shown.names)
        yield Resource(kind.word, naming.name_of(record), path, size)


def _others(shown: FolderView, wanted: Callable[[str], bool]) -> Iterator[Resource]:
    """Resources of kinds without a folder: code, scripts, texture pages, tables."""
    game = shown.game
    for stem, name in shown.root_names().items() if wanted(CODE) else ():
        yield Resource("code entry", name, f"{CODE}/{stem}{view.SOURCE}")
    for script in game.records.scripts if wanted("") else ():
        if script is not None:
            yield Resource("script", naming.name_of(script), tables.SCRIPTS.path)
    for index, page in texture_pages.stored_pages(game) if wanted(PAGES) else ():
        path, size = texture_pages.page_path(index, page), len(page.blob or b"")
        yield Resource("texture page", str(index), path, size)
    if wanted(""):
        for table in shown.tables():
            yield Resource("table", table.name, table.path)
        yield Resource("table", "strings", strings.STRINGS)
