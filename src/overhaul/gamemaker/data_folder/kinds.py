"""Every kind of file in a game's folder, named once.

A new kind of resource is a module of this package, a line in :data:`KINDS` and one in
:data:`~overhaul.gamemaker.data_folder.kind_folders.FOLDERS`; a new chunk that
is one JSON file is one line in :data:`TABLES`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder import simple, tables
from overhaul.gamemaker.data_folder.kind_folders import in_release
from overhaul.gamemaker.data_folder.objects import OBJECTS
from overhaul.gamemaker.data_folder.pictures import BACKGROUNDS, EMBEDDED_IMAGES, FONTS
from overhaul.gamemaker.data_folder.resource import ResourceFiles
from overhaul.gamemaker.data_folder.rooms import ROOMS
from overhaul.gamemaker.data_folder.simple import EXTENSIONS, SHADERS
from overhaul.gamemaker.data_folder.sounds import SOUNDS
from overhaul.gamemaker.data_folder.sprites import SPRITES
from overhaul.gamemaker.data_folder.tables import SCRIPTS

#: a kind of resource, whatever its records are
Kind: TypeAlias = ResourceFiles[Any]

#: in the order in which a game is unpacked and its references are made
KINDS: tuple[Kind, ...] = (
    SPRITES,
    BACKGROUNDS,
    SOUNDS,
    FONTS,
    OBJECTS,
    ROOMS,
    simple.PATHS,
    simple.TIMELINES,
    simple.SEQUENCES,
    simple.CURVES,
    SHADERS,
    EXTENSIONS,
    simple.EMITTERS,
    simple.SYSTEMS,
    EMBEDDED_IMAGES,
)
TABLES: tuple[tables.ChunkTable, ...] = (
    tables.GENERAL,
    tables.OPTIONS,
    tables.LANGUAGES,
    tables.AUDIO_GROUPS,
    tables.TEXTURE_GROUPS,
    SCRIPTS,
    tables.GLOBAL_INIT,
    tables.GAME_END,
    tables.TAGS,
    tables.FEATURE_FLAGS,
    tables.EFFECTS,
    tables.UI_LAYERS,
)


def kinds_of(version: Version) -> tuple[Kind, ...]:
    """The kinds of resources of a release."""
    places = [in_release(kind.at, version) for kind in KINDS]
    return tuple(
        kind if place is kind.at else replace(kind, at=place)
        for kind, place in zip(KINDS, places, strict=True)
    )
