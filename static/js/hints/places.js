// Places of furniture: pressed and dragged in the picture, moved and turned in the floor plan. The fields have both.
const ENDS = ["x1", "y1", "x2", "y2"];
const MIN_DRAG = 12;
const OWN = "own";
// How far before a piece the point is that it faces, in meters; the first that is in the picture is taken.
const LOOKS = [2, 1, 0.5, 0.25];

const apply = (matrix, [x, y]) => {
  const [u, v, w] = [0, 3, 6].map((row) => matrix[row] * x + matrix[row + 1] * y + matrix[row + 2]);
  return [u / w, v / w];
};
const invert = ([a, b, c, d, e, f, g, h, i]) => {
  const scale = 1 / (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g));
  return [e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d].map((each) => each * scale);
};

export async function start(desk, view) {
  const rows = [...desk.querySelectorAll("[data-place]")].map((item) => ({
    piece: item.querySelector("select"),
    fields: ENDS.map((end) => item.querySelector(`#${item.dataset.place}-${end}`)),
    arrow: view.draw("line", { class: "edge up" }),
    dot: view.draw("path", { class: "handle on length" }),
  }));
  const kinds = [...desk.querySelectorAll("[data-furniture]")];
  const own = desk.querySelector("#layout-own");
  let kind = kinds[0].dataset.furniture;

  const read = (row) => row.fields.map((field) => (field.value === "" ? NaN : Number(field.value.replace(",", ".")) / 100));
  const drawn = desk.querySelector("[data-areas]");
  const areas = drawn && (await import(drawn.dataset.areas));
  const plan = makePlan(desk, view, rows, read, (row, values) => write(row, values), areas);
  const show = (row) => {
    const [x, y, u, v] = read(row);
    const isPlaced = row.piece.value !== "" && !Number.isNaN(x + y);
    const isTurned = isPlaced && !Number.isNaN(u + v);
    row.dot.setAttribute("d", isPlaced ? `M${x} ${y}h0` : "");
    row.arrow.classList.toggle("on", isTurned);
    ENDS.forEach((end, place) => row.arrow.setAttribute(end, isTurned ? [x, y, u, v][place] : 0));
    plan?.show(row, isPlaced, isTurned);
    plan?.tell();
  };
  const write = (row, values) => {
    row.fields.forEach((field, place) => { field.value = values[place] === "" ? "" : (100 * values[place]).toFixed(2); });
    if (own) own.checked = true;
    show(row);
  };
  const snapshot = () => {
    const before = rows.map((row) => [row, row.piece.value, row.fields.map((field) => field.value)]);
    return () => {
      for (const [row, piece, values] of before) {
        row.piece.value = piece;
        row.fields.forEach((field, place) => { field.value = values[place]; });
        show(row);
      }
      if (own) own.checked = true;
      view.changed(rows[0].piece);
    };
  };
  if (plan) plan.remember = () => view.remember(snapshot());
  for (const row of rows) {
    for (const field of [row.piece, ...row.fields]) {
      field.addEventListener("change", () => {
        if (own) own.checked = true;
        show(row);
      });
    }
    show(row);
  }

  // A layout fills the fields; whatever is moved then is the customer's own.
  desk.addEventListener("change", (event) => {
    if (event.target.name !== "layout" || event.target.value === OWN) return;
    const chosen = event.target.value.split(";").filter(Boolean).map((text) => text.trim().split(" "));
    view.remember(snapshot());
    rows.forEach((row, number) => {
      const [piece = "", ...values] = chosen[number] ?? [];
      row.piece.value = piece;
      row.fields.forEach((field, place) => { field.value = values[place] ?? ""; });
      show(row);
    });
  });

  view.canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    if (plan?.areas.isDrawing()) {
      view.say("Areas are drawn in the plan.");
      return;
    }
    const place = view.place(event);
    const near = rows.find((row) => row.piece.value && view.distance(read(row).slice(0, 2), place) < MIN_DRAG);
    // One piece of a kind is the usual: placed again, it moves.
    const row = near ?? rows.find((each) => each.piece.value === kind) ?? rows.find((each) => !each.piece.value);
    if (!row) {
      view.say("All places are taken. Move a piece, or remove one below.");
      return;
    }
    view.remember(snapshot());
    row.piece.value ||= kind;
    const at = near ? read(row).slice(0, 2) : place;
    write(row, [...at, "", ""]);
    view.follow(event, (each) => {
      const to = view.place(each);
      write(row, view.distance(at, to) > MIN_DRAG ? [...at, ...to] : [...at, "", ""]);
    }, () => view.changed(row.fields[0]));
  });
  desk.querySelector("[data-remove]").addEventListener("click", () => {
    if (plan?.areas.remove()) return;
    const row = rows.find((each) => each.piece.value === kind);
    if (!row) return;
    view.remember(snapshot());
    row.piece.value = "";
    write(row, ["", "", "", ""]);
    view.changed(row.piece);
  });
  desk.addEventListener("click", (event) => {
    const button = event.target.closest("[data-furniture]");
    if (!button) return;
    kind = button.dataset.furniture;
    plan?.areas.stop();
    for (const each of kinds) each.setAttribute("aria-pressed", String(each === button));
  });
  view.say(`Press where the piece stands, and drag to where it faces${plan ? "; or move it in the plan" : ""}.`);
}

