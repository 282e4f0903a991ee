"""GUIs, texts, views and colours as pictures: exact pixels of made games."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

import ags_games
from ags_rooms import RED, Siblings, bgra, sprites
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import GAME
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.drawing.art import STANDARD, Art, canvas_of, colour_of, frame_image, put
from overhaul.ags.drawing.guis import font_size, gui_image
from overhaul.ags.drawing.texts import plain_font, read_font, text_image, wrapped
from overhaul.ags.game.extensions import ButtonLook, ControlLooksBlock
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import (
    Button,
    Control,
    Gui,
    InventoryWindow,
    Label,
    ListBox,
    Slider,
    TextBox,
)
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import Font, Frame, Loop
from overhaul.ags.pictures import GREYS, Pixels
from overhaul.errors import FormatError
from typefaces import typeface

CLEAR = (0, 0, 0, 0)
VISIBLE = 16 | 4


def rows(image: Image.Image) -> list[list[tuple[int, ...]]]:
    return [[tuple(pixel) for pixel in row] for row in np.asarray(image).tolist()]


def standard(number: int) -> tuple[int, ...]:
    colour = STANDARD[number]
    return colour >> 16, colour >> 8 & 255, colour & 255, 255


BLACK, GREY, LIGHT, DARK = standard(16), standard(7), standard(15), standard(8)


def wfn(**glyphs: str) -> bytes:
    """A WFN font: rows of a glyph by its letter, such as ``A="#.,##"``."""
    data, offsets = bytearray(b"WGT Font File  \0\0"), [0] * 128
    for letter, drawn in glyphs.items():
        lines = drawn.split(",")
        offsets[ord(letter)] = len(data)
        data += struct.pack("<HH", len(lines[0]), len(lines))
        for line in lines:
            bits = "".join("1" if dot == "#" else "0" for dot in line)
            size = (len(bits) + 7) // 8
            data += int(bits.ljust(8 * size, "0"), 2).to_bytes(size, "big")
    data[15:17] = struct.pack("<H", len(data))
    return bytes(data) + struct.pack("<128H", *offsets)


LETTERS = wfn(A="#.#,###", B="##,#.")


def game(gui: Gui, *controls: Control, version: int = 119, data: int = 50) -> Game:
    content = GameContent(gui_version=version)
    content.settings.colour_depth = 4
    kinds: dict[type[Control], tuple[int, list[Control]]] = {
        Button: (1, []), Label: (2, []), InventoryWindow: (3, []), Slider: (4, []),
        TextBox: (5, []), ListBox: (6, []),
    }  # fmt: skip
    for control in controls:
        number, every = kinds[type(control)]
        gui.control_references.append(number << 16 | len(every))
        every.append(control)
    gui.control_count = len(controls)
    section = content.gui
    section.guis = [gui]
    section.buttons, section.labels = kinds[Button][1], kinds[Label][1]  # type: ignore[assignment]
    section.inventory_windows = kinds[InventoryWindow][1]  # type: ignore[assignment]
    section.sliders, section.text_boxes = kinds[Slider][1], kinds[TextBox][1]  # type: ignore[assignment]
    section.list_boxes = kinds[ListBox][1]  # type: ignore[assignment]
    return Game(version=data, content=content, blocks=DecodedBlocks(GAME, data))


def window(width: int = 4, height: int = 3, **fields: int) -> Gui:
    return Gui(width=width, height=height, **fields)  # type: ignore[arg-type]


def art(*pictures: Pixels | None) -> Art:
    return Art(Siblings(acsprset_spr=sprites(*pictures), agsfnt0_wfn=LETTERS))


def draw(made: Game, siblings: Art | None = None) -> list[list[tuple[int, ...]]]:
    return rows(gui_image(made, 0, siblings or art()).image)


# ---------------------------------------------------------------------------------------- windows


def test_a_window_has_a_background_and_a_border() -> None:
    edge, inside = standard(2), standard(7)
    assert draw(game(window(background_colour=7, foreground_colour=2))) == [
        [edge] * 4,
        [edge, inside, inside, edge],
        [edge] * 4,
    ]
    assert draw(game(window(2, 1))) == [[CLEAR, CLEAR]]
    assert draw(game(window(2, 1, background_colour=7, foreground_colour=7))) == [[GREY, GREY]]
    # a border of colour 0 would not be seen on a background
    assert draw(game(window(1, 1, background_colour=7))) == [[BLACK]]
    assert draw(game(window(1, 1, foreground_colour=2))) == [[edge]]


def test_a_window_has_its_picture_on_it() -> None:
    picture = Pixels(2, 1, 4, bgra((*RED, 0), (255, 0, 255, 0)))
    made = game(window(3, 1, background_colour=7, foreground_colour=7, background_picture=1))
    assert draw(made, art(None, picture)) == [[(*RED, 255), GREY, GREY]]
    shown = gui_image(made, 0, art())
    assert shown.not_drawn == ["sprite 1"]
    assert rows(shown.image) == [[GREY] * 3]


@pytest.mark.parametrize(
    ("fields", "version", "missing"),
    [
        ({"flags": 2}, 119, ["the pictures of a text window's border"]),
        ({"flags": 2}, 118, []),
        ({"flags": 1}, 119, []),
        ({"tag": b"\5\0\0\0"}, 118, ["the pictures of a text window's border"]),
        ({"tag": b"\5\0\0\0"}, 119, []),
        ({"transparency": 50}, 119, ["its transparency"]),
    ],
)
def test_what_is_not_drawn_is_reported(
    fields: dict[str, int], version: int, missing: list[str]
) -> None:
    assert gui_image(game(window(**fields), version=version), 0, art()).not_drawn == missing


def test_sizes_that_are_no_sizes() -> None:
    assert gui_image(game(window(-5, 0)), 0, art()).image.size == (1, 1)
    large = gui_image(game(window(1 << 30, 1)), 0, art())
    assert (large.image.size, large.not_drawn) == ((4096, 1), ["what lies beyond 4096 pixels"])
    with pytest.raises(IndexError, match="the game has 1 GUIs, got 1"):
        gui_image(game(window()), 1, art())
    with pytest.raises(IndexError):
        gui_image(game(window()), -1, art())


# --------------------------------------------------------------------------------------- controls


def test_a_button_without_a_picture_is_raised() -> None:
    button = Button(flags=VISIBLE, x=1, y=0, width=3, height=3, text="")
    assert draw(game(window(5, 3), button)) == [
        [CLEAR, LIGHT, LIGHT, LIGHT, CLEAR],
        [CLEAR, LIGHT, GREY, DARK, CLEAR],
        [CLEAR, LIGHT, DARK, DARK, CLEAR],
    ]


def test_the_button_of_the_return_key_has_a_frame() -> None:
    button = Button(flags=VISIBLE | 1, x=1, y=1, width=2, height=2, text="")
    shown = draw(game(window(4, 4), button))
    assert shown[0] == shown[3] == [BLACK] * 4
    assert [row[0] for row in shown] == [row[3] for row in shown] == [BLACK] * 4


def test_a_button_of_later_games_has_colours_of_its_own() -> None:
    made = game(window(3, 3), Button(flags=VISIBLE, width=3, height=3, text=""))
    look = ButtonLook(background_colour=1, border_colour=2, border_shade=3)
    made.blocks.add("v363_guictrls2", ControlLooksBlock([look]))
    shown = draw(made)
    assert shown[1] == [standard(2), standard(1), standard(3)]
    assert shown[2] == [standard(2), standard(3), standard(3)]


def test_a_button_with_a_picture_and_its_text() -> None:
    picture = Pixels(1, 1, 4, bgra((*RED, 0)))
    siblings = art(None, picture)
    unnamed = Button(flags=VISIBLE, width=9, height=9, picture=1, text="New Button")
    shown = draw(game(window(2, 1), unnamed), siblings)
    assert shown == [[(*RED, 255), CLEAR]]
    item = Button(flags=VISIBLE, width=9, height=9, picture=1, text="(INV)")
    assert gui_image(game(window(), item), 0, siblings).not_drawn == [
        "the item on a button of the inventory"
    ]
    named = Button(flags=VISIBLE, width=7, height=6, picture=1, text="A", alignment=16)
    shown = draw(game(window(7, 6), named), siblings)
    assert [x for x in range(7) if shown[2][x] == BLACK] == [2, 4]
    assert [x for x in range(7) if shown[3][x] == BLACK] == [2, 3, 4]


TOP, MIDDLE, END = 2, 5, 8


@pytest.mark.parametrize(
    ("version", "alignment", "left", "top"),
    [
        (119, 1, 2, TOP), (119, 2, 4, TOP), (119, 4, 7, TOP),
        (119, 8, 2, MIDDLE), (119, 16, 4, MIDDLE), (119, 32, 7, MIDDLE),
        (119, 64, 2, END), (119, 128, 4, END), (119, 256, 7, END),
        (118, 1, 2, TOP), (118, 0, 4, TOP), (118, 2, 7, TOP),
        (118, 3, 2, MIDDLE), (118, 4, 4, MIDDLE), (118, 5, 7, MIDDLE),
        (118, 6, 2, END), (118, 7, 4, END), (118, 8, 7, END),
        (119, 0, 2, TOP), (118, 9, 4, TOP), (118, -1, 4, TOP), (119, 1 << 20, 7, END),
    ],
)  # fmt: skip
def test_where_a_text_stands_on_a_button(version: int, alignment: int, left: int, top: int) -> None:
    flags = VISIBLE if version == 119 else 0
    button = Button(flags=flags, width=12, height=12, text="A", text_colour=1, alignment=alignment)
    shown = draw(game(window(12, 12), button, version=version))
    ink = standard(1)
    found = [(x, y) for y in range(12) for x in range(12) if shown[y][x] == ink]
    assert found == [(left, top), (left + 2, top), *((left + x, top + 1) for x in range(3))]


@pytest.mark.parametrize(
    ("version", "alignment", "left"),
    [(119, 1, 0), (119, 2, 2), (119, 4, 5), (118, 0, 0), (118, 2, 2), (118, 1, 5), (118, 7, 0)],
)
def test_a_label_is_wrapped_and_aligned(version: int, alignment: int, left: int) -> None:
    flags = VISIBLE if version == 119 else 0
    label = Label(flags=flags, width=8, height=9, text="AA A[B", alignment=alignment)
    shown = draw(game(window(8, 9), label, version=version))
    lines = [[x for x in range(8) if row[x] == BLACK] for row in shown]
    both, other = {0: (0, 0), 2: (1, 3), 5: (2, 6)}[left]  # AA is wider, B is narrower
    assert lines[0] == [both, both + 2, both + 3, both + 5]
    assert lines[2] == [left, left + 2] and lines[3] == [left, left + 1, left + 2]
    assert lines[4] == [other, other + 1] and lines[5] == [other]


def test_boxes_have_borders_by_their_flags() -> None:
    box = TextBox(flags=VISIBLE, width=7, height=6, text="A", text_colour=2, box_flags=1)
    shown = draw(game(window(7, 6), box))
    edge = standard(2)
    assert shown[0] == shown[5] == [edge] * 7
    assert shown[2] == [edge, CLEAR, edge, CLEAR, edge, CLEAR, edge]
    box.box_flags = 0
    assert draw(game(window(7, 6), box))[0] == [CLEAR] * 7
    box.flags = 0
    assert draw(game(window(7, 6), box, version=118))[0] == [edge] * 7
    items = ListBox(
        flags=VISIBLE, width=9, height=8, box_flags=0, items=["A", "B"], alignment=1, text_colour=0
    )
    shown = draw(game(window(9, 8), items))
    assert [x for x in range(9) if shown[3][x] == BLACK] == [2, 3, 4]
    assert [x for x in range(9) if shown[4][x] == BLACK] == [2, 3]


def test_a_slider_stands_at_its_value() -> None:
    def places(value: int, width: int = 20, height: int = 6) -> list[int]:
        slider = Slider(
            flags=VISIBLE, width=width, height=height, minimum=0, maximum=10, value=value
        )
        shown = draw(game(window(width, height), slider))
        line = shown[2] if width > height else [row[2] for row in shown]
        return [at for at, colour in enumerate(line) if colour == GREY]

    assert places(0) == [3, 4] and places(10) == [15, 16] and places(5) == [9, 10]
    assert places(-5) == places(0) and places(99) == places(10)
    assert places(0, 6, 20) == [14, 15] and places(10, 6, 20) == [2, 3]
    pictured = Slider(flags=VISIBLE, width=20, height=6, handle_picture=1)
    assert gui_image(game(window(), pictured), 0, art()).not_drawn == ["the pictures of a slider"]


def test_an_inventory_window_is_a_frame_and_hidden_controls_are_reported() -> None:
    shown = gui_image(
        game(
            window(4, 3),
            InventoryWindow(flags=VISIBLE, width=4, height=3, name="inv"),
            Label(flags=4, x=1, y=1, width=2, height=1, name="lab", text="A"),
        ),
        0,
        art(),
    )
    assert shown.not_drawn == [
        "the items of an inventory window",
        "controls that are hidden at first",
    ]
    assert rows(shown.image) == [[DARK] * 4, [DARK, CLEAR, CLEAR, DARK], [DARK] * 4]
    one, two = shown.controls
    assert (one.kind, one.index, one.name, one.visible) == ("inventory window", 0, "inv", True)
    assert (two.kind, two.text, two.box, two.visible) == ("label", "A", (1, 1, 2, 1), False)


def test_controls_are_drawn_from_the_back_to_the_front() -> None:
    below = TextBox(flags=VISIBLE, width=2, height=1, text_colour=1, box_flags=1, z_order=1)
    above = TextBox(flags=VISIBLE, width=1, height=1, text_colour=2, box_flags=1, z_order=5)
    assert draw(game(window(2, 1), above, below)) == [[standard(2), standard(1)]]
    above.z_order = 0
    assert draw(game(window(2, 1), above, below)) == [[standard(1), standard(1)]]


def test_references_to_nothing_are_left_out() -> None:
    made = game(window(), Label(flags=VISIBLE, text=""))
    gui = made.content.gui.guis[0]  # type: ignore[union-attr]
    gui.control_references += [9 << 16, 2 << 16 | 7, 1 << 16]
    gui.control_count = 4
    assert len(gui_image(made, 0, art()).controls) == 1
    gui.control_count = 0
    assert gui_image(made, 0, art()).controls == []


def test_texts_without_their_font_are_reported() -> None:
    label = Label(flags=VISIBLE, width=30, height=12, text="A", font=3)
    shown = gui_image(game(window(30, 12), label), 0, art())
    assert shown.not_drawn == ["the letters of font 3, which is not next to the file"]
    assert BLACK in [pixel for row in rows(shown.image) for pixel in row]


def test_a_document_draws_with_what_is_beside_it() -> None:
    made = ags_games.game()
    assert made.content is not None
    for each in (*made.content.gui.labels, *made.content.gui.buttons):
        each.flags = VISIBLE
    data = made.to_bytes()
    siblings = Siblings(agsfnt0_wfn=LETTERS, agsfnt1_wfn=LETTERS, acsprset_spr=sprites())
    document = GameDocument.from_bytes(data, siblings=siblings)
    assert document.gui_image(0).not_drawn == []
    assert [control.name for control in document.gui_image(0).controls] == ["lScore", "bSave"]
    alone = GameDocument.from_bytes(data)
    assert [each.split(",")[0] for each in alone.gui_image(0).not_drawn] == [
        "the letters of font 1",
        "the letters of font 0",
    ]


# ---------------------------------------------------------------------------------------- colours


def test_colours_by_the_depth_of_the_game() -> None:
    made = game(window())
    assert colour_of(made, 4, GREYS) == (0xA0, 0, 0)
    assert colour_of(made, 31, GREYS) == (0xF0, 0xF0, 0xF0)
    assert colour_of(made, 32, GREYS) == (0, 4, 0)
    assert colour_of(made, 0xFFFF, GREYS) == (255, 255, 255)
    assert colour_of(made, 0xF81F, GREYS) == (255, 0, 255)
    assert colour_of(made, -1, GREYS) == (255, 255, 255)
    made.content.settings.colour_depth = 1  # type: ignore[union-attr]
    assert colour_of(made, 4, GREYS) == (4, 4, 4)
    assert colour_of(made, 260, GREYS) == (4, 4, 4)
    made.version = 4000027
    assert colour_of(made, -11250604, GREYS) == (84, 84, 84)
    assert colour_of(made, 0x010203, GREYS) == (1, 2, 3)
    before = Game(version=12, old=OldGameContent(colour_depth=1))
    assert colour_of(before, 9, GREYS) == (9, 9, 9)
    assert colour_of(Game(version=12, old=OldGameContent(colour_depth=2)), 4, GREYS)[0] == 0xA0


# ------------------------------------------------------------------------------------------ texts


def ink(image: Image.Image) -> list[str]:
    return ["".join("#" if pixel[3] else "." for pixel in row) for row in rows(image)]


def test_a_text_in_a_bitmap_font() -> None:
    font = read_font(LETTERS, 99, "utf-8")
    assert font.own and font.height == 2
    assert font.width("AB") == 5 and font.width("") == 0
    assert ink(text_image(font, "AB?")) == ["#.###", "####.", "....."]
    assert ink(text_image(font, "A[B")) == ["#.#", "###", "##.", "#..", "..."]
    assert rows(text_image(font, "A"))[0][0] == (0, 0, 0, 255)


def test_letters_of_a_bitmap_font_are_in_the_encoding_of_the_game() -> None:
    data = bytearray(wfn(A="#"))
    codes = struct.unpack("<128H", data[-256:])
    data[-256:] = struct.pack("<256H", *codes, *[codes[65]] * 128)
    cyrillic = read_font(bytes(data), 8, "cp1251")
    assert cyrillic.width("Ж") == 1
    assert read_font(bytes(data), 8, "utf-8").width("Ж") == 0
    assert read_font(bytes(data), 8, "utf-8").width("é") == 1
    assert read_font(bytes(data), 8, "cp1251").width("漢") == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:16],
        lambda data: data[:17],
        lambda data: data[:15] + b"\xff\xff" + data[17:],
        lambda data: data[:17] + b"\xff\xff\xff\xff" + data[21:],
        lambda data: data[:-256] + b"\xff" * 256,
        lambda data: b"WGT Font File  ",
        lambda data: b"no font",
        lambda data: b"",
    ],
)
def test_damaged_fonts_are_drawn_with_what_is_left(damage: Callable[[bytes], bytes]) -> None:
    font = read_font(damage(LETTERS), 8, "utf-8")
    assert text_image(font, "A[B C").width >= 1
    assert font.height >= 1


def test_a_plain_font_for_those_that_are_not_there() -> None:
    assert not read_font(None, 8, "utf-8").own
    assert not plain_font().own
    assert any("#" in line for line in ink(text_image(plain_font(), "A")))


def test_a_plain_font_draws_letters_that_it_has_not() -> None:
    """Without their accents, or as a box as wide as any letter."""
    font = plain_font()
    assert ink(text_image(font, "\u011b")) == ink(text_image(font, "e"))
    assert ink(text_image(font, "\xe9")) != ink(text_image(font, "e"))
    for letter in "\u0416\u4e2d\ud83d\udce9\U0001f600":
        assert font.line(f"a{letter}b").shape == font.line("abc").shape
        box = font.line(letter)
        assert box[2, :5].all() and box[8, :5].all() and box[2:9, 0].all() and box[2:9, 4].all()
        assert not box[3:8, 1:4].any() and not box[:, 5].any() and not box[9:].any()
    assert font.line("\u0416a")[:, 6:].tolist() == font.line("a").tolist()


def test_a_gui_with_other_letters_and_no_font_file() -> None:
    label = Label(flags=VISIBLE, width=60, height=12, text="\u0416\u0443\u043a", font=3)
    shown = gui_image(game(window(60, 12), label), 0, art())
    assert shown.not_drawn == ["the letters of font 3, which is not next to the file"]
    assert BLACK in [pixel for row in rows(shown.image) for pixel in row]


def test_the_size_of_a_truetype_font_is_all_of_its_height() -> None:
    data = typeface("AH", ascent=1200, descent=300)
    small, nominal = read_font(data, 20, "utf-8"), read_font(data, 20, "utf-8", nominal=True)
    assert small.own and (small.height, nominal.height) == (20, 30)
    assert nominal.width("AH") > small.width("AH") > 0
    assert "#" in "".join(ink(text_image(small, "AH")))
    assert read_font(data, 0, "utf-8").height >= 1
    assert read_font(data, 1 << 20, "utf-8").height <= 1024


def test_sizes_of_fonts() -> None:
    made = game(window())
    content = made.content
    assert content is not None
    content.fonts = [Font(size=12), Font()]
    assert [font_size(made, number) for number in range(3)] == [12, 8, 8]
    content.fonts, content.font_flags = [], [64 | 10, 0]
    assert [font_size(made, number) for number in range(3)] == [10, 8, 8]
    assert font_size(Game(version=12, old=OldGameContent()), 0) == 8


def test_lines_are_wrapped_at_words() -> None:
    font = read_font(LETTERS, 8, "utf-8")
    assert wrapped(font, "A A AA", 6) == ["A A", "AA"]
    assert wrapped(font, "AAAA A", 3) == ["AAAA", "A"]
    assert wrapped(font, "A[[B", 9) == ["A", "", "B"]
    assert wrapped(font, "A\\[B\nB", 99) == ["A[B", "B"]
    assert wrapped(font, "", 9) == [""]


# ------------------------------------------------------------------------------------------ views


def test_frames_stand_in_the_middle_of_the_lowest_row() -> None:
    wide = Pixels(3, 1, 4, bgra((*RED, 0), (1, 2, 3, 0), (255, 0, 255, 0)))
    high = Pixels(1, 2, 4, bgra(RED, RED))
    siblings = art(None, wide, high)
    loop = Loop(
        0, [Frame(picture=1), Frame(picture=2), Frame(picture=1, flags=1), Frame(picture=9)]
    )
    canvas = canvas_of(loop, siblings)
    assert canvas == (3, 2)
    red, other = (*RED, 255), (1, 2, 3, 255)
    shown = [frame_image(frame, canvas, siblings) for frame in loop.frames]
    assert [rows(each) for each in shown if each is not None] == [
        [[CLEAR] * 3, [red, other, CLEAR]],
        [[CLEAR, red, CLEAR]] * 2,
        [[CLEAR] * 3, [CLEAR, other, red]],
    ]
    assert shown[3] is None
    assert canvas_of(Loop(0, []), siblings) == (1, 1) == canvas_of(Loop(0, [Frame()]), Art(None))


def test_a_canvas_of_too_many_pixels_is_refused() -> None:
    with pytest.raises(FormatError, match="exceeds the limit"):
        frame_image(Frame(), (32767, 32767), Art(None))


@pytest.mark.parametrize(
    ("left", "top", "shown"),
    [
        (0, 0, "ab. cd. ..."),
        (2, 2, "... ... ..a"),
        (-1, -1, "d.. ... ..."),
        (3, 0, "... ... ..."),
        (0, -2, "... ... ..."),
        (1, -1, ".cd ... ..."),
    ],
)
def test_a_sprite_is_put_as_far_as_it_lies_in_the_image(left: int, top: int, shown: str) -> None:
    image, sprite = Image.new("RGBA", (3, 3)), Image.new("RGBA", (2, 2))
    sprite.putdata([(red, 0, 0, 255) for red in range(1, 5)])
    put(image, sprite, left, top)
    assert " ".join("".join(".abcd"[pixel[0]] for pixel in row) for row in rows(image)) == shown
