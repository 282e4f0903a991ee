// What every page does. An element with data-behaviour="NAME" is given to the default function of
// NAME.js, or to one of these; also when htmx put it into the page later.
import "./drafts.js"; // what was sent from the page before is no draft any more
import { titleHere, typing } from "./titles.js";
import { isTyped } from "./typed.js";

// A page that answers a form is the page of its address in the history: going back to it, or loading it
// again, sends nothing once more.
history.replaceState(history.state, "", location.href);

const prefix = document.body.dataset.prefix;

const behaviours = {
  menu(button) {
    const side = document.getElementById("side");
    button.addEventListener("click", () => {
      const open = side.classList.toggle("open");
      button.setAttribute("aria-expanded", String(open));
    });
  },
};

const begun = new WeakMap();

async function begin(element) {
  for (const name of element.dataset.behaviour.split(/\s+/)) {
    const done = begun.get(element) ?? new Set();
    if (!name || done.has(name)) continue;
    begun.set(element, done.add(name));
    const behave = behaviours[name] ?? (await import(`./${name}.js`)).default;
    behave(element);
  }
}

function beginAll(root) {
  if (root.matches?.("[data-behaviour]")) begin(root);
  root.querySelectorAll?.("[data-behaviour]").forEach(begin);
}

document.addEventListener("htmx:load", (event) => beginAll(event.detail.elt));
beginAll(document);

// ---------------------------------------------------------------------------------- the keyboard

const places = { h: "/", s: "/sprites", o: "/objects", r: "/rooms", c: "/code", a: "/sounds" };
let before = "";

/** The links of the list that has the focus, or of the results that are shown. */
function links() {
  const within = document.activeElement?.closest("#found, #tree, #rows, #results, .search, .side");
  const list = within?.matches(".search") ? document.getElementById("found")
    : within?.matches(".side") ? document.getElementById("tree") : within;
  return [...(list ?? document.getElementById("rows") ?? document).querySelectorAll("a[href]")]
    .filter((link) => link.offsetParent !== null);
}

function step(by) {
  const all = links();
  const at = all.indexOf(document.activeElement);
  (all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by] ?? all[at])?.focus();
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === "k") {
    const field = document.getElementById("q");
    field.focus();
    field.select();
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { key, target } = event;
  if (key === "Enter" && target.id === "q") {
    // the thing that has just this name, if it is found already; else all results
    const first = document.querySelector("#found .group a[href]");
    const hit = first?.querySelector(".hit") ?? first;
    if (hit && hit.textContent.trim().toLowerCase() === target.value.trim().toLowerCase()) {
      event.preventDefault();
      first.click();
      return;
    }
  }
  if (key === "Escape") {
    document.getElementById("found").replaceChildren();
    const form = target.closest?.("#edit-here");
    if (form) { // the fields stay as they are
      form.replaceChildren();
      document.querySelector('.edits a[aria-controls="edit-here"]')?.focus();
      return;
    }
    if (typing(target)) target.blur();
    return;
  }
  if (key === "ArrowDown" || key === "ArrowUp") {
    const field = target.closest?.(".search, .side, #rows, #results, .filter");
    if (field && (!typing(target) || target.type === "search")) {
      step(key === "ArrowDown" ? 1 : -1);
      event.preventDefault();
    }
    return;
  }
  if (typing(target)) return;
  if (key === "F2") {
    document.querySelector('.edits a[href*="/-/whole/"]')?.click();
    return;
  }
  if (key === "e") {
    const link = document.querySelector('main a[data-behaviour="codehere"]');
    if (link) {
      link.click();
      event.preventDefault();
    }
    return;
  }
  if (before === "g") {
    before = "";
    if (places[key]) location.href = prefix + places[key];
    return;
  }
  before = key === "g" ? "g" : "";
  if (key === "/") {
    document.getElementById("q").focus();
    event.preventDefault();
  } else if (key === "f") {
    document.getElementById("filter").focus();
    event.preventDefault();
  } else if (key === "?") {
    location.href = `${prefix}/-/help`;
  } else if (key === "j" || key === "k") {
    neighbour(key === "j" ? 1 : -1);
  }
});

// Ctrl-S goes on: what was typed becomes a step (the editor does that), then the file is saved.
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== "s") return;
  const area = document.querySelector("main textarea[data-editor]");
  if (area && area.value !== area.defaultValue) return;
  const form = document.activeElement?.form ?? document.activeElement?.closest("form");
  const step = form?.closest("main") && form.method === "post" && isTyped(form)
    && form.querySelector("button.main:not(:disabled)")
    || document.querySelector('main button[data-saves][value="save"]:not(:disabled, [data-stays] *)');
  const save = document.querySelector('#bench form[action$="/-/save"] button:not(:disabled)');
  event.preventDefault();
  event.stopImmediatePropagation();
  (step || save)?.click();
}, true);

/** Go to the next or the previous resource of the tree. */
function neighbour(by) {
  const all = [...document.querySelectorAll("#tree details[open] li a:not(.all)")];
  const at = all.findIndex((link) => link.pathname === location.pathname);
  const next = at < 0 ? undefined : all[at + by];
  if (next) location.href = next.href;
}

// Results close when the focus leaves them.
const form = document.querySelector("form.search");
form?.addEventListener("focusout", (event) => {
  if (!form.contains(event.relatedTarget)) document.getElementById("found").replaceChildren();
});

// ---------------------------------------------------------------------------------- seen before

const SEEN = 12;
const key = `overhaul:seen:${prefix}`;

function seen() {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? [];
  } catch {
    return [];
  }
}

const here = document.querySelector(".crumbs [aria-current]");
if (here && document.querySelector(".crumbs li:nth-last-child(3)")) {
  const page = { text: titleHere(), href: location.pathname };
  const pages = [page, ...seen().filter((each) => each.href !== page.href)];
  localStorage.setItem(key, JSON.stringify(pages.slice(0, SEEN)));
}

/** Show what was seen before under the empty field of the search. */
document.getElementById("q")?.addEventListener("focus", ({ target }) => {
  const pages = seen().filter((each) => each.href !== location.pathname);
  if (target.value || !pages.length) return;
  const group = document.createElement("section");
  const title = document.createElement("h2");
  const list = document.createElement("ul");
  group.className = "group";
  title.textContent = "Seen before";
  for (const page of pages) {
    const link = document.createElement("a");
    link.href = page.href;
    link.textContent = page.text;
    list.appendChild(document.createElement("li")).append(link);
  }
  group.append(title, list);
  document.getElementById("found").replaceChildren(group);
});

// ---------------------------------------------------------------------------------- the tree

/** Mark the page in the tree, and show it. */
function mark() {
  for (const link of document.querySelectorAll("#tree a")) {
    if (link.pathname !== location.pathname) continue;
    link.setAttribute("aria-current", "page");
    link.scrollIntoView({ block: "nearest" });
  }
}
document.addEventListener("htmx:afterSettle", mark);
mark();

// ---------------------------------------------------------------------------------- the file

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`${prefix}/-/state.json`);
    const state = await answer.json();
    document.getElementById("changed").hidden = !state.changed;
    document.getElementById("ended").hidden = true;
  } catch {
    document.getElementById("ended").hidden = false;
  }
}
setInterval(look, 5000);
document.addEventListener("overhaul:look", look);
