"""GUIs of a project: windows and their controls, of each release."""

from __future__ import annotations

import pytest

import ags_built
from overhaul.ags.game.extensions import (
    ButtonLook,
    ControlColours,
    InventoryLook,
    LabelLook,
    SliderLook,
    TextBoxLook,
)
from overhaul.ags.project.building.guis import windows
from overhaul.ags.project.building.reading import ElementError
from overhaul.ags.project.building.releases import Release, release_of
from overhaul.ags.project.elements import Value, group, leaf, node
from overhaul.document.xmltext import XmlNode

NEW, MIDDLE, OLD = (release_of(name, "") for name in ("3.6.2.12", "3.5.0.24", "3.3.5"))
NEWEST, LATE_OLD = release_of("3.6.3.10", ""), release_of("3.4.1", "15")
LAST_WITH_ENDS, FIRST_PLAIN = release_of("3.4.0", "13"), release_of("3.4.1", "14")


def control(release: Release, tag: str, **values: Value) -> XmlNode:
    """A control."""
    aligned: dict[str, Value] = {"TextAlignment": "Left"}
    if tag == "GUIButton":
        aligned["TextAlignment"] = "TopCenter" if release.gui >= 119 else "TopMiddle"
    return node(tag, aligned | values, release.name)


def test_a_window_refers_to_its_controls_by_type() -> None:
    controls = [control(NEW, tag) for tag in ("GUIButton", "GUILabel", "GUIButton", "GUIListBox")]
    other = ags_built.gui(NEW.name, 1, "gB", [control(NEW, "GUIButton")])
    made = windows([ags_built.gui(NEW.name, 0, "gA", controls), other], NEW)
    first, second = made.section.guis
    assert first.control_references == [1 << 16, 2 << 16, 1 << 16 | 1, 6 << 16]
    assert (first.control_count, second.control_references) == (4, [1 << 16 | 2])
    assert (len(made.section.buttons), len(made.padding)) == (3, 3)
    assert (first.name, first.width, first.height, first.padding) == ("gA", 100, 50, 3)
    assert first.flags == 1 | 4  # clickable, visible
    assert made.modules == ["GlobalScript.asc", "GlobalScript.asc"]


def test_a_window_of_old_releases() -> None:
    shown = ags_built.gui(LATE_OLD.name, 0, "gA")
    visibility, clickable = (
        shown.find(f"NormalGUI/{name}") for name in ("Visibility", "Clickable")
    )
    assert visibility is not None and clickable is not None
    visibility.text, clickable.text = "NormalButInitiallyOff", "False"
    (made,) = windows([shown], LATE_OLD).section.guis
    assert (made.popup_style, made.flags, made.visibility) == (4, 1, 1)
    assert (made.mouse_x, made.mouse_y, made.highlight_control) == (-1, -1, -1)
    (old,) = windows([ags_built.gui(OLD.name, 0, "gA")], OLD).section.guis
    assert (old.padding, len(old.control_references)) == (0, 30)


@pytest.mark.parametrize(
    ("release", "flags", "tag", "padding"),
    [(NEW, 2, bytes(4), 7), (LATE_OLD, 2, b"\5\0\0\0", 7), (OLD, 0, b"\5\0\0\0", 0)],
)
def test_a_window_that_frames_texts(release: Release, flags: int, tag: bytes, padding: int) -> None:
    values: dict[str, Value] = {"ID": 0, "Name": "gText", "TextColor": 9, "BackgroundColor": 8,
                                "Padding": 7}  # fmt: skip
    edge = node("GUITextWindowEdge", {"Image": 5, "Width": 4}, release.name)
    shown = group("GUIMain", [node("TextWindowGUI", values, release.name),
                              group("Controls", [edge])])  # fmt: skip
    made = windows([shown], release).section
    window, button = made.guis[0], made.buttons[0]
    assert (window.width, window.height, window.popup_style, window.popup_y) == (200, 100, 2, -1)
    assert (window.foreground_colour, window.background_colour) == (9, 8)
    assert (window.flags, window.tag, window.padding, window.z_order) == (flags, tag, padding, -1)
    assert (button.picture, button.mouse_over_picture, button.pushed_picture) == (5, -1, -1)
    assert (button.left_action, button.events, button.width) == (2, [""], 4)
    assert (button.font, button.text_colour, button.left_data, button.text) == (0, 0, 0, "")
    assert not button.flags & 32  # its picture is not clipped
    assert button.alignment == (2 if release.gui >= 119 else 0)


