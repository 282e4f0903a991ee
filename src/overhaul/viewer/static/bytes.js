// The bytes of a field and its row of the table are marked together: under the pointer, and with
// the focus, which the arrow keys move from field to field.
export default function bytes(view) {
  const rows = [...view.querySelectorAll("tr[data-field]")];
  let shown = -1;

  function show(number, scroll) {
    if (number === shown) return;
    for (const element of view.querySelectorAll(".shown")) element.classList.remove("shown");
    for (const element of view.querySelectorAll(`[data-field="${number}"]`)) element.classList.add("shown");
    if (scroll) {
      rows[number]?.scrollIntoView({ block: "nearest" });
      view.querySelector(`.byte-rows [data-field="${number}"]`)?.scrollIntoView({ block: "nearest" });
    }
    shown = number;
  }

  view.addEventListener("pointerover", (event) => {
    const element = event.target.closest("[data-field]");
    if (element) show(Number(element.dataset.field), false);
  });
  view.addEventListener("click", (event) => {
    const element = event.target.closest(".byte-rows [data-field]");
    if (element) rows[Number(element.dataset.field)]?.scrollIntoView({ block: "nearest" });
  });
  view.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || !rows.length) return;
    show(Math.min(rows.length - 1, Math.max(0, shown + by)), true);
    event.preventDefault();
  });
}
