// The picture as the way to answer a question. What is chosen is always in the fields below it, which are what is sent.
import { makeView } from "./view.js";

const desk = document.getElementById("desk");
const view = makeView(desk);
const kind = { room: "lines", placements: "places" }[desk.dataset.part] ?? "pieces";
const { start } = await import(new URL(`./${kind}.js`, import.meta.url));
start(desk, view);

// Nothing is lost by leaving the page by mistake.
let isChanged = false;
desk.addEventListener("change", () => { isChanged = true; });
desk.addEventListener("submit", () => { isChanged = false; });
addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });
