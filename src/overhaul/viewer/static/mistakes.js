// What does not compile: its place is shown in the source.
export default function (list) {
  const source = document.getElementById("source");
  const go = (link) => {
    const lines = source.value.split("\n").slice(0, Number(link.dataset.line) - 1);
    const start = lines.reduce((sum, line) => sum + line.length + 1, 0) + Math.max(0, Number(link.dataset.column) - 1);
    if (source.editor) {
      const at = Math.min(start, source.value.length);
      return source.editor.follow({ own: true, start: at, end: at });
    }
    source.focus();
    source.setSelectionRange(start, start + 1);
    source.scrollTop = (lines.length - 5) * (parseFloat(getComputedStyle(source).lineHeight) || 20);
  };
  list.addEventListener("click", (event) => {
    const link = event.target.closest("[data-line]");
    if (!link) return;
    event.preventDefault();
    go(link);
  });
}
