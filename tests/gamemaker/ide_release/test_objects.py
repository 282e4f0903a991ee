"""Objects of every class, with all of their fields, as each release has them."""

from __future__ import annotations

import pytest

from overhaul.findings import Findings
from overhaul.gamemaker.ide.declared import DeclaredField, declared, undeclared
from overhaul.gamemaker.ide.releases import RELEASES, Release, release_of, spans_of
from overhaul.gamemaker.ide.styles import Letter, Style
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_release.derived import Scene
from overhaul.gamemaker.ide_release.objects import Translation

VALUES: dict[str, Json] = {
    "text": "x", "int": 7, "real": 0.25, "bool": True, "null": None, "list": [],
    "object": {}, "reference": {"name": "a", "path": "sprites/a/a.yy"},
}  # fmt: skip
#: Classes with a name and a version of their own, and fields in each of the three families.
CLASSES = [
    kind
    for kind, fields in declared().items()
    if fields.get("resourceType", DeclaredField((), "")).letters.endswith("BCD") and "." not in kind
]
OWNER: dict[str, Json] = {"name": "a", "layers": [{"name": "layer"}]}


def full(kind: str, letter: Letter) -> dict[str, Json]:
    """An object of a class with all fields that files of a family have."""
    made: dict[str, Json] = {}
    for name, field in declared()[kind].items():
        if letter in field.letters and name not in ("tags", "ConfigValues"):
            made[name] = VALUES[next((t for t in field.types if t != "null"), "null")]
    if "sequence" in made:
        made["sequence"] = {"resourceType": "GMSequence"}
    made["resourceType"] = kind
    if letter == "D":
        made[f"${kind}"] = ""
    return made


def translated(
    value: Json, letter: Letter, release: Release, findings: Findings | None = None
) -> dict[str, Json]:
    found = Findings() if findings is None else findings
    scene = Scene("sprites/a/a.yy", owners=[OWNER])
    made = Translation(release, Style(release.letter), letter, scene, found).value(value)
    assert isinstance(made, dict)
    return made


def named(text: str) -> Release:
    release = release_of(text)
    assert release is not None
    return release


@pytest.mark.parametrize("letter", ["B", "C", "D"])
@pytest.mark.parametrize("kind", CLASSES)
def test_each_release_has_what_it_declares(kind: str, letter: Letter) -> None:
    for text in RELEASES:
        release = named(text)
        if "" in spans_of(kind) and not spans_of(kind)[""].has(release.order):
            continue
        made = translated(full(kind, letter), letter, release)
        assert not undeclared(made), text
        for name, span in spans_of(kind).items():
            if name in made and not span.is_free and letter != release.letter:
                order = (2024, 2) if release.letter == "D" else release.order
                assert span.has(order) or kind in ("GMProject", "GMMainOptions"), (text, name)


@pytest.mark.parametrize("kind", CLASSES)
def test_a_family_comes_back(kind: str) -> None:
    first = translated(full(kind, "C"), "C", named("2023.11"))
    for text in ("2022.9", "2024.2", "2024.14", "2.3.7"):
        there = named(text)
        if "" in spans_of(kind) and not spans_of(kind)[""].has(there.order):
            continue
        findings = Findings()
        back = translated(translated(first, "C", there, findings), there.letter, named("2023.11"))
        lost = {finding.key for finding in findings}
        differ = {key for key in first if back.get(key) != first[key]}
        made = {key for key, span in spans_of(kind).items() if span.is_made}
        assert differ - lost <= made, text


def test_what_is_lost_is_named() -> None:
    sprite = full("GMSprite", "D")
    sprite |= {"DynamicTexturePage": True, "nineSlice": {"left": 3}}
    findings = Findings()
    made = translated(sprite, "D", named("2.3.1"), findings)
    assert findings.texts() == [
        "sprites/a/a.yy: DynamicTexturePage: 2.3.1.542 has no such field: true is left out",
        'sprites/a/a.yy: nineSlice: 2.3.1.542 has no such field: {"left": 3} is left out',
    ]
    assert {finding.code for finding in findings} == {"not-in-release"}
    assert made["resourceVersion"] == "1.0"
    assert made["tags"] == []
    assert "nineSlice" not in made


def test_usual_values_are_no_loss() -> None:
    sprite = full("GMSprite", "D") | {"DynamicTexturePage": False, "nineSlice": None}
    findings = Findings()
    translated(sprite, "D", named("2.3.1"), findings)
    assert findings == []


def test_what_configurations_say_of_a_lost_field_is_named() -> None:
    sprite: dict[str, Json] = {
        "$GMSprite": "", "resourceType": "GMSprite", "name": "a",
        "ConfigValues": {"Demo": {"DynamicTexturePage": "true", "width": "4"}},
    }  # fmt: skip
    findings = Findings()
    made = translated(sprite, "D", named("2.3.7"), findings)
    assert made["ConfigValues"] == {"Demo": {"width": "4"}}
    assert [finding.key for finding in findings] == ["ConfigValues.Demo.DynamicTexturePage"]


