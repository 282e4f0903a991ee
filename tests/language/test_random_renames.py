"""Random renames: once it is packed, only the name differs.

A few names of a small game of each edition are renamed; with OVERHAUL_FULL=1 all of them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import overhaul
from ags_scripted import GAME_TEXT, scripted_package
from handmade_project import project_file
from modded_games import lantern
from overhaul.errors import WorkspaceError
from overhaul.folder.packing import packed
from overhaul.language.ags.scanning import scan
from overhaul.language.edits import after_edits
from overhaul.language.gml.language import GmlLanguage
from overhaul.language.workspace import Workspace
from overhaul.mods.view import opened
from repeats import times

RENAMES = times(400, 50)
#: why a name stays as it is
REFUSED = re.compile(r"can't be renamed|can't become|is called by the engine|is declared by")
#: a variable of a function, or a parameter
LOCAL = r"(\b(var|int|float|String|\w+ ?\*)[^;\n]*?[ ,*]|[(,][^;()]*)NAME\b"
PROJECT = (
    b"with (obj_wall) scr_add(lives, SPEED);\n"
    b"var near; near = obj_wall.x;\nammo = near;\nmy.obj_wall = 1;\n"
)


def project() -> bytes:
    return project_file(810, {"objects/obj_player/key_press_enter.gml": PROJECT})


EDITIONS: dict[str, Callable[[], bytes]] = {
    "gms1": lambda: lantern("gms1"),
    "current": lambda: lantern("current"),
    "gmk": project,
    "ags": scripted_package,
}


@pytest.fixture(params=[*EDITIONS, "furnished"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    made = tmp_path / "game"
    if request.param == "furnished":
        return shutil.copytree(request.getfixturevalue("unpacked"), made)
    overhaul.unpack(EDITIONS[request.param](), made)
    if request.param == "ags":
        (made / "scripts/GlobalScript.asc").write_text(GAME_TEXT)
    return made


def names(workspace: Workspace) -> Iterator[tuple[str, int, str]]:
    """The names in all sources: files, offsets, and what they are."""
    (language,) = workspace.languages
    for path in workspace.texts.paths():
        if isinstance(language, GmlLanguage) and path.endswith(".gml"):
            for each in language.index.scan(path).occurrences:
                yield path, each.position, each.name
        elif path.endswith(".asc"):
            for name in scan(workspace.texts.read(path)).occurrences:
                yield path, name.position, name.name


def left(
    workspace: Workspace, changed: Mapping[str, bytes | None], path: str, offset: int, old: str
) -> list[str]:
    """The sources that still have the name with or without a dot, as it was renamed: of the same
    function or file if that declares it, else of all."""
    before = workspace.texts.read(path)
    dotted = before[offset - 1 : offset] == "."
    word = re.compile(rf"\.{old}\b" if dotted else rf"(?<![\w.\"]){old}\b(?!\")")
    number, (start, end) = next(
        (number, part) for number, part in enumerate(functions(before)) if offset < part[1]
    )
    if not dotted and re.search(LOCAL.replace("NAME", old), before[start:end]):
        after = (changed[path] or b"").decode()
        return [path] if word.search(after[slice(*functions(after)[number])]) else []
    now = {**{place: workspace.texts.data(place) for place in workspace.texts.paths()}, **changed}
    is_own = f"function {old}(" in before  # another script may have one of this name
    return [
        place
        for place, data in now.items()
        if place.endswith((".gml", ".asc", ".ash"))
        and (place == path or not is_own)
        and word.search((data or b"").decode())
    ]


def functions(text: str) -> list[tuple[int, int]]:
    """Where the functions of a source begin and end; the code between them belongs to the next."""
    ends = {match.end() for match in re.finditer(r"^}.*\n?", text, re.MULTILINE)}
    return [*pairwise(sorted({0, *ends, len(text) + 1}))]


def files(data: bytes) -> dict[str, bytes]:
    """The plain files of a game."""
    with opened(data) as view:
        return {path: view.read(path) for path in view.files}


def test_only_the_name_differs(folder: Path) -> None:
    workspace = Workspace.of_folder(folder)
    (language,) = workspace.languages
    game = packed(folder).data
    before = files(game)
    listed = sorted(names(workspace))
    random = Random(42)
    done = 0
    for path, offset, old in random.sample(listed, min(RENAMES, len(listed))):
        new = f"zq{old[2:]}" if len(old) > 4 else f"zq_{old}"
        try:
            made = language.rename(path, offset, new, workspace.prove)
        except WorkspaceError as error:
            assert REFUSED.search(str(error)), (old, str(error))
            continue
        changed = after_edits(workspace.texts, made.edits, made.moves)
        assert left(workspace, changed, path, offset, old) == [], (path, offset, old)
        done += 1
        renamed = packed(folder, changed).data
        if renamed.replace(new.encode(), old.encode()) == game:
            continue
        after = files(renamed)
        back = {
            place.replace(new, old): data.replace(new.encode(), old.encode())
            for place, data in after.items()
        }
        differing = [place for place in {*before, *back} if before.get(place) != back.get(place)]
        assert differing == [], (path, offset, old)
    assert done >= min(RENAMES, len(listed)) // 8
    workspace.close()
