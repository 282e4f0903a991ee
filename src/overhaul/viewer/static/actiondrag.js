// Actions are dragged to their place in the list; the arrows do the same for the keyboard.
const TYPE = "application/x-action";

export default function (list) {
  const rows = [...list.querySelectorAll(":scope > li[id]")];
  let from = -1;

  /** Before which row a place is: the one whose middle is below it. */
  const before = (y) => {
    const at = rows.findIndex((row) => {
      const box = row.getBoundingClientRect();
      return y < box.top + box.height / 2;
    });
    return at < 0 ? rows.length : at;
  };
  const mark = (at) => {
    for (const [number, row] of rows.entries()) {
      row.classList.toggle("drop-before", number === at);
      row.classList.toggle("drop-behind", number === rows.length - 1 && at === rows.length);
    }
  };
  const isOurs = (event) => from >= 0 && event.dataTransfer.types.includes(TYPE);

  for (const [number, row] of rows.entries()) {
    const grip = row.querySelector(".grip");
    if (!grip || rows.length < 2) continue;
    grip.hidden = false;
    grip.addEventListener("dragstart", (event) => {
      from = number;
      event.dataTransfer.setData(TYPE, String(number));
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setDragImage(row, 0, 0);
    });
    grip.addEventListener("dragend", () => {
      from = -1;
      mark(-1);
    });
  }
  list.addEventListener("dragover", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    mark(before(event.clientY));
  });
  list.addEventListener("dragleave", (event) => {
    if (!list.contains(event.relatedTarget)) mark(-1);
  });
  list.addEventListener("drop", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    const at = before(event.clientY);
    const to = at > from ? at - 1 : at;
    if (to === from) return;
    const form = rows[from].querySelector("form");
    form.elements.to.value = to;
    const does = Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: `move:${from}` });
    form.append(does);
    form.submit();
  });
}
