"""Characters, items, cursors, fonts, views and sounds of a project as records of its game."""

from __future__ import annotations

import pytest

import ags_built
from overhaul.ags.game.resources import Frame
from overhaul.ags.project.building import resources
from overhaul.ags.project.building.dialogs import dialog, new_dialog
from overhaul.ags.project.building.reading import ElementError, cut, unescaped, values_of
from overhaul.ags.project.building.releases import Release, release_of
from overhaul.ags.project.elements import Value, group, leaf, node
from overhaul.ags.properties import OldProperty, Property
from overhaul.document.xmltext import XmlNode

NEW, MIDDLE, OLD = (release_of(name, "") for name in ("3.6.2.12", "3.5.0.24", "3.3.5"))
NEWEST = release_of("3.6.3.10", "")


# -- reading -----------------------------------------------------------------------------------


def test_values_have_the_kinds_of_their_elements_and_defaults() -> None:
    made = node("MouseCursor", {"ID": 2, "Name": "Walk to"}, NEW.name)
    made.children = [child for child in made.children if child.tag != "AnimationDelay"]
    values = values_of(made, NEW)
    assert (values["ID"], values["Name"], values["Animate"]) == (2, "Walk to", False)
    assert values["AnimationDelay"] == 5  # of a new project


@pytest.mark.parametrize(
    ("tag", "text", "reason"),
    [("ID", "two", "whole number, got 'two'"), ("Animate", "yes", "True or False, got 'yes'")],
)
def test_elements_of_another_kind(tag: str, text: str, reason: str) -> None:
    made = node("MouseCursor", {}, NEW.name)
    child = made.find(tag)
    assert child is not None
    child.text = text
    with pytest.raises(ElementError, match=reason) as caught:
        values_of(made, NEW)
    assert caught.value.node is child


def test_an_element_that_no_game_has_is_refused() -> None:
    made = ags_built.character(NEW.name, 0, "cEgo")
    made.children.append(leaf("Shadow", "5"))
    with pytest.raises(ElementError) as caught:
        resources.character(made, NEW, ())
    assert caught.value.node.tag == "Shadow"


def test_names_are_cut_to_their_fields() -> None:
    assert cut("Äpfel", 5, MIDDLE) == "Äpfe"
    assert cut("aaÄ", 3, MIDDLE) == "aa\udcc3"  # half of a letter
    assert cut("aaÄ", 3, NEW) == "aa"
    assert cut("aaÄ", 4, NEW) == "aaÄ"


def test_texts_of_players_have_escapes_since_3_6_1_4() -> None:
    text = r"one\ntwo\[three\\four"
    assert unescaped(text, NEW) == "one\ntwo\\[three\\four"
    assert unescaped(text, release_of("3.6.1.3", "")) == text


# -- people and resources -------------------------------------------------------------------------


def test_a_character() -> None:
    made = resources.character(
        ags_built.character(
            NEW.name, 3, "cEgo", NormalView=4, SpeechView=0, StartX=7, StartY=9, Solid=False,
            TurnWhenFacing=False, IdleDelay=33, SpeechColor=12, MovementSpeed=6,
        ),
        NEW,
        (1, 3),
    )  # fmt: skip
    assert (made.script_name, made.name, made.room) == ("cEgo", "Ego", 1)
    assert (made.normal_view, made.view, made.talk_view) == (3, 3, -1)
    assert (made.x, made.y, made.talk_colour, made.idle_delay) == (7, 9, 12, 33)
    assert (made.walk_speed, made.walk_speed_y, made.on, made.index_id) == (6, 0, 1, 0)
    assert made.flags == 0x200 | 0x20000  # not solid; moves by its frames
    assert (made.inventory[:4], len(made.inventory)) == ([1, 0, 1, 0], 301)


def test_speeds_across_and_down() -> None:
    speeds: dict[str, Value] = {"UniformMovementSpeed": False, "MovementSpeedX": 4}
    for down, expected in ((7, (4, 7)), (0, (4, 0))):
        shown = ags_built.character(NEW.name, 0, "cEgo", **speeds, MovementSpeedY=down)
        made = resources.character(shown, NEW, ())
        assert (made.walk_speed, made.walk_speed_y) == expected


