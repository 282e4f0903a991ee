// The frames of a sprite: moved, duplicated and removed in a list; the field has their order.
export default function (section) {
  const list = section.querySelector(".frames");
  const order = section.querySelector("[name=order]");
  const all = order.value.trim().split(/\s+/).length;
  let dragged = null;

  const write = () => {
    const shown = [...list.children].map((each) => each.dataset.frame);
    const listed = new Set(Array.from({ length: Math.min(all, 200) }, (_, n) => String(n)));
    const rest = Array.from({ length: all }, (_, n) => String(n)).filter((n) => !listed.has(n));
    order.value = [...shown, ...rest].join(" ");
  };

  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (!button) return;
    const item = button.closest("li");
    const does = {
      left: () => item.previousElementSibling?.before(item),
      right: () => item.nextElementSibling?.after(item),
      twice: () => item.after(item.cloneNode(true)),
      remove: () => list.children.length > 1 && item.remove(),
    };
    does[button.dataset.do]();
    if (item.isConnected) button.focus();
    write();
  });
  list.addEventListener("dragstart", (event) => { dragged = event.target.closest("li"); });
  list.addEventListener("dragover", (event) => {
    const over = event.target.closest("li");
    if (!dragged || !over) return;
    event.preventDefault();
    if (over === dragged) return;
    const behind = over.compareDocumentPosition(dragged) & Node.DOCUMENT_POSITION_PRECEDING;
    if (behind) over.after(dragged);
    else over.before(dragged);
  });
  list.addEventListener("dragend", () => { dragged = null; write(); });
}
