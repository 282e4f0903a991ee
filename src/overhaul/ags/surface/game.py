"""What is in game data: characters, items, cursors, views, dialogs, GUIs, audio clips, fonts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias, cast

from overhaul.ags import drawing
from overhaul.ags.game import uniform
from overhaul.ags.script.dialogs import Step, dialog_steps
from overhaul.ags.surface.base import AgsResource, AgsResources, Fields, Holder, Scripted
from overhaul.ags.surface.rooms import Room, room_in
from overhaul.ags.surface.sprites import Script, Sprite, Sprites, sprite_ref, sprites_of
from overhaul.document.refs import Ref
from overhaul.document.surface import ResourceList, counted
from overhaul.schema import Record

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.ags.drawing import GuiPicture
    from overhaul.ags.game.game import Game
    from overhaul.ags.game.old import EarlyCharacter
    from overhaul.ags.game.things import Character as CharacterRecord
    from overhaul.ags.game.things import Cursor as CursorRecord
    from overhaul.ags.game.things import Frame as FrameRecord
    from overhaul.ags.game.things import InventoryItem as ItemRecord
    from overhaul.ags.game.things import Loop as LoopRecord
    from overhaul.ags.game.things import View as ViewRecord
    from overhaul.document.protocol import Siblings

    AnyCharacter: TypeAlias = CharacterRecord | EarlyCharacter

#: The views of a character: the field, and what it is for.
CHARACTER_VIEWS: Final = {
    "normal_view": "walks",
    "talk_view": "talks",
    "idle_view": "stands about",
    "think_view": "thinks",
    "blink_view": "blinks",
}
#: The lists of the controls of GUIs.
_CONTROLS: Final = {
    "button": "buttons",
    "label": "labels",
    "inventory window": "inventory_windows",
    "slider": "sliders",
    "text box": "text_boxes",
    "list box": "list_boxes",
}


class GameHolder(Holder, Protocol):
    """A document of game data."""

    @property
    def game(self) -> Game: ...
    @property
    def siblings(self) -> Siblings | None: ...


class _GameResource(Scripted[GameHolder]):
    """A resource of game data that is an element of tables, which call its kind ``_table``."""

    __slots__ = ()
    _table = ""

    @property
    def _fields(self) -> Fields:
        game, record = self._holder.game, self.record
        stored = record if game.old is not None and isinstance(record, Record) else None
        return Fields.of(game.tables(), self._table, self.number, self._holder, stored)

    @property
    def no_sprites(self) -> str:
        """Why the game's sprites are not known; empty where they are."""
        return self._holder.art.problem

    def sprite_image(self, number: int) -> Image | None:
        """A sprite of the game in its colours; None where there is none, or it is damaged."""
        return self._holder.art.sprite(number)


# -- views ---------------------------------------------------------------------------------------


class ViewFrame:
    """A frame of a loop."""

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

    def seconds(self, delay: int = 5) -> float:
        """How long it is seen; ``delay`` is that of the animation, in turns of the engine."""
        return uniform.seconds(self.record, delay)


class Loop:
    """A loop of a view: ``goes_on``, where the next loop follows it."""

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


class View(_GameResource):
    """A view: loops of frames.  Its number is from 0; scripts count from 1."""

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

    def _about(self) -> str:
        return counted(len(self.loops), "loop")


# -- characters ----------------------------------------------------------------------------------


class Character(_GameResource):
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
        """What scripts call it (``cEgo``)."""
        return self._holder.shown(self.record.script_name)

    @property
    def full_name(self) -> str:
        """What people call it (``Ego``)."""
        return self._holder.shown(self.record.name)

    @property
    def room(self) -> Ref[Room] | None:
        """The room it is in at first; None where it is in none."""
        number = self.record.room
        return None if number < 0 else room_ref(self._holder, number)

    @property
    def position(self) -> tuple[int, int]:
        """Where it stands in its room."""
        return self.record.x, self.record.y

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
            (use, Ref("view", number, every.get)) for use, number in numbers.items() if number >= 0
        ]

    @property
    def animation_delay(self) -> int:
        """The delay of its walking, in turns of the engine."""
        return self.record.animation_delay

    def _about(self) -> str:
        return self.full_name


# -- items, cursors ------------------------------------------------------------------------------


class Pointed(NamedTuple):
    """A picture, and the place in it that points: x, y in its pixels; None where none does."""

    title: str
    sprite: Ref[Sprite]
    place: tuple[int, int] | None


class InventoryItem(_GameResource):
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
        """What people call it."""
        return self._holder.shown(self.record.name)

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


class Cursor(_GameResource):
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

    @property
    def view(self) -> Ref[View] | None:
        """The view it is animated with."""
        return Ref("view", self.record.view, views(self._holder).get)

    @property
    def pictures(self) -> list[Pointed]:
        """Its picture."""
        place = (self.record.hot_x, self.record.hot_y)
        return [Pointed("Cursor", sprite_ref(self._holder.art, self.record.picture), place)]


