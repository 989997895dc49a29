"""A quote that names uploaded photos says what can be done of each and what that costs, before anything is paid."""

from typing import Any

import pytest

from app.container import Container
from app.models import Job, StoredOutlook
from app.services.previews import outlooks
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason
from tests import reading
from tests.conftest import PHOTO, Api, look
from tests.fakes import photo
from tests.portal.orders.outlooks import HARD_TO_TELL, LAWN, NIGHT, TWO_COLORS, UNCLEAR, Reader

BOTH = {
    "serviceType": "both",
    "exteriorEnhancements": ["grass_enhancement", "sky_enhancement"],
    "interiorEnhancements": ["virtual_staging", "hdr_enhancement"],
}
FURNISHED = {"serviceType": "interior", "interiorEnhancements": ["virtual_staging"]}
PENDING = {"status": "pending"}


@pytest.fixture(autouse=True)
def reader(container: Container) -> Reader:
    container.outlooks = reader = Reader()
    return reader


def ask(api: Api, *bodies: dict[str, Any], key: str | None = None) -> Any:
    """Ask for the price of an order of these fields."""
    content = {name: value for body in bodies for name, value in body.items()}
    return api.post("/orders/quote", json=content, headers={"Idempotency-Key": key} if key else {})


def forecasts(answer: Any) -> list[dict[str, Any]]:
    return [each["forecast"] for each in answer.json["photos"]]


def possible(answer: Any) -> float:
    """The price of what can be done."""
    return float(answer.json["possible"]["creditCost"])


def faults(answer: Any) -> tuple[int, list[str]]:
    return answer.status_code, list(answer.json["details"])


def asked(container: Container) -> int:
    """How many photos workers were asked to look at."""
    return reading.count(container, StoredOutlook)


def test_it_is_pending_until_workers_looked_and_then_says_what_can_be_done(api: Api, container: Container) -> None:
    uploaded = api.upload([photo("room")], [photo("exterior1"), photo("exterior2")])
    answer = ask(api, BOTH, uploaded)
    assert (answer.status_code, forecasts(answer)) == (202, [PENDING] * 3)
    assert answer.json["creditCost"] == possible(answer) == 3.5
    assert look(container) == 3
    answer = ask(api, BOTH, uploaded)
    assert (answer.status_code, answer.json["creditCost"]) == (200, 3.5)
    assert {each["status"] for each in forecasts(answer)} == {"ready"}
    front, back, room = ({step["enhancement"]: step for step in each["steps"]} for each in forecasts(answer))
    assert front["grass_enhancement"] == {"enhancement": "grass_enhancement", "prospect": "likely"}
    assert back["grass_enhancement"] == {
        "enhancement": "grass_enhancement",
        "prospect": "not_possible",
        "reason": "no_lawn",
        "message": LAWN,
    }
    staging = room["virtual_staging"]
    assert (staging["prospect"], staging["hint"], staging["message"]) == ("needs_hint", "room", UNCLEAR)
    assert possible(answer) == 2.5
    assert [line["credits"] for line in answer.json["possible"]["lines"]] == [2, 0.5]
    assert api.credits() == 100
    assert not reading.count(container, Job)


def test_what_may_be_misread_is_priced_and_said_to_be_unsure(api: Api, container: Container) -> None:
    lawns = {"serviceType": "exterior", "exteriorEnhancements": ["grass_enhancement"]}
    uploaded = api.upload([], [photo("exterior3")])
    ask(api, lawns, uploaded)
    look(container)
    answer = ask(api, lawns, uploaded)
    (step,) = forecasts(answer)[0]["steps"]
    assert (step.pop("prospect"), step.pop("unsure")) == ("likely", True)
    assert step == {
        "enhancement": "grass_enhancement",
        "reason": "lawn_unclear",
        "hint": "surfaces.lawn",
        "message": HARD_TO_TELL,
    }
    assert possible(answer) == answer.json["creditCost"] == 1


def test_without_files_it_is_the_price_alone(api: Api, container: Container) -> None:
    answer = ask(api, FURNISHED, {"interiorCount": 1})
    assert answer.status_code == 200
    assert "possible" not in answer.json
    assert "forecast" not in answer.json["photos"][0]
    assert not asked(container)


def test_nothing_may_be_possible(api: Api, container: Container) -> None:
    uploaded = api.upload([PHOTO])
    ask(api, FURNISHED, uploaded)
    look(container)
    assert ask(api, FURNISHED, uploaded).json["possible"] == {"creditCost": 0, "lines": []}


def test_of_a_renovation_the_changes_that_can_be_done_are_priced(api: Api, container: Container) -> None:
    changes = [
        {"changeType": kind, "changeDescription": "As on the samples", "referenceText": "Oiled oak"}
        for kind in ("floor", "walls")
    ]
    wanted = {"interiorEnhancements": ["virtual_renovation"], "renovations": {"0": changes}}
    uploaded = api.upload([PHOTO])
    ask(api, FURNISHED, wanted, uploaded)
    look(container)
    answer = ask(api, FURNISHED, wanted, uploaded)
    assert (answer.json["creditCost"], possible(answer)) == (2, 1)
    (step,) = forecasts(answer)[0]["steps"]
    assert [(each["index"], each.get("message")) for each in step["changes"]] == [(0, None), (1, TWO_COLORS)]


