"""Sequences, animation curves and particle systems.

Source: sequences of 50 real projects and the records of games of the same. The tracks that no file
at hand has follow the editor's own model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from overhaul.gamemaker.data.chunks import seqn
from overhaul.gamemaker.data.chunks.seqn import AnimationCurve, UnnamedCurve
from overhaul.gamemaker.data.resources.particles import ParticleEmitter, ParticleSystem
from overhaul.gamemaker.data.resources.sequences import Channel, Keyframe, Sequence, Track
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.modern import ModernDraft, ModernProjectDraft, rows

#: The class of the key frames of a track, and what its Id refers to.
_KEYFRAMES: Final = {
    "GMGraphicTrack": ("AssetSpriteKeyframe", "sprite"),
    "GMInstanceTrack": ("AssetInstanceKeyframe", "object"),
    "GMSequenceTrack": ("AssetSequenceKeyframe", "sequence"),
    "GMParticleTrack": ("AssetParticleSystemKeyframe", "particle_system"),
    "GMAudioTrack": ("AudioKeyframe", "sound"),
    "GMTextTrack": ("AssetTextKeyframe", "font"),
    "GMRealTrack": ("RealKeyframe", ""),
    "GMColourTrack": ("ColourKeyframe", ""),
}
#: Tracks that have others and no key frames.
_GROUPS: Final = frozenset(
    ("GMGroupTrack", "GMClipMaskTrack", "GMClipMask_Mask", "GMClipMask_Subject")
)
#: The colour of channels and tracks, which compiling throws away.
_COLOUR: Final = 4290799884
_POINT: Final = ("x", "y", "th0", "th1", "tv0", "tv1")
_LINEAR: Final = 1
_WHITE: Final = 0xFFFFFFFF
#: The text that the compiler writes before the name of a function.
_FUNCTION: Final = "gml_Script_"
#: ... and before that of the code of a script.
_GLOBAL: Final = "gml_GlobalScript_"
#: Members of both kinds that only the editor uses, as it makes them.
_BACKDROP: Final[Mapping[str, Json]] = {
    "showBackdrop": True,
    "showBackdropImage": False,
    "backdropImagePath": "",
    "backdropImageOpacity": 0.5,
    "backdropWidth": 1366,
    "backdropHeight": 768,
    "backdropXOffset": 0.0,
    "backdropYOffset": 0.0,
}


def add_sequences(draft: ModernDraft) -> None:
    """Add the sequences of the game."""
    total = lossy = 0
    for sequence in _sequences(draft):
        total += 1
        made = _SequenceDraft(draft, sequence)
        draft.add("sequence", sequence.name, "GMSequence", made.members())
        lossy += bool(made.left_out)
        for what in made.left_out:
            message = f"{what} is left out: no project at hand shows how the editor writes it"
            draft.findings.warn("left-out", message, made.path)
    if draft.game.release.at_least(2, 3):
        draft.count("sequences", total, lossy)
    if total:
        draft.lost("the colours of tracks, and which are locked or hidden", "sequences")


def sequences_of(draft: ModernDraft) -> dict[str, Callable[[], dict[str, Json]]]:
    """The function that makes the members of each sequence of the game, by name."""
    return {
        str(one.name): partial(_SequenceDraft.members, _SequenceDraft(draft, one))
        for one in _sequences(draft)
    }


def _sequences(draft: ModernDraft) -> Iterable[Sequence]:
    game = draft.game
    return draft.own(game.sequences) if game.release.at_least(2, 3) else ()


def events_of(draft: ModernProjectDraft, keyframes: Iterable[Json] = (), *, moments: bool) -> Json:
    """The messages of a sequence, or its moments."""
    kind = "MomentsEventKeyframe" if moments else "MessageEventKeyframe"
    return draft.record(f"KeyframeStore<{kind}>", {"Keyframes": [*keyframes]})


def sequence_members(draft: ModernProjectDraft, own: Mapping[str, Json]) -> dict[str, Json]:
    """The members of a sequence: ``own``, and those that only the editor uses."""
    usual: dict[str, Json] = {
        "timeUnits": _LINEAR,
        "autoRecord": True,
        "volume": 1.0,
        "events": events_of(draft, moments=False),
        "moments": events_of(draft, moments=True),
        "visibleRange": None,
        "lockOrigin": False,
        **_BACKDROP,
        "eventToFunction": {},
        "eventStubScript": None,
    }
    return usual | dict(own)


class _Named(NamedTuple):
    """A resource, known only by its name."""

    name: str


class _SequenceDraft:
    """A sequence on its way; ``left_out`` are parts that the project can't have."""

    def __init__(self, draft: ModernDraft, sequence: Sequence) -> None:
        self.draft = draft
        self.sequence = sequence
        self.path: str = draft.path_of("sequence", sequence.name)
        self.left_out: list[str] = []
        self._count = 0

    def members(self) -> dict[str, Json]:
        """The members of the resource."""
        record, draft = self.sequence.record, self.draft
        functions: dict[str, Json] = {
            str(each.id): _function(each.name) for each in record.functions
        }
        own: dict[str, Json] = {
            "playback": int(record.playback),
            "playbackSpeed": float(record.speed),
            "playbackSpeedType": int(record.speed_type),
            "length": float(record.length),
            "volume": float(record.volume),
            "events": events_of(
                draft, map(self._messages, record.broadcast_messages), moments=False
            ),
            "moments": events_of(draft, map(self._moments, record.moments), moments=True),
            "tracks": list(self._tracks(self.sequence.tracks)),
            "xorigin": record.origin_x,
            "yorigin": record.origin_y,
            "seqWidth": float(record.width),
            "seqHeight": float(record.height),
            "eventToFunction": functions,
            "eventStubScript": self._script_of(functions.values()),
        }
        if draft.style.letter in "BC":
            own["spriteId"] = None
        return sequence_members(draft, own)

    def _script_of(self, functions: Iterable[Json]) -> Json:
        """The script that has one of the functions, which the editor calls the stub."""
        for name in functions:
            script = self.draft.game.scripts.get(f"{_FUNCTION}{name}")
            code = None if script is None else script.code
            owner = None if code is None else code.parent
            if owner is not None:
                return self.draft.reference("script", _Named(owner.name.removeprefix(_GLOBAL)))
        return None

    # -- tracks ------------------------------------------------------------------------------------

    def _tracks(self, tracks: Iterable[Track]) -> Iterator[Json]:
        for track in tracks:
            made = self._track(track)
            if made is not None:
                yield made

    def _track(self, track: Track) -> Json:
        kind = track.kind
        record = track.record
        stored = record.keyframes
        if kind not in _KEYFRAMES and kind not in _GROUPS:
            self.left_out.append(f"the track {track.name} ({kind})")
            return None
        if record.owned or record.tags:
            self.left_out.append(f"what the track {track.name} owns")
        members: dict[str, Json] = {
            "trackColour": _COLOUR,
            "inheritsTrackColour": True,
            "builtinName": int(record.builtin_name),
            "traits": record.traits,
            "interpolation": int(getattr(stored, "interpolation", _LINEAR)),
            "tracks": list(self._tracks(track.tracks)),
            "events": [],
            "modifiers": [],
            "isCreationTrack": track.is_creation_track,
        }
        if kind in _KEYFRAMES:
            name = _KEYFRAMES[kind][0]
            frames = [self._keyframe(name, frame, track) for frame in track.keyframes]
            members["keyframes"] = self.draft.record(
                f"KeyframeStore<{name}>", {"Keyframes": rows(frames)}
            )
        return self.draft.record(kind, members, track.name or "")

    def _keyframe(self, kind: str, frame: Keyframe, track: Track) -> Json:
        channels = {
            str(channel.number): self._channel(kind, channel, track.kind)
            for channel in frame.channels
        }
        return self._held(kind, frame.record, channels, made=track.is_creation_track)

    def _held(
        self, kind: str, record: seqn.Keyframe, channels: dict[str, Json], *, made: bool = False
    ) -> Json:
        """A key frame: when it begins, how long it holds, and its channels."""
        self._count += 1
        return self.draft.record(
            f"Keyframe<{kind}>",
            {
                "id": self.draft.id("keyframe", self.sequence.name, self._count),
                "Key": float(record.key),
                "Length": float(record.length),
                "Stretch": bool(record.stretch),
                "Disabled": bool(record.disabled),
                "IsCreationKey": made,
                "Channels": channels,
            },
        )

    def _channel(self, kind: str, channel: Channel, track: str) -> Json:
        record = channel.record
        members: dict[str, Json]
        if isinstance(record, seqn.RealChannel):
            members = {"RealValue": float(record.value), **self._curve(record)}
        elif isinstance(record, seqn.ColourChannel):
            members = {"Colour": record.value & _WHITE, **self._curve(record)}
        elif isinstance(record, seqn.TextChannel):
            members = {
                "Text": str(record.text or ""),
                "Wrap": bool(record.wrap),
                "Alignment": record.alignment,
                "Id": self.draft.reference("font", self._target(record.font)),
            }
        else:
            members = {"Id": self.draft.reference(_KEYFRAMES[track][1], channel.value)}
            if isinstance(record, seqn.SoundChannel):
                members["Mode"] = record.mode
        return self.draft.record(kind, members)

    def _curve(self, record: seqn.RealChannel | seqn.ColourChannel) -> dict[str, Json]:
        """The curve that a value follows: one of the project's, or one of its own."""
        own: Json = None
        if record.own_curve is not None:
            own = self.draft.record("GMAnimCurve", curve_members(self.draft, record.own_curve))
        curve = self.draft.reference("curve", self._target(record.curve))
        return {"AnimCurveId": curve, "EmbeddedAnimCurve": own}

    def _target(self, reference: object) -> object:
        return getattr(reference, "target", reference)

    # -- messages and moments ----------------------------------------------------------------------

    def _messages(self, frame: seqn.MessageKeyframe) -> Json:
        return self._said("MessageEventKeyframe", frame, str)

    def _moments(self, frame: seqn.MessageKeyframe) -> Json:
        return self._said("MomentsEventKeyframe", frame, _function)

    def _said(self, kind: str, frame: seqn.MessageKeyframe, shown: Callable[[object], str]) -> Json:
        channels: dict[str, Json] = {
            str(channel.channel): self.draft.record(
                kind, {"Events": [shown(message) for message in channel.messages]}
            )
            for channel in frame.channels
        }
        return self._held(kind, frame, channels)


