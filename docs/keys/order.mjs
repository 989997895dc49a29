// One photo from upload to result, with Node 18 or later and nothing to install.
import { readFile, writeFile } from "node:fs/promises";

const KEY = process.env.BRIGHTLIST_API_KEY;
const API = "https://brightlist.example/api/v1";
const PHOTO = "room.jpg", RESULT = "room-better.jpg";

// The JSON of a good answer; a refusal says what to do about it.
async function ask(method, path, body) {
  const headers = { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" };
  const answer = await fetch(API + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const room = await ask("POST", "/orders/upload-urls", { interiorCount: 1, exteriorCount: 0 });
const target = room.interiorUrls[0];
const sent = await fetch(target.uploadUrl, { method: "PUT", body: await readFile(PHOTO) });
if (!sent.ok) throw new Error(`${sent.status}: ${await sent.text()}`);

const order = await ask("POST", "/orders/from-uploads", {
  address: "12 Garden Lane, Springfield, IL 62704",
  serviceType: "interior",
  uploadSessionId: room.uploadSessionId,
  interiorFiles: [{ filePath: target.filePath, fileName: PHOTO }],
  interiorEnhancements: ["hdr_enhancement"],
});

for (;;) {
  const job = await ask("GET", `/jobs/${order.jobId}/status`);
  console.log(job.jobId, "is", job.status);
  if (job.status === "approved" || job.status === "delivered") break;
  if (job.status === "undeliverable" || job.status === "failed") {
    throw new Error(job.error ?? job.undeliverable.reason);
  }
  await new Promise((resolve) => setTimeout(resolve, 5000));
}

const { images } = await ask("GET", `/downloads/${order.jobId}`);
await writeFile(RESULT, Buffer.from(await (await fetch(images[0].url)).arrayBuffer()));
console.log("Saved", RESULT);
