"""Games with damaged pointers, counts and words, changed and written without being decoded.

Only errors of Overhaul come out; what is written is what writing the decoded game gives. The CI
tries some; ``OVERHAUL_FULL=1`` tries many.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from copy import copy

import pytest

from furnished import furnished
from overhaul.errors import FormatError, OverhaulError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.model import CODE_CHUNKS
from overhaul.gamemaker.data.relocation import Relocation
from overhaul.stretch import joined
from per_file import per_file
from repeats import times
from small_games import game_of

RELEASES = ("1.0.0.1539", "1.0.0.1773", "2.0", "2.2.2", "2.3.2", "2022.6", "2023.8", "current")


@per_file
def made(release: str) -> bytes:
    """A game with code, in which something refers to a sprite, a text and a function."""
    if release == "current":
        return furnished(release)
    game = game_of(release)
    for number in range(4):
        game.add_event(
            "obj_a", f"Alarm_{number}", f'hp = {number};\nshow_debug_message("{number}");'
        )
    return game.to_bytes()


def no_change(game: GameData) -> None:
    list(game.strings)


def another_text(game: GameData) -> None:
    game.strings.append("a text behind which all is moved" * 9)


def another_sprite(game: GameData) -> None:
    game.records.sprites.append(copy(next(game.records.sprites.present(), None)))


def other_code(game: GameData) -> None:
    entry = next(iter(game.code), None)
    if entry is not None:
        entry.gml = "hp = 9;\nother_name = hp;"


def outcome(data: bytes, change: Callable[[GameData], None], *, decoded: bool) -> bytes | None:
    """The file after a change; None where it is refused."""
    try:
        with GameData.from_bytes(data) as game:
            if decoded:
                game.load_all()
            change(game)
            return joined(game.pieces())
    except OverhaulError:
        return None


def damages(data: bytes, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """The chunk of a damage, and the damaged file, without end."""
    with GameData.from_bytes(data) as game:
        chunks = {name: (chunk.start, chunk.end) for name, chunk in game.chunks.items()}
        found = {
            name: [place for places in moved.found.values() for place in places]
            for name, moved in Relocation(game).moved.items()
        }
    while True:
        name = chance.choice([name for name, (start, end) in chunks.items() if end - start > 8])
        start, end = chunks[name]
        place = chance.choice(found.get(name) or [start])
        place = chance.choice([place, place, start, start - 4, chance.randrange(start, end - 3)])
        (old,) = struct.unpack_from("<I", data, place)
        other = struct.unpack_from("<I", data, chance.choice(found.get(name) or [start]))[0]
        near = [old + step for step in (-8, -4, -1, 1, 4, 8, 4096)]
        word = chance.choice([*near, other, 0, 1, start, end, 0xFFFFFFFF, 0x7FFFFFFF, len(data)])
        damaged = bytearray(data)
        struct.pack_into("<I", damaged, place, word & 0xFFFFFFFF)
        yield name, bytes(damaged)


@pytest.mark.parametrize("release", RELEASES)
def test_damaged_games_are_changed_or_refused(release: str) -> None:
    chance = random.Random(release)
    data = made(release)
    written = 0
    for _, (name, damaged) in zip(range(times(800, 40)), damages(data, chance), strict=False):
        assert outcome(damaged, no_change, decoded=False) in (damaged, None)
        change = chance.choice([another_text, another_sprite, other_code])
        result = outcome(damaged, change, decoded=False)
        whole = outcome(damaged, change, decoded=True)
        if result is not None:
            written += 1
        if name not in CODE_CHUNKS:  # a chain is followed only where code is read
            assert result == whole, (name, change.__name__)
    assert written


@pytest.mark.parametrize("release", ["1.0.0.1539", "2022.6"])
def test_no_pointer_of_objects_can_be_missing_unsaid(release: str) -> None:
    """A missing list of events became an empty one, which moved all behind it."""
    data = made(release)
    with GameData.from_bytes(data) as game:
        places = Relocation(game).moved["OBJT"].found["pointer"]
    for place in places:
        damaged = bytearray(data)
        struct.pack_into("<I", damaged, place, 0)
        for decoded in (False, True):
            assert outcome(bytes(damaged), no_change, decoded=decoded) in (damaged, None)


@pytest.mark.parametrize("release", RELEASES)
def test_a_number_of_a_release_before_all(release: str) -> None:
    data = bytearray(made(release))
    with GameData.from_bytes(bytes(data)) as game:
        start = game.chunks["GEN8"].start
    data[start + 1] = 0  # of the instructions
    for change in (no_change, another_text):
        outcome(bytes(data), change, decoded=False)
    assert outcome(bytes(data), no_change, decoded=False) in (data, None)


@pytest.mark.parametrize("release", ["1.0.0.1539", "2022.6"])
def test_damaged_strings_are_refused_each_time(release: str) -> None:
    """Code that could not be read without them is shown as bytes; the game is not written."""
    data = bytearray(made(release))
    with GameData.from_bytes(bytes(data)) as game:
        start = game.chunks["STRG"].start
    data[start] += 1
    with GameData.from_bytes(bytes(data)) as game:
        assert len(game.code) == 0
        assert any("STRG.strings[" in finding.message for finding in game.findings)
        for _ in range(2):
            with pytest.raises(FormatError, match="outside the chunk"):
                len(game.strings)
        with pytest.raises(FormatError, match="outside the chunk"):
            game.pieces()
