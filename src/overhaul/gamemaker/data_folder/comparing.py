"""Whether two games mean the same: resources, pictures, sounds and code, whatever their places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from overhaul.gamemaker.data.pictures import PageImages
from overhaul.gamemaker.data.sounds import bytes_of_sound
from overhaul.gamemaker.data_folder.code import root_stems
from overhaul.gamemaker.data_folder.kinds import SHADER_BLOBS, SHADER_TEXTS, Kind
from overhaul.gamemaker.data_folder.view import FolderView, file_chunks, name_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData

_MOST = 50
#: what only says where bytes lie
_PLACES = frozenset({"audio", "pages"})


def same_meaning(first: GameData, second: GameData) -> bool:
    """Whether two games mean the same; see :func:`differences`."""
    return not differences(first, second)


def differences(first: GameData, second: GameData) -> list[str]:
    """Where two games differ in meaning, in words; at most fifty places.

    Resources of a kind are compared in their order: their JSON (numbers of texture pages and
    sound data left out), frames by pixels, masks, sounds by bytes, code by its assembly text.
    Where something lies in the file, the order of strings, and strings nobody uses mean nothing.
    """
    found: list[str] = []
    for difference in _Comparison(first, second).run():
        found.append(difference)
        if len(found) >= _MOST:
            break
    return found


class _Comparison:
    def __init__(self, first: GameData, second: GameData) -> None:
        self.games = (first, second)
        for game in self.games:
            game.load_all()
        self.views = (FolderView(first), FolderView(second))
        self.images = (PageImages(), PageImages())

    def run(self) -> Iterator[str]:
        first, second = self.games
        if list(first.slots) != list(second.slots):
            yield f"chunks: {' '.join(first.slots)} / {' '.join(second.slots)}"
            return
        for chunk in sorted(set(file_chunks(first)) | set(file_chunks(second))):
            mine, theirs = (_without_places(view.file_json(chunk)) for view in self.views)
            yield from compare_json(chunk, mine, theirs)
        for kind in self.views[0].kinds:
            yield from self._kind(kind)
        yield from self._code()
        for name, slot in first.slots.items():
            if slot.raw != second.slots[name].raw:
                yield f"{name}: other bytes"

    def _kind(self, kind: Kind) -> Iterator[str]:
        lists = [game.named(kind.chunk) for game in self.games]
        stems = [view.stems(kind.chunk) for view in self.views]
        if stems[0] != stems[1]:
            yield f"{kind.folder}: {_first_difference(*stems)}"
            return
        for index, stem in enumerate(stems[0]):
            records = [each[index] for each in lists]
            if records[0] is None:
                continue
            place = f"{kind.folder}/{stem}"
            mine, theirs = (
                _without_places(view.json_of(kind, record, stem))
                for view, record in zip(self.views, records, strict=True)
            )
            yield from compare_json(place, mine, theirs)
            yield from self._parts(kind, place, records)

    def _parts(self, kind: Kind, place: str, records: list[Any]) -> Iterator[str]:
        first, second = records
        if kind.chunk == "SPRT":
            if len(first.textures) != len(second.textures):
                yield f"{place}: {len(first.textures)} / {len(second.textures)} frames"
                return
            for number, items in enumerate(zip(first.textures, second.textures, strict=True)):
                yield from self._picture(f"{place}/{number}", *items)
            if first.masks != second.masks and not _same_masks(first, second, self.games[0]):
                yield f"{place}: masks ({len(first.masks)} / {len(second.masks)})"
        elif kind.chunk in ("BGND", "FONT"):
            yield from self._picture(place, first.texture, second.texture)
        elif kind.chunk == "EMBI":
            yield from self._picture(place, first.image, second.image)
        elif kind.chunk == "SOND":
            mine, theirs = (
                bytes_of_sound(game, record)
                for game, record in zip(self.games, records, strict=True)
            )
            if (mine is None) != (theirs is None) or (
                mine is not None and theirs is not None and bytes(mine) != bytes(theirs)
            ):
                yield f"{place}: other bytes"
        elif kind.chunk == "SHDR":
            for name in (*SHADER_TEXTS, *SHADER_BLOBS):
                if getattr(first, name) != getattr(second, name):
                    yield f"{place}: {name}"

    def _picture(self, place: str, first: Any, second: Any) -> Iterator[str]:
        mine, theirs = self.images[0].frame(first), self.images[1].frame(second)
        if (mine is None) != (theirs is None):
            yield f"{place}: a picture / none" if theirs is None else f"{place}: none / a picture"
        elif mine is not None and theirs is not None and not np.array_equal(mine, theirs):
            yield f"{place}: other pixels"

    def _code(self) -> Iterator[str]:
        roots = [root_stems(view) for view in self.views]
        if list(roots[0]) != list(roots[1]):
            yield f"code: {_first_difference(list(roots[0]), list(roots[1]))}"
            return
        for stem, entry in roots[0].items():
            other = roots[1][stem]
            if entry.assembly != other.assembly:
                yield f"code/{stem}: other instructions"
            counts = [(e.locals_count, e.arguments) for e in (entry, other)]
            if counts[0] != counts[1]:
                yield f"code/{stem}: locals and arguments {counts[0]} / {counts[1]}"
        names = [[name_of(e) for e in game.code if e is not None] for game in self.games]
        if names[0] != names[1]:
            yield f"code: {_first_difference(*names)}"


def compare_json(place: str, first: Any, second: Any) -> Iterator[str]:
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


def _without_places(plain: Any) -> Any:
    if isinstance(plain, dict):
        shown = {k: _without_places(v) for k, v in plain.items() if k not in _PLACES}
        if shown.get("details") == {}:
            del shown["details"]
        return shown
    if isinstance(plain, list):
        return [_without_places(item) for item in plain]
    return plain


def _same_masks(first: Any, second: Any, game: GameData) -> bool:
    from overhaul.gamemaker.data.chunks.sprt import mask_size
    from overhaul.media import masks

    if len(first.masks) != len(second.masks):
        return False
    size = mask_size(
        game.slots["SPRT"].version or game.layout,
        first.width,
        first.height,
        first.margin_left,
        first.margin_right,
        first.margin_top,
        first.margin_bottom,
    )
    return all(
        len(mine) == len(theirs)
        and bool((masks.unpack(mine, *size) == masks.unpack(theirs, *size)).all())
        for mine, theirs in zip(first.masks, second.masks, strict=True)
    )


def _first_difference(first: list[str], second: list[str]) -> str:
    for index, pair in enumerate(zip(first, second, strict=False)):
        if pair[0] != pair[1]:
            return f"number {index} is {pair[0]!r} / {pair[1]!r}"
    return f"{len(first)} / {len(second)} of them"
