// What every page shares. Everything works without it.
const status = document.getElementById("status");
export const say = (text) => { status.textContent = text; };

// After a page or a fragment with errors, begin at their summary.
const focusMark = () => document.querySelector("[data-autofocus]")?.focus();
focusMark();
document.addEventListener("htmx:afterSwap", focusMark);

// Moments in the visitor's own zone; what the server wrote, in UTC, shows on hover.
const here = new Intl.DateTimeFormat("en-US", {
  day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short",
});
const showTimes = () => document.querySelectorAll("time[data-utc]").forEach((time) => {
  time.title = time.textContent;
  time.textContent = here.format(new Date(time.dateTime));
  time.removeAttribute("data-utc");
});
showTimes();
for (const name of ["htmx:afterSwap", "htmx:oobAfterSwap"]) document.addEventListener(name, showTimes);

// A tab that nobody looks at need not ask.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.target.closest("[data-poll]")) event.preventDefault();
});

// Three polls lost in a row: say since when the page is old, and offer the way that needs no script.
let lost = 0;
for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(name, () => {
    lost += 1;
    say(lost < 3 ? "Could not update. Trying again." : "");
    document.querySelectorAll("[data-stale]").forEach((note) => { note.hidden = lost < 3; });
  });
}
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) lost = 0;
});

// Copy: the words stand selectable in the page; the button only saves the selecting.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
    say("Copied");
  } catch {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    say("Selected; copy it with your keyboard");
  }
});

// Show what was typed as a password.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-reveal]");
  if (!button) return;
  const field = document.getElementById(button.dataset.reveal);
  const shown = field.type === "password";
  field.type = shown ? "text" : "password";
  button.textContent = shown ? "Hide" : "Show";
  button.setAttribute("aria-pressed", String(shown));
});
document.querySelectorAll("[data-reveal]").forEach((button) => { button.hidden = false; });

// Signed out: a page with this notice waits until somebody is signed in again, in whichever tab.
const out = document.getElementById("signed-out");
async function lookForSignIn() {
  if (out.hidden || document.hidden) return;
  const answer = await fetch(out.dataset.page, { redirect: "manual" }).catch(() => null);
  if (!answer?.ok || out.hidden) return;
  const [, token] = /name="csrf_token" value="([^"]+)"/.exec(await answer.text());
  document.querySelectorAll("[name=csrf_token]").forEach((field) => { field.value = token; });
  out.hidden = true;
  document.dispatchEvent(new Event("signed-in"));
}
if (out) {
  document.addEventListener("signed-out", (event) => {
    out.hidden = false;
    out.querySelector("a").href = event.detail;
  });
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { xhr } = event.detail;
    if (xhr.status !== 401) return;
    event.preventDefault();
    document.dispatchEvent(new CustomEvent("signed-out", { detail: xhr.getResponseHeader("HX-Redirect") }));
  });
  addEventListener("beforeunload", (event) => { if (!out.hidden) event.preventDefault(); });
  setInterval(lookForSignIn, 3000);
}