# -- GUIs ----------------------------------------------------------------------------------------


class Control:
    """A control of a GUI, as it is at first; places are in pixels of the window."""

    __slots__ = ("_fields", "_shown")

    def __init__(self, shown: drawing.Shown, fields: Fields) -> None:
        self._shown = shown
        self._fields = fields

    @property
    def kind(self) -> str:
        """What it is: ``button``, ``label`` ..."""
        return self._shown.kind

    @property
    def name(self) -> str:
        """What scripts call it."""
        return self._shown.name

    @property
    def text(self) -> str:
        """What is written on it."""
        return self._shown.text

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height."""
        return self._shown.box

    @property
    def visible(self) -> bool:
        """Whether it is shown at first."""
        return self._shown.visible

    @property
    def functions(self) -> list[str]:
        """The functions of scripts that its events run."""
        return self._fields.functions

    @property
    def fields(self) -> dict[str, object]:
        """What the file stores of it, as JSON values by name."""
        return self._fields.values


class Gui(_GameResource):
    """A GUI."""

    __slots__ = ()
    _kind = "gui"
    _table = "guis"

    @property
    def record(self) -> Record:
        """The GUI as stored."""
        return uniform.guis(self._holder.game)[1].guis[self.number]

    @property
    def name(self) -> str:
        """What scripts call it; its number before 2.5."""
        game = self._holder.game
        if game.old is not None:  # the names hold other things
            return str(self.number)
        return self._holder.shown(uniform.guis(game)[1].guis[self.number].name)

    @property
    def picture(self) -> GuiPicture:
        """It with its controls as they are at first, and what the picture lacks."""
        holder = self._holder
        return drawing.gui_image(
            holder.game, self.number, holder.art, holder.shown, holder.encoding
        )

    @property
    def image(self) -> Image:
        """It as a picture."""
        return self.picture.image

    def controls(self, picture: GuiPicture | None = None) -> list[Control]:
        """Its controls, from the back to the front, as a picture of it has them."""
        holder = self._holder
        tables = holder.game.tables()
        return [
            Control(shown, Fields.of(tables, _CONTROLS[shown.kind], shown.index, holder))
            for shown in (picture or self.picture).controls
        ]


# -- dialogs -------------------------------------------------------------------------------------


class Dialog(_GameResource):
    """A dialog: its options, and what is said."""

    __slots__ = ("_text",)
    _kind = "dialog"
    _table = "dialogs"

    def __init__(self, holder: GameHolder, number: int, text: uniform.DialogText) -> None:
        super().__init__(holder, number)
        self._text = text

    @property
    def record(self) -> object:
        """The dialog as stored, up to 3.6.2; None later, where a block has its parts."""
        content = self._holder.game.old or self._holder.game.content
        stored: Sequence[object] = [] if content is None else content.dialogs
        return stored[self.number] if self.number < len(stored) else None

    @property
    def name(self) -> str:
        """What scripts call it; its number where they do not."""
        return self._holder.shown(self._text.name)

    @property
    def options(self) -> list[uniform.Option]:
        """Its options, in the document's encoding."""
        shown = self._holder.shown
        return [
            uniform.Option(shown(option.text), option.on, option.said)
            for option in self._text.options
        ]

    @property
    def source(self) -> str:
        """Its script as the author wrote it; empty where the game does not hold that."""
        return self._holder.shown(self._text.source)

    @property
    def lines(self) -> list[str]:
        """What its operations do, before 3.1."""
        return [self._holder.shown(line) for line in self._text.lines]

    @property
    def function(self) -> str:
        """The function of the compiled script that runs it."""
        return f"_run_dialog{self.number}"

    @property
    def steps(self) -> list[Step]:
        """What its part of the compiled script says and does."""
        return steps_of(self._holder.game).get(self.number, [])


def steps_of(game: Game) -> dict[int, list[Step]]:
    """What the compiled script of all dialogs does, by the number of the dialog."""
    script = None if game.content is None else game.content.dialog_script
    return {} if script is None else dialog_steps(script)


# -- audio clips, fonts --------------------------------------------------------------------------


class AudioClip(_GameResource):
    """An audio clip."""

    __slots__ = ()
    _kind = "audio clip"
    _table = "audio_clips"
    _facts = ("file_name", "where")
    group = None
    streamed = False

    @property
    def record(self) -> Record:
        """The clip as stored."""
        assert self._holder.game.content is not None
        return self._holder.game.content.audio_clips[self.number]

    @property
    def name(self) -> str:
        """What scripts call it."""
        return self._holder.shown(getattr(self.record, "script_name", ""))

    @property
    def file_name(self) -> str:
        """The name of its file."""
        return self._holder.shown(getattr(self.record, "file_name", ""))

    @property
    def where(self) -> str:
        """Where that file is."""
        bundled = getattr(self.record, "bundling", 0) == 1
        return "the package of the game" if bundled else "audio.vox"

    @property
    def bytes(self) -> bytes | None:
        """The bytes of its file; None where that is not next to the game data."""
        return self._holder.art.read(self.file_name) if self.file_name else None

    @property
    def notes(self) -> tuple[str, ...]:
        """That its file is missing, where it is."""
        return () if self.bytes is not None else ("Its file is not next to the game data.",)


