"""Projects of GameMaker 2.3 and later on their way: JSON, and the folder of each resource."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.resources.making import in_order, record
from overhaul.gamemaker.ide.styles import Style, single
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.drafts import Draft, ProjectDraft, finite
from overhaul.gamemaker.recovery.tags import tags_of
from overhaul.gamemaker.recovery.texture_groups import TextureGroups, groups_of

#: The folders of kinds of resources, and what the editor calls their groups.
FOLDERS: Final = {
    "sprite": ("sprites", "Sprites"),
    "tile_set": ("tilesets", "Tile Sets"),
    "sound": ("sounds", "Sounds"),
    "path": ("paths", "Paths"),
    "script": ("scripts", "Scripts"),
    "shader": ("shaders", "Shaders"),
    "font": ("fonts", "Fonts"),
    "timeline": ("timelines", "Timelines"),
    "object": ("objects", "Objects"),
    "room": ("rooms", "Rooms"),
    "curve": ("animcurves", "Animation Curves"),
    "sequence": ("sequences", "Sequences"),
    "particle_system": ("particles", "Particle Systems"),
    "extension": ("extensions", "Extensions"),
    "note": ("notes", "Notes"),
}
#: The first releases whose projects have members of a class.
_SINCE: Final = {
    ("GMObject", "managed"): (2022, 5),
    ("GMFont", "applyKerning"): (2022, 1),
    ("GMFont", "ascender"): (2022, 1),
    ("GMFont", "lineHeight"): (2023, 2),
    ("GMFont", "sdfSpread"): (2023, 2),
    ("GMFont", "usesSDF"): (2023, 2),
    ("GMSound", "conversionMode"): (2022, 1),
    ("GMSequence", "seqWidth"): (2024, 13),
    ("GMSequence", "seqHeight"): (2024, 13),
    ("GMMainOptions", "option_collision_compatibility"): (2022, 1),
    ("GMMainOptions", "option_copy_on_write_enabled"): (2022, 1),
    ("GMMainOptions", "option_legacy_json_parsing"): (2024, 8),
    ("GMMainOptions", "option_legacy_number_conversion"): (2024, 8),
    ("GMMainOptions", "option_legacy_other_behaviour"): (2024, 8),
    ("GMMainOptions", "option_audio_error_behaviour"): (2024, 8),
    ("GMMainOptions", "option_allow_instance_change"): (2024, 14),
    ("GMMainOptions", "option_legacy_primitive_drawing"): (2024, 14),
}


class ModernProjectDraft(ProjectDraft):
    """A project whose files are JSON, in the style of a release."""

    def __init__(self, name: str, style: Style, release: Version) -> None:
        super().__init__(name)
        self.style = style
        self.release = release
        self.texture_groups = TextureGroups()
        #: The tags of resources that are not added yet, by kind and name.
        self.tags: dict[tuple[str, str], list[str]] = {}

    # -- references --------------------------------------------------------------------------------

    def path_of(self, kind: str, name: str) -> str:
        """The path of the .yy file of a resource, by its name in the game."""
        made = self.name_for(kind, name)
        return f"{FOLDERS[kind][0]}/{made}/{made}.yy"

    def reference(self, kind: str, resource: object) -> dict[str, Json] | None:
        """A reference to a resource of the game; None for none."""
        if resource is None:
            return None
        name = str(getattr(resource, "name", ""))
        return self.place(self.name_for(kind, name), self.path_of(kind, name))

    def place(self, name: str, path: str) -> dict[str, Json]:
        """A reference to what has a name in a file."""
        return {"name": name, "path": path}

    def group(self, kind: str, name: str = "") -> dict[str, Json]:
        """The folder of the asset browser that a resource is in: that of its kind, or one in it."""
        titles = self.folders.get((kind, name), ()) if name else ()
        return self._folder((FOLDERS[kind][1], *titles))

    def _folder(self, titles: tuple[str, ...]) -> dict[str, Json]:
        return self.place(titles[-1], f"folders/{'/'.join(titles)}.yy")

    def groups(self) -> list[dict[str, Json]]:
        """The folders of the asset browser that have resources, each behind the one it is in."""
        used = {kind for kind, _, _ in self.listed}
        made: list[dict[str, Json]] = []
        for kind, (_, title) in FOLDERS.items():
            if kind not in used:
                continue
            inner = {titles[:size] for (own, _), titles in self.folders.items() if own == kind
                     for size in range(1, len(titles) + 1)}  # fmt: skip
            made += [self._folder((title, *titles)) for titles in ((), *sorted(inner))]
        return made

    # -- files -------------------------------------------------------------------------------------

    def record(
        self, kind: str, members: Mapping[str, Json], name: str = "", tag: str | None = None
    ) -> dict[str, Json]:
        """An object of a class as the release writes it, without members of later releases; ``tag``
        is what D has for the class, None for the one that every release of D reads."""
        release = self.release
        own = {
            key: value
            for key, value in members.items()
            if release.at_least(*_SINCE.get((kind, key), (2,)))
        }
        return record(kind, self.style, own, name, tag)

    def texture_group(self, kind: str, name: str) -> Json:
        """A reference to the texture group of a resource, by its name in the game."""
        return self.in_group(self.texture_groups.name_of(kind, name))

    def in_group(self, group: str) -> Json:
        """A reference to a texture group."""
        return self.place(group, f"texturegroups/{group}")

    def ordered(self, members: Mapping[str, Json], kind: str = "") -> dict[str, Json]:
        """Members in the order that the release gives them."""
        return in_order(members, self.style, kind)

    def text(self, value: Json) -> Callable[[], bytes]:
        """The function that gives the bytes of a file of values."""
        made = print_text(_singles(value), self.style).encode("utf-8", "surrogateescape")
        return made.__bytes__

    def add(
        self,
        kind: str,
        name: str,
        tag: str,
        members: Mapping[str, Json],
        files: Mapping[str, Callable[[], bytes]] = {},
    ) -> str:
        """Add a resource with the files in its folder, by their paths in that; its folder."""
        path = self.path_of(kind, name)
        made = self.name_for(kind, name)
        value = self.record(tag, {**members, "parent": self.group(kind, made)}, made)
        tags = self.tags.pop((kind, name), None)
        if tags is not None:
            value = self.ordered({**value, "tags": rows(tags)}, tag)
        folder = path.rpartition("/")[0]
        self.files[path] = self.text(value)
        for inner, read in files.items():
            self.files[f"{folder}/{inner}"] = read
        self.listed.append((kind, made, path))
        return folder


class ModernDraft(ModernProjectDraft, Draft):
    """A project of a compiled game whose files are JSON."""

    def __init__(self, game: GameData, name: str, style: Style) -> None:
        super().__init__(name, style, game.release)
        self.game = game
        self.texture_groups = groups_of(game)
        self.tags = tags_of(game)


def _singles(value: Json) -> Json:
    """Values whose reals are the shortest ones of single precision, as the editor prints them."""
    if isinstance(value, float):
        return single(finite(value))
    if isinstance(value, list):
        return [_singles(item) for item in value]
    if isinstance(value, dict):
        return {key: _singles(item) for key, item in value.items()}
    return value


def rows(items: Sequence[Json]) -> list[Json]:
    """A list of values, for what is typed so."""
    return list(items)
