"""A photo worked on through RQ itself, and the watch over a claim."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer
from rq.timeouts import TimerDeathPenalty

from app.adapters.queue_rq import RqQueue
from app.cli import process_commands as cli
from app.container import Container
from app.domain.ports import PHOTO_QUEUES, QueueName
from app.tasks import limits, periodic, runtime, worker
from tests.conftest import PHOTO, Api
from tests.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]


class HereWorker(SimpleWorker):
    """RQ's worker in this very process."""

    death_penalty_class = TimerDeathPenalty


def test_a_wake_up_is_answered_by_a_worker(
    api: Api, container: Container, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = Redis.from_url(redis_url)
    connection.flushdb()
    container.queue = RqQueue(redis_url)
    monkeypatch.setattr(limits, "apply", lambda: None)
    runtime.use(container)
    order = api.order(interior=[PHOTO, PHOTO])
    assert container.queue.count_waiting(QueueName.PHOTOS) == 2
    waiting = Queue(QueueName.PHOTOS, connection=connection, serializer=JSONSerializer)
    HereWorker([waiting], connection=connection, serializer=JSONSerializer).work(burst=True)
    assert api.status(order["jobId"])["status"] == "approved"
    # Left are the wake-ups for previews, which wait for their own workers; the mail waits for its pictures.
    left = container.queue.count_waiting(QueueName.PREVIEWS)
    assert left
    assert len(connection.keys("rq:job:*")) == left


@pytest.fixture
def taken(redis_url: str) -> Iterator[Callable[[], list[str]]]:
    """The queues from which one worker for photos and rooms takes all wake-ups that wait, in that order."""
    connection = Redis.from_url(redis_url)
    connection.flushdb()
    both = [Queue(each, connection=connection, serializer=JSONSerializer) for each in PHOTO_QUEUES.values()]
    parts = {"connection": connection, "serializer": JSONSerializer, "prepare_for_work": False}

    def take() -> list[str]:
        found = []
        one = worker.ManyQueuesWorker(both, **parts)
        # No timeout: without a wake-up it does not wait for one.
        while (answered := one.dequeue_job_and_maintain_ttl(None)) is not None:
            found.append(answered[1].name)
        return found

    yield take
    connection.flushdb()


def test_photos_go_before_rooms_which_are_served_however_many_photos_come(
    redis_url: str, taken: Callable[[], list[str]]
) -> None:
    queue, many = RqQueue(redis_url), 2 * worker.LAST_QUEUE_INTERVAL + 3
    queue.notify(QueueName.ROOMS, [f"pho_{number}" for number in range(4)])
    queue.notify(QueueName.PHOTOS, [f"pho_{number}" for number in range(many)])
    found = taken()
    rooms = [place for place, name in enumerate(found) if name == QueueName.ROOMS]
    assert rooms == [worker.LAST_QUEUE_INTERVAL, 2 * worker.LAST_QUEUE_INTERVAL, len(found) - 2, len(found) - 1]
    assert len(found) == many + 4


def test_where_no_room_waits_photos_alone_are_served(redis_url: str, taken: Callable[[], list[str]]) -> None:
    RqQueue(redis_url).notify(QueueName.PHOTOS, ["pho_1"] * (worker.LAST_QUEUE_INTERVAL + 2))
    assert taken() == [QueueName.PHOTOS] * (worker.LAST_QUEUE_INTERVAL + 2)


def test_a_wake_up_for_a_room_is_answered_by_a_worker(
    api: Api, container: Container, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = Redis.from_url(redis_url)
    connection.flushdb()
    container.queue = RqQueue(redis_url)
    monkeypatch.setattr(limits, "apply", lambda: None)
    runtime.use(container)
    order = api.order(interior=[PHOTO], interiorEnhancements=["virtual_staging"])
    assert [container.queue.count_waiting(each) for each in (QueueName.PHOTOS, QueueName.ROOMS)] == [0, 1]
    rooms = Queue(QueueName.ROOMS, connection=connection, serializer=JSONSerializer)
    HereWorker([rooms], connection=connection, serializer=JSONSerializer).work(burst=True)
    assert api.status(order["jobId"])["progress"]["percentage"] == 100


def test_a_worker_for_photos_works_on_rooms_too_unless_it_is_told_not_to(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[QueueName, ...]] = []
    monkeypatch.setattr(cli, "_container", lambda *_, **__: container)
    monkeypatch.setattr(cli, "work", lambda _container, *queue_names: asked.append(queue_names))
    for words in ([], ["photos"], ["photos", "--no-rooms"], ["rooms"], ["mail"]):
        assert CliRunner().invoke(cli.processes, ["work", *words]).exit_code == 0
    both = (QueueName.PHOTOS, QueueName.ROOMS)
    assert asked == [both, both, (QueueName.PHOTOS,), (QueueName.ROOMS,), (QueueName.MAIL,)]


def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)


# Each claim is watched in a process of its own, which the watch may end; what they need is loaded once.
WATCH = """
import json, os, sys, time
from app.services.leases import ClaimCallbacks
from app.tasks import watch

def work(renew, seconds, keep, nap):
    watch.TICK_SECONDS, watch.RENEW_SECONDS, watch.WORK_SECONDS = 0.01, renew, seconds
    with watch.watch(ClaimCallbacks(eval(keep), lambda: print("given up", flush=True), lambda: None)):
        time.sleep(nap)
    print("finished", flush=True)

for name, case in json.loads(sys.argv[1]).items():
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, sys.stdout.fileno())
        work(**case)
        os._exit(0)
    os.close(writing)
    said = open(reading).read()
    print(json.dumps([name, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said]), flush=True)
"""
CASES = {
    "kept": {"renew": 0.02, "seconds": 60, "keep": "lambda: True", "nap": 0.2},
    "lost": {"renew": 0.02, "seconds": 60, "keep": "lambda: False", "nap": 60},
    "too long": {"renew": 60, "seconds": 0.05, "keep": "lambda: True", "nap": 60},
    "database away": {"renew": 0.02, "seconds": 60, "keep": "lambda: 1 / 0", "nap": 0.2},
}


@pytest.fixture(scope="module")
def ended() -> dict[str, tuple[int, str]]:
    """How the work under each claim ended: the exit status of its process, and what it said."""
    done = run(WATCH, json.dumps(CASES))
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {name: (status, said) for name, status, said in lines}


def test_work_under_a_kept_claim_is_left_alone(ended: dict[str, tuple[int, str]]) -> None:
    assert ended["kept"] == (0, "finished\n")


def test_a_lost_claim_ends_the_process(ended: dict[str, tuple[int, str]]) -> None:
    assert ended["lost"] == (1, "")


def test_work_that_takes_too_long_is_given_up_and_ended(ended: dict[str, tuple[int, str]]) -> None:
    assert ended["too long"] == (1, "given up\n")


def test_a_database_that_is_away_for_a_moment_ends_nothing(ended: dict[str, tuple[int, str]]) -> None:
    assert ended["database away"] == (0, "finished\n")


def test_when_its_worker_dies_the_claim_is_released_and_the_process_ends() -> None:
    program = """
import os, time
reading, writing = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.close(reading)
        from app.services.leases import ClaimCallbacks
        from app.tasks import watch
        watch.TICK_SECONDS = 0.01
        with watch.watch(ClaimCallbacks(lambda: True, lambda: None, lambda: os.write(writing, b"released"))):
            os.write(writing, b"watching")
            time.sleep(60)
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


@pytest.mark.long
def test_a_process_that_lowers_its_priority_has_the_least_there_is() -> None:
    lowered = (
        "import os; from app.tasks import limits, worker; os.nice(worker.PICTURE_NICENESS); limits.lower_priority()"
    )
    # It ends at once: to tidy up takes a process of no priority a minute beside busy ones.
    answer = "os.write(1, b'%a' % (os.sched_getscheduler(0) == os.SCHED_IDLE)); os._exit(0)"
    assert run(f"{lowered}; {answer}").stdout == "True"


def test_every_public_act_of_the_sweep_has_a_timer(container: Container) -> None:
    timed = {timer.name.replace(" ", "_") for timer in periodic.timers(container.sweep)}
    acts = {name for name in dir(container.sweep) if not name.startswith("_")}
    fields = set(container.sweep.__slots__)
    assert acts - fields - {"everything", "timers"} == timed
