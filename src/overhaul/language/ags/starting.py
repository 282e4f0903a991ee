"""The scripts of Adventure Game Studio, as a workspace opens them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from overhaul.document.protocol import Document
from overhaul.language.ags.games import AgsFolder, AgsOpen
from overhaul.language.ags.language import AgsLanguage
from overhaul.language.protocol import Starts
from overhaul.language.texts import DocumentTexts, FolderTexts


class _OfScripts(Starts):
    def of_folder(self, texts: FolderTexts) -> AgsLanguage:
        return AgsLanguage(texts, AgsFolder(texts))

    def of_document(
        self, document: Document, files: Mapping[str, Callable[[], bytes]]
    ) -> tuple[DocumentTexts, AgsLanguage]:
        texts = DocumentTexts(files)
        return texts, AgsLanguage(texts, AgsOpen(document, texts))


SCRIPTS: Final = _OfScripts()
