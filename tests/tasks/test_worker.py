"""A photo worked on through RQ itself, and the watch over a claim."""

import subprocess
import sys
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer
from rq.timeouts import TimerDeathPenalty

from app.adapters.queue_rq import RqQueue
from app.container import Container
from app.domain.ports import Lane
from app.tasks import limits, periodic, runtime
from tests.conftest import PHOTO, Api

ROOT = Path(__file__).parents[2]


class HereWorker(SimpleWorker):
    """RQ's worker in this very process."""

    death_penalty_class = TimerDeathPenalty


def test_a_ring_is_answered_by_a_worker(
    api: Api, container: Container, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = Redis.from_url(redis_url)
    connection.flushdb()
    container.queue = RqQueue(redis_url)
    monkeypatch.setattr(limits, "apply", lambda: None)
    runtime.use(container)
    order = api.order(interior=[PHOTO, PHOTO])
    assert container.queue.waiting(Lane.PHOTOS) == 2
    worker = HereWorker(
        [Queue(Lane.PHOTOS, connection=connection, serializer=JSONSerializer)],
        connection=connection,
        serializer=JSONSerializer,
    )
    worker.work(burst=True)
    assert api.status(order["jobId"])["status"] == "approved"
    # What is left are the rings for previews and for the mail that tells of it, which wait for their own workers.
    left = [container.queue.waiting(lane) for lane in (Lane.PREVIEWS, Lane.MAIL)]
    assert all(left)
    assert len(connection.keys("rq:job:*")) == sum(left)


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
    )


WATCH = """
import os, sys, time
from app.services.processing import Hold
from app.tasks import watch
watch.TICK_SECONDS, watch.RENEW_SECONDS = 0.01, {renew}
watch.WORK_SECONDS = {work}
with watch.watch(Hold({keep}, lambda: print("given up", flush=True), lambda: None)):
    time.sleep({nap})
print("finished")
"""


def test_work_under_a_kept_claim_is_left_alone() -> None:
    done = run(WATCH.format(renew=0.02, work=60, keep="lambda: True", nap=0.2))
    assert (done.returncode, done.stdout) == (0, "finished\n")


def test_a_lost_claim_ends_the_process() -> None:
    done = run(WATCH.format(renew=0.02, work=60, keep="lambda: False", nap=20))
    assert (done.returncode, done.stdout) == (1, "")


def test_work_that_takes_too_long_is_given_up_and_ended() -> None:
    done = run(WATCH.format(renew=60, work=0.05, keep="lambda: True", nap=20))
    assert (done.returncode, done.stdout) == (1, "given up\n")


def test_a_database_that_is_away_for_a_moment_ends_nothing() -> None:
    done = run(WATCH.format(renew=0.02, work=60, keep="lambda: 1 / 0", nap=0.2))
    assert (done.returncode, done.stdout) == (0, "finished\n")


def test_when_its_worker_dies_the_claim_is_released_and_the_process_ends() -> None:
    program = """
import os, time
reading, writing = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.close(reading)
        from app.services.processing import Hold
        from app.tasks import watch
        watch.TICK_SECONDS = 0.01
        with watch.watch(Hold(lambda: True, lambda: None, lambda: os.write(writing, b"released"))):
            os.write(writing, b"watching")
            time.sleep(20)
        os.write(writing, b"survived")
    else:
        os.read(reading, 8)
        os._exit(9)
else:
    os.wait()
    os.close(writing)
    print(os.read(reading, 100), os.read(reading, 100))
"""
    assert run(program).stdout == "b'released' b''\n"


def test_a_work_horse_that_wants_too_much_memory_is_refused_it() -> None:
    program = "from app.tasks import limits; limits.MEMORY_BYTES = 2**29; limits.apply(); bytearray(2**30)"
    assert "MemoryError" in run(program).stderr


def test_every_public_act_of_the_sweep_has_a_timer(container: Container) -> None:
    timed = {timer.act.__name__ for timer in periodic.timers(container.sweep)}
    acts = {name for name in dir(container.sweep) if not name.startswith("_")}
    fields = set(container.sweep.__slots__)
    assert acts - fields - {"everything"} == timed
