// What stands in a room: elements, their states, and what a step does to come to them.
const BOX = 16;
const NOT_COPIED = ["id", "ID"];

/** An element: `state` is what it is now, `old` what it is in the file (null: it is new). */
export class Item {
  constructor(state, { at = "", code = "", isOld = false, from = "" } = {}) {
    Object.assign(this, { state, at, code, from, old: isOld ? state : null });
  }

  get x() { return this.state.x; }
  get y() { return this.state.y; }
  get group() { return this.state.group; }
  get name() { return this.state.name; }
  get look() { return this.state.look; }
  get gone() { return this.state.gone; }

  /** The text of a field: its own, else what it usually is. */
  text(key) { return this.state.fields[key] ?? this.group.usual[key] ?? ""; }

  number(key, otherwise) {
    const text = this.text(key);
    return text !== "" && Number.isFinite(Number(text)) ? Number(text) : otherwise;
  }

  get scale() { return [this.number("scale_x", 1), this.number("scale_y", 1)]; }
  get rotation() { return this.number("rotation", 0); }
  get colour() { return this.number("colour", 0xffffffff); }

  /** The rectangle of its picture that a tile shows, or the size of a view. */
  get part() {
    const { word } = this.group;
    if (word === "view") return [0, 0, this.number("view_width", 640), this.number("view_height", 480)];
    if (word !== "tile") return null;
    const [left, top] = [this.number("source_x", this.number("tile_x", 0)), this.number("source_y", this.number("tile_y", 0))];
    return [left, top, this.number("width", BOX), this.number("height", BOX)];
  }

  /** The rectangle that it covers, before it is turned; `isPoint`: it is one of a path. */
  box(look, isPoint) {
    const [across, down] = this.scale;
    if (this.part) return [this.x, this.y, Math.abs(this.part[2] * across) || 1, Math.abs(this.part[3] * down) || 1];
    if (!look || isPoint) return [this.x - BOX / 4, this.y - BOX / 4, BOX / 2, BOX / 2];
    const [x1, x2] = [-look.left * across, (look.width - look.left) * across];
    const [y1, y2] = [-look.top * down, (look.height - look.top) * down];
    return [this.x + Math.min(x1, x2), this.y + Math.min(y1, y2), Math.abs(x2 - x1) || 1, Math.abs(y2 - y1) || 1];
  }

  /** A place as it is before the element is turned. */
  unturned([x, y]) {
    const turn = (this.rotation * Math.PI) / 180;
    const [across, down] = [x - this.x, y - this.y];
    return [
      this.x + across * Math.cos(turn) - down * Math.sin(turn),
      this.y + across * Math.sin(turn) + down * Math.cos(turn),
    ];
  }

  get list() { return `${this.group.path} ${this.group.to}`; }
}

/** A value as JSON has it, of the text of a field. */
function valueOf(text, type) {
  if (type === "flag") return text === "yes";
  if (type === "integer" || type === "number" || type === "abgr") return Number(text);
  if (type === "json") return text === "" ? null : JSON.parse(text);
  return type === "name" && text === "" ? null : text;
}

/** The fields of an element that is new, as its file has them. */
function valuesOf({ group, fields }) {
  const types = new Map(group.fields.map(({ key, type }) => [key, type]));
  const own = Object.entries(fields).filter(([key]) => !NOT_COPIED.includes(key));
  const usual = (text) => (/^-?\d+$/.test(text) ? "integer" : "text");
  return Object.fromEntries(own.map(([key, text]) => [key, valueOf(text, types.get(key) ?? usual(text))]));
}

/** The texts of the fields of an element that was sent as new. */
export function textsOf(value) {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [
    key, each === true ? "yes" : each === false || each === null ? "" : typeof each === "string" ? each : JSON.stringify(each),
  ]));
}

/** Whether two texts are the same value: 1 and 1.0 are. */
export function isSame(one, other) {
  return one === other || (one.trim() !== "" && other.trim() !== "" && Number(one) === Number(other));
}

/** The fields that differ from those of a state. */
function otherFields(fields, { fields: before, group }) {
  return Object.fromEntries(Object.entries(fields).filter(([key, text]) => !isSame(before[key] ?? group.usual[key] ?? "", text)));
}

