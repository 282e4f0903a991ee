"""Files of Studio 1 merged: elements by their tags, the names and ids in them, their texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.ide.gmx import LISTS, ROWS, GmxFile, read_gmx
from overhaul.gamemaker.ide.values import Json, list_at, text_at
from overhaul.gamemaker.ide_merge.conflicts import NOTHING, Conflict, Which
from overhaul.gamemaker.ide_merge.identities import Identity
from overhaul.gamemaker.ide_merge.values import ValueMerge

_TAG, _TEXT, _INNER, _CDATA = "tag", "text", "elements", "cdata"
#: The attributes that identify an element, by its tag.
_NAMED: Final = {
    "instance": ("name",), "tile": ("id",), "event": ("eventtype", "enumb", "ename"),
    "frame": ("index",), "glyph": ("character",), "kerningPair": ("first", "second"),
    "constant": ("name",),
}  # fmt: skip


def merged_xml(
    path: str, base: bytes, ours: bytes, theirs: bytes, which: Which
) -> tuple[bytes, list[Conflict]]:
    """The file that both editions make of one; ``which`` counts where they disagree.

    Raises FormatError for broken XML, EncodeError for a file in another form than GameMaker's.
    """
    files = [read_gmx(data, source=path) for data in (base, ours, theirs)]
    merging = ValueMerge(path, which, lambda keys, key, kind: len(keys), _identity_of)
    one, two, three = (_value_of(file.root) for file in files)
    made = merging.merged(one, two, three)
    assert made is not NOTHING
    return _with_root(files[1], made).to_bytes(), merging.conflicts


def _with_root(file: GmxFile, value: Json) -> GmxFile:
    def change(root: XmlNode) -> None:
        made = _node_of(value)
        _keep_form(root, made)
        root.tag, root.text, root.cdata = made.tag, made.text, made.cdata
        root.attributes, root.children, root.spaces = made.attributes, made.children, made.spaces
        root.is_open = made.is_open

    return file.edited(change)


def _keep_form(old: XmlNode | None, new: XmlNode) -> None:
    """Let elements that were there be written as they were."""
    if old is None:
        new.is_open = not (new.tag in LISTS or new.tag in ROWS)
    else:
        new.is_open = old.is_open
        new.spaces = old.spaces if len(old.children) == len(new.children) else ()
    there = old.children if old is not None else []
    known = {_form(child): child for child in there}
    is_same = [child.tag for child in there] == [child.tag for child in new.children]
    for number, child in enumerate(new.children):
        _keep_form(there[number] if is_same else known.get(_form(child)), child)


def _form(node: XmlNode) -> Hashable:
    return node.tag, *node.attributes.items(), node.text, len(node.children)


def _value_of(node: XmlNode) -> Json:
    made: dict[str, Json] = {_TAG: node.tag}
    made |= {f"@{name}": text for name, text in node.attributes.items()}
    if node.children or node.tag in LISTS:
        made[_INNER] = [_value_of(child) for child in node.children]
    elif node.text or node.cdata:
        made[_TEXT] = node.text
        made[_CDATA] = node.cdata
    return made


def _node_of(value: Json) -> XmlNode:
    members = value if isinstance(value, dict) else {}
    return XmlNode(
        text_at(value, _TAG),
        text_at(value, _TEXT),
        {key[1:]: str(item) for key, item in members.items() if key.startswith("@")},
        [_node_of(item) for item in list_at(value, _INNER)],
        members.get(_CDATA) is True,
    )


def _identity_of(*lists: Sequence[Json]) -> Identity | None:
    """The function that identifies elements in an element; None if nothing does."""
    return next((one for one in (_known, _by_text, _tag) if _identifies(one, lists)), None)


def _identifies(identity: Identity, lists: Sequence[Sequence[Json]]) -> bool:
    counts = [Counter(identity(item) for item in items) for items in lists]
    return all(None not in each and max(each.values(), default=1) == 1 for each in counts)


def _tag(item: Json) -> Hashable:
    return text_at(item, _TAG)


def _known(item: Json) -> Hashable:
    """By the attributes that its tag is known for, by its name, or else by the tag."""
    tag = text_at(item, _TAG)
    names = _NAMED.get(tag)
    if names is not None:
        return (tag, *(text_at(item, f"@{name}") for name in names))
    return (tag, text_at(item, "@name")) if text_at(item, "@name") else (tag, "")


def _by_text(item: Json) -> Hashable:
    """By the tag and the text, as rows of a project; groups by their names."""
    tag = text_at(item, _TAG)
    named = next((text_at(one, _TEXT) for one in list_at(item, _INNER)
                  if text_at(one, _TAG) == "name"), "")  # fmt: skip
    return tag, text_at(item, "@name") or named or text_at(item, _TEXT)
