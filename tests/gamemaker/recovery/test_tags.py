"""Tags of assets in recovered projects, which code finds assets by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import overhaul
from furnished import furnished
from overhaul.cli import main
from overhaul.document.files import write_into
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.optn import AssetTags
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovery import recover


def tag(game: GameData, chunk: str, number: int, *tags: str) -> None:
    """Tag a resource."""
    assert game.tags is not None
    reference = game.named(chunk).reference(number)
    game.tags.assets.append(AssetTags(reference, [game.strings.add(text) for text in tags]))


def tagged(release: str) -> GameData:
    game = blank_game({"version": release})
    game.sprites.add("spr_foe", [Image.new("RGBA", (8, 8))])
    game.sprites.add("spr_plain", [Image.new("RGBA", (8, 8))])
    game.objects.add("obj_foe")
    game.paths.add("pth_round", [(0, 0), (9, 9)])
    tag(game, "SPRT", 0, "enemy", "@@constructor", 'of "two" words')
    tag(game, "OBJT", 0, "enemy")
    tag(game, "PATH", 0, "slow")
    return game


@pytest.mark.parametrize("release", ["2.3.2", "2022.9", "2024.14"])
def test_resources_keep_their_tags(release: str, tmp_path: Path) -> None:
    made = recover(tagged(release))

    def tags(path: str) -> object:
        said: Any = read_values(made.files[path]().decode("utf-8"))
        return said.get("tags")

    assert tags("sprites/spr_foe/spr_foe.yy") == ["enemy", 'of "two" words']
    assert tags("objects/obj_foe/obj_foe.yy") == ["enemy"]
    assert tags("paths/pth_round/pth_round.yy") == ["slow"]
    assert tags("sprites/spr_plain/spr_plain.yy") in (None, [])
    assert "constructor" not in "".join(read().decode("latin-1") for read in made.files.values())
    write_into(str(tmp_path / "made"), made.files)
    assert main(["check", str(tmp_path / "made")]) == 0


def test_tags_of_scripts_and_of_what_the_project_lacks() -> None:
    with overhaul.open_game(furnished("current")) as game:
        game.load_all()
        assert game.tags is not None
        names = [str(script and script.name) for script in game.named("SCPT")]
        tag(game, "SCPT", names.index("gml_Script_scr_flicker"), "light")
        game.sprites.add("_filter_fog_noise", [Image.new("RGBA", (8, 8))])  # the editor's own
        tag(game, "SPRT", len(game.sprites) - 1, "fog", "grey")
        made = recover(game)
    said: Any = read_values(made.files["scripts/scr_flicker/scr_flicker.yy"]().decode("utf-8"))
    assert said["tags"] == ["light"]
    assert [one.message for one in made.findings if "tags" in one.message] == [
        "the tags fog, grey of the sprite _filter_fog_noise are left out"
    ]
