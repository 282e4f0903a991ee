"""A code entry that can't be read is kept word for word; all others are read, changed and moved."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import overhaul
from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.code import unreadable_entries
from overhaul.gamemaker.data.game import GameData
from present import present
from real_files import corpus_files
from small_games import again, game_of

#: A release of each layout of code, and of each way in which it refers to names.
RELEASES = [
    "1.0.0.412", "1.0.0.666", "1.0.0.964", "1.0.0.1567", "1.4.1773", "2.0", "2.2.5", "2.3.0",
    "2.3.7", "2022.6", "2023.4", "2023.8", "2024.6", "2024.14",
]  # fmt: skip
TIMES = range(4)
FULL = os.environ.get("OVERHAUL_FULL") == "1"
LARGEST = 1 << 62 if FULL else 1_000_000
BROKEN = "gml_Object_obj_a_Step_1"
every_release = pytest.mark.parametrize("version", RELEASES)


def game_with_code(version: str) -> GameData:
    """A game whose four events share variables, a function and a text: chains go through each."""
    made = game_of(version)
    for time in TIMES:
        made.add_event("obj_a", f"Step_{time % 3}" if time < 3 else "Create_0", source(time))
    return again(made)


def source(time: int) -> str:
    return f"hp = {time} + mp;\nmp = hp;\nshow_message(string(hp));\n"


def place(data: bytes, name: str = BROKEN) -> tuple[int, int]:
    """The address and the size of an entry's code in a file."""
    game = GameData.from_bytes(data)
    area = present(game.record("CODE")).area
    entry = present(game.records.code[name])
    entry.bytecode.unreadable = "as a test asks"
    spans = unreadable_entries(area, game.release, game.chunks["CODE"].start)
    ((_, offset, size),) = spans
    assert data[offset : offset + size] == entry.to_bytes()
    return offset, size


def damaged(data: bytes, word: int = 0, name: str = BROKEN) -> bytes:
    """The file with no instruction in a word of an entry; zeros are none in any release."""
    offset, _ = place(data, name)
    at = offset + 4 * word
    return data[:at] + bytes(4) + data[at + 4 :]


def mended(data: bytes, original: bytes, word: int = 0, name: str = BROKEN) -> bytes:
    """A file whose damage is taken back; its entry may stand elsewhere."""
    game = GameData.from_bytes(data)
    area = present(game.record("CODE")).area
    ((_, at, _),) = unreadable_entries(area, game.release, game.chunks["CODE"].start)
    offset, _ = place(original, name)
    at, offset = at + 4 * word, offset + 4 * word
    return data[:at] + original[offset : offset + 4] + data[at + 4 :]


@every_release
def test_the_others_are_read(version: str) -> None:
    data = game_with_code(version).to_bytes()
    broken = damaged(data)
    game = GameData.from_bytes(broken)
    assert game.to_bytes() == broken
    (warning,) = game.warnings
    assert warning.startswith(
        f"{BROKEN}: it can't be read and is kept as it is: not an instruction:"
    )
    offset, size = place(data)
    for entry in map(present, game.records.code):
        if entry.name == BROKEN:
            assert entry.unreadable == warning.partition("as it is: ")[2]
            assert entry.to_bytes() == broken[offset : offset + size]
            with pytest.raises(FormatError, match="not an instruction"):
                _ = entry.assembly
        else:
            assert entry.unreadable == ""
            assert "hp" in entry.gml and "show_message" in entry.gml
    opaque = [(detail.path, detail.offset, detail.length) for detail in game.coverage().details]
    assert opaque == [(f"CODE.{BROKEN}", offset, size)]
    assert game.coverage().opaque == size
    with pytest.raises(FormatError, match="not an instruction"):
        GameData.from_bytes(broken, strict=True).load_all()


@every_release
@pytest.mark.parametrize("word", [0, 1])
def test_what_moves_it_keeps_its_references(version: str, word: int) -> None:
    """Taking back the damage gives the game as it is where nothing was ever damaged."""
    data = game_with_code(version).to_bytes()
    changed = []
    for file in (data, damaged(data, word)):
        game = GameData.from_bytes(file)
        game.records.code["gml_Object_obj_a_Step_0"].gml = source(5) + "hp += 1;\nfresh = hp;\n"
        game.records.code["gml_Object_obj_a_Create_0"].gml = "mp = 1;"
        changed.append(game.to_bytes())
    assert place(changed[0])[0] > place(data)[0]
    assert GameData.from_bytes(changed[1]).to_bytes() == changed[1]
    assert mended(changed[1], data, word) == changed[0]


@pytest.mark.parametrize("version", ["1.4.1773", "2023.4"])
def test_other_code_takes_its_place(version: str) -> None:
    data = game_with_code(version).to_bytes()
    game = GameData.from_bytes(damaged(data))
    game.records.code[BROKEN].gml = source(1)
    read = again(game)
    assert read.records.code[BROKEN].unreadable == ""
    assert read.records.code[BROKEN].gml == GameData.from_bytes(data).records.code[BROKEN].gml


