"""A whole project as a folder: which files there are, and how their changes reach the project."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from overhaul.document.names import unescape_name
from overhaul.document.protocol import Change, Folder, PlainFile, UnpackOptions
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.fields import Versioned
from overhaul.gamemaker.classic.kinds import BY_PLURAL, item_version, kinds_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.resources import Slot
from overhaul.gamemaker.classic.settings import TriggerSlot
from overhaul.gamemaker.classic_folder import events, resources, rooms
from overhaul.gamemaker.classic_folder.files import (
    FLAT,
    WITH_FOLDERS,
    Files,
    in_file,
    json_bytes,
    unit_of,
)
from overhaul.gamemaker.classic_folder.left_over import (
    LEFT_OVER,
    read_left_over,
    show_left_over,
)
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.parts import PARTS, PROJECT, read_part, show_parts
from overhaul.gamemaker.classic_folder.references import dangling
from overhaul.gamemaker.classic_folder.tree import keep_in_step, read_tree, show_tree
from overhaul.schema import fields_of

IDS, DATES, TREE = "ids.json", "dates.json", "tree.json"

_SHOW: dict[str, Callable[..., Iterator[resources.Made]]] = {
    "sounds": resources.show_sound,
    "sprites": resources.show_sprite,
    "backgrounds": resources.show_background,
    "paths": resources.show_path,
    "scripts": resources.show_script,
    "data_files": resources.show_data_file,
    "fonts": resources.show_font,
    "triggers": resources.show_trigger,
    "timelines": events.show_timeline,
    "objects": events.show_object,
    "rooms": rooms.show_room,
}
_READ: dict[str, Callable[..., Any]] = {
    "sounds": resources.read_sound,
    "sprites": resources.read_sprite,
    "backgrounds": resources.read_background,
    "paths": resources.read_path,
    "scripts": resources.read_script,
    "data_files": resources.read_data_file,
    "fonts": resources.read_font,
    "triggers": resources.read_trigger,
    "timelines": events.read_timeline,
    "objects": events.read_object,
    "rooms": rooms.read_room,
}
#: the file of a resource that has a folder
_MAIN = {
    "sprites": "sprite.json",
    "timelines": "timeline.json",
    "objects": "object.json",
    "rooms": "room.json",
}


def slots_of(project: Project) -> dict[str, list[Any]]:
    """The slots of every kind of resource, triggers included."""
    slots = {kind.plural: kind.section(project).slots for kind in kinds_of(project.version)}
    if project.version >= 800:
        slots["triggers"] = project.triggers.slots
    return slots


def resource_of(slot: Slot | TriggerSlot) -> Any:
    """The resource of a slot, None if it was deleted."""
    return slot.trigger if isinstance(slot, TriggerSlot) else getattr(slot, "resource", None)


def name_of(slot: Slot | TriggerSlot) -> str:
    """The name of the resource in a slot."""
    if isinstance(slot, TriggerSlot):
        return slot.trigger.name if slot.trigger is not None else ""
    return slot.name


def main_path(kind: str, stem: str) -> str:
    """Where a resource is in the folder."""
    if kind in _MAIN:
        return f"{kind}/{stem}"
    return f"{kind}/{stem}.gml" if kind == "scripts" else f"{kind}/{stem}.json"


# ---------------------------------------------------------------------------------- writing


def plain_files(project: Project, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of a project's folder."""
    names = Names.of(project)
    for path, made in show_parts(project, names):
        yield PlainFile(path, made, origin=path.rpartition(".")[0])
    yield PlainFile(IDS, lambda: json_bytes(_show_ids(names)))
    yield PlainFile(DATES, lambda: json_bytes(_show_dates(project, names)))
    left_over = show_left_over(project, names)
    if left_over:
        yield PlainFile(LEFT_OVER, lambda: json_bytes(left_over))
    yield PlainFile(TREE, lambda: json_bytes(show_tree(project, names)), origin="tree")
    for kind, slots in slots_of(project).items():
        for index, stem in enumerate(names.stems[kind]):
            if stem is None or not _wanted(kind, stem, options):
                continue
            for path, made in show_slot(kind, stem, slots[index], names):
                yield PlainFile(path, made, origin=f"{kind}.slots[{index}]")


def _wanted(kind: str, stem: str, options: UnpackOptions) -> bool:
    """Could a resource have a file that is asked for?  A cheap test before pictures are read."""
    if not options.only:
        return True
    return any(
        "*" in pattern.partition("/")[0]
        or "?" in pattern.partition("/")[0]
        or "[" in pattern.partition("/")[0]
        or pattern.partition("/")[0] == kind
        for pattern in options.only
    )


