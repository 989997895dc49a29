"""Bodies that are no JSON object are a 400 that says so, quickly, on every endpoint that takes one."""

import json
import time
from itertools import product

import pytest

from tests.conftest import Api

PATHS = ["/orders/upload-urls", "/orders/from-uploads", "/orders/quote"]
NOT_JSON = [
    b"",
    b" ",
    b"{",
    b'{"address": }',
    b"{'address': 'x'}",
    b'{"interiorCount": 1,}',
    b'{"interiorCount": NaN}',
    b'{"interiorCount": Infinity}',
    b'{"interiorCount": -Infinity}',
    b'{"interiorCount": 01}',
    b'{"interiorCount": 1} {}',
    b'{"address": "\xff\xfe"}',
    b'{"address": "\\ud800"}',
    b'{"address": "\xed\xa0\x80"}',
    b'{"address": "a\x00b"}',
    b'{"\\udfff": 1}',
    b"\x00" * 100,
    b"\xff\xd8\xff\xe0",
    "{}".encode("utf-16"),
    b"<order/>",
    b"interiorCount=1&exteriorCount=1",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"interiorCount": ' + b"9" * 10_000 + b"}",
    b'{"interiorCount": "' + b"\\u0000" * 10,
]
NOT_AN_OBJECT = [b"[]", b"[{}]", b"null", b"true", b"1", b"-1.5", b'"text"']


def test_what_is_not_json_is_a_400_that_says_so(api: Api, subtests: pytest.Subtests) -> None:
    for body, path in product(NOT_JSON, PATHS):
        with subtests.test(body=body, path=path):
            answer = api.post(path, data=body)
            assert (answer.status_code, answer.json["code"]) == (400, "invalid_request")
            assert answer.json["details"]["body"].startswith("Not valid JSON")


def test_json_that_is_no_object_is_a_400_that_says_so(api: Api, subtests: pytest.Subtests) -> None:
    for body, path in product(NOT_AN_OBJECT, PATHS):
        with subtests.test(body=body, path=path):
            answer = api.post(path, data=body)
            assert answer.status_code == 400
            assert answer.json["details"] == {"body": "Must be a JSON object."}


@pytest.mark.parametrize("path", PATHS)
def test_a_body_of_two_megabytes_is_a_413(api: Api, path: str) -> None:
    answer = api.post(path, data=json.dumps({"address": "x" * 2_000_000}))
    assert (answer.status_code, answer.json["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "content_type", [None, "text/plain", "application/x-www-form-urlencoded", "nonsense;;;=", "\xff"]
)
def test_the_content_type_of_json_does_not_matter(api: Api, content_type: str | None) -> None:
    answer = api.post("/orders/upload-urls", data='{"interiorCount": 1}', content_type=content_type)
    assert answer.status_code == 200


FLOODS = [
    {f"adress{n:05}": 1 for n in range(50_000)},
    {"virtualStaging": {str(n): {} for n in range(60_000)}},
    {"renovations": {str(n): [] for n in range(60_000)}},
    {"interiorFiles": [{} for n in range(50)]},
    {"interiorEnhancements": ["declutterr"] * 60_000},
    {"photoConfigs": [{"photoType": "interior", "enhancements": ["declutterr"] * 10}] * 200},
]


@pytest.mark.parametrize(
    "flood",
    [pytest.param(each, marks=() if each in (FLOODS[0], FLOODS[-1]) else pytest.mark.long) for each in FLOODS],
    ids=[next(iter(flood)) for flood in FLOODS],
)
def test_a_flood_of_faults_is_answered_soon_and_in_short(api: Api, flood: dict) -> None:
    body = json.dumps({"serviceType": "interior", **flood})
    began = time.process_time()
    answer = api.post("/orders/from-uploads", data=body)
    assert answer.status_code == 400
    assert time.process_time() - began < 5
    assert len(answer.json["details"]) <= 1000
    assert len(answer.data) < 200_000


def test_a_doubled_name_counts_once(api: Api) -> None:
    answer = api.post("/orders/upload-urls", data='{"interiorCount": 51, "interiorCount": 1}')
    assert answer.status_code == 200
    assert len(answer.json["interiorUrls"]) == 1