@pytest.mark.parametrize("version", ["1.4.1773", "2023.4"])
def test_the_folder_reports_and_keeps_it(version: str, tmp_path: Path) -> None:
    data = damaged(game_with_code(version).to_bytes())
    file, folder, out = tmp_path / "data.win", tmp_path / "game", tmp_path / "out.win"
    file.write_bytes(data)
    report = overhaul.unpack(file, folder)
    assert any(BROKEN in warning for warning in report.warnings)
    overhaul.pack(folder, out)
    assert out.read_bytes() == data
    own = folder / "code" / f"{BROKEN}.gml"
    assert own.read_text().startswith("// This could not be decompiled: ")
    (folder / "code" / "gml_Object_obj_a_Step_0.gml").write_text("hp = 12345;")
    overhaul.pack(folder, out, force=True)
    again_ = GameData.from_bytes(out.read_bytes())
    assert again_.records.code["gml_Object_obj_a_Step_0"].gml == "hp = 12345;"
    assert again_.records.code[BROKEN].unreadable
    own.write_text(own.read_text() + "// a word\n")
    with pytest.raises(overhaul.OverhaulError, match=f"{BROKEN}.*no source"):
        overhaul.pack(folder, out, force=True)
    assembly = tmp_path / "assembly"
    overhaul.unpack(file, assembly, code="asm")
    own_assembly = assembly / "code" / f"{BROKEN}.asm"
    assert own_assembly.read_text().startswith("; This can't be shown: not an instruction: word")
    own_assembly.write_text(own_assembly.read_text() + "; a word\n")
    with pytest.raises(overhaul.OverhaulError, match=f"{BROKEN}.*can't be shown"):
        overhaul.pack(assembly, out, force=True)
    own.write_text("hp = 3;")
    overhaul.pack(folder, out, force=True)
    assert GameData.from_bytes(out.read_bytes()).warnings == []


def test_code_that_is_mostly_unreadable_is_kept_whole() -> None:
    """Words that are no instructions in most entries are another layout, not damage."""
    game = game_with_code("2023.4")
    data = bytearray(game.to_bytes())
    for name in ("Step_0", "Step_1", "Step_2"):
        offset, _ = place(bytes(game.to_bytes()), f"gml_Object_obj_a_{name}")
        data[offset : offset + 4] = bytes(4)
    read = GameData.from_bytes(bytes(data))
    assert read.to_bytes() == data
    assert read.record("CODE") is None
    assert any("CODE: it is kept as raw bytes" in warning for warning in read.warnings)


def test_code_without_readable_names_is_unpacked_by_several_processes(tmp_path: Path) -> None:
    data = bytearray(game_with_code("2024.14").to_bytes())
    at = data.index(b"VARI") + 20
    data[at : at + 4] = b"\1\0\0\0"  # where no string begins
    (tmp_path / "game.win").write_bytes(data)
    overhaul.unpack(tmp_path / "game.win", tmp_path / "game", jobs=2, code="both")
    overhaul.pack(tmp_path / "game", tmp_path / "same.win")
    assert (tmp_path / "same.win").read_bytes() == data


def test_an_entry_without_a_name_is_reported() -> None:
    game = game_with_code("2024.14")
    present(game.records.code[BROKEN]).name = None
    game = GameData.from_bytes(game.to_bytes())
    assert [game.check_code(name) for name in game.code_names()].count("the entry has no name") == 1
    assert not game.knows_check("None")
    game.note_check("None", "a reason")


@pytest.mark.parametrize("field", ["instances", "layers"])
def test_a_room_that_lacks_what_it_counts_keeps_all_rooms_as_bytes(field: str) -> None:
    game = game_with_code("2024.14")
    getattr(game.records.rooms[0], field).append(None)
    data = game.to_bytes()
    read = GameData.from_bytes(data)
    assert read.record("ROOM") is None and read.to_bytes() == data
    assert "missing: its pointer is 0" in "".join(read.warnings)


def real_games() -> list[Path]:
    games = [path for path in corpus_files("datawin*/*.*") if path.stat().st_size < LARGEST]
    return games if FULL else random.Random(9).sample(games, min(8, len(games)))


@pytest.mark.parametrize("path", real_games(), ids=lambda path: path.name[:40])
def test_real_games(path: Path) -> None:
    """A damaged word of one entry of a real game, and another entry edited."""
    data = path.read_bytes()
    if path.suffix == ".tsv" or not data.startswith(b"FORM"):
        pytest.skip("not a game")
    game = GameData.from_bytes(data)
    entries = [] if game.is_native else [*game.records.code] if game.record("CODE") else []
    roots = [e for e in entries if e is not None and e.root is None and len(e.bytecode) > 3]
    if len(roots) < 3 or game.to_bytes() != data or game.chunks["CODE"].kept is not None:
        pytest.skip("no code to damage")
    chance = random.Random(len(data))
    broken, other = chance.sample(roots, 2)
    name = str(broken.name)
    row = chance.randrange(len(broken.bytecode))
    columns = broken.bytecode.columns
    word = int(columns.size[:row].sum())
    harmed = damaged(data, word, name)
    read = GameData.from_bytes(harmed)
    assert read.to_bytes() == harmed
    unreadable = [str(e.name) for e in read.records.code if e is not None and e.unreadable]
    assert unreadable == [
        str(e.name) for e in entries if e is not None and (e is broken or e.root is broken)
    ]
    changed = []
    for file in (data, harmed):
        edited = GameData.from_bytes(file)
        edited.records.code[str(other.name)].gml = "x += 1;\ny = x;\n"
        changed.append(edited.to_bytes())
    assert mended(changed[1], data, word, name) == changed[0]
