// Sends photos straight to the store while the page stays open: three at a time, tried again when the network
// falters, kept in the draft one by one as they arrive. Without it the same form posts its files.
const form = document.querySelector("[data-upload]");
const status = document.getElementById("status");
const button = form.querySelector("[data-continue]");
const note = form.querySelector("[data-note]");
const blank = document.getElementById("new-file").content.querySelector("li");

const AT_ONCE = 3;
const WAITS_MS = [500, 1000, 2000];
const PICTURES_AT_ONCE = 12;
const FORMATS = /\.(jpe?g|jpe|jfif|png|webp|hei[cf]|tiff?)$/i;
const MAX_BYTES = Number(form.dataset.maxBytes);
const Phase = Object.freeze({ WAITS: "waits", GOES: "goes", ARRIVED: "arrived", FAILED: "failed", REFUSED: "refused" });

const items = new Map(); // li -> what is known of its file
let added = 0;
const say = (text) => { status.textContent = text; };
const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

// --- Asking the portal

async function ask(url, body) {
  const headers = { "X-CSRFToken": form.elements.csrf_token.value, "HX-Request": "true", "HX-Current-URL": location.href };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = { method: "POST", headers, body: body === undefined ? null : JSON.stringify(body) };
  const answer = await fetch(url, sent).catch(() => { throw fault("The connection broke."); });
  if (answer.status === 401) location.assign(answer.headers.get("HX-Redirect"));
  const said = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : {};
  if (said.next) location.assign(said.next);
  if (!answer.ok) throw fault(said.message ?? "The server could not take it.", answer.status);
  return said;
}

function fault(message, code = 0) {
  return Object.assign(new Error(message), { code });
}

// A code of 0 is the network's own fault.
const passes = (code) => code === 0 || code === 408 || code === 429 || code >= 500;
const ranOut = (code) => code === 403 || code === 410;

async function patiently(item, act) {
  for (let tried = 0; ; tried += 1) {
    try {
      return await act();
    } catch (error) {
      if (error.removed || tried >= WAITS_MS.length || !(passes(error.code) || ranOut(error.code))) throw error;
      if (item.away) turnBack(item, error.code);
      else if (ranOut(error.code)) item.url = null;
      tell(item, `Trying again (${tried + 2} of ${WAITS_MS.length + 1})`);
      if (!navigator.onLine) await new Promise((back) => { addEventListener("online", back, { once: true }); });
      await pause(WAITS_MS[tried] * (1 + Math.random() / 2));
      if (!items.has(item.row)) throw Object.assign(fault("Removed"), { removed: true });
    }
  }
}

// --- One file on its way

// Past the service to its store; where that cannot be reached from here, or refuses twice, through the service.
function turnBack(item, code) {
  item.direct = code !== 0 && !item.refused;
  item.refused = true;
  item.url = null;
}

async function findUrl(item) {
  const wanted = { size: item.file.size, direct: item.direct !== false };
  return (await ask(`${form.dataset.places}/${item.id}/url`, wanted)).url;
}

async function sendFile(item) {
  item.url ||= await findUrl(item);
  item.away = new URL(item.url, location.href).origin !== location.origin;
  await put(item);
  item.away = false;
}

function put(item) {
  return new Promise((arrived, failed) => {
    const request = new XMLHttpRequest();
    item.request = request;
    request.open("PUT", item.url);
    // What a store holds the URL to; what the file is, is told by its content.
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.timeout = 600000;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) item.bar.value = (event.loaded / event.total) * 100;
    };
    request.onload = () => (request.status < 300 ? arrived() : failed(fault(reason(request), request.status)));
    request.onerror = () => failed(fault("The connection broke."));
    request.ontimeout = () => failed(fault("It took too long."));
    request.onabort = () => failed(Object.assign(fault("Removed"), { removed: true }));
    request.send(item.file);
  });
}

function reason(request) {
  try {
    return JSON.parse(request.responseText).message;
  } catch {
    return `The store answered ${request.status}.`;
  }
}

async function send(item) {
  item.phase = Phase.GOES;
  tell(item, "Uploading");
  try {
    await patiently(item, () => sendFile(item));
    const { row } = await patiently(item, () => ask(`${form.dataset.places}/${item.id}/arrived`));
    if (items.has(item.row)) arrive(item, row);
  } catch (error) {
    if (!error.removed) fail(item, error);
  }
  pump();
}

// The row becomes the one that a reload would show; a picture that is already seen stays seen.
function arrive(item, html) {
  // Ours before the picture goes in: one that changes its document is loaded again, and its URL is gone by now.
  const row = document.adoptNode(new DOMParser().parseFromString(html, "text/html").querySelector("li"));
  const picture = item.row.querySelector(".look img");
  if (picture) row.querySelector(".tile").replaceWith(picture.parentElement);
  const held = item.row.contains(document.activeElement) ? mark(document.activeElement) : null;
  items.delete(item.row);
  item.row.replaceWith(row);
  items.set(row, { ...item, row, phase: Phase.ARRIVED });
  if (held) (row.querySelector(held) ?? row).focus();
}

