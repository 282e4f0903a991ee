"""FEDS: filter and effect definitions."""

from typing import Annotated

from overhaul.gamemaker.data.fields import StringRef
from overhaul.schema import Align, Pointers, Record, u32


class EffectDefinition(Record):
    """A filter or effect; the value is JSON."""

    name: StringRef = None
    value: StringRef = None


class EffectDefinitionList(Record):
    """All filter and effect definitions."""

    version: Annotated[u32, Align(4), "1"] = 1
    effects: Annotated[list[EffectDefinition], Pointers()] = []
