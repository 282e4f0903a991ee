"""EMBI: embedded images."""

from typing import Annotated

from overhaul.gamemaker.data.fields import ItemRef, StringRef
from overhaul.schema import Inline, Record, u32


class EmbeddedImage(Record):
    """An image the runner itself draws with."""

    name: StringRef = None
    image: ItemRef = None


class EmbeddedImageList(Record):
    """All embedded images."""

    version: Annotated[u32, "1"] = 1
    images: Annotated[list[EmbeddedImage], Inline()] = []
