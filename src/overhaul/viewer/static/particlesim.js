// Particles, step by step: what GameMaker's manual says of emitters and particle types. Random
// numbers come from a seed, so that a system looks the same each time.
const STREAM = 0;
const SECONDS = 0;
const LINEAR = 0;
const GAUSSIAN = 1;
const [, ELLIPSE, DIAMOND, LINE] = [0, 1, 2, 3];
// particles at a time, so that a page stays quick
const MOST = 4000;
// of a region, how many particles a relative count of 1 means for each pixel (GameMaker's runner)
const DENSITY = 0.00003;

const radians = (degrees) => (degrees * Math.PI) / 180;
const blend = (from, to, part) => from + (to - from) * part;

/** A wave between -1 and 1, made of straight lines. */
export function wave(step, period) {
  return 1 - Math.abs((step % period) / (period / 4) - 2);
}

/** A value over a life, from the three that it has at first, in the middle and at last. */
export function over(three, part) {
  const twice = 2 * Math.min(Math.max(part, 0), 1);
  return twice < 1 ? blend(three[0], three[1], twice) : blend(three[1], three[2], twice - 1);
}

/** Numbers from 0 to 1 that follow from a seed (a 32-bit counter, mixed). */
export function randomly(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
}

export class Simulation {
  constructor(system, seed = 1) {
    this.system = system;
    this.random = randomly(seed);
    this.now = 0;
    this.alive = 0;
    this.groups = system.emitters.slice(0, system.count).map((emitter) => ({
      emitter,
      particles: [],
      wait: this.time(emitter, "delay"),
      interval: 0,
    }));
    for (const group of this.groups) {
      group.delayed = group.wait > 0;
      if (!group.delayed && group.emitter.choices.mode !== STREAM) this.burst(group);
    }
  }

  /** All particles, those of the first emitter first. */
  get particles() {
    return this.groups.flatMap((group) => group.particles);
  }

  /** Whether nothing will be seen any more. */
  get over() {
    return this.groups.every(
      (group) => !group.particles.length && !group.delayed && (group.emitter.choices.mode !== STREAM || !group.emitter.flags.enabled),
    );
  }

  between(low, high) {
    return high > low ? blend(low, high, this.random()) : low;
  }

  /** A delay or an interval in steps. */
  time(emitter, which) {
    const { numbers, choices } = emitter;
    const [low, high] = [numbers[`${which}_min`], numbers[`${which}_max`]];
    if (choices[`${which}_unit`] === SECONDS) return this.between(low, high) * this.system.speed;
    return Math.floor(this.between(Math.trunc(low), Math.trunc(high) + (high > low ? 1 : 0)));
  }

  /** A place from 0 to 1. */
  place(distribution) {
    if (distribution === LINEAR) return this.random();
    for (;;) {
      const deviation = (this.random() - 0.5) * 6;
      if (this.random() >= Math.exp((-deviation * deviation) / 2)) continue;
      const place = (deviation + 3) / 6;
      return distribution === GAUSSIAN ? place : (place + 0.5) % 1;
    }
  }

  /** A place in the region of an emitter. */
  somewhere(emitter) {
    const { numbers, choices } = emitter;
    const { shape, distribution } = choices;
    let across;
    let down;
    do {
      across = this.place(distribution) - 0.5;
      down = this.place(distribution) - 0.5;
      if (distribution > GAUSSIAN && shape !== LINE) {
        if (this.random() < 0.5) across = this.random() - 0.5;
        else down = this.random() - 0.5;
      }
    } while (
      (shape === ELLIPSE && Math.hypot(across, down) > 0.5) ||
      (shape === DIAMOND && Math.abs(across) + Math.abs(down) > 0.5)
    );
    if (shape === LINE) down = across;
    const [x, y] = [across * numbers.region_width, down * numbers.region_height];
    const [sine, cosine] = [Math.sin(radians(numbers.rotation)), Math.cos(radians(numbers.rotation))];
    return [numbers.region_x + x * cosine + y * sine, numbers.region_y - x * sine + y * cosine];
  }

  /** How many particles a count means now: a fraction, and one below 0, is a chance. */
  many(count) {
    if (count < 0) return this.random() * -count < 1 ? 1 : 0;
    return Math.min(MOST, Math.floor(count) + (this.random() < count % 1 ? 1 : 0));
  }

  burst(group) {
    const { emitter } = group;
    if (!emitter.flags.enabled) return;
    const { numbers } = emitter;
    const area = numbers.region_width * numbers.region_height * DENSITY;
    const count = this.many(emitter.flags.emit_relative ? numbers.emit_count * area : numbers.emit_count);
    for (let n = 0; n < count; n++) this.make(group, emitter, ...this.somewhere(emitter));
  }

