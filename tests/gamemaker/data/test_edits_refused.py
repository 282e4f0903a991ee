"""Edits of the tables of a folder that mean nothing, or that the layout of the file forbids."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from edit_law.edits import dump, load
from edit_law.subject import Subject
from edited_games import edited, made, packed, shown, unpacked
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.code import SourceFile
from overhaul.media import png

VERSION = "2.3.2"


def place(plain: Any, keys: tuple[Any, ...], value: Any) -> Any:
    *outer, last = keys
    inner = plain
    for key in outer:
        inner = inner[key]
    inner[last] = value
    return plain


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ({"sprites": ["spr_wall", "spr_none"]}, "sprites: there is no sprite 'spr_none'"),
        ({"sprites": ["spr_wall"]}, "sprites: 'spr_player' is missing"),
        ({"sprites": []}, "sprites: 'spr_player' is missing"),
        ({"sprites": ["spr_wall", "spr_player", "spr_wall"]}, "sprites: 'spr_wall' occurs twice"),
        ({"things": []}, "there are no 'things' in a game"),
        ({"sprites": 5}, "sprites: expected a list, got 5"),
        ({"sprites": [5]}, "sprites: expected a text, got 5"),
        ([], "expected an object, got a list"),
    ],
)
def test_an_order_names_what_is_there(order: object, message: str) -> None:
    with pytest.raises(WorkspaceError, match=f"order.json: {message}"):
        edited(packed(VERSION), {"order.json": order})


def test_an_order_needs_no_new_names() -> None:
    removed = {path: None for path in unpacked(packed(VERSION)) if "/spr_player/" in path}
    changes: dict[str, Any] = {
        "order.json": {
            "sprites": ["spr_wall", "spr_player"],
            "objects": ["obj_wall", "obj_player"],
        },
        "sprites/spr_a/sprite.json": {},
    }
    game, _ = edited(packed(VERSION), changes)
    assert game.records.sprites.names() == ["spr_wall", "spr_player", "spr_a"]
    assert game.records.objects.names() == ["obj_wall", "obj_player"]
    game, _ = edited(packed(VERSION), changes | removed)
    assert game.records.sprites.names() == ["spr_wall", "spr_a"]


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("textures.json", ("odd",)),
        ("textures.json", ("pages", 0, "odd")),
        ("textures.json", ("items", 1, "odd")),
        ("code.json", ("odd",)),
        ("code.json", ("dialect", "odd")),
        ("code.json", ("entries", "any", "odd")),
    ],
)
def test_a_key_that_means_nothing(path: str, keys: tuple[Any, ...]) -> None:
    plain = json.loads(unpacked(packed(VERSION), "gml")[path])
    plain.setdefault("entries", {}).setdefault("any", {}) if path == "code.json" else None
    words = r"\.".join(map(str, keys)).replace(r"\.0", r"\[0\]").replace(r"\.1", r"\[1\]")
    with pytest.raises(WorkspaceError, match=f"{path}: {words}: there is no such key"):
        edited(packed(VERSION), {path: place(plain, keys, 1)}, code="gml")


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("general.json", ("bytecode",)),
        ("general.json", ("major",)),
        ("general.json", ("minor",)),
        ("general.json", ("release",)),
        ("general.json", ("build",)),
        ("options.json", ("details", "marker")),
        ("options.json", ("details", "version")),
    ],
)
def test_what_says_the_layout_stays(path: str, keys: tuple[str, ...]) -> None:
    plain = shown(packed(VERSION), path)
    value = plain[keys[0]] if len(keys) == 1 else plain[keys[0]][keys[1]]
    with pytest.raises(WorkspaceError, match=rf"{path}: {keys[-1]}: .* it stays {value}"):
        edited(packed(VERSION), {path: place(plain, keys, value + 1)})


def test_groups_of_one_name_are_two() -> None:
    groups = [{"name": "one"}, {"name": "two"}]
    data = edited(packed(VERSION), {"texture_groups.json": groups})[0].to_bytes()
    game, _ = edited(data, {"texture_groups.json": [{"name": "two"}, {"name": "two"}]})
    assert game.records.texture_groups.names() == ["two", "two"]
    assert game.records.texture_groups[0] is not game.records.texture_groups[1]
    turned = [{"name": "two"}, {"name": "one"}]
    assert edited(data, {"texture_groups.json": turned})[0].records.texture_groups.names() == [
        "two",
        "one",
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [(123456, "expected the name of a code entry, got 123456"), ("gml_none", "no .* 'gml_none'"),
     ({"constructor": None, "odd": 1}, "odd: there is no such key")],
)  # fmt: skip
def test_a_script_has_the_code_of_a_name(value: object, message: str) -> None:
    with pytest.raises(WorkspaceError, match=f"scripts.json.* scr.*{message}"):
        edited(packed(VERSION), {"scripts.json": {"scr_new": value}})


@pytest.mark.parametrize(
    ("path", "left"),
    [("sprites/spr_wall/sprite.json", "sprites/spr_wall/0.png"),
     ("sounds/snd_jump.json", "sounds/snd_jump.wav")],
)  # fmt: skip
def test_a_resource_goes_with_all_of_its_files(path: str, left: str) -> None:
    with pytest.raises(WorkspaceError, match=f"{path}: it is missing, but {left} is there"):
        edited(packed(VERSION), {path: None})


def test_a_grey_mask_is_reported() -> None:
    path = "sprites/spr_player/mask_0.png"
    data = packed(VERSION)
    mask = png.to_image(png.decode(unpacked(data)["sprites/spr_player/0.png"])).convert("L")
    for level, reports in ((0, False), (255, False), (200, True)):
        out = BytesIO()
        mask.point([level] * 256).save(out, "PNG")
        _, warnings = edited(data, {path: out.getvalue()})
        assert [f"{path}: some pixels are neither" in text for text in warnings] == [True] * reports


@pytest.mark.parametrize(
    ("version", "keys", "value", "message"),
    [
        ("1.0.0.1600", ("pages", 0, "generated_mips"), 1, "games of 1.0.0.1600 do not have it"),
        ("2.3.2", ("pages", 0, "generated_mips"), 1, ""),
        ("2.3.2", ("items", 0, "page"), 7, "expected a page's number"),
        ("2.3.2", ("items", 0, "page"), -1, "expected a page's number"),
        ("2.3.2", ("items", 0, "page"), None, "expected a page's number"),
    ],
)
def test_values_of_texture_pages(
    version: str, keys: tuple[Any, ...], value: object, message: str
) -> None:
    plain = place(shown(packed(version), "textures.json"), keys, value)
    if not message:
        game, _ = edited(packed(version), {"textures.json": plain})
        assert game.textures[0].generated_mips == value
        return
    where = rf"textures.json: {keys[0]}\[0\].{keys[2]}: {message}"
    with pytest.raises(WorkspaceError, match=where):
        edited(packed(version), {"textures.json": plain})


def test_layers_have_names() -> None:
    plain = shown(packed(VERSION), "rooms/rm_first.json")
    plain["layers"].append({"type": "instances", "id": 7})
    with pytest.raises(WorkspaceError, match=r"rm_first.json: layers\[1\].name: a layer needs a"):
        edited(packed(VERSION), {"rooms/rm_first.json": plain})
    plain["layers"][1]["name"] = "Instances"
    with pytest.raises(WorkspaceError, match=r"layers\[1\].name: .* name 'Instances' too"):
        edited(packed(VERSION), {"rooms/rm_first.json": plain})
    plain["layers"].append({"name": "Other", "type": "instances", "id": 8})
    plain["layers"][1]["name"] = "Other"  # no instance is on it
    room = edited(packed(VERSION), {"rooms/rm_first.json": plain})[0].records.rooms[0]
    assert [str(layer.name) for layer in room.layers] == ["Instances", "Other", "Other"]


def test_a_stray_file_is_reported_without_decompiling(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Subject("data.win", packed(VERSION))
    textures = place(load(subject.files["textures.json"]), ("pages", 0, "scaled"), 1)

    def decompiled(source: SourceFile) -> bool:
        raise AssertionError(f"{source.path} was decompiled")

    monkeypatch.setattr(SourceFile, "is_exact", property(decompiled))
    done = subject.pack({**subject.files, "zz.txt": b"1", "textures.json": dump(textures)})
    assert done.warnings == ["zz.txt: it is not part of a game, and was ignored"]
    assert GameData.from_bytes(done.data).textures[0].scaled == 1


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (
            ("dialect", "static_marker_at_returns"),
            1.0,
            "dialect.*: expected true or false, got 1",
        ),
        (("called",), [5], "expected the names of called functions"),
        (("unused",), [5], "expected the names of called functions"),
        (("names",), {"gml_a": 5}, "expected the names of called functions"),
        (("entries", "any", "crlf"), 1, "expected the names of called functions"),
        (("entries", "any", "counts"), [1, 2, 3], "expected the names of called functions"),
        (("entries", "any", "counts"), [1, 2.5], "expected the names of called functions"),
        (("entries", "any", "owners"), [True], "expected the names of called functions"),
    ],
)
def test_details_of_code_are_of_their_types(
    keys: tuple[Any, ...], value: object, message: str
) -> None:
    plain = json.loads(unpacked(packed(VERSION), "gml")["code.json"])
    plain.setdefault("entries", {}).setdefault("any", {})
    with pytest.raises(WorkspaceError, match=rf"^code\.json: {message}"):
        edited(packed(VERSION), {"code.json": place(plain, keys, value)}, code="gml")


def test_a_count_that_disagrees_is_refused_without_an_original() -> None:
    files = unpacked(packed(VERSION))
    files["languages.json"] = dump({"language_count": 256, "languages": []})
    with pytest.raises(WorkspaceError, match=r"^languages\.json: language_count: .* and is 0"):
        made(files, VERSION)


@pytest.mark.parametrize("name", [{}, [], 5])
def test_an_audio_group_has_a_text_for_its_name(name: object) -> None:
    groups = shown(packed(VERSION), "audio_groups.json")
    data = edited(packed(VERSION), {"audio_groups.json": [*groups, {"name": "b"}]})[0].to_bytes()
    with pytest.raises(WorkspaceError, match=r"^audio_groups\.json: "):
        edited(bytes(data), {"audio_groups.json": [{"name": name}]})


@pytest.mark.parametrize("key", ["vertices", "files"])
def test_a_record_that_is_null(key: str) -> None:
    path = {"vertices": "objects/obj_wall/object.json", "files": "extensions/ext.json"}[key]
    value: dict[str, Any] = {"vertices": [None]}
    if key == "files":
        value = {"files": [{"file_name": "a.dll", "functions": [None]}]}
        files = {path: {"files": [{"file_name": "a.dll", "functions": []}]}}
        data = bytes(edited(packed(VERSION), files)[0].to_bytes())
    else:
        data = packed(VERSION)
    with pytest.raises(WorkspaceError, match=rf"^{path}: .*\[0\]: expected an object .*got null"):
        edited(data, {path: {**shown(data, path), **value}})
