// What a page is called in lists of pages: "rm_first: Canvas".
export function titleHere() {
  const way = [...document.querySelectorAll(".crumbs li")].map((each) => each.textContent.trim());
  const of = location.pathname.includes("/-/") && way.length > 1 ? `${way.at(-2)}: ` : "";
  return of + (way.at(-1) ?? "");
}

/** Whether keys go into a field. */
export function typing(target) {
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
