"""The lists of resources that a project has, and the class of each kind."""

from __future__ import annotations

from typing import Final

from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.resources import assets
from overhaul.gamemaker.ide.resources.base import Resource, Resources
from overhaul.gamemaker.ide.resources.objects import Object
from overhaul.gamemaker.ide.resources.rooms import Room
from overhaul.gamemaker.ide.resources.sprites import Sprite

#: The class of a resource, by what ``overhaul ls`` calls it.
CLASSES: Final[dict[str, type[Resource]]] = {
    "sprite": Sprite, "object": Object, "room": Room, "script": assets.Script,
    "shader": assets.Shader, "sound": assets.Sound, "tile set": assets.Background,
    "background": assets.Background, "path": assets.Path, "font": assets.Font,
    "timeline": assets.Timeline, "note": assets.Note, "included file": assets.IncludedFile,
    "sequence": assets.Sequence, "animation curve": assets.AnimationCurve,
    "particle system": assets.ParticleSystem, "extension": assets.Extension,
}  # fmt: skip


def over(project: ProjectModel, kind: str, path: str) -> Resource:
    """The resource of a kind in a file."""
    return CLASSES.get(kind, assets.Fields)(project, path)


def listed(project: ProjectModel, kind: str) -> Resources[Resource]:
    """The resources of a kind."""
    return _OfKind(project, CLASSES.get(kind, assets.Fields), kind)


class _OfKind(Resources[Resource]):
    """The resources of a kind whose class may have several."""

    def __init__(self, project: ProjectModel, resource: type[Resource], kind: str) -> None:
        super().__init__(project, resource)
        self._kind = kind

    @property
    def kind(self) -> str:
        """The kind of one of them in ``overhaul ls``."""
        return self._kind
