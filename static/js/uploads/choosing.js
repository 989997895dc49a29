// Which of the files that somebody chose, dropped or pasted are worth sending, by name and size alone; and all files of
// a drop, also those in folders. The board and the element for other sites use it; the server judges by content.

function split(file) {
  const name = file.name.toLowerCase();
  const dot = name.lastIndexOf(".");
  return dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
}

// What cameras and systems put beside photos: nobody chose it, so nothing is said of it.
function liesBeside(file, rules) {
  const name = file.name.toLowerCase();
  return name.startsWith(".") || rules.besideNames.includes(name) || rules.beside.includes(split(file)[1]);
}

function refusal(file, rules) {
  const ending = split(file)[1];
  const kind = rules.kinds.find(({ endings }) => endings.includes(ending));
  if (kind) return kind.words;
  if (!rules.photos.includes(ending)) return rules.noPhoto;
  if (!file.size) return rules.empty;
  return file.size > rules.maxBytes ? `Larger than ${rules.maxMegabytes} MB. Export a smaller copy.` : "";
}

// `rules`: those of app/domain/unsupported_files.py, with maxBytes and maxMegabytes.
export function sift(all, rules) {
  const [photos, refused] = [[], []];
  const chosen = all.filter((file) => !liesBeside(file, rules));
  const stills = new Set(chosen.filter((file) => rules.photos.includes(split(file)[1])).map((file) => split(file)[0]));
  const videos = rules.kinds.find(({ kind }) => kind === "video").endings;
  for (const file of chosen) {
    const [name, ending] = split(file);
    // The moving half of a Live Photo: its still one is taken.
    if (videos.includes(ending) && stills.has(name)) continue;
    const wrong = refusal(file, rules);
    if (wrong) refused.push([file.name, wrong]);
    else photos.push(file);
  }
  return { photos, refused };
}

export const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

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

export async function readDrop(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  // Asked for at once: after the event there is nothing in it any more.
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) return { files: plain, unread: [] };
  const [files, unread] = [[], []];
  for (const entry of entries) {
    if (entry) await gather(entry, files, unread);
  }
  return { files, unread };
}
