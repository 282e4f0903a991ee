"""Characters, with the views that show them; inventory items and cursors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from overhaul.ags import drawing
from overhaul.ags.game import uniform
from overhaul.ags.surface.base import (
    AgsResources,
    GameHolder,
    GameResource,
)
from overhaul.ags.surface.rooms import Room, room_ref
from overhaul.ags.surface.sprites import Sprite, sprite_ref
from overhaul.document.refs import Ref
from overhaul.document.surface import counted
from overhaul.errors import FormatError

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.ags.game.old import EarlyCharacter
    from overhaul.ags.game.resources import Character as CharacterRecord
    from overhaul.ags.game.resources import Cursor as CursorRecord
    from overhaul.ags.game.resources import Frame as FrameRecord
    from overhaul.ags.game.resources import InventoryItem as ItemRecord
    from overhaul.ags.game.resources import Loop as LoopRecord
    from overhaul.ags.game.resources import View as ViewRecord

    #: the record of a character, of any version
    AnyCharacter: TypeAlias = CharacterRecord | EarlyCharacter

#: The views of a character: the field, and what it is for.
CHARACTER_VIEWS: Final = {
    "normal_view": "walks",
    "talk_view": "talks",
    "idle_view": "stands about",
    "think_view": "thinks",
    "blink_view": "blinks",
}


# -- views ---------------------------------------------------------------------------------------


class ViewFrame:
    """A frame of a loop.

    ``number`` counts from 0 in the loop; ``record`` has its fields.
    """

    __slots__ = ("_holder", "loop", "number", "record")

    def __init__(self, holder: GameHolder, loop: Loop, number: int, record: FrameRecord) -> None:
        self._holder = holder
        self.loop: Loop = loop
        self.number: int = number
        self.record: FrameRecord = record

    @property
    def sprite(self) -> Ref[Sprite]:
        """Its sprite."""
        return sprite_ref(self._holder.art, self.record.picture)

    @property
    def flipped(self) -> bool:
        """Whether its sprite is mirrored."""
        return bool(self.record.flags & 1)

    @property
    def has_picture(self) -> bool:
        """Whether its sprite is known; it may be damaged."""
        return self._holder.art.size(self.record.picture) is not None

    @property
    def image(self) -> Image | None:
        """It as the engine draws it (RGBA), on the canvas of its loop; None where its sprite is
        not known."""
        return drawing.frame_image(self.record, self.loop.canvas, self._holder.art)

    def draw(self) -> Image | None:
        """Its :attr:`image`, None for a damaged sprite too."""
        try:
            return self.image
        except FormatError:
            return None

    def seconds(self, delay: int = 5) -> float:
        """How long it is seen; ``delay`` is that of the animation, in turns of the engine."""
        return uniform.seconds(self.record, delay)


class Loop:
    """A loop of a view: ``goes_on``, where the next loop follows it.

    ``number`` counts from 0 in the view; ``record`` has its fields.
    """

    __slots__ = ("_holder", "number", "record")

    def __init__(self, holder: GameHolder, number: int, record: LoopRecord) -> None:
        self._holder = holder
        self.number: int = number
        self.record: LoopRecord = record

    @property
    def frames(self) -> list[ViewFrame]:
        """Its frames."""
        return [
            ViewFrame(self._holder, self, number, frame)
            for number, frame in enumerate(self.record.frames)
        ]

    @property
    def goes_on(self) -> bool:
        """Whether the next loop follows it."""
        return bool(self.record.flags & 1)

    @property
    def canvas(self) -> tuple[int, int]:
        """The width and height that all its frames fit into."""
        return drawing.canvas_of(self.record, self._holder.art)


class View(GameResource):
    """A view: loops of frames.  Its number is from 1, as in scripts and in the folder."""

    __slots__ = ("_name", "record")
    _kind = "view"
    _table = "views"

    def __init__(self, holder: GameHolder, number: int, record: ViewRecord, name: str) -> None:
        super().__init__(holder, number)
        #: the view as stored; of games before 3.0 without its unused loops and frames
        self.record: ViewRecord = record
        self._name = name

    @property
    def name(self) -> str:
        """Its name; its number for scripts where it has none."""
        return self._holder.shown(self._name)

    @name.setter
    def name(self, new: str) -> None:
        self.edit(Name=new)

    def edit(self, **values: object) -> None:
        """Set keys of its plain file: see :meth:`GameResource.edit`."""
        super().edit(**values)
        game = self._holder.game
        self.record = uniform.views(game)[self.number - 1]
        self._name = uniform.view_names(game)[self.number - 1]

    @property
    def place(self) -> int | None:
        """Its position among the views that ``ls`` lists."""
        return self.number - 1

    @property
    def loops(self) -> list[Loop]:
        """Its loops."""
        return [Loop(self._holder, number, loop) for number, loop in enumerate(self.record.loops)]

    @property
    def fields(self) -> dict[str, object]:
        """Nothing besides its loops."""
        return {}

    @property
    def script_name(self) -> str:
        """Empty: scripts know it by its name."""
        return ""

    @property
    def functions(self) -> Sequence[str]:
        """None: it has no events."""
        return ()

    @property
    def characters(self) -> list[Ref[Character]]:
        """The characters that have it."""
        people = characters(self._holder)
        return [
            Ref("character", person.number, people.get)
            for person in people
            if self.number in [view.id for _, view in person.views]
        ]

    def animations(
        self,
    ) -> Iterator[tuple[str, list[tuple[Callable[[], Image | None], float]]]]:
        """Its loops by number: what gives each frame, and how long it is seen.

        Loops none of whose sprites is known are left out.
        """
        for loop in self.loops:
            frames = loop.frames
            if any(frame.has_picture for frame in frames):
                yield str(loop.number), [(frame.draw, frame.seconds()) for frame in frames]

    def _about(self) -> str:
        return counted(len(self.loops), "loop")


# -- characters ----------------------------------------------------------------------------------


class Character(GameResource):
    """A character as the game starts."""

    __slots__ = ()
    _kind = "character"
    _table = "characters"

    @property
    def record(self) -> AnyCharacter:
        """The character as stored."""
        return uniform.characters(self._holder.game)[self.number]

    @property
    def name(self) -> str:
        """Its name in scripts (``cEgo``); a name that scripts use can't be changed."""
        return self._holder.shown(self.record.script_name)

    @name.setter
    def name(self, new: str) -> None:
        self.edit(ScriptName=new)

    @property
    def real_name(self) -> str:
        """Its name for people (``Ego``)."""
        return self._holder.shown(self.record.name)

    @real_name.setter
    def real_name(self, new: str) -> None:
        self.edit(RealName=new)

    @property
    def full_name(self) -> str:
        """Its :attr:`real_name`."""
        return self.real_name

    @property
    def room(self) -> Ref[Room] | None:
        """The room it is in at first; None where it is in none.  Set it by its number."""
        number = self.record.room
        return None if number < 0 else room_ref(self._holder, number)

    @room.setter
    def room(self, new: Ref[Room] | int | None) -> None:
        self.edit(StartingRoom=-1 if new is None else new.id if isinstance(new, Ref) else new)

    @property
    def position(self) -> tuple[int, int]:
        """Where it stands in its room."""
        return self.record.x, self.record.y

    @position.setter
    def position(self, new: tuple[int, int]) -> None:
        self.edit(StartX=new[0], StartY=new[1])

    @property
    def is_player(self) -> bool:
        """Whether the player is this character at first."""
        game = self._holder.game
        if game.old is not None:
            return game.old.player_character == self.number
        return game.settings is not None and game.settings.player_character == self.number

    @property
    def colour(self) -> str:
        """The colour it speaks in, as ``#rrggbb``; empty where the format has none."""
        number = getattr(self.record, "talk_colour", None)
        if number is None:
            return ""
        holder = self._holder
        colour = drawing.colour_of(holder.game, number, holder.art.palette)
        return "#{:02x}{:02x}{:02x}".format(*colour)

    @property
    def items(self) -> list[Ref[InventoryItem]]:
        """The inventory items it has at first."""
        items = inventory(self._holder)
        counts = enumerate(self.record.inventory)
        return [
            Ref("inventory", item, items.get, first=items.first)
            for item, count in counts
            if count and item
        ]

    @property
    def views(self) -> list[tuple[str, Ref[View]]]:
        """Its views with what they are for (``walks``)."""
        every = views(self._holder)
        numbers = {use: getattr(self.record, name, -1) for name, use in CHARACTER_VIEWS.items()}
        return [
            (use, Ref("view", number + 1, every.get, first=every.first))
            for use, number in numbers.items()
            if number >= 0
        ]

    @property
    def animation_delay(self) -> int:
        """The delay of its walking, in turns of the engine."""
        return self.record.animation_delay

    @animation_delay.setter
    def animation_delay(self, new: int) -> None:
        self.edit(AnimationDelay=new)

    def _about(self) -> str:
        return self.full_name


