"""Damaged files are merged, by their lines where nothing else is left, and repaired or refused."""

from __future__ import annotations

import copy
import os
import random
from collections import Counter
from pathlib import Path

import pytest

from ide_projects import modern_project, old_project, studio_project
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.ide.marks import Disagreement, sides_of
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.syntax_mending import Unmendable, mended
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_merge.files import merge_files
from overhaul.gamemaker.ide_merge.trees import tree_of

VALUES: tuple[Json, ...] = (
    None, True, 1, -5, 2.5, "", "x", [], {}, [1, 2], [None], {"name": "a", "path": "b"}, [[1]],
    [{}], 1 << 70,
)  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files in JSON and XML of small projects of each form."""
    folder = tmp_path_factory.mktemp("projects")
    modern_project(folder / "modern")
    old_project(folder / "old")
    studio_project(folder / "studio")
    found = [path for path in sorted(folder.rglob("*")) if path.suffix in (".yy", ".yyp", ".gmx")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def with_other_values(data: bytes, choose: random.Random) -> bytes:
    """A file in which some values are of other types, gone, or there twice."""
    file = read_json_file(data)
    value = copy.deepcopy(file.value)
    owners: list[dict[str, Json] | list[Json]] = []

    def walk(inside: Json) -> None:
        if isinstance(inside, dict | list) and inside:
            owners.append(inside)
            for item in inside.values() if isinstance(inside, dict) else inside:
                walk(item)

    walk(value)
    for _ in range(choose.randrange(4)):
        owner = choose.choice(owners)
        if isinstance(owner, dict):
            owner[choose.choice(list(owner))] = choose.choice(VALUES)
        elif owner:
            at = choose.randrange(len(owner))
            owner[at : at + 1] = choose.choice(([], [owner[at]] * 2, [choose.choice(VALUES)]))
    return print_text(value, file.style).encode()


def with_other_bytes(data: bytes, choose: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(choose.randrange(3)):
        at = choose.randrange(len(made))
        made[at : at + choose.randrange(3)] = choose.randbytes(choose.randrange(3))
    return bytes(made)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files(files: dict[str, bytes], seed: int) -> None:
    choose = random.Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(120):
        path = choose.choice(list(files))
        is_xml = path.endswith(".gmx")
        change = with_other_bytes if is_xml or choose.random() < 0.3 else with_other_values
        base, ours, theirs = (change(files[path], choose) for _ in range(3))
        merged = merge_files(Path(path).name, base, ours, theirs)
        what = "conflict" if merged.conflicts else "merged"
        if merged.conflicts and b"<<<<<<<" in merged.data:
            what = "marks"
            one, two = sides_of(merged.data.decode())
            assert one != two
        counts[what] += 1
        try:
            read_json_file(mended(ours).text.encode()).at()
        except (Unmendable, Disagreement):
            counts["left"] += 1
        else:
            counts["mended"] += 1
    assert counts["merged"] + counts["marks"] + counts["conflict"] == 120
    assert counts["mended"] + counts["left"] == 120
    assert len(counts) == 5 and min(counts.values()) > 20


def test_a_pipe_in_a_project_is_refused(tmp_path: Path) -> None:
    """Reading it would never end."""
    modern_project(tmp_path / "project")
    make = getattr(os, "mkfifo", None)
    if make is None:
        pytest.skip("this system has no named pipes")
    make(tmp_path / "project/pipe.yy")
    with pytest.raises(WorkspaceError, match=r"pipe\.yy: it is neither a file nor a folder"):
        tree_of(str(tmp_path / "project"))
