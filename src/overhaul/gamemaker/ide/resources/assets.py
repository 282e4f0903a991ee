"""The resources of a project that are few fields, a source, or a file next to them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, cast

from overhaul.document.files import write_file
from overhaul.document.surface import counted
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.resources.base import Part, Parts, Resource, points_text
from overhaul.gamemaker.ide.resources.fields import Field, Flag, Link, Number, Real, Text
from overhaul.gamemaker.ide.resources.objects import Coded
from overhaul.gamemaker.ide.resources.sources import read_source, write_source
from overhaul.gamemaker.ide.resources.sprites import Sprite, picture_at
from overhaul.gamemaker.ide.values import Json, list_at, text_at

if TYPE_CHECKING:
    from PIL.Image import Image

#: The values of a letter of a font, and of a pair of letters.
_GLYPH: Final = (
    "character", "x", "y", "w", "h", "shift", "offset", "first", "second", "amount"
)  # fmt: skip
#: Between the two sources of a shader of Studio 1.
_SHADERS: Final = "//######################_==_YOYO_SHADER_MARKER_==_######################@~"


class Script(Resource):
    """A script: a source, which may have several functions."""

    __slots__ = ()
    kind_name = "script"
    #: when it runs: when it is called
    when = ""

    @property
    def source_path(self) -> str:
        """The path of its source."""
        path = self.path
        return path if path.endswith(".gml") else f"{self.folder}/{self.name}.gml"

    @property
    def gml(self) -> str:
        """Its source; setting it writes the file."""
        return read_source(self.project, self.source_path) or ""

    @gml.setter
    def gml(self, text: str) -> None:
        write_source(self.project, self.source_path, text)

    @property
    def code(self) -> str:
        """Its source; the same as :attr:`gml`."""
        return self.gml

    def _about(self) -> str:
        return counted(len(self.gml.splitlines()), "line")


class Shader(Resource):
    """A shader: the sources of both its parts."""

    __slots__ = ()
    kind_name = "shader"
    #: when it runs: when it is set
    when = ""

    @property
    def vertex(self) -> str:
        """The source for vertices."""
        return self._parts()[0]

    @vertex.setter
    def vertex(self, text: str) -> None:
        self._set(text, None)

    @property
    def fragment(self) -> str:
        """The source for fragments."""
        return self._parts()[1]

    @fragment.setter
    def fragment(self, text: str) -> None:
        self._set(None, text)

    @property
    def code(self) -> str:
        """Both sources."""
        return f"{self.vertex}\n{self.fragment}"

    def _paths(self) -> tuple[str, str]:
        return f"{self.folder}/{self.name}.vsh", f"{self.folder}/{self.name}.fsh"

    def _parts(self) -> tuple[str, str]:
        if self.path.endswith(".shader"):
            text = read_source(self.project, self.path) or ""
            vertex, _, fragment = text.partition(_SHADERS)
            return vertex, fragment
        vertex, fragment = (read_source(self.project, path) or "" for path in self._paths())
        return vertex, fragment

    def _set(self, vertex: str | None, fragment: str | None) -> None:
        if self.path.endswith(".shader"):
            before = self._parts()
            parts = (
                before[0] if vertex is None else vertex,
                (before[1] if fragment is None else fragment),
            )
            write_source(self.project, self.path, _SHADERS.join(parts))
            return
        for path, text in zip(self._paths(), (vertex, fragment), strict=True):
            if text is not None:
                write_source(self.project, path, text)


class Sound(Resource):
    """A sound: its fields, and the file that it plays."""

    __slots__ = ()
    kind_name = "sound"
    _facts = ("file_name", "volume", "sample_rate", "group_name")
    #: the resource that it is loaded with: none
    group = None
    #: whether it is played from a file of its own
    streamed = False

    volume = Real("How loud it is played.", "volume", xml="volume.volume", default=1.0)
    preload = Flag("Whether it is loaded when the game begins.", "preload", xml="preload")
    bit_rate = Number("Its bit rate, in kbit per second.", "bitRate", xml="bitRates.bitRate")
    sample_rate = Number("Samples per second.", "sampleRate", xml="sampleRates.sampleRate")
    compression = Number("How the game stores it.", "compression", old="kind", xml="compressed")
    duration = Real("Seconds.", "duration", old=None)

    @property
    def file_name(self) -> str:
        """The name of its file; empty for none."""
        store = self.store
        if store.letter == "A":
            return self.name
        found = store.get(("data",) if store.letter == "X" else ("soundFile",))
        return found if isinstance(found, str) else ""

    @property
    def file_path(self) -> str:
        """The path of its file."""
        inner = "/audio" if self.store.letter == "X" else ""
        return f"{self.folder}{inner}/{self.file_name}"

    @property
    def group_name(self) -> str:
        """The name of its audio group."""
        found = self.store.get(("audioGroupId", "name")) if self.store.letter in "BCD" else ""
        return found if isinstance(found, str) else ""

    @property
    def bytes(self) -> bytes | None:
        """The bytes of its file; None where it is not there.  Setting it writes the file."""
        files = self.project.files
        spelled = files.spelled(self.file_path) if self.file_name else None
        return None if spelled is None else files.read(spelled)

    @bytes.setter
    def bytes(self, data: bytes) -> None:
        if not self.file_name:
            raise ValueError(f"{self.name} has no file: import one in GameMaker")
        files = self.project.files
        files.write(files.spelled(self.file_path) or self.file_path, data)

    @property
    def notes(self) -> tuple[str, ...]:
        """That it has no bytes, where it has none."""
        if not self.is_here:
            return (*super().notes,)
        return () if self.bytes is not None else ("It has no sound.",)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write its bytes to a file.

        Raises FileExistsError without ``force``, FileNotFoundError where it has none.
        """
        data = self.bytes
        if data is None:
            raise FileNotFoundError(2, f"the sound {self.name} has no bytes")
        write_file(path, data, force=force)

    def _about(self) -> str:
        return self.file_name