def _function(name: object) -> str:
    return str(name or "").removeprefix(_FUNCTION)


# -- animation curves ------------------------------------------------------------------------------


def add_curves(draft: ModernDraft) -> None:
    """Add the animation curves of the game."""
    found = curves_of(draft)
    for name, members in found.items():
        draft.add("curve", name, "GMAnimCurve", members())
    if draft.game.release.at_least(2, 3):
        draft.count("animation_curves", len(found))


def curves_of(draft: ModernDraft) -> dict[str, Callable[[], dict[str, Json]]]:
    """The function that makes the members of each animation curve of the game, by name."""
    game = draft.game
    curves = game.animation_curves if game.release.at_least(2, 3) else ()
    return {str(one.name): partial(curve_members, draft, one.record) for one in curves}


def curve_members(draft: ModernDraft, curve: AnimationCurve | UnnamedCurve) -> dict[str, Json]:
    """The members of a curve: of a resource, or of a key frame."""
    channels: list[Json] = []
    for channel in curve.channels:
        points: list[Json] = []
        for point in channel.points:
            values = (
                point.x, point.value, point.bezier_x0, point.bezier_x1,
                point.bezier_y0, point.bezier_y1,
            )  # fmt: skip
            row: dict[str, Json] = dict(zip(_POINT, map(float, values), strict=True))
            points.append(draft.ordered(row, "GMAnimCurveChannel.points[]"))
        members: dict[str, Json] = {
            "colour": _COLOUR,
            "visible": True,
            "points": points,
        }
        channels.append(draft.record("GMAnimCurveChannel", members, str(channel.name or "")))
    functions = [int(channel.function) for channel in curve.channels]
    return {"function": functions[0] if functions else 0, "channels": channels}


