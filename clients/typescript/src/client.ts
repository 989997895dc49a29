/** The client: every operation of the API by its path, and what an order takes from photos to pictures. */

import type { components } from "./api.js";
import { NotDecidedError } from "./errors.js";
import type { Answer, Arguments, Entry, Input, ListPath, Method, PathOf } from "./operations.js";
import { sleep, Transport, type CallOptions, type Options, type Request } from "./transport.js";
import { upload, type Photos, type UploadedFiles, type UploadOptions } from "./uploads.js";

type Schemas = components["schemas"];
export type JobStatus = Schemas["JobStatusAnswer"];
export type OrderResult = Schemas["OrderResult"];
export type Downloads = Schemas["DownloadAnswer"];
/** An order without its files. */
export type OrderFields = Omit<Schemas["PlaceOrder"], keyof UploadedFiles>;

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** After how long NotDecidedError is thrown; two hours if it is left out, when any job has ended. */
  timeoutMs?: number;
  /** Called with each status that is new. */
  onStatus?: (status: JobStatus) => void;
}

/** A list has one array, under the name of what it lists. */
type ListPage<E> = { nextCursor: string | null } & Record<string, E[]>;

const DECIDED: readonly string[] = ["approved", "delivered", "undeliverable", "failed"];
/** The service keeps a request that long while nothing is decided; where it cannot, pauses keep requests few. */
const KEPT_SECONDS = 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const JOB_MS = 7_200_000;

export class Brightlist {
  readonly #transport: Transport;

  constructor(options: Options) {
    this.#transport = new Transport(options);
  }

  get<P extends PathOf<"get">>(path: P, ...[input]: Arguments<Input<P, "get">>): Promise<Answer<P, "get">> {
    return this.#call("get", path, input);
  }

  /** Sent with an Idempotency-Key, so that it has one effect however often it is tried. */
  post<P extends PathOf<"post">>(path: P, ...[input]: Arguments<Input<P, "post">>): Promise<Answer<P, "post">> {
    return this.#call("post", path, input);
  }

  put<P extends PathOf<"put">>(path: P, ...[input]: Arguments<Input<P, "put">>): Promise<Answer<P, "put">> {
    return this.#call("put", path, input);
  }

  patch<P extends PathOf<"patch">>(path: P, ...[input]: Arguments<Input<P, "patch">>): Promise<Answer<P, "patch">> {
    return this.#call("patch", path, input);
  }

  delete<P extends PathOf<"delete">>(path: P, ...[input]: Arguments<Input<P, "delete">>): Promise<Answer<P, "delete">> {
    return this.#call("delete", path, input);
  }

  /** Every entry of a list, page by page as they are read. */
  async *list<P extends ListPath>(path: P, ...[input]: Arguments<Input<P, "get">>): AsyncGenerator<Entry<P>, void, undefined> {
    let cursor: string | null = null;
    do {
      const given = input as (Request & { path?: Record<string, string> }) | undefined;
      const query: Request["query"] = { ...given?.query, ...(cursor === null ? {} : { cursor }) };
      const page: ListPage<Entry<P>> = await this.#call("get", path, { ...given, query });
      yield* Object.values(page).find(Array.isArray) ?? [];
      cursor = page.nextCursor;
    } while (cursor);
  }

  /** Upload photos; what comes back is for an order, or a quote. */
  upload(photos: Photos, options?: UploadOptions): Promise<UploadedFiles> {
    return upload(this.#transport, photos, options);
  }

  /** Upload photos, and order: charged once, however often it is tried. `idempotencyKey` is for the order. */
  async order(photos: Photos, order: OrderFields, options: UploadOptions = {}): Promise<OrderResult> {
    const files = await this.upload(photos, { ...options, idempotencyKey: undefined });
    const { signal, idempotencyKey } = options;
    return this.post("/orders/from-uploads", { body: { ...order, ...files }, signal, idempotencyKey });
  }

  /** The status of the job once it is decided: `approved`, `delivered`, `undeliverable` or `failed`. */
  async wait(jobId: string, options: WaitOptions = {}): Promise<JobStatus> {
    const until = Date.now() + (options.timeoutMs ?? JOB_MS);
    let last = "";
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, 1.5 * pause)) {
      const asked = Date.now();
      const wait = Math.max(1, Math.min(KEPT_SECONDS, Math.floor((until - asked) / 1000)));
      const job = await this.get("/jobs/{jobId}/status", { path: { jobId }, query: { wait }, signal: options.signal });
      if (job.status !== last) options.onStatus?.(job);
      last = job.status;
      if (DECIDED.includes(job.status)) return job;
      const left = Math.max(0, pause - (Date.now() - asked));
      if (Date.now() + left > until) throw new NotDecidedError(`Job ${jobId} is ${job.status} still.`);
      await sleep(left, options.signal);
    }
  }

  /** The approved pictures with fresh URLs. */
  downloads(jobId: string, options: CallOptions = {}): Promise<Downloads> {
    return this.get("/downloads/{jobId}", { path: { jobId }, signal: options.signal });
  }

  /** The content of a URL that an answer has, such as that of a picture. The key is not sent along. */
  fetchFile(url: string, options: CallOptions = {}): Promise<Blob> {
    return this.#transport.transfer("GET", url, null, options.signal);
  }

  async #call<A>(method: Method, path: string, input: (Request & { path?: object }) | undefined): Promise<A> {
    const values = Object.entries(input?.path ?? {});
    const filled = values.reduce((all, [name, value]) => all.replace(`{${name}}`, () => writeId(String(value))), path);
    return (await this.#transport.ask(method.toUpperCase(), filled, input)) as A;
  }
}

/** An id as a part of a path. Throws TypeError for what would lead to another path. */
function writeId(id: string): string {
  if (["", ".", ".."].includes(id)) throw new TypeError(`"${id}" is no id`);
  return encodeURIComponent(id);
}
