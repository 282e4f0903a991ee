"""What notebooks show: the viewer's pages, each as a piece of HTML that needs no other file."""

from __future__ import annotations

import base64
import copy
import io
import json
import pickle
import re
import shutil
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import overhaul
from ags_rooms import room
from drawn_projects import BLUE, RED, Made, pixels
from handmade_project import as_json, project_file
from overhaul import mods
from overhaul.ags.documents.room import RoomDocument
from overhaul.document.notebook import html_of
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.resources import OldSprite
from overhaul.gamemaker.data.resources.rooms import Instances
from overhaul.viewer.notebook import Inliner
from overhaul.viewer.notebook_style import needed

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "notebooks.md"


class Elements(HTMLParser):
    """The elements of a piece of HTML, each ended."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("img", "br", "hr", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def shown(thing: Any) -> str:
    """The HTML of a thing, which needs nothing else and does nothing."""
    text = thing._repr_html_()
    assert isinstance(text, str)
    body = text[text.index("</style>") :]
    for tag, attrs in Elements(text).found:
        assert tag not in ("a", "form", "input", "button", "script", "link", "iframe"), tag
        for name, value in attrs.items():
            assert not name.startswith(("on", "hx-", "style")), name
            if name in ("src", "href"):
                assert (value or "").startswith(("data:", "#overhaul-")), value
    assert "/-/" not in re.sub(r"data:[^\"]*", "", body)
    return body


def pictures(text: str) -> list[Image.Image]:
    found = re.findall(r'(?:src|href)="data:image/png;base64,([^"]*)"', text)
    return [Image.open(io.BytesIO(base64.b64decode(each))) for each in found]


@pytest.fixture
def game(lantern: Path) -> Any:
    with overhaul.open_game(lantern) as game:
        yield game


def test_a_sprite_moves(game: Any) -> None:
    text = shown(game.sprites["spr_keeper"])
    (picture,) = pictures(text)
    assert getattr(picture, "n_frames", 1) == len(game.sprites["spr_keeper"].frames)
    assert "spr_keeper" in text


def test_an_edit_that_is_not_saved_is_shown(game: Any) -> None:
    before = shown(game.sprites["spr_keeper"])
    game.sprites["spr_keeper"].name = "spr_other"
    after = shown(game.sprites["spr_other"])
    assert "spr_keeper" not in after
    assert "spr_other" not in before


def test_rooms_sounds_code_and_objects(game: Any) -> None:
    (room, *_) = pictures(shown(game.rooms["rm_cave"]))
    assert room.size == (320, 192)
    sound = shown(game.sounds["snd_catch"])
    data = re.search(r'<audio[^>]* src="data:audio/wav;base64,([^"]*)"', sound)
    assert data is not None
    assert base64.b64decode(data[1]) == game.sounds["snd_catch"].bytes
    code = shown(game.code["gml_Object_obj_keeper_Create_0"])
    assert '<span class="role-number">' in code
    assert "Edit" not in code
    assert "push" not in code  # no assembly
    assert "Create" in shown(game.objects["obj_keeper"])


def test_code_keeps_every_word(game: Any) -> None:
    assert len(game.code)
    for code in game.code:
        if code.parent is None:
            text = shown(code)
            lines = re.findall(r"<code>(.*?)</code></li>", text)
            words = unescape(re.sub("<[^>]*>", "", "\n".join(lines)))
            assert words == code.gml.rstrip("\n"), code.name
            assert "all uses of" not in text  # which only a viewer lists


def test_what_only_a_viewer_does_is_left_out(game: Any) -> None:
    assert "Unused resources" not in shown(game)
    piece = '<p class="viewer-only"><a href="/-/unused">Unused</a></p><p><a href="/-/x">a</a></p>'
    assert inlined(piece) == "<p><span>a</span></p>"


def test_lists_and_games_are_tables(game: Any) -> None:
    sprites = shown(game.sprites)
    names = re.findall(r'<th scope="row">([^<]*)</th>', sprites)
    assert names == game.sprites.names()
    assert len(pictures(sprites)) == len(names)
    rooms = shown(game.rooms)
    assert re.findall(r'<th scope="row">([^<]*)</th>', rooms) == game.rooms.names()
    assert "Sprites" in shown(game)


def test_differences_are_listed(lantern: Path, tmp_path: Path) -> None:
    with overhaul.open_game(lantern) as game:
        game.sprites["spr_keeper"].origin_x += 1
        game.save(tmp_path / "other.win")
    found = mods.diff(lantern, tmp_path / "other.win")
    text = shown(found)
    assert "sprites/spr_keeper/sprite.json" in text
    assert "equal" in shown(mods.diff(lantern, lantern))


def test_things_of_projects(tmp_path: Path) -> None:
    made = Made()
    for colour in (RED, BLUE):  # two of one name
        made.sprite("spr", pixels([colour]))
    document = made.document
    colours = [
        pictures(shown(sprite))[0].convert("RGBA").getpixel((0, 0)) for sprite in document.sprites
    ]
    assert colours == [RED, BLUE]
    path = tmp_path / "made.gm81"
    path.write_bytes(project_file(810))
    with overhaul.open(path) as opened:
        assert isinstance(opened, ProjectDocument)
        text = shown(opened.objects["obj_player"])
        assert "For the other instance: create an instance of" in re.sub("<[^>]*>", "", text)
        assert shown(opened.rooms["rm_first"])
        assert shown(opened.scripts["scr_add"])
        assert shown(opened.sprites)
        assert "Game Maker 8.1" in shown(opened)


def test_rooms_of_adventure_game_studio() -> None:
    made = RoomDocument.from_bytes(room(4, 3).to_bytes())
    assert pictures(shown(made))[0].size == (4, 3)


def test_names_and_texts_are_escaped(tmp_path: Path) -> None:
    bad = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
    actions = [{"action": "action_message", "arguments": [bad]}]
    content = {
        "objects/obj_wall/step/actions.json": json.dumps(actions).encode(),
        "objects/obj_wall/create.gml": bad.encode(),
        "fonts/fnt_big.json": as_json({"font_name": bad, "size": 9}),
    }
    path = tmp_path / "made.gm81"
    path.write_bytes(project_file(810, content))
    with overhaul.open(path) as document:
        assert isinstance(document, ProjectDocument)
        document.project.sprites.slots[0].name = bad
        for thing in (document, document.sprites, document.sprites[0], document.objects["obj_wall"],
                      document.fonts[0]):  # fmt: skip
            text = shown(thing)
            assert "<script" not in text
            assert "onerror=alert" not in re.sub("&lt;[^<]*", "", text)


def test_a_broken_picture_is_its_words() -> None:
    made = Made(701)
    made.sprite("spr", pixels([RED]), pixels([BLUE]))
    record = made.project.sprites.slots[0].resource
    assert isinstance(record, OldSprite)
    record.frames[0].file = Deflated.of(b"BM no picture")
    text = shown(made.document.sprites["spr"])
    assert '<span class="none">spr, frame 0</span>' in text


def test_without_the_viewer_notebooks_are_plain(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [module for module in sys.modules if module.startswith("overhaul.viewer")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert html_of(game.sprites["spr_keeper"]) is None
    assert game.sprites["spr_keeper"]._repr_html_() is None
    assert game.sprites["spr_keeper"]._repr_png_() is not None
    assert "<table>" in game.sprites._repr_html_()
    assert "<table>" in game._repr_html_()
    assert "<audio controls" in game.sounds["snd_catch"]._repr_html_()


def test_other_missing_modules_are_no_missing_viewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "overhaul.viewer.notebook", None)
    with pytest.raises(ModuleNotFoundError):
        html_of(object())


def test_what_has_no_page_has_no_html() -> None:
    assert html_of(object()) is None
    assert html_of(3) is None


def inlined(text: str, media: dict[str, tuple[str, bytes]] | None = None) -> str:
    inliner = Inliner((media or {}).get)
    inliner.feed(text)
    inliner.close()
    return inliner.html


@pytest.mark.parametrize(
    ("page", "piece"),
    [
        ('<p id="x" onclick="y" class="z">a</p>', '<p class="z">a</p>'),
        ('<a href="/sprites/spr">spr</a>', "<span>spr</span>"),
        ('<a href="/-/unused">Unused</a>b', "<span>Unused</span>b"),
        ('<svg viewBox="0 0 1 1"><a href="/x"><rect/></a></svg>',
         '<svg viewBox="0 0 1 1"><g><rect></rect></g></svg>'),
        ("<form><p>a</p><input></form>b", "b"),
        ("<button>a<b>c</b></button>d", "d"),
        ("a &lt; b &#39;c&#39; &amp;", "a &lt; b &#39;c&#39; &amp;"),
        ('<p title="&quot;&lt;b&gt;">a</p>', '<p title="&quot;&lt;b&gt;">a</p>'),
        ("<details open><summary>a</summary></details>",
         "<details><summary>a</summary></details>"),
        ('<img src="/a.png" alt="A&lt;">', '<img alt="A&lt;" src="data:image/png;base64,YWJj">'),
        ('<img src="/gone.png" alt="A">', '<span class="none">A</span>'),
        ('<img class="now" src="/s/frames/0.png">',
         '<img class="now" src="data:image/png;base64,bW92aW5n">'),
        ('<img class="now" src="/t/frames/0.png" alt="x">',
         '<img class="now" alt="x" src="data:image/png;base64,b25l">'),
        ('<audio src="/b.wav" controls></audio>',
         '<audio controls="" src="data:audio/wav;base64,ZA=="></audio>'),
        ('<audio src="/gone.wav"></audio>',
         '<span class="none">too large to be played here</span>'),
        ("a<br>b<hr>", "a<br>b<hr>"),
        ("<p hidden>a</p>b", "b"),
        ("<p>a<b>c</p>d", "<p>a<b>c</b></p>d"),
        ("</p>a", "a"),
        ('<section aria-labelledby="used-by"><h2>x</h2></section>y', "y"),
    ],
)  # fmt: skip
def test_what_is_kept_of_a_page(page: str, piece: str) -> None:
    media = {
        "/a.png": ("image/png", b"abc"),
        "/b.wav": ("audio/wav", b"d"),
        "/s/frames/0.png": ("image/png", b"one"),
        "/s/animation.png": ("image/png", b"moving"),
        "/t/frames/0.png": ("image/png", b"one"),
    }
    assert inlined(page, media) == piece


def test_a_picture_that_is_drawn_often_is_there_once() -> None:
    one = '<image href="/a.png" width="5" height="6"/>'
    text = inlined(f"<svg>{one}{one}</svg>", {"/a.png": ("image/png", b"abc")})
    found = re.search(r'id="(overhaul-\d+)"', text)
    assert found is not None
    assert text.count("base64") == 1
    assert f'<use href="#{found[1]}"/></g></svg>' in text


def test_a_piece_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[Inliner.__module__], "LARGEST", 5)
    media = {"/a.png": ("image/png", b"abc")}
    text = inlined('<img src="/a.png" alt="1"><img src="/a.png" alt="2">', media)
    assert text.count("base64") == 1
    assert text.endswith('<span class="none">2</span>')


def test_the_guide(lantern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each example of the guide runs; its last line has HTML or a picture."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(lantern, "data.win")
    Path("new.win").write_bytes(Path("data.win").read_bytes())
    Path("game.gm81").write_bytes(project_file(810))
    names: dict[str, Any] = {}
    examples = re.findall(r"((?:^    .*\n)+)", GUIDE.read_text("utf-8"), re.MULTILINE)
    assert len(examples) >= 3
    for example in examples:
        *lines, last = [line[4:] for line in example.rstrip().split("\n")]
        exec("\n".join(lines), names)
        thing = eval(last, names)
        assert thing._repr_html_() or thing._repr_png_(), last


def test_a_cell_has_the_rules_that_it_needs_and_no_more(game: Any) -> None:
    assert len(game.sprites._repr_html_()) < 9_000  # 50 kB of rules before
    style = game.code["gml_Object_obj_keeper_Step_0"]._repr_html_().partition("</style>")[0]
    assert "--code-keyword" in style and ".player-tools" not in style


STYLE = """
/* a comment { } */
:root { --back: red; }
.a, p .b:hover > i { color: red; }
.gone { color: blue; }
#one[data-x="}"] .a::before { content: "x"; }
.a:not(.live) em { top: 0; }
@media (max-width: 9px) { .a { left: 0; } .gone { left: 1px; } }
@media print { .gone { left: 2px; } }
@keyframes turn { from { left: 0; } to { left: 1px; } }
@keyframes other { from { left: 0; } }
h1 { animation: turn 1s; }
"""


def test_the_rules_that_a_piece_needs() -> None:
    found = needed(STYLE.replace('"}"', '"y"'), '<h1 class="a c">x</h1><div id="one"></div>')
    assert found.split("\n") == [
        ":root { --back: red; }",
        ".a { color: red; }",
        '#one[data-x="y"] .a::before { content: "x"; }',
        "@media (max-width: 9px) {.a { left: 0; }}",
        "h1 { animation: turn 1s; }",
        "@keyframes turn { from { left: 0; } to { left: 1px; } }",
    ]
    assert ".b:hover" in needed(STYLE, '<p><b class="b"></b><i></i></p>')
    assert ".a:not(.live) em" in needed(STYLE, '<em class="a"></em>')


@pytest.mark.parametrize("lantern", ["current"], indirect=True)
def test_lists_say_what_each_resource_is(game: Any) -> None:
    assert ">16×16, 2 frames</td>" in shown(game.sprites)
    assert ">29 instructions</td>" in shown(game.code)
    assert repr(game.code).startswith("<13 code entries>\n")


def test_strings_events_and_instances_are_tables(game: Any) -> None:
    text = game.strings._repr_html_()
    number = game.strings.index("spr_firefly")
    assert text.startswith(f"<p>{len(game.strings)} strings</p>")
    assert f"<td>{number}</td><td>spr_firefly</td>" in text
    game.strings.add("<b>")
    assert "<td>&lt;b&gt;</td>" in game.strings._repr_html_()
    text = game.rooms["rm_cave"].instances._repr_html_()
    assert "<th>id</th><th>object</th><th>x</th><th>y</th>" in text
    assert "<td>0</td><td>100000</td><td>obj_wall</td><td>0</td><td>0</td>" in text
    text = game.objects["obj_keeper"].events._repr_html_()
    keeper = game.objects["obj_keeper"].events["Create_0"]
    assert f"<td>Create_0</td><td>{keeper.title}</td><td>{keeper.gml[:9]}" in text
    assert "<td>layer" not in game.rooms["rm_cave"].layers._repr_html_()
    room = game.rooms["rm_cave"]
    many = Instances(game, room.record, room.instances.records * 3)
    assert f"<p>… {len(many) - 200} more</p>" in many._repr_html_()


def test_lists_have_the_methods_of_dictionaries(game: Any) -> None:
    sprites = game.sprites
    assert sprites.keys() == sprites.names() == [name for name, _ in sprites.items()]
    assert sprites.values() == list(sprites) and dict(sprites.items())["spr_wall"].width == 16
    game.sprites.add("spr_new", frames=[Image.new("RGBA", (4, 4))])
    del game.sprites["spr_new"]
    assert "spr_new" not in game.sprites
    with pytest.raises(ValueError, match="spr_wall"):  # objects use it
        del game.sprites["spr_wall"]


def test_names_of_other_libraries(game: Any, tmp_path: Path) -> None:
    assert game.name == "Lantern"
    game.general.display_name = game.strings.add("Lamp")
    assert game.name == "Lamp"
    keeper = game.sprites["spr_keeper"]
    assert keeper.image.tobytes() == keeper.frames[0].image.tobytes()
    assert keeper.save(tmp_path / "k.png") == str(tmp_path / "k_strip2.png")
    with Image.open(keeper.save(tmp_path / "k.gif")) as moving:
        assert getattr(moving, "n_frames", 1) == 2
    assert game.sprites["spr_wall"].save(tmp_path / "w.png") == str(tmp_path / "w.png")
    with pytest.raises(ValueError, match=r"k\.bmp: expected a name that ends with \.png, \.apng"):
        keeper.save(tmp_path / "k.bmp")
    code = game.code["gml_Object_obj_door_Create_0"]
    code.source = "locked = 2;"
    assert code.source == code.gml == "locked = 2;"
    with pytest.raises(KeyError, match=r"no event 'Create' \(did you mean 'Create_0'\?\)"):
        game.objects["obj_keeper"].events["Create"]


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_what_belongs_to_an_open_file_is_not_copied(game: Any, copied: Any) -> None:
    with pytest.raises(TypeError, match=r"is an open file, .* its path, or its to_bytes\(\)"):
        copied(game)
    with pytest.raises(TypeError, match=r"a Sprite is a part of an open file, .* duplicate\(\)"):
        copied(game.sprites["spr_wall"])
    with pytest.raises(TypeError, match=r"Sprites belong to an open file, .* names\(\)"):
        copied(game.sprites)
