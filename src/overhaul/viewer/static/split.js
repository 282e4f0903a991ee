// Two pages side by side: links of the list, of the results and of the tabs open in the one that was used
// last. A step made in one shows in the other, unless something typed waits there.
import { bar, post } from "./steps.js";

const FORMS = /\/-\/(undo|redo|save|reload)$/;

export default function (root) {
  const panes = [...root.querySelectorAll(".pane")];
  const frameOf = (pane) => pane.querySelector("iframe");
  const otherOf = (pane) => panes.find((each) => each !== pane);
  const hrefOf = (pane) => {
    const { pathname, search } = frameOf(pane).contentWindow.location;
    return pathname + search;
  };
  let active = panes[0];

  function use(pane) {
    active = pane;
    for (const each of panes) each.classList.toggle("active", each === pane);
  }

  function open(pane, href) {
    frameOf(pane).contentWindow.location.href = href;
  }

  /** The address lists both pages, so that it restores them. */
  function keep() {
    const at = new URL(location.href);
    for (const pane of panes) at.searchParams.set(frameOf(pane).name, hrefOf(pane));
    history.replaceState(history.state, "", at);
  }

  /** Show the steps of a page at the top; the other page is loaded again if it is of another step. */
  function follow(page, from) {
    bar(page);
    const step = page.body.dataset.step;
    for (const pane of panes) {
      if (pane === from) continue;
      const { contentWindow, contentDocument } = frameOf(pane);
      if (contentDocument?.body?.dataset.step !== step) contentWindow.dispatchEvent(new Event("overhaul:stale"));
    }
  }

  function loaded(pane) {
    const { contentWindow, contentDocument } = frameOf(pane);
    if (!contentDocument?.body || contentDocument.URL === "about:blank") return;
    const link = pane.querySelector("header a");
    link.href = hrefOf(pane);
    link.textContent = contentDocument.querySelector(".crumbs [aria-current]")?.textContent.trim() || "Game";
    frameOf(pane).title = link.textContent;
    contentWindow.addEventListener("pointerdown", () => use(pane), true);
    contentWindow.addEventListener("focusin", () => use(pane), true);
    contentWindow.addEventListener("overhaul:step", () => follow(contentDocument, pane));
    contentWindow.addEventListener("click", (event) => {
      const to = linkOf(event);
      if (!to || !event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      open(otherOf(pane), to.href);
    }, true);
    contentWindow.addEventListener("keydown", (event) => fieldKey(event));
    keep();
    follow(contentDocument, pane);
  }

  /** The fields of the search and of the list are those of the whole. */
  function fieldKey(event) {
    const field = { "/": "q", f: "filter" }[event.key];
    const target = event.target;
    if (!field || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable) return;
    event.preventDefault();
    document.getElementById(field).focus();
  }

  function linkOf(event) {
    const link = event.target.closest?.("a[href]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return null;
    const isOwn = link.origin === location.origin && !link.target && !link.hasAttribute("download");
    return isOwn && !link.getAttribute("href").startsWith("#") ? link : null;
  }

  for (const pane of panes) {
    const frame = frameOf(pane);
    frame.addEventListener("load", () => loaded(pane));
    if (frame.contentDocument?.readyState === "complete") loaded(pane);
    pane.querySelector("[data-close]").addEventListener("click", () => { location.href = hrefOf(otherOf(pane)); });
  }
  use(active);

  window.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link || link.closest(".pane header, .keeping, .crumbs") || link.classList.contains("help")) return;
    event.preventDefault();
    event.stopPropagation();
    document.getElementById("found").replaceChildren();
    open(event.altKey ? otherOf(active) : active, link.href);
  }, true);

  window.addEventListener("submit", async (event) => {
    if (!FORMS.test(event.target.action)) return;
    event.preventDefault();
    const done = await post(event.target.action, new URLSearchParams(new FormData(event.target, event.submitter)));
    if (done.page) follow(done.page, null);
    else location.reload();
  }, true);
}
