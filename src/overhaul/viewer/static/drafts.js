// Drafts: what was typed or painted and not sent is kept in the browser's storage, by game and file,
// and offered when the page is opened again, also after the viewer or the browser ended.
import { cameBack, guard, hasEnded, keepsDrafts, send } from "./leaving.js";

const NAME = `overhaul:draft:${document.body.dataset.game}:`;
const SENT = "overhaul:sent";
/** Milliseconds that one has to be quiet before a draft is kept; drafts that are kept of a page. */
const QUIET = 400;
const MOST = 5;

function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(NAME + key)) ?? [];
  } catch {
    return [];
  }
}

function keep(key, drafts) {
  if (drafts.length) localStorage.setItem(NAME + key, JSON.stringify(drafts.slice(-MOST)));
  else localStorage.removeItem(NAME + key);
}

/** The draft to which this page is the answer, if it is one; forgotten if it became a step. */
function sentBefore() {
  const sent = JSON.parse(sessionStorage.getItem(SENT) ?? "null");
  sessionStorage.removeItem(SENT);
  const [how] = performance.getEntriesByType("navigation");
  const from = document.referrer && new URL(document.referrer).pathname;
  if (!sent || how?.type !== "navigate" || from !== sent.page) return null;
  const isRefused = document.querySelector("[data-unsaved], main [role=alert]");
  if (sent.step === document.body.dataset.step || isRefused) return sent;
  keep(sent.key, kept(sent.key).filter((draft) => draft.id !== sent.id));
  return null;
}

const answered = sentBefore();

/** The draft to which this page is the answer is sent once more: by another form. */
export function sendAgain() {
  if (!answered) return;
  sessionStorage.setItem(SENT, JSON.stringify({
    ...answered, step: document.body.dataset.step, page: location.pathname,
  }));
}

/** Forget the draft to which this page is the answer. */
export function discard() {
  if (answered) keep(answered.key, kept(answered.key).filter((draft) => draft.id !== answered.id));
}

/**
 * Drafts of a page. `read()` gives what is typed and not saved (null: nothing), `write(what)` puts it
 * back, `has(what)` says whether the page shows it; `where` is the element that offers stand before.
 */
export class Drafts {
  constructor(key, where, { read, write, has }) {
    Object.assign(this, { key, where, read, write, has });
    this.id = `${Date.now()}-${Math.random()}`;
    const shown = kept(key).filter((draft) => has(draft.what));
    if (read() !== null && answered?.key === key) this.id = answered.id;
    else if (read() !== null && shown.length) this.id = shown.at(-1).id;
    keep(key, kept(key).filter((draft) => draft.id === this.id || !has(draft.what)));
    for (const draft of kept(key)) {
      if (draft.id === this.id) continue;
      if (cameBack(draft.id)) setTimeout(() => this.comeBack(draft)); // the page is not ready yet
      else this.offer(draft);
    }
    guard(() => this.read() !== null);
    keepsDrafts(() => (this.store() ? (this.read() === null ? "" : this.id) : null));
    window.addEventListener("pagehide", () => this.store());
    document.addEventListener("visibilitychange", () => this.store());
  }

  changed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.store(), QUIET);
  }

  store() {
    clearTimeout(this.waiting);
    const what = this.read();
    const drafts = kept(this.key).filter((draft) => draft.id !== this.id);
    if (what !== null) drafts.push({ id: this.id, time: Date.now(), what });
    try {
      keep(this.key, drafts);
    } catch {
      this.say("What is typed here is too large for the storage of this browser: no draft of it is kept.");
      return false;
    }
    return true;
  }

  /** Show what was typed before this page was left for another tab. */
  comeBack(draft) {
    this.id = draft.id;
    this.leftOver(this.write(draft.what) ?? []);
  }

  /** Called before it is sent; false: it can't be. */
  sending() {
    this.store();
    if (hasEnded()) return false;
    sessionStorage.setItem(SENT, JSON.stringify({
      key: this.key, id: this.id, step: document.body.dataset.step, page: location.pathname,
    }));
    send();
    return true;
  }

  /** Put something before the page's form; `before` may be the name of a field there. */
  put(element) {
    this.where.insertAdjacentElement("beforebegin", element);
  }

  say(text) {
    if (!this.said) {
      this.said = Object.assign(document.createElement("p"), { className: "warning" });
      this.said.setAttribute("role", "status");
      this.put(this.said);
    }
    this.said.textContent = text;
  }

  offer(draft) {
    const box = document.createElement("div");
    const text = document.createElement("p");
    const time = new Date(draft.time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    box.className = "draft";
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Draft");
    text.textContent = `What you entered here on ${time} was not saved. `;
    const button = (name, does) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: name });
      made.addEventListener("click", () => { box.remove(); does(); });
      text.append(made, " ");
    };
    button("Restore", () => {
      this.drop(draft);
      this.leftOver(this.write(draft.what) ?? []);
      this.store();
    });
    button("Discard", () => this.drop(draft));
    box.append(text);
    this.put(box);
  }

  drop(draft) {
    keep(this.key, kept(this.key).filter((each) => each.id !== draft.id));
  }

  /** Texts that the page has no field for any more: [name, text]. */
  leftOver(texts) {
    for (const [name, text] of texts) {
      const label = document.createElement("label");
      const area = Object.assign(document.createElement("textarea"), { readOnly: true, rows: 3, value: text });
      label.append(`${name} is not on this page any more. You entered: `, area);
      this.put(label);
    }
  }
}
