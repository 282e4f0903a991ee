"""Projects of GameMaker Studio 2.0 to 2.2 as 2.3 has them: the lists, the folders, the options.

2.2 has a file for each folder of the asset browser and for each included file, and the options in a
file of what differs from the defaults.  Resources are in the order of the asset browser, which
numbers them in the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from overhaul.findings import Findings
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.inherited import read_inherited
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.resources.making import new_id
from overhaul.gamemaker.ide.values import Json, list_at, text_at
from overhaul.gamemaker.ide_release.first import NAMED, Ids, Renaming, class_of

#: The build of 2.3 whose form the project gets on its way.
_FIRST_NAMED: Final = "2.3.7.606"
_INHERITED: Final = "options/main/inherited/options_main.inherited.yy"
_MAIN: Final = "options/main/options_main.yy"
#: The ids of what every project has.
_MAIN_ID: Final = "ed6a955d-5826-4f98-a450-10b414266c27"
_TEXTURES_ID: Final = "1225f6b0-ac20-43bd-a82e-be73fa0b6f4f"
_SOUNDS_ID: Final = "7b2c4976-1e09-44e5-8256-c527145e03bb"
_SOUNDS: Final = "audiogroup_default"
#: Kinds of files that the project lists besides resources.
_LISTED: Final = ("folder", "options", "included file", "configuration", "texture group",
                  "audio group")  # fmt: skip
#: Folders of the asset browser that 2.3 does not have.
_NOT_SHOWN: Final = ("GMIncludedFile", "GMOptions", "GMConfig", "GMFolder")
#: The names of the folders of the kinds, by their names in a file.
_LABEL: Final = "ResourceTree_"
_LABELS: Final = {"Tilesets": "Tile Sets"}
_ALL_TARGETS: Final = -1
#: The first bytes of files of sounds, and their endings.
_SOUND_FILES: Final = ((b"RIFF", ".wav"), (b"OggS", ".ogg"), (b"", ".mp3"))
#: The values of the options that a file of differences leaves out.
_OPTIONS: Final[dict[str, Json]] = {
    "option_author": "", "option_draw_colour": 4294967295, "option_game_speed": 30,
    "option_gameguid": "", "option_lastchanged": "", "option_mips_for_3d_textures": False,
    "option_sci_usesci": False, "option_spine_licence": False, "option_steam_app_id": "0",
    "option_window_colour": 255,
}  # fmt: skip
_TEXTURES: Final[dict[str, Json]] = {
    "isScaled": True, "autocrop": True, "border": 2, "mipsToGenerate": 0, "groupParent": None,
    "targets": _ALL_TARGETS,
}  # fmt: skip


def as_named(
    document: IdeProjectDocument,
) -> tuple[dict[str, Callable[[], bytes]], Findings]:
    """The files of a project of 2.0 to 2.2 as 2.3 has them, and what 2.3 can't have.

    Their members are in no order.  Raises FormatError for a damaged project.
    """
    made = _First(document)
    made.run()
    return made.files, made.findings


class _First:
    """One project on its way."""

    def __init__(self, document: IdeProjectDocument) -> None:
        self.files: dict[str, Callable[[], bytes]] = {}
        self.findings = Findings()
        self._document = document
        self._name = document.name.rpartition("!")[2]  # without that of an archive
        self._title = self._name.removesuffix(".yyp")
        self._ids = Ids()
        #: the files of resources, by path: their rows and values
        self._read: dict[str, tuple[ListedEntry, dict[str, Json]]] = {}
        #: the folders of 2.3 in their order, and those that resources are in
        self._folders: list[dict[str, Json]] = []
        self._places: dict[str, tuple[dict[str, Json], int]] = {}
        self._order: list[str] = []

    def run(self) -> None:
        """Do it."""
        files = self._document.files
        for entry in self._document.entries:
            path = self._document.path_of(entry)
            if path is not None and path.endswith(".yy"):
                value = self._document.json_file(path).value
                if isinstance(value, dict):
                    self._read[path] = entry, value
                    self._know(entry, value)
        groups = self._groups()
        self._walk_folders()
        for path in files.everything():
            if path in self._read or path.startswith(("views/", "datafiles_yy/")):
                continue
            if path in (self._name, _INHERITED):
                continue
            self.files[path] = partial(files.read, path)
        for path, (entry, value) in self._read.items():
            if entry.kind not in _LISTED:
                self._resource(path, entry, value)
        self._platforms()
        self._write(self._name, self._project(groups))

    def _write(self, path: str, value: Json) -> None:
        self.files[path] = print_text(value, NAMED).encode("utf-8", "surrogatepass").__bytes__

    # -- ids -----------------------------------------------------------------------------------

    def _know(self, entry: ListedEntry, value: dict[str, Json]) -> None:
        """Note what the ids in a file stand for."""
        name = text_at(value, "name") or entry.name
        if entry.kind in _LISTED:
            return
        for key in (entry.id, text_at(value, "id")):
            if key:
                self._ids.resources[key] = name, entry.path
        for part in _walk(value):
            kind = class_of(part)
            if kind == "GMRInstance":
                self._ids.parts[text_at(part, "id")] = text_at(part, "name"), entry.path
            elif kind == "GMObjectProperty":
                self._ids.parts[text_at(part, "id")] = text_at(part, "varName"), entry.path

    def _groups(self) -> dict[str, list[Json]]:
        """The groups of textures and of sounds; writes the main options as well."""
        self._ids.groups[_TEXTURES_ID] = "Default", "texturegroups/Default"
        self._ids.groups[_SOUNDS_ID] = _SOUNDS, f"audiogroups/{_SOUNDS}"
        options: dict[str, Json] = {}
        textures: dict[str, Json] = {}
        added: dict[str, list[Json]] = {"textureGroups": [], "audioGroups": []}
        path = self._document.files.spelled(_INHERITED)
        parts = () if path is None else read_inherited(
            self._document.files.read(path), source=path
        ).parts  # fmt: skip
        for part in parts:
            value = part.members.value
            if not isinstance(value, dict):
                continue
            if part.id == _MAIN_ID:
                options = value
            elif part.id == _TEXTURES_ID:
                textures = value
            elif value.keys() <= added.keys():
                for key, changes in value.items():
                    added[key] += [
                        row["Value"]
                        for row in list_at(changes, "Additions")
                        if isinstance(row, dict) and isinstance(row.get("Value"), dict)
                    ]
            elif part.id != _SOUNDS_ID:
                message = f"2.3 has no options of {part.id}: they are left out"
                self.findings.warn("not-in-release", message, _INHERITED)
        for key, folder in (("textureGroups", "texturegroups"), ("audioGroups", "audiogroups")):
            for row in added[key]:
                name = text_at(row, "groupName") or text_at(row, "name")
                self._ids.groups[text_at(row, "id")] = name, f"{folder}/{name}"
        self._main_options(options)
        first: dict[str, Json] = {"name": "Default", **_TEXTURES}
        if "scaled" in textures:
            first["isScaled"] = textures["scaled"]
        for key in ("autocrop", "border", "mipsToGenerate"):
            if key in textures:
                first[key] = textures[key]
        renaming = Renaming(self._ids, _INHERITED, self.findings)
        made: dict[str, list[Json]] = {
            "TextureGroups": [_of("GMTextureGroup", first)],
            "AudioGroups": [_of("GMAudioGroup", {"name": _SOUNDS, "targets": _ALL_TARGETS})],
        }
        for row in added["textureGroups"]:
            assert isinstance(row, dict)
            group = renaming.object(row)
            assert isinstance(group, dict)
            made["TextureGroups"].append(_of("GMTextureGroup", {**_TEXTURES, **group}))
        for row in added["audioGroups"]:
            assert isinstance(row, dict)
            group = renaming.object(row)
            assert isinstance(group, dict)
            made["AudioGroups"].append(_of("GMAudioGroup", {"targets": _ALL_TARGETS, **group}))
        return made

    def _main_options(self, given: dict[str, Json]) -> None:
        renaming = Renaming(self._ids, _INHERITED, self.findings)
        made = renaming.object({"modelName": "GMMainOptions", "name": "Main", **given})
        assert isinstance(made, dict)
        whole = {**_OPTIONS, "option_gameguid": new_id(), **made}
        self._write(_MAIN, whole)

    # -- the asset browser ---------------------------------------------------------------------

    def _walk_folders(self) -> None:
        views = {entry.id: value for entry, value in self._read.values() if entry.kind == "folder"}
        roots = [key for key, value in views.items() if value.get("isDefaultView") is True]
        seen: set[str] = set()
        for root in roots:
            for number, key in enumerate(list_at(views[root], "children")):
                self._folder(views, str(key), (), number, seen)

    def _folder(
        self,
        views: dict[str, dict[str, Json]],
        key: str,
        titles: tuple[str, ...],
        number: int,
        seen: set[str],
    ) -> None:
        """Take over a folder and its contents."""
        value = views.get(key)
        if value is None or key in seen or text_at(value, "filterType") in _NOT_SHOWN:
            return
        seen.add(key)
        label = text_at(value, "localisedFolderName").removeprefix(_LABEL)
        title = _LABELS.get(label, label) if not titles and label else text_at(value, "folderName")
        inside = (*titles, title)
        path = f"folders/{'/'.join(inside)}.yy"
        self._folders.append(_of("GMFolder", {"name": title, "folderPath": path, "order": number}))
        for place, child in enumerate(list_at(value, "children")):
            if str(child) in views:
                self._folder(views, str(child), inside, place, seen)
            elif str(child) in self._ids.resources:
                _, own = self._ids.resources[str(child)]
                if own not in self._places:
                    self._places[own] = {"name": title, "path": path}, place
                    self._order.append(own)

    # -- resources -----------------------------------------------------------------------------

    def _resource(self, path: str, entry: ListedEntry, value: dict[str, Json]) -> None:
        made = Renaming(self._ids, entry.path, self.findings).object(value)
        assert isinstance(made, dict)
        project: dict[str, Json] = {"name": self._title, "path": self._name}
        made["parent"] = self._places.get(entry.path, (project, 0))[0]
        if entry.kind == "sound":
            self._sound(path, entry, made)
        elif entry.kind == "script":
            self._script(path, entry)
        elif entry.kind == "object":
            self._collisions(path, value)
        self._write(path, made)

    def _sound(self, path: str, entry: ListedEntry, made: dict[str, Json]) -> None:
        """The file of a sound has an ending, which the resource names."""
        made["soundFile"] = ""
        source = path.removesuffix(".yy")
        read = self.files.pop(source, None)
        if read is None:
            return
        head = self._document.files.head(source)
        ending = next(ending for sign, ending in _SOUND_FILES if head.startswith(sign))
        made["soundFile"] = entry.name + ending
        self.files[source + ending] = read

    def _script(self, path: str, entry: ListedEntry) -> None:
        """A script is a file of functions: what it did is one of its name."""
        source = f"{path.removesuffix('.yy')}.gml"
        read = self.files.get(source)
        if read is not None:
            text = read().decode("utf-8-sig", "surrogateescape")
            newline = "\r\n" if "\r\n" in text else "\n"
            end = "" if text.endswith("\n") or not text else newline
            whole = f"function {entry.name}() {{{newline}{text}{end}}}{newline}"
            self.files[source] = whole.encode("utf-8", "surrogateescape").__bytes__

    def _collisions(self, path: str, value: dict[str, Json]) -> None:
        """The code of a collision is called by the other object."""
        folder = path.rpartition("/")[0]
        for row in list_at(value, "eventList"):
            other = self._ids.find(text_at(row, "collisionObjectId"))
            if other is not None:
                old = f"{folder}/Collision_{text_at(row, 'id')}.gml"
                read = self.files.pop(old, None)
                if read is not None:
                    self.files[f"{folder}/Collision_{other['name']}.gml"] = read

    def _platforms(self) -> None:
        """The options of platforms, which the project may not list."""
        for path in list(self.files):
            if path.startswith("options/") and path.endswith(".yy") and path != _MAIN:
                value = self._document.json_file(path).value
                if isinstance(value, dict) and class_of(value):
                    renamed = Renaming(self._ids, path, self.findings).object(value)
                    self._write(path, renamed)

    # -- the project ---------------------------------------------------------------------------

    def _project(self, groups: dict[str, list[Json]]) -> dict[str, Json]:
        project = self._document.project
        assert isinstance(project, ModernProject)
        value = project.value
        listed = [(entry, read) for entry, read in self._read.values() if entry.kind not in _LISTED]
        ranks = {path: number for number, path in enumerate(self._order)}
        listed.sort(key=lambda row: ranks.get(row[0].path, len(ranks)))
        rows: list[Json] = []
        rooms: list[Json] = []
        for entry, read in listed:
            name = text_at(read, "name") or entry.name
            known: dict[str, Json] = {"name": name, "path": entry.path}
            order = self._places.get(entry.path, (known, 0))[1]
            rows.append({"id": known, "order": order})
            if entry.kind == "room":
                rooms.append({"roomId": known})
        for row in list_at(value, "resources"):
            self._say_overridden(row)
        included = [read for entry, read in self._read.values() if entry.kind == "included file"]
        return _of("GMProject", {
            "name": self._title, "resources": rows, "isEcma": value.get("option_ecma") is True,
            "isDnDProject": value.get("IsDnDProject") is True,
            "tutorialPath": text_at(value, "tutorial"), "RoomOrderNodes": rooms,
            "configs": _configurations(list_at(value, "configs")), "Folders": [*self._folders],
            "IncludedFiles": [_of("GMIncludedFile", {
                "name": text_at(row, "fileName") or text_at(row, "name"),
                "filePath": text_at(row, "filePath").replace("\\", "/"),
                "CopyToMask": row.get("CopyToMask", _ALL_TARGETS),
            }) for row in included],
            "MetaData": {"IDEVersion": _FIRST_NAMED}, **groups,
        })  # fmt: skip

    def _say_overridden(self, row: Json) -> None:
        """Report the values that configurations give a resource: 2.2 has files of them."""
        value = row.get("Value") if isinstance(row, dict) else None
        names = [str(name) for name in list_at(value, "configDeltas") if name != "inherited"]
        if names:
            path = text_at(value, "resourcePath").replace("\\", "/")
            message = f"the values of {', '.join(names)} are left out"
            self.findings.warn("not-in-release", message, path)


def _walk(value: Json) -> Iterator[dict[str, Json]]:
    """All objects in a value."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from _walk(item)
    elif isinstance(value, list):
        for item in value:
            yield from _walk(item)


def _of(kind: str, members: dict[str, Json]) -> dict[str, Json]:
    return {**members, "resourceType": kind}


def _configurations(names: list[Json]) -> Json:
    """The tree of configurations, of their paths (``default;mobile``)."""
    root: dict[str, Json] = {"name": "Default", "children": []}
    for name in names:
        here = root
        for part in str(name).split(";")[1:]:
            children = here["children"]
            assert isinstance(children, list)
            found = next((c for c in children if text_at(c, "name") == part), None)
            if not isinstance(found, dict):
                found = {"name": part, "children": []}
                children.append(found)
            here = found
    return root