class Font(_GameResource):
    """A font, known by its number."""

    __slots__ = ()
    _kind = "font"
    _table = "fonts"

    @property
    def record(self) -> object:
        """The font as stored; None before 3.5, where lists have its parts."""
        content = self._holder.game.content
        fonts: Sequence[object] = [] if content is None else content.fonts
        return fonts[self.number] if self.number < len(fonts) else None

    @property
    def name(self) -> str:
        """Its number as text."""
        return str(self.number)

    @property
    def size(self) -> int:
        """Its size in pixels."""
        return drawing.font_size(self._holder.game, self.number)

    def _letters(self) -> drawing.TextFont:
        holder = self._holder
        return drawing.game_font(holder.game, self.number, holder.art, holder.encoding)

    @property
    def own_letters(self) -> bool:
        """Whether its file is next to the game data; else texts are set in other letters."""
        return self._letters().own

    def text_image(self, text: str) -> Image:
        """A text set in it (RGBA)."""
        return drawing.text_image(self._letters(), text)


# -- the lists -----------------------------------------------------------------------------------


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
    """The views, from number 0."""
    records, names = uniform.views(holder.game), uniform.view_names(holder.game)
    return AgsResources(
        holder,
        "view",
        len(records),
        lambda number: View(holder, number, records[number], names[number]),
    )


def guis(holder: GameHolder) -> AgsResources[Gui]:
    """The GUIs, from number 0."""
    return AgsResources(holder, "gui", len(uniform.guis(holder.game)[1].guis), partial(Gui, holder))


def dialogs(holder: GameHolder) -> AgsResources[Dialog]:
    """The dialogs, from number 0."""
    texts = uniform.dialogs(holder.game)
    return AgsResources(
        holder, "dialog", len(texts), lambda number: Dialog(holder, number, texts[number])
    )


def audio_clips(holder: GameHolder) -> AgsResources[AudioClip]:
    """The audio clips, from number 0; none before 3.2."""
    content = holder.game.content
    count = 0 if content is None else len(content.audio_clips)
    return AgsResources(holder, "audio clip", count, partial(AudioClip, holder))


def fonts(holder: GameHolder) -> AgsResources[Font]:
    """The fonts, from number 0."""
    content = holder.game.content
    count = 0 if content is None else max(len(content.fonts), len(content.font_flags))
    return AgsResources(holder, "font", count, partial(Font, holder))


def scripts(holder: GameHolder) -> AgsResources[Script]:
    """The compiled scripts, in the order of the file."""
    known = holder.game.scripts()
    return AgsResources(
        holder,
        "script",
        len(known),
        lambda number: Script(
            holder, number, known[number][1], known[number][1].name or known[number][0]
        ),
    )


def sprites(holder: GameHolder) -> Sprites:
    """The sprites of the set next to the game data, by number."""
    return sprites_of(holder.art, None)


#: The lists of a game by what ``ls`` calls one of their elements.
LISTS: Final[dict[str, Callable[[GameHolder], ResourceList[AgsResource[GameHolder]]]]] = cast(
    "dict[str, Callable[[GameHolder], ResourceList[AgsResource[GameHolder]]]]",
    {
        "character": characters,
        "inventory": inventory,
        "cursor": cursors,
        "view": views,
        "dialog": dialogs,
        "gui": guis,
        "audio clip": audio_clips,
        "font": fonts,
        "script": scripts,
    },
)


class Rooms(ResourceList[Room]):
    """The rooms of a game, by their numbers: the files ``room12.crm`` next to the game data.

    A room is read when it is first looked at.
    """

    def __init__(self, holder: GameHolder) -> None:
        self._siblings = holder.siblings

    @property
    def kind(self) -> str:
        """What ``overhaul ls`` calls one of them."""
        return "room"

    def _files(self) -> dict[int, str]:
        """The name of the file of each number."""
        names = [] if self._siblings is None else self._siblings.names()
        found = {}
        for name in names:
            stem, _, ending = name.casefold().rpartition(".")
            number = stem.removeprefix("room")
            if ending == "crm" and stem != number and number.isascii() and number.isdigit():
                found[int(number)] = name
        return dict(sorted(found.items()))

    def __len__(self) -> int:
        return len(self._files())

    def __iter__(self) -> Iterator[Room]:
        return filter(None, map(self._numbered, self._files()))

    def numbers(self) -> list[int]:
        """The numbers of the rooms."""
        return list(self._files())

    def _numbered(self, number: int) -> Room | None:
        file = self._files().get(number)
        return None if file is None or self._siblings is None else room_in(self._siblings, file)


def room_ref(holder: GameHolder, number: int) -> Ref[Room]:
    """The reference to a room by its number."""
    return Ref("room", number, Rooms(holder).get, file=f"room{number}.crm")
