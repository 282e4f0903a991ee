// A tile map: cells painted with the tiles of its tile set; one step saves all.
import { Drafts } from "./drafts.js";
import { Camera } from "./roomcamera.js";

const BITS = { mirror: 2 ** 28, flip: 2 ** 29, rotate: 2 ** 30 };
const has = (cell, bit) => Math.floor((cell < 0 ? cell + 2 ** 32 : cell) / bit) % 2 === 1;

export default async function (root) {
  const find = (name) => root.querySelector(name);
  const answer = await fetch(root.dataset.address);
  if (!answer.ok) return;
  const page = await answer.json();
  const [wide, high] = page.side;
  const { rows } = page;
  const old = rows.map((row) => [...row]);
  const canvas = find("canvas.stage");
  const form = find(".roomedit-save");
  const picture = new Image();
  picture.src = page.picture;
  const done = [];
  let stroke = null;
  let cursor = [0, 0];

  const numberOf = (cell) => (cell < 0 ? cell + 2 ** 32 : cell) % (page.number + 1);
  const tile = (paint, cell, x, y) => {
    const place = page.places[numberOf(cell)];
    if (!place || !numberOf(cell)) return;
    paint.save();
    paint.translate(x + wide / 2, y + high / 2);
    if (has(cell, BITS.rotate)) paint.rotate(Math.PI / 2);
    paint.scale(has(cell, BITS.mirror) ? -1 : 1, has(cell, BITS.flip) ? -1 : 1);
    paint.drawImage(picture, ...place, wide, high, -wide / 2, -high / 2, wide, high);
    paint.restore();
  };

  let frame = 0;
  const draw = () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(show); };
  const camera = new Camera(canvas, page, draw, find(".zoom"));
  const back = camera.back(page);
  function show() {
    const paint = camera.begin();
    back.ground(paint);
    back.layers(paint, page.layers);
    const [x1, y1, x2, y2] = camera.visible();
    if (picture.complete && picture.naturalWidth) {
      for (let y = Math.max(0, Math.floor(y1 / high)); y < rows.length && y * high < y2; y++) {
        for (let x = Math.max(0, Math.floor(x1 / wide)); x < rows[y].length && x * wide < x2; x++) tile(paint, rows[y][x], x * wide, y * high);
      }
    }
    paint.strokeStyle = "#c2410c";
    paint.lineWidth = 2 / camera.zoom;
    paint.strokeRect(cursor[0] * wide, cursor[1] * high, wide, high);
  }

  // -- the tile that paints ----------------------------------------------------------------------

  const number = find(".tile-number");
  const bits = [...root.querySelectorAll("[data-bit]")];
  const pen = () => {
    const chosen = Math.min(Math.max(0, Math.floor(Number(number.value)) || 0), page.places.length - 1);
    return chosen ? bits.reduce((sum, box) => sum + (box.checked ? BITS[box.dataset.bit] : 0), chosen) : 0;
  };
  const palette = find(".palette");
  const zoom = Math.max(1, Math.min(3, Math.floor(32 / wide)));
  const across = Math.max(1, Math.floor(240 / (wide * zoom)));
  const list = () => {
    palette.width = across * wide;
    palette.height = Math.ceil(page.places.length / across) * high;
    palette.style.width = `${palette.width * zoom}px`;
    const paint = palette.getContext("2d");
    paint.imageSmoothingEnabled = false;
    page.places.forEach((_, n) => tile(paint, n, (n % across) * wide, Math.floor(n / across) * high));
    const n = numberOf(pen());
    paint.strokeStyle = "#c2410c";
    paint.lineWidth = 2;
    paint.strokeRect((n % across) * wide + 1, Math.floor(n / across) * high + 1, wide - 2, high - 2);
  };
  palette.addEventListener("click", (event) => {
    const n = Math.floor(event.offsetY / zoom / high) * across + Math.floor(event.offsetX / zoom / wide);
    if (n < page.places.length) number.value = n;
    list();
  });
  number.addEventListener("change", list);
  picture.onload = () => { list(); draw(); };

  // -- painting ----------------------------------------------------------------------------------

  let drafts = null;
  const changed = () => {
    drafts?.changed();
    const cells = [];
    rows.forEach((row, y) => row.forEach((cell, x) => { if (cell !== old[y][x]) cells.push([x, y, cell < 0 ? cell + 2 ** 32 : cell]); }));
    form.elements.cells.value = JSON.stringify(cells);
    form.querySelector("button").disabled = !cells.length || Boolean(page.why);
    form.querySelector("[data-count]").textContent = cells.length ? `${cells.length} painted` : "nothing is painted";
    find('[data-do="undo"]').disabled = !done.length;
    draw();
  };
  const put = (x, y, cell) => {
    if (rows[y]?.[x] === undefined || rows[y][x] === cell) return;
    stroke.push([x, y, rows[y][x]]);
    rows[y][x] = cell;
  };
  const fill = (x, y, cell) => {
    const from = rows[y]?.[x];
    const waiting = from === undefined || from === cell ? [] : [[x, y]];
    while (waiting.length) {
      const [left, top] = waiting.pop();
      if (rows[top]?.[left] !== from) continue;
      put(left, top, cell);
      waiting.push([left - 1, top], [left + 1, top], [left, top - 1], [left, top + 1]);
    }
  };
  const take = (x, y) => {
    const cell = rows[y]?.[x];
    if (cell === undefined) return;
    number.value = numberOf(cell);
    for (const box of bits) box.checked = has(cell, BITS[box.dataset.bit]);
    list();
  };
  const cellAt = ([x, y]) => [Math.floor(x / wide), Math.floor(y / high)];
  const use = ([x, y]) => {
    const tool = root.querySelector("[name=tool]:checked").value;
    if (tool === "take") take(x, y);
    else if (tool === "fill") fill(x, y, pen());
    else put(x, y, pen());
  };
  const begin = () => { stroke = []; };
  const end = () => {
    if (stroke?.length) done.push(stroke);
    stroke = null;
    changed();
  };
  const undo = () => {
    for (const [x, y, cell] of (done.pop() ?? []).reverse()) rows[y][x] = cell;
    changed();
  };
  const say = ([x, y]) => {
    find(".room-said").textContent = rows[y]?.[x] === undefined ? "" : `${x}, ${y}: tile ${numberOf(rows[y][x])}`;
  };
  camera.pointers({
    down: (at) => { begin(); cursor = cellAt(at); use(cursor); draw(); },
    drag: (at) => { cursor = cellAt(at); if (stroke) use(cursor); draw(); },
    up: end,
    over: (at) => say(cellAt(at)),
  });
  canvas.addEventListener("keydown", (event) => {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const by = arrows[event.key];
    if (by) cursor = [Math.max(0, Math.min(rows[0].length - 1, cursor[0] + by[0])), Math.max(0, Math.min(rows.length - 1, cursor[1] + by[1]))];
    else if (event.key === " ") { begin(); use(cursor); end(); }
    else if (event.key === "Delete") { begin(); put(...cursor, 0); end(); }
    else if ((event.ctrlKey || event.metaKey) && event.key === "z") undo();
    else return;
    event.preventDefault();
    event.stopPropagation();
    say(cursor);
    draw();
  });
  root.addEventListener("click", (event) => {
    const does = { in: () => camera.scale(2), out: () => camera.scale(0.5), fit: () => camera.fit(), undo };
    does[event.target.closest("[data-do]")?.dataset.do]?.();
  });
  const again = (cells) => {
    begin();
    for (const [x, y, cell] of JSON.parse(cells)) put(x, y, cell);
    end();
  };
  if (page.sent) again(page.sent);
  camera.fit();
  changed();
  const { cells, before } = form.elements;
  drafts = new Drafts(`tiles ${location.pathname}`, root, {
    read: () => (cells.value === "[]" ? null : { cells: cells.value, before: before.value }),
    write(what) {
      before.value = what.before;
      again(what.cells);
    },
    has: (what) => what.cells === cells.value,
  });
  form.addEventListener("submit", (event) => { if (!drafts.sending()) event.preventDefault(); });
}
