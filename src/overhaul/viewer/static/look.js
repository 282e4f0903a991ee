// Before anything is drawn: the theme that was chosen, the width of the list of resources, and whether the
// page stands in a frame next to another one.
{
  const root = document.documentElement;
  root.classList.add("scripted"); // what needs scripts is shown
  if (window !== window.parent) root.classList.add("framed");
  const theme = localStorage.getItem("overhaul:theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const width = Number(localStorage.getItem("overhaul:side"));
  if (width >= 160 && width <= 800) root.style.setProperty("--side-width", `${width}px`);
}
