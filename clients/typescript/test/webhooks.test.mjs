// Against deliveries that the service signed: SIGNED is a file with their bodies, headers and secrets.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { InvalidSignatureError, verifyWebhook } from "brightlist";

const { body, headers, secret, other, rotating } = JSON.parse(await readFile(process.env.SIGNED, "utf8"));
const refused = (...call) => assert.rejects(verifyWebhook(...call), InvalidSignatureError);

test("a genuine delivery gives its event, whatever holds body and headers", async () => {
  const event = await verifyWebhook(body, headers, secret);
  assert.equal(event.event, "job.created");
  assert.equal(event.data.address, "Rua São João 1, Köln 🏡");
  const bytes = new TextEncoder().encode(body);
  await verifyWebhook(bytes, new Headers(headers), secret);
  await verifyWebhook(bytes.buffer, headers, [other, secret]);
  const many = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]));
  await verifyWebhook(body, many, secret);
});

test("a changed delivery is refused", async () => {
  await refused(body.replace("job.created", "job.failed"), headers, secret);
  await refused(body, headers, other);
  for (const name of ["X-Service-Signature", "webhook-signature", "webhook-id", "webhook-timestamp", "X-Service-Delivery"]) {
    await refused(body, { ...headers, [name]: undefined }, secret);
    await refused(body, { ...headers, [name]: `${headers[name]}0` }, secret);
  }
  await refused(body, { ...headers, "webhook-signature": "v1,!!! v2,x" }, secret);
  await refused(body, { ...headers, "webhook-id": "dlv_2", "X-Service-Delivery": "dlv_2" }, secret);
});

test("an old delivery is refused, and one from the future", async () => {
  const sentAt = 1000 * Number(headers["webhook-timestamp"]);
  for (const seconds of [-299, 299]) await verifyWebhook(body, headers, secret, { now: sentAt + 1000 * seconds });
  for (const seconds of [-301, 301]) await refused(body, headers, secret, { now: sentAt + 1000 * seconds });
  await verifyWebhook(body, headers, secret, { now: sentAt + 900_000, toleranceSeconds: 1000 });
});

test("while the secret is changed both are taken", async () => {
  await verifyWebhook(rotating.body, rotating.headers, [secret, other]);
  await refused(rotating.body, rotating.headers, other);
});

test("a secret that is none is a fault of the program", async () => {
  for (const wrong of ["", "secret", "whsec_", "whsec_!"]) await assert.rejects(verifyWebhook(body, headers, wrong), TypeError);
});
