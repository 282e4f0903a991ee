// What the extension does with VS Code and the language server, which stand-ins play.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const bundled = join(here, "../out/extension.test.cjs");

/** What the stand-ins were asked, in order, and how they answer. */
let asked, answers, commands, listeners;
globalThis.overhaulStandIns = {
  vscode: {
    commands: {
      registerCommand: (name, run) => { commands[name] = run; return { dispose() {} }; },
      executeCommand: async (...words) => { asked.push(["execute", ...words]); },
    },
    workspace: {
      getConfiguration: () => ({ get: (_, usual) => answers.command ?? usual }),
      onDidChangeConfiguration: (listener) => { listeners.push(listener); return { dispose() {} }; },
      createFileSystemWatcher: (glob) => ({ glob }),
      saveAll: async (untitled) => { asked.push(["saveAll", untitled]); },
    },
    window: {
      get activeTextEditor() { return answers.editor; },
      showErrorMessage: async (text) => { asked.push(["error", text]); },
      showInformationMessage: async (text) => { asked.push(["information", text]); },
    },
    Uri: { parse: (text) => ({ parsed: text }) },
    Position: class { constructor(...numbers) { this.numbers = numbers; } },
    Range: class { constructor(...numbers) { this.numbers = numbers; } },
    Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  },
  client: {
    LanguageClient: class {
      constructor(id, name, run, options) {
        Object.assign(this, { run, options });
        this.code2ProtocolConverter = { asUri: (uri) => uri.text };
      }
      async start() {
        asked.push(["start", this.run.command, ...this.run.args]);
        if (answers.fails) throw new Error("spawn ENOENT");
      }
      async stop() { asked.push(["stop"]); }
      async sendRequest(method, params) {
        asked.push([method, params]);
        if (answers.refused) throw new Error(answers.refused);
        return "/games/new.win";
      }
    },
  },
};

await build({
  entryPoints: [join(here, "../src/extension.ts")],
  bundle: true, platform: "node", format: "cjs", outfile: bundled,
  plugins: [{
    name: "stand-ins",
    setup(made) {
      made.onResolve({ filter: /^vscode(-languageclient\/node)?$/ }, ({ path }) => ({
        path: path === "vscode" ? "vscode" : "client", namespace: "stand-in",
      }));
      made.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path }) => ({
        contents: `module.exports = globalThis.overhaulStandIns.${path};`,
      }));
    },
  }],
});
process.on("exit", () => rmSync(bundled, { force: true }));

let extension;
beforeEach(async () => {
  [asked, answers, commands, listeners] = [[], {}, {}, []];
  delete require.cache[bundled];
  extension = require(bundled);
});
afterEach(() => extension.deactivate());

test("it starts the server, and again with another command", async () => {
  const subscriptions = [];
  await extension.activate({ subscriptions });
  assert.deepEqual(asked, [["start", "overhaul", "lsp"]]);
  assert.equal(subscriptions.length, 4);
  assert.deepEqual(Object.keys(commands), ["overhaul.restart", "overhaul.packFolder", "overhaul.showUses"]);
  answers.command = ["/venv/bin/overhaul", "lsp", "-v"];
  listeners[0]({ affectsConfiguration: (name) => name === "editor.fontSize" });
  listeners[0]({ affectsConfiguration: (name) => name === "overhaul.command" });
  await new Promise(setImmediate);
  assert.deepEqual(asked.slice(1), [["stop"], ["start", "/venv/bin/overhaul", "lsp", "-v"]]);
});

test("a server that does not start is reported with what to install", async () => {
  answers.fails = true;
  await extension.activate({ subscriptions: [] });
  assert.match(asked[1][1], /spawn ENOENT.*pip install 'overhaul\[lsp\]'/);
});

test("packing saves, asks the server and shows what it says", async () => {
  await extension.activate({ subscriptions: [] });
  await commands["overhaul.packFolder"]();
  assert.equal(asked.length, 1, "nothing is packed where no file is shown");
  answers.editor = { document: { uri: { text: "file:///game/code/a.gml" } } };
  await commands["overhaul.packFolder"]();
  assert.deepEqual(asked.slice(1), [
    ["saveAll", false],
    ["workspace/executeCommand", { command: "overhaul.pack", arguments: ["file:///game/code/a.gml"] }],
    ["information", "Packed: /games/new.win"],
  ]);
  answers.refused = "data.win is another build of the game";
  await commands["overhaul.packFolder"]();
  assert.deepEqual(asked.at(-1), ["error", "data.win is another build of the game"]);
});

test("a lens shows its uses", async () => {
  await extension.activate({ subscriptions: [] });
  const range = { start: { line: 1, character: 2 }, end: { line: 3, character: 4 } };
  await commands["overhaul.showUses"]("file:///a.gml", { line: 5, character: 6 }, [{ uri: "file:///b.gml", range }]);
  const [, command, uri, position, [location]] = asked.at(-1);
  assert.equal(command, "editor.action.showReferences");
  assert.deepEqual([uri.parsed, position.numbers], ["file:///a.gml", [5, 6]]);
  assert.deepEqual([location.uri.parsed, location.range.numbers], ["file:///b.gml", [1, 2, 3, 4]]);
});

test("folders can't choose the program, and run it only where they are trusted", () => {
  const known = JSON.parse(readFileSync(join(here, "../package.json"), "utf8"));
  assert.equal(known.contributes.configuration.properties["overhaul.command"].scope, "machine");
  assert.equal(known.capabilities.untrustedWorkspaces.supported, false);
});
