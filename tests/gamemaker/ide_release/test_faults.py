"""Projects with damaged values: our errors only, and what is made can be read."""

from __future__ import annotations

import json
import random
from pathlib import Path

from ide_projects import modern_project
from overhaul.errors import OverhaulError
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_release import converted_to, named_release
from repeats import times

RELEASES = ("2.3.0", "2.3.7", "2022.9", "2023.11", "2024.2", "2026.0")
JUNK: tuple[Json, ...] = (
    None, 0, -1, 1.5, "", "x", [], {}, [None], [[]], {"a": None}, True, [1, 2], 2**70,
)  # fmt: skip
DEEPER = 0.85
GONE = 0.1


def damaged(value: Json, source: random.Random) -> Json:
    """A value with another one somewhere in it, or without one."""
    if isinstance(value, dict) and value and source.random() < DEEPER:
        key = source.choice(list(value))
        if source.random() < GONE:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: damaged(value[key], source)}
    if isinstance(value, list) and value and source.random() < DEEPER:
        at = source.randrange(len(value))
        return [*value[:at], damaged(value[at], source), *value[at + 1 :]]
    return source.choice(JUNK)


def test_damaged_values(tmp_path: Path) -> None:
    modern_project(tmp_path)
    files = {path.relative_to(tmp_path).as_posix(): path.read_bytes()
             for path in tmp_path.rglob("*") if path.is_file()}  # fmt: skip
    texts = [path for path in files if path.endswith((".yy", ".yyp"))]
    source = random.Random(46)
    made = 0
    for _ in range(times(2000, 20)):
        changed = dict(files)
        for path in source.sample(texts, 2):
            value = damaged(read_json_file(files[path]).value, source)
            changed[path] = json.dumps(value).encode()
        siblings = MadeFiles({path: data.__bytes__ for path, data in changed.items()})
        try:
            document = IdeProjectDocument.from_bytes(
                changed["Game.yyp"], source="Game.yyp", siblings=siblings
            )
            found = converted_to(document, named_release(source.choice(RELEASES)))
        except OverhaulError:
            continue
        for path in texts:
            if path in found.files:
                read_json_file(found.files[path]()).at()
        made += 1
    assert made > 0
