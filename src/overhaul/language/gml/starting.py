"""The code of GameMaker's games and projects, as a workspace opens it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from overhaul.document.protocol import Document
from overhaul.gamemaker.data.game import GameData
from overhaul.language.gml.folders import FolderGame
from overhaul.language.gml.games import OpenGame, ProjectGame
from overhaul.language.gml.language import GmlLanguage
from overhaul.language.protocol import Starts
from overhaul.language.texts import DocumentTexts, FolderTexts, Texts


class _OfGames(Starts):
    def of_folder(self, texts: FolderTexts) -> GmlLanguage:
        return GmlLanguage(texts, FolderGame(texts))

    def of_document(
        self, document: Document, files: Mapping[str, Callable[[], bytes]]
    ) -> tuple[DocumentTexts, GmlLanguage]:
        game = OpenGame(cast("GameData", document))
        texts = DocumentTexts(files, game.is_known)
        return texts, GmlLanguage(texts, game)


class _OfProjects(Starts):
    def of_folder(self, texts: Texts) -> GmlLanguage:
        game = ProjectGame(texts)
        return GmlLanguage(texts, game, game.index)

    def of_document(
        self, document: Document, files: Mapping[str, Callable[[], bytes]]
    ) -> tuple[DocumentTexts, GmlLanguage]:
        texts = DocumentTexts(files)
        return texts, self.of_folder(texts)


GAME: Final = _OfGames()
PROJECT: Final = _OfProjects()
