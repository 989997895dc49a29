/** Requests to the service: with the key, sent again where that is safe, refusals thrown as errors. */

import { ApiError, NoAnswerError, readRefusal, UnexpectedAnswerError } from "./errors.js";

const API = "/api/v1";
const FIRST_PAUSE_MS = 500;
/** A photo of 50 MB over a slow line. */
const TRANSFER_MS = 900_000;
const NOT_CARRIED_OUT = [429, 503];

export interface Options {
  /** A key of the account, made in the portal. Keep it out of web pages. */
  apiKey: string;
  /** Where the service is, such as https://brightlist.example. */
  baseUrl: string;
  /** How often a request is sent again after 429, a fault of the service, or a broken connection. */
  maxRetries?: number;
  /** The longest pause between two tries, in milliseconds. Where the service asks for more, its refusal is thrown. */
  maxPauseMs?: number;
  /** The longest that one try may take, in milliseconds; files have a quarter of an hour. */
  timeoutMs?: number;
  /** In place of the global fetch, for proxies or tests. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal | undefined;
  /** In place of one of this package's own: one for one effect, also after your program was started again. */
  idempotencyKey?: string | undefined;
}

export interface Request extends CallOptions {
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

export class Transport {
  readonly #options: Required<Options>;
  readonly #root: string;

  constructor(options: Options) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const usual = { maxRetries: 5, maxPauseMs: 60_000, timeoutMs: 90_000, fetch: (...call: Parameters<typeof fetch>) => fetch(...call) };
    this.#options = { ...usual, ...(given as unknown as Options) };
    this.#root = options.baseUrl.replace(/\/+$/, "").replace(new RegExp(`${API}$`), "");
    if (!options.apiKey || !this.#root) throw new TypeError("apiKey and baseUrl are required");
  }

  /** The JSON of a good answer. A POST has one Idempotency-Key for all its tries: its effect happens once. */
  async ask(method: string, path: string, request: Request = {}): Promise<unknown> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#options.apiKey}` };
    if (method === "POST") headers["Idempotency-Key"] = request.idempotencyKey ?? crypto.randomUUID();
    const isForm = request.body instanceof FormData;
    if (request.body !== undefined && !isForm) headers["Content-Type"] = "application/json";
    const body = isForm ? (request.body as FormData) : request.body === undefined ? null : JSON.stringify(request.body);
    const url = `${this.#root}${API}${path}${writeQuery(request.query)}`;
    const limit = isForm ? TRANSFER_MS : this.#options.timeoutMs;
    const answer = await this.#send(url, { method, headers, body }, request.signal, limit);
    try {
      return JSON.parse(await answer.text());
    } catch (cause) {
      throw new UnexpectedAnswerError(`${url} did not answer with JSON: is baseUrl right?`, { cause });
    }
  }

  /** Send a file to a signed URL, or get one. The key stays here: such a URL may lead to another host. */
  transfer(method: "GET" | "PUT", url: string, body: Blob | null, signal?: AbortSignal): Promise<Blob> {
    return this.#send(url, { method, body }, signal, TRANSFER_MS);
  }

  /** A good answer's content, after as many tries as are allowed. Throws the refusal, or NoAnswerError. */
  async #send(url: string, init: RequestInit, signal: AbortSignal | undefined, limitMs: number): Promise<Blob> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#sendOnce(url, init, signal, limitMs);
      } catch (error) {
        const pause = this.#pauseAfter(error, init.method, tries);
        if (pause === undefined) throw error;
        await sleep(pause, signal);
      }
    }
  }

  async #sendOnce(url: string, init: RequestInit, signal: AbortSignal | undefined, limitMs: number): Promise<Blob> {
    const limit = AbortSignal.timeout(limitMs);
    const within = signal ? AbortSignal.any([signal, limit]) : limit;
    try {
      const response = await this.#options.fetch(url, { ...init, redirect: "manual", signal: within });
      if (response.ok) return await response.blob();
      if (response.status >= 400) throw await readRefusal(response);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof ApiError) throw cause;
      throw new NoAnswerError(`No answer from ${new URL(url).host}: ${String(cause)}`, { cause });
    }
    throw new UnexpectedAnswerError(`${url} leads elsewhere: is baseUrl right?`);
  }

  /** Milliseconds to wait before the next try; undefined when there is none. */
  #pauseAfter(error: unknown, method: string | undefined, tries: number): number | undefined {
    if (tries >= this.#options.maxRetries || !mayTryAgain(error, method)) return undefined;
    const asked = error instanceof ApiError && error.retryAfter !== undefined ? error.retryAfter * 1000 : undefined;
    if (asked !== undefined) return asked <= this.#options.maxPauseMs ? asked : undefined;
    return Math.min(this.#options.maxPauseMs, FIRST_PAUSE_MS * 2 ** tries) * (0.5 + Math.random() / 2);
  }
}

/** Whether the same request may be sent again without a second effect, and with another answer. */
function mayTryAgain(error: unknown, method: string | undefined): boolean {
  // The second DELETE would find nothing where the first had its effect.
  if (method === "DELETE") return error instanceof ApiError && NOT_CARRIED_OUT.includes(error.status);
  if (error instanceof NoAnswerError) return true;
  if (!(error instanceof ApiError)) return false;
  // Of conflicts only the first request that is still in flight has a Retry-After.
  return [408, 429].includes(error.status) || error.status >= 500 || (error.status === 409 && error.retryAfter !== undefined);
}

/** A list repeats its name, an object names each key. */
function writeQuery(query: Readonly<Record<string, unknown>> = {}): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value) written.append(name, String(each));
    else if (typeof value === "object" && value !== null)
      for (const [key, each] of Object.entries(value)) written.append(`${name}[${key}]`, String(each));
    else if (value !== undefined && value !== null) written.append(name, String(value));
  }
  return written.size ? `?${written}` : "";
}

/** Wait; rejects as soon as the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