def show_slot(kind: str, stem: str, slot: Any, names: Names) -> Iterator[resources.Made]:
    """The files of the resource in a slot, by their paths in the folder."""
    return show_resource(kind, stem, resource_of(slot), name_of(slot), names)


def show_resource(
    kind: str, stem: str, resource: Any, name: str, names: Names
) -> Iterator[resources.Made]:
    """The files of a resource, by their paths in the folder."""
    extra: dict[str, Any] = {}
    if unescape_name(stem) != name:
        extra["name"] = name
    if resource.version != item_version(kind, names.version):
        extra["version"] = resource.version
    for path, made in _SHOW[kind](resource, stem, extra, names):
        yield f"{kind}/{path}", made


def _show_ids(names: Names) -> dict[str, Any]:
    """The file names of each kind by id; a number stands for that many deleted resources."""
    shown: dict[str, Any] = {}
    for kind, stems in names.stems.items():
        if not stems:
            continue
        entries: list[Any] = []
        for stem in stems:
            if stem is not None:
                entries.append(stem)
            elif entries and isinstance(entries[-1], int):
                entries[-1] += 1
            else:
                entries.append(1)
        shown[kind] = entries
    return shown


def show_date(value: float) -> Any:
    """A date as the number it is, days since 30 December 1899; as bits where that fails."""
    return value if math.isfinite(value) else struct.pack(">d", value).hex()


def read_date(value: Any) -> float:
    """The date of what :func:`show_date` showed."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            pass
    if isinstance(value, str) and len(value) == 16:
        try:
            return float(struct.unpack(">d", bytes.fromhex(value))[0])
        except ValueError:
            pass
    raise FormatError(f"a date is a number of days, not {value!r:.40}")


def _dated(project: Project) -> Iterator[tuple[str, Any, str]]:
    """The dates of a project's own parts: the name in dates.json, the record, its field."""
    yield "last_changed", project.settings, "last_changed"
    if project.version >= 800:
        yield "settings", project.settings, "settings_changed"
        yield "triggers", project.triggers, "changed"
        yield "constants", project.constants, "changed"
        yield "game_information", project.information, "changed"


def _show_dates(project: Project, names: Names) -> dict[str, Any]:
    """When things were last changed: the project, and in Game Maker 8 each resource."""
    shown: dict[str, Any] = {
        name: show_date(getattr(record, field)) for name, record, field in _dated(project)
    }
    if project.version < 800:
        return shown
    for kind in kinds_of(project.version):
        dates = {
            stem: show_date(slot.changed)
            for stem, slot in zip(
                names.stems[kind.plural], kind.section(project).slots, strict=True
            )
            if stem is not None
        }
        if dates:
            shown[kind.plural] = dates
    return shown


# ---------------------------------------------------------------------------------- reading


