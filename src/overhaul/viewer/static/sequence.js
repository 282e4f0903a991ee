// A sequence: the frame that its picture shows, chosen or played, and the line that marks it.
import transport from "./transport.js";

export default function (sequence) {
  const shown = sequence.querySelector(".now");
  const { fps, last, length, pictures } = sequence.dataset;
  const title = shown?.alt.replace(/\d+$/, "") ?? "";
  const heads = sequence.querySelectorAll(".playhead");
  let wanted = -1;
  let loading = false;

  sequence.querySelector(".go").hidden = true;

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
    next.src = `${pictures}/${frame}.png`;
  };
  const show = (frame) => {
    for (const line of heads) line.setAttribute("d", `M${frame} 0 V40`);
    wanted = frame;
    load();
  };
  const part = (name) => sequence.querySelector(`[data-do="${name}"]`);
  const { scrub } = transport(
    { range: sequence.querySelector("#frame"), play: part("play"), before: part("before"), after: part("after"), said: sequence.querySelector(".at") },
    { fps: Number(fps), last: Number(last), stops: [...sequence.querySelectorAll("[data-at]")].map((key) => Number(key.dataset.at)), show },
  );
  for (const line of sequence.querySelectorAll(".track svg")) scrub(line, Number(length));
}
