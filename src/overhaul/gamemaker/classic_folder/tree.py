"""The resource tree as JSON.

    [
      {"root": "Sprites", "children": ["spr_player", {"group": "walls", "children": ["spr_wall"]}]},
      ...
    ]

A resource is named by its file name.  What disagrees with the resources, or with the order of
kinds, stands with its numbers as ``node``: [status, grouping, index].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.kinds import KINDS, kinds_of
from overhaul.gamemaker.classic.records import Node, Project
from overhaul.gamemaker.classic.resources import Slot
from overhaul.gamemaker.classic_folder.names import Names, kind_of_grouping

ROOT, GROUP, LEAF = 1, 2, 3
_SPECIAL = (10, 11, 13)
_MAXIMUM_DEPTH = 60


def _expected_roots(version: int) -> list[tuple[int, int]]:
    """Status and grouping of the roots, in order."""
    roots = [(ROOT, kind.grouping) for kind in kinds_of(version)]
    return roots + [(LEAF, grouping) for grouping in _SPECIAL]


def show_tree(project: Project, names: Names) -> list[Any]:
    """The tree for JSON."""
    expected = _expected_roots(project.version)
    shown = []
    for node, (status, grouping) in zip(project.tree, expected, strict=False):
        plain: dict[str, Any] = {"root": node.name}
        if (node.status, node.grouping, node.index) != (status, grouping, 0):
            plain["node"] = [node.status, node.grouping, node.index]
        if node.children:
            plain["children"] = [
                _show(child, node.grouping, project, names) for child in node.children
            ]
        shown.append(plain)
    return shown


def _show(node: Node, grouping: int, project: Project, names: Names) -> Any:
    kind = kind_of_grouping(project.version, grouping)
    if kind is not None and (node.status, node.grouping) == (LEAF, grouping) and not node.children:
        stem = names.stem(kind.plural, node.index)
        if stem is not None and kind.section(project).slots[node.index].name == node.name:
            return stem
    plain: dict[str, Any] = {}
    if (node.status, node.grouping) == (GROUP, grouping):
        plain["group"] = node.name
        if node.index:
            plain["index"] = node.index
    else:
        plain["node"] = [node.status, node.grouping, node.index]
        plain["name"] = node.name
    plain["children"] = [_show(child, grouping, project, names) for child in node.children]
    return plain


def read_tree(plain: list[Any], project: Project, names: Names) -> list[Node]:
    """The tree of what :func:`show_tree` showed; resources that don't exist are left out."""
    expected = _expected_roots(project.version)
    count = 12 if project.room_order.version >= 700 else 11
    if len(plain) != count:
        raise FormatError(f"{count} roots are expected, not {len(plain)}")
    roots = []
    for index, (item, (status, grouping)) in enumerate(zip(plain, expected, strict=False)):
        try:
            if not isinstance(item, dict) or not isinstance(item.get("root"), str):
                raise FormatError("a root is an object with its name")
            status, grouping, number = _numbers(item.get("node", [status, grouping, 0]))
            children = _children(item, grouping, project, names, 0)
        except FormatError as error:
            raise error.within("", index) from None
        roots.append(Node(status, grouping, number, item["root"], children))
    return roots


def _children(
    plain: dict[str, Any], grouping: int, project: Project, names: Names, depth: int
) -> list[Node]:
    items = plain.get("children", [])
    if not isinstance(items, list) or depth > _MAXIMUM_DEPTH:
        raise FormatError(f"a list, at most {_MAXIMUM_DEPTH} deep, is expected", path="children")
    nodes = []
    for index, item in enumerate(items):
        try:
            node = _read(item, grouping, project, names, depth)
        except FormatError as error:
            raise error.within("children", index) from None
        if node is not None:
            nodes.append(node)
    return nodes


def _read(item: Any, grouping: int, project: Project, names: Names, depth: int) -> Node | None:
    if isinstance(item, str):
        kind = kind_of_grouping(project.version, grouping)
        if kind is None:
            raise FormatError("there are no resources in this root")
        number = names.ids[kind.plural].get(item)
        if number is None:
            return None
        return Node(LEAF, grouping, number, kind.section(project).slots[number].name)
    if not isinstance(item, dict):
        raise FormatError("a resource's name, a group or a node is expected")
    children = _children(item, grouping, project, names, depth + 1)
    if "group" in item:
        status, own, number = _numbers([GROUP, grouping, item.get("index", 0)])
        name = item["group"]
    else:
        status, own, number = _numbers(item.get("node"))
        name = item.get("name")
    if not isinstance(name, str):
        raise FormatError("a name is expected")
    return Node(status, own, number, name, children)


def _numbers(plain: Any) -> tuple[int, int, int]:
    if not isinstance(plain, list) or len(plain) != 3:
        raise FormatError("a node is [status, grouping, index]")
    for number in plain:
        if not isinstance(number, int) or not -(1 << 31) <= number < 1 << 31:
            raise FormatError("a node is [status, grouping, index]")
    return plain[0], plain[1], plain[2]


def keep_in_step(
    project: Project, before: Mapping[str, list[Slot]], now: Mapping[str, list[Slot]]
) -> None:
    """Make the tree follow the resources: new ones at the end, no deleted ones, new names."""
    roots = {node.grouping: node for node in project.tree if node.status == ROOT}
    for kind in KINDS:
        if kind.plural not in now:
            continue
        old, new = before.get(kind.plural, []), now[kind.plural]
        gone, renamed, added = set(), {}, []
        for index in range(max(len(old), len(new))):
            was = old[index] if index < len(old) and old[index].exists else None
            slot = new[index] if index < len(new) and new[index].exists else None
            if slot is None and was is not None:
                gone.add(index)
            elif slot is not None and was is None:
                added.append(index)
            elif slot is not None and was is not None and was.name != slot.name:
                renamed[index] = slot.name
        root = roots.get(kind.grouping)
        if root is None or not (gone or renamed or added):
            continue
        present: set[int] = set()
        _follow(root, gone, renamed, present)
        root.children += [
            Node(LEAF, kind.grouping, index, new[index].name)
            for index in added
            if index not in present
        ]


def _follow(node: Node, gone: set[int], renamed: dict[int, str], present: set[int]) -> None:
    kept = []
    for child in node.children:
        if child.status == LEAF:
            if child.index in gone:
                continue
            child.name = renamed.get(child.index, child.name)
            present.add(child.index)
        _follow(child, gone, renamed, present)
        kept.append(child)
    node.children = kept
