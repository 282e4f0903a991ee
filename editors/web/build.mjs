// Builds static/editor.js and its licences; `node build.mjs --check` only says whether they are as
// they would be built.
import { build } from "esbuild";
import { readFileSync, readdirSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../../src/overhaul/viewer/static");

/** The bundle, and the packages that are in it. */
export async function bundle() {
  const made = await build({
    absWorkingDir: here,
    entryPoints: ["src/editor.js"],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    write: false,
    metafile: true,
  });
  const packages = new Set();
  for (const [name, part] of Object.entries(firstOutput(made).inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name);
    if (found && part.bytesInOutput) packages.add(found[1]);
  }
  return { code: made.outputFiles[0].text, packages: [...packages].sort() };
}

function firstOutput(made) {
  return Object.values(made.metafile.outputs)[0];
}

/** The licences of packages, one after another; those with one text stand together. */
export function licences(packages) {
  const texts = new Map();
  for (const name of packages) {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${name} has no licence file`);
    const text = readFileSync(join(folder, file), "utf8").trim();
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}`);
  return `editor.js has the following packages in it.\n\n${parts.join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}

const { code, packages } = await bundle();
const files = { "editor.js": code, "editor.LICENSE.txt": licences(packages) };
let differ = false;
for (const [name, text] of Object.entries(files)) {
  const path = join(target, name);
  if (process.argv.includes("--check")) {
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
      console.error(`${name} is not what the sources build`);
      differ = true;
    }
  } else {
    writeFileSync(path, text);
    console.log(`${name}: ${Buffer.byteLength(text)} bytes`);
  }
}
process.exitCode = differ ? 1 : 0;
