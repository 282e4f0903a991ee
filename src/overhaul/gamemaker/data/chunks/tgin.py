"""TGIN and EMBI: texture groups, and the images that the runner itself draws with."""

import enum
from typing import Annotated

from overhaul.gamemaker.data.fields import (
    BackgroundRef,
    FontRef,
    ItemRef,
    SpriteRef,
    StringRef,
    TextureRef,
)
from overhaul.gamemaker.data.version import before, since
from overhaul.schema import Deferred, Inline, Pointers, Record, enum32, u32


class LoadType(enum.IntEnum):
    """Where the textures of a group are."""

    IN_FILE = 0
    SEPARATE_GROUP = 1
    SEPARATE_TEXTURES = 2


class TextureGroup(Record):
    """A texture group: its pages, and what is drawn from them."""

    name: StringRef = None
    directory: Annotated[StringRef, since(2022, 9)] = None
    extension: Annotated[StringRef, since(2022, 9)] = None
    load_type: Annotated[int, enum32(LoadType, "i"), since(2022, 9)] = 0
    pages: Annotated[list[TextureRef], Deferred(Inline())] = []
    sprites: Annotated[list[SpriteRef], Deferred(Inline())] = []
    spine_sprites: Annotated[list[SpriteRef], Deferred(Inline()), before(2023, 1, lts=True)] = []
    fonts: Annotated[list[FontRef], Deferred(Inline())] = []
    tilesets: Annotated[list[BackgroundRef], Deferred(Inline())] = []


class TextureGroupList(Record):
    """All texture groups."""

    version: Annotated[u32, "1"] = 1
    groups: Annotated[list[TextureGroup], Pointers()] = []


class EmbeddedImage(Record):
    """An image the runner itself draws with."""

    name: StringRef = None
    image: ItemRef = None


class EmbeddedImageList(Record):
    """All embedded images."""

    version: Annotated[u32, "1"] = 1
    images: Annotated[list[EmbeddedImage], Inline()] = []
