// Against the service: the test of the project starts it, and gives keys, photos and folders.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import * as brightlist from "brightlist";
import { readPhotos, savePictures } from "brightlist/node";

const { BRIGHTLIST_URL: baseUrl, BRIGHTLIST_API_KEY: apiKey, POOR_KEY, BUSY_KEY, PHOTOS } = process.env;
const client = new brightlist.Brightlist({ apiKey, baseUrl });
const ADDRESS = "12 Garden Lane, Springfield, IL 62704";
const interior = { address: ADDRESS, serviceType: "interior", interiorEnhancements: ["hdr_enhancement"] };
const credits = async () => (await client.get("/user/credits")).credits;

test("a folder becomes an order, and its pictures are saved", async () => {
  const photos = await readPhotos(PHOTOS);
  assert.deepEqual(photos.map((each) => each.name), ["a.jpg", "b.JPG", "c.jpg"]);
  const progress = [], seen = [];
  const order = await client.order({ interior: photos }, interior, {
    concurrency: 2,
    onProgress: (done, total) => progress.push(`${done}/${total}`),
  });
  assert.deepEqual(progress, ["1/3", "2/3", "3/3"]);
  assert.deepEqual(order.assets.map((each) => each.fileName), ["a.jpg", "b.JPG", "c.jpg"]);
  const job = await client.wait(order.jobId, { onStatus: (each) => seen.push(each.status) });
  assert.equal(job.status, "approved");
  assert.equal(seen.at(-1), "approved");
  const folder = join(await mkdtemp(join(PHOTOS, "pictures-")), "made", "here");
  const paths = await savePictures(client, order.jobId, folder);
  assert.equal((await readdir(folder)).length, 3);
  assert.deepEqual([...(await readFile(paths[0]))].slice(0, 2), [0xff, 0xd8]);
});

test("photos and order can go in one form, and files of a browser as they are", async () => {
  const [first] = await readPhotos(PHOTOS);
  const form = new FormData();
  form.set("address", ADDRESS);
  form.set("serviceType", "exterior");
  form.set("exteriorEnhancements", '["sky_enhancement"]');
  form.set("exteriorPhoto0", await first.data(), "front.jpg");
  assert.equal((await client.post("/orders", { body: form })).photosUploaded, 1);
  const file = new File([await first.data()], "room.jpg", { type: "image/jpeg" });
  assert.equal((await client.upload({ interior: [file] })).interiorFiles[0].fileName, "room.jpg");
});

test("an order whose answer is lost is charged once, and the same key gives the same order", async () => {
  const before = await credits();
  let lost = 0;
  const losing = new brightlist.Brightlist({
    apiKey,
    baseUrl,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (url.endsWith("/orders/from-uploads") && lost++ === 0) throw new TypeError("the connection broke");
      return answer;
    },
  });
  const files = await client.upload({ interior: [(await readPhotos(PHOTOS))[0]] });
  const body = { ...interior, ...files };
  const order = await losing.post("/orders/from-uploads", { body, idempotencyKey: "order-1" });
  assert.equal(lost, 2);
  const again = await client.post("/orders/from-uploads", { body, idempotencyKey: "order-1" });
  assert.equal(again.jobId, order.jobId);
  assert.equal(await credits(), before - order.creditCost);
  const other = { ...body, address: "13 Garden Lane, Springfield, IL 62704" };
  await assert.rejects(client.post("/orders/from-uploads", { body: other, idempotencyKey: "order-1" }), brightlist.IdempotencyMismatchError);
});

test("a list is read to its end, page by page, and no further than asked", async () => {
  const all = [];
  for await (const job of client.list("/jobs", { query: { limit: 1 } })) all.push(job.jobId);
  assert.ok(all.length >= 3);
  assert.equal(new Set(all).size, all.length);
  let pages = 0;
  const counting = new brightlist.Brightlist({ apiKey, baseUrl, fetch: (...call) => (pages++, fetch(...call)) });
  for await (const job of counting.list("/jobs", { query: { limit: 2, status: ["approved", "delivered", "processing", "pending"] } })) {
    if (job.jobId === all[1]) break;
  }
  assert.equal(pages, 1);
  for await (const line of client.list("/credits/ledger", { query: { limit: 2 } })) assert.ok(line.id);
});

test("refusals are errors that say what to do", async () => {
  const unknown = await client.downloads("job_unknown").catch((error) => error);
  assert.ok(unknown instanceof brightlist.NotFoundError && unknown instanceof brightlist.ApiError);
  assert.equal(unknown.code, "not_found");
  assert.equal(unknown.docUrl, `${baseUrl}/docs/errors/not_found`);
  assert.match(unknown.requestId, /^req_/);
  assert.equal(unknown.retryAfter, undefined);
  const bad = await client.post("/orders/upload-urls", { body: { interiorCount: 99 } }).catch((error) => error);
  assert.ok(bad instanceof brightlist.InvalidRequestError);
  assert.ok(bad.details.interiorCount);
  const nobody = new brightlist.Brightlist({ apiKey: "ims_live_nobody", baseUrl });
  await assert.rejects(nobody.get("/user/credits"), brightlist.UnauthorizedError);
  const poor = new brightlist.Brightlist({ apiKey: POOR_KEY, baseUrl });
  const [photo] = await readPhotos(PHOTOS);
  const unpaid = await poor.order({ interior: [photo] }, interior).catch((error) => error);
  assert.ok(unpaid instanceof brightlist.InsufficientCreditsError);
  assert.equal(unpaid.details.shortfall, 0.5);
});

test("too many requests are told with when to go on", async () => {
  const busy = new brightlist.Brightlist({ apiKey: BUSY_KEY, baseUrl, maxRetries: 0 });
  const error = await (async () => {
    for (;;) await busy.get("/user/credits");
  })().catch((refusal) => refusal);
  assert.ok(error instanceof brightlist.RateLimitedError);
  assert.ok(error.retryAfter > 0);
});
