// The source of a shader, compiled by the browser while it is typed: its errors, by line.
// What shaders of games use without asking for it: its name in WebGL, and in a shader.
const EXTENSIONS = [
  ["OES_standard_derivatives", "GL_OES_standard_derivatives"],
  ["EXT_shader_texture_lod", "GL_EXT_shader_texture_lod"],
  ["EXT_frag_depth", "GL_EXT_frag_depth"],
  ["WEBGL_draw_buffers", "GL_EXT_draw_buffers"],
];

export default function (said) {
  const source = document.getElementById("source");
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return say("This browser has no WebGL, which would compile it.");
  const extensions = EXTENSIONS.filter(([name]) => gl.getExtension(name)).map(([, name]) => `#extension ${name} : enable\n`);
  const stage = said.dataset.stage === "vertex" ? gl.VERTEX_SHADER : gl.FRAGMENT_SHADER;
  let wait = 0;

  function say(text, kind = "empty") {
    const words = document.createElement("p");
    words.className = kind;
    words.textContent = text;
    said.replaceChildren(words);
  }

  function check() {
    const shader = gl.createShader(stage);
    const above = stage === gl.FRAGMENT_SHADER && !/^\s*#version/m.test(source.value) ? extensions : [];
    gl.shaderSource(shader, above.join("") + source.value);
    gl.compileShader(shader);
    const fine = gl.getShaderParameter(shader, gl.COMPILE_STATUS);
    const log = gl.getShaderInfoLog(shader) ?? "";
    gl.deleteShader(shader);
    if (gl.isContextLost()) return say("The browser gave up compiling it.");
    if (fine) return say("It compiles for WebGL.", "good");
    const list = document.createElement("ul");
    list.className = "mistakes";
    for (const line of log.split("\n").filter((each) => each.trim().replace("\0", ""))) {
      const [, place, message] = /^ERROR: \d+:(\d+): (.*)/.exec(line) ?? [null, null, line];
      const number = Number(place) - above.length;
      const row = document.createElement("li");
      if (number > 0) {
        const link = document.createElement("a");
        link.href = "#source";
        link.textContent = `line ${number}`;
        link.addEventListener("click", (event) => {
          event.preventDefault();
          show(number);
        });
        row.append(link, ": ");
      }
      row.append(message.replace("\0", ""));
      list.append(row);
    }
    said.replaceChildren(list);
  }

  function show(number) {
    const lines = source.value.split("\n");
    const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    source.focus();
    source.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
    source.scrollTop = (number - 6) * (parseFloat(getComputedStyle(source).lineHeight) || 20);
  }

  source.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(check, 300);
  });
  check();
}
