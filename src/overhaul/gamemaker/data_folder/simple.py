"""The kinds of resources that are their JSON files alone, as their records declare them."""

from __future__ import annotations

from overhaul.gamemaker.data.chunks.acrv import AnimationCurve
from overhaul.gamemaker.data.chunks.path import Path
from overhaul.gamemaker.data.chunks.psem import ParticleEmitter, ParticleSystem
from overhaul.gamemaker.data.chunks.seqn import Sequence
from overhaul.gamemaker.data.chunks.tmln import Timeline
from overhaul.gamemaker.data_folder.resource import ResourceFiles

PATHS = ResourceFiles("PATH", "paths", Path)
TIMELINES = ResourceFiles("TMLN", "timelines", Timeline)
SEQUENCES = ResourceFiles("SEQN", "sequences", Sequence)
CURVES = ResourceFiles("ACRV", "animation_curves", AnimationCurve)
EMITTERS = ResourceFiles("PSEM", "particle_emitters", ParticleEmitter)
SYSTEMS = ResourceFiles("PSYS", "particle_systems", ParticleSystem)
