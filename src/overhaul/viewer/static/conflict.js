// Two edits of one file: what is chosen of them is the draft that was sent, once more.
import { discard, sendAgain } from "./drafts.js";

export default function (form) {
  form.addEventListener("submit", sendAgain);
  form.querySelector("[data-discards]").addEventListener("click", discard);
}
