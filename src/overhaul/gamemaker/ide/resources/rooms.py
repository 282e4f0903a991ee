"""Rooms of a project: layers, instances, tiles, backgrounds, views."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, cast, overload

import numpy as np

from overhaul.document.registry import load
from overhaul.document.room_views import Area, LayerShown
from overhaul.document.surface import DrawnRoom, counted, list_text
from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.references import NO_ID
from overhaul.gamemaker.ide.resources.assets import Background
from overhaul.gamemaker.ide.resources.base import Part, Parts, Resource, Resources
from overhaul.gamemaker.ide.resources.fields import Colour, Flag, Link, Number, Real, Text
from overhaul.gamemaker.ide.resources.making import in_order, record, tag_near
from overhaul.gamemaker.ide.resources.objects import Object
from overhaul.gamemaker.ide.resources.sources import read_source, write_source
from overhaul.gamemaker.ide.resources.sprites import Sprite
from overhaul.gamemaker.ide.stores import MISSING, JsonStore
from overhaul.gamemaker.ide.values import Json, Steps, list_at, text_at
from overhaul.suggest import did_you_mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from overhaul.media.canvas import Drawing

#: The parts of a room of Studio 1, as ``layers`` names them.
PARTS: Final = ("backgrounds", "tiles", "instances", "foregrounds")
_DRAW: Final = "overhaul.gamemaker.ide.resources.drawing:draw_room"
_NOT_DRAWN: Final = "overhaul.gamemaker.ide.resources.drawing:not_drawn"
_ROOM_CODE: Final = "RoomCreationCode.gml"
_INSTANCE_CODE: Final = "InstanceCreationCode_{}.gml"
#: A cell that nothing was painted on.
_UNPAINTED: Final = 0x8000_0000
#: A map has so many cells at most.
_MOST_CELLS: Final = 1 << 26
#: Colours that are mixed with it do not change.
WHITE: Final = 0xFFFF_FFFF


class View(Part):
    """A view: the part of the room that it shows, in pixels, and where on the screen."""

    __slots__ = ()
    enabled = Flag("Whether it is on.", "visible", xml="@visible")
    view_x = Number("The left of the area that it shows.", "xview", xml="@xview")
    view_y = Number("The top of the area that it shows.", "yview", xml="@yview")
    view_width = Number("The width of the area that it shows.", "wview", xml="@wview")
    view_height = Number("The height of the area that it shows.", "hview", xml="@hview")
    port_x = Number("The left of its place on the screen.", "xport", xml="@xport")
    port_y = Number("The top of its place on the screen.", "yport", xml="@yport")
    port_width = Number("The width of its place on the screen.", "wport", xml="@wport")
    port_height = Number("The height of its place on the screen.", "hport", xml="@hport")
    border_x = Number("Where it begins to follow, across.", "hborder", xml="@hborder")
    border_y = Number("Where it begins to follow, down.", "vborder", xml="@vborder")
    speed_x = Number("How fast it follows across; -1 at once.", "hspeed", xml="@hspeed")
    speed_y = Number("How fast it follows down; -1 at once.", "vspeed", xml="@vspeed")
    follow: Link[Object] = Link(
        "object", "The object it follows.", "objectId", old="objId", xml="@objName"
    )

    @property
    def area(self) -> tuple[int, int, int, int]:
        """The area that it shows: left, top, width, height."""
        return self.view_x, self.view_y, self.view_width, self.view_height


class Views(Parts[View]):
    """The views of a room."""

    title = "view"

    def over(self, number: int) -> View:
        """The view of a number."""
        return View(self.owner, (*self.where, number))


class Instance(Part):
    """An object placed in a room; places are in pixels, ``rotation`` is in degrees
    (counterclockwise).  ``layer`` is the one that it is on, None in Studio 1.
    """

    __slots__ = ("layer",)
    object: Link[Object] = Link(
        "object", "The object that it is an instance of.", "objectId", old="objId", xml="@objName"
    )
    x = Real("Where its origin is, from the left of the room.", "x", xml="@x")
    y = Real("Where its origin is, from the top of the room.", "y", xml="@y")
    scale_x = Real("How wide it is; 1 is its own size.", "scaleX", xml="@scaleX", default=1.0)
    scale_y = Real("How high it is; 1 is its own size.", "scaleY", xml="@scaleY", default=1.0)
    rotation = Real("Degrees, counterclockwise.", "rotation", xml="@rotation")
    colour = Colour(
        "The colour that it is mixed with (ABGR).", "colour", xml="@colour", default=WHITE
    )
    image_index = Real("Its first frame.", "imageIndex")
    image_speed = Real("How fast it plays.", "imageSpeed", default=1.0)
    ignored = Flag("Whether the game leaves it out.", "ignore")

    def __init__(self, owner: Resource, steps: Steps, layer: Layer | None = None) -> None:
        super().__init__(owner, steps)
        self.layer: Layer | None = layer

    @property
    def name(self) -> str:
        """Its name, which is that of no other instance of the project."""
        found = self.value("@name" if self.store.letter == "X" else "name")
        return found if isinstance(found, str) else ""

    @property
    def id(self) -> int:
        """Its number in the room, from 0; that in the game is another."""
        room = cast("Room", self.owner)
        return next(n for n, other in enumerate(room.instances) if other.where == self.where)

    @property
    def layer_name(self) -> str | None:
        """The name of its layer; None in Studio 1."""
        return None if self.layer is None else self.layer.name

    @property
    def creation_code(self) -> str | None:
        """The GML that runs when it is created; None for none."""
        if self.store.letter == "X":
            found = self.value("@code")
            return found if isinstance(found, str) and found else None
        has = self.value("creationCodeFile" if self.store.letter == "A" else "hasCreationCode")
        return read_source(self.owner.project, self._code_path) if has else None

    @creation_code.setter
    def creation_code(self, text: str) -> None:
        store = self.store
        if store.letter == "X":
            store.put((*self.where, "@code"), text)
            return
        write_source(self.owner.project, self._code_path, text)
        if store.letter != "A":
            store.put((*self.where, "hasCreationCode"), True)
        elif not self.value("creationCodeFile"):
            store.put((*self.where, "creationCodeFile"), self._code_path.rpartition("/")[2])
            store.put((*self.where, "creationCodeType"), ".gml")

    @property
    def _code_path(self) -> str:
        return f"{self.owner.folder}/{_INSTANCE_CODE.format(self.name)}"

    def __repr__(self) -> str:
        kind = self.object
        name = "" if kind is None else kind.name
        return f"<Instance {self.name[:80]} of {name[:80]} at {self.x:g}, {self.y:g}>"


class Instances(Parts[Instance]):
    """The instances of a layer, or of a room of Studio 1."""

    title = "instance"

    def __init__(self, owner: Room, steps: Steps, layer: Layer | None = None) -> None:
        super().__init__(owner, steps)
        self._layer = layer

    def over(self, number: int) -> Instance:
        """The instance of a number."""
        return Instance(self.owner, (*self.where, number), self._layer)

    def add(self, object: Object | str, x: float, y: float, **fields: object) -> Instance:
        """Place an instance, behind the others: also in the order of creation; return it.

        ``fields`` are attributes such as ``scale_x``.  Raises KeyError for an object that is not
        there.
        """
        room, store = cast("Room", self.owner), self.owner.store
        at = (*self.where, len(self))
        name = room.free_instance_name()
        objects = Resources(room.project, Object)
        kind = objects[object if isinstance(object, str) else object.name]
        store.insert(at, _new_instance(room, kind, name, x, y))
        made = self.over(at[-1] if isinstance(at[-1], int) else 0)
        if isinstance(store, JsonStore):
            room.enlist(name, cast("str", made.value("id") or ""))
        for field, value in fields.items():
            setattr(made, field, value)
        return made

    def __delitem__(self, key: int) -> None:
        """Take one out: also of the order of creation, and its code."""
        gone = self[key]
        name, key_id, store = gone.name, gone.value("id"), self.owner.store
        files = self.owner.project.files
        path = files.spelled(gone._code_path) if store.letter != "X" else None
        super().__delitem__(key)
        if isinstance(store, JsonStore):
            cast("Room", self.owner).unlist(name, key_id)
        if path is not None:
            files.write(path, None)


def _new_instance(room: Room, kind: Object, name: str, x: float, y: float) -> Json | XmlNode:
    store = room.store
    if not isinstance(store, JsonStore):
        values = {
            "objName": kind.name, "x": f"{x:g}", "y": f"{y:g}", "name": name, "locked": "0",
            "code": "", "scaleX": "1", "scaleY": "1", "colour": str(WHITE), "rotation": "0",
        }  # fmt: skip
        return XmlNode("instance", attributes=values)
    style, old = store.file.style, store.letter == "A"
    members: dict[str, Json] = {
        "colour": {"Value": WHITE} if old else WHITE, "frozen": False, "hasCreationCode": False,
        "ignore": False, "imageIndex": 0, "imageSpeed": 1.0, "inheritCode": False,
        "inheritedItemId": None, "inheritItemSettings": False, "isDnd": False,
        "objectId": {"name": kind.name, "path": kind.entry.path}, "properties": [],
        "rotation": 0.0, "scaleX": 1.0, "scaleY": 1.0, "x": float(x), "y": float(y),
    }  # fmt: skip
    if old:
        members = {key: members[key] for key in _OLD_MEMBERS} | {
            "creationCodeFile": "", "creationCodeType": "", "IsDnD": False,
            "m_originalParentID": NO_ID, "m_serialiseFrozen": False,
            "name_with_no_file_rename": name, "objId": kind.entry.id, "properties": None,
        }  # fmt: skip
    tag = tag_near(room.project, room.path, "GMRInstance") if style.letter == "D" else None
    return record("GMRInstance", style, members, name, tag)


_OLD_MEMBERS: Final = (
    "colour", "ignore", "imageIndex", "imageSpeed", "inheritCode", "inheritItemSettings",
    "rotation", "scaleX", "scaleY", "x", "y",
)  # fmt: skip


class SpriteElement(Part):
    """A sprite that is placed in a layer of assets."""

    __slots__ = ()
    sprite: Link[Sprite] = Link("sprite", "The sprite.", "spriteId")
    x = Real("Where its origin is, from the left of the layer.", "x")
    y = Real("Where its origin is, from the top of the layer.", "y")
    scale_x = Real("How wide it is.", "scaleX", default=1.0)
    scale_y = Real("How high it is.", "scaleY", default=1.0)
    rotation = Real("Degrees, counterclockwise.", "rotation")
    colour = Colour("The colour that it is mixed with (ABGR).", "colour", default=WHITE)
    frame = Real("Its first frame.", "headPosition", old="frameIndex")

    @property
    def kind(self) -> str:
        """The class of the element: ``GMRSpriteGraphic`` for a sprite."""
        return class_name(self.value())


def class_name(value: Json) -> str:
    """The class of an object of a file."""
    return text_at(value, "resourceType") or text_at(value, "modelName")


class Layer(Part):
    """A layer of a room; ``kind`` is its class: ``GMRInstanceLayer``, ``GMRTileLayer``, ..."""

    __slots__ = ()
    name = Text("Its name.", "name")
    depth = Number("Layers of less depth are drawn above.", "depth")
    visible = Flag("Whether it is drawn.", "visible", default=True)
    offset_x = Real("How far its content is moved to the right.", "x")
    offset_y = Real("How far its content is moved down.", "y")
    colour = Colour("The colour of a background, or the one it is mixed with (ABGR).", "colour",
                    default=WHITE)  # fmt: skip
    sprite: Link[Sprite] = Link("sprite", "The sprite of a background.", "spriteId")
    tile_horizontally = Flag("Whether the background repeats across.", "htiled")
    tile_vertically = Flag("Whether the background repeats down.", "vtiled")
    stretch = Flag("Whether the background is stretched to the room.", "stretch")
    speed_x = Real("How far the background moves in a step, across.", "hspeed")
    speed_y = Real("How far the background moves in a step, down.", "vspeed")
    tile_set: Link[Background] = Link("tile set", "The tile set of a layer of tiles.", "tilesetId")
    effect_type = Text("The effect of the layer.", "effectType", old=None)
    effect_enabled = Flag("Whether the effect is on.", "effectEnabled", old=None, default=True)

    @property
    def kind(self) -> str:
        """Its class."""
        return class_name(self.value())

    @property
    def instances(self) -> Instances:
        """Its instances; none of another layer."""
        return Instances(cast("Room", self.owner), (*self.where, "instances"), self)

    @property
    def assets(self) -> list[SpriteElement]:
        """The assets in a layer of assets."""
        count = self.store.count((*self.where, "assets"))
        return [SpriteElement(self.owner, (*self.where, "assets", n)) for n in range(count)]

    @property
    def tiles(self) -> NDArray[np.uint32] | None:
        """The tile words (rows, columns), 0 where none is; None for another layer.

        Raises FormatError for a map of another size than it says.
        """
        stored = self.value("tiles")
        if not isinstance(stored, dict):
            return None
        wide, high = (stored.get(key) for key in ("SerialiseWidth", "SerialiseHeight"))
        if not isinstance(wide, int) or not isinstance(high, int) or min(wide, high) < 0:
            return None
        words = list_at(stored, "TileSerialiseData")
        if "TileCompressedData" in stored:
            words = expanded(list_at(stored, "TileCompressedData"), wide * high)
        if len(words) != wide * high or not all(isinstance(word, int) for word in words):
            message = f"expected {wide} x {high} numbers of tiles, got {len(words)} elements"
            raise FormatError(message, source=self.store.path, path=self.name)
        cells = np.array([cast("int", word) & 0xFFFF_FFFF for word in words], np.uint32)
        cells[cells == _UNPAINTED] = 0
        return cells.reshape(high, wide)

    def __repr__(self) -> str:
        return f"<Layer {self.name[:80]} {self.kind.removeprefix('GMR')}, depth {self.depth}>"


def expanded(stored: Sequence[Json], most: int) -> list[Json]:
    """The numbers of a compressed map: -n and one that is there n times, or n and n of them."""
    made: list[Json] = []
    at = 0
    while at < len(stored) and len(made) <= min(most, _MOST_CELLS):
        count = stored[at]
        if not isinstance(count, int) or at + 1 >= len(stored):
            break
        if count < 0:
            made += [stored[at + 1]] * min(-count, most + 1)
            at += 2
        else:
            made += stored[at + 1 : at + 1 + count]
            at += 1 + count
    return made


class RoomBackground(Part):
    """A background of a room of Studio 1."""

    __slots__ = ()
    background: Link[Background] = Link(
        "background", "The background.", None, old=None, xml="@name", nothing=""
    )
    enabled = Flag("Whether it is drawn.", None, old=None, xml="@visible")
    foreground = Flag("Whether it is in front of all.", None, old=None, xml="@foreground")
    x = Number("Its left.", None, old=None, xml="@x")
    y = Number("Its top.", None, old=None, xml="@y")
    tile_x = Flag("Whether it repeats across.", None, old=None, xml="@htiled")
    tile_y = Flag("Whether it repeats down.", None, old=None, xml="@vtiled")
    stretch = Flag("Whether it is stretched to the room.", None, old=None, xml="@stretch")


class Tile(Part):
    """A tile of a room of Studio 1: a rectangle of a background."""

    __slots__ = ()
    background: Link[Background] = Link(
        "background", "The background.", None, old=None, xml="@bgName", nothing=""
    )
    x = Number("Its left.", None, old=None, xml="@x")
    y = Number("Its top.", None, old=None, xml="@y")
    width = Number("Its width.", None, old=None, xml="@w")
    height = Number("Its height.", None, old=None, xml="@h")
    source_x = Number("Its left in the background.", None, old=None, xml="@xo")
    source_y = Number("Its top in the background.", None, old=None, xml="@yo")
    depth = Number("Layers of less depth are drawn above.", None, old=None, xml="@depth")
    scale_x = Real("How wide it is.", None, old=None, xml="@scaleX", default=1.0)
    scale_y = Real("How high it is.", None, old=None, xml="@scaleY", default=1.0)
    colour = Colour(
        "The colour that it is mixed with.", None, old=None, xml="@colour", default=WHITE
    )


class Layers(Sequence[Layer]):
    """The layers of a room, in the order of the file, by number and by name; those in folders
    too."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def all(self, where: Steps = ("layers",)) -> Iterator[Layer]:
        """Every layer, from the first."""
        for number in range(self._room.store.count(where)):
            at = (*where, number)
            yield Layer(self._room, at)
            yield from self.all((*at, "layers"))

    def names(self) -> list[str]:
        """The names of all of them."""
        return [layer.name for layer in self.all()]

    def get(self, name: str) -> Layer | None:
        """The first layer of a name; None where there is none."""
        return next((layer for layer in self.all() if layer.name == name), None)

    @overload
    def __getitem__(self, key: int | str) -> Layer: ...
    @overload
    def __getitem__(self, key: slice) -> list[Layer]: ...
    def __getitem__(self, key: int | str | slice) -> Layer | list[Layer]:
        if not isinstance(key, str):
            return list(self.all())[key]
        layer = self.get(key)
        if layer is None:
            raise KeyError(f"there is no layer named {key!r}{did_you_mean(key, self.names())}")
        return layer

    def __contains__(self, value: object) -> bool:
        return value in self.names() if isinstance(value, str) else super().__contains__(value)

    def __len__(self) -> int:
        return sum(1 for _ in self.all())

    def __repr__(self) -> str:
        return list_text(self, "layer")


