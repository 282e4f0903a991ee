"""The kinds of resources a game has, as its attributes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from overhaul.gamemaker.data.chunks import CHUNKS

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.backgrounds import (
        Backgrounds,
        EmbeddedImages,
    )
    from overhaul.gamemaker.data.resources.code import Codes, Scripts
    from overhaul.gamemaker.data.resources.curves import AnimationCurves, Paths
    from overhaul.gamemaker.data.resources.edits import Edits
    from overhaul.gamemaker.data.resources.extensions import Extensions
    from overhaul.gamemaker.data.resources.fonts import Fonts
    from overhaul.gamemaker.data.resources.objects import GameObjects, Timelines
    from overhaul.gamemaker.data.resources.particles import ParticleEmitters, ParticleSystems
    from overhaul.gamemaker.data.resources.rooms import Rooms
    from overhaul.gamemaker.data.resources.sequences import Sequences
    from overhaul.gamemaker.data.resources.shaders import Shaders
    from overhaul.gamemaker.data.resources.sounds import AudioGroups, Sounds
    from overhaul.gamemaker.data.resources.sprites import Sprites
    from overhaul.gamemaker.data.resources.texture_groups import TextureGroups

T = TypeVar("T")
#: attributes that are called otherwise than the list of records
_NAMED = {"curves": "animation_curves"}


class Made(Generic[T]):
    """An attribute that is made when it is first asked for."""

    def __init__(self, home: str) -> None:
        self.home = home

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, game: Any, owner: type) -> T:
        module, _, made = self.home.partition(":")
        home = import_module(f"overhaul.gamemaker.data.resources.{module}")
        found = game.__dict__[self.name] = getattr(home, made)(game)
        return cast("T", found)


class Kind(Made[T]):
    """An attribute that is the list of one kind of resource."""


class ResourceAttributes:
    """The resources of a game: ``game.sprites["spr_player"]``, ``game.rooms[0]``, ...

    The lists are ``sprites``, ``sounds``, ``backgrounds``, ``tile_sets``, ``paths``, ``scripts``,
    ``shaders``, ``fonts``, ``timelines``, ``objects``, ``rooms``, ``sequences``,
    ``animation_curves``, ``extensions``, ``particle_systems``, ``emitters``, ``audio_groups``,
    ``texture_groups``, ``embedded_images`` and ``code``.  ``edit`` makes several changes as one.
    """

    sprites: Kind[Sprites] = Kind("sprites:Sprites")
    sounds: Kind[Sounds] = Kind("sounds:Sounds")
    backgrounds: Kind[Backgrounds] = Kind("backgrounds:Backgrounds")
    tile_sets: Kind[Backgrounds] = Kind("backgrounds:Backgrounds")
    paths: Kind[Paths] = Kind("curves:Paths")
    scripts: Kind[Scripts] = Kind("code:Scripts")
    shaders: Kind[Shaders] = Kind("shaders:Shaders")
    fonts: Kind[Fonts] = Kind("fonts:Fonts")
    timelines: Kind[Timelines] = Kind("objects:Timelines")
    objects: Kind[GameObjects] = Kind("objects:GameObjects")
    rooms: Kind[Rooms] = Kind("rooms:Rooms")
    sequences: Kind[Sequences] = Kind("sequences:Sequences")
    animation_curves: Kind[AnimationCurves] = Kind("curves:AnimationCurves")
    extensions: Kind[Extensions] = Kind("extensions:Extensions")
    particle_systems: Kind[ParticleSystems] = Kind("particles:ParticleSystems")
    emitters: Kind[ParticleEmitters] = Kind("particles:ParticleEmitters")
    audio_groups: Kind[AudioGroups] = Kind("sounds:AudioGroups")
    texture_groups: Kind[TextureGroups] = Kind("texture_groups:TextureGroups")
    embedded_images: Kind[EmbeddedImages] = Kind("backgrounds:EmbeddedImages")
    code: Kind[Codes] = Kind("code:Codes")
    edit: Made[Edits] = Made("edits:Edits")


def list_of(kind: str) -> str:
    """The attribute that lists the resources of a kind (as ``ls`` calls it); empty for a kind
    that has none."""
    for chunk in CHUNKS.values():
        known = (chunk.title or chunk.attribute.replace("_", " ")) == kind
        name = _NAMED.get(chunk.attribute, chunk.attribute)
        if known and isinstance(vars(ResourceAttributes).get(name), Kind):
            return name
    return ""
