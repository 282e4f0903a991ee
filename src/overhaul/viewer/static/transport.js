// What plays along a line of time: a button, a range and the places in between.

/**
 * `parts` are the range, the buttons `play`, `before` and `after`, and `said`, which says where it is.
 * `fps` places a second are passed until `last`; `stops` are those that `before` and `after` go to, and, where
 * motion is not wanted, each press of `play`. `show` is called with each place.
 */
export default function transport({ range, play, before, after, said }, { fps, last, stops, show }) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const places = [...new Set([0, ...stops, last])].filter((place) => place >= 0 && place <= last).sort((a, b) => a - b);
  let timer = 0;
  let start = 0;

  const at = () => Number(range.value);
  const go = (place) => {
    const now = Math.min(last, Math.max(0, Math.floor(place)));
    range.value = now;
    said.textContent = now;
    show(now);
  };
  const run = (on) => {
    clearInterval(timer);
    start = performance.now() - (1000 * at()) / fps;
    timer = on ? setInterval(() => {
      if (!range.isConnected) return run(false);
      go((((performance.now() - start) / 1000) * fps) % (last + 1));
    }, Math.max(33, 1000 / fps)) : 0;
    play.setAttribute("aria-pressed", String(on));
    play.textContent = on ? "Pause" : still.matches ? "Go on" : "Play";
  };
  const next = () => places.find((place) => Math.floor(place) > at()) ?? places[0];
  range.addEventListener("input", () => {
    run(false);
    go(at());
  });
  play.addEventListener("click", () => {
    if (still.matches && !timer) go(next());
    else run(!timer);
  });
  before?.addEventListener("click", () => {
    run(false);
    go(places.findLast((place) => Math.floor(place) < at()) ?? last);
  });
  after?.addEventListener("click", () => {
    run(false);
    go(next());
  });
  for (const button of [play, before, after]) if (button) button.hidden = !last;
  run(false);

  /** Let a press or a drag on a line, which is as long as `length`, choose a place. */
  const scrub = (line, length) => {
    const choose = (event) => {
      const place = line.getBoundingClientRect();
      run(false);
      go(((event.clientX - place.left) / place.width) * length);
    };
    line.addEventListener("pointerdown", (event) => {
      if (event.button || event.target.closest("a")) return;
      line.setPointerCapture(event.pointerId);
      choose(event);
    });
    line.addEventListener("pointermove", (event) => {
      if (line.hasPointerCapture(event.pointerId)) choose(event);
    });
    line.addEventListener("click", (event) => {
      if (!event.target.closest("a")) event.preventDefault(); // what is around it does not open
    });
  };
  return { go, scrub };
}
