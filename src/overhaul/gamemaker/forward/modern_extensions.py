"""Extensions of a project of Studio 1, for later releases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from overhaul.document.names import escape_name
from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.data.chunks.extn import ExtensionKind
from overhaul.gamemaker.forward.modern import ForwardDraft, defined, whole
from overhaul.gamemaker.forward.modern_code import function
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.extensions import ExtensionWriter

#: Members whose elements have other names in Studio 1.
_TEXTS: Final = {
    "packageId": "packageID", "productId": "ProductID", "date": "date", "license": "license",
    "description": "description", "helpfile": "helpfile", "installdir": "installdir",
    "androidclassname": "androidclassname", "sourcedir": "sourcedir",
    "androidsourcedir": "androidsourcedir", "macsourcedir": "macsourcedir",
    "maclinkerflags": "maclinkerflags", "maccompilerflags": "maccompilerflags",
    "androidinject": "androidinject", "androidmanifestinject": "androidmanifestinject",
    "iosplistinject": "iosplistinject", "androidactivityinject": "androidactivityinject",
    "gradleinject": "gradleinject",
}  # fmt: skip


def add_extensions(draft: ForwardDraft) -> None:
    """Add the extensions with their files."""
    total = lost = 0
    for entry in draft.old.entries_of("extension"):
        total += 1
        is_whole = _add(draft, entry.name, draft.root(entry), entry.folder)
        lost += not is_whole or draft.is_broken(entry)
    if total:
        draft.count("extensions", total, 0, lost)


def _add(draft: ForwardDraft, name: str, root: XmlNode, folder: str) -> bool:
    made = draft.name_for("extension", name)
    path = draft.path_of("extension", name)
    writer = ExtensionWriter(draft, path)
    files: dict[str, Callable[[], bytes]] = {}
    values: list[Json] = []
    is_whole = True
    place = root.find("files")
    for node in () if place is None else place.all("file"):
        file = escape_name(node.value("filename").replace("\\", "/").rpartition("/")[2] or "file")
        read = draft.file_at(f"{folder}/{name}/{node.value('filename')}", path)
        is_whole = is_whole and read is not None
        if read is not None:
            is_code = whole(node.value("kind")) == ExtensionKind.GML
            place_of = f"{path.rpartition('/')[0]}/{file}"
            files[file] = _functions(draft, read, place_of) if is_code else read
        values.append(_file(writer, node, file))
    given: dict[str, Json] = {key: root.value(tag) for key, tag in _TEXTS.items()}
    given["extensionVersion"] = root.value("version") or "1.0.0"
    given["classname"] = root.value("classname")
    writer.add(made, given, values, files)
    return is_whole


def _functions(draft: ForwardDraft, read: Callable[[], bytes], path: str) -> Callable[[], bytes]:
    """The functions of a file of code."""
    text = read().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    parts = [function(draft, name, source, path) for name, source in defined(text, "")
             if name]  # fmt: skip
    return draft.source("\n".join(parts))


def _file(writer: ExtensionWriter, node: XmlNode, name: str) -> Json:
    functions: list[Json] = []
    names: list[str] = []
    place = node.find("functions")
    for each in () if place is None else place.all("function"):
        arguments = each.find("args")
        kinds: list[Json] = [
            whole(arg.text) for arg in (() if arguments is None else arguments.all("arg"))
        ]
        given: dict[str, Json] = {
            "externalName": each.value("externalName"),
            "kind": whole(each.value("kind")),
            "help": each.value("help"),
            "returnType": whole(each.value("returnType")),
            "argCount": max(-1, whole(each.value("argCount"))),
        }
        names.append(each.value("name"))
        functions.append(writer.function(each.value("name"), given, kinds))
    constants: list[Json] = []
    place = node.find("constants")
    for each in () if place is None else place.all("constant"):
        constants.append(writer.constant(each.value("name"), each.value("value")))
    texts = {key: node.value(key) for key in ("init", "final")}
    kind = whole(node.value("kind"))
    return writer.file(name, texts, kind, functions, names, constants)
