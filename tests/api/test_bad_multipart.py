"""Multipart orders that are wrong in any way are refused by part, and leave neither file nor session nor job."""

import json
from io import BytesIO
from itertools import product

import pytest

from app.domain import limits
from app.models import Job, UploadSession
from tests.conformance.shapes import ADDRESS, rows, stored_files
from tests.conformance.streams import Generated
from tests.conftest import PHOTO, Api

PLAIN = {"address": ADDRESS, "serviceType": "interior", "interiorEnhancements": '["declutter"]'}
BOUNDARY = "limit"


@pytest.fixture(autouse=True)
def _nothing_is_left(api: Api, container):
    """After whatever was refused here."""
    yield
    assert stored_files(container) == []
    assert rows(container, UploadSession) == rows(container, Job) == []
    assert api.credits() == 100


def part(content: bytes = PHOTO, name: str = "a.jpg") -> tuple[BytesIO, str]:
    """A file part."""
    return BytesIO(content), name


def refused(api: Api, status: int = 400, **fields: object) -> dict[str, str]:
    """The details of the refusal of a form that has one good photo and these fields."""
    form = {**PLAIN, "interiorPhoto0": part(), **fields}
    answer = api.post("/orders", data={name: value for name, value in form.items() if value is not None})
    assert answer.status_code == status, answer.text
    return answer.json["details"]


def raw(*parts: tuple[str, bytes], end: bytes = b"--limit--\r\n") -> bytes:
    """A body put together by hand from header lines and contents."""
    return (
        b"".join(b"--limit\r\n" + head.encode() + b"\r\n\r\n" + content + b"\r\n" for head, content in parts) + end
    )


def text(name: str, value: str) -> tuple[str, bytes]:
    return f'Content-Disposition: form-data; name="{name}"', value.encode()


def file(name: str, content: bytes = PHOTO) -> tuple[str, bytes]:
    return f'Content-Disposition: form-data; name="{name}"; filename="a.jpg"', content


FORM = [text(name, value) for name, value in PLAIN.items()]


def refused_raw(api: Api, body: bytes, content_type: str = "multipart/form-data; boundary=limit") -> dict[str, str]:
    answer = api.post("/orders", data=body, content_type=content_type)
    assert (answer.status_code, answer.json["code"]) == (400, "invalid_request")
    return answer.json["details"]


CONTENT_TYPES = [
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/mixed; boundary=limit",
    "application/json",
    "application/x-www-form-urlencoded",
    "",
]


@pytest.mark.parametrize("content_type", CONTENT_TYPES)
def test_what_is_not_multipart_with_a_boundary_is_refused(api: Api, content_type: str) -> None:
    details = refused_raw(api, raw(*FORM, file("interiorPhoto0")), content_type)
    assert details == {"body": "Send multipart/form-data with a boundary."}


BODIES = [
    b"nonsense",
    b"--limit",
    raw(*FORM, file("interiorPhoto0"), end=b""),
    raw(*FORM, file("interiorPhoto0"))[:-40],
    raw(*FORM, file("interiorPhoto0"))[:300],
    raw(*FORM, file("interiorPhoto0"), ("Content-Type: image/jpeg", PHOTO)),
    raw(*FORM, file("interiorPhoto0"), ("Content-Disposition: form-data", b"x")),
    raw(*FORM, file("interiorPhoto0"), ('Content-Disposition: form-data; filename="a.jpg"', PHOTO)),
    raw(*FORM, file("interiorPhoto0"), ('Content-Disposition: form-data; name=""', b"x")),
    raw(*FORM, file("interiorPhoto0")).replace(b"limit", b"other"),
]


def test_a_malformed_or_cut_short_body_is_refused(api: Api, subtests: pytest.Subtests) -> None:
    for body in BODIES:
        with subtests.test(body=body):
            assert refused_raw(api, body) == {"body": "Malformed or cut short multipart body."}


@pytest.mark.parametrize("length", [None, 5000])
def test_a_connection_that_breaks_is_refused(api: Api, length: int | None) -> None:
    body = raw(*FORM, file("interiorPhoto0"))
    environ = {"wsgi.input": Generated(len(body) - 30, body, cut=True), "wsgi.input_terminated": not length}
    environ |= {"HTTP_TRANSFER_ENCODING": "chunked"} if length is None else {"CONTENT_LENGTH": str(length)}
    environ["CONTENT_TYPE"] = "multipart/form-data; boundary=limit"
    answer = api.post("/orders", environ_overrides=environ)
    assert (answer.status_code, list(answer.json["details"])) == (400, ["body"])


def test_photo_numbers_without_gaps_are_required(api: Api) -> None:
    assert list(refused(api, interiorPhoto2=part())) == ["interiorPhoto1"]
    assert "interiorPhoto0" in refused(api, interiorPhoto0=None, interiorPhoto1=part())


def test_parts_given_twice_are_named(api: Api) -> None:
    twice = raw(*FORM, FORM[0], file("interiorPhoto0"), file("interiorPhoto0"))
    assert refused_raw(api, twice) == {"address": "Given twice.", "interiorPhoto0": "Given twice."}


@pytest.mark.parametrize("number", [50, 51, 999])
def test_a_51st_photo_is_refused_by_name(api: Api, number: int) -> None:
    details = refused(api, **{f"interiorPhoto{number}": part()})
    assert details == {f"interiorPhoto{number}": "An order takes at most 50 interior photos."}


