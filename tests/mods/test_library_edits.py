"""Mods of games of several releases that were changed through the library: each of its verbs is a
mod by name, and mods of different verbs go together in any order."""

from __future__ import annotations

import io
import itertools
import os
import random
import wave
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

import overhaul
from modded_games import BLUE, RED, picture, verified
from overhaul import mods
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.blank import blank_game
from overhaul.media import png

Verb = Callable[[GameData], object]
FULL = os.environ.get("OVERHAUL_FULL") == "1"
RELEASES = ("1.4.1757", "2.2.5", "2.3.1", "2023.4", "2024.13")


def wav(value: int, samples: int = 50) -> bytes:
    """A sound of one value."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22050)
        file.writeframes(value.to_bytes(2, "little") * samples)
    return out.getvalue()


def image(colour: tuple[int, int, int, int]) -> Image.Image:
    return png.to_image(png.decode(picture(colour)))


@cache
def base(release: str) -> bytes:
    """A game of some objects, pictures, sounds and a room."""
    with GameData.from_bytes(blank_game({"version": release}).to_bytes()) as game:
        for name in ("spr_hero", "spr_wall"):
            game.sprites.add(name, frames=[image(BLUE), image(RED)])
        game.sounds.add("snd_jump", wav(1))
        game.sounds.add("snd_land", wav(2))
        hero = game.objects.add("obj_hero", sprite="spr_hero")
        hero.events["Create_0"] = "hp = 10;\nif (hp < 0) {\n    hp = 0;\n}\nspeed = 2;"
        hero.events["Step_0"] = "x += 1;"
        game.objects.add("obj_wall", sprite="spr_wall")
        hero.events["Collision_obj_wall"] = "instance_destroy(other);\nsound = snd_land;"
        room = game.rooms.add("rm_start", width=320, height=192)
        for x in (16, 48):
            room.instances.add("obj_wall", x=x, y=8)
        return game.to_bytes()


def _first_line(game: GameData) -> None:
    code = game.objects["obj_hero"].events["Create_0"]
    code.gml = "lives = 3;\n" + code.gml


def _last_line(game: GameData) -> None:
    game.objects["obj_hero"].events["Create_0"].append("score = 1;")


def _new_event(game: GameData) -> None:
    game.objects["obj_wall"].events["Draw_0"] = 'draw_text(x, y, "wall");'


def _no_event(game: GameData) -> None:
    del game.objects["obj_hero"].events["Step_0"]


def _field(game: GameData) -> None:
    game.objects["obj_hero"].visible = False


def _room_field(game: GameData) -> None:
    game.rooms["rm_start"].width = 640


def repaint(game: GameData, at: tuple[int, int]) -> None:
    frame = game.sprites["spr_hero"].frames[0]
    picture = frame.image
    assert picture is not None
    picture.putpixel(at, RED)
    frame.image = picture


def _frame(game: GameData) -> None:
    repaint(game, (1, 1))


def _same_frame_elsewhere(game: GameData) -> None:
    repaint(game, (6, 6))


def _sound(game: GameData) -> None:
    game.sounds["snd_jump"].replace(wav(3, 70))


def _new_sound(game: GameData) -> None:
    game.sounds.add("snd_new", wav(4))


def _script(game: GameData) -> None:
    body = "return argument0 * 2;"
    at_least_2_3 = game.release.at_least(2, 3)
    game.scripts.add("scr_twice", f"function scr_twice() {{ {body} }}" if at_least_2_3 else body)


def _ghost(game: GameData) -> None:
    game.sprites.add("spr_ghost", frames=[image(RED)], origin=(4, 4))
    ghost = game.objects.add("obj_ghost", sprite="spr_ghost")
    ghost.events["Create_0"] = "image_alpha = 0.5;"
    game.rooms["rm_start"].instances.add(ghost, x=40, y=24)


def _bat(game: GameData) -> None:
    game.sprites.add("spr_bat", frames=[image(BLUE)])
    bat = game.objects.add("obj_bat", sprite="spr_bat", parent="obj_wall")
    game.rooms["rm_start"].instances.add(bat, x=80, y=24)


def _rename(game: GameData) -> None:
    game.objects["obj_wall"].name = "obj_stone"


def _rename_sprite(game: GameData) -> None:
    game.sprites["spr_hero"].name = "spr_player"


def _remove_sound(game: GameData) -> None:
    game.sounds.remove("snd_land", force=True)


#: What the library does to a game; no two touch the same thing.
VERBS: dict[str, Verb] = {
    "first line": _first_line,
    "last line": _last_line,
    "new event": _new_event,
    "no event": _no_event,
    "field": _field,
    "room field": _room_field,
    "frame": _frame,
    "the same frame elsewhere": _same_frame_elsewhere,
    "sound": _sound,
    "new sound": _new_sound,
    "script": _script,
    "sprite, object, instance": _ghost,
    "another sprite, object, instance": _bat,
    "rename": _rename,
    "rename a sprite": _rename_sprite,
    "remove a sound": _remove_sound,
}


@cache
def edited(release: str, *verbs: str) -> bytes:
    with overhaul.open_game(base(release)) as game:
        for verb in verbs:
            VERBS[verb](game)
        return game.to_bytes()


@cache
def mod(release: str, verb: str) -> mods.Mod:
    return mods.load(mods.make(base(release), edited(release, verb), name=verb).to_bytes())


def is_like(game: bytes, wanted: bytes) -> bool:
    """Whether two games are the same but for what follows from the order of their edits: that of
    new resources, the ids of new instances, the name of code that is new in a renamed object."""
    follows = {"order.json", "texture_groups.json", "rooms/rm_start.json"}
    follows.add("code/gml_Object_obj_stone_Draw_0")
    placed = []
    for each in (game, wanted):
        with overhaul.open_game(each) as opened:
            room = opened.rooms["rm_start"]
            found = sorted((str(item.object), item.x, item.y) for item in room.instances)
            placed.append((room.width, found))
    return placed[0] == placed[1] and {c.path for c in mods.diff(game, wanted).changes} <= follows


@pytest.mark.sampled(3)
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("verb", VERBS)
def test_what_a_verb_does_is_a_mod(release: str, verb: str) -> None:
    game, wanted = base(release), edited(release, verb)
    assert mods.diff(game, wanted)
    result = mods.apply(game, [mod(release, verb)], accept_renumbering=verb in IN_DOUBT)
    assert result.conflicts == []
    assert result.data == wanted


#: after which a number in code (``sound = 1``) may be what was removed: nothing shows it
IN_DOUBT = {"remove a sound"}
PAIRS = [(release, *pair) for release in RELEASES for pair in itertools.combinations(VERBS, 2)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("release", "one", "two"), PAIRS if FULL else random.Random(12).sample(PAIRS, 40)
)
def test_mods_of_two_verbs_go_together(release: str, one: str, two: str) -> None:
    game, first, second = base(release), mod(release, one), mod(release, two)
    accept = bool({one, two} & IN_DOUBT)
    result = mods.apply(game, [first, second], accept_renumbering=accept)
    assert result.conflicts == []
    assert mods.apply(game, [second, first], accept_renumbering=accept).data == result.data
    assert is_like(result.data, edited(release, one, two))
    verified(result.data)
    for each in ([first], [second], [first, second]):
        again = mods.apply(result.data, each, accept_renumbering=accept)
        assert again.conflicts or again.data == result.data


@pytest.mark.parametrize("release", RELEASES)
def test_all_verbs_together(release: str) -> None:
    game, made = base(release), [mod(release, verb) for verb in VERBS]
    result = mods.apply(game, made, accept_renumbering=True)
    assert result.conflicts == []
    assert mods.apply(game, made[::-1], accept_renumbering=True).data == result.data
    assert is_like(result.data, edited(release, *VERBS))
    verified(result.data)


def test_games_are_paths_folders_or_documents(tmp_path: Path) -> None:
    release, verb = RELEASES[-1], "sprite, object, instance"
    game, wanted = base(release), edited(release, verb)
    path, folder = tmp_path / "data.win", tmp_path / "game"
    path.write_bytes(game)
    overhaul.unpack(wanted, folder)
    with overhaul.open_game(path) as old, overhaul.open_game(path) as new:
        assert not mods.diff(old, new)
        VERBS[verb](new)
        found = [mods.diff(one, two) for one in (path, old) for two in (folder, new)]
        assert [each.changes for each in found] == [found[0].changes] * 4
        assert found[0]
        made = mods.make(old, new, name=verb)
        made.save(tmp_path / "mod.zip")
        assert mods.load(tmp_path / "mod.zip").to_bytes() == made.to_bytes()
        results = [mods.apply(each, [made]) for each in (old, path, game)]
        assert [result.data for result in results] == [wanted] * 3
        assert mods.apply(new, [made]).data == wanted
        assert mods.apply(old, []).data == game
        update = edited(release, "first line")
        carried = mods.rebase(made, old, update)
        assert carried.left_out == []
        assert mods.apply(update, [carried]).data == mods.apply(update, [made]).data
