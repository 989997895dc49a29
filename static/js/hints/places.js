// Places of furniture: press where a piece stands, and drag to where it faces.
const ENDS = ["x1", "y1", "x2", "y2"];
const MIN_DRAG = 12;

export function start(desk, view) {
  const rows = [...desk.querySelectorAll("[data-place]")].map((item) => ({
    piece: item.querySelector("select"),
    fields: ENDS.map((end) => item.querySelector(`#${item.dataset.place}-${end}`)),
    arrow: view.draw("line", { class: "edge up on" }),
    dot: view.draw("path", { class: "handle on length" }),
  }));
  const kinds = [...desk.querySelectorAll("[data-furniture]")];
  let kind = kinds[0].dataset.furniture;

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
    row.piece.addEventListener("change", () => show(row));
    for (const field of row.fields) field.addEventListener("change", () => show(row));
    show(row);
  }
  view.canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    const place = view.place(event);
    const near = rows.find((row) => row.piece.value && view.distance(read(row).slice(0, 2), place) < MIN_DRAG);
    // One piece of a kind is the usual: placed again, it moves.
    const row = near ?? rows.find((each) => each.piece.value === kind) ?? rows.find((each) => !each.piece.value);
    if (!row) {
      view.say("All places are taken. Move a piece, or remove one below.");
      return;
    }
    const was = row.piece.value;
    row.piece.value ||= kind;
    const before = row.fields.map((field) => field.value);
    view.remember(() => {
      row.piece.value = was;
      row.fields.forEach((field, number) => { field.value = before[number]; });
      show(row);
      view.changed(row.fields[0]);
    });
    const at = near ? read(row).slice(0, 2) : place;
    write(row, [...at, "", ""]);
    view.follow(event, (each) => {
      const to = view.place(each);
      write(row, view.distance(at, to) > MIN_DRAG ? [...at, ...to] : [...at, "", ""]);
    }, () => view.changed(row.fields[0]));
  });
  desk.addEventListener("click", (event) => {
    const button = event.target.closest("[data-furniture]");
    if (!button) return;
    kind = button.dataset.furniture;
    for (const each of kinds) each.setAttribute("aria-pressed", String(each === button));
  });
  view.say("Press where the piece stands, and drag to where it faces.");
}
