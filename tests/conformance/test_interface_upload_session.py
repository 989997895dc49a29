"""Section "Upload session": what POST /orders/upload-urls answers, and the PUT that follows."""

from itertools import product

import pytest

from tests.conformance.shapes import is_text
from tests.conftest import PHOTO, Api

URLS = "/orders/upload-urls"


def test_it_has_exactly_the_fields_of_the_interface(api: Api) -> None:
    answer = api.post(URLS, json={"interiorCount": 2, "exteriorCount": 1})
    assert answer.status_code == 200
    room = answer.json
    assert set(room) == {"livemode", "uploadSessionId", "interiorUrls", "exteriorUrls", "expiresIn", "message"}
    assert is_text(room["uploadSessionId"])
    assert room["expiresIn"] == 3600
    assert is_text(room["message"])


def test_every_url_entry_says_what_it_is_for(api: Api) -> None:
    room = api.post(URLS, json={"interiorCount": 2, "exteriorCount": 1}).json
    for kind, count in (("interior", 2), ("exterior", 1)):
        entries = room[f"{kind}Urls"]
        assert [(entry["index"], entry["type"]) for entry in entries] == [(i, kind) for i in range(count)]
        for entry in entries:
            assert set(entry) == {"uploadUrl", "filePath", "index", "type"}
            assert entry["uploadUrl"].startswith("http://localhost/")
            assert is_text(entry["filePath"])


def test_no_two_entries_share_a_path_or_a_url(api: Api) -> None:
    rooms = [api.post(URLS, json={"interiorCount": 50, "exteriorCount": 50}).json for _ in range(2)]
    entries = [entry for room in rooms for kind in ("interior", "exterior") for entry in room[f"{kind}Urls"]]
    assert len({entry["filePath"] for entry in entries}) == 200
    assert len({entry["uploadUrl"] for entry in entries}) == 200


@pytest.mark.parametrize(("body", "counts"), [({"interiorCount": 1}, (1, 0)), ({"exteriorCount": 3}, (0, 3))])
def test_a_count_left_out_is_zero(api: Api, body: dict[str, int], counts: tuple[int, int]) -> None:
    room = api.post(URLS, json=body).json
    assert (len(room["interiorUrls"]), len(room["exteriorUrls"])) == counts


def test_a_count_may_be_written_as_any_json_number(api: Api) -> None:
    assert len(api.post(URLS, data='{"interiorCount": 2.0}').json["interiorUrls"]) == 2


BAD_COUNTS = [-1, 51, 1.5, "1", True, [], {}, 10**30]


def test_a_count_outside_0_to_50_is_refused_by_name(api: Api, subtests: pytest.Subtests) -> None:
    for field, count in product(("interiorCount", "exteriorCount"), BAD_COUNTS):
        with subtests.test(field=field, count=count):
            answer = api.post(URLS, json={field: count})
            assert answer.status_code == 400
            assert list(answer.json["details"]) == [field]


def test_no_photo_at_all_is_refused(api: Api) -> None:
    assert api.post(URLS, json={}).status_code == 400
    assert api.post(URLS, json={"interiorCount": 0, "exteriorCount": 0}).status_code == 400


def test_both_counts_at_fault_are_told_at_once(api: Api) -> None:
    answer = api.post(URLS, json={"interiorCount": -1, "exteriorCount": "many"})
    assert set(answer.json["details"]) == {"interiorCount", "exteriorCount"}


def test_a_put_needs_no_key_and_answers_200_with_an_etag_and_no_body(api: Api) -> None:
    url = api.post(URLS, json={"interiorCount": 1}).json["interiorUrls"][0]["uploadUrl"]
    answer = api.put(url, PHOTO)
    assert answer.status_code == 200
    assert answer.data == b""
    assert answer.headers["ETag"].strip('"')
    assert answer.headers["X-Request-Id"]


@pytest.mark.parametrize("content_type", [None, "image/png", "text/html", "nonsense"])
def test_the_content_type_of_a_put_does_not_matter(api: Api, content_type: str | None) -> None:
    url = api.post(URLS, json={"interiorCount": 1}).json["interiorUrls"][0]["uploadUrl"]
    assert api.put(url, PHOTO, content_type=content_type).status_code == 200


def test_a_second_put_before_the_order_replaces_the_file(api: Api, container) -> None:
    order = api.upload(interior=[PHOTO])
    room = api.post(URLS, json={"interiorCount": 1}).json
    target = room["interiorUrls"][0]
    first = api.put(target["uploadUrl"], PHOTO).headers["ETag"]
    second = api.put(target["uploadUrl"], PHOTO + b"more").headers["ETag"]
    assert first != second
    with container.storage.open(target["filePath"]) as file:
        assert file.read() == PHOTO + b"more"
    assert container.storage.stat(order["interiorFiles"][0]["filePath"]).size_bytes == len(PHOTO)
