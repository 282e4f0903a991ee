// A room: tiles of what is visible at the scale it is shown in, moved by scrolling or dragging.
export default function (room) {
  const view = room.querySelector(".room-view");
  const world = room.querySelector(".world");
  const whole = room.querySelector(".whole");
  const { width, height, tile, levels } = Object.fromEntries(
    ["width", "height", "tile", "levels"].map((name) => [name, Number(room.dataset[name])]));
  const tiles = new Map();
  let zoom = 1;
  let chosen = room.dataset.chosen;

  view.classList.add("live");

  const fit = () => {
    // The view is as high as the room is shown, up to this.
    const highest = parseFloat(getComputedStyle(view).maxHeight);
    const most = Math.min(view.clientWidth / width, highest / height);
    return most > 1 ? Math.min(8, Math.floor(most)) : most;
  };

  const draw = () => {
    if (!room.dataset.tiles) return; // the whole picture is all there is
    const level = Math.max(0, Math.min(levels, Math.floor(Math.log2(1 / zoom) + 0.01)));
    const side = tile * 2 ** level;
    const wanted = new Set();
    const first = (start) => Math.max(0, Math.floor(start / zoom / side));
    for (let y = first(view.scrollTop); y * side < height && y * side * zoom < view.scrollTop + view.clientHeight; y++) {
      for (let x = first(view.scrollLeft); x * side < width && x * side * zoom < view.scrollLeft + view.clientWidth; x++) {
        wanted.add(`${level}/${x}/${y}`);
      }
    }
    for (const [key, image] of tiles) {
      if (!wanted.has(key)) {
        image.remove();
        tiles.delete(key);
      }
    }
    for (const key of wanted) {
      const [, x, y] = key.split("/").map(Number);
      let image = tiles.get(key);
      if (!image) {
        image = new Image();
        image.className = "tile";
        image.alt = "";
        image.src = `${room.dataset.tiles}/${key}.png${chosen ? `?layers=${chosen}` : ""}`;
        whole.after(image);
        tiles.set(key, image);
      }
      image.style.left = `${x * side * zoom}px`;
      image.style.top = `${y * side * zoom}px`;
      image.style.width = `${Math.min(side, width - x * side) * zoom}px`;
      image.style.height = `${Math.min(side, height - y * side) * zoom}px`;
    }
  };

  const scale = (to, x = view.clientWidth / 2, y = view.clientHeight / 2) => {
    const at = [(view.scrollLeft + x) / zoom, (view.scrollTop + y) / zoom];
    zoom = Math.max(Math.min(fit(), 1 / 2 ** levels), Math.min(16, to));
    world.style.width = `${width * zoom}px`;
    world.style.height = `${height * zoom}px`;
    whole.style.width = `${width * zoom}px`;
    whole.style.height = `${height * zoom}px`;
    view.scrollTo(at[0] * zoom - x, at[1] * zoom - y);
    room.querySelector(".zoom").textContent = `${Math.round(zoom * 100)}%`;
    draw();
  };

  const actions = { in: () => scale(zoom * 2), out: () => scale(zoom / 2), fit: () => scale(fit()) };
  room.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) actions[button.dataset.do]();
  });
  room.addEventListener("change", (event) => {
    const { show } = event.target.dataset;
    if (show) world.classList.toggle(show, event.target.checked);
    if (event.target.dataset.layer === undefined) return;
    const on = [...room.querySelectorAll("[data-layer]:checked")].map((box) => box.dataset.layer);
    chosen = on.join("-") || "none";
    whole.src = `${whole.src.split("?")[0]}?layers=${chosen}`;
    for (const image of tiles.values()) image.remove();
    tiles.clear();
    draw();
  });
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = view.getBoundingClientRect();
    scale(zoom * (event.deltaY < 0 ? 1.25 : 0.8), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  view.addEventListener("scroll", () => requestAnimationFrame(draw));
  view.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") actions.in();
    else if (event.key === "-") actions.out();
    else if (event.key === "0") actions.fit();
  });
  drag(view);
  new ResizeObserver(() => draw()).observe(view);
  // no taller than the whole room is
  scale(fit());
  view.style.height = `${Math.min(view.offsetHeight, Math.max(160, Math.ceil(height * zoom) + 2))}px`;
}

/** Move what a view shows by dragging it. */
function drag(view) {
  let from = null;
  let moved = false;
  view.addEventListener("pointerdown", (event) => {
    if (event.button || event.pointerType === "touch") return;
    from = [event.clientX + view.scrollLeft, event.clientY + view.scrollTop];
    moved = false;
  });
  view.addEventListener("pointermove", (event) => {
    if (!from || !(event.buttons & 1)) return;
    const to = [from[0] - event.clientX, from[1] - event.clientY];
    moved ||= Math.abs(to[0] - view.scrollLeft) + Math.abs(to[1] - view.scrollTop) > 4;
    if (moved) view.scrollTo(...to);
  });
  view.addEventListener("pointerup", () => { from = null; });
  view.addEventListener("dragstart", (event) => event.preventDefault());
  view.addEventListener("click", (event) => {
    if (moved) event.preventDefault();
    moved = false;
  }, true);
}
