"""Every photo of a folder, from upload to result."""

from brightlist import Brightlist
from brightlist.models import PlaceOrder

brightlist = Brightlist(base_url="https://brightlist.example")  # the key: BRIGHTLIST_API_KEY
upload = brightlist.uploads.send_folder("photos", "interior")
order = brightlist.orders.create_order_from_uploads(
    PlaceOrder(
        address="12 Garden Lane, Springfield, IL 62704",
        interior_enhancements=["hdr_enhancement"],
        **upload.order_fields(),
    )
)
job = brightlist.jobs.wait(order.job_id)
print(job.job_id, "is", job.status)
if job.status == "approved":
    print(brightlist.downloads.save(order.job_id, "pictures"))
