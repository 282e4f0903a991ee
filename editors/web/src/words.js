// The pieces of GML and of AGS script, by the rules of Overhaul's own lexers: what the page gives
// says which words are reserved, and which kinds of strings and numbers there are.

const NAME = /^[\p{L}_][\p{L}\p{N}_]*/u;
const NUMBERS = {
  old: /^(?:\$[0-9A-Fa-f]+|0[xX][0-9A-Fa-f]+|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)/,
  new: /^(?:\$[0-9A-Fa-f_]+|0[xX][0-9A-Fa-f_]+|0[bB][01_]+|#[0-9A-Fa-f]{6}(?![0-9A-Za-z_])|[0-9][0-9_]*(?:\.[0-9][0-9_]*|\.(?![A-Za-z_.]))?|\.[0-9][0-9_]*)/,
  ags: /^(?:0[xX][0-9A-Fa-f]+|[0-9][0-9.]*)/,
};
const OPERATOR = /^[-+*/%&|^~!<>=?:;,.(){}[\]@$#\\]/;

/**
 * A stream parser of CodeMirror.
 *
 * rules: {keywords: [...], numbers: "old" | "new" | "ags", strings: "gms1" | "gms2" | "ags",
 *         templates: boolean, directives: boolean};
 * role(name, behindDot): what a name is, as the service says.
 */
export function parser(rules, role) {
  const keywords = new Set(rules.keywords);
  const number = NUMBERS[rules.numbers];
  return {
    name: "code",
    startState: () => ({ within: "", dot: false }),
    copyState: (state) => ({ ...state }),
    languageData: {
      commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
      closeBrackets: { brackets: ["(", "[", "{", '"'] },
      indentOnInput: /^\s*[}\])]$/,
    },
    token(stream, state) {
      if (state.within) return within(stream, state);
      if (stream.eatSpace()) return null;
      const dot = state.dot;
      state.dot = false;
      if (stream.match("//")) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match("/*")) {
        state.within = "*/";
        return within(stream, state);
      }
      if (rules.directives && stream.match(/^#[A-Za-z]\w*/)) {
        if (rules.numbers !== "new" || !/^#[0-9A-Fa-f]{6}$/.test(stream.current())) {
          if (/^#(?:end)?region\b/.test(stream.current())) stream.skipToEnd();
          return "meta";
        }
        return "number";
      }
      if (string(stream, state, rules)) return state.within ? within(stream, state) : "string";
      const found = stream.match(NAME);
      if (found) {
        const name = found[0];
        if (!dot && keywords.has(name)) return "keyword";
        return role(name, dot);
      }
      if (stream.match(number)) return "number";
      if (stream.eat(".")) {
        state.dot = true;
        return "operator";
      }
      if (stream.match(OPERATOR)) return "operator";
      stream.next();
      return null;
    },
  };
}

/** The rest of a comment or string of several lines. */
function within(stream, state) {
  const role = state.within === "*/" ? "comment" : "string";
  const end = stream.string.indexOf(state.within, stream.pos);
  if (end < 0) {
    stream.skipToEnd();
  } else {
    stream.pos = end + state.within.length;
    state.within = "";
  }
  return role;
}

/** Whether a string begins here; its end may be in another line. */
function string(stream, state, rules) {
  if (rules.strings === "gms1") {
    const quote = stream.eat(/["']/);
    if (quote) state.within = quote;
    return Boolean(quote);
  }
  if (rules.strings === "gms2") {
    const raw = stream.match(/^@["']/);
    if (raw) {
      state.within = stream.current().slice(-1);
      return true;
    }
    if (rules.templates && stream.match('$"')) {
      template(stream);
      return true;
    }
    return Boolean(stream.match(/^"(?:[^"\\]|\\.)*(?:"|$)/));
  }
  return Boolean(stream.match(/^"(?:[^"\\]|\\.)*(?:"|$)/) || stream.match(/^'(?:[^'\\]|\\.)[^']*(?:'|$)/));
}

/** A template string: braces in it hold expressions, in which strings may stand again. */
function template(stream) {
  const text = stream.string;
  let at = stream.pos;
  let depth = 0;
  for (; at < text.length; at++) {
    const char = text[at];
    if (!depth && char === "\\") at++;
    else if (!depth && char === '"') break;
    else if (char === "{") depth++;
    else if (char === "}" && depth) depth--;
    else if (char === '"') {
      const end = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(at));
      if (!end) break;
      at += end[0].length - 1;
    }
  }
  stream.pos = Math.min(at + 1, text.length);
}

/** Where the block ends whose brace is the last open one of a line; null without one. */
export function block(text, from, to, isCode) {
  let open = -1;
  for (let at = to - 1, depth = 0; at >= from; at--) {
    if (text[at] === "}" && isCode(at)) depth++;
    else if (text[at] === "{" && isCode(at) && depth-- === 0) {
      open = at;
      break;
    }
  }
  if (open < 0) return null;
  for (let at = open + 1, depth = 0; at < text.length; at++) {
    if (text[at] === "{" && isCode(at)) depth++;
    else if (text[at] === "}" && isCode(at) && depth-- === 0) {
      return at > to ? { from: open + 1, to: at } : null;
    }
  }
  return null;
}
