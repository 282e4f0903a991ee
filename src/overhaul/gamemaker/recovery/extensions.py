"""Extensions: the tables of their functions, and their files where they are next to the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from overhaul.document.names import escape_name
from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.data.chunks.extn import ExtensionKind
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.drafts import Draft
from overhaul.gamemaker.recovery.modern import ModernDraft, ModernProjectDraft, rows
from overhaul.gamemaker.recovery.studio import StudioDraft, flag, leaf, parent

if TYPE_CHECKING:
    from overhaul.gamemaker.data.resources.extensions import Extension, ExtensionFile

_ALL: Final = -1
#: Texts that a compiled game does not keep.
_EMPTY: Final = (
    "packageId", "productId", "author", "date", "license", "description", "helpfile",
    "installdir", "androidclassname", "sourcedir", "androidsourcedir", "macsourcedir",
    "maccompilerflags", "tvosmaccompilerflags", "maclinkerflags", "tvosmaclinkerflags",
    "iosdelegatename", "tvosclassname", "tvosdelegatename", "iosplistinject", "tvosplistinject",
    "androidinject", "androidmanifestinject", "androidactivityinject", "gradleinject",
    "androidcodeinjection", "ioscodeinjection", "tvoscodeinjection", "HTML5CodeInjection",
    "iosCocoaPods", "tvosCocoaPods", "iosCocoaPodDependencies", "tvosCocoaPodDependencies",
)  # fmt: skip
_LISTS: Final = (
    "iosSystemFrameworkEntries", "tvosSystemFrameworkEntries", "iosThirdPartyFrameworkEntries",
    "tvosThirdPartyFrameworkEntries", "IncludedResources", "androidPermissions", "options",
)  # fmt: skip
_STUDIO_EMPTY: Final = (
    "packageID", "ProductID", "date", "license", "description", "helpfile", "installdir",
)  # fmt: skip
_STUDIO_LATER: Final = (
    "androidclassname", "sourcedir", "androidsourcedir", "macsourcedir", "maclinkerflags",
    "maccompilerflags", "androidinject", "androidmanifestinject", "iosplistinject",
    "androidactivityinject", "gradleinject",
)  # fmt: skip
_STUDIO_LISTS: Final = (
    "iosSystemFrameworks", "iosThirdPartyFrameworks", "androidPermissions", "IncludedResources",
)  # fmt: skip


class _Found(NamedTuple):
    """A file of an extension: its name in the folder, and its bytes if they are known."""

    file: ExtensionFile
    name: str
    data: bytes | None


def _files(draft: Draft, extension: Extension, path: str) -> Iterator[_Found]:
    """The files of an extension.  The functions of files in GML are scripts of the game, and stay
    scripts."""
    siblings = draft.game.siblings
    there = set() if siblings is None else set(siblings.names())
    for file in extension.files:
        name = escape_name(file.name or "file")
        if file.kind == ExtensionKind.GML:
            if len(file.functions):
                message = f"the functions of {name} are scripts of the project"
                draft.findings.warn("approximated", message, path)
            continue
        data = siblings.read(name) if siblings is not None and name in there else None
        if data is None and file.kind != ExtensionKind.ACTION_LIBRARY:
            draft.lost(f"the file {name} (it is not next to the game)", path)
        yield _Found(file, name, data)


def add_modern(draft: ModernDraft) -> None:
    """Add the extensions of a game of GameMaker 2 or later."""
    total = lost = 0
    for extension in draft.game.extensions:
        total += 1
        path = draft.path_of("extension", extension.name)
        writer = ExtensionWriter(draft, path)
        files: dict[str, Callable[[], bytes]] = {}
        values: list[Json] = []
        for found in _files(draft, extension, path):
            lost += found.data is None
            if found.data is not None:
                files[found.name] = found.data.__bytes__
            values.append(_modern_file(writer, found))
        given: dict[str, Json] = {
            "extensionVersion": str(extension.version or "1.0.0"),
            "classname": str(extension.class_name or ""),
        }
        writer.add(extension.name, given, values, files)
    draft.count("extensions", total, total, lost)


def _modern_file(writer: ExtensionWriter, found: _Found) -> Json:
    functions: list[Json] = []
    for function in found.file.functions:
        given: dict[str, Json] = {
            "externalName": function.external_name or "",
            "kind": int(function.calling_convention),
            "returnType": int(function.return_type),
        }
        kinds: list[Json] = [int(kind) for kind in function.arguments]
        functions.append(writer.function(function.name or "", given, kinds))
    texts = {
        "init": str(found.file.init_function or ""),
        "final": str(found.file.cleanup_function or ""),
    }
    names = [function.name or "" for function in found.file.functions]
    return writer.file(found.name, texts, int(found.file.kind), functions, names)


class ExtensionWriter:
    """Makes the records of an extension whose file has a path."""

    def __init__(self, draft: ModernProjectDraft, path: str) -> None:
        self._draft = draft
        self._path = path

    def add(
        self,
        name: str,
        given: Mapping[str, Json],
        values: Sequence[Json],
        files: Mapping[str, Callable[[], bytes]],
    ) -> None:
        """Add the extension with its files."""
        members: dict[str, Json] = {
            **dict.fromkeys(_EMPTY, ""),
            **{each: [] for each in _LISTS},
            "optionsFile": "options.json",
            "exportToGame": True,
            "supportedTargets": _ALL,
            "copyToTargets": _ALL,
            "iosProps": False,
            "tvosProps": False,
            "androidProps": False,
            "html5Props": False,
            "hasConvertedCodeInjection": True,
            "files": rows(values),
            **given,
        }
        self._draft.add("extension", name, "GMExtension", members, files)

    def function(self, name: str, given: Mapping[str, Json], arguments: Sequence[Json]) -> Json:
        """A function with the types of its arguments."""
        members: dict[str, Json] = {
            "help": "",
            "documentation": "",
            "hidden": False,
            "argCount": 0,
            "args": rows(arguments),
            **given,
        }
        return self._draft.record("GMExtensionFunction", members, name)

    def constant(self, name: str, value: str) -> Json:
        """A constant."""
        members: dict[str, Json] = {"value": value, "hidden": False}
        return self._draft.record("GMExtensionConstant", members, name)

    def file(
        self,
        name: str,
        texts: Mapping[str, str],
        kind: int,
        functions: Sequence[Json],
        order: Sequence[str],
        constants: Sequence[Json] = (),
    ) -> Json:
        """A file with its functions, in the order of their names."""
        members: dict[str, Json] = {
            "filename": name,
            "origname": "",
            **texts,
            "kind": kind,
            "uncompress": False,
            "usesRunnerInterface": False,
            "functions": rows(functions),
            "constants": rows(constants),
            "ProxyFiles": [],
            "copyToTargets": _ALL,
            "order": rows([self._draft.place(each, self._path) for each in order]),
        }
        return self._draft.record("GMExtensionFile", members)


def add_studio(draft: StudioDraft) -> None:
    """Add the extensions of a game of Studio 1."""
    total = lost = 0
    for extension in draft.game.extensions:
        total += 1
        made = draft.name_for("extension", extension.name)
        path = f"extensions/{made}.extension.gmx"
        found = list(_files(draft, extension, path))
        lost += sum(each.data is None for each in found)
        for each in found:
            if each.data is not None:
                draft.files[f"extensions/{made}/{each.name}"] = each.data.__bytes__
        draft.files[path] = draft.text(parent("extension", _studio(extension, made, found)))
        entry = XmlNode("extension", f"extensions\\{made}", {"index": str(total - 1)})
        draft.entries.setdefault("extension", []).append(entry)
    draft.count("extensions", total, total, lost)


def _studio(extension: Extension, made: str, found: list[_Found]) -> Iterator[XmlNode]:
    yield leaf("name", made)
    yield leaf("version", str(extension.version or "1.0.0"))
    yield from (leaf(tag) for tag in _STUDIO_EMPTY)
    yield leaf("classname", str(extension.class_name or ""))
    yield from (leaf(tag) for tag in _STUDIO_LATER)
    yield from (XmlNode(tag) for tag in _STUDIO_LISTS)
    yield parent("files", [_studio_file(each) for each in found])


def _studio_file(found: _Found) -> XmlNode:
    functions = [
        parent(
            "function",
            [
                leaf("name", function.name or ""),
                leaf("externalName", function.external_name or ""),
                leaf("kind", int(function.calling_convention)),
                leaf("help"),
                leaf("returnType", int(function.return_type)),
                leaf("argCount", len(function.arguments)),
                parent("args", [leaf("arg", int(kind)) for kind in function.arguments]),
            ],
        )
        for function in found.file.functions
    ]
    children = [
        leaf("filename", found.name),
        leaf("origname", f"extensions\\{found.name}"),
        leaf("init", str(found.file.init_function or "")),
        leaf("final", str(found.file.cleanup_function or "")),
        leaf("kind", int(found.file.kind)),
        leaf("uncompress", flag(False)),
        XmlNode("ProxyFiles"),
        parent("functions", functions),
        XmlNode("constants"),
    ]
    return parent("file", children)
