"""Fields of the wrong type, misspelt or with strange text are named, with a hint where one is likely."""

import json
from copy import deepcopy
from itertools import product

import pytest

from tests.conftest import PHOTO, Api, order_body

VALUES: dict[str, object] = {
    "null": None,
    "true": True,
    "number": 7,
    "fraction": 0.5,
    "text": "text",
    "array": [1],
    "object": {"a": 1},
    "nested": [[["a"]]],
}
# Which of them each field may be without being at fault itself.
FIELDS = {
    "address": set(),
    "serviceType": set(),
    "uploadSessionId": set(),
    "interiorFiles": set(),
    "exteriorFiles": {"null"},
    "interiorEnhancements": set(),
    "exteriorEnhancements": {"null"},
    "photoConfigs": {"null"},
    "renovations": {"null"},
    "virtualStaging": {"null"},
}


def at_fault(details: dict[str, str], field: str) -> bool:
    """Whether a fault is told of the field or of something in it."""
    return any(path == field or path.startswith((f"{field}.", f"{field}[")) for path in details)


def test_a_wrong_type_is_told_of_its_own_field(api: Api, subtests: pytest.Subtests) -> None:
    good = {**order_body(), **api.upload(interior=[PHOTO])}
    for field, value in product(FIELDS, VALUES):
        if value not in FIELDS[field]:
            with subtests.test(field=field, value=value):
                answer = api.post("/orders/from-uploads", json={**good, field: VALUES[value]})
                assert answer.status_code == 400
                assert at_fault(answer.json["details"], field), answer.json["details"]


@pytest.mark.parametrize(("field", "value"), [(field, value) for field in FIELDS for value in FIELDS[field]])
def test_what_a_field_may_be_is_no_fault_of_it(api: Api, field: str, value: str) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO]), field: VALUES[value]}
    assert api.post("/orders/from-uploads", json=body).status_code == 200


QUOTE = {"serviceType": "interior", "interiorEnhancements": ["declutter"], "interiorCount": 1}


def test_a_count_of_the_wrong_type_is_told_of(api: Api, subtests: pytest.Subtests) -> None:
    for field, value in product(("interiorCount", "exteriorCount"), sorted(VALUES.keys() - {"null", "number"})):
        with subtests.test(field=field, value=value):
            answer = api.post("/orders/quote", json={**QUOTE, field: VALUES[value]})
            assert answer.status_code == 400
            assert at_fault(answer.json["details"], field)


MISSPELT = [
    ("/orders/from-uploads", "adress", "address"),
    ("/orders/from-uploads", "Address", "address"),
    ("/orders/from-uploads", "service_type", "serviceType"),
    ("/orders/from-uploads", "uploadSessionID", "uploadSessionId"),
    ("/orders/from-uploads", "interiorFile", "interiorFiles"),
    ("/orders/from-uploads", "exteriorEnhancement", "exteriorEnhancements"),
    ("/orders/from-uploads", "photoConfig", "photoConfigs"),
    ("/orders/from-uploads", "renovation", "renovations"),
    ("/orders/from-uploads", "virtual_staging", "virtualStaging"),
    ("/orders/quote", "interiorcount", "interiorCount"),
    ("/orders/upload-urls", "interior_count", "interiorCount"),
    ("/orders/upload-urls", "exteriorCounts", "exteriorCount"),
]


def test_a_misspelt_name_gives_a_hint(api: Api, subtests: pytest.Subtests) -> None:
    for path, name, meant in MISSPELT:
        with subtests.test(path=path, name=name, meant=meant):
            answer = api.post(path, json={name: "x"})
            assert answer.status_code == 400
            assert answer.json["details"][name] == f"Unknown field. Did you mean {meant}?"


@pytest.mark.parametrize("name", ["color", "", "\u0000", "x" * 10_000, "constructor", "__proto__", "jobId"])
def test_an_unknown_name_is_told_of_without_a_guess(api: Api, name: str) -> None:
    answer = api.post("/orders/upload-urls", json={name: 1, "interiorCount": 1})
    assert answer.status_code == 400
    assert list(answer.json["details"].values()) == ["Unknown field."]


def test_a_misspelt_name_inside_a_list_gives_a_hint_too(api: Api) -> None:
    files = [{"filepath": "x", "filename": "y"}]
    details = api.post("/orders/from-uploads", json={"interiorFiles": files}).json["details"]
    assert details["interiorFiles[0].filepath"] == "Unknown field. Did you mean filePath?"
    assert details["interiorFiles[0].filename"] == "Unknown field. Did you mean fileName?"


