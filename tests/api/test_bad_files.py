"""Orders that name files they may not name are refused by path, and charge nothing."""

import pytest

from tests.conformance.shapes import ledger
from tests.conftest import PHOTO, Api, order_body


@pytest.fixture(autouse=True)
def _nothing_charged(container):
    """Whatever is tried here costs nothing."""
    yield
    assert len(ledger(container)) <= 2
    assert all(line.amount == 100 for line in ledger(container))


def refused(api: Api, body: dict) -> dict[str, str]:
    """The details of the refusal."""
    answer = api.post("/orders/from-uploads", json={**order_body(), **body})
    assert answer.status_code == 400, answer.text
    return answer.json["details"]


STRANGE = [
    "{room}../../x",
    "{room}../interior-0",
    "{room}interior-0/../interior-0",
    "{room}./interior-0",
    "{room}/interior-0",
    "{room}interior-00",
    "{room}interior-1",
    "{room}interior--1",
    "{room}Interior-0",
    "{room}interior-\u0660",
    "{room}",
    "{room}interior-0/",
    "{room}interior-0\\..\\x",
    "{room}" + "x" * 160,
    "/{room}interior-0",
    "../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "https://example.com/a.jpg",
    "results/job_x/a.jpg",
    ".incoming/x",
    "uploads",
    "uploads/",
    "uploads//interior-0",
    "uploads/ups_0000000000000000000000/interior-0",
    "C:\\photos\\x.jpg",
    "x" * 201,
    "x" * 5000,
    "{room}" + "\u00e9" * 150,
    "{room}" + "\U0001f3e1" * 100,
    "interior-0",
    "%2e%2e/",
    "",
]


def test_a_path_that_is_not_of_the_session_is_refused_by_name(api: Api, subtests: pytest.Subtests) -> None:
    uploaded = api.upload(interior=[PHOTO])
    room = f"uploads/{uploaded['uploadSessionId']}/"
    for path in STRANGE:
        with subtests.test(path=path):
            files = [{"filePath": path.format(room=room)}]
            assert list(refused(api, {**uploaded, "interiorFiles": files})) == ["interiorFiles[0].filePath"]


def test_a_reference_image_that_is_not_of_the_session_is_refused_by_name(
    api: Api, subtests: pytest.Subtests
) -> None:
    uploaded = api.upload(interior=[PHOTO])
    room = f"uploads/{uploaded['uploadSessionId']}/"
    change = {"changeType": "walls", "changeDescription": "Paint it white"}
    for path in STRANGE:
        with subtests.test(path=path):
            entry = {**change, "referenceImages": [path.format(room=room)]}
            chosen = {"interiorEnhancements": ["virtual_renovation"], "renovations": {"0": [entry]}}
            body = {**uploaded, **chosen}
            assert list(refused(api, body)) == ["renovations.0[0].referenceImages[0]"]


def test_a_file_that_was_never_uploaded_is_refused_by_name(api: Api) -> None:
    room = api.post("/orders/upload-urls", json={"interiorCount": 2}).json
    api.put(room["interiorUrls"][0]["uploadUrl"], PHOTO)
    files = [{"filePath": target["filePath"]} for target in room["interiorUrls"]]
    details = refused(api, {"uploadSessionId": room["uploadSessionId"], "interiorFiles": files})
    assert list(details) == ["interiorFiles[1].filePath"]
    assert "PUT" in details["interiorFiles[1].filePath"]


def test_a_file_of_the_other_type_is_refused_by_name(api: Api) -> None:
    body = api.upload([PHOTO], [PHOTO])
    body["interiorFiles"], body["exteriorFiles"] = body["exteriorFiles"], body["interiorFiles"]
    chosen = {"serviceType": "both", "exteriorEnhancements": ["sky_enhancement"]}
    assert set(refused(api, {**body, **chosen})) == {"interiorFiles[0].filePath", "exteriorFiles[0].filePath"}


def test_a_file_of_another_session_is_refused_by_name(api: Api) -> None:
    mine, other = api.upload(interior=[PHOTO]), api.upload(interior=[PHOTO])
    files = mine["interiorFiles"] + other["interiorFiles"]
    assert list(refused(api, {**mine, "interiorFiles": files})) == ["interiorFiles[1].filePath"]


def test_a_file_named_twice_is_refused_at_the_second_place(api: Api) -> None:
    body = api.upload(interior=[PHOTO])
    assert list(refused(api, {**body, "interiorFiles": body["interiorFiles"] * 2})) == ["interiorFiles[1].filePath"]


@pytest.mark.parametrize(
    "session", ["ups_0000000000000000000000", "x", "../x", "ups_%", "' OR 1=1 --", "\U0001f3e1"]
)
def test_a_session_that_does_not_exist_is_refused_by_name(api: Api, session: str) -> None:
    body = {**api.upload(interior=[PHOTO]), "uploadSessionId": session}
    assert list(refused(api, body)) == ["uploadSessionId"]


def test_a_session_of_another_account_is_refused_like_one_that_does_not_exist(api: Api, other_api: Api) -> None:
    theirs = refused(api, other_api.upload(interior=[PHOTO]))
    nobodys = refused(api, {**api.upload(interior=[PHOTO]), "uploadSessionId": "ups_0000000000000000000000"})
    assert theirs == nobodys


def test_an_order_without_a_photo_is_refused(api: Api) -> None:
    body = {"uploadSessionId": api.upload(interior=[PHOTO])["uploadSessionId"]}
    assert list(refused(api, body)) == ["interiorFiles"]
    assert list(refused(api, {**body, "interiorFiles": []})) == ["interiorFiles"]