def test_a_character_of_3_6_3() -> None:
    more: dict[str, Value] = {"Transparency": 40, "Baseline": 5, "BlockingRectangle": "1,2,3,4"}
    made = resources.character(ags_built.character(NEWEST.name, 2, "cEgo", **more), NEWEST, ())
    assert (made.transparency, made.baseline, made.index_id) == (150, 5, 2)
    assert (made.blocking_x, made.blocking_y) == (1, 2)
    assert (made.blocking_width, made.blocking_height) == (3, 4)
    bad = ags_built.character(NEWEST.name, 2, "cEgo", BlockingRectangle="1,2,3")
    with pytest.raises(ElementError, match="expected four numbers, got '1,2,3'"):
        resources.character(bad, NEWEST, ())


@pytest.mark.parametrize(("percent", "stored"), [(0, 0), (100, 255), (1, 247), (50, 125), (99, 2)])
def test_transparency(percent: int, stored: int) -> None:
    assert resources.stored_transparency(percent) == stored


def test_handlers_stand_at_their_index() -> None:
    made = group("InventoryItem", [ags_built.events(["", "look"])])
    assert resources.handlers(made, ("a", "b", "c")) == ["", "look", ""]
    event = made.children[0].children[1]
    event.attributes["Index"] = "3"
    with pytest.raises(ElementError, match="below 3, got '3'"):
        resources.handlers(made, ("a", "b", "c"))


@pytest.mark.parametrize(("module", "name"), [("", "GlobalScript.asc"), ("Ego.asc", "Ego.asc")])
def test_handlers_name_their_script(module: str, name: str) -> None:
    made = group("Character", [ags_built.events(["look"], module)])
    table = resources.handler_table(made, ("Look",))
    assert (table.format, table.script_module, table.handlers) == (3060200, name, ["look"])


def test_properties_keep_the_first_of_a_name() -> None:
    made = group("Character", [ags_built.properties(smell="rust", weight="7")])
    made.children[0].children += ags_built.properties(smell="other").children
    pairs = [("smell", "rust"), ("weight", "7")]
    assert resources.properties(made, NEW).values == [Property(*pair) for pair in pairs]
    assert resources.properties(made, OLD).old_values == [OldProperty(*pair) for pair in pairs]
    assert resources.properties(made, OLD).format == resources.no_properties(NEW).format == 1


def test_a_cursor_without_a_view() -> None:
    shown: dict[str, Value] = {"Name": "Walk to", "View": 5, "AnimateOnlyWhenMoving": True,
                               "StandardMode": True, "AnimationDelay": 3}  # fmt: skip
    made, options = resources.cursor(node("MouseCursor", shown, NEW.name), NEW)
    assert (made.name, made.view, made.flags) == ("Walk to", -1, 4)
    assert options.animation_delay == 3
    made, _ = resources.cursor(node("MouseCursor", shown | {"Animate": True}, NEW.name), NEW)
    assert (made.view, made.flags) == (4, 5)


# -- fonts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("release", "values", "expected"),
    [
        (MIDDLE, {"PointSize": 9, "SizeMultiplier": 2}, (0, 18, -1)),
        (MIDDLE, {"PointSize": 0, "SizeMultiplier": 2}, (1, 2, -1)),
        (NEW, {"PointSize": 9, "OutlineStyle": "Automatic"}, (4, 9, -10)),
        (NEW, {"PointSize": 9, "TTFMetricsFixup": "SetAscenderToHeight"}, (12, 9, -1)),
        (NEW, {"PointSize": 9, "OutlineStyle": "UseOutlineFont", "OutlineFont": 3}, (4, 9, 3)),
        (NEWEST, {"PointSize": 9, "HeightDefinedBy": "CustomValue"}, (16, 9, -1)),
    ],
)
def test_fonts(release: Release, values: dict[str, Value], expected: tuple[int, ...]) -> None:
    made, _ = resources.font(node("Font", values, release.name), release, XmlNode("Settings"))
    assert (made.flags, made.size, made.outline) == expected


