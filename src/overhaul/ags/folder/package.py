"""A package as files: package.json, its assets, and the files of the documents in it.

A game's package is one tree: its rooms, game data, sprites and translations are taken apart, with
the packages of sounds and speech next to it (:mod:`overhaul.ags.folder.layout` says where).  With
``flat`` in the settings, all assets stay files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import Final, NamedTuple

from overhaul.ags.documents.package import PackageDocument, speech_name
from overhaul.ags.documents.sprites import INDEX_FILE
from overhaul.ags.folder import (
    file_io,
    layout,
    new_resources,
    package_table,
    speech,
)
from overhaul.ags.folder.consistency import Consistency
from overhaul.ags.folder.format import AgsMeaning, NumberedFormat
from overhaul.ags.folder.layout import ASSETS, FONTS, PACKAGE_JSON, PART_DATA, PROGRAM, SPEECH_JSON
from overhaul.ags.folder.package_table import PackageTable
from overhaul.ags.library.package import SPRITES, Package
from overhaul.ags.sprite_index import refreshed, renewed, version_of
from overhaul.ags.sprites import SpriteSet
from overhaul.document.format_parts import FileFields, NewResources
from overhaul.document.hints import Hint
from overhaul.document.names import unescape_name
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource, Siblings
from overhaul.document.registry import folder_format_of
from overhaul.errors import FormatError, OverhaulError, PlainFileError, WorkspaceError
from overhaul.findings import Finding, Findings, warning
from overhaul.folder.nested import (
    NestedDocument,
    changes_by_part,
    folder_of,
    may_want,
    part_files,
    part_of,
    rebuild_part,
    without_parts,
)
from overhaul.folder.parallel import Workers
from overhaul.folder.toml import NAME

FLAT: Final = "flat"
#: Files that packing over an asset's file leaves next to it, and those that editors leave.
_BACKUP: Final = re.compile(r"\.bak\d*$|~$")
#: The kinds of documents that `ls` lists with what is in them, as they are small.
_LISTED: Final = ("ags-game",)
ROOM: Final = "ags-room"
#: The names of the other documents in `ls`.
_KINDS: Final = {
    "ags-font": "font",
    "ags-lip-sync": "lip sync",
    "ags-room": "room",
    "ags-sprites": "sprites",
    "ags-translation": "translation",
    "ags-package": "package",
}


class PackageMeaning(AgsMeaning[PackageDocument]):
    """The relations between the files of a package."""

    def derived(self, document: PackageDocument, path: str) -> bool:
        """The index of the sprites follows from them, where it is theirs; speech from all."""
        if path == SPEECH_JSON:
            return True
        if path != ASSETS + INDEX_FILE:
            return False
        sprites, index = document.package.get(SPRITES), document.package.get(INDEX_FILE)
        if sprites is None or index is None:
            return False
        try:
            return version_of(index.read(), SpriteSet.read(sprites.read())) is not None
        except FormatError:
            return False

    def unpacked(self, path: str) -> str:
        """A room is in ``rooms/1/``, the game in the folder itself."""
        name, _, inner = path.removeprefix(ASSETS).partition("/")
        place = layout.place_of(name) if inner and path.startswith(ASSETS) else None
        if place is None or not place.owns(inner):
            return path
        return place.prefix + folder_format_of(place.kind).meaning.unpacked(inner)

    def fixed(self, path: str, key: str) -> bool:
        """A mod does not include the release of the editor that compiled a file in it."""
        return path != PACKAGE_JSON and super().fixed(path, key)


class PackageAdditions(NewResources[PackageDocument]):
    """The resources that can be added to a package."""

    def kinds(self, document: PackageDocument) -> dict[str, str]:
        """The kinds of things that can be added to its game, and rooms, with a note each; only
        rooms to one that is not taken apart."""
        parts = _all_parts(document)
        made: dict[str, str] = {}
        for part in parts if not document.flat else ():
            if part.kind == "ags-game":
                with part.open() as inner:
                    found = folder_format_of(inner.kind)
                    made |= found.additions.kinds(inner)
        if any(part.kind == "ags-room" for part in parts):
            made[new_resources.ROOM] = new_resources.ROOM_NOTE
        return made

    def new_files(self, document: PackageDocument, kind: str, name: str) -> Mapping[str, bytes]:
        """The files of a new thing or room.  Raises WorkspaceError for another kind."""
        for part in _all_parts(document):
            if kind == new_resources.ROOM and part.kind == "ags-room":
                with part.open() as inner:
                    found = list(part_files(part, inner, UnpackOptions(warn=False)))
                    files = {file.path: file.read() for file in found}
                    made = new_resources.new_room(name, part.prefix, list(files), files.__getitem__)
                    if not document.flat:
                        return made
                    room = new_resources.made_room(
                        inner, files, made, part.prefix, f"rooms/{name}/"
                    )
                    return {f"{ASSETS}room{name}.crm": room}
            if kind != new_resources.ROOM and part.kind == "ags-game" and not document.flat:
                with part.open() as inner:
                    return folder_format_of(inner.kind).additions.new_files(inner, kind, name)
        raise WorkspaceError(f"a {kind} can't be added")


class PackageFields(FileFields[PackageDocument]):
    """The records that the JSON files of a package show."""

    def hint(self, document: PackageDocument, path: str) -> Hint | None:
        """The hint of the format that the document with this file has."""
        part = part_of(_all_parts(document), path)
        if part is None:
            return None
        with part.open() as inner:
            return folder_format_of(part.kind).fields.hint(inner, path[len(part.prefix) :])


MEANING: Final = PackageMeaning()
ADDITIONS: Final = PackageAdditions()
FIELDS: Final = PackageFields()


class PackageFormat(NumberedFormat[PackageDocument]):
    """A package as a folder."""

    has_parts = True

    def settings(self, document: PackageDocument) -> dict[str, object]:
        """The encoding of the assets' names; whether documents in it are not taken apart."""
        return file_io.encoding_settings(document) | ({FLAT: True} if document.flat else {})

    def empty(self, settings: Mapping[str, object]) -> PackageDocument:
        """A package without assets."""
        document = PackageDocument()
        document.version = str(settings.get("version", ""))
        file_io.take_settings(document, settings)
        self.arrange(document, settings)
        return document

    def arrange(self, document: PackageDocument, settings: Mapping[str, object]) -> None:
        """Take documents in it apart, unless the settings say ``flat``.  Raises WorkspaceError."""
        flat = settings.get(FLAT, False)
        if not isinstance(flat, bool):
            raise PlainFileError("expected true or false", NAME, f"settings.{FLAT}")
        document.flat = flat

    def own_files(
        self, document: PackageDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> tuple[Folder, Mapping[str, Change]]:
        """The folder and its changes without the files of the documents in it."""
        parts = layout.parts(document)
        return without_parts(folder, parts), changes_by_part(parts, changes)[0]

    def tree(self, document: PackageDocument) -> Iterable[Resource]:
        """The documents in it, the things of its game, and the assets; no more is read for it."""
        parts = layout.parts(document, quick=True)
        for part in parts:
            size = document.size_inside(part.name)
            if part.kind not in _LISTED:
                name = layout.folder_in_words(part.prefix).rpartition("/")[2]
                path = part.prefix.rstrip("/") or "sprites"
                yield Resource(_KINDS[part.kind], path if name == "." else name, path, size)
                if part.name.casefold() == speech.VOX or speech_name(part.name):
                    yield from _voices(document, part)
                continue
            try:
                with part.open() as inner:
                    for resource in folder_format_of(inner.kind).tree(inner):
                        resource.path = part.prefix + resource.path
                        yield resource
            except OverhaulError:
                yield Resource("asset", part.name, f"{ASSETS}{part.name}", size)
        for path, asset in package_table.paths(document, parts).items():
            yield Resource("asset", asset.name, path, asset.size)

    def plain_files(self, document: PackageDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked package."""
        for group in self.groups(document, options):
            yield from group()

    def groups(
        self, document: PackageDocument, options: UnpackOptions
    ) -> list[Callable[[], Iterable[PlainFile]]]:
        """The groups of the files of each document in the package, and the package's own."""
        parts = layout.parts(document, quick=True) if options.parts else []
        wanted = [part for part in parts if may_want(part, options)]
        listing: list[Callable[[], Iterable[PlainFile]]] = [
            partial(_files_of_part, document, part, options) for part in wanted
        ]
        return [*listing, partial(_own_files, document, options)]

    def apply(
        self, document: PackageDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Change the package as its files were changed.

        A file added under assets/ becomes an asset; the asset of a removed file is removed.
        A new folder rooms/12/ becomes a room.
        """
        file_io.take_settings(document, folder.settings)
        self.arrange(document, folder.settings)
        edit = _Edit(document, folder, changes)
        whole = None if edit.fresh else Consistency(document, folder, changes)
        edit.take_own()
        if changes.get(SPEECH_JSON) == "changed":
            edit.findings.warn(
                "no-effect", "it has no effect: it follows from scripts and speech", SPEECH_JSON
            )
        edit.take_parts()
        if whole is not None:
            edit.findings += whole.check()
        document.edited(document.package.version)
        edit.findings += _lost(document.package, folder, edit.own)
        return edit.findings

    @property
    def meaning(self) -> PackageMeaning:
        """The documents in it, and what follows from others."""
        return MEANING

    @property
    def additions(self) -> PackageAdditions:
        """Things of its game, and rooms."""
        return ADDITIONS

    @property
    def fields(self) -> PackageFields:
        """The fields of the documents in the package."""
        return FIELDS


FORMAT: Final = PackageFormat()


# --- unpacking ------------------------------------------------------------------------------


def _voices(document: PackageDocument, part: NestedDocument) -> Iterator[Resource]:
    """The files of speech, named by the lines that are heard in them."""
    found = speech.speech_in(document, part.name)
    chosen = speech_name(part.name)
    with part.open() as voices:
        if found is None or not isinstance(voices, PackageDocument):
            return
        assets = package_table.paths(voices, layout.parts(voices))
    places = {asset.name: (path, asset.size) for path, asset in assets.items()}
    for voice in found.voices:
        path, size = places.get(voice.file, ("", 0))
        if path:
            title = speech.title(voice.line) + (f" ({chosen})" if chosen else "")
            yield Resource("voice", title, f"{part.prefix}{path}", size)


def _files_of_part(
    document: PackageDocument, part: NestedDocument, options: UnpackOptions
) -> Iterator[PlainFile]:
    try:
        inner = part.open()
    except OverhaulError:  # it is damaged, and an asset like others
        return
    document.remember(part.name, inner)
    yield from part_files(part, inner, options)


def _own_files(document: PackageDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    package = document.package
    yield file_io.json_file(document, PACKAGE_JSON, partial(package_table.show, document), "table")
    if options.wants(SPEECH_JSON) and speech.vox_of(document):
        yield file_io.thing_file(document, SPEECH_JSON, partial(_speech, document), "speech")
    if package.prefix:
        yield file_io.bytes_file(PROGRAM, package.prefix, "program")
    if package.part_number and package.trailing.get(0):
        yield file_io.bytes_file(PART_DATA, package.trailing[0], "part")
    for path, asset in package_table.paths(document, layout.parts(document)).items():
        if asset.data is not None:
            yield PlainFile(path, asset.read, origin=f"part {asset.part}")


def _speech(document: PackageDocument) -> dict[str, object]:
    found = speech.speech_in(document)
    return {} if found is None else speech.shown(found)


# --- new things -----------------------------------------------------------------------------


def _all_parts(document: PackageDocument) -> list[NestedDocument]:
    """The documents in it, also of one that is not taken apart."""
    if not document.flat:
        return layout.parts(document, quick=True)
    places = ((name, layout.place_of(name)) for name in document.inside())
    return [layout.part_at(document, name, place) for name, place in places if place is not None]


# --- packing --------------------------------------------------------------------------------


class _Content(NamedTuple):
    """The new contents of a document's files."""

    data: bytes
    findings: Findings


class _Rebuilt(NamedTuple):
    """A document in the package that is built of its files; ``fresh``: of these only."""

    part: NestedDocument
    inside: Folder
    changes: Mapping[str, Change]
    fresh: bool

    def run(self, siblings: Siblings) -> _Content:
        """Build it; ``siblings`` are the files next to it."""
        built = rebuild_part(
            self.part, self.inside, self.changes, fresh=self.fresh, siblings=siblings
        )
        return _Content(built.data, built.findings)


class _Waiting(NamedTuple):
    """A document that other processes build."""

    parts: list[_Rebuilt]
    siblings: Siblings


def _rebuild(waiting: _Waiting, number: int) -> _Content | None:
    """Build a document; None for errors, which are raised where it is built again."""
    try:
        return waiting.parts[number].run(waiting.siblings)
    except OverhaulError:
        return None


class _Edit:
    """Takes a package from its files."""

    def __init__(
        self, document: PackageDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> None:
        self.document = document
        self.package: Package = document.package
        self.folder = folder
        self.findings: Findings = Findings()
        self.fresh = not document.package.assets
        self.known: PackageTable = package_table.as_it_is(document)
        self.table: PackageTable = replace(self.known, parts=[*self.known.parts])
        sprites = self.package.get(SPRITES)
        self.old_sprites: bytes = sprites.read() if sprites is not None else b""
        if PACKAGE_JSON in changes:
            shown = file_io.read_json(document, folder, PACKAGE_JSON)
            self.table = package_table.take(document, shown, self.known, folder)
        self._add_rooms(changes)
        self.own, self.inside = changes_by_part(self.table.parts, changes)
        self.all_changes = changes

    def _add_rooms(self, changes: Mapping[str, Change]) -> None:
        """Give folders of rooms that are new a file in the package."""
        if self.document.flat or PACKAGE_JSON in changes:
            return
        names = {part.name.casefold() for part in self.table.parts}
        for path, change in changes.items():
            name = layout.new_room(path)
            place = None if name is None else layout.place_of(name)
            if change == "removed" or name is None or place is None or name in names:
                continue
            if f"{place.prefix}room.json" not in self.folder or self.package.get(name) is not None:
                continue
            names.add(name)
            self.package.add(name, b"")
            self.table.parts.append(layout.part_at(self.document, name, place))
            self.findings.warn(
                "appended", f"it is new: {name} becomes the last asset", place.prefix.rstrip("/")
            )

    # -- its own files -----------------------------------------------------------------------

    def take_own(self) -> None:
        """Take the program and the assets."""
        package, changes, folder = self.package, self.own, self.folder
        if PROGRAM in changes:
            package.prefix = folder.read(PROGRAM) if PROGRAM in folder else b""
        if PART_DATA in changes and PART_DATA in folder:
            package.trailing[0] = folder.read(PART_DATA)
        if PACKAGE_JSON not in self.own:
            _refuse_empty(self.known.files, folder)
        for path, change in changes.items():
            if not path.startswith((ASSETS, FONTS)):
                continue
            asset = self.table.files.get(path)
            if change == "removed":
                if asset is not None and path in self.known.files:
                    package.remove(asset.name)
            elif asset is not None:
                package.replace(asset.name, folder.read(path))
            elif _BACKUP.search(path):
                self.findings.warn("left-out", "a backup is left out", path)
            else:
                name = unescape_name(path.partition("/")[2])
                package.add(name, folder.read(path))
                self.findings.warn("appended", "a new file is appended as the last asset", path)
        if ASSETS + INDEX_FILE not in changes:
            self._renew_index()

    def _renew_index(self, *, fresh: bool = False) -> None:
        """Make the sprite index follow a changed sprite set."""
        sprites, index = self.package.get(SPRITES), self.package.get(INDEX_FILE)
        if sprites is None or index is None or sprites.read() == self.old_sprites:
            return
        try:
            after = SpriteSet.read(sprites.read())
            if fresh:
                made = refreshed(index.read(), after)
            elif self.old_sprites:
                made = renewed(index.read(), SpriteSet.read(self.old_sprites), after)
            else:
                return
        except FormatError:
            return
        if made is not None:
            self.package.replace(index.name, made)

    # -- the documents in it -----------------------------------------------------------------

    def take_parts(self) -> None:
        """Build the documents whose files changed; remove those whose files are all gone."""
        known = {part.name for part in self.known.parts}
        rooms: list[_Rebuilt] = []
        for part in [*self.table.parts]:
            changes = dict(self.inside.get(part.name, {}))
            is_new = part.name not in known
            settings = self._settings_changed(part, known)
            if settings:
                changes[NAME] = "changed"
            if not changes and not is_new:
                continue
            settings_inside = package_table.settings_of(self.table, part)
            inside = folder_of(part, self.folder, self.table.parts, settings_inside)
            if part.kind != ROOM:  # rooms see what stands before them, but not each other
                self._take_all(rooms)
            if not inside.list() and not is_new:
                self._take_all(rooms)
                self._remove(part)
                continue
            if is_new:
                changes = dict.fromkeys(inside.list(), "added")
            rooms.append(_Rebuilt(part, inside, changes, is_new))
            if part.kind != ROOM:
                self._take_all(rooms)
        self._take_all(rooms)
        for name in self.known.companions:
            if name not in self.table.companions:
                self.document.leave_out(name)
        if any(part.kind == "ags-sprites" for part in self.table.parts):
            self._renew_index(fresh=self.fresh)

    def _take_all(self, waiting: list[_Rebuilt]) -> None:
        """Build documents that do not depend on each other, in several processes if the folder's
        options say so; ``waiting`` is empty then."""
        siblings, jobs = self.document.neighbours, self.folder.options.jobs
        workers = Workers(b"", self.document, jobs=jobs)
        made: Iterator[_Content | None] = repeat(None, len(waiting))
        if jobs > 1 and len(waiting) > 1 and workers.inherits:
            shared = _Waiting(list(waiting), siblings)
            made = workers.map(lambda _: shared, _rebuild, range(len(waiting)), least=2, jobs=jobs)
        for each, content in zip(waiting, made, strict=True):
            taken = each.run(siblings) if content is None else content
            self._take_part(each.part, taken)
        waiting.clear()

    def _take_part(self, part: NestedDocument, made: _Content) -> None:
        self.findings += made.findings
        if part.name in self.table.companions:
            self.document.new_companions[part.name] = made.data
        else:
            self.package.replace(part.name, made.data)
        self.document.forget(part.name)

    def _settings_changed(self, part: NestedDocument, known: Collection[str]) -> bool:
        encoding = self.table.encodings.get(part.name)
        if encoding is None or part.name not in known:
            return False
        return encoding != self.document.encoding_inside(part.name)

    def _remove(self, part: NestedDocument) -> None:
        if part.kind == "ags-game" and self.fresh:
            return
        if len(self.known.parts) > 1 and not any(
            known.has(path) for known in self.known.parts for path in self.folder.list()
        ):
            raise WorkspaceError("the files of all documents in the package are missing")
        if part.name in self.known.companions:
            self.document.leave_out(part.name)
        elif self.package.get(part.name) is not None:
            self.package.remove(part.name)


def _refuse_empty(files: Collection[str], folder: Folder) -> None:
    """Raise WorkspaceError if all files that package.json lists are gone: a renamed or lost
    folder does not remove every asset."""
    if len(files) > 1 and not any(path in folder for path in files):
        raise WorkspaceError(
            f"the folder {ASSETS.rstrip('/')} is missing, or empty: all {len(files)} assets would "
            f"go (to remove them, take them out of {PACKAGE_JSON}, too)"
        )


def _lost(package: Package, folder: Folder, changes: Mapping[str, Change]) -> Iterator[Finding]:
    """A part has no table: its files are found by what they are, one after another."""
    if not package.part_number:
        return
    contents = {asset.read() for asset in Package.read(package.to_bytes()).assets}
    for path in changes:
        if path.startswith(ASSETS) and path in folder and folder.read(path) not in contents:
            message = (
                "its type is not one that Overhaul recognises: a part has no table of its own, so "
                f"it and everything after it become {PART_DATA} when it is unpacked again"
            )
            yield warning("changed-with-it", message, path)
