"""Game data (game28.dta, ac2game.dta) as a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from overhaul.ags import drawing
from overhaul.ags.documents.base import AgsDocument, Tally, code_page, has_foreign_texts
from overhaul.ags.documents.code import HasScripts
from overhaul.ags.documents.lists import EDIT, Edited, HasGame
from overhaul.ags.game.dialogs import disassemble, shown_text
from overhaul.ags.game.extensions import DialogsBlock
from overhaul.ags.game.game import Game
from overhaul.ags.game.old import OldGameContent
from overhaul.ags.game.records import GameContent, GameSettings
from overhaul.ags.script.model import Script as CompiledScript
from overhaul.document.protocol import Buffer, Resource, Siblings
from overhaul.document.registry import load
from overhaul.errors import WorkspaceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.drawing import GuiPicture
    from overhaul.ags.surface.base import AgsResources, GameHolder
    from overhaul.ags.surface.game import Font
    from overhaul.document.stored import Stored
    from overhaul.document.views import ResourceView

_LISTS: Final = "overhaul.ags.surface.game:LISTS"
_CODE_PAGE_OPTION: Final = 49
#: Screen sizes by number; for any other number, width and height are stored.
_RESOLUTIONS: Final = {
    0: "320x200",
    1: "320x200",
    2: "320x240",
    3: "640x400",
    4: "640x480",
    5: "800x600",
    6: "1024x768",
    7: "1280x720",
}


class GameDocument(HasGame, HasScripts, AgsDocument):
    """Game data (game28.dta, ac2game.dta)."""

    kind = "ags-game"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self._data: Buffer | None = None
        self._game: Game | None = None
        self._closed = False
        #: the package that it is in, which edits go to
        self.owner: HasGame | None = None

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the header; the rest is read on first use."""
        self._data = data
        header = Game()
        header.read_header(data, self.source)
        self.version: str = str(header.version)
        if self.strict:
            self.decode()

    @property
    def game(self) -> Game:
        """The model.  Raises ValueError if the document was closed before it was read."""
        if self._game is None:
            if self._closed:
                raise ValueError("the document is closed")
            if self._data is None:
                self._game = Game()
            else:
                self._game = Game.read(self._data, source=self.source, strict=self.strict)
                self.findings.extend(self._game.findings)
        return self._game

    def decode(self) -> None:
        """Read everything."""
        _ = self.game

    def compiled_scripts(self) -> Iterable[tuple[str, CompiledScript]]:
        """The global script, the dialogs' and the modules."""
        names = {"DialogScripts": "__DialogScripts.asc"}
        scripts = self.game.scripts()
        return [(names.get(name, script.name or name), script) for name, script in scripts]

    def to_bytes(self) -> bytes:
        """The game data, rebuilt from the model."""
        return self.game.to_bytes()

    def close(self) -> None:
        """Release the file; what was not read before can't be read afterwards."""
        if self._data is not None and self._game is None:
            self._closed = True
        self._data = None
        super().close()

    def info(self) -> dict[str, object]:
        """The game's name and version, and how many things of each kind it has."""
        game = self.game
        facts: dict[str, object] = {
            "kind": self.kind,
            "data_version": game.version,
            "compiled_with": game.header.compiled_with,
        }
        if game.content is not None:
            facts |= self._content_info(game.content)
        elif game.old is not None:
            facts |= self._old_info(game.old)
        else:
            facts["not_understood"] = game.reason
        facts["encoding"] = self.encoding
        return facts

    def _content_info(self, content: GameContent) -> dict[str, object]:
        settings = content.settings
        blocks = self.game.blocks
        new = blocks.find("v363_dialogsnew", DialogsBlock)
        return {
            "name": self.shown(settings.name),
            "unique_id": settings.unique_id,
            "resolution": _resolution(settings),
            "characters": settings.character_count,
            "views": settings.view_count,
            "inventory": max(0, settings.inventory_count - 1),
            "cursors": settings.cursor_count,
            "fonts": settings.font_count,
            "dialogs": settings.dialog_count or (len(new.dialogs) if new is not None else 0),
            "guis": len(content.gui.guis),
            "audio_clips": len(content.audio_clips),
            "plugins": [plugin.name for plugin in content.plugins],
            "scripts": [name for name, _ in self.game.scripts()],
            "extensions": [block.id for block in blocks.blocks],
        }

    def _old_info(self, old: OldGameContent) -> dict[str, object]:
        return {
            "name": self.shown(old.name),
            "unique_id": old.unique_id,
            "characters": old.character_count,
            "views": old.view_count,
            "inventory": max(0, old.inventory_count - 1),
            "dialogs": old.dialog_count,
            "scripts": [name for name, _ in self.game.scripts()],
        }

    # -- what is in it -----------------------------------------------------------------------

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The resources of a kind, in the order of ``ls``."""
        make = load(_LISTS).get(kind)
        listed: Iterable[ResourceView] = () if make is None else make(self)
        return listed

    def stored(self, kind: str, position: int, name: str) -> Sequence[Stored]:
        """The bytes that a thing of the game is stored as; see :mod:`overhaul.document.stored`."""
        parts: Sequence[Stored] = load("overhaul.ags.stored:stored_thing")(
            self.game, self.to_bytes(), kind, position
        )
        return parts

    def stored_parts(self) -> Sequence[Stored]:
        """The header, the content and the blocks."""
        parts: Sequence[Stored] = load("overhaul.ags.stored:game_parts")(self.game, self.to_bytes())
        return parts

    def also_shown(self) -> Iterable[Resource]:
        """The fonts, the definitions of custom properties, and the texts of the game itself."""
        content = self.game.content
        if content is None:
            return
        for number in range(len(self.fonts)):
            yield Resource("font", str(number), "game.json")
        if content.property_schema.definitions or content.property_schema.old_definitions:
            yield Resource("custom properties", "properties", "properties.json")
        if content.messages or content.dictionary:
            yield Resource("texts", "messages", "texts.json")

    @property
    def _of_game(self) -> GameHolder:
        return self

    @property
    def fonts(self) -> AgsResources[Font]:
        """The fonts, by number."""
        return cast("AgsResources[Font]", self._listed("game:fonts"))

    def edit(self, path: str, values: Mapping[str, object]) -> None:
        """Set keys of one of its plain files (``characters/cEgo.json``), as packing an edited
        folder does; in a package, of the whole package.

        Raises what :func:`overhaul.pack` raises for such an edit; then nothing is changed.
        """
        if self.owner is not None:
            self.owner.edit(path, values)
            return
        built: Edited = load(EDIT)(self, path, values)
        self.take(built.data)
        self.findings.extend(built.findings)

    def edit_next_to(self, file: str, path: str, values: Mapping[str, object]) -> None:
        """Set keys of a plain file of a document that is in the same package.

        Raises what :meth:`edit` raises, and WorkspaceError for a file that is not in a package.
        """
        if self.owner is None:
            raise WorkspaceError(f"{file} is a file of its own: open it and set it there")
        self.owner.edit_next_to(file, path, values)

    @property
    def neighbours(self) -> Siblings | None:
        """The files next to it."""
        return self._siblings

    def take(self, data: Buffer, siblings: Siblings | None = None) -> None:
        """Be the game data of other bytes, next to other files."""
        self._data, self._game = data, None
        self.size: int = len(data)
        self._siblings = siblings or self._siblings
        self.__dict__.pop("art", None)

    def gui_image(self, number: int) -> GuiPicture:
        """A GUI as a picture; see :func:`overhaul.ags.drawing.guis.gui_image`."""
        return drawing.gui_image(self.game, number, self.art, self.shown, self.encoding)

    def tally(self, tally: Tally) -> None:
        """Old programs, data of plugins and unknown dialog code are opaque."""
        game = self.game
        tally.add_tail("body", game.body, game.reason)
        tally.add_tail("trailing", game.trailing, "bytes after the end")
        tally.add_blocks(game.blocks)
        if game.old is not None and isinstance(game.old.compiled_script, bytes):
            size = len(game.old.compiled_script)
            tally.add_opaque(0, "compiled_script", size, "a script compiled before 2.1")
        if game.content is not None:
            for name, script in game.scripts():
                tally.add_script(script, name)
            for plugin in game.content.plugins:
                tally.add_opaque(0, f"plugins.{plugin.name}", len(plugin.data), "data of a plugin")
        content = game.content or game.old
        for index, (code, _) in enumerate(content.dialog_data if content is not None else ()):
            if disassemble(code) is None:
                tally.add_opaque(0, f"dialogs[{index}]", len(code), "unknown dialog code")

    def locate(self, offset: int) -> str:
        """The block that an offset lies in."""
        return self.game.blocks.locate(offset)

    def declared_encoding(self) -> str | None:
        """The code page of the game's options."""
        content = self.game.content
        return None if content is None else code_page(content.settings.options[_CODE_PAGE_OPTION])

    def has_foreign_texts(self) -> bool:
        """Whether a text of the game is not UTF-8."""
        game = self.game
        content = game.content or game.old
        if content is None:
            return has_foreign_texts(game.header.compiled_with)
        fields = content.__struct_fields__
        searched = [getattr(content, name) for name in fields]
        stored = [text for _, text in content.dialog_data]
        if isinstance(content, GameContent):
            stored += content.speech_lines
        return has_foreign_texts([searched, [shown_text(text, game.version) for text in stored]])


def _resolution(settings: GameSettings) -> str:
    return _RESOLUTIONS.get(settings.resolution, f"{settings.width}x{settings.height}")
