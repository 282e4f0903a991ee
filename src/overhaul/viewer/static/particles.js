// A particle system playing in a canvas.
import { Simulation, look } from "./particlesim.js";

// steps that are looked at to see how far particles get, and the margin of the picture
const AHEAD = 180;
const MARGIN = 24;
// pictures in one colour that are kept
const TINTED = 400;
const SIDE = 64;

export default async function particles(box) {
  const answer = await fetch(box.dataset.played);
  if (!answer.ok) return;
  const system = await answer.json();
  const pictures = await Promise.all(system.emitters.map(drawnWith));
  const player = new Player(box, system, pictures);
  player.begin();
  box.hidden = false;
  const form = document.getElementById(box.dataset.tuned);
  if (!form) return;
  const { default: tune } = await import("./tuning.js");
  tune(form, system.emitters[0], (isOther) => player.changed(isOther));
  // what was typed before, and is put back as a draft, or stood there when the page was loaded again
  for (const field of form.querySelectorAll("input, select")) {
    if (field.value !== field.defaultValue || field.checked !== field.defaultChecked) field.dispatchEvent(new Event(field.dataset.sets || field.dataset.colour ? "input" : "change", { bubbles: true }));
  }
}

class Player {
  constructor(box, system, pictures) {
    this.box = box;
    this.system = system;
    this.pictures = new Map(system.emitters.map((emitter, at) => [emitter, pictures[at]]));
    this.canvas = box.querySelector("canvas");
    this.context = this.canvas.getContext("2d");
    this.said = box.querySelector("output");
    this.tinted = new Map();
    this.due = 0;
    this.last = 0;
    this.running = false;
  }

  begin() {
    const on = (name, run) => this.box.querySelector(`[data-do="${name}"]`).addEventListener("click", run);
    this.button = this.box.querySelector('[data-do="play"]');
    this.rate = this.box.querySelector('[data-do="speed"]');
    on("play", () => this.play(!this.running));
    on("step", () => {
      this.play(false);
      this.step();
      this.draw();
    });
    on("again", () => {
      this.again();
      this.draw();
    });
    this.fit();
    this.again();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (let n = 0; still && n < 30; n++) this.simulation.step();
    this.draw();
    if (!still) this.play(true);
  }

  /** A field of the first emitter has another value; `isOther`: also what its particles look like. */
  async changed(isOther = false) {
    clearTimeout(this.fitting);
    this.fitting = setTimeout(() => this.fit(), 400); // not while a slider moves
    if (isOther) {
      const [emitter] = this.system.emitters;
      this.pictures.set(emitter, await drawnWith(emitter));
    }
    this.again();
    if (this.running) return;
    for (let n = 0; n < 30; n++) this.simulation.step();
    this.draw();
  }

  again() {
    this.simulation = new Simulation(this.system);
  }

  /** Choose the part of the plane that is shown: what particles reach, and the origin. */
  fit() {
    const ahead = new Simulation(this.system);
    const bounds = { left: this.system.x, right: this.system.x, top: this.system.y, bottom: this.system.y };
    for (let n = 0; n < AHEAD; n++) {
      ahead.step();
      for (const particle of ahead.particles) {
        const { width, height } = this.sizeOf(particle);
        bounds.left = Math.min(bounds.left, particle.x - width / 2);
        bounds.right = Math.max(bounds.right, particle.x + width / 2);
        bounds.top = Math.min(bounds.top, particle.y - height / 2);
        bounds.bottom = Math.max(bounds.bottom, particle.y + height / 2);
      }
    }
    const across = (this.canvas.width - 2 * MARGIN) / Math.max(1, bounds.right - bounds.left);
    const down = (this.canvas.height - 2 * MARGIN) / Math.max(1, bounds.bottom - bounds.top);
    this.scale = Math.min(2, across, down);
    this.x = this.canvas.width / 2 - (this.scale * (bounds.left + bounds.right)) / 2;
    this.y = this.canvas.height / 2 - (this.scale * (bounds.top + bounds.bottom)) / 2;
  }

