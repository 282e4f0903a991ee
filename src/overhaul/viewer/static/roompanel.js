// What stands next to a room on a canvas: what can be added, what is chosen, and the layers.
import named, { found } from "./names.js";
import { Picker } from "./picker.js";

const SEVERAL = "several";

export class Panel {
  constructor(editor) {
    this.editor = editor;
    this.fields = editor.find(".chosen-fields");
    this.to = editor.find(".add-to");
    this.field = editor.find(".add-name");
    this.to.addEventListener("change", () => this.palette());
    this.fields.addEventListener("change", ({ target }) => this.typed(target));
    this.fields.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.shown = null;
      this.show();
      editor.canvas.focus();
      event.stopPropagation();
    });
    this.layers();
  }

  // -- layers --------------------------------------------------------------------------------

  layers() {
    const { editor } = this;
    const chosen = editor.groups.findIndex(({ title }) => title === this.title);
    const layers = editor.find(".layers");
    layers.replaceChildren(...editor.groups.map((group) => this.layer(group)).reverse());
    this.to.replaceChildren(...editor.groups.filter((group) => !group.fixed).map((group) => new Option(group.title, group.number)));
    if (chosen >= 0) this.to.value = chosen;
    else this.to.value = String((editor.groups.find((group) => group.items.length && !group.fixed) ?? editor.groups[0])?.number);
    this.palette();
  }

  layer(group) {
    const { editor } = this;
    const line = document.createElement("li");
    const button = (word, isOn, does) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: word });
      made.setAttribute("aria-label", `${word} ${group.title}`);
      made.setAttribute("aria-pressed", String(isOn));
      made.addEventListener("click", () => {
        does();
        for (const item of editor.chosen) if (item.group.title === group.title) editor.chosen.delete(item);
        made.setAttribute("aria-pressed", String(made.getAttribute("aria-pressed") !== "true"));
        editor.changed();
      });
      return made;
    };
    const name = Object.assign(document.createElement("span"), { textContent: group.title });
    const count = Object.assign(document.createElement("span"), { className: "count", textContent: group.items.length });
    line.append(
      button("Show", editor.isVisible(group), () => editor.hidden.set(group.title, editor.isVisible(group))),
      button("Lock", editor.isLocked(group), () => {
        if (!editor.locked.delete(group.title)) editor.locked.add(group.title);
      }),
      name, " ", count,
    );
    return line;
  }

  // -- the palette ---------------------------------------------------------------------------

  get group() { return this.editor.groups[Number(this.to.value)]; }

  palette() {
    const { editor, group } = this;
    if (this.title === group?.title && this.picker) return;
    this.title = group?.title;
    editor.find(".add-what").hidden = !group?.names;
    if (!group?.names) {
      this.picker = null;
      return;
    }
    const known = new Map(group.items.filter(({ name }) => name).map(({ name, look }) => [name, this.seen(name, look)]));
    this.field.value = "";
    editor.place(null);
    const choose = (choice) => editor.place(choice);
    const field = this.field.cloneNode();
    this.field.replaceWith(field);
    this.field = field;
    this.picker = new Picker(editor.find(".palette-pick"), field, { kind: group.kind, known: [...known.values()], choose });
  }

  /** A choice that looks like an element of the room. */
  seen(name, key) {
    const look = this.editor.page.looks[key];
    return { name, look, picture: look?.href };
  }

  /** What is chosen in the palette, or named in its search. */
  wanted() {
    const { group, picker } = this;
    if (!group?.names) return { name: "" };
    const name = this.field.value.trim();
    if (!group.kind && (name || !picker.choices.length)) return { name };
    const choice = picker.named(picker.chosen) ?? picker.named(name) ?? picker.choices[0];
    if (!choice) this.editor.say("What is to be added?");
    else picker.mark(choice.name);
    return choice ?? null;
  }

  /** What was dragged here by its name; null for what can't be added. */
  async dropped(name) {
    const { picker } = this;
    if (!picker) return null;
    return picker.named(name) ?? (picker.kind ? found(picker.kind, decodeURIComponent(name)) : null);
  }

  // -- what is chosen ------------------------------------------------------------------------

  /** Fields of what is chosen; the inputs stay as long as the same is. */
  show() {
    const { editor } = this;
    const items = [...editor.chosen];
    const [first] = items;
    const isAlike = items.every((item) => item.group.word === first.group.word && item.group.path === first.group.path);
    const key = `${items.length && isAlike ? first.group.title : ""} ${items.length} ${first?.group.fields.length}`;
    editor.find(".chosen-nothing").hidden = items.length > 0;
    editor.find(".chosen-tools").hidden = !items.length || items.every((item) => item.group.fixed);
    editor.find(".chosen-align").hidden = items.length < 2;
    if (key !== this.shown) {
      this.shown = key;
      const fields = !first ? [] : isAlike ? first.group.fields : [];
      this.fields.replaceChildren(...(first ? this.rows(first, fields) : []));
    }
    for (const input of this.fields.querySelectorAll("[data-key]")) this.value(input, items);
    this.code(items);
  }

  rows({ group }, fields) {
    const rows = ["x", "y"].map((axis) => this.row({ key: axis, type: "number" }));
    const others = this.editor.groups.filter((other) => other.word === group.word && !other.fixed && other.layer);
    if (group.layer && others.length > 1) {
      const choices = others.map(({ title, number }) => [title, number]);
      rows.push(this.row({ key: " layer", label: "layer", type: "choice", choices }));
    }
    return [...rows, ...fields.map((field) => this.row(field))];
  }

  row({ key, label = key.replaceAll("_", " "), type, choices = [], kind = "", fixed = false, about = "" }) {
    const line = document.createElement("label");
    const name = Object.assign(document.createElement("span"), { className: "label", textContent: label, title: about });
    let input = document.createElement("input");
    if (type === "choice") {
      input = document.createElement("select");
      input.append(...choices.map((each) => (Array.isArray(each) ? new Option(...each) : new Option(each))));
    } else if (type === "flag") input.type = "checkbox";
    else if (type === "abgr" || type === "colour") input.type = "color";
    else if (type === "number" || type === "integer") Object.assign(input, { type: "number", step: type === "integer" ? "1" : "any" });
    else Object.assign(input, { type: "text", autocomplete: "off", spellcheck: false });
    Object.assign(input.dataset, { key, type });
    if (fixed) input.readOnly = true;
    line.append(name, input);
    if (type === "abgr") line.append(this.opacity(key));
    const row = Object.assign(document.createElement("div"), { className: `row ${type}` });
    row.append(line);
    if (kind && !fixed) this.pictured(input, kind);
    return row;
  }

  opacity(key) {
    const input = Object.assign(document.createElement("input"), { type: "number", min: 0, max: 255, title: "Opacity, 0 to 255" });
    input.setAttribute("aria-label", "opacity");
    Object.assign(input.dataset, { key, type: "alpha" });
    return input;
  }

  /** A field that names a resource: it is chosen with pictures, and drawn as that looks. */
  pictured(input, kind) {
    input.dataset.kind = kind;
    input.addEventListener("picked", ({ detail }) => {
      if (detail.look) this.editor.page.looks[`${input.dataset.key}:${detail.name}`] ??= detail.look;
    });
    named(input);
  }

  value(input, items) {
    const { key, type } = input.dataset;
    const texts = items.map((item) => this.text(item, key));
    const isSame = texts.every((text) => text === texts[0]);
    const text = isSame ? texts[0] : "";
    const number = Number(text || 0);
    const hex = (each) => (each & 255).toString(16).padStart(2, "0");
    if (document.activeElement === input && input.type === "text") return;
    if (type === "flag") { input.checked = isSame && text === "yes"; input.indeterminate = !isSame; }
    else if (type === "abgr") input.value = `#${hex(number)}${hex(number >> 8)}${hex(number >> 16)}`;
    else if (type === "alpha") input.value = isSame ? number >>> 24 : "";
    else if (type === "choice" && !isSame) input.selectedIndex = -1;
    else input.value = type === "number" ? text.replace(/\.0$/, "") : text;
    if ("placeholder" in input) input.placeholder = isSame ? "" : SEVERAL;
  }

  text(item, key) {
    if (key === "x" || key === "y") return String(item[key]);
    return key === " layer" ? String(item.group.number) : item.text(key);
  }

  typed(input) {
    const { key, type } = input.dataset;
    const { editor } = this;
    const items = [...editor.chosen];
    if (!key || !items.length || !input.checkValidity()) return;
    if (key === "x" || key === "y") {
      const by = input.value.trim() === "" ? NaN : Number(input.value) - items[0][key];
      if (Number.isFinite(by)) editor.move(items, key === "x" ? by : 0, key === "y" ? by : 0);
    } else if (key === " layer") editor.raise(items, editor.groups[Number(input.value)]);
    else if (type === "flag") editor.fill(items, key, input.checked ? "yes" : "");
    else if (type === "abgr" || type === "alpha") this.coloured(items, key, input);
    else if ((type === "number" || type === "integer") && input.value.trim() === "") this.show();
    else editor.fill(items, key, input.value);
    this.show();
  }

  coloured(items, key, { dataset, value }) {
    const digits = Number.parseInt(value.slice(1), 16);
    const swapped = ((digits & 255) << 16) | (digits & 0xff00) | (digits >> 16);
    const mixed = (item) => {
      const now = item.number(key, 0xffffffff);
      return dataset.type === "alpha" ? ((now & 0xffffff) | (Number(value) << 24)) >>> 0 : ((now & 0xff000000) | swapped) >>> 0;
    };
    this.editor.act(() => items.forEach((item) => {
      const text = String(mixed(item));
      if (text !== item.text(key)) this.editor.put(item, { fields: { ...item.state.fields, [key]: text } });
    }));
  }

  /** Where the creation code of what is chosen is written. */
  code(items) {
    const { editor } = this;
    const [item] = items;
    const link = editor.find(".chosen-code a");
    const add = editor.find(".chosen-code form");
    const isOne = items.length === 1 && item.group.coded && item.old;
    link.hidden = !isOne || !item.code;
    if (!link.hidden) link.href = item.code;
    add.hidden = !isOne || Boolean(item.code);
    if (!add.hidden) add.elements.id.value = item.text("id");
  }
}
