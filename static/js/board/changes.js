// Changes of the board: one after the other, in the order in which they were asked for, whatever comes in between.
// The board comes anew with each answer, so a change that waits is a name of its form and button, not the button.
// Without this every form of the board is sent by itself, and the page comes anew.
const status = document.getElementById("status");
const notDone = document.getElementById("not-done");
const board = () => document.getElementById("board");

// --- The board comes anew

// It is asked for by the page's head, which stays: what a part of the board asks for while that is being exchanged is
// dropped. Whatever somebody does on the board goes first, and then it is asked for once more.
const head = document.querySelector(".board-head");
let asking = false;
let stale = false;
let poller = ""; // the id of the element whose timer alone asked for it: that is no use of the sign-in
async function askForBoard({ type, detail }) {
  if (!window.htmx) return;
  poller = type === "board:stale" && detail && (!stale || poller) ? detail : "";
  stale = true;
  if (asking) return;
  asking = true;
  while (stale) {
    stale = false;
    let went = "first"; // nothing was sent: a change of the board is under way
    const look = ({ detail }) => { went = detail.successful ? "came" : "failed"; };
    const left = () => { went = "first"; };
    head.addEventListener("htmx:afterRequest", look);
    head.addEventListener("htmx:sendAbort", left);
    const asked = { target: "#board", swap: "outerHTML", source: head, headers: poller ? { "HX-Trigger": poller } : {} };
    await window.htmx.ajax("GET", document.getElementById("files").dataset.board, asked).catch(() => {});
    head.removeEventListener("htmx:afterRequest", look);
    head.removeEventListener("htmx:sendAbort", left);
    if (went !== "first") continue;
    stale = true;
    await new Promise((done) => { setTimeout(done, 250); });
  }
  asking = false;
}
for (const name of ["board:stale", "signed-in"]) document.addEventListener(name, askForBoard);

// --- What was asked for

const line = []; // changes that wait for their turn
let doing = null; // the one whose turn it is
let undone = []; // what could not be done since the line was empty last
let isKept = true; // whether all before was done as it was asked for

const words = (element) => `“${element.textContent.trim().replace(/\s+/g, " ")}”`;

function dataOf(form, button) {
  const data = new FormData(form);
  if (button?.name) data.append(button.name, button.value);
  return data;
}

// What was sent is no more to be kept than what came.
function settle(form) {
  for (const field of form.elements) {
    if (field.type === "checkbox" || field.type === "radio") field.defaultChecked = field.checked;
    else if (field.tagName === "SELECT") for (const option of field.options) option.defaultSelected = option.selected;
    else if (field.type === "text" || field.tagName === "TEXTAREA") field.defaultValue = field.value;
  }
}

// Data as they were at the press, or, of a form that says so by data-change="latest", as they will be at its turn.
function take(form, button) {
  const change = { form: form.id, said: button ? words(button) : "saving the effects" };
  if (button) change.button = { id: button.id, name: button.name, value: button.value };
  if (form.dataset.change === "pressed") {
    change.data = [...dataOf(form, button)].filter(([name]) => name !== "csrf_token");
    settle(form);
  }
  change.total = form.elements.total?.value;
  // Twice the same is a double click, but for what goes a step each time.
  const last = line.at(-1) ?? (change.data ? doing : null);
  if (last && !button?.hasAttribute("data-steps") && JSON.stringify(last) === JSON.stringify(change)) return;
  const menu = button?.closest(".menu");
  if (menu) {
    menu.querySelector("summary").focus();
    menu.open = false;
  }
  line.push(change);
  work();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!window.htmx || event.defaultPrevented || !board()?.contains(form)) return;
  // What leads away from the board waits until all before is done.
  if (!doing && !form.dataset.change) return;
  event.preventDefault();
  take(form, event.submitter);
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-change=latest]");
  if (form && window.htmx) take(form);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || !doing || event.defaultPrevented) return;
  if (link.target || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const [here, there] = [location.href, link.href].map((each) => each.split("#")[0]);
  if (link.hash && here === there) return;
  event.preventDefault();
  line.push({ href: link.href, said: words(link) });
});

addEventListener("beforeunload", (event) => { if (line.length) event.preventDefault(); });

// --- Its turn

async function work() {
  if (doing) return;
  [undone, isKept, notDone.hidden] = [[], true, true];
  while (line.length) {
    doing = line.shift();
    await (doing.href || !document.getElementById(doing.form)?.dataset.change ? leave(doing) : change(doing));
  }
  doing = null;
  if (!undone.length) return;
  notDone.textContent = `Not done: ${undone.join(", ")}. See what the board shows now, and try again if you still want it.`;
  notDone.hidden = false;
  status.textContent = notDone.textContent;
}

function drop({ said }) {
  undone.push(said);
  isKept = false;
}

// The form and the button on the board that is there now; nothing where the button is gone.
function find({ form: id, button: wanted }) {
  const form = document.getElementById(id);
  const alike = (each) => each.type === "submit" && ["id", "name", "value"].every((of) => each[of] === wanted[of]);
  const button = wanted ? [...(form?.elements ?? [])].find(alike) : null;
  return form && (button || !wanted) ? { form, button } : null;
}

// The data of the press, without photos that are gone; nothing where all of them are.
function renew(data, form) {
  const renewed = new FormData();
  renewed.append("csrf_token", form.elements.csrf_token.value);
  for (const [name, value] of data) {
    if (name !== "photo" || form.id !== "selection" || document.getElementById(`pick-${value}`)) renewed.append(name, value);
  }
  return data.some(([name]) => name === "photo") && !renewed.has("photo") ? null : renewed;
}

async function change(asked) {
  const found = find(asked);
  const data = found && (asked.data ? renew(asked.data, found.form) : dataOf(found.form, found.button));
  if (!data) {
    drop(asked);
    return;
  }
  if (!asked.data) settle(found.form);
  const code = await send(found.form.action, data);
  if (code === 200) return;
  if (code === 401) {
    await new Promise((back) => { document.addEventListener("signed-in", back, { once: true }); });
    await change(asked);
    return;
  }
  isKept = false;
  // The board says why it refused. What is ticked by now stands on it, to be saved by whoever read that.
  if (code === 422) line.splice(0, line.length, ...line.filter((each) => each.form !== asked.form || each.data));
  else drop(asked);
}

// By an element that stays, too; what the board itself asks for gives way.
async function send(url, data) {
  let code = 0;
  notDone.addEventListener("htmx:configRequest", ({ detail }) => { detail.parameters = data; }, { once: true });
  notDone.addEventListener("htmx:afterRequest", ({ detail }) => { code = detail.xhr.status; }, { once: true });
  await window.htmx.ajax("POST", url, { source: notDone, target: "#board", swap: "outerHTML" }).catch(() => {});
  return code;
}

// An order is placed at the price that was shown at the press: where it is another one by now, the server says so.
// Who changes something after that press means to have it in the order: it is done, and nothing is ordered yet.
function leave(asked) {
  const found = asked.href ? null : find(asked);
  const isChanged = line.some((each) => document.getElementById(each.form)?.dataset.change);
  if (!isKept || isChanged || !(asked.href || found)) {
    drop(asked);
    return;
  }
  line.length = 0;
  doing = null;
  if (asked.href) {
    location.assign(asked.href);
    return;
  }
  if (asked.total) found.form.elements.total.value = asked.total;
  found.form.requestSubmit(found.button);
}