  sizeOf(particle) {
    const picture = this.pictures.get(particle.emitter);
    const frame = picture.frames[0];
    const seen = look(particle, picture.frames.length);
    return { width: Math.abs(seen.width * (frame?.width ?? 1)), height: Math.abs(seen.height * (frame?.height ?? 1)) };
  }

  play(on) {
    this.running = on;
    this.button.textContent = on ? "Pause" : "Play";
    this.button.setAttribute("aria-pressed", String(on));
    this.last = performance.now();
    if (on) requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    if (!this.running || !this.canvas.isConnected) return;
    const passed = Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    this.due += passed * this.system.speed * Number(this.rate.value);
    let count = 0;
    for (; this.due >= 1; this.due -= 1) {
      if (count++ < 20) this.step();
    }
    this.draw();
    requestAnimationFrame((next) => this.tick(next));
  }

  step() {
    this.simulation.step();
    if (this.simulation.over) this.again(); // a burst is shown once more
  }

  draw() {
    const { context, canvas } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1;
    context.globalCompositeOperation = "source-over";
    context.fillStyle = "#202024";
    context.fillRect(0, 0, canvas.width, canvas.height);
    this.cross();
    for (const group of this.simulation.groups) {
      const drawn = this.system.old_on_top ? [...group.particles].reverse() : group.particles;
      for (const particle of drawn) this.drawOne(particle);
    }
    this.said.textContent = `step ${this.simulation.now}, ${this.simulation.particles.length} particles`;
  }

  /** The origin of the system. */
  cross() {
    const [x, y] = [this.x + this.scale * this.system.x, this.y + this.scale * this.system.y];
    this.context.strokeStyle = "#ffffff40";
    this.context.beginPath();
    this.context.moveTo(x - 6, y);
    this.context.lineTo(x + 6, y);
    this.context.moveTo(x, y - 6);
    this.context.lineTo(x, y + 6);
    this.context.stroke();
  }

  drawOne(particle) {
    const picture = this.pictures.get(particle.emitter);
    const seen = look(particle, picture.frames.length);
    const image = picture.frames[seen.frame];
    if (!image || !seen.width || !seen.height || seen.alpha <= 0) return;
    const { context } = this;
    const turn = (-seen.turn * Math.PI) / 180;
    const [cosine, sine] = [Math.cos(turn) * this.scale, Math.sin(turn) * this.scale];
    const [x, y] = [this.x + this.scale * particle.x, this.y + this.scale * particle.y];
    context.setTransform(cosine * seen.width, sine * seen.width, -sine * seen.height, cosine * seen.height, x, y);
    context.globalAlpha = Math.min(1, seen.alpha);
    context.globalCompositeOperation = particle.emitter.flags.additive ? "lighter" : "source-over";
    context.drawImage(this.inColour(image, seen.colour), -picture.x, -picture.y);
  }

  /** A picture multiplied by a colour, which is kept for the next particle. */
  inColour(image, colour) {
    const [red, green, blue] = colour.map((channel) => Math.min(255, (channel + 4) & ~7));
    if (red + green + blue >= 3 * 248) return image;
    const key = (red << 16) | (green << 8) | blue;
    const kept = this.tinted.get(image) ?? new Map();
    this.tinted.set(image, kept);
    let made = kept.get(key);
    if (made) return made;
    if (kept.size >= TINTED) kept.clear();
    made = document.createElement("canvas");
    made.width = image.width;
    made.height = image.height;
    const context = made.getContext("2d");
    context.drawImage(image, 0, 0);
    context.globalCompositeOperation = "multiply";
    context.fillStyle = `rgb(${red}, ${green}, ${blue})`;
    context.fillRect(0, 0, made.width, made.height);
    context.globalCompositeOperation = "destination-in";
    context.drawImage(image, 0, 0);
    kept.set(key, made);
    return made;
  }
}

