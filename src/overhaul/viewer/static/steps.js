// Steps made without leaving the page: a form is sent, and the top bar of the answer is put here.
const ENDED = "The viewer does not answer. Start it with the same files again, and open this page.";

/** Send a form as its button does; the answer's page, or why there is no step. */
export async function send(form, button = null) {
  let answer;
  try {
    answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
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

/** Show how many steps there are, as another page says it. */
function bar(page) {
  const [here, there] = [document.getElementById("bench"), page.getElementById("bench")];
  if (here && there) here.replaceWith(document.adoptNode(there));
  else if (there) document.querySelector(".columns").before(document.adoptNode(there));
  else here?.remove();
  document.body.dataset.step = page.body.dataset.step;
}

/**
 * Undo and redo of the top bar stay on the page, as long as nothing on it waits to be sent;
 * `waits` says whether something does, `done` shows the page's things as they are then.
 */
export function stays(waits, done) {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!/\/-\/(undo|redo)$/.test(form.action) || !form.closest("#bench") || waits()) return;
    event.preventDefault();
    done(await send(form, event.submitter));
  });
}

/** Take the last step back; whether there is one. */
export function undo() {
  const button = document.querySelector('#bench form[action$="/-/undo"] button:not(:disabled)');
  button?.click();
  return Boolean(button);
}
