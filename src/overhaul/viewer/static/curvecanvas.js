// The points of an animation curve on its picture, with the handles of Bézier curves; the fields of
// the tables have the numbers.
const WIDTH = 640;
const HEIGHT = 260;
const SVG = "http://www.w3.org/2000/svg";
const HANDLES = [["bezier x0", "bezier y0", "handle before"], ["bezier x1", "bezier y1", "handle behind"]];

/** A number as people write it: six digits are enough for what games store. */
const short = (number) => String(Number(number.toPrecision(6)));

function made(name, attributes, owner) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  owner.append(element);
  return element;
}

/** The control points between the second and the third of four points: centripetal Catmull-Rom. */
function smooth(ends, number) {
  const least = Math.min(...ends.map(([, value]) => value));
  const height = Math.max(1, Math.max(...ends.map(([, value]) => value)) - least);
  const near = [-1, 0, 1, 2].map((step) => {
    const [x, value] = ends[Math.min(Math.max(number + step, 0), ends.length - 1)];
    return [x, (value - least) / height];
  });
  const far = [0, 1, 2].map((at) => Math.sqrt(
    Math.hypot(near[at + 1][0] - near[at][0], near[at + 1][1] - near[at][1]) || 0.01,
  ));
  const axis = (at) => {
    const [a, b, c, d] = near.map((point) => point[at]);
    const slope = (b - a) / far[0] - (c - a) / (far[0] + far[1]) + (c - b) / far[1];
    const next = (c - b) / far[1] - (d - b) / (far[1] + far[2]) + (d - c) / far[2];
    return [b + (slope * far[1]) / 3, c - (next * far[1]) / 3];
  };
  const [xs, ys] = [axis(0), axis(1)];
  return [0, 1].map((at) => [xs[at], ys[at] * height + least]);
}

class Channel {
  constructor(stage, group) {
    this.stage = stage;
    this.group = group;
    this.pointer = group.dataset.channel;
    this.path = group.querySelector("path");
    const form = stage.form;
    this.shape = form.elements[`v:${this.pointer.replace(/\/points$/, "/function")}`];
    this.points = [...group.querySelectorAll("[data-row]")].map((place) => {
      const fields = {};
      for (const field of form.querySelectorAll("[data-of]")) {
        if (field.dataset.of === place.dataset.row) fields[field.dataset.side] = field;
      }
      return { place, fields, mark: this.mark(place, fields) };
    });
    for (const [number, point] of this.points.entries()) this.listen(number, point);
    this.shape?.addEventListener("change", () => stage.draw());
  }

  get isBezier() {
    return this.shape?.value === "bezier";
  }

  mark(place, fields) {
    const about = `Point ${place.dataset.number}`;
    const handles = !fields["bezier x0"] ? [] : HANDLES.map(([across, down, name]) => ({
      across, down,
      line: made("line", { class: "arm" }, place),
      dot: made("rect", { class: "handle", tabindex: 0, role: "button", "aria-label": `${about}, ${name}` }, place),
    }));
    const dot = made("circle", { class: "dot", tabindex: 0, role: "button", "aria-label": about }, place);
    return { dot, handles };
  }

  at(number) {
    const { fields } = this.points[number];
    return [Number(fields.x.value), Number(fields.value.value)];
  }

  handle(number, { across, down }) {
    const { fields } = this.points[number];
    const [x, value] = this.at(number);
    return [x + Number(fields[across].value), value + Number(fields[down].value)];
  }

  listen(number, { fields, mark }) {
    const { stage } = this;
    const least = number ? () => this.at(number - 1)[0] : () => 0;
    const most = number < this.points.length - 1 ? () => this.at(number + 1)[0] : () => Math.max(1, this.at(number)[0]);
    stage.drags(mark.dot, () => this.at(number), ([x, value]) => {
      fields.x.value = short(Math.min(Math.max(x, least()), most()));
      fields.value.value = short(value);
    });
    mark.dot.addEventListener("keydown", (event) => {
      if (event.key !== "Delete") return;
      event.preventDefault();
      stage.press(`remove:${this.points[number].place.dataset.row}`);
    });
    for (const handle of mark.handles) {
      stage.drags(handle.dot, () => this.handle(number, handle), ([x, value]) => {
        const [fromX, from] = this.at(number);
        fields[handle.across].value = short(x - fromX);
        fields[handle.down].value = short(value - from);
      });
    }
    for (const field of Object.values(fields)) field.addEventListener("input", () => stage.draw());
  }

  /** Values that the picture has to have room for. */
  values() {
    return this.points.map((_, number) => this.at(number)[1]).filter(Number.isFinite);
  }

