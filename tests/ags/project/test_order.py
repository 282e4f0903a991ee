"""Things of a project in the order in which its game's scripts have them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from overhaul.ags.project.elements import group, leaf
from overhaul.ags.project.order import order_things
from overhaul.document.xmltext import XmlNode

#: What an editor declares in front of the project's things.
BEFORE = 900


def project(*names: str) -> XmlNode:
    """A project with sounds."""
    clips = [
        group(
            "AudioClip",
            [
                leaf("ScriptName", name),
                leaf("SourceFileName", f"AudioCache/{name}.ogg"),
                leaf("BundlingType", "InSeparateVOX" if name < "c" else "InGameEXE"),
            ],
        )
        for name in names
    ]
    clips.append(XmlNode("AudioClip"))  # what a folder's own values are in has no elements here
    folder = group("AudioClipFolder", [group("AudioClips", clips)])
    return group("Game", [group("AudioClips", [folder])])


def ordered(names: str, places: dict[str, int], files: Sequence[str] = ()) -> list[str]:
    """The sounds of a project in which ``cEgo`` is declared before, and ``gMenu`` behind them."""
    root = project(*names.split())
    lines = [f"import AudioClip {name};" for name in names.split() if name != "-"]
    header = "\n".join(("import Character cEgo;", *lines, "import GUI gMenu;"))
    order_things(root, header, places, files)
    shown = [node.value("ScriptName") for node in root.walk() if node.tag == "AudioClip"]
    assert shown.pop() == ""
    return shown


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ({}, "a b c d"),
        ({"cEgo": 0, "a": 1}, "a b c d"),
        ({"cEgo": 0, "a": 3}, "b c a d"),
        ({"cEgo": 0, "gMenu": 5, "d": 1, "b": 2}, "d b a c"),
        ({"cEgo": 0, "gMenu": 5, "d": 1, "c": 2, "b": 3, "a": 4}, "d c b a"),
        ({"cEgo": 0, "gMenu": 5, "a": 5}, "a b c d"),  # that is the place of something else
        ({"cEgo": 0, "gMenu": 5, "d": 0, "a": 4}, "a b c d"),
    ],
)
def test_things_that_scripts_use_have_their_places(places: dict[str, int], expected: str) -> None:
    given = {name: BEFORE + at for name, at in places.items()}
    assert ordered("a b c d", given) == expected.split()


@pytest.mark.parametrize(
    ("places", "files", "expected"),
    [
        ({}, "c d a b", "a b c d"),  # two packages: nothing says which sounds are first
        ({}, "d c b a", "b a d c"),
        ({"cEgo": 0, "d": 1}, "d c b a", "d b a c"),
        ({"cEgo": 0, "d": 2}, "d c b a", "b d a c"),
        ({"cEgo": 0, "d": 4}, "c d", "a b c d"),
        ({"cEgo": 0, "d": 1}, "c d a b", "a b c d"),  # the package has c before d
    ],
)
def test_sounds_stand_in_the_order_of_their_package(
    places: dict[str, int], files: str, expected: str
) -> None:
    given = {name: BEFORE + at for name, at in places.items()}
    packed = [f"{name}.ogg" for name in files.split()]
    assert ordered("a b c d", given, packed) == expected.split()


def test_two_things_of_one_place_stay() -> None:
    assert ordered("a b c", {"cEgo": 3, "gMenu": 7, "c": 4, "b": 4}) == ["a", "b", "c"]
