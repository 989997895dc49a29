"""Variants and recipes by program: asked for, listed with URLs, refused with a reason, kept when the files go."""

import json

import pytest
from sqlalchemy import select

from app.container import Container
from app.models import Result, StoredPicture
from engine.version import engine_version
from tests import reading
from tests.conftest import PHOTO, Api, develop, remake, work
from tests.fakes import FakeClock, photo

STEPS = ["hdr_enhancement", "declutter", "virtual_staging"]


def ordered(api: Api, container: Container, *contents: bytes, steps: list[str] = STEPS) -> tuple[str, str]:
    """The ids of an approved job and of its first picture."""
    job_id = api.order(interior=list(contents or [PHOTO]), interiorEnhancements=steps)["jobId"]
    work(container)
    with container.database.read_session() as session:
        return job_id, session.scalars(select(Result.id).where(Result.job_id == job_id)).first()


def of_image(ids: tuple[str, str]) -> str:
    return "/jobs/{}/images/{}/variants".format(*ids)


def of_kind(api: Api, job_id: str) -> dict[str, str]:
    image = api.get(f"/downloads/{job_id}").json["images"][0]
    return {each["variant"]: each["url"] for each in image["variants"]}


def test_a_picture_without_a_step_is_asked_for_and_downloaded(api: Api, container: Container) -> None:
    ids = ordered(api, container)
    before = api.credits()
    asked = api.post(of_image(ids), {"without": ["virtual_staging"]})
    assert asked.status_code == 202
    assert (asked.json["status"], asked.json["without"]) == ("making", ["virtual_staging"])
    assert set(asked.json["enhancements"]) == {"hdr_enhancement", "declutter"}
    again = api.post(of_image(ids), {"without": ["virtual_staging"]})
    assert again.json["id"] == asked.json["id"]
    remake(container)
    develop(container)
    listed = {each["id"]: each for each in api.get(of_image(ids)).json["variants"]}
    done = listed[asked.json["id"]]
    assert len(listed) == 2, "and the base"
    assert (done["status"], done["caption"]) == ("ready", "Digitally altered")
    answer = api.client.get(done["url"].removeprefix("http://localhost"))
    assert answer.status_code == 200
    assert len(answer.data) == done["bytes"]
    assert "interior-1-without-virtual-staging.jpg" in answer.headers["Content-Disposition"]
    assert api.client.get(done["labeledUrl"].removeprefix("http://localhost")).status_code == 200
    assert api.credits() == before
    assert api.status(ids[0])["status"] == "delivered"


def test_the_base_is_among_the_downloads_once_it_is_there(api: Api, container: Container) -> None:
    job_id, _ = ordered(api, container)
    assert set(of_kind(api, job_id)) == {"original", "altered"}
    remake(container)
    develop(container)
    urls = of_kind(api, job_id)
    assert set(urls) == {"original", "base", "altered", "labeled"}
    answer = api.client.get(urls["base"].removeprefix("http://localhost"))
    assert "interior-1-base.jpg" in answer.headers["Content-Disposition"]


@pytest.mark.parametrize(("steps", "same"), [(["hdr_enhancement"], "altered"), (["declutter"], "original")])
def test_a_base_like_another_file_is_that_file(api: Api, container: Container, steps: list[str], same: str) -> None:
    job_id, _ = ordered(api, container, steps=steps)
    urls = of_kind(api, job_id)
    contents = {
        kind: api.client.get(url.removeprefix("http://localhost")).headers["Content-Disposition"]
        for kind, url in urls.items()
    }
    assert contents["base"] == contents[same]


BAD = [[], ["sky_enhancement"], ["nonsense"], STEPS, "declutter", [1], None]


@pytest.mark.parametrize("without", BAD)
def test_what_cannot_be_left_out_is_refused(api: Api, container: Container, without: object) -> None:
    ids = ordered(api, container)
    answer = api.post(of_image(ids), {"without": without})
    assert answer.status_code == 400
    assert any(field.startswith("without") for field in answer.json["details"])
    assert len(reading.found(container, select(StoredPicture).where(StoredPicture.is_variant))) == 1, (
        "the base alone"
    )


def test_unknown_fields_are_refused(api: Api, container: Container) -> None:
    answer = api.post(of_image(ordered(api, container)), {"without": ["declutter"], "with": []})
    assert answer.status_code == 400
    assert set(answer.json["details"]) == {"with"}


def test_what_another_engine_made_is_refused_with_the_reason(api: Api, container: Container) -> None:
    ids = ordered(api, container)
    with container.database.unit_of_work() as session:
        session.scalars(select(Result)).one().picture.engine_version = "0.0.1+00000000"
    answer = api.post(of_image(ids), {"without": ["declutter"]})
    assert (answer.status_code, answer.json["code"]) == (409, "conflict")
    assert answer.json["details"] == {"reason": "engine_changed"}


