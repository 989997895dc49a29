// Sends photos straight to the store while the page stays open: three at a time, each content once, tried again when
// the network falters, kept in the draft one by one as they arrive. Without it the same form posts its files.
// Asked for as this script was: where that needed another try, it needs one, too.
const { digest, fault, patiently, plural, put, ranOut, whenOnline } = await import(`../uploads/sending.js${new URL(import.meta.url).search}`);

const form = document.querySelector("[data-files]");
const status = document.getElementById("status");
const part = (name) => form.querySelector(`[data-${name}]`);
const [going, note, all, list, paused, refusedBox] = ["going", "note", "all", "list", "paused", "refused"].map(part);
const blank = form.querySelector("template[data-file]").content.firstElementChild;

const AT_ONCE = 3;
const PLACES_AT_ONCE = 25;
const REFRESH_MS = 1500;
const Phase = Object.freeze({ NEW: "new", READY: "ready", GOES: "goes", DONE: "done", FAILED: "failed" });

const items = new Set(); // one for each file under way or failed
const counts = { arrived: 0, twins: 0 };
const refused = []; // [name, why]
const seen = new Set(); // contents that were taken up since the page was opened
const say = (text) => { status.textContent = text; };

// --- Asking the portal

const token = () => form.elements.csrf_token;

async function ask(url, body, { keepalive = false, poller = "" } = {}) {
  const headers = { "X-CSRFToken": token().value, "HX-Request": "true", "HX-Current-URL": location.href };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  // What a timer asks is no use of the sign-in, see POLLS in app/portal/visitors.py.
  if (poller) headers["HX-Trigger"] = poller;
  const sent = { method: "POST", headers, keepalive, body: body === undefined ? null : JSON.stringify(body) };
  const answer = await fetch(url, sent).catch(() => { throw fault("The connection broke."); });
  const said = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : {};
  if (said.next) location.assign(said.next);
  if (answer.status === 401) throw Object.assign(fault("Signed out", 401), { way: answer.headers.get("HX-Redirect") });
  if (!answer.ok) throw fault(said.message ?? "The server could not take it.", answer.status);
  return said;
}

function waitForSignIn(way) {
  return new Promise((back) => {
    document.addEventListener("signed-in", back, { once: true });
    document.dispatchEvent(new CustomEvent("signed-out", { detail: way }));
  });
}

// `item`: which one is tried, if it is for one alone.
const tryFor = (item, act) => patiently(act, {
  async before(error) {
    if (item?.removed || item?.gone) throw error;
    if (error.code === 401) await waitForSignIn(error.way);
    else if (!navigator.onLine) await waitForNetwork();
    else return false;
    return true;
  },
  again(error, said) {
    if (item?.away) turnBack(item, error.code);
    else if (item && ranOut(error.code)) item.url = null;
    if (item) tell(item, said);
  },
});

async function waitForNetwork() {
  paused.textContent = "You are offline. The upload waits, and goes on by itself.";
  paused.hidden = false;
  await whenOnline();
  paused.hidden = true;
}

// --- One file on its way

// Past the service to its store; where that cannot be reached from here, or refuses twice, through the service.
function turnBack(item, code) {
  item.direct = code !== 0 && !item.turned;
  item.turned = true;
  item.url = null;
}

async function sendFile(item) {
  if (!item.url) {
    const wanted = { size: item.file.size, direct: item.direct !== false };
    item.url = (await ask(`${form.dataset.places}/${item.id}/url`, wanted)).url;
  }
  item.away = new URL(item.url, location.href).origin !== location.origin;
  await put(item.url, item.file, {
    begun(request) { item.request = request; },
    moved(loaded, total) {
      item.sent = loaded;
      item.bar.value = (loaded / total) * 100;
      showAll();
    },
  });
  item.away = false;
}

async function send(item) {
  item.phase = Phase.GOES;
  list.append(item.row);
  tell(item, "Uploading");
  try {
    await tryFor(item, () => sendFile(item));
    const { there } = await tryFor(item, () => noteArrival(item));
    finish(item, there ? "twins" : "arrived");
  } catch (error) {
    fail(item, error);
  }
  pump();
}

