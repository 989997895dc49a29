// Files that are chosen, dropped or pasted, and whole folders of them: gathered here, sent by transfers.js, which comes
// with the first of them.
const form = document.querySelector("[data-files]");
const drop = form.querySelector("[data-drop]");
// What browsers call it, and no standard does.
document.getElementById("folder-files").webkitdirectory = true;

// --- What is no photo by its name or size need not be sent; everything else is judged by its content.

const known = JSON.parse(form.dataset.otherFiles);
const MAX_BYTES = Number(form.dataset.maxBytes);

function split(file) {
  const name = file.name.toLowerCase();
  const dot = name.lastIndexOf(".");
  return dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
}

// What cameras and systems put beside photos: nobody chose it, so nothing is said of it.
function liesBeside(file) {
  const name = file.name.toLowerCase();
  return name.startsWith(".") || known.besideNames.includes(name) || known.beside.includes(split(file)[1]);
}

function refusal(file) {
  const ending = split(file)[1];
  const kind = known.kinds.find(({ endings }) => endings.includes(ending));
  if (kind) return kind.words;
  if (!known.photos.includes(ending)) return known.noPhoto;
  if (!file.size) return known.empty;
  return file.size > MAX_BYTES ? `Larger than ${form.dataset.maxMegabytes} MB. Export a smaller copy.` : "";
}

function hand(all, unread = []) {
  const files = [];
  const refused = unread.map((name) => [name, "It could not be read. Choose it again."]);
  const chosen = all.filter((file) => !liesBeside(file));
  const stills = new Set(chosen.filter((file) => known.photos.includes(split(file)[1])).map((file) => split(file)[0]));
  const videos = known.kinds.find(({ kind }) => kind === "video").endings;
  for (const file of chosen) {
    const [name, ending] = split(file);
    // The moving half of a Live Photo: its still one is taken.
    if (videos.includes(ending) && stills.has(name)) continue;
    const wrong = refusal(file);
    if (wrong) refused.push([file.name, wrong]);
    else files.push(file);
  }
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

// A folder gives its entries some at a time, and folders in it.
const read = (reader) => new Promise((done, failed) => { reader.readEntries(done, failed); });
const open = (entry) => new Promise((done, failed) => { entry.file(done, failed); });

// What cannot be read of a folder keeps nothing else out, and is named.
async function gather(entry, found, unread) {
  try {
    if (entry.isFile) {
      found.push(await open(entry));
      return;
    }
    const reader = entry.createReader();
    for (let some = await read(reader); some.length; some = await read(reader)) {
      for (const each of some) await gather(each, found, unread);
    }
  } catch {
    unread.push(entry.name);
  }
}

async function take(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  // Asked for at once: after the event there is nothing in it any more.
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) {
    hand(plain);
    return;
  }
  const [found, unread] = [[], []];
  for (const entry of entries) {
    if (entry) await gather(entry, found, unread);
  }
  hand(found, unread);
}

const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
for (const name of ["dragenter", "dragover"]) {
  addEventListener(name, (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    drop.classList.add("over");
  });
}
addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
addEventListener("drop", (event) => {
  if (!carries(event)) return;
  event.preventDefault();
  drop.classList.remove("over");
  take(event.dataTransfer);
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