# -- items, cursors ------------------------------------------------------------------------------


class Pointed(NamedTuple):
    """A picture, and the place in it that points: x, y in its pixels; None where none does.

    ``title`` says what the picture is for, ``sprite`` is the picture.
    """

    title: str
    sprite: Ref[Sprite]
    place: tuple[int, int] | None


class InventoryItem(GameResource):
    """An inventory item; its number is from 1, as in scripts."""

    __slots__ = ()
    _kind = "inventory"
    _table = "inventory"

    @property
    def record(self) -> ItemRecord:
        """The item as stored."""
        return uniform.inventory(self._holder.game)[self.number]

    @property
    def name(self) -> str:
        """Its name for people."""
        return self._holder.shown(self.record.name)

    @name.setter
    def name(self, new: str) -> None:
        self.edit(Description=new)

    @property
    def place(self) -> int | None:
        """Its position among the items that ``ls`` lists."""
        return self.number - 1

    @property
    def view(self) -> Ref[View] | None:
        """None: items have no view."""
        return None

    @property
    def pictures(self) -> list[Pointed]:
        """Its picture in the inventory, and that of the cursor where that is another picture."""
        item, art = self.record, self._holder.art
        pictures = [Pointed("In the inventory", sprite_ref(art, item.picture), None)]
        if item.cursor_picture != item.picture or item.hot_x or item.hot_y:
            place = (item.hot_x, item.hot_y)
            pictures.append(Pointed("As the cursor", sprite_ref(art, item.cursor_picture), place))
        return pictures


