"""Where the resources of each kind are: in a chunk of a game, and in a folder.

Listing names needs no more: what else is known of a kind is in
:data:`overhaul.gamemaker.data_folder.kinds.KINDS`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.version import Version


class KindFolder(NamedTuple):
    """The chunk and the folder of a kind of resource.

    With ``main`` each resource has a folder of its own, and ``main`` is its JSON file there.
    ``lists_bytes``: ``ls`` says more of a resource than its name shows.
    """

    chunk: str
    folder: str
    main: str = ""
    lists_bytes: bool = False

    @property
    def word(self) -> str:
        """The word for one of them."""
        return CHUNKS[self.chunk].title

    def json_path(self, stem: str) -> str:
        """The JSON file of the resource with this file name."""
        return f"{self.folder}/{stem}/{self.main}" if self.main else f"{self.folder}/{stem}.json"

    def place(self, stem: str) -> str:
        """The path that stands for a resource: its folder, or its only file."""
        return f"{self.folder}/{stem}" if self.main else self.json_path(stem)


SPRITES: Final = KindFolder("SPRT", "sprites", "sprite.json")
BACKGROUNDS: Final = KindFolder("BGND", "backgrounds")
SOUNDS: Final = KindFolder("SOND", "sounds", lists_bytes=True)
FONTS: Final = KindFolder("FONT", "fonts", "font.json")
OBJECTS: Final = KindFolder("OBJT", "objects", "object.json")
ROOMS: Final = KindFolder("ROOM", "rooms")
PATHS: Final = KindFolder("PATH", "paths")
TIMELINES: Final = KindFolder("TMLN", "timelines")
SEQUENCES: Final = KindFolder("SEQN", "sequences")
CURVES: Final = KindFolder("ACRV", "animation_curves")
SHADERS: Final = KindFolder("SHDR", "shaders", "shader.json")
EXTENSIONS: Final = KindFolder("EXTN", "extensions")
EMITTERS: Final = KindFolder("PSEM", "particle_emitters")
SYSTEMS: Final = KindFolder("PSYS", "particle_systems")
EMBEDDED_IMAGES: Final = KindFolder("EMBI", "embedded_images")

#: the folders of code, and of texture pages
CODE: Final = "code"
PAGES: Final = "textures"

#: in the order in which a game is unpacked and its references are made
FOLDERS: Final[tuple[KindFolder, ...]] = (
    SPRITES,
    BACKGROUNDS,
    SOUNDS,
    FONTS,
    OBJECTS,
    ROOMS,
    PATHS,
    TIMELINES,
    SEQUENCES,
    CURVES,
    SHADERS,
    EXTENSIONS,
    EMITTERS,
    SYSTEMS,
    EMBEDDED_IMAGES,
)


def in_release(kind: KindFolder, version: Version) -> KindFolder:
    """Where a kind is in a release: backgrounds are tile sets from GMS2 on."""
    if kind is BACKGROUNDS and version.major >= 2:
        return kind._replace(folder="tilesets")
    return kind