def test_buttons() -> None:
    values: dict[str, Value] = {
        "Text": r"a\nb", "ClickAction": "SetCursorMode", "NewModeNumber": 3, "Image": 4,
        "ClipImage": True, "WrapText": True, "OnClick": "click", "TextPaddingHorizontal": 6,
    }  # fmt: skip
    made = windows([ags_built.gui(NEW.name, 0, "g", [control(NEW, "GUIButton", **values)])], NEW)
    (button,) = made.section.buttons
    assert (button.text, button.left_action, button.left_data) == ("a\nb", 1, 3)
    assert button.flags == 4 | 16 | 64 | 128 | 32 | 256
    assert (button.events, button.alignment, button.current_picture) == (["click"], 2, 0)
    assert (made.padding[0].x, made.padding[0].y) == (6, 2)
    old = windows([ags_built.gui(OLD.name, 0, "g", [control(OLD, "GUIButton", Image=4)])], OLD)
    assert (old.section.buttons[0].current_picture, old.section.buttons[0].flags) == (4, 0)


@pytest.mark.parametrize(
    ("release", "word", "stored"),
    [(NEW, "TopCenter", 2), (NEW, "Right", 4), (MIDDLE, "Center", 2), (LATE_OLD, "TopMiddle", 2),
     (LATE_OLD, "TopRight", 1), (LATE_OLD, "Left", 0), (NEW, "0", 0), (NEW, "BottomRight", 256)],
)  # fmt: skip
def test_how_labels_are_aligned(release: Release, word: str, stored: int) -> None:
    label = control(release, "GUILabel", Text="x", TextAlignment=word)
    made = windows([ags_built.gui(release.name, 0, "g", [label])], release)
    assert made.section.labels[0].alignment == stored


@pytest.mark.parametrize(
    ("release", "text"),
    [(OLD, "x\0"), (LAST_WITH_ENDS, "x\0"), (FIRST_PLAIN, "x"), (LATE_OLD, "x"), (NEW, "x")],
)
def test_labels_up_to_3_4_0_count_the_end_of_their_text(release: Release, text: str) -> None:
    shown = ags_built.gui(release.name, 0, "g", [control(release, "GUILabel", Text="x")])
    assert windows([shown], release).section.labels[0].text == text


def test_other_controls() -> None:
    shown = [
        control(NEW, "GUISlider", MinValue=1, MaxValue=9, Value=5, OnChange="slid"),
        control(NEW, "GUITextBox", Text="t", ShowBorder=True, OnActivate="typed"),
        control(NEW, "GUIListBox", ShowBorder=True, ShowScrollArrows=False, Translated=True),
        control(NEW, "GUIInventory", CharacterID=2, ItemWidth=40),
    ]
    made = windows([ags_built.gui(NEW.name, 0, "g", shown)], NEW).section
    assert (made.sliders[0].minimum, made.sliders[0].maximum, made.sliders[0].value) == (1, 9, 5)
    assert (made.sliders[0].events, made.text_boxes[0].events) == (["slid"], ["typed"])
    assert (made.text_boxes[0].text, made.text_boxes[0].box_flags) == ("t", 1)
    assert (made.list_boxes[0].box_flags, made.list_boxes[0].events) == (1, [""])
    assert (made.inventory_windows[0].character, made.inventory_windows[0].item_width) == (2, 40)
    assert made.inventory_windows[0].events == []


@pytest.mark.parametrize(("editor", "is_said"), [("3.6.1.1", False), ("3.6.1.2", True)])
def test_labels_say_that_they_are_translated_since_3_6_1_2(editor: str, is_said: bool) -> None:
    release = release_of(editor, "")
    shown = [control(release, "GUILabel", Translated=said) for said in (False, True)]
    made = windows([ags_built.gui(release.name, 0, "g", shown)], release)
    plain, translated = (label.flags for label in made.section.labels)
    assert (translated != plain) == is_said


def test_only_lists_are_translated_before_3_6_1() -> None:
    shown = [control(MIDDLE, "GUILabel"), control(MIDDLE, "GUIListBox", Translated=True)]
    made = windows([ags_built.gui(MIDDLE.name, 0, "g", shown)], MIDDLE).section
    assert (made.labels[0].flags & 128, made.list_boxes[0].flags & 128) == (0, 128)


def test_the_looks_of_3_6_3() -> None:
    button = control(
        NEWEST, "GUIButton", BackgroundColor=1, BorderWidth=2, PushedTextColor=3, ShowBorder=True,
        SolidBackground=True, ColorStyle="DynamicFlat",
    )  # fmt: skip
    box = control(NEWEST, "GUITextBox", PaddingX=4, TextAlignment="TopRight", ShowBorder=True)
    made = windows([ags_built.gui(NEWEST.name, 0, "g", [button, box])], NEWEST)
    look, other = made.looks.buttons[0], made.looks.text_boxes[0]
    assert isinstance(look, ButtonLook) and isinstance(other, TextBoxLook)
    assert (look.background_colour, look.border_width, look.pushed_text, look.flags) == (1, 2, 3, 2)
    assert made.section.buttons[0].flags & 0x600 == 0x600
    assert (other.padding_x, other.text_alignment) == (4, 4)
    assert made.section.text_boxes[0].flags & 0x600 == 0
    assert made.section.text_boxes[0].box_flags == 1


