"""Whether two games mean the same: resources, pictures, sounds and code, wherever they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from overhaul.gamemaker.data.chunks.txtr import TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data_folder.kind_folders import CODE
from overhaul.gamemaker.data_folder.kinds import TABLES, Kind
from overhaul.gamemaker.data_folder.names import name_of
from overhaul.gamemaker.data_folder.view import FolderView

_MOST = 50
#: keys that only say where bytes are
_PLACES = frozenset({"audio", "pages"})


def differences(first: GameData, second: GameData) -> list[str]:
    """Where two games differ in meaning, in words; at most fifty places.

    Resources of a kind are compared in their order: their JSON (numbers of texture pages and
    sound data left out), their pictures by pixels, their other files by bytes, code by its
    assembly text.  Places in the file, the order of strings, and unused strings mean nothing.
    """
    return list(islice(_Comparison(first, second).run(), _MOST))


class _Comparison:
    def __init__(self, first: GameData, second: GameData) -> None:
        self.games = (first, second)
        for game in self.games:
            game.load_all()
        self.views = (FolderView(first), FolderView(second))
        self.images = (PageImages(), PageImages())

    def run(self) -> Iterator[str]:
        first, second = self.games
        if list(first.chunks) != list(second.chunks):
            yield f"chunks: {' '.join(first.chunks)} / {' '.join(second.chunks)}"
            return
        for table in sorted(TABLES, key=lambda table: table.chunk):
            if table.is_in(self.views[0].names):
                shown = [_without_places(table.show(view.names)) for view in self.views]
                yield from compare_json(table.chunk, *shown)
        for kind in self.views[0].kinds:
            yield from self._kind(kind)
        yield from self._code()
        for name, chunk in first.chunks.items():
            if chunk.raw != second.chunks[name].raw:
                yield f"{name}: other bytes"

    def _kind(self, kind: Kind) -> Iterator[str]:
        stems = [view.stems(kind) for view in self.views]
        if stems[0] != stems[1]:
            yield f"{kind.folder}: {_first_difference(*stems)}"
            return
        for pair in zip(*(view.resources(kind) for view in self.views), strict=True):
            (_, stem, first), (_, _, second) = pair
            place = f"{kind.folder}/{stem}"
            shown = [
                _without_places(view.json_of(kind, record, stem))
                for view, record in zip(self.views, (first, second), strict=True)
            ]
            yield from compare_json(place, *shown)
            yield from self._pictures(kind, place, first, second)
            yield from self._parts(kind, place, first, second)

    def _pictures(self, kind: Kind, place: str, *records: Any) -> Iterator[str]:
        first, second = (list(kind.pictures(record)) for record in records)
        if len(first) != len(second):
            yield f"{place}: {len(first)} / {len(second)} frames"
            return
        for mine, theirs in zip(first, second, strict=True):
            yield from self._picture(f"{place}{mine.path}", mine.item, theirs.item)

    def _picture(
        self, place: str, first: TexturePageItem | None, second: TexturePageItem | None
    ) -> Iterator[str]:
        mine, theirs = self.images[0].frame(first), self.images[1].frame(second)
        if mine is None or theirs is None:
            if mine is not theirs:
                what = "a picture / none" if theirs is None else "none / a picture"
                yield f"{place}: {what}"
        elif not np.array_equal(mine, theirs):
            yield f"{place}: other pixels"

    def _parts(self, kind: Kind, place: str, *records: Any) -> Iterator[str]:
        first, second = (
            {file.path: file for file in kind.parts(record, place, "", view.names)}
            for view, record in zip(self.views, records, strict=True)
        )
        for path in sorted(first.keys() | second.keys()):
            mine, theirs = first.get(path), second.get(path)
            if mine is None or theirs is None:
                yield f"{path}: {'none / a file' if mine is None else 'a file / none'}"
            elif mine.read() != theirs.read():
                yield f"{path}: other bytes"

    def _code(self) -> Iterator[str]:
        roots = [view.roots() for view in self.views]
        if list(roots[0]) != list(roots[1]):
            yield f"{CODE}: {_first_difference(list(roots[0]), list(roots[1]))}"
            return
        for stem, entry in roots[0].items():
            other = roots[1][stem]
            if entry.assembly != other.assembly:
                yield f"{CODE}/{stem}: other instructions"
            counts = [(e.locals_count, e.arguments) for e in (entry, other)]
            if counts[0] != counts[1]:
                yield f"{CODE}/{stem}: locals and arguments {counts[0]} / {counts[1]}"
        names = [[name_of(e) for e in game.records.code if e is not None] for game in self.games]
        if names[0] != names[1]:
            yield f"{CODE}: {_first_difference(*names)}"


def compare_json(place: str, first: object, second: object) -> Iterator[str]:
    """Where two JSON values differ, by path."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in [*first, *(key for key in second if key not in first)]:
            yield from compare_json(f"{place}.{key}", first.get(key), second.get(key))
        if list(first) != list(second) and first.keys() == second.keys() and "events" in place:
            yield f"{place}: another order"
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for index, pair in enumerate(zip(first, second, strict=True)):
            yield from compare_json(f"{place}[{index}]", *pair)
    elif first != second:
        yield f"{place}: {str(first)[:100]} / {str(second)[:100]}"


def _without_places(plain: object) -> object:
    if isinstance(plain, dict):
        shown = {k: _without_places(v) for k, v in plain.items() if k not in _PLACES}
        if shown.get("details") == {}:
            del shown["details"]
        return shown
    if isinstance(plain, list):
        return [_without_places(item) for item in plain]
    return plain


def _first_difference(first: Sequence[str], second: Sequence[str]) -> str:
    for index, pair in enumerate(zip(first, second, strict=False)):
        if pair[0] != pair[1]:
            return f"number {index} is {pair[0]!r} / {pair[1]!r}"
    return f"{len(first)} / {len(second)} of them"
