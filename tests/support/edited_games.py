"""Small games edited in memory: ``from edited_games import edited, packed``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import overhaul
from memory_folder import memory_folder
from overhaul.document.plainfiles import Change, PackOptions, UnpackOptions
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data_folder.format import FORMAT as data_folder
from per_file import per_file
from small_folders import small_game

Files = dict[str, bytes]


@cache
def packed(version: str) -> bytes:
    """The small game of a release."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "game"
        small_game(folder, version)
        overhaul.pack(folder, Path(name) / "data.win")
        return (Path(name) / "data.win").read_bytes()


def changed(version: str, change: Callable[[GameData], object]) -> bytes:
    """The small game, changed through the library."""
    game = GameData.from_bytes(packed(version))
    game.load_all()
    change(game)
    return game.to_bytes()


def unpacked(data: bytes, code: str = "asm") -> Files:
    """The plain files of a game."""
    return dict(_files(data, code))


@per_file
def _files(data: bytes, code: str) -> Files:
    game = GameData.from_bytes(data)
    files = data_folder.plain_files(game, UnpackOptions(code=code))
    return {file.path: file.read() for file in files}


def edited(
    data: bytes,
    edits: Mapping[str, Any],
    *,
    code: str = "asm",
    unnoticed: Mapping[str, bytes] | None = None,
    accept_renumbering: bool = False,
) -> tuple[Any, list[str]]:
    """The game after changing files (None removes one; JSON values are written), and warnings.

    ``unnoticed`` are files that read otherwise, though nobody changed them.
    """
    files = unpacked(data, code) | dict(unnoticed or {})
    changes: dict[str, Change] = {}
    for path, content in edits.items():
        changes[path] = "removed" if content is None else "changed" if path in files else "added"
        if content is None:
            del files[path]
        else:
            plain = isinstance(content, bytes)
            files[path] = content if plain else json.dumps(content).encode()
    game = GameData.from_bytes(data)
    options = PackOptions(accept_renumbering=accept_renumbering)
    warnings = data_folder.apply(game, memory_folder(files, options=options), changes).texts()
    again = GameData.from_bytes(game.to_bytes())
    again.load_all()
    assert again.to_bytes() == game.to_bytes()
    return again, warnings


def made(files: Files, version: str, settings: dict[str, object] | None = None) -> Any:
    """The game made of plain files alone."""
    game: Any = data_folder.empty({"version": version, **(settings or {})})
    data_folder.apply(game, memory_folder(files), dict.fromkeys(files, "added"))
    return GameData.from_bytes(game.to_bytes())


def shown(data: bytes, path: str) -> Any:
    return json.loads(unpacked(data)[path])


def frame(game: GameData, sprite: str, index: int) -> Any:
    return PageImages().frame(game.records.sprites[sprite].textures[index])
