// A check box at the head of a table: chooses all rows, or none.
export default function (box) {
  const boxes = [...box.closest("table").querySelectorAll("tbody input[type=checkbox]")];
  const look = () => {
    const count = boxes.filter((each) => each.checked).length;
    box.checked = count === boxes.length;
    box.indeterminate = count > 0 && count < boxes.length;
  };
  box.hidden = false;
  box.addEventListener("change", () => {
    for (const each of boxes) each.checked = box.checked;
    look();
  });
  box.closest("table").addEventListener("change", look);
  look();
}
