// Small comforts of the wizard's forms. Everything here also works by posting the form.
const status = document.getElementById("status");

// A suggestion ticks its boxes at once.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-preset]");
  if (!button) return;
  event.preventDefault();
  const wanted = button.dataset.preset.split(" ");
  const boxes = button.form.querySelectorAll(`input[name="${button.dataset.group}"]`);
  boxes.forEach((box) => { box.checked = wanted.includes(box.value); });
  boxes[0].dispatchEvent(new Event("change", { bubbles: true }));
  status.textContent = `Chosen: ${button.textContent.trim()}`;
});

// How many characters are still needed.
function count(hint) {
  const left = Number(hint.dataset.least) - document.getElementById(hint.dataset.count).value.trim().length;
  hint.textContent = left > 0 ? `At least ${hint.dataset.least} characters: ${left} more.` : "Long enough.";
}

for (const hint of document.querySelectorAll("[data-count]")) {
  const area = document.getElementById(hint.dataset.count);
  area.addEventListener("input", () => { count(hint); });
  if (area.value) count(hint);
}

// After a row came or went the page is new: go on where the person was.
const place = location.hash && document.getElementById(location.hash.slice(1));
if (place && !document.querySelector("[data-autofocus]")) {
  if (place.tagName === "DETAILS") place.open = true;
  place.focus();
  const row = place.closest(".change")?.querySelector("legend");
  if (row) status.textContent = row.textContent;
}
