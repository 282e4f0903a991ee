"""Random room interfaces: what a project says becomes a game's nodes, and comes back."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image

import overhaul
from overhaul.cli import main
from overhaul.document.files import write_into
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks import uilr
from overhaul.gamemaker.data.chunks.room import (
    Instance,
    SequenceInstance,
    SpriteInstance,
    TextInstance,
)
from overhaul.gamemaker.data.chunks.uilr import NodeType
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import NamedList, Reference
from overhaul.gamemaker.data.resources.base import Resource
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovery import recover
from overhaul.gamemaker.recovery.interface import PATH
from present import present
from real_files import corpus_files

#: The classes of what stands in panels.
ITEMS = ("GMRInstance", "GMRSpriteGraphic", "GMRSequenceGraphic", "GMRTextItem")
EDGES = ("Left", "Top", "Right", "Bottom")
#: Members that a game does not keep, or whose values are those of the editor alone.
LOST = {"gridX", "gridY", "locked", "nodeColour", "resourceVersion", "parent"}
#: What Yoga, the layout engine of the editor, takes for a member that is not there.
USUAL = {"positionType": 1, "alignContent": 1, "flexShrink": 1.0}


def reference(resource: Resource[Any]) -> Reference[Any]:
    records: NamedList[Any] = resource.game.named(resource.chunk)
    return records.reference_to(resource.record)


def length(plain: dict[str, Any] | None) -> uilr.Length:
    return uilr.Length(plain["value"], plain["unit"]) if plain else uilr.Length()


def edges(plain: dict[str, Any], word: str, field: str) -> dict[str, Any]:
    return {f"{field}_{edge.lower()}": length(plain.get(f"{word}{edge}")) for edge in EDGES}


def flex(plain: dict[str, Any]) -> uilr.Flex:
    return uilr.Flex(
        align_items=plain["alignItems"],
        direction=plain["flexDirection"],
        justify_content=plain["justifyContent"],
        wrap=plain.get("flexWrap", 0),
        align_content=plain.get("alignContent", USUAL["alignContent"]),
        gap_row=plain.get("gapRow", 0.0),
        gap_column=plain.get("gapColumn", 0.0),
        layout_direction=plain.get("layoutDirection", 0),
        **edges(plain, "padding", "padding"),
    )


class Compiler:
    """Makes the nodes of a game of a room interface, as the description says."""

    def __init__(self, game: GameData) -> None:
        self.game = game
        self.number = 200_000

    def compile(self, plain: dict[str, Any]) -> None:
        nodes = [self.layer(each, 1) for each in plain["children"]]
        nodes += [self.layer(each, 2) for each in plain["viewspaceChildren"]]
        present(self.game.ui_layers).nodes[:] = nodes

    def layer(self, plain: dict[str, Any], space: int) -> uilr.Node:
        data = uilr.FlexLayer(self.text(plain), space, plain.get("visible", True), flex(plain))
        return uilr.Node(NodeType.LAYER, data, [*map(self.node, plain["children"])])

    def node(self, plain: dict[str, Any]) -> uilr.Node:
        kind = plain["resourceType"]
        if kind == "GMRFlexPanel":
            data = uilr.FlexPanel(
                name=self.text(plain),
                clips=plain.get("clipContent", False),
                position_type=plain.get("positionType", USUAL["positionType"]),
                align_self=plain.get("alignSelf", 0),
                grow=plain.get("flexGrow", 0.0),
                shrink=plain.get("flexShrink", USUAL["flexShrink"]),
                width=length(plain["width"]),
                height=length(plain["height"]),
                min_width=length(plain.get("minWidth")),
                min_height=length(plain.get("minHeight")),
                max_width=length(plain.get("maxWidth")),
                max_height=length(plain.get("maxHeight")),
                flex=flex(plain),
                **edges(plain, "position", "offset"),
                **edges(plain, "margin", "margin"),
            )
            return uilr.Node(NodeType.PANEL, data, [*map(self.node, plain["children"])])
        way = plain["flexProperties"]
        laid_out = uilr.FlexInstance(
            anchor=way["anchor"],
            stretch_width=way.get("stretchWidth", False),
            stretch_height=way.get("stretchHeight", False),
            keep_aspect=way.get("keepAspect", False),
        )
        at = {"x": round(plain["x"]), "y": round(plain["y"])}
        at |= {"scale_x": plain["scaleX"], "scale_y": plain["scaleY"]}
        at |= {"rotation": plain["rotation"], "colour": plain["colour"]}
        if kind == "GMRInstance":
            self.number += 1
            instance = Instance(
                object=self.named("objects", plain["objectId"]), id=self.number,
                image_index=plain["imageIndex"], image_speed=plain["imageSpeed"], **at,
            )  # fmt: skip
            return uilr.Node(NodeType.INSTANCE, uilr.UiInstance(instance, laid_out))
        name = self.text(plain)
        if kind == "GMRTextItem":
            text = TextInstance(
                name=name, font=self.named("fonts", plain["fontId"]),
                text=self.game.strings.add(plain["text"]), alignment=plain["alignment"],
                wrap=plain["wrap"], frame_width=plain["frameW"], frame_height=plain["frameH"], **at,
            )  # fmt: skip
            return uilr.Node(NodeType.TEXT, uilr.UiText(text, laid_out))
        at |= {"frame": plain["headPosition"], "animation_speed": plain["animationSpeed"]}
        if kind == "GMRSpriteGraphic":
            sprite = SpriteInstance(name, self.named("sprites", plain["spriteId"]), **at)
            return uilr.Node(NodeType.SPRITE, uilr.UiSprite(sprite, laid_out))
        sequence = SequenceInstance(name, self.named("sequences", plain["sequenceId"]), **at)
        return uilr.Node(NodeType.SEQUENCE, uilr.UiSequence(sequence, laid_out))

    def text(self, plain: dict[str, Any]) -> Any:
        return self.game.strings.add(plain["name"])

    def named(self, kind: str, plain: dict[str, Any] | None) -> Any:
        return None if plain is None else reference(getattr(self.game, kind)[plain["name"]])


class Interface:
    """A random room interface, as its file has it."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = 0

    def file(self) -> dict[str, Any]:
        return {
            "children": [self.layer() for _ in range(self.random.randint(1, 2))],
            "viewspaceChildren": [self.layer() for _ in range(self.random.randint(0, 2))],
        }

    def name(self, word: str) -> str:
        self.count += 1
        return f"{word}_{self.count}"

    def real(self) -> float:
        return float(np.float32(self.random.uniform(-300, 300)))

    def length(self) -> dict[str, Any]:
        return {"unit": self.random.randint(1, 3), "value": self.real()}

    def flex(self, children: int) -> dict[str, Any]:
        choose = self.random.randint
        plain: dict[str, Any] = {
            "alignItems": choose(0, 7), "flexDirection": choose(0, 3),
            "justifyContent": choose(0, 5), "children": [self.node() for _ in range(children)],
        }  # fmt: skip
        some = {
            "flexWrap": choose(1, 2), "alignContent": choose(2, 7), "gapRow": self.real(),
            "gapColumn": self.real(), "layoutDirection": choose(1, 2),
            **{f"padding{edge}": self.length() for edge in EDGES},
        }  # fmt: skip
        return plain | self.part(some)

    def part(self, members: dict[str, Any]) -> dict[str, Any]:
        return {key: one for key, one in members.items() if self.random.random() < 0.4}

    def layer(self) -> dict[str, Any]:
        plain = {"resourceType": "GMRUILayer", "name": self.name("layer")}
        return plain | self.flex(self.random.randint(0, 3)) | self.part({"visible": False})

    def node(self) -> dict[str, Any]:
        kind = self.random.choice(["GMRFlexPanel", "GMRFlexPanel", *ITEMS])
        if kind == "GMRFlexPanel" and self.count < 30:
            return self.panel()
        return self.item(self.random.choice(ITEMS) if kind == "GMRFlexPanel" else kind)

    def panel(self) -> dict[str, Any]:
        some = {
            "clipContent": True, "positionType": self.random.choice([0, 2]),
            "alignSelf": self.random.randint(1, 5), "flexGrow": 2.5, "flexShrink": 0.0,
            **{f"{which}{side}": self.length() for which in ("min", "max")
               for side in ("Width", "Height")},
            **{f"{word}{edge}": self.length() for word in ("margin", "position") for edge in EDGES},
        }  # fmt: skip
        return {
            "resourceType": "GMRFlexPanel", "name": self.name("panel"), "width": self.length(),
            "height": self.length(), **self.flex(self.random.randint(0, 3)), **self.part(some),
        }  # fmt: skip

    def item(self, kind: str) -> dict[str, Any]:
        def place(folder: str, name: str) -> dict[str, Any] | None:
            there = self.random.random() < 0.9
            return {"name": name, "path": f"{folder}/{name}/{name}.yy"} if there else None

        stretched = {"stretchWidth": True, "stretchHeight": True, "keepAspect": True}
        way: dict[str, Any] = {
            "resourceType": "InstanceFlexProps",
            "anchor": self.random.randint(0, 8),
        }
        own: dict[str, Any]
        plain: dict[str, Any] = {
            "resourceType": kind, "name": self.name("item"), "x": float(self.random.randint(-9, 9)),
            "y": 3.0, "scaleX": self.real(), "scaleY": self.real(), "rotation": self.real(),
            "colour": self.random.getrandbits(32), "flexProperties": way | self.part(stretched),
            "frozen": False, "ignore": False, "inheritItemSettings": False, "inheritedItemId": None,
        }  # fmt: skip
        if kind == "GMRInstance":
            own = {
                "objectId": place("objects", "obj_a"), "imageIndex": self.random.randint(0, 4),
                "imageSpeed": self.real(), "hasCreationCode": False, "inheritCode": False,
                "isDnd": False, "properties": [],
            }  # fmt: skip
        elif kind == "GMRTextItem":
            own = {
                "fontId": place("fonts", "fnt_a"), "text": "two\r\nlines", "wrap": True,
                "alignment": self.random.choice([0, 1, 257]), "frameW": self.real(), "frameH": 0.0,
                "charSpacing": 0.0, "lineSpacing": 0.0, "paragraphSpacing": 0.0, "xorigin": 0.0,
                "yorigin": 0.0,
            }  # fmt: skip
        else:
            folder = "sprites" if kind == "GMRSpriteGraphic" else "sequences"
            key, name = ("spriteId", "spr_a") if folder == "sprites" else ("sequenceId", "seq_a")
            own = {key: place(folder, name), "headPosition": self.real(), "animationSpeed": 2.5}
        return plain | own


