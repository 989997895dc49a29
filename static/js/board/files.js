// Files that are chosen, dropped or pasted, and whole folders of them: gathered here, sent by transfers.js.
const form = document.querySelector("[data-files]");
const drop = form.querySelector("[data-drop]");
// What browsers call it, and no standard does.
document.getElementById("folder-files").webkitdirectory = true;

function hand(files) {
  if (files.length) document.dispatchEvent(new CustomEvent("board:files", { detail: files }));
}

form.addEventListener("change", (event) => {
  if (event.target.type !== "file") return;
  hand([...event.target.files]);
  event.target.value = "";
});

// A folder gives its entries some at a time, and folders in it.
const read = (reader) => new Promise((done, failed) => { reader.readEntries(done, failed); });
const open = (entry) => new Promise((done, failed) => { entry.file(done, failed); });

async function gather(entry, found) {
  if (entry.isFile) {
    found.push(await open(entry));
    return;
  }
  const reader = entry.createReader();
  for (let some = await read(reader); some.length; some = await read(reader)) {
    for (const each of some) await gather(each, found);
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
  const found = [];
  for (const entry of entries) {
    // What cannot be read of a folder keeps nothing else out.
    if (entry) await gather(entry, found).catch(() => {});
  }
  hand(found);
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
