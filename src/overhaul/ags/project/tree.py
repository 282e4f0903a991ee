"""The files of a game's tree, as far as its project needs them: their JSON, by kind and number."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, cast

from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.project.resources import Json, number
from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.document.protocol import Document
from overhaul.document.registry import folder_format_of
from overhaul.errors import FormatError

#: JSON needs no proof of scripts, which takes compiling them.
_OPTIONS: Final = UnpackOptions(proven=False)
_NOTHING: Mapping[str, object] = {}


class GameTree:
    """The JSON files of a game's tree; ``document`` is a package or game data."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def package_name(self) -> str:
        """The name of the package's first file without its ending: the editor gives it the name of
        the project's game.  Empty for game data."""
        document = self._document
        parts = document.package.parts if isinstance(document, PackageDocument) else []
        return os.path.splitext(parts[0])[0] if parts else ""

    @cached_property
    def _files(self) -> dict[str, PlainFile]:
        listed = folder_format_of(self._document.kind).plain_files(self._document, _OPTIONS)
        return {file.path: file for file in listed}

    def __contains__(self, path: str) -> bool:
        return path in self._files

    def json(self, path: str) -> Json:
        """The value of a JSON file that each game has. Raises FormatError where there is none."""
        if path not in self._files:
            raise FormatError(f"the game has no {path}")
        return cast("Json", json.loads(self._files[path].read()))

    def later_json(self, path: str) -> Json:
        """The value of a JSON file that games of some versions have; None in others."""
        return self.json(path) if path in self._files else _NOTHING

    def things(self, folder: str) -> list[Json]:
        """The things of a kind, in the order of their numbers."""
        prefix = f"{folder}/"
        found = [
            self.json(path)
            for path in self._files
            if path.startswith(prefix) and path.endswith(".json") and path.count("/") == 1
        ]
        return sorted(found, key=lambda thing: number(thing.get("ID")))

    def rooms(self) -> Iterator[tuple[int, Json]]:
        """The numbers of the rooms, and what their files say."""
        for path in self._files:
            parts = path.split("/")
            if parts[0] == "rooms" and parts[2:] == ["room.json"] and parts[1].isdecimal():
                yield int(parts[1]), self.json(path)
