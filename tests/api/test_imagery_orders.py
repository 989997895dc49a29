"""Orders without an exterior photo: refused, priced and placed, over every entry point of the API."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from app.adapters.imagery_folder import ImageryFolder
from app.adapters.imagery_street_view import StreetView
from app.container import Container
from app.domain.ports import ImageryUnavailableError
from app.models import Event
from app.settings import Settings
from tests.conftest import PHOTO, Api, order_body
from tests.fakes import FakeImagery, photo

EXTERIOR = order_body(interior=False, exterior=True)
BOTH = order_body(interior=True, exterior=True)


@pytest.fixture
def source(container: Container) -> FakeImagery:
    container.imagery = FakeImagery({EXTERIOR["address"]: photo()})
    return container.imagery


def room(api: Api) -> dict[str, str]:
    return {"uploadSessionId": api.post("/orders/upload-urls", {"exteriorCount": 1}).json["uploadSessionId"]}


def from_uploads(api: Api, body: dict[str, Any]) -> Any:
    return api.post("/orders/from-uploads", body)


def multipart(api: Api, body: dict[str, Any], **files: bytes) -> Any:
    fields = {name: each if isinstance(each, str) else json.dumps(each) for name, each in body.items()}
    parts = {name: (BytesIO(content), f"{name}.jpg") for name, content in files.items()}
    return api.call("POST", "/orders", data={**fields, **parts}, content_type="multipart/form-data")


def test_without_a_source_a_missing_exterior_photo_is_refused_saying_so(api: Api) -> None:
    for service, body in (("exterior", {**EXTERIOR, **room(api)}), ("both", {**BOTH, **api.upload([PHOTO])})):
        answer = from_uploads(api, body)
        assert (answer.status_code, list(answer.json["details"])) == (400, ["exteriorFiles"]), service
        assert "public imagery" in answer.json["details"]["exteriorFiles"]
    quoted = api.post("/orders/quote", {**EXTERIOR, "exteriorCount": 0})
    assert (quoted.status_code, list(quoted.json["details"])) == (400, ["exteriorCount"])
    formed = multipart(api, EXTERIOR)
    assert (formed.status_code, list(formed.json["details"])) == (400, ["exteriorPhoto0"])
    assert api.credits() == 100


def test_an_exterior_order_without_a_photo_counts_nothing_uploaded(api: Api, source: FakeImagery) -> None:
    answer = from_uploads(api, {**EXTERIOR, **room(api)}).json
    assert (answer["photosUploaded"], answer["assets"], answer["creditCost"]) == (0, [], 1)
    assert api.status(answer["jobId"])["progress"] == {"total": 1, "completed": 0, "percentage": 0}
    assert source.asked == []


def test_the_event_counts_the_photo_that_is_worked_on(api: Api, container: Container, source: FakeImagery) -> None:
    from_uploads(api, {**EXTERIOR, **room(api)})
    with container.database.read_session() as session:
        body = json.loads(session.scalars(select(Event.body)).one())
    assert body["data"]["photoCount"] == {"interior": 0, "exterior": 1}


def test_an_empty_list_or_null_of_exterior_files_is_none_too(api: Api, source: FakeImagery) -> None:
    for files in ([], None):
        answer = from_uploads(api, {**EXTERIOR, **room(api), "exteriorFiles": files})
        assert answer.status_code == 200, answer.text


def test_both_with_interior_files_uses_imagery_for_the_outside(api: Api, source: FakeImagery) -> None:
    body = {**BOTH, **api.upload([PHOTO, PHOTO])}
    answer = from_uploads(api, body).json
    assert (answer["photosUploaded"], answer["creditCost"]) == (2, 2)
    assert [asset["type"] for asset in answer["assets"]] == ["interior", "interior"]
    assert api.status(answer["jobId"])["progress"]["total"] == 3


def test_both_still_needs_an_interior_photo(api: Api, source: FakeImagery) -> None:
    answer = from_uploads(api, {**BOTH, **room(api)})
    assert (answer.status_code, list(answer.json["details"])) == (400, ["interiorFiles"])


def test_an_interior_order_uses_no_imagery(api: Api, source: FakeImagery) -> None:
    assert api.order(interior=[PHOTO])["creditCost"] == 0.5


def test_an_exterior_photo_that_is_given_is_used(api: Api, source: FakeImagery) -> None:
    answer = api.order(exterior=[PHOTO])
    assert (answer["photosUploaded"], len(answer["assets"])) == (1, 1)


def test_the_same_order_again_is_the_same_job(api: Api, source: FakeImagery) -> None:
    body = {**EXTERIOR, **room(api)}
    first, again = from_uploads(api, body).json, from_uploads(api, body).json
    assert first == again
    assert api.credits() == 99


def test_the_enhancements_of_imagery_must_be_named(api: Api, source: FakeImagery) -> None:
    body = {**EXTERIOR, **room(api), "exteriorEnhancements": []}
    answer = from_uploads(api, body)
    assert (answer.status_code, list(answer.json["details"])) == (400, ["exteriorEnhancements"])


def test_a_photo_config_may_stand_for_the_imagery(api: Api, source: FakeImagery) -> None:
    config = {"photoType": "exterior", "photoIndex": 0, "enhancements": ["sky_enhancement", "twilight_conversion"]}
    body = {**EXTERIOR, **room(api), "exteriorEnhancements": [], "photoConfigs": [config]}
    assert from_uploads(api, body).json["creditCost"] == 2.5
    answer = from_uploads(api, {**body, **room(api), "photoConfigs": [{**config, "photoIndex": 1}]})
    assert answer.status_code == 400
    assert answer.json["details"]["photoConfigs[0].photoIndex"] == "There is no exterior photo 1."


def test_a_list_of_exterior_files_that_cannot_be_read_does_not_ask_for_imagery(
    api: Api, source: FakeImagery
) -> None:
    answer = from_uploads(api, {**EXTERIOR, **room(api), "exteriorFiles": "front.jpg"})
    assert (answer.status_code, answer.json["details"]) == (400, {"exteriorFiles": "Must be a list."})


def test_the_quote_is_what_the_order_costs(api: Api, source: FakeImagery) -> None:
    chosen = {**BOTH, "exteriorEnhancements": ["twilight_conversion", "sky_enhancement"]}
    quoted = api.post("/orders/quote", {**chosen, "interiorCount": 1}).json
    placed = from_uploads(api, {**chosen, **api.upload([PHOTO])}).json
    assert quoted["creditCost"] == placed["creditCost"] == 3
    assert source.asked == []


def test_a_multipart_order_without_a_file_is_placed(api: Api, source: FakeImagery) -> None:
    answer = multipart(api, EXTERIOR)
    assert answer.status_code == 200, answer.text
    assert (answer.json["photosUploaded"], answer.json["assets"], answer.json["creditCost"]) == (0, [], 1)
    inside = multipart(api, BOTH, interiorPhoto0=PHOTO)
    assert (inside.json["photosUploaded"], inside.json["creditCost"]) == (1, 1.5)


def test_a_multipart_order_with_a_gap_gets_no_imagery_instead(api: Api, source: FakeImagery) -> None:
    answer = multipart(api, EXTERIOR, exteriorPhoto1=PHOTO)
    assert (answer.status_code, list(answer.json["details"])) == (400, ["exteriorPhoto0"])
    assert api.credits() == 100


def test_too_few_credits_place_nothing(api: Api, source: FakeImagery) -> None:
    body = {**EXTERIOR, "exteriorEnhancements": ["sky_enhancement", "grass_enhancement"]}
    for _ in range(50):
        from_uploads(api, {**body, **room(api)})
    assert from_uploads(api, {**body, **room(api)}).status_code == 402


def test_the_settings_choose_the_sources_folder_first(settings: Settings, tmp_path: Path) -> None:
    def chosen(**fields: Any) -> list[type]:
        imagery = Container(settings.model_copy(update=fields)).imagery
        return [] if imagery is None else [type(source) for source in imagery._sources]

    key = Settings(street_view_key="secret").street_view_key
    assert chosen() == []
    assert chosen(imagery_folder=tmp_path) == [ImageryFolder]
    assert chosen(street_view_key=key) == [StreetView]
    assert chosen(imagery_folder=tmp_path, street_view_key=key) == [ImageryFolder, StreetView]


def test_the_settings_reach_the_folder(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / f"{EXTERIOR['address']}.jpg").write_bytes(PHOTO)
    away = {
        "street_view_url": "http://127.0.0.1:1",
        "street_view_key": Settings(street_view_key="k").street_view_key,
    }
    imagery = Container(settings.model_copy(update={"imagery_folder": tmp_path, **away})).imagery
    assert imagery.find(EXTERIOR["address"]) == PHOTO
    with pytest.raises(ImageryUnavailableError):
        imagery.find("13 Garden Lane")
