"""The index of a sprite set as a JSON file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.ags.documents.sprites import SpriteIndexDocument
from overhaul.ags.folder import file_io
from overhaul.ags.folder.format import AgsFormat
from overhaul.ags.sprite_index import SpriteIndex
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.findings import Findings
from overhaul.folder.json_fields import at_key, expect_integer, in_file

INDEX_JSON: Final = "index.json"


class SpriteIndexFormat(AgsFormat[SpriteIndexDocument]):
    """A sprite index as a folder."""

    document_class = SpriteIndexDocument

    def tree(self, document: SpriteIndexDocument) -> Iterable[Resource]:
        """The index."""
        yield Resource("index", document.version, INDEX_JSON, document.size or None)

    def plain_files(
        self, document: SpriteIndexDocument, options: UnpackOptions
    ) -> Iterator[PlainFile]:
        """The index as JSON."""
        yield file_io.json_file(document, INDEX_JSON, partial(_show, document), "index")

    def apply(
        self, document: SpriteIndexDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Take the index from its JSON file."""
        file_io.take_settings(document, folder.settings)
        if INDEX_JSON in changes:
            shown = file_io.read_json(document, folder, INDEX_JSON)
            with file_io.another_version(document, folder, INDEX_JSON):
                with in_file(INDEX_JSON), at_key("version"):
                    version = expect_integer(shown.pop("version", document.index_version))
                document.index = file_io.read(
                    SpriteIndex, shown, version, INDEX_JSON, base=document.index
                )
                document.index_version = version
                document.edited(version)
        return Findings()


FORMAT: Final = SpriteIndexFormat()


def _show(document: SpriteIndexDocument) -> dict[str, object]:
    version = document.index_version
    return {"version": version, **file_io.show(document.index, version)}
