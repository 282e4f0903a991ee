"""The documents in a package are compared and changed as documents."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from ags_games import package, room
from modded_games import changed, field, plain, swap
from overhaul import mods
from overhaul.ags.library.package import Package
from overhaul.media import png
from overhaul.mods.patches import LinePatch, PicturePatch, ValuePatch, WholePatch
from overhaul.mods.view import opened
from per_file import per_file

GAME = package(rooms=3)
ROOM = "rooms/1"
ROOM_JSON = f"{ROOM}/room.json"
OTHER = "rooms/2/room.json"


def named(text: str) -> Callable[[str], str]:
    return swap("the door", text)


def lit(text: str) -> str:
    """A room whose object is on."""
    shown = json.loads(text)
    shown["Objects"][0]["Visible"] = True
    return json.dumps(shown)


def painted() -> bytes:
    """The walkable areas with a pixel more."""
    indices, palette = png.decode_indexed(plain(GAME, f"{ROOM}/walkable.png"))
    indices = indices.copy()
    indices[0, 0] ^= 1
    return png.encode_indexed(np.ascontiguousarray(indices), palette)


@per_file
def gate_game() -> bytes:
    return changed(GAME, {ROOM_JSON: named("the gate")})


@per_file
def lit_game() -> bytes:
    return changed(GAME, {ROOM_JSON: lit})


@per_file
def painted_game() -> bytes:
    return changed(GAME, {f"{ROOM}/walkable.png": painted()})


@per_file
def both_game() -> bytes:
    return changed(GAME, {ROOM_JSON: named("the gate"), OTHER: named("the hatch")})


def made(new: bytes, name: str = "mod") -> mods.Mod:
    return mods.load(made_file(new, name))


@per_file
def made_file(new: bytes, name: str) -> bytes:
    return mods.make(GAME, new, name=name).to_bytes()


def without(game: bytes, name: str) -> bytes:
    found = Package.read(game)
    found.remove(name)
    return found.to_bytes()


def with_asset(game: bytes, name: str, data: bytes) -> bytes:
    found = Package.read(game)
    found.replace(name, data)
    return found.to_bytes()


def test_a_change_in_a_room_is_reported_in_its_own_terms() -> None:
    (change,) = mods.diff(GAME, gate_game()).changes
    assert (change.kind, change.path) == ("changed", ROOM_JSON)
    assert change.lines() == ['Hotspots[ID=1].Description: "the door" → "the gate"']
    (change,) = mods.diff(GAME, lit_game()).changes
    assert change.path == ROOM_JSON
    assert change.lines() == ["Objects[Description=a lamp].Visible: false → true"]


@pytest.mark.parametrize(
    ("only", "paths"),
    [
        (["rooms/*.json"], [ROOM_JSON, OTHER]),
        ([ROOM], [ROOM_JSON]),
        ([ROOM_JSON], [ROOM_JSON]),
        (["rooms/2/*"], [OTHER]),
        (["*.png"], []),
        (["package.json"], []),
    ],
)
def test_only_some_files_inside_are_compared(only: list[str], paths: list[str]) -> None:
    assert [change.path for change in mods.diff(GAME, both_game(), only=only).changes] == paths


@pytest.mark.parametrize("changes", [gate_game, lit_game, painted_game, both_game])
def test_a_mod_makes_of_the_game_what_it_was_made_of(changes: Callable[[], bytes]) -> None:
    new = changes()
    mod = made(new)
    assert mod.left_out == []
    assert all(path.count("/") >= 2 for path in mod.paths())
    assert not any(isinstance(patch, WholePatch) for patch in mod.patches.values())
    assert mods.apply(GAME, [mod]).data == new
    assert mods.apply(new, [mod]).data == new
    assert len(mod.to_bytes()) < 4000


def test_patches_are_of_what_the_files_inside_are() -> None:
    script = changed(GAME, {f"{ROOM}/script.asm": lambda text: text + "\n"})
    assert script == GAME  # a blank line says nothing
    assert isinstance(made(lit_game()).patches[ROOM_JSON], ValuePatch)
    mask = made(painted_game()).patches[f"{ROOM}/walkable.png"]
    assert isinstance(mask, PicturePatch | WholePatch)
    spoken = changed(GAME, {f"{ROOM}/script.asm": swap(': "A door opens"', ': "A gate opens"')})
    assert isinstance(made(spoken).patches[f"{ROOM}/script.asm"], LinePatch)
    assert mods.apply(GAME, [made(spoken), made(lit_game())]).data == changed(
        spoken, {ROOM_JSON: lit}
    )


def test_mods_of_one_room_go_together() -> None:
    all_three = [
        made(gate_game(), "gate"),
        made(lit_game(), "lit"),
        made(painted_game(), "painted"),
    ]
    result = mods.apply(GAME, all_three)
    assert result.conflicts == []
    assert result.data == mods.apply(GAME, all_three[::-1]).data
    expected = {ROOM_JSON: lambda text: lit(named("the gate")(text))}
    assert result.data == changed(painted_game(), expected)
    assert result.changed == [ROOM_JSON, f"{ROOM}/walkable.png"]


def test_a_conflict_names_the_file_inside() -> None:
    on = changed(GAME, {ROOM_JSON: swap('"Visible": false', '"Visible": 3')})
    result = mods.apply(GAME, [made(lit_game(), "lit"), made(on, "on")])
    (conflict,) = result.conflicts
    assert (conflict.path, conflict.place) == (ROOM_JSON, "Objects[Description=a lamp].Visible")
    assert sorted(conflict.mods) == ["lit", "on"]
    assert result.data == b""
    resolved = mods.apply(GAME, [made(lit_game(), "lit"), made(on, "on")], prefer=["lit"])
    assert resolved.data == lit_game()
    given = plain(on, ROOM_JSON)
    chosen = mods.apply(GAME, [made(lit_game(), "lit"), made(on, "on")], resolve={ROOM_JSON: given})
    assert chosen.data == on


def test_what_is_replaced_by_one_and_changed_by_another_is_a_conflict() -> None:
    removed = without(GAME, "room1.crm")
    gone = made(removed, "gone")
    assert ROOM_JSON in gone.removed
    assert mods.apply(GAME, [gone]).data == removed
    result = mods.apply(GAME, [gone, made(lit_game(), "lit"), made(painted_game(), "painted")])
    json_file, mask = result.conflicts
    reason = "it is removed and changed by different mods"
    assert (mask.path, mask.reason) == (f"{ROOM}/walkable.png", reason)
    assert (json_file.path, json_file.reason) == (ROOM_JSON, reason)
    assert sorted(mask.mods) == ["gone", "painted"]
    assert result.data == b""
    replaced = with_asset(GAME, "room1.crm", b"something else")
    whole = made(replaced, "whole")
    assert whole.added == {"assets/room1.crm": b"something else"}
    assert mods.apply(GAME, [whole]).data == replaced
    (conflict,) = mods.apply(GAME, [whole, made(lit_game(), "lit")]).conflicts
    assert (conflict.path, conflict.reason) == (ROOM_JSON, reason)
    other = made(changed(GAME, {OTHER: named("the hatch")}), "other")
    assert mods.apply(GAME, [whole, other]).conflicts == []


def test_an_error_inside_names_the_file_as_the_mod_does() -> None:
    result = mods.apply(GAME, [made(lit_game())], resolve={ROOM_JSON: b'{"hotspots": 3}'})
    (conflict,) = result.conflicts
    assert conflict.path == ROOM_JSON
    assert "expected" in conflict.reason
    result = mods.apply(
        GAME, [made(lit_game())], resolve={f"{ROOM}/script.asm": b"  no such thing\n"}
    )
    assert [each.path for each in result.conflicts] == [f"{ROOM}/script.asm"]


def test_a_room_of_another_version_is_changed() -> None:
    old = Package.read(GAME)
    old.replace("room1.crm", room(32).to_bytes())
    mod = made(old.to_bytes())
    assert [*mod.patches] == [ROOM_JSON]
    assert mods.apply(GAME, [mod]).data == old.to_bytes()
    (change,) = mods.diff(GAME, old.to_bytes()).changes
    assert change.lines() == ["version: 33 → 32"]


def test_files_of_no_known_kind_are_compared_as_a_whole() -> None:
    one, two = (with_asset(GAME, "room3.crm", data) for data in (b"what is this", b"and this"))
    (change,) = mods.diff(one, two).changes
    assert change.path == "assets/room3.crm"
    with opened(one) as view:
        assert view.part("assets/room3.crm") is None
        assert view.part("package.json") is None
        assert view.part("assets/room9.crm") is None
        assert f"{ROOM}/room.json" in view
        assert f"{ROOM}/nothing.json" not in view
        assert "assets/room3.crm/room.json" not in view
        with pytest.raises(KeyError):
            view.read(f"{ROOM}/nothing.json")


def test_a_mod_of_a_room_is_carried_over() -> None:
    mod = made(lit_game(), "lit")
    update = changed(GAME, {ROOM_JSON: named("the gate"), OTHER: named("the hatch")})
    carried = mods.rebase(mod, GAME, update)
    assert carried.left_out == []
    assert mods.apply(update, [carried]).data == changed(update, {ROOM_JSON: lit})
    gone = mods.rebase(mod, GAME, without(GAME, "room1.crm"))
    assert [conflict.path for conflict in gone.left_out] == [ROOM_JSON]


def test_a_field_inside_is_removed_and_added() -> None:
    more = changed(GAME, {ROOM_JSON: field("Messages", [])})
    assert mods.apply(GAME, [made(more)]).data == more
    back = mods.make(more, GAME, name="back")
    assert mods.apply(more, [back]).data == GAME
