"""Files of new resources from a game of another release: without what this one can't have."""

from __future__ import annotations

from overhaul.document.protocol import Document
from overhaul.findings import Findings, warning
from overhaul.folder.json_fields import json_bytes, read_object, wide
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.kinds import kinds_of
from overhaul.gamemaker.data_folder.names import ReferenceNames, is_number
from overhaul.gamemaker.data_folder.resource import JsonObject
from overhaul.gamemaker.data_folder.sounds import SOUNDS
from overhaul.schema.fitting import leave_out


def fitted(path: str, data: bytes, target: Document) -> tuple[bytes, Findings]:
    """A file of a new resource as a game takes it, and warnings: fields that its release lacks are
    left out, and a sound whose audio group it lacks is in the first one."""
    if not path.endswith(".json") or not isinstance(target, GameData):
        return data, Findings()
    for kind in kinds_of(target.release):
        stem = kind.stem_of(path)
        if stem is None or kind.json_path(stem) != path:
            continue
        values = read_object(data, path)
        why = f"is left out: GameMaker {target.version} has no such field"
        findings = Findings(
            warning("unsupported", f"{place} {why}", path)
            for part in _parts(values)
            for place in leave_out(kind.record, part, ReferenceNames(target).scheme)
        )
        if kind is SOUNDS:
            findings += _in_first_group(path, values, target)
            if findings:
                _as_new(values)
        if not values.get("details", True):
            del values["details"]
        fits = json_bytes(values, wide)
        return (data, Findings()) if values == read_object(data, path) else (fits, findings)
    return data, Findings()


def _parts(values: JsonObject) -> list[JsonObject]:
    """The objects of a resource's JSON that have fields of its record."""
    details = values.get("details")
    return [values, details] if isinstance(details, dict) else [values]


def _as_new(values: JsonObject) -> None:
    """Leave to the game what describes the bytes of a sound: older releases name their type."""
    if values.get("type", "") is None:
        del values["type"]
    for part in _parts(values):
        part.pop("audio", None)


def _in_first_group(path: str, values: JsonObject, target: GameData) -> Findings:
    """Let a sound be in the first audio group where its own is not in a game."""
    group = values.get("group")
    if group is None or is_number(group):
        return Findings()
    try:
        target.records.audio_groups.index(str(group))
    except KeyError:
        del values["group"]
        message = f"the game has no audio group {group!r}: the sound is in the first one"
        return Findings([warning("left-out", message, path, "group")])
    return Findings()
