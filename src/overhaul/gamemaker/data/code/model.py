"""A game with the tools at work on its code, its sounds and its pictures."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhaul.document.protocol import Each
from overhaul.gamemaker.data.model import GameModel

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.language import Language
    from overhaul.gamemaker.data.painting import ImageEdits
    from overhaul.gamemaker.data.pictures import PageImages
    from overhaul.gamemaker.data.sounds import AudioGroups
    from overhaul.gml.vm.code import Code


class CodeModel(GameModel):
    """The chunks of a game, and the tools that read and write its code, sounds and pictures."""

    @cached_property
    def language(self) -> Language:
        """The language tools at work on this game."""
        # start-up: opening a game and showing its release need no language tools
        from overhaul.gamemaker.data.code.language import Language

        return Language(self)

    @cached_property
    def audio_files(self) -> AudioGroups:
        """The sounds of the game and of the audio groups next to it."""
        from overhaul.gamemaker.data.sounds import AudioGroups  # start-up: records of sounds

        return AudioGroups(self)

    @cached_property
    def pictures(self) -> PageImages:
        """Decoded texture pages; the last few are kept."""
        from overhaul.gamemaker.data.pictures import PageImages  # start-up: NumPy

        return PageImages()

    @cached_property
    def painting(self) -> ImageEdits:
        """Pictures put into the game; its pages are encoded when they are asked for."""
        from overhaul.gamemaker.data.painting import ImageEdits  # start-up: NumPy

        return ImageEdits(self, self.pictures, live=True)

    def close(self) -> None:
        """Release the file; what was decompiled is kept in the cache."""
        language = self.__dict__.get("language")
        if language is not None:
            language.decompiled.save_remembered()
        super().close()

    def compile(self, entry_name: str, source: str, definitions: str = "") -> Code:
        """Compile source as the code entry of this name; the game does not change.

        ``definitions``: GML text with ``#macro`` and ``enum`` lines.  ``to_bytes()`` of the result
        equals ``game.code[entry_name].to_bytes()`` where the source is the original one.  Raises
        KeyError for an unknown entry, SyntaxError_ and CompileError for the source.
        """
        return self.language.compile(entry_name, source, definitions)

    def code_size(self) -> int:
        """The size of the chunk of code."""
        chunk = self.chunks.get("CODE")
        return 0 if chunk is None else chunk.end - chunk.start

    def learn_code(self, each: Each | None, *, later: bool = False, few: int = 0) -> None:
        """Infer types from all code, in several processes; ``later``: not before something needs
        them; ``few``: neither for so many entries, if they need less."""
        if not self.is_native and self.record("CODE") is not None:
            self.language.decompiled.learn(each, later=later or few > 0)
            if few:
                self.language.decompiled.expect(few)

    def note_check(self, name: str, reason: str | None, source: object = None) -> None:
        """Note whether an entry's source compiles to its bytecode, as another process found, and
        the source, where it was made there.

        Nothing is noted of code that can't be read, which has no entries.
        """
        entry = self.records.code.get(name)
        if entry is None:
            return
        if isinstance(source, tuple):
            self.language.decompiled.note_source(entry, source)
        else:
            source = self.language.decompiled.known_source(entry)
        self.language.decompiled.note_check(entry, reason, None if source is None else source[0])

    def expect_checks(self) -> None:
        """Prepare for checking most code."""
        if not self.is_native and self.record("CODE") is not None:
            self.language.decompiled.expect_checks()

    def knows_check(self, name: str) -> bool:
        """Whether that was noted, now or by an earlier command."""
        entry = self.records.code.get(name)
        return entry is not None and self.language.decompiled.noted_check(entry) is not None

    def code_compiler(self) -> dict[str, object]:
        """The release as the code shows it, and the capabilities (``gml.Dialect``) it decides."""
        return self.language.compiler()
