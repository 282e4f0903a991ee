"""Random use of the whole viewer in a real browser leaves the file as the model of it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from browsing import browsing, needs_browser, viewer
from furnished import furnished_lantern
from monkey import Monkey
from repeats import times

pytestmark = needs_browser
ACTS = times(200, 10)


@pytest.mark.parametrize("seed", range(times(6, 6)))
def test_random_use(browser: Any, tmp_path: Path, seed: int) -> None:
    game = furnished_lantern(tmp_path / "game.win")
    with viewer(game) as address, browsing(browser, address, but="status of 4") as page:
        Monkey(page, game, seed).session(ACTS)
