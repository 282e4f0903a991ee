"""Projects of GameMaker's editor: opened by their file, or as a document with steps on it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Final, cast

from overhaul.document.protocol import Document
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.language.gml.ide_projects import IdeLanguage, ProjectTexts
from overhaul.language.gml.language import GmlLanguage
from overhaul.language.gml.studio import StudioLanguage
from overhaul.language.gml.xml_code import StudioTexts
from overhaul.language.protocol import Starts
from overhaul.language.texts import DocumentTexts, FolderTexts, Texts

_STUDIO: Final = ".gmx"


def opened(place: str) -> tuple[FolderTexts, GmlLanguage]:
    """The files around a project file as texts, and their language."""
    folder, name = os.path.split(place)
    if place.endswith(_STUDIO):
        texts = StudioTexts(folder)
        return texts, StudioLanguage(texts, name)
    modern = ProjectTexts(folder)
    return modern, IdeLanguage(modern, name)


class _OfEditors(Starts):
    def of_folder(self, texts: FolderTexts) -> None:
        """None: a project is edited where it is, not unpacked."""

    def of_document(
        self, document: Document, files: Mapping[str, Callable[[], bytes]]
    ) -> tuple[Texts, GmlLanguage | None]:
        project = cast("IdeProjectDocument", document)
        source = project.source or ""
        if not os.path.isfile(source):
            return DocumentTexts(files), None
        texts, language = opened(os.path.realpath(source))
        for path, data in project.files.differing().items():
            texts.put(path, data.decode("utf-8-sig", "surrogateescape"))
        return texts, language


PROJECT: Final = _OfEditors()
