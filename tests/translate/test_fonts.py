"""Which fonts draw a translation, what they lack, and what is drawn into them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polib
import pytest
from PIL import Image

from drawn_games import add_object, drawn_game
from overhaul import translate
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data.chunks.room import TextInstance
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.resources.sprite_fonts import as_font
from overhaul.gml.syntax.parser import parse
from overhaul.translate.gamemaker.faces import shown_text
from overhaul.translate.gamemaker.looks import Look, Looks
from typefaces import typeface

FONTS = {"fnt_a": "AgHV ", "fnt_b": "Hg "}
STEP = "gml_Object_obj_a_Step_0"


def made(source: str, version: str = "2024.14", **events: str) -> GameData:
    """A game with two fonts and an object with this code."""
    game = drawn_game(version)
    for name, characters in FONTS.items():
        game.fonts.add(name, ttf=typeface(), size=15, chars=characters)
    for name, width in (("spr_font", 3), ("spr_other", 4)):
        frames = [Image.new("RGBA", (width, 6), "white") for _ in range(3)]
        game.sprites.add(name, frames=frames)
    add_object(game, "obj_a", None)
    game.add_event("obj_a", "Step_0", source)
    for event, code in events.items():
        game.add_event("obj_a", event, code)
    return GameData.from_bytes(game.to_bytes())


def po(**texts: str) -> polib.POFile:
    made = polib.POFile()
    made.extend(polib.POEntry(msgid=text, msgstr=new) for text, new in texts.items())
    return made


def looks(source: str) -> list[Look]:
    """How each call of a source draws, in its order; that of functions last."""
    found = Looks()
    found.read(parse(source), "")
    found.follow()
    return list(found.calls.values())


A, B, NONE = Look("fnt_a"), Look("fnt_b"), Look("")


@pytest.mark.parametrize("deep", [3, 70])
def test_loops_in_loops_that_set_a_font_are_followed_a_few_times(deep: int) -> None:
    """Not twice as often for each loop around: this would not end."""
    draw = 'draw_text(0, 0, "A");'
    source = f"draw_set_font(fnt_b); {'while (x) { ' * deep}{draw}"
    assert looks(source + " draw_set_font(fnt_a); }" * deep) == [NONE]
    assert looks(source + " }" * deep) == [B]


def test_code_in_more_loops_than_people_write_is_not_followed() -> None:
    draw = 'draw_set_font(fnt_a); draw_text(0, 0, "A");'
    assert looks("while (x) { " * 80 + draw + " }" * 80 + draw) == [A]


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("draw_text(0, 0, s);", [NONE]),
        ("draw_set_font(fnt_a); draw_text(0, 0, s); draw_set_font(fnt_b); draw_text(0, 0, s);",
         [A, B]),
        ("draw_set_font(global.fnt_a); draw_text(0, 0, s);", [A]),
        ("draw_set_font(f()); draw_text(0, 0, s);", [NONE]),
        # one branch only, both, one that goes away
        ("draw_set_font(fnt_a); if (k) draw_set_font(fnt_b); draw_text(0, 0, s);", [NONE]),
        ("draw_set_font(fnt_a); if (k) x = 1; draw_text(0, 0, s);", [A]),
        ("if (k) draw_set_font(fnt_b); else draw_set_font(fnt_b); draw_text(0, 0, s);", [B]),
        ("if (k) draw_set_font(fnt_a); else draw_set_font(fnt_b); draw_text(0, 0, s);", [NONE]),
        ("draw_set_font(fnt_a); if (k) { draw_set_font(fnt_b); exit; } draw_text(0, 0, s);", [A]),
        ("draw_set_font(fnt_a); if (k) { draw_set_font(fnt_b); draw_text(0, 0, s); }", [B]),
        ("if (k) exit; else if (n) draw_set_font(fnt_a); else return 0; draw_text(0, 0, s);", [A]),
        # loops
        ("draw_set_font(fnt_a); repeat (3) draw_text(0, 0, s);", [A]),
        ("draw_set_font(fnt_a); repeat (3) { draw_text(0, 0, s); draw_set_font(fnt_b); }", [NONE]),
        ("repeat (3) { draw_set_font(fnt_b); draw_text(0, 0, s); }", [B]),
        ("draw_set_font(fnt_a); while (k) draw_set_font(fnt_b); draw_text(0, 0, s);", [NONE]),
        ("draw_set_font(fnt_a); with (o) { draw_text(0, 0, s); }", [A]),
        # switches
        ("switch (k) { case 1: draw_set_font(fnt_a); break; default: draw_set_font(fnt_a); } "
         "draw_text(0, 0, s);", [A]),
        ("switch (k) { case 1: draw_set_font(fnt_a); break; } draw_text(0, 0, s);", [NONE]),
        ("draw_set_font(fnt_b); switch (k) { case 1: draw_set_font(fnt_a); case 2: "
         "draw_text(0, 0, s); break; }", [NONE]),
        ("draw_set_font(fnt_b); switch (k) { case 1: draw_set_font(fnt_a); exit; case 2: "
         "draw_text(0, 0, s); break; } draw_text(0, 0, s);", [B, B]),
        ("try { draw_set_font(fnt_a); } catch (e) { k = 1; } draw_text(0, 0, s);", [NONE]),
        # functions: one that sets a font, one that begins with what its callers set
        ("function f() { draw_set_font(fnt_a); } draw_set_font(fnt_b); f(); draw_text(0, 0, s);",
         [A]),
        ("function f() { draw_set_font(k()); } draw_set_font(fnt_b); f(); draw_text(0, 0, s);",
         [NONE]),
        ("function g() { f(); } function f() { draw_set_font(fnt_a); } draw_set_font(fnt_b); g(); "
         "draw_text(0, 0, s);", [A]),
        ("function f() { k = 1; } draw_set_font(fnt_b); f(); draw_text(0, 0, s);", [B]),
        ("function f() { draw_text(0, 0, s); } draw_set_font(fnt_b); f();", [B]),
        ("function f() { draw_text(0, 0, s); } draw_set_font(fnt_b); f(); draw_set_font(fnt_a); "
         "f();", [NONE]),
        ("function f() { draw_set_font(fnt_a); } f(); draw_text(0, 0, s);", [A]),
        ("function f(k) { if (k) { draw_set_font(fnt_a); return 1; } } f(); draw_text(0, 0, s);",
         [NONE]),
        ("function f(k) { if (k) return 1; draw_set_font(fnt_a); } f(); draw_text(0, 0, s);",
         [NONE]),
        ("function f(k, n) { draw_set_font(n); } f(1, fnt_b); draw_text(0, 0, s);", [B]),
        ("function f() { var n = argument1; draw_set_font(n); } f(1, fnt_b); draw_text(0, 0, s);",
         [B]),
        ("function f() { draw_set_font(argument[0]); } f(fnt_b); draw_text(0, 0, s);", [B]),
        ("function f(n) { draw_set_font(n); draw_text(0, 0, s); } f(fnt_b);", [NONE]),
        ("function f(n) { draw_set_font(n); } function g(k) { f(k); } draw_set_font(fnt_a); "
         "g(fnt_b); draw_text(0, 0, s);", [B]),
        ("function f(n) { n = m; n = 1; draw_set_font(n); } f(); draw_text(0, 0, s);", [NONE]),
        # boxes
        ("draw_set_font(fnt_a); draw_text_ext(0, 0, s, 12, 90);", [Look("fnt_a", 12, 90)]),
        ("draw_set_font(fnt_a); draw_text_ext_color(0, 0, s, -1, w, 0, 0, 0, 0, 1);", [A]),
        ("layer_text_create(l, 0, 0, fnt_b, s);", [B]),
        ("show_message(s);", []),
    ],
)  # fmt: skip
def test_the_font_that_is_set(source: str, wanted: list[Look]) -> None:
    assert looks(source) == wanted


def test_the_font_that_a_variable_holds() -> None:
    found = Looks()
    found.read(parse("global.f = fnt_a; g = fnt_a; h = k(); var i = fnt_b; j = {m: fnt_b};"), "")
    found.read(parse("global.f = fnt_a; g = fnt_b; n = font_add_sprite(spr, 32, true, 1);"), "")
    found.follow()
    assert [found.held(name) for name in "fghim"] == ["fnt_a", "g", "", "fnt_b", "fnt_b"]
    assert (found.held("n"), found.held("never")) == ("@sprite", "never")


def messages(game: GameData, **texts: str) -> list[str]:
    return [each.message for each in translate.check(game, po(**texts))]


def test_letters_are_missing_in_the_font_that_draws() -> None:
    game = made('draw_set_font(fnt_b); draw_text(0, 0, "AH");')
    assert messages(game, AH="HA") == ["fnt_b has no A"]
    assert messages(game, AH="HЖ A日\t") == ["fnt_b has no A Ж 日"]
    assert messages(game, AH="gH") == []
    # without an evident font, any will do
    game = made('draw_text(0, 0, "AH");')
    assert messages(game, AH="HA") == []
    assert messages(game, AH="HЖ") == ["no font of the game has Ж"]
    # two fonts, and a dialog, which the system draws
    game = made(
        'm = "AH"; draw_set_font(fnt_b); draw_text(0, 0, m);',
        Step_1='draw_set_font(fnt_a); draw_text(0, 0, m); show_message("VH");',
    )
    assert messages(game, AH="Ж", VH="Ж") == ["fnt_a has no Ж", "fnt_b has no Ж"]


@pytest.mark.parametrize(
    ("call", "characters"),
    [
        ('font_add_sprite_ext(spr_font, "AH-", true, 1)', "AH-"),
        ("font_add_sprite(spr_font, 71, 0, 0)", "GHI"),
        ('font_add_sprite(spr_font, ord("G"), 0, 0)', "GHI"),
        ("font_add_sprite_ext(spr_font, names, true, 1)", ""),
    ],
)
def test_fonts_of_sprites(call: str, characters: str) -> None:
    draw = 'draw_set_font(font); draw_text(0, 0, "AH");'
    game = made(draw, Create_0=f"font = {call};")
    (font,) = game.fonts.from_sprites()
    assert (font.sprite, font.characters, font.variable) == ("spr_font", characters, "font")
    assert (font.proportional, font.separation) == (("true" in call), int("true" in call))
    assert font.where == "gml_Object_obj_a_Create_0"
    assert font.covers("H\n") and font.covers("Z") == (not characters)
    missing = ["the font of spr_font has no Ж"] if characters else []
    assert messages(game, AH="HЖ") == missing
    if characters:
        (shown,) = translate.preview(game, po(AH="HЖ"))
        assert (shown.font, shown.evident, shown.missing) == ("the font of spr_font", True, "Ж")
        done = translate.apply(game, po(AH="HЖ"), ttf=typeface())
        assert done.warnings == ["the font of spr_font has no Ж of the translation of 'AH'"]


def test_what_no_code_says_of_a_sprite_font() -> None:
    game = made("k = font_add_sprite(j, 32, 0, 0); font_add_sprite(spr_font, -5, 0, 0);")
    assert [(font.sprite, font.characters) for font in game.fonts.from_sprites()] == [
        ("spr_font", "")
    ]
    assert drawn_game("2024.14").fonts.from_sprites() == []


def test_boxes() -> None:
    # H and g are 12 pixels, a space 6; the box is 50 wide
    game = made('draw_set_font(fnt_b); draw_text_ext(0, 0, "HH gg", -1, 60);')
    assert messages(game, **{"HH gg": "gg HH"}) == []
    assert messages(game, **{"HH gg": "HHHHH"}) == []
    assert messages(game, **{"HH gg": "HHHHHH"}) == [
        "a word is 72 pixels long, the box is 60 pixels wide (fnt_b)"
    ]
    assert messages(game, **{"HH gg": "HH gg HH"}) == [
        "it takes 2 lines, the text 1; the box is 60 pixels wide (fnt_b)"
    ]
    long = made('draw_set_font(fnt_b); draw_text_ext(0, 0, "HHHH HHHH HHHH", -1, 60);')
    assert messages(long, **{"HHHH HHHH HHHH": "HHHH HHHH HHHH HHHH"}) == []
    assert len(messages(long, **{"HHHH HHHH HHHH": "HHHH HHHH HHHH HHHH HHHH"})) == 1
    old = made('draw_set_font(fnt_b); draw_text_ext(0, 0, "HH#gg", -1, 60);', "1.4.9999")
    assert messages(old, **{"HH#gg": "HHHHH#gg"}) == []


@pytest.mark.parametrize("version", ["1.4.9999", "2.2.5", "2024.14"])
@pytest.mark.parametrize("rebuild", [False, True])
def test_letters_are_drawn_into_the_fonts(version: str, rebuild: bool) -> None:
    game = made('draw_set_font(fnt_b); draw_text(0, 0, "AH");', version)
    data = game.to_bytes()
    before = {c: g.image.tobytes() for c, g in game.fonts["fnt_b"].glyphs.items() if g.image}
    messages = po(AH="ЖéH\n")
    done = translate.apply(game, messages, ttf=typeface(), rebuild_fonts=rebuild)
    assert (done.texts, done.warnings) == (1, []) and game.to_bytes() == data
    after = GameData.from_bytes(done.data)
    assert after.to_bytes() == done.data
    fonts = after.fonts
    assert set(fonts["fnt_b"].glyphs) - {"▯"} == set("Hg Жé")
    assert set(fonts["fnt_a"].glyphs) - {"▯"} == set("AgHV ")
    kept = {c: g.image.tobytes() for c, g in fonts["fnt_b"].glyphs.items() if g.image}
    assert rebuild or {c: kept[c] for c in before} == before
    # nothing is missing: nothing is drawn
    same = translate.apply(game, po(AH="H"), ttf=typeface())
    assert same.data == translate.apply(game, po(AH="H")).data


def test_where_the_font_is_not_evident_all_get_the_letters() -> None:
    game = made('draw_text(0, 0, "AH");')
    after = GameData.from_bytes(translate.apply(game, po(AH="Ж"), ttf=[typeface()]).data)
    assert all(font.covers("Ж") for font in after.fonts)
    # typefaces for one font only
    done = translate.apply(game, po(AH="Ж"), fonts={"fnt_a": typeface()})
    after = GameData.from_bytes(done.data)
    assert [font.covers("Ж") for font in after.fonts] == [True, False] and not done.warnings
    wide = typeface("Ж", outlines={"Ж": (0, 0, 1000, 700, 1000)})
    done = translate.apply(game, po(AH="Ж"), ttf=typeface(), fonts={"fnt_a": wide})
    widths = [font.glyphs["Ж"].width for font in GameData.from_bytes(done.data).fonts]
    assert widths == [20, 16]


def test_letters_that_no_typeface_has_are_refused() -> None:
    game = made('draw_set_font(fnt_b); draw_text(0, 0, "AH");')
    with pytest.raises(ValueError, match="fnt_b: the typeface: no glyph for ж; give one more"):
        translate.apply(game, po(AH="Жж"), ttf=typeface())
    with pytest.raises(
        KeyError, match=r"no font named 'fnt_c'; did you mean|no font named 'fnt_c'"
    ):
        translate.apply(game, po(AH="Ж"), fonts={"fnt_c": typeface()})
    with pytest.raises(FormatError, match="expected a TrueType"):
        translate.apply(game, po(AH="Ж"), ttf=b"no font")


@pytest.mark.parametrize(
    ("first", "set_by"),
    [("", ""), ("k = 1;", ""), ("", "draw_set_font(-1);"), ("", "f = font_add(n, 1, 0, 0, 1, 2);")],
)
@pytest.mark.parametrize("version", ["1.4.9999", "2.2.5", "2024.14"])
def test_a_game_without_fonts_gets_one_that_its_first_room_sets(
    version: str, first: str, set_by: str
) -> None:
    game = drawn_game(version)
    add_object(game, "obj_a", None)
    game.add_event("obj_a", "Step_0", f'{set_by} draw_text(0, 0, "AH"); show_message("VV");')
    if first:
        game.rooms["rm"].set_creation_code(first)
    game = GameData.from_bytes(game.to_bytes())
    new = po(AH="HЖ", VV="ЖЖ")
    own = "the game has no font, and GameMaker's own has no Ж"
    assert messages(game, AH="HЖ", VV="ЖЖ") == [own]
    assert messages(game, AH="HA") == []
    before = game.to_bytes()
    done = translate.apply(game, new, ttf=typeface())
    assert game.to_bytes() == before
    after = GameData.from_bytes(done.data)
    if set_by:
        function = "draw_set_font" if "set" in set_by else "font_add"
        assert done.warnings == [
            f"the game has no font, and none is added: the game's code calls {function}",
            f"{own} of the translation of 'AH'",
        ]
        assert len(after.fonts) == 0
        return
    assert done.warnings == []
    (font,) = after.fonts
    assert font.name == "fnt_translation" and font.covers("HAЖ") and not font.covers("日")
    code = after.rooms["rm"].creation_code
    assert code is not None
    assert code.gml.split("\n")[0] == "draw_set_font(fnt_translation);"
    assert first in code.gml
    # it is as check and preview say; a text without other letters needs no font
    assert translate.check(game, new, ttf=typeface()) == []
    (shown,) = translate.preview(game, new, ttf=typeface())
    assert (shown.font, shown.evident, shown.missing) == ("fnt_translation", True, "")
    assert game.to_bytes() == before
    plain = translate.apply(game, po(AH="HA"), ttf=typeface())
    assert plain.data == translate.apply(game, po(AH="HA")).data


def test_a_game_without_a_room_gets_no_font() -> None:
    game = made("k = 1;")
    for font in [*game.fonts]:
        game.fonts.remove(font.name, force=True)
    room = game.rooms["rm"]
    layer = room.layers.add("texts", "assets")
    layer.record.data.texts.append(TextInstance(game.strings.add("t"), text=game.strings.add("AH")))
    game.general.room_order.clear()
    done = translate.apply(game, po(AH="Ж"), ttf=typeface())
    assert done.warnings[0] == (
        "the game has no font, and none is added: the game has no room whose code could set it"
    )


def test_check_and_preview_see_what_typefaces_draw() -> None:
    game = made('draw_set_font(fnt_b); draw_text_ext(0, 0, "HH gg", -1, 60);')
    before = game.to_bytes()
    wanted = po(**{"HH gg": "HЖ日é"})
    assert [each.message for each in translate.check(game, wanted)] == ["fnt_b has no é Ж 日"]
    less = typeface("AHgЖé")
    assert [each.message for each in translate.check(game, wanted, ttf=less)] == ["fnt_b has no 日"]
    assert translate.check(game, wanted, fonts={"fnt_b": typeface()}) == []
    wide = translate.check(game, po(**{"HH gg": "ЖЖЖЖЖЖЖ"}), ttf=typeface())
    assert [each.message for each in wide] == [
        "a word is 126 pixels long, the box is 60 pixels wide (fnt_b)"
    ]
    assert [each.missing for each in translate.preview(game, wanted, ttf=less)] == ["日"]
    (shown,) = translate.preview(game, wanted, ttf=typeface())
    assert (shown.missing, shown.overflow) == ("", 0)
    (unlike,) = translate.preview(game, wanted, ttf=typeface(), rebuild_fonts=True)
    assert unlike.missing == ""
    assert game.to_bytes() == before
    with pytest.raises(KeyError, match="no font named 'fnt_c'"):
        translate.check(game, wanted, fonts={"fnt_c": typeface()})


@pytest.mark.parametrize(
    ("text", "new", "said"),
    [
        ("{0} of {1}", "{1}", "it lacks {0}"),
        ("%s", "%s %s", "it has %s, which the text has not"),
        ("at %1", "%1", ""),
        ("{0} of {1}", "{1} of {0}", ""),
    ],
)
def test_broken_placeholders_are_refused(text: str, new: str, said: str) -> None:
    game = made(f'draw_set_font(fnt_a); draw_text(0, 0, "{text}");')
    wanted = po(**{text: new, "{2} is not shown": "is not"})
    if not said:
        assert translate.apply(game, wanted).texts == 1
        return
    with pytest.raises(EncodeError, match=re.escape(f"{text!r}: {said}; force puts it in")):
        translate.apply(game, wanted)
    done = translate.apply(game, wanted, force=True)
    assert done.texts == 1
    assert f"the translation of {text!r}: {said}" in done.warnings


def test_previews(tmp_path: Path) -> None:
    game = made('draw_set_font(fnt_b); draw_text_ext(0, 0, "H g", -1, 40); draw_text(0, 0, "V");')
    messages = po(**{"H g": "HHHHЖ", "V": ""})
    messages.append(polib.POEntry(msgid="H g", msgstr="x", obsolete=True))
    long, other = translate.preview(game, messages)
    assert (long.text, long.translation, long.font, long.evident) == ("H g", "HHHHЖ", "fnt_b", True)
    assert (long.width, long.missing, long.overflow) == (40, "Ж", 8)
    assert (other.translation, other.font, other.evident, other.image) == ("", "fnt_b", True, None)
    # H at 2 to 10, from row 2 to 16, behind a margin of 8; g after 12 + 6
    white = np.argwhere(np.asarray(long.original).min(axis=2) > 200) - 8
    assert white.min(axis=0).tolist() == [2, 2] and white[:, 1].max() == 18 + 9
    assert long.image is not None
    red = np.argwhere((np.asarray(long.image) == (255, 48, 48)).all(axis=2)) - 8
    assert red.min(axis=0).tolist() == [0, 48] and red.max(axis=0).tolist() == [18, 56]
    edge = np.asarray(long.image)[:, 40 + 8]
    assert (edge == (90, 140, 255)).all()
    messages[0].msgid = messages[0].msgid
    translate.write_previews([long, other], tmp_path / "made", "<b>& title")
    page = (tmp_path / "made" / "index.html").read_text("utf-8")
    assert "&lt;b&gt;&amp; title" in page and "<b>&" not in page
    assert "missing: Ж" in page and "8 pixels too long" in page
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == [
        "00001-original.png",
        "00001-translation.png",
        "00002-original.png",
        "index.html",
    ]
    with Image.open(tmp_path / "made" / "00001-original.png") as image:
        assert image.tobytes() == long.original.tobytes()
    with pytest.raises(FileExistsError):
        translate.write_previews([other], tmp_path / "made")


def test_previews_in_a_font_that_is_guessed() -> None:
    game = made('draw_text(0, 0, "AV"); show_message("HH");')
    (shown,) = translate.preview(game, po(AV="A", HH="H"))
    assert (shown.font, shown.evident) == ("fnt_a", False)
    assert translate.preview(drawn_game("2024.14"), po(AV="A")) == []


def test_a_preview_of_distance_fields() -> None:
    game = made('draw_set_font(fnt_a); draw_text(0, 0, "H");')
    plain = np.asarray(translate.preview(game, po(H=""))[0].original)
    game.fonts["fnt_a"].rebuild(typeface(), sdf=True)
    smooth = np.asarray(translate.preview(game, po(H=""))[0].original)
    assert plain.shape[1] == smooth.shape[1]
    same = smooth[: plain.shape[0]].astype(int) - plain[: smooth.shape[0]]
    assert np.abs(same).max() < 40


def test_other_documents_have_no_fonts() -> None:
    for verb in (translate.preview, translate.apply):
        with pytest.raises(FormatError, match="not a file of a known format"):
            verb(Path(__file__), po())


def test_the_lines_of_a_box() -> None:
    game = made('draw_set_font(fnt_b); draw_text_ext(0, 0, "H g", 31, 10);')
    (shown,) = translate.preview(game, po(**{"H g": ""}))
    found = np.flatnonzero((np.asarray(shown.original).min(axis=2) > 200).any(axis=1)) - 8
    # the second line is 31 pixels below the first; g begins at row 6
    assert found[0] == 2 and 31 + 6 in found and 31 + 5 not in found


@pytest.mark.parametrize("text", ["A\\#B#C", "A\\#B\nC"])
def test_line_breaks_of_old_games(text: str) -> None:
    game = made("k = 1;", "1.4.9999")
    assert shown_text(game, text) == "A#B\nC"
    assert shown_text(made("k = 1;"), "A#B") == "A#B"


def test_texts_of_rooms() -> None:
    game = made("k = 1;", "2024.14")
    room = game.rooms["rm"]
    layer = room.layers.add("texts", "assets")
    reference = game.records.fonts.reference_to(game.fonts["fnt_b"].record)
    item = TextInstance(game.strings.add("t"), 1, 0, reference, text=game.strings.add("HH g"))
    item.frame_width = 30.0
    layer.record.data.texts.append(item)
    (shown,) = translate.preview(game, po(**{"HH g": "A"}))
    assert (shown.font, shown.evident, shown.width) == ("fnt_b", True, 0)
    assert messages(game, **{"HH g": "AH"}) == ["fnt_b has no A"]
    item.wrap = True
    (shown,) = translate.preview(game, po(**{"HH g": "HHHH"}))
    assert (shown.width, shown.overflow) == (30, 18)
    game.rooms["rm"].caption = game.strings.add("HH g")
    assert len(translate.preview(game, po(**{"HH g": "A"}))) == 1


@pytest.mark.parametrize(("proportional", "places"), [(1, [(0, 0, 2), (2, 0, 2)]), (0, None)])
def test_the_glyphs_of_a_sprite(
    proportional: int, places: list[tuple[int, int, int]] | None
) -> None:
    game = made(f'font = font_add_sprite_ext(spr_wide, "AB", {proportional}, 3);')
    frame = Image.new("RGBA", (5, 6))
    frame.paste("red", (1, 2, 3, 4))
    game.sprites.add("spr_wide", frames=[frame, frame])
    (font,) = GameData.from_bytes(game.to_bytes()).fonts.from_sprites()
    record, pixels = as_font(game, font)
    found = [(glyph.x, glyph.y, glyph.width) for glyph in record.glyphs]
    assert found == (places or [(0, 0, 5), (5, 0, 5)])
    assert [glyph.shift for glyph in record.glyphs] == [(2 if places else 5) + 3] * 2
    assert pixels.shape == (6, 4 if places else 10, 4)
    assert pixels[3, 1].tolist() == [255, 0, 0, 255]


def test_dialogs_need_no_letters() -> None:
    done = translate.apply(made('show_message("AH");'), po(AH="Ж"), ttf=typeface())
    assert (done.texts, done.warnings) == (1, [])
    assert not any(font.covers("Ж") for font in GameData.from_bytes(done.data).fonts)
