"""GLOB and GMEN: code that runs when the game starts and ends."""

from typing import Annotated

from overhaul.gamemaker.data.fields import CodeRef
from overhaul.schema import Inline, Record


class CodeList(Record):
    """Code entries, run in this order."""

    code: Annotated[list[CodeRef], Inline()] = []