# -- particle systems ------------------------------------------------------------------------------

#: The members of an emitter, by the fields of its record.
_EMITTER: Final = {
    "enabled": "enabled", "mode": "mode", "distribution": "distribution", "shape": "shape",
    "delay_min": "emitDelayMin", "delay_max": "emitDelayMax", "delay_unit": "emitDelayUnits",
    "interval_min": "emitIntervalMin", "interval_max": "emitIntervalMax",
    "interval_unit": "emitIntervalUnits", "region_x": "regionX", "region_y": "regionY",
    "region_width": "regionW", "region_height": "regionH", "texture": "texture",
    "frame": "headPosition", "animate": "spriteAnimate", "stretch": "spriteStretch",
    "random": "spriteRandom", "start_colour": "startColour", "mid_colour": "midColour",
    "end_colour": "endColour", "additive": "additiveBlend", "lifetime_min": "lifetimeMin",
    "lifetime_max": "lifetimeMax", "scale_x": "scaleX", "scale_y": "scaleY",
    "speed_min": "speedMin", "speed_max": "speedMax", "speed_increase": "speedIncrease",
    "speed_wiggle": "speedWiggle", "gravity_force": "gravityForce",
    "gravity_direction": "gravityDirection", "direction_min": "directionMin",
    "direction_max": "directionMax", "direction_increase": "directionIncrease",
    "direction_wiggle": "directionWiggle", "orientation_min": "orientationMin",
    "orientation_max": "orientationMax", "orientation_increase": "orientationIncrease",
    "orientation_wiggle": "orientationWiggle", "orientation_relative": "orientationRelative",
    "spawn_on_death_count": "spawnOnDeathCount", "spawn_on_update_count": "spawnOnUpdateCount",
}  # fmt: skip
_FLAGS: Final = frozenset(
    ("enabled", "animate", "stretch", "random", "additive", "orientation_relative")
)
#: Sizes, which the records of 2023.8 and later have for both directions.
_SIZES: Final = {
    "size_min": "sizeMin", "size_max": "sizeMax", "size_increase": "sizeIncrease",
    "size_wiggle": "sizeWiggle",
}  # fmt: skip
#: What the records have and the editor's files do not, where it is not this.
_UNSHOWN: Final = {"rotation": 0.0, "emit_relative": False}
_EDITOR_COLOUR: Final = 0x40FFFFFF


