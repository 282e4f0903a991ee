// A picture painted in with the colours it has: a brush, rectangles, filling, picking, undo; sent as a
// PNG, and the page stays.
import { Drafts } from "./drafts.js";
import { post, undo as undoStep } from "./steps.js";

export default async function (root) {
  const canvas = root.querySelector("canvas");
  const stage = root.querySelector(".paint-stage");
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  const field = (name) => root.querySelector(name);
  const button = (name) => field(`[data-do="${name}"]`);
  const picture = new Image();
  picture.src = root.dataset.picture;
  await picture.decode();
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  paint.drawImage(picture, 0, 0);
  const before = [];
  let last = null;
  let from = null;

  const colour = () => (field("[name=colour]:checked") ?? field("[name=colour]")).value;
  const parts = () => [1, 3, 5].map((n) => parseInt(colour().slice(n, n + 2), 16));
  const at = (event) => {
    const area = canvas.getBoundingClientRect();
    return [Math.floor(((event.clientX - area.left) / area.width) * canvas.width), Math.floor(((event.clientY - area.top) / area.height) * canvas.height)];
  };
  const restored = (to) => {
    const made = new Image();
    made.onload = () => {
      keep();
      paint.clearRect(0, 0, canvas.width, canvas.height);
      paint.drawImage(made, 0, 0);
    };
    made.src = to;
  };
  const drafts = new Drafts(`paint ${root.dataset.path}`, root, {
    read: () => (before.length ? canvas.toDataURL() : null),
    write: restored,
    has: (what) => what === canvas.toDataURL(),
  });
  const changed = () => {
    drafts.changed();
    button("undo").disabled = !before.length;
    button("save").disabled = !before.length;
  };
  const keep = () => {
    before.push(paint.getImageData(0, 0, canvas.width, canvas.height));
    if (before.length > 20) before.splice(1, 1);
    changed();
  };
  const dot = (x, y) => {
    const side = Math.max(1, Number(field(".pen").value) || 1);
    paint.fillStyle = colour();
    paint.fillRect(x - Math.floor(side / 2), y - Math.floor(side / 2), side, side);
  };
  const line = ([x1, y1], [x2, y2]) => {
    const count = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1), 1);
    for (let n = 0; n <= count; n++) dot(Math.round(x1 + ((x2 - x1) * n) / count), Math.round(y1 + ((y2 - y1) * n) / count));
  };
  const tool = () => field("[name=tool]:checked").value;
  /** A rectangle from where the pointer went down, in place of the one before. */
  const rectangle = ([x, y]) => {
    paint.putImageData(before.at(-1), 0, 0);
    paint.fillStyle = colour();
    paint.fillRect(Math.min(x, from[0]), Math.min(y, from[1]), Math.abs(x - from[0]) + 1, Math.abs(y - from[1]) + 1);
  };
  const take = ([x, y]) => {
    const { data } = paint.getImageData(x, y, 1, 1);
    const there = `#${[...data.slice(0, 3)].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    const ink = [...root.querySelectorAll("[name=colour]")].find(({ type, value }) => type === "color" || value === there);
    if (ink?.type === "color") ink.value = there;
    else if (ink) ink.checked = true;
    ink?.scrollIntoView({ block: "nearest" });
    say(ink);
  };
  const say = (ink) => { field(".paint-said").textContent = ink?.closest("label")?.textContent.trim() ?? ""; };
  const fill = ([x, y]) => {
    const { width, height } = canvas;
    const image = paint.getImageData(0, 0, width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const [red, green, blue] = parts();
    const to = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    const from = pixels[y * width + x];
    const waiting = from === to ? [] : [y * width + x];
    while (waiting.length) {
      const place = waiting.pop();
      if (pixels[place] !== from) continue;
      pixels[place] = to;
      if (place % width) waiting.push(place - 1);
      if ((place + 1) % width) waiting.push(place + 1);
      if (place >= width) waiting.push(place - width);
      if (place + width < pixels.length) waiting.push(place + width);
    }
    paint.putImageData(image, 0, 0);
  };
  const look = () => {
    canvas.style.width = `${canvas.width * Number(field(".larger").value)}px`;
    canvas.style.opacity = field(".opacity") ? Number(field(".opacity").value) / 100 : 1;
    if (root.dataset.back) {
      stage.style.backgroundImage = `url("${root.dataset.back}")`;
      stage.style.backgroundSize = canvas.style.width;
    }
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    canvas.setPointerCapture(event.pointerId);
    const place = at(event);
    if (tool() === "take") { take(place); return; }
    keep();
    if (tool() === "fill") fill(place);
    else if (tool() === "rectangle") { from = place; rectangle(place); }
    else { last = place; dot(...place); }
  });
  canvas.addEventListener("pointermove", (event) => {
    const place = at(event);
    field(".room-at").textContent = place.join(", ");
    if (from) rectangle(place);
    if (!last) return;
    line(last, place);
    last = place;
  });
  const lift = () => { [last, from] = [null, null]; };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  const undo = () => {
    if (!before.length) { undoStep(); return; }
    paint.putImageData(before.pop(), 0, 0);
    changed();
  };
  button("undo").addEventListener("click", undo);
  root.addEventListener("keydown", (event) => {
    const tools = { b: "pen", r: "rectangle", g: "fill", i: "take" };
    if ((event.ctrlKey || event.metaKey) && event.key === "z") undo();
    else if (event.ctrlKey || event.metaKey || event.altKey || event.target.type === "number" || !tools[event.key]) return;
    else field(`[name=tool][value=${tools[event.key]}]`).checked = true;
    event.preventDefault();
    event.stopPropagation();
  });
  const save = () => canvas.toBlob(async (blob) => {
    button("save").disabled = true;
    root.setAttribute("aria-busy", "true");
    drafts.store();
    const { problem, page } = await post(root.dataset.address, blob);
    field(".room-problem").hidden = !problem;
    field(".room-problem").textContent = problem ?? "";
    if (!problem) {
      root.dataset.address = page.querySelector(".paint").dataset.address;
      before.length = 0;
    }
    changed();
    drafts.store();
    root.removeAttribute("aria-busy");
  }, "image/png");
  button("save").addEventListener("click", save);
  root.addEventListener("input", look);
  root.addEventListener("change", ({ target }) => { if (target.name === "colour") say(target); });
  look();
}
