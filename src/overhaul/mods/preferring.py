"""Parts of mods that give way to a preferred mod: one removes what the other changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from overhaul.mods.modfile import Mod
from overhaul.mods.patches import Patch, ValuePatch
from overhaul.mods.renames import moved_path
from overhaul.mods.renaming import code_of, name_of
from overhaul.mods.values import NOTHING, Op, Step, mark_of, read_value, text_of
from overhaul.mods.view import FileView
from overhaul.sequences import Hunk


@dataclass
class LeftOut:
    """The parts that one mod leaves out: its changes at ``paths`` of plain files, and the removal
    of
    ``names`` from other files, as the resources of these names stay."""

    paths: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)


def left_out(
    view: FileView, mods: Sequence[Mod], names: Sequence[Mapping[str, str]], preferred: Set[int]
) -> list[LeftOut]:
    """The parts that each mod leaves out, as it removes a resource that a preferred mod changes, or
    changes one that a preferred mod removes.  ``names``: for each mod, new names by the names that
    the mod has."""
    result = [LeftOut() for _ in mods]
    files: dict[str, set[str]] = {}
    for path, place in view.resources().items() if preferred else ():
        files.setdefault(place, set()).add(path)
    for place, paths in files.items():
        heads = (f"{place}/", f"{place}.", code_of(place) or "\0")
        touched = [
            {
                changed
                for changed in mod.paths()
                if moved_path(changed, names[owner]).startswith(heads)
            }
            for owner, mod in enumerate(mods)
        ]
        removing = {
            owner
            for owner, mod in enumerate(mods)
            if paths <= {moved_path(changed, names[owner]) for changed in mod.removed}
        }
        changing = {owner for owner, changed in enumerate(touched) if changed} - removing
        for mine, others in ((removing, changing), (changing, removing)):
            if mine & preferred and not others & preferred:
                for owner in others:
                    result[owner].paths |= touched[owner]
                    if others is removing:
                        result[owner].names |= _known_as(place, names[owner])
    return result


def _known_as(place: str, names: Mapping[str, str]) -> set[str]:
    """The names of a resource: in the game, and where a mod knows it by another one."""
    return {name_of(place), *(name_of(old) for old, new in names.items() if new == place)}


def keep_names(patch: Patch, names: Set[str], path: str, view: FileView) -> Patch:
    """A patch of a JSON file without the changes that only remove names."""
    if not names or not isinstance(patch, ValuePatch) or path not in view:
        return patch
    value = read_value(path, view.read(path))
    return patch._replace(ops=[op for op in patch.ops if not _takes_out(op, names, value)])


def _takes_out(op: Op, names: Set[str], value: object) -> bool:
    """Whether a change only removes the name of a resource."""
    if op.kind == "items" and isinstance(op.now, Hunk):
        kept = [text_of(name) for name in names]
        return not op.now.new and all(any(name in old for name in kept) for old in op.now.old)
    if op.kind == "set":
        return op.now in (None, NOTHING, "") and _mentions(op.at[-1:], op.was, names)
    return op.kind == "remove" and _mentions((), _at(value, op.at), names)


def _mentions(keys: Sequence[Step], value: object, names: Set[str]) -> bool:
    """Whether keys (``Collision_obj_wall`` too) or a value name a resource."""
    if isinstance(value, dict):
        keys = (*keys, *value)
    words = {word for key in keys if isinstance(key, str) for word in (key, key.partition("_")[2])}
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (
        bool(words & names)
        or (isinstance(value, str) and value in names)
        or any(_mentions((), item, names) for item in inner)
    )


def _at(value: object, at: Sequence[Step]) -> object:
    """The value at a path; NOTHING if there is none."""
    for step in at:
        if isinstance(step, Mapping):
            key, mark = next(iter(step.items()), ("", None))
            items = value if isinstance(value, list) else ()
            value = next((item for item in items if mark_of(item, key) == mark), NOTHING)
        elif isinstance(step, str):
            value = value.get(step, NOTHING) if isinstance(value, dict) else NOTHING
        else:
            value = value[step] if isinstance(value, list) and step < len(value) else NOTHING
    return value
