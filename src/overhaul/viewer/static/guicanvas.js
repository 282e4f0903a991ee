// The controls of a GUI on its picture: moved and resized; the fields of the table have the numbers.
export default function (stage) {
  const form = stage.closest("form");
  const picture = stage.querySelector("svg");
  const sides = ["Left", "Top", "Width", "Height"];

  for (const control of picture.querySelectorAll("[data-row]")) {
    const fields = {};
    for (const field of form.querySelectorAll("[data-of]")) {
      if (field.dataset.of === control.dataset.row) fields[field.dataset.side] = field;
    }
    if (!sides.every((side) => fields[side])) continue;
    const [box, corner] = control.querySelectorAll("rect");
    const place = () => Object.fromEntries(sides.map((side) => [side, Number(fields[side].value)]));
    const draw = () => {
      const { Left, Top, Width, Height } = place();
      box.setAttribute("x", Left);
      box.setAttribute("y", Top);
      box.setAttribute("width", Math.max(1, Width));
      box.setAttribute("height", Math.max(1, Height));
      corner.setAttribute("x", Left + Width - 3);
      corner.setAttribute("y", Top + Height - 3);
    };
    const change = (begun, by, resizes) => {
      const [across, down] = resizes ? ["Width", "Height"] : ["Left", "Top"];
      const least = resizes ? 1 : -8192;
      fields[across].value = Math.max(least, begun[across] + Math.round(by.x));
      fields[down].value = Math.max(least, begun[down] + Math.round(by.y));
      draw();
    };
    for (const side of sides) fields[side].addEventListener("input", draw);
    draw();

    control.addEventListener("keydown", (event) => {
      const far = event.shiftKey ? 10 : 1;
      const by = {
        ArrowLeft: { x: -far, y: 0 }, ArrowRight: { x: far, y: 0 },
        ArrowUp: { x: 0, y: -far }, ArrowDown: { x: 0, y: far },
      }[event.key];
      if (!by) return;
      event.preventDefault();
      change(place(), by, event.ctrlKey);
    });
    let begun = null;
    control.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      control.focus();
      control.setPointerCapture(event.pointerId);
      begun = { ...place(), x: event.clientX, y: event.clientY, resizes: event.target === corner };
    });
    control.addEventListener("pointermove", (event) => {
      if (!begun) return;
      const scale = picture.getScreenCTM().a || 1;
      const by = { x: (event.clientX - begun.x) / scale, y: (event.clientY - begun.y) / scale };
      change(begun, by, begun.resizes);
    });
    const end = () => { begun = null; };
    control.addEventListener("pointerup", end);
    control.addEventListener("pointercancel", end);
  }
}
