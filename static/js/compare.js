// Before and after under one slider: the range says how much of the result is shown, the pair follows it.
// Without this the two pictures stand one above the other.
const clamp = (share) => Math.max(0, Math.min(100, Math.round(share)));

for (const compare of document.querySelectorAll("[data-compare]")) {
  const pair = compare.querySelector("[data-pair]");
  const range = compare.querySelector("input[type=range]");

  const unit = range.getAttribute("aria-valuetext").replace(/^\d+/, "");

  const show = (share) => {
    range.value = share;
    range.setAttribute("aria-valuetext", share + unit);
    pair.style.setProperty("--at", `${share}%`);
  };
  // The result lies right of the line, so the line stands where the range's thumb is (it runs from right to left).
  const follow = (event) => {
    const box = pair.getBoundingClientRect();
    show(clamp(100 - (100 * (event.clientX - box.left)) / box.width));
  };

  range.addEventListener("input", () => show(clamp(range.value)));
  compare.addEventListener("click", (event) => {
    const jump = event.target.closest("[data-jump]");
    if (jump) show(clamp(jump.dataset.jump));
  });
  pair.addEventListener("dragstart", (event) => event.preventDefault());
  pair.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pair.setPointerCapture(event.pointerId);
    follow(event);
  });
  pair.addEventListener("pointermove", (event) => {
    if (pair.hasPointerCapture(event.pointerId)) follow(event);
  });
  show(clamp(range.value));
}

// At full screen it is more than most pages need.
const opener = document.querySelector("[data-viewer-open]");
opener?.addEventListener("click", async () => (await import(opener.dataset.viewerOpen)).open());

// A click on a picture that is ready shows it at full screen; without this it leads to the page of its photo.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-viewed]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  try {
    (await import(document.getElementById("viewer").dataset.script)).open(link.id);
  } catch {
    location.assign(link.href);
  }
});

// Among many, the chosen one should be seen; only the strip moves, never the page.
const current = document.querySelector(".strip [aria-current]");
if (current) {
  const strip = current.closest(".strip-list");
  strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
}

// Keys, only while the focus is in the frame that offers them. Whatever they do stands there as a link or a field.
const frame = document.querySelector("[data-keys]");

frame?.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, textarea")) return;
  const arrow = event.key.startsWith("Arrow");
  // The slider and the radio buttons have arrows of their own.
  if (arrow && event.target.closest("input")) return;
  const key = arrow ? event.key : event.key.toLowerCase();
  // Flipping presses the button of the picture that is shown less.
  const shown = frame.querySelector("[data-compare] input")?.value;
  const flip = shown && frame.querySelector(`[data-jump="${shown > 50 ? 0 : 100}"]`);
  const control = key === "f" ? flip : frame.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!control) return;
  event.preventDefault();
  if (control.type !== "radio") {
    control.click();
    return;
  }
  control.checked = true;
  const reason = frame.querySelector(".reasons select");
  if (control.dataset.key === "r") reason.focus();
  else if (!event.repeat) control.form.requestSubmit();
});

// A client's page: favorites without loading it again, and sharing by the menu of the phone. Without this, favorites are
// forms, and the address of the page is shared like any other.
const status = document.getElementById("status");
const mark = (number, on) => {
  for (const heart of document.querySelectorAll(`[data-heart="${number}"]`)) {
    heart.setAttribute("aria-pressed", String(on));
    heart.value = on ? "" : "1";
  }
  document.dispatchEvent(new Event("favored"));
};

document.addEventListener("submit", async (event) => {
  const heart = event.submitter;
  if (!heart || !("heart" in heart.dataset)) return;
  event.preventDefault();
  const [number, on] = [heart.dataset.heart, heart.value === "1"];
  const body = new URLSearchParams(new FormData(event.target, heart));
  mark(number, on);
  const answer = await fetch(event.target.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
  if (answer && (answer.ok || answer.type === "opaqueredirect")) {
    status.textContent = `Picture ${number} is ${on ? "a favorite" : "no favorite any more"}`;
    return;
  }
  mark(number, !on);
  status.textContent = "That was not saved. Try again in a minute.";
});

const share = document.querySelector("[data-share]");
if (share && navigator.share) {
  share.hidden = false;
  share.addEventListener("click", () => {
    navigator.share({ title: share.dataset.share, url: location.origin + location.pathname }).catch(() => {});
  });
}
