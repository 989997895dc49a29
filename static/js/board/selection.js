// Selecting many photos: Shift with a click for a row of them, arrow keys from one to the next, all of a kind at once.
// Without it every box is ticked by itself.
const status = document.getElementById("status");
const say = (text) => { status.textContent = text; };
const board = () => document.getElementById("board");
const boxes = () => [...board().querySelectorAll(".shot > input")];
let last = null; // the id of the box that was ticked last: a row begins there

function tell(aloud = true) {
  const picked = boxes().filter((box) => box.checked).length;
  const line = board().querySelector("[data-picked]");
  if (!line) return;
  line.textContent = picked ? `${picked} selected` : line.dataset.none;
  if (aloud) say(`${picked} selected`);
}

function pickRow(box) {
  const all = boxes();
  const from = all.findIndex((each) => each.id === last);
  const to = all.indexOf(box);
  if (from < 0) return;
  for (const each of all.slice(Math.min(from, to), Math.max(from, to) + 1)) each.checked = box.checked;
}

document.addEventListener("click", (event) => {
  // A label passes its click on to its box, and the Shift with it only in some browsers.
  const label = event.target.closest(".shot > label");
  if (label && event.shiftKey) {
    event.preventDefault();
    const box = document.getElementById(label.htmlFor);
    box.checked = !box.checked;
    pickRow(box);
    last = box.id;
    tell();
    return;
  }
  if (event.target.matches(".shot > input")) {
    if (event.shiftKey) pickRow(event.target);
    last = event.target.id;
    tell();
  }
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-pick]");
  if (!button) return;
  const wanted = button.dataset.pick;
  for (const box of boxes()) {
    box.checked = wanted === "all" || box.closest("[data-shots]").dataset.shots === wanted;
  }
  tell();
});

// How many tiles stand in one line.
function columns(box) {
  const tiles = [...box.closest("[data-shots]").children];
  return tiles.filter((tile) => tile.offsetTop === tiles[0].offsetTop).length;
}

const STEPS = { ArrowRight: () => 1, ArrowLeft: () => -1, ArrowDown: columns, ArrowUp: (box) => -columns(box) };

document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.(".shot > input") || !(event.key in STEPS)) return;
  const all = boxes();
  const next = all[all.indexOf(event.target) + STEPS[event.key](event.target)];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.closest(".shot").scrollIntoView({ block: "nearest" });
  if (event.shiftKey) {
    next.checked = true;
    last = next.id;
    tell();
  }
});

// One menu is open at a time; Escape closes it.
document.addEventListener("toggle", (event) => {
  if (!event.target.matches?.(".menu[open]")) return;
  for (const other of board().querySelectorAll(".menu[open]")) if (other !== event.target) other.open = false;
}, true);
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.(".menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Once no menu is open any more, what was held back is asked for.
document.addEventListener("toggle", (event) => {
  if (!waits || !event.target.matches?.(".menu") || board().querySelector(".menu[open]")) return;
  waits = false;
  askForBoard();
}, true);

// The board comes anew, one request at a time. It is asked for by the page's head, which stays: what a part of the
// board asks for while that is being exchanged is dropped. Whatever somebody does on the board goes first, and
// then it is asked for once more.
const head = document.querySelector(".board-head");
let asking = false;
let stale = false;
async function askForBoard() {
  if (!window.htmx) return;
  stale = true;
  if (asking) return;
  asking = true;
  while (stale) {
    stale = false;
    let went = "first"; // nothing was sent: a change of the board is under way
    const look = ({ detail }) => { went = detail.successful ? "came" : "failed"; };
    const left = () => { went = "first"; };
    head.addEventListener("htmx:afterRequest", look);
    head.addEventListener("htmx:sendAbort", left);
    const asked = { target: "#board", swap: "outerHTML", source: head };
    await window.htmx.ajax("GET", document.getElementById("files").dataset.board, asked).catch(() => {});
    head.removeEventListener("htmx:afterRequest", look);
    head.removeEventListener("htmx:sendAbort", left);
    if (went !== "first") continue;
    stale = true;
    await new Promise((done) => { setTimeout(done, 250); });
  }
  asking = false;
}
document.addEventListener("board:stale", askForBoard);

// What is ticked while an earlier change is still being saved is not in the board that comes: it is ticked there, and
// saved, too.
const effects = () => document.getElementById("effects");
const ticked = () => new Map([...(effects()?.elements ?? [])].filter((each) => each.id && each.type === "checkbox").map((each) => [each.id, each.checked]));
let saved = ticked();
let unsaved = [];
let comes = false; // whether the board is being exchanged
document.addEventListener("htmx:beforeRequest", (event) => { if (event.target === effects()) saved = ticked(); });

// What was open stays open when the board comes anew, and what was selected stays selected.
let open = [];
let picked = [];
let waits = false; // whether news of the board were held back
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.target.id !== "board" && event.detail.target?.id !== "board") return;
  // News that nobody asked for wait while somebody is filling in a menu: what was typed there is nowhere else.
  if (event.detail.requestConfig?.verb === "get" && board().querySelector(".menu[open]")) {
    event.detail.shouldSwap = false;
    waits = true;
    return;
  }
  waits = false;
  open = [...board().querySelectorAll("details[id]")].map((each) => [each.id, each.open]);
  picked = boxes().filter((box) => box.checked).map((box) => box.id);
  unsaved = [...ticked()].filter(([id, is]) => saved.get(id) !== is);
  comes = true;
});
document.addEventListener("htmx:afterSwap", () => {
  for (const [id, was] of open.splice(0)) {
    const each = document.getElementById(id);
    if (each && !each.classList.contains("menu")) each.open = was;
  }
  for (const id of picked.splice(0)) {
    const box = document.getElementById(id);
    if (box) box.checked = true;
  }
  tell(false);
  if (!comes) return;
  comes = false;
  saved = ticked();
  for (const [id, is] of unsaved.splice(0)) {
    const each = document.getElementById(id);
    if (each) each.checked = is;
  }
  if ([...ticked()].some(([id, is]) => saved.get(id) !== is)) setTimeout(() => { window.htmx.trigger(effects(), "change"); });
});

tell(false);
