// The button that prints the page: nothing a browser's own menu cannot do.
document.querySelector("[data-print]").addEventListener("click", () => print());
