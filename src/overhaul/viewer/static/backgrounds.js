// The backgrounds of a room, one after the other, at the speed of the game.
export default function (room) {
  const links = [...room.querySelectorAll(".background")];
  const play = room.querySelector(".play");
  const shown = room.querySelector(".whole");
  if (!play) return;
  let at = 0;
  let timer = 0;
  const show = (number) => {
    at = number % links.length;
    shown.src = links[at].href;
    links.forEach((link, n) => (n === at ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  };
  const run = (on) => {
    clearInterval(timer);
    timer = on ? setInterval(() => show(at + 1), Math.max(25, 1000 / Number(room.dataset.fps))) : 0;
    play.setAttribute("aria-pressed", String(on));
    play.textContent = on ? "Stop" : "Play";
  };
  play.addEventListener("click", () => run(!timer));
  links.forEach((link, number) => link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    run(false);
    show(number);
  }));
  show(0);
  for (const link of links) new Image().src = link.href;
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) run(true);
}
