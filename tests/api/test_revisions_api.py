"""Results sent back by program: asked for once, listed with the picture before, refused with a code."""

import pytest

from app.container import Container
from app.models import Result, Revision
from app.services.photos import pictures
from app.services.photos.make_pictures import _AnotherPicture
from engine.types.hint_document import read_hints
from tests.conftest import PHOTO, Api, develop, pack_up, photo_worker, revise, work
from tests.fakes import FakeClock, photo
from tests.sent_back import DECLUTTER, HDR, STAGING, ordered, result_of, rounds


def path_of(container: Container, job_id: str, place: int = 0) -> str:
    return f"/jobs/{job_id}/images/{result_of(container, job_id, place).id}/revisions"


def downloaded(api: Api, url: str) -> bytes:
    answer = api.client.get(url.removeprefix("http://localhost"))
    assert answer.status_code == 200
    return answer.data


def test_a_result_is_sent_back_and_the_downloads_have_the_new_picture(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    path = path_of(container, job_id)
    [before] = api.get(f"/downloads/{job_id}").json["images"]
    picture = downloaded(api, before["url"])
    sent = api.post(path, {"reason": "furniture_place", "message": "It bars the door."})
    assert sent.status_code == 202
    assert (sent.json["status"], sent.json["round"], sent.json["tried"]["photoSeed"]) == ("making", 1, 1)
    assert "url" not in sent.json["before"]
    assert revise(container) == 1
    [done] = api.get(path).json["revisions"]
    assert (done["status"], done["outcome"], done["message"]) == ("done", "revised", "It bars the door.")
    assert downloaded(api, done["before"]["url"]) == picture
    assert api.get(f"{path}/{done['id']}").json["outcome"] == "revised"
    [now] = api.get(f"/downloads/{job_id}").json["images"]
    assert now["id"] == before["id"]
    assert downloaded(api, now["url"]) != picture


def test_a_step_that_is_left_out_comes_back(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    path, before = path_of(container, job_id), api.credits()
    sent = api.post(path, {"reason": "other", "without": STAGING})
    assert (sent.status_code, sent.json["without"]) == (202, STAGING)
    revise(container)
    [done] = api.get(path).json["revisions"]
    assert (done["creditsRefunded"], done["tried"]["without"]) == (1, [STAGING])
    assert api.credits() == before + 1
    assert api.status(job_id)["creditsRefunded"] == 1
    [now] = api.get(f"/downloads/{job_id}").json["images"]
    assert now["enhancements"] == [HDR]


def test_what_is_too_dark_is_made_lighter_by_itself_or_as_wanted(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    path = path_of(container, job_id)
    for body in ({"reason": "too_dark"}, {"reason": "too_bright", "options": {"brightness": "darker"}}):
        sent = api.post(path, body)
        looks = {"brightness": "darker" if "options" in body else "brighter"}
        assert (sent.status_code, sent.json["tried"]["options"]) == (202, looks), sent.text
        revise(container)
        [recipe] = api.get(f"/jobs/{job_id}/recipes").json["recipes"]
        assert recipe["options"] == looks
    misfit = api.post(path, {"reason": "other", "options": {"dusk": "early"}})
    assert (misfit.status_code, list(misfit.json["details"])) == (400, ["options.dusk"])


FLOOR = [[0.1, 0.6], [0.9, 0.6], [0.9, 0.9], [0.1, 0.9]]
SAID_BEFORE = {"photoConfigs": [{"photoType": "interior", "photoIndex": 0, "hints": {"surfaces": {"wall": []}}}]}


def test_with_hints_it_is_made_again_with_them_in_place_of_those_of_the_order(
    api: Api, container: Container
) -> None:
    job_id = ordered(api, container, HDR, STAGING, **SAID_BEFORE)
    hints = {"surfaces": {"floor": [FLOOR]}, "placements": [{"piece": "sofa", "at": [0.5, 0.7]}]}
    sent = api.post(path_of(container, job_id), {"reason": "other", "hints": hints})
    assert (sent.status_code, sent.json["status"], sent.json["tried"]["hinted"]) == (202, "making", True), sent.text
    [before] = api.get(f"/jobs/{job_id}/recipes").json["recipes"]
    revise(container)
    assert container.engine.requests[-1].hints == read_hints(hints)
    [done] = api.get(path_of(container, job_id)).json["revisions"]
    assert (done["outcome"], done["tried"]["hinted"]) == ("revised", True)
    [after] = api.get(f"/jobs/{job_id}/recipes").json["recipes"]
    said = read_hints({"surfaces": {"wall": []}})
    assert [read_hints(each["hints"]) for each in (before, after)] == [said, read_hints(hints)]
    assert [each["hinted"] for each in api.get(f"/jobs/{job_id}/quality").json["photos"]] == [True]


def test_a_photo_without_hints_is_hinted_once_it_is_made_again_with_some(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    assert [each["hinted"] for each in api.get(f"/jobs/{job_id}/quality").json["photos"]] == [False]
    api.post(path_of(container, job_id), {"reason": "other", "hints": {"clear": [FLOOR]}})
    revise(container)
    assert [each["hinted"] for each in api.get(f"/jobs/{job_id}/quality").json["photos"]] == [True]


@pytest.mark.parametrize(
    ("hints", "place", "message"),
    [
        ([], "hints", "Give an object."),
        ({"clear": [[[0, 0], [0.5, 2], [0.5, 0.5]]]}, "hints.clear[0][1]", "The point is outside of the picture"),
        ({"things": [{"kind": "clutter", "polygon": FLOOR}]}, "hints.things", "The enhancements of photo 0 do not"),
        ({"surfaces": {"sky": []}}, "hints.surfaces.sky", "sky is not for interior photos."),
        ({"photo": {"sha256": "0a" * 32}}, "hints.photo.sha256", "These hints are for another photo"),
    ],
)
def test_hints_that_are_not_for_the_photo_are_refused_at_their_place(
    api: Api, container: Container, hints: object, place: str, message: str
) -> None:
    job_id = ordered(api, container)
    refused = api.post(path_of(container, job_id), {"reason": "cast", "hints": hints})
    assert refused.status_code == 400
    (found,) = refused.json["details"].items()
    assert (found[0], found[1].startswith(message)) == (place, True), found
    assert rounds(container, job_id) == []


def test_hints_for_a_step_that_was_declined_are_for_a_new_order(api: Api, container: Container) -> None:
    job_id = ordered(api, container, DECLUTTER, STAGING, contents=(photo("HALF"),))
    refused = api.post(path_of(container, job_id), {"reason": "other", "hints": {"clear": [FLOOR]}})
    assert (refused.status_code, [*refused.json["details"]]) == (400, ["hints.clear"])


def test_sent_again_with_the_same_key_it_is_the_same_round(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    path, key = path_of(container, job_id), {"Idempotency-Key": "once"}
    first = api.post(path, {"reason": "cast"}, headers=key)
    revise(container)
    again = api.post(path, {"reason": "cast"}, headers=key)
    assert (again.status_code, again.json) == (202, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(rounds(container, job_id)) == 1
    assert api.post(path, {"reason": "noise"}, headers=key).status_code == 422


def test_a_second_round_while_one_is_open_is_refused_with_its_code(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    path = path_of(container, job_id)
    api.post(path, {"reason": "other"})
    refused = api.post(path, {"reason": "other"})
    assert (refused.status_code, refused.json["code"]) == (409, "conflict")
    assert refused.json["details"] == {"reason": "round_open"}
    [waiting] = api.get(path).json["revisions"]
    assert (waiting["status"], waiting["code"]) == ("in_review", "no_remedy")


def test_a_photo_without_a_result_goes_to_a_person_by_the_id_in_its_report(api: Api, container: Container) -> None:
    job_id = ordered(api, container, contents=(PHOTO, photo("DECLINE")))
    image_id = api.get(f"/jobs/{job_id}/quality").json["photos"][1]["imageId"]
    path = f"/jobs/{job_id}/images/{image_id}/revisions"
    refused = api.post(path, {"reason": "other", "without": "hdr_enhancement", "options": {"brightness": "darker"}})
    assert refused.status_code == 400
    assert refused.json["details"].keys() == {"reason", "without", "options.brightness"}
    sent = api.post(path, {"reason": "no_result", "message": "The room is bright enough."})
    assert (sent.status_code, sent.json["status"], sent.json["code"]) == (202, "in_review", "no_remedy")
    assert "before" not in sent.json
    [waiting] = api.get(path).json["revisions"]
    assert (waiting["id"], waiting["creditsRefunded"], "before" in waiting) == (sent.json["id"], 0, False)
    assert api.get(f"/downloads/{job_id}").json["imageCount"] == 1


def test_before_there_are_results_nothing_can_be_sent_back(api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container, automatic=False)
    refused = api.post(path_of(container, job_id), {"reason": "other"})
    assert (refused.status_code, refused.json["status"]) == (400, "qc_review")


def test_once_the_pictures_are_gone_it_is_too_late(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = ordered(api, container)
    path = path_of(container, job_id)
    clock.pass_(days=7)
    container.sweep.expire_jobs()
    refused = api.post(path, {"reason": "other"})
    assert (refused.status_code, refused.json["code"]) == (410, "retention_ended")
    assert api.get(path).status_code == 404


BAD = [
    {},
    {"reason": "lawn_on_bush"},
    {"reason": "nonsense"},
    {"reason": "other", "message": "x" * 501},
    {"reason": "other", "message": 5},
    {"reason": "other", "without": "sky_enhancement"},
    {"reason": "other", "without": HDR},
    {"reason": "other", "seed": 5},
    {"reason": ["other"]},
]


@pytest.mark.parametrize("body", BAD)
def test_bad_bodies_are_refused_with_the_field(api: Api, container: Container, body: object) -> None:
    job_id = ordered(api, container)
    answer = api.post(path_of(container, job_id), body)
    assert (answer.status_code, answer.json["code"]) == (400, "invalid_request")
    assert answer.json["details"].keys() & {"reason", "message", "without", "seed"}
    assert rounds(container, job_id) == []


def test_a_key_of_another_account_learns_nothing(api: Api, other_api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    path = path_of(container, job_id)
    sent = api.post(path, {"reason": "other"}).json
    assert other_api.post(path, {"reason": "other"}).status_code == 404
    for each in (path, f"{path}/{sent['id']}"):
        assert other_api.get(each).status_code == 404
    assert api.get(f"{path}/rev_{'0' * 22}").status_code == 404


def test_a_pack_says_that_it_holds_an_earlier_picture(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, DECLUTTER)
    path = f"/jobs/{job_id}/packs"
    first = api.post(path, {"mls": "crmls"}).json
    pack_up(container)
    assert api.get(f"{path}/{first['id']}").json["outdated"] is False
    api.post(path_of(container, job_id), {"reason": "cast"})
    revise(container)
    assert api.get(f"{path}/{first['id']}").json["outdated"] is True
    again = api.post(path, {"mls": "crmls"}).json
    assert (again["id"] != first["id"], again["outdated"]) == (True, False)
    pack_up(container)
    assert api.get(f"{path}/{again['id']}").json["outdated"] is False


def test_a_published_page_shows_the_new_picture(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, DECLUTTER)
    page = api.post(f"/jobs/{job_id}/public-page", {"showsAddress": False}).json
    [published] = page["pictures"]
    url = published["url"].removeprefix("http://localhost")
    before = result_of(container, job_id)
    assert before.picture.sha256 in api.client.get(url).text
    api.post(path_of(container, job_id), {"reason": "cast"})
    revise(container)
    develop(container)
    now: Result = result_of(container, job_id)
    shown = api.client.get(url).text
    assert (now.picture.sha256 in shown, before.picture.sha256 in shown) == (True, False)


def test_a_round_is_taken_back_and_does_not_count_where_nothing_was_tried(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    path = path_of(container, job_id)
    for _ in range(6):
        sent = api.post(path, {"reason": "cast"}).json
        over = api.call("DELETE", f"{path}/{sent['id']}")
        assert (over.status_code, over.json["status"], over.json["outcome"]) == (200, "done", "withdrawn")
        assert api.call("DELETE", f"{path}/{sent['id']}").json == over.json
    assert revise(container) == 0
    assert [each["outcome"] for each in api.get(path).json["revisions"]] == ["withdrawn"] * 6
    assert api.post(path, {"reason": "cast"}).json["round"] == 7


def test_a_round_that_is_over_is_not_taken_back(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    path = path_of(container, job_id)
    sent = api.post(path, {"reason": "cast"}).json
    revise(container)
    refused = api.call("DELETE", f"{path}/{sent['id']}")
    assert (refused.status_code, refused.json["details"]) == (409, {"reason": "round_done"})
    assert api.call("DELETE", f"{path}/rev_{'0' * 22}").status_code == 404


def test_a_round_taken_back_after_somebody_tried_counts_and_the_workers_picture_is_dropped(
    api: Api, container: Container
) -> None:
    job_id = ordered(api, container)
    path, before = path_of(container, job_id), result_of(container, job_id)
    for number, flaw in enumerate(("cast", "cast", "noise", "noise", "blob"), 1):
        sent = api.post(path, {"reason": flaw}).json
        assert sent["round"] == number
        with container.database.unit_of_work() as session:
            held = pictures.claim(session, session.get_one(Revision, sent["id"]).made_id or "", container.clock())
        assert api.call("DELETE", f"{path}/{sent['id']}").json["outcome"] == "withdrawn"
        assert held is not None
        worker = photo_worker(container)
        _AnotherPicture(worker, held, worker.engine).run()
    assert result_of(container, job_id).storage_key == before.storage_key
    refused = api.post(path, {"reason": "cast"})
    assert (refused.status_code, refused.json["details"]) == (409, {"reason": "too_many_rounds"})
    lying = [
        each.key for each in container.storage.list_files(f"results/{job_id}/") if "/previews/" not in each.key
    ]
    assert lying == [before.storage_key]
