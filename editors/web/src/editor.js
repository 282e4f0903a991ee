// The code editor: takes the place of a textarea, which keeps its text for the form around it.
import {
  autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching, foldGutter, foldKeymap, foldService, HighlightStyle, indentUnit, StreamLanguage,
  syntaxHighlighting, syntaxTree,
} from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap,
  lineNumbers, showTooltip,
} from "@codemirror/view";
import { Tag, tags } from "@lezer/highlight";
import { Service } from "./service.js";
import { block, parser } from "./words.js";
import { theme } from "./theme.js";

/** Milliseconds that one has to be quiet before the text is checked. */
const QUIET = 200;
const RENAMED = "overhaul.renamed";
const ICONS = {
  asset: "class", builtin: "function", constant: "constant", enum: "enum", field: "property",
  function: "function", keyword: "keyword", local: "variable", macro: "constant", member: "constant",
  method: "method", parameter: "variable", struct: "class", variable: "variable",
};
/**
 * The colours that names have beyond those of the words of the language. CodeMirror has a meaning of
 * its own for "builtin", so it is not called that.
 */
const roles = {
  asset: Tag.define(), builtinName: Tag.define(), local: Tag.define(), called: Tag.define(),
  constantName: Tag.define(),
};
const TAGS = {
  asset: "asset", builtin: "builtinName", local: "local", parameter: "local", function: "called",
  constant: "constantName", type: "constantName", keyword: "keyword", name: "variableName",
  field: "propertyName",
};
const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "cm-keyword" },
  { tag: tags.string, class: "cm-string" },
  { tag: tags.number, class: "cm-number" },
  { tag: [tags.comment, tags.meta], class: "cm-comment" },
  { tag: [roles.builtinName, roles.constantName], class: "cm-builtin" },
  { tag: roles.asset, class: "cm-asset" },
  { tag: roles.called, class: "cm-called" },
]);

export default function (area) {
  const { rules, path, language, entry } = JSON.parse(area.dataset.editor);
  new Editor(area, rules, new Service(language, path), entry);
}

class Editor {
  constructor(area, rules, service, entry) {
    this.area = area;
    this.service = service;
    this.entry = entry;
    this.names = {};
    this.rules = rules;
    this.language = new Compartment();
    this.host = document.createElement("div");
    this.host.className = "editor-host";
    // In a shadow root the styles of the editor are adopted, which needs no style element.
    const root = this.host.attachShadow({ mode: "open" });
    area.after(this.host);
    area.hidden = true;
    document.querySelector(`label[for="${area.id}"]`)?.setAttribute("hidden", "");
    this.view = new EditorView({
      state: EditorState.create({ doc: area.value, extensions: this.extensions() }),
      parent: root,
      root,
    });
    area.editor = this;
    this.keys();
    this.connect();
    this.check();
  }