def test_the_height_of_fonts_is_a_setting_before_3_6_3() -> None:
    said = group("Settings", [leaf("TTFHeightDefinedBy", "PixelHeight")])
    made, options = resources.font(
        node("Font", {"PointSize": 9, "AutoOutlineThickness": 2, "AutoOutlineStyle": "Rounded"},
             NEW.name), NEW, said,
    )  # fmt: skip
    assert made.flags == 0
    assert (options.outline_thickness, options.outline_style) == (2, 1)
    old = node("Font", {"PointSize": 70}, OLD.name)
    assert (resources.old_font_flags(old), resources.outline(old)) == (70 & 0x3F, -1)


def test_an_unknown_word() -> None:
    made = node("Font", {"OutlineStyle": "Thick"}, NEW.name)
    with pytest.raises(ElementError, match="None, Automatic, UseOutlineFont, got 'Thick'"):
        resources.font(made, NEW, XmlNode("Settings"))


# -- views, sounds, dialogs --------------------------------------------------------------------


def test_a_view_in_which_a_character_walks_is_completed() -> None:
    shown = ags_built.view(NEW.name, 1, "VEGO", frames=2, sound=31)
    plain = resources.view(shown, NEW, {31: 5}, walks=False)
    assert [len(loop.frames) for loop in plain.loops] == [2]
    assert [frame.sound for frame in plain.loops[0].frames] == [5, -1]
    walked = resources.view(shown, NEW, {}, walks=True)
    assert [len(loop.frames) for loop in walked.loops] == [2, 1, 1, 0]
    assert walked.loops[1].frames == [Frame()]
    assert [frame.sound for frame in walked.loops[0].frames] == [-1, -1]


@pytest.mark.parametrize(("release", "padding"), [(OLD, 4), (NEW, 0)])
def test_frames_of_3_3_have_something_between_their_fields(release: Release, padding: int) -> None:
    made = resources.view(ags_built.view(release.name, 1, "V"), release, {}, walks=False)
    assert made.loops[0].frames[0].padding == padding


def test_a_sound_has_what_its_folders_say() -> None:
    said = {"DefaultVolume": "70", "DefaultPriority": "High", "DefaultRepeat": "True"}
    shown = ags_built.clip(NEW.name, 4, "aTune", "Sounds\\a.b\\tune.MP3", FileType="MP3")
    made = resources.audio_clip(shown, NEW, said, 4)
    assert (made.id, made.script_name, made.file_name) == (4, "aTune", "au000005.MP3")
    assert (made.volume, made.priority, made.repeat, made.file_type) == (70, 75, 1, 2)
    assert (made.bundling, made.type) == (1, 2)
    own = ags_built.clip(NEW.name, 4, "aTune", "tune", DefaultVolume=5, DefaultRepeat="False")
    made = resources.audio_clip(own, NEW, said, 4)
    assert (made.volume, made.repeat, made.file_name) == (5, 0, "au000005")
    assert resources.audio_clip(own, NEW, {}, 4).priority == 50


def test_options_of_dialogs() -> None:
    shown = ags_built.dialog(NEW.name, 0, "dTalk", "")
    options = shown.find("DialogOptions")
    assert options is not None
    options.children += [
        node("DialogOption", {"ID": 2, "Text": "Bye", "Show": False, "Say": False}, NEW.name)
    ]
    made = dialog(shown, NEW)
    assert (made.options[:3], made.option_flags[:3]) == (["Hello?", "Bye", ""], [1, 4, 0])
    assert (made.option_count, len(made.options), len(made.option_flags)) == (2, 30, 30)
    newest = new_dialog(shown)
    assert newest.script_name == "dTalk"
    assert [(one.text, one.flags) for one in newest.options] == [("Hello?", 1), ("Bye", 4)]
    options.children *= 16
    with pytest.raises(ElementError, match="at most 30 options, got 32"):
        dialog(shown, NEW)
