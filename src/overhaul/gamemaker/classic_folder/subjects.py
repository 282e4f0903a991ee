"""The knowledge about a project's files beyond writing and reading them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from overhaul.document.format_parts import (
    FileFields,
    FileMeaning,
    NewResources,
    OtherVersions,
    ResourceMentions,
    SourceNames,
)
from overhaul.document.names import escape_name
from overhaul.document.protocol import Document
from overhaul.errors import EncodeError, PlainFileError, WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.classic import conversion
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic_folder.header import DATES, PROJECT
from overhaul.gamemaker.classic_folder.ids import IDS
from overhaul.gamemaker.classic_folder.kinds import KINDS
from overhaul.gamemaker.classic_folder.names import event_files
from overhaul.gamemaker.classic_folder.tree import TREE
from overhaul.gml.syntax.lexer import words

#: numbers in project.json that only grow
_LAST = ("last_instance_id", "last_tile_id")
#: kinds whose smallest resource is an empty file
_BEGUN = (
    "sprites", "backgrounds", "paths", "scripts", "fonts", "timelines", "objects", "rooms",
)  # fmt: skip


class ProjectMeaning(FileMeaning[ProjectDocument]):
    """The meaning of values in the files of a project."""

    def counter(self, path: str, key: str) -> bool:
        """The dates of the last changes, and the last ids that were given."""
        return path == DATES or (path == PROJECT and key in _LAST)


class ProjectMentions(ResourceMentions):
    """How the files of a project mention resources."""

    def paths(self, name: str) -> str:
        """The files of events with an object or a trigger."""
        return rf"/(?:collision|trigger)_{re.escape(name)}(?:%=\d+)?(?:\.gml|/actions\.json)$"

    def listings(self, name: str) -> Mapping[str, str]:
        """The files that list all resources."""
        return dict.fromkeys((IDS, DATES, TREE), "")


class ProjectNames(SourceNames[ProjectDocument]):
    """The words of the code of a project."""

    def tokens(self, document: ProjectDocument, source: str) -> list[str]:
        """The names, numbers, texts and signs of a source, without comments."""
        del document
        return words(source, gms2=False, v2=False)


class ProjectAdditions(NewResources[ProjectDocument]):
    """The resources that can be added to a project."""

    def event_titles(self, document: ProjectDocument) -> Iterator[str]:
        """The events that objects of the version have."""
        return iter(event_files(document.project))

    def event_stems(self, document: ProjectDocument, path: str) -> dict[str, str]:
        """The files of each event that objects of the version have."""
        if not path.startswith("objects/"):
            return {}
        words = event_files(document.project)
        return {title: f"{path}/{word}" for title, word in words.items()}

    def creation_code(self, document: ProjectDocument, path: str, number: int) -> str:
        """The file of the creation code of an instance."""
        return f"{path}/instance_{number}.gml" if path.startswith("rooms/") else ""

    def kinds(self, document: ProjectDocument) -> dict[str, str]:
        """The kinds of resources that can be added."""
        return {BY_PLURAL[name].singular: "" for name in _BEGUN}

    def new_files(self, document: ProjectDocument, kind: str, name: str) -> Mapping[str, bytes]:
        """The plain files of a new resource.  Raises WorkspaceError for another kind."""
        known = next(
            (KINDS[plural] for plural in _BEGUN if BY_PLURAL[plural].singular == kind), None
        )
        if known is None:
            raise WorkspaceError(f"a {kind} can't be added")
        stem = escape_name(name)
        if known.name == "scripts":
            return {known.path(stem): b"\n"}
        return {f"{known.name}/{stem}{known.json}": b"{}\n"}


class ProjectVersions(OtherVersions):
    """How resources come into projects of other versions."""

    def as_in(self, source: Document, target: Document) -> tuple[Document, Findings]:
        """A project converted to the version of another, and a report of fields without equivalent.

        Raises WorkspaceError for one of a later version.
        """
        if not isinstance(source, ProjectDocument) or not isinstance(target, ProjectDocument):
            return source, Findings()
        version = target.project.version
        if source.project.version == version:
            return source, Findings()
        try:
            project, report = conversion.convert(source.project, version)
        except EncodeError as error:
            raise PlainFileError(str(error), source.source or "") from None
        made = ProjectDocument.of(project)
        made.source = source.source
        return made, report


class ProjectFields(FileFields[ProjectDocument]):
    """The resources that JSON files name."""

    def named_fields(self, path: str) -> dict[str, str]:
        """The keys of a resource's JSON that name others."""
        known = KINDS.get(path.partition("/")[0])
        if known is None or not path.endswith(known.json):
            return {}
        return {key: BY_PLURAL[kind].singular for key, (kind, _) in known.named.items()}


MEANING: Final = ProjectMeaning()
MENTIONS: Final = ProjectMentions()
NAMES: Final = ProjectNames()
ADDITIONS: Final = ProjectAdditions()
VERSIONS: Final = ProjectVersions()
FIELDS: Final = ProjectFields()
