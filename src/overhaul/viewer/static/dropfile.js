// A file that is chosen, or dropped on the page: shown, then sent with what the other fields say.
import { send } from "./sending.js";

export default function (section) {
  const chosen = section.querySelector("input[type=file]");
  const shown = section.querySelector(".replace-shown");

  const look = (file) => {
    shown.replaceChildren();
    if (!file) return;
    const parts = [];
    if (/^(image|audio)\//.test(file.type)) {
      const sound = file.type.startsWith("audio/");
      const it = document.createElement(sound ? "audio" : "img");
      if (sound) it.controls = true;
      else it.className = "pixels";
      it.setAttribute(sound ? "aria-label" : "alt", file.name);
      it.src = URL.createObjectURL(file);
      parts.push(it);
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "main";
    button.textContent = `Apply with ${file.name}`;
    const said = document.createElement("div");
    button.addEventListener("click", async () => {
      button.disabled = true;
      const query = new URLSearchParams({ file: file.name });
      if (!section.querySelector("[name=name]")) query.set("name", file.name);
      for (const field of section.querySelectorAll("[name]")) query.set(field.name, field.value);
      if (!(await send(`${section.dataset.address}?${query}`, file, said))) button.disabled = false;
    });
    shown.append(...parts, button, said);
    const seen = () => shown.scrollIntoView({ block: "nearest" });
    for (const it of parts) it.addEventListener("load", seen);
    seen();
  };

  chosen.addEventListener("change", () => look(chosen.files[0]));
  section.addEventListener("dragover", (event) => event.preventDefault());
  section.addEventListener("drop", (event) => {
    event.preventDefault();
    look(event.dataTransfer.files[0]);
  });
}
