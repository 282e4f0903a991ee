"""The pages of what only GameMaker has."""

from __future__ import annotations

from typing import Final

#: What a resource can show -> its page, in a module of :mod:`overhaul.viewer.pages`.
PAGES: Final = (
    ("overhaul.gamemaker.data.resources.code:Code", "code:CODE"),
    ("overhaul.gamemaker.data.resources.curves:AnimationCurve", "plots:CURVE"),
    ("overhaul.gamemaker.data.resources.fonts:Font", "gamemaker.fonts:FONT"),
    ("overhaul.gamemaker.data.resources.particles:ParticleEmitter", "gamemaker.particles:EMITTER"),
    ("overhaul.gamemaker.data.resources.particles:ParticleSystem", "gamemaker.particles:SYSTEM"),
    ("overhaul.gamemaker.data.resources.sequences:Sequence", "gamemaker.sequences:SEQUENCE"),
    ("overhaul.gamemaker.data.resources.shaders:Shader", "scripts:SHADER"),
    ("overhaul.gamemaker.data.resources.backgrounds:TexturePage", "gamemaker.textures:PAGE"),
    ("overhaul.gamemaker.classic.surface.assets:Font", "gamemaker.system_fonts:SYSTEM_FONT"),
    ("overhaul.gamemaker.classic.surface.objects:Constants", "texts:CONSTANTS"),
)
