"""An action library as a folder: ``library.json`` and the actions' pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from overhaul.document.folder_format import FolderFormat
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import at_key, expect_list, expect_object, in_file
from overhaul.gamemaker.classic.documents.library import LibraryDocument
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.libraries import NEWER, OLDER, LglLibrary, Library, LibraryAction
from overhaul.gamemaker.classic_folder.kind import (
    JsonObject,
    expect_no_more,
    made_json,
    read_each,
    take,
    take_integer,
    take_version,
)
from overhaul.schema import Scheme
from overhaul.schema.jsonable import from_jsonable, to_jsonable

LIBRARY, ICONS = "library.json", "icons.png"
_NEWEST = max(LibraryAction.versions)


class LibraryFormat(FolderFormat[LibraryDocument]):
    """A library of actions as a folder."""

    def tree(self, document: LibraryDocument) -> Iterator[Resource]:
        """The actions."""
        for action in document.actions:
            yield Resource("action", action.name, LIBRARY)

    def settings(self, document: LibraryDocument) -> dict[str, object]:
        """None beyond kind and version."""
        return {}

    def plain_files(self, document: LibraryDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """``library.json`` and the actions' pictures."""
        library = document.library
        if isinstance(library, LglLibrary):
            plain = to_jsonable(library, Scheme(library.form)) | {"form": library.form}
            shown: list[JsonObject] = plain["actions"]["list"]
            if library.icons:
                yield PlainFile(ICONS, partial(bytes, library.icons))
        else:
            plain = to_jsonable(library, Scheme(library.version))
            shown = plain["actions"] = [_show_action(action) for action in library.actions]
        for index, action in enumerate(document.actions):
            shown[index].pop("image", None)
            if action.image:
                shown[index]["image"] = name = f"icons/{index}.bmp"
                made = partial(_picture, action.image)
                yield PlainFile(name, made, origin=f"actions[{index}].image")
        yield PlainFile(LIBRARY, made_json(plain))

    def empty(self, settings: Mapping[str, object]) -> LibraryDocument:
        """A new library without actions."""
        version = str(settings.get("version"))
        if version == "lgl":
            return LibraryDocument(LglLibrary(form=OLDER))
        if version not in map(str, Library.versions):
            raise WorkspaceError(f"there is no version {version} of action libraries")
        return LibraryDocument(Library(version=int(version)))

    def apply(
        self, document: LibraryDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Make the library again from its files."""
        files = Edits(folder, changes)
        with in_file(LIBRARY):
            plain = files.json_object(LIBRARY)
            if isinstance(document.library, LglLibrary):
                document.library = _read_lgl(plain, files)
            else:
                document.library = _read_library(plain, document.library.version, files)
        return Findings()


FORMAT: Final = LibraryFormat()


def _picture(image: Deflated | bytes) -> bytes:
    return image.data if isinstance(image, Deflated) else image


def _show_action(action: LibraryAction) -> JsonObject:
    plain = to_jsonable(action, Scheme(action.version))
    if action.version != _NEWEST:
        plain["version"] = action.version
    return plain


def _read_library(plain: JsonObject, version: int, files: Edits) -> Library:
    items = take(plain, "actions", expect_list, [])
    actions = read_each(lambda item: _read_action(item, files), items, "actions")
    library = from_jsonable(Library, plain, Scheme(version))
    library.version, library.actions = version, actions
    return library


def _read_action(item: object, files: Edits) -> LibraryAction:
    plain = dict(expect_object(item))
    version = take_version(plain, _NEWEST, LibraryAction.versions)
    image = plain.pop("image", None)
    action = from_jsonable(LibraryAction, plain, Scheme(version))
    action.version = version
    with at_key("image"):
        action.image = b"" if image is None else files.named(str(image))
    return action


def _read_lgl(plain: JsonObject, files: Edits) -> LglLibrary:
    form = take_integer(plain, "form", OLDER, OLDER, NEWER + 1)
    with at_key("actions"):
        listed = expect_object(plain.get("actions"))
        expect_no_more({key: None for key in listed if key not in ("advanced", "list")})
        with at_key("list"):
            items = read_each(expect_object, expect_list(listed.get("list")))
    pictures = [item.pop("image", None) for item in items]
    library = from_jsonable(LglLibrary, plain, Scheme(form))
    if library.number != LglLibrary().number:
        with at_key("number"):
            raise FormatError(f"is {LglLibrary().number} in every library of this kind")
    library.form = form
    library.icons = files.bytes(ICONS) if ICONS in files else b""
    for index, (action, name) in enumerate(zip(library.actions[1], pictures, strict=True)):
        if (form == OLDER) is (name is None):
            rule = "has a picture" if form == OLDER else f"has its picture in {ICONS}"
            with at_key("actions"), at_key("list", index), at_key("image"):
                raise FormatError(f"each action of a library with form {form} {rule}")
        if name is not None:
            with at_key("image"):
                action.image = Deflated.of(files.named(str(name)))
    return library
