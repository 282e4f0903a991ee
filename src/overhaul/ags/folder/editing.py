"""Fields of a thing, or of a part of it, set in an open document as packing its edited plain file
sets them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from overhaul.ags.documents.base import AgsDocument
from overhaul.ags.folder.layout import place_of
from overhaul.document.jsontext import json_bytes
from overhaul.document.plainfiles import Folder, PackOptions, PlainFile, UnpackOptions, Within
from overhaul.document.protocol import Document
from overhaul.document.reading import open_data
from overhaul.document.registry import folder_format_of
from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import read_object
from overhaul.folder.packing import Built, build

_JSON: Final = ".json"


def plain_json(document: Document, path: str) -> dict[str, object]:
    """The value of a plain JSON file of a document."""
    return read_object(_files(document, path)[path].read(), path)


def plain_text(document: Document, path: str) -> str:
    """The text of a plain file; empty where there is none."""
    file = _files(document, path).get(path)
    return "" if file is None else file.read().decode("utf-8")


def _files(document: Document, *only: str) -> dict[str, PlainFile]:
    listed = folder_format_of(document.kind).plain_files(document, UnpackOptions(only=only))
    return {file.path: file for file in listed}


def edit(document: AgsDocument, path: str, values: Mapping[str, object]) -> Built:
    """The file that packing makes of a document where keys of a JSON file have other values.

    Raises what :func:`overhaul.pack` raises for an edit that can't be taken; the document stays as
    it is.
    """
    for key in values:
        if not isinstance(key, str):
            raise TypeError(f"expected the name of a key, got {key!r}")
    data, siblings = bytes(document.to_bytes()), document.siblings

    def reopen() -> Document:
        return open_data(data, source=document.source, siblings=siblings)

    reads = {path: file.read for path, file in _files(document).items()}
    settings = folder_format_of(document.kind).settings(document)
    files = Folder.of(reads, settings, PackOptions(accept_renumbering=True))
    changed = json_bytes(_merged(read_object(files.read(path), path), values, path))
    edited = files.overlay({path: changed.__bytes__})
    return build(reopen(), edited, {path: "changed"}, reopen, siblings=siblings)


def _merged(shown: object, values: Mapping[str, object], path: str) -> dict[str, object]:
    """An object of a plain file with other values for some keys.  Raises WorkspaceError for a list
    that lacks a row."""
    merged = dict(shown) if isinstance(shown, dict) else {}
    for key, value in values.items():
        if not isinstance(value, Within):
            merged[key] = _over(merged.get(key), value)
        elif value.row is None:
            merged[key] = _merged(merged.get(key), value.values, path)
        else:
            listed = merged.get(key)
            rows = list(listed) if isinstance(listed, list) else []
            if not 0 <= value.row < len(rows):
                raise WorkspaceError(f"{path}: there is no {key}[{value.row}]")
            rows[value.row] = _merged(rows[value.row], value.values, path)
            merged[key] = rows
    return merged


def _over(old: object, new: object) -> object:
    """A value in the place of another one: a text is written over the old one, so that what a field
    of fixed length has behind its NUL stays."""
    if not isinstance(old, str) or not isinstance(new, str) or "\0" not in old or "\0" in new:
        return new
    return f"{new}\0{old[len(new) + 1 :]}"


def prefix_of(file: str) -> str:
    """The folder of the plain files of a document in a package."""
    place = place_of(file)
    return "" if place is None else place.prefix


def path_of(document: Document, kind: str, place: int) -> str:
    """The path of the plain file of a thing, by its position among those of its kind.

    Raises WorkspaceError for a thing that has no file of its own, as in games before 2.5.
    """
    every = folder_format_of(document.kind).tree(document)
    listed = [thing for thing in every if thing.kind == kind]
    path = listed[place].path if 0 <= place < len(listed) else ""
    if "/" not in path or not path.endswith(_JSON):
        file = f": {path} has all of them" if path else ""
        raise WorkspaceError(f"the {kind} has no plain file of its own that can be edited{file}")
    return path
