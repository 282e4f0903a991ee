"""Projects next to the games that were compiled from them: what is equal, by kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from overhaul import mods
from real_files import NO_CORPUS, corpus_folder

#: How many are equal, and how many are compared, of all 20 projects.  The rest was edited between
#: the commit and the build: of 68 code entries 25 are of one project, 16 of another; a shader got
#: two lines, a font another size.
COUNTS = {
    "sprite": (358, 361), "frame": (626, 628), "object": (329, 340), "room": (50, 56),
    "sound": (21, 21), "path": (1, 1), "code": (1319, 1385), "shader": (13, 14), "font": (36, 37),
    "font picture": (34, 35), "tile set": (5, 5), "tile set picture": (5, 5),
    "background": (6, 6), "sound file": (12, 12), "options": (27, 31),
}  # fmt: skip
#: Projects of which the commit is the build.
SAME = (
    "kisa002__KisaNet", "jnibali__Clown_Planet", "ProjectMobius13__FoE-Town-HP-Tracker",
    "ScottVMariotte__Multiplayer_Tanks", "Connect1on__myclicker2",
    "misternebula__OpenGM__c73100dc", "misternebula__OpenGM__d60edb85",
    "rkolovanov__space-runner", "SPowellTho__Changeable", "DuckNumbers__jtool",
)  # fmt: skip
#: How many rooms they have.
ROOMS = 19


def pairs() -> Iterator[tuple[Path, Path]]:
    """Each project file with its game."""
    root = corpus_folder()
    readme = None if root is None else root / "gmprojects/README.md"
    if root is None or readme is None or not readme.is_file():
        return
    for row in readme.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) > 7 and cells[7].endswith(".win"):
            folder = root / "gmprojects" / cells[1]
            project = next(iter((*folder.glob("*.yyp"), *folder.glob("*.project.gmx"))))
            yield project, root / "datawin" / cells[7]


def test_projects_are_their_games() -> None:
    found = list(pairs())
    if not found:
        pytest.skip(NO_CORPUS)
    equal: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    for project, game in found:
        difference = mods.diff(project, game)
        for kind, (good, tried) in difference.equal.items():
            equal[kind] += good
            compared[kind] += tried
        if project.parent.name.startswith(SAME):
            assert difference.changes == [], project
    counts = {kind: (equal[kind], compared[kind]) for kind in compared}
    assert counts.keys() == COUNTS.keys()
    assert {kind: tried for kind, (_, tried) in counts.items()} == {
        kind: tried for kind, (_, tried) in COUNTS.items()
    }
    assert {k: good for k, (good, _) in counts.items() if good < COUNTS[k][0]} == {}


def test_the_difference_the_other_way_round() -> None:
    found = [pair for pair in pairs() if re.search("OpenGM__d60", str(pair[0]))]
    if not found:
        pytest.skip(NO_CORPUS)
    project, game = found[0]
    assert not mods.diff(game, project)


def test_rooms_look_as_in_the_game() -> None:
    """The rooms of projects that are their games, and whose compiler rounds no pictures."""
    count = 0
    for path, game_path in pairs():
        if not path.parent.name.startswith(SAME):
            continue
        project = overhaul.open_project(path)
        with overhaul.open_game(game_path) as game:
            for room in game.rooms if game.release.bytecode > 13 else ():
                if project.rooms[room.name].not_drawn():  # texts
                    continue
                image = project.rooms[room.name].image()
                assert image.tobytes() == room.image().tobytes(), (path, room.name)
                count += 1
    if not count:
        pytest.skip(NO_CORPUS)
    assert count == ROOMS
