"""The demo game with a resource of each kind that it lacks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

import overhaul
from modded_games import lantern
from per_file import per_file

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData

PRELUDE = "uniform mat4 gm_Matrices[5];\n#define _YY_GLSLES_ 1\n"
FRAGMENT = """// Glows.
uniform vec3 u_light;
void main() { gl_FragColor = vec4(u_light, 1.0); }
"""


def furnish(game: GameData) -> None:
    """Add what there can be: a timeline, path, shader and font; today a sequence, ... too."""
    game.timelines.add("tm_dusk", {10: "x += 1;", 40: "y += 1;\nx -= 1;"})
    game.paths.add("pth_round", [(16, 16), (300, 16), (300, 170)], closed=True)
    game.shaders.add("sh_glow", f"{PRELUDE}void main() {{}}\n", PRELUDE + FRAGMENT)
    boxes = {"a": (0, 0, 5, 9), "b": (6, 0, 4, 9)}
    game.fonts.add("fnt_small", Image.new("RGBA", (16, 16), (255, 255, 255, 255)), boxes)
    if game.release.major < 2:
        return
    game.tile_sets.add(
        "ts_cave", Image.new("RGBA", (64, 32), (90, 80, 70, 255)), tile_size=(16, 16)
    )
    game.animation_curves.add("ac_rise", {"height": [(0, 0), (0.4, 2), (1, 1)]})
    sequence = game.sequences.add("seq_walk", length=60)
    track = sequence.tracks.add(game.sprites["spr_keeper"])
    track.tracks.add_values("position", {0: (0, 0), 30: (40, 8), 60: (80, 0)})
    track.tracks.add_values("blend_multiply", {0: "#ffffff", 60: "#804020"})
    emitter = game.emitters.add("Sparks")
    emitter.sprite, emitter.mid_colour = game.sprites["spr_keeper"], (255, 200, 0, 128)
    game.particle_systems.add("ps_fire", [emitter])


@per_file
def furnished(edition: str) -> bytes:
    """An edition of the demo game with all that :func:`furnish` adds."""
    with overhaul.open_game(lantern(edition)) as made:
        furnish(made)
        return made.to_bytes()


def furnished_lantern(path: Path, edition: str = "current") -> Path:
    """Write an edition of the demo game with all that :func:`furnish` adds."""
    path.write_bytes(furnished(edition))
    return path
