// A field in words becomes its control when it is clicked: Enter applies it, Esc leaves it as it was. The
// control is that of the form of "Edit fields", which waits hidden.

const opener = () => document.querySelector('.edits a[aria-controls="edit-here"]');
const keyOf = (row) => row.querySelector("dt").textContent.trim().replaceAll(" ", "_");

/** The controls of a form by the keys of the fields that stand alone. */
function controls(root) {
  const found = new Map();
  for (const control of root.querySelectorAll("form.form [name]")) {
    const [, key] = /^[fk]:\/([^/]+)$/.exec(control.name) ?? [];
    if (key && !control.disabled && !control.readOnly && control.type !== "hidden") {
      found.set(key, found.has(key) ? null : control); // several: a list of choices
    }
  }
  return found;
}

export default function (list) {
  const link = opener();
  if (!link) return;
  let known;
  let shut = () => {};

  /** Mark what can be edited, when the pointer first comes near. */
  async function learn() {
    known ??= fetch(link.href, { headers: { "HX-Request": "true" } }).then(async (answer) => {
      if (!answer.ok) return new Map();
      return controls(new DOMParser().parseFromString(await answer.text(), "text/html"));
    });
    for (const row of list.children) {
      if (!(await known).get(keyOf(row))) continue;
      row.classList.add("editable");
      row.title ||= "Click to edit";
    }
  }

  async function open(row) {
    shut();
    const place = document.getElementById("edit-here");
    place.classList.add("behind");
    await htmx.ajax("GET", link.href, { target: place, swap: "innerHTML" });
    const form = place.querySelector("form.form");
    const control = controls(place).get(keyOf(row));
    if (!form || !control) return place.classList.remove("behind");
    form.id = "in-place";
    const whole = control.closest(".named-by, .colour") ?? control;
    for (const each of [whole, ...whole.querySelectorAll("[name]")]) each.setAttribute("form", form.id);
    control.setAttribute("aria-label", row.querySelector("dt").textContent);
    const value = row.querySelector("dd");
    const before = [...value.childNodes];
    value.replaceChildren(whole);
    row.classList.add("open");
    control.focus();
    control.select?.();
    const was = control.type === "checkbox" ? control.checked : control.value;
    shut = () => {
      shut = () => {};
      value.replaceChildren(...before);
      row.classList.remove("open");
      place.replaceChildren();
      place.classList.remove("behind");
    };
    whole.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        shut();
      } else if (event.key === "Enter" && control.tagName !== "TEXTAREA" && !event.defaultPrevented) {
        event.preventDefault();
        form.requestSubmit(form.querySelector('button[value="save"]'));
      }
    });
    whole.addEventListener("focusout", () => setTimeout(() => {
      const now = control.type === "checkbox" ? control.checked : control.value;
      if (now === was && !whole.contains(document.activeElement)) shut();
    }, 150));
  }

  list.addEventListener("pointerenter", learn, { once: true });
  list.addEventListener("click", async (event) => {
    const row = event.target.closest(".facts > div");
    if (!row || event.target.closest("a, input, select, textarea, button")) return;
    await learn();
    if (row.classList.contains("editable") && !row.classList.contains("open")) open(row);
  });
}
