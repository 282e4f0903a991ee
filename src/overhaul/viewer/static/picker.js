// Resources to choose from, with pictures: a search, and what it finds as a list.
const WAIT = 120;

/**
 * A list in `root` of the resources of a kind, or of `known` choices. `choose` is given the choice: its
 * name, its picture and its look. `field` has the words of the search.
 */
export class Picker {
  constructor(root, field, { kind = "", known = [], choose }) {
    Object.assign(this, { root, field, kind, known, choose, choices: [], chosen: "" });
    this.list = Object.assign(document.createElement("ul"), { className: "pick" });
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "What can be chosen");
    this.more = Object.assign(document.createElement("button"), { type: "button", textContent: "More", hidden: true });
    root.replaceChildren(this.list, this.more);
    this.more.addEventListener("click", () => this.show(this.choices.length));
    this.list.addEventListener("click", (event) => this.take(event.target.closest("[role=option]")));
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("dragstart", ({ target, dataTransfer }) => dataTransfer.setData("text/plain", target.dataset.name));
    field.addEventListener("input", () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.show(), WAIT);
    });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" || !this.list.children.length) return;
      this.list.querySelector("[tabindex='0']").focus();
      event.preventDefault();
    });
    this.show();
  }

  async show(first = 0) {
    const asked = this.asked = {};
    const found = this.kind ? await this.ask(first) : this.among();
    if (asked !== this.asked || !found) return;
    this.choices = first ? [...this.choices, ...found.choices] : found.choices;
    const shown = found.choices.map((choice) => this.option(choice));
    if (first) this.list.append(...shown);
    else this.list.replaceChildren(...shown);
    if (!this.list.querySelector("[tabindex='0']")) this.list.firstElementChild?.setAttribute("tabindex", "0");
    this.more.hidden = this.choices.length >= found.count;
    if (first) shown[0]?.focus();
    this.list.hidden = !this.choices.length;
  }

  async ask(from) {
    const query = new URLSearchParams({ kind: this.kind, q: this.field.value.trim(), from });
    const answer = await fetch(`${document.body.dataset.prefix}/-/pick.json?${query}`);
    return answer.ok ? answer.json() : null;
  }

  among() {
    const word = this.field.value.trim().toLowerCase();
    const choices = this.known.filter(({ name }) => name.toLowerCase().includes(word));
    return { choices, count: choices.length };
  }

  option(choice) {
    const line = Object.assign(document.createElement("li"), { draggable: true, tabIndex: -1 });
    line.setAttribute("role", "option");
    line.setAttribute("aria-selected", String(choice.name === this.chosen));
    line.dataset.name = choice.name;
    const picture = choice.picture ? Object.assign(new Image(), { src: choice.picture, alt: "", loading: "lazy", draggable: false }) : "";
    const box = Object.assign(document.createElement("span"), { className: "pick-picture" });
    if (picture) box.append(picture);
    line.append(box, choice.name);
    return line;
  }

  /** The choice of this name, if it is shown. */
  named(name) { return this.choices.find((choice) => choice.name === name); }

  take(line) {
    const choice = line && this.named(line.dataset.name);
    if (!choice) return;
    this.mark(choice.name);
    line.focus();
    this.choose(choice);
  }

  mark(name) {
    this.chosen = name;
    for (const line of this.list.children) {
      line.setAttribute("aria-selected", String(line.dataset.name === name));
      line.tabIndex = line.dataset.name === name ? 0 : -1;
    }
    if (!this.list.querySelector("[tabindex='0']")) this.list.firstElementChild?.setAttribute("tabindex", "0");
  }

  key(event) {
    const lines = [...this.list.children];
    const at = lines.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.take(lines[at]);
    else if (to === -1) this.field.focus();
    else if (to !== undefined) lines[Math.min(to, lines.length - 1)]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