// The floor plan, if the room has one: y runs away from the camera, upwards on the page.
function makePlan(desk, view, rows, read, write, areas) {
  const svg = desk.querySelector("[data-plan]");
  if (!svg) return null;
  const toPicture = svg.dataset.toPicture.split(" ").map(Number);
  const toPlan = invert(toPicture);
  const add = (name, attributes, parent) => parent.appendChild(Object.entries(attributes).reduce((made, [key, value]) => {
    made.setAttribute(key, value);
    return made;
  }, document.createElementNS("http://www.w3.org/2000/svg", name)));
  const pointer = (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [x, -y];
  };
  const isInPicture = (point) => point.every((each) => each >= 0 && each <= 1);
  // Where it stands and what it faces, in the picture, from its place and the direction of its front in the plan.
  const place = (row, [x, y], [dx, dy]) => {
    const at = apply(toPicture, [x, y]);
    if (!isInPicture(at)) return;
    const looks = LOOKS.map((far) => apply(toPicture, [x + far * dx, y + far * dy])).find(isInPicture);
    write(row, [...at, ...(looks ?? ["", ""])]);
  };
  const plan = { remember: () => {} };
  const drag = (event, row, isTurning) => {
    event.preventDefault();
    event.stopPropagation();
    plan.remember();
    const from = pointer(event);
    const [start, front] = [row.spot, row.front];
    view.follow(event, (each) => {
      const to = pointer(each);
      const [dx, dy] = [to[0] - start[0], to[1] - start[1]];
      const length = Math.hypot(dx, dy) || 1;
      if (isTurning) place(row, start, [dx / length, dy / length]);
      else place(row, [start[0] + to[0] - from[0], start[1] + to[1] - from[1]], front);
    }, () => view.changed(row.fields[0]));
  };
  for (const row of rows) {
    row.shape = add("g", { class: "main", hidden: "" }, svg);
    row.box = add("rect", { rx: 0.05 }, row.shape);
    row.name = add("text", {}, row.shape);
    row.knob = add("circle", { class: "turn", r: 0.14 }, row.shape);
    row.shape.addEventListener("pointerdown", (event) => drag(event, row, event.target === row.knob));
  }
  // Which pieces stand in an area that is to stay free.
  const note = desk.querySelector("[data-standing-in]");
  plan.tell = () => {
    const standing = rows.filter((row) => row.corners && plan.areas?.overlaps(row.corners));
    const text = standing.map((row) => `The ${row.piece.selectedOptions[0].textContent.toLowerCase()} ${note.dataset.text}`).join(" ");
    if (note.textContent !== text) note.textContent = text;
  };
  for (const each of svg.querySelectorAll("[data-standing]")) each.remove();
  plan.areas = areas.makeAreas(desk, view, svg, toPicture, pointer, plan.tell);
  plan.show = (row, isPlaced, isTurned) => {
    row.corners = null;
    row.shape.toggleAttribute("hidden", !isPlaced);
    row.shape.style.display = isPlaced ? "" : "none";
    if (!isPlaced) return;
    const ends = read(row);
    row.spot = apply(toPlan, ends.slice(0, 2));
    const [x, y] = row.spot;
    // What faces nothing else faces the camera, as the engine has it.
    const seen = isTurned ? apply(toPlan, ends.slice(2)) : [0, 0];
    const length = Math.hypot(seen[0] - x, seen[1] - y) || 1;
    row.front = [(seen[0] - x) / length, (seen[1] - y) / length];
    const [width, depth] = svg.getAttribute(`data-size-${row.piece.value.replace("_", "-")}`).split(" ").map(Number);
    // Its front is the lower side of the box: turned so that it looks where it faces.
    const turn = (Math.atan2(-row.front[0], -row.front[1]) * 180) / Math.PI;
    row.shape.setAttribute("transform", `translate(${x} ${-y}) rotate(${turn})`);
    for (const [key, value] of Object.entries({ x: -width / 2, y: -depth / 2, width, height: depth })) row.box.setAttribute(key, value);
    row.knob.setAttribute("cy", depth / 2);
    row.name.textContent = row.piece.selectedOptions[0].textContent;
    const [ahead, aside] = row.front;
    row.corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([p, q]) => [
      x + (q * ahead * depth - p * aside * width) / 2, y + (q * aside * depth + p * ahead * width) / 2,
    ]);
    row.name.setAttribute("transform", `rotate(${-turn})`);
  };
  return plan;
}
