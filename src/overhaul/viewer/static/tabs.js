// Pages kept open in this window. Its storage knows them; the address of each page lists them, so that
// they are there again when it is loaded again, or opened elsewhere. What was typed waits in its page.
import { away } from "./leaving.js";
import { titleHere, typing } from "./titles.js";

const KEY = "overhaul:tabs";
const MOST = 12;
/** Addresses of one page differ in these; see tabs.py. */
const PASSING = ["tabs", "saved", "from", "frame"];
/** Of an address that lists more characters, servers refuse to read what is behind. */
const LONGEST = 3000;

/** Next to another page the tabs are those of the whole. */
const framed = window !== window.parent;

const strip = document.getElementById("tabs");
const list = strip.querySelector("ul");

/** What makes two addresses those of one page. */
function pageOf(href) {
  const at = new URL(href, location.href);
  for (const key of PASSING) at.searchParams.delete(key);
  return decodeURI(at.pathname) + "?" + at.searchParams;
}

function addressOf(at) {
  const query = at.search.slice(1).split("&").filter((each) => each && !/^(tabs|saved)=/.test(each)).join("&");
  return at.pathname.replaceAll(",", "%2C") + (query ? `?${query}` : "");
}

const here = addressOf(location);
const isHere = (tab) => pageOf(tab.href) === pageOf(here);

function known() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

/** The tabs: of the address, where it was opened with some; else of the window. */
function tabsNow() {
  const before = known();
  const [how] = performance.getEntriesByType("navigation");
  const listed = new URL(location).searchParams.get("tabs");
  if (!listed || (how?.type === "back_forward" && before.length)) return before;
  const titles = new Map(before.map((tab) => [tab.href, tab.title]));
  return [...list.querySelectorAll("a")].map((link) => {
    const href = link.getAttribute("href");
    return { href, title: titles.get(href) ?? link.textContent };
  });
}

let tabs = tabsNow();

/** The address of a page, with all tabs. */
function listing(href) {
  const at = new URL(href, location.href);
  const rest = at.search.slice(1).split("&").filter((each) => each && !each.startsWith("tabs="));
  const all = tabs.map((tab) => encodeURIComponent(tab.href).replaceAll("%2F", "/")).join(",");
  if (all && all.length <= LONGEST) rest.push(`tabs=${all}`);
  return at.pathname + (rest.length ? `?${rest.join("&")}` : "") + at.hash;
}

function keep() {
  sessionStorage.setItem(KEY, JSON.stringify(tabs));
  const address = listing(location.href);
  if (location.pathname + location.search + location.hash !== address) {
    history.replaceState(history.state, "", address);
  }
}

function go(href) {
  away();
  location.href = listing(href);
}

function add() {
  if (tabs.some(isHere)) return;
  tabs = [...tabs, { href: here, title: titleHere() }].slice(-MOST);
  show();
}

function close(tab) {
  const at = tabs.indexOf(tab);
  tabs = tabs.filter((each) => each !== tab);
  const next = tabs[at] ?? tabs[at - 1];
  show();
  if (next && isHere(tab)) location.href = listing(next.href);
  else (list.querySelectorAll("a")[at] ?? list.querySelector("a"))?.focus();
}

function move(tab, to) {
  const rest = tabs.filter((each) => each !== tab);
  tabs = [...rest.slice(0, to), tab, ...rest.slice(to)];
  show();
  list.querySelectorAll("a")[to]?.focus();
}

/** To the next or previous tab, around the end. */
function turn(by) {
  if (!tabs.length) return;
  const at = tabs.findIndex(isHere);
  const from = at < 0 ? (by > 0 ? -1 : 0) : at;
  go(tabs[(from + by + tabs.length) % tabs.length].href);
}

function button(text, label, does) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", does);
  return made;
}

function itemOf(tab) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: tab.href, textContent: tab.title, title: tab.title });
  item.draggable = true;
  item.addEventListener("dragstart", (event) => event.dataTransfer.setData("application/x-tab", tab.href));
  item.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("application/x-tab")) event.preventDefault();
  });
  item.addEventListener("drop", (event) => {
    const moved = tabs.find((each) => each.href === event.dataTransfer.getData("application/x-tab"));
    if (moved) move(moved, tabs.indexOf(tab));
    event.preventDefault();
  });
  item.addEventListener("auxclick", (event) => {
    if (event.button !== 1) return;
    event.preventDefault();
    close(tab);
  });
  link.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = tabs.indexOf(tab);
    if (event.key === "Delete") close(tab);
    else if (by && event.ctrlKey) move(tab, Math.min(Math.max(at + by, 0), tabs.length - 1));
    else if (by) list.querySelectorAll("a")[at + by]?.focus();
    else return;
    event.preventDefault();
  });
  if (isHere(tab)) link.setAttribute("aria-current", "page");
  item.append(link, button("×", `Close ${tab.title}`, () => close(tab)));
  return item;
}

let plus;

function show() {
  keep();
  const isKept = tabs.some(isHere);
  strip.hidden = !tabs.length;
  list.replaceChildren(...tabs.map(itemOf));
  if (!isKept && tabs.length) {
    const item = Object.assign(document.createElement("li"), { className: "passing" });
    const name = Object.assign(document.createElement("span"), { textContent: titleHere() });
    name.setAttribute("aria-current", "page");
    item.append(name, button("Keep", `Keep ${titleHere()} in a tab`, add));
    list.append(item);
  }
  plus.hidden = isKept;
  list.querySelector("[aria-current]")?.closest("li").scrollIntoView({ block: "nearest", inline: "nearest" });
}

export default function (keeping) {
  if (framed) return;
  plus = keeping.querySelector("[data-keep]");
  plus.addEventListener("click", add);
  const phone = matchMedia("(max-width: 800px)");
  const [top, side] = [keeping.nextElementSibling, document.getElementById("side")];
  const place = () => (phone.matches ? side.prepend(keeping) : top.before(keeping));
  phone.addEventListener("change", place);
  place();
  show();
  const second = keeping.querySelector("a.second");
  const bySide = (right) => {
    const pages = new URLSearchParams({ left: here, right: addressOf(right) });
    return listing(`${second.pathname}?${pages}`);
  };
  second.href = bySide(location);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!event.altKey || !link || link.origin !== location.origin || link.hasAttribute("download")) return;
    if (document.querySelector(".split")) return;
    event.preventDefault();
    location.href = bySide(link);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "\\" || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (!document.querySelector(".split")) location.href = second.href;
  });
}

// A link leads to its page with the tabs; one of the strip leaves what is typed here to come back to.
// With Ctrl, Shift or the middle button a page opens as the browser does it: without them.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download") || link.getAttribute("href").startsWith("#")) return;
  if (framed) return;
  if (strip.contains(link)) away();
  if (tabs.length && !link.classList.contains("second")) link.href = listing(link.href);
}, true);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (framed || typing(event.target)) return;
  if (event.key === "t") tabs.some(isHere) ? close(tabs.find(isHere)) : add();
  else if (event.key === "[") turn(-1);
  else if (event.key === "]") turn(1);
});

window.addEventListener("pageshow", (event) => {
  if (framed || !event.persisted) return;
  tabs = known();
  show();
});
