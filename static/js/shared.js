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
