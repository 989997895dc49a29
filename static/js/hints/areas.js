// Areas of the floor that stay free: rectangles drawn in the plan. The fields have their corners, in feet.
const ENDS = ["x1", "y1", "x2", "y2"];
const FOOT = 12 / 39.37;
const MIN_SIDE = 0.3;
const MIN_DEPTH = 0.1;
const MIN_OVERLAP = 0.02;

const edges = (outline) => outline.map((to, place) => [outline.at(place - 1), to]);
const turns = (outline) => edges(outline).reduce((sum, [[x, y], [u, v]]) => sum + x * v - u * y, 0);
// What of an outline lies within all sides [a, b, c]: where a x + b y + c is not negative.
const clip = (outline, sides) => sides.reduce((kept, [a, b, c]) => edges(kept).flatMap(([from, to]) => {
  const [before, after] = [from, to].map(([x, y]) => a * x + b * y + c);
  const share = before / (before - after);
  const cut = before < 0 !== after < 0 ? [from.map((value, axis) => value + share * (to[axis] - value))] : [];
  return after < 0 ? cut : [...cut, to];
}), outline);
const sidesOf = (outline) => {
  const turn = Math.sign(turns(outline)) || 1;
  return edges(outline).map(([[x, y], [u, v]]) => [turn * (y - v), turn * (u - x), turn * (x * v - u * y)]);
};
const drawBox = ([x, y, u, v]) => [[x, y], [u, y], [u, v], [x, v]];
const write = (outline) => outline.map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" ");

export function makeAreas(desk, view, svg, toPicture, pointer, changed) {
  const button = desk.querySelector("[data-keep-free]");
  const [a, b, c, d, e, f, g, h, i] = toPicture;
  const picture = [[g, h, i - MIN_DEPTH], [a, b, c], [d, e, f], [g - a, h - b, i - c], [g - d, h - e, i - f]];
  const project = ([x, y]) => [a * x + b * y + c, d * x + e * y + f].map((each) => each / (g * x + h * y + i));
  let isDrawing = false;
  let chosen = null;

  const rows = [...desk.querySelectorAll("[data-area-row]")].map((item) => {
    const name = item.dataset.areaRow;
    const points = item.querySelector("[data-spots]");
    return {
      used: item.querySelector("[type=checkbox]"),
      fields: points ? [] : ENDS.map((end) => item.querySelector(`#${name}-${end}`)),
      outline: points?.dataset.spots.split(" ").filter(Boolean).map((text) => text.split(",").map(Number)).map(([x, y]) => [x, -y]),
      inPicture: points?.value,
      marks: [svg, view.marks].map((each) => each.querySelector(`[data-area="${name}"]`)),
    };
  });
  // Its ends in meters, or null.
  const read = (row) => {
    if (row.fields.some((field) => field.value.trim() === "")) return null;
    const ends = row.fields.map((field) => Number(field.value.replace(",", ".")) * FOOT);
    return ends.some(Number.isNaN) ? null : ends;
  };
  const outlineOf = (row) => {
    if (row.outline) return row.used.checked ? row.outline : [];
    const ends = read(row);
    return ends ? drawBox(ends) : [];
  };
  const show = (row) => {
    const outline = outlineOf(row);
    const seen = row.outline ? row.inPicture : view.write(clip(outline, picture).map(project));
    row.marks[0].setAttribute("points", write(outline.map(([x, y]) => [x, -y])));
    row.marks[1].setAttribute("points", outline.length ? seen : "");
    for (const mark of row.marks) mark.classList.toggle("chosen", row === chosen);
    changed();
  };
  const set = (row, ends) => {
    row.fields.forEach((field, place) => { field.value = ends ? (ends[place] / FOOT).toFixed(1) : ""; });
    if (row.used) row.used.checked = Boolean(ends);
    show(row);
  };
  const choose = (row) => {
    const before = chosen;
    chosen = row;
    for (const each of [before, row]) if (each) show(each);
  };
  const remember = () => {
    const before = rows.map((row) => [row, row.used?.checked, row.fields.map((field) => field.value)]);
    view.remember(() => {
      for (const [row, used, values] of before) {
        if (row.used) row.used.checked = used;
        row.fields.forEach((field, place) => { field.value = values[place]; });
        show(row);
      }
      view.changed(button);
    });
  };
  const use = (on) => {
    isDrawing = on;
    button.setAttribute("aria-pressed", String(on));
    svg.classList.toggle("drawing", on);
    if (!on) choose(null);
    if (on) for (const each of desk.querySelectorAll("[data-furniture]")) each.setAttribute("aria-pressed", "false");
    if (on) view.say("Drag a rectangle in the plan. Press one to move or remove it.");
  };

  button.addEventListener("click", () => use(!isDrawing));
  for (const row of rows) for (const field of [row.used, ...row.fields]) field?.addEventListener("change", () => show(row));
  svg.addEventListener("pointerdown", (event) => {
    if (!isDrawing || event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    event.stopPropagation();
    const from = pointer(event);
    const held = rows.find((row) => row.marks[0] === event.target);
    const before = held && read(held);
    const row = held ?? rows.find((each) => !each.used && each.fields.every((field) => field.value === ""));
    if (!row) {
      view.say("All areas are taken. Save to get more, or remove one.");
      return;
    }
    remember();
    choose(row);
    if (held && !before?.length) return;
    view.follow(event, (each) => {
      const [x, y] = pointer(each);
      const [right, far] = [x - from[0], y - from[1]];
      set(row, held ? before.map((value, place) => value + (place % 2 ? far : right)) : [...from, x, y]);
    }, () => {
      const [x, y, u, v] = read(row) ?? [0, 0, 0, 0];
      if (!held && Math.min(Math.abs(x - u), Math.abs(y - v)) < MIN_SIDE) set(row, null);
      view.changed(button);
    });
  }, true);
  for (const row of rows) show(row);

  return {
    // Whether the area that was pressed last is removed, rather than a piece.
    remove: () => {
      if (!isDrawing || !chosen) return isDrawing;
      remember();
      set(chosen, null);
      choose(null);
      view.changed(button);
      return true;
    },
    isDrawing: () => isDrawing,
    stop: () => use(false),
    overlaps: (corners) => rows.some((row) => {
      const shared = clip(outlineOf(row), sidesOf(corners));
      return shared.length > 2 && Math.abs(turns(shared)) / 2 > MIN_OVERLAP;
    }),
  };
}
