"""Downloaded files: whole or in part, named as the customer named them, gone when the link is."""

import pytest

from tests.conftest import PHOTO, Api, work


@pytest.fixture
def image(api: Api, container) -> dict:
    """One downloadable image of a photo with the customer's own name."""
    return named(api, container, "Front & back \u2013 42.jpg")


def named(api: Api, container, name: str) -> dict:
    """One downloadable image of a photo of this name."""
    files = api.upload(interior=[PHOTO])
    files["interiorFiles"][0]["fileName"] = name
    job = api.order(**{"interior": [PHOTO], **files})["jobId"]
    work(container)
    return api.get(f"/downloads/{job}").json["images"][0]


def test_a_file_comes_whole_with_type_length_etag_and_no_key(api: Api, image: dict) -> None:
    answer = api.client.get(image["url"])
    assert (answer.status_code, answer.data) == (200, PHOTO)
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert answer.headers["Content-Length"] == str(len(PHOTO))
    assert answer.headers["Accept-Ranges"] == "bytes"
    assert answer.headers["ETag"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_head_tells_the_same_without_the_content(api: Api, image: dict) -> None:
    whole, head = api.client.get(image["url"]), api.client.head(image["url"])
    assert (head.status_code, head.data) == (200, b"")
    for name in ("Content-Type", "Content-Length", "ETag", "Content-Disposition", "Accept-Ranges"):
        assert head.headers[name] == whole.headers[name]


SIZE = len(PHOTO)
RANGES = [
    ("bytes=0-0", PHOTO[:1], f"bytes 0-0/{SIZE}"),
    ("bytes=2-5", PHOTO[2:6], f"bytes 2-5/{SIZE}"),
    ("bytes=100-", PHOTO[100:], f"bytes 100-{SIZE - 1}/{SIZE}"),
    ("bytes=-4", PHOTO[-4:], f"bytes {SIZE - 4}-{SIZE - 1}/{SIZE}"),
    ("bytes=50-99999", PHOTO[50:], f"bytes 50-{SIZE - 1}/{SIZE}"),
]


@pytest.mark.parametrize(("asked", "content", "told"), RANGES)
def test_a_range_gives_just_that_part(api: Api, image: dict, asked: str, content: bytes, told: str) -> None:
    answer = api.client.get(image["url"], headers={"Range": asked})
    assert (answer.status_code, answer.data) == (206, content)
    assert answer.headers["Content-Range"] == told
    assert answer.headers["Content-Length"] == str(len(content))


@pytest.mark.parametrize("asked", [f"bytes={SIZE}-", "bytes=5000-6000"])
def test_a_range_past_the_end_is_a_416_that_tells_the_size(api: Api, image: dict, asked: str) -> None:
    answer = api.client.get(image["url"], headers={"Range": asked})
    assert answer.status_code == 416
    assert answer.headers["Content-Range"] == f"bytes */{SIZE}"


@pytest.mark.parametrize("asked", ["bytes=0-1,4-5", "rows=0-1", "bytes=5-2", "bytes=a-b", "bytes", ""])
def test_a_range_that_is_no_single_one_gives_the_whole_file(api: Api, image: dict, asked: str) -> None:
    answer = api.client.get(image["url"], headers={"Range": asked})
    assert (answer.status_code, answer.data) == (200, PHOTO)


def test_a_range_of_a_changed_file_gives_the_whole_one(api: Api, image: dict) -> None:
    etag = api.client.get(image["url"]).headers["ETag"]
    kept = api.client.get(image["url"], headers={"Range": "bytes=0-3", "If-Range": etag})
    other = api.client.get(image["url"], headers={"Range": "bytes=0-3", "If-Range": '"other"'})
    assert (kept.status_code, other.status_code) == (206, 200)


def test_an_unchanged_file_is_not_sent_again(api: Api, image: dict) -> None:
    etag = api.client.get(image["url"]).headers["ETag"]
    answer = api.client.get(image["url"], headers={"If-None-Match": etag})
    assert (answer.status_code, answer.data) == (304, b"")


NAMES = [
    ("kitchen.jpg", 'attachment; filename="kitchen.jpg"'),
    ("a b;c=d.png", 'attachment; filename="a b;c=d.jpg"'),
    ("100%25.jpeg", "attachment; filename=\"100_25.jpg\"; filename*=UTF-8''100%2525.jpg"),
    ("Küche.jpg", "attachment; filename=\"K_che.jpg\"; filename*=UTF-8''K%C3%BCche.jpg"),
    ("\U0001f3e1.jpg", "attachment; filename=\"_.jpg\"; filename*=UTF-8''%F0%9F%8F%A1.jpg"),
    ("no ending", 'attachment; filename="no ending.jpg"'),
]


@pytest.mark.parametrize(("name", "header"), NAMES)
def test_the_file_is_named_as_the_customer_named_it(api: Api, container, name: str, header: str) -> None:
    url = named(api, container, name)["url"]
    assert api.client.get(url).headers["Content-Disposition"] == header


def test_a_url_holds_for_24_hours_and_is_then_gone(api: Api, image: dict, clock) -> None:
    clock.pass_(hours=23, minutes=59)
    assert api.client.get(image["url"]).status_code == 200
    clock.pass_(minutes=1)
    answer = api.client.get(image["url"])
    assert (answer.status_code, answer.json["code"]) == (410, "expired")


def test_a_forged_url_is_forbidden(api: Api, image: dict) -> None:
    head, _, signature = image["url"].rpartition(".")
    for url in (f"{head}.{signature[::-1]}", f"{head}x.{signature}", image["url"][:-1], "/files/nonsense"):
        answer = api.client.get(url)
        assert (answer.status_code, answer.json["code"]) == (403, "forbidden")


def test_a_file_cannot_be_changed_through_its_download_url(api: Api, image: dict) -> None:
    assert api.client.put(image["url"], data=PHOTO).status_code == 405
    assert api.client.delete(image["url"]).status_code == 405
