// Keyframes on a ruler: dragged, or moved by the arrow keys; the field of each has its place.
export default function (section) {
  const length = Number(section.dataset.length);
  const ruler = section.querySelector("svg");
  const fields = [...section.querySelectorAll("[data-key]")];

  const show = (mark, at) => {
    mark.setAttribute("x", Math.min(1000, Math.max(0, (at / length) * 1000)) - 4);
    mark.setAttribute("aria-valuenow", at);
  };
  const put = (mark, at) => {
    const place = Math.round(Math.min(length, Math.max(0, at)) * 100) / 100;
    fields[Number(mark.dataset.row)].value = place;
    show(mark, place);
  };

  for (const mark of ruler.querySelectorAll("[data-row]")) {
    const field = fields[Number(mark.dataset.row)];
    if (!field) continue;
    field.addEventListener("input", () => show(mark, Number(field.value)));
    mark.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      put(mark, Number(field.value) + by * (event.shiftKey ? 10 : 1));
    });
    mark.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      mark.focus();
      mark.setPointerCapture(event.pointerId);
    });
    mark.addEventListener("pointermove", (event) => {
      if (!mark.hasPointerCapture(event.pointerId)) return;
      const box = ruler.getBoundingClientRect();
      put(mark, Math.round(((event.clientX - box.left) / box.width) * length));
    });
  }
}
