"""Section "Download result": approved images only, fresh URLs each time, delivered once."""

import pytest

from tests.conformance.shapes import ADDRESS, events, is_number, is_text
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo

IMAGE = {
    "photoId",
    "index",
    "id",
    "fileName",
    "type",
    "url",
    "originalUrl",
    "width",
    "height",
    "bytes",
    "enhancements",
}
IMAGE |= {"caption", "mediaAlteration", "disclosures", "variants", "engineVersion", "contentCredentials"}


def approved(api: Api, container, **photos: list[bytes]) -> str:
    """A job whose results may be downloaded."""
    job: str = api.order(**photos or {"interior": [PHOTO]})["jobId"]
    work(container)
    return job


def test_it_has_exactly_the_fields_of_the_interface(api: Api, container) -> None:
    job = approved(api, container, interior=[PHOTO], exterior=[PHOTO])
    answer = api.get(f"/downloads/{job}")
    assert answer.status_code == 200
    result = answer.json
    assert set(result) == {"livemode", "jobId", "address", "imageCount", "images", "listing", "rejected"}
    assert (result["jobId"], result["address"], result["imageCount"]) == (job, ADDRESS, 2)


def test_every_image_has_the_fields_of_the_interface_and_the_promised_more(api: Api, container) -> None:
    images = api.get(f"/downloads/{approved(api, container, interior=[PHOTO], exterior=[PHOTO])}").json["images"]
    assert [image["type"] for image in images] == ["generated_exterior", "generated_interior"]
    for image in images:
        assert set(image) == IMAGE - ({"caption"} if image["enhancements"] == ["hdr_enhancement"] else set())
        assert all(is_text(image[name]) for name in ("id", "fileName", "url", "originalUrl"))
        assert all(is_number(image[name]) for name in ("width", "height", "bytes"))
        assert (image["width"], image["height"], image["bytes"]) == (4, 3, len(PHOTO))
    assert images[0]["enhancements"] == ["sky_enhancement"]


def test_only_approved_images_are_given(api: Api, container) -> None:
    result = api.get(f"/downloads/{approved(api, container, interior=[PHOTO, photo('BLANK')])}").json
    assert (result["imageCount"], len(result["images"])) == (1, 1)


def test_the_original_is_the_photo_as_it_came(api: Api, container) -> None:
    half = photo("HALF")
    order = api.order(interior=[half], interiorEnhancements=["declutter", "hdr_enhancement"])
    work(container)
    image = api.get(f"/downloads/{order['jobId']}").json["images"][0]
    assert api.client.get(image["originalUrl"]).data == half
    assert image["enhancements"] == ["declutter"]


def test_the_first_call_delivers_and_the_event_is_recorded_once(api: Api, container) -> None:
    job = approved(api, container)
    for _ in range(3):
        assert api.get(f"/downloads/{job}").status_code == 200
        assert api.status(job)["status"] == "delivered"
    assert [event.name for event in events(container)].count("job.delivered") == 1


def test_each_call_gives_fresh_urls_for_the_same_images(api: Api, container, clock) -> None:
    job = approved(api, container)
    first = api.get(f"/downloads/{job}").json["images"][0]
    clock.pass_(hours=23)
    second = api.get(f"/downloads/{job}").json["images"][0]
    assert (first["id"], first["fileName"]) == (second["id"], second["fileName"])
    assert first["url"] != second["url"]
    clock.pass_(hours=2)
    assert api.client.get(first["url"]).status_code == 410
    assert api.client.get(second["url"]).status_code == 200


def test_an_image_may_be_downloaded_any_number_of_times(api: Api, container) -> None:
    url = api.get(f"/downloads/{approved(api, container)}").json["images"][0]["url"]
    assert {api.client.get(url).data for _ in range(5)} == {PHOTO}


@pytest.mark.parametrize(
    ("marker", "automatic", "status"), [("", False, "qc_review"), ("BLANK", True, "undeliverable")]
)
def test_before_approval_there_is_a_400_with_the_status(
    api: Api, container, marker: str, automatic: bool, status: str
) -> None:
    job = api.order(interior=[photo(marker)])["jobId"]
    answer = api.get(f"/downloads/{job}")
    assert (answer.status_code, answer.json["status"]) == (400, "pending")
    work(container, automatic)
    answer = api.get(f"/downloads/{job}")
    assert (answer.status_code, answer.json["status"]) == (400, status)
    assert is_text(answer.json["error"])
    assert is_text(answer.json["message"])
    assert api.status(job)["status"] == status


def test_a_download_of_somebody_else_is_not_found_and_delivers_nothing(api: Api, other_api: Api, container) -> None:
    job = approved(api, container)
    answer = other_api.get(f"/downloads/{job}")
    assert answer.status_code == 404
    assert is_text(answer.json["error"])
    assert is_text(answer.json["message"])
    assert api.status(job)["status"] == "approved"
