"""The lists of things, by kind, that game data and a game's package share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

from overhaul.document.plainfiles import Within
from overhaul.document.protocol import Buffer
from overhaul.document.registry import load
from overhaul.findings import Findings

if TYPE_CHECKING:
    from overhaul.ags.surface.base import AgsResources, GameHolder
    from overhaul.ags.surface.game import AudioClip, Dialog, Gui, Scripts
    from overhaul.ags.surface.people import Character, Cursor, InventoryItem, View
    from overhaul.ags.surface.rooms import Rooms
    from overhaul.ags.surface.sprites import Sprites

#: The folder's function that sets keys of plain files.
EDIT: Final = "overhaul.ags.folder.editing:edit"
_SURFACE: Final = "overhaul.ags.surface"
_PLAIN_JSON: Final = "overhaul.ags.folder.editing:plain_json"
_DECOMPILED: Final = "overhaul.ags.decompiler.source:decompiled"
_VARIABLES: Final = "overhaul.ags.project.scripts:global_variables"
#: The script that the editor makes of global variables.
_VARIABLES_SCRIPT: Final = "_GlobalVariables.asc"


class Edited(Protocol):
    """The result of an edit of a document: the bytes of its file, the files next to it, and
    findings."""

    @property
    def data(self) -> Buffer: ...
    @property
    def companions(self) -> Mapping[str, bytes]: ...
    @property
    def findings(self) -> Findings: ...


class Options(dict[str, object]):
    """The options of a game: ``options["DebugMode"] = True`` sets that of the game."""

    def __init__(
        self, values: Mapping[str, object], edit: Callable[[Mapping[str, object]], None]
    ) -> None:
        super().__init__(values)
        self._edit = edit

    def __setitem__(self, name: str, value: object) -> None:
        """Set an option.  Raises what :func:`overhaul.pack` raises for such an edit."""
        self._edit({name: value})
        super().__setitem__(name, value)


class GlobalVariable(NamedTuple):
    """A global variable of a game's project: its ``name``, ``type`` and first value, as text."""

    name: str
    type: str
    value: str


class HasGame:
    """A document with a game: its things by name and number; setting values of them."""

    @property
    @abstractmethod
    def _of_game(self) -> GameHolder:
        """The document of the game data.  Raises FormatError where there is none."""

    @abstractmethod
    def edit(self, path: str, values: Mapping[str, object]) -> None:
        """Set keys of one of its plain files, as packing an edited folder does."""

    @abstractmethod
    def edit_next_to(self, file: str, path: str, values: Mapping[str, object]) -> None:
        """Set keys of a plain file of a document that is in the same package."""

    def _listed(self, name: str) -> object:
        """A list of a module of :mod:`overhaul.ags.surface`, which is imported now."""
        listed: object = load(f"{_SURFACE}.{name}")(self._of_game)
        return listed

    @property
    def characters(self) -> AgsResources[Character]:
        """The characters, by script name or number: ``game.characters["cEgo"]``."""
        return cast("AgsResources[Character]", self._listed("people:characters"))

    @property
    def inventory(self) -> AgsResources[InventoryItem]:
        """The inventory items, by name or number (from 1)."""
        return cast("AgsResources[InventoryItem]", self._listed("people:inventory"))

    @property
    def cursors(self) -> AgsResources[Cursor]:
        """The modes of the mouse cursor."""
        return cast("AgsResources[Cursor]", self._listed("people:cursors"))

    @property
    def views(self) -> AgsResources[View]:
        """The views, by name or number (from 1, as in the folder)."""
        return cast("AgsResources[View]", self._listed("people:views"))

    @property
    def dialogs(self) -> AgsResources[Dialog]:
        """The dialogs."""
        return cast("AgsResources[Dialog]", self._listed("game:dialogs"))

    @property
    def guis(self) -> AgsResources[Gui]:
        """The GUIs."""
        return cast("AgsResources[Gui]", self._listed("game:guis"))

    @property
    def audio_clips(self) -> AgsResources[AudioClip]:
        """The audio clips."""
        return cast("AgsResources[AudioClip]", self._listed("game:audio_clips"))

    @property
    def scripts(self) -> Scripts:
        """The compiled scripts, by name, also without its ending: ``scripts["GlobalScript"]``."""
        return cast("Scripts", self._listed("game:scripts"))

    @property
    def sprites(self) -> Sprites:
        """The sprites of the set next to it, by number: ``game.sprites[30].image``."""
        return cast("Sprites", self._listed("game:sprites"))

    @property
    def rooms(self) -> Rooms:
        """The rooms next to it, by number: ``game.rooms[12].background``."""
        return cast("Rooms", self._listed("rooms:Rooms"))

    # -- other names, and values that are not lists ---------------------------------------------

    @property
    def inventory_items(self) -> AgsResources[InventoryItem]:
        """The inventory items: :attr:`inventory`."""
        return self.inventory

    @property
    def player(self) -> Character | None:
        """The character that the player is at first; None where the file names none."""
        return next((person for person in self.characters if person.is_player), None)

    @property
    def options(self) -> Options:
        """The options of the game, as ``game.json`` has them: ``options["ThoughtGUI"] = 2``."""
        game = self._of_game
        shown: dict[str, object] = load(_PLAIN_JSON)(game, "game.json")
        settings = shown.get("Settings")
        options = settings.get("Options") if isinstance(settings, dict) else None

        def edit(values: Mapping[str, object]) -> None:
            game.edit("game.json", {"Settings": Within({"Options": Within(values)})})

        return Options(options if isinstance(options, dict) else {}, edit)

    @property
    def global_variables(self) -> list[GlobalVariable]:
        """The global variables of the game's project, as its compiled script shows them."""
        script = self.scripts.get(_VARIABLES_SCRIPT)
        if script is None:
            return []
        rows = load(_VARIABLES)(load(_DECOMPILED)(script.record, self._of_game))
        return [
            GlobalVariable(str(row["Name"]), str(row["Type"]), str(row["DefaultValue"]))
            for row in rows
        ]