const mark = (control) => ["data-move", "data-remove"].filter((name) => control.hasAttribute(name))
  .map((name) => `[${name}="${control.getAttribute(name)}"]`)[0];

function fail(item, error) {
  // What the store judged will not be judged otherwise the next time.
  const final = [413, 415].includes(error.code);
  item.phase = final ? Phase.REFUSED : Phase.FAILED;
  tell(item, `${final ? "Not taken" : "Upload failed"}: ${error.message}`, true);
  item.row.querySelector("[data-retry]").hidden = final;
  say(`${item.file.name}: ${error.message}`);
}

function tell(item, text, bad = false) {
  const line = item.row.querySelector("[data-state]");
  line.textContent = text;
  line.classList.toggle("error", bad);
  line.classList.toggle("muted", !bad);
  item.bar.hidden = bad;
}

const inPhase = (...phases) => [...items.values()].filter((item) => phases.includes(item.phase));

function pump() {
  if (!inPhase(Phase.FAILED, Phase.REFUSED).length) document.getElementById("not-uploaded")?.remove();
  const going = inPhase(Phase.GOES).length;
  for (const item of inPhase(Phase.WAITS).filter((each) => each.id).slice(0, AT_ONCE - going)) send(item);
  const left = inPhase(Phase.WAITS, Phase.GOES).length;
  button.setAttribute("aria-disabled", String(left > 0));
  note.textContent = left ? `${left} of ${items.size} photos are on their way. You can go on when they are here.` : "";
  if (!left && items.size) settle();
}

function settle() {
  const failed = inPhase(Phase.FAILED, Phase.REFUSED);
  const names = failed.map((item) => item.file.name).join(", ");
  say(`${inPhase(Phase.ARRIVED).length} of ${items.size} photos uploaded${names ? `. Not uploaded: ${names}` : ""}`);
  const waiting = [...form.querySelectorAll("[data-waiting]")].map((look) => look.dataset.waiting);
  if (waiting.length && window.htmx) {
    const url = `${form.dataset.previews}?waiting=${waiting.join(",")}`;
    window.htmx.ajax("GET", url, { target: "#previews", swap: "outerHTML" });
  }
}

// --- Files that were chosen or dropped

async function take(zone, files) {
  const fresh = [...files].map((file) => add(zone, file)).filter((item) => item.phase === Phase.WAITS);
  pump();
  if (!fresh.length) return;
  try {
    const wanted = {
      type: zone.dataset.zone, names: fresh.map((item) => item.file.name), sizes: fresh.map((item) => item.file.size),
    };
    const { places } = await patiently(fresh[0], () => ask(form.dataset.places, wanted));
    fresh.forEach((item, at) => {
      Object.assign(item, places[at]);
      item.row.dataset.photo = item.id;
    });
    await keepOrder(zone);
  } catch (error) {
    fresh.forEach((item) => { fail(item, error); });
  }
  pump();
}

function add(zone, file) {
  const row = blank.cloneNode(true);
  const item = { file, row, zone, phase: Phase.WAITS, bar: row.querySelector("progress") };
  added += 1;
  row.id = `new-file-${added}`;
  row.dataset.name = file.name;
  row.querySelector(".name").textContent = file.name;
  row.querySelectorAll("[data-whom]").forEach((span) => { span.textContent = ` ${file.name}`; });
  item.bar.setAttribute("aria-label", `Upload of ${file.name}`);
  const wrong = refusal(zone, file);
  zone.querySelector("[data-files]").append(row);
  items.set(row, item);
  if (wrong) {
    item.phase = Phase.REFUSED;
    tell(item, wrong, true);
    say(`${file.name}: ${wrong}`);
  } else {
    preview(item);
  }
  return item;
}

function refusal(zone, file) {
  const twin = (item) => item.zone === zone && item.file.name === file.name && item.file.size === file.size
    && item.file.lastModified === file.lastModified;
  if ([...items.values()].some(twin)) return "The same file is in the list already.";
  if (!FORMATS.test(file.name)) return "Not a photo format that we take.";
  if (!file.size) return "The file is empty.";
  if (file.size > MAX_BYTES) return `Larger than ${form.dataset.maxMegabytes} MB. Export a smaller copy.`;
  return "";
}

// Pictures are decoded a few at a time: fifty of 50 MB at once are more than a phone holds.
const unseen = [];
let decoding = 0;

function preview(item) {
  unseen.push(item);
  decodeNext();
}

