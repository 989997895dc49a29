// Receives Brightlist webhooks. Start it with: WEBHOOK_SECRET=whsec_... PORT=9000 node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secrets = process.env.WEBHOOK_SECRET.split(" "); // two, the old and the new one, while you change it
const seen = new Set(); // in your own service: a table with a unique key on the id, kept for a week

// Whether Brightlist sent this body under this delivery id, and no more than five minutes ago.
function genuine(headers, body) {
  const delivery = headers["webhook-id"] ?? "";
  const sentAt = headers["webhook-timestamp"] ?? "";
  if (delivery !== headers["x-service-delivery"] || !/^\d+$/.test(sentAt)) return false;
  if (Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) return false;
  const content = Buffer.concat([Buffer.from(`${delivery}.${sentAt}.`), body]);
  const keys = secrets.map((secret) => Buffer.from(secret.slice("whsec_".length), "base64"));
  const standard = keys.map((key) => "v1," + createHmac("sha256", key).update(content).digest("base64"));
  const service = secrets.map((secret) => "sha256=" + createHmac("sha256", secret).update(body).digest("hex"));
  return (
    oneIsRight((headers["webhook-signature"] ?? "").split(" "), standard) &&
    oneIsRight([headers["x-service-signature"] ?? ""], service)
  );
}

// Compares in constant time: an answer's speed tells nothing about the signature.
function oneIsRight(given, expected) {
  const same = (a, b) => a.length === b.length && timingSafeEqual(a, b);
  return given.some((each) => expected.some((right) => same(Buffer.from(each), Buffer.from(right))));
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks); // the raw bytes, before any parsing
  if (!genuine(request.headers, body)) return response.writeHead(401).end();
  const delivery = request.headers["webhook-id"];
  if (!seen.has(delivery)) {
    seen.add(delivery);
    const event = JSON.parse(body);
    console.log(event.event, event.data.jobId); // your work; leave what takes long to a queue
  }
  response.writeHead(204).end();
}).listen(process.env.PORT, "127.0.0.1");
