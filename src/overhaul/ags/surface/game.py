"""The things in game data besides people and rooms: dialogs, GUIs, audio clips, fonts, scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from overhaul.ags import drawing
from overhaul.ags.game import uniform
from overhaul.ags.script.dialogs import Step, dialog_steps
from overhaul.ags.surface.base import (
    AgsResource,
    AgsResources,
    Fields,
    GameHolder,
    GameResource,
    Part,
    Parts,
    Setting,
)
from overhaul.ags.surface.people import characters, cursors, inventory, views
from overhaul.ags.surface.sprites import Script, Sprites, sprites_of
from overhaul.document.plainfiles import Within
from overhaul.document.registry import load
from overhaul.document.surface import ResourceList
from overhaul.schema import Record

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.ags.drawing import GuiPicture
    from overhaul.ags.game.game import Game
    from overhaul.ags.game.old import EarlyCharacter
    from overhaul.ags.game.resources import Character as CharacterRecord

    #: the record of a character, of any version
    AnyCharacter: TypeAlias = CharacterRecord | EarlyCharacter

_EDITING: Final = "overhaul.ags.folder.editing"
#: The keys of a rectangle in plain files.
_BOX: Final = ("Left", "Top", "Width", "Height")
#: The lists of the controls of GUIs.
_CONTROLS: Final = {
    "button": "buttons",
    "label": "labels",
    "inventory window": "inventory_windows",
    "slider": "sliders",
    "text box": "text_boxes",
    "list box": "list_boxes",
}


# -- GUIs ----------------------------------------------------------------------------------------


class Control(Part):
    """A control of a GUI, as it is at first; places are in pixels of the window."""

    __slots__ = ("_shown",)

    def __init__(self, shown: drawing.DrawnControl, fields: Fields, setting: Setting) -> None:
        super().__init__(fields, setting)
        self._shown = shown

    @property
    def place(self) -> int:
        """Its place in the list of its GUI, which is that of the plain file."""
        return self._shown.place

    @property
    def kind(self) -> str:
        """Its type: ``button``, ``label`` ..."""
        return self._shown.kind

    @property
    def name(self) -> str:
        """Its name in scripts; a name that scripts use can't be changed."""
        return self._shown.name

    @name.setter
    def name(self, new: str) -> None:
        self.edit(Name=new)

    @property
    def text(self) -> str:
        """The text that is written on it."""
        return self._shown.text

    @text.setter
    def text(self, new: str) -> None:
        self.edit(Text=new)

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height."""
        return self._shown.box

    @box.setter
    def box(self, new: tuple[int, int, int, int]) -> None:
        self.edit(**dict(zip(_BOX, new, strict=True)))

    @property
    def visible(self) -> bool:
        """Whether it is shown at first."""
        return self._shown.visible

    @visible.setter
    def visible(self, new: bool) -> None:
        self.edit(Visible=new)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


class Gui(GameResource):
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
        """Its name in scripts; its number before 2.5."""
        game = self._holder.game
        if game.old is not None:  # the names hold other things
            return str(self.number)
        return self._holder.shown(uniform.guis(game)[1].guis[self.number].name)

    @name.setter
    def name(self, new: str) -> None:
        self.edit(Name=new)

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height in the game's window."""
        gui = uniform.guis(self._holder.game)[1].guis[self.number]
        return gui.x, gui.y, gui.width, gui.height

    @box.setter
    def box(self, new: tuple[int, int, int, int]) -> None:
        self.edit(**dict(zip(_BOX, new, strict=True)))

    @property
    def _version(self) -> int:
        return uniform.guis(self._holder.game)[0]

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

    @property
    def controls(self) -> Parts[Control]:
        """Its controls, from the back to the front, also by name: ``controls["btnOK"]``."""
        return self.controls_of(self.picture)

    def controls_of(self, picture: GuiPicture) -> Parts[Control]:
        """Its controls as a picture of it has them."""
        holder = self._holder
        tables = holder.game.tables()
        return Parts(
            Control(
                shown,
                Fields.of(tables, _CONTROLS[shown.kind], shown.index, holder),
                Setting(partial(self._set_control, shown.place), partial(self._at, shown.place)),
            )
            for shown in picture.controls
        )

    def _set_control(self, place: int, values: Mapping[str, object]) -> None:
        """Set keys of a control, by its place in the GUI's list."""
        self.edit(Controls=Within(values, place))

    def _at(self, place: int) -> Control:
        return next(each for each in self.controls if each.place == place)