/** What a step does, so that the file has the elements as they are. */
export function operations(items) {
  const ops = [];
  const lists = new Map();
  for (const item of items) {
    const { state, old, group } = item;
    const { path, to } = (old ?? state).group;
    const layer = group.layered && group.layer !== old?.group.layer ? { layer: group.layer } : {};
    if (!old && state.gone) continue;
    const list = lists.get(item.list) ?? { path, to, old: [], all: [] };
    lists.set(item.list, list);
    list.all.push(item);
    if (old) list.old.push(item);
    if (!old) ops.push(added(item, path, to, layer));
    else if (state.gone) ops.push({ op: "remove", path, at: item.at });
    else {
      const fields = otherFields(state.fields, old);
      const isThere = state.x === old.x && state.y === old.y;
      if (!isThere || Object.keys(fields).length || "layer" in layer) ops.push({ op: "set", path, at: item.at, x: state.x, y: state.y, fields, ...layer });
    }
  }
  for (const { path, to, old, all } of lists.values()) {
    let count = old.length;
    const order = all.map((item) => (item.old ? Number(item.at.slice(item.at.lastIndexOf("/") + 1)) : count++));
    if (order.some((number, at) => number !== at)) ops.push({ op: "order", path, to, order });
  }
  return ops;
}

function added({ state, from }, path, to, layer) {
  const place = { op: "add", path, to, x: state.x, y: state.y, ...layer };
  if (from) return { ...place, at: from.at, fields: otherFields(state.fields, from.old) };
  return { ...place, value: valuesOf(state) };
}

// -- many at once --------------------------------------------------------------------------------

/** How far each of some boxes moves to be in line: [box, ...] -> [[x, y], ...]. */
export const ALIGN = {
  left: (boxes) => boxes.map(([x]) => [Math.min(...boxes.map((box) => box[0])) - x, 0]),
  right: (boxes) => boxes.map(([x, , w]) => [Math.max(...boxes.map((box) => box[0] + box[2])) - x - w, 0]),
  top: (boxes) => boxes.map(([, y]) => [0, Math.min(...boxes.map((box) => box[1])) - y]),
  bottom: (boxes) => boxes.map(([, y, , h]) => [0, Math.max(...boxes.map((box) => box[1] + box[3])) - y - h]),
  centre: (boxes) => middle(boxes, 0),
  middle: (boxes) => middle(boxes, 1),
  across: (boxes) => spread(boxes, 0),
  down: (boxes) => spread(boxes, 1),
};

function middle(boxes, axis) {
  const start = Math.min(...boxes.map((box) => box[axis]));
  const end = Math.max(...boxes.map((box) => box[axis] + box[axis + 2]));
  return boxes.map((box) => {
    const by = Math.round((start + end) / 2 - box[axis] - box[axis + 2] / 2);
    return axis ? [0, by] : [by, 0];
  });
}

/** Equal spaces between the first and the last. */
function spread(boxes, axis) {
  const order = boxes.map((box, number) => number).sort((a, b) => boxes[a][axis] - boxes[b][axis]);
  const [first, last] = [boxes[order[0]], boxes[order.at(-1)]];
  const step = (last[axis] - first[axis]) / Math.max(1, order.length - 1);
  return boxes.map((box, number) => {
    const by = Math.round(first[axis] + step * order.indexOf(number) - box[axis]);
    return axis ? [0, by] : [by, 0];
  });
}

// -- copies that go to other rooms -----------------------------------------------------------------

const CLIP = () => `overhaul:room-clip:${document.body.dataset.game}`;

/** Keep elements where pages of other rooms find them. */
export function copy(items, looks) {
  const kept = [...items].map(({ x, y, name, look, group, state }) => ({
    x, y, name, word: group.word, layer: group.layer, fields: state.fields, look: looks[look] ?? null, key: look,
  }));
  localStorage.setItem(CLIP(), JSON.stringify(kept));
}

export function copied() {
  try {
    return JSON.parse(localStorage.getItem(CLIP())) ?? [];
  } catch {
    return [];
  }
}
