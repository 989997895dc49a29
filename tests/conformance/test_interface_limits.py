"""Section "Limits": each value of the table where the service can be seen to keep it."""

import pytest

from tests.conformance.shapes import ADDRESS, stored_files
from tests.conformance.streams import Generated, fresh_url, put
from tests.conftest import PHOTO, Api, order_body, work

MEGABYTE = 1024 * 1024


def test_a_file_of_50_megabytes_is_taken_and_one_byte_more_is_not(api: Api, container) -> None:
    most = 50 * MEGABYTE
    assert put(api, fresh_url(api), Generated(most), most).status_code == 200
    assert len(stored_files(container)) == 1
    answer = put(api, fresh_url(api), Generated(most + 1), most + 1)
    assert (answer.status_code, answer.json["code"]) == (413, "too_large")
    assert len(stored_files(container)) == 1


def test_a_file_that_does_not_say_its_length_is_held_to_the_limit_too(api: Api, container) -> None:
    answer = put(api, fresh_url(api), Generated(50 * MEGABYTE + 1), None)
    assert (answer.status_code, answer.json["code"]) == (413, "too_large")
    assert stored_files(container) == []


def test_upload_urls_hold_for_one_hour(api: Api, clock) -> None:
    room = api.post("/orders/upload-urls", json={"interiorCount": 1}).json
    url = room["interiorUrls"][0]["uploadUrl"]
    clock.pass_(seconds=room["expiresIn"] - 1)
    assert api.put(url, PHOTO).status_code == 200
    clock.pass_(seconds=1)
    answer = api.put(url, PHOTO)
    assert (answer.status_code, answer.json["code"]) == (410, "expired")


def test_an_order_may_follow_after_the_upload_urls_expired(api: Api, clock) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    clock.pass_(hours=2)
    assert api.post("/orders/from-uploads", json=body).status_code == 200


@pytest.mark.parametrize(
    ("kind", "count", "status"), [("interior", 50, 200), ("exterior", 50, 200), ("interior", 51, 400)]
)
def test_an_order_takes_50_photos_of_each_type(api: Api, kind: str, count: int, status: int) -> None:
    body = {"serviceType": kind, f"{kind}Count": count}
    body[f"{kind}Enhancements"] = ["declutter" if kind == "interior" else "golden_hour"]
    assert api.post("/orders/quote", json=body).status_code == status


def test_51_files_are_refused_as_a_whole(api: Api) -> None:
    files = [{"filePath": f"uploads/ups_0000000000000000000000/interior-{n}"} for n in range(51)]
    body = {**order_body(), "uploadSessionId": "ups_0000000000000000000000", "interiorFiles": files}
    answer = api.post("/orders/from-uploads", json=body)
    assert (answer.status_code, list(answer.json["details"])) == (400, ["interiorFiles"])


ADDRESSES = [
    ("1 abc", 200),
    ("1 ab", 400),
    ("x" * 299 + "1", 200),
    ("x" * 300 + "1", 400),
    ("Garden Lane", 400),
    ("123456", 400),
    ("Straße 7, Zürich", 200),
    ("\u6771\u4eac\u90fd 1-2-3", 200),
    ("\U0001f3e1 12 Garden Lane", 200),
    ("x1" * 5000, 400),
    ("   1a   ", 400),
    ("12 Garden\x00 Lane", 400),
    ("12 Garden\x1b[31m Lane", 400),
    ("", 400),
]


def test_an_address_has_5_to_300_characters_a_letter_and_a_digit(api: Api, subtests: pytest.Subtests) -> None:
    for address, status in ADDRESSES:
        with subtests.test(address=address):
            body = {**order_body(), **api.upload(interior=[PHOTO]), "address": address}
            answer = api.post("/orders/from-uploads", json=body)
            assert answer.status_code == status
            if status == 400:
                assert list(answer.json["details"]) == ["address"]
            else:
                assert api.get(f"/downloads/{answer.json['jobId']}").json["status"] == "pending"


def test_an_accepted_address_comes_back_as_it_was_given(api: Api, container) -> None:
    job = api.order(interior=[PHOTO], address=f"  {ADDRESS} \U0001f3e1 ")["jobId"]
    work(container)
    assert api.get(f"/downloads/{job}").json["address"] == f"{ADDRESS} \U0001f3e1"
