// The grammars, as VS Code reads them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const { INITIAL, parseRawGrammar, Registry } = require("vscode-textmate");
const here = dirname(fileURLToPath(import.meta.url));

const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const path = join(here, "../syntaxes", `${scope.split(".")[1]}.tmLanguage.json`);
    return parseRawGrammar(readFileSync(path, "utf8"), path);
  },
});

/** What each word of a text is: the innermost scope, by the word. */
async function scopes(language, text) {
  const grammar = await registry.loadGrammar(`source.${language}`);
  const found = {};
  let state = INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const word = line.slice(startIndex, endIndex).trim();
      if (word) found[word] ??= scopes.at(-1);
    }
  }
  return found;
}

test("GML", async () => {
  const found = await scopes("gml", [
    "#macro SPEED 4",
    "function walk(step) constructor // how far",
    "{",
    "    var far = $\"at {x + other_x} now\";",
    "    draw_sprite(spr_keeper, 0, x, y);",
    "    if (keyboard_check(vk_left) and self.hp > $FF) mine(@'raw', \"a\\nb\", 0b11, #ff8800);",
    "    hp = obj.draw_sprite; /* a",
    "    comment */",
    "}",
  ].join("\n"));
  assert.equal(found["#macro"], "keyword.control.directive.gml");
  assert.equal(found.function, "keyword.control.gml");
  assert.equal(found.walk, "entity.name.function.gml");
  assert.equal(found["// how far"], "comment.line.double-slash.gml");
  assert.equal(found.draw_sprite, "support.function.gml");
  assert.equal(found.vk_left, "support.constant.gml");
  assert.equal(found.x, "support.variable.gml");
  assert.equal(found.self, "constant.language.gml");
  assert.equal(found.and, "keyword.control.gml");
  assert.equal(found.hp, "variable.other.property.gml");
  for (const number of ["$FF", "0b11", "#ff8800"]) assert.equal(found[number], "constant.numeric.gml");
  assert.equal(found["\\n"], "constant.character.escape.gml");
  assert.equal(found.raw, "string.quoted.other.gml");
  assert.equal(found.comment, "comment.block.gml");
});

test("AGS script", async () => {
  const found = await scopes("ags", [
    "#define MOST 5",
    "struct Weapon { import attribute int Power; };",
    "function hDoor_Look() { player.Say(\"hi\"); while (true) { x = 0x1F; } } // end",
  ].join("\n"));
  assert.equal(found["#define"], "keyword.control.directive.ags");
  assert.equal(found.struct, "keyword.control.ags");
  assert.equal(found.int, "storage.type.ags");
  assert.equal(found.function, "storage.type.ags");
  assert.equal(found.hDoor_Look, "entity.name.function.ags");
  assert.equal(found.true, "constant.language.ags");
  assert.equal(found["0x1F"], "constant.numeric.ags");
  assert.equal(found["// end"], "comment.line.double-slash.ags");
});
