"""The resources of a game, as ``overhaul ls`` lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from overhaul.document.protocol import Resource
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.names import name_of, stored_names
from overhaul.gamemaker.data_folder.strings import STRINGS
from overhaul.gamemaker.data_folder.tables import SCRIPTS
from overhaul.gamemaker.data_folder.texture_pages import FOLDER, page_path, stored_pages
from overhaul.gamemaker.data_folder.view import CODE, SOURCE, FolderView


def resources(game: GameData) -> Iterator[Resource]:
    """All resources, in the order of the folder."""
    return resources_in(game, lambda folder: True)


def resources_in(game: GameData, wanted: Callable[[str], bool]) -> Iterator[Resource]:
    """The resources in some of the folders, of "" too; what is in the others is not decoded."""
    view = FolderView(game)
    for kind in filter(lambda kind: wanted(kind.folder), view.kinds):
        names = None if kind.lists_bytes else stored_names(game, kind.chunk)
        if names is not None:
            listed = zip(view.stems(kind), names, strict=True)
            yield from (Resource(kind.word, name, kind.place(stem)) for stem, name in listed)
            continue
        for _, stem, record in view.resources(kind):
            path, size = kind.listed(record, stem, view.names)
            yield Resource(kind.word, name_of(record), path, size)
    for stem, name in view.root_names().items() if wanted(CODE) else ():
        yield Resource("code entry", name, f"{CODE}/{stem}{SOURCE}")
    for script in game.records.scripts if wanted("") else ():
        if script is not None:
            yield Resource("script", name_of(script), SCRIPTS.path)
    for index, page in stored_pages(game) if wanted(FOLDER) else ():
        yield Resource("texture page", str(index), page_path(index, page), len(page.blob or b""))
    if wanted(""):
        for table in view.tables():
            yield Resource("table", table.name, table.path)
        yield Resource("table", "strings", STRINGS)
