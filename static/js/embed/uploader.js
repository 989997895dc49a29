// <brightlist-uploader>: pages of other sites take up photos with it, and send what an order needs with their form.
import { carriesFiles, readDrop, sift } from "../uploads/choosing.js";
import { patiently, plural, put, ranOut, whenOnline } from "../uploads/sending.js";
import { ACCEPT, checksum, isAccepted, isSame, megabytes } from "./files.js";
import { STYLES, drawThumb, make, makeIcon } from "./look.js";
import { permissionFor } from "./permission.js";

const AT_ONCE = 3;
const MAX_NAME = 500;
const MAX_THUMB_BYTES = 30e6;
const Phase = Object.freeze({ WAITS: "waits", GOES: "goes", DONE: "done", FAILED: "failed" });

let sheet;
function makeSheet() {
  sheet ??= new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  return sheet;
}

// One picture is decoded at a time: many at once are more than a phone holds.
let thumbs = Promise.resolve();

class BrightlistUploader extends HTMLElement {
  static formAssociated = true;
  static observedAttributes = ["accept", "disabled", "max-files", "photo-type", "required", "token"];

  #internals = this.attachInternals();
  #permission = permissionFor(this);
  // One for each file that is shown; and places of files that were taken out.
  #items = [];
  #free = [];
  #asking = false;
  #disabled = false;
  #guards = false;

  constructor() {
    super();
    this.#internals.role = "group";
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    root.adoptedStyleSheets = [makeSheet()];
    this.#build();
    root.append(this.whole);
  }

  // --- What pages use