class Background(Resource):
    """A tile set, or a background of Studio 1; sizes and places are in pixels."""

    __slots__ = ()
    kind_name = "tile set"
    _facts = ("sprite", "tile_width", "tile_height", "tile_count")

    sprite: Link[Sprite] = Link("sprite", "The sprite with its picture.", "spriteId")
    tile_width = Number("The width of a tile.", "tileWidth", old="tilewidth", xml="tilewidth")
    tile_height = Number("The height of a tile.", "tileHeight", old="tileheight", xml="tileheight")
    offset_x = Number("Where the first tile begins, across.", "tilexoff", xml="tilexoff")
    offset_y = Number("Where the first tile begins, down.", "tileyoff", xml="tileyoff")
    separation_x = Number("The space between tiles, across.", "tilehsep", xml="tilehsep")
    separation_y = Number("The space between tiles, down.", "tilevsep", xml="tilevsep")
    tile_count = Number("How many tiles there are.", "tile_count")
    columns = Number("The columns of the picture in the game.", "out_columns")
    border_x = Number("The border around tiles in the game, across.", "out_tilehborder", default=2)
    border_y = Number("The border around tiles in the game, down.", "out_tilevborder", default=2)
    animation_speed = Real(
        "Frames per second of animated tiles.", "tileAnimationSpeed", old="tile_animation_speed",
        default=15.0,
    )  # fmt: skip
    own_width = Number("The width of the picture (Studio 1).", None, old=None, xml="width")
    own_height = Number("The height of the picture (Studio 1).", None, old=None, xml="height")
    is_tile_set = Flag("Whether it is used for tiles (Studio 1).", None, old=None, xml="istileset")

    @property
    def kind(self) -> str:
        """``tile set``, or ``background`` in Studio 1."""
        return self.entry.kind

    @property
    def width(self) -> int:
        """The width of its picture."""
        sprite = self.sprite
        return self.own_width if sprite is None else sprite.width

    @property
    def height(self) -> int:
        """The height of its picture."""
        sprite = self.sprite
        return self.own_height if sprite is None else sprite.height

    @property
    def image(self) -> Image | None:
        """Its picture; None where it is not there.  Raises FormatError for a damaged one."""
        if self.store.letter == "X":
            return picture_at(self, self._picture_path())
        sprite = self.sprite
        return sprite.frames[0].image if sprite is not None and sprite.frames else None

    @property
    def has_picture(self) -> bool:
        """Whether its picture is there."""
        if not self.is_here:
            return False
        if self.store.letter == "X":
            return self.project.files.spelled(self._picture_path()) is not None
        sprite = self.sprite
        return sprite is not None and bool(sprite.frames) and sprite.frames[0].has_picture

    @property
    def is_animated(self) -> bool:
        """Whether tiles are shown one after another."""
        key = "tile_animation_frames" if self.store.letter == "A" else "tileAnimationFrames"
        return self.store.letter != "X" and self.store.count((key,)) > 0

    def _picture_path(self) -> str:
        found = self.store.get(("data",))
        return f"{self.folder}/{found if isinstance(found, str) else ''}".replace("\\", "/")

    @property
    def tile_size(self) -> tuple[int, int]:
        """The width and height of a tile."""
        return self.tile_width, self.tile_height

    @property
    def tile_places(self) -> list[tuple[int, int]]:
        """The left and top of each tile in its picture, row by row."""
        return list(self._places())

    def _places(self) -> Iterator[tuple[int, int]]:
        wide, high = self.tile_size
        if self.store.letter == "X" and not self.is_tile_set:
            return
        step_x, step_y = wide + self.separation_x, high + self.separation_y
        if min(wide, high, step_x, step_y) <= 0:
            return
        for top in range(self.offset_y, self.height - high + 1, step_y):
            for left in range(self.offset_x, self.width - wide + 1, step_x):
                yield left, top

    def _about(self) -> str:
        return f"{self.width}×{self.height}, tiles of {self.tile_width}×{self.tile_height}"


