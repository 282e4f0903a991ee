"""The other lists of a project: audio, sprites, colours, words, messages, rooms, plugins."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from overhaul.ags.project.elements import Value, group, leaf, node
from overhaul.ags.project.resources import Json, authored, number, objects, text, values_of
from overhaul.document.xmltext import XmlNode

if TYPE_CHECKING:
    from overhaul.ags.sprites import SpriteSet

#: The names of the types of sounds in a new project; games do not store them.
_AUDIO_TYPES: Final = {1: "Ambient Sound", 2: "Music", 3: "Sound"}
CROSSFADES: Final = {0: "No", 1: "SlowFade", 2: "MediumFade", 3: "FastFade"}
#: The uses of a colour as stored: for the whole game, locked, of the background.
COLOURS: Final = {0: "Gamewide", 1: "Locked", 2: "Background"}
_ANY_WORD, _REST_OF_LINE = 29999, 30000
_MESSAGES: Final = range(500, 1000)
_HIGH_RESOLUTION, _ALPHA, _REAL_RESOLUTION = 1, 16, 32
#: Sprites in a folder of the editor's own: those that come with a new project.
_DEPTHS: Final = {1: 8, 2: 16, 3: 24, 4: 32}


def audio_types(shown: Json, version: str) -> list[XmlNode]:
    """The types of sounds; type 0 is that of speech, which no project has."""
    made = []
    for thing in objects(shown.get("audio_types")):
        identity = number(thing.get("id"))
        if identity:
            values: dict[str, Value] = {
                "TypeID": identity,
                "Name": _AUDIO_TYPES.get(identity, f"Type {identity}"),
                "MaxChannels": number(thing.get("reserved_channels")),
                "VolumeReductionWhileSpeechPlaying": number(thing.get("volume_cut_by_speech")),
                "CrossfadeClips": CROSSFADES.get(number(thing.get("crossfade")), "No"),
                "BackwardsCompatibilityType": identity in _AUDIO_TYPES,
            }
            made.append(node("AudioClipType", values, version))
    return made


def sound_indexes(shown: Iterable[Json]) -> dict[int, int]:
    """The project's names for the sounds of a game: the fixed index of each, by its number there.

    It is the number of the sound's file in the editor's cache; one without has the next that is
    free.
    """
    names = {number(thing.get("ID")): text(thing.get("FileName")) for thing in shown}
    indexes: dict[int, int] = {}
    taken = set()
    for identity, name in names.items():
        index = cache_index(name)
        if index and index not in taken:
            indexes[identity] = index
            taken.add(index)
    free = max(taken, default=0)
    for identity in names:
        if identity not in indexes:
            free += 1
            indexes[identity] = free
    return indexes


def audio_clips(shown: Iterable[Json], indexes: Mapping[int, int], version: str) -> XmlNode:
    """The sounds, in one folder; their files are those of the editor's cache."""
    made = []
    for thing in shown:
        name = text(thing.get("FileName"))
        values = values_of(thing)
        values["ID"] = identity = number(thing.get("ID"))
        values["SourceFileName"] = f"AudioCache/{name}"
        values["Index"] = indexes[identity]
        values["DefaultRepeat"] = str(bool(thing.get("DefaultRepeat")))
        made.append(node("AudioClip", values, version))
    folder = [
        XmlNode("SubFolders"),
        group("AudioClips", made),
        node("AudioClipFolder", {}, version),
    ]
    return group("AudioClips", [group("AudioClipFolder", folder, Name="Main")])


def cache_index(name: str) -> int:
    """The number of a file of the editor's cache: ``au00000F.ogg`` is 15; 0 for other names."""
    stem = name[2:8]
    try:
        return int(stem, 16) if name[:2].casefold() == "au" else 0
    except ValueError:
        return 0


def sprites(held: SpriteSet, flags: bytes, version: str) -> XmlNode:
    """The sprites in one folder; the editor's import settings of them are lost."""
    made = []
    for slot, sprite in held.filled():
        flag = flags[slot] if slot < len(flags) else 0
        real = flag & _REAL_RESOLUTION
        resolution = "HighRes" if flag & _HIGH_RESOLUTION else "LowRes"
        attributes = {
            "Slot": str(slot),
            "Width": str(sprite.width),
            "Height": str(sprite.height),
            "ColorDepth": str(_DEPTHS.get(sprite.depth, 32)),
            "Resolution": resolution if real or not _is_real(version) else "Real",
            "AlphaChannel": str(bool(flag & _ALPHA)),
        }
        source = node(
            "Source", {"ImportWidth": sprite.width, "ImportHeight": sprite.height}, version
        )
        made.append(XmlNode("Sprite", attributes=attributes, children=[source]))
    folder = [XmlNode("SubFolders"), group("Sprites", made)]
    return group("Sprites", [group("SpriteFolder", folder, Name="Main")])


