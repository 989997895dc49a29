// Pieces of the picture: tapped, or drawn as outlines. With the brush the choice becomes a painted mask, see paint.js.
const CLOSE = 12;
const HINTS = {
  tap: "Tap a piece to choose it, once more to take it out.",
  outline: "Tap the corners of an outline; tap the first corner to close it.",
  brush: "Paint what belongs to it.",
  eraser: "Paint over what does not belong to it.",
};

export function start(desk, view) {
  const list = desk.querySelector("[data-pieces]");
  const none = desk.querySelector("[name=none]");
  let tool = "tap";
  let corners = [];
  let drawn = null;
  let paint = null;

  const inputs = () => [...list.querySelectorAll("input")];
  const polygonOf = (input) => view.marks.querySelector(`[data-piece="${input.id.replace("piece-", "")}"]`);
  const inputOf = (polygon) => list.querySelector(`#piece-${polygon.dataset.piece}`);

  const set = (input, on) => {
    if (input.checked === on) return;
    input.checked = on;
    polygonOf(input).classList.toggle("on", on);
    if (on && none) none.checked = false;
    view.changed(input);
  };
  const snapshot = () => {
    const chosen = inputs().map((input) => [input, input.checked]);
    const wasNone = none?.checked;
    return () => {
      for (const [input, on] of chosen) set(input, on);
      if (none) none.checked = wasNone;
    };
  };
  list.addEventListener("change", (event) => polygonOf(event.target)?.classList.toggle("on", event.target.checked));
  none?.addEventListener("change", () => {
    if (!none.checked) return;
    view.remember(snapshot());
    for (const input of inputs()) set(input, false);
  });

  const pieceAt = (event) => document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.dataset.piece);

  const tap = (event) => {
    const first = pieceAt(event);
    if (!first) return;
    if (paint?.isUsed()) {
      paint.fill(inputOf(first).value, event);
      return;
    }
    view.remember(snapshot());
    const on = !inputOf(first).checked;
    const visit = (each) => {
      const piece = pieceAt(each);
      if (piece && inputOf(piece).checked !== on) set(inputOf(piece), on);
    };
    set(inputOf(first), on);
    if (event.type === "pointerdown") view.follow(event, visit);
  };

  const redraw = (pointer) => {
    drawn?.remove();
    drawn = null;
    if (corners.length) drawn = view.draw("polyline", { class: "drawn", points: view.write(pointer ? [...corners, pointer] : corners) });
  };
  const close = () => {
    const points = view.write(corners);
    const enough = corners.length > 2;
    corners = [];
    redraw();
    if (!enough) return;
    if (paint?.isUsed()) {
      paint.fillPoints(points);
      return;
    }
    const number = inputs().length;
    view.draw("polygon", { points, "data-piece": number, class: "piece on" });
    const item = document.createElement("li");
    const input = Object.assign(document.createElement("input"), { type: "checkbox", name: list.dataset.name, value: points, id: `piece-${number}`, checked: true });
    const label = Object.assign(document.createElement("label"), { htmlFor: input.id, textContent: "Drawn outline" });
    item.append(input, label);
    list.prepend(item);
    if (none) none.checked = false;
    view.remember(() => set(input, false));
    view.changed(input);
    view.say("Outline added.");
  };
  const addCorner = (event) => {
    const place = view.place(event);
    if (corners.length > 2 && view.distance(place, corners[0]) < CLOSE) close();
    else if (!corners.length || view.distance(place, corners.at(-1)) > 2) corners.push(place);
    redraw();
  };
  view.canvas.addEventListener("pointermove", (event) => { if (tool === "outline" && corners.length) redraw(view.place(event)); });
  view.canvas.addEventListener("dblclick", () => { if (tool === "outline") close(); });
  document.addEventListener("keydown", (event) => {
    if (!corners.length || !["Enter", "Escape", "Backspace"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "Enter") close();
    if (event.key === "Backspace") corners.pop();
    if (event.key === "Escape") corners = [];
    redraw();
  });

  view.canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    if (event.pointerType !== "touch") event.preventDefault();
    if (tool === "outline") addCorner(event);
    else if (tool !== "tap") paint.stroke(event, tool === "eraser");
    else if (event.pointerType !== "touch") tap(event);
  });
  // A finger that moves scrolls the page: only where it stayed in place it has tapped.
  view.canvas.addEventListener("click", (event) => { if (tool === "tap" && event.pointerType === "touch") tap(event); });

  const ready = async () => {
    paint ??= (await import(desk.dataset.paint)).makePaint(desk, view, () => inputs().filter((each) => each.checked).map((each) => each.value));
    return paint;
  };
  desk.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-tool]");
    if (!button) return;
    tool = button.dataset.tool;
    corners = [];
    redraw();
    for (const each of desk.querySelectorAll("[data-tool]")) each.setAttribute("aria-pressed", String(each === button));
    view.canvas.dataset.mode = tool;
    view.say(HINTS[tool]);
    if (tool === "brush" || tool === "eraser") (await ready()).use();
  });
  view.say(HINTS.tap);
  if (desk.querySelector("#mask")?.value) ready().then((each) => each.use());
}
