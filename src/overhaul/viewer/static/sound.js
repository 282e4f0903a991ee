// A sound: its volume is that of the last one; the browser draws the waveform of what only it decodes.
const kept = "overhaul.volume";

export default function (box) {
  const audio = box.querySelector("audio");
  const volume = Number(localStorage.getItem(kept) ?? "1");
  if (volume >= 0 && volume <= 1) audio.volume = volume;
  audio.addEventListener("volumechange", () => localStorage.setItem(kept, String(audio.volume)));
  const path = box.querySelector(".waveform path");
  if (path && !path.getAttribute("d")) draw(audio.src, path);
}

async function draw(address, path) {
  try {
    const bytes = await (await fetch(address)).arrayBuffer();
    const sound = await new OfflineAudioContext(1, 1, 44100).decodeAudioData(bytes);
    const samples = sound.getChannelData(0);
    const step = Math.max(1, Math.floor(samples.length / 400));
    let data = "";
    for (let x = 0; x < 400 && x * step < samples.length; x++) {
      let low = 0;
      let high = 0;
      for (let at = x * step; at < Math.min(samples.length, (x + 1) * step); at++) {
        low = Math.min(low, samples[at]);
        high = Math.max(high, samples[at]);
      }
      data += `M${x} ${(50 - 48 * high).toFixed(1)}h1V${(50.5 - 48 * low).toFixed(1)}h-1z`;
    }
    path.setAttribute("d", data);
  } catch {
    path.closest("svg").setAttribute("hidden", "");
  }
}
