"""The files of a resource besides its JSON: frames, masks, sounds, shader sources."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from overhaul.errors import WorkspaceError
from overhaul.gamemaker.data.painting import ImageEdits, group_of
from overhaul.gamemaker.data.pictures import has_picture
from overhaul.gamemaker.data.sounds import is_stored, set_bytes, take_audio
from overhaul.gamemaker.data_folder.images import read_picture
from overhaul.gamemaker.data_folder.kinds import SHADER_BLOBS, SHADER_TEXTS, SOUND_ENDINGS
from overhaul.gamemaker.data_folder.masks import SpriteShape

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data_folder.applying import Applier, Touched


class PartEdits:
    """Changed parts of resources."""

    def __init__(self, applier: Applier, images: ImageEdits, items: dict[str, Any]) -> None:
        self.applier = applier
        self.game: GameData = applier.game
        self.images = images
        self.items = items
        self._by_place: dict[str, list[str]] = {}
        for path in applier.present:
            self._by_place.setdefault(path.rpartition("/")[0], []).append(path)

    def apply(self, resource: Touched) -> None:
        """Take over the parts of one resource."""
        chunk = resource.kind.chunk
        if chunk == "SPRT":
            self._sprite(resource)
        elif chunk == "BGND":
            self._picture(resource, "texture", f"{resource.place}.png")
            self._tileset(resource)
        elif chunk == "EMBI":
            self._picture(resource, "image", f"{resource.place}.png")
        elif chunk == "FONT":
            self._picture(resource, "texture", f"{resource.place}/font.png")
        elif chunk == "SOND":
            self._sound(resource)
        elif chunk == "SHDR":
            self._shader(resource)

    def _numbered(self, place: str, prefix: str) -> dict[int, str]:
        """The files ``PREFIXnumber.png`` of a folder."""
        found = {}
        for path in self._by_place.get(place, ()):
            name = path.rpartition("/")[2]
            if name.startswith(prefix) and name.endswith(".png"):
                number = name[len(prefix) : -4]
                if number.isascii() and number.isdigit() and len(number) < 7:
                    found[int(number)] = path
        return dict(sorted(found.items()))

    # -- pictures -----------------------------------------------------------------------------

    def _picture(self, resource: Touched, field: str, path: str) -> None:
        record = resource.record
        if resource.added:
            setattr(record, field, self.items.get(path.removesuffix(".png")))
        change = resource.changes.get(path)
        if change == "removed":
            raise WorkspaceError(f"{path} is missing")
        if change is None:
            return
        pixels = read_picture(self.applier.folder.read(path), path)
        self.images.put(
            pixels,
            getattr(record, field),
            lambda item: setattr(record, field, item),
            group=lambda: group_of(self.game, resource.kind.chunk, record),
            path=path,
        )

    def _tileset(self, resource: Touched) -> None:
        """What a new tile set's record says of its picture, where the JSON does not."""
        record = resource.record
        if self.game.layout.major < 2 or not resource.added or record.tile_count:
            return
        path = f"{resource.place}.png"
        if path not in self.applier.present:
            return
        from array import array

        pixels = read_picture(self.applier.folder.read(path), path)
        across = record.tile_width + 2 * record.output_border_x
        down = record.tile_height + 2 * record.output_border_y
        record.columns = record.columns or max(1, pixels.shape[1] // max(1, across))
        record.tile_count = record.columns * (pixels.shape[0] // max(1, down))
        record.tile_ids = array(
            "I", [n for n in range(record.tile_count) for _ in range(record.frames_per_tile)]
        )

    def _sprite(self, resource: Touched) -> None:
        sprite = resource.record
        if sprite.sprite_type:
            return  # frames of SWF, Spine and vector sprites are in their own data
        shape = SpriteShape(self, resource)
        frames = self._numbered(resource.place, "")
        old = [] if resource.added else list(sprite.textures)
        known: dict[int, Any] = dict(enumerate(old))
        if resource.added:
            start = f"{resource.place}/"
            for key, item in self.items.items():
                digits = key.removeprefix(start)
                if digits != key and digits.isdigit():
                    known[int(digits)] = item
        if resource.added:
            kept = {n for n, item in known.items() if not has_picture(item)}
        else:  # a folder may hold a part of the game's files alone
            gone = {path for path, change in resource.changes.items() if change == "removed"}
            kept = {n for n in known if f"{resource.place}/{n}.png" not in gone}
        numbers = sorted(frames.keys() | kept)
        sprite.textures = [known.get(number) for number in numbers]
        for index, number in enumerate(numbers):
            path = frames.get(number)
            if path is None or path not in resource.changes:
                continue
            pixels = read_picture(self.applier.folder.read(path), path)
            changed = self.images.put(
                pixels,
                sprite.textures[index],
                partial(sprite.textures.__setitem__, index),
                group=lambda: group_of(self.game, "SPRT", sprite),
                path=path,
            )
            shape.frame(index, pixels, changed)
        shape.settle(old, self._numbered(resource.place, "mask_"))

    # -- sounds and shaders -------------------------------------------------------------------

    def _sound(self, resource: Touched) -> None:
        here = [
            f"{resource.place}{ending}"
            for ending in SOUND_ENDINGS
            if f"{resource.place}{ending}" in self.applier.present
        ]
        changed = [path for path in here if path in resource.changes]
        if len(here) > 1:
            raise WorkspaceError(f"{' and '.join(here)}: there are two files for one sound")
        sound = resource.record
        if resource.added:
            if here:
                take_audio(self.game, sound, self.applier.folder.read(here[0]))
            elif is_stored(sound) and self.game.audio_files.list_of(sound.group) is not None:
                sound.audio = -1
        elif changed:
            set_bytes(self.game, sound, self.applier.folder.read(changed[0]))
        elif not here and "removed" in resource.changes.values():
            raise WorkspaceError(f"{resource.place}: the sound's file is missing")

    def _shader(self, resource: Touched) -> None:
        shader = resource.record
        for name, file in SHADER_TEXTS.items():
            path = f"{resource.place}/{file}"
            change = resource.changes.get(path)
            if change == "removed":
                setattr(shader, name, None)
            elif change is not None:
                text = self.applier.folder.read(path).decode("utf-8", "surrogateescape")
                if getattr(shader, name) != text:
                    setattr(shader, name, self.game.strings.add(text))
            elif resource.added and getattr(shader, name) is None and name in _DESKTOP:
                setattr(shader, name, self.game.strings.add(""))
        for name, file in SHADER_BLOBS.items():
            path = f"{resource.place}/{file}"
            change = resource.changes.get(path)
            if change == "removed":
                setattr(shader, name, None)
            elif change is not None:
                setattr(shader, name, self.applier.folder.read(path))
                if hasattr(shader, f"{name}_length"):
                    setattr(shader, f"{name}_length", len(getattr(shader, name)))


_DESKTOP = frozenset({"glsl_vertex", "glsl_fragment", "hlsl9_vertex", "hlsl9_fragment"})
