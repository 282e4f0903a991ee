"""The rows of a project that list its resources: added, changed, taken out."""

from __future__ import annotations

from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.resources.making import in_order
from overhaul.gamemaker.ide.values import Json, Steps, list_at, text_at

#: The lists of a project of Studio 1: their elements, and the folder of the files.
_STUDIO: Final = {
    "sound": ("sounds", "sound"), "sprite": ("sprites", "sprites"),
    "background": ("backgrounds", "background"), "path": ("paths", "paths"),
    "script": ("scripts", "scripts"), "font": ("fonts", "fonts"),
    "object": ("objects", "objects"), "timeline": ("timelines", "timelines"),
    "room": ("rooms", "rooms"), "shader": ("shaders", "shaders"),
}  # fmt: skip


def enlist(project: ProjectModel, kind: str, name: str, path: str) -> None:
    """List a new resource, where the editor would; a room is also in the order of rooms."""
    if not isinstance(project.project, ModernProject):
        _enlist_studio(project, kind, name, path)
        return
    file = project.project.file
    value = file.value
    rows = list_at(value, "resources")
    row: dict[str, Json] = {"id": in_order({"name": name, "path": path}, file.style)}
    if rows and isinstance(rows[0], dict) and "order" in rows[0]:
        row["order"] = 1 + max(_order(one) for one in rows)
    names = [text_at(one, "id", "name").upper() for one in rows]
    at = len(rows)
    if file.style.letter in "CD" and names == sorted(names):
        at = sum(one < name.upper() for one in names)
    file = file.added("resources", at, value=row)
    if kind == "room" and isinstance(value, dict) and "RoomOrderNodes" in value:
        nodes = len(list_at(value, "RoomOrderNodes"))
        node: Json = {"roomId": in_order({"name": name, "path": path}, file.style)}
        file = file.added("RoomOrderNodes", nodes, value=node)
    project.put(project.name, file)


def _order(row: Json) -> int:
    found = row.get("order") if isinstance(row, dict) else None
    return found if isinstance(found, int) else 0


def _enlist_studio(project: ProjectModel, kind: str, name: str, path: str) -> None:
    group, folder = _STUDIO[kind]
    ending = path.rpartition(".")[2] if kind in ("script", "shader") else ""
    text = f"{folder}\\{name}{'.' + ending if ending else ''}"

    def change(root: XmlNode) -> None:
        owner = root.find(group)
        if owner is None:
            owner = XmlNode(group, attributes={"name": folder})
            root.children.append(owner)
        owner.children.append(XmlNode(kind, text))

    project.put(project.name, project.gmx_file(project.name).edited(change))


def relist(project: ProjectModel, entry: ListedEntry, new: str, path: str) -> None:
    """Give the row of a resource another name and path; also in the order of rooms."""
    if not isinstance(project.project, ModernProject):
        _relist_studio(project, entry, new)
        return
    file = project.project.file
    values: dict[Steps, Json] = {}
    if entry.id:
        row = (*entry.steps, "Value", "resourcePath")
        stored = str(file.at(*row))
        values[row] = path.replace("/", "\\") if "\\" in stored else path
    elif entry.kind == "included file":
        values[*entry.steps, "name"] = new
    else:
        values = {(*entry.steps, "id", "path"): path, (*entry.steps, "id", "name"): new}
        for number, node in enumerate(list_at(file.value, "RoomOrderNodes")):
            if text_at(node, "roomId", "path") == entry.path:
                values["RoomOrderNodes", number, "roomId", "path"] = path
                values["RoomOrderNodes", number, "roomId", "name"] = new
        for number, one in enumerate(list_at(file.value, "RoomOrder")):
            if text_at(one, "path") == entry.path:
                values["RoomOrder", number, "path"] = path
                values["RoomOrder", number, "name"] = new
    project.put(project.name, file.replaced_all(values))


def _relist_studio(project: ProjectModel, entry: ListedEntry, new: str) -> None:
    file = project.gmx_file(project.name)
    for node in file.root.walk():
        if file.line(node) == entry.line and not node.children and node.text:
            head, slash, name = node.text.replace("/", "\\").rpartition("\\")
            made = head + slash + new + name[len(entry.name) :]
            project.put(project.name, file.replaced(node, made))
            return


def unlist(project: ProjectModel, entry: ListedEntry) -> None:
    """Take the rows of a resource out; also of the order of rooms and of the asset browser."""
    if not isinstance(project.project, ModernProject):
        _unlist_studio(project, entry)
        return
    current = project.entry_at(entry.path)
    file = project.project.file
    if current is not None:
        file = file.removed(*current.steps)
    for key, inner in (("RoomOrderNodes", ("roomId", "path")), ("RoomOrder", ("path",))):
        for number in reversed(range(len(list_at(file.value, key)))):
            if text_at(list_at(file.value, key)[number], *inner) == entry.path:
                file = file.removed(key, number)
    if entry.id:
        for number in reversed(range(len(list_at(file.value, "script_order")))):
            if list_at(file.value, "script_order")[number] == entry.id:
                file = file.removed("script_order", number)
    project.put(project.name, file)
    if entry.id:
        _leave_views(project, entry.id)
    path = project.name.removesuffix(".yyp") + ".resource_order"
    if project.files.has(path):
        order = project.json_file(path)
        rows = list_at(order.value, "ResourceOrderSettings")
        gone = [number for number, row in enumerate(rows) if text_at(row, "path") == entry.path]
        for number in reversed(gone):
            order = order.removed("ResourceOrderSettings", number)
        if gone:
            project.put(path, order)


def _leave_views(project: ProjectModel, key: str) -> None:
    """Take a resource of 2.0 to 2.2 out of the folders of the asset browser."""
    for view in project.entries_of("folder"):
        path = project.path_of(view)
        if path is None or key.encode() not in project.files.read(path):
            continue
        file = project.json_file(path)
        children = list_at(file.value, "children")
        for number in reversed([n for n, child in enumerate(children) if child == key]):
            file = file.removed("children", number)
        project.put(path, file)


def _unlist_studio(project: ProjectModel, entry: ListedEntry) -> None:
    current = project.entry_at(entry.path)
    file = project.gmx_file(project.name)
    places = [node for node in file.root.walk() if not node.children]
    lines = {number for number, node in enumerate(places)
             if current is not None and file.line(node) == current.line}  # fmt: skip

    def change(root: XmlNode) -> None:
        leaves = [node for node in root.walk() if not node.children]
        gone = [leaves[number] for number in lines]
        for node in root.walk():
            node.children = [one for one in node.children if not any(one is g for g in gone)]

    project.put(project.name, file.edited(change))


def replace_text(project: ProjectModel, path: str, old: str, new: str, tag: str) -> None:
    """Give the elements of a tag that have a text another one."""
    file = project.gmx_file(path)
    for node in file.root.walk():
        if node.tag == tag and node.text == old:
            file = file.replaced(node, new)
            break
    project.put(path, file)


def replace_code(project: ProjectModel, path: str, old: str, new: str) -> None:
    """Give the instances that have a code another one."""

    def change(root: XmlNode) -> None:
        for node in root.walk():
            if node.tag == "instance" and node.attributes.get("code") == old:
                node.attributes["code"] = new

    if old != new:
        project.put(path, project.gmx_file(path).edited(change))