  extensions() {
    const keys = [
      { key: "F12", run: () => this.go("define") },
      { key: "Shift-F12", run: () => this.go("uses") },
      { key: "F2", run: () => this.askName() },
      { key: "Shift-Alt-f", run: () => this.format() },
      { key: "Mod-s", run: () => this.submit(), preventDefault: true },
    ];
    return [
      lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), highlightActiveLine(),
      highlightActiveLineGutter(), bracketMatching(), closeBrackets(), highlightSelectionMatches(),
      search({ top: true }), indentUnit.of("    "), EditorState.tabSize.of(4), theme,
      syntaxHighlighting(colours), this.language.of(this.stream()), this.folding(),
      autocompletion({ override: [(context) => this.complete(context)], maxRenderedOptions: 60 }),
      hoverTooltip((view, at) => this.hover(at)), calls, this.calling(),
      EditorView.contentAttributes.of({ "aria-label": this.area.dataset.label ?? "Source" }),
      EditorState.readOnly.of(this.area.readOnly),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        this.area.value = update.state.doc.toString();
        this.area.dispatchEvent(new Event("input", { bubbles: true }));
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => this.check(), QUIET);
      }),
      keymap.of([
        ...keys, ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap,
        ...foldKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab,
      ]),
    ];
  }

  /** The colours, by what the names are that the service knows. */
  stream() {
    const { names } = this;
    const role = (name, dot) => (dot ? "propertyName" : TAGS[names[name]] ?? "variableName");
    return StreamLanguage.define({ ...parser(this.rules, role), tokenTable: roles });
  }

  folding() {
    return foldService.of((state, from, to) => {
      const isCode = (at) => !/string|comment/i.test(syntaxTree(state).resolveInner(at, 1).name);
      return block(state.doc.toString(), from, to, isCode);
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get at() {
    return this.view.state.selection.main.head;
  }

  // -- what the service says ---------------------------------------------------------------------

  async check() {
    this.checking?.abort();
    this.checking = new AbortController();
    const text = this.text;
    const said = await this.service.ask("check", { text }, this.checking.signal);
    if (!said || said.refused || text !== this.text) return;
    const length = text.length;
    const found = said.diagnostics.map((each) => ({
      from: Math.min(each.start, length),
      to: Math.min(Math.max(each.end, each.start), length),
      severity: each.severity,
      message: each.message,
    }));
    if (JSON.stringify(said.names) !== JSON.stringify(this.names)) {
      this.names = said.names;
      this.view.dispatch({ effects: this.language.reconfigure(this.stream()) });
    }
    this.view.dispatch(setDiagnostics(this.view.state, found));
    this.status(found);
  }

  /** Say below the text how many mistakes there are. */
  status(found) {
    const errors = found.filter((each) => each.severity === "error").length;
    const warnings = found.length - errors;
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    const parts = [errors && count(errors, "mistake"), warnings && count(warnings, "warning")].filter(Boolean);
    this.line.textContent = parts.join(", ") || "No mistakes";
    this.line.dataset.state = errors ? "wrong" : warnings ? "doubtful" : "good";
    this.host.dataset.checked = String(Number(this.host.dataset.checked ?? 0) + 1);
  }

  async complete(context) {
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*$/u);
    const dot = context.matchBefore(/\.[ \t]*$/);
    if (!word && !dot && !context.explicit) return null;
    const controller = new AbortController();
    context.addEventListener("abort", () => controller.abort());
    const said = await this.service.ask(
      "complete", { text: this.text, offset: context.pos }, controller.signal,
    );
    if (!said || said.refused || !said.items.length) return null;
    return {
      from: said.start,
      filter: false,
      options: said.items.map((item) => ({
        label: item.name,
        type: ICONS[item.kind],
        detail: item.detail.startsWith(item.name) ? item.detail.slice(item.name.length) : item.detail,
        info: item.about || undefined,
        apply: item.inserted || item.name,
      })),
    };
  }

  async hover(at) {
    const said = await this.service.ask("hover", { text: this.text, offset: at });
    if (!said?.code) return null;
    return {
      pos: said.start,
      end: said.end,
      above: true,
      create: () => ({ dom: about(said.code, said.about) }),
    };
  }

  /** The parameters of the call that is written. */
  calling() {
    return EditorView.updateListener.of(async (update) => {
      if (!update.docChanged && !update.selectionSet) return;
      const { at } = this;
      const behind = update.state.sliceDoc(Math.max(0, at - 1), at);
      if (update.docChanged && /[(,]/.test(behind)) this.isCalling = true;
      if (!this.isCalling) return;
      const { text } = this;
      const said = await this.service.ask("signature", { text, offset: at });
      if (text !== this.text || at !== this.at) return; // the next change has asked again
      this.isCalling = Boolean(said?.text);
      this.view.dispatch({ effects: setCall.of(this.isCalling ? { ...said, at } : null) });
    });
  }

  // -- what people ask ---------------------------------------------------------------------------

  go(what) {
    this.service.ask(what, { text: this.text, offset: this.at }).then((said) => {
      if (!said || said.refused) return this.say(said?.refused ?? this.service.broken);
      const { places } = said;
      if (what === "define" && places.length === 1) return this.follow(places[0]);
      this.list(what === "uses" ? "Uses" : "Where it is set", places, said.more);
    });
    return true;
  }

  /** Show a place: in this text, or on its page. */
  follow(place) {
    if (!place.own) {
      location.href = place.href;
      return;
    }
    this.view.dispatch({ selection: { anchor: place.start, head: place.end }, scrollIntoView: true });
    this.view.focus();
  }

  format() {
    if (this.view.state.readOnly) return true;
    this.service.ask("format", { text: this.text }).then((said) => {
      if (!said || said.refused) return;
      if (said.text !== undefined && said.before === this.text) this.change(said.text);
    });
    return true;
  }

  /** Give it another text, as one step that can be undone. */
  change(text) {
    const old = this.text;
    let from = 0;
    while (from < Math.min(old.length, text.length) && old[from] === text[from]) from++;
    let end = 0;
    while (end < Math.min(old.length, text.length) - from && old.at(-1 - end) === text.at(-1 - end)) end++;
    if (from + end === old.length && old.length === text.length) return;
    this.view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
  }

  askName() {
    if (!this.tools.rename) return true;
    this.service.ask("name", { text: this.text, offset: this.at }).then((said) => {
      if (!said || said.refused || !said.name) return this.say(said?.refused ?? "There is no name here");
      this.renaming = { text: this.text, offset: this.at };
      this.tools.name.value = said.name;
      this.tools.rename.hidden = false;
      this.tools.name.focus();
      this.tools.name.select();
    });
    return true;
  }

  submit() {
    const button = this.area.form?.querySelector("[data-saves]:not(:disabled)");
    if (button) this.area.form.requestSubmit(button);
    return true;
  }

  // -- around the text ---------------------------------------------------------------------------

  keys() {
    // keys of the page do nothing while one types
    this.host.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    });
    this.host.addEventListener("click", (event) => {
      if (!(event.ctrlKey || event.metaKey)) return;
      this.go("define");
    });
  }

  connect() {
    const bar = document.getElementById("editor-tools");
    this.tools = {
      rename: document.getElementById("editor-rename"),
      name: document.getElementById("editor-name"),
      found: document.getElementById("editor-found"),
    };
    this.line = document.getElementById("editor-status");
    if (!bar) return;
    bar.hidden = false;
    bar.addEventListener("click", (event) => {
      const what = event.target.closest("[data-do]")?.dataset.do;
      if (what === "define" || what === "uses") this.go(what);
      else if (what === "format") this.format();
      else if (what === "rename") this.askName();
    });
    const box = bar.querySelector(".with-assembly");
    box?.addEventListener("change", () => this.assembly(box.checked));
    this.tools.rename?.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.closeRename();
    });
    this.tools.rename?.querySelector("[data-cancel]").addEventListener("click", () => this.closeRename());
    this.tools.rename?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.rename(this.tools.name.value);
    });
    window.addEventListener("overhaul:step", () => {
      const panel = document.getElementById("editor-assembly");
      if (!panel?.dataset.loaded) return;
      delete panel.dataset.loaded;
      panel.querySelector("ol").replaceChildren();
      if (!panel.hidden) this.assembly(true);
    });
    const renamed = JSON.parse(sessionStorage.getItem(RENAMED) ?? "null");
    sessionStorage.removeItem(RENAMED);
    if (renamed?.places.length) this.list(renamed.title, renamed.places, "");
    if (location.hash.startsWith("#at-")) {
      const at = Math.min(Number(location.hash.slice(4)) || 0, this.text.length);
      this.follow({ own: true, start: at, end: at });
    }
  }

  closeRename() {
    this.tools.rename.hidden = true;
    this.view.focus();
  }

  /** Rename in all files: a step of its own; the text here is what was saved. */
  async rename(name) {
    const said = await this.service.ask("rename", { ...this.renaming, name });
    if (!said || said.refused) return this.say(said?.refused ?? this.service.broken);
    sessionStorage.setItem(RENAMED, JSON.stringify(said)); // shown by the page that comes
    const to = new URL(said.href || location.href, location.href);
    if (to.pathname + to.search === location.pathname + location.search) location.reload();
    else location.href = to;
  }

  say(text) {
    this.tools.found.replaceChildren();
    const line = document.createElement("p");
    line.className = "warning";
    line.setAttribute("role", "alert");
    line.textContent = text || "There is nothing";
    this.tools.found.append(line);
  }

  list(title, places, more) {
    const head = document.createElement("h2");
    head.textContent = `${title} (${places.length})`;
    const list = document.createElement("ul");
    list.className = "places";
    for (const place of places) {
      const link = document.createElement("a");
      link.href = place.href || "#source";
      link.append(`${place.where} `, Object.assign(document.createElement("code"), { textContent: place.line }));
      link.addEventListener("click", (event) => {
        if (!place.own) return;
        event.preventDefault();
        this.follow(place);
      });
      list.appendChild(document.createElement("li")).append(link);
    }
    this.tools.found.replaceChildren(head, places.length ? list : Object.assign(document.createElement("p"), { className: "empty", textContent: "None." }));
    if (more) {
      const rest = Object.assign(document.createElement("a"), { href: more, textContent: "Search the whole game" });
      this.tools.found.appendChild(document.createElement("p")).append(rest);
    }
    this.tools.found.scrollIntoView({ block: "nearest" });
  }

  /** The assembly of the saved code next to the text. */
  async assembly(isShown) {
    const panel = document.getElementById("editor-assembly");
    panel.hidden = !isShown;
    panel.parentElement.classList.toggle("two", isShown);
    if (!isShown || panel.dataset.loaded) return;
    panel.dataset.loaded = "yes";
    const answer = await fetch(`${this.entry}.json`);
    const page = await answer.json();
    const list = panel.querySelector("ol");
    for (const line of page.assembly ?? []) {
      const item = document.createElement("li");
      if (line.line) item.dataset.of = line.line;
      item.append(
        Object.assign(document.createElement("span"), { className: "ln", textContent: line.line || "" }),
        Object.assign(document.createElement("code"), { textContent: line.text }),
      );
      list.append(item);
    }
    list.addEventListener("click", (event) => {
      const number = Number(event.target.closest("[data-of]")?.dataset.of);
      if (!number || number > this.view.state.doc.lines) return;
      const line = this.view.state.doc.line(number);
      this.follow({ own: true, start: line.from, end: line.from });
    });
  }
}

// ------------------------------------------------------------------------- what a call takes

const setCall = StateEffect.define();
const calls = StateField.define({
  create: () => null,
  update(call, change) {
    for (const effect of change.effects) if (effect.is(setCall)) return effect.value;
    return call && change.docChanged ? { ...call, at: change.changes.mapPos(call.at) } : call;
  },
  provide: (field) => showTooltip.from(field, (call) => call && {
    pos: call.at,
    above: true,
    create: () => ({ dom: callOf(call) }),
  }),
});

function callOf({ text, parameters, active, about: said }) {
  const dom = about("", said);
  const code = dom.querySelector("code");
  const marked = parameters[active];
  if (!marked) code.textContent = text;
  else {
    const strong = Object.assign(document.createElement("strong"), { textContent: text.slice(marked.start, marked.end) });
    code.append(text.slice(0, marked.start), strong, text.slice(marked.end));
  }
  return dom;
}

function about(code, said) {
  const dom = document.createElement("div");
  dom.className = "cm-about";
  dom.append(Object.assign(document.createElement("code"), { textContent: code }));
  for (const line of (said ?? "").split("\n").filter(Boolean)) {
    dom.append(Object.assign(document.createElement("p"), { textContent: line }));
  }
  return dom;
}
