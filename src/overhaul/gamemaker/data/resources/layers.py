"""The layers of rooms, from GameMaker 2 on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from overhaul.gamemaker.data.chunks.room import (
    AssetsLayer,
    EffectLayer,
    InstancesLayer,
    LayerType,
    SpriteInstance,
    TilesLayer,
)
from overhaul.gamemaker.data.chunks.room import BackgroundLayer as BackgroundLayerData
from overhaul.gamemaker.data.chunks.room import Layer as LayerRecord
from overhaul.gamemaker.data.chunks.room import Room as RoomRecord
from overhaul.gamemaker.data.chunks.seqn import SpeedType
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.resources.backgrounds import Background
from overhaul.gamemaker.data.resources.fields import (
    Choice,
    Colour,
    Field,
    Flag,
    Link,
    Number,
    Paint,
    Real,
    Text,
)
from overhaul.gamemaker.data.resources.fonts import Font
from overhaul.gamemaker.data.resources.objects import Instance
from overhaul.gamemaker.data.resources.particles import ParticleSystem
from overhaul.gamemaker.data.resources.parts import Part, Parts
from overhaul.gamemaker.data.resources.room_parts import TileArray, Tiles, set_tiles, tiles_of
from overhaul.gamemaker.data.resources.sequences import Sequence
from overhaul.gamemaker.data.resources.sprites import Sprite
from overhaul.gamemaker.data.room_rules import new_layer_id
from overhaul.suggest import did_you_mean

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

T = TypeVar("T")
E = TypeVar("E", bound="Asset")

#: how much deeper a new layer is than the deepest
_DEPTH_STEP = 100


class Layer(Part[RoomRecord, LayerRecord]):
    """A layer of a room. Layers of less depth are drawn in front of the others."""

    __slots__ = ()

    type: Choice[LayerType] = Choice(LayerType, "what it holds")
    depth: Number = Number("greater is farther back")
    visible: Flag = Flag("whether it is drawn")
    offset_x: Real = Real("pixels; its contents, but instances, are drawn so much to the right")
    offset_y: Real = Real("pixels; its contents, but instances, are drawn so much lower")
    speed_x: Real = Real("pixels per step")
    speed_y: Real = Real("pixels per step")
    effect_enabled: Flag = Flag("whether its effect is drawn (2022.1 and later)")
    effect_type: Text = Text("its effect, e.g. _filter_tintfilter (2022.1 and later)")

    @property
    def name(self) -> str:
        """Its name.  Setting it raises ValueError for one that another layer of the room has."""
        return str(self.record.name or "")

    @name.setter
    def name(self, value: str) -> None:
        _check_name(self.owner, value, self.record)
        self.record.name = self.game.strings.add(value)

    @property
    def id(self) -> int:
        """The number code knows it by."""
        return int(self.record.id)

    def _about(self) -> str:
        hidden = "" if self.visible else ", hidden"
        return f"{self.name} at depth {self.depth}{hidden}{self._holds()}"

    def _holds(self) -> str:
        return ""


class _Data:
    """The content of a layer, whose fields are attributes of the layer."""

    def __init__(self, layer: Layer) -> None:
        self.game = layer.game
        self.record = layer.record.data


class Inner(Generic[T]):
    """An attribute of a layer that is a field of its content."""

    def __init__(self, field: Field[T]) -> None:
        self.field = field
        self.__doc__ = field.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.field.__set_name__(owner, name)

    @overload
    def __get__(self, layer: None, owner: type) -> Self: ...
    @overload
    def __get__(self, layer: Layer, owner: type) -> T: ...
    def __get__(self, layer: Layer | None, owner: type) -> Self | T:
        return self if layer is None else self.field.__get__(_Data(layer), owner)

    def __set__(self, layer: Layer, value: Any) -> None:
        self.field.__set__(_Data(layer), value)


class BackgroundLayer(Layer):
    """A layer that is a colour or a sprite over the whole room."""

    __slots__ = ()

    sprite: Inner[Sprite | None] = Inner(
        Link(Sprite, "the picture; without one the colour is drawn")
    )
    colour: Inner[Colour] = Inner(Paint("the colour, or the blend colour of the sprite"))
    stretch: Inner[bool] = Inner(Flag("whether the sprite is scaled to the size of the room"))
    tile_horizontally: Inner[bool] = Inner(Flag("whether the sprite repeats across"))
    tile_vertically: Inner[bool] = Inner(Flag("whether the sprite repeats down"))
    image_index: Inner[float] = Inner(Real("the frame it begins with", "first_frame"))
    image_speed: Inner[float] = Inner(Real("the speed of its animation", "animation_speed"))
    speed_type: Inner[SpeedType] = Inner(Choice(SpeedType, "the unit of the speed"))

    def _holds(self) -> str:
        return f", {self.sprite.name if self.sprite else self.colour}"


class InstanceLayer(Layer):
    """A layer of instances."""

    __slots__ = ()

    @property
    def instances(self) -> list[Instance]:
        """The instances on it, in the order they are drawn.

        ``room.instances.add(..., layer=...)`` puts one on it.
        """
        here = {instance.id: instance for instance in self.owner.instances if instance is not None}
        numbers = self.record.data.instances
        found = [here[number] for number in numbers if number in here]
        return [Instance(self.game, self.owner, record) for record in found]

    def _holds(self) -> str:
        return f", {len(self.record.data.instances)} instances"


class TileLayer(Layer):
    """A layer that is a map of tiles."""

    __slots__ = ()

    tile_set: Inner[Background | None] = Inner(Link(Background, "the tiles", "tileset"))

    @property
    def tiles(self) -> TileArray:
        """The tiles as an array of (rows, columns); see there for their flags.

        Changing the array changes the layer.  An array that is assigned may have another shape.
        Raises TypeError or ValueError for one that is none of tiles, and for tiles that the tile
        set does not have.
        """
        return tiles_of(self.record.data)

    @tiles.setter
    def tiles(self, value: ArrayLike) -> None:
        tile_set = self.tile_set
        set_tiles(self.record.data, value, tile_set.record.tile_count if tile_set else None)

    def _holds(self) -> str:
        data = self.record.data
        return f", {data.width}×{data.height} tiles"


class Asset(Part[RoomRecord, Any]):
    """Something on a layer of assets."""

    __slots__ = ()

    name: Text = Text("its name")
    x: Number = Number("pixels")
    y: Number = Number("pixels")
    scale_x: Real = Real()
    scale_y: Real = Real()
    rotation: Real = Real("degrees, anticlockwise")
    colour: Paint = Paint("the colour it is blended with; white leaves it as it is")

    def _about(self) -> str:
        return f"{self.name} at {self.x}, {self.y}"


class SpriteAsset(Asset):
    """A sprite on a layer of assets."""

    __slots__ = ()

    sprite: Link[Sprite] = Link(Sprite, "the picture")
    image_index: Real = Real("the frame it begins with", "frame")
    image_speed: Real = Real("times the speed of its sprite", "animation_speed")


class SequenceAsset(Asset):
    """A sequence on a layer of assets."""

    __slots__ = ()

    sequence: Link[Sequence] = Link(Sequence, "the sequence")
    head_position: Real = Real("the frame it begins with", "frame")
    speed: Real = Real("times the speed of the sequence", "animation_speed")


class ParticleAsset(Asset):
    """A particle system on a layer of assets."""

    __slots__ = ()

    particle_system: Link[ParticleSystem] = Link(ParticleSystem, "the particle system")


class TextAsset(Asset):
    """A text on a layer of assets."""

    __slots__ = ()

    text: Text = Text("what it says")
    font: Link[Font] = Link(Font, "the font")
    origin_x: Real = Real("pixels")
    origin_y: Real = Real("pixels")
    character_spacing: Real = Real("pixels")
    line_spacing: Real = Real("pixels")
    wrap: Flag = Flag("whether lines are broken at the width of its frame")
    frame_width: Real = Real("pixels")
    frame_height: Real = Real("pixels")


class Assets(Parts[E]):
    """The assets of one kind on a layer."""

    title = "asset"

    def __init__(
        self, game: CodeModel, owner: RoomRecord, records: list[Any], kind: type[E]
    ) -> None:
        super().__init__(game, owner, records)
        self.kind = kind

    def _over(self, record: Any) -> E:
        return self.kind(self.game, self.owner, record)

    def remove(self, asset: E) -> None:
        """Take an asset away.  Raises ValueError if it is not among these."""
        del self.records[self._place(asset)]


class AssetLayer(Layer):
    """A layer of sprites, single tiles, sequences, particle systems and texts."""

    __slots__ = ()

    @property
    def sprites(self) -> Assets[SpriteAsset]:
        """The sprites on it."""
        return Assets(self.game, self.owner, self.record.data.sprites, SpriteAsset)

    @property
    def tiles(self) -> Tiles:
        """The single tiles on it."""
        return Tiles(self.game, self.owner, self.record.data.tiles)

    @property
    def sequences(self) -> Assets[SequenceAsset]:
        """The sequences on it."""
        return Assets(self.game, self.owner, self.record.data.sequences, SequenceAsset)

    @property
    def particle_systems(self) -> Assets[ParticleAsset]:
        """The particle systems on it."""
        return Assets(self.game, self.owner, self.record.data.particle_systems, ParticleAsset)

    @property
    def texts(self) -> Assets[TextAsset]:
        """The texts on it."""
        return Assets(self.game, self.owner, self.record.data.texts, TextAsset)

    def add_sprite(self, sprite: Sprite | str, x: int, y: int, name: str = "") -> SpriteAsset:
        """Put a sprite on the layer.  Raises KeyError or TypeError."""
        taken = {str(sprite.name) for sprite in self.record.data.sprites}
        number = next(n for n in range(len(taken) + 1) if f"graphic_{n}" not in taken)
        asset = SpriteAsset(self.game, self.owner, SpriteInstance())
        asset.sprite = sprite
        asset.x, asset.y, asset.name = x, y, name or f"graphic_{number}"
        self.record.data.sprites.append(asset.record)
        return asset

    def _holds(self) -> str:
        data = self.record.data
        return f", {len(data.sprites)} sprites, {len(data.tiles)} tiles"


_KINDS: dict[int, type[Layer]] = {
    LayerType.BACKGROUND: BackgroundLayer,
    LayerType.INSTANCES: InstanceLayer,
    LayerType.ASSETS: AssetLayer,
    LayerType.TILES: TileLayer,
}
_CONTENTS: dict[int, type[Any]] = {
    LayerType.BACKGROUND: BackgroundLayerData,
    LayerType.INSTANCES: InstancesLayer,
    LayerType.ASSETS: AssetsLayer,
    LayerType.TILES: TilesLayer,
    LayerType.EFFECT: EffectLayer,
}


class Layers(Parts[Layer]):
    """The layers of a room, by name and by number; none before GameMaker 2."""

    title = "layer"

    def _over(self, record: Any) -> Layer:
        kind = _KINDS.get(record.type, Layer) if record.data is not None else Layer
        return kind(self.game, self.owner, record)

    def names(self) -> list[str]:
        """The names of all of them."""
        return [str(record.name or "") for record in self.records]

    def get(self, name: str) -> Layer | None:
        """The layer of a name; None where there is none."""
        found = (record for record in self.records if str(record.name or "") == name)
        return next(map(self._over, found), None)

    @overload
    def __getitem__(self, key: int | str) -> Layer: ...
    @overload
    def __getitem__(self, key: slice) -> list[Layer]: ...
    def __getitem__(self, key: int | str | slice) -> Layer | list[Layer]:
        """The layer of a name or number.  Raises KeyError or IndexError."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        found = self.get(key)
        if found is None:
            raise KeyError(f"there is no layer named {key!r}{did_you_mean(key, self.names())}")
        return found

    def __contains__(self, value: object) -> bool:
        return value in self.names() if isinstance(value, str) else super().__contains__(value)

    def add(
        self, name: str, type: LayerType | str = LayerType.INSTANCES, depth: int | None = None
    ) -> Layer:
        """Add an empty layer; without ``depth`` it is drawn before all others.

        ``type`` is ``"instances"``, ``"background"``, ``"assets"``, ``"tiles"`` or ``"effect"``.
        Raises ValueError for a name that is taken, an unknown type, and before GameMaker 2.
        """
        if self.game.release.major < 2:
            raise ValueError(f"rooms of {self.game.release} have no layers")
        _check_name(self.owner, name, None)
        record = LayerRecord(name=self.game.strings.add(name))
        layer = Layer(self.game, self.owner, record)
        layer.type = type
        if record.type not in _CONTENTS:
            raise ValueError(f"type: layers of the type {type} can't be added")
        record.data = _CONTENTS[record.type]()
        if depth is None:
            deepest = max((record.depth for record in self.records), default=-_DEPTH_STEP)
            depth = min(deepest + _DEPTH_STEP, (1 << 31) - 1)
        layer.depth = depth
        record.id = new_layer_id(self.game)
        self.records.append(record)
        return self._over(record)

    def remove(self, layer: Layer | str) -> None:
        """Take a layer away, with the instances on it.

        Raises KeyError or ValueError if the room does not have it.
        """
        chosen = self[layer] if isinstance(layer, str) else layer
        place = self._place(chosen)
        if isinstance(chosen, InstanceLayer):
            on_it = {id(instance.record) for instance in chosen.instances}
            _drop_instances(self.owner, on_it)
        del self.records[place]

    def _ipython_key_completions_(self) -> list[str]:
        return self.names()


def _drop_instances(room: RoomRecord, gone: Iterable[int]) -> None:
    """Take instances (the ``id()`` of their records) out of a room and its order of creation."""
    gone = set(gone)
    ids = {instance.id for instance in room.instances if id(instance) in gone}
    room.instances[:] = [instance for instance in room.instances if id(instance) not in gone]
    ids -= {instance.id for instance in room.instances if instance is not None}
    if room.instance_order:
        room.instance_order[:] = [number for number in room.instance_order if number not in ids]


def _check_name(room: RoomRecord, name: str, own: LayerRecord | None) -> None:
    if not isinstance(name, str) or not name:
        raise ValueError(f"name: expected a text, got {name!r}")
    if any(layer is not own and str(layer.name or "") == name for layer in room.layers):
        raise ValueError(f"name: the room has a layer {name!r} already")
