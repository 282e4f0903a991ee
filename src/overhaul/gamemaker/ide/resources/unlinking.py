"""References to a resource that is taken out, taken out too."""

from __future__ import annotations

from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.loose import events_of
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.references import NO_ID, by_id, by_name, by_path
from overhaul.gamemaker.ide.resources.users import refers
from overhaul.gamemaker.ide.texts import JsonFile
from overhaul.gamemaker.ide.values import Steps, text_at

#: Lists whose elements go with what they refer to.
_GO_WITH: Final = frozenset(("instances", "assets", "eventList", "overriddenProperties"))
_UNDEFINED: Final = "<undefined>"


def unlink(project: ProjectModel, entry: ListedEntry) -> None:
    """Let other files refer to a resource no more.

    Instances, elements of layers, events of collisions and properties that are of it are taken
    out; any other reference becomes none.
    """
    for other in project.entries:
        path = project.files.spelled(other.path)
        if path is None or other.path == entry.path or not refers(project, other, entry):
            continue
        try:
            if path.endswith(".gmx"):
                _in_xml(project, path, entry)
            else:
                _in_json(project, path, entry)
        except FormatError:  # check says what is wrong with it
            continue


def _in_json(project: ProjectModel, path: str, entry: ListedEntry) -> None:
    file = project.json_file(path)
    wanted = entry.id or entry.path
    references = by_id(file.value) if entry.id else by_path(file.value)
    found = [one.steps for one in references if one.path == wanted]
    elements = {steps: _element(steps) for steps in found}
    names = [text_at(file.at(*at), "name") for at in elements.values() if at and "instances" in at]
    keys = [text_at(file.at(*at), "id") for at in elements.values() if at and "instances" in at]
    _remove_code(project, path, file, [at for at in elements.values() if at])
    for steps in sorted(found, key=_sorting, reverse=True):
        at = elements[steps]
        if at:
            file = file.removed(*at) if _is_there(file, at) else file
        else:
            file = file.replaced(*steps, value=NO_ID if entry.id else None)
    project.put(path, _unordered(file, set(names), set(keys)))


def _remove_code(project: ProjectModel, path: str, file: JsonFile, elements: list[Steps]) -> None:
    """Take out the code of events that are taken out."""
    folder, events = path.rpartition("/")[0], events_of(file.value)
    for steps in elements:
        if steps[0] == "eventList" and isinstance(steps[1], int):
            code = project.files.spelled(f"{folder}/{events[steps[1]]}.gml")
            if code is not None:
                project.files.write(code, None)


def _sorting(steps: Steps) -> list[tuple[int, str]]:
    """In the order of the file: elements of a list by their numbers."""
    return [(step, "") if isinstance(step, int) else (-1, step) for step in steps]


def _is_there(file: JsonFile, steps: Steps) -> bool:
    *outer, last = steps
    owner = file.at(*outer)
    return isinstance(owner, list) and isinstance(last, int) and last < len(owner)


def _element(steps: Steps) -> Steps:
    """The steps to the element of a list that goes with a reference; none where it stays."""
    for number in range(len(steps) - 1, 0, -1):
        if isinstance(steps[number], int) and steps[number - 1] in _GO_WITH:
            return steps[: number + 1]
    return ()


def _unordered(file: JsonFile, names: set[str], keys: set[str]) -> JsonFile:
    """Without instances in the order of creation."""
    value = file.value
    for key in ("instanceCreationOrder", "instanceCreationOrderIDs"):
        rows = value.get(key) if isinstance(value, dict) else None
        for number in reversed(range(len(rows) if isinstance(rows, list) else 0)):
            row = rows[number] if isinstance(rows, list) else None
            gone = row in keys if isinstance(row, str) else text_at(row, "name") in names
            if gone:
                file = file.removed(key, number)
    return file


def _in_xml(project: ProjectModel, path: str, entry: ListedEntry) -> None:
    def change(root: XmlNode) -> None:
        used = [one.node for one in by_name(root)
                if one.name == entry.name and one.kind == entry.kind]  # fmt: skip
        whole = [node for node in used if node.tag in ("instance", "tile", "event")]
        for node in root.walk():
            node.children = [one for one in node.children if not any(one is g for g in whole)]
        for node in used:
            if node.text == entry.name:
                node.text = _UNDEFINED
            elif node.tag == "background":
                node.attributes["name"] = ""
            elif node.tag == "view":
                node.attributes["objName"] = _UNDEFINED

    project.put(path, project.gmx_file(path).edited(change))