// It is said even as the page is closed.
const noteArrival = (item) => ask(`${form.dataset.places}/${item.id}/arrived`, undefined, { keepalive: true });

function finish(item, how) {
  item.phase = Phase.DONE;
  counts[how] += 1;
  item.row.remove();
  refresh();
}

function fail(item, error) {
  if (item.removed) return;
  if (error.code === 404 || item.gone) {
    // Its place is gone: whoever wants it after all gets another one.
    [item.id, item.url, item.gone] = [null, null, false];
    if (item.sha) seen.delete(item.sha);
    error = fault("It was left out of this order. Retry adds it again.");
  }
  // What the store judged will not be judged otherwise the next time.
  if ([413, 415].includes(error.code)) {
    refuse(item.file.name, error.message);
    if (item.id) leaveOut(item.id);
    drop(item);
    return;
  }
  item.phase = Phase.FAILED;
  list.append(item.row);
  tell(item, `Upload failed: ${error.message}`, true);
  item.row.querySelector("[data-retry]").hidden = false;
}

function drop(item) {
  item.removed = true;
  item.request?.abort();
  item.row.remove();
  items.delete(item);
  if (item.sha) seen.delete(item.sha);
}

function leaveOut(id) {
  const body = new URLSearchParams({ file: id, own: "yes", csrf_token: token().value });
  fetch(form.dataset.unfinished, { method: "POST", body, headers: { "HX-Request": "true" } }).then(refresh, () => {});
}

function tell(item, text, bad = false) {
  const line = item.row.querySelector("[data-state]");
  line.textContent = text;
  line.classList.toggle("error", bad);
  line.classList.toggle("muted", !bad);
  item.bar.hidden = bad;
}

function refuse(name, why) {
  refused.push([name, why]);
  const lines = refused.map(([whose, text]) => Object.assign(document.createElement("li"), { textContent: `${whose}: ${text}` }));
  part("refused-list").replaceChildren(...lines);
  part("refused-note").textContent = `${plural(refused.length, "file")} ${refused.length === 1 ? "was" : "were"} not taken. Everything else goes on.`;
  refusedBox.hidden = false;
  going.hidden = false;
}

// --- All files together

const inPhase = (...phases) => [...items].filter((item) => phases.includes(item.phase));

function showAll() {
  const every = [...items];
  const whole = every.reduce((sum, item) => sum + item.file.size, 0);
  const sent = every.reduce((sum, item) => sum + (item.phase === Phase.DONE ? item.file.size : item.sent ?? 0), 0);
  all.value = whole ? (sent / whole) * 100 : 0;
}

function sum() {
  const said = [`${counts.arrived} of ${plural(items.size - counts.twins, "photo")} uploaded`];
  if (counts.twins) said.push(`${counts.twins} already here`);
  const failed = inPhase(Phase.FAILED).length;
  if (failed) said.push(`${failed} failed`);
  if (refused.length) said.push(`${refused.length} not taken`);
  return said.join(", ");
}

function pump() {
  going.hidden = !items.size && !refused.length;
  const moving = inPhase(Phase.GOES).length;
  for (const item of inPhase(Phase.READY).slice(0, AT_ONCE - moving)) send(item);
  showAll();
  const left = inPhase(Phase.NEW, Phase.READY, Phase.GOES).length;
  note.textContent = left ? `${sum()}. You can go on choosing meanwhile.` : sum();
  all.hidden = !left;
  if (!left && (items.size || refused.length)) say(note.textContent);
  if (!left) refresh(0);
}

// The board comes anew a moment after files arrived, however many arrive in that moment.
let timer = 0;
function refresh(wait = REFRESH_MS) {
  if (!window.htmx || (timer && wait)) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = 0;
    if (counts.arrived + counts.twins + refused.length) document.dispatchEvent(new Event("board:stale"));
  }, wait);
}

// --- Files that were chosen, dropped or pasted

