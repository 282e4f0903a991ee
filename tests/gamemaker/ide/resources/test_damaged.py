"""Values of another type in the files of a project: reading it raises nothing but our errors."""

from __future__ import annotations

import random
from pathlib import Path

from ide_projects import modern_project, old_project, studio_project
from overhaul import open as open_document
from overhaul.errors import OverhaulError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.resources.base import Resource
from overhaul.gamemaker.ide.resources.objects import Object
from overhaul.gamemaker.ide.resources.rooms import Room
from overhaul.gamemaker.ide.resources.sprites import Sprite
from overhaul.gamemaker.ide.texts import JsonFile
from overhaul.gamemaker.ide.values import Json, Steps
from repeats import times

VALUES: tuple[Json, ...] = (None, -1, 10**20, 1.5, "text", [], {}, [1], {"name": 1}, [[]], "NaN")


def places(value: Json, steps: Steps = ()) -> list[Steps]:
    """The steps to every value of a file."""
    found = [steps] if steps else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += places(item, (*steps, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            found += places(item, (*steps, number))
    return found


def read(resource: Resource) -> None:
    """All that a page and a drawing ask of a resource."""
    repr(resource)
    _ = resource.values, resource.notes, resource.in_folder
    if isinstance(resource, Sprite):
        _ = resource.origin, resource.fps, resource.layers, resource.nine_slice
        _ = [frame.image for frame in resource.frames]
    elif isinstance(resource, Object):
        _ = [(event.title, event.gml) for event in resource.own_events]
        _ = list(resource.ancestors()), resource.children
    elif isinstance(resource, Room):
        _ = [(one.creation_code, repr(one)) for one in resource.instances]
        if 0 < resource.width < 500 and 0 < resource.height < 500:
            resource.image()
        resource.not_drawn()


def project(path: Path) -> IdeProjectDocument:
    document = open_document(path)
    assert isinstance(document, IdeProjectDocument)
    return document


def test_values_of_other_types(tmp_path: Path) -> None:
    refused = 0
    for number, maker in enumerate((modern_project, old_project)):
        path = maker(tmp_path / str(number))
        for seed in range(times(3000, 150)):
            chance = random.Random(seed)
            document = project(path)
            entries = [one for one in document.entries if one.path.endswith(".yy")]
            entries = [one for one in entries if document.path_of(one)]
            entry = chance.choice(entries)
            file = document.json_file(entry.path)
            where = chance.choice(places(file.value))
            document.put(entry.path, file.replaced(*where, value=chance.choice(VALUES)))
            try:
                for one in document.entries:
                    if document.path_of(one) is not None:
                        resource = document.over(one)
                        assert isinstance(resource, Resource)
                        read(resource)
                document.decode()
            except OverhaulError:
                refused += 1
    assert refused


def test_texts_of_other_types(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    for seed in range(times(1000, 60)):
        chance = random.Random(seed)
        document = project(path)
        entry = chance.choice([one for one in document.entries if one.path.endswith(".gmx")])
        file = document.gmx_file(entry.path)
        leaves = [node for node in file.root.walk() if not node.children and node is not file.root]
        text = chance.choice(("", "-1", "text", "1.5", "99999999999", "a,b", "<undefined>"))
        document.put(entry.path, file.replaced(chance.choice(leaves), text))
        try:
            for one in document.entries:
                resource = document.over(one)
                assert isinstance(resource, Resource)
                read(resource)
            document.decode()
        except OverhaulError:
            continue


def test_broken_files_of_one_resource_are_named(tmp_path: Path) -> None:
    document = project(modern_project(tmp_path))
    document.files.write("objects/obj_a/obj_a.yy", b"{")
    document.forget("objects/obj_a/obj_a.yy")
    kind = document.objects["obj_a"]
    assert not kind.is_here
    assert "objects/obj_a/obj_a.yy" in kind.notes[0]
    assert document.objects["obj_b"].is_here
    document.put("objects/obj_a/obj_a.yy", JsonFile("{}"))
    assert kind.is_here


def test_a_resource_is_added_next_to_damaged_ones(tmp_path: Path) -> None:
    modern_project(tmp_path)
    (tmp_path / "objects/obj_a/obj_a.yy").write_text('{"name":')
    document = project(tmp_path)
    # in the folder of the first that can be read
    assert document.objects.add("obj_c").in_folder == "All"
    (tmp_path / "objects/obj_b/obj_b.yy").write_text("")
    document = project(tmp_path)
    assert document.objects.add("obj_c").in_folder == ""
    assert document.objects.names() == ["obj_a", "obj_b", "obj_c"]
