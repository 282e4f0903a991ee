// Sending a file: what the answer says is shown, or its page.
export async function send(address, body, shown) {
  const answer = await fetch(address, { method: "POST", body });
  if (answer.ok) {
    location.href = answer.redirected ? answer.url : location.href;
    if (!answer.redirected) location.reload();
    return true;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const said = document.createElement("p");
  said.className = "warning";
  said.setAttribute("role", "alert");
  const problem = page.querySelector("main [role=alert]") ?? page.querySelector("main");
  said.textContent = problem?.textContent.trim() || `error ${answer.status}`;
  shown.replaceChildren(said);
  return false;
}
