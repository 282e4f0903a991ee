// A sprite: its frames one after the other, larger and smaller, with overlays.
export default function (player) {
  const links = [...player.querySelectorAll("[data-frame]")];
  const shown = player.querySelector(".now");
  const mask = player.querySelector(".mask");
  const play = player.querySelector('[data-do="play"]');
  const alt = shown.alt.replace(/\d+$/, "");
  const ratio = shown.height / Math.max(1, shown.width);
  let at = 0;
  let zoom = Number(player.dataset.zoom);
  let timer = 0;

  const show = (number) => {
    at = (number + links.length) % links.length;
    shown.src = links[at].href;
    shown.alt = alt + at;
    player.querySelector(".at").textContent = at;
    if (mask && links[at].dataset.mask) mask.setAttribute("href", links[at].dataset.mask);
    links.forEach((link, n) => (n === at ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  };
  const size = (factor) => {
    zoom = factor;
    shown.width = Number(player.dataset.width) * zoom;
    shown.height = shown.width * ratio;
    player.querySelector(".zoom").textContent = `${zoom}×`;
  };
  const step = () => {
    show(at + 1);
    run(true);
  };
  const run = (on) => {
    clearTimeout(timer);
    timer = on ? setTimeout(step, Math.max(16, Number(links[at].dataset.ms) || 1000 / Number(player.dataset.fps))) : 0;
    play.setAttribute("aria-pressed", String(on));
    play.textContent = on ? "Stop" : "Play";
  };
  const actions = {
    play: () => run(!timer),
    back: () => show(at - 1),
    next: () => show(at + 1),
    smaller: () => size(Math.max(1, zoom - 1)),
    larger: () => size(Math.min(32, zoom + 1)),
  };
  player.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    const link = event.target.closest("[data-frame]");
    if (button) actions[button.dataset.do]();
    if (link && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      run(false);
      show(Number(link.dataset.frame));
    }
  });
  player.addEventListener("change", (event) => {
    const what = event.target.dataset.show;
    if (what) player.querySelector(`svg .${what}`).toggleAttribute("hidden", !event.target.checked);
  });
  show(0);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (links.length > 1 && !still) run(true);
}