TEXTS = ["address", "uploadSessionId", "filePath", "fileName", "changeDescription"]
STRANGE = ["a\u0000b 1", "\u0007bell 12", "\u009b31m 12 x", "\u007f 12 xy"]
CHANGE = {"changeType": "walls", "changeDescription": "Paint it white", "referenceText": "White"}


def test_control_characters_are_refused_wherever_text_is_taken(api: Api, subtests: pytest.Subtests) -> None:
    good = {**order_body(), **api.upload(interior=[PHOTO]), "interiorEnhancements": ["virtual_renovation"]}
    for field, text in product(TEXTS, STRANGE):
        with subtests.test(field=field, text=text):
            body = deepcopy({**good, "renovations": {"0": [CHANGE]}})
            places = {"filePath": body["interiorFiles"][0], "fileName": body["interiorFiles"][0]}
            places["changeDescription"] = body["renovations"]["0"][0]
            places.get(field, body)[field] = text
            answer = api.post("/orders/from-uploads", json=body)
            assert answer.status_code == 400
            (path,) = answer.json["details"]
            assert path.endswith(field)
            assert "control characters" in answer.json["details"][path]


@pytest.mark.parametrize("field", ["address", "serviceType", "uploadSessionId", "interiorFiles", "virtualStaging"])
def test_lone_surrogates_are_refused_in_any_field(api: Api, field: str) -> None:
    for value in ("\ud800", ["\udc00"], {"\ud83d": 1}):
        body = json.dumps({**order_body(), field: value})
        assert api.post("/orders/from-uploads", data=body).status_code == 400


PATHS = ["/api/v1/jobs/{}/status", "/api/v1/downloads/{}", "/files/{}", "/uploads/{}"]
STRANGE_PATHS = [
    "%00",
    "%ff%fe",
    "%ed%a0%80",
    "%F0%9F%8F%A1",
    "job_%0d%0aSet-Cookie:x",
    "%2e%2e%2f",
    "a" * 20_000,
    "%",
]


def test_strange_ids_in_paths_are_refused_calmly(api: Api, subtests: pytest.Subtests) -> None:
    for path, job in product(PATHS, STRANGE_PATHS):
        with subtests.test(path=path, job=job):
            method = "PUT" if path.startswith("/uploads") else "GET"
            headers = {"Authorization": f"Bearer {api.secret}"}
            answer = api.client.open(path.format(job), method=method, headers=headers)
            assert answer.status_code in {403, 404}
            assert answer.mimetype == "application/json"
            assert "Set-Cookie" not in answer.headers


STRANGE_HEADERS = ["\x00", "\xff\xfe", "Bearer \x00", "Bearer ims_live_\xff", "Bearer \u00ad"]


@pytest.mark.parametrize("value", STRANGE_HEADERS)
def test_strange_headers_are_refused_calmly(api: Api, value: str) -> None:
    overrides = {"HTTP_AUTHORIZATION": value, "HTTP_X_REQUEST_ID": value, "HTTP_RANGE": value}
    answer = api.client.get("/api/v1/user/credits", environ_overrides=overrides)
    assert (answer.status_code, answer.json["code"]) == (401, "unauthorized")


@pytest.mark.parametrize(
    ("field", "value", "most"),
    [
        ("interiorFiles", [{}] * 451, 450),
        ("photoConfigs", [{}] * 201, 200),
        ("interiorEnhancements", ["declutter"] * 11, 10),
        ("renovations", {str(index): [] for index in range(51)}, 50),
        ("virtualStaging", {str(index): {} for index in range(51)}, 50),
    ],
)
def test_of_a_list_that_is_too_long_that_alone_is_told(api: Api, field: str, value: object, most: int) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO]), field: value}
    answer = api.post("/orders/from-uploads", json=body)
    assert answer.status_code == 400
    told = {path: words for path, words in answer.json["details"].items() if at_fault({path: ""}, field)}
    assert told == {field: f"Must have at most {most} entries."}


def test_a_long_text_where_a_list_belongs_is_told_to_be_no_list(api: Api) -> None:
    answer = api.post("/orders/quote", json={**QUOTE, "interiorEnhancements": "declutter,hdr_enhancement"})
    assert answer.json["details"] == {"interiorEnhancements": "Must be a list."}


def test_a_body_of_too_many_fields_is_refused_as_one(api: Api) -> None:
    answer = api.post("/orders/quote", json={**QUOTE, **{f"x{number}": 1 for number in range(100)}})
    assert answer.status_code == 400
    assert answer.json["details"] == {"body": "Must have at most 100 entries."}
