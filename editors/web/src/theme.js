// The look of the editor, in the colours of the page, light and dark.
import { EditorView } from "@codemirror/view";

export const theme = EditorView.theme({
  "&": {
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    fontSize: ".85rem",
    maxHeight: "calc(100vh - 12rem)",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", minHeight: "12rem" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--sunk)", color: "var(--soft)", borderRight: "1px solid var(--line)",
    borderRadius: "8px 0 0 8px",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "var(--code-hit)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-back)", outline: "1px solid var(--accent)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)",
    borderRadius: "6px", boxShadow: "0 4px 16px #0003", maxWidth: "min(44rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "16rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent-back)", color: "var(--text)" },
  ".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal" },
  ".cm-about": { padding: ".4rem .6rem" },
  ".cm-about code": { fontFamily: "var(--mono)", whiteSpace: "pre-wrap" },
  ".cm-about p": { margin: ".2rem 0 0", color: "var(--soft)" },
  ".cm-about strong": { color: "var(--accent)" },
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-textfield": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-button": { backgroundColor: "var(--raised)", backgroundImage: "none", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--accent-back)", color: "var(--accent)", border: "none", padding: "0 .4em" },
  ".cm-keyword": { color: "var(--code-keyword)", fontWeight: "600" },
  ".cm-string": { color: "var(--code-string)" },
  ".cm-number": { color: "var(--code-number)" },
  ".cm-comment": { color: "var(--code-comment)", fontStyle: "italic" },
  ".cm-builtin": { color: "var(--code-builtin)" },
  ".cm-asset": { color: "var(--accent)" },
  ".cm-called": { fontWeight: "600" },
});
