"""The project of a later editor that an old project becomes."""

from __future__ import annotations

import os
from typing import Final

from overhaul.document.protocol import Document
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.documents.converted import converted
from overhaul.gamemaker.classic.documents.executable import ExecutableDocument
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.forward.classic import ClassicDraft
from overhaul.gamemaker.forward.classic_project import studio_of
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.forward.modern_project import modern_of
from overhaul.gamemaker.forward.naming import PARTS
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.recovered import Tally
from overhaul.gamemaker.recovery.drafts import ProjectDraft
from overhaul.gamemaker.recovery.recovering import Recovered, project_name, recover

REPORT: Final = "CONVERTED.md"


def forward(document: Document, kind: str, name: str = "") -> Recovered:
    """The project of the kind ``"gmx"`` or ``"yyp"`` that an old project becomes, or the game in an
    executable of Game Maker 5.3 to 8.1.

    ``name`` is that of the project, by default the name of the file.  Raises FormatError for other
    documents, and damaged ones.
    """
    if kind not in ("gmx", "yyp"):
        raise FormatError(f"unknown kind of project {kind!r}: there are gmx and yyp")
    title = project_name(name or _stem(document.source or "game"))
    if isinstance(document, IdeProjectDocument):
        if not document.is_studio:
            message = "the project is one of GameMaker 2 or later: its editor converts it itself"
            raise FormatError(message, source=document.source)
        if kind == "gmx":
            raise FormatError("the project is one of Studio 1 already", source=document.source)
        return _finished(modern_of(document, title), ".yyp")
    draft = _studio(document, title, is_last=kind == "gmx")
    if kind == "gmx":
        return _finished(draft, ".project.gmx")
    between = Recovered(f"{draft.name}.project.gmx", draft.files, draft.tallies, draft.findings)
    return _through(between, title, is_classic=True)


def project_of(document: Document, kind: str, name: str = "") -> Recovered:
    """The project of a kind that a document becomes: a compiled game by what it is made of, and one
    of Studio 1 also of the later kind; an old project as :func:`forward` makes it."""
    if not isinstance(document, GameData):
        return forward(document, kind, name)
    if kind != "yyp" or document.release.at_least(2):
        return recover(document, kind, name)
    made = recover(document, "gmx", name)
    return _through(made, project_name(name or made.name.removesuffix(".project.gmx")))


def _through(studio: Recovered, title: str, *, is_classic: bool = False) -> Recovered:
    """The project of GameMaker 2024 that one of Studio 1 becomes which is not written."""
    files = MadeFiles(studio.files)
    data = studio.files[studio.name]()
    between = IdeProjectDocument.from_bytes(data, source=studio.name, siblings=files)
    made = modern_of(between, title, is_classic=is_classic)
    found = [*map(made.placed, studio.findings), *made.findings]
    made.findings[:] = dict.fromkeys(found)
    for each, tally in studio.tallies.items():
        known = made.tallies.get(each)
        if known is None:
            made.tallies[each] = tally
        else:
            made.tallies[each] = Tally(
                tally.total, max(tally.lossy, known.lossy), max(tally.lost, known.lost)
            )
    return _finished(made, ".yyp")


def _studio(document: Document, title: str, *, is_last: bool) -> ClassicDraft:
    """The project of Studio 1 that an older one becomes, or the game in an executable."""
    if isinstance(document, ExecutableDocument):
        found = converted(document)
        draft = studio_of(found.project.project, title, is_last=is_last)
        draft.findings[:0] = found.findings
        return draft
    project = getattr(document, "project", None)
    if isinstance(project, Project):
        draft = studio_of(project, title, is_last=is_last)
        draft.findings[:0] = document.findings  # the findings of reading it
        return draft
    raise FormatError(
        f"expected a project of Game Maker 5 to Studio 1, got {document.kind}",
        source=document.source,
    )


def _stem(path: str) -> str:
    name = os.path.basename(path.replace("!", "/"))
    return name.removesuffix(".gmx").rpartition(".")[0] or name


def _finished(draft: ProjectDraft, ending: str) -> Recovered:
    """The project with the report: resources are counted before what they are made of."""
    for part in PARTS:
        draft.tallies[part] = draft.tallies.pop(part)
    files = {**draft.files, REPORT: report(draft).encode("utf-8", "replace").__bytes__}
    return Recovered(f"{draft.name}{ending}", files, draft.tallies, draft.findings)


def report(draft: ProjectDraft) -> str:
    """The report of a conversion, as a text for people."""
    lines = [
        f"# {draft.name}",
        "",
        "Overhaul made this project of an older one. The list below has each place to look at.",
        "",
        "| Kind | Converted | In another form | Lack a part |",
        "|---|---|---|---|",
    ]
    for kind, tally in draft.tallies.items():
        if not tally.total:
            continue
        shown = kind.replace("_", " ")
        lines.append(f"| {shown} | {tally.total} | {tally.lossy} | {tally.lost} |")
    lines += ["", "## What to look at", ""]
    lines += [f"- {finding}" for finding in draft.findings] or ["Nothing."]
    return "\n".join(lines) + "\n"
