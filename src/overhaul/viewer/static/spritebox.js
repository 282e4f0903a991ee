// The origin of a sprite is set by a click, its box by dragging; the fields say the same.
export default function (section) {
  const stage = section.querySelector(".spritebox-stage");
  const image = stage.querySelector("img");
  const box = stage.querySelector(".box");
  const origin = stage.querySelector(".origin");
  const { width, height } = section.dataset;
  const field = (name) => section.querySelector(`[data-field="${name}"]`);
  const zoom = Math.max(1, Math.min(8, Math.floor(320 / Math.max(width, height, 1))));
  image.width = width * zoom;
  image.height = height * zoom;
  const at = (event) => {
    const area = image.getBoundingClientRect();
    const part = (place, size, most) => Math.max(0, Math.min(most - 1, Math.floor((place / size) * most)));
    return [part(event.clientX - area.left, area.width, width), part(event.clientY - area.top, area.height, height)];
  };
  const put = (name, value) => { if (field(name)) field(name).value = value; };
  const draw = () => {
    const [left, top, right, bottom] = ["left", "top", "right", "bottom"].map((side) => Number(field(`margin_${side}`)?.value));
    if (field("margin_left")) {
      for (const [name, value] of [["x", left], ["y", top], ["width", Math.max(0, right - left + 1)], ["height", Math.max(0, bottom - top + 1)]]) box.setAttribute(name, value);
    }
    if (field("origin_x")) origin.setAttribute("d", `M${field("origin_x").value} -9999V9999M-9999 ${field("origin_y").value}H9999`);
  };
  let from = null;
  stage.addEventListener("dragstart", (event) => event.preventDefault());
  stage.addEventListener("pointerdown", (event) => { stage.setPointerCapture(event.pointerId); from = at(event); });
  stage.addEventListener("pointermove", (event) => {
    const to = at(event);
    if (!from || (to[0] === from[0] && to[1] === from[1])) return;
    put("margin_left", Math.min(from[0], to[0]));
    put("margin_right", Math.max(from[0], to[0]));
    put("margin_top", Math.min(from[1], to[1]));
    put("margin_bottom", Math.max(from[1], to[1]));
    draw();
  });
  stage.addEventListener("pointerup", (event) => {
    const to = at(event);
    if (from && to[0] === from[0] && to[1] === from[1]) {
      put("origin_x", to[0]);
      put("origin_y", to[1]);
    }
    from = null;
    draw();
  });
  section.addEventListener("input", draw);
  draw();
}
