"""The index of a sprite set as a JSON file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.sprites import SpriteIndexDocument
from overhaul.ags.sprite_index import SpriteIndex
from overhaul.ags_folder import kit
from overhaul.ags_folder.knowledge import counter as counter
from overhaul.ags_folder.knowledge import derived as derived
from overhaul.ags_folder.knowledge import fixed as fixed
from overhaul.ags_folder.knowledge import meaning as meaning
from overhaul.ags_folder.knowledge import ordering as ordering
from overhaul.ags_folder.knowledge import share_analysis as share_analysis
from overhaul.ags_folder.knowledge import texts as texts
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.findings import Findings
from overhaul.folder.jsonkit import at_key, expect_integer, in_file

INDEX_JSON: Final = "index.json"

settings = kit.no_settings
empty = partial(kit.new_document, SpriteIndexDocument)


def tree(document: SpriteIndexDocument) -> Iterable[Resource]:
    """The index."""
    yield Resource("index", document.version, INDEX_JSON, document.size or None)


def plain_files(document: SpriteIndexDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    """The index as JSON."""
    yield kit.json_file(document, INDEX_JSON, partial(_show, document), "index")


def _show(document: SpriteIndexDocument) -> dict[str, object]:
    version = document.index_version
    return {"version": version, **kit.show(document.index, version)}


def apply(document: SpriteIndexDocument, folder: Folder, changes: Mapping[str, Change]) -> Findings:
    """Take the index from its JSON file."""
    kit.take_settings(document, folder.settings)
    if INDEX_JSON in changes:
        shown = kit.read_json(document, folder, INDEX_JSON)
        with kit.another_version(document, folder, INDEX_JSON):
            with in_file(INDEX_JSON), at_key("version"):
                version = expect_integer(shown.pop("version", document.index_version))
            document.index = kit.read(SpriteIndex, shown, version, INDEX_JSON, base=document.index)
            document.index_version = version
            document.edited(version)
    return Findings()
