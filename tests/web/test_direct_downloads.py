"""Downloads past the service: from the bucket, under the right name, for their time."""

from io import BytesIO
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from app.container import Container
from tests.conftest import PHOTO, Api, work
from tests.s3_servers import S3Server
from tests.waiting import PATIENCE_SECONDS

ORIGIN = "http://localhost"


@pytest.fixture
def image(direct: S3Server, api: Api, container: Container) -> dict[str, str]:
    """A picture of a finished order whose photo came with a name that says nothing of what it is."""
    form = {
        "address": "12 Garden Lane, Springfield, IL 62704",
        "serviceType": "interior",
        "interiorEnhancements": '["hdr_enhancement"]',
        "interiorPhoto0": (BytesIO(PHOTO), "plan.exe"),
    }
    order = api.post("/orders", data=form).json
    work(container)
    return api.get(f"/downloads/{order['jobId']}").json["images"][0]


def test_a_result_comes_straight_from_the_bucket(image: dict[str, str], direct: S3Server) -> None:
    assert image["url"].startswith(f"{direct.url}/photos/of/ours/results/")
    answer = requests.get(image["url"], timeout=PATIENCE_SECONDS)
    assert (answer.status_code, answer.content) == (200, PHOTO)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{image["fileName"]}"'
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_a_link_to_the_bucket_holds_as_long_as_one_to_the_service(
    image: dict[str, str], container: Container
) -> None:
    assert parse_qs(urlsplit(image["url"]).query)["X-Amz-Expires"] == [str(container.settings.download_url_seconds)]


def test_an_original_is_looked_at_first_and_named_by_what_it_is(
    image: dict[str, str], direct: S3Server, api: Api
) -> None:
    assert image["originalUrl"].startswith(f"{ORIGIN}/files/")
    path = image["originalUrl"].removeprefix(ORIGIN)
    led = api.client.get(path)
    assert led.status_code == 307
    assert led.headers["Cache-Control"] == "no-store"
    assert led.location.startswith(f"{direct.url}/photos/of/ours/uploads/")
    answer = requests.get(led.location, headers={"Range": "bytes=0-2"}, timeout=PATIENCE_SECONDS)
    assert answer.content == PHOTO[:3]
    assert answer.headers["Content-Disposition"] == 'attachment; filename="plan.exe.jpg"'
    head = api.client.head(path)
    assert (head.status_code, head.content_length) == (200, len(PHOTO))


def test_pages_may_reach_the_bucket_only_where_files_go_there(api: Api) -> None:
    before = api.client.get("/").headers["Content-Security-Policy"]
    assert ("connect-src 'self';" in before, "form-action 'self';" in before) == (True, True)


def test_pages_may_send_to_the_bucket_and_be_led_there(direct: S3Server, api: Api) -> None:
    policy = api.client.get("/").headers["Content-Security-Policy"]
    assert "img-src 'self' blob:;" in policy
    assert f"connect-src 'self' {direct.url};" in policy
    assert f"form-action 'self' {direct.url};" in policy
