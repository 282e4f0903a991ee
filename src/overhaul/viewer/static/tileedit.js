// A tile map: cells painted with the tiles of its tile set; one step saves all, and the page stays.
import { Drafts } from "./drafts.js";
import { Camera } from "./roomcamera.js";
import { answered, stays, undo as undoStep } from "./steps.js";

/** How wide the picture of all tiles gets, and how many cells that paint are kept. */
const WIDEST = 4096;
const KEPT = 4096;
const BITS = { mirror: 2 ** 28, flip: 2 ** 29, rotate: 2 ** 30 };
const whole = (cell) => (cell < 0 ? cell + 2 ** 32 : cell);
const has = (cell, bit) => Math.floor(whole(cell) / bit) % 2 === 1;
const modulo = (number, by) => ((number % by) + by) % by;
const corners = ([x1, y1], [x2, y2]) => [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];

export default async function (root) {
  const answer = await fetch(root.dataset.address);
  if (answer.ok) new TileEditor(root, await answer.json());
}

class TileEditor {
  constructor(root, page) {
    this.root = root;
    this.canvas = this.find("canvas.stage");
    this.form = this.find(".roomedit-save");
    this.number = this.find(".tile-number");
    this.bits = [...root.querySelectorAll("[data-bit]")];
    this.done = [];
    this.undone = [];
    this.cursor = [0, 0];
    this.load(page);
    this.picture = new Image();
    this.picture.src = page.picture;
    this.palette = new Palette(this, this.find(".palette"));
    this.picture.onload = () => { this.palette.draw(); this.draw(); };
    this.camera = new Camera(this.canvas, page, () => this.draw(), this.find(".zoom"));
    this.back = this.camera.back(page);
    this.remember();
    this.listen();
    if (page.sent) this.again(page.sent);
    this.camera.fit();
    this.changed();
    this.keep();
  }

  find(name) { return this.root.querySelector(name); }

  load(page) {
    this.page = page;
    [this.wide, this.high] = page.side;
    this.rows = page.rows;
    this.old = page.rows.map((row) => [...row]);
  }

  index(cell) { return whole(cell) % (this.page.number + 1); }

  // -- drawing -------------------------------------------------------------------------------

