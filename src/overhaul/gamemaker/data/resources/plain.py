"""The kinds of resources that need no more than a name and their record."""

from __future__ import annotations

from overhaul.gamemaker.data.chunks.bgnd import Background as BackgroundRecord
from overhaul.gamemaker.data.resources.base import Resource, Resources


class Background(Resource[BackgroundRecord]):
    """A background, or since GameMaker 2 a tile set."""

    __slots__ = ()
    chunk = "BGND"


class Backgrounds(Resources[Background]):
    """The backgrounds of a game."""

    resource = Background
