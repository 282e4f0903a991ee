"""A project or an executable as the project of a later version."""

from __future__ import annotations

from typing import NamedTuple

from overhaul.document.protocol import Document
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.gamemaker.classic.conversion import convert
from overhaul.gamemaker.classic.documents.executable import ExecutableDocument
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.kinds import BY_SINGULAR, slots_of
from overhaul.gamemaker.classic.recovery import recover
from overhaul.gamemaker.recovered import Tally

TYPE_CHECKING = False


class Converted(NamedTuple):
    """The project, the tally of each kind, and what a person should know.

    ``files`` go next to the project, by path: those of extension packages, which it only names.
    """

    project: ProjectDocument
    tallies: dict[str, Tally]
    findings: Findings
    files: dict[str, bytes]

    def to_json(self) -> dict[str, object]:
        """The tallies and the findings as docs/guide/json.md describes them."""
        return {
            "recovered": {kind: tally.to_json() for kind, tally in self.tallies.items()},
            "findings": self.findings.to_json(),
        }


def converted(document: Document, version: int | None = None) -> Converted:
    """The project of a later version: of a project, or of the game in an executable.

    Without a version an executable becomes a project of the version that made it.

    >>> with overhaul.open("game.exe") as game:  # doctest: +SKIP
    ...     classic.converted(game).project.save("game.gmk")

    Raises FormatError for other documents and damaged ones, EncodeError for an earlier version.
    """
    if isinstance(document, ExecutableDocument):
        found = recover(document.executable, version)
        project = ProjectDocument.of(found.project)
        project.findings += found.findings
        return Converted(project, found.tallies, found.findings, found.files)
    if not isinstance(document, ProjectDocument):
        raise FormatError(
            f"expected a project or an executable of Game Maker 5 to 8.1, got {document.kind}",
            source=document.source,
        )
    made, report = convert(
        document.project, document.project.version if version is None else version
    )
    project = ProjectDocument.of(made)
    project.findings += report
    return Converted(project, _tallies(project, report), report, {})


def _tallies(document: ProjectDocument, report: Findings) -> dict[str, Tally]:
    """The resources of each kind; of these that the report names, something has no equivalent."""
    named = {finding.path for finding in report}
    tallies = {}
    for kind, slots in slots_of(document.project).items():
        singular = next(name for name, known in BY_SINGULAR.items() if known.plural == kind)
        paths = [f"{singular} {slot.name}" for slot in slots if slot.exists]
        tallies[kind] = Tally(len(paths), sum(path in named for path in paths))
    return tallies
