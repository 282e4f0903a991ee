// A room on a canvas: what stands in it is chosen, changed, added and removed; one step saves all.
import { Drafts } from "./drafts.js";
import { Camera } from "./roomcamera.js";
import { ALIGN, Item, copied, copy, isSame, operations, textsOf } from "./roomitems.js";
import { Panel } from "./roompanel.js";
import { Sprites } from "./roomlooks.js";
import { answered, stays, undo } from "./steps.js";

/** Acts that can be undone. */
const MOST = 200;

export default async function (root) {
  const answer = await fetch(root.dataset.address);
  if (answer.ok) new Editor(root, await answer.json());
}

class Editor {
  constructor(root, page) {
    this.root = root;
    this.canvas = this.find("canvas.stage");
    this.map = this.find("canvas.minimap");
    this.form = this.find(".roomedit-save");
    this.sprites = new Sprites(() => this.draw());
    this.hidden = new Map();
    this.locked = new Set();
    this.adding = null;
    this.chosen = new Set();
    this.load(page);
    this.camera = new Camera(this.canvas, page, () => this.draw(), this.find(".zoom"));
    this.back = this.camera.back(page);
    this.panel = new Panel(this);
    this.listen();
    this.camera.fit();
    if (page.sent) this.again(page.sent);
    this.changed();
    this.keep();
  }

  find(name) { return this.root.querySelector(name); }

  // -- what there is -------------------------------------------------------------------------

  /** Show a room as its file is; what was chosen stays so. */
  load(page) {
    const chosen = [...this.chosen].map(({ list, x, y, name }) => `${list} ${x} ${y} ${name}`);
    this.page = page;
    this.groups = page.groups.map((group, number) => ({
      ...group, number, title: titleOf(group), usual: Object.fromEntries(group.fields.map((field) => [field.key, field.usual ?? ""])),
    }));
    this.items = this.groups.flatMap((group) => group.items.map(({ at, x, y, look, name, fields, code }) => (
      new Item({ x, y, look, name, fields, group, gone: false }, { at, code, isOld: true })
    )));
    const number = ({ at }) => Number(at.slice(at.lastIndexOf("/") + 1));
    this.items.sort((one, other) => (one.list < other.list ? -1 : one.list > other.list ? 1 : number(one) - number(other)));
    this.chosen = new Set();
    for (const item of [...this.items].reverse()) { // one for each, the newest
      const at = chosen.indexOf(`${item.list} ${item.x} ${item.y} ${item.name}`);
      if (at >= 0) this.chosen.add(item);
      if (at >= 0) chosen.splice(at, 1);
    }
    this.done = [];
    this.undone = [];
  }

  get snap() { return Math.max(1, Number(this.find(".snap").value) || 1); }

  isVisible(group) { return !(this.hidden.get(group.title) ?? group.word === "view"); }

  isLocked(group) { return this.locked.has(group.title); }

  /** What is drawn, from the back to the front: layers of the picture, and elements. */
  slices() {
    const groups = this.groups.map(() => []);
    for (const item of this.items) if (!item.gone && this.isVisible(item.group)) groups[item.group.number].push(item);
    return this.page.stack.map((slice) => ({ layers: slice.layers, items: slice.groups.flatMap((number) => groups[number]) }));
  }

  shown() { return this.slices().flatMap(({ items }) => items); }

  free() { return this.shown().filter((item) => !this.isLocked(item.group)); }

  box(item) { return item.box(this.page.looks[item.look], this.page.line); }

