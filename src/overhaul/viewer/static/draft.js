// A form of which drafts are kept: what is typed in it is asked about before the page is left.
import { Drafts } from "./drafts.js";
import { controlsOf, defaultOf, valueOf } from "./typed.js";

/** What the page was opened with is restored with the fields. */
const OPENED = ["before", "base"];

function nameOf(control) {
  return /^(checkbox|radio)$/.test(control.type) ? `${control.name}=${control.value}` : control.name;
}

export default function (form) {
  const isUnsaved = () => "unsaved" in form.dataset;
  const controls = () => controlsOf(form);
  const opened = () => Object.fromEntries(OPENED.filter((name) => form.elements[name]).map((name) => [name, form.elements[name].value]));
  const drafts = new Drafts(form.dataset.draft, form, {
    read() {
      const typed = controls().filter((each) => isUnsaved() || valueOf(each) !== defaultOf(each));
      if (!typed.length) return null;
      return { opened: opened(), fields: typed.map((each) => [nameOf(each), valueOf(each)]) };
    },
    write({ opened: then, fields }) {
      const there = new Map(controls().map((each) => [nameOf(each), each]));
      const lost = [];
      for (const [name, value] of fields) {
        const control = there.get(name);
        if (!control) lost.push([name, String(value)]);
        else if (typeof value === "boolean") control.checked = value;
        else {
          control.value = value;
          control.editor?.change(value);
        }
      }
      for (const [name, value] of Object.entries(then)) {
        if (form.elements[name]) form.elements[name].value = value;
      }
      return lost;
    },
    has({ fields }) {
      const there = new Map(controls().map((each) => [nameOf(each), valueOf(each)]));
      return fields.every(([name, value]) => there.get(name) === value);
    },
  });
  form.addEventListener("input", () => drafts.changed());
  form.addEventListener("change", () => drafts.changed());
  form.addEventListener("overhaul:sent", () => drafts.store());
  form.addEventListener("submit", (event) => {
    if ("stays" in form.dataset) drafts.store();
    else if (!drafts.sending()) event.preventDefault();
  });
}