def test_one_that_could_not_be_made_says_why_and_can_be_asked_for_again(
    api: Api, container: Container, clock: FakeClock
) -> None:
    ids = ordered(api, container)

    def crash() -> None:
        raise RuntimeError("the engine crashed")

    container.engine.before = crash
    asked = api.post(of_image(ids), {"without": ["declutter"]}).json["id"]
    for _ in range(4):
        remake(container)
        clock.pass_(minutes=2)
    failed = {each["id"]: each for each in api.get(of_image(ids)).json["variants"]}[asked]
    assert (failed["status"], failed["reason"]) == ("failed", "processing_failed")
    assert "url" not in failed
    container.engine.before = lambda: None
    assert api.post(of_image(ids), {"without": ["declutter"]}).json["status"] == "making"


def test_the_same_request_sent_again_has_one_effect(api: Api, container: Container) -> None:
    ids = ordered(api, container)
    headers = {"Idempotency-Key": "once"}
    first = api.post(of_image(ids), {"without": ["declutter"]}, headers=headers)
    second = api.post(of_image(ids), {"without": ["declutter"]}, headers=headers)
    assert (second.json, second.headers["Idempotent-Replayed"]) == (first.json, "true")
    other = api.post(of_image(ids), {"without": ["virtual_staging"]}, headers=headers)
    assert other.status_code == 422


def test_nothing_is_made_again_before_there_are_results_and_none_of_others(
    api: Api, other_api: Api, container: Container
) -> None:
    ids = ordered(api, container)
    waiting = api.order(interior=[PHOTO], interiorEnhancements=STEPS)["jobId"]
    assert api.post(of_image((waiting, ids[1])), {"without": ["declutter"]}).status_code == 400
    assert api.get(f"/jobs/{waiting}/recipes").status_code == 400
    for answer in (
        other_api.post(of_image(ids), {"without": ["declutter"]}),
        other_api.get(of_image(ids)),
        other_api.get(f"/jobs/{ids[0]}/recipes"),
        api.get(of_image((ids[0], "img_" + "0" * 22))),
    ):
        assert answer.status_code == 404


def test_a_rejected_picture_is_not_made_again(api: Api, container: Container) -> None:
    job_id = api.order(interior=[photo("BLANK"), PHOTO], interiorEnhancements=STEPS)["jobId"]
    work(container)
    rejected = reading.only(container, select(Result.id).where(Result.reason == "blank"))
    assert api.post(of_image((job_id, rejected)), {"without": ["declutter"]}).status_code == 404


def test_recipes_say_all_that_a_picture_is_made_from_and_outlive_it(
    api: Api, container: Container, clock: FakeClock
) -> None:
    staging = {"0": {"style": "coastal", "roomType": "bedroom"}}
    order = {"interiorEnhancements": STEPS, "virtualStaging": staging}
    job_id = api.order(interior=[PHOTO, photo("BLANK")], **order)["jobId"]
    work(container)
    answer = api.get(f"/jobs/{job_id}/recipes").json
    [recipe] = answer["recipes"]
    assert (answer["jobId"], recipe["seed"], recipe["engineVersion"]) == (job_id, job_id, engine_version())
    assert len(recipe["originalSha256"]) == len(recipe["pictureSha256"]) == 64
    assert [each["applied"] for each in recipe["steps"]] == [True, True, True]
    assert recipe["staging"] == {"style": "coastal", "roomType": "bedroom"}
    assert "castIndoors" in recipe["appearance"]
    assert api.status(job_id)["status"] == "approved", "looking at recipes downloads nothing"
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    container.sweep.purge_files()
    assert api.get(f"/jobs/{job_id}/status").status_code == 404
    assert api.get(f"/jobs/{job_id}/recipes").json == answer
    assert api.get(f"/jobs/{job_id}/images/{recipe['imageId']}/variants").status_code == 404


def test_a_renovation_is_told_in_its_recipe_as_it_was_ordered(api: Api, container: Container) -> None:
    change = {
        "changeType": "floor",
        "changeDescription": "Oak floor, light, wide boards",
        "referenceType": "text",
        "referenceText": "oak",
    }
    order = {"interiorEnhancements": ["virtual_renovation"], "renovations": {"0": [change]}}
    job_id = api.order(interior=[PHOTO], **order)["jobId"]
    work(container)
    [recipe] = api.get(f"/jobs/{job_id}/recipes").json["recipes"]
    told = {"changeType": "floor", "changeDescription": "Oak floor, light, wide boards", "referenceText": "oak"}
    assert recipe["changes"] == [{**told, "referenceImageCount": 0}]
    assert "staging" not in json.dumps(recipe)
