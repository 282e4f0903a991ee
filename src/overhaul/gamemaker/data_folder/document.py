"""What a game does as a document with a folder; the work is done in the modules beside this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from overhaul.document.protocol import (
    BaseDocument,
    Change,
    Folder,
    PlainFile,
    Resource,
    UnpackOptions,
)

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.gamemaker.data.audiogroup import AudioGroups
    from overhaul.gamemaker.data.game import GameData


class GameFolder(BaseDocument):
    """The folder's part of :class:`~overhaul.gamemaker.data.game.GameData`."""

    @property
    def _game(self) -> GameData:
        return cast("GameData", self)

    @cached_property
    def audio_files(self) -> AudioGroups:
        """The sounds of the game and of the audio groups beside it."""
        from overhaul.gamemaker.data.audiogroup import AudioGroups

        return AudioGroups(self._game)

    def sound_bytes(self, sound: Any) -> bytes | None:
        """The bytes of a sound, wherever they are stored; None where they are not to be found.

        ``sound`` is a name, an index, or the sound itself.
        """
        from overhaul.gamemaker.data_folder.sounds import bytes_of_sound

        game = self._game
        record = game.sounds[sound] if isinstance(sound, (str, int)) else sound
        found = bytes_of_sound(game, record)
        return None if found is None else bytes(found)

    def set_sound_bytes(self, sound: Any, data: bytes) -> None:
        """Give a sound (a name, an index, or itself) other bytes, stored where the old ones are.

        Its record follows where the format is another.
        """
        from overhaul.gamemaker.data_folder.sounds import set_bytes

        game = self._game
        set_bytes(game, game.sounds[game.sounds.index(sound)], bytes(data))

    def set_frame(self, sprite: Any, index: int, image: Image) -> None:
        """Give a frame of a sprite (a name, an index, or itself) another picture.

        ``image`` is a Pillow image of the sprite's full canvas.  It goes where packing a folder
        would put it: in its place on its texture page, or on a new page.  Raises IndexError for a
        frame that is not there, ValueError for another size.
        """
        from overhaul.gamemaker.data_folder.images import set_frame

        game = self._game
        set_frame(game, game.sprites[game.sprites.index(sprite)], index, image)

    def companions(self) -> Mapping[str, bytes]:
        """The files of the audio groups beside the game."""
        return self.audio_files.files()

    def tree(self) -> Iterator[Resource]:
        """All resources, in the order of the folder."""
        from overhaul.gamemaker.data_folder.unpacking import resources

        return resources(self._game)

    def settings(self) -> dict[str, object]:
        """What the release number does not tell of the layout."""
        from overhaul.gamemaker.data.blank import settings_of

        return settings_of(self._game)

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked folder."""
        from overhaul.gamemaker.data_folder.unpacking import Unpacker

        return Unpacker(self._game, options).files()

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Change the game as its plain files were changed; return warnings for people."""
        from overhaul.gamemaker.data_folder.applying import Applier

        return Applier(self._game, folder, changes).run()
