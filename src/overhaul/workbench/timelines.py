"""The moments of a timeline: moved, added and removed with their code, as changes of plain files.

In a data.win a timeline's JSON lists its moments, each with the entry of its code; in a project of
Game Maker 5 to 8.1 a moment is a folder or a file of code, called by its step.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, cast

import msgspec

from overhaul.document.names import escape_name
from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import read_json
from overhaul.mods.renaming import name_of
from overhaul.mods.view import FileView
from overhaul.workbench.forms import Mistyped, written_as

STEP: Final = "step:"
NEW: Final = "new"
_LATEST: Final = (1 << 31) - 1
_CODE: Final = ".gml"
_OWN: Final = re.compile(r"(\d{1,10})(?:\.gml|/.*)")


class Moment(msgspec.Struct, frozen=True):
    """A moment: its step, and the file of its code; "" where it has none of its own, and actions
    of other kinds."""

    step: int
    code: str
    files: list[str] = []


def moments_in(view: FileView, unit: str) -> list[Moment]:
    """The moments of a timeline, in the order of its file, or of their steps."""
    listed = _listed(view, unit)
    if listed is not None:
        return [Moment(_step_of(moment), _code_of(view, moment)) for moment in listed]
    found: dict[int, list[str]] = {}
    for path in view.files:
        own = _OWN.fullmatch(path[len(unit) + 1 :]) if path.startswith(f"{unit}/") else None
        if own is not None:
            found.setdefault(int(own[1]), []).append(path)
    return [
        Moment(step, next((path for path in files if path.endswith(_CODE)), ""), sorted(files))
        for step, files in sorted(found.items())
    ]


def has_moments(view: FileView, unit: str) -> bool:
    """Whether moments can be added: the timeline has files in one of the two forms."""
    return _listed(view, unit) is not None or f"{unit}/timeline.json" in view


def _listed(view: FileView, unit: str) -> list[dict[str, object]] | None:
    """The list of moments in the JSON of a timeline; None for one in folders."""
    path = f"{unit}.json"
    if path not in view:
        return None
    value = read_json(view.read(path), path)
    moments = value.get("moments") if isinstance(value, dict) else None
    if not isinstance(moments, list) or not all(isinstance(moment, dict) for moment in moments):
        return [] if isinstance(value, dict) and "moments" not in value else None
    return cast("list[dict[str, object]]", moments)


def _step_of(moment: Mapping[str, object]) -> int:
    step = moment.get("step", 0)
    return step if isinstance(step, int) else 0


def _code_of(view: FileView, moment: Mapping[str, object]) -> str:
    """The file of a moment's code: of its only action that has one."""
    actions = moment.get("actions")
    names = [
        action.get("code")
        for action in (actions if isinstance(actions, list) else ())
        if isinstance(action, dict) and action.get("code")
    ]
    path = f"code/{escape_name(str(names[0]))}{_CODE}" if len(names) == 1 else ""
    return path if path and path in view else ""


# ----------------------------------------------------------------------------------------- edits


def edited(view: FileView, unit: str, given: Mapping[str, str]) -> dict[str, bytes | None]:
    """The changes of a form: ``step:0`` is the step of the first moment, ``do`` is ``add`` (at
    the step ``new``) or ``remove:0``. Raises Mistyped and WorkspaceError."""
    moments = moments_in(view, unit)
    steps = [
        _number(given[f"{STEP}{at}"], f"{STEP}{at}") if f"{STEP}{at}" in given else moment.step
        for at, moment in enumerate(moments)
    ]
    do, _, which = given.get("do", "").partition(":")
    gone: int | None = None
    if do == "remove":
        gone = _number(which, which)
        if gone >= len(moments):
            raise WorkspaceError(f"there is no moment {gone}")
    elif do not in ("", "add"):
        raise WorkspaceError(f"{do[:20]!r} can't be done with a moment")
    new = _number(given.get(NEW, ""), NEW) if do == "add" else None
    left = [step for at, step in enumerate(steps) if at != gone]
    twice = _twice([*left, *([] if new is None else [new])])
    if twice is not None:
        raise Mistyped(NEW if new == twice else "", f"two moments are at the step {twice}")
    if _listed(view, unit) is not None:
        return _in_file(view, unit, steps, gone, new)
    return _in_folders(view, unit, steps, gone, new)


def _twice(steps: Iterable[int]) -> int | None:
    seen: set[int] = set()
    for step in steps:
        if step in seen:
            return step
        seen.add(step)
    return None


def _number(text: str, pointer: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= _LATEST):
        raise Mistyped(pointer, f"{text[:40]!r} is not a step: a whole number from 0")
    return int(text)


def _in_file(
    view: FileView, unit: str, steps: list[int], gone: int | None, new: int | None
) -> dict[str, bytes | None]:
    path = f"{unit}.json"
    data = view.read(path)
    value = read_json(data, path)
    assert isinstance(value, dict)
    before = _listed(view, unit) or []
    changes: dict[str, bytes | None] = {}
    made = [{**each, "step": step} for each, step in zip(before, steps, strict=True)]
    if gone is not None:
        code = _code_of(view, made[gone])
        del made[gone]
        if code and all(_code_of(view, each) != code for each in made):
            changes[code] = None
    if new is not None:
        name = _new_name(view, name_of(unit))
        action: dict[str, object] = {}
        models = [
            each for moment in before for each in cast("list[object]", moment.get("actions") or [])
        ]
        if models and isinstance(models[0], dict) and models[0].get("code"):
            action = json.loads(json.dumps(models[0]))
        made.append({"step": new, "actions": [{**action, "code": name}]})
        changes[f"code/{escape_name(name)}{_CODE}"] = f"// step {new}\n".encode()
    made.sort(key=_step_of)
    return {path: written_as({**value, "moments": made}, data), **changes}


def _new_name(view: FileView, name: str) -> str:
    number = 0
    while f"code/{escape_name(f'Timeline_{name}_{number}')}{_CODE}" in view:
        number += 1
    return f"Timeline_{name}_{number}"


def _in_folders(
    view: FileView, unit: str, steps: list[int], gone: int | None, new: int | None
) -> dict[str, bytes | None]:
    removed: dict[str, bytes | None] = {}
    added: dict[str, bytes | None] = {}
    for at, moment in enumerate(moments_in(view, unit)):
        if at == gone or steps[at] != moment.step:
            removed |= dict.fromkeys(moment.files)
        if at != gone and steps[at] != moment.step:
            old = f"{unit}/{moment.step}"
            for path in moment.files:
                added[f"{unit}/{steps[at]}{path[len(old) :]}"] = view.read(path)
    if new is not None:
        added[f"{unit}/{new}{_CODE}"] = b"\n"
    return removed | added
