"""Libraries, packages and exports made by hand."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

import overhaul
from handmade_project import as_json, picture
from memory_folder import memory_folder
from overhaul.document.plainfiles import UnpackOptions
from overhaul.document.registry import format_of_kind
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.classic.documents.library import ExportDocument, ExtensionDocument
from overhaul.gamemaker.classic.fields import Slot
from overhaul.gamemaker.classic.resources import Script
from overhaul.gamemaker.classic.settings import Trigger, TriggerSlot
from overhaul.gamemaker.classic_folder.export import FORMAT as export
from overhaul.gamemaker.classic_folder.extension import FORMAT as extension
from present import instance


def made(kind: str, version: str, files: dict[str, bytes], **settings: Any) -> bytes:
    """The file of a folder."""
    given: dict[str, object] = {"kind": kind, "version": version, **settings}
    folder_format = format_of_kind(kind).folder_format()
    document = folder_format.empty(given)
    folder = memory_folder(files, given)
    assert folder_format.apply(document, folder, dict.fromkeys(files, "added")) == []
    return document.to_bytes()


def check(data: bytes, kind: str, version: str) -> dict[str, bytes]:
    """Open a file, rewrite it, and return its plain files."""
    with overhaul.open(data) as document:
        assert (document.kind, document.version) == (kind, version)
        assert document.info()
        list(document.tree())
        document.decode()
        assert document.to_bytes() == data
        assert document.coverage().total == len(data)
        files = format_of_kind(kind).folder_format().plain_files(document, UnpackOptions())
        return {plain.path: plain.read() for plain in files}


@pytest.mark.parametrize("version", ["500", "520"])
def test_a_library(version: str) -> None:
    action = {"version": int(version), "name": "Jump", "id": 7, "image": "icons/0.bmp",
              "arguments": [{"caption": "how high", "kind": 0, "default": "1", "menu": ""}],
              "exec_type": 1, "function_name": "jump"}  # fmt: skip
    library = {"tab_caption": "mine", "library_id": 4711, "author": "me", "actions": [action]}
    files = {"library.json": as_json(library), "icons/0.bmp": b"BM a picture"}
    data = made("gamemaker-library", version, files)
    plain = check(data, "gamemaker-library", version)
    assert plain["icons/0.bmp"] == b"BM a picture"
    assert made("gamemaker-library", version, plain) == data


@pytest.mark.parametrize("form", [0, 1])
def test_a_library_of_lateralgm(form: int) -> None:
    action = {"id": 3, "name": "Sing", "executed": "sing()", "flags": 1}
    library = {"form": form, "tab_caption": "songs", "library_id": 70000,
               "actions": {"advanced": True, "list": [action]}}  # fmt: skip
    files = {}
    if form == 0:
        action["image"] = "icons/0.bmp"
        files["icons/0.bmp"] = b"BM"
    else:
        files["icons.png"] = picture(24, 24, (1, 2, 3, 255))
    files["library.json"] = as_json(library)
    data = made("gamemaker-library", "lgl", files)
    assert data.startswith(b"LGL\xa0\0")
    assert made("gamemaker-library", "lgl", check(data, "gamemaker-library", "lgl")) == data


def test_a_library_of_lateralgm_says_which_pictures_its_form_has() -> None:
    with_picture, without = {"name": "Sing", "image": "icons/0.bmp"}, {"name": "Sing"}
    for form, action, words in (
        (0, without, "has a picture"),
        (1, with_picture, "has its picture"),
    ):
        library = {"form": form, "actions": {"advanced": True, "list": [without, action][form:]}}
        files = {"library.json": as_json(library), "icons/0.bmp": b"BM"}
        place = rf"actions\.list\[0\]\.image: .* with form {form} {words}"
        with pytest.raises(WorkspaceError, match=place):
            made("gamemaker-library", "lgl", files)
    files = {"library.json": as_json({"number": 161, "actions": {"list": []}})}
    with pytest.raises(WorkspaceError, match=r"library\.json:.* number: is 160 in every library"):
        made("gamemaker-library", "lgl", files)


def test_a_package_has_each_of_its_files() -> None:
    file = {"name": "sing.dll", "functions": [], "constants": []}
    package = {"files": [file], "help_file": "x.txt", "packed": ["sing.dll"]}
    files = {"package.json": as_json(package), "files/sing.dll": b"MZ"}
    with pytest.raises(WorkspaceError, match=r"packed: expected 2 files, the help_file .* got 1"):
        made("gamemaker-extension", "700", files)


@pytest.mark.parametrize("seed", [None, 0, 12345])
def test_a_package(seed: int | None) -> None:
    function = {"name": "sing", "external_name": "Sing", "argument_count": 1}
    constant = {"name": "LOUD", "value": "1", "hidden": True}
    file = {"name": "sing.dll", "kind": 1, "functions": [function], "constants": [constant]}
    package = {"name": "Songs", "editable": seed is None, "author": "me", "uses": ["Other"],
               "files": [file], "packed": [] if seed is None else ["sing.dll"]}  # fmt: skip
    files = {"package.json": as_json(package)}
    if seed is not None:
        files["files/sing.dll"] = b"MZ songs" * 20
    settings = {} if seed is None else {"seed": seed}
    data = made("gamemaker-extension", "700", files, **settings)
    plain = check(data, "gamemaker-extension", "700")
    assert ("files/sing.dll" in plain) == (seed is not None)
    assert made("gamemaker-extension", "700", plain, **settings) == data


def test_exports(tmp_path: Path) -> None:
    sprite = {"sprites/resource/sprite.json": b"{}",
              "sprites/resource/0.png": picture(3, 3, (9, 9, 9, 100))}  # fmt: skip
    data = made("gamemaker-export", "sprite", sprite)
    assert check(data, "gamemaker-export", "sprite")["sprites/resource/0.png"]
    background = {"backgrounds/resource.json": b"{}",
                  "backgrounds/resource.png": picture(3, 3, (9, 9, 9, 100))}  # fmt: skip
    data = made("gamemaker-export", "background", background)
    check(data, "gamemaker-export", "background")
    everything = {
        "sprites/spr/sprite.json": b"{}",
        "sprites/spr/0.png": picture(3, 3, (9, 9, 9, 100)),
        "objects/obj/object.json": as_json({"sprite": "spr"}),
        "objects/obj/create.gml": b"x = 1;",
        "scripts/scr.gml": b"return 1;",
    }
    data = made("gamemaker-export", "resources", everything)
    plain = check(data, "gamemaker-export", "resources")
    assert plain["scripts/scr.gml"] == b"return 1;"
    assert made("gamemaker-export", "resources", plain) == data
    (tmp_path / "all.gmres").write_bytes(data)
    overhaul.unpack(tmp_path / "all.gmres", tmp_path / "folder")
    (tmp_path / "folder/scripts/scr.gml").write_bytes(b"return 2;")
    overhaul.pack(tmp_path / "folder", tmp_path / "new.gmres")
    changed = check((tmp_path / "new.gmres").read_bytes(), "gamemaker-export", "resources")
    assert changed["scripts/scr.gml"] == b"return 2;"
    listed = json.loads(plain["export.json"])
    deleted = {"name": "<undefined>", "changed": 1.5}
    listed["scripts"]["slots"].insert(0, deleted)
    listed["scripts"]["paths"] = [["/group/scr", 1]]
    listed["rest"] = "07" * 68
    again = made("gamemaker-export", "resources", plain | {"export.json": as_json(listed)})
    assert json.loads(check(again, "gamemaker-export", "resources")["export.json"]) == listed
    without = {path: data for path, data in plain.items() if path != "scripts/scr.gml"}
    with pytest.raises(
        WorkspaceError, match=r"scripts\.slots\[0\]\.name: scripts/scr\.gml is missing"
    ):
        made("gamemaker-export", "resources", without)
    (tmp_path / "folder/scripts/scr.gml").unlink()
    with pytest.raises(WorkspaceError, match="taken out"):
        overhaul.pack(tmp_path / "folder", tmp_path / "less.gmres")
    with pytest.raises(WorkspaceError, match="only one resource"):
        made("gamemaker-export", "sprite", sprite | everything)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_texts_of_exports(encoding: str) -> None:
    code = "// é, not ASCII"
    files = {"scripts/scr.gml": code.encode()}
    data = made("gamemaker-export", "resources", files, encoding=encoding)
    plain = check(data, "gamemaker-export", "resources")
    assert plain["scripts/scr.gml"].decode() == code
    with overhaul.open(data) as document:
        assert export.settings(instance(ExportDocument, document)) == {"encoding": encoding}


@pytest.mark.parametrize("kind", ["gamemaker-library", "gamemaker-extension", "gamemaker-export"])
def test_what_does_not_exist(kind: str) -> None:
    with pytest.raises(WorkspaceError):
        format_of_kind(kind).folder_format().empty({"kind": kind, "version": "4"})
    if kind != "gamemaker-export":
        version = "520" if kind == "gamemaker-library" else "700"
        with pytest.raises(WorkspaceError):
            made(kind, version, {"library.json": b"[]", "package.json": b"[]"})


def test_the_seed_of_a_package_has_31_bits() -> None:
    for seed in (-1, 1 << 31, "1"):
        with pytest.raises(WorkspaceError, match="not a number of 31 bits"):
            made("gamemaker-extension", "700", {}, seed=seed)
    for seed in (0, (1 << 31) - 1):
        data = made("gamemaker-extension", "700", {"package.json": b'{"name": "p"}'}, seed=seed)
        with overhaul.open(data) as document:
            assert isinstance(document, ExtensionDocument)
            assert (document.package.seed, document.package.name) == (seed, "p")


def test_a_new_export_of_several_resources() -> None:
    data = made("gamemaker-export", "resources", {"scripts/scr.gml": b"x = 1;"})
    listed = json.loads(check(data, "gamemaker-export", "resources")["export.json"])
    assert listed == {
        "scripts": {
            "with_data": 1,
            "slots": [{"exists": True, "name": "scr"}],
            "paths": [["/scr", 0]],
        },
        "rest": "00" * 68,
    }
    for wrong, words in (
        ({"rest": "0"}, "rest: expected hexadecimal digits"),
        ({"scripts": {"paths": [["/scr"]]}}, r"scripts\.paths\[0\]: a path is"),
        ({"scripts": {"slots": [3]}}, r"scripts\.slots\[0\]: expected an object"),
        ({"scripts": {"with_data": -1}}, r"scripts\.with_data: "),
    ):
        with pytest.raises(WorkspaceError, match=rf"^export\.json: {words}"):
            made("gamemaker-export", "resources", {"export.json": as_json(wrong)})
    with pytest.raises(WorkspaceError, match="an export holds no data_files"):
        made("gamemaker-export", "resources", {"data_files/a.json": b"{}"})


def test_packed_files_keep_their_streams() -> None:
    package = {"name": "p", "files": [{"name": "a.dll", "kind": 1}], "packed": ["a.dll"]}
    files = {"package.json": as_json(package), "files/a.dll": b"MZ" * 50}
    document = extension.empty({"version": "700"})
    folder = memory_folder(files, {})
    extension.apply(document, folder, {})
    document.package.packed[0].stream = stream = zlib.compress(b"MZ" * 50, 1)
    document.behind = b"behind"
    plain = {file.path: file.read() for file in extension.plain_files(document, UnpackOptions())}
    assert json.loads(plain["package.json"])["behind"] == b"behind".hex()
    extension.apply(document, memory_folder(plain, {}), {})
    assert document.package.packed[0].stream == stream and document.behind == b"behind"
    extension.apply(document, memory_folder(plain | {"files/a.dll": b"NE"}, {}), {})
    assert document.package.packed[0].data == b"NE"
    assert document.coverage().opaque == len(b"behind")


def test_a_slot_with_a_resource_exists() -> None:
    slot: Slot[Script] = Slot(name="scr_new", resource=Script())
    assert slot.exists == 1 and Slot(name="gone").exists == 0
    assert TriggerSlot(resource=Trigger()).exists == 1 and TriggerSlot().exists == 0