async function findDigest(file) {
  // Without one the server looks when the file is there.
  const found = await digest(file).catch(() => null);
  return found && [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function add(file) {
  const row = blank.cloneNode(true);
  row.querySelector(".going-name").textContent = file.name;
  row.querySelectorAll("[data-whom]").forEach((span) => { span.textContent = ` ${file.name}`; });
  const item = { file, row, phase: Phase.NEW, bar: row.querySelector("progress") };
  item.bar.setAttribute("aria-label", `Upload of ${file.name}`);
  row.querySelector("[data-retry]").addEventListener("click", () => { again(item); });
  row.querySelector("[data-remove]").addEventListener("click", () => {
    if (item.id) leaveOut(item.id);
    drop(item);
    say(`${file.name} is left out`);
    pump();
  });
  items.add(item);
  return item;
}

function again(item) {
  item.row.querySelector("[data-retry]").hidden = true;
  tell(item, "Waiting");
  if (item.id) {
    item.phase = Phase.READY;
    tellAlive();
    pump();
  } else {
    item.phase = Phase.NEW;
    place([item]);
  }
}

// Twins within one choice are counted, and sent once.
async function isTwin(item) {
  item.sha ??= await findDigest(item.file);
  if (!item.sha || !seen.has(item.sha)) {
    if (item.sha) seen.add(item.sha);
    return false;
  }
  finish(item, "twins");
  return true;
}

async function place(batch) {
  const captures = await Promise.all(batch.map((item) => reader?.readCapture(item.file) ?? null));
  const wanted = {
    captures, names: batch.map((item) => item.file.name), sizes: batch.map((item) => item.file.size), digests: batch.map((item) => item.sha ?? null),
  };
  try {
    const { places } = await tryFor(null, () => ask(form.dataset.places, wanted));
    batch.forEach((item, at) => { settle(item, places[at]); });
  } catch (error) {
    batch.forEach((item) => { fail(item, error); });
  }
  pump();
}

function settle(item, found) {
  if (item.removed) return;
  if (found.refused) {
    refuse(item.file.name, found.refused);
    drop(item);
  } else if (found.there) {
    finish(item, "twins");
  } else {
    Object.assign(item, found, { phase: Phase.READY });
  }
}

// One choice after the other: reading hundreds of files at once is more than a phone holds.
let turn = Promise.resolve();
export function take(files, wrong) {
  for (const [name, why] of wrong) refuse(name, why);
  const fresh = files.map(add);
  pump();
  turn = turn.then(watch).then(() => sendAll(fresh)).catch((error) => { say(error.message); });
}

async function sendAll(fresh) {
  for (let at = 0; at < fresh.length; at += PLACES_AT_ONCE) {
    const batch = [];
    for (const item of fresh.slice(at, at + PLACES_AT_ONCE)) {
      if (!item.removed && !(await isTwin(item))) batch.push(item);
    }
    if (batch.length) await place(batch);
    else pump();
  }
  // Which files are frames of one view may be known by now, long before they are here.
  if (fresh.length) document.dispatchEvent(new Event("board:stale"));
}

// --- What is under way here is lost nowhere: underway.js tells the portal, once there are files to send

const placed = (...phases) => inPhase(...phases).filter((item) => item.id);
const sending = () => placed(Phase.NEW, Phase.READY, Phase.GOES);
const unsent = () => placed(Phase.NEW, Phase.READY, Phase.GOES, Phase.FAILED);
export const listIds = () => [...items].map((item) => item.id);

// Somebody left these out of the order.
function lose(gone) {
  for (const item of gone) {
    item.gone = true;
    if (item.phase === Phase.GOES) item.request?.abort();
    else fail(item, fault("Left out", 404));
  }
  pump();
}

let watching = null;
let tellAlive = () => {};
let reader = null; // without these two the files are sent all the same
function watch() {
  watching ??= Promise.all([
    import(form.dataset.underway).then((found) => { tellAlive = found.watch(form, ask, { sending, unsent, lose }); }, () => {}),
    import(form.dataset.capture).then((found) => { reader = found; }, () => {}),
  ]);
  return watching;
}

addEventListener("beforeunload", (event) => {
  if (inPhase(Phase.NEW, Phase.READY, Phase.GOES).length) event.preventDefault();
});