  hit(at) {
    const least = 4 / this.camera.zoom;
    return this.free().reverse().find((item) => {
      const [x, y] = item.unturned(at);
      const [left, top, width, height] = this.box(item);
      const isOn = x >= left - least && y >= top - least && x <= left + width + least && y <= top + height + least;
      // what is in a view is chosen through it
      if (item.group.word !== "view" || !isOn) return isOn;
      return Math.min(x - left, left + width - x, y - top, top + height - y) < 2 * least;
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
    const [x1, y1, x2, y2] = camera.visible();
    for (const { layers, items } of slices) {
      if (layers) this.back.layers(paint, layers);
      if (page.line && items.length) this.line(paint);
      for (const item of items) {
        const [left, top, width, height] = this.box(item);
        const isApart = left > x2 || top > y2 || left + width < x1 || top + height < y1;
        if (!isApart || item.rotation) this.sprites.draw(paint, item, page.looks[item.look], this.box(item), camera.zoom, page.line);
      }
    }
    if (this.find(".grid").checked) camera.grid(paint, this.snap);
    if (this.adding && this.at) this.ghost(paint);
    paint.lineWidth = 2 / camera.zoom;
    for (const item of this.chosen) this.outline(paint, item);
    if (this.band) {
      paint.strokeStyle = "#0a625e";
      paint.strokeRect(this.band[0], this.band[1], this.band[2] - this.band[0], this.band[3] - this.band[1]);
    }
    camera.minimap(this.map, slices.flatMap(({ items }) => items).filter((item) => item.group.word !== "view"));
  }

  outline(paint, item) {
    paint.save();
    this.sprites.turn(paint, item);
    paint.strokeStyle = "#ffffff";
    paint.strokeRect(...this.box(item));
    paint.strokeStyle = "#0a625e";
    paint.setLineDash([6 / this.camera.zoom, 4 / this.camera.zoom]);
    paint.strokeRect(...this.box(item));
    paint.restore();
  }

  /** What a click would add, where it would be. */
  ghost(paint) {
    const item = this.made(this.snapped(this.at));
    if (!item) return;
    paint.globalAlpha = 0.6;
    this.sprites.draw(paint, item, this.page.looks[item.look], this.box(item), this.camera.zoom, this.page.line);
    paint.globalAlpha = 1;
  }

  line(paint) {
    const points = this.shown().filter((item) => item.group.word === "point");
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

  snapshot() {
    return { items: this.items, states: this.items.map((item) => item.state), chosen: [...this.chosen] };
  }

  restore({ items, states, chosen }) {
    this.items = items;
    items.forEach((item, number) => { item.state = states[number]; });
    this.chosen = new Set(chosen.filter((item) => !item.gone));
    this.changed();
  }

  /** Do something that can be undone. */
  act(does) {
    const before = this.snapshot();
    does();
    if (this.items === before.items && this.items.every((item, number) => item.state === before.states[number])) return;
    this.done = [...this.done.slice(1 - MOST), before];
    this.undone = [];
    this.changed();
  }

  undo() {
    if (!this.done.length) {
      undo();
      return;
    }
    this.undone.push(this.snapshot());
    this.restore(this.done.pop());
  }

  redo() {
    if (!this.undone.length) return;
    this.done.push(this.snapshot());
    this.restore(this.undone.pop());
  }

  put(item, change) { item.state = { ...item.state, ...change }; }

  move(items, dx, dy) {
    if (dx || dy) this.act(() => items.forEach((item) => this.put(item, { x: item.x + dx, y: item.y + dy })));
  }

  remove() {
    const items = [...this.chosen].filter((item) => !item.group.fixed);
    this.act(() => items.forEach((item) => { this.put(item, { gone: true }); this.chosen.delete(item); }));
  }

  insert(made) {
    if (made.length) this.act(() => { this.items = [...this.items, ...made]; this.chosen = new Set(made); });
  }

  duplicate() {
    const by = this.snap;
    this.insert([...this.chosen].filter((item) => !item.group.fixed).map((item) => this.another(item, { x: item.x + by, y: item.y + by })));
  }

  /** A copy of an element; one that is in the file is copied there. */
  another(item, change) {
    return new Item({ ...item.state, ...change, gone: false }, { from: item.old ? item : item.from });
  }

  /** Put the text of a field into elements. */
  fill(items, key, text) {
    this.act(() => items.forEach((item) => {
      const { names } = item.group;
      const look = `${key}:${text}`;
      const named = key === names ? { name: text, look: this.page.looks[look] ? look : "" } : {};
      if (!isSame(item.text(key), text)) this.put(item, { fields: { ...item.state.fields, [key]: text }, ...named });
    }));
  }

  /** Put elements into another layer. */
  raise(items, group) {
    this.act(() => items.forEach((item) => {
      if (item.group.path === group.path && item.group.to === group.to) this.put(item, { group });
      else if (item.group.word === group.word) {
        const made = this.another(item, { group });
        this.put(item, { gone: true });
        this.items = [...this.items, made];
        this.chosen.delete(item);
        this.chosen.add(made);
      }
    }));
  }

  /** Draw elements before all others of their layer, or behind them. */
  order(items, isFront) {
    this.act(() => {
      const own = new Set(items.filter((item) => !item.group.fixed));
      const rest = this.items.filter((item) => !own.has(item));
      const moved = this.items.filter((item) => own.has(item));
      const now = isFront ? [...rest, ...moved] : [...moved, ...rest];
      if (now.some((item, number) => item !== this.items[number])) this.items = now;
    });
  }

  align(how) {
    const items = [...this.chosen];
    const by = ALIGN[how](items.map((item) => this.box(item)));
    this.act(() => items.forEach((item, number) => {
      const [dx, dy] = by[number];
      if (dx || dy) this.put(item, { x: item.x + dx, y: item.y + dy });
    }));
  }

  // -- what is new ---------------------------------------------------------------------------

  /** A new element of what is chosen to be added, at a place; null where nothing is. */
  made([x, y]) {
    const group = this.groups[Number(this.find(".add-to").value)];
    if (!group || (group.kind && !this.adding?.name)) return null;
    if (!group.names) {
      const like = this.items.find((item) => item.group === group && item.old);
      return like ? this.another(like, { x, y }) : new Item({ x, y, look: "", name: "", fields: {}, group, gone: false });
    }
    const { name, look } = this.adding;
    const key = `${group.names}:${name}`;
    if (look) this.page.looks[key] ??= look;
    const known = this.page.looks[key] ? key : "";
    // formats without declared fields: a copy of one of the same name has those that it needs
    const like = !group.kind && this.items.find((item) => item.group === group && item.old && item.name === name);
    if (like) return this.another(like, { x, y });
    return new Item({ x, y, look: known, name, fields: name ? { [group.names]: name } : {}, group, gone: false });
  }

  add(at) {
    const item = this.made(this.snapped(at));
    if (item) this.insert([item]);
    else this.say("What is to be added?");
  }

  copy() {
    const items = [...this.chosen].filter((item) => !item.group.fixed);
    try {
      copy(items, this.page.looks);
      const coded = items.filter((item) => item.code).length;
      this.say(`${items.length} copied${coded ? `; the creation code of ${coded} is not` : ""}.`);
    } catch {
      this.say("Too much to be copied.");
    }
  }

  /** Add what was copied, here or in another room, where the pointer is. */
  paste() {
    const clip = copied();
    const groups = clip.map(({ word, layer }) => (
      this.groups.find((group) => group.word === word && group.layer === layer) ?? this.groups.find((group) => group.word === word)
    ));
    if (!clip.length || groups.some((group) => !group || group.fixed)) {
      this.say(clip.length ? `This room has no ${clip.find((each, n) => !groups[n])?.word ?? "such"}s.` : "Nothing was copied.");
      return;
    }
    const [left, top] = [Math.min(...clip.map(({ x }) => x)), Math.min(...clip.map(({ y }) => y))];
    const to = this.snapped(this.at ?? this.camera.middle());
    this.insert(clip.map(({ x, y, name, fields, look, key }, number) => {
      if (look) this.page.looks[key] ??= look;
      return new Item({ x: x - left + to[0], y: y - top + to[1], look: look ? key : "", name, fields, group: groups[number], gone: false });
    }));
  }

  snapped([x, y]) { return [Math.round(x / this.snap) * this.snap, Math.round(y / this.snap) * this.snap]; }

  // -- steps ---------------------------------------------------------------------------------

  /** Do again what was sent and not taken. */
  again(sent) {
    const known = new Map(this.items.filter((item) => item.old).map((item) => [item.group.path + item.at, item]));
    this.act(() => {
      const made = [];
      for (const each of JSON.parse(sent)) {
        const item = known.get(each.path + each.at);
        const groups = this.groups.filter(({ path, to }) => path === each.path && to === (each.to ?? item?.group.to));
        const group = groups.find(({ layer }) => layer === each.layer) ?? item?.group ?? groups[0];
        if (each.op === "set" && item) this.put(item, { ...this.named(item, each), x: each.x, y: each.y, group });
        else if (each.op === "remove" && item) this.put(item, { gone: true });
        else if (each.op === "add" && group) made.push(this.sentAsNew(item, each, group));
      }
      this.items = [...this.items, ...made];
      for (const { op, path, to, order } of JSON.parse(sent)) if (op === "order") this.arrange(path, to, order);
    });
  }

  named(item, { fields = {} }) {
    const all = { ...item.state.fields, ...fields };
    const name = all[item.group.names] ?? item.name;
    const look = `${item.group.names}:${name}`;
    return { fields: all, name, look: this.page.looks[look] ? look : name === item.name ? item.look : "" };
  }

  sentAsNew(item, each, group) {
    if (item) return this.another(item, { ...this.named(item, each), x: each.x, y: each.y, group });
    const made = new Item({ x: each.x, y: each.y, look: "", name: "", fields: textsOf(each.value ?? {}), group, gone: false });
    this.put(made, this.named(made, {}));
    return made;
  }

  arrange(path, to, order) {
    const own = this.items.filter(({ group }) => group.path === path && group.to === to);
    if (order.length !== own.length) return;
    const queue = order.map((number) => own[number]);
    this.items = this.items.map((item) => (own.includes(item) ? queue.shift() : item));
  }

  /** Keep a draft of what is changed; send it as a step, and stay. */
  keep() {
    this.drafts = new Drafts(`room ${location.pathname}`, this.root, {
      read: () => {
        const ops = operations(this.items);
        return ops.length ? { ops: JSON.stringify(ops), before: this.page.before } : null;
      },
      write: ({ ops, before }) => {
        this.page.before = before;
        this.again(ops);
        this.changed();
      },
      has: ({ ops }) => ops === JSON.stringify(operations(this.items)),
    });
    stays(this.root, this.form, () => operations(this.items).length > 0, (answer) => this.answered(answer));
  }

  /** Show the room after a step, or why there is none. */
  async answered({ problem }) {
    const isShown = await answered(this.root, problem, (page) => {
      this.load(page);
      this.back = this.camera.back(page, Date.now());
      this.camera.sized(page);
      this.panel.layers();
    });
    if (!isShown) return;
    this.changed();
    this.drafts.store();
  }

  changed() {
    this.drafts?.changed();
    const ops = operations(this.items);
    this.form.elements.ops.value = JSON.stringify(ops);
    this.form.elements.before.value = JSON.stringify(this.page.before);
    this.form.querySelector("button").disabled = !ops.length || Boolean(this.page.why);
    this.form.querySelector("[data-count]").textContent = ops.length ? `${ops.length} changed` : "nothing is changed";
    const many = this.chosen.size;
    const off = { undo: !this.done.length, redo: !this.undone.length, duplicate: !many, remove: !many, copy: !many };
    for (const button of this.root.querySelectorAll("[data-do]")) {
      if (button.dataset.do in off) button.disabled = off[button.dataset.do];
      else if (button.dataset.do.startsWith("align-")) button.disabled = many < 2;
    }
    this.panel.show();
    this.report();
    this.draw();
  }

  say(text) { this.find(".room-said").textContent = text; }

  report() {
    const [first] = this.chosen;
    if (!first) this.say("Nothing is chosen.");
    else if (this.chosen.size > 1) this.say(`${this.chosen.size} elements are chosen.`);
    else this.say(`${first.group.word} ${first.name || first.at.slice(first.at.lastIndexOf("/") + 1)} at ${first.x}, ${first.y}${first.group.layer ? ` in ${first.group.layer}` : ""}`);
  }

  // -- what people do ------------------------------------------------------------------------

  listen() {
    const does = {
      in: () => this.camera.scale(2), out: () => this.camera.scale(0.5), fit: () => this.camera.fit(),
      undo: () => this.undo(), redo: () => this.redo(), duplicate: () => this.duplicate(), remove: () => this.remove(),
      add: () => this.place(this.adding ? null : this.panel.wanted()), copy: () => this.copy(), paste: () => this.paste(),
      front: () => this.order([...this.chosen], true), behind: () => this.order([...this.chosen], false),
    };
    for (const how of Object.keys(ALIGN)) does[`align-${how}`] = () => this.align(how);
    this.root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button) does[button.dataset.do]();
    });
    this.find(".grid").addEventListener("change", () => this.draw());
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.over(this.camera.place([event.offsetX, event.offsetY]));
    });
    this.canvas.addEventListener("drop", (event) => this.dropped(event));
    this.camera.pointers({
      down: (at, event) => this.down(at, event), drag: (at) => this.drag(at), up: (at) => this.up(at),
      over: (at) => this.over(at),
    });
    this.canvas.addEventListener("pointerleave", () => { this.at = null; this.draw(); });
  }

  /** Add what is given by clicks (null: not any more). */
  place(choice) {
    this.adding = choice;
    this.find('[data-do="add"]').setAttribute("aria-pressed", String(Boolean(choice)));
    this.canvas.classList.toggle("adding", Boolean(choice));
    this.draw();
  }

  /** Something was dragged here: from the palette, or a link of the side list. */
  async dropped(event) {
    event.preventDefault();
    const at = this.camera.place([event.offsetX, event.offsetY]);
    const text = event.dataTransfer.getData("text/plain");
    const choice = await this.panel.dropped(text.split("/").at(-1));
    if (!choice) return;
    const before = this.adding;
    this.adding = choice;
    this.add(at);
    this.adding = before;
    this.canvas.focus();
  }

  over(at) {
    this.at = at;
    this.find(".room-at").textContent = `${Math.floor(at[0])}, ${Math.floor(at[1])}`;
    if (this.adding) this.draw();
  }

  down(at, event) {
    this.over(at);
    if (this.adding) { this.add(at); return; }
    const item = this.hit(at);
    if (!item) {
      if (!event.shiftKey) this.chosen.clear();
      this.band = [...at, ...at];
    } else {
      if (event.shiftKey && this.chosen.has(item)) this.chosen.delete(item);
      else if (event.shiftKey) this.chosen.add(item);
      else if (!this.chosen.has(item)) this.chosen = new Set([item]);
      this.from = { at, first: item, states: [...this.chosen].map((each) => [each, each.state]) };
    }
    this.changed();
  }

  drag(at) {
    this.over(at);
    if (this.band) {
      [this.band[2], this.band[3]] = at;
      this.draw();
      return;
    }
    if (!this.from) return;
    const { first, states } = this.from;
    const { x, y } = states.find(([item]) => item === first)?.[1] ?? first;
    const to = this.snapped([x + at[0] - this.from.at[0], y + at[1] - this.from.at[1]]);
    const isFar = Math.hypot(at[0] - this.from.at[0], at[1] - this.from.at[1]) * this.camera.zoom > 3;
    this.from.by = isFar ? [to[0] - x, to[1] - y] : [0, 0];
    for (const [item, state] of states) item.state = { ...state, x: state.x + this.from.by[0], y: state.y + this.from.by[1] };
    this.report();
    this.draw();
  }

  up() {
    if (this.band) {
      const [left, right] = [this.band[0], this.band[2]].sort((a, b) => a - b);
      const [top, bottom] = [this.band[1], this.band[3]].sort((a, b) => a - b);
      for (const item of this.free()) {
        const [x, y, width, height] = this.box(item);
        if (x >= left && y >= top && x + width <= right && y + height <= bottom) this.chosen.add(item);
      }
      this.band = null;
      this.changed();
    } else if (this.from) {
      const { states, by = [0, 0] } = this.from;
      this.from = null;
      for (const [item, state] of states) item.state = state;
      this.move(states.map(([item]) => item), ...by);
      this.changed();
    }
  }

  key(event) {
    const { key } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const step = event.shiftKey ? 1 : this.snap;
    const arrows = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    const all = this.free();
    const go = (by) => {
      const at = all.indexOf([...this.chosen][0]);
      this.chosen = new Set(all.length ? [all[(at + by + all.length) % all.length]] : []);
      this.changed();
    };
    const held = {
      z: () => (event.shiftKey ? this.redo() : this.undo()), y: () => this.redo(), d: () => this.duplicate(),
      c: () => this.copy(), v: () => this.paste(), x: () => { this.copy(); this.remove(); },
      a: () => { this.chosen = new Set(all.filter((item) => !item.group.fixed)); this.changed(); },
    };
    const alone = {
      Delete: () => this.remove(), Backspace: () => this.remove(), n: () => go(1), p: () => go(-1),
      Escape: () => { this.place(null); this.chosen.clear(); this.changed(); },
      "+": () => this.camera.scale(2), "=": () => this.camera.scale(2), "-": () => this.camera.scale(0.5), 0: () => this.camera.fit(),
    };
    if (isControl && held[key.toLowerCase()]) held[key.toLowerCase()]();
    else if (isControl || event.altKey) return;
    else if (alone[key]) alone[key]();
    else if (key === "Enter" && this.adding) this.add(this.at ?? this.camera.middle());
    else if (arrows[key] && this.chosen.size) this.move([...this.chosen], ...arrows[key]);
    else if (arrows[key]) this.camera.pan(...arrows[key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function titleOf({ layer, word }) { return layer ? `${layer} (${word}s)` : `${word}s`; }