UNKNOWN = [
    ("interiorPhotos0", part, "interiorPhoto0"),
    ("interiorPhoto", part, "interiorPhoto0"),
    ("interiorPhoto00", part, "interiorPhoto0"),
    ("interiorPhoto-1", part, "interiorPhoto0"),
    ("interiorPhoto\u0661", part, "interiorPhoto0"),
    ("exterior_photo0", part, "exteriorPhoto0"),
    ("adress", "x", "address"),
    ("interiorEnhancement", "[]", "interiorEnhancements"),
    ("virtual_staging", "{}", "virtualStaging"),
    ("something", part, None),
    ("x" * 300, "x", None),
]


def test_an_unknown_part_is_named_with_a_hint(api: Api, subtests: pytest.Subtests) -> None:
    for name, value, meant in UNKNOWN:
        with subtests.test(name=name):
            expected = "Unknown field." + (f" Did you mean {meant}?" if meant else "")
            assert refused(api, **{name: value() if callable(value) else value}) == {name[:100]: expected}


def test_a_photo_sent_as_text_is_refused_by_name(api: Api) -> None:
    details = refused(api, interiorPhoto0="not a file", interiorPhoto1=part())
    assert details["interiorPhoto0"] == "Must be a file: send the part with a file name."


def test_a_photo_whose_part_has_no_file_name_is_told_what_it_lacks(api: Api) -> None:
    nameless = 'Content-Disposition: form-data; name="interiorPhoto0"', b"\xff\xd8\xff\xe0 and more of a photo"
    assert refused_raw(api, raw(*FORM, nameless)) == {
        "interiorPhoto0": "Not text in UTF-8. A part that is a file needs a file name."
    }


@pytest.mark.parametrize("name", ["address", "serviceType", "interiorEnhancements", "virtualStaging"])
def test_a_field_sent_as_a_file_is_refused_by_name(api: Api, name: str) -> None:
    details = refused(api, **{name: part(PLAIN.get(name, "{}").encode())})
    assert details == {name: "Must be text: send the part without a file name."}


JSON_FIELDS = ["interiorEnhancements", "photoConfigs", "renovations", "virtualStaging"]
BAD_JSON = ["", "{", "[1,]", "NaN", "[" * 1000, "'[]'", "declutter", '"\\ud800"']


def test_a_json_field_that_is_no_json_is_refused_by_name(api: Api, subtests: pytest.Subtests) -> None:
    for name, value in product(JSON_FIELDS, BAD_JSON):
        with subtests.test(name=name, value=value):
            details = refused(api, **{name: value})
            assert details[name].startswith("Not valid JSON")


BAD_VALUES = [
    ("interiorEnhancements", "{}", "interiorEnhancements"),
    ("interiorEnhancements", '["declutterr"]', "interiorEnhancements[0]"),
    ("photoConfigs", '[{"photoType": "interior"}]', "photoConfigs[0].enhancements"),
    ("virtualStaging", '{"0": {}}', "virtualStaging.0"),
    ("renovations", '{"0": [{}]}', "renovations.0[0].changeType"),
    ("serviceType", "interiors", "serviceType"),
    ("serviceType", "exterior", "interiorPhoto0"),
    ("serviceType", "both", "exteriorPhoto0"),
    ("address", "?", "address"),
    ("address", "12 Garden\x00 Lane", "address"),
    ("address", "x1" * 5000, "address"),
]


def test_a_bad_value_is_named_as_the_form_names_it(api: Api, subtests: pytest.Subtests) -> None:
    for name, value, path in BAD_VALUES:
        with subtests.test(name=name, value=value, path=path):
            assert path in refused(api, **{name: value})


def test_all_faults_are_told_at_once(api: Api) -> None:
    fields = {"address": None, "serviceType": "x", "photoConfigs": "{", "oops": "1", "interiorPhoto3": part()}
    expected = {"address", "serviceType", "photoConfigs", "oops", "interiorPhoto1"}
    assert set(refused(api, **fields)) >= expected


def test_a_part_that_is_no_picture_is_a_415_that_names_it(api: Api) -> None:
    details = refused(api, 415, interiorPhoto1=part(b"<svg/>"))
    assert list(details) == ["interiorPhoto1"]
    assert list(refused(api, 415, interiorPhoto1=part(b""))) == ["interiorPhoto1"]


def test_a_part_over_the_limit_is_a_413_that_names_it(api: Api, monkeypatch) -> None:
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", len(PHOTO))
    assert list(refused(api, 413, interiorPhoto1=part(PHOTO + b"x"))) == ["interiorPhoto1"]


def test_a_text_over_a_megabyte_is_a_413(api: Api) -> None:
    answer = api.post("/orders", data={**PLAIN, "address": "x" * 1_100_000, "interiorPhoto0": part()})
    assert (answer.status_code, answer.json["code"]) == (413, "too_large")


def test_more_than_a_thousand_parts_are_a_413(api: Api) -> None:
    body = raw(*(text(f"field{n}", "x") for n in range(1100)))
    answer = api.post("/orders", data=body, content_type="multipart/form-data; boundary=limit")
    assert (answer.status_code, answer.json["code"]) == (413, "too_large")


def test_a_reference_part_nobody_refers_to_is_refused(api: Api) -> None:
    entry = {"changeType": "walls", "changeDescription": "Paint it white", "referenceImages": ["sample"]}
    fields = {"interiorEnhancements": '["virtual_renovation"]', "renovations": json.dumps({"0": [entry]})}
    assert list(refused(api, **fields, sample=part(), other=part())) == ["other"]


def test_a_reference_to_no_part_is_refused(api: Api) -> None:
    entry = {"changeType": "walls", "changeDescription": "Paint it white", "referenceImages": ["lost"]}
    fields = {"interiorEnhancements": '["virtual_renovation"]', "renovations": json.dumps({"0": [entry]})}
    assert list(refused(api, **fields)) == ["renovations.0[0].referenceImages[0]"]
