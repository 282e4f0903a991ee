"""The resources of a project as attributes: each kind is a list, by name and by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from overhaul.document.registry import load
from overhaul.gamemaker.ide.resources.base import Resources

if TYPE_CHECKING:
    from overhaul.gamemaker.ide.resources.assets import (
        AnimationCurve,
        Background,
        Extension,
        Font,
        IncludedFile,
        Note,
        ParticleSystem,
        Path,
        Script,
        Sequence,
        Shader,
        Sound,
        Timeline,
    )
    from overhaul.gamemaker.ide.resources.objects import Object
    from overhaul.gamemaker.ide.resources.rooms import Room
    from overhaul.gamemaker.ide.resources.sprites import Sprite

#: Showing what a project is takes none of the classes of resources.
_LISTED: Final = "overhaul.gamemaker.ide.resources.kinds:listed"


class Lists:
    """The lists of resources that a project has; its names are those of games."""

    if TYPE_CHECKING:

        @property
        def is_studio(self) -> bool: ...

    def _listed(self, kind: str) -> object:
        return load(_LISTED)(self, kind)

    @property
    def sprites(self) -> Resources[Sprite]:
        """The sprites."""
        return cast("Resources[Sprite]", self._listed("sprite"))

    @property
    def objects(self) -> Resources[Object]:
        """The objects."""
        return cast("Resources[Object]", self._listed("object"))

    @property
    def rooms(self) -> Resources[Room]:
        """The rooms."""
        return cast("Resources[Room]", self._listed("room"))

    @property
    def scripts(self) -> Resources[Script]:
        """The scripts."""
        return cast("Resources[Script]", self._listed("script"))

    @property
    def sounds(self) -> Resources[Sound]:
        """The sounds."""
        return cast("Resources[Sound]", self._listed("sound"))

    @property
    def fonts(self) -> Resources[Font]:
        """The fonts."""
        return cast("Resources[Font]", self._listed("font"))

    @property
    def paths(self) -> Resources[Path]:
        """The paths."""
        return cast("Resources[Path]", self._listed("path"))

    @property
    def timelines(self) -> Resources[Timeline]:
        """The timelines."""
        return cast("Resources[Timeline]", self._listed("timeline"))

    @property
    def shaders(self) -> Resources[Shader]:
        """The shaders."""
        return cast("Resources[Shader]", self._listed("shader"))

    @property
    def sequences(self) -> Resources[Sequence]:
        """The sequences."""
        return cast("Resources[Sequence]", self._listed("sequence"))

    @property
    def animation_curves(self) -> Resources[AnimationCurve]:
        """The animation curves."""
        return cast("Resources[AnimationCurve]", self._listed("animation curve"))

    @property
    def particle_systems(self) -> Resources[ParticleSystem]:
        """The particle systems."""
        return cast("Resources[ParticleSystem]", self._listed("particle system"))

    @property
    def extensions(self) -> Resources[Extension]:
        """The extensions."""
        return cast("Resources[Extension]", self._listed("extension"))

    @property
    def notes(self) -> Resources[Note]:
        """The notes."""
        return cast("Resources[Note]", self._listed("note"))

    @property
    def included_files(self) -> Resources[IncludedFile]:
        """The included files."""
        return cast("Resources[IncludedFile]", self._listed("included file"))

    @property
    def backgrounds(self) -> Resources[Background]:
        """The tile sets; the backgrounds of Studio 1."""
        kind = "background" if self.is_studio else "tile set"
        return cast("Resources[Background]", self._listed(kind))

    @property
    def tile_sets(self) -> Resources[Background]:
        """The tile sets: the same as :attr:`backgrounds`."""
        return self.backgrounds
