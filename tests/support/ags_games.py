"""A small game of Adventure Game Studio: dialogs, scripts, GUIs, a room, in a package."""

from __future__ import annotations

import struct

from ags_things import make_even
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import GAME
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.game.extensions import BLOCKS
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import Button, Gui, Label
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import Character, Dialog, Font, InventoryItem
from overhaul.ags.library.package import Package
from overhaul.ags.pictures import Pixels
from overhaul.ags.properties import Property, PropertyDefinition, PropertySet
from overhaul.ags.room.records import MainBlock, MessageInfo, ObjectNames, Point, RoomObject
from overhaul.ags.room.room import Room, block_format
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.model import Script

SAY = """
    push op
    movl ax, @string {text}
    farpush ax
    movl mar, @import "{who}"
    mov mar, ax
    callobj ax
    setfuncargs 1
    movl ax, @import "Character::Say^101"
    farcall ax
    farsubsp 1
    pop op
"""
DISPLAY = """
    sourceline {line}
    movl ax, @string {text}
    farpush ax
    setfuncargs 1
    movl ax, @import "Display^101"
    farcall ax
    farsubsp 1
"""
COMPARE = """
    movl ax, @string {text}
    push ax
    movl ax, @string {text}
    pop bx
    streq bx, ax
"""


def script(section: str, texts: list[tuple[str, str]]) -> Script:
    """A script that uses texts in turn: each with ``Display``, ``compared`` or who says it.

    A text ``""`` starts a new section, which the second part names.
    """
    strings, code, sections, number = [], ["L0:"], [(section, "L0")], 0
    for count, (text, use) in enumerate(texts):
        if not text:
            label = f"L{1000 + count}"
            sections.append((use, label))
            code.append(f"{label}:")
            continue
        name = f"s{number}"
        number += len(text.encode()) + 1
        quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        strings.append(f'    {name}: "{quoted}"')
        form = {"Display": DISPLAY, "compared": COMPARE}.get(use, SAY)
        code.append(form.format(text=name, who=use, line=count + 1))
    names = sorted({use for text, use in texts if text} - {"Display", "compared"})
    imports = ["Display^101", "Character::Say^101", *names]
    return assemble(
        "\n".join(
            [
                ".script 90",
                ".data 0",
                ".strings",
                *strings,
                f".imports {len(imports) + 1}",
                *(f'    {index}: "{name}"' for index, name in enumerate(imports, 1)),
                ".exports",
                ".sections",
                *(f'    "{name}" {label}' for name, label in sections),
                ".code",
                *code,
                "    ret",
            ]
        )
    )


def game(version: int = 3060021, compiled: str = "3.6.0.51", name: str = "Small Game") -> Game:
    """Its texts are those of :func:`texts`."""
    content = GameContent()
    content.settings.name = name
    content.settings.unique_id = 4711
    content.settings.options[49] = 65001 if version > 3000000 else 0
    content.settings.has_script = 1
    content.settings.has_message[2] = 1
    content.messages = ["You can't do that"]
    content.characters = [
        Character(name="Ego", script_name="cEgo", normal_view=-1),
        Character(name="Bob", normal_view=-1),
    ]
    content.inventory = [InventoryItem(), InventoryItem("cup")]
    options = ["Who are you?", "Bye [for now]", *[""] * 28]
    content.dialogs = [Dialog(options=options, option_count=2)]
    content.dialog_script = script(
        "__DialogScripts.asc",
        [("", "Dialog 0"), ("&7 I'm Bob.", "cBob"), ('So "long"!', "cEgo"), ("", "Dialog 1")],
    )
    content.global_script = script(
        "GlobalScript.asc",
        [("You have %d coins, %s.", "Display"), ("open", "compared"), ("one\ntwo", "Display")],
    )
    content.property_schema.definitions = [
        PropertyDefinition("smell", 3, "", "It smells of nothing"),
        PropertyDefinition("age", 2, "", "0"),
    ]
    content.character_properties = [
        PropertySet(values=[Property("smell", "Roses"), Property("age", "-5")]),
        PropertySet(),
    ]
    content.gui.guis = [Gui(name="gBar", control_references=[2 << 16, 1 << 16], control_count=2)]
    content.gui.labels = [Label(name="lScore", text="Score: @SCORE@", font=1)]
    content.gui.buttons = [Button(name="bSave", text="Save", font=0)]
    content.fonts = [Font(), Font()]
    content.lip_sync = [""] * 20
    made = Game(version=version, content=content, blocks=DecodedBlocks(GAME, version))
    made.header.compiled_with = compiled
    if version > 3000000:
        for id in ("v360_fonts", "v360_cursors"):
            made.blocks.add(id, BLOCKS[id]())
    make_even(made.tables())
    made.recompute_counts()
    return made