def add_particle_systems(draft: ModernDraft) -> None:
    """Add the particle systems of the game, with their emitters."""
    found = particle_systems_of(draft)
    lossy = 0
    for name, members in found.items():
        unshown = [*_unshown(draft.game.particle_systems[name])]
        lossy += bool(unshown)
        if unshown:
            path = draft.path_of("particle_system", name)
            message = f"the editor's files have no {', no '.join(unshown)}"
            draft.findings.warn("left-out", message, path)
        draft.add("particle_system", name, "GMParticleSystem", members())
    if draft.game.release.at_least(2023, 2):
        draft.count("particle_systems", len(found), lossy)


def particle_systems_of(draft: ModernDraft) -> dict[str, Callable[[], dict[str, Json]]]:
    """The function that makes the members of each particle system of the game, by name."""
    game = draft.game
    systems = [*game.particle_systems] if game.release.at_least(2023, 2) else []
    owners = {str(emitter.name): system for system in systems for emitter in system.emitters}
    return {str(one.name): partial(_system, draft, one, owners) for one in systems}


def _system(
    draft: ModernDraft, system: ParticleSystem, owners: Mapping[str, ParticleSystem]
) -> dict[str, Json]:
    return {
        "emitters": [_emitter(draft, emitter, owners) for emitter in system.emitters],
        "drawOrder": int(system.record.draw_order),
        "xorigin": system.origin_x,
        "yorigin": system.origin_y,
        **_BACKDROP,
    }


def _unshown(system: ParticleSystem) -> Iterator[str]:
    """The values that the file of a particle system can't hold."""
    if system.global_space:
        yield "global space"
    for emitter in system.emitters:
        record = emitter.record
        for name, usual in _UNSHOWN.items():
            if getattr(record, name) != usual:
                yield f"{name.replace('_', ' ')} of {emitter.name}"
        for name in _SIZES if _has_two_sizes(system) else ():
            if getattr(record, f"{name}_x") != getattr(record, f"{name}_y"):
                yield f"{name.replace('_', ' ')} of {emitter.name} in two directions"


def _has_two_sizes(system: ParticleSystem | ParticleEmitter) -> bool:
    return system.game.release.at_least(2023, 8)


def _emitter(
    draft: ModernDraft, emitter: ParticleEmitter, owners: Mapping[str, ParticleSystem]
) -> Json:
    """An emitter of a particle system."""
    record = emitter.record
    members: dict[str, Json] = {
        shown: _plain(name, getattr(record, name)) for name, shown in _EMITTER.items()
    }
    suffix = "_x" if _has_two_sizes(emitter) else ""
    members |= {shown: float(getattr(record, f"{name}{suffix}")) for name, shown in _SIZES.items()}
    count = float(emitter.emit_count)
    members |= {
        "emitCount": int(count) if count.is_integer() else count,
        "spriteId": draft.reference("sprite", emitter.sprite),
        "spawnOnDeathId": _spawned(draft, record.spawn_on_death, owners),
        "spawnOnUpdateId": _spawned(draft, record.spawn_on_update, owners),
        "spawnOnDeathGMPreset": None,
        "spawnOnUpdateGMPreset": None,
        "GMPresetName": None,
        "linkedEmitter": None,
        "locked": False,
        "editorColour": _EDITOR_COLOUR,
        "editorDrawShape": True,
    }
    return draft.record("GMPSEmitter", members, str(emitter.name))


def _plain(name: str, value: float) -> Json:
    """The value of a field: of an enumeration its number."""
    if name in _FLAGS:
        return bool(value)
    return value if isinstance(value, float) else int(value)


def _spawned(draft: ModernDraft, emitter: object, owners: Mapping[str, ParticleSystem]) -> Json:
    """The emitter that another one starts: it is named by the file of its system."""
    name = str(getattr(getattr(emitter, "target", None), "name", "") or "")
    system = owners.get(name)
    return (
        None if system is None else draft.place(name, draft.path_of("particle_system", system.name))
    )
