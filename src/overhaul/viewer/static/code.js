// A code entry: lines that belong together are marked, blocks fold, names show their pictures.
const kept = "overhaul.assembly";

export default function (code) {
  const box = code.querySelector(".with-assembly");
  if (box) {
    box.checked ||= localStorage.getItem(kept) === "1";
    box.addEventListener("change", () => localStorage.setItem(kept, box.checked ? "1" : "0"));
  }
  far(code);
  link(code);
  fold(code);
  pictures(code);
}

/** Of long code, go to the part that has the line of the address. */
function far(code) {
  const line = /^#L(\d+)$/.exec(location.hash)?.[1];
  if (!line || !code.dataset.part || code.querySelector(`[data-line="${line}"]`)) return;
  const address = new URL(location.href);
  if (address.searchParams.get("line") === line) return;
  address.searchParams.set("line", line);
  location.replace(address);
}

/** Mark the instructions of the line under the pointer, and the line of an instruction. */
function link(code) {
  let marked = [];
  code.addEventListener("pointerover", (event) => {
    const line = event.target.closest?.("[data-line], [data-of]");
    const number = line?.dataset.line ?? line?.dataset.of;
    for (const each of marked) each.classList.remove("linked");
    marked = number ? [...code.querySelectorAll(`[data-line="${number}"], [data-of="${number}"]`)] : [];
    for (const each of marked) each.classList.add("linked");
  });
  code.addEventListener("click", (event) => {
    const line = event.target.closest("[data-line]");
    if (!line || event.target.closest("a, button")) return;
    const list = code.querySelector(".assembly .lines");
    const first = list?.querySelector(`[data-of="${line.dataset.line}"]`);
    if (first) list.scrollTop = first.offsetTop - list.offsetTop - list.clientHeight / 3;
  });
}

/** A button at the first line of every block hides the others. */
function fold(code) {
  for (const line of code.querySelectorAll("[data-fold]")) {
    const button = document.createElement("button");
    button.className = "fold";
    button.type = "button";
    button.setAttribute("aria-label", `Block of line ${line.dataset.line}`);
    button.setAttribute("aria-expanded", "true");
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(open));
      show(code, line, open);
    });
    line.querySelector("code").before(button);
  }
}

function show(code, first, open) {
  const last = Number(first.dataset.fold);
  for (let number = Number(first.dataset.line) + 1; number < last; number++) {
    const line = code.querySelector(`[data-line="${number}"]`);
    if (!line) return;
    line.hidden = !open;
    const inner = line.querySelector(".fold");
    if (open && inner?.getAttribute("aria-expanded") === "false") number = Number(line.dataset.fold) - 1;
  }
}

/** The picture of a sprite next to its name. */
function pictures(code) {
  let shown = null;
  const hide = () => {
    shown?.remove();
    shown = null;
  };
  const look = (event) => {
    const name = event.target.closest?.("[data-picture]");
    hide();
    if (!name) return;
    shown = new Image();
    shown.className = "hover-picture";
    shown.alt = "";
    shown.src = name.dataset.picture;
    const place = name.getBoundingClientRect();
    shown.style.left = `${place.left}px`;
    shown.style.top = `${place.bottom + 6}px`;
    document.body.append(shown);
  };
  code.addEventListener("pointerover", look);
  code.addEventListener("focusin", look);
  code.addEventListener("pointerleave", hide);
  code.addEventListener("focusout", hide);
}
