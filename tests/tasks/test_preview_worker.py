"""Previews made through RQ itself, in forked work-horses: whatever a file does, the queue lives and settles it."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.attempts import PREVIEWS
from app.domain.lifecycle import WorkState
from app.domain.ports import QueueName
from app.models import Preview
from app.services.previews import previews
from app.services.previews import worker as preview_worker
from app.tasks import limits, watch, worker
from app.tasks import previews as task
from engine.preview import PicturePreviews
from engine.types.pictures import PreviewSize
from tests import acts
from tests.conftest import PHOTO
from tests.fakes import FakePreviewMaker
from tests.scenes import encoded, room
from tests.tasks.conftest import Run
from tests.waiting import PATIENCE_SECONDS

HOSTILE = Path(__file__).resolve().parents[3] / "shared" / "photos" / "hostile"
FILES = sorted(HOSTILE.iterdir()) if HOSTILE.is_dir() else []
FOLDER = "uploads/ups_1/"


def want(container: Container, name: str, content: bytes) -> None:
    acts.put(container.storage, FOLDER + name, content)
    with container.database.unit_of_work() as session:
        previews.request(session, FOLDER + name, FOLDER, container.clock())


def rows(container: Container) -> dict[str, Preview]:
    with container.database.read_session() as session:
        return {row.source_key.removeprefix(FOLDER): row for row in session.scalars(select(Preview))}


def break_on(marker: bytes, container: Container, act: Callable[[], None]) -> None:
    """Let one file do this to the process that opens it."""

    class Maker(FakePreviewMaker):
        def make(self, picture, wanted):
            if marker in picture.read():
                act()
            picture.seek(0)
            return super().make(picture, wanted)

    container.previews = Maker()


def test_what_decodes_customers_files_is_forked_and_lets_pages_go_first_and_nothing_else(
    container, monkeypatch
) -> None:
    forked, nicer, niceness = {}, [], []

    def stand_in(forks: bool) -> type:
        class Stub:
            def __init__(self, queues, **_):
                self.queue_name = queues[0].name

            def work(self, **_):
                forked[self.queue_name] = forks

        return Stub

    monkeypatch.setattr(worker, "ForkingWorker", stand_in(True))
    monkeypatch.setattr(worker, "PlainWorker", stand_in(False))

    def nice(more: int) -> int:
        nicer.append(more)
        return sum(nicer)

    monkeypatch.setattr(worker.os, "nice", nice)
    for queue_name in QueueName:
        nicer.clear()
        worker.work(container, queue_name)
        niceness.append((queue_name, sum(nicer)))
        nicer[:] = [worker.PICTURE_NICENESS]
        worker.work(container, queue_name)
        assert sum(nicer) == worker.PICTURE_NICENESS, "one that was started nicer stays so"
    assert dict(niceness) == {each: 10 if each in worker.PICTURE_QUEUES else 0 for each in QueueName}
    forking = (QueueName.PHOTOS, QueueName.ROOMS, QueueName.PREVIEWS)
    assert forked == {queue_name: queue_name in forking for queue_name in QueueName}


def data_bytes() -> int:
    """How much data this process has taken: what the limit counts."""
    status = Path("/proc/self/status").read_text()
    line = next(each for each in status.splitlines() if each.startswith("VmData:"))
    return int(line.split()[1]) * 1024


@pytest.mark.long
def test_rings_are_answered_by_a_forked_worker(container: Container, run: Run) -> None:
    container.previews = PicturePreviews()
    want(container, "interior-0", encoded(room()))
    run()
    assert rows(container)["interior-0"].width == 480
    assert container.storage.stat(previews.key_of(FOLDER + "interior-0", PreviewSize.THUMB))
    assert container.queue.count_waiting(QueueName.PREVIEWS) == 0


def test_a_file_that_crashes_its_process_holds_nobody_up_and_is_given_up(container, run: Run, clock) -> None:
    break_on(b"EVIL", container, lambda: os.kill(os.getpid(), signal.SIGKILL))
    want(container, "interior-0", PHOTO + b"EVIL")
    want(container, "interior-1", PHOTO)
    run()
    assert rows(container)["interior-1"].width == 4
    assert rows(container)["interior-0"].state is WorkState.WORKING
    for _ in range(PREVIEWS.max_attempts):
        clock.pass_(seconds=PREVIEWS.lease.total_seconds() + 1)
        container.sweep.notify_due_previews()
        run()
    settled = rows(container)["interior-0"]
    assert (settled.state, settled.error) == (WorkState.DONE, previews.GIVEN_UP)


@pytest.mark.long
def test_a_file_that_takes_too_long_is_ended_and_given_up_at_once(
    container: Container, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task, "WORK_SECONDS", 2.0)
    monkeypatch.setattr(watch, "TICK_SECONDS", 0.02)
    break_on(b"SLOW", container, lambda: time.sleep(PATIENCE_SECONDS))
    want(container, "interior-0", PHOTO + b"SLOW")
    want(container, "interior-1", PHOTO)
    began = time.monotonic()
    run()
    assert time.monotonic() - began < PATIENCE_SECONDS / 2
    settled = rows(container)["interior-0"]
    assert (settled.state, settled.error) == (WorkState.DONE, preview_worker.TOO_SLOW)
    assert rows(container)["interior-1"].width == 4


def test_a_file_that_wants_too_much_memory_is_refused_it(
    container: Container, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The forked worker begins with all that the tests before it have left in memory.
    monkeypatch.setattr(limits, "MEMORY_BYTES", data_bytes() + 2**30)
    break_on(b"HUNGRY", container, lambda: bytearray(2**33))
    want(container, "interior-0", PHOTO + b"HUNGRY")
    run()
    assert rows(container)["interior-0"].state is WorkState.WAITING


@pytest.mark.long
@pytest.mark.skipif(not FILES, reason="the hand-out photos are not here")
def test_every_hostile_file_ends_with_a_preview_or_a_reason_and_the_lane_lives(container, run: Run) -> None:
    container.previews = PicturePreviews()
    for number, file in enumerate(FILES):
        want(container, f"interior-{number}", file.read_bytes())
    want(container, "good", encoded(room()))
    run()
    settled = rows(container)
    assert {row.state for row in settled.values()} == {WorkState.DONE}
    assert all((row.width is None) != (row.error is None) for row in settled.values())
    assert all(row.error.endswith(".") for row in settled.values() if row.error)
    assert settled["good"].width == 480
    assert sum(row.error is not None for row in settled.values()) > len(FILES) / 4
    assert container.queue.count_waiting(QueueName.PREVIEWS) == 0
