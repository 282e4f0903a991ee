"""Texture pages rearranged, as changes of plain files: textures.json, the pages, and for a new
page texture_groups.json."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from overhaul.errors import WorkspaceError
from overhaul.folder.json_fields import json_bytes, read_json, wide
from overhaul.gamemaker.data.chunks.txtr import TexturePage
from overhaul.gamemaker.data.rearranging import Pages, Rearranged
from overhaul.gamemaker.data_folder.kind_folders import PAGES
from overhaul.gamemaker.data_folder.tables import TEXTURE_GROUPS
from overhaul.gamemaker.data_folder.texture_pages import TEXTURES
from overhaul.media import png
from overhaul.schema.declaration import fields_of

#: the field of pages that says where they are in their group
_GROUPED = next(field for field in fields_of(TexturePage) if field.name == "index_in_group")


def files_of(made: Rearranged, pages: Pages, read: Callable[[str], bytes]) -> dict[str, bytes]:
    """The files that rearranged pages change; ``read`` gives the unchanged files.

    Raises WorkspaceError.
    """
    value = cast("dict[str, list[dict[str, object]]]", read_json(read(TEXTURES), TEXTURES))
    files = {f"{PAGES}/{page}.png": png.encode(pixels) for page, pixels in made.pixels.items()}
    if made.like is not None:
        files |= _with_page(value["pages"], made.like, pages, read)
    for number, (page, x, y) in made.places.items():
        item = value["items"][number]
        item["page"] = page
        item["source"] = [x, y, *cast("list[int]", item["source"])[2:]]
    files[TEXTURES] = json_bytes(value, wide)
    return files


def _with_page(
    shown: list[dict[str, object]], like: int, pages: Pages, read: Callable[[str], bytes]
) -> dict[str, bytes]:
    """List a new page after the others, and in the texture group of the one that it is like."""
    new = {key: shown[like][key] for key in ("scaled", "generated_mips", "format")}
    group = pages.group(like)
    number = len(shown)
    shown.append(new)
    if group is None:
        return {}
    if group.pages and _GROUPED.present(pages.release):
        new["index_in_group"] = len(group.pages)
    path = TEXTURE_GROUPS.path
    groups = cast("list[dict[str, object]]", read_json(read(path), path))
    listed = next((each for each in groups if each and each.get("name") == str(group.name)), None)
    if listed is None:
        raise WorkspaceError(f"{path} lists no group {group.name}")
    listed["pages"] = [*cast("list[object]", listed["pages"]), number]
    return {path: json_bytes(groups)}
