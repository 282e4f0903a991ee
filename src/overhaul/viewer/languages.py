"""The language service of what is on show: a workspace for each opened file or folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary, finalize

from overhaul.language.protocol import Language
from overhaul.language.texts import DocumentTexts, FolderTexts
from overhaul.language.workspace import Workspace
from overhaul.viewer.opened import NotThere, Opened

#: the endings of plain files whose language is known
LANGUAGES: Final = (".gml", ".asc", ".ash", ".ads")
_known: WeakKeyDictionary[Opened, tuple[int, Workspace]] = WeakKeyDictionary()


class Asking(NamedTuple):
    """A file with the text that the editor has."""

    workspace: Workspace
    language: Language
    path: str
    text: str

    @property
    def texts(self) -> FolderTexts | DocumentTexts:
        """The files, with what is edited."""
        texts = self.workspace.texts
        assert isinstance(texts, FolderTexts | DocumentTexts)
        return texts


def workspace_of(opened: Opened) -> Workspace:
    """The workspace of what is on show, as it is now; the lock must be held."""
    known = _known.get(opened)
    if known is not None and known[0] == opened.edition:
        return known[1]
    is_folder = opened.parent is None and os.path.isdir(opened.source)
    if known is not None and is_folder and isinstance(known[1].texts, FolderTexts):
        workspace = known[1]
        known[1].texts.refresh()
    elif known is not None:
        known[1].close()
        del _known[opened]
        return workspace_of(opened)
    elif is_folder:
        workspace = Workspace.of_folder(opened.source)
    else:
        files = {path: file.read for path, file in opened.files.items()}
        workspace = Workspace.of_document(opened.document, files)
    if known is None or known[1] is not workspace:
        finalize(opened, workspace.close)
    _known[opened] = opened.edition, workspace
    return workspace


@contextmanager
def asking(opened: Opened, path: str, text: str) -> Iterator[Asking]:
    """A question about a text that is edited; other questions get the text of the file again.

    Raises NotThere for a file without a language.
    """
    workspace = workspace_of(opened)
    language = workspace.language_of(path)
    texts = workspace.texts
    if language is None or path not in texts:
        raise NotThere(f"there is no code {path!r} here")
    assert isinstance(texts, FolderTexts | DocumentTexts)
    plain = text.replace("\r\n", "\n")
    texts.put(path, plain)
    try:
        yield Asking(workspace, language, path, plain)
    finally:
        texts.drop(path)
