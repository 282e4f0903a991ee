// A link that plays a sound: one at a time, and once more to stop it.
let playing = null;

function stop() {
  if (!playing) return;
  playing.audio.pause();
  playing.link.textContent = "▶";
  playing.link.setAttribute("aria-pressed", "false");
  playing = null;
}

export default function play(link) {
  link.setAttribute("role", "button");
  link.setAttribute("aria-pressed", "false");
  link.addEventListener("keydown", (event) => {
    if (event.key === " ") {
      event.preventDefault();
      link.click();
    }
  });
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const again = playing?.link === link;
    stop();
    if (again) return;
    const audio = new Audio(link.href);
    audio.volume = Number(localStorage.getItem("overhaul.volume") ?? "1");
    playing = { audio, link };
    link.textContent = "■";
    link.setAttribute("aria-pressed", "true");
    audio.addEventListener("ended", stop);
    try {
      await audio.play();
    } catch {
      if (playing?.link === link) stop();
      link.title = "Browsers don't play this.";
    }
  });
}
