"""A game that was built of a project, and why one was not."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from overhaul.document.registry import load
from overhaul.errors import FindingsError
from overhaul.findings import Finding, Findings


@dataclass(slots=True)
class Scripts:
    """Scripts of a project that were compiled: ``names`` are all, ``failed`` those with errors.

    ``failed`` has the first error of each.  ``different`` has the first difference between a script
    and the game's own, for scripts that were compared.  ``reused`` are the scripts that an earlier
    build compiled of the same texts.
    """

    names: list[str] = field(default_factory=list)
    failed: dict[str, Finding] = field(default_factory=dict)
    different: dict[str, str] = field(default_factory=dict)
    reused: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        """The counts, and the scripts that do not compile."""
        return {
            "count": len(self.names),
            "compile": len(self.names) - len(self.failed),
            "failed": [
                {"script": name, "finding": finding.to_json()}
                for name, finding in self.failed.items()
            ],
        }


@dataclass(slots=True)
class Built:
    """A game: where it was written, its files and the members of its package with their sizes.

    ``version`` is that of the project's editor; ``findings`` are warnings.
    """

    path: str
    version: str
    files: list[str] = field(default_factory=list)
    members: dict[str, int] = field(default_factory=dict)
    scripts: Scripts = field(default_factory=Scripts)
    findings: Findings = field(default_factory=Findings)


class BuildError(FindingsError):
    """A project can't be built: ``findings`` are the errors, each with its file and line."""

    def __init__(self, findings: Findings, scripts: Scripts) -> None:
        super().__init__(findings)
        self.scripts = scripts


def build(
    project: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    engine: str | os.PathLike[str] | None = None,
    strict: bool = False,
    force: bool = False,
) -> Built:
    """Build the game of a project: ``project`` is its folder, or the ``Game.agf`` in it.

    ``out`` is the game's file (``.ags``, or ``.exe`` with an ``engine`` to put it behind), or a
    folder for a file with the name that the project says.  ``audio.vox``, ``speech.vox``,
    translations and ``acsetup.cfg`` are written next to it.  All is written, or nothing.  A script
    is compiled again only if its text or a header has changed; the cache folder has the others.
    Sounds that are not there are left out, with a warning; ``strict`` takes every warning for an
    error.

    Raises BuildError for a fault of the project, UnsupportedVersion for a release whose
    projects can't be built, FileExistsError without ``force``.
    """
    built: Built = load("overhaul.ags.project.building:build")(
        project, out, engine=engine, strict=strict, force=force
    )
    return built
