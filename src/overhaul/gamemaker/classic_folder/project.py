"""A project as a folder: its files, what they mean to each other, and how changes reach it.

A strip, a GIF or a picture dropped next to the folders of sprites becomes the numbered frames of
its sprite, a picture of another format the PNG file of its background, and a sound gets the JSON
file that names it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from overhaul.document.folder_format import FolderFormat
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions, is_glob
from overhaul.document.protocol import Resource
from overhaul.errors import PlainFileError, WorkspaceError
from overhaul.findings import Findings, warning
from overhaul.folder.dropped import Dropped
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import expect_list, in_file, show_value
from overhaul.gamemaker.classic import conversion
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.fields import Slot, VersionedRecord
from overhaul.gamemaker.classic.kinds import BY_PLURAL, AnySlot, set_slots, slots_of
from overhaul.gamemaker.classic.records import VERSIONS, Project, encoding_shown
from overhaul.gamemaker.classic.settings import Trigger, TriggerSlot
from overhaul.gamemaker.classic.streams import extends_ascii
from overhaul.gamemaker.classic_folder import subjects
from overhaul.gamemaker.classic_folder.header import (
    CHANGE_DATES,
    GLOBAL_SETTINGS,
    HEADER,
    PROJECT,
)
from overhaul.gamemaker.classic_folder.ids import (
    IDS,
    dangling,
    ids_moved,
    keep_old_names,
    new_names,
    show_ids,
)
from overhaul.gamemaker.classic_folder.kind import FolderPart, made_json
from overhaul.gamemaker.classic_folder.kinds import (
    ID,
    KINDS,
    Units,
    read_resource,
    show_resource,
    unit_of,
)
from overhaul.gamemaker.classic_folder.names import (
    ResourceFileNames,
    mentions,
    rewrite,
    still_named,
)
from overhaul.gamemaker.classic_folder.rooms import LOW, number_rooms
from overhaul.gamemaker.classic_folder.small_parts import (
    CONSTANT_LIST,
    GAME_INFORMATION,
    INCLUDED_FILES,
    LEFT_OVER_BYTES,
    RICH_TEXT,
)
from overhaul.gamemaker.classic_folder.tree import (
    RESOURCE_TREE,
    TREE,
    absent_from_tree,
    keep_in_step,
)
from overhaul.media.frames import EXTENSIONS, strip_of


def _show_ids(project: Project, names: ResourceFileNames) -> Iterator[PlainFile]:
    yield PlainFile(IDS, lambda: made_json(show_ids(names))())


def _already_read(project: Project, files: Edits, names: ResourceFileNames) -> None:
    """ids.json is read first of all, by new_names()."""


#: in the order in which they are written and read
PARTS = (
    HEADER,
    GLOBAL_SETTINGS,
    CONSTANT_LIST,
    INCLUDED_FILES,
    GAME_INFORMATION,
    FolderPart((IDS,), _show_ids, _already_read),
    CHANGE_DATES,
    LEFT_OVER_BYTES,
    RESOURCE_TREE,
)


# ---------------------------------------------------------------------------------- writing


class ProjectFormat(FolderFormat[ProjectDocument]):
    """A project of Game Maker as a folder."""

    slow_listing = True
    rereads = True
    begins = True

    def tree(self, document: ProjectDocument) -> Iterator[Resource]:
        """The settings, the included files, and the resources by kind in the order of their ids."""
        project = document.project
        yield Resource("settings", "settings", "settings.json")
        yield Resource("information", project.information.caption, "game_information.rtf")
        for item in project.includes.slots:
            if item.include is not None:
                size = None if item.include.data is None else len(item.include.data)
                yield Resource("included file", item.include.file_name, "included_files.json", size)
        names = ResourceFileNames.of(project)
        for kind, slots in slots_of(project).items():
            for stem, slot in zip(names.stems[kind], slots, strict=True):
                if stem is not None:
                    path = KINDS[kind].path(stem)
                    yield Resource(
                        BY_PLURAL[kind].singular, slot.name, path, document.size_of(slot)
                    )

    def settings(self, document: ProjectDocument) -> dict[str, object]:
        """The encoding of the texts, where the version does not say it."""
        project = document.project
        return {} if project.version >= 810 else {"encoding": project.encoding}

    def plain_files(self, document: ProjectDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of a project's folder; see docs/formats/gamemaker-project.md."""
        if not options.only:
            document.decode()  # raises for streams beyond the limit, before the disk fills
        project = document.project
        names = ResourceFileNames.of(project)
        for part in PARTS:
            yield from part.show(project, names)
        for kind, slots in slots_of(project).items():
            for index, (stem, slot) in enumerate(zip(names.stems[kind], slots, strict=True)):
                if stem is None or slot.resource is None or not _wanted(kind, options):
                    continue
                for path, made in show_resource(kind, stem, slot.resource, slot.name, names):
                    yield PlainFile(path, made, origin=f"{kind}.slots[{index}]")

    def empty(self, settings: Mapping[str, object]) -> ProjectDocument:
        """A new project of the version that ``settings`` asks for."""
        text = str(settings.get("version", ""))
        if not text.isdigit() or int(text) not in VERSIONS:
            known = ", ".join(map(str, VERSIONS))
            raise WorkspaceError(f"there is no project version {text!r} (there are {known})")
        document = ProjectDocument.new(int(text))
        _set_encoding(document.project, settings)
        return document

    def begin(self, settings: Mapping[str, object]) -> ProjectDocument:
        """A new project, by default of Game Maker 8.1, as Game Maker itself begins one."""
        document = self.empty({**settings, "version": settings.get("version") or max(VERSIONS)})
        document.source = f"game{conversion.EXTENSIONS.get(document.project.version, '.gm81')}"
        return document

    def apply(
        self, document: ProjectDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Change a project as the files of its folder were changed; return warnings."""
        wanted = str(folder.settings.get("version", document.version))
        if wanted != document.version:
            raise WorkspaceError(
                f"overhaul.toml asks for version {wanted}, but this is {document.version}: "
                "overhaul convert makes one from the other"
            )
        project = document.project
        _set_encoding(project, folder.settings)
        files, units = Edits(folder, changes), Units(folder.list())
        before, slots_before = ResourceFileNames.of(project), slots_of(project)
        with in_file(IDS):
            names = new_names(files, units, before, slots_before, listed=IDS in changes)
        renamed = keep_old_names(before, names)
        moved = ids_moved(before, names)
        reader = _SlotReader(files, units, before, names, renamed, moved=moved)
        slots = {kind: list(reader.slots(kind, old)) for kind, old in slots_before.items()}
        for kind in slots:
            set_slots(project, kind, slots[kind])
        parts = [part for part in PARTS if moved or any(part.has(path) for path in changes)]
        for part in parts:
            part.read(project, files, names)
        files.findings += _lost_encoding(project)
        files.findings += _follow_names(project, files, reader, slots_before, slots)
        files.findings += number_rooms(
            project,
            slots_before["rooms"],
            slots["rooms"],
            partial(names.stem, "rooms"),
            low=[*map(str, expect_list(files.json_object(PROJECT).get(LOW, [])))],
        )
        tree_given = TREE in changes
        appended = _keep_in_step(
            project,
            slots_before,
            slots,
            left_out=absent_from_tree(project, files, names) if tree_given else frozenset(),
            tree_given=tree_given,
            ids_given=PROJECT in changes and PROJECT in files,
        )
        if TREE in changes and TREE in files:
            for kind, index in appended:
                if before.stem(kind, index) is not None:
                    name = f"{kind}/{names.stem(kind, index)}"
                    message = f"{name} is not listed: it is at the end of its root"
                    files.findings.warn("appended", message, TREE)
        unused = _unused_files(files, units, [*parts, *reader.read_again])
        files.findings += still_named(files, _gone(before, slots_before, slots))
        files.findings += dangling(before, names, slots)
        files.findings += unused
        return files.findings

    def arrange(self, document: ProjectDocument, settings: Mapping[str, object]) -> None:
        """Read texts in the encoding of the folder, which the file may not name."""
        _set_encoding(document.project, settings)

    def take_others(
        self, project: ProjectDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> tuple[Folder, Mapping[str, Change], Mapping[str, str]]:
        """The folder and its changes, with plain files in place of dropped files, and the source of
        each.

        Raises WorkspaceError for a dropped file that can't be read, or whose place is taken.
        """
        dropped = Dropped(folder, changes)
        sprites: dict[str, list[str]] = {}
        for path in [path for path, change in changes.items() if change == "added"]:
            pure = PurePosixPath(path)
            kind, ending = str(pure.parent), pure.suffix.lower()
            if kind == "sprites" and ending in _PICTURES:
                sprites.setdefault(f"sprites/{strip_of(pure.name)[0]}", []).append(path)
            elif kind == "backgrounds" and ending in _PICTURES and pure.suffix != ".png":
                if not _is_described(folder, pure):  # else it is a picture that does not change
                    dropped.show_single(path, str(pure.with_suffix(".png")))
            elif kind == "sounds" and ending in _SOUNDS:
                made = str(pure.with_suffix(".json"))
                if made not in dropped and not _is_described(folder, pure):
                    dropped.add(made, path, json.dumps({"file": pure.name}).encode())
        for place, paths in sprites.items():
            start = f"{place}/"
            own = (name for name in folder.list() if name.startswith(start))
            has = next((name for name in own if _FRAME.fullmatch(name[len(start) :])), None)
            dropped.show_frames(place, paths, has)
        if not dropped.made_of:
            return folder, changes, {}
        return dropped.shown(), dropped.now, dropped.made_of

    @property
    def meaning(self) -> subjects.ProjectMeaning:
        """The dates and last ids, which only grow."""
        return subjects.MEANING

    @property
    def mentions(self) -> subjects.ProjectMentions:
        """Files of events, and those that list all resources."""
        return subjects.MENTIONS

    @property
    def names(self) -> subjects.ProjectNames:
        """The words of code."""
        return subjects.NAMES

    @property
    def additions(self) -> subjects.ProjectAdditions:
        """New resources and events."""
        return subjects.ADDITIONS

    @property
    def versions(self) -> subjects.ProjectVersions:
        """Projects converted to other versions."""
        return subjects.VERSIONS

    @property
    def fields(self) -> subjects.ProjectFields:
        """The keys that name other resources."""
        return subjects.FIELDS


FORMAT: Final = ProjectFormat()


def _wanted(kind: str, options: UnpackOptions) -> bool:
    """Whether a file of a kind may be asked for: a cheap test before pictures are read."""
    folders = [pattern.partition("/")[0] for pattern in options.only]
    return not folders or any(f == kind or is_glob(f) for f in folders)


# ---------------------------------------------------------------------------------- reading


def _set_encoding(project: Project, settings: Mapping[str, object]) -> None:
    encoding = settings.get("encoding")
    if isinstance(encoding, str) and project.version < 810:
        project.encoding = usable_encoding(encoding)


def usable_encoding(encoding: object) -> str:
    """An encoding that texts may have.  WorkspaceError: another value."""
    if not isinstance(encoding, str) or not extends_ascii(encoding):
        raise WorkspaceError(
            f"overhaul.toml: encoding: {encoding!r} is not a valid encoding of Game Maker's texts"
        )
    return encoding


def _gone(
    names: ResourceFileNames, before: Mapping[str, list[AnySlot]], now: Mapping[str, list[AnySlot]]
) -> dict[str, str]:
    """Removed resources whose name no other resource has: names and paths in the folder."""
    there = {slot.name for kind_slots in now.values() for slot in kind_slots if slot.exists}
    return {
        was.name: f"{kind}/{names.stem(kind, index)}"
        for kind, old in before.items()
        for index, was in enumerate(old)
        if was.exists and was.name and was.name not in there and not _exists(now[kind], index)
    }


def _exists(slots: list[AnySlot], index: int) -> bool:
    """Whether a slot is there and has a resource: a changed ids.json may list fewer."""
    return index < len(slots) and bool(slots[index].exists)


def _lost_encoding(project: Project) -> Findings:
    """A warning if the packed file, without its folder, will be read in another encoding."""
    shown = encoding_shown(project)
    if shown == project.encoding:
        return Findings()
    message = (
        f"texts are written as {project.encoding}, but read from the packed file as {shown}: "
        f"{RICH_TEXT} should name the code page (\\ansicpg)"
    )
    return Findings([warning("mismatch", message, "overhaul.toml", "encoding")])


def _check_id(files: Edits, kind: str, stem: str, index: int) -> None:
    """Raises WorkspaceError if the JSON of a resource gives another id than its own."""
    path = f"{kind}/{stem}{KINDS[kind].json}"
    given = files.json_object(path).get(ID, index)
    if given != index:
        raise PlainFileError(f"it is {index}, not {show_value(given)}; see {IDS}", path, ID)


def _new_slot(kind: str) -> AnySlot:
    return TriggerSlot() if kind == "triggers" else Slot()


def _follow_names(
    project: Project,
    files: Edits,
    reader: _SlotReader,
    before: Mapping[str, list[AnySlot]],
    now: Mapping[str, list[AnySlot]],
) -> Findings:
    """Report code with old names of renamed resources, or change it and report the rest."""
    pairs = (
        (was.name, slot.name)
        for kind, old in before.items()
        for was, slot in zip(old, now[kind], strict=False)
        if was.exists and slot.exists
    )
    there = {slot.name for kind_slots in now.values() for slot in kind_slots if slot.exists}
    renamed = {old: new for old, new in pairs if old != new and old and old not in there}
    if not renamed:
        return Findings()
    if files.options.rewrite_code:
        changed = rewrite(files, renamed)
        if any(map(CONSTANT_LIST.has, changed)):
            CONSTANT_LIST.read(project, files, reader.names)
        for kind, stem in dict.fromkeys(filter(None, map(unit_of, changed))):
            index = reader.names.ids[kind][stem]
            now[kind][index] = reader.read(kind, stem, now[kind][index])
            set_slots(project, kind, now[kind])
    return mentions(files, renamed)


class _SlotReader:
    """Reads resources from their files into new slots."""

    def __init__(
        self,
        files: Edits,
        units: Units,
        before: ResourceFileNames,
        names: ResourceFileNames,
        renamed: Collection[tuple[str, int]],
        *,
        moved: bool,
    ) -> None:
        self.files = files
        self.units = units
        self.before = before
        self.names = names
        #: the kinds and ids of resources that only have new file names
        self.renamed = renamed
        #: whether resources have other ids now: then all of them are read
        self.moved = moved
        self.changed: set[tuple[str, str]] = {
            unit for path in files.changes if (unit := unit_of(path)) is not None
        }
        self.read_again: list[tuple[str, str]] = []

    def slots(self, kind: str, old: Sequence[AnySlot]) -> Iterator[AnySlot]:
        """The slots of a kind: those of changed files are read, all others stay."""
        for index, stem in enumerate(self.names.stems[kind]):
            was = old[index] if index < len(old) else None
            if stem is None:
                yield was if was is not None and not was.exists else _new_slot(kind)
                continue
            changed = (kind, stem) in self.changed
            same = self.before.stem(kind, index) == stem or (kind, index) in self.renamed
            base = was if same else None
            if base is not None and changed and IDS not in self.files.changes:
                _check_id(self.files, kind, stem, index)
            if base is None or self.moved or changed:
                yield self.read(kind, stem, base)
            else:
                yield base

    def read(self, kind: str, stem: str, base: AnySlot | None) -> AnySlot:
        """The slot of a resource; ``base`` gives what its files leave out."""
        paths = self.units.paths[kind, stem]
        self.read_again.append((kind, stem))
        before: VersionedRecord | None = None if base is None else base.resource
        resource, name = read_resource(self.files, kind, stem, paths, before, self.names)
        slot: AnySlot
        if isinstance(resource, Trigger):
            resource.name = name
            slot = TriggerSlot(exists=1, resource=resource)
        else:
            slot = Slot(exists=1, name=name, resource=resource)
            if isinstance(base, Slot):
                slot.changed = base.changed
        if base is not None:
            slot.exists, slot.kept, slot.rest = base.exists, base.kept, base.rest
        return slot


def _keep_in_step(
    project: Project,
    before: Mapping[str, list[AnySlot]],
    now: Mapping[str, list[AnySlot]],
    *,
    left_out: Collection[tuple[str, int]],
    tree_given: bool,
    ids_given: bool,
) -> list[tuple[str, int]]:
    """Make tree, room order and last ids follow the resources.

    Parts that were just read from a file stay as they are; only the tree may lack a resource
    that is not in ``left_out``: returns the kinds and ids at its end now.
    """
    appended = keep_in_step(project, {} if tree_given else before, now, left_out)
    if ids_given:
        return appended
    old = {index for index, slot in enumerate(before["rooms"]) if slot.exists}
    new = {index for index, slot in enumerate(now["rooms"]) if slot.exists}
    order = [room for room in project.room_order.rooms if room in new or room not in old]
    if order or not old:
        order += sorted(new - old - set(order))
    project.room_order.rooms = order
    return appended


def _unused_files(
    files: Edits, units: Units, read: Collection[FolderPart | tuple[str, str]]
) -> Findings:
    """Warnings for files that nothing reads; ``read`` are the parts and resources read."""
    unused = []
    for path in units.others:
        part = next((part for part in PARTS if part.has(path)), None)
        if part is None or (part in read and path not in files.used):
            unused.append(path)
    for (kind, stem), paths in units.paths.items():
        if not KINDS[kind].exists(stem, paths):
            unused += [path for path in paths if not _is_named(files, units, kind, path)]
        elif (kind, stem) in read:
            unused += [path for path in paths if path not in files.used]
    message = "it belongs to nothing in the project and is not used"
    return Findings(warning("no-effect", message, path) for path in sorted(unused))


def _is_named(files: Edits, units: Units, kind: str, path: str) -> bool:
    """Whether the JSON of some resource of the kind names this file."""
    name = path.rpartition("/")[2]
    described = [
        files.json_object(f"{kind}/{stem}.json")
        for stem, paths in units.of_kind(kind).items()
        if f"{kind}/{stem}.json" in paths
    ]
    return any(name in (plain.get("file"), plain.get("image")) for plain in described)


_PICTURES = frozenset(EXTENSIONS)
_SOUNDS = frozenset((".wav", ".mp3", ".mid", ".midi", ".ogg"))
_FRAME = re.compile(r"[0-9]{1,6}\.png")


def _is_described(folder: Folder, file: PurePosixPath) -> bool:
    """Whether a JSON file next to it names a file."""
    named = f'"{file.name}"'.encode()
    start = f"{file.parent}/"
    described = [p for p in folder.list() if p.startswith(start) and p.endswith(".json")]
    return any(named in folder.read(path) for path in described)
