"""Projects that are broken in one way, by a number: ``from broken_projects import broken``."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.repairing import mended_project, plan_repair
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import list_at, text_at
from overhaul.gamemaker.ide_merge.shapes import is_room, layers_in
from overhaul.gamemaker.ide_merge.trees import Tree

Break = Callable[[Tree, random.Random], str]


@dataclass
class Broken:
    """A broken edition, and what was done to it."""

    tree: Tree
    words: str


def broken(tree: Tree, kind: str, seed: int) -> Broken | None:
    """A project broken in a way; None where it has nothing to break so."""
    made = Tree(tree.name, tree.files)
    words = KINDS[kind](made, random.Random(seed))
    return Broken(made, f"{kind}: {words}") if words else None


def repaired(tree: Tree) -> tuple[Tree, list[str], list[str]]:
    """What repair makes of a project, what it did, and what it leaves to people."""
    files = dict(tree.files)
    steps: list[str] = []
    name = tree.project_file
    try:
        tree.document()
    except FormatError:
        file, steps = mended_project(name, tree.read(name))
        files[name] = file.to_bytes()
    plan = plan_repair(Tree(tree.name, files).document())
    files |= {path: file.to_bytes() for path, file in plan.files.items()}
    for old, new in plan.moves:
        for path in [path for path in files if path == old or path.startswith(f"{old}/")]:
            files[new + path[len(old) :]] = files.pop(path)
    return Tree(tree.name, files), [*steps, *plan.steps], plan.left


def counted(document: IdeProjectDocument) -> dict[str, int]:
    """How many resources, files and instances a project has."""
    instances = 0
    for entry in document.entries_of("room"):
        path = document.path_of(entry)
        try:
            value = None if path is None else read_json_file(document.files.read(path)).value
        except FormatError:
            continue
        if is_room(value):
            instances += sum(len(list_at(layer, "instances")) for layer in layers_in(value))
    tree = document.files
    files = sum(len(list(tree.below(folder))) for folder in tree.listing("")[1])
    return {"resources": len(document.entries), "files": files, "instances": instances}


# -- texts ----------------------------------------------------------------------------------------


def _text(tree: Tree, choose: random.Random) -> tuple[str, str]:
    """A file in JSON that the project lists, and its text."""
    document = tree.document()
    listed = [document.path_of(entry) for entry in document.project.entries]
    paths = [path for path in listed if path is not None and path.endswith(".yy")]
    path = choose.choice([*paths[:400], tree.project_file])
    return path, tree.read(path).decode()


def _changing(change: Callable[[str, random.Random], str]) -> Break:
    def make(tree: Tree, choose: random.Random) -> str:
        path, text = _text(tree, choose)
        made = change(text, choose)
        if made == text:
            return ""
        tree.files[path] = made.encode()
        return path

    return make


def _at(text: str, pattern: str, choose: random.Random) -> int:
    found = [match.start() for match in re.finditer(pattern, text)]
    return choose.choice(found) if found else -1


def _without(pattern: str) -> Callable[[str, random.Random], str]:
    def change(text: str, choose: random.Random) -> str:
        at = _at(text, pattern, choose)
        return text if at < 0 else text[:at] + text[at + 1 :]

    return change


def _twice(pattern: str) -> Callable[[str, random.Random], str]:
    def change(text: str, choose: random.Random) -> str:
        at = _at(text, pattern, choose)
        return text if at < 0 else text[:at] + text[at] + text[at:]

    return change


def _block_twice(text: str, choose: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) < 4:
        return text
    start = choose.randrange(1, len(lines) - 2)
    size = choose.randint(1, min(6, len(lines) - 1 - start))
    return "".join([*lines[: start + size], *lines[start:]])


def _cut(text: str, choose: random.Random) -> str:
    return text[: choose.randrange(len(text) // 8, len(text) * 7 // 8)]


def _encoded(encoding: str) -> Break:
    def make(tree: Tree, choose: random.Random) -> str:
        path, text = _text(tree, choose)
        tree.files[path] = text.encode(encoding)
        return path

    return make


def _zeros(tree: Tree, choose: random.Random) -> str:
    path, text = _text(tree, choose)
    tree.files[path] = text.encode() + bytes(choose.randint(1, 999))
    return path


# -- files ----------------------------------------------------------------------------------------


def _gone(tree: Tree, choose: random.Random) -> str:
    """The files of a resource are gone."""
    document = tree.document()
    paths = [entry.path for entry in document.project.entries if entry.path in tree]
    path = choose.choice(paths) if len(paths) > 1 else ""
    if path:
        del tree.files[path]
    return path


def _cased(tree: Tree, choose: random.Random) -> str:
    """A folder of a resource has another case."""
    document = tree.document()
    folders = sorted({entry.folder for entry in document.project.entries if entry.path in tree
                      and entry.path.endswith(".yy") and entry.folder.count("/") == 1})  # fmt: skip
    folder = choose.choice(folders) if folders else ""
    outer, _, name = folder.rpartition("/")
    if not folder or name.swapcase() == name:
        return ""
    for path in [path for path in tree.files if path.startswith(f"{folder}/")]:
        tree.files[f"{outer}/{name.swapcase()}{path[len(folder) :]}"] = tree.files.pop(path)
    return folder


def _pictureless(tree: Tree, choose: random.Random) -> str:
    """A frame has no picture."""
    found = [path for path in tree.files
             if re.fullmatch(r"sprites/[^/]+/[0-9a-f-]{36}\.png", path)]  # fmt: skip
    path = choose.choice(found) if found else ""
    if path:
        del tree.files[path]
    return path


def _misnamed(tree: Tree, choose: random.Random) -> str:
    """A resource has another name in its file."""
    path, text = _text(tree, choose)
    value = read_json_file(text.encode()).value
    name = text_at(value, "name")
    if path == tree.project_file or not name or "sequence" in text:
        return ""
    file = read_json_file(text.encode()).replaced("name", value=f"{name}_2")
    tree.files[path] = file.to_bytes()
    return path


def _marked(tree: Tree, choose: random.Random) -> str:
    """A merge left marks around a row of the project."""
    name = tree.project_file
    lines = tree.read(name).decode().splitlines(keepends=True)
    rows = [n for n, line in enumerate(lines) if '"id":{"name"' in line.replace(" ", "")]
    if len(rows) < 3 or rows[1] != rows[0] + 1:
        return ""
    number = choose.choice(rows[:-1])
    lines[number : number + 2] = [
        "<<<<<<< HEAD\n", lines[number], "=======\n", lines[number + 1], ">>>>>>> b\n",
    ]  # fmt: skip
    tree.files[name] = "".join(lines).encode()
    return name


KINDS: Final[dict[str, Break]] = {
    "comma": _changing(_without(",")), "two commas": _changing(_twice(",")),
    "no bracket": _changing(_without(r"[\]}](?=[\s\S])")),
    "no opening bracket": _changing(_without(r"(?<=[\s\S])[\[{]")),
    "two brackets": _changing(_twice(r"[\]}](?=[\s\S])")),
    "no end": _changing(lambda text, choose: text.rstrip().removesuffix("}")),
    "block": _changing(_block_twice), "cut": _changing(_cut), "quote": _changing(_without('"')),
    "UTF-16": _encoded("utf-16"), "mark": _encoded("utf-8-sig"), "zeros": _zeros,
    "gone": _gone, "case": _cased, "picture": _pictureless, "name": _misnamed, "merge": _marked,
}  # fmt: skip
