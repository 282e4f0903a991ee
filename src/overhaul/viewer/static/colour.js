// A colour: chosen, or typed as #RRGGBB; both fields say the same.
export default function (chooser) {
  const text = chooser.previousElementSibling;
  chooser.addEventListener("input", () => { text.value = chooser.value.toUpperCase(); });
  text.addEventListener("input", () => {
    if (/^#[0-9a-f]{6}$/i.test(text.value)) chooser.value = text.value.toLowerCase();
  });
}
