"""The kinds of resources that need no more than a name and their record."""

from __future__ import annotations

from overhaul.gamemaker.data.chunks.acrv import AnimationCurve as AnimationCurveRecord
from overhaul.gamemaker.data.chunks.bgnd import Background as BackgroundRecord
from overhaul.gamemaker.data.chunks.extn import Extension as ExtensionRecord
from overhaul.gamemaker.data.chunks.font import Font as FontRecord
from overhaul.gamemaker.data.chunks.psem import ParticleEmitter as ParticleEmitterRecord
from overhaul.gamemaker.data.chunks.psem import ParticleSystem as ParticleSystemRecord
from overhaul.gamemaker.data.chunks.seqn import Sequence as SequenceRecord
from overhaul.gamemaker.data.chunks.shdr import Shader as ShaderRecord
from overhaul.gamemaker.data.chunks.tgin import TextureGroup as TextureGroupRecord
from overhaul.gamemaker.data.resources.base import Resource, Resources


class Extension(Resource[ExtensionRecord]):
    """An extension."""

    __slots__ = ()
    chunk = "EXTN"


class Extensions(Resources[Extension]):
    """The extensions of a game."""

    resource = Extension


class Background(Resource[BackgroundRecord]):
    """A background, or since GameMaker 2 a tile set."""

    __slots__ = ()
    chunk = "BGND"


class Backgrounds(Resources[Background]):
    """The backgrounds of a game."""

    resource = Background


class Shader(Resource[ShaderRecord]):
    """A shader."""

    __slots__ = ()
    chunk = "SHDR"


class Shaders(Resources[Shader]):
    """The shaders of a game."""

    resource = Shader


class Font(Resource[FontRecord]):
    """A font."""

    __slots__ = ()
    chunk = "FONT"


class Fonts(Resources[Font]):
    """The fonts of a game."""

    resource = Font


class AnimationCurve(Resource[AnimationCurveRecord]):
    """An animation curve."""

    __slots__ = ()
    chunk = "ACRV"


class AnimationCurves(Resources[AnimationCurve]):
    """The animation curves of a game."""

    resource = AnimationCurve


class Sequence(Resource[SequenceRecord]):
    """A sequence."""

    __slots__ = ()
    chunk = "SEQN"


class Sequences(Resources[Sequence]):
    """The sequences of a game."""

    resource = Sequence


class ParticleEmitter(Resource[ParticleEmitterRecord]):
    """An emitter of particle systems."""

    __slots__ = ()
    chunk = "PSEM"


class ParticleEmitters(Resources[ParticleEmitter]):
    """The emitters of particle systems of a game."""

    resource = ParticleEmitter


class ParticleSystem(Resource[ParticleSystemRecord]):
    """A particle system."""

    __slots__ = ()
    chunk = "PSYS"


class ParticleSystems(Resources[ParticleSystem]):
    """The particle systems of a game."""

    resource = ParticleSystem


class TextureGroup(Resource[TextureGroupRecord]):
    """A texture group."""

    __slots__ = ()
    chunk = "TGIN"


class TextureGroups(Resources[TextureGroup]):
    """The texture groups of a game."""

    resource = TextureGroup
