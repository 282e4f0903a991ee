// A button that copies a text: that of the element which data-copies names, or its own value.
export default function copy(button) {
  if (!navigator.clipboard) return;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    const source = document.querySelector(button.dataset.copies);
    const text = source ? [...source.querySelectorAll("code")].map((line) => line.textContent).join("\n") : button.value;
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  button.hidden = false;
}