function decodeNext() {
  if (decoding >= PICTURES_AT_ONCE || !unseen.length) return;
  const item = unseen.shift();
  const picture = new Image(160, 120);
  const url = URL.createObjectURL(item.file);
  decoding += 1;
  const done = () => {
    URL.revokeObjectURL(url);
    decoding -= 1;
    decodeNext();
  };
  picture.alt = "";
  picture.onload = () => {
    const tile = document.createElement("span");
    tile.className = "tile";
    tile.append(picture);
    const place = [...items.values()].find((each) => each.file === item.file)?.row.querySelector(".tile.waiting");
    place?.replaceWith(tile);
    done();
  };
  picture.onerror = done; // HEIC and TIFF: most browsers cannot; the server's picture follows
  picture.src = url;
}

// --- Order and removal

const rowsOf = (zone) => [...zone.querySelectorAll("[data-files] > li")];

function keepOrder(zone) {
  const ids = rowsOf(zone).map((row) => row.dataset.photo).filter(Boolean);
  return ask(form.dataset.order, { ids }).catch(() => { say("The new order could not be saved. Move it once more."); });
}

function move(row, by) {
  const zone = row.closest("[data-zone]");
  const rows = rowsOf(zone);
  const place = rows.indexOf(row) + by;
  if (place < 0 || place >= rows.length) {
    say(`${row.dataset.name} is ${by < 0 ? "first" : "last"} already`);
    return;
  }
  rows[place][by < 0 ? "before" : "after"](row);
  row.querySelector(`[data-move="${by}"]`).focus();
  say(`${row.dataset.name} moved to place ${place + 1} of ${rows.length}`);
  keepOrder(zone);
}

async function remove(row) {
  const zone = row.closest("[data-zone]");
  const place = rowsOf(zone).indexOf(row);
  const item = items.get(row);
  items.delete(row);
  item?.request?.abort();
  row.remove();
  const next = rowsOf(zone)[Math.min(place, rowsOf(zone).length - 1)];
  (next?.querySelector("[data-remove]") ?? zone.querySelector("input[type=file]")).focus();
  pump();
  say(`${row.dataset.name} removed`);
  if (row.dataset.photo) {
    const url = `${location.pathname}/${row.dataset.photo}/remove`;
    await ask(url).catch(() => { say(`${row.dataset.name} could not be removed. Reload the page.`); });
  }
}

// --- What people do

form.addEventListener("change", (event) => {
  if (event.target.type !== "file") return;
  take(event.target.closest("[data-zone]"), event.target.files);
  event.target.value = "";
});

form.addEventListener("click", (event) => {
  const control = event.target.closest("button");
  const row = control?.closest(".file");
  if (!row) return;
  event.preventDefault();
  if (control.dataset.move) move(row, Number(control.dataset.move));
  if ("remove" in control.dataset) remove(row);
  if ("retry" in control.dataset) again(items.get(row));
});

function again(item) {
  const { zone, file, row } = item;
  if (item.id) {
    row.querySelector("[data-retry]").hidden = true;
    row.focus();
    item.phase = Phase.WAITS;
    tell(item, "Waiting");
    pump();
  } else {
    // It never got a place.
    items.delete(row);
    row.remove();
    take(zone, [file]);
  }
}

for (const drop of form.querySelectorAll("[data-drop]")) {
  const over = (event) => {
    event.preventDefault();
    drop.classList.add("over");
  };
  drop.addEventListener("dragenter", over);
  drop.addEventListener("dragover", over);
  drop.addEventListener("dragleave", () => { drop.classList.remove("over"); });
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    take(drop.closest("[data-zone]"), event.dataTransfer.files);
  });
}

form.addEventListener("submit", (event) => {
  if (event.submitter?.value) return;
  const left = inPhase(Phase.WAITS, Phase.GOES).length;
  const failed = inPhase(Phase.FAILED, Phase.REFUSED);
  if (left) {
    event.preventDefault();
    say(`Wait until ${left === 1 ? "the last photo is" : `${left} photos are`} uploaded.`);
  } else if (failed.length && !form.contains(document.getElementById("not-uploaded"))) {
    event.preventDefault();
    summarise(failed);
  }
});

// Said once; who presses again goes on without them.
function summarise(failed) {
  const summary = document.getElementById("summary").content.firstElementChild.cloneNode(true);
  const links = failed.map((item) => {
    const link = document.createElement("a");
    link.href = `#${item.row.id}`;
    link.textContent = `${item.file.name} was not uploaded`;
    const line = document.createElement("li");
    line.append(link);
    return line;
  });
  summary.querySelector("ul").append(...links);
  form.prepend(summary);
  summary.focus();
}

addEventListener("beforeunload", (event) => {
  if (inPhase(Phase.WAITS, Phase.GOES).length) event.preventDefault();
});
