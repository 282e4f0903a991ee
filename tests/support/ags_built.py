"""A small project of Adventure Game Studio's editor, with all that a game is built of."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import ags_games
from overhaul.ags.pictures import Pixels
from overhaul.ags.project.elements import Value, group, in_folder, leaf, node
from overhaul.ags.sprites import EmptySlot, SpriteSet
from overhaul.document.xmltext import XmlFile, XmlNode, write_xml

EDITOR, INDEX = "3.6.2.12", "3060209"
UNIQUE_ID = 4711
#: An old editor: the release, not the build, and ANSI texts.
OLD_EDITOR, OLD_INDEX = "3.4.1", "15"
TALK = "@S\nEgo: Hi.\nreturn\n@1\nstop\n"


def events(names: Iterable[str], module: str = "") -> XmlNode:
    """The handlers of a thing."""
    listed = [XmlNode("Event", name, {"Index": str(at)}) for at, name in enumerate(names)]
    return group("Interactions", [*([leaf("ScriptModule", module)] if module else []), *listed])


def properties(**values: str) -> XmlNode:
    """The custom properties of a thing."""
    return group(
        "Properties",
        [
            group("CustomProperty", [leaf("Name", name), leaf("Value", value)])
            for name, value in values.items()
        ],
    )


def settings(editor: str, **more: Value) -> XmlNode:
    """The settings."""
    values: dict[str, Value] = {
        "GameName": "A small game",
        "GameFileName": "Small",
        "UniqueID": UNIQUE_ID,
        "CustomResolution": "320,200",
        "Resolution": "R320x200",
        "GUIDAsString": "{1-2}",
        "SaveGameFolderName": "Saves",
        "InventoryHotspotMarkerStyle": "None",
        "DebugMode": False,
        "GameFPS": 40,
    }
    return node("Settings", values | more, editor)


def character(editor: str, number: int, name: str, **more: Value) -> XmlNode:
    """A character without handlers."""
    values: dict[str, Value] = {"ID": number, "ScriptName": name, "RealName": name[1:],
                                "NormalView": 1, "StartingRoom": 1}  # fmt: skip
    groups = [properties(), events([""] * 8)]
    return node("Character", values | more, editor, groups=groups)


def view(editor: str, number: int, name: str, frames: int = 1, sound: int = 0) -> XmlNode:
    """A view of one loop."""
    made = [
        node("ViewFrame", {"ID": at, "Image": at, "Sound": sound if not at else 0}, editor)
        for at in range(frames)
    ]
    loop = node("Loop", {"ID": 0}, editor, groups=[group("Frames", made)])
    return node("View", {"ID": number, "Name": name}, editor, groups=[group("Loops", [loop])])


def clip(editor: str, number: int, name: str, source: str, **more: Value) -> XmlNode:
    """A sound; its fixed index is one more than its number."""
    values: dict[str, Value] = {
        "ID": number, "Index": number + 1, "ScriptName": name, "SourceFileName": source,
        "FileType": "OGG", "Type": 2,
    }  # fmt: skip
    return node("AudioClip", values | more, editor)


def script(editor: str, name: str) -> XmlNode:
    """A script with its header."""
    parts = [
        group(f"ScriptAndHeader_{part}", [
            node("Script", {"FileName": f"{name}.{ending}", "IsHeader": part == "Header"}, editor)
        ])
        for part, ending in (("Header", "ash"), ("Script", "asc"))
    ]  # fmt: skip
    return group("ScriptAndHeader", parts)


def dialog(editor: str, number: int, name: str, lines: str) -> XmlNode:
    """A dialog with one option."""
    option = node("DialogOption", {"ID": 1, "Text": "Hello?", "Show": True, "Say": True}, editor)
    made = node("Dialog", {"ID": number, "Name": name}, editor)
    made.children = [child for child in made.children if child.tag != "Script"]
    made.children += [XmlNode("Script", lines, cdata=True), group("DialogOptions", [option])]
    return made


def gui(editor: str, number: int, name: str, controls: Iterable[XmlNode] = ()) -> XmlNode:
    """A GUI."""
    window = node(
        "NormalGUI",
        {"ID": number, "Name": name, "Width": 100, "Height": 50, "PopupStyle": "Normal",
         "Visibility": "Normal", "Visible": True},
        editor,
    )  # fmt: skip
    return group("GUIMain", [window, group("Controls", controls)])


def project(editor: str = EDITOR, index: str = INDEX, **more: Value) -> XmlFile:
    """A project with one of each thing; ``more`` are settings."""
    flat = editor < "3.3"
    button = node(
        "GUIButton",
        {"Name": "btnOk", "Text": "Ok", "TextAlignment": "MiddleCenter", "OnClick": "ok"},
        editor,
    )
    if editor < "3.5":
        aligned = button.find("TextAlignment")
        assert aligned is not None
        aligned.text = "Centred"
    item = node(
        "InventoryItem", {"ID": 1, "Name": "iKey", "Description": "A key",
                          "PlayerStartsWithItem": True},
        editor, groups=[properties(smell="rust"), events(["iKey_Look", "", "", "", ""])],
    )  # fmt: skip
    schema = node("CustomPropertySchemaItem", {"Name": "smell", "Type": "Text"}, editor)
    room = node("UnloadedRoom", {"Number": 1, "Description": "The room"}, editor)
    sounds = group("AudioClipFolder", [
        XmlNode("SubFolders"),
        group("AudioClips", [
            clip(editor, 0, "aTune", "Sounds/tune.ogg", BundlingType="InSeparateVOX"),
            clip(editor, 1, "aBell", "Sounds/bell.ogg"),
        ]),
        node("AudioClipFolder", {"DefaultVolume": 70}, editor),
    ], Name="Main")  # fmt: skip
    sections = [
        settings(editor, **more),
        node("RuntimeSetup", {"TitleText": "A small game Setup"}, editor),
        group("LipSync", [leaf("Type", "None"), leaf("DefaultFrame", 0), XmlNode("Frames")]),
        group("PropertyDefinitions", [schema]),
        group("GlobalMessages", [XmlNode("Message", "It is locked", {"ID": "502"})]),
        XmlNode("Plugins"),
        group("Rooms", [room] if flat else [group("UnloadedRoomFolder", [
            XmlNode("SubFolders"), group("UnloadedRooms", [room])
        ], Name="Main")]),
        in_folder("GUIs", "GUI", [gui(editor, 0, "gMenu", [button])], editor, flat),
        in_folder("InventoryItems", "InventoryItem", [item], editor, flat),
        group("TextParser", [group("Words", [
            group("TextParserWord", [leaf("WordGroup", 3), leaf("Word", "look")])
        ])]),
        in_folder("Characters", "Character", [character(editor, 0, "cEgo")], editor, flat),
        leaf("PlayerCharacter", 0),
        in_folder("Dialogs", "Dialog", [dialog(editor, 0, "dTalk", TALK)], editor, flat),
        group("Cursors", [node("MouseCursor", {"ID": 0, "Name": "Walk to", "Image": 3}, editor)]),
        group("Fonts", [node("Font", {"ID": 0, "Name": "Plain", "PointSize": 9}, editor)]),
        group("Palette", [XmlNode("PaletteEntry", attributes={
            "Index": "1", "Type": "Background", "Red": "252", "Green": "128", "Blue": "7"})]),
        group("GlobalVariables", [group("Variables", [
            node("GlobalVariable", {"Name": "count", "Type": "int", "DefaultValue": "7"}, editor)
        ])]),
        group("Sprites", [group("SpriteFolder", [XmlNode("SubFolders"), group("Sprites", [
            XmlNode("Sprite", attributes={
                "Slot": "0", "Resolution": "Real", "AlphaChannel": "True"})
        ])], Name="Main")]),
        in_folder("Views", "View", [view(editor, 1, "VEGO", 2, sound=2)], editor, False),
        in_folder("Scripts", "Script", [script(editor, "Module"), script(editor, "GlobalScript")],
                  editor, flat) if flat else group("Scripts", [group("ScriptFolder", [
                      XmlNode("SubFolders"),
                      group("ScriptAndHeaders",
                            [script(editor, "Module"), script(editor, "GlobalScript")]),
                  ], Name="Main")]),
        group("AudioClips", [sounds]),
        group("AudioClipTypes", [
            node("AudioClipType", {"TypeID": number, "Name": name}, editor)
            for number, name in ((1, "Ambient Sound"), (2, "Music"))
        ]),
        group("Translations", [group("Translation", [leaf("Name", "German")])]),
    ]  # fmt: skip
    root = group("AGSEditorDocument", [group("Game", sections)], Version="3.0.3.2",
                 VersionIndex=index, EditorVersion=editor)  # fmt: skip
    encoding = "utf-8" if editor >= "3.6" else "Windows-1252"
    return XmlFile(root, encoding=encoding, has_mark=False)


SCRIPTS = {
    "Module.ash": "import int twice(int a);\n",
    "Module.asc": "int twice(int a) { return a * 2; }\n",
    "GlobalScript.ash": "",
    "GlobalScript.asc": (
        "function game_start() { count = twice(count); }\n"
        "function iKey_Look() { Display(\"A key.\"); }\n"
        "function ok(GUIControl *control, MouseButton button) { gMenu.Visible = false; }\n"
        "function dialog_request(int param) { }\n"
    ),
    "room1.asc": "function room_Load() { cEgo.Say(\"Here.\"); }\n",
}  # fmt: skip


def sprites(count: int = 1) -> bytes:
    """A sprite set."""
    made = SpriteSet(slots=[EmptySlot() for _ in range(count)])
    for slot in range(count):
        made.replace(slot, Pixels(2, 2, 4, bytes(16)))
    return made.to_bytes()


def write(folder: Path, file: XmlFile | None = None) -> Path:
    """Write a project with its files; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = file or project()
    (folder / "Game.agf").write_bytes(write_xml(file))
    for name, text in SCRIPTS.items():
        (folder / name).write_text(text, newline="\n")
    (folder / "room1.crm").write_bytes(ags_games.room().to_bytes())
    (folder / "acsprset.spr").write_bytes(sprites())
    (folder / "AGSFNT0.WFN").write_bytes(ags_games.wfn("ab"))
    (folder / "AudioCache").mkdir(exist_ok=True)
    (folder / "AudioCache" / "au000001.ogg").write_bytes(b"OggS tune")
    (folder / "AudioCache" / "au000002.ogg").write_bytes(b"OggS bell")
    (folder / "German.trs").write_text(
        "// AGS TRANSLATION SOURCE FILE\n//#NormalFont=DEFAULT\n//#Encoding=UTF-8\n"
        "Here.\nHier.\nA key.\n\n",
        encoding="utf-8",
    )
    return folder