  get form() { return this.#internals.form; }

  get name() { return this.getAttribute("name"); }

  get validity() { return this.#internals.validity; }

  checkValidity() { return this.#internals.checkValidity(); }

  reportValidity() { return this.#internals.reportValidity(); }

  // Whether files are on their way.
  get busy() { return this.#in(Phase.WAITS, Phase.GOES).length > 0; }

  // A part of an order; null before a photo is here.
  get value() {
    const items = this.#in(Phase.DONE);
    if (!items.length) return null;
    const found = { uploadSessionId: items[0].place.session };
    for (const item of items) {
      const { type, ...file } = this.#describe(item);
      (found[`${type}Files`] ??= []).push(file);
    }
    return found;
  }

  // The files of an order that was placed: what comes next is another one.
  reset() {
    for (const item of [...this.#items]) this.#drop(item);
    this.#free = [];
    this.#permission.forget();
    this.#refuse([]);
    this.#show();
  }

  // --- What browsers call

  connectedCallback() {
    this.#permission.join(this);
    this.#silenceFallback();
    document.addEventListener("DOMContentLoaded", () => this.#silenceFallback(), { once: true });
    this.#show();
  }

  disconnectedCallback() {
    // Moved within the page it is connected again at once.
    queueMicrotask(() => {
      if (this.isConnected) return;
      for (const item of this.#in(Phase.WAITS, Phase.GOES)) this.#drop(item);
      this.#permission.leave(this);
      this.#guard(false);
    });
  }

  attributeChangedCallback(name) {
    if (name === "token") this.#permission.replace();
    if (this.isConnected) this.#show();
  }

  formAssociatedCallback(form) {
    this.#permission.leave(this);
    this.#permission = permissionFor(form ?? this);
    this.#permission.join(this);
    // Moved within the page it leaves its form, and has one again at once.
    queueMicrotask(() => { if (this.isConnected) this.moveTo(); });
  }

  formDisabledCallback(disabled) {
    this.#disabled = disabled;
    this.#show();
  }

  formResetCallback() { this.reset(); }

  // --- Parts

  #build() {
    const choose = () => this.input.click();
    this.input = make("input", { type: "file", hidden: true, onchange: () => { this.#take([...this.input.files]); this.input.value = ""; } });
    this.choose = make("button", { type: "button", className: "choose", onclick: choose });
    this.lead = make("p", { className: "lead" });
    this.hint = make("p", { className: "small", id: "hint" });
    this.choose.setAttribute("aria-describedby", "hint");
    this.area = make("div", { className: "drop" }, makeIcon("upload"), make("div", {}, this.lead, this.hint), this.choose, this.input);
    this.area.part = "drop";
    this.note = make("p", { className: "small" });
    this.bar = make("progress", { max: 100, ariaLabel: "All uploads" });
    this.sum = make("div", { className: "sum" }, this.note, this.bar);
    this.list = make("ul", { ariaLabel: "Photos" });
    this.card = make("div", { className: "card" }, this.sum, this.list);
    this.card.part = "list";
    const dismiss = make("button", { type: "button", className: "icon", ariaLabel: "Dismiss", onclick: () => { this.#refuse([]); this.choose.focus(); } }, makeIcon("close"));
    this.reasons = make("ul");
    this.wrong = make("div", { className: "wrong", hidden: true }, make("div", {}, this.reasons), dismiss);
    this.live = make("p", { className: "vh", role: "status" });
    this.whole = make("div", { className: "whole" }, this.area, this.wrong, this.card, this.live);
    for (const name of ["dragenter", "dragover"]) this.area.addEventListener(name, (event) => this.#hover(event));
    this.area.addEventListener("dragleave", (event) => { if (!this.area.contains(event.relatedTarget)) this.area.classList.remove("over"); });
    this.area.addEventListener("drop", (event) => this.#takeDrop(event));
  }

  #hover(event) {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    if (!this.choose.disabled) this.area.classList.add("over");
  }

  async #takeDrop(event) {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    this.area.classList.remove("over");
    if (this.choose.disabled) return;
    const { files, unread } = await readDrop(event.dataTransfer);
    this.#take(files, unread);
  }

  // What pages show before this element is defined must not be sent with their form.
  #silenceFallback() {
    for (const each of this.querySelectorAll("input, select, textarea, button")) each.disabled = true;
  }

  get #type() { return this.getAttribute("photo-type") === "exterior" ? "exterior" : "interior"; }

  get #most() { return Math.max(1, Math.floor(Number(this.getAttribute("max-files"))) || RULES.maxPhotos); }

  // --- Files that were chosen or dropped

  #take(all, unread = []) {
    const accept = this.getAttribute("accept");
    const { photos, refused } = sift(all, RULES);
    refused.unshift(...unread.map((name) => [name, "It could not be read. Choose it again."]));
    const fitting = photos.filter((file) => !accept || isAccepted(file, accept));
    refused.push(...photos.filter((file) => !fitting.includes(file)).map((file) => [file.name, "Photos of this type are not taken here."]));
    const fresh = fitting.filter((file) => !this.#items.some((item) => isSame(item.file, file)));
    const taken = fresh.slice(0, Math.max(0, this.#most - this.#items.length));
    const over = fresh.length - taken.length;
    if (over) refused.push([`${plural(over, "photo")} not added`, `At most ${this.#most} can be uploaded here.`]);
    for (const file of taken) this.#add(file);
    this.#refuse(refused);
    const said = taken.length ? `${plural(taken.length, "photo")} added.` : "";
    this.#say([said, ...refused.slice(0, 3).map((each) => each.join(": "))].join(" "));
    this.#pump();
  }

  #add(file) {
    const thumb = make("span", { className: "thumb" }, makeIcon("photo"));
    const state = make("span", { className: "small state", textContent: "Waiting" });
    const bar = make("progress", { max: 100, value: 0, hidden: true, ariaLabel: `Upload of ${file.name}` });
    const about = make("div", { className: "about" }, make("span", { className: "name", textContent: file.name }), state, bar);
    const retry = make("button", { type: "button", textContent: "Retry", ariaLabel: `Retry ${file.name}`, hidden: true });
    const remove = make("button", { type: "button", className: "icon", ariaLabel: `Remove ${file.name}` }, makeIcon("close"));
    const row = make("li", {}, thumb, about, make("div", { className: "acts" }, retry, remove));
    row.part = "file";
    const item = { file, row, state, bar, retry, remove, phase: Phase.WAITS, place: null, sent: 0 };
    retry.onclick = () => { this.#again(item); };
    remove.onclick = () => { this.#remove(item); };
    this.#items.push(item);
    this.list.append(row);
    if (file.size < MAX_THUMB_BYTES) thumbs = thumbs.then(() => item.removed || drawThumb(thumb, file));
  }

  #again(item) {
    item.remove.focus();
    this.#mark(item, Phase.WAITS, "Waiting");
    this.#pump();
  }

  #remove(item) {
    const at = this.#items.indexOf(item);
    this.#drop(item);
    (this.#items[at] ?? this.#items[at - 1])?.remove.focus();
    this.#say(`${item.file.name} removed.`);
    this.#pump();
    if (!this.#items.length) this.choose.focus();
  }

  #drop(item) {
    item.removed = true;
    item.request?.abort();
    item.row.remove();
    this.#items = this.#items.filter((each) => each !== item);
    if (item.place) this.#free.push(item.place);
  }

  #refuse(refused) {
    this.reasons.replaceChildren(...refused.map(([name, why]) => make("li", {}, make("b", { textContent: name }), `: ${why}`)));
    this.wrong.hidden = !refused.length;
    for (const [fileName, message] of refused) this.#emit("error", { fileName, code: "not_taken", message });
  }

  // --- On their way

  #in(...phases) { return this.#items.filter((item) => phases.includes(item.phase)); }

  #isGood(place) { return place.type === this.#type && place.session === this.#permission.sessionId && Date.now() < place.until; }

  #pump() {
    const waiting = this.#in(Phase.WAITS);
    this.#free = this.#free.filter((place) => this.#isGood(place));
    for (const item of waiting) {
      if (item.place && !this.#isGood(item.place)) item.place = null;
      item.place ??= this.#free.shift() ?? null;
    }
    const without = waiting.filter((item) => !item.place);
    if (without.length && !this.#asking) this.#askFor(without.slice(0, RULES.maxPhotos));
    const room = AT_ONCE - this.#in(Phase.GOES).length;
    for (const item of waiting.filter(({ place }) => place).slice(0, Math.max(0, room))) this.#send(item);
    this.#show();
  }

  async #askFor(items) {
    this.#asking = true;
    try {
      const places = await this.#permission.ask(this, this.#type, items.length);
      items.forEach((item, at) => {
        // One that was left may have become its place meanwhile, and be in use.
        if (item.removed || item.place) this.#free.push(places[at]);
        else item.place = places[at];
      });
    } catch (error) {
      for (const item of items) this.#fail(item, error);
    }
    this.#asking = false;
    this.#pump();
  }

  async #send(item) {
    this.#mark(item, Phase.GOES, "Uploading");
    try {
      await patiently(() => this.#put(item), {
        before: async (error) => {
          if (item.removed || error.final) throw error;
          if (error.said?.code === "checksum_mismatch") error.code = 0;
          if (navigator.onLine) return false;
          this.#tell(item, "You are offline. The upload waits, and goes on by itself.");
          await whenOnline();
          return true;
        },
        again: (error, said) => {
          if (ranOut(error.code)) item.place = null;
          this.#tell(item, said);
        },
      });
      this.#finish(item);
    } catch (error) {
      this.#fail(item, error);
    }
    this.#pump();
  }

  async #put(item) {
    item.place ??= (await this.#permission.ask(this, this.#type, 1))[0];
    const headers = await checksum(item.place.url, item.file);
    if (item.removed) return;
    await put(item.place.url, item.file, {
      headers,
      begun: (request) => { item.request = request; },
      moved: (sent, total) => {
        item.sent = sent;
        item.bar.value = (sent / total) * 100;
        this.#tell(item, sent < total ? `Uploading, ${Math.floor(item.bar.value)}%` : "Checking");
        this.#sum();
      },
    });
  }

  #finish(item) {
    if (item.removed) return;
    this.#mark(item, Phase.DONE, `Uploaded, ${megabytes(item.file.size)}`);
    // It may have been on its way as another session took the place of its own.
    this.moveTo();
    if (item.phase !== Phase.DONE) return;
    this.#show();
    this.#emit("uploaded", { file: this.#describe(item), done: false });
    if (this.busy) return;
    const failed = this.#in(Phase.FAILED).length;
    this.#say(failed ? `${plural(failed, "photo")} could not be uploaded.` : "All photos are uploaded.");
    if (!failed) this.#emit("uploaded", { file: null, done: true });
  }

  #fail(item, error) {
    if (item.removed) return;
    const message = error.said?.error === "No room for more uploads" ? "There is no room for more photos at the moment. Try again later." : error.message;
    this.#mark(item, Phase.FAILED, message);
    // What was judged will not be judged otherwise the next time.
    item.retry.hidden = error.code === 415;
    this.#say(`${item.file.name}: ${message}`);
    this.#emit("error", { fileName: item.file.name, code: error.said?.code ?? "network", message });
  }

  // Another session took the place of the one in which these were: they are sent there once more.
  moveTo() {
    for (const item of this.#in(Phase.DONE)) {
      if (item.place.session !== this.#permission.sessionId) this.#mark(item, Phase.WAITS, "Waiting");
    }
    queueMicrotask(() => this.#pump());
  }

  // --- What is shown

  #describe({ place, file }) { return { filePath: place.filePath, fileName: file.name.slice(0, MAX_NAME), type: place.type }; }

  #emit(what, detail) {
    this.dispatchEvent(new CustomEvent(`brightlist-${what}`, { bubbles: true, composed: true, detail: { ...detail, value: this.value } }));
  }

  #say(text) { this.live.textContent = text; }

  #tell(item, text) { item.state.textContent = text; }

  #mark(item, phase, text) {
    item.phase = phase;
    item.row.className = phase;
    if (phase !== Phase.GOES) item.sent = 0;
    item.bar.value = 0;
    item.bar.hidden = phase !== Phase.GOES;
    item.retry.hidden = true;
    this.#tell(item, text);
  }

  #sum() {
    const [whole, here] = [this.#items, this.#in(Phase.DONE)];
    const size = (items) => items.reduce((sum, { file }) => sum + file.size, 0);
    const sent = size(here) + this.#in(Phase.GOES).reduce((sum, item) => sum + item.sent, 0);
    this.bar.value = whole.length ? (sent / size(whole)) * 100 : 0;
    const failed = this.#in(Phase.FAILED).length;
    this.note.textContent = `${here.length} of ${plural(whole.length, "photo")} uploaded${failed ? `, ${failed} failed` : ""}`;
  }

  #show() {
    const [most, off] = [this.#most, this.#disabled || this.hasAttribute("disabled")];
    const full = this.#items.length >= most;
    this.choose.disabled = off || full;
    for (const { retry, remove } of this.#items) retry.disabled = remove.disabled = off;
    this.choose.textContent = most === 1 ? "Choose a photo" : "Choose photos";
    this.lead.replaceChildren(full ? "All photos are added" : "Add photos", full || off ? "" : make("span", { className: "by-mouse", textContent: ": drop them here" }));
    this.hint.textContent = `${RULES.formats}, up to ${RULES.maxMegabytes} MB each${most > 1 ? `, at most ${most}` : ""}.`;
    this.input.multiple = most > 1;
    this.input.accept = this.getAttribute("accept") ?? ACCEPT;
    this.#internals.ariaLabel = this.#internals.labels[0]?.textContent.trim() || "Photos";
    this.card.hidden = !this.#items.length;
    this.bar.hidden = !this.busy;
    this.#sum();
    this.#guard(this.busy);
    this.#judge();
  }

  #judge() {
    const value = this.value;
    this.#internals.setFormValue(value && JSON.stringify(value));
    if (this.busy) this.#internals.setValidity({ customError: true }, "Wait until all photos are uploaded.", this.choose);
    else if (this.#in(Phase.FAILED).length) this.#internals.setValidity({ customError: true }, "Some photos were not uploaded. Retry, or remove them.", this.choose);
    else if (this.hasAttribute("required") && !value) this.#internals.setValidity({ valueMissing: true }, "Add at least one photo.", this.choose);
    else this.#internals.setValidity({});
  }

  // Whoever leaves the page now loses what is on its way.
  #guard(on) {
    if (on === this.#guards) return;
    this.#guards = on;
    (on ? addEventListener : removeEventListener)("beforeunload", warn);
  }
}

const warn = (event) => { event.preventDefault(); };

customElements.get("brightlist-uploader") ?? customElements.define("brightlist-uploader", BrightlistUploader);
