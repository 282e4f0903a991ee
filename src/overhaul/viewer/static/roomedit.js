// A room on a canvas: choose, move, add, duplicate and remove what stands in it; one step saves all.
import { Drafts } from "./drafts.js";
import { Camera } from "./roomcamera.js";

const BOX = 16;

export default async function (root) {
  const find = (name) => root.querySelector(name);
  const answer = await fetch(root.dataset.address);
  if (!answer.ok) return;
  new Editor(root, find, await answer.json());
}

class Editor {
  constructor(root, find, page) {
    Object.assign(this, { root, find, page });
    this.canvas = find("canvas.stage");
    this.map = find("canvas.minimap");
    this.form = find(".roomedit-save");
    this.groups = page.groups.map((group, number) => ({ ...group, number, visible: true, locked: false }));
    this.items = this.groups.flatMap((group) => group.items.map((item) => ({ ...item, group, old: [item.x, item.y] })));
    this.gone = new Set();
    this.chosen = new Set();
    this.done = [];
    this.undone = [];
    this.images = new Map();
    this.adding = false;
    this.camera = new Camera(this.canvas, page, () => this.draw(), find(".zoom"));
    this.back = this.camera.back(page);
    this.list();
    this.listen();
    this.camera.fit();
    if (page.sent) this.again(page.sent);
    this.changed();
    this.keep();
  }

  // -- what there is -------------------------------------------------------------------------

  get snap() { return Math.max(1, Number(this.find(".snap").value) || 1); }

  /** What is drawn, from the back to the front: layers of the picture, and elements. */
  slices() {
    const groups = this.groups.map(() => []);
    for (const item of this.items) {
      if (!this.gone.has(item) && item.group.visible) groups[item.group.number].push(item);
    }
    return this.page.stack.map((slice) => ({ layers: slice.layers, items: slice.groups.flatMap((number) => groups[number]) }));
  }

  shown() { return this.slices().flatMap(({ items }) => items); }

  picture(look) {
    if (!look) return null;
    if (!this.images.has(look.href)) {
      const image = new Image();
      image.onload = () => this.draw();
      image.src = look.href;
      this.images.set(look.href, image);
    }
    return this.images.get(look.href);
  }

  /** The rectangle of an element, before it is turned. */
  box(item) {
    const look = this.page.looks[item.look];
    if (item.part) return [item.x, item.y, item.part[2], item.part[3]];
    if (!look || this.page.line) return [item.x - BOX / 4, item.y - BOX / 4, BOX / 2, BOX / 2];
    const [x1, x2] = [-look.left * item.scale_x, (look.width - look.left) * item.scale_x];
    const [y1, y2] = [-look.top * item.scale_y, (look.height - look.top) * item.scale_y];
    return [item.x + Math.min(x1, x2), item.y + Math.min(y1, y2), Math.abs(x2 - x1) || 1, Math.abs(y2 - y1) || 1];
  }

  hit([x, y]) {
    return this.shown().reverse().find((item) => {
      if (item.group.locked) return false;
      const [left, top, width, height] = this.box(item);
      const least = 4 / this.camera.zoom;
      return x >= left - least && y >= top - least && x <= left + width + least && y <= top + height + least;
    });
  }

  // -- drawing -------------------------------------------------------------------------------

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  paint() {
    const { camera, page } = this;
    const paint = camera.begin();
    this.back.ground(paint);
    const slices = this.slices();
    for (const { layers, items } of slices) {
      if (layers) this.back.layers(paint, layers);
      if (page.line && items.length) this.line(paint);
      this.elements(paint, items);
    }
    if (this.find(".grid").checked) camera.grid(paint, this.snap);
    paint.lineWidth = 2 / camera.zoom;
    for (const item of this.chosen) {
      paint.strokeStyle = "#ffffff";
      paint.strokeRect(...this.box(item));
      paint.strokeStyle = "#0a625e";
      paint.setLineDash([6 / camera.zoom, 4 / camera.zoom]);
      paint.strokeRect(...this.box(item));
      paint.setLineDash([]);
    }
    if (this.band) {
      paint.strokeStyle = "#0a625e";
      paint.strokeRect(this.band[0], this.band[1], this.band[2] - this.band[0], this.band[3] - this.band[1]);
    }
    camera.minimap(this.map, slices.flatMap(({ items }) => items));
  }

  elements(paint, items) {
    const [x1, y1, x2, y2] = this.camera.visible();
    for (const item of items) {
      const [left, top, width, height] = this.box(item);
      const apart = left > x2 || top > y2 || left + width < x1 || top + height < y1;
      if (!apart || item.rotation) this.element(paint, item, [left, top, width, height]);
    }
  }

