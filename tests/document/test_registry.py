from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

import overhaul
from ags_games import package
from handmade_project import project_file
from overhaul.document import registry as formats
from overhaul.document.archives import find_form
from overhaul.document.games import game_of
from overhaul.document.opening import find_bytes, find_game
from overhaul.document.protocol import companions_of
from overhaul.document.registry import Probe, find
from overhaul.errors import FormatError
from toy import toy_bytes, toy_package


def form(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"".join(name + struct.pack("<I", len(data)) + data for name, data in chunks)
    return b"FORM" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (form((b"GEN8", b"x" * 100), (b"OPTN", b"")), "gamemaker-data"),
        (form((b"STRG", b"x" * 100), (b"GEN8", b"")), "gamemaker-data"),
        (b"MROF\0\0\0\x088NEG\0\0\0\0", "gamemaker-data"),
        (form((b"AUDO", b"x" * 5000)), "gamemaker-audiogroup"),
        (form((b"AUDO", b"x" * 5000), (b"GEN8", b"")), "gamemaker-data"),
        (form((b"AUDO", b"")), "gamemaker-audiogroup"),
        (form((b"AUDO", b""), (b"GEN8", b"")), "gamemaker-data"),
        (form((b"SCPT", b"x" * 12), (b"DBGI", b"")), "gamemaker-debug"),
    ],
)
def test_the_kind_is_found_from_content(data: bytes, kind: str) -> None:
    entry = find(Probe(data, "wrong.png"))
    assert entry is not None
    assert kind == entry.kind


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n....", "PNG"),
        (b"just some words\n", "a text file"),
        (b"92010000" * 4, "overhaul ds decode"),
        (b'{"resources": []}', "JSON"),
        (b"<?xml version='1.0'?>", "XML"),
        (b"\x1f\x8b\x08\0", "gzip"),
        (b"MZ\x90\0" + bytes(200), "Windows program without game data"),
        (b"\x7fELF" + bytes(20), "Linux program"),
        (bytes(64), "zero bytes"),
        (b"FORM\x04\0\0\0\1\2\3\4", "no GameMaker chunk"),
        (b"\x01\x02\x03\x04\xff", "begins with the bytes 01 02 03 04 ff"),
    ],
)
def test_what_it_looks_like_instead(data: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        overhaul.open(data)


def test_a_text_cut_in_a_character_is_a_text() -> None:
    data = ("x" + "é" * formats.HEAD).encode()
    with pytest.raises(FormatError, match="a text file"):
        overhaul.open(data)


def test_an_error_names_the_file(toys: None, tmp_path: Path) -> None:
    path = tmp_path / "broken.toy"
    path.write_bytes(toy_bytes({"a": b"text"})[:-2])
    with pytest.raises(FormatError) as caught:
        overhaul.open(path)
    assert caught.value.source == str(path)
    assert caught.value.path == "notes[0]"
    assert "offset" in str(caught.value)


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        overhaul.open(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        overhaul.open(f"{tmp_path}/none.zip!data.win")


def test_open_takes_bytes_and_paths(toys: None, tmp_path: Path) -> None:
    data = toy_bytes({"a": b"1"})
    path = tmp_path / "x"
    path.write_bytes(data)
    for source in (data, bytearray(data), memoryview(data), path, str(path)):
        with overhaul.open(source) as document:
            assert document.kind == "toy"
            assert document.to_bytes() == data


def test_closing_lets_go_of_the_file(toys: None, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(toy_bytes({"a": b"1"}))
    document = overhaul.open(path)
    assert document.on_close is not None
    document.close()
    document.close()
    assert document.on_close is None


# -------------------------------------------------------------------------------------- containers


def zipped(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def test_members_of_a_zip(toys: None, tmp_path: Path) -> None:
    game = toy_bytes({"a": b"1"})
    path = tmp_path / "game.zip"
    path.write_bytes(zipped({"assets/Game.toy": game, "assets/side.toy": b"side", "x": b""}))
    with overhaul.open(f"{path}!assets/Game.toy") as document:
        assert document.to_bytes() == game
        assert companions_of(document) == {"side.toy": b"side"}
        assert document.source == f"{path}!assets/Game.toy"
    with overhaul.open(f"{path}!game.toy") as document:  # by its last part, whatever the case
        assert document.to_bytes() == game
    with pytest.raises(FormatError, match=r"contains: assets/Game\.toy, assets/side\.toy, x"):
        overhaul.open(f"{path}!other")


GAME = form((b"GEN8", b"x" * 100))


def test_a_zip_with_games_says_how_to_read_one(tmp_path: Path) -> None:
    path = tmp_path / "game.zip"
    path.write_bytes(zipped({"a b/data.win": GAME, "b.ags": package(), "readme": b"hi"}))
    expected = r"2 games inside: a b/data\.win, b\.ags; .*overhaul info '.*game\.zip!a b/data\.win'"
    with pytest.raises(FormatError, match=expected):
        overhaul.open(path)
    path.write_bytes(zipped({"readme": b"hi"}))
    with pytest.raises(FormatError, match="without a game"):
        overhaul.open(path)
    # bytes have no place for a path to continue at
    with pytest.raises(FormatError, match=r"game inside; read it with: overhaul info 'FILE!a b/d'"):
        overhaul.open(zipped({"a b/d": GAME}))


@pytest.mark.parametrize(
    ("files", "inside"),
    [
        ({"assets/game.droid": GAME, "assets/audiogroup1.dat": b"FORM", "x.txt": b"x"}, 0),
        (
            {"x": b"", "assets/game.ags": package(), "audio.vox": package(), "game.001": package()},
            1,
        ),
        (
            {"setup.exe": b"MZ" + bytes(99), "play.exe": b"MZ" + bytes(99) + GAME},
            "play.exe!data.win",
        ),
        ({"runner.exe": b"MZ" + GAME, "data.win": GAME}, 1),
        ({"__MACOSX/._data.win": GAME, "data.win": GAME}, 1),
        ({"old.gmk": project_file(810), "readme": b"x"}, 0),
    ],
)
def test_the_only_game_in_a_zip_is_what_it_stands_for(
    files: dict[str, bytes], inside: str | int, tmp_path: Path
) -> None:
    path = tmp_path / "game.apk"
    path.write_bytes(zipped(files))
    name = inside if isinstance(inside, str) else list(files)[inside]
    assert game_of(str(path)) == f"{path}!{name}"
    found = find_game(path)
    assert bytes(found.data) == (GAME if "!" in name else files[name])
    assert found.source == f"{path}!{name}"
    found.release()


def test_other_paths_stand_for_themselves(tmp_path: Path) -> None:
    inner = tmp_path / "inner.zip"
    inner.write_bytes(zipped({"data.win": GAME}))
    (tmp_path / "two.zip").write_bytes(zipped({"a.win": GAME, "b.win": GAME}))
    (tmp_path / "outer.zip").write_bytes(zipped({"inner.zip": inner.read_bytes()}))
    (tmp_path / "own.exe").write_bytes(b"MZ" + bytes(99))
    (tmp_path / "broken.zip").write_bytes(inner.read_bytes()[:40])
    (tmp_path / "data.win").write_bytes(GAME)
    (tmp_path / "folder").mkdir()
    for name in ("two.zip", "outer.zip", "own.exe", "broken.zip", "data.win", "folder", "none"):
        assert game_of(str(tmp_path / name)) == str(tmp_path / name)
    assert game_of(f"{inner}!data.win") == f"{inner}!data.win"


def test_the_game_in_a_program_of_macos(tmp_path: Path) -> None:
    folder = tmp_path / "Game.app"
    resources = folder / "Contents" / "Resources"
    resources.mkdir(parents=True)
    (resources / "icon.png").write_bytes(b"\x89PNG")
    with pytest.raises(FormatError, match="without a game") as caught:
        game_of(str(folder))
    assert caught.value.source == str(folder)
    (tmp_path / "elsewhere.win").write_bytes(GAME)
    (resources / "link.win").symlink_to(tmp_path / "elsewhere.win")
    (resources / "nowhere").symlink_to(tmp_path / "missing")
    with pytest.raises(FormatError, match="without a game"):
        game_of(str(folder))
    (resources / "game.ios").write_bytes(GAME)
    assert game_of(str(folder)) == str(resources / "game.ios")
    assert game_of(f"{folder}/") == f"{folder}/Contents/Resources/game.ios"
    (folder / "other.win").write_bytes(GAME)
    with pytest.raises(FormatError, match=r"there are 2 games in it: .*other\.win, .*game\.ios"):
        game_of(str(folder))
    (folder / "overhaul.toml").write_text("")  # it was unpacked to a folder of that name
    assert game_of(str(folder)) == str(folder)


@pytest.mark.parametrize("name", ["Game.yyp", "Game.project.gmx", "Game.agf"])
def test_a_folder_with_one_project_stands_for_it(name: str, tmp_path: Path) -> None:
    folder, project = str(tmp_path), tmp_path / name
    project.mkdir()  # a folder is no project file
    assert game_of(folder) == folder
    project.rmdir()
    (tmp_path / "notes.txt").write_bytes(b"{}")
    project.symlink_to(tmp_path / "notes.txt")
    assert game_of(folder) == folder
    project.unlink()
    project.write_bytes(b"{}")
    assert game_of(folder) == str(project)
    (tmp_path / "Other.yyp").write_bytes(b"{}")
    assert game_of(folder) == folder
    (tmp_path / "Other.yyp").unlink()
    (tmp_path / "overhaul.toml").write_text("")  # it was unpacked
    assert game_of(folder) == folder


def test_a_missing_member_is_reported_without_blaming_the_zip(tmp_path: Path) -> None:
    path = tmp_path / "game.zip"
    path.write_bytes(zipped({"data.win": form((b"GEN8", b"x" * 100)), "readme": b"hi"}))
    with pytest.raises(FormatError, match=r"it contains: data\.win, readme") as caught:
        overhaul.open(f"{path}!nope.win")
    assert "broken" not in str(caught.value)


def test_a_broken_zip_is_a_format_error(tmp_path: Path) -> None:
    data = zipped({"data.win": form((b"GEN8", bytes(range(256)) * 40))})
    path = tmp_path / "game.zip"
    for position in range(0, len(data), 7):
        broken = bytearray(data)
        broken[position] ^= 0xFF
        path.write_bytes(broken)
        try:
            find_bytes(f"{path}!data.win").release()
        except FormatError as error:
            assert error.source
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(FormatError):
        overhaul.open(f"{path}!data.win")


def test_a_form_inside_a_program(tmp_path: Path) -> None:
    game = form((b"GEN8", b"x" * 100), (b"STRG", b"y" * 10))
    decoy = b"FORM" + struct.pack("<I", 40) + b"NOTACHUNK"
    program = b"MZ\x90\0" + bytes(100) + decoy + bytes(60) + game + b"tail"
    assert find_form(program) == (program.index(game), len(game))
    path = tmp_path / "game.exe"
    path.write_bytes(program)
    found = find_bytes(f"{path}!data.win")
    assert bytes(found.data) == game
    assert game_of(str(path)) == f"{path}!data.win"
    with pytest.raises(FormatError, match=r"overhaul info .*FILE!data\.win"):
        overhaul.open(program)


def test_documents_in_documents(toys: None, tmp_path: Path) -> None:
    inner = toy_bytes({"a": b"1"})
    path = tmp_path / "p"
    path.write_bytes(toy_package({"box": toy_package({"n.toy": inner}), "side.toy": b""}))
    with overhaul.open(f"{path}!box!n.toy") as document:
        assert document.to_bytes() == inner
    with pytest.raises(FormatError, match="contains: nothing"):
        overhaul.open(f"{path}!box!n.toy!deeper")


def test_a_name_with_an_exclamation_mark_is_a_name_first(toys: None, tmp_path: Path) -> None:
    path = tmp_path / "wow!.toy"
    path.write_bytes(toy_bytes({}))
    with overhaul.open(path) as document:
        assert document.kind == "toy"


def test_every_registered_class_can_be_imported_and_is_a_document() -> None:
    for entry in formats.REGISTRY:
        made = entry.document_class()
        for name in ("from_bytes", "info", "tree", "to_bytes", "coverage"):
            assert callable(getattr(made, name)), f"{entry.target} has no {name}"
        for name in ("tree", "settings", "plain_files", "apply", "empty"):
            assert callable(getattr(entry.folder_format(), name)), (entry.folder, name)
