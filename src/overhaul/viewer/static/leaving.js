// What was typed is not lost: pages that hold some ask before they are left.
const waiting = new Set();
let sending = false;

/** Ask before the page is left while there is something that was not sent. */
export function guard(isWaiting) {
  waiting.add(isWaiting);
}

/** What there is is being sent: the page may be left. */
export function send() {
  sending = true;
}

/** It was not taken: the page stays. */
export function stay() {
  sending = false;
}

/** Whether the viewer is there; pages look now and then. */
export function hasEnded() {
  return !document.getElementById("ended")?.hidden;
}

/** A browser asks only for a page that somebody used; it logs a warning otherwise. */
const isUsed = () => navigator.userActivation?.hasBeenActive ?? true;

window.addEventListener("beforeunload", (event) => {
  if (!sending && isUsed() && [...waiting].some((isWaiting) => isWaiting())) event.preventDefault();
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) sending = false;
});

// A page next to another one is loaded again when a step was made there, unless something typed waits.
window.addEventListener("overhaul:stale", () => {
  if (![...waiting].some((isWaiting) => isWaiting())) location.reload();
});

// ------------------------------------------------------------------ pages that one comes back to

const AWAY = "overhaul:away";
const kept = new Set();

/** What keeps drafts: `store` keeps what is typed, and returns its id, "" for none, or null. */
export function keepsDrafts(store) {
  kept.add(store);
}

/** Leave the page for another tab without a question: what is typed is there again later. */
export function away() {
  const ids = [...kept].map((store) => store());
  if (ids.includes(null)) return; // it could not be kept
  sessionStorage.setItem(AWAY, JSON.stringify([...awayIds(), ...ids.filter(Boolean)]));
  sending = true;
}

function awayIds() {
  try {
    return JSON.parse(sessionStorage.getItem(AWAY)) ?? [];
  } catch {
    return [];
  }
}

/** Whether a draft was left in this window for another tab; asked once. */
export function cameBack(id) {
  const ids = awayIds();
  if (!ids.includes(id)) return false;
  sessionStorage.setItem(AWAY, JSON.stringify(ids.filter((each) => each !== id)));
  return true;
}
