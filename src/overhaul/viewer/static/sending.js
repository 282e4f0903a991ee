// Sending a file: what the answer says is shown, or its page.
export async function send(address, body, shown) {
  let answer;
  try {
    answer = await fetch(address, { method: "POST", body });
  } catch {
    return say("The viewer does not answer. Start it with the same files again, and open this page.", shown);
  }
  if (answer.ok) {
    location.href = answer.redirected ? answer.url : location.href;
    if (!answer.redirected) location.reload();
    return true;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const problem = page.querySelector("main [role=alert]") ?? page.querySelector("main");
  return say(problem?.textContent.trim() || `error ${answer.status}`, shown);
}

function say(text, shown) {
  const said = document.createElement("p");
  said.className = "warning";
  said.setAttribute("role", "alert");
  said.textContent = text;
  shown.replaceChildren(said);
  return false;
}
