"""GLOB and GMEN: code that runs when the game starts and ends."""

from typing import Annotated

from ....binary import Inline, Record
from ..fields import CodeRef


class CodeList(Record):
    """Code entries, run in this order."""

    code: Annotated[list[CodeRef], Inline()] = []