class Point(Part):
    """A point of a path; the speed there is in per cent."""

    __slots__ = ()

    def _number(self, key: str, index: int) -> float:
        if self.store.letter != "X":
            found = self.value(key)
            return float(found) if isinstance(found, int | float) else 0.0
        text = cast("str", self.value() or "")
        try:
            return float(text.split(",")[index])
        except (ValueError, IndexError):
            message = f"expected a point as x,y,speed, got {text[:60]!r}"
            raise FormatError(message, source=self.store.path, path="points") from None

    def _set(self, key: str, index: int, value: float) -> None:
        if self.store.letter != "X":
            self.store.put((*self.where, key), float(value))
            return
        parts = cast("str", self.value()).split(",")
        parts[index] = f"{value:g}"
        self.store.put(self.where, ",".join(parts))

    @property
    def x(self) -> float:
        """Its place, from the left."""
        return self._number("x", 0)

    @x.setter
    def x(self, value: float) -> None:
        self._set("x", 0, value)

    @property
    def y(self) -> float:
        """Its place, from the top."""
        return self._number("y", 1)

    @y.setter
    def y(self, value: float) -> None:
        self._set("y", 1, value)

    @property
    def speed(self) -> float:
        """The speed there, in per cent."""
        return self._number("speed", 2)

    @speed.setter
    def speed(self, value: float) -> None:
        self._set("speed", 2, value)

    def __repr__(self) -> str:
        return f"Point(x={self.x}, y={self.y}, speed={self.speed})"


class Points(Parts[Point]):
    """The points of a path."""

    title = "point"

    def over(self, number: int) -> Point:
        """The point of a number."""
        return Point(self.owner, (*self.where, number))


class Path(Resource):
    """A path; its points are in pixels."""

    __slots__ = ()
    kind_name = "path"
    smooth = Flag("Whether it is a curve.", "kind", xml="kind")
    closed = Flag("Whether its end leads to its beginning.", "closed", xml="closed")
    precision = Number("How exactly the curve is followed.", "precision", xml="precision",
                       default=4)  # fmt: skip

    @property
    def points(self) -> Points:
        """Its points."""
        return Points(self, ("points",))

    @property
    def about(self) -> str:
        """``5 points, smooth, closed``."""
        smooth, closed = "smooth" if self.smooth else "", "closed" if self.closed else ""
        return points_text(len(self.points), smooth, closed)

    def _about(self) -> str:
        return self.about


class Font(Resource):
    """A font: a typeface, and the pictures of its letters as the editor drew them."""

    __slots__ = ()
    kind_name = "font"
    face = Text("The name of the typeface.", "fontName", xml="name")
    size = Real("Points.", "size", xml="size")
    bold = Flag("Whether it is bold.", "bold", xml="bold")
    italic = Flag("Whether it is italic.", "italic", xml="italic")
    antialias = Number("How its edges are smoothed.", "AntiAlias", xml="aa")
    uses_sdf = Flag("Whether its letters are distance fields.", "usesSDF", old=None)

    @property
    def image(self) -> Image | None:
        """The picture with its letters; None where it is not there."""
        return picture_at(self, f"{self.folder}/{self.name}.png")

    @property
    def has_picture(self) -> bool:
        """Whether its picture is there."""
        return self.project.files.spelled(f"{self.folder}/{self.name}.png") is not None

    @property
    def glyph_count(self) -> int:
        """The number of its letters."""
        if self.store.letter != "X":
            found = self.store.get(("glyphs",))
            return len(found) if isinstance(found, dict | list) else 0
        return self.store.count(("glyphs",))

    @property
    def glyphs(self) -> dict[int, dict[str, int]]:
        """Its letters by their numbers: ``x``, ``y``, ``w`` and ``h`` in the picture, ``shift`` to
        the next one and ``offset``."""
        found = self._rows("glyphs")
        return {row["character"]: row for row in found if "character" in row}

    @property
    def kerning(self) -> dict[tuple[int, int], int]:
        """By two letters, how many pixels further to the right the second is drawn."""
        rows = self._rows("kerningPairs")
        return {(row.get("first", 0), row.get("second", 0)): row.get("amount", 0) for row in rows}

    def _rows(self, key: str) -> list[dict[str, int]]:
        """The numbers of a list. Raises FormatError for text that is not a number."""
        store = self.store
        if store.letter == "X":
            top = self.project.gmx_file(self.path).root.find(key)
            return [self._numbers(node.attributes) for node in (top.children if top else ())]
        found = store.get((key,))
        rows = list(found.values()) if isinstance(found, dict) else found
        listed = rows if isinstance(rows, list) else []
        inner = [row.get("Value", row) for row in listed if isinstance(row, dict)]
        return [self._numbers(row) for row in inner if isinstance(row, dict)]

    def _numbers(self, row: Mapping[str, object]) -> dict[str, int]:
        made: dict[str, int] = {}
        for key, value in row.items():
            try:
                made[key] = int(cast("str", value))
            except (TypeError, ValueError):
                if key in _GLYPH:
                    message = f"expected a number as {key} of a letter, got {str(value)[:60]!r}"
                    raise FormatError(message, source=self.path, path="glyphs") from None
        return made

    def _about(self) -> str:
        style = f"{' bold' if self.bold else ''}{' italic' if self.italic else ''}"
        return f"{self.face} {self.size:g}{style}, {counted(self.glyph_count, 'glyph')}"


