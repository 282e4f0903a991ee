"""Nonsensical JSON in a project's folder: a clear error or a sound project, nothing else."""

from __future__ import annotations

import json
import os
import random

import pytest
from test_game_folder import mutated

from edit_law.subject import Subject
from handmade_project import project_file
from overhaul.errors import OverhaulError

TIMES = 2000 if os.environ.get("OVERHAUL_FULL") == "1" else 120


@pytest.mark.parametrize("version", [500, 701, 800, 810])
def test_damaged_json(version: int) -> None:
    subject = Subject("made.gmk", project_file(version))
    chance = random.Random(version)
    paths = sorted(path for path in subject.files if path.endswith(".json"))
    refused = 0
    for _ in range(TIMES):
        path = chance.choice(paths)
        value = mutated(json.loads(subject.files[path]), chance)
        try:
            packed = subject.pack({**subject.files, path: json.dumps(value).encode()})
            subject.unpack(packed)
        except OverhaulError as error:
            refused += 1
            assert path.rpartition("/")[2].partition(".")[0] in str(error) or "/" in str(error)
    assert 0 < refused < TIMES
