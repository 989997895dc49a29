/** The check that a webhook is from the service: both of its signatures, with WebCrypto, in constant time. */

import type { components } from "./api.js";
import { InvalidSignatureError } from "./errors.js";

export type JobEvent = components["schemas"]["EventBody"];
export type BalanceEvent = components["schemas"]["BalanceEventBody"];
/** `credits.low` is about the account, every other event about a job. */
export type WebhookEvent = JobEvent | (BalanceEvent & { event: "credits.low" });
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How old a delivery may be, in seconds; 300 if it is left out. */
  toleranceSeconds?: number;
  /** The time, in milliseconds, in place of the clock's. */
  now?: number;
}

const SECRET_PREFIX = "whsec_";
const encoder = new TextEncoder();

/**
 * The event of a genuine delivery; deduplicate by the header `webhook-id`. Throws InvalidSignatureError.
 *
 * `body`: the raw bytes, before any parsing. `secrets`: two, the old and the new one, while you change it.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const content = typeof body === "string" ? encoder.encode(body) : new Uint8Array(body);
  const each = typeof secrets === "string" ? [secrets] : secrets;
  const header = (name: string) => readHeader(headers, name);
  if (header("webhook-id") !== header("x-service-delivery")) throw new InvalidSignatureError("The headers name two deliveries.");
  checkAge(header("webhook-timestamp"), options);
  const signed = join(encoder.encode(`${header("webhook-id")}.${header("webhook-timestamp")}.`), content);
  const standard = header("webhook-signature").split(" ").filter((one) => one.startsWith("v1,"));
  const isStandard = await anyFits(standard.map((one) => fromBase64(one.slice("v1,".length))), each.map(standardKey), signed);
  const service = fromHex(header("x-service-signature").replace(/^sha256=/, ""));
  const isService = await anyFits([service], each.map((secret) => encoder.encode(secret)), content);
  if (!isStandard || !isService) throw new InvalidSignatureError("The signature is of another body or another secret.");
  return JSON.parse(new TextDecoder().decode(content)) as WebhookEvent;
}

function checkAge(timestamp: string, { toleranceSeconds = 300, now = Date.now() }: VerifyOptions): void {
  const age = /^\d{1,15}$/.test(timestamp) ? Math.abs(now / 1000 - Number(timestamp)) : Infinity;
  if (age > toleranceSeconds) throw new InvalidSignatureError("The delivery is too old, or its time is not known.");
}

/** Whether one of the signatures is by one of the keys. `verify` compares in constant time. */
async function anyFits(
  signatures: readonly (Uint8Array<ArrayBuffer> | undefined)[],
  keys: readonly (Uint8Array<ArrayBuffer> | undefined)[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  let fits = false;
  for (const bytes of keys) {
    if (!bytes?.length) throw new TypeError("A signing secret is whsec_ and base64.");
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) {
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, content))) fits = true;
    }
  }
  return fits;
}

function standardKey(secret: string): Uint8Array<ArrayBuffer> | undefined {
  return secret.startsWith(SECRET_PREFIX) ? fromBase64(secret.slice(SECRET_PREFIX.length)) : undefined;
}

function readHeader(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (typeof found === "string" ? found : found?.[0]) ?? "";
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, place) => parseInt(text.slice(2 * place, 2 * place + 2), 16));
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