/** The frames of what an emitter's particles are drawn with. */
async function drawnWith(emitter) {
  const { picture, numbers } = emitter;
  if (picture) {
    const loaded = await Promise.all(picture.frames.map(load));
    return { frames: loaded.filter(Boolean), x: picture.x, y: picture.y };
  }
  const shape = shapes[numbers.texture];
  if (!shape) return { frames: [], x: 0, y: 0 };
  const side = numbers.texture === 0 ? 1 : SIDE;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  const context = canvas.getContext("2d");
  context.fillStyle = context.strokeStyle = "#fff";
  shape(context, side / 2);
  return { frames: [canvas], x: side / 2, y: side / 2 };
}

function load(address) {
  return new Promise((done) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => done(null);
    image.src = address;
  });
}

// ------------------------------------------------------------------- the shapes that are built in

function shade(context, half, stops) {
  const gradient = context.createRadialGradient(half, half, 0, half, half, half);
  for (const [place, alpha] of stops) gradient.addColorStop(place, `rgb(255 255 255 / ${alpha})`);
  context.fillStyle = gradient;
  context.fillRect(0, 0, 2 * half, 2 * half);
}

function round(context, half, radius) {
  context.beginPath();
  context.arc(half, half, radius, 0, 2 * Math.PI);
}

function star(context, half, points, inner) {
  context.beginPath();
  for (let n = 0; n < 2 * points; n++) {
    const radius = n % 2 ? half * inner : half;
    const angle = (Math.PI * n) / points - Math.PI / 2;
    context.lineTo(half + radius * Math.cos(angle), half + radius * Math.sin(angle));
  }
  context.fill();
}

function puffs(context, half, alpha) {
  for (let n = 0; n < 6; n++) {
    const angle = n * 1.9;
    const [x, y] = [half * (1 + 0.35 * Math.cos(angle)), half * (1 + 0.35 * Math.sin(angle))];
    const gradient = context.createRadialGradient(x, y, 0, x, y, half * 0.6);
    gradient.addColorStop(0, `rgb(255 255 255 / ${alpha})`);
    gradient.addColorStop(1, "rgb(255 255 255 / 0)");
    context.fillStyle = gradient;
    context.fillRect(0, 0, 2 * half, 2 * half);
  }
}

// pixel, disk, square, line, star, circle, ring, sphere, flare, spark, explosion, cloud, smoke, snow
const shapes = [
  (context) => context.fillRect(0, 0, 1, 1),
  (context, half) => {
    round(context, half, half);
    context.fill();
  },
  (context, half) => context.fillRect(0, 0, 2 * half, 2 * half),
  (context, half) => context.fillRect(0, half - half / 16, 2 * half, half / 8),
  (context, half) => star(context, half, 5, 0.4),
  (context, half) => {
    context.lineWidth = 2;
    round(context, half, half - 2);
    context.stroke();
  },
  (context, half) => shade(context, half, [[0, 0], [0.6, 0], [0.8, 1], [1, 0]]),
  (context, half) => shade(context, half, [[0, 1], [1, 0]]),
  (context, half) => shade(context, half, [[0, 1], [0.2, 0.5], [1, 0]]),
  (context, half) => {
    shade(context, half, [[0, 1], [0.3, 0.2], [1, 0]]);
    context.fillStyle = "#ffffffa0";
    star(context, half, 4, 0.12);
  },
  (context, half) => puffs(context, half, 0.7),
  (context, half) => puffs(context, half, 0.4),
  (context, half) => puffs(context, half, 0.25),
  (context, half) => {
    context.lineWidth = 3;
    for (let n = 0; n < 3; n++) {
      const angle = (Math.PI * n) / 3;
      context.beginPath();
      context.moveTo(half - half * 0.9 * Math.cos(angle), half - half * 0.9 * Math.sin(angle));
      context.lineTo(half + half * 0.9 * Math.cos(angle), half + half * 0.9 * Math.sin(angle));
      context.stroke();
    }
  },
];