def test_new_fields_have_the_value_that_keeps_the_game() -> None:
    options: dict[str, Json] = {"resourceType": "GMMainOptions", "name": "Main"}
    made = translated(options, "B", named("2024.14"))
    assert made["$GMMainOptions"] == "v5"
    assert made["%Name"] == "Main"
    assert made["option_copy_on_write_enabled"] is True
    assert made["option_legacy_json_parsing"] is True
    assert made["option_remove_unused_assets"] is False
    assert "option_lastchanged" not in made


def test_tiles_are_compressed_and_have_signs() -> None:
    tiles: dict[str, Json] = {
        "SerialiseWidth": 3, "SerialiseHeight": 2,
        "TileSerialiseData": [2147483648, 2147483648, 2147483648, 1, 2, 5],
    }  # fmt: skip
    layer: dict[str, Json] = {"resourceType": "GMRTileLayer", "name": "T", "tiles": tiles}
    late = translated(layer, "B", named("2022.9"))
    assert late["resourceVersion"] == "1.1"
    assert late["tiles"] == {
        "SerialiseHeight": 2, "SerialiseWidth": 3,
        "TileCompressedData": [-3, -2147483648, 3, 1, 2, 5], "TileDataFormat": 1,
    }  # fmt: skip
    assert translated(late, "C", named("2.3.7"))["tiles"] == tiles


def test_frames_have_their_pictures_before_2022_3() -> None:
    frame: dict[str, Json] = {"resourceType": "GMSpriteFrame", "name": "f"}
    sprite: dict[str, Json] = {
        "resourceType": "GMSprite", "name": "a", "layers": [{"name": "layer"}],
        "frames": [frame], "sequence": {"resourceType": "GMSequence", "name": ""},
    }  # fmt: skip
    scene = Scene("sprites/a/a.yy")
    release = named("2.3.7")
    made = Translation(release, Style("B"), "C", scene, Findings()).value(sprite)
    assert isinstance(made, dict)
    own: Json = {"name": "a", "path": "sprites/a/a.yy"}
    inside: Json = {"name": "f", "path": "sprites/a/a.yy"}
    on_layer: Json = {"name": "layer", "path": "sprites/a/a.yy"}
    bitmap: dict[str, Json] = {
        "FrameId": inside, "LayerId": None, "resourceVersion": "1.0", "name": "", "tags": [],
        "resourceType": "GMSpriteBitmap",
    }  # fmt: skip
    assert made["frames"] == [{
        "compositeImage": bitmap, "images": [bitmap | {"LayerId": on_layer}], "parent": own,
        "resourceVersion": "1.0", "name": "f", "tags": [], "resourceType": "GMSpriteFrame",
    }]  # fmt: skip
    sequence = made["sequence"]
    assert isinstance(sequence, dict)
    assert (sequence["spriteId"], sequence["parent"]) == (own, own)
    assert scene.owners == []


def test_later_forms_of_2024_become_earlier_ones() -> None:
    sound: dict[str, Json] = {
        "$GMSound": "v2", "%Name": "s", "name": "s", "resourceType": "GMSound",
        "channelFormat": 1, "compressionQuality": 4, "exportDir": "", "resourceVersion": "2.0",
    }  # fmt: skip
    made = translated(sound, "D", named("2024.11"))
    assert made["$GMSound"] == ""
    assert (made["type"], made["bitRate"]) == (1, 128)
    assert made.keys().isdisjoint({"channelFormat", "compressionQuality", "exportDir"})
    assert translated(made, "D", named("2024.14")) == made  # which reads the earlier form


def test_classes_that_a_release_lacks_are_left_out() -> None:
    item: dict[str, Json] = {"$GMRTextItem": "v2", "name": "t", "resourceType": "GMRTextItem"}
    layer: dict[str, Json] = {
        "$GMRAssetLayer": "", "name": "L", "resourceType": "GMRAssetLayer", "assets": [item],
    }  # fmt: skip
    findings = Findings()
    made = translated(layer, "D", named("2024.11"), findings)
    assert made["assets"] == []
    assert findings.texts() == [
        "sprites/a/a.yy: assets[0]: 2024.11.0.179 has no GMRTextItem: t is left out"
    ]


def test_classes_of_betas_get_their_names() -> None:
    store: dict[str, Json] = {
        "resourceType": "KeyframeStore`1", "elementType": "RealKeyframe", "Keyframes": [],
        "resourceVersion": "1.0",
    }  # fmt: skip
    made = translated(store, "B", named("2023.11"))
    assert made == {
        "resourceType": "KeyframeStore<RealKeyframe>", "resourceVersion": "1.0", "Keyframes": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "order", "letter"),
    [
        ("2.3", (2, 3, 7), "B"), ("2.3.0", (2, 3, 0), "B"), ("2022.0", (2022, 9), "C"),
        ("2022.3", (2022, 3), "B"), ("2024.13", (2024, 13), "D"),
        ("2024.1400.3.959", (2024, 14), "D"), ("2023.200.0.1", (2023, 2), "C"),
    ],
)  # fmt: skip
def test_releases_are_named(text: str, order: tuple[int, ...], letter: str) -> None:
    release = named(text)
    assert release.order == order
    assert release.letter == letter


def test_unknown_releases_are_none() -> None:
    assert [release_of(text) for text in ("", "2", "1.4", "2024.99", "later")] == [
        None, None, None, None, None,
    ]  # fmt: skip
