// A sequence: the frame that its picture shows, chosen or played, and the line that marks it.
export default function (sequence) {
  const shown = sequence.querySelector(".now");
  const range = sequence.querySelector("#frame");
  const play = sequence.querySelector('[data-do="play"]');
  const last = Number(sequence.dataset.last);
  const title = shown?.alt.replace(/\d+$/, "") ?? "";
  let wanted = -1;
  let loading = false;
  let timer = 0;

  sequence.querySelector(".go").hidden = true;
  play.hidden = !shown || !last;

  // one picture at a time: what was wanted meanwhile comes next
  const load = () => {
    if (loading || wanted < 0 || !shown) return;
    loading = true;
    const next = new Image();
    const frame = wanted;
    wanted = -1;
    next.onload = next.onerror = () => {
      if (next.width) {
        shown.src = next.src;
        shown.alt = title + frame;
      }
      loading = false;
      load();
    };
    next.src = `${sequence.dataset.pictures}/${frame}.png`;
  };
  const show = (frame) => {
    range.value = frame;
    sequence.querySelector(".at").textContent = frame;
    for (const line of sequence.querySelectorAll(".playhead")) line.setAttribute("d", `M${frame} 0 V40`);
    wanted = frame;
    load();
  };
  const run = (on) => {
    clearInterval(timer);
    const start = performance.now() - (1000 * Number(range.value)) / Number(sequence.dataset.fps);
    const step = () => show(Math.floor(((performance.now() - start) / 1000) * sequence.dataset.fps) % (last + 1));
    timer = on ? setInterval(step, 33) : 0;
    play.setAttribute("aria-pressed", String(on));
    play.textContent = on ? "Stop" : "Play";
  };
  range.addEventListener("input", () => {
    run(false);
    show(Number(range.value));
  });
  play.addEventListener("click", () => run(!timer));
}
