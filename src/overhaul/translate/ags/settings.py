"""The settings of a translation: headers ``X-AGS-...`` of the messages, comments of a .trs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from overhaul.ags.translating import OF_GAME, PREFIX, TranslationSettings
from overhaul.errors import EncodeError
from overhaul.translate.results import one_line, refuse

if TYPE_CHECKING:
    import polib

#: the header of a line of a .trs that no editor knows
_TAG: Final = f"{PREFIX}Tag-"
#: the header of each setting of a .trs
NAMES: Final = ("NormalFont", "SpeechFont", "TextDirection", "Encoding", "AutoTranslateParserSaid")


class Settings(TranslationSettings):
    """The settings of a translation, as headers of messages have them."""

    @classmethod
    def of(cls, metadata: Mapping[str, str]) -> Settings:
        """The settings in the header of messages.  Raises EncodeError for one that is not valid."""
        made = cls()
        for name, value in metadata.items():
            folded = name.casefold()
            if folded == "language":
                made.language = value.strip().replace("-", "_")
            elif folded.startswith(_TAG.casefold()):
                made.others[name[len(_TAG) :]] = value.strip()
            elif folded.startswith(PREFIX.casefold()) and value.strip():
                made.take(name[len(PREFIX) :], value.strip())
        return made

    def headers(self) -> dict[str, str]:
        """The headers of messages that have the settings."""
        return {
            (_TAG if name in self.others and name not in OF_GAME.values() else PREFIX) + name:
                one_line(value)
            for name, value in self.lines().items()
        }  # fmt: skip


def settings_of(messages: polib.POFile) -> Settings:
    """The settings of messages.  Raises EncodeError with the name of their file."""
    try:
        return Settings.of(messages.metadata)
    except EncodeError as error:
        refuse(messages, None, error.message)
