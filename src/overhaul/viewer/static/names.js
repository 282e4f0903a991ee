// Names of resources that fit what is typed: asked for where the page does not have all.
export default function (field) {
  const list = document.getElementById(field.getAttribute("list"));
  if (!list?.dataset.more) return;
  let wait = 0;
  field.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(async () => {
      const query = new URLSearchParams({ kind: field.dataset.kind, q: field.value });
      const answer = await fetch(`${document.body.dataset.prefix}/-/names-of.json?${query}`);
      if (!answer.ok) return;
      const { names } = await answer.json();
      list.replaceChildren(...names.map((name) => Object.assign(document.createElement("option"), { value: name })));
    }, 120);
  });
}
