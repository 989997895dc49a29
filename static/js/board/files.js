// Files that are chosen, dropped or pasted, and whole folders of them: gathered here, sent by transfers.js, which comes
// with the first of them.
import { carriesFiles, readDrop, sift } from "../uploads/choosing.js";

const form = document.querySelector("[data-files]");
const drop = form.querySelector("[data-drop]");
// What browsers call it, and no standard does.
document.getElementById("folder-files").webkitdirectory = true;

const rules = {
  ...JSON.parse(form.dataset.otherFiles), maxBytes: Number(form.dataset.maxBytes), maxMegabytes: form.dataset.maxMegabytes,
};

function hand(all, unread = []) {
  const { photos: files, refused } = sift(all, rules);
  refused.unshift(...unread.map((name) => [name, "It could not be read. Choose it again."]));
  if (!files.length && !refused.length) refused.push(["Nothing was added", "There are no photos in what you chose."]);
  give(files, refused);
}

let sender = null;
const paused = form.querySelector("[data-paused]");
function tellPaused(text) {
  paused.textContent = text;
  paused.hidden = !text;
  if (text) form.querySelector("[data-going]").hidden = false;
}

// A browser may remember that a script did not come: it is asked for under another address then.
async function load(tried = 0) {
  if (!navigator.onLine) {
    tellPaused("You are offline. The upload waits, and goes on by itself.");
    await new Promise((back) => { addEventListener("online", back, { once: true }); });
    tellPaused("");
  }
  try {
    return await import(`${form.dataset.transfers}${tried ? `&tried=${tried}` : ""}`);
  } catch (error) {
    if (tried > 2) throw error;
    return load(tried + 1);
  }
}

let loading = null;
async function give(files, refused) {
  try {
    loading ??= load();
    sender = await loading;
  } catch {
    loading = null;
    tellPaused("The upload could not begin. Check your connection, and choose the files again.");
    return;
  }
  sender.take(files, refused);
}

// --- What other tabs and devices upload is not lost: it is told, and looked for until it is here.

const OTHERS_MS = 15000;
let looks = 0;
function tellArriving() {
  const line = document.getElementById("arriving");
  if (!line) return;
  const own = sender?.listIds() ?? [];
  const others = line.dataset.ids.split(" ").filter((id) => id && !own.includes(id)).length;
  line.hidden = !others;
  line.textContent = `${others} more ${others === 1 ? "file is" : "files are"} being uploaded in another tab or on another device.`;
  clearTimeout(looks);
  if (others) looks = setTimeout(() => { document.dispatchEvent(new CustomEvent("board:stale", { detail: line.id })); }, OTHERS_MS);
}
document.addEventListener("htmx:afterSwap", tellArriving);
tellArriving();

// --- How files come

function handChosen(input) {
  if (input.files.length) hand([...input.files]);
  input.value = "";
}
form.addEventListener("change", (event) => { if (event.target.type === "file") handChosen(event.target); });
// Somebody may choose before any script runs; all of them have run by now.
document.addEventListener("DOMContentLoaded", () => form.querySelectorAll("[type=file]").forEach(handChosen));

for (const name of ["dragenter", "dragover"]) {
  addEventListener(name, (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    drop.classList.add("over");
  });
}
addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  drop.classList.remove("over");
  readDrop(event.dataTransfer).then(({ files, unread }) => { hand(files, unread); });
});
addEventListener("paste", (event) => {
  if (!event.clipboardData?.files.length) return;
  event.preventDefault();
  hand([...event.clipboardData.files]);
});
form.addEventListener("submit", (event) => { event.preventDefault(); });
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-choose]")) return;
  event.preventDefault();
  document.getElementById("photos-files").click();
});
