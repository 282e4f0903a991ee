// A timeline: its steps pass along its line, and the moment that runs is marked.
import transport from "./transport.js";

export default function (figure) {
  const svg = figure.querySelector("svg");
  const head = svg.querySelector(".playhead");
  const tools = figure.querySelector(".sequence-tools");
  const last = Number(figure.dataset.last);
  const moments = [...svg.querySelectorAll("a[data-at]")].map((link) => ({
    at: Number(link.dataset.at), link, row: document.getElementById(link.getAttribute("href").slice(1)),
  }));
  const show = (step) => {
    head.setAttribute("d", `M${12 + (976 * step) / Math.max(1, last)} 2 V42`);
    const now = moments.filter(({ at }) => at <= step).at(-1)?.at;
    for (const { at, link, row } of moments) {
      link.classList.toggle("now", at === now);
      row?.classList.toggle("now", at === now);
    }
  };
  tools.hidden = false;
  head.removeAttribute("visibility");
  const part = (name) => tools.querySelector(`[data-do="${name}"]`);
  const { go } = transport(
    { range: tools.querySelector("input"), play: part("play"), before: part("before"), after: part("after"), said: tools.querySelector(".at") },
    { fps: Number(figure.dataset.fps), last, stops: moments.map(({ at }) => at), show },
  );
  svg.addEventListener("pointerdown", (event) => {
    if (event.button || event.target.closest("a")) return;
    const place = svg.getBoundingClientRect();
    go((((event.clientX - place.left) / place.width) * 1000 - 12) / 976 * last);
  });
  show(0);
}
