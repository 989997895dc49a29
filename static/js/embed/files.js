// What the element needs to know of a file.
import { digest } from "../uploads/sending.js";

const MAX_DIGEST_BYTES = 25e6;

export const ACCEPT = ["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif", "image/tiff", ...RULES.photos.map((each) => `.${each}`)].join();

export const isSame = (one, other) => one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

export const megabytes = (size) => `${(size / 1e6).toFixed(size < 1e7 ? 1 : 0)} MB`;

// As browsers read the attribute `accept` of an input, which holds only for files that are chosen.
export function isAccepted(file, accept) {
  const wanted = accept.toLowerCase().split(",").map((each) => each.trim()).filter(Boolean);
  const [name, type] = [file.name.toLowerCase(), file.type.toLowerCase()];
  return wanted.some((each) => name.endsWith(each) || each === type || (each.endsWith("/*") && type.startsWith(each.slice(0, -1))));
}

// Our own addresses check it; those of a store would refuse it.
export async function checksum(url, file) {
  if (new URL(url).origin !== new URL(import.meta.url).origin || file.size > MAX_DIGEST_BYTES) return {};
  const found = await digest(file);
  return found ? { "x-amz-checksum-sha256": btoa(String.fromCharCode(...found)) } : {};
}