def bare(value: Any) -> Any:
    """A file as it is compared: without what games do not keep, and with their precision."""
    if isinstance(value, float):
        return float(np.float32(value))
    if isinstance(value, list):
        return [bare(each) for each in value]
    if not isinstance(value, dict):
        return value
    names = {"name"} if value.get("resourceType") == "GMRInstance" else set()
    return {
        key: bare(each)
        for key, each in value.items()
        if key not in LOST | names and not key.startswith(("$", "%"))
    }


def new_game() -> GameData:
    game = blank_game({"version": "2024.14"})
    game.sprites.add("spr_a", [np.full((4, 4, 4), 255, np.uint8)])
    game.objects.add("obj_a", sprite="spr_a")
    game.rooms.add("rm_a")
    game.sequences.add("seq_a", length=9, speed=15)
    image = Image.new("RGBA", (8, 8), (255, 255, 255, 255))
    game.fonts.add("fnt_a", image, {"a": (0, 0, 5, 8)})
    return game


def came_back(game: GameData) -> dict[str, Any]:
    found = recover(game)
    assert found.tallies["room_interfaces"] == (1, 1, 0)
    made: dict[str, Any] = bare(read_values(found.files[PATH]().decode()))
    return made


@pytest.mark.parametrize("seed", range(12))
def test_random_interfaces_come_back(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = Interface(seed).file()
    game = new_game()
    Compiler(game).compile(plain)
    data = game.to_bytes()
    with overhaul.open_game(data) as again:
        shown = came_back(again)
        assert {key: shown[key] for key in plain} == bare(plain)
        if seed % 4 == 0:
            write_into(str(tmp_path / "project"), recover(again).files)
            (tmp_path / "game.win").write_bytes(data)
            project = str(tmp_path / "project")
            assert main(["check", project]) == 0
            assert main(["verify", project]) == 0
            capsys.readouterr()
            assert main(["diff", project, str(tmp_path / "game.win")]) == 0, capsys.readouterr().out
            layer = present(again.ui_layers).nodes[0].data
            assert isinstance(layer, uilr.FlexLayer)
            layer.flex.gap_row = 77.0
            (tmp_path / "other.win").write_bytes(again.to_bytes())
            assert main(["diff", project, str(tmp_path / "other.win")]) == 1
            assert "gapRow" in capsys.readouterr().out


def test_what_a_project_has_no_place_for_is_named() -> None:
    game = new_game()
    hidden = uilr.FlexInstance(visible=False, tile_vertically=True)
    code = Instance(object=reference(game.objects["obj_a"]))
    nodes = [
        uilr.Node(
            NodeType.LAYER,
            uilr.FlexLayer(game.strings.add("layer")),
            [
                uilr.Node(NodeType.INSTANCE, uilr.UiInstance(code, hidden)),
                uilr.Node(NodeType.EFFECT, uilr.UiEffect()),
            ],
        ),
        uilr.Node(NodeType.EFFECT, uilr.UiEffect()),
    ]
    present(game.ui_layers).nodes[:] = nodes
    found = recover(game)
    assert found.tallies["room_interfaces"] == (1, 1, 1)
    said = [(each.code, each.path.partition("#")[2][:4]) for each in found.findings]
    assert [each for each in said if each[1]] == [
        ("approximated", "inst"),
        ("approximated", "inst"),
        ("left-out", "0.1"),
        ("left-out", "1"),
    ]


def test_code_of_an_instance_stands_next_to_the_file() -> None:
    game = new_game()
    game.rooms["rm_a"].instances.add("obj_a", 1, 2).set_creation_code("x = 4;")
    record = game.rooms["rm_a"].instances[0].record
    other = Instance(3, 4, record.object, 100_900, record.creation_code)
    item = uilr.Node(NodeType.INSTANCE, uilr.UiInstance(other))
    layer = uilr.FlexLayer(game.strings.add("layer"))
    present(game.ui_layers).nodes[:] = [uilr.Node(NodeType.LAYER, layer, [item])]
    found = recover(game)
    sources = {path: read() for path, read in found.files.items() if path.startswith("roomui/")}
    (name,) = (path for path in sources if path.endswith(".gml"))
    assert sources[name] == b"x = 4;\n"
    shown = bare(read_values(sources[PATH].decode()))["children"][0]["children"][0]
    assert shown["hasCreationCode"] is True and (shown["x"], shown["y"]) == (3.0, 4.0)


@pytest.mark.parametrize(
    "file", corpus_files("gmprojects2/**/RoomUI.yy"), ids=lambda file: file.stem
)
def test_authors_interfaces_come_back(file: Path) -> None:
    plain = bare(read_values(file.read_text("utf-8")))
    game = new_game()
    for name in set(re.findall(r'"objects/(\w+)/', file.read_text("utf-8"))):
        game.objects.add(name)
    Compiler(game).compile(plain)
    shown = came_back(game)
    assert {key: shown[key] for key in plain if key in shown} == {
        key: value for key, value in plain.items() if key in shown
    }
    assert plain.keys() - shown.keys() <= {"name", "resourceType"}
