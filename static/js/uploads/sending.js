// Sends one file by PUT, and repeats what went wrong on the way. The board and the element for other sites use it.
export const WAITS_MS = [500, 1000, 2000];

export const fault = (message, code = 0) => Object.assign(new Error(message), { code });
// A code of 0 is the network's own fault.
export const passes = (code) => code === 0 || code === 408 || code === 429 || code >= 500;
export const ranOut = (code) => code === 403 || code === 410;
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
export const whenOnline = () => new Promise((back) => { addEventListener("online", back, { once: true }); });

// Repeats `act`, each time later, while what goes wrong may pass. `before` sees every error first: it throws what is
// final, and says true where it dealt with the error itself, which then is no try. `again`: before each repetition.
export async function patiently(act, { before = () => false, again = () => {} } = {}) {
  for (let tried = 0; ; tried += 1) {
    try {
      return await act();
    } catch (error) {
      if (await before(error)) {
        tried -= 1;
        continue;
      }
      if (tried >= WAITS_MS.length || !(passes(error.code) || ranOut(error.code))) throw error;
      again(error, `Trying again (${tried + 2} of ${WAITS_MS.length + 1})`);
      await pause(WAITS_MS[tried] * (1 + Math.random() / 2));
    }
  }
}

// `begun` gets the request, by which it can be aborted; `moved` the bytes that are sent.
export function put(url, file, { headers = {}, begun = () => {}, moved = () => {} } = {}) {
  return new Promise((arrived, failed) => {
    const request = new XMLHttpRequest();
    begun(request);
    request.open("PUT", url);
    // What a store holds the URL to; what the file is, is told by its content.
    request.setRequestHeader("Content-Type", "application/octet-stream");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.timeout = 600000;
    request.upload.onprogress = (event) => { if (event.lengthComputable) moved(event.loaded, event.total); };
    request.onload = () => (request.status < 300 ? arrived() : failed(reason(request)));
    request.onerror = () => failed(fault("The connection broke."));
    request.ontimeout = () => failed(fault("It took too long."));
    request.onabort = () => failed(fault("Left out"));
    request.send(file);
  });
}

function reason(request) {
  let said = {};
  try {
    said = JSON.parse(request.responseText);
  } catch {
    said.message = `The store answered ${request.status}.`;
  }
  return Object.assign(fault(said.message, request.status), { said });
}

// The SHA-256 of the file; null where the page did not come over TLS, which browsers want for it.
export async function digest(file) {
  return crypto.subtle ? new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer())) : null;
}
