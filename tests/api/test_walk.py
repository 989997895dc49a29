"""The main job: photos in, results out, credits right to the half."""

from tests.conftest import PHOTO, Api, work
from tests.fakes import photo


def test_an_order_goes_from_upload_to_download(api: Api, container) -> None:
    order = api.order(interior=[PHOTO], exterior=[PHOTO])
    assert order["success"] is True
    assert order["status"] == "pending"
    assert order["creditCost"] == 1.5
    assert api.credits() == 98.5
    assert work(container) == 2
    assert api.status(order["jobId"])["status"] == "approved"
    images = api.get(f"/downloads/{order['jobId']}").json["images"]
    assert [image["type"] for image in images] == ["generated_exterior", "generated_interior"]
    assert api.client.get(images[0]["url"]).data == PHOTO
    assert api.status(order["jobId"])["status"] == "delivered"


def test_a_photo_that_cannot_be_decoded_is_refunded(api: Api, container) -> None:
    order = api.order(interior=[PHOTO, photo("BROKEN")])
    assert api.credits() == 99
    work(container)
    status = api.status(order["jobId"])
    assert (status["status"], status["creditsRefunded"]) == ("approved", 0.5)
    assert api.credits() == 99.5
