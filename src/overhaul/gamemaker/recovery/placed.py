"""The things placed in rooms and in the room interface: instances, sprites, sequences and texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.code import gml_of
from overhaul.gamemaker.recovery.modern import ModernDraft
from overhaul.gamemaker.recovery.objects import Variables, assignments

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.code import Code
    from overhaul.gamemaker.data.resources.layers import (
        Asset,
        ParticleAsset,
        SequenceAsset,
        SpriteAsset,
        TextAsset,
    )
    from overhaul.gamemaker.data.resources.objects import Instance

WHITE: Final = 0xFFFFFFFF
_ASSET_NAME: Final = re.compile(r"\w+\Z", re.A)
#: The beginnings of the names of assets, where a game has none; those of others are graphics.
_WORDS: Final = {"GMRTextItem": "text", "GMRParticleSystem": "particle"}


class Placed:
    """Makes what stands in a file of a project: a room, or the room interface.

    ``path`` is that of the file, ``owner`` what it is of: ids follow from that.  ``files`` are the
    sources next to it so far, ``is_lossy`` whether a part of it is lost.
    """

    def __init__(self, draft: ModernDraft, variables: Variables, path: str, owner: str) -> None:
        self.draft = draft
        self.variables = variables
        self.path = path
        self.owner = owner
        self.files: dict[str, Callable[[], bytes]] = {}
        self.is_lossy = False
        self.names: set[str] = set()

    def code(self, code: Code | None, name: str, head: str = "") -> bool:
        """Add the source of code to the files; return whether the code has one."""
        source = gml_of(self.draft, code, self.path)
        if code is not None and source is None:
            self.is_lossy = True
        text = head + (source or "")
        if text:
            self.files[name] = self.draft.source(text)
        return bool(text)

    # -- instances ---------------------------------------------------------------------------------

    def instance(self, instance: Instance, name: str) -> dict[str, Json]:
        """The members of an instance."""
        properties, head = self._properties(instance)
        has_code = self.code(instance.creation_code, f"InstanceCreationCode_{name}.gml", head)
        members = instance_members(
            self.draft.reference("object", instance.object),
            (float(instance.x), float(instance.y)),
            (float(instance.scale_x), float(instance.scale_y)),
            float(instance.rotation),
            int(instance.record.colour) & WHITE,
        )
        members |= {"properties": properties, "hasCreationCode": has_code}
        if self.draft.game.release.at_least(2, 2, 2):
            members["imageIndex"] = round(instance.image_index)
            members["imageSpeed"] = float(instance.image_speed)
        return members

    def _properties(self, instance: Instance) -> tuple[list[Json], str]:
        """The values that an instance gives to variable definitions; code for what else runs before
        it is created."""
        code = instance.pre_create_code
        if code is None:
            return [], ""
        source = gml_of(self.draft, code, self.path) or ""
        found = assignments(source)
        if found is None:
            message = "its variables are set at the head of its creation code"
            self.draft.findings.warn("approximated", message, f"{self.path}#{instance.id}")
            return [], source
        made: list[Json] = []
        left = ""
        for name, expression in found.items():
            owner = self.variables.owner(instance.object, name)
            if owner is None:
                left += f"{name} = {expression};\n"
            else:
                made.append(self.variables.override(owner, name, expression))
        return made, left

    # -- assets: the members of each, and its class ------------------------------------------------

    def sprite(self, sprite: SpriteAsset) -> dict[str, Json]:
        """The members of a sprite (GMRSpriteGraphic)."""
        return {
            **self._asset(sprite),
            "spriteId": self.draft.reference("sprite", sprite.sprite),
            "headPosition": float(sprite.image_index),
            "animationSpeed": float(sprite.image_speed),
        }

    def text(self, text: TextAsset) -> dict[str, Json]:
        """The members of a text (GMRTextItem)."""
        return {
            **self._asset(text),
            "fontId": self.draft.reference("font", text.font),
            "text": str(text.text or ""),
            "alignment": int(text.record.alignment),
            "charSpacing": float(text.character_spacing),
            "lineSpacing": float(text.line_spacing),
            "paragraphSpacing": float(getattr(text.record, "paragraph_spacing", 0.0)),
            "wrap": text.wrap,
            "frameW": float(text.frame_width),
            "frameH": float(text.frame_height),
            "xorigin": float(text.origin_x),
            "yorigin": float(text.origin_y),
        }

    def sequence(self, sequence: SequenceAsset) -> dict[str, Json]:
        """The members of a sequence (GMRSequenceGraphic)."""
        return {
            **self._asset(sequence),
            "sequenceId": self.draft.reference("sequence", sequence.sequence),
            "headPosition": float(sequence.record.frame),
            "animationSpeed": float(sequence.record.animation_speed),
        }

    def particles(self, system: ParticleAsset) -> dict[str, Json]:
        """The members of a particle system (GMRParticleSystem)."""
        reference = self.draft.reference("particle_system", system.particle_system)
        return {**self._asset(system), "particleSystemId": reference}

    def name(self, asset: Asset, kind: str, *place: object) -> str:
        """The name of an asset: its own one, or one of ``place`` where that is taken or odd."""
        name = str(asset.record.name or "")
        if not _ASSET_NAME.match(name) or name in self.names:
            word = _WORDS.get(kind, "graphic")
            name = f"{word}_{self.draft.short_id(self.owner, *place)}"
        self.names.add(name)
        return name

    def _asset(self, asset: Asset) -> dict[str, Json]:
        return {
            "scaleX": float(asset.scale_x),
            "scaleY": float(asset.scale_y),
            "rotation": float(asset.rotation),
            "colour": int(asset.record.colour) & WHITE,
            "inheritedItemId": None,
            "frozen": False,
            "ignore": False,
            "inheritItemSettings": False,
            "x": float(asset.x),
            "y": float(asset.y),
        }


def instance_members(
    kind: Json,
    at: tuple[float, float],
    scale: tuple[float, float],
    rotation: float,
    colour: int,
) -> dict[str, Json]:
    """The members of an instance of an object."""
    return {
        "properties": [],
        "isDnd": False,
        "objectId": kind,
        "inheritCode": False,
        "hasCreationCode": False,
        "colour": colour,
        "rotation": rotation,
        "scaleX": scale[0],
        "scaleY": scale[1],
        "imageIndex": 0,
        "imageSpeed": 1.0,
        "inheritedItemId": None,
        "frozen": False,
        "ignore": False,
        "inheritItemSettings": False,
        "x": at[0],
        "y": at[1],
    }


def graphic_members(
    sprite: Json,
    at: tuple[float, float],
    size: tuple[int, int],
    source: tuple[int, int],
    colour: int,
    shown: tuple[int, int] | None = None,
) -> dict[str, Json]:
    """The members of a part of a sprite: its size, where it begins in the picture, and the size
    that it is shown in."""
    width, height = size if shown is None else shown
    return {
        "spriteId": sprite,
        "w": width,
        "h": height,
        "u0": source[0],
        "v0": source[1],
        "u1": source[0] + size[0],
        "v1": source[1] + size[1],
        "colour": colour,
        "inheritedItemId": None,
        "frozen": False,
        "ignore": False,
        "inheritItemSettings": False,
        "x": at[0],
        "y": at[1],
    }
