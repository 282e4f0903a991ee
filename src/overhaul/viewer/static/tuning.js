// The fields of an emitter: sliders move their numbers, and the picture follows what is typed.

/** Let the fields of a form decide what is played. `changed` is called with whether the picture is another. */
export default function tune(form, emitter, changed) {
  const number = (text) => (text.trim() && Number.isFinite(Number(text)) ? Number(text) : null);

  for (const field of form.querySelectorAll("[data-sets]")) {
    const slider = field.nextElementSibling;
    const set = () => {
      const value = number(field.value);
      if (value === null) return;
      for (const name of field.dataset.sets.split(" ")) if (name in emitter.numbers) emitter.numbers[name] = value;
      changed(field.dataset.sets === "texture");
    };
    field.addEventListener("input", () => {
      if (slider && number(field.value) !== null) slider.value = field.value;
      set();
    });
    if (!slider) continue;
    slider.hidden = false;
    slider.addEventListener("input", () => {
      field.value = String(Number(slider.valueAsNumber.toFixed(4)));
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
  for (const box of form.querySelectorAll("[data-flag]")) {
    box.addEventListener("change", () => {
      emitter.flags[box.dataset.flag] = box.checked;
      changed();
    });
  }
  for (const list of form.querySelectorAll("[data-choice]")) {
    list.addEventListener("change", () => {
      emitter.choices[list.dataset.choice] = Number(list.selectedOptions[0].dataset.number ?? 0);
      changed();
    });
  }
  for (const field of form.querySelectorAll("[data-colour]")) colour(field, emitter, changed);
}

/** A colour stored as one number, alpha first, with a picker and a slider of its alpha. */
function colour(field, emitter, changed) {
  const at = ["start_colour", "mid_colour", "end_colour"].indexOf(field.dataset.colour);
  const words = field.dataset.colour.replace("_", " ");
  const make = (type, label) => {
    const input = document.createElement("input");
    Object.assign(input, { type, autocomplete: "off" });
    input.setAttribute("aria-label", `${words}, ${label}`);
    return input;
  };
  const picker = make("color", "picker");
  const alpha = make("range", "alpha");
  Object.assign(alpha, { min: 0, max: 255 });
  const show = () => {
    const value = Number(field.value) >>> 0;
    const [red, green, blue] = [value & 255, (value >> 8) & 255, (value >> 16) & 255];
    picker.value = `#${[red, green, blue].map((each) => each.toString(16).padStart(2, "0")).join("")}`;
    alpha.value = value >>> 24;
    emitter.colours[at] = (red << 16) | (green << 8) | blue;
    emitter.alphas[at] = (value >>> 24) / 255;
  };
  const set = () => {
    const [red, green, blue] = [1, 3, 5].map((from) => parseInt(picker.value.slice(from, from + 2), 16));
    field.value = String(((alpha.valueAsNumber << 24) | (blue << 16) | (green << 8) | red) >>> 0);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  picker.addEventListener("input", set);
  alpha.addEventListener("input", set);
  field.addEventListener("input", () => {
    show();
    changed();
  });
  field.classList.add("as-number");
  field.after(picker, alpha);
  show();
}
