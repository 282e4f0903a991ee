"""Blank games of every generation: ``from small_games import blank, game_of, again``."""

from __future__ import annotations

from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.objt import GameObject, Timeline
from overhaul.gamemaker.data.chunks.room import Room
from overhaul.gamemaker.data.game import GameData
from per_file import per_file


@per_file
def blank(version: str) -> bytes:
    """A blank game of a release as bytes, made once."""
    return blank_game({"version": version}).to_bytes()


def game_of(version: str) -> GameData:
    """A game with an object, a room and a timeline, and no code."""
    game = GameData.from_bytes(blank(version))
    game.load_all()
    add = game.strings.add
    events = 15 if game.release.major >= 2 else 12
    for name in ("obj_a", "obj_a_b"):
        game.records.objects.append(GameObject(add(name), events=[[] for _ in range(events)]))
    game.records.rooms.append(Room(add("rm_first")))
    game.records.timelines.append(Timeline(add("tm_day")))
    game.language.forget()
    return game


def again(game: GameData) -> GameData:
    """The game written and read."""
    data = game.to_bytes()
    read = GameData.from_bytes(data)
    assert read.to_bytes() == data
    assert read.warnings == []
    return read
