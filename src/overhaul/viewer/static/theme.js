// The theme: as the system has it, light, or dark; kept by the browser.
const NEXT = { system: "light", light: "dark", dark: "system" };

export default function theme(button) {
  const root = document.documentElement;
  const show = () => {
    const now = root.dataset.theme ?? "system";
    button.textContent = { system: "◐", light: "☀", dark: "☾" }[now];
    button.setAttribute("aria-label", `Theme: ${now}; change to ${NEXT[now]}`);
  };
  button.addEventListener("click", () => {
    const next = NEXT[root.dataset.theme ?? "system"];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    localStorage.setItem("overhaul:theme", next);
    show();
  });
  show();
  button.hidden = false;
}
