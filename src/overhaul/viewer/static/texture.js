// A texture page: what is pointed at is marked in the picture and in the list, and a rectangle drawn over
// the picture chooses what is in it.
const SVG = "http://www.w3.org/2000/svg";

export default function (form) {
  const svg = form.querySelector("svg");
  const list = form.querySelector("ul");
  const rows = new Map([...list.children].map((row) => [row.dataset.item, row]));
  const frames = new Map([...svg.querySelectorAll("a")].map((frame) => [frame.dataset.item, frame]));
  const boxes = [...list.querySelectorAll("input")];
  const move = form.querySelector('button[value="move"]');
  let marked = [];

  const mark = (number, from) => {
    for (const each of marked) each.classList.remove("marked");
    marked = [rows.get(number), frames.get(number)].filter(Boolean);
    for (const each of marked) each.classList.add("marked");
    const row = rows.get(number);
    if (row && from === svg) { // the page stays where it is
      const above = row.offsetTop - list.offsetTop;
      if (above < list.scrollTop || above + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = above - list.clientHeight / 2;
    }
  };
  for (const part of [svg, list]) {
    const point = (event) => mark(event.target.closest("[data-item]")?.dataset.item, part);
    part.addEventListener("pointerover", point);
    part.addEventListener("focusin", point);
    part.addEventListener("pointerleave", () => mark());
  }
  if (!boxes.length) return;

  const look = () => {
    for (const box of boxes) frames.get(box.closest("li").dataset.item)?.classList.toggle("chosen", box.checked);
    const count = boxes.filter((box) => box.checked).length;
    move.disabled = !count;
    move.textContent = count ? `Move ${count}` : "Move";
  };
  form.addEventListener("change", look);
  look();
  form.querySelector(".drag-hint").hidden = !matchMedia("(any-pointer: fine)").matches;

  const at = (event) => {
    const place = svg.getBoundingClientRect();
    const { width, height } = svg.viewBox.baseVal;
    return [((event.clientX - place.left) * width) / place.width, ((event.clientY - place.top) * height) / place.height];
  };
  let start = null;
  let band = null;
  let dragged = false;
  svg.addEventListener("click", (event) => {
    if (dragged) event.preventDefault();
  });
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  svg.addEventListener("pointerdown", (event) => {
    if (event.button || event.pointerType === "touch") return;
    dragged = false;
    start = at(event);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!start) return;
    const now = at(event);
    if (!band && Math.hypot(now[0] - start[0], now[1] - start[1]) < 4) return;
    if (!band) {
      band = document.createElementNS(SVG, "rect");
      band.classList.add("band");
      svg.append(band);
      svg.setPointerCapture(event.pointerId);
    }
    const [x, y] = [0, 1].map((n) => Math.min(start[n], now[n]));
    const [width, height] = [0, 1].map((n) => Math.abs(start[n] - now[n]));
    for (const [name, value] of Object.entries({ x, y, width, height })) band.setAttribute(name, value);
  });
  const end = (event) => {
    start = null;
    if (!band) return;
    const [left, top, width, height] = ["x", "y", "width", "height"].map((name) => band[name].baseVal.value);
    band.remove();
    band = null;
    if (event.type === "pointercancel") return;
    dragged = true; // the link under it is not followed
    for (const [number, frame] of frames) {
      const box = frame.querySelector("rect");
      const [x, y, wide, high] = ["x", "y", "width", "height"].map((name) => box[name].baseVal.value);
      const within = x < left + width && left < x + wide && y < top + height && top < y + high;
      const input = rows.get(number)?.querySelector("input");
      if (input && (within || !event.shiftKey)) input.checked = within;
    }
    look();
  };
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
}
