"""TAGS: tags of assets."""

from typing import Annotated

from overhaul.gamemaker.data.fields import StringRef
from overhaul.schema import Align, FixedCodec, Inline, Pointers, Record, u32


class AssetTags(Record):
    """The tags of one asset."""

    asset: Annotated[object, FixedCodec("i", "asset: type << 24 | index", kind="asset")] = None
    tags: Annotated[list[StringRef], Inline()] = []


class TagList(Record):
    """All tags, and which assets have them."""

    version: Annotated[u32, Align(4), "1"] = 1
    tags: Annotated[list[StringRef], Inline()] = []
    assets: Annotated[list[AssetTags], Pointers()] = []
