"""Projects recovered from executables, next to the projects that these were made of."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from made_executables import USUAL, compiled
from overhaul.gamemaker.classic.documents.executable import ExecutableDocument
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.executable.container import read_executable
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.pictures import pixels_of
from overhaul.gamemaker.classic.records import Project, read_project, write_project
from overhaul.gamemaker.classic.recovery import masks, recover, recovering
from overhaul.gamemaker.classic.resources import OldSprite, Sprite
from present import present
from real_files import corpus_files, sample

pytestmark = pytest.mark.corpus

PAIRS = corpus_files("gm-exe-pairs/*/compiled/*.exe")
PROJECTS = [
    path
    for pattern in ("projects/*.gm*", "projects2/*.gm*")
    for path in corpus_files(pattern)
    if path.suffix in (".gm6", ".gmk", ".gm81")
]
KINDS = (
    "sounds", "sprites", "backgrounds", "paths", "scripts", "fonts", "timelines", "objects",
    "rooms",
)  # fmt: skip
#: of each kind, what compiling throws away
LOST = {
    "sprites": {"frames", "mask_shape", "alpha_tolerance", "bbox_mode"},  # looked at below
    "backgrounds": {
        "use_as_tileset", "tile_width", "tile_height", "tile_h_offset", "tile_v_offset",
        "tile_h_sep", "tile_v_sep", "image", "old_image",
    },
    "paths": {"background_room", "snap_x", "snap_y"},
    "rooms": {"snap_x", "snap_y", "isometric", "editor", "instances", "tiles"},
}  # fmt: skip
STATE = {"kept", "rest", "content_size"}
#: fields that differ since the authors edited their projects, by a part of the executable's path
EDITED = {
    "Shooter-With-Vehicles": Counter(
        {("sprites", "name"): 1, ("objects", "categories"): 5, ("objects", "depth"): 1}
    ),
    "collab_automaker": Counter({("scripts", "code"): 1}),
    "pacman": Counter({("objects", "solid"): 1}),
}


def plain(value: object) -> object:
    """A value to compare: the content of streams, lists of fields for records."""
    if isinstance(value, Deflated):
        return value.data
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    names = getattr(value, "__struct_fields__", None)
    if names is None:
        return value
    return [plain(getattr(value, name)) for name in names if name not in STATE]


def differences(made: Project, project: Project) -> Iterator[tuple[str, str]]:
    """The fields of resources that differ, but for those that compiling throws away."""
    for kind in KINDS:
        new, old = getattr(made, kind).slots, getattr(project, kind).slots
        for one, two in zip(new, old, strict=False):
            if (one.exists, one.name) != (two.exists, two.name):
                yield kind, "name"
                continue
            for name in one.resource.__struct_fields__ if one.exists else ():
                if name in STATE or name in LOST.get(kind, ()):
                    continue
                if plain(getattr(one.resource, name)) != plain(getattr(two.resource, name)):
                    yield kind, name


def shown(sprite: OldSprite | Sprite) -> list[Any]:
    """The subimages as they are drawn: pixels that are wholly clear have no colour."""
    keyed = isinstance(sprite, OldSprite) and bool(sprite.transparent)
    drawn = [pixels_of(frame, keyed=keyed) for frame in sprite.frames]
    return [
        None if pixels is None else np.where(pixels[:, :, 3:] == 0, 0, pixels) for pixels in drawn
    ]


def same_sprites(made: Project, project: Project) -> int:
    """How many sprites look alike; asserts that all do, and that masks are the same."""
    count = 0
    for one, two in zip(made.sprites.slots, project.sprites.slots, strict=False):
        if not (one.exists and one.name == two.name):
            continue
        new, old = present(one.resource), present(two.resource)
        assert isinstance(new, OldSprite | Sprite) and isinstance(old, OldSprite | Sprite)
        assert all(map(np.array_equal, shown(new), shown(old))), one.name
        count += 1
        if isinstance(new, Sprite) and isinstance(old, Sprite):
            for frame in new.frames if new.separate_masks else ():
                alpha = present(pixels_of(frame))[:, :, 3]
                box = new.bbox_left, new.bbox_top, new.bbox_right, new.bbox_bottom
                assert np.array_equal(
                    masks.shaped(alpha, box, new.mask_shape, new.alpha_tolerance),
                    masks.shaped(alpha, box, old.mask_shape, old.alpha_tolerance),
                )
    return count


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.parts[-3])
def test_a_recovered_project_is_the_authors(path: Path) -> None:
    (author,) = (path.parents[1] / "project").iterdir()
    with overhaul.open(path) as game, overhaul.open(author) as document:
        assert isinstance(game, ExecutableDocument) and isinstance(document, ProjectDocument)
        made, project = recover(game.executable), document.project
        assert made.project.version == project.version
        written = write_project(made.project)
        assert write_project(read_project(written)) == written
        expected = next((known for part, known in EDITED.items() if part in str(path)), Counter())
        assert Counter(differences(made.project, project)) == expected
        same_sprites(made.project, project)
        for name in ("game_id", "guid", "last_tile_id"):
            assert getattr(made.project, name) == getattr(project, name)
        settings, old = made.project.settings, project.settings
        for name in ("company", "product", "copyright", "description", "major", "load_image"):
            assert plain(getattr(settings, name)) == plain(getattr(old, name)), name
        if project.version >= 800:
            assert settings.icon == old.icon
        assert not any(tally.lost for tally in made.tallies.values())
        assert made.tallies["sprites"].lossy == 0


@pytest.mark.parametrize("path", sample(PROJECTS, 12), ids=lambda path: path.name)
def test_compiled_projects_come_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = dict.fromkeys(recovering._USUAL_PICTURES, hashlib.sha256(USUAL).hexdigest()[:32])
    monkeypatch.setattr(recovering, "_USUAL_PICTURES", usual)
    with overhaul.open(path) as document:
        assert isinstance(document, ProjectDocument)
        project = document.project
        if project.version not in (600, 701, 800, 810):
            pytest.skip("there are no executables of this version")
        made = recover(read_executable(compiled(project)))
        assert not list(differences(made.project, project))
        same_sprites(made.project, project)
        assert made.tallies["sprites"].lossy == 0