class Moment(Coded):
    """The actions at a step of a timeline."""

    __slots__ = ()
    step = Number("The step.", "moment", xml="step")

    @property
    def source_path(self) -> str:
        """The path of its file."""
        return f"{self.owner.folder}/moment_{self.step}.gml"

    @property
    def _list(self) -> tuple[str | int, ...]:
        return (*self.where, "event")

    @property
    def key(self) -> str:
        """Its step."""
        return str(self.step)

    @property
    def title(self) -> str:
        """``Step 30``."""
        return f"Step {self.step}"

    def __repr__(self) -> str:
        return f"<Moment {self.step} of {self.owner.name}>"


class Timeline(Resource):
    """A timeline."""

    __slots__ = ()
    kind_name = "timeline"

    @property
    def moments(self) -> list[Moment]:
        """Its moments, in the order of the file."""
        key = () if self.store.letter == "X" else ("momentList",)
        return [Moment(self, (*key, number)) for number in range(self.store.count(key))]

    @property
    def steps(self) -> list[tuple[int, Moment]]:
        """Its moments with their steps."""
        return [(moment.step, moment) for moment in self.moments]

    def _about(self) -> str:
        return counted(len(self.moments), "moment")


class Note(Resource):
    """A note: a text for people."""

    __slots__ = ()
    kind_name = "note"

    @property
    def text(self) -> str:
        """Its text."""
        path = f"{self.folder}/{self.name}.txt"
        return read_source(self.project, path) or ""


class IncludedFile(Resource):
    """A file that the game has next to it."""

    __slots__ = ()
    kind_name = "included file"

    @property
    def bytes(self) -> bytes:
        """Its content.  Raises FormatError where it is not there."""
        return self.project.files.read(self.path)


class Fields(Resource):
    """A resource whose file is shown as it is: sequences, curves, particles, extensions."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Its kind in ``overhaul ls``."""
        return self.entry.kind

    @property
    def value(self) -> Json:
        """The values of its file; None for XML."""
        path = self.path
        return self.project.json_file(path).value if path.endswith(".yy") else None


class Sequence(Fields):
    """A sequence."""

    __slots__ = ()
    kind_name = "sequence"
    length = Real("How long it is, in the unit of its speed.", "length", old=None)
    playback_speed = Real("How fast it plays.", "playbackSpeed", old=None, default=60.0)

    @property
    def tracks(self) -> list[str]:
        """The names of its tracks."""
        return [text_at(row, "name") for row in list_at(self.value, "tracks")]


class AnimationCurve(Fields):
    """An animation curve."""

    __slots__ = ()
    kind_name = "animation curve"
    function = Number("How it goes from point to point.", "function", old=None)

    @property
    def channels(self) -> list[str]:
        """The names of its channels."""
        return [text_at(row, "name") for row in list_at(self.value, "channels")]


class ParticleSystem(Fields):
    """A particle system."""

    __slots__ = ()
    kind_name = "particle system"


class Extension(Fields):
    """An extension."""

    __slots__ = ()
    kind_name = "extension"
    version: Field[str] = Text("Its version.", "extensionVersion", old="version", xml="version")

    @property
    def functions(self) -> list[str]:
        """The names of the functions of its files."""
        return list(self.function_types)

    @property
    def function_types(self) -> dict[str, int]:
        """The functions of its files, and what each returns: 1 a text, 2 a number."""
        if self.store.letter == "X":
            root = self.project.gmx_file(self.path).root
            nodes = [node for node in root.walk() if node.tag == "function"]
            return {node.value("name"): int(node.value("returnType") == "1" or 2) for node in nodes}
        rows = [row for file in list_at(self.value, "files") for row in list_at(file, "functions")]
        return {
            text_at(row, "name"): 1 if row.get("returnType") == 1 else 2
            for row in rows if isinstance(row, dict)
        }  # fmt: skip