  make(group, emitter, x, y) {
    if (this.alive >= MOST) return;
    this.alive += 1;
    const { numbers, flags } = emitter;
    const size = this.random();
    group.particles.push({
      emitter,
      x,
      y,
      age: 0,
      life: this.between(numbers.lifetime_min, numbers.lifetime_max),
      speed: this.between(numbers.speed_min, numbers.speed_max),
      direction: this.between(numbers.direction_min, numbers.direction_max),
      turn: this.between(numbers.orientation_min, numbers.orientation_max),
      width: blend(numbers.size_min_x, numbers.size_max_x, size),
      height: blend(numbers.size_min_y, numbers.size_max_y, size),
      first: flags.random ? Math.floor(this.random() * 10000) : numbers.frame,
      phase: this.random() * 100000,
    });
  }

  step() {
    this.now += 1;
    for (const group of this.groups) {
      this.age(group);
      for (const particle of group.particles) this.move(particle);
      this.emit(group);
    }
  }

  age(group) {
    const before = group.particles;
    group.particles = [];
    const kept = [];
    for (const particle of before) {
      particle.age += 1;
      const ends = particle.age >= particle.life;
      const { emitter } = particle;
      if (ends) this.alive -= 1;
      const spawned = ends ? emitter.spawn_on_death : emitter.spawn_on_update;
      if (!ends) kept.push(particle);
      if (spawned === null || this.alive >= MOST) continue;
      const count = this.many(emitter.numbers[ends ? "spawn_on_death_count" : "spawn_on_update_count"]);
      for (let n = 0; n < count; n++) this.make(group, this.system.emitters[spawned], particle.x, particle.y);
    }
    group.particles = kept.concat(group.particles);
  }

  move(particle) {
    const { numbers } = particle.emitter;
    particle.speed = Math.max(0, particle.speed + numbers.speed_increase);
    particle.direction += numbers.direction_increase;
    particle.turn += numbers.orientation_increase;
    if (numbers.gravity_force) {
      const [way, pull] = [radians(particle.direction), radians(numbers.gravity_direction)];
      const right = particle.speed * Math.cos(way) + numbers.gravity_force * Math.cos(pull);
      const up = particle.speed * Math.sin(way) + numbers.gravity_force * Math.sin(pull);
      particle.speed = Math.hypot(right, up);
      if (particle.speed) particle.direction = (Math.atan2(up, right) * 180) / Math.PI;
    }
    const way = radians(particle.direction + numbers.direction_wiggle * wave(particle.age + 3 * particle.phase, 24));
    const speed = particle.speed + numbers.speed_wiggle * wave(particle.age + 4 * particle.phase, 20);
    particle.x += speed * Math.cos(way);
    particle.y -= speed * Math.sin(way);
    particle.width = Math.max(0, particle.width + numbers.size_increase_x);
    particle.height = Math.max(0, particle.height + numbers.size_increase_y);
  }

  emit(group) {
    if (group.delayed) {
      group.wait -= 1;
      if (group.wait > 0) return;
      group.delayed = false;
      this.burst(group);
      return;
    }
    if (group.emitter.choices.mode !== STREAM) return;
    group.interval -= 1;
    if (group.interval > 0) return;
    this.burst(group);
    group.interval = this.time(group.emitter, "interval");
  }
}

/** What is drawn of a particle now: frame (of `frames`), place, size, turn, colour and alpha. */
export function look(particle, frames) {
  const { numbers, flags, colours, alphas } = particle.emitter;
  const part = particle.life > 0 ? particle.age / particle.life : 1;
  let frame = particle.first;
  if (flags.animate) frame += flags.stretch ? frames * part : particle.age;
  const grow = wave(particle.age + particle.phase, 16);
  const turn = particle.turn + (flags.orientation_relative ? particle.direction : 0);
  const channel = (shift) => Math.round(over(colours.map((colour) => (colour >> shift) & 255), part));
  return {
    frame: frames ? Math.floor(frame) % frames : 0,
    width: (particle.width + grow * numbers.size_wiggle_x) * numbers.scale_x,
    height: (particle.height + grow * numbers.size_wiggle_y) * numbers.scale_y,
    turn: turn + numbers.orientation_wiggle * wave(particle.age + 2 * particle.phase, 16),
    colour: [channel(16), channel(8), channel(0)],
    alpha: over(alphas, part),
  };
}
