// Two pictures over each other: a slider between before and after, and blinking from one to the
// other, by the button or the key b.
const PERIOD = 600;

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
  range.addEventListener("input", () => {
    rest();
    show();
  });
  show();

  const blink = document.createElement("button");
  blink.type = "button";
  blink.textContent = "Blink";
  blink.title = "Before and after in turn (b)";
  blink.setAttribute("aria-pressed", "false");
  const said = document.createElement("span");
  said.className = "none";
  let timer = 0;
  const turn = () => {
    const now = range.value === "100" ? "0" : "100";
    range.value = now;
    said.textContent = now === "100" ? " after" : " before";
    show();
  };
  const rest = () => {
    clearInterval(timer);
    timer = 0;
    said.textContent = "";
    blink.setAttribute("aria-pressed", "false");
  };
  blink.addEventListener("click", () => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      turn(); // a step for each press
    } else if (timer) {
      rest();
    } else {
      blink.setAttribute("aria-pressed", "true");
      turn();
      timer = setInterval(turn, PERIOD);
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range";
    if (event.key === "b" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && blink.isConnected) blink.click();
  });

  const stack = document.createElement("div");
  stack.className = "stack";
  stack.append(before.cloneNode(), over);
  slide.append(stack, range, blink, said);
  both.prepend(slide);
}
