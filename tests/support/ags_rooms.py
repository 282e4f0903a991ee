"""Made rooms and sprite sets with known pixels, and a package that has them."""

from __future__ import annotations

from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.pictures import Pixels
from overhaul.ags.room.pictures import LzwPicture
from overhaul.ags.room.records import MainBlock, ObjectNames, RoomObject
from overhaul.ags.room.room import Room, block_format
from overhaul.ags.sprites import EmptySlot, SpriteSet, SpriteSetHeader

GREY, RED, KEY = (100, 100, 100), (200, 0, 0), (255, 0, 255)


class Siblings:
    """Files next to a made one; the names have _ for the dot."""

    def __init__(self, **files: bytes) -> None:
        self.files = {name.replace("_", "."): data for name, data in files.items()}
        self.reads = 0

    def names(self) -> list[str]:
        return sorted(self.files)

    def read(self, name: str) -> bytes:
        self.reads += 1
        return self.files[name]


def bgra(*pixels: tuple[int, ...]) -> bytes:
    """Pixels of (r, g, b) or (r, g, b, alpha) as they are stored."""
    return b"".join(bytes((*p[2::-1], *(p[3:] or (0,)))) for p in pixels)


def picture(width: int, height: int, colour: tuple[int, int, int] = GREY) -> LzwPicture:
    """A background of one colour."""
    made = LzwPicture()
    data = bgra(*[colour] * (width * height))
    made.set_pixels(Pixels(width, height, 4, data), signed=False)
    return made


def room(
    width: int = 4, height: int = 3, version: int = 33, shrunk: int = 1, **masks: bytes
) -> Room:
    """A grey room with these masks; others are empty."""
    main = MainBlock(
        depth=4, width=width, height=height, walk_area_light=[0] * 16, walk_area_count=0
    )
    main.background = picture(width, height)
    low = width // shrunk, height // shrunk
    for name in ("region", "walkable", "walk_behind", "hotspot"):
        data = masks.get(name, bytes(low[0] * low[1]))
        getattr(main, f"{name}_mask").set_pixels(Pixels(*low, 1, data), by_row=False)
    made = Room(version=version, blocks=DecodedBlocks(block_format(version), version))
    made.blocks.add(1, main)
    return made


def main_of(made: Room) -> MainBlock:
    """The main block, which made rooms have."""
    assert made.main is not None
    return made.main


def with_object(
    version: int = 33, on: int = 1, x: int = 1, y: int = 2, width: int = 4, height: int = 3
) -> Room:
    """A grey room with an object of sprite 1."""
    made = room(width, height, version)
    main = main_of(made)
    main.objects = [RoomObject(sprite=1, x=x, y=y, on=on)]
    main.object_events, main.object_baselines, main.object_flags = [[]], [0], [0]
    made.blocks.add(5, ObjectNames(["a lamp"]))
    return made


def sprites(*pictures: Pixels | None, version: int = 12, palette: bytes = bytes(768)) -> bytes:
    """A sprite set; None is an empty slot."""
    made = SpriteSet(version, SpriteSetHeader(palette=palette))
    for number, pixels in enumerate(pictures):
        made.slots.append(EmptySlot())
        if pixels is not None:
            made.replace(number, pixels, compression=0)
    return made.to_bytes()