@pytest.mark.parametrize(
    ("kind", "listed", "look"),
    [
        ("GUIButton", "buttons", ButtonLook),
        ("GUILabel", "labels", LabelLook),
        ("GUIInventory", "inventory_windows", InventoryLook),
        ("GUISlider", "sliders", SliderLook),
        ("GUITextBox", "text_boxes", TextBoxLook),
        ("GUIListBox", "list_boxes", LabelLook),
    ],
)
def test_each_kind_of_control_has_a_look_of_its_own(
    kind: str, listed: str, look: type[ControlColours]
) -> None:
    aligned: dict[str, Value] = {"TextAlignment": "TopRight"} if look is TextBoxLook else {}
    shown = control(NEWEST, kind, BackgroundColor=7, **aligned)
    made = windows([ags_built.gui(NEWEST.name, 0, "g", [shown])], NEWEST).looks
    (found,) = getattr(made, listed)
    assert type(found) is look and found.background_colour == 7


def test_what_is_refused() -> None:
    with pytest.raises(ElementError, match="expected a NormalGUI or a TextWindowGUI"):
        windows([XmlNode("GUIMain")], NEW)
    shown = ags_built.gui(NEW.name, 0, "g", [XmlNode("GUIDial")])
    with pytest.raises(ElementError, match="a control of the unknown class GUIDial"):
        windows([shown], NEW)
    wrong = ags_built.gui(NEW.name, 0, "g", [control(NEW, "GUIButton", ClickAction="Explode")])
    with pytest.raises(ElementError, match="expected one of NoAction") as caught:
        windows([wrong], NEW)
    assert caught.value.node.tag == "ClickAction"


@pytest.mark.parametrize(
    ("kind", "name", "words", "last", "first"),
    [
        ("GUIListBox", "Translated", (False, True), "3.2.1", "3.3.0"),
        ("GUILabel", "Translated", (False, True), "3.6.1.1", "3.6.1.2"),
        ("GUIButton", "WrapText", (False, True), "3.6.2.1", "3.6.2.2"),
        *(
            (kind, name, (False, True), "3.4.3", "3.5.0.24")
            for kind in ("GUIButton", "GUISlider", "GUIInventory")
            for name in ("Enabled", "Visible", "Clickable")
        ),
    ],
)
def test_since_when_a_control_says_something(
    kind: str, name: str, words: tuple[Value, Value], last: str, first: str
) -> None:
    """Two values give two flags since the first release; in the last one before they do not."""
    for editor, is_said in ((last, False), (first, True)):
        release = release_of(editor, "")
        shown = []
        for word in words:
            made = control(release, kind)
            made.children = [child for child in made.children if child.tag != name]
            made.children.append(leaf(name, str(word)))
            shown.append(made)
        section = windows([ags_built.gui(release.name, 0, "g", shown)], release).section
        lists = (section.buttons, section.labels, section.sliders, section.list_boxes,
                 section.inventory_windows)  # fmt: skip
        flags = [one.flags for listed in lists for one in listed]
        assert len(flags) == 2 and (flags[0] != flags[1]) == is_said, editor


@pytest.mark.parametrize(
    ("editor", "references", "padding", "frame_flags", "mouse"),
    [
        ("3.2.1", 30, 0, 0, -1),
        ("3.3.5", 30, 0, 0, -1),
        ("3.4.0", 2, 3, 2, -1),
        ("3.4.3", 2, 3, 2, -1),
        ("3.5.0.24", 2, 3, 2, 0),
        ("3.6.3.10", 2, 3, 2, 0),
    ],
)
def test_what_windows_of_each_release_have(
    editor: str, references: int, padding: int, frame_flags: int, mouse: int
) -> None:
    """Room for 30 controls, a padding, a flag of those that frame texts, and what a game uses."""
    release = release_of(editor, "13" if editor == "3.4.0" else "")
    shown = [control(release, tag) for tag in ("GUIButton", "GUISlider")]
    frame = group("GUIMain", [node("TextWindowGUI", {"Name": "g"}, editor), group("Controls", [])])
    made = windows([ags_built.gui(editor, 0, "g", shown), frame], release).section.guis
    assert made[0].control_references == [
        1 << 16, 4 << 16, *[0] * (references - 2)
    ]  # fmt: skip
    assert [each.padding for each in made] == [padding, padding]
    assert made[1].flags == frame_flags
    for each in made:
        used = (each.mouse_over_control, each.mouse_x, each.mouse_y, each.mouse_down_control,
                each.highlight_control)  # fmt: skip
        assert used == (mouse,) * 5
        assert each.visibility == -mouse
