"""Records of one game as records of another, which may be of another release.

Strings are entered in the other game, references lead to what has the same name there, and
pictures go to pages of their own.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from copy import copy
from typing import NamedTuple

import numpy as np

from overhaul.errors import EncodeError
from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks.font import Font
from overhaul.gamemaker.data.chunks.room import (
    Instance,
    ParticleInstance,
    SequenceInstance,
    SpriteInstance,
    Tile,
)
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import Background, TexturePageItem
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.painting import group_of, is_cropped, new_picture
from overhaul.gamemaker.data.pictures import page_number
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.sprite_shape import SpriteShape, size_of_masks, sub_version_of
from overhaul.media import masks as bits
from overhaul.schema import Record, fields_of

#: parts that make no sense without what they show
_NEED = {
    Instance: ("object",),
    Tile: ("background", "sprite"),
    SpriteInstance: ("sprite",),
    SequenceInstance: ("sequence",),
    ParticleInstance: ("particle_system",),
}
#: fields that belong to the place, not to what is copied
_LEFT = frozenset({"code", "creation_code", "pre_create_code", "page"})


class _Waiting(NamedTuple):
    """A picture that is copied later: what it is called in messages, what takes the new item, and
    the chunk and record it belongs to."""

    item: TexturePageItem
    place: str
    put: Callable[[TexturePageItem], None]
    chunk: str
    record: object


class Converter:
    """Converts records from ``source`` to ``target``, but for pictures: :meth:`paint` copies those.

    ``find`` gives the reference of the target for one of the source, None where it has none;
    ``findings`` gets the warnings.
    """

    def __init__(
        self,
        source: CodeModel,
        target: CodeModel,
        find: Callable[[Reference[object]], Reference[object] | None],
        findings: Findings,
    ) -> None:
        self.source = source
        self.target = target
        self._find = find
        self._findings = findings
        self._images = source.painting.images
        self._pictures: list[_Waiting] = []
        #: the chunk and record that are being converted, which pictures belong to
        self._owner: tuple[str, object] = ("", None)

    def fill(self, chunk: str, old: Record, new: Record) -> None:
        """Give a new record what an old one has, but for its name."""
        before, self._owner = self._owner, (chunk, new)
        self._fill(old, new, str(getattr(old, "name", None)), skip="name")
        self._owner = before

    def _fill(self, old: Record, new: Record, place: str, skip: str = "") -> None:
        for field in fields_of(type(old)):
            name = field.name
            if name == skip or name in _LEFT or field.counts or name not in _names(old):
                continue
            if not field.present(self.source.release):
                continue
            value = getattr(old, name)
            if not field.present(self.target.release):
                if value and value != field.make_default():
                    self._findings.warn_once(
                        "unsupported",
                        f"{name} is left out: {self.target.release} has no such",
                        place,
                    )
                continue
            setattr(new, name, self._value(value, f"{place}.{name}", _setter(new, name)))

    def _value(self, value: object, place: str, put: Callable[[TexturePageItem], None]) -> object:
        if isinstance(value, TexturePageItem):
            self._picture(value, place, put)
            return None
        if isinstance(value, Record):
            made = type(value)()
            self._fill(value, made, place)
            return made
        if isinstance(value, Reference):
            return self._find(value)
        if isinstance(value, str):
            return self.target.strings.add(str(value))
        if isinstance(value, list):
            return self._list(value, place)
        return copy(value) if isinstance(value, (array, bytearray)) else value

    def _list(self, items: list[object], place: str) -> list[object]:
        made: list[object] = []
        for number, item in enumerate(items):
            into = len(made)
            made.append(None)
            new = self._value(item, f"{place}[{number}]", _item_setter(made, into))
            lost = isinstance(item, Reference) and new is None
            if lost or (isinstance(item, Record) and _lacks(item, new)):
                made.pop()
            elif made[into] is None:
                made[into] = new
        return made

    def _picture(
        self, item: TexturePageItem, place: str, put: Callable[[TexturePageItem], None]
    ) -> None:
        """Keep a picture for :meth:`paint`."""
        self._pictures.append(_Waiting(item, place, put, *self._owner))

    def paint(self) -> None:
        """Copy the pictures of all records filled so far, page by page, so that each page is
        decoded once."""
        waiting, self._pictures = self._pictures, []
        waiting.sort(key=lambda each: page_number(each.item))
        for item, place, put, chunk, record in waiting:
            found = self._images.visible(item)
            if found is None:
                self._findings.warn_once(
                    "left-out", "the picture can't be read and is left out", place
                )
                continue
            try:
                picture = new_picture(
                    found[0],
                    self.target.release,
                    is_cropped(chunk, self.target.release),
                    at=found[1:],
                    canvas=(item.bounding_width, item.bounding_height),
                )
            except EncodeError as error:
                self._findings.warn_once("left-out", f"{error}: it is left out", place)
                continue
            self.target.painting.add(picture, put, group_of(self.target, chunk, record))


def _names(record: Record) -> tuple[str, ...]:
    return record.__struct_fields__


def _setter(record: Record, name: str) -> Callable[[TexturePageItem], None]:
    return lambda item: setattr(record, name, item)


def _item_setter(items: list[object], index: int) -> Callable[[TexturePageItem], None]:
    return lambda item: items.__setitem__(index, item)


def _lacks(old: Record, new: object) -> bool:
    """Whether a part no longer shows anything."""
    return any(
        getattr(new, name) is None and isinstance(getattr(old, name), Reference)
        for name in _NEED.get(type(old), ())
    )


def recompute_numbers(target: CodeModel, made: Background | Font) -> None:
    """Fields that are of another type in the other release."""
    release = target.release
    if isinstance(made, Font):
        size = abs(made.size)
        made.size = -float(size) if release.at_least(2, 2, 2, 302) else round(size)
    elif not release.at_least(2023, 8):
        made.exported_sprite = 0
    elif isinstance(made.exported_sprite, int):
        made.exported_sprite = None


def recompute_sprite(source: CodeModel, target: CodeModel, old: Sprite, new: Sprite) -> None:
    """The parts of sprites that differ in another release: their layout, sequence, and masks."""
    if new.sub_version or target.release.major >= 2:
        new.sub_version = sub_version_of(target.release)
    if new.sub_version < 2 or old.sequence is None:
        new.sequence = None
    if new.sub_version < 3:
        new.nine_slice = None
    given = set(new.__struct_fields__) - ({"sequence"} if new.sequence is None else set())
    shape = SpriteShape(
        target, new, None, images=target.painting.images, place=str(new.name), given=given
    )
    shape.recompute_sequence(0)
    before, after = size_of_masks(source, old), size_of_masks(target, new)
    if before != after:
        new.masks = [mask_of_other_size(mask, old, before, after) for mask in new.masks]


def mask_of_other_size(
    mask: bytes, sprite: Sprite, before: tuple[int, int], after: tuple[int, int]
) -> bytes:
    """A mask of the bounding box as one of the whole sprite, or otherwise."""
    left, top = max(0, sprite.margin_left), max(0, sprite.margin_top)
    whole = np.zeros((max(sprite.height, before[1]), max(sprite.width, before[0])), np.bool_)
    x, y = (0, 0) if before == (sprite.width, sprite.height) else (left, top)
    old = bits.unpack(mask, *before)
    part = whole[y : y + before[1], x : x + before[0]]
    part[...] = old[: part.shape[0], : part.shape[1]]
    x, y = (0, 0) if after == (sprite.width, sprite.height) else (left, top)
    made = np.zeros((after[1], after[0]), np.bool_)
    part = whole[y : y + after[1], x : x + after[0]]
    made[: part.shape[0], : part.shape[1]] = part
    return bits.pack(made)
