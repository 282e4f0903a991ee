"""Files of resources from a game of another release: without what this one can't have."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Final

from overhaul.document.format_parts import OtherVersions
from overhaul.document.protocol import Document
from overhaul.findings import Findings, warning
from overhaul.folder.json_fields import json_bytes, read_object, wide
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.converting import mask_of_other_size
from overhaul.gamemaker.data.sprite_shape import SHAPE, expects_sequence, size_of_masks
from overhaul.gamemaker.data_folder.kinds import kinds_of
from overhaul.gamemaker.data_folder.names import ReferenceNames, is_number
from overhaul.gamemaker.data_folder.resource import JsonObject
from overhaul.gamemaker.data_folder.sounds import SOUNDS
from overhaul.gamemaker.data_folder.sprites import SPRITES, mask_png
from overhaul.lazy import LazyModule
from overhaul.media import masks
from overhaul.schema.fitting import leave_out

if TYPE_CHECKING:
    from PIL import Image
else:  # start-up: Pillow
    Image = LazyModule("PIL.Image")

#: the details of a sprite that the release decides
_OF_RELEASE = ("sub_version", "sequence")


class GameVersions(OtherVersions):
    """How resources come into games of other releases."""

    def adapted(
        self, path: str, read: Callable[[str], bytes], source: Document, target: Document
    ) -> bytes:
        """A file of a resource of one game as another game has it: collision masks of the bounding
        box (2024.6 and later) or of the whole sprite, and sprites with a sequence of their frames
        or not.
        """
        data = read(path)
        stem = SPRITES.stem_of(path)
        if not stem or not isinstance(source, GameData) or not isinstance(target, GameData):
            return data
        place = SPRITES.json_path(stem)
        if path == place and source.release != target.release:
            return _sprite_json(data, path, target)
        if not path.startswith(f"{SPRITES.folder}/{stem}/mask_"):
            return data
        values = read_object(read(place), place)
        shape = Sprite()
        for name in SHAPE:
            setattr(shape, name, _number(values.get(name)))
        before, after = size_of_masks(source, shape), size_of_masks(target, shape)
        if before == after or not all(before) or not all(after):
            return data
        with Image.open(BytesIO(data), formats=["PNG"]) as image:
            packed = masks.pack(masks.from_image(image))
        return mask_png(mask_of_other_size(packed, shape, before, after), *after)

    def fitted(self, path: str, data: bytes, target: Document) -> tuple[bytes, Findings]:
        """A file of a new resource as a game takes it, and warnings: fields that its release lacks
        are left out, and a sound whose audio group it lacks is in the first one."""
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


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _sprite_json(data: bytes, path: str, target: GameData) -> bytes:
    values = read_object(data, path)
    details = values.get("details")
    if not isinstance(details, dict):
        return data
    keeps = expects_sequence(target, Sprite(sub_version=3))
    left = {key: value for key, value in details.items() if key not in _OF_RELEASE or keeps}
    if left == details:
        return data
    values = {key: value for key, value in values.items() if key != "details"}
    return json_bytes(values | ({"details": left} if left else {}), wide)


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


VERSIONS: Final = GameVersions()
