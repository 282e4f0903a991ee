"""FEAT: feature flags of the compiler."""

from typing import Annotated

from overhaul.gamemaker.data.fields import StringRef
from overhaul.schema import Align, Inline, Record


class FeatureFlags(Record):
    """The names of the features that were switched on."""

    flags: Annotated[list[StringRef], Inline(), Align(4)] = []
