// A file chosen, or dropped on the page, is shown next to the one it would replace, then sent.
export default function (section) {
  const [path, chosen] = [section.querySelector("select"), section.querySelector("input[type=file]")];
  const shown = section.querySelector(".replace-shown");

  const look = (file) => {
    shown.replaceChildren();
    if (!file) return;
    const url = URL.createObjectURL(file);
    const figure = document.createElement("figure");
    const sound = file.type.startsWith("audio/");
    const it = document.createElement(sound ? "audio" : "img");
    if (sound) it.controls = true;
    else it.className = "pixels";
    it.src = url;
    it.setAttribute(sound ? "aria-label" : "alt", `${file.name}, the new file`);
    const words = document.createElement("figcaption");
    words.textContent = `${file.name} in the place of ${path.value}`;
    figure.append(it, words);
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Replace ${path.value}`;
    button.addEventListener("click", () => send(file, button));
    shown.append(figure, button);
    const seen = () => shown.scrollIntoView({ block: "nearest" });
    it.addEventListener("load", seen);
    seen();
  };

  const send = async (file, button) => {
    button.disabled = true;
    const answer = await fetch(`${section.dataset.address}?file=${encodeURIComponent(path.value)}`, { method: "POST", body: file });
    if (answer.ok) {
      location.reload();
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const notice = document.createElement("p");
    notice.className = "warning";
    notice.setAttribute("role", "alert");
    notice.textContent = page.querySelector("main")?.textContent.trim() || `error ${answer.status}`;
    shown.append(notice);
    button.disabled = false;
  };

  chosen.addEventListener("change", () => look(chosen.files[0]));
  path.addEventListener("change", () => look(chosen.files[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file) return;
    look(file);
    section.scrollIntoView({ block: "center" });
  });
}
