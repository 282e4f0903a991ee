// Two pictures over each other, with a slider between before and after.
export default function (both) {
  const [before, after] = ["before", "after"].map((word) => both.querySelector(`.${word} img`));
  if (!before || !after) return;
  const slide = document.createElement("div");
  slide.className = "slide";
  const over = after.cloneNode();
  over.alt = "";
  const range = document.createElement("input");
  range.type = "range";
  range.value = "50";
  range.setAttribute("aria-label", "From before to after");
  const show = () => {
    over.style.clipPath = `inset(0 0 0 ${100 - Number(range.value)}%)`;
  };
  range.addEventListener("input", show);
  show();
  const stack = document.createElement("div");
  stack.className = "stack";
  stack.append(before.cloneNode(), over);
  slide.append(stack, range);
  both.prepend(slide);
}