#: the texts with letters, in the order of the editor; those of the game's name come from 3.6 on
TEXTS = [
    "Small Game",
    "Who are you?",
    "Bye [for now]",
    "&7 I'm Bob.",
    'So "long"!',
    "You have %d coins, %s.",
    "open",
    "one\ntwo",
    "It smells of nothing",
    "Score: @SCORE@",
    "Save",
    "Ego",
    "Roses",
    "Bob",
    "cup",
    "You can't do that",
    "A door opens",
    "A message of the room",
    "the door",
    "a lamp",
]


def room(version: int = 33) -> Room:
    """A room with a script, a message, a hotspot and an object."""
    main = MainBlock(hotspot_count=2, objects=[RoomObject()], walk_area_count=0)
    main.hotspot_names, main.hotspot_script_names = ["", "the door"], ["", ""]
    main.walk_to_points, main.hotspot_events = [Point(), Point()], [[], []]
    main.object_events, main.object_baselines, main.object_flags = [[]], [0], [0]
    main.walk_area_light, main.width, main.height = [0] * 16, 4, 3
    main.message_count, main.messages = 1, ["A message of the room"]
    main.message_info = [MessageInfo()]
    main.background.set_pixels(Pixels(4, 3, 1, bytes(12)), signed=False)
    for name in ("region", "walkable", "walk_behind", "hotspot"):
        getattr(main, f"{name}_mask").set_pixels(Pixels(4, 3, 1, bytes(12)), by_row=False)
    made = Room(version=version, blocks=DecodedBlocks(block_format(version), version))
    made.blocks.add(1, main)
    made.blocks.add(5, ObjectNames(["a lamp"]))
    made.blocks.add(7, script("room1.asc", [("A door opens", "Display")]))
    return made


def wfn(letters: str, encoding: str = "utf-8") -> bytes:
    """A font with some letters, at their codes; the others have no pixels."""
    signature = b"WGT Font File  "
    codes = {
        ord(letter) if encoding == "utf-8" else letter.encode(encoding)[0] for letter in letters
    }
    count = max(codes) + 1
    full, empty = struct.pack("<HH", 8, 1) + b"\x7e", struct.pack("<HH", 8, 1) + b"\0"
    start = len(signature) + 2
    table = start + len(full) + len(empty)
    offsets = [start if code in codes else start + len(full) for code in range(count)]
    return signature + struct.pack("<H", table) + full + empty + struct.pack(f"<{count}H", *offsets)


def package(made: Game | None = None, *, letters: tuple[str, ...] = (), rooms: int = 1) -> bytes:
    """The game with its room in a package; ``letters`` are those of its fonts."""
    made = made or game()
    packed = Package(version=30, parts=["small.ags"])
    packed.add("game28.dta", made.to_bytes())
    for number in range(1, rooms + 1):
        packed.add(f"room{number}.crm", room().to_bytes())
    for number, has in enumerate(letters):
        packed.add(f"agsfnt{number}.wfn", wfn(has))
    return packed.to_bytes()


def opened(
    made: Game | None = None, *, letters: tuple[str, ...] = (), rooms: int = 1
) -> PackageDocument:
    """The game with its room, opened."""
    return PackageDocument.from_bytes(package(made, letters=letters, rooms=rooms))
