/** Uploads: one session for all photos of an order, several files at a time. */

import type { components } from "./api.js";
import type { CallOptions, Transport } from "./transport.js";

/** A photo to upload. `data`: read when its turn comes, and again for another try, if it is a function. */
export interface Photo {
  name: string;
  data: Blob | (() => Promise<Blob>);
}

export interface Photos {
  interior?: readonly (Photo | File)[] | undefined;
  exterior?: readonly (Photo | File)[] | undefined;
}

export interface UploadOptions extends CallOptions {
  /** How many files are sent at a time; 4 if it is left out. */
  concurrency?: number;
  /** Called after each file. */
  onProgress?: (done: number, total: number) => void;
}

export type UploadedFiles = Required<
  Pick<components["schemas"]["PlaceOrder"], "uploadSessionId" | "interiorFiles" | "exteriorFiles">
>;
type Session = components["schemas"]["UploadSessionAnswer"];

/** Upload the photos; what comes back is for the order. */
export async function upload(transport: Transport, photos: Photos, options: UploadOptions = {}): Promise<UploadedFiles> {
  const { interior = [], exterior = [] } = photos;
  const body = { interiorCount: interior.length, exteriorCount: exterior.length };
  const session = (await transport.ask("POST", "/orders/upload-urls", { ...options, body })) as Session;
  const files = [
    ...session.interiorUrls.map((target, place) => ({ target, photo: interior[place]! })),
    ...session.exteriorUrls.map((target, place) => ({ target, photo: exterior[place]! })),
  ];
  let done = 0;
  await forEach(files, options.concurrency ?? 4, options.signal, async ({ target, photo }, signal) => {
    const data = photo instanceof Blob ? photo : await read(photo);
    await transport.transfer("PUT", target.uploadUrl, data, signal);
    options.onProgress?.(++done, files.length);
  });
  const refer = (urls: Session["interiorUrls"], of: readonly (Photo | File)[]) =>
    urls.map(({ filePath }, place) => ({ filePath, fileName: of[place]!.name }));
  return {
    uploadSessionId: session.uploadSessionId,
    interiorFiles: refer(session.interiorUrls, interior),
    exteriorFiles: refer(session.exteriorUrls, exterior),
  };
}

async function read(photo: Photo): Promise<Blob> {
  return typeof photo.data === "function" ? photo.data() : photo.data;
}

/** Work on all entries, so many at a time; the first error ends the others. */
export async function forEach<T>(
  entries: readonly T[],
  concurrency: number,
  signal: AbortSignal | undefined,
  work: (entry: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const within = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const left = entries.values();
  const workers = Array.from({ length: Math.max(1, Math.min(concurrency, entries.length)) }, async () => {
    for (const entry of left) await work(entry, within);
  });
  try {
    await Promise.all(workers);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(workers);
    throw error;
  }
}
