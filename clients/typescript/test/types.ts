// Compiled with the package: what its types offer, and what they refuse.
import { Brightlist, type ErrorCode, type JobStatus, type WebhookEvent } from "brightlist";

const client = new Brightlist({ apiKey: "x", baseUrl: "https://brightlist.example" });

export async function use(event: WebhookEvent, code: ErrorCode): Promise<void> {
  const { status }: JobStatus = await client.get("/jobs/{jobId}/status", { path: { jobId: "x" } });
  const known: boolean = status === "approved" || status === "of a newer service" || code === "rate_limited";
  // Fields with defaults may be left out.
  await client.post("/orders/upload-urls", { body: { interiorCount: 1 } });
  await client.post("/jobs/{jobId}/shares", { path: { jobId: "x" }, body: {} });
  for await (const job of client.list("/jobs")) console.log(job.jobId, known);
  for await (const delivery of client.list("/webhooks/{webhookId}/deliveries", { path: { webhookId: "x" } })) console.log(delivery.id);
  if (event.event === "credits.low") console.log(event.timestamp);
  // @ts-expect-error no such path
  await client.get("/nowhere");
  // @ts-expect-error the id is missing
  await client.get("/jobs/{jobId}");
  // @ts-expect-error no such enhancement
  await client.post("/orders/quote", { body: { serviceType: "interior", interiorEnhancements: ["sparkle"] } });
  // @ts-expect-error not a list that is read page by page
  client.list("/rules");
}