  tile(paint, cell, x, y) {
    const { wide, high } = this;
    const place = this.page.places[this.index(cell)];
    if (!place || !this.index(cell)) return;
    paint.save();
    paint.translate(x + wide / 2, y + high / 2);
    if (has(cell, BITS.rotate)) paint.rotate(Math.PI / 2);
    paint.scale(has(cell, BITS.mirror) ? -1 : 1, has(cell, BITS.flip) ? -1 : 1);
    paint.drawImage(this.picture, ...place, wide, high, -wide / 2, -high / 2, wide, high);
    paint.restore();
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  paint() {
    const { camera, rows, wide, high } = this;
    const paint = camera.begin();
    this.back.ground(paint);
    this.back.layers(paint, this.page.layers);
    const [x1, y1, x2, y2] = camera.visible();
    if (this.picture.complete && this.picture.naturalWidth) {
      for (let y = Math.max(0, Math.floor(y1 / high)); y < rows.length && y * high < y2; y++) {
        for (let x = Math.max(0, Math.floor(x1 / wide)); x < rows[y].length && x * wide < x2; x++) this.tile(paint, rows[y][x], x * wide, y * high);
      }
    }
    if (this.find(".grid").checked) camera.grid(paint, Math.min(wide, high));
    const [left, top, right, bottom] = this.band ? corners(this.band, this.cursor) : this.under();
    paint.strokeStyle = "#c2410c";
    paint.lineWidth = 2 / camera.zoom;
    paint.strokeRect(left * wide, top * high, (right - left + 1) * wide, (bottom - top + 1) * high);
  }

  /** The cells that a click would change. */
  under() {
    const [x, y] = this.cursor;
    const isPen = this.tool === "pen" || this.tool === "rectangle";
    return isPen ? [x, y, x + this.stamp[0].length - 1, y + this.stamp.length - 1] : [x, y, x, y];
  }

  // -- what paints ---------------------------------------------------------------------------

  get tool() { return this.root.querySelector("[name=tool]:checked").value; }

  /** One tile, as the number and the boxes say it. */
  one(number) {
    return number ? this.bits.reduce((sum, box) => sum + (box.checked ? BITS[box.dataset.bit] : 0), number) : 0;
  }

  /** Paint with some rows of cells; they stay chosen when the page is opened again. */
  hold(stamp) {
    this.stamp = stamp;
    const [[first]] = stamp;
    this.number.value = this.index(first);
    if (stamp.flat().length === 1 && this.index(first)) {
      for (const box of this.bits) box.checked = has(first, BITS[box.dataset.bit]);
    }
    if (stamp.length * stamp[0].length <= KEPT) sessionStorage.setItem(`overhaul:tile:${this.page.picture}`, JSON.stringify(stamp));
    this.palette.draw();
    this.draw();
  }

  remember() {
    let stamp = null;
    try { stamp = JSON.parse(sessionStorage.getItem(`overhaul:tile:${this.page.picture}`)); } catch { /* nothing is kept */ }
    const most = this.page.places.length;
    const isThere = Array.isArray(stamp) && stamp.length && stamp.every((row) => row.length && row.every((cell) => this.index(cell) < most));
    this.hold(isThere ? stamp : [[Math.min(1, most - 1)]]);
  }

  typed() {
    const most = this.page.places.length - 1;
    this.hold([[this.one(Math.min(Math.max(0, Math.floor(Number(this.number.value)) || 0), most))]]);
  }

  // -- painting ------------------------------------------------------------------------------

  put(x, y, cell) {
    if (this.rows[y]?.[x] === undefined || whole(this.rows[y][x]) === whole(cell)) return;
    this.stroke.push([x, y, this.rows[y][x], cell]);
    this.rows[y][x] = cell;
  }

  /** The cell of the stamp, repeated from where the stroke began. */
  pattern(x, y) {
    const [left, top] = this.origin;
    const row = this.stamp[modulo(y - top, this.stamp.length)];
    return row[modulo(x - left, row.length)];
  }

  area([left, top, right, bottom]) {
    for (let y = Math.max(0, top); y <= Math.min(bottom, this.rows.length - 1); y++) {
      for (let x = Math.max(0, left); x <= Math.min(right, this.rows[y].length - 1); x++) this.put(x, y, this.pattern(x, y));
    }
  }

  fill(x, y) {
    const from = this.rows[y]?.[x];
    const seen = new Set();
    const waiting = from === undefined ? [] : [[x, y]];
    while (waiting.length) {
      const [left, top] = waiting.pop();
      const at = top * this.rows[0].length + left;
      if (this.rows[top]?.[left] === undefined || seen.has(at) || this.rows[top][left] !== from) continue;
      seen.add(at);
      waiting.push([left - 1, top], [left + 1, top], [left, top - 1], [left, top + 1]);
    }
    for (const at of seen) {
      const [left, top] = [at % this.rows[0].length, Math.floor(at / this.rows[0].length)];
      this.put(left, top, this.pattern(left, top));
    }
  }

  /** Paint on the way to a cell, also where the pointer was fast. */
  line([x1, y1], [x2, y2]) {
    const steps = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1), 1);
    for (let n = 0; n <= steps; n++) {
      this.cursor = [Math.round(x1 + ((x2 - x1) * n) / steps), Math.round(y1 + ((y2 - y1) * n) / steps)];
      const [left, top] = this.cursor;
      this.area([left, top, left + this.stamp[0].length - 1, top + this.stamp.length - 1]);
    }
  }

  take([left, top, right, bottom]) {
    const rows = this.rows.slice(Math.max(0, top), bottom + 1).map((row) => row.slice(Math.max(0, left), right + 1));
    if (rows.length && rows[0].length) this.hold(rows);
  }

  begin(cell) {
    this.stroke = [];
    this.origin = cell;
  }

  end() {
    if (this.stroke?.length) {
      this.done.push(this.stroke);
      this.undone = [];
    }
    this.stroke = null;
    this.band = null;
    this.changed();
  }

  /** Use the tool at the cursor at once, as a key does. */
  use() {
    const [x, y] = this.cursor;
    this.begin(this.cursor);
    if (this.tool === "take") this.take([x, y, x, y]);
    else if (this.tool === "fill") this.fill(x, y);
    else this.area(this.under());
    this.end();
  }

  undo() {
    if (!this.done.length) { undoStep(); return; }
    const stroke = this.done.pop();
    for (const [x, y, before] of [...stroke].reverse()) this.rows[y][x] = before;
    this.undone.push(stroke);
    this.changed();
  }

  redo() {
    if (!this.undone.length) return;
    const stroke = this.undone.pop();
    for (const [x, y, , after] of stroke) this.rows[y][x] = after;
    this.done.push(stroke);
    this.changed();
  }

  // -- steps ---------------------------------------------------------------------------------

  cells() {
    const cells = [];
    this.rows.forEach((row, y) => row.forEach((cell, x) => { if (whole(cell) !== whole(this.old[y][x])) cells.push([x, y, whole(cell)]); }));
    return cells;
  }

  changed() {
    this.drafts?.changed();
    const cells = this.cells();
    this.form.elements.cells.value = JSON.stringify(cells);
    this.form.elements.before.value = this.page.before;
    this.form.querySelector("button").disabled = !cells.length || Boolean(this.page.why);
    this.form.querySelector("[data-count]").textContent = cells.length ? `${cells.length} painted` : "nothing is painted";
    this.find('[data-do="undo"]').disabled = !this.done.length;
    this.find('[data-do="redo"]').disabled = !this.undone.length;
    this.draw();
  }

  again(cells) {
    this.begin([0, 0]);
    for (const [x, y, cell] of JSON.parse(cells)) this.put(x, y, cell);
    this.end();
  }

  keep() {
    const { cells, before } = this.form.elements;
    this.drafts = new Drafts(`tiles ${location.pathname}`, this.root, {
      read: () => (cells.value === "[]" ? null : { cells: cells.value, before: before.value }),
      write: (what) => {
        this.page.before = what.before;
        this.again(what.cells);
      },
      has: (what) => what.cells === cells.value,
    });
    stays(this.root, this.form, () => this.cells().length > 0, (answer) => this.answered(answer));
  }

  async answered({ problem }) {
    const isShown = await answered(this.root, problem, (page) => {
      this.load(page);
      [this.done, this.undone] = [[], []];
      this.back = this.camera.back(this.page, Date.now());
    });
    if (!isShown) return;
    this.changed();
    this.drafts.store();
  }

  // -- what people do ------------------------------------------------------------------------

  at([x, y]) { return [Math.floor(x / this.wide), Math.floor(y / this.high)]; }

  say([x, y], place) {
    const cell = this.rows[y]?.[x];
    this.find(".room-said").textContent = cell === undefined ? "" : `${x}, ${y}: tile ${this.index(cell)}`;
    this.find(".room-at").textContent = place ? place.map(Math.floor).join(", ") : `${x * this.wide}, ${y * this.high}`;
  }

  listen() {
    this.camera.pointers({
      down: (place) => this.down(this.at(place)),
      drag: (place) => this.drag(this.at(place), place),
      up: () => this.up(),
      over: (place) => { this.cursor = this.at(place); this.say(this.cursor, place); this.draw(); },
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.number.addEventListener("change", () => this.typed());
    this.number.addEventListener("keydown", ({ key }) => { if (key === "Enter") this.typed(); }); // one, where several paint
    for (const box of this.bits) box.addEventListener("change", () => this.turned(box.dataset.bit));
    this.find(".grid").addEventListener("change", () => this.draw());
    const does = {
      in: () => this.camera.scale(2), out: () => this.camera.scale(0.5), fit: () => this.camera.fit(),
      undo: () => this.undo(), redo: () => this.redo(),
    };
    this.root.addEventListener("click", (event) => does[event.target.closest("[data-do]")?.dataset.do]?.());
  }

  /** A box of what paints was ticked: one tile is turned so; of several, each. */
  turned(bit) {
    const is = this.bits.find((box) => box.dataset.bit === bit).checked;
    this.hold(this.stamp.map((row) => row.map((cell) => {
      const now = whole(cell);
      if (!this.index(now) || has(now, BITS[bit]) === is) return now;
      return is ? now + BITS[bit] : now - BITS[bit];
    })));
  }

  down(cell) {
    this.cursor = cell;
    this.begin(cell);
    if (this.tool === "fill") this.fill(...cell);
    else if (this.tool === "pen") this.area(this.under());
    else this.band = cell;
    this.draw();
  }

  drag(cell, place) {
    if (!this.stroke) return;
    if (this.tool === "pen") this.line(this.cursor, cell);
    this.cursor = cell;
    this.say(cell, place);
    this.draw();
  }

  up() {
    if (!this.stroke) return;
    const area = this.band && corners(this.band, this.cursor);
    if (area && this.tool === "rectangle") {
      this.origin = [area[0], area[1]];
      this.area(area);
    }
    if (area && this.tool === "take") this.take(area);
    this.end();
  }

  key(event) {
    const { key } = event;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const tools = { b: "pen", r: "rectangle", g: "fill", i: "take" };
    const by = arrows[key];
    const isControl = event.ctrlKey || event.metaKey;
    if (by) this.cursor = [Math.max(0, Math.min(this.rows[0].length - 1, this.cursor[0] + by[0])), Math.max(0, Math.min(this.rows.length - 1, this.cursor[1] + by[1]))];
    else if (isControl && key.toLowerCase() === "z") event.shiftKey ? this.redo() : this.undo();
    else if (isControl && key === "y") this.redo();
    else if (isControl || event.altKey) return;
    else if (key === " ") this.use();
    else if (key === "Delete") { this.begin(this.cursor); this.put(...this.cursor, 0); this.end(); }
    else if (tools[key]) this.root.querySelector(`[name=tool][value=${tools[key]}]`).checked = true;
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.say(this.cursor);
    this.draw();
  }
}

/** The tiles as they stand in the tile set; a drag chooses several. */
class Palette {
  constructor(editor, canvas) {
    Object.assign(this, { editor, canvas });
    const { places } = editor.page;
    const next = places.findIndex(([, top]) => top !== places[0][1]);
    this.across = Math.max(1, Math.min(next > 0 ? next : places.length, Math.floor(WIDEST / editor.wide)));
    this.zoom = Math.max(1, Math.min(3, Math.floor(32 / editor.wide)));
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      this.from = this.cell(event);
      this.choose(this.from);
    });
    canvas.addEventListener("pointermove", (event) => { if (this.from) this.choose(this.cell(event)); });
    canvas.addEventListener("pointerup", () => { this.from = null; });
    canvas.addEventListener("pointercancel", () => { this.from = null; });
  }

  cell({ offsetX, offsetY }) {
    const { wide, high, page } = this.editor;
    const rows = Math.ceil(page.places.length / this.across);
    const inside = (number, most) => Math.max(0, Math.min(most - 1, number));
    return [inside(Math.floor(offsetX / this.zoom / wide), this.across), inside(Math.floor(offsetY / this.zoom / high), rows)];
  }

  choose(to) {
    const [left, top, right, bottom] = corners(this.from, to);
    const { editor } = this;
    const stamp = [];
    for (let y = top; y <= bottom; y++) {
      const row = [];
      for (let x = left; x <= right; x++) {
        const number = y * this.across + x;
        row.push(editor.one(number < editor.page.places.length ? number : 0));
      }
      stamp.push(row);
    }
    editor.hold(stamp);
  }

  draw() {
    const { canvas, editor, across, zoom } = this;
    const { wide, high, page, stamp } = editor;
    canvas.width = across * wide;
    canvas.height = Math.ceil(page.places.length / across) * high;
    canvas.style.width = `${canvas.width * zoom}px`;
    const paint = canvas.getContext("2d");
    paint.imageSmoothingEnabled = false;
    page.places.forEach((_, n) => editor.tile(paint, n, (n % across) * wide, Math.floor(n / across) * high));
    const marked = new Set(stamp.flat().map((cell) => editor.index(cell)));
    for (const [colour, width] of [["#ffffff", 3], ["#c2410c", 1.5]]) {
      Object.assign(paint, { strokeStyle: colour, lineWidth: width });
      for (const number of marked) paint.strokeRect((number % across) * wide + 1, Math.floor(number / across) * high + 1, wide - 2, high - 2);
    }
  }
}
