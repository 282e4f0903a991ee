// Bookmarks of this game, kept by the browser and listed above the resources.
import { titleHere, typing } from "./titles.js";

const { prefix, game } = document.body.dataset;
const KEY = `overhaul:bookmarks:${game}`;
/** Only of this address a page differs; the tabs are none of a bookmark. */
const here = location.pathname.slice(prefix.length)
  + location.search.replace(/[?&](tabs|saved)=[^&]*/g, "").replace(/^&/, "?");

function marked() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

function show(button) {
  const pages = marked();
  const isMarked = pages.some((page) => page.at === here);
  button.textContent = isMarked ? "★" : "☆";
  button.setAttribute("aria-pressed", String(isMarked));
  const place = document.getElementById("bookmarks");
  place.replaceChildren();
  if (!pages.length) return;
  const box = Object.assign(document.createElement("details"), { className: "kind", open: true });
  const summary = Object.assign(document.createElement("summary"), { textContent: "Bookmarks " });
  summary.append(Object.assign(document.createElement("span"), { className: "count", textContent: pages.length }));
  const list = document.createElement("ul");
  for (const page of pages) {
    const link = Object.assign(document.createElement("a"), { href: prefix + page.at, textContent: page.title });
    if (page.at === here) link.setAttribute("aria-current", "page");
    list.appendChild(document.createElement("li")).append(link);
  }
  box.append(summary, list);
  place.append(box);
}

function toggle() {
  const pages = marked();
  const others = pages.filter((page) => page.at !== here);
  if (others.length === pages.length) others.push({ at: here, title: titleHere() });
  localStorage.setItem(KEY, JSON.stringify(others));
}

export default function (keeping) {
  const button = keeping.querySelector("[data-bookmark]");
  const change = () => { toggle(); show(button); };
  button.addEventListener("click", change);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key !== "m") return;
    if (!typing(event.target)) change();
  });
  window.addEventListener("storage", (event) => { if (event.key === KEY) show(button); });
  show(button);
}