class Room(DrawnRoom, Resource):
    """A room; sizes and places are in pixels.

    ``image()`` draws all of it, or the ``layers`` of these names on a transparent ground; see
    :class:`~overhaul.document.surface.DrawnRoom`.  No code runs, and effects are not drawn.
    """

    __slots__ = ()
    kind_name = "room"
    _facts = ("persistent", "parent")

    width = Number("Its width.", "roomSettings.Width", xml="width")
    height = Number("Its height.", "roomSettings.Height", xml="height")
    persistent = Flag(
        "Whether it stays as it is left.", "roomSettings.persistent", xml="persistent"
    )
    speed = Number("Steps per second (Studio 1).", None, old=None, xml="speed", default=30)
    caption = Text("The title of the window (Studio 1).", None, old=None, xml="caption")
    background_colour = Number(
        "The colour behind everything (Studio 1).", None, old=None, xml="colour"
    )
    draw_background_colour = Flag(
        "Whether that is drawn (Studio 1).", None, old=None, xml="showcolour"
    )
    views_enabled = Flag(
        "Whether its views are used.", "viewSettings.enableViews", xml="enableViews"
    )
    parent: Link[Room] = Link("room", "The room it inherits from.", "parentRoom", old="parentId")

    @property
    def layers(self) -> Layers:
        """Its layers by name; none in Studio 1."""
        return Layers(self)

    @property
    def instances(self) -> Sequence[Instance]:
        """Its instances: those of its layers, one after the other."""
        if self.store.letter == "X":
            return Instances(self, ("instances",))
        return [instance for layer in self.layers.all() for instance in layer.instances]

    @property
    def backgrounds(self) -> list[RoomBackground]:
        """Its backgrounds and foregrounds, in Studio 1."""
        count = self.store.count(("backgrounds",)) if self.store.letter == "X" else 0
        return [RoomBackground(self, ("backgrounds", number)) for number in range(count)]

    @property
    def tiles(self) -> list[Tile]:
        """Its tiles, in Studio 1."""
        count = self.store.count(("tiles",)) if self.store.letter == "X" else 0
        return [Tile(self, ("tiles", number)) for number in range(count)]

    @property
    def views(self) -> Views:
        """Its views."""
        return Views(self, ("views",))

    @property
    def creation_code(self) -> str | None:
        """The GML that runs when the room begins; None for none."""
        if self.store.letter == "X":
            found = self.store.get(("code",))
            return found if isinstance(found, str) and found else None
        has = self.store.get(("creationCodeFile",))
        return read_source(self.project, self._code_path) if has else None

    @creation_code.setter
    def creation_code(self, text: str) -> None:
        if self.store.letter == "X":
            self.store.put(("code",), text)
            return
        write_source(self.project, self._code_path, text)
        if not self.store.get(("creationCodeFile",)):
            named = f"${{project_dir}}/rooms/{self.name}/{_ROOM_CODE}"
            self.store.put(("creationCodeFile",), _ROOM_CODE if self.store.letter == "A" else named)

    @property
    def _code_path(self) -> str:
        return f"{self.folder}/{_ROOM_CODE}"

    # -- instances ------------------------------------------------------------------------------

    def free_instance_name(self) -> str:
        """A name as the editor makes them, which no instance of the room has."""
        taken = {instance.name for instance in self.instances}
        while True:
            name = f"inst_{random.getrandbits(32):X}"
            if name not in taken:
                return name

    @property
    def created(self) -> list[Instance]:
        """Its instances in the order in which they are created."""
        steps, _ = self._order
        rows = [self.store.get((*steps, number)) for number in range(self.store.count(steps))]
        order = {
            row if isinstance(row, str) else text_at(cast("Json", row), "name"): number
            for number, row in enumerate(rows)
        }
        key = "id" if self.store.letter == "A" else "name"
        return sorted(self.instances, key=lambda each: order.get(str(each.value(key)), len(order)))

    @property
    def _order(self) -> tuple[Steps, str]:
        old = self.store.letter == "A"
        return ("instanceCreationOrderIDs" if old else "instanceCreationOrder",), "id"

    def enlist(self, name: str, key: str) -> None:
        """Put an instance at the end of the order of creation."""
        steps, _ = self._order
        store = self.store
        assert isinstance(store, JsonStore)
        if store.get(steps) is MISSING:
            return
        row: Json = key
        if store.letter != "A":
            members: dict[str, Json] = {"name": name, "path": self.entry.path}
            row = in_order(members, store.file.style)
        store.insert((*steps, store.count(steps)), row)

    def unlist(self, name: str, key: object) -> None:
        """Take an instance out of the order of creation."""
        steps, _ = self._order
        for number in reversed(range(self.store.count(steps))):
            row = self.store.get((*steps, number))
            if row == key if isinstance(row, str) else text_at(cast("Json", row), "name") == name:
                self.store.remove((*steps, number))

    # -- drawing --------------------------------------------------------------------------------

    @property
    def has_picture(self) -> bool:
        """Whether there is anything to draw."""
        return self.is_here and self.width > 0 and self.height > 0

    @property
    def weight(self) -> int:
        """About how many bytes a drawing takes besides its pictures."""
        return 20_000 + 500 * len(self.instances)

    @property
    def shown_layers(self) -> list[LayerShown]:
        """The parts of its picture."""
        if self.store.letter == "X":
            return [LayerShown(part) for part in PARTS]
        return [
            LayerShown(each.name, each.kind.removeprefix("GMR"), each.visible, each.depth)
            for each in self.layers.all()
        ]

    @property
    def view_areas(self) -> list[Area]:
        """The areas of its enabled views."""
        if not self.views_enabled:
            return []
        return [Area(n, *view.area) for n, view in enumerate(self.views) if view.enabled]

    def _view(self, number: int) -> tuple[int, int, int, int]:
        return self.views[number].area

    def drawing(self, *, layers: Iterable[str] | None = None) -> Drawing:
        """The drawing that :meth:`image` makes. Raises KeyError for a layer that there is not."""
        return cast("Drawing", load(_DRAW)(self, layers))

    def not_drawn(self, *, layers: Iterable[str] | None = None) -> list[str]:
        """The parts that :meth:`image` leaves out of a picture of these layers, in words."""
        return cast("list[str]", load(_NOT_DRAWN)(self, layers))

    def _about(self) -> str:
        return f"{self.width}×{self.height}, {counted(len(self.instances), 'instance')}"
