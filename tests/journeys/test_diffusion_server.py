"""Rooms are made by a server with a real diffusion model; its weights are chance, so that no picture may pass."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from redis import Redis

from app.adapters.generative_http import ImagesEditServer
from app.adapters.generative_limits import LimitedServer
from app.container import Container
from app.models import Job
from app.services.photos.pictures import CallLimits
from engine.pipeline import PictureEngine
from engine.types.report import Reason
from engine.types.server import GenerativeRequest, ServerRefusedError
from tests import reading, scenes
from tests.conftest import Api, photo_worker
from tests.diffusion_process import DiffusionProcess, install
from tests.edit_server import decoded, encoded
from tests.engine.generative_runs import FakeTime
from tests.engine.rooms import ROOMS, Room
from tests.fakes import FakeClock
from tests.journeys.whole import Start
from tests.waiting import eventually

KEY = "key of the operator"
MODEL = "tiny"
CALL_SECONDS = 240.0
TRIES = 3
STAGED = {"style": "scandinavian", "roomType": "living_room"}
FIELDS = ["image", "mask", "model", "n", "prompt", "response_format", "size"]
GATE = {Reason.TOO_MUCH_CHANGED, Reason.STRUCTURE_CHANGED, Reason.DRIFTED, Reason.OPENING_ADDED, Reason.CUT_OFF}
"""What the gate may find in a picture that shows anything but the room."""


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DiffusionProcess]:
    """The server, not started yet."""
    install()
    process = DiffusionProcess(tmp_path_factory.mktemp("diffusion"), KEY)
    yield process
    process.close()


@pytest.fixture
def server(process: DiffusionProcess) -> DiffusionProcess:
    """The server, up whatever the last test did to it."""
    process.be_up()
    return process


def asked(picture: scenes.Picture, first: int, prompt: str) -> GenerativeRequest:
    """A request for a picture that may change from this row on."""
    alpha = np.full(picture.shape[:2], 255, np.uint8)
    alpha[first:] = 0
    mask = np.dstack([255 - alpha, 255 - alpha, 255 - alpha, alpha])
    return GenerativeRequest(encoded(picture), encoded(mask), prompt, CALL_SECONDS)


@pytest.mark.parametrize("size", [(384, 256), (256, 384)])
def test_what_the_model_makes_of_a_prompt_comes_back_at_the_size_asked_and_only_where_it_may_change(
    server: DiffusionProcess, size: tuple[int, int]
) -> None:
    adapter = ImagesEditServer(server.url, KEY, MODEL)
    room = Room().drawn(*size)
    sofa, again, oak = (
        decoded(adapter.edit(asked(room, 150, prompt))) for prompt in ("a sofa", "a sofa", "an oak floor")
    )
    for made in (sofa, oak):
        assert made.shape == room.shape
        assert (made[:150] == room[:150]).all()
        assert difference(made[150:], room[150:]) > 20
    assert (sofa == again).all()
    assert difference(sofa[150:], oak[150:]) > 5


def difference(one: scenes.Picture, other: scenes.Picture) -> float:
    """Levels (of 255) between them, on average."""
    return float(np.abs(one.astype(int) - other).mean())


def test_what_the_server_refuses_is_refused_by_its_code(server: DiffusionProcess) -> None:
    request = asked(Room().drawn(384, 256), 150, "a sofa")
    for adapter, wrong, said in (
        (ImagesEditServer(server.url, "other key", MODEL), request, "status 401 (invalid_api_key)"),
        (ImagesEditServer(server.url, KEY, "other"), request, "status 404 (model_not_found)"),
        (ImagesEditServer(server.url, KEY, MODEL), replace(request, prompt=""), "missing_required_parameter"),
        (ImagesEditServer(server.url, KEY, MODEL), replace(request, mask=request.image), "invalid_image_file"),
        (ImagesEditServer(f"{server.url}/no", KEY, MODEL), request, "status 404 (unknown_url)"),
    ):
        with pytest.raises(ServerRefusedError) as refused:
            adapter.edit(wrong)
        assert said in str(refused.value)


def test_a_photo_waits_for_a_server_killed_amid_its_picture_and_is_judged_once_that_is_back(
    api: Api, container: Container, clock: FakeClock, redis_url: str, process: DiffusionProcess
) -> None:
    with Redis.from_url(redis_url) as redis:
        redis.flushdb()
    process.start("--stop-at-step", "2")
    limited = LimitedServer(ImagesEditServer(process.url, KEY, MODEL), redis_url, most_at_once=1)
    time = FakeTime()
    container.engine = PictureEngine(limited, CALL_SECONDS, time, time.sleep)
    worker = replace(photo_worker(container), calls=CallLimits(per_job=100, check=limited.check))
    wish = {"interiorEnhancements": ["virtual_staging"], "virtualStaging": {"0": STAGED}}
    order = api.order(interior=[scenes.encoded(Room().drawn())], **wish)
    photo_id, job_id, left = order["assets"][0]["id"], order["jobId"], api.credits()

    work = threading.Thread(target=worker.process, args=(photo_id,), daemon=True)
    work.start()
    eventually("the picture is half made", process.halted, CALL_SECONDS)
    assert [each["done"] for each in process.events("step")] == [1, 2]
    assert reading.one(container, Job, job_id).generative_calls == 1
    process.kill()
    work.join()
    assert time.slept == [2, 4, 8]
    assert reading.tries(container, photo_id) == (0, 1)
    assert (api.status(job_id)["status"], api.credits()) == ("processing", left)

    process.start()
    clock.pass_(minutes=1)
    worker.process(photo_id)
    assert reading.tries(container, photo_id) == (1, 1)
    assert len(process.events("answered")) == TRIES
    # The first, and three that found nobody, were paid as well.
    assert reading.one(container, Job, job_id).generative_calls == 4 + TRIES
    assert api.status(job_id)["status"] == "undeliverable"
    assert api.credits() == left + order["creditCost"] == 100
    (step,) = api.get(f"/jobs/{job_id}/quality").json["photos"][0]["steps"]
    assert step["reason"] in GATE


def test_an_order_is_delivered_without_what_the_checks_refused_and_that_is_given_back(
    tmp_path: Path, started: Start, server: DiffusionProcess
) -> None:
    chosen = {"GENERATIVE_URL": server.url, "GENERATIVE_KEY": KEY, "GENERATIVE_MODEL": MODEL}
    limits = {"GENERATIVE_CONCURRENCY": "1", "GENERATIVE_CALLS_PER_JOB": "4", "GENERATIVE_TIMEOUT_SECONDS": "240"}
    before = len(server.events("asked"))
    with started(tmp_path, **chosen, **limits) as service:
        client = service.client()
        files = client.upload({"interior": [scenes.encoded(room.drawn()) for room in ROOMS[:2]]})
        order = client.order(
            files,
            serviceType="interior",
            interiorEnhancements=["hdr_enhancement", "virtual_staging"],
            virtualStaging={"0": STAGED, "1": STAGED},
        )
        status = client.settled(order["jobId"])
        quality = client.call("GET", f"/jobs/{order['jobId']}/quality")
        images = client.call("GET", f"/downloads/{order['jobId']}")["images"]
        with service.books() as here:
            assert reading.one(here, Job, order["jobId"]).generative_calls == 4
        assert service.mismatches() == []
    asks = server.events("asked")[before:]
    assert [each["names"] for each in asks] == [FIELDS] * 4
    assert {each["at_once"] for each in asks} == {1}
    assert all("Scandinavian" in each["prompt"] for each in asks)
    # Staging costs 1 for each room, and none was sold; what this machine makes by itself was.
    assert (status["status"], order["creditCost"], status["creditsRefunded"]) == ("approved", 3, 2)
    assert [each["enhancements"] for each in images] == [["hdr_enhancement"]] * 2
    reasons = {reason_of_staging(photo) for photo in quality["photos"]}
    assert Reason.SPEND_LIMIT in reasons
    assert reasons <= {Reason.SPEND_LIMIT, *GATE}


def reason_of_staging(photo: dict[str, Any]) -> str:
    """Why the room was not staged."""
    (reason,) = (each["reason"] for each in photo["steps"] if each["enhancement"] == "virtual_staging")
    return str(reason)