  element(paint, item, [left, top, width, height]) {
    const image = this.picture(this.page.looks[item.look]);
    paint.save();
    if (item.rotation) {
      paint.translate(item.x, item.y);
      paint.rotate((-item.rotation * Math.PI) / 180);
      paint.translate(-item.x, -item.y);
    }
    if (!image?.complete || !image.naturalWidth) {
      paint.fillStyle = this.page.line ? "#c2410c" : "#0a625e66";
      paint.fillRect(left, top, width, height);
    } else if (item.part) {
      paint.drawImage(image, ...item.part, left, top, width, height);
    } else {
      const flips = [Math.sign(item.scale_x) || 1, Math.sign(item.scale_y) || 1];
      paint.translate(flips[0] < 0 ? 2 * left + width : 0, flips[1] < 0 ? 2 * top + height : 0);
      paint.scale(...flips);
      paint.drawImage(image, left, top, width, height);
    }
    paint.restore();
  }

  line(paint) {
    const points = this.shown();
    if (!points.length) return;
    paint.beginPath();
    if (this.page.smooth && points.length > 2) this.bends(paint, points);
    else points.forEach((point, n) => (n ? paint.lineTo(point.x, point.y) : paint.moveTo(point.x, point.y)));
    if (this.page.closed) paint.closePath();
    paint.strokeStyle = "#c2410c";
    paint.lineWidth = 2 / this.camera.zoom;
    paint.stroke();
  }

  /** A smooth path goes by the middles of its lines, bent towards its points. */
  bends(paint, points) {
    const { closed } = this.page;
    const middle = (one, other) => [(one.x + other.x) / 2, (one.y + other.y) / 2];
    const last = points[points.length - 1];
    if (closed) paint.moveTo(...middle(last, points[0]));
    else paint.moveTo(points[0].x, points[0].y);
    for (let n = closed ? 0 : 1; n < points.length - (closed ? 0 : 1); n++) {
      paint.quadraticCurveTo(points[n].x, points[n].y, ...middle(points[n], points[(n + 1) % points.length]));
    }
    if (!closed) paint.lineTo(last.x, last.y);
  }

  // -- changes -------------------------------------------------------------------------------

  /** Do something that can be undone: functions that do it, and take it back. */
  act(forth, back) {
    forth();
    this.done.push({ forth, back });
    this.undone = [];
    this.changed();
  }

  undo() {
    const last = this.done.pop();
    if (!last) return;
    last.back();
    this.undone.push(last);
    this.changed();
  }

  redo() {
    const last = this.undone.pop();
    if (!last) return;
    last.forth();
    this.done.push(last);
    this.changed();
  }

  move(items, dx, dy) {
    if (!items.length || (!dx && !dy)) return;
    const shift = (by) => items.forEach((item) => { item.x += by * dx; item.y += by * dy; });
    this.act(() => shift(1), () => shift(-1));
  }

  remove() {
    const items = [...this.chosen];
    if (!items.length) return;
    this.act(
      () => { items.forEach((item) => this.gone.add(item)); this.chosen.clear(); },
      () => { items.forEach((item) => this.gone.delete(item)); this.chosen = new Set(items); },
    );
  }

  insert(made) {
    const before = [...this.chosen];
    this.act(
      () => { this.items.push(...made); this.chosen = new Set(made); },
      () => { this.items = this.items.filter((item) => !made.includes(item)); this.chosen = new Set(before); },
    );
  }

  duplicate() {
    const by = this.snap;
    this.insert([...this.chosen].map((item) => ({
      ...item, x: item.x + by, y: item.y + by, old: null, from: item.old ? item.at : item.from, fields: item.fields,
    })));
  }

  /** Place a new element of the chosen name: a copy of one that there is, else one with a name only. */
  add([x, y]) {
    const group = this.groups[Number(this.find(".add-to").value)];
    if (!group) return;
    const name = this.find(".add-name").value.trim();
    const like = this.items.find((item) => item.group === group && item.old && (!name || item.name === name));
    const at = this.snapped([x, y]);
    const chosen = { ...(like ?? { name, look: "", scale_x: 1, scale_y: 1, rotation: 0, part: null, group }) };
    if (!like && !name && group.names) {
      this.say("What is to be added?");
      return;
    }
    const key = `${group.names}:${name}`;
    this.insert([{
      ...chosen, group, name: chosen.name || name, look: like ? like.look : (this.page.looks[key] ? key : ""), x: at[0], y: at[1], old: null,
      from: like?.at ?? "", fields: like ? {} : { [group.names]: name, ...(group.layer && group.to === "/instances" ? { layer: group.layer } : {}) },
    }]);
  }

