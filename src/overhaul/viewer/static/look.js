// Before anything is drawn: the theme that was chosen, and the width of the list of resources.
{
  const root = document.documentElement;
  root.classList.add("scripted"); // what needs scripts is shown
  const theme = localStorage.getItem("overhaul:theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const width = Number(localStorage.getItem("overhaul:side"));
  if (width >= 160 && width <= 800) root.style.setProperty("--side-width", `${width}px`);
}
