"""The kinds of resources that need no more than a name and their record."""

from __future__ import annotations

from overhaul.gamemaker.data.chunks.bgnd import Background as BackgroundRecord
from overhaul.gamemaker.data.chunks.tgin import TextureGroup as TextureGroupRecord
from overhaul.gamemaker.data.resources.base import Resource, Resources


class Background(Resource[BackgroundRecord]):
    """A background, or since GameMaker 2 a tile set."""

    __slots__ = ()
    chunk = "BGND"


class Backgrounds(Resources[Background]):
    """The backgrounds of a game."""

    resource = Background


class TextureGroup(Resource[TextureGroupRecord]):
    """A texture group."""

    __slots__ = ()
    chunk = "TGIN"


class TextureGroups(Resources[TextureGroup]):
    """The texture groups of a game."""

    resource = TextureGroup