  snapped([x, y]) { return [Math.round(x / this.snap) * this.snap, Math.round(y / this.snap) * this.snap]; }

  operations() {
    const ops = [];
    for (const item of this.items) {
      const { path, to } = item.group;
      if (item.old) {
        if (this.gone.has(item)) ops.push({ op: "remove", path, at: item.at });
        else if (item.x !== item.old[0] || item.y !== item.old[1]) ops.push({ op: "set", path, at: item.at, x: item.x, y: item.y });
      } else if (!this.gone.has(item)) {
        ops.push({ op: "add", path, to, at: item.from, x: item.x, y: item.y, fields: item.fields ?? {} });
      }
    }
    return ops;
  }

  /** Do again what was sent and not taken. */
  again(sent) {
    const known = new Map(this.items.map((item) => [item.group.path + item.at, item]));
    for (const each of JSON.parse(sent)) {
      const item = known.get(each.path + each.at);
      const group = this.groups.find(({ path, to }) => path === each.path && to === each.to);
      if (each.op === "set" && item) this.move([item], each.x - item.x, each.y - item.y);
      else if (each.op === "remove" && item) { this.chosen = new Set([item]); this.remove(); }
      else if (each.op === "add" && group) {
        this.insert([{ scale_x: 1, scale_y: 1, rotation: 0, look: "", part: null, ...item, group, x: each.x, y: each.y, old: null, from: each.at, fields: each.fields, name: item?.name ?? "" }]);
      }
    }
  }

  /** Keep a draft of what is changed. */
  keep() {
    this.drafts = new Drafts(`room ${location.pathname}`, this.root, {
      read: () => {
        const ops = this.operations();
        return ops.length ? { ops: JSON.stringify(ops), before: this.page.before } : null;
      },
      write: ({ ops, before }) => {
        this.page.before = before;
        this.again(ops);
        this.changed();
      },
      has: ({ ops }) => ops === JSON.stringify(this.operations()),
    });
    this.form.addEventListener("submit", (event) => {
      if (!this.drafts.sending()) event.preventDefault();
    });
  }

  changed() {
    this.drafts?.changed();
    const ops = this.operations();
    this.form.elements.ops.value = JSON.stringify(ops);
    this.form.elements.before.value = JSON.stringify(this.page.before);
    this.form.querySelector("button").disabled = !ops.length || Boolean(this.page.why);
    this.form.querySelector("[data-count]").textContent = ops.length ? `${ops.length} changed` : "nothing is changed";
    for (const [name, off] of [["undo", !this.done.length], ["redo", !this.undone.length], ["duplicate", !this.chosen.size], ["remove", !this.chosen.size]]) {
      this.find(`[data-do="${name}"]`).disabled = off;
    }
    const [first] = this.chosen;
    for (const [axis, input] of [["x", this.find(".place-x")], ["y", this.find(".place-y")]]) {
      input.disabled = !first;
      input.value = first ? first[axis] : "";
    }
    this.report();
    this.draw();
  }

  say(text) { this.find(".room-said").textContent = text; }

  report() {
    const [first] = this.chosen;
    if (!first) this.say("Nothing is chosen.");
    else if (this.chosen.size > 1) this.say(`${this.chosen.size} elements are chosen.`);
    else this.say(`${first.group.word} ${first.name} at ${first.x}, ${first.y}${first.group.layer ? ` in ${first.group.layer}` : ""}`);
  }

  // -- what people do ------------------------------------------------------------------------

