"""GUIs as pictures: the window, and its controls as they are at first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from overhaul.ags.drawing.art import Art, colour_of, put
from overhaul.ags.drawing.texts import TextFont, read_font, wrapped
from overhaul.ags.game import uniform
from overhaul.ags.game.extensions import ControlLooksBlock
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import (
    Button,
    Control,
    Gui,
    GuiSection,
    InventoryWindow,
    Label,
    ListBox,
    Slider,
    TextBox,
)
from overhaul.schema.record import short_repr

#: The lists of controls by the type in a reference, and what people call them.
LISTS: Final = {
    1: ("buttons", "button"),
    2: ("labels", "label"),
    3: ("inventory_windows", "inventory window"),
    4: ("sliders", "slider"),
    5: ("text_boxes", "text box"),
    6: ("list_boxes", "list box"),
}
#: From this GUI version on flags are not inverted, and alignments have one bit each.
_NEW: Final = 119
_VISIBLE: Final = 16
_DEFAULT: Final = 1
_TEXT_WINDOW: Final = 2
_OLD_TEXT_WINDOW: Final = 5
#: Before: the places of a button's text as (across, down), 0 to 2; of a label's across.
_OLD_PLACES: Final = (
    (1, 0), (0, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2),
)  # fmt: skip
_OLD_ACROSS: Final = (0, 2, 1)
#: Texts of buttons with a picture that are not written on it.
_UNWRITTEN: Final = ("New Button", "(INV)", "(INVNS)", "(INVSHR)")
#: A flag of fonts, and the part of the flags before data version 50 that is the size.
_NOMINAL: Final = 4
_SIZE: Final = 63
_USUAL: Final = 8
_LARGEST: Final = 1 << 12
_LOOKS: Final = "v363_guictrls2"


@dataclass(frozen=True, slots=True)
class DrawnControl:
    """A control of a GUI: its rectangle (left, top, width, height) in pixels of the window.

    ``index`` is its place in the list of its kind, ``place`` that in the list of its GUI,
    ``visible`` whether it is so at first.
    """

    kind: str
    index: int
    place: int
    name: str
    text: str
    box: tuple[int, int, int, int]
    visible: bool


@dataclass(slots=True)
class GuiPicture:
    """A GUI as a picture in mode RGBA, its controls from the back to the front.

    ``not_drawn`` says what is missing, a sentence each.
    """

    image: Image.Image
    controls: list[DrawnControl]
    not_drawn: list[str] = field(default_factory=list)

    __repr__ = short_repr


def gui_controls(gui: Gui, section: GuiSection) -> list[tuple[str, int, int, Control]]:
    """(kind, place in the list of its kind, place in that of the GUI, control) of each control of a
    GUI, from the back to the front."""
    controls: list[tuple[str, int, int, Control]] = []
    for place, reference in enumerate(gui.control_references[: max(0, gui.control_count)]):
        name, kind = LISTS.get(reference >> 16 & 0xFFFF, ("", ""))
        every: Sequence[Control] = getattr(section, name) if name else ()
        index = reference & 0xFFFF
        if index < len(every):
            controls.append((kind, index, place, every[index]))
    return sorted(controls, key=lambda each: each[3].z_order)


def gui_image(
    game: Game, number: int, art: Art, shown: Callable[[str], str] = str, encoding: str = "utf-8"
) -> GuiPicture:
    """A GUI of a game as a picture; ``shown`` and ``encoding`` are those of the document's texts.

    Pictures come from ``art``.  Raises IndexError for a GUI that is not there.
    """
    version, section = uniform.guis(game)
    if not 0 <= number < len(section.guis):
        raise IndexError(f"the game has {len(section.guis)} GUIs, got {number}")
    return _Drawing(game, version, section, art, shown, encoding).draw(section.guis[number])


class _Drawing:
    def __init__(
        self,
        game: Game,
        version: int,
        section: GuiSection,
        art: Art,
        shown: Callable[[str], str],
        encoding: str,
    ) -> None:
        self.game, self.version, self.section, self.art = game, version, section, art
        self.shown, self.encoding = shown, encoding
        self.fonts: dict[int, TextFont] = {}
        self.missing: dict[str, None] = {}
        self.image = Image.new("RGBA", (1, 1))
        self.pen = ImageDraw.Draw(self.image)
        forms = game.blocks.find(_LOOKS, ControlLooksBlock)
        self.button_forms = [] if forms is None else forms.buttons

    def draw(self, gui: Gui) -> GuiPicture:
        """The window, then its controls."""
        width, height = (max(1, min(side, _LARGEST)) for side in (gui.width, gui.height))
        if max(gui.width, gui.height) > _LARGEST:
            self.missing[f"what lies beyond {_LARGEST} pixels"] = None
        self.image = Image.new("RGBA", (width, height))
        self.pen = ImageDraw.Draw(self.image)
        back, border = gui.background_colour, gui.foreground_colour
        if back:
            self.pen.rectangle((0, 0, width, height), fill=self.colour(back))
        if border != back:
            # A border of colour 0 would not be seen on a background.
            self.frame((0, 0, width, height), 16 if back and not border else border)
        if gui.background_picture > 0:
            self.picture(gui.background_picture, (0, 0))
        old = self.version < _NEW
        if gui.tag[:1] == bytes([_OLD_TEXT_WINDOW]) if old else gui.flags & _TEXT_WINDOW:
            self.missing["the pictures of a text window's border"] = None
        if gui.transparency:
            self.missing["its transparency"] = None
        controls = []
        for kind, index, place, control in gui_controls(gui, self.section):
            visible = bool((control.flags ^ (_VISIBLE if old else 0)) & _VISIBLE)
            box = control.x, control.y, max(0, control.width), max(0, control.height)
            text = self.shown(str(getattr(control, "text", "")))
            name = self.shown(str(control.name))
            controls.append(DrawnControl(kind, index, place, name, text, box, visible))
            if visible:
                self.control(control, index, text, box)
            else:
                self.missing["controls that are hidden at first"] = None
        return GuiPicture(self.image, controls, list(self.missing))

    def control(
        self, control: Control, index: int, text: str, box: tuple[int, int, int, int]
    ) -> None:
        """A control on the window."""
        if isinstance(control, Button):
            self.button(control, index, text, box)
        elif isinstance(control, Label):
            self.lines(wrapped(self.font(control.font), text, box[2]), control, box)
        elif isinstance(control, InventoryWindow):
            self.frame(box, 8)
            self.missing["the items of an inventory window"] = None
        elif isinstance(control, Slider):
            self.slider(control, box)
        elif isinstance(control, TextBox):
            self.bordered(control, box)
            left, top, width, height = box
            self.lines([text], control, (left + 2, top + 2, width - 4, height - 4))
        elif isinstance(control, ListBox):
            self.bordered(control, box)
            items = [self.shown(str(item)) for item in control.items]
            self.lines(items, control, (box[0] + 2, box[1] + 2, box[2] - 4, box[3] - 4))

    # -- kinds of controls -------------------------------------------------------------------

    def button(self, button: Button, index: int, text: str, box: tuple[int, int, int, int]) -> None:
        left, top, width, height = box
        if button.picture > 0:
            self.picture(button.picture, (left, top))
            if text in _UNWRITTEN:
                if text != _UNWRITTEN[0]:
                    self.missing["the item on a button of the inventory"] = None
                return
        else:
            self.plain_button(index, box, default=bool(button.flags & _DEFAULT))
        across, down = self.place(button.alignment)
        self.write([text], self.font(button.font), button.text_colour,
                   (left + 2, top + 2, width - 4, height - 4), across, down)  # fmt: skip

    def plain_button(self, index: int, box: tuple[int, int, int, int], *, default: bool) -> None:
        left, top, width, height = box
        if not (width and height):
            return
        right, bottom = left + width - 1, top + height - 1
        back, light, dark = 7, 15, 8
        if index < len(self.button_forms):
            look = self.button_forms[index]
            back, light, dark = look.background_colour, look.border_colour, look.border_shade
        self.pen.rectangle((left, top, right, bottom), fill=self.colour(back))
        if default:
            self.frame((left - 1, top - 1, width + 2, height + 2), 16)
        self.pen.line((left, bottom, right, bottom), fill=self.colour(dark))
        self.pen.line((right, top, right, bottom), fill=self.colour(dark))
        self.pen.line((left, top, right, top), fill=self.colour(light))
        self.pen.line((left, top, left, bottom), fill=self.colour(light))

    def slider(self, slider: Slider, box: tuple[int, int, int, int]) -> None:
        """Its bar and its handle, at its value."""
        left, top, width, height = box
        along = width > height
        length, thick = (width, height) if along else (height, width)
        span = max(1, slider.maximum - slider.minimum)
        part = min(max(slider.value - slider.minimum, 0), span) / span
        third = thick // 3
        at = 2 + round(part * max(0, length - 8))
        if slider.background_picture > 0 or slider.handle_picture > 0:
            self.missing["the pictures of a slider"] = None
        bar = (1, third, length - 2, third + 2) if along else (third, 1, third + 2, length - 2)
        at = at if along else max(0, length - at - 5)
        handle = (at, 1, 4, thick - 2) if along else (1, at, thick - 2, 4)
        for (x, y, wide, high), inside in ((bar, 16), (handle, 7)):
            place = (left + x, top + y, wide, high)
            if min(wide, high) > 0:
                edge = (place[0], place[1], place[0] + wide - 1, place[1] + high - 1)
                self.pen.rectangle(edge, fill=self.colour(inside))
                self.frame(place, 8)

    def bordered(self, control: TextBox | ListBox, box: tuple[int, int, int, int]) -> None:
        old = self.version < _NEW
        if (control.box_flags ^ (1 if old else 0)) & 1:
            self.frame(box, control.text_colour or 16)

    # -- what they are made of ---------------------------------------------------------------

    def lines(
        self,
        lines: list[str],
        control: Label | TextBox | ListBox,
        box: tuple[int, int, int, int],
    ) -> None:
        alignment = getattr(control, "alignment", 0)
        if self.version < _NEW:
            across = _OLD_ACROSS[alignment] if 0 <= alignment < len(_OLD_ACROSS) else 0
        else:
            across = self.place(alignment)[0]
        self.write(lines, self.font(control.font), control.text_colour or 16, box, across, 0)

    def place(self, alignment: int) -> tuple[int, int]:
        """Where a text stands: (across, down), each 0, 1 or 2 for begin, middle, end."""
        if self.version < _NEW:
            return _OLD_PLACES[alignment] if 0 <= alignment < len(_OLD_PLACES) else (1, 0)
        bit = max(0, min(alignment.bit_length() - 1, 8))
        return bit % 3, bit // 3

    def write(
        self,
        lines: list[str],
        font: TextFont,
        colour: int,
        box: tuple[int, int, int, int],
        across: int,
        down: int,
    ) -> None:
        left, top, width, height = box
        y = top + (height - font.height * len(lines)) * down // 2
        ink = Image.new("RGBA", (1, 1), (*self.colour(colour or 16), 255))
        for line in lines:
            if y >= top + height and y > top:
                break
            mask = font.line(line)
            if mask.any():
                letters = Image.fromarray(mask.astype(np.uint8) * 255)
                x = left + (width - letters.width) * across // 2
                self.image.paste(ink.resize(letters.size), (x, y), letters)
            y += font.height

    def font(self, number: int) -> TextFont:
        if number not in self.fonts:
            made = game_font(self.game, number, self.art, self.encoding)
            self.fonts[number] = made
            if not made.own:
                self.missing[f"the letters of font {number}, which is not next to the file"] = None
        return self.fonts[number]

    def picture(self, slot: int, place: tuple[int, int]) -> None:
        sprite = self.art.sprite(slot)
        if sprite is None:
            self.missing[f"sprite {slot}"] = None
            return
        put(self.image, sprite, *place)

    def frame(self, box: tuple[int, int, int, int], colour: int) -> None:
        left, top, width, height = box
        if width > 0 and height > 0:
            edge = (left, top, left + width - 1, top + height - 1)
            self.pen.rectangle(edge, outline=self.colour(colour))

    def colour(self, number: int) -> tuple[int, int, int]:
        return colour_of(self.game, number, self.art.palette)


def game_font(game: Game, number: int, art: Art, encoding: str) -> TextFont:
    """A font of a game, of its size; a plain font where its file is not next to."""
    nominal = game.content is not None and any(
        font.flags & _NOMINAL for font in game.content.fonts[number : number + 1]
    )
    return read_font(art.font_file(number), font_size(game, number), encoding, nominal=nominal)


def font_size(game: Game, number: int) -> int:
    """The size of a font, in pixels; 8 where the game does not say."""
    content = game.content
    if content is None:
        return _USUAL
    if number < len(content.fonts):
        return content.fonts[number].size or _USUAL
    flags = content.font_flags[number] if number < len(content.font_flags) else 0
    return flags & _SIZE or _USUAL
