"""Large games, made of small ones: their plain files several times, each time under a prefix.

:func:`enlarge` adds copies of unpacked games to an unpacked game.  Resources, code entries and
functions have a prefix in the file names, the JSON and the code of a copy, so that a copy means
what its game means; variables are shared.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: the folders of resources
KINDS = (
    "sprites", "sounds", "backgrounds", "tilesets", "paths", "fonts", "timelines", "objects",
    "rooms", "curves", "sequences", "shaders",
)  # fmt: skip
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_CODE = re.compile(r"(gml_(?:Object|RoomCC|Room|GlobalScript|Script|Timeline)_)(.+)", re.ASCII)
_COLLISION = "_Collision_"
_FUNCTION = re.compile(r"^function\s+([A-Za-z_]\w*)", re.MULTILINE)
_ASSIGNED = re.compile(r"\b([A-Za-z_]\w*)(?:\[[^\n]*\])? [-+*/]?= ", re.ASCII)
#: numbers of instances and of tiles begin here; each copy has so many of its own
_NUMBERS, _OF_A_COPY = 100_000, 20_000


def entries_of(folder: Path) -> int:
    """How many code entries have files."""
    return sum(path.suffix in (".gml", ".asm") for path in (folder / "code").iterdir())


def enlarge(folder: Path, others: Sequence[Path], entries: int) -> int:
    """Add copies of other unpacked games, in turns, until a folder has at least so many code
    entries; returns the number of copies."""
    count = entries_of(folder)
    number = 0
    while count < entries:
        number += 1
        copy = _Copy(others[(number - 1) % len(others)], number)
        count += copy.add_to(folder)
    return number


class _Copy:
    """A copy of an unpacked game."""

    def __init__(self, source: Path, number: int) -> None:
        self.source = source
        self.number = number
        self.prefix = f"c{number:03}_"
        self.code = sorted((source / "code").iterdir())
        # Functions inside of code entries are found by packing; they stand here under their code.
        self.scripts: dict[str, Any] = {
            name: value
            for name, value in _read(source, "scripts.json", {}).items()
            if not _CODE.fullmatch(name)
        }
        self.names = {path.stem for path in self.code} | self.scripts.keys()
        for kind in KINDS:
            if (source / kind).is_dir():
                self.names |= {file.name.split(".")[0] for file in (source / kind).iterdir()}
        for path in self.code:
            self.names |= set(_FUNCTION.findall(path.read_text("utf-8")))

    def renamed(self, name: str) -> str:
        """A name in the copy; one that is no resource's and no function's stays."""
        if name not in self.names:
            return name
        match = _CODE.fullmatch(name)
        if not match:
            return self.prefix + name
        head, rest = match.groups()
        start, mark, other = rest.partition(_COLLISION)
        return f"{head}{self.prefix}{start}{mark}{self.renamed(other) if mark else ''}"

    def text(self, text: str) -> str:
        # Some variables are called as resources are, which only official compilers take.
        variables = self.names.intersection(_ASSIGNED.findall(text))
        return _WORD.sub(
            lambda match: f"v_{match[0]}" if match[0] in variables else self.renamed(match[0]), text
        )

    def key(self, key: str) -> str:
        """A key of JSON: collision events name an object."""
        start, mark, other = f"_{key}".partition(_COLLISION)
        return mark[1:] + self.renamed(other) if mark and not start else key

    def json(self, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {self.key(name): self.json(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [self.json(part, key) for part in value]
        if isinstance(value, str):
            return self.renamed(value)
        if key in ("id", "instances") and isinstance(value, int) and value >= _NUMBERS:
            return value + self.number * _OF_A_COPY
        return value

    def add_to(self, folder: Path) -> int:
        """Write the files of the copy; return how many code entries it has."""
        for kind in (*KINDS, "code"):
            for file in sorted((self.source / kind).rglob("*")):
                if file.is_file():
                    self._write(file, folder)
        scripts = {self.renamed(name): self.json(value) for name, value in self.scripts.items()}
        _merge(folder, "scripts.json", scripts)
        started = _read(self.source, "global_init.json", [])
        _merge(folder, "global_init.json", [self.renamed(name) for name in started])
        return len(self.code)

    def _write(self, file: Path, folder: Path) -> None:
        kind, name, *rest = file.relative_to(self.source).parts
        stem, dot, ending = name.partition(".")
        target = folder.joinpath(kind, self.renamed(stem) + dot + ending, *rest)
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".json":
            made = self.json(json.loads(file.read_text("utf-8")))
            target.write_text(json.dumps(made), "utf-8")
        elif file.suffix in (".gml", ".asm"):
            target.write_text(self.text(file.read_text("utf-8")), "utf-8")
        else:
            shutil.copyfile(file, target)


def _read(folder: Path, name: str, default: Any) -> Any:
    path = folder / name
    return json.loads(path.read_text("utf-8")) if path.exists() else default


def _merge(folder: Path, name: str, more: Any) -> None:
    """Add to a list or a table of names."""
    if more:
        there = _read(folder, name, type(more)())
        made = [*there, *more] if isinstance(more, list) else there | more
        (folder / name).write_text(json.dumps(made), "utf-8")
