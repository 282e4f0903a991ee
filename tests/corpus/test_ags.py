"""Real files of Adventure Game Studio: identical, understood, taken apart and put together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import overhaul
from overhaul.ags.blocks import OLD_ROOM, ROOM, read_blocks
from overhaul.ags.documents.script import ScriptDocument
from overhaul.ags.game.game import Game
from overhaul.ags.room.room import Room
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.dialogs import dialog_steps
from overhaul.ags.script.disassembler import disassemble
from overhaul.ags.sprites import Sprite, SpriteSet
from overhaul.errors import FormatError
from present import present
from real_files import corpus_files, sample

pytestmark = pytest.mark.corpus

ROOMS = [p for p in corpus_files("ags/*/*") if p.suffix.lower() == ".crm"]
GAMES = [p for p in corpus_files("ags/*/*") if p.suffix.lower() == ".dta"]
SPRITES = [p for p in corpus_files("ags/*/*") if p.suffix.lower() == ".spr"]
OTHERS = [
    p
    for p in corpus_files("ags/*/*")
    if p.suffix.lower() in (".ags", ".vox", ".001", ".tra", ".scm", ".dat", ".exe")
]
#: Made invalid by their makers; kept as bytes where they do not parse.
INVALID = ("0aa09127-blank.crm", "c01e149b-room1.crm")


def files(every: list[Path], count: int) -> pytest.MarkDecorator:
    found = sample(every, count)
    return pytest.mark.parametrize("path", found, ids=lambda p: f"{p.parent.name}-{p.name}")


@files(ROOMS + GAMES + SPRITES + OTHERS, 80)
def test_identical(path: Path) -> None:
    report = overhaul.verify(path)
    assert report.good, report.first_difference
    coverage = report.coverage
    assert coverage is not None and coverage.total == path.stat().st_size
    assert sum(entry.length for entry in coverage.details) == coverage.opaque


@files(ROOMS, 25)
def test_rooms_are_understood(path: Path) -> None:
    report = overhaul.verify(path)
    assert report.coverage is not None
    if path.name in INVALID:
        assert report.warnings and report.coverage.opaque > 1000
    else:
        # Scripts of an engine before AGS 2.1 are all that is carried.
        reasons = {entry.reason for entry in report.coverage.details}
        assert reasons <= {"a script compiled before 2.1"}, report.coverage.details
        assert not report.warnings


@files(GAMES, 12)
def test_games_are_understood(path: Path) -> None:
    report = overhaul.verify(path)
    assert report.coverage is not None and not report.warnings
    reasons = {entry.reason for entry in report.coverage.details}
    assert reasons <= {"a script compiled before 2.1"}, report.coverage.details


@files(SPRITES + OTHERS, 20)
def test_the_rest_is_understood(path: Path) -> None:
    report = overhaul.verify(path)
    coverage = present(report.coverage)
    assert coverage.opaque == 0, coverage.details


@files(ROOMS + GAMES + SPRITES + OTHERS, 16)
def test_unpack_and_pack(path: Path, tmp_path: Path) -> None:
    overhaul.unpack(path, tmp_path / "folder")
    overhaul.pack(tmp_path / "folder", tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


@files([p for p in ROOMS + GAMES + SPRITES + OTHERS if p.stat().st_size < 100000], 20)
def test_from_the_plain_files_only(path: Path, tmp_path: Path) -> None:
    """Packed again, a file may be stored otherwise, but it unpacks to the same files."""
    overhaul.unpack(path, tmp_path / "folder")
    overhaul.pack(tmp_path / "folder", tmp_path / "again", from_scratch=True)
    if (tmp_path / "again").read_bytes() == path.read_bytes():
        return
    overhaul.unpack(tmp_path / "again", tmp_path / "twice")
    first, second = (plain(tmp_path / name) for name in ("folder", "twice"))
    assert first.keys() == second.keys()
    for name, content in first.items():
        assert content == second[name], name


def plain(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and ".overhaul" not in p.parts and p.name != "overhaul.toml"
    }


@files(GAMES, 8)
def test_scripts_survive_assembly(path: Path) -> None:
    for name, script in Game.read(path.read_bytes()).scripts():
        assert assemble(disassemble(script)).to_bytes() == script.to_bytes(), name


@files(ROOMS, 20)
def test_block_lists_are_written_as_they_were(path: Path) -> None:
    data = path.read_bytes()
    version = int.from_bytes(data[:2], "little")
    if not 5 <= version < 0xFFFF:
        pytest.skip("not a list after two bytes of version")
    blocks = read_blocks(data, ROOM if version >= 32 else OLD_ROOM, 2)
    assert data[:2] + blocks.to_bytes() == data


@files([p for p in ROOMS if p.stat().st_size < 200000], 25)
def test_backgrounds_are_packed_as_the_editor_does(path: Path) -> None:
    room = Room.read(path.read_bytes())
    for picture in room.backgrounds()[:1]:
        pixels = picture.pixels(room.depth)
        packed = picture.packed
        picture.set_pixels(pixels, signed=not room.is_modern)
        assert picture.packed == packed


@files(SPRITES, 6)
def test_a_replaced_sprite_leaves_the_others(path: Path) -> None:
    sprites = SpriteSet.read(path.read_bytes())
    slots = [i for i, slot in enumerate(sprites.slots) if isinstance(slot, Sprite)]
    slot = slots[len(slots) // 2]
    sprite = sprites.slots[slot]
    assert isinstance(sprite, Sprite)
    pixels = sprites.pixels(sprite)
    changed = type(pixels)(pixels.width, pixels.height, pixels.depth, pixels.data[::-1])
    sprites.replace(slot, changed)
    again = SpriteSet.read(sprites.to_bytes())
    before = SpriteSet.read(path.read_bytes())
    for index in slots:
        new, old = again.slots[index], before.slots[index]
        assert isinstance(new, Sprite) and isinstance(old, Sprite)
        if index == slot:
            assert again.pixels(new) == changed
        else:
            assert (new.header, new.palette, new.data) == (old.header, old.palette, old.data)


@files(ROOMS + GAMES + SPRITES + OTHERS, 12)
def test_cut_files_are_refused_or_read_whole(path: Path) -> None:
    """Every cut gives a FormatError, or a document that writes what it was given."""
    data = path.read_bytes()
    for share in (0.03, 0.2, 0.5, 0.77, 0.95):
        cut = data[: int(len(data) * share)]
        try:
            with overhaul.open(cut) as document:
                assert document.to_bytes() == cut
        except FormatError as error:
            assert error.offset is None or error.offset <= len(data)


@files(ROOMS + GAMES + SPRITES + OTHERS, 12)
def test_damaged_files_are_refused_or_read_whole(path: Path) -> None:
    import random

    data = path.read_bytes()
    chance = random.Random(path.name)
    for _ in range(12):
        broken = bytearray(data)
        for _ in range(chance.choice((1, 3, 20))):
            place = chance.randrange(min(len(broken), chance.choice((64, 4096, 1 << 24))))
            broken[place] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        try:
            report = overhaul.verify(bytes(broken))
        except FormatError:
            continue
        assert report.identical, report.first_difference


@files(corpus_files("ags-pairs/*/compiled/*DialogScripts.asc.o"), 12)
def test_conditions_of_dialogs_are_those_of_their_sources(path: Path) -> None:
    """What officially compiled dialogs show of conditions is what their authors wrote."""
    sources = [each.read_bytes().decode("latin-1")
               for each in path.parents[1].glob("src/*/generated/__DialogScripts.asc")]  # fmt: skip
    written = {
        re.sub(r"\s", "", found).replace("true", "1")
        for source in sources
        for found in re.findall(r"\bif\s*(\(.*\))\s*\{?\s*$", source, re.MULTILINE)
        if "entryPoint" not in found and "stop_dialog" not in found
    }
    with overhaul.open(path) as document:
        assert isinstance(document, ScriptDocument)
        steps = dialog_steps(document.script)
    found = {
        re.sub(r"\s", "", block.text.removeprefix("if "))
        for each in steps.values()
        for step in each
        for block in step.blocks
        if block.text != "else"
    }
    unnamed = {each for each in found if "…" in each}  # variables of a function have no names
    assert found - unnamed <= written
    assert len(found) >= len(written) or not any(steps.values())
