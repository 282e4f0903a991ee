"""AGRP: audio groups."""

from typing import Annotated

from overhaul.gamemaker.data.fields import StringRef
from overhaul.gamemaker.data.version import since
from overhaul.schema import Pointers, Record


class AudioGroupEntry(Record):
    """An audio group; group 0 is in this file, others in ``audiogroup<index>.dat``."""

    name: StringRef = None
    path: Annotated[StringRef, since(2024, 14), "relative path of the group's file"] = None


class AudioGroupList(Record):
    """All audio groups."""

    groups: Annotated[list[AudioGroupEntry], Pointers()] = []
