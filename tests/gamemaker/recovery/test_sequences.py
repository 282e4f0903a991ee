"""Random sequences and particle systems of games, and what stands of them in projects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import overhaul
from overhaul.cli import main
from overhaul.document.files import write_into
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks import seqn
from overhaul.gamemaker.data.chunks.room import ParticleInstance, SequenceInstance
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.references import NamedList, Reference
from overhaul.gamemaker.data.resources.base import Resource
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovery import Recovered, recover
from sound_files import wave

#: A release of each form of files, and the newest.
RELEASES = ("2.3.6", "2023.8", "2024.6", "2024.14")
#: What a channel of a project holds, by that of a game.
MEMBERS: dict[type[Any], tuple[str, str]] = {
    seqn.RealChannel: ("RealValue", "value"), seqn.ColourChannel: ("Colour", "value"),
    seqn.TextChannel: ("Text", "text"), seqn.SpriteChannel: ("Id", "sprite"),
    seqn.ObjectChannel: ("Id", "object"), seqn.SequenceChannel: ("Id", "sequence"),
    seqn.SoundChannel: ("Id", "sound"), seqn.ParticleChannel: ("Id", "particle_system"),
}  # fmt: skip


def reference(resource: Resource[Any]) -> Reference[Any]:
    """A reference to a resource of a game."""
    records: NamedList[Any] = resource.game.named(resource.chunk)
    return records.reference_to(resource.record)


class Maker:
    """Makes a game with random sequences."""

    def __init__(self, seed: int, release: str) -> None:
        self.random = Random(seed)
        self.game = blank_game({"version": release})
        game = self.game
        game.sprites.add("spr_a", [np.full((4, 4, 4), 255, np.uint8)])
        game.objects.add("obj_a", sprite="spr_a")
        game.sounds.add("snd_a", wave(8))
        game.animation_curves.add("crv_a", {"x": [(0, 0), (1, 1)]})
        self.has_particles = game.release.at_least(2023, 2)
        self.has_texts = game.release.at_least(2022, 2)
        if self.has_particles:
            first, second = (game.emitters.add(name) for name in ("Emitter", "Smoke"))
            for emitter in (first, second):
                emitter.lifetime_max = self.number()
                emitter.sprite = game.sprites["spr_a"]
                emitter.orientation_relative = self.random.random() < 0.5
            first.spawn_on_death = second
            game.particle_systems.add("ps_a", [first, second])
        for number in range(2):
            self.sequence(f"seq_{number}")
        room = game.rooms.add("rm_a")
        data = room.layers.add("Assets", "assets").record.data
        sequence = reference(game.sequences["seq_0"])
        data.sequences.append(
            SequenceInstance(game.strings.add("graphic_1A2B3C4D"), sequence, 4, 5)
        )
        if self.has_particles:
            system = reference(game.particle_systems["ps_a"])
            data.particle_systems.append(
                ParticleInstance(game.strings.add("particle_12"), 3, system, 6, 7)
            )

    def number(self) -> float:
        return float(np.float32(self.random.uniform(-200, 200)))

    def sequence(self, name: str) -> None:
        made = self.game.sequences.add(name, length=self.random.randrange(1, 90), speed=15)
        add = self.game.strings.add
        record = made.record
        record.origin_x, record.origin_y = self.random.randrange(9), -2
        record.tracks = [self.track(2) for _ in range(self.random.randrange(4))]
        record.moments = [
            seqn.MessageKeyframe(3.0, channels=[seqn.Messages(0, [add("gml_Script_go")])])
        ]
        record.broadcast_messages = [
            seqn.MessageKeyframe(4.5, 2.0, channels=[seqn.Messages(0, [add("hit"), add("é")])])
        ]
        record.functions = [seqn.SequenceFunction(3, add("gml_Script_seq_step"))]

    def track(self, depth: int) -> seqn.Track:
        random, add = self.random, self.game.strings.add
        kinds = ["GMGroupTrack", "GMRealTrack", "GMColourTrack", "GMGraphicTrack"]
        kinds += ["GMAudioTrack", "GMClipMaskTrack", "GMSequenceTrack", "GMInstanceTrack"]
        kinds += ["GMTextTrack"] if self.has_texts else []
        kinds += ["GMParticleTrack"] if self.has_particles else []
        kind = random.choice(kinds)
        made = seqn.Track(add(kind), add(random.choice(["a", "Track 2", "é"])))
        made.is_creation_track = random.random() < 0.3
        if kind in ("GMRealTrack", "GMColourTrack"):
            made.builtin_name = random.choice([14, 15, 8] if kind == "GMRealTrack" else [10, 9])
        made.keyframes = self.frames(kind)
        if depth and kind not in ("GMRealTrack", "GMColourTrack"):
            made.tracks = [self.track(depth - 1) for _ in range(random.randrange(3))]
        if kind == "GMClipMaskTrack":
            made.tracks = [
                seqn.Track(add(f"GMClipMask_{part}"), add(part.lower()), number,
                           keyframes=seqn.NoFrames())
                for part, number in (("Mask", 12), ("Subject", 13))
            ]  # fmt: skip
        return made

    def frames(self, kind: str) -> Any:
        random = self.random
        store = seqn.FRAMES_BY_MODEL[kind]
        made = store()
        if isinstance(made, seqn.RealFrames | seqn.ColourFrames):
            made.interpolation = random.randrange(2)
        if not isinstance(made, seqn.NoFrames):
            for number in range(random.randrange(3)):
                made.frames.append(self.frame(kind, float(number)))  # type: ignore[attr-defined]
        return made

    def frame(self, kind: str, key: float) -> seqn.Keyframe:
        random, game = self.random, self.game
        channels: list[Any]
        match kind:
            case "GMRealTrack":
                channels = [self.real(number) for number in range(random.randrange(1, 3))]
                frame: Any = seqn.RealKeyframe(key)
            case "GMColourTrack":
                channels = [seqn.ColourChannel(0, random.choice([-1, 0x00FF8040, -(1 << 24)]))]
                frame = seqn.ColourKeyframe(key)
            case "GMGraphicTrack":
                shown = reference(game.sprites["spr_a"])
                channels = [seqn.SpriteChannel(0, random.choice([shown, None]))]
                frame = seqn.SpriteKeyframe(key)
            case "GMInstanceTrack":
                channels = [seqn.ObjectChannel(0, reference(game.objects["obj_a"]))]
                frame = seqn.ObjectKeyframe(key)
            case "GMAudioTrack":
                sound = reference(game.sounds["snd_a"])
                channels = [seqn.SoundChannel(0, sound, 0, random.randrange(2))]
                frame = seqn.SoundKeyframe(key)
            case "GMSequenceTrack":
                inner = reference(game.sequences["seq_0"])
                channels = [seqn.SequenceChannel(0, inner)]
                frame = seqn.SequenceKeyframe(key)
            case "GMParticleTrack":
                system = reference(game.particle_systems["ps_a"])
                channels = [seqn.ParticleChannel(0, system)]
                frame = seqn.ParticleKeyframe(key)
            case _:
                said = game.strings.add(random.choice(["Hello", 'a "b"\n', ""]))
                channels = [seqn.TextChannel(0, said, True, 0x102)]
                frame = seqn.TextKeyframe(key)
        frame.length = self.number()
        frame.stretch, frame.disabled = random.random() < 0.5, random.random() < 0.2
        frame.channels = channels
        made: seqn.Keyframe = frame
        return made

    def real(self, number: int) -> seqn.RealChannel:
        random = self.random
        if random.random() < 0.3:
            curve = seqn.UnnamedCurve(0, [seqn.CurveChannel(
                self.game.strings.add("x"), 2, points=[
                    seqn.CurvePoint(0.0, self.number()),
                    seqn.CurvePoint(1.0, 4.0, bezier_x0=-0.5, bezier_y1=0.25),
                ],
            )])  # fmt: skip
            return seqn.RealChannel(number, self.number(), embedded=True, own_curve=curve)
        curve_of_all = reference(self.game.animation_curves["crv_a"])
        return seqn.RealChannel(number, self.number(), curve=random.choice([None, curve_of_all]))


def value(found: Recovered, path: str) -> Any:
    return read_values(found.files[path]().decode("utf-8"))


def shown(stored: object) -> object:
    """A value of a channel as a project has it."""
    target = getattr(stored, "target", stored)
    name = getattr(target, "name", None)
    if name is not None:
        return str(name)
    return stored if isinstance(stored, int | float) or stored is None else str(stored)


def check_track(track: seqn.Track, made: Mapping[str, Any]) -> None:
    """Compare a track of a game with that of a project."""
    assert made["resourceType"] == str(track.model)
    assert (made["name"], made["builtinName"]) == (str(track.name), int(track.builtin_name))
    assert made["isCreationTrack"] is bool(track.is_creation_track)
    frames = getattr(track.keyframes, "frames", None)
    assert ("keyframes" in made) is (frames is not None)
    own_frames = made.get("keyframes", {}).get("Keyframes", [])
    for frame, own in zip(frames or [], own_frames, strict=True):
        facts = (frame.key, frame.length, bool(frame.stretch), bool(frame.disabled))
        own_facts = (own["Key"], own["Length"], own["Stretch"], own["Disabled"])
        assert own_facts == pytest.approx(facts)
        for channel in frame.channels:
            member, field = MEMBERS[type(channel)]
            held = own["Channels"][str(channel.channel)]
            found = held[member]["name"] if isinstance(held[member], dict) else held[member]
            expected = shown(getattr(channel, field))
            if isinstance(channel, seqn.ColourChannel):
                expected = channel.value & 0xFFFFFFFF
            assert (
                found == pytest.approx(expected)
                if isinstance(expected, float)
                else (found == expected)
            )
            if isinstance(channel, seqn.RealChannel):
                assert bool(held["EmbeddedAnimCurve"]) is bool(channel.embedded)
                assert bool(held["AnimCurveId"]) is (channel.curve is not None)
            elif isinstance(channel, seqn.SoundChannel):
                assert held["Mode"] == channel.mode
    for inner, own in zip(track.tracks, made["tracks"], strict=True):
        check_track(inner, own)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("seed", range(4))
def test_random_sequences_are_those_of_the_game(
    seed: int, release: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = Maker(seed, release).game.to_bytes()
    with overhaul.open_game(data) as game:
        found = recover(game)
        for sequence in game.sequences:
            made = value(found, f"sequences/{sequence.name}/{sequence.name}.yy")
            for track, own in zip(sequence.record.tracks, made["tracks"], strict=True):
                check_track(track, own)
            assert made["eventToFunction"] == {"3": "seq_step"}
            assert events(made, "moments") == [["go"]]
            assert events(made, "events") == [["hit", "é"]]
            assert (made["length"], made["xorigin"]) == (sequence.length, sequence.record.origin_x)
    assert found.tallies["sequences"] == (2, 0, 0)
    assets(found, game)
    write_into(str(tmp_path / "p"), found.files)
    (tmp_path / "game.win").write_bytes(data)
    project = str(tmp_path / "p" / found.name)
    assert main(["check", "--json", project]) == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["findings"] == []
    assert overhaul.verify(project).identical
    assert main(["diff", project, str(tmp_path / "game.win")]) == 0


def events(made: Mapping[str, Any], key: str) -> list[list[str]]:
    return [frame["Channels"]["0"]["Events"] for frame in made[key]["Keyframes"]]


def assets(found: Recovered, game: GameData) -> None:
    """What stands in the room, and the particle system."""
    (layer,) = (one for one in value(found, "rooms/rm_a/rm_a.yy")["layers"] if "assets" in one)
    first, *others = layer["assets"]
    assert (first["resourceType"], first["name"]) == ("GMRSequenceGraphic", "graphic_1A2B3C4D")
    assert (first["sequenceId"]["name"], first["x"], first["y"]) == ("seq_0", 4.0, 5.0)
    if not others:
        assert not game.release.at_least(2023, 2)
        return
    assert (others[0]["name"], others[0]["particleSystemId"]["name"]) == ("particle_12", "ps_a")
    one, two = value(found, "particles/ps_a/ps_a.yy")["emitters"]
    emitter = game.emitters["Emitter"]
    assert one["spawnOnDeathId"] == {"name": "Smoke", "path": "particles/ps_a/ps_a.yy"}
    assert (one["lifetimeMax"], one["spriteId"]["name"], two["spawnOnDeathId"]) == (
        pytest.approx(emitter.lifetime_max), "spr_a", None
    )  # fmt: skip
    assert one["orientationRelative"] is emitter.orientation_relative
    assert (one["sizeMin"], one["emitCount"], one["enabled"]) == (1.0, 1, True)


def test_what_no_file_can_say_is_named() -> None:
    maker = Maker(1, "2024.6")
    system, add = maker.game.particle_systems["ps_a"], maker.game.strings.add
    system.global_space = True
    system.emitters[0].rotation = 30.0
    system.emitters[1].record.size_max_y = 2.0
    track = seqn.Track(add("GMBoolTrack"), add("shown"), keyframes=seqn.IntegerFrames())
    maker.game.sequences["seq_1"].record.tracks.append(track)
    found = recover(maker.game)
    assert found.tallies["particle_systems"] == (1, 1, 0)
    assert found.tallies["sequences"] == (2, 1, 0)
    said = [str(finding) for finding in found.findings if finding.code == "left-out"]
    assert said == [
        "sequences/seq_1/seq_1.yy: the track shown (GMBoolTrack) is left out: no project at hand "
        "shows how the editor writes it",
        "particles/ps_a/ps_a.yy: the editor's files have no global space, no rotation of Emitter, "
        "no size max of Smoke in two directions",
    ]


def test_the_stub_of_events_is_the_script_that_has_them() -> None:
    maker = Maker(0, "2023.8")
    maker.game.scripts.add("scr_events", "function seq_step() {}")
    found = recover(maker.game)
    made = value(found, "sequences/seq_0/seq_0.yy")
    assert made["eventStubScript"] == {
        "name": "scr_events", "path": "scripts/scr_events/scr_events.yy",
    }  # fmt: skip