# -- dialogs -------------------------------------------------------------------------------------


class Dialog(GameResource):
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
        """Its name in scripts, or its number if it has none."""
        return self._holder.shown(self._text.name)

    @name.setter
    def name(self, new: str) -> None:
        self.edit(Name=new)

    def edit(self, **values: object) -> None:
        """Set keys of its plain file: see :meth:`GameResource.edit`."""
        super().edit(**values)
        self._text = uniform.dialogs(self._holder.game)[self.number]

    @property
    def options(self) -> list[uniform.Option]:
        """Its options, in the document's encoding."""
        shown = self._holder.shown
        return [
            uniform.Option(shown(option.text), option.on, option.said)
            for option in self._text.options
        ]

    @property
    def written(self) -> str:
        """Its script as the author wrote it; empty where the game does not hold that."""
        return self._holder.shown(self._text.source)

    @property
    def operations(self) -> list[str]:
        """Its operations, before 3.1."""
        return [self._holder.shown(line) for line in self._text.lines]

    @property
    def source(self) -> str:
        """Its script: as the author wrote it, else as its compiled code reads, else what its
        operations do; empty where none of these can be read."""
        return self.written or self._read_source() or "\n".join(self.operations)

    @property
    def lines(self) -> list[str]:
        """The lines of its :attr:`source`."""
        return self.source.splitlines()

    def _read_source(self) -> str:
        """The text of the file that the folder has for it."""
        holder = self._holder
        if self.place is None or holder.game.content is None:
            return ""
        path: str = load(f"{_EDITING}:path_of")(holder, self._kind, self.place)
        stem = path.removesuffix(".json")
        text: str = load(f"{_EDITING}:plain_text")(holder, f"{stem}.ads")
        return text

    @property
    def function(self) -> str:
        """The function of the compiled script that runs it."""
        return f"_run_dialog{self.number}"

    @property
    def steps(self) -> list[Step]:
        """The steps of its part of the compiled script."""
        return steps_of(self._holder.game).get(self.number, [])


def steps_of(game: Game) -> dict[int, list[Step]]:
    """The steps of the compiled script of all dialogs, by the number of the dialog."""
    script = None if game.content is None else game.content.dialog_script
    return {} if script is None else dialog_steps(script)


# -- audio clips, fonts --------------------------------------------------------------------------


class AudioClip(GameResource):
    """An audio clip.

    It has no ``group``, and is never ``streamed``.
    """

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
        """Its name in scripts."""
        return self._holder.shown(getattr(self.record, "script_name", ""))

    @name.setter
    def name(self, new: str) -> None:
        self.edit(ScriptName=new)

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
        """A note that its file is missing, if it is."""
        return () if self.bytes is not None else ("Its file is not next to the game data.",)


class Font(GameResource):
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


class Scripts(AgsResources[Script]):
    """The compiled scripts, by name, also without its ending: ``scripts["GlobalScript"]``."""

    def _named(self, name: str) -> Script | None:
        stem = name.partition(".")[0].lstrip("_")
        by_stem = (it for it in self if it.name.partition(".")[0].lstrip("_") == stem)
        return super()._named(name) or next(by_stem, None) or self._by_role(stem)

    def _by_role(self, stem: str) -> Script | None:
        """The script that the folder calls so."""
        roles = [role for role, _ in cast("GameHolder", self._holder).game.scripts()]
        return self._make(roles.index(stem)) if stem in roles else None


def scripts(holder: GameHolder) -> Scripts:
    """The compiled scripts, in the order of the file."""
    known = holder.game.scripts()
    return Scripts(
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
