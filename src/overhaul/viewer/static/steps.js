// Steps made without leaving the page: a form is sent, and the top bar of the answer is put here.
export const ENDED = "The viewer does not answer. Start it with the same files again, and open this page.";

/** Send a form as its button does; the answer's page, or why there is no step. */
export function send(form, button = null) {
  return post(form.action, new URLSearchParams(new FormData(form, button)));
}

export async function post(address, body) {
  let answer;
  try {
    answer = await fetch(address, { method: "POST", body });
  } catch {
    return { problem: ENDED };
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok) {
    const said = page.querySelector("main [role=alert]") ?? page.querySelector("main");
    return { problem: said?.textContent.trim() || `error ${answer.status}`, stale: answer.status === 409 };
  }
  bar(page);
  return { page, address: answer.url };
}

/** Show how many steps there are, as another page says it; who listens hears of it. */
export function bar(page) {
  const [here, there] = [document.getElementById("bench"), page.getElementById("bench")];
  if (here && there) here.replaceWith(document.importNode(there, true));
  else if (there) document.querySelector(".columns").before(document.importNode(there, true));
  else here?.remove();
  document.body.dataset.step = page.body.dataset.step;
  window.dispatchEvent(new Event("overhaul:step"));
}

/**
 * A form, and undo and redo of the top bar, stay on the page; these as long as nothing on it waits to
 * be sent, as `waits` says. `done` shows what is on the page as it is then.
 */
export function stays(root, form, waits, done) {
  let isSending = false;
  const go = async (each, submitter) => {
    if (isSending) return;
    isSending = true;
    root.setAttribute("aria-busy", "true");
    try {
      await done(await send(each, submitter));
    } finally {
      root.removeAttribute("aria-busy");
      isSending = false;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go(form);
  });
  document.addEventListener("submit", (event) => {
    const each = event.target;
    if (!/\/-\/(undo|redo)$/.test(each.action) || !each.closest("#bench") || waits()) return;
    event.preventDefault();
    go(each, event.submitter);
  });
}

/**
 * Show on a canvas what a step made, or why there is none: `load` gets the page of `root.dataset.address`
 * as data. Without an answer the page is loaded again, and this is false.
 */
export async function answered(root, problem, load) {
  const said = root.querySelector(".room-problem");
  said.hidden = !problem;
  said.textContent = problem ?? "";
  if (problem) return true;
  const answer = await fetch(root.dataset.address);
  if (answer.ok) load(await answer.json());
  else location.reload();
  return answer.ok;
}

/** Take the last step back; whether there is one. */
export function undo() {
  const button = document.querySelector('#bench form[action$="/-/undo"] button:not(:disabled)');
  button?.click();
  return Boolean(button);
}
