"""The resource tree as JSON.

    [
      {"root": "Sprites", "children": ["spr_player", {"group": "walls", "children": ["spr_wall"]}]},
      ...
    ]

A resource is named by its file name.  A node that disagrees with the resources, or with the order
of kinds, is shown with its numbers as ``node``: [status, grouping, index].  ``left_out`` of a root
lists resources that the tree does not have, as some programs leave them out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import (
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    expect_texts,
)
from overhaul.gamemaker.classic.kinds import KINDS, AnySlot, kinds_of
from overhaul.gamemaker.classic.records import Node, Project
from overhaul.gamemaker.classic_folder.kind import (
    FolderPart,
    JsonObject,
    expect_no_more,
    left_out,
    made_json,
    read_each,
    take,
)
from overhaul.gamemaker.classic_folder.names import ResourceFileNames, kind_of_grouping

TREE = "tree.json"
ROOT, GROUP, LEAF = 1, 2, 3
_SPECIAL = (10, 11, 13)
_LEFT_OUT = "left_out"
_MAXIMUM_DEPTH = 60


def _expected_roots(version: int) -> list[tuple[int, int]]:
    """Status and grouping of the roots, in order."""
    roots = [(ROOT, kind.grouping) for kind in kinds_of(version)]
    return roots + [(LEAF, grouping) for grouping in _SPECIAL]


def _show_files(project: Project, names: ResourceFileNames) -> Iterator[PlainFile]:
    yield PlainFile(TREE, lambda: made_json(show_tree(project, names))(), origin="tree")


def show_tree(project: Project, names: ResourceFileNames) -> list[JsonObject]:
    """The tree for JSON."""
    expected = _expected_roots(project.version)
    shown = []
    for node, (status, grouping) in zip(project.tree, expected, strict=False):
        plain: JsonObject = {"root": node.name}
        if (node.status, node.grouping, node.index) != (status, grouping, 0):
            plain["node"] = [node.status, node.grouping, node.index]
        if node.children:
            plain["children"] = [
                _show(child, node.grouping, project, names) for child in node.children
            ]
        if absent := _absent(node, project, names):
            plain[_LEFT_OUT] = absent
        shown.append(plain)
    return shown


def _absent(root: Node, project: Project, names: ResourceFileNames) -> list[str]:
    """The resources of the kind of a root that are not below it."""
    kind = kind_of_grouping(project.version, root.grouping)
    if kind is None or root.status != ROOT:
        return []
    present: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.status == LEAF:
            present.add(node.index)
        waiting += node.children
    stems = (
        names.stem(kind.plural, index)
        for index, slot in enumerate(kind.section(project).slots)
        if slot.exists and index not in present
    )
    return [stem for stem in stems if stem is not None]


def absent_from_tree(
    project: Project, files: Edits, names: ResourceFileNames
) -> set[tuple[str, int]]:
    """The kinds and ids of resources that tree.json says the tree does not have."""
    absent: set[tuple[str, int]] = set()
    if TREE not in files:
        return absent
    for root, (_, grouping) in zip(
        files.json_list(TREE), _expected_roots(project.version), strict=False
    ):
        kind = kind_of_grouping(project.version, grouping)
        if kind is None:
            continue
        ids = names.ids[kind.plural]
        stems = expect_texts(expect_object(root).get(_LEFT_OUT, []))
        absent |= {(kind.plural, ids[stem]) for stem in stems if stem in ids}
    return absent


def _show(
    node: Node, grouping: int, project: Project, names: ResourceFileNames
) -> str | JsonObject:
    kind = kind_of_grouping(project.version, grouping)
    if kind is not None and (node.status, node.grouping) == (LEAF, grouping) and not node.children:
        stem = names.stem(kind.plural, node.index)
        if stem is not None and kind.section(project).slots[node.index].name == node.name:
            return stem
    plain: JsonObject = {}
    if (node.status, node.grouping) == (GROUP, grouping):
        plain["group"] = node.name
        if node.index:
            plain["index"] = node.index
    else:
        plain["node"] = [node.status, node.grouping, node.index]
        plain["name"] = node.name
    plain["children"] = [_show(child, grouping, project, names) for child in node.children]
    return plain


def _read_files(project: Project, files: Edits, names: ResourceFileNames) -> None:
    project.tree = read_tree(files, project, names)


def read_tree(files: Edits, project: Project, names: ResourceFileNames) -> list[Node]:
    """The tree of what :func:`show_tree` showed; resources that don't exist are left out."""
    plain = files.json_list(TREE)
    count = 12 if project.room_order.version >= 700 else 11
    if len(plain) != count:
        raise FormatError(f"expected {count} roots, got {len(plain)}")
    reader = _TreeReader(project, names, files)
    roots = zip(plain, _expected_roots(project.version), strict=False)
    return read_each(lambda root: reader.root(*root), roots)


