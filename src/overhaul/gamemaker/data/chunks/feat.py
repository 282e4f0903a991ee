"""FEAT: feature flags of the compiler."""

from typing import Annotated

from ....binary import Align, Inline, Record
from ..fields import StringRef


class FeatureFlags(Record):
    """The names of the features that were switched on."""

    flags: Annotated[list[StringRef], Inline(), Align(4)] = []
