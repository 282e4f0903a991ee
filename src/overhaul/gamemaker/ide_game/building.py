"""A project built into a game like another one of the same release.

Settings, texture pages and all that a project does not say come from that game: what the project
and the game say alike stays as it is, byte for byte, and what differs is changed.  This judges a
recovered project; what it can't change it refuses by name.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, NamedTuple, cast

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide_game.assets import Assets
from overhaul.gamemaker.ide_game.comparing import (
    ProjectCode,
    is_made,
    kinds_not_compared,
    same,
)
from overhaul.gamemaker.ide_game.documents import Side
from overhaul.gamemaker.ide_game.game_side import game_side
from overhaul.gamemaker.ide_game.project_side import project_side
from overhaul.gamemaker.ide_game.saying import rounded_alike
from overhaul.gamemaker.ide_game.sequences import add_sequences
from overhaul.gamemaker.ide_game.sources import CodeSource, entries_of

_GLOBAL: Final = "gml_GlobalScript_"
_SCRIPT: Final = "gml_Script_"
_PRE_CREATE: Final = "PreCreate_0"
#: Differences of this kind are a warning: the game keeps its own.
_REPORTED: Final = "sound file"


class Built(NamedTuple):
    """The result of building: the paths of changed resources (``objects/obj_a.json``), the names
    of changed code entries, and findings."""

    changed: list[str]
    findings: Findings


def build(project: IdeProjectDocument, game: GameData) -> Built:
    """Change a game to what a project says.

    Raises WorkspaceError for changes that can't be built, each by name, and SyntaxError_ and
    CompileError for code; the game is as before then.
    """
    with game.edit():
        try:
            return _Building(project, game).run()
        except ValueError as error:  # a name or a value that the game can't have
            if isinstance(error, OverhaulError):
                raise
            raise WorkspaceError(f"the project can't be built: {error}") from error


class _Building:
    """One build: the project, and the game that becomes like it."""

    def __init__(self, project: IdeProjectDocument, game: GameData) -> None:
        self.project = project
        self.game = game
        self.changed: list[str] = []
        self.refused: list[str] = []
        self.findings = Findings()

    def run(self) -> Built:
        ours, theirs = project_side(self.project), game_side(self.game)
        self._add(ours, theirs)
        self._code()
        theirs = game_side(self.game)
        for path in ours.listed.keys() & theirs.listed.keys():
            self._change(path, ours, theirs)
        self._remove(ours, theirs)
        self._keep(ours, theirs)
        self._refuse()
        if self.refused:
            listed = "\n".join(sorted(self.refused))
            raise WorkspaceError(f"the project has changes that can't be built:\n{listed}")
        return Built(sorted(self.changed), self.findings)

    # -- resources that only one has ---------------------------------------------------------------

    def _add(self, ours: Side, theirs: Side) -> None:
        """Add the resources that the game lacks, in the order of the project."""
        hidden = {tiles.sprite.name for tiles in self.project.tile_sets if tiles.sprite is not None}
        for path, resource in ours.resources_of.items():
            if path in theirs.listed or resource.kind == "frame":
                continue
            name = resource.name
            if resource.kind == "sprite":
                if name not in hidden:  # tile sets are not exported
                    frames = [frame.image for frame in self.project.sprites[name].frames]
                    self.game.sprites.add(name, [image for image in frames if image is not None])
                    self.changed.append(path)
            elif resource.kind == "object":
                self.game.objects.add(name)
                self.changed.append(path)
            elif resource.kind == "path":
                shown = self.project.paths[name]
                self.game.paths.add(name, [(point.x, point.y) for point in shown.points])
                self.changed.append(path)
            else:
                self.refused.append(f"{path}: a new {resource.kind}")

    def _remove(self, ours: Side, theirs: Side) -> None:
        """Report what only the game has: nothing says whether it was removed or never listed."""
        for path, resource in theirs.resources_of.items():
            if path not in ours.listed and resource.kind != "frame":
                message = f"the project has no {resource.kind} {resource.name}: the game keeps it"
                self.findings.warn("mismatch", message, path)

    def _keep(self, ours: Side, theirs: Side) -> None:
        """Report what the project may have changed and the game keeps."""
        for path, resource in ours.resources_of.items():
            if resource.kind == "sound" and path in theirs.listed:
                name = resource.name
                here, there = self.project.sounds[name].bytes, self.game.sounds[name].bytes
                if here is not None and there is not None and here != there:
                    message = f"the file of sound {name} is another one: the game keeps its own"
                    self.findings.warn("mismatch", message, path)
        kinds = ", ".join(kinds_not_compared(self.project))
        if kinds:
            self.findings.warn("mismatch", f"the game keeps its own {kinds}: they are not built")

    def _refuse(self) -> None:
        """Refuse what differs of kinds that are compared, and not built."""
        ours, theirs = (Side(name, None) for name in ("project", "game"))
        for _ in Assets(self.project, self.game, ours, theirs).add():
            pass  # parts left out of the comparison are as the compiler made them
        add_sequences(self.project, self.game, ours, theirs)
        for path, resource in ours.resources_of.items():
            if resource.kind == _REPORTED:
                continue
            if path not in theirs.listed:
                self.refused.append(f"{path}: a new {resource.kind}")
            elif ours.listed[path]() != theirs.listed[path]():
                self.refused.append(f"{path}: another {resource.kind}")

    # -- code --------------------------------------------------------------------------------------

    def _code(self) -> None:
        """Compile what differs."""
        if self.game.is_native:
            self.findings.warn("code-not-compiled", "the game is native code, which stays")
            return
        code = ProjectCode(self.project, self.game)
        dialect = self.game.language.context.dialect
        records = {str(one.name): one for one in self.game.records.code.present()
                   if one.root is None}  # fmt: skip
        seen: set[str] = set()
        for entry in entries_of(self.project, dialect):
            name = code.name_of(entry)
            if name in seen or not entry.is_code:
                continue
            seen.add(name)
            record = records.get(name)
            if record is None:
                if not code.is_empty(entry):
                    self._new_code(entry, name, code)
                continue
            official = self.game.language.code(record)
            made = code.compiled(entry, name, official)
            if not same(made, official):
                self.game.language.assign(record, made)
                self.changed.append(name)
        for name in sorted(records.keys() - seen):
            if not is_made(name):
                message = "the project has no source of it: the game keeps it"
                self.findings.warn("mismatch", message, name)

    def _new_code(self, entry: CodeSource, name: str, code: ProjectCode) -> None:
        """Add an entry that the game lacks."""
        definitions = code.definitions()
        if isinstance(entry.part, str) and entry.owner in self.game.objects:
            self.game.objects[entry.owner].events.add(entry.part, entry.source, definitions)
        elif name.startswith((_GLOBAL, _SCRIPT)):
            script = name.removeprefix(_GLOBAL).removeprefix(_SCRIPT)
            self.game.scripts.add(script, entry.source, definitions)
        else:
            self.refused.append(f"{entry.path}: new code of a room or a timeline")
            return
        self.changed.append(name)

    # -- resources that both have ------------------------------------------------------------------

    def _change(self, path: str, ours: Side, theirs: Side) -> None:
        """Give a resource of the game what the project says of it."""
        one, two = ours.listed[path](), theirs.listed[path]()
        if one == two:
            return
        kind, _, rest = path.partition("/")
        if kind == "frames":
            if not rounded_alike(one, two):
                self._frame(rest)
                self.changed.append(path)
            return
        new, old = (cast("dict[str, object]", json.loads(data)) for data in (one, two))
        apply: dict[str, Callable[[str, str], bool]] = {
            "objects": self._object,
            "sprites": self._sprite,
            "sounds": self._sound,
            "paths": self._path,
            "rooms": self._room,
        }
        name = rest.removesuffix(".json")
        for key in sorted(key for key in new.keys() | old.keys() if new.get(key) != old.get(key)):
            if not apply[kind](name, key):
                self.refused.append(f"{path}: {key.replace('_', ' ')}")
        self.changed.append(path)

    def _frame(self, rest: str) -> None:
        name, _, file = rest.rpartition("/")
        number = int(file.removesuffix(".png"))
        image = self.project.sprites[name].frames[number].image
        old = self.game.sprites[name]
        if image is None or image.size != (old.width, old.height):
            self.refused.append(f"frames/{rest}: a picture of another size")
            return
        self.game.sprites[name].frames[number].image = image

    def _object(self, name: str, key: str) -> bool:
        new, old = self.project.objects[name], self.game.objects[name]
        if key in ("sprite", "mask", "parent"):
            wanted = getattr(new, key)
            kinds = self.game.objects if key == "parent" else self.game.sprites
            setattr(old, key, None if wanted is None else kinds[wanted.name])
        elif key in ("visible", "solid", "persistent", "depth"):
            setattr(old, key, getattr(new, key))
        elif key == "events":  # new ones were added with their code
            listed = {event.name for event in new.own_events}
            for event in list(old.events):
                if event not in listed and event != _PRE_CREATE:
                    del old.events[event]
        else:
            return False
        return True

    def _sprite(self, name: str, key: str) -> bool:
        new, old = self.project.sprites[name], self.game.sprites[name]
        if key == "origin":
            old.origin = new.origin
        elif key == "bbox":
            old.bbox = new.bbox
        elif key == "bbox_mode":
            old.bbox_mode = new.bbox_mode
        elif key == "speed":
            old.speed = new.speed
        else:
            return False
        return True

    def _sound(self, name: str, key: str) -> bool:
        self.game.sounds[name].volume = self.project.sounds[name].volume
        return key == "volume"

    def _path(self, name: str, key: str) -> bool:
        new, old = self.project.paths[name], self.game.paths[name]
        if key == "points":
            old.points = [(point.x, point.y, point.speed) for point in new.points]
        else:
            setattr(old, key, getattr(new, key))
        return True

    def _room(self, name: str, key: str) -> bool:
        new, old = self.project.rooms[name], self.game.rooms[name]
        if key not in ("width", "height", "persistent", "speed", "caption"):
            return False
        setattr(old, key, getattr(new, key))
        return True
