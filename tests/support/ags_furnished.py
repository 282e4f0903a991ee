"""Random projects of Adventure Game Studio with several of each thing, and a random value for each
element that the editor has: ``from ags_furnished import furnished``.

What a value may be follows from its kind in ``elements.tsv``; words of the editor and numbers of
other things are listed here.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

import ags_built
import ags_games
from overhaul.ags.project.elements import Value, elements, group, in_folder, leaf, node
from overhaul.document.xmltext import XmlFile, XmlNode

EDITORS: Final = (
    ("3.2.1", "6"), ("3.3.5", "7"), ("3.4.0.16", "13"), ("3.4.3.1", "15"), ("3.5.1.22", "27"),
    ("3.6.0.51", "3060020"), ("3.6.1.30", "3060110"), ("3.6.2.12", "3060209"),
    ("3.6.3.12", "3060312"),
)  # fmt: skip
ROOMS, SPRITES, FONTS = (1, 2, 7), 12, 3
LONG: Final = "x" * 60
_TEXTS: Final = (
    LONG, "", "", "A text", "[brackets] 100%", "two \\\\ backslashes", "\\[n", 'a "quoted" text',
    " blanks ", "<&>", "Gr\xfc\xdfe", "two  blanks", "%s %d", "it's",
)  # fmt: skip
#: The words of elements, by the element, or by class and element.
_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "BundlingType": ("InGameEXE", "InSeparateVOX"),
    "DefaultPriority": ("Inherit", "VeryLow", "Low", "Normal", "High", "VeryHigh"),
    "DefaultRepeat": ("Inherit", "True", "False"),
    "CrossfadeClips": ("No", "SlowFade", "MediumFade", "FastFade"),
    "OutlineStyle": ("None", "Automatic", "UseOutlineFont"),
    "AutoOutlineStyle": ("Squared", "Rounded"),
    "TTFMetricsFixup": ("None", "SetAscenderToHeight"),
    "HeightDefinedBy": ("NominalHeight", "PixelHeight", "CustomValue"),
    "TTFHeightDefinedBy": ("NominalHeight", "PixelHeight"),
    "ClickAction": ("NoAction", "SetCursorMode", "RunScript"),
    "ColorStyle": ("Default", "Dynamic", "DynamicFlat"),
    "PopupStyle": ("Normal", "MouseYPos", "PopupModal", "Persistent"),
    "Visibility": ("Normal", "MouseYPos", "PopupModal", "Persistent", "NormalButInitiallyOff"),
    "SkipSpeech": (
        "MouseOrKeyboardOrTimer",
        "KeyboardOnly",
        "TimerOnly",
        "MouseOrKeyboard",
        "MouseOnly",
    ),
    "WhenInterfaceDisabled": ("GreyOut", "GoBlack", "Unchanged", "TurnOff"),
    "CrossfadeMusic": ("No", "SlowFade", "MediumFade", "FastFade"),
    "GUIAlphaStyle": ("Classic", "AdditiveOpacity", "MultiplyTranslucenceSrcBlend"),
    "SpriteAlphaStyle": ("Classic", "Improved"),
    "SpeechStyle": ("Lucasarts", "SierraTransparent", "SierraWithBackground", "WholeScreen"),
    "CompressSpritesType": ("None", "RLE", "LZW", "Deflate"),
    "RoomTransition": ("FadeOutAndIn", "Instant", "Dissolve", "BlackBoxOut", "CrossFade"),
    "SpeechPortraitSide": ("Left", "Right", "Alternate", "BasedOnCharacterPosition"),
    "RenderAtScreenResolution": ("UserDefined", "True", "False"),
    "ColorDepth": ("Palette", "HighColor", "TrueColor"),
    "TurnOrderPriority": ("Clockwise", "CounterClockwise", "Random", "FaceDown"),
    "TextBoxKeyClaimStyle": ("All", "Handled", "TextOnly"),
    "InventoryHotspotMarkerStyle": ("None", "Crosshair", "Sprite"),
    "ScriptModule": ("GlobalScript.asc", "Module.asc"),
    "CustomPropertySchemaItem.Type": ("Boolean", "Number", "Text"),
    "LipSync.Type": ("None", "Text"),
    "DigitalSound": ("Default", "Disabled"),
    "MidiSound": ("Default", "Disabled"),
    "FullscreenGameScaling": ("MaxInteger", "ProportionalStretch", "StretchToFit"),
    "GameScaling": ("MaxInteger", "ProportionalStretch", "StretchToFit", "Integer"),
    "RuntimeSetup.GraphicsDriver": ("D3D9", "OGL", "Software"),
    "GraphicsFilter": ("stdscale", "linear"),
    "Rotation": ("Unlocked", "Portrait", "Landscape"),
    "TouchToMouseEmulation": ("Off", "OneFinger", "TwoFingers"),
    "TouchToMouseMotionMode": ("Direct", "Relative"),
    "TitleText": ("", "Setup of the game", "x = [1]; # no"),
    "CustomSavePath": ("", "saves", "."),
    "CustomAppDataPath": ("", "data/more"),
    "RuntimeSetup.Translation": ("", "German"),
}
_NUMBERS: Final[dict[str, tuple[int, int]]] = {
    "OutlineFont": (0, FONTS - 1), "Font": (0, FONTS - 1), "TextWindowGUI": (0, 0),
    "DialogOptionsGUI": (0, 1), "ThoughtGUI": (0, 0), "CharacterID": (-1, 2),
    "NewModeNumber": (0, 3), "StartingRoom": (1, 1), "PointSize": (0, 20),
    "SizeMultiplier": (1, 4), "MaxChannels": (0, 2), "Transparency": (0, 100),
    "VolumeReductionWhileSpeechPlaying": (0, 100), "DefaultVolume": (-1, 100),
    "SplitResources": (0, 0), "AnimationDelay": (0, 40), "Width": (1, 400), "Height": (1, 300),
    "ItemWidth": (1, 90), "ItemHeight": (1, 90), "IdleDelay": (0, 100),
    "AutoOutlineThickness": (0, 5), "DefaultRoomMaskResolution": (1, 4), "Padding": (0, 30),
    "Value": (0, 10), "MinValue": (-5, 0), "MaxValue": (10, 100), "GameFPS": (1, 240),
    "InventoryHotspotMarkerDotColor": (1, 65535), "Delay": (-5, 100), "View": (0, 3),
    "NormalView": (1, 3), "SpeechView": (0, 3), "IdleView": (0, 3), "BlinkingView": (0, 3),
    "ThinkingView": (0, 3), "MovementSpeed": (1, 10), "MovementSpeedX": (1, 10),
    "MovementSpeedY": (1, 10),
}  # fmt: skip
_SIGNED: Final = frozenset(
    ("Left", "Top", "StartX", "StartY", "HotspotX", "HotspotY", "HandleOffset", "VerticalOffset",
     "LineSpacing", "DialogOptionsGap", "MovementSpeed", "AnimationDelay", "IdleDelay",
     "PopupYPos", "Baseline", "SpeechAnimationDelay", "CharacterSpacing")
)  # fmt: skip
#: Settings that are not varied here: what a build or another test is about.
_FIXED: Final = frozenset(
    ("GameFileName", "GUIDAsString", "CustomResolution", "Resolution", "UniqueID", "DebugMode",
     "NumberDialogOptions", "ScriptAPIVersion", "ScriptCompatLevel", "EnforceNewStrings",
     "EnforceNewAudio", "EnforceObjectBasedScript", "UseOldCustomDialogOptionsAPI",
     "UseOldKeyboardHandling", "LeftToRightPrecedence", "BuildTargets", "CustomDataDir",
     "DialogScriptNarrateFunction", "DialogScriptSayFunction", "GameTextEncoding",
     "GameTextLanguage", "AttachDataToExe")
)  # fmt: skip


class Furnisher:
    """Makes the project of one seed."""

    def __init__(self, seed: int, editor: str, index: str) -> None:
        self.random = Random(seed)
        self.editor, self.index = editor, index
        self.is_flat = editor < "3.3"
        self.names = 0

    def name(self, start: str) -> str:
        """A name that nothing else has, now and then a long one."""
        self.names += 1
        return f"{start}N{self.names}" + "Long" * self.random.choice((0, 0, 0, 1))

    def text(self) -> str:
        """Some text; a long one where editors cut it."""
        return self.random.choice(_TEXTS[1:] if self.editor < "3.4" else _TEXTS)

    def title(self) -> str:
        """A text that becomes part of a name in scripts, so that nothing else has it."""
        return self.random.choice(("", "The ", "[1] ")) + self.name("t")[:5]

    def value(self, owner: str, name: str, kind: str) -> Value:
        """A value for an element."""
        random = self.random
        words = _WORDS.get(f"{owner}.{name}") or _WORDS.get(name)
        if name == "TextAlignment":
            words = self.aligned(owner)
        if words is not None:
            return random.choice(words)
        if kind == "bool":
            return random.random() < 0.5
        if kind == "int":
            if name in _SIGNED and random.random() < 0.2:
                return -random.randint(1, 90)
            first, last = _NUMBERS.get(name, (0, 300))
            if name.endswith("Color") and random.random() < 0.5:
                last = 65535
            if "Image" in name or name.endswith("Sprite"):
                last = SPRITES - 1
            return random.randint(first, last)
        return self.text()

    def aligned(self, owner: str) -> tuple[str, ...]:
        """The words for how the text of a control is aligned."""
        across = ("Left", "Center", "Right")
        if owner == "GUIListBox" or (owner == "GUILabel" and "3.5" <= self.editor < "3.6.2"):
            return across
        if self.editor < "3.5":
            old = ("TopMiddle", "TopLeft", "TopRight", "MiddleLeft", "Centred", "MiddleRight",
                   "BottomLeft", "BottomMiddle", "BottomRight")  # fmt: skip
            return old if owner == "GUIButton" else old[:3]
        return tuple(row + place for row in ("Top", "Middle", "Bottom") for place in across)

    def made(self, owner: str, groups: list[XmlNode] | None = None, **fixed: Value) -> XmlNode:
        """An object of a class with random values; ``fixed`` are those that it must have."""
        values = {
            element.name: self.value(owner, element.name, element.kind.rstrip("*"))
            for element in elements(owner, self.editor)
        }
        return node(owner, values | fixed, self.editor, groups=groups or [])

    def events(self, count: int) -> XmlNode:
        """Handlers of events: functions of the global script."""
        return ags_built.events([self.random.choice(("", "", "handler")) for _ in range(count)])

    def handler(self) -> str:
        return self.random.choice(("", "handler"))

    def properties(self) -> XmlNode:
        """Custom properties."""
        chosen = [name for name in ("smell", "weight") if self.random.random() < 0.5]
        return ags_built.properties(**{name: self.text() for name in chosen})

    def people(self) -> list[XmlNode]:
        return [
            self.made(
                "Character", [self.properties(), self.events(8)], ID=number,
                ScriptName=self.name("c"), BlockingRectangle="1,2,30,4",
            )
            for number in range(3)
        ]  # fmt: skip

    def items(self) -> list[XmlNode]:
        return [
            self.made("InventoryItem", [self.properties(), self.events(5)],
                      ID=number, Name=self.name("i"))
            for number in range(1, 4)
        ]  # fmt: skip

    def views(self) -> list[XmlNode]:
        views = []
        for number in range(1, 4):
            loops = []
            for loop in range(self.random.randrange(0, 6)):
                frames = [self.made("ViewFrame", ID=frame, Sound=self.random.choice((0, 0, 1, 2)))
                          for frame in range(self.random.randrange(0, 4))]  # fmt: skip
                loops.append(self.made("Loop", [group("Frames", frames)], ID=loop))
            views.append(self.made("View", [group("Loops", loops)], ID=number, Name=self.name("V")))
        return views

    def clips(self) -> list[XmlNode]:
        return [
            self.made("AudioClip", ID=number, Index=number + 1, ScriptName=self.name("a"),
                      SourceFileName=f"Sounds/{name}.ogg", FileType="OGG",
                      Type=self.random.randint(1, 2), FileLastModifiedDate="")
            for number, name in enumerate(("tune", "bell"))
        ]  # fmt: skip

    def guis(self) -> list[XmlNode]:
        kinds = ("GUIButton", "GUILabel", "GUIListBox", "GUISlider", "GUITextBox", "GUIInventory")
        made = []
        for number in range(3):
            controls = []
            for place in range(self.random.randrange(0, 7)):
                kind = self.random.choice(kinds)
                controls.append(
                    self.made(kind, ID=place, Name=self.name("ctl"), ZOrder=place,
                              OnClick=self.handler(), OnChange=self.handler(),
                              OnActivate=self.handler(), OnSelectionChanged=self.handler())
                )  # fmt: skip
            window = self.made("NormalGUI", ID=number, Name=self.name("g"), OnClick=self.handler())
            made.append(group("GUIMain", [window, group("Controls", controls)]))
        edges = [self.made("GUITextWindowEdge", ID=place, Name="", ZOrder=place)
                 for place in range(8)]  # fmt: skip
        window = self.made("TextWindowGUI", ID=3, Name=self.name("g"))
        made.append(group("GUIMain", [window, group("Controls", edges)]))
        return made

    def dialogs(self) -> list[XmlNode]:
        made = []
        for number in range(2):
            options = [
                self.made("DialogOption", ID=option)
                for option in range(1, self.random.randrange(1, 5))
            ]
            lines = "".join(f"@{place + 1}\nreturn\n" for place in range(len(options)))
            dialog = self.made("Dialog", ID=number, Name=self.name("d"))
            dialog.children = [child for child in dialog.children if child.tag != "Script"]
            dialog.children += [XmlNode("Script", f"@S\nreturn\n{lines}", cdata=True),
                                group("DialogOptions", options)]  # fmt: skip
            made.append(dialog)
        return made

    def sections(self) -> dict[str, XmlNode]:
        """The sections of the project that differ from those of the small one."""
        editor, flat = self.editor, self.is_flat
        schema = [self.made("CustomPropertySchemaItem", Name=name) for name in ("smell", "weight")]
        rooms = [self.made("UnloadedRoom", Number=number) for number in ROOMS]
        folder = self.made("AudioClipFolder", DefaultPriority="Low", DefaultRepeat="False",
                           DefaultVolume=70, DefaultType=1)  # fmt: skip
        words = [group("TextParserWord", [leaf("WordGroup", number), leaf("Word", word)])
                 for number, word in ((3, "look"), (3, "see"), (9, "the"))]  # fmt: skip
        cursors = [self.made("MouseCursor", ID=number, Name=self.title()) for number in range(4)]
        fonts = [
            self.made("Font", ID=number, Name=self.title(), SourceFilename="")
            for number in range(FONTS)
        ]
        variables = [
            node("GlobalVariable", {"Name": self.name("v"), "Type": kind, "DefaultValue": value},
                 editor)
            for kind, value in (("int", "7"), ("bool", "true"), ("float", "1.5"),
                                ("String", 'a "b"'), ("short", "3"), ("char", "65"))
        ]  # fmt: skip
        palette = [
            XmlNode("PaletteEntry", attributes={
                "Index": str(place), "Type": self.random.choice(("Background", "Gamewide")),
                "Red": str(self.random.randrange(64) * 4),
                "Green": str(self.random.randrange(64) * 4), "Blue": "252"})
            for place in range(256)
        ]  # fmt: skip
        sprites = [
            XmlNode("Sprite", attributes={
                "Slot": str(slot), "Resolution": self.random.choice(("Real", "LowRes", "HighRes")),
                "AlphaChannel": str(self.random.random() < 0.5)})
            for slot in range(SPRITES)
        ]  # fmt: skip
        settings: dict[str, Value] = {
            element.name: self.value("Settings", element.name, element.kind.rstrip("*"))
            for element in elements("Settings", editor)
            if element.name not in _FIXED
        }
        made = [
            ags_built.settings(editor, **settings),
            self.made("RuntimeSetup", MouseSpeed="1.5"),
            group("LipSync", [
                leaf("Type", self.random.choice(("None", "Text"))),
                leaf("DefaultFrame", self.random.randrange(20)),
                group("Frames", [
                    leaf("CharsForFrame", self.random.choice(("", "A/B/Th", "O")))
                    for _ in range(20)
                ]),
            ]),
            group("PropertyDefinitions", schema),
            group("GlobalMessages", [
                XmlNode("Message", self.text(), {"ID": str(number)}) for number in range(500, 1000)
            ]),
            group("Plugins", [
                group("Plugin", [leaf("FileName", "agsblend.dll"),
                                 leaf("Data", self.random.choice(("", "AAEC")))])
            ] if self.random.random() < 0.3 else []),
            group("Rooms", rooms if flat else [group("UnloadedRoomFolder", [
                XmlNode("SubFolders"), group("UnloadedRooms", rooms)], Name="Main")]),
            in_folder("GUIs", "GUI", self.guis(), editor, flat),
            in_folder("InventoryItems", "InventoryItem", self.items(), editor, flat),
            group("TextParser", [group("Words", words)]),
            in_folder("Characters", "Character", self.people(), editor, flat),
            leaf("PlayerCharacter", self.random.randrange(3)),
            in_folder("Dialogs", "Dialog", self.dialogs(), editor, flat),
            group("Cursors", cursors),
            group("Fonts", fonts),
            group("Palette", palette),
            group("GlobalVariables", [group("Variables", variables)]),
            group("Sprites", [group("SpriteFolder", [
                XmlNode("SubFolders"), group("Sprites", sprites)], Name="Main")]),
            in_folder("Views", "View", self.views(), editor, False),
            group("AudioClips", [group("AudioClipFolder", [
                XmlNode("SubFolders"), group("AudioClips", self.clips()), folder], Name="Main")]),
            group("AudioClipTypes", [self.made("AudioClipType", TypeID=number, Name=self.title())
                                     for number in (1, 2)]),
        ]  # fmt: skip
        return {section.tag: section for section in made}


def furnished(seed: int, editor: str, index: str) -> XmlFile:
    """The project of a seed."""
    file = ags_built.project(editor, index)
    game = file.root.children[0]
    made = Furnisher(seed, editor, index).sections()
    game.children = [made.get(section.tag, section) for section in game.children]
    return file


def write(folder: Path, file: XmlFile) -> Path:
    """Write such a project with its files; returns the folder."""
    ags_built.write(folder, file)
    (folder / "acsprset.spr").write_bytes(ags_built.sprites(SPRITES))
    for number in ROOMS:
        (folder / f"room{number}.crm").write_bytes(ags_games.room().to_bytes())
        (folder / f"room{number}.asc").write_bytes(b"")
    for number in range(FONTS):
        (folder / f"AGSFNT{number}.WFN").write_bytes(ags_games.wfn("ab"))
    script = "function dialog_request(int param) { } function handler() { }\n"
    (folder / "GlobalScript.asc").write_text(script)
    return folder