class Cursor(GameResource):
    """A mode of the mouse cursor."""

    __slots__ = ()
    _kind = "cursor"
    _table = "cursors"

    @property
    def record(self) -> CursorRecord:
        """The cursor as stored."""
        return uniform.cursors(self._holder.game)[self.number]

    @property
    def name(self) -> str:
        """Its name."""
        return self._holder.shown(self.record.name)

    @name.setter
    def name(self, new: str) -> None:
        self.edit(Name=new)

    @property
    def view(self) -> Ref[View] | None:
        """The view it is animated with."""
        every = views(self._holder)
        return Ref("view", self.record.view + 1, every.get, first=every.first)

    @property
    def pictures(self) -> list[Pointed]:
        """Its picture."""
        place = (self.record.hot_x, self.record.hot_y)
        return [Pointed("Cursor", sprite_ref(self._holder.art, self.record.picture), place)]


def characters(holder: GameHolder) -> AgsResources[Character]:
    """The characters, from number 0."""
    count = len(uniform.characters(holder.game))
    return AgsResources(holder, "character", count, partial(Character, holder))


def inventory(holder: GameHolder) -> AgsResources[InventoryItem]:
    """The inventory items, from number 1."""
    count = len(uniform.inventory(holder.game)) - 1
    return AgsResources(holder, "inventory", count, partial(InventoryItem, holder), first=1)


def cursors(holder: GameHolder) -> AgsResources[Cursor]:
    """The cursors, from number 0."""
    return AgsResources(
        holder, "cursor", len(uniform.cursors(holder.game)), partial(Cursor, holder)
    )


def views(holder: GameHolder) -> AgsResources[View]:
    """The views, from number 1."""
    records, names = uniform.views(holder.game), uniform.view_names(holder.game)
    return AgsResources(
        holder,
        "view",
        len(records),
        lambda number: View(holder, number, records[number - 1], names[number - 1]),
        first=1,
    )
