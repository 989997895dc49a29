/** Folders of photos and pictures, for Node. */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { Brightlist } from "./client.js";
import type { CallOptions } from "./transport.js";
import { forEach, type Photo } from "./uploads.js";

const FORMATS = [".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".tif", ".tiff"];

/** The photos in a folder, by their names in order. Each is read when it is uploaded. */
export async function readPhotos(folder: string): Promise<Photo[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((each) => !each.isDirectory());
  const names = entries.map((each) => each.name).filter((name) => FORMATS.includes(extname(name).toLowerCase()));
  return names.sort().map((name) => ({ name, data: async () => new Blob([(await readFile(join(folder, name))) as Uint8Array<ArrayBuffer>]) }));
}

/** Save the approved pictures of a job in a folder, which is made where there is none; the paths of the files. */
export async function savePictures(client: Brightlist, jobId: string, folder: string, options: CallOptions = {}): Promise<string[]> {
  const { images } = await client.downloads(jobId, options);
  await mkdir(folder, { recursive: true });
  const files = images.map(({ fileName, url }) => ({ path: join(folder, basename(fileName)), url }));
  await forEach(files, 4, options.signal, async ({ path, url }, signal) => {
    const content = await client.fetchFile(url, { signal });
    await writeFile(path, new Uint8Array(await content.arrayBuffer()));
  });
  return files.map(({ path }) => path);
}
