// How many things use each resource of a list: one request, when the list is there.
export default async function counts(body) {
  const answer = await fetch(body.dataset.address);
  if (!answer.ok) return;
  const known = await answer.json();
  const fill = () => {
    for (const link of body.querySelectorAll("a[data-uses]:not([data-done])")) {
      link.dataset.done = "1";
      const count = known[link.dataset.uses];
      link.textContent = count ?? "";
      const said = count === undefined ? "not known" : count === 1 ? "1 use" : `${count} uses`;
      link.setAttribute("aria-label", `${said}, ${link.getAttribute("aria-label")}`);
    }
  };
  new MutationObserver(fill).observe(body, { childList: true });
  fill();
}
