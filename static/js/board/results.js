// A click on a picture that is ready shows it at full screen; without this it leads to the page of its photo.
const dialog = document.getElementById("viewer");

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-viewed]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  try {
    (await import(dialog.dataset.script)).open(link.id);
  } catch {
    location.assign(link.href);
  }
});
