// The width of the list of resources: dragged, or changed with the arrow keys; kept by the browser.
const LEAST = 160;
const MOST = 800;

export default function resize(handle) {
  const root = document.documentElement;
  const side = document.getElementById("side");
  const width = () => Math.round(side.getBoundingClientRect().width);
  const set = (pixels) => {
    const chosen = Math.min(Math.max(Math.round(pixels), LEAST), Math.min(MOST, innerWidth / 2));
    root.style.setProperty("--side-width", `${chosen}px`);
    localStorage.setItem("overhaul:side", String(chosen));
    say();
  };
  const say = () => {
    handle.setAttribute("aria-valuemin", String(LEAST));
    handle.setAttribute("aria-valuemax", String(MOST));
    handle.setAttribute("aria-valuenow", String(width()));
  };
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    const move = (now) => set(now.clientX - side.getBoundingClientRect().left);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true });
    event.preventDefault();
  });
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
    if (!by) return;
    set(width() + by);
    event.preventDefault();
    event.stopPropagation();
  });
  handle.hidden = false;
  say();
}