  draw() {
    const { stage } = this;
    const to = (point) => stage.place(point).map((number) => number.toFixed(2)).join(" ");
    const ends = this.points.map((_, number) => this.at(number));
    const pieces = ends.map((point, number) => {
      if (!number) return `M${to(point)}`;
      if (this.isBezier && this.points[number].mark.handles.length) {
        const [, out] = this.points[number - 1].mark.handles;
        const [into] = this.points[number].mark.handles;
        return `C${to(this.handle(number - 1, out))} ${to(this.handle(number, into))} ${to(point)}`;
      }
      if (this.shape?.value === "smooth") return `C${smooth(ends, number - 1).map(to).join(" ")} ${to(point)}`;
      return `L${to(point)}`;
    });
    this.path.setAttribute("d", pieces.join(" "));
    for (const [number, { mark }] of this.points.entries()) {
      const [x, y] = stage.place(this.at(number));
      mark.dot.setAttribute("r", 7 * stage.larger);
      mark.dot.setAttribute("cx", x);
      mark.dot.setAttribute("cy", y);
      mark.dot.setAttribute("aria-label", `Point ${number}: ${this.at(number).map(short).join(", ")}`);
      for (const [which, handle] of mark.handles.entries()) {
        const isUsed = this.isBezier && (which ? number < this.points.length - 1 : number > 0);
        const [hx, hy] = stage.place(this.handle(number, handle));
        for (const element of [handle.line, handle.dot]) element.toggleAttribute("hidden", !isUsed);
        const half = 5 * stage.larger;
        for (const [key, value] of Object.entries({ x: hx - half, y: hy - half, width: 2 * half, height: 2 * half })) {
          handle.dot.setAttribute(key, value);
        }
        for (const [key, value] of Object.entries({ x1: x, y1: y, x2: hx, y2: hy })) handle.line.setAttribute(key, value);
      }
    }
  }
}

class Stage {
  constructor(root) {
    this.root = root;
    this.form = root.closest("form");
    this.picture = root.querySelector("svg");
    this.isDragging = false;
    this.channels = [...root.querySelectorAll("[data-channel]")].map((group) => new Channel(this, group));
    for (const channel of this.channels) {
      channel.path.addEventListener("dblclick", (event) => this.add(channel, event));
    }
    for (const button of root.querySelectorAll("[data-shows]")) {
      button.addEventListener("click", () => this.choose(button.dataset.shows));
    }
    this.form.addEventListener("focusin", ({ target }) => {
      const row = target.dataset.of;
      const channel = row && this.channels.find((each) => row.startsWith(`${each.pointer}/`));
      if (channel) this.choose(channel.pointer);
    });
    if (this.channels.length) this.choose(this.channels[0].pointer);
    new ResizeObserver(() => this.draw()).observe(this.picture);
    this.draw();
  }

  /** The channel whose points are shown and moved; the others are lines behind it. */
  choose(pointer) {
    for (const channel of this.channels) {
      const isChosen = channel.pointer === pointer;
      channel.group.classList.toggle("chosen", isChosen);
      if (isChosen && channel.group.nextElementSibling) this.picture.append(channel.group);
    }
    for (const button of this.root.querySelectorAll("[data-shows]")) {
      button.setAttribute("aria-pressed", String(button.dataset.shows === pointer));
    }
  }

  /** Points are as large as fingers and pointers need, also where the picture is small. */
  get larger() {
    return 1 / Math.min(1, this.picture.getScreenCTM()?.a || 1);
  }

  /** Make room for all values, but not while one is dragged. */
  draw() {
    if (!this.isDragging) {
      const values = this.channels.flatMap((channel) => channel.values());
      const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
      const room = (high - low) * 0.1 || 0.5;
      [this.low, this.high] = [low - room, high + room];
    }
    for (const channel of this.channels) channel.draw();
  }

  place([x, value]) {
    return [x * WIDTH, ((this.high - value) / (this.high - this.low)) * HEIGHT];
  }

  /** The x and the value under the pointer. */
  under(event) {
    const matrix = this.picture.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [x / WIDTH, this.high - (y / HEIGHT) * (this.high - this.low)];
  }

  drags(mark, now, change) {
    let off = null;
    const moved = (to) => {
      change(to);
      this.draw();
      this.form.dispatchEvent(new Event("input"));
    };
    mark.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      mark.focus();
      mark.setPointerCapture(event.pointerId);
      const [x, value] = this.under(event);
      const [atX, at] = now();
      off = [atX - x, at - value];
      this.isDragging = true;
    });
    mark.addEventListener("pointermove", (event) => {
      if (!off) return;
      const [x, value] = this.under(event);
      moved([x + off[0], value + off[1]]);
    });
    const end = () => {
      off = null;
      this.isDragging = false;
      this.draw();
    };
    mark.addEventListener("pointerup", end);
    mark.addEventListener("pointercancel", end);
    mark.addEventListener("keydown", (event) => {
      const far = event.shiftKey ? 0.1 : 0.01;
      const by = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] }[event.key];
      if (!by) return;
      event.preventDefault();
      const [x, value] = now();
      moved([x + by[0], value + by[1] * (this.high - this.low)]);
    });
  }

  add(channel, event) {
    const [x, value] = this.under(event);
    this.form.elements[`n:${channel.pointer}`].value = `${short(Math.min(Math.max(x, 0), 1))} ${short(value)}`;
    this.press(`add:${channel.pointer}`);
  }

  press(does) {
    [...this.form.querySelectorAll("button[name=do]")].find((button) => button.value === does && !button.disabled)?.click();
  }
}

export default function (root) {
  root.hidden = false;
  new Stage(root);
}
