// Small comforts of the wizard's forms. Everything here also works by posting the form.
const status = document.getElementById("status");

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
