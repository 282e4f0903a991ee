// A field that names a resource: names that fit what is typed, asked for where the page does not have
// all, and a window with pictures to choose from.
import { Picker } from "./picker.js";

let number = 0;

export default function (field) {
  completes(field);
  if (!field.readOnly && !field.disabled && field.dataset.kind) chooses(field);
}

function completes(field) {
  const list = document.getElementById(field.getAttribute("list"));
  if (!list?.dataset.more) return;
  let wait = 0;
  field.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(async () => {
      const query = new URLSearchParams({ kind: field.dataset.kind, q: field.value });
      const answer = await fetch(`${document.body.dataset.prefix}/-/names-of.json?${query}`);
      if (!answer.ok) return;
      const { names } = await answer.json();
      list.replaceChildren(...names.map((name) => Object.assign(document.createElement("option"), { value: name })));
    }, 120);
  });
}

function chooses(field) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "choose", title: "Choose with pictures", textContent: "…" });
  const label = field.closest("label");
  const said = field.getAttribute("aria-label") ?? label?.querySelector(".label")?.textContent ?? label?.textContent ?? "";
  button.setAttribute("aria-label", `Choose ${said.trim()} with pictures`);
  button.setAttribute("aria-haspopup", "dialog");
  (label ?? field).after(button);
  button.addEventListener("click", () => open(field, button));
  field.addEventListener("drop", (event) => dropped(event, field));
}

/** A link of the list at the side was dropped: its name is put there, if it is of the kind. */
async function dropped(event, field) {
  const link = event.dataTransfer.getData("text/uri-list").split("\n")[0];
  if (!link) return;
  event.preventDefault();
  const name = decodeURIComponent(new URL(link, location.href).pathname.split("/").at(-1));
  const choice = await found(field.dataset.kind, name);
  if (choice) take(field, choice);
}

/** The resource of a kind and a name, as it can be chosen. */
export async function found(kind, name) {
  const query = new URLSearchParams({ kind, q: name });
  const answer = await fetch(`${document.body.dataset.prefix}/-/pick.json?${query}`);
  const { choices } = answer.ok ? await answer.json() : { choices: [] };
  return choices.find((choice) => choice.name === name) ?? null;
}

function take(field, choice) {
  field.value = choice.name;
  const picture = field.parentElement.querySelector("img.named");
  if (picture && choice.picture) picture.src = choice.picture;
  if (picture) picture.hidden = !choice.picture;
  field.dispatchEvent(new CustomEvent("picked", { detail: choice }));
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}

/** The window of all fields: a search, and what it finds. */
function open(field, button) {
  const dialog = Object.assign(document.createElement("dialog"), { className: "picker" });
  const id = `pick-${number += 1}`;
  const title = Object.assign(document.createElement("label"), { htmlFor: id, textContent: `Choose ${article(field.dataset.kind)}` });
  const search = Object.assign(document.createElement("input"), { type: "search", id, autocomplete: "off", spellcheck: false, placeholder: "Search" });
  const place = document.createElement("div");
  const row = Object.assign(document.createElement("p"), { className: "picker-does" });
  const does = (text, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.addEventListener("click", act);
    row.append(made, " ");
  };
  const choose = (choice) => {
    take(field, choice);
    dialog.close();
  };
  does("None", () => choose({ name: "" }));
  does("Cancel", () => dialog.close());
  dialog.append(title, search, place, row);
  dialog.addEventListener("close", () => { dialog.remove(); button.focus(); });
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
  const picker = new Picker(place, search, { kind: field.dataset.kind, choose });
  picker.chosen = field.value;
}

function article(noun) { return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`; }