class _TreeReader:
    """Reads nodes of the tree; ``grouping`` is that of their root."""

    def __init__(self, project: Project, names: ResourceFileNames, files: Edits) -> None:
        self.project = project
        self.names = names
        self.files = files

    def root(self, item: object, expected: tuple[int, int]) -> Node:
        """A root; ``expected`` are the status and grouping that JSON need not give."""
        plain = dict(expect_object(item))
        name = take(plain, "root", expect_text, None)
        plain.pop(_LEFT_OUT, None)
        status, grouping, number = _numbers(plain.pop("node", [*expected, 0]))
        children = self.children(plain, grouping, 0)
        expect_no_more(plain)
        return Node(status, grouping, number, name, children)

    def children(self, plain: JsonObject, grouping: int, depth: int) -> list[Node]:
        """The nodes in a node."""
        items = take(plain, "children", expect_list, [])
        if depth > _MAXIMUM_DEPTH:
            raise FormatError(f"nested more than {_MAXIMUM_DEPTH} levels deep", path="children")
        nodes = read_each(lambda item: self.node(item, grouping, depth), items, "children")
        return [node for node in nodes if node is not None]

    def node(self, item: object, grouping: int, depth: int) -> Node | None:
        """A group or a resource; None for a resource that doesn't exist."""
        if isinstance(item, str):
            return self.resource(item, grouping)
        plain = dict(expect_object(item))
        children = self.children(plain, grouping, depth + 1)
        if "group" in plain:
            status, own, number = _numbers([GROUP, grouping, plain.pop("index", 0)])
            name = take(plain, "group", expect_text, None)
        else:
            status, own, number = _numbers(plain.pop("node", None))
            name = take(plain, "name", expect_text, None)
        expect_no_more(plain)
        return Node(status, own, number, name, children)

    def resource(self, stem: str, grouping: int) -> Node | None:
        """The node of a resource; None if it doesn't exist."""
        kind = kind_of_grouping(self.project.version, grouping)
        if kind is None:
            raise FormatError("there are no resources in this root")
        number = self.names.ids[kind.plural].get(stem)
        if number is None:
            left_out(self.files, TREE, f"there is no {stem!r} among the {kind.plural}")
            return None
        return Node(LEAF, grouping, number, kind.section(self.project).slots[number].name)


def _numbers(plain: object) -> tuple[int, int, int]:
    if not isinstance(plain, list) or len(plain) != 3:
        raise FormatError("a node is [status, grouping, index]")
    status, grouping, index = map(expect_integer, plain)
    return status, grouping, index


def keep_in_step(
    project: Project,
    before: Mapping[str, Sequence[AnySlot]],
    now: Mapping[str, Sequence[AnySlot]],
    left_out: Collection[tuple[str, int]] = (),
) -> list[tuple[str, int]]:
    """Make the tree follow the resources: new ones at the end, no deleted ones, new names.

    Resources in ``left_out``, kinds and ids, are not put into it. Returns the kinds and ids of
    those that it put at the end.
    """
    appended: list[tuple[str, int]] = []
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
        missing = [
            index
            for index in added
            if index not in present and (kind.plural, index) not in left_out
        ]
        appended += [(kind.plural, index) for index in missing]
        root.children += [Node(LEAF, kind.grouping, index, new[index].name) for index in missing]
    return appended


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


RESOURCE_TREE = FolderPart((TREE,), _show_files, _read_files)
