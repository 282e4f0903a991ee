"""The verbs that commands ask of a family of games: to convert, to build, to compile.

The package of a family's commands (:attr:`~overhaul.document.families.Family.cli`) has a module
``verbs`` with the members of :class:`Verbs`.  A command asks each family whether it takes the job.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, cast

from overhaul.cli.output import Settings
from overhaul.document.families import FAMILIES
from overhaul.document.registry import load


class Conversion(NamedTuple):
    """The request of ``overhaul convert``.

    ``kind`` is the project to make, ``is_asked`` whether the command line names it.
    """

    file: str
    kind: str
    is_asked: bool
    release: str | None
    lossy: bool
    output: str | None
    force: bool
    settings: Settings

    @property
    def stem(self) -> str:
        """The path of the file without its ending."""
        return self.file.rpartition(".")[0] or self.file


class Building(NamedTuple):
    """The request of ``overhaul build``."""

    project: str
    output: str
    engine: str | None
    like: str | None
    watch: bool
    strict: bool
    force: bool
    settings: Settings


class Compiling(NamedTuple):
    """The request of ``overhaul compile``."""

    file: str
    sources: tuple[str, ...]
    entry: str | None
    definitions: str | None
    output: str | None
    force: bool
    strict: bool
    settings: Settings


class Conflict(Protocol):
    """A name that one side of a merge uses and the other removed; as text, the sentence for
    people."""

    def to_json(self) -> dict[str, object]:
        """The conflict, as ``--json`` prints it."""


class Verbs(Protocol):
    """The verbs of a family; each function returns the exit code."""

    def converts(self, kind: str) -> bool:
        """Whether this family makes projects of a kind (``"gm81"``, ``"yyp"``, ``"agf"``)."""

    def convert(self, asked: Conversion) -> int:
        """Make a project of a kind."""

    def builds(self, asked: Building) -> bool:
        """Whether this family builds a project."""

    def build(self, asked: Building) -> int:
        """Build the game of a project."""

    def compiles(self, file: str) -> bool:
        """Whether sources are compiled against a file by this family."""

    def compile(self, asked: Compiling) -> int:
        """Compile sources."""

    def check_merge(self) -> Sequence[Conflict]:
        """The conflicts in the projects of the merge that git is about to commit."""


def families() -> Iterator[Verbs]:
    """The verbs of each family, in the order of the manifest."""
    for family in FAMILIES:
        yield cast("Verbs", load(f"{family.cli}.verbs"))
