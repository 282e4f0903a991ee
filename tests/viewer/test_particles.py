"""Particles step by step: the module of the viewer that plays them, run by node."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import overhaul.viewer
from overhaul.gamemaker.data.chunks.psem import Distribution, EmitterMode, EmitterShape, TimeUnit

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")
MODULE = Path(overhaul.viewer.__file__).parent / "static" / "particlesim.js"
RUN = """
const { createInterface } = await import("node:readline");
const { Simulation, look, wave, over } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const steps = [];
  const simulation = new Simulation(asked.system, asked.seed);
  for (let n = 0; n <= asked.steps; n++) {
    if (n) simulation.step();
    steps.push(simulation.particles.map((p) => ({ x: p.x, y: p.y, age: p.age,
      name: p.emitter.name, ...look(p, asked.frames) })));
  }
  const waves = [0, 3, 6, 9, 12, 15].map((n) => wave(n, 12));
  console.log(JSON.stringify({ steps, over: simulation.over, waves }));
}
"""
BURST, STREAM = int(EmitterMode.BURST), int(EmitterMode.STREAM)


def emitter(name: str = "e", **fields: Any) -> dict[str, Any]:
    """An emitter of one particle at (0, 0) that stands still for ten steps."""
    zero = (
        "delay_min delay_max region_x region_y region_width region_height rotation texture frame "
        "size_increase_x size_increase_y size_wiggle_x size_wiggle_y speed_min speed_max "
        "speed_increase speed_wiggle gravity_force gravity_direction direction_min direction_max "
        "direction_increase direction_wiggle orientation_min orientation_max "
        "orientation_increase orientation_wiggle"
    )
    numbers = dict.fromkeys(zero.split(), 0.0)
    ones = ("emit_count interval_min interval_max scale_x scale_y size_min_x size_max_x size_min_y"
            " size_max_y spawn_on_death_count spawn_on_update_count")  # fmt: skip
    numbers |= dict.fromkeys(ones.split(), 1.0) | {"lifetime_min": 10.0, "lifetime_max": 10.0}
    made: dict[str, Any] = {
        "name": name,
        "numbers": numbers,
        "flags": dict.fromkeys(("emit_relative", "animate", "stretch", "random", "additive",
                                "orientation_relative"), False) | {"enabled": True},
        "choices": {"mode": BURST, "delay_unit": int(TimeUnit.FRAMES),
                    "interval_unit": int(TimeUnit.FRAMES), "distribution": 0, "shape": 0},
        "colours": [0xFFFFFF] * 3, "alphas": [1, 1, 1], "picture": None,
        "spawn_on_death": None, "spawn_on_update": None,
    }  # fmt: skip
    for field, value in fields.items():
        part = next((p for p in ("numbers", "flags", "choices") if field in made[p]), None)
        (made if part is None else made[part])[field] = value
    return made


def run(*emitters: dict[str, Any], count: int = 1, steps: int = 12, seed: int = 1,
        frames: int = 1) -> dict[str, Any]:  # fmt: skip
    system = {"emitters": emitters, "count": count, "x": 0, "y": 0, "old_on_top": False,
              "speed": 30}  # fmt: skip
    asked = {"system": system, "steps": steps, "seed": seed, "frames": frames}
    program = node()
    assert program.stdin is not None and program.stdout is not None
    program.stdin.write(json.dumps(asked) + "\n")
    program.stdin.flush()
    answer: dict[str, Any] = json.loads(program.stdout.readline())
    return answer


@cache
def node() -> subprocess.Popen[str]:
    """The program that runs the module, a line for each answer."""
    assert NODE is not None
    command = [NODE, "--input-type=module", "-e", RUN, MODULE.as_uri()]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="module", autouse=True)
def node_is_ended() -> Iterator[None]:
    yield
    with node() as program:
        assert program.stdin is not None
        program.stdin.close()  # which lets it end
        assert program.wait(60) == 0
    node.cache_clear()


def test_a_burst_moves_and_ends() -> None:
    made = run(emitter(speed_min=2, speed_max=2, direction_min=90, direction_max=90))
    counts = [len(particles) for particles in made["steps"]]
    assert counts == [1] * 10 + [0] * 3
    assert made["over"]
    for step, particles in enumerate(made["steps"][:10]):
        assert (particles[0]["x"], particles[0]["y"]) == pytest.approx((0, -2 * step))
    assert made["waves"] == [-1, 0, 1, 0, -1, 0]


def test_gravity_speed_size_colour_and_turn_change_each_step() -> None:
    it = emitter(
        gravity_force=0.5, gravity_direction=270, size_increase_x=-0.25, size_increase_y=0.5,
        orientation_increase=3, colours=[0xFF0000, 0x00FF00, 0x0000FF], alphas=[1, 0.5, 0],
        scale_y=2,
    )  # fmt: skip
    steps = run(it)["steps"]
    for n, (particle,) in enumerate(steps[:10]):
        assert particle["y"] == pytest.approx(0.5 * n * (n + 1) / 2)
        assert particle["width"] == pytest.approx(max(0, 1 - 0.25 * n))
        assert particle["height"] == pytest.approx(2 * (1 + 0.5 * n))
        assert particle["turn"] == 3 * n
        assert particle["alpha"] == pytest.approx(1 - n / 10)
    assert steps[0][0]["colour"] == [255, 0, 0]
    assert steps[5][0]["colour"] == [0, 255, 0]
    assert steps[9][0]["colour"] == [0, 51, 204]


def test_a_stream_emits_after_its_delay_at_intervals() -> None:
    it = emitter(mode=STREAM, delay_min=3, delay_max=3, interval_min=2, interval_max=2,
                 lifetime_min=100, lifetime_max=100)  # fmt: skip
    counts = [len(particles) for particles in run(it)["steps"]]
    assert counts == [0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    seconds = deepcopy(it)
    seconds["choices"]["delay_unit"] = int(TimeUnit.SECONDS)
    seconds["numbers"] |= {"delay_min": 0.2, "delay_max": 0.2}  # six steps of thirty a second
    counts = [len(particles) for particles in run(seconds)["steps"]]
    assert counts.index(1) == 6


@pytest.mark.parametrize("distribution", list(Distribution))
def test_particles_begin_in_their_region(distribution: Distribution) -> None:
    kind = int(distribution)
    for shape in EmitterShape:
        it = emitter(emit_count=300, region_x=50, region_y=-20, region_width=40, region_height=20,
                     shape=int(shape), distribution=kind)  # fmt: skip
        places = [((p["x"] - 50) / 20, (p["y"] + 20) / 10) for p in run(it, steps=0)["steps"][0]]
        assert len(places) == 300
        for x, y in places:
            assert max(abs(x), abs(y)) <= 1
            if shape == EmitterShape.ELLIPSE:
                assert math.hypot(x, y) <= 1.0001
            elif shape == EmitterShape.DIAMOND:
                assert abs(x) + abs(y) <= 1.0001
            elif shape == EmitterShape.LINE:
                assert x == pytest.approx(y)
        near = sum(abs(x) < 0.5 for x, _ in places)
        if shape == EmitterShape.RECTANGLE:
            low, high = {0: (110, 190), 1: (230, 300), 2: (0, 130)}[kind]
            assert low <= near <= high


def test_a_region_is_turned() -> None:
    it = emitter(emit_count=50, region_width=40, rotation=90)
    for particle in run(it, steps=0)["steps"][0]:
        assert particle["x"] == pytest.approx(0, abs=1e-9)
        assert abs(particle["y"]) <= 20


def test_particles_leave_others_behind() -> None:
    child = emitter("child", lifetime_min=3, lifetime_max=3)
    first = emitter(lifetime_min=4, lifetime_max=4, spawn_on_death=1, spawn_on_death_count=5)
    names = [[p["name"] for p in step] for step in run(first, child)["steps"]]
    assert names[3] == ["e"]
    assert names[4] == names[6] == ["child"] * 5
    assert names[7] == []
    trail = emitter(spawn_on_update=1, speed_min=1, speed_max=1)
    counts = [sum(p["name"] == "child" for p in step) for step in run(trail, child)["steps"]]
    assert counts[:5] == [0, 1, 2, 3, 3]


def test_a_seed_gives_the_same_again() -> None:
    it = emitter(emit_count=20.5, region_width=30, region_height=30, speed_min=1, speed_max=9,
                 direction_max=360, direction_wiggle=20, size_wiggle_x=0.5)  # fmt: skip
    assert run(it) == run(it)
    assert run(it, seed=2) != run(it)
    relative = emitter(emit_count=10, emit_relative=True, region_width=1000, region_height=100)
    assert len(run(relative, steps=0)["steps"][0]) == 30


def test_frames_are_shown_in_turn() -> None:
    still, moving = emitter(frame=2), emitter(animate=True, frame=1)
    over_life = emitter(animate=True, stretch=True)
    shown = [[step[0]["frame"] for step in run(it, frames=4)["steps"][:10]]
             for it in (still, moving, over_life)]  # fmt: skip
    assert shown[0] == [2] * 10
    assert shown[1] == [(1 + n) % 4 for n in range(10)]
    assert shown[2] == [int(4 * n / 10) for n in range(10)]


def test_there_are_never_too_many() -> None:
    it = emitter(emit_count=1e9, spawn_on_update=0)
    assert {len(step) for step in run(it, steps=2)["steps"]} == {4000}
