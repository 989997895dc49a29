// The permission of a page of another site to upload: a client token, and the one upload session that it is for.
import { fault, patiently } from "../uploads/sending.js";

const UPLOADS = new URL("../api/v1/uploads", import.meta.url);
// A URL with less time left is not begun with.
const MARGIN_MS = 120000;
const ENDED = "Your permission to upload has ended. Reload the page, and add the photos again.";
const NONE = "This page gave no permission to upload. Reload it, and try again.";

// For visitors; what the API says is for programs.
const WORDS = {
  too_many_files: (said) => `At most ${said.details?.maxFiles} photos can be uploaded here.`,
  conflict: () => "The photos before this one were ordered already. Reload the page to add others.",
  not_found: () => "These photos are no longer kept. Reload the page, and add them again.",
  rate_limited: () => "Too many photos are being uploaded at the moment. Try again later.",
  forbidden: () => "No photos can be uploaded at the moment.",
};

export class Permission {
  #token = "";
  // Those that expired, or were for an order before this one.
  #spent = new Set();
  #renewing = null;
  #order = 0;
  #elements = new Set();
  sessionId = null;

  join(element) { this.#elements.add(element); }

  leave(element) { this.#elements.delete(element); }

  // What is uploaded from now on belongs to another order, and nothing that was asked for before.
  forget() {
    this.#order += 1;
    this.#spent.add(this.#token);
    [this.#token, this.sessionId, this.#renewing] = ["", null, null];
  }

  // Another token came: it is used before any other.
  replace() { this.#token = ""; }

  // So many places for files, each with its URL, until when that holds, and how an order names the file.
  async ask(element, type, count) {
    const order = this.#order;
    for (let renewed = false; ; renewed = true) {
      const token = this.#token || await this.#renew(element);
      const { status, said } = await this.#post(token, type, count);
      if (order !== this.#order) {
        if (element.busy) return this.ask(element, type, count);
        throw final("");
      }
      if (status === 200) return this.#read(said, type);
      if (status !== 401) throw final(WORDS[said.code]?.(said) ?? "The photos could not be taken.", status, said);
      this.#spent.add(token);
      if (this.#token === token) this.#token = "";
      if (renewed) throw final(ENDED, status, said);
    }
  }

  #post(token, type, count) {
    const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": key };
    return send(UPLOADS, { method: "POST", headers, credentials: "omit", body: JSON.stringify({ [`${type}Count`]: count }) });
  }

  #read(said, type) {
    const until = Date.now() + said.expiresIn * 1000 - MARGIN_MS;
    const session = said.uploadSessionId;
    if (session !== this.sessionId) {
      this.sessionId = session;
      // An order has the files of one session: those of another are sent again.
      for (const each of this.#elements) each.moveTo();
    }
    return said[`${type}Urls`].map(({ uploadUrl: url, filePath }) => ({ url, filePath, type, until, session }));
  }

  async #renew(element) {
    const order = this.#order;
    this.#renewing ??= this.#find(element);
    try {
      const token = await this.#renewing;
      if (order === this.#order) this.#token = token;
      return token;
    } finally {
      if (order === this.#order) this.#renewing = null;
    }
  }

  async #find(element) {
    const [given, url] = [element.getAttribute("token"), element.getAttribute("token-url")];
    if (given && !(url && this.#spent.has(given))) return given;
    if (!url) throw final(NONE, 401, { code: "no_token" });
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ uploadSessionId: this.sessionId });
    const { status, said } = await send(new URL(url, document.baseURI), { method: "POST", headers, credentials: "same-origin", body });
    if (status >= 300 || typeof said.token !== "string") throw final(NONE, status, { code: "no_token" });
    if (/^ims_(live|test)_/.test(said.token)) {
      console.error(`${url} answers an API key. Revoke it, and answer a client token.`);
      throw final(NONE, status, { code: "no_token" });
    }
    return said.token;
  }
}

// What is refused here is refused the next time, too.
const final = (message, code, said) => Object.assign(fault(message, code), { said, final: true });

// The answer, when it is neither an outage nor a short wait.
async function send(url, options) {
  try {
    return await patiently(async () => {
      const answer = await fetch(url, options).catch(() => { throw fault("The connection broke."); });
      const said = (await answer.json().catch(() => null)) ?? {};
      const isShort = Number(answer.headers.get("Retry-After") ?? 1) <= 60;
      if (answer.status >= 500 || (answer.status === 429 && isShort)) throw Object.assign(fault("", answer.status), { said });
      return { status: answer.status, said };
    });
  } catch (error) {
    throw final(WORDS[error.said?.code]?.(error.said) ?? "The connection broke.", error.code, error.said ?? {});
  }
}

const permissions = new WeakMap();
// Elements of one form share one: interior and exterior photos then make one order.
export function permissionFor(owner) {
  if (!permissions.has(owner)) permissions.set(owner, new Permission());
  return permissions.get(owner);
}
