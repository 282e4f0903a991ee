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

window.addEventListener("beforeunload", (event) => {
  if (!sending && [...waiting].some((isWaiting) => isWaiting())) event.preventDefault();
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) sending = false;
});
