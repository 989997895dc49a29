// The full-screen comparison: every photo that is ready, before and after, as a slider, side by side or in turns.
// js/compare.js loads it when it is opened; without it the page of each photo has its comparison,
// and links to the next.
const dialog = document.getElementById("viewer");
const stage = dialog.querySelector("[data-stage]");
const [before, after] = [...stage.querySelectorAll("figure")].map((pane) => {
  const image = new Image();
  image.draggable = false;
  pane.prepend(image);
  return image;
});
const range = dialog.querySelector("input[type=range]");
const zoom = dialog.querySelector("[data-zoom]");
const turn = dialog.querySelector("[data-turn]");
const favorite = dialog.querySelector("[data-favorite]");
const details = dialog.querySelector("[data-details]");
const SWIPE = 60;
// The photos are those of a list in the dialog, or the tiles of the page as they are when it is opened.
let [items, photos, first, at] = [[], [], 0, 0];

const show = (place) => {
  at = Math.max(0, Math.min(photos.length - 1, place));
  const photo = photos[at];
  dialog.querySelector("[data-name]").textContent = photo.name;
  dialog.querySelector("[data-place]").textContent = `${at + 1} of ${photos.length}`;
  dialog.querySelector("[data-step='-1']").disabled = at === 0;
  dialog.querySelector("[data-step='1']").disabled = at === photos.length - 1;
  if (details) details.href = items[at].href;
  showFavorite();
  setZoom(false);
  setTurn(true);
  for (const [image, url, said] of [[before, photo.before, "Before"], [after, photo.after, "After"]]) {
    image.src = url;
    image.alt = `${said}: ${photo.name}`;
  }
  // The next one is there before anybody asks for it.
  for (const near of [photos[at + 1], photos[at - 1]]) if (near) for (const url of [near.before, near.after]) new Image().src = url;
};

// Whether it is a favorite, the button beside its tile knows, and saves.
const heart = () => items[at].closest("li").querySelector("[data-heart]");
const showFavorite = () => favorite?.setAttribute("aria-pressed", heart().getAttribute("aria-pressed"));
document.addEventListener("favored", () => { if (dialog.open) showFavorite(); });

// At 100 % the pictures themselves, pixel for pixel; a photo that no browser can show stays as its smaller copy, as large.
const setZoom = (on) => {
  zoom?.setAttribute("aria-pressed", String(on));
  stage.toggleAttribute("data-zoomed", on);
  if (!on) return;
  const photo = photos[at];
  stage.style.setProperty("--natural", `${photo.width / devicePixelRatio}px`);
  for (const [image, full] of [[before, photo.beforeFull], [after, photo.afterFull]]) {
    if (!full) continue;
    const whole = new Image();
    whole.onload = () => { if (photos[at] === photo && stage.hasAttribute("data-zoomed")) image.src = full; };
    whole.src = full;
  }
  for (const pane of panes()) pane.scrollTo((pane.scrollWidth - pane.clientWidth) / 2, (pane.scrollHeight - pane.clientHeight) / 2);
};
const panes = () => (stage.dataset.mode === "side" ? stage.querySelectorAll("figure") : [stage]);

const setTurn = (toAfter) => {
  stage.toggleAttribute("data-before", !toAfter);
  turn.setAttribute("aria-pressed", String(!toAfter));
};
const setMode = (mode) => {
  stage.dataset.mode = mode;
  range.closest("label").hidden = mode !== "slider";
  turn.hidden = mode !== "turns";
};
const slide = (share) => {
  range.value = Math.max(0, Math.min(100, Math.round(share)));
  stage.style.setProperty("--at", `${range.value}%`);
  range.setAttribute("aria-valuetext", `${range.value}% after`);
};

export const open = (id) => {
  items = [...document.querySelectorAll("[data-photos] > li, a[data-viewed]")];
  photos = items.map((item) => item.dataset);
  first = Math.max(0, items.findIndex((item) => (id ? item.id === id : "chosen" in item.dataset)));
  dialog.showModal();
  show(first);
  slide(50);
};
// Whoever closes it stands at the photo they saw last, whose tile may be another one by then.
dialog.addEventListener("close", () => {
  if (photos[at].href) {
    if (at !== first) location.assign(photos[at].href);
    return;
  }
  const tile = document.getElementById(items[at].id);
  tile?.scrollIntoView({ block: "nearest" });
  tile?.focus({ preventScroll: true });
});

dialog.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (step) show(at + Number(step.dataset.step));
  else if (event.target.closest("[data-close]")) dialog.close();
  else if (event.target.closest("[data-zoom]")) setZoom(!stage.hasAttribute("data-zoomed"));
  else if (event.target.closest("[data-favorite]")) heart().click();
  else if (event.target.closest("[data-turn]")) setTurn(stage.hasAttribute("data-before"));
});
dialog.addEventListener("change", (event) => { if (event.target.name === "viewer-mode") setMode(event.target.value); });
range.addEventListener("input", () => slide(range.value));
dialog.addEventListener("keydown", (event) => {
  // The slider and the choice of a mode have arrows of their own, and what is zoomed is scrolled by them.
  if (event.target.matches("input") || stage.hasAttribute("data-zoomed")) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  show(at + step);
});

// In the slider's mode a drag moves the line, zoomed it moves the picture; else a swipe leads on, and a tap turns.
let from = null;
stage.addEventListener("dragstart", (event) => event.preventDefault());
stage.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  from = { x: event.clientX, y: event.clientY };
  if (event.pointerType !== "touch" || stage.dataset.mode === "slider") stage.setPointerCapture(event.pointerId);
});
stage.addEventListener("pointermove", (event) => {
  if (!from) return;
  if (stage.hasAttribute("data-zoomed")) {
    if (event.pointerType === "touch") return;
    for (const pane of panes()) pane.scrollBy(from.x - event.clientX, from.y - event.clientY);
    from = { x: event.clientX, y: event.clientY };
  } else if (stage.dataset.mode === "slider") {
    const box = after.getBoundingClientRect();
    slide(100 - (100 * (event.clientX - box.left)) / box.width);
  }
});
stage.addEventListener("pointerup", (event) => {
  if (!from) return;
  const [across, down] = [event.clientX - from.x, event.clientY - from.y];
  from = null;
  if (stage.hasAttribute("data-zoomed") || stage.dataset.mode === "slider") return;
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) show(at + (across < 0 ? 1 : -1));
  else if (stage.dataset.mode === "turns" && Math.abs(across) + Math.abs(down) < 10) setTurn(stage.hasAttribute("data-before"));
});
stage.addEventListener("pointercancel", () => { from = null; });
// Two pictures side by side at 100 % show the same place.
for (const pane of stage.querySelectorAll("figure")) {
  pane.addEventListener("scroll", () => {
    for (const other of stage.querySelectorAll("figure")) if (other !== pane) other.scrollTo(pane.scrollLeft, pane.scrollTop);
  });
}
// A finger swipes better than it drags a line.
const usual = dialog.dataset.mode || (matchMedia("(pointer: coarse)").matches ? "turns" : "slider");
dialog.querySelector(`input[value=${usual}]`).checked = true;
setMode(usual);
