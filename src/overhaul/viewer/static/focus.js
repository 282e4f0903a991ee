// The focus is there when a page is opened: in a field, whose text is chosen, or in its code editor.
export default function focus(element, tries = 60) {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.id !== "main") return;
  if (!element.dataset.editor) {
    element.focus();
    element.select?.();
    return;
  }
  const editor = element.form?.querySelector(".editor-host")?.shadowRoot?.querySelector(".cm-content");
  if (editor) editor.focus();
  else if (tries > 0) setTimeout(() => focus(element, tries - 1), 50);
}
