// Code is edited where it is read: its editor takes the place of the lines that a link names.

const OPEN = "overhaul:edit-here";

export default function (link) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(link);
  });
  if (sessionStorage.getItem(OPEN) !== link.href) return;
  sessionStorage.removeItem(OPEN);
  open(link);
}

async function open(link) {
  const other = document.querySelector(".code-here");
  if (other && !other.leave(link)) return;
  const lines = document.getElementById(link.dataset.replaces);
  if (!lines) return void (location.href = link.href);
  const place = Object.assign(document.createElement("div"), { className: "code-here", id: "code-here" });
  lines.before(place);
  link.blur(); // the focus goes into the editor
  await htmx.ajax("GET", link.href, { target: place, swap: "innerHTML" });
  const form = place.querySelector("form.edit");
  if (!form) return void (location.href = link.href);
  lines.hidden = true;
  link.setAttribute("aria-expanded", "true");
  const { top } = place.getBoundingClientRect();
  if (top < 60 || top > window.innerHeight / 2) place.scrollIntoView({ block: "start" });
  const area = form.querySelector("#source");
  const isTyped = () => area.value !== area.defaultValue || "unsaved" in form.dataset;

  /** Show the lines again: as they are now, where a step was made. */
  const close = (next) => {
    if ("made" in form.dataset) {
      if (next) sessionStorage.setItem(OPEN, next.href);
      location.reload();
      return false;
    }
    place.remove();
    lines.hidden = false;
    link.removeAttribute("aria-expanded");
    if (!next) link.focus();
    return true;
  };
  /** Make room for another editor, unless something typed waits here. */
  place.leave = (next) => {
    if (!isTyped()) return close(next);
    place.scrollIntoView({ block: "nearest" });
    (area.editor?.view ?? area).focus();
    return false;
  };
  place.querySelector("[data-closes]")?.addEventListener("click", () => {
    if (isTyped()) location.reload(); // which asks, as typed text would be lost
    else close();
  });
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    setTimeout(() => { // a list or a panel of the editor closes first
      if (!event.defaultPrevented && place.isConnected && !isTyped()) close();
    });
  }, true);
}