def apply(project: Project, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
    """Change a project as the files of its folder were changed; return warnings."""
    files = Files(folder)
    names_before = Names.of(project)
    slots_before = {kind: list(slots) for kind, slots in slots_of(project).items()}
    names = in_file(IDS, lambda: _new_names(files, names_before, slots_before, IDS in changes))
    renamed = _renamed(names_before, names)
    everything = _ids_moved(names_before, names)
    changed = {unit for path in changes if (unit := unit_of(path)) is not None}
    made: dict[str, list[Any]] = {}
    for kind, slots in slots_before.items():
        made[kind] = [
            _slot(
                files,
                kind,
                stem,
                slots[index] if index < len(slots) else None,
                names_before.stem(kind, index) == stem or (kind, index) in renamed,
                everything or (kind, stem) in changed,
                names,
            )
            for index, stem in enumerate(names.stems[kind])
        ]
    for kind, slots in made.items():
        if kind == "triggers":
            project.triggers.slots = slots
        else:
            BY_PLURAL[kind].section(project).slots = slots
    for part in PARTS:
        if everything or any(part.reads(path) for path in changes):
            read_part(part, project, files, names)
    if DATES in changes:
        in_file(DATES, lambda: _read_dates(files.object(DATES), project, names))
    if LEFT_OVER in changes:
        in_file(LEFT_OVER, lambda: read_left_over(files.object(LEFT_OVER), project, names))
    if TREE in changes:
        project.tree = in_file(TREE, lambda: read_tree(files.array(TREE), project, names))
    _follow(
        project,
        slots_before,
        made,
        tree_given=TREE in changes,
        ids_given=PROJECT in changes and PROJECT in files,
    )
    resources = {kind: [resource_of(slot) for slot in slots] for kind, slots in made.items()}
    kept = {
        (kind, index)
        for kind, found in resources.items()
        for index, resource in enumerate(found)
        if resource is not None
    }
    return files.warnings + dangling(names_before, names, resources, kept) + _strangers(files)


def _renamed(before: Names, now: Names) -> set[tuple[str, int]]:
    """The resources that kept their id but not their file name, which goes on to mean them.

    So a file that still refers to one by the old name is understood.
    """
    renamed = set()
    for kind, stems in before.stems.items():
        for index, old in enumerate(stems):
            new = now.stem(kind, index)
            if old is None or new is None or old in now.ids[kind] or new in before.ids[kind]:
                continue
            now.ids[kind][old] = index
            renamed.add((kind, index))
    return renamed


def _new_names(files: Files, before: Names, slots: Mapping[str, list[Any]], listed: bool) -> Names:
    """The resources there are files of: in the order of ids.json, or as before, then new ones."""
    names = Names(before.version)
    plain = files.object(IDS) if listed else {}
    for kind in slots:
        present = {
            stem
            for (unit_kind, stem), paths in files.units.items()
            if unit_kind == kind and _is_resource(kind, stem, paths)
        }
        order = _read_ids(plain.get(kind, []), kind) if listed else before.stems[kind]
        if not listed:
            new_names = _new_names_of(files, kind, before, slots[kind], present)
            order = [new_names.get(stem, stem) for stem in order]
        stems = [stem if stem in present else None for stem in order]
        stems += sorted(present.difference(stem for stem in stems if stem is not None))
        names.put_stems(kind, stems)
    return names


def _new_names_of(
    files: Files, kind: str, before: Names, slots: list[Any], present: set[str]
) -> dict[str | None, str]:
    """The new file names of resources whose files were renamed and are otherwise as before."""
    added = sorted(present.difference(before.ids[kind]))
    new_names: dict[str | None, str] = {}
    for index, stem in enumerate(before.stems[kind]):
        if stem is None or stem in present or not added:
            continue
        old = {
            path.removeprefix(f"{kind}/{stem}"): cache(made)  # several may be compared with it
            for path, made in show_slot(kind, stem, slots[index], before)
        }
        for candidate in added:
            ends = {
                path: path.removeprefix(f"{kind}/{candidate}")
                for path in sorted(files.units[kind, candidate], reverse=True)  # pictures last
            }
            if kind in WITH_FOLDERS and len(ends) != len(old):
                continue
            if all(end in old and files.bytes(path) == old[end]() for path, end in ends.items()):
                new_names[stem] = candidate
                added.remove(candidate)
                break
    return new_names


def _is_resource(kind: str, stem: str, paths: list[str]) -> bool:
    """Do these files make a resource?  A sound alone, say, does not; it may belong to another."""
    if kind in _MAIN or main_path(kind, stem) in paths:
        return True
    return kind == "backgrounds" and f"{kind}/{stem}.png" in paths


def _read_ids(plain: Any, kind: str) -> list[str | None]:
    if not isinstance(plain, list):
        raise FormatError("a list is expected", path=kind)
    stems: list[str | None] = []
    seen: set[str] = set()
    for index, entry in enumerate(plain):
        if isinstance(entry, str) and entry not in seen:
            seen.add(entry)
            stems.append(entry)
        elif isinstance(entry, int) and 0 <= entry <= 1 << 20 and len(stems) < 1 << 22:
            stems += [None] * entry
        else:
            raise FormatError("a name, once, or a number of gaps is expected").within(kind, index)
    return stems


def _ids_moved(before: Names, now: Names) -> bool:
    """Has a resource another id than before?  Then everything that refers to it is read again."""
    return any(
        now.ids[kind].get(stem, index) != index
        for kind, ids in before.ids.items()
        if kind in now.ids
        for stem, index in ids.items()
    )


def _slot(
    files: Files,
    kind: str,
    stem: str | None,
    before: Any,
    same: bool,
    changed: bool,
    names: Names,
) -> Any:
    slot_class = TriggerSlot if kind == "triggers" else BY_PLURAL[kind].slot
    if stem is None:
        return before if before is not None and not before.exists else slot_class()
    base = before if same else None
    if base is not None and not changed:
        return base
    resource, name = read_resource(
        files, kind, stem, None if base is None else resource_of(base), names
    )
    if kind == "triggers":
        resource.name = name
        slot: Any = TriggerSlot(exists=1, trigger=resource)
    else:
        slot = BY_PLURAL[kind].slot(exists=1, name=name)
        slot.resource = resource
        slot.changed = 0.0 if base is None else base.changed
    if base is not None:
        slot.exists, slot.kept, slot.rest = base.exists, base.kept, base.rest
    return slot


def read_resource(files: Files, kind: str, stem: str, before: Any, names: Names) -> tuple[Any, str]:
    """The resource of its files, and its name; what was there ``before`` gives what they don't."""
    main = main_path(kind, stem)
    described = main if main.endswith(".json") else f"{kind}/{stem}.json"
    if kind in _MAIN:
        described = f"{main}/{_MAIN[kind]}"

    def read() -> tuple[Any, str]:
        plain = files.object(described)
        name = plain.pop("name", unescape_name(stem))
        if not isinstance(name, str):
            raise FormatError("a name is expected", path="name")
        version = plain.pop("version", item_version(kind, names.version))
        if not isinstance(version, int) or version not in _known_versions(kind):
            raise FormatError(f"{version!r:.20} is no version of it", path="version")
        was = before if before is not None and before.version == version else None
        resource = _READ[kind](files, stem, plain, version, names, was)
        resource.version = version
        return resource, name

    result: tuple[Any, str] = in_file(described, read)
    return result


def _known_versions(kind: str) -> set[int]:
    """The version numbers that resources of a kind can have."""
    slot = TriggerSlot if kind == "triggers" else BY_PLURAL[kind].slot
    codec = next(field.codec for field in fields_of(slot) if isinstance(field.codec, Versioned))
    return set(codec.by_version)


def _read_dates(plain: dict[str, Any], project: Project, names: Names) -> None:
    for name, record, field in _dated(project):
        if name in plain:
            setattr(record, field, read_date(plain[name]))
    if project.version < 800:
        return
    for kind in kinds_of(project.version):
        dates = plain.get(kind.plural, {})
        if not isinstance(dates, dict):
            raise FormatError("an object is expected", path=kind.plural)
        for stem, value in dates.items():
            index = names.ids[kind.plural].get(stem)
            if index is not None:
                kind.section(project).slots[index].changed = read_date(value)


def _follow(
    project: Project,
    before: Mapping[str, list[Any]],
    now: dict[str, list[Any]],
    *,
    tree_given: bool,
    ids_given: bool,
) -> None:
    """Keep what repeats the resources in step: tree, room order, the last ids.

    What was just read from a file is right as it is; only the tree may have left something out.
    """
    keep_in_step(project, {} if tree_given else before, now)
    if ids_given:
        return
    old = {index for index, slot in enumerate(before["rooms"]) if slot.exists}
    new = {index for index, slot in enumerate(now["rooms"]) if slot.exists}
    order = [room for room in project.room_order.rooms if room in new or room not in old]
    if order or not old:
        order += sorted(new - old - set(order))
    project.room_order.rooms = order
    for field, last in (("instances", "last_instance_id"), ("tiles", "last_tile_id")):
        highest = _highest(now["rooms"], field)
        if highest > _highest(before["rooms"], field):
            setattr(project, last, max(getattr(project, last), highest))


def _highest(slots: list[Any], field: str) -> int:
    return max(
        (item.id for slot in slots if slot.exists for item in getattr(slot.resource, field)),
        default=0,
    )


def _strangers(files: Files) -> list[str]:
    """Warnings for files that nothing reads."""
    lonely = [
        path
        for (kind, stem), paths in files.units.items()
        for path in paths
        if kind in FLAT and not _is_resource(kind, stem, paths) and not _is_named(files, kind, path)
    ]
    own = {IDS, DATES, TREE, LEFT_OVER}
    strangers = [
        path
        for path in files.others
        if path not in own and not any(part.reads(path) for part in PARTS)
    ]
    return [
        f"{path} belongs to nothing in the project, and was passed over"
        for path in sorted([*strangers, *lonely])
    ]


def _is_named(files: Files, kind: str, path: str) -> bool:
    """Does the JSON of some resource of the kind name this file?"""
    name = path.rpartition("/")[2]
    return any(
        name in (files.object(other).get("file"), files.object(other).get("image"))
        for (unit_kind, stem), paths in files.units.items()
        if unit_kind == kind
        for other in paths
        if other == f"{kind}/{stem}.json"
    )
