"""The kinds of resources a game has, as its attributes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.sprites import Sprites

T = TypeVar("T")


class Kind(Generic[T]):
    """An attribute that is the list of one kind, made when it is first asked for."""

    def __init__(self, home: str) -> None:
        self.home = home

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, game: Any, owner: type) -> T:
        module, _, made = self.home.partition(":")
        home = import_module(f"overhaul.gamemaker.data.resources.{module}")
        found = game.__dict__[self.name] = getattr(home, made)(game)
        return cast(T, found)


class ResourceAttributes:
    """The resources of a game: ``game.sprites["spr_player"]``, ``game.rooms[0]``, ..."""

    sprites: Kind[Sprites] = Kind("sprites:Sprites")