def _is_real(version: str) -> bool:
    """Whether sprites have the resolution of the game unless they say another."""
    return tuple(int(part) for part in version.split(".")[:2]) >= (3, 5)


def palette(game: Json) -> XmlNode:
    """The 256 colours."""
    settings = game.get("Settings")
    shown = settings if isinstance(settings, dict) else {}
    colours = bytes.fromhex(text(shown.get("palette")))
    uses = bytes.fromhex(text(shown.get("palette_uses")))
    entries = []
    for index in range(min(256, len(colours) // 4)):
        red, green, blue = (
            component << 2 | (component & 63) >> 4
            for component in colours[4 * index : 4 * index + 3]
        )
        use = uses[index] if index < len(uses) else 0
        entries.append(
            XmlNode(
                "PaletteEntry",
                attributes={
                    "Index": str(index),
                    "Type": COLOURS.get(use, "Gamewide"),
                    "Red": str(red & 255),
                    "Green": str(green & 255),
                    "Blue": str(blue & 255),
                },
            )
        )
    return group("Palette", entries)


def text_parser(texts: Json) -> XmlNode:
    """The words that the text parser knows."""
    words = []
    for word in objects(texts.get("dictionary")):
        stored = number(word.get("group"))
        kind = {0: "Ignore", _ANY_WORD: "MatchAnyWord", _REST_OF_LINE: "MatchRestOfInput"}
        words.append(
            group(
                "TextParserWord",
                [
                    leaf("WordGroup", stored),
                    leaf("Word", text(word.get("text")), spaced=True),
                    leaf("Type", kind.get(stored, "Normal")),
                ],
            )
        )
    return group("TextParser", [group("Words", words)])


def messages(texts: Json) -> XmlNode:
    """The global messages 500 to 999 of old games."""
    held = texts.get("messages")
    given = iter(held if isinstance(held, list) else [])
    shown = texts.get("GlobalMessages")
    there = shown if isinstance(shown, Mapping) else {}
    made = []
    for identity in _MESSAGES:
        has = str(identity - _MESSAGES.start) in there or identity in there
        said = text(next(given, "")) if has else ""
        made.append(XmlNode("Message", said, {"ID": str(identity)}))
    return group("GlobalMessages", made)


def lip_sync(texts: Json, settings: Json, version: str) -> XmlNode:
    """The letters of each frame of lip synchronisation.

    ``settings`` are those of the game: the last option says whether mouths move by the letters.
    """
    options = settings.get("Options")
    is_text = isinstance(options, dict) and options.get("Option99") == 1
    held = texts.get("lip_sync")
    letters = [text(item) for item in held] if isinstance(held, list) else []
    letters += [""] * (20 - len(letters))
    frames = [XmlNode("CharsForFrame", shown) for shown in letters[:20]]
    return node(
        "LipSync",
        {
            "Type": "Text" if is_text else "None",
            "DefaultFrame": number(settings.get("default_lip_sync_frame")),
        },
        version,
        groups=[group("Frames", frames)],
    )


def plugins(shown: Json) -> list[XmlNode]:
    """The plugins with their data."""
    made = []
    for plugin in objects(shown.get("Plugins")):
        data = bytes.fromhex(text(plugin.get("Data")))
        made.append(
            group(
                "Plugin",
                [
                    leaf("FileName", text(plugin.get("FileName"))),
                    leaf("Data", base64.b64encode(data).decode("ascii")),
                ],
            )
        )
    return made


def rooms(numbers: Iterable[int], names: Mapping[int, str], version: str) -> Iterator[XmlNode]:
    """The rooms; what they are called is only in debug builds."""
    for identity in numbers:
        values: dict[str, Value] = {"Number": identity, "Description": names.get(identity, "")}
        yield node("UnloadedRoom", authored(values, ("Description",), version), version)
