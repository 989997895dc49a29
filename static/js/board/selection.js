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
  line.textContent = `${picked} selected`;
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
  // With nothing selected the bar is gone, and its button with it.
  if (!button.checkVisibility()) (document.getElementById(last) ?? boxes()[0])?.focus();
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

// --- When the board comes anew

// Once no menu is open any more, what was held back is asked for.
let waits = false; // whether news of the board were held back
document.addEventListener("toggle", (event) => {
  if (!waits || !event.target.matches?.(".menu") || board().querySelector(".menu[open]")) return;
  waits = false;
  document.dispatchEvent(new Event("board:stale"));
}, true);

// Whether somebody changed a field since it came, or since it was sent.
function isEdited(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.tagName !== "SELECT") return field.type !== "hidden" && field.value !== field.defaultValue;
  return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
}

// Consent is given to the words that it stands with.
const agreedTo = (field) => field.closest("[data-agreed]")?.textContent;

// What was open stays open, what was selected stays selected, and what was ticked or typed meanwhile is there still.
let open = [];
let picked = [];
let typed = [];
let focused = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.target.id !== "board" && event.detail.target?.id !== "board") return;
  // News that nobody asked for wait while somebody is filling in a menu.
  if (event.detail.requestConfig?.verb === "get" && board().querySelector(".menu[open]")) {
    event.detail.shouldSwap = false;
    waits = true;
    return;
  }
  waits = false;
  focused = board().contains(document.activeElement) ? document.activeElement.id : null;
  open = [...board().querySelectorAll("details[id]")].map((each) => [each.id, each.open]);
  picked = boxes().map((box) => [box.id, box.checked]);
  typed = [...board().querySelectorAll("input[id], select[id], textarea[id]")]
    .filter((field) => !field.matches(".shot > input") && isEdited(field))
    .map((field) => ({ id: field.id, value: field.value, checked: field.checked, words: agreedTo(field) }));
});
document.addEventListener("htmx:afterSwap", () => {
  for (const [id, was] of open.splice(0)) {
    const each = document.getElementById(id);
    if (each) each.open = was || each.matches(".menu[open]"); // one that was refused, to be mended
  }
  for (const [id, was] of picked.splice(0)) {
    const box = document.getElementById(id);
    if (box) box.checked = was;
  }
  for (const { id, value, checked, words } of typed.splice(0)) {
    const field = document.getElementById(id);
    if (!field || agreedTo(field) !== words) continue;
    if (field.type === "checkbox" || field.type === "radio") field.checked = checked;
    else field.value = value;
  }
  tell(false);
  // What came in a closed part lost the focus; what is gone leaves it to the photos.
  for (const id of focused === null ? [] : [focused, "photos"]) {
    if (document.activeElement === document.body) document.getElementById(id)?.focus({ preventScroll: true });
  }
  focused = null;
});

tell(false);
