// Against answers that are written here: what is tried again, how, and what is not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Brightlist, ApiError, ForbiddenError, NoAnswerError, NotDecidedError, NotFoundError, RateLimitedError, UnexpectedAnswerError } from "brightlist";

const json = (status, body, headers = {}) => new Response(JSON.stringify(body), { status, headers });
const broken = () => {
  throw new TypeError("the connection broke");
};

/** A client to which these answers are given, one after the other, and what it sent. */
function answered(answers, options = {}) {
  const sent = [];
  const client = new Brightlist({
    apiKey: "ims_live_x",
    baseUrl: "https://brightlist.example/",
    maxPauseMs: 5_000,
    fetch: async (url, init) => {
      sent.push({ url, at: Date.now(), ...init });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return typeof answer === "function" ? answer() : answer;
    },
    ...options,
  });
  return { client, sent };
}

test("a POST keeps its key over all its tries, and each call has another", async () => {
  const { client, sent } = answered([broken, json(503, {}), json(201, { id: "whk_1" })], { maxPauseMs: 5 });
  const body = { url: "https://example.org/hook" };
  assert.deepEqual(await client.post("/webhooks", { body }), { id: "whk_1" });
  const keys = sent.map((each) => each.headers["Idempotency-Key"]);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.deepEqual(sent.map((each) => each.body), Array(3).fill(JSON.stringify(body)));
  const other = answered([() => json(201, {})]);
  await other.client.post("/webhooks", { body });
  await other.client.post("/webhooks", { body, idempotencyKey: "mine" });
  assert.notEqual(other.sent[0].headers["Idempotency-Key"], keys[0]);
  assert.equal(other.sent[1].headers["Idempotency-Key"], "mine");
});

test("Retry-After is heeded, and where it is too long the refusal comes at once", async () => {
  const { client, sent } = answered([json(429, {}, { "Retry-After": "1" }), json(200, { credits: 1 })]);
  await client.get("/user/credits");
  assert.ok(sent[1].at - sent[0].at >= 950);
  const long = answered([json(429, { code: "rate_limited" }, { "Retry-After": "6" })]);
  await assert.rejects(long.client.get("/user/credits"), (error) => error instanceof RateLimitedError && error.retryAfter === 6);
  assert.equal(long.sent.length, 1);
  const date = new Date(Date.now() + 60_000).toUTCString();
  const dated = answered([json(429, {}, { "Retry-After": date })]);
  await assert.rejects(dated.client.get("/user/credits"), (error) => error.retryAfter > 50 && error.retryAfter <= 60);
});

test("a conflict is tried again only where its first request is still in flight", async () => {
  const { client, sent } = answered([json(409, {}, { "Retry-After": "0" }), json(200, {})]);
  await client.post("/jobs/{jobId}/cancel", { path: { jobId: "job_1" } });
  assert.equal(sent.length, 2);
  const other = answered([json(409, {})]);
  await assert.rejects(other.client.post("/jobs/{jobId}/cancel", { path: { jobId: "job_1" } }));
  assert.equal(other.sent.length, 1);
});

test("what cannot help is not tried again, nor a DELETE that may have had its effect", async () => {
  for (const [status, kind] of [[403, ForbiddenError], [404, NotFoundError], [418, ApiError]]) {
    const { client, sent } = answered([json(status, {})]);
    await assert.rejects(client.get("/user/credits"), (error) => error instanceof kind && error.code === `http_${status}`);
    assert.equal(sent.length, 1);
  }
  const gone = answered([broken]);
  await assert.rejects(gone.client.delete("/webhooks", { query: { id: "whk_1" } }), NoAnswerError);
  assert.equal(gone.sent.length, 1);
  const busy = answered([json(429, {}, { "Retry-After": "0" }), json(200, {})]);
  await busy.client.delete("/webhooks", { query: { id: "whk_1" } });
  assert.equal(busy.sent.length, 2);
});

test("tries end", async () => {
  const { client, sent } = answered([broken], { maxRetries: 2, maxPauseMs: 5 });
  await assert.rejects(client.get("/user/credits"), (error) => error instanceof NoAnswerError && error.cause instanceof TypeError);
  assert.equal(sent.length, 3);
});

