"""Objects of GameMaker Studio 2.0 to 2.2 as 2.3 has them.

2.3 renamed members, and names resources where 2.2 had their ids. A class that is not in the
tables here has the same name in both, and the type that ``declared.tsv`` has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from overhaul.findings import Findings
from overhaul.gamemaker.ide.declared import DeclaredField, declared
from overhaul.gamemaker.ide.resources.templates import sequence_of
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.values import Json, list_at, text_at

#: No resource.
NOTHING: Final = "00000000-0000-0000-0000-000000000000"
#: The style of the first release that has names.
NAMED: Final = Style("B")
_LAYER: Final = {
    "grid_x": "gridX", "grid_y": "gridY", "userdefined_depth": "userdefinedDepth",
    "userdefined_animFPS": "userdefinedAnimFPS",
}  # fmt: skip
#: What 2.3 calls the members of a class.
_RENAMED: Final[Mapping[str, Mapping[str, str]]] = {
    "GMSprite": {
        "bboxmode": "bboxMode", "colkind": "collisionKind", "coltolerance": "collisionTolerance",
        "premultiplyAlpha": "preMultiplyAlpha",
    },
    "GMImageLayer": {"name": "displayName", "id": "name"},
    "GMSpriteFrame": {"id": "name"},
    "GMObject": {"maskSpriteId": "spriteMaskId"},
    "GMObjectProperty": {"varName": "name"},
    "GMEvent": {"IsDnD": "isDnD", "enumb": "eventNum", "eventtype": "eventType"},
    "GMScript": {"IsDnD": "isDnD", "IsCompatibility": "isCompatibility"},
    "GMExtension": {
        "packageID": "packageId", "productID": "productId", "version": "extensionVersion",
    },
    "GMExtensionConstant": {"constantName": "name"},
    "GMExtensionFrameworkEntry": {"frameworkName": "name"},
    "GMTileSet": {
        "auto_tile_sets": "autoTileSets", "sprite_no_export": "spriteNoExport",
        "tileheight": "tileHeight", "tilewidth": "tileWidth", "tile_animation": "tileAnimation",
        "tile_animation_frames": "tileAnimationFrames",
        "tile_animation_speed": "tileAnimationSpeed",
    },
    "GMSound": {"kind": "compression", "audioGroupGuid": "audioGroupId"},
    "GMRoom": {"IsDnD": "isDnd", "parentId": "parentRoom"},
    "GMRInstance": {
        "IsDnD": "isDnd", "objId": "objectId", "m_originalParentID": "inheritedItemId",
        "creationCodeFile": "hasCreationCode",
    },
    "GMRSpriteGraphic": {"frameIndex": "headPosition", "m_originalParentID": "inheritedItemId"},
    "GMRView": {"objId": "objectId"},
    "GMRoomPhysicsSettings": {"PhysicsWorldPixToMeters": "PhysicsWorldPixToMetres"},
    "GMTextureGroup": {"groupName": "name", "scaled": "isScaled"},
    "GMAudioGroup": {"groupName": "name"},
}  # fmt: skip
#: What is of the editor alone, or is said by other members.
_OWN: Final = frozenset({
    "id", "modelName", "mvc", "__type", "m_owner", "m_parentID", "m_serialiseFrozen",
    "m_originalParentID", "hierarchyVisible", "SpriteId", "FrameId", "LayerId",
    "name_with_no_file_rename", "creationCodeType", "prev_tileheight", "prev_tilewidth",
    "SerialiseData", "AnimationCreationOrder", "resourceFilter", "image", "textureGroup", "hsnap",
    "vsnap", "configDeltas", "configDeltaFiles", "originLocked", "sepmasks", "xorig", "yorig",
    "playbackSpeed", "playbackSpeedType", "instanceCreationOrderIDs", "compositeImage", "images",
    "extensionName", "order", "userdefined_animFPS", "animationFPS", "animationSpeedType",
    "exportToGame", "supportedTargets", "glyphs", "ranges", "inheritSubLayers",
    "inheritVisibility",
})  # fmt: skip
#: Classes of 2.2 whose objects have none in 2.3.
_STRUCTURES: Final = (
    "GMRView", "GMRoomSettings", "GMRoomViewSettings", "GMRoomPhysicsSettings", "GMGlyph",
    "GMKerningPair", "GMPathPoint", "GMPoint",
)  # fmt: skip
#: The members that 2.3 has in addition.
_ADDED: Final[Mapping[str, Mapping[str, Json]]] = {
    "GMEvent": {"name": ""},
    "GMExtension": {
        "androidcodeinjection": "", "tvosCocoaPods": "", "hasConvertedCodeInjection": True,
        "iosCocoaPodDependencies": "", "ioscodeinjection": "", "iosCocoaPods": "",
        "tvosCocoaPodDependencies": "", "tvoscodeinjection": "",
    },
    "GMExtensionFile": {"name": "", "order": []},
    "GMFont": {"regenerateBitmap": False, "canGenerateBitmap": True},
    "GMObjectProperty": {"filters": []},
    "GMOverriddenProperty": {"name": ""},
    "GMRInstance": {"frozen": False},
    "GMRSpriteGraphic": {"frozen": False, "animationSpeed": 1.0, "headPosition": 0.0},
    "GMRoom": {"volume": 1.0, "sequenceId": None},
    "GMSound": {"duration": 0.0},
}  # fmt: skip
_VERSION: Final = ("major", "minor", "build", "revision")
_COLOUR: Final = "Value"
_SEPARATE: Final = 4


@dataclass
class Ids:
    """The meaning of a project's ids: each a name, and the path of its file.

    ``resources`` are those that the project lists, ``parts`` instances of rooms and variables of
    objects, ``groups`` texture and audio groups.
    """

    resources: dict[str, tuple[str, str]] = field(default_factory=dict)
    parts: dict[str, tuple[str, str]] = field(default_factory=dict)
    groups: dict[str, tuple[str, str]] = field(default_factory=dict)

    def find(self, key: str) -> dict[str, Json] | None:
        """A reference to what an id stands for; None for nothing."""
        for known in (self.resources, self.parts, self.groups):
            if key in known:
                name, path = known[key]
                return {"name": name, "path": path}
        return None


class Renaming:
    """The objects of one file on their way; ``path`` is that of the file."""

    def __init__(self, ids: Ids, path: str, findings: Findings) -> None:
        self._ids = ids
        self._path = path
        self._findings = findings

    def object(self, value: dict[str, Json], hint: str = "") -> Json:
        """An object as 2.3 has it; ``hint`` is its place in the class around it."""
        if value.keys() == {_COLOUR}:
            return value[_COLOUR]
        if value.keys() == set(_VERSION):
            return ".".join(str(value[part]) for part in _VERSION)
        kind = class_of(value)
        place = hint if not kind or kind in _STRUCTURES else kind
        made = self._members(value, kind, place)
        if kind and kind not in _STRUCTURES:
            for key, item in _ADDED.get(kind, {}).items():
                made.setdefault(key, item)
            made["resourceType"] = kind
        special = _SPECIAL.get(kind)
        if special is not None:
            special(self, value, made)
        return made

    def _members(self, value: dict[str, Json], kind: str, place: str) -> dict[str, Json]:
        names = _LAYER if kind.startswith("GMR") and kind.endswith("Layer") else {}
        names = {**names, **_RENAMED.get(kind, {})}
        fields = declared().get(place, {})
        made: dict[str, Json] = {}
        for key, item in value.items():
            new = names.get(key, key)
            if key in _OWN and key not in names:
                continue
            known = fields.get(new)
            if fields and (known is None or known.letters == "A"):
                if item not in (None, "", [], False, 0, NOTHING):
                    message = f"2.3 has no {key} of {kind or place}: {item!r} is left out"
                    self._findings.warn("not-in-release", message, self._path, key)
                continue
            made[new] = self._field(item, known, f"{place}.{new}")
        return made

    def _field(self, item: Json, known: DeclaredField | None, hint: str) -> Json:
        types = known.types if known is not None else ()
        if isinstance(item, list):
            return [self._field(each, None, f"{hint}[]") for each in item]
        if isinstance(item, dict):
            return self.object(item, hint)
        if isinstance(item, str) and ("reference" in types or item == NOTHING):
            return self.reference(item, hint)
        if "real" in types and isinstance(item, int) and not isinstance(item, bool):
            return float(item)
        return [] if item is None and "list" in types else item

    def reference(self, key: str, hint: str) -> Json:
        """A reference in the place of an id."""
        found = self._ids.find(key)
        if found is None and key not in ("", NOTHING):
            message = f"nothing has the id {key}, which is left out"
            self._findings.warn("missing-name", message, self._path, hint)
        return found

    # -- classes whose objects have another form -----------------------------------------------

    def sprite(self, value: dict[str, Json], made: dict[str, Json]) -> None:
        """Speed and origin are of the sequence that 2.3 gives a sprite."""
        if value.get("sepmasks") is True and value.get("colkind") == 0:
            made["collisionKind"] = _SEPARATE
        speed = value.get("playbackSpeed")
        given: dict[str, Json] = {
            "playbackSpeed": float(speed) if isinstance(speed, int | float) else 0.0,
            "playbackSpeedType": value.get("playbackSpeedType", 0),
            "xorigin": value.get("xorig", 0),
            "yorigin": value.get("yorig", 0),
            "lockOrigin": value.get("originLocked") is True,
        }
        frames = [text_at(row, "id") for row in list_at(value, "frames")]
        name = text_at(value, "name")
        made["sequence"] = sequence_of(NAMED, name, self._path, frames, given)

    def room(self, value: dict[str, Json], made: dict[str, Json]) -> None:
        """Instances are in the order of their creation by their names."""
        order = [
            self.reference(str(key), "instanceCreationOrderIDs")
            for key in list_at(value, "instanceCreationOrderIDs")
        ]
        made["instanceCreationOrder"] = [each for each in order if each is not None]

    def instance(self, value: dict[str, Json], made: dict[str, Json]) -> None:
        """An instance has code if it names a file of it."""
        made["hasCreationCode"] = bool(value.get("creationCodeFile"))

    def font(self, value: dict[str, Json], made: dict[str, Json]) -> None:
        """Glyphs are known by their characters."""
        glyphs: dict[str, Json] = {}
        for row in list_at(value, "glyphs"):
            glyph = row.get("Value") if isinstance(row, dict) else None
            if isinstance(row, dict) and isinstance(glyph, dict):
                glyphs[str(row.get("Key"))] = self.object(glyph, "GMFont.glyphs.#")
        made["glyphs"] = glyphs
        made["ranges"] = [
            {"lower": row.get("x"), "upper": row.get("y")}
            for row in list_at(value, "ranges")
            if isinstance(row, dict)
        ]


_SPECIAL: Final[Mapping[str, Callable[[Renaming, dict[str, Json], dict[str, Json]], None]]] = {
    "GMSprite": Renaming.sprite,
    "GMRoom": Renaming.room,
    "GMRInstance": Renaming.instance,
    "GMFont": Renaming.font,
}


def class_of(value: dict[str, Json]) -> str:
    """The class that an object of 2.2 says it is of; "" for one that says none."""
    return text_at(value, "modelName") or text_at(value, "__type").partition("_Model:")[0]