def test_light_is_looked_at_before_it_is_paid_too(api: Api, container: Container) -> None:
    light = {"serviceType": "interior", "interiorEnhancements": ["hdr_enhancement"]}
    uploaded = api.upload([PHOTO, photo("interior2")])
    assert ask(api, light, uploaded).status_code == 202
    look(container)
    answer = ask(api, light, uploaded)
    room, night = (each["steps"][0] for each in forecasts(answer))
    assert room == {"enhancement": "hdr_enhancement", "prospect": "likely"}
    assert (night["prospect"], night["reason"], night["message"]) == ("not_possible", "already_dark", NIGHT)
    assert (answer.json["creditCost"], possible(answer)) == (1, 0.5)


def test_what_was_asked_about_regions_is_known(api: Api, container: Container) -> None:
    uploaded = api.upload([PHOTO])
    api.post(
        f"/orders/{uploaded['uploadSessionId']}/regions", {**FURNISHED, "interiorFiles": uploaded["interiorFiles"]}
    )
    look(container)
    assert forecasts(ask(api, FURNISHED, uploaded))[0]["status"] == "ready"
    assert asked(container) == 1


def test_asking_again_has_nothing_looked_at_twice(api: Api, container: Container) -> None:
    uploaded = api.upload([PHOTO])
    assert [ask(api, FURNISHED, uploaded, key="q").status_code for _ in range(2)] == [202, 202]
    assert (asked(container), look(container)) == (1, 1)
    known = ask(api, FURNISHED, uploaded, key="q")
    assert (known.status_code, forecasts(known)[0]["status"]) == (200, "ready")
    again = ask(api, FURNISHED, uploaded, key="q")
    assert (again.headers["Idempotent-Replayed"], again.json) == ("true", known.json)


def test_photos_beyond_those_that_may_wait_are_looked_at_when_it_is_asked_again(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlooks, "MAX_WAITING", 2)
    uploaded = api.upload([photo(name) for name in ("one", "two", "three")])
    for status, waiting in ((202, 2), (202, 1), (200, 0)):
        answer = ask(api, FURNISHED, uploaded)
        assert (answer.status_code, look(container)) == (status, waiting)
    assert possible(answer) == 0


def test_a_photo_that_cannot_be_looked_at_says_why_and_counts(api: Api, container: Container) -> None:
    class Blind:
        def read(self, *_: object) -> None:
            raise UnusablePhotoError(Reason.UNDECODABLE, "This file cannot be read.")

    container.outlooks = Blind()
    uploaded = api.upload([PHOTO])
    ask(api, FURNISHED, uploaded)
    look(container)
    answer = ask(api, FURNISHED, uploaded)
    assert answer.status_code == 200
    assert forecasts(answer) == [{"status": "failed", "message": "This file cannot be read."}]
    assert possible(answer) == 1


def test_files_that_are_not_there_or_not_of_this_session_are_named(
    api: Api, other_api: Api, container: Container
) -> None:
    room = api.post("/orders/upload-urls", {"interiorCount": 1, "exteriorCount": 1}).json
    paths = {kind: room[f"{kind}Urls"][0]["filePath"] for kind in ("interior", "exterior")}
    api.put(room["exteriorUrls"][0]["uploadUrl"], PHOTO)
    theirs = other_api.upload([PHOTO])["interiorFiles"][0]["filePath"]
    for path in (paths["interior"], paths["exterior"], theirs, "x"):
        files = {"uploadSessionId": room["uploadSessionId"], "interiorFiles": [{"filePath": path}]}
        assert faults(ask(api, FURNISHED, files)) == (400, ["interiorFiles[0].filePath"])
    assert not asked(container)


def test_sessions_of_others_unknown_and_ordered_ones_are_refused(
    api: Api, other_api: Api, container: Container
) -> None:
    uploaded = api.upload([PHOTO])
    assert faults(ask(other_api, FURNISHED, uploaded)) == (400, ["uploadSessionId"])
    assert faults(ask(api, FURNISHED, uploaded, {"uploadSessionId": "ups_unknown"})) == (400, ["uploadSessionId"])
    assert not asked(container)
    order = {**FURNISHED, **uploaded, "address": "12 Garden Lane, Springfield, IL 62704"}
    job_id = api.post("/orders/from-uploads", order).json["jobId"]
    answer = ask(api, FURNISHED, uploaded)
    assert (answer.status_code, answer.json["jobId"]) == (409, job_id)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"uploadSessionId": None}, "uploadSessionId"),
        ({"interiorCount": 1}, "interiorCount"),
        ({"interiorEnhancements": ["sky_enhancement"]}, "interiorEnhancements[0]"),
        ({"interiorFiles": [{"filePath": "a"}, {"filePath": "a"}]}, "interiorFiles[1].filePath"),
        ({"serviceType": "exterior"}, "interiorFiles"),
        ({"virtualStaging": {"1": {"style": "modern"}}}, "virtualStaging.1"),
    ],
)
def test_faults_are_at_their_places(api: Api, container: Container, fields: dict[str, Any], place: str) -> None:
    status, places = faults(ask(api, FURNISHED, api.upload([PHOTO]), fields))
    assert (status, place in places) == (400, True)
    assert not asked(container)
