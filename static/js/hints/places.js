// Places of furniture: press where a piece stands, and drag to where it faces.
import { changed } from "./view.js";

const ENDS = ["x1", "y1", "x2", "y2"];
const MIN_DRAG = 12;

export function start(desk, view) {
  const rows = [...desk.querySelectorAll("[data-place]")].map((item) => ({
    piece: item.querySelector("select"),
    fields: ENDS.map((end) => item.querySelector(`#${item.dataset.place}-${end}`)),
    arrow: view.draw("line", { class: "edge up on" }),
    dot: view.draw("path", { class: "handle on length" }),
  }));
  let current = rows[0];

  const read = (row) => row.fields.map((field) => (field.value === "" ? NaN : Number(field.value.replace(",", ".")) / 100));
  const show = (row) => {
    const [x, y, u, v] = read(row);
    const isPlaced = row.piece.value && !Number.isNaN(x + y);
    row.dot.setAttribute("d", isPlaced ? `M${x} ${y}h0` : "");
    const ends = isPlaced && !Number.isNaN(u + v) ? [x, y, u, v] : [0, 0, 0, 0];
    ENDS.forEach((end, place) => row.arrow.setAttribute(end, ends[place]));
    row.arrow.toggleAttribute("hidden", !isPlaced);
  };
  const write = (row, values) => {
    row.fields.forEach((field, place) => { field.value = values[place] === "" ? "" : (100 * values[place]).toFixed(1); });
    show(row);
  };
  for (const row of rows) {
    row.piece.addEventListener("change", () => { current = row; show(row); });
    for (const field of row.fields) field.addEventListener("change", () => show(row));
    show(row);
  }
  view.canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    const near = rows.find((row) => row.piece.value && view.distance(read(row).slice(0, 2), view.place(event)) < MIN_DRAG);
    if (near) current = near;
    if (!current.piece.value) current.piece.selectedIndex = 1;
    const row = current;
    const before = row.fields.map((field) => field.value);
    view.remember(() => {
      row.fields.forEach((field, place) => { field.value = before[place]; });
      show(row);
      changed(row.fields[0]);
    });
    const at = near ? read(row).slice(0, 2) : view.place(event);
    write(row, [...at, "", ""]);
    view.follow(event, (each) => {
      const to = view.place(each);
      write(row, view.distance(at, to) > MIN_DRAG ? [...at, ...to] : [...at, "", ""]);
    }, () => changed(row.fields[0]));
  });
  view.say("Press where the piece stands, and drag to where it faces.");
}
