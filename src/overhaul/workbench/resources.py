"""Resources as a whole: added, renamed, duplicated, removed, copied, as changes of plain files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from overhaul.document.names import escape_name
from overhaul.errors import WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.json_fields import read_json
from overhaul.folder.packing import Built
from overhaul.mods.applying import apply_to
from overhaul.mods.building import rename_files, view_of
from overhaul.mods.copying import gathered, with_its_code
from overhaul.mods.renaming import name_of
from overhaul.mods.view import FileView
from overhaul.workbench.forms import written_as

TYPE_CHECKING = False

#: Files that change, by path; None: it is removed.
Changes: TypeAlias = "dict[str, bytes | None]"
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,200}")


def unit_of(view: FileView, path: str) -> str:
    """The resource that a file or folder is: the path of its folder, or of its files without their
    ending.  Raises WorkspaceError where it is none that has files of its own."""
    units = view.resources_in(path.partition("/")[0])
    unit = units.get(path, path)
    if "/" not in unit or unit not in units.values():
        raise WorkspaceError(f"{path} is not of one resource, which could be renamed or removed")
    return unit


def checked_name(name: str) -> str:
    """A name for a resource.  Raises WorkspaceError for what can be none."""
    name = name.strip()
    if not _NAME.fullmatch(name) or name in (".", ".."):
        raise WorkspaceError(f"{name[:40]!r} can't be the name of a resource")
    return name


def _place(view: FileView, unit: str, name: str) -> str:
    """Where a resource is under another name.  Raises WorkspaceError where that is taken."""
    place = f"{unit.rpartition('/')[0]}/{escape_name(checked_name(name))}"
    if place.casefold() in {resource.casefold() for resource in view.resources().values()} - {
        unit.casefold()
    }:
        raise WorkspaceError(f"{place} is there already")
    return place


def renamed(view: FileView, unit: str, name: str) -> Changes:
    """The edit that renames a resource; packing follows its name elsewhere."""
    place = _place(view, unit, name)
    if place == unit:
        raise WorkspaceError(f"it is called {name} already")
    changes = rename_files(view, {unit: place})
    changes.update(_renumbered(view, changes, unit, name, same=True))
    return changes


def duplicated(view: FileView, unit: str, name: str) -> Changes:
    """The edit that adds a copy of a resource, with its code, under another name."""
    _place(view, unit, name)
    mod, _ = gathered(view, view, [_glob(unit)], rename={name_of(unit): checked_name(name)})
    changes: Changes = dict(mod.added)
    changes.update(_renumbered(view, changes, unit, name, same=False))
    return changes


def _glob(unit: str) -> str:
    """A glob that matches one resource."""
    return re.sub(r"([\[*?])", r"[\1]", unit)


def _renumbered(
    view: FileView, changes: Mapping[str, bytes | None], unit: str, name: str, *, same: bool
) -> Iterator[tuple[str, bytes]]:
    """The JSON of resources that have their name, and perhaps their number, in them."""
    for path, data in changes.items():
        if data is None or not path.endswith(".json"):
            continue
        value = read_json(data, path)
        if not isinstance(value, dict):
            continue
        # an item of Adventure Game Studio has its script name in Name, a character in ScriptName
        key = "ScriptName" if "ScriptName" in value else "Name"
        if key not in value or (key == "Name" and "ID" not in value):
            continue
        made = {**value, key: checked_name(name)}
        if not same and isinstance(value.get("ID"), int):
            made["ID"] = 1 + max(_numbers(view, unit.rpartition("/")[0]), default=-1)
        yield path, written_as(made, data)


def _numbers(view: FileView, folder: str) -> Iterator[int]:
    for path in view.files:
        if path.rpartition("/")[0] == folder and path.endswith(".json"):
            value = read_json(view.read(path), path)
            number = value.get("ID") if isinstance(value, dict) else None
            if isinstance(number, int):
                yield number


def removed(view: FileView, unit: str) -> Changes:
    """The edit that removes a resource, with its code."""
    units = with_its_code(view, unit)
    return {path: None for path, owner in view.resources().items() if owner in units}


def kinds_to_add(view: FileView) -> Mapping[str, str]:
    """The kinds of resources that can be added, by what people call them: what a new one needs."""
    return view.format.additions.kinds(view.document)


def added(view: FileView, kind: str, name: str) -> Changes:
    """The edit that adds a new resource of a kind. Raises WorkspaceError."""
    if kind not in view.format.additions.kinds(view.document):
        raise WorkspaceError(f"resources of the kind {kind[:40]!r} can't be added here")
    if view.format.edits_files:
        changes, _ = view.format.changes_of(view.reopen(), "add", kind, "", checked_name(name))
        return dict(changes)
    files = view.format.additions.new_files(view.document, kind, checked_name(name))
    for path in files:
        if path in view:
            raise WorkspaceError(f"{path} is there already")
    return dict(files)


def copied(
    source: FileView, target: FileView, unit: str, *, everything: bool, name: str = ""
) -> tuple[Changes, Findings]:
    """The edit that puts a resource of another game into one, and warnings. ``everything``: also
    what it names. Raises WorkspaceError for conflicts, and what :func:`overhaul.mods.copy`
    raises."""
    rename = {name_of(unit): checked_name(name)} if name else None
    mod, findings = gathered(
        source, target, [_glob(unit)], with_dependencies=everything, rename=rename
    )
    result = apply_to(target, [mod])
    if result.conflicts:
        raise WorkspaceError("\n".join(str(conflict) for conflict in result.conflicts[:10]))
    return dict(mod.added), findings


def spread(view: FileView, built: Built, source: str | None) -> Changes:
    """All plain files that differ in a game that was built: for a folder, whose files say what
    packing follows by itself in a file."""
    made = view_of(built, source)
    changes: Changes = {path: None for path in view.files if path not in made.files}
    for path, file in made.files.items():
        data = file.read()
        if path not in view.files or view.files[path].read() != data:
            changes[path] = data
    return changes