test("a call ends with its signal, also in a pause, and a try that takes too long is no answer", async () => {
  const { client } = answered([json(503, {}, { "Retry-After": "5" })]);
  const began = Date.now();
  await assert.rejects(client.get("/user/credits", { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  assert.ok(Date.now() - began < 2_000);
  const awake = setTimeout(() => {}, 5_000); // as an open connection would keep the process
  const hang = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const { client: hanging } = answered([], { maxRetries: 0, timeoutMs: 500, fetch: hang });
  await assert.rejects(hanging.get("/user/credits"), NoAnswerError);
  await assert.rejects(hanging.get("/user/credits", { signal: AbortSignal.timeout(20) }), { name: "TimeoutError" });
  clearTimeout(awake);
});

test("answers that are not of this API are told apart from refusals", async () => {
  await assert.rejects(answered([new Response("<html>")]).client.get("/user/credits"), UnexpectedAnswerError);
  const moved = new Response(null, { status: 302, headers: { Location: "https://elsewhere.example" } });
  await assert.rejects(answered([moved]).client.get("/user/credits"), UnexpectedAnswerError);
  const proxy = answered([new Response("Bad gateway", { status: 502 })], { maxRetries: 0 });
  await assert.rejects(proxy.client.get("/user/credits"), (error) => error.status === 502 && error.code === "http_502");
});

test("values and codes of a newer service come as they are", async () => {
  const status = (value) => json(200, { jobId: "job_1", status: value, sparkle: true });
  const { client } = answered([status("polishing"), status("approved")]);
  const seen = [];
  const job = await client.wait("job_1", { onStatus: (each) => seen.push(each.status) });
  assert.deepEqual(seen, ["polishing", "approved"]);
  assert.equal(job.sparkle, true);
  const refused = answered([json(451, { error: "Barred", code: "barred_here", message: "Ask." })]);
  await assert.rejects(refused.client.get("/user/credits"), (error) => error.code === "barred_here" && error.message === "Barred: Ask.");
});

test("waiting ends where nothing is decided in time", async () => {
  const { client } = answered([() => json(200, { jobId: "job_1", status: "pending" })]);
  await assert.rejects(client.wait("job_1", { timeoutMs: 10 }), NotDecidedError);
});

test("ids and queries are escaped, and the key goes to the service alone", async () => {
  const { client, sent } = answered([() => json(200, { jobs: [], nextCursor: null })]);
  await client.get("/jobs/{jobId}/status", { path: { jobId: "../a/$&?" } });
  assert.equal(sent[0].url, "https://brightlist.example/api/v1/jobs/..%2Fa%2F%24%26%3F/status");
  for await (const _ of client.list("/jobs", { query: { status: ["failed", "approved"], metadata: { "a b": "c&d" }, externalId: undefined } }));
  assert.equal(new URL(sent[1].url).search, "?status=failed&status=approved&metadata%5Ba+b%5D=c%26d");
  assert.equal(sent[1].headers.Authorization, "Bearer ims_live_x");
  await client.fetchFile("https://bucket.example/picture.jpg");
  assert.equal(sent[2].headers, undefined);
  for (const id of ["", ".", ".."]) await assert.rejects(client.get("/jobs/{jobId}/status", { path: { jobId: id } }), TypeError);
  assert.equal(sent.length, 3);
});

test("an answer that breaks off is no answer, and is asked for again", async () => {
  const half = () =>
    new Response(
      new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode('{"credits":'));
          stream.error(new TypeError("terminated"));
        },
      }),
    );
  const { client, sent } = answered([half, json(200, { credits: 2 })], { maxPauseMs: 5 });
  assert.deepEqual(await client.get("/user/credits"), { credits: 2 });
  assert.equal(sent.length, 2);
  const file = answered([half, new Response("whole")], { maxPauseMs: 5 });
  assert.equal(await (await file.client.fetchFile("https://bucket.example/p.jpg")).text(), "whole");
});

test("the first upload that fails ends the others", async () => {
  const urls = Array.from({ length: 8 }, (_, index) => ({ uploadUrl: `https://bucket.example/${index}`, filePath: `p${index}` }));
  const { client, sent } = answered([json(200, { uploadSessionId: "s", interiorUrls: urls, exteriorUrls: [] }), () => json(415, { code: "unsupported_media_type" }), () => json(503, {}, { "Retry-After": "4" })]);
  const photos = urls.map((_, index) => ({ name: `${index}.txt`, data: new Blob(["x"]) }));
  const began = Date.now();
  await assert.rejects(client.upload({ interior: photos }, { concurrency: 2 }), (error) => error.code === "unsupported_media_type");
  assert.equal(sent.length, 3);
  assert.ok(sent[2].signal.aborted && Date.now() - began < 4_000);
  assert.ok(sent.slice(1).every((each) => each.headers === undefined));
});