  list() {
    const layers = this.find(".layers");
    const to = this.find(".add-to");
    for (const group of this.groups) {
      const line = document.createElement("li");
      const title = `${group.layer || group.word}${group.layer ? ` (${group.word}s)` : "s"}`;
      for (const [key, word] of [["visible", `Show ${title}`], ["locked", `Lock ${title}`]]) {
        const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: group[key] });
        box.addEventListener("change", () => { group[key] = box.checked; this.chosen.clear(); this.changed(); });
        const label = document.createElement("label");
        label.append(box, key === "visible" ? ` ${title} ` : " locked ");
        box.setAttribute("aria-label", word);
        line.append(label);
      }
      layers.append(line);
      to.append(new Option(title, group.number));
    }
    const names = () => {
      const group = this.groups[Number(to.value)];
      const all = this.page.choices[group?.word] ?? [...new Set(group?.items.map((item) => item.name))];
      document.getElementById("add-names").replaceChildren(...all.slice(0, 2000).map((name) => new Option(name, name)));
      this.find(".add-what").hidden = !group?.names;
    };
    to.addEventListener("change", names);
    names();
  }

  listen() {
    const does = {
      in: () => this.camera.scale(2), out: () => this.camera.scale(0.5), fit: () => this.camera.fit(),
      undo: () => this.undo(), redo: () => this.redo(), duplicate: () => this.duplicate(), remove: () => this.remove(),
      add: () => this.place(!this.adding),
    };
    this.root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button) does[button.dataset.do]();
    });
    this.find(".grid").addEventListener("change", () => this.draw());
    for (const [axis, name] of [["x", ".place-x"], ["y", ".place-y"]]) {
      this.find(name).addEventListener("change", ({ target }) => {
        const [first] = this.chosen;
        const by = Number(target.value) - first?.[axis];
        if (first && Number.isFinite(by)) this.move([...this.chosen], axis === "x" ? by : 0, axis === "y" ? by : 0);
      });
    }
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.camera.pointers({
      down: (at, event) => this.down(at, event), drag: (at) => this.drag(at), up: (at) => this.up(at),
      over: (at) => this.over(at),
    });
  }

  place(on) {
    this.adding = on;
    this.find('[data-do="add"]').setAttribute("aria-pressed", String(on));
    this.canvas.classList.toggle("adding", on);
  }

  over([x, y]) { this.root.dataset.at = `${Math.round(x)}, ${Math.round(y)}`; if (!this.chosen.size) this.say(`${Math.round(x)}, ${Math.round(y)}`); }

  down(at, event) {
    if (this.adding) { this.add(at); return; }
    const item = this.hit(at);
    if (!item) {
      if (!event.shiftKey) this.chosen.clear();
      this.band = [...at, ...at];
    } else {
      if (event.shiftKey && this.chosen.has(item)) this.chosen.delete(item);
      else if (event.shiftKey) this.chosen.add(item);
      else if (!this.chosen.has(item)) this.chosen = new Set([item]);
      this.from = { at, first: item, places: [...this.chosen].map((each) => [each, each.x, each.y]) };
    }
    this.changed();
  }

  drag(at) {
    if (this.band) {
      [this.band[2], this.band[3]] = at;
      this.draw();
      return;
    }
    if (!this.from) return;
    const { first, places } = this.from;
    const [, x, y] = places.find(([item]) => item === first) ?? [first, first.x, first.y];
    const to = this.snapped([x + at[0] - this.from.at[0], y + at[1] - this.from.at[1]]);
    const far = Math.hypot(at[0] - this.from.at[0], at[1] - this.from.at[1]) * this.camera.zoom > 3;
    this.from.by = far ? [to[0] - x, to[1] - y] : [0, 0];
    for (const [item, left, top] of places) [item.x, item.y] = [left + this.from.by[0], top + this.from.by[1]];
    this.report();
    this.draw();
  }

  up() {
    if (this.band) {
      const [left, right] = [this.band[0], this.band[2]].sort((a, b) => a - b);
      const [top, bottom] = [this.band[1], this.band[3]].sort((a, b) => a - b);
      for (const item of this.shown()) {
        const [x, y, width, height] = this.box(item);
        if (!item.group.locked && x >= left && y >= top && x + width <= right && y + height <= bottom) this.chosen.add(item);
      }
      this.band = null;
      this.changed();
    } else if (this.from) {
      const { places, by = [0, 0] } = this.from;
      this.from = null;
      for (const [item, x, y] of places) [item.x, item.y] = [x, y];
      this.move(places.map(([item]) => item), ...by);
      this.changed();
    }
  }

  key(event) {
    const { key } = event;
    const control = event.ctrlKey || event.metaKey;
    const step = event.shiftKey ? 1 : this.snap;
    const arrows = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const all = this.shown().filter((item) => !item.group.locked);
    const go = (by) => {
      const at = all.indexOf([...this.chosen][0]);
      this.chosen = new Set(all.length ? [all[(at + by + all.length) % all.length]] : []);
      this.changed();
    };
    if (control && key === "z") event.shiftKey ? this.redo() : this.undo();
    else if (control && key === "y") this.redo();
    else if (control && key === "d") this.duplicate();
    else if (control && key === "a") { this.chosen = new Set(all); this.changed(); }
    else if (control || event.altKey) return;
    else if (key === "Delete" || key === "Backspace") this.remove();
    else if (key === "Escape") { this.place(false); this.chosen.clear(); this.changed(); }
    else if (key === "n") go(1);
    else if (key === "p") go(-1);
    else if (key === "+" || key === "=") this.camera.scale(2);
    else if (key === "-") this.camera.scale(0.5);
    else if (key === "0") this.camera.fit();
    else if (arrows[key] && this.chosen.size) this.move([...this.chosen], ...arrows[key]);
    else if (arrows[key]) this.camera.pan(...arrows[key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
