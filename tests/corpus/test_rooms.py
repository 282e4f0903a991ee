"""Every room of real games is drawn, whole and in part."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from PIL import ImageChops

from overhaul.findings import Findings
from overhaul.gamemaker import export_rooms, import_rooms
from overhaul.gamemaker.data.chunks.gen8 import InfoFlags
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.tiled.importing import Imported
from present import opened
from real_files import corpus_files, finished, sample

pytestmark = pytest.mark.corpus

GAMES = finished(corpus_files("datawin*/*.win"))
#: bytes that drawing a room may take besides its picture and the pages kept
WORKING_MEMORY = 600 << 20


@pytest.mark.parametrize("path", sample(GAMES, 8, seed=11), ids=lambda path: path.stem)
def test_every_room_is_drawn(path: Path) -> None:
    game = opened(path, GameData)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    largest = 0
    rounding = 1 if game.general.flags & InfoFlags.INTERPOLATE else 0
    for room in game.rooms:
        image = room.image()
        assert image.size == (room.width, room.height) and image.mode == "RGBA"
        assert len(repr(room)) < 200 and len(repr(room.layers)) < 4000
        left, top = room.width // 3, room.height // 4
        region = (left, top, min(200, room.width - left), min(150, room.height - top))
        part = room.image(region=region)
        box = (left, top, left + region[2], top + region[3])
        bands = ImageChops.difference(part, image.crop(box)).getextrema()
        assert max(band[1] for band in bands) <= rounding  # type: ignore[index]
        largest = max(largest, 4 * room.width * room.height)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    assert used < WORKING_MEMORY + 2 * largest


@pytest.mark.parametrize("path", sample(GAMES, 7, seed=12), ids=lambda path: path.stem)
def test_every_room_comes_back_from_its_map(path: Path, tmp_path: Path) -> None:
    game = opened(path, GameData)
    done = export_rooms(game, ["rooms/*"], str(tmp_path))
    assert len(done.maps) == len(game.rooms)
    assert import_rooms(game, str(tmp_path)) == Imported(sorted(done.maps), [], Findings())
    assert game.to_bytes() == path.read_bytes()
