// The picture as the way to answer a question: its size, where a pointer is in it, drawing into it, and undoing. What is
// chosen is always in the fields below it, which are what is sent. The module of the question does the rest.
const write = (points) => points.map(([x, y]) => `${x.toFixed(4)},${y.toFixed(4)}`).join(" ");
const changed = (field) => field.dispatchEvent(new Event("change", { bubbles: true }));
const SVG = "http://www.w3.org/2000/svg";
const MAX_ZOOM = 8;
const MAX_UNDO = 30;

function makeView(desk) {
  const box = desk.querySelector("[data-view]");
  const canvas = desk.querySelector("[data-canvas]");
  const marks = desk.querySelector("[data-marks]");
  const note = desk.querySelector("[data-note]");
  const undo = desk.querySelector("[data-undo]");
  const past = [];
  let zoom = 1;

  const resize = (factor) => {
    const before = zoom;
    zoom = Math.min(MAX_ZOOM, Math.max(1, zoom * factor));
    const [x, y] = [box.scrollLeft + box.clientWidth / 2, box.scrollTop + box.clientHeight / 2];
    box.classList.toggle("zoomed", zoom > 1);
    if (zoom > 1 && before === 1) box.style.setProperty("--fit", `${canvas.clientWidth}px`);
    canvas.style.setProperty("--zoom", zoom);
    box.scrollTo(x * (zoom / before) - box.clientWidth / 2, y * (zoom / before) - box.clientHeight / 2);
  };
  desk.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) resize(Number(button.dataset.zoom));
  });
  undo.addEventListener("click", () => {
    past.pop()?.();
    undo.setAttribute("aria-disabled", String(!past.length));
  });
  desk.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.closest("input:not([type=checkbox])")) {
      event.preventDefault();
      undo.click();
    }
  });

  return {
    canvas,
    marks,
    write,
    changed,
    // Set while what is painted is not in its field yet.
    encoding: null,
    say: (text) => { note.textContent = text; },
    // Where the pointer is, 0 to 1 of the picture.
    place: (event) => {
      const area = canvas.getBoundingClientRect();
      const share = (at, from, length) => Math.min(1, Math.max(0, (at - from) / length));
      return [share(event.clientX, area.left, area.width), share(event.clientY, area.top, area.height)];
    },
    // How far apart two places are, in pixels of the screen.
    distance: ([x, y], [u, v]) => Math.hypot((x - u) * canvas.clientWidth, (y - v) * canvas.clientHeight),
    draw: (name, attributes) => {
      const made = document.createElementNS(SVG, name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      marks.append(made);
      return made;
    },
    // What takes the last change back.
    remember: (restore) => {
      past.push(restore);
      if (past.length > MAX_UNDO) past.shift();
      undo.setAttribute("aria-disabled", "false");
    },
    // Follow one pointer from its press to its end, however it ends.
    follow: (event, move, end) => {
      const target = event.target;
      target.setPointerCapture(event.pointerId);
      const onMove = (each) => { if (each.pointerId === event.pointerId) move(each); };
      const onEnd = (each) => {
        target.removeEventListener("pointermove", onMove);
        target.removeEventListener("lostpointercapture", onEnd);
        end?.(each);
      };
      target.addEventListener("pointermove", onMove);
      target.addEventListener("lostpointercapture", onEnd);
    },
  };
}

const desk = document.getElementById("desk");
const view = makeView(desk);
await (await import(desk.dataset.module)).start(desk, view);
// Until now a tool would have been pressed in vain.
desk.querySelector(".tools").inert = false;

// Nothing is lost by leaving the page by mistake.
let isChanged = "unsaved" in desk.dataset;
desk.addEventListener("change", () => { isChanged = true; });
addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });

// It is sent once what is painted is encoded; within the event of a submission no other one begins.
desk.addEventListener("submit", async (event) => {
  isChanged = false;
  const { encoding } = view;
  if (!encoding) return;
  event.preventDefault();
  await encoding;
  view.encoding = null;
  setTimeout(() => desk.requestSubmit(event.submitter));
});
