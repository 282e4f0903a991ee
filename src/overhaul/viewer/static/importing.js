// Many files, chosen or dropped: a table of what they become, then one step with the chosen ones.
import { send } from "./sending.js";

export default function (section) {
  const plan = section.querySelector(".import-plan");
  const address = section.dataset.address;
  let files = []; // [path, File]

  const body = (chosen) => {
    const head = { files: files.map(([path, file]) => [path, file.size]), chosen };
    return new Blob([`${JSON.stringify(head)}\n`, ...files.map(([, file]) => file)]);
  };

  const say = (text) => {
    const words = document.createElement("p");
    words.className = "lead";
    words.textContent = text;
    plan.replaceChildren(words);
  };

  const look = async (given) => {
    files = given;
    if (!files.length) return say("There are no files in it.");
    say(files.length === 1 ? "Reading a file …" : `Reading ${files.length} files …`);
    let answer;
    try {
      answer = await fetch(`${address}?do=plan`, { method: "POST", body: body([]) });
    } catch {
      return say("The viewer does not answer. Start it with the same files again, and open this page.");
    }
    if (answer.status === 413) return say("These are more than 64 MB: give fewer files at a time.");
    plan.innerHTML = await answer.text();
    plan.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true, detail: { elt: plan } }));
    const pictures = new Map(files.filter(([, file]) => file.type.startsWith("image/")));
    for (const row of plan.querySelectorAll("tr[data-file]")) {
      const file = pictures.get(row.dataset.file);
      if (!file) continue;
      const image = document.createElement("img");
      image.className = "pixels";
      image.alt = "";
      image.loading = "lazy";
      image.src = URL.createObjectURL(file);
      row.querySelector(".import-picture").append(image);
    }
    plan.querySelector("[data-import]")?.addEventListener("click", apply);
  };

  const apply = async (event) => {
    const button = event.currentTarget;
    const chosen = [...plan.querySelectorAll("tbody input:checked")].map((box) => box.value);
    const said = document.createElement("div");
    button.after(said);
    button.disabled = true;
    if (!(await send(address, body(chosen), said))) button.disabled = false;
  };

  for (const field of section.querySelectorAll("input[type=file]")) {
    field.addEventListener("change", () => {
      look([...field.files].map((file) => [file.webkitRelativePath || file.name, file]));
    });
  }
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    look((await Promise.all(entries.map((entry) => filesIn(entry, "")))).flat());
  });
}

/** The files of what was dropped, with those in its folders. */
async function filesIn(entry, place) {
  const path = place + entry.name;
  if (entry.isFile) return [[path, await new Promise((give, fail) => entry.file(give, fail))]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((give, fail) => reader.readEntries(give, fail));
    if (!some.length) break; // a reader gives at most 100 at a time
    found.push(...some);
  }
  return (await Promise.all(found.map((each) => filesIn(each, `${path}/`)))).flat();
}
