// Typed text is sent without leaving its page: what became of it is said above, the cursor stays.
import { bar, ENDED } from "./steps.js";

/** The parts of the page that say what became of the text. */
const PARTS = ["[data-said]", "[data-shown]"];
const OPENED = ["before", "base"];

export default function (form) {
  form.dataset.stays = "";
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.hasAttribute("aria-busy")) return;
    form.setAttribute("aria-busy", "true");
    try {
      await go(form, event.submitter);
    } finally {
      form.removeAttribute("aria-busy");
    }
  });
}

async function go(form, button) {
  const area = form.querySelector("#source");
  const sent = area.value;
  let page;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return say(ENDED);
  }
  const there = page.querySelector("form.edit");
  if (!there) return say(page.querySelector("main [role=alert], main")?.textContent.trim());
  for (const part of PARTS) replace(part, page);
  const text = there.querySelector("#source").value;
  for (const name of OPENED) form.elements[name].value = there.elements[name].value;
  if ("unsaved" in there.dataset) {
    form.dataset.unsaved = "";
    area.defaultValue = form.elements.base.value;
    if (area.value === sent && text !== sent) put(area, text); // two edits in one
  } else {
    delete form.dataset.unsaved;
    const isAsSent = area.value === sent;
    area.defaultValue = text;
    if (isAsSent) put(area, text);
  }
  accept(form, there);
  if (page.body.dataset.step !== document.body.dataset.step) form.dataset.made = "";
  bar(page);
  form.dispatchEvent(new Event("overhaul:sent"));
}

/** Show another text in the field, and in its editor. */
function put(area, text) {
  if (area.editor) area.editor.change(text);
  if (area.value !== text) area.value = text;
}

/** What can be accepted nevertheless stands next to the button, once it was refused. */
function accept(form, there) {
  const [old, now] = [form, there].map((each) => each.elements.accept?.closest("label"));
  old?.remove();
  if (now) form.querySelector("[data-saves]").parentElement.append(document.importNode(now, true));
}

function replace(part, page) {
  const [old, now] = [document.querySelector(part), page.querySelector(part)];
  if (!old || !now) return;
  const made = document.importNode(now, true);
  old.replaceWith(made);
  document.dispatchEvent(new CustomEvent("htmx:load", { detail: { elt: made } }));
  if (made.childElementCount) made.scrollIntoView({ block: "nearest" });
}

function say(text) {
  const said = Object.assign(document.createElement("p"), { className: "warning", textContent: text || "This can’t be sent." });
  said.setAttribute("role", "alert");
  document.querySelector("[data-said]").replaceChildren(said);
}
