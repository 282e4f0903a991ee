// All events of an object in one text: what is new, or overrides an inherited event, is put below the others.
const HEADER = "#event ";

export default function (form) {
  const area = form.querySelector("#source");
  const tools = form.querySelector(".add-event");
  const field = tools.querySelector("input");

  const add = (title, code) => {
    const lines = area.value.split("\n");
    let at = lines.findIndex((line) => line.startsWith(HEADER) && line.slice(HEADER.length).trim().toLowerCase() === title.toLowerCase());
    if (at < 0) {
      const text = `${area.value.replace(/\n+$/, "")}\n\n${HEADER}${title}\n${code}\n`.replace(/^\n+/, "");
      at = text.split("\n").findIndex((line) => line === `${HEADER}${title}`);
      if (area.editor) area.editor.change(text);
      else area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const before = area.value.split("\n").slice(0, at + 1).join("\n").length + 1;
    if (area.editor) area.editor.follow({ own: true, start: before, end: before });
    else {
      area.focus();
      area.setSelectionRange(before, before);
    }
  };
  tools.hidden = false;
  const isNew = () => {
    const title = field.value.trim();
    if (!title) return field.focus();
    field.value = "";
    add(title, "");
  };
  tools.querySelector("button").addEventListener("click", isNew);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    isNew();
  });
  for (const override of document.querySelectorAll("form.override")) {
    override.addEventListener("submit", (event) => {
      event.preventDefault();
      add(override.elements.event.value, "event_inherited();");
    });
  }
}
