import { Brightlist } from "brightlist";
import { readPhotos, savePictures } from "brightlist/node";

const apiKey = process.env.BRIGHTLIST_API_KEY!;
const brightlist = new Brightlist({ apiKey, baseUrl: "https://brightlist.example" });
const order = await brightlist.order(
  { interior: await readPhotos("photos") },
  {
    address: "12 Garden Lane, Springfield, IL 62704",
    serviceType: "interior",
    interiorEnhancements: ["hdr_enhancement"],
  },
);
const job = await brightlist.wait(order.jobId);
console.log(job.jobId, "is", job.status);
if (job.status === "approved") console.log(await savePictures(brightlist, order.jobId, "pictures"));
