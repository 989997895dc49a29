"""The command in processes of its own: the same results whatever their number, nothing half done when stopped."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.batch.files import write_whole
from engine.batch.processes import Workers
from engine.types.enhancements import Enhancement
from tests import scenes
from tests.engine.command_line import ran
from tests.waiting import eventually

ROOT = Path(__file__).resolve().parents[2]
MANY = 10
SIZES = ((240, 160), (1200, 800))


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "engine", *(str(word) for word in words)]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(3):
        picture = scenes.house(240 + 60 * number, 160 + 40 * number)
        (folder / f"house{number}.jpg").write_bytes(scenes.encoded(picture))
    (folder / "house1a.jpg").write_bytes(b"\xff\xd8\xffbroken")
    return folder


def written(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.long
def test_two_processes_write_and_say_what_one_does(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = []
    for jobs in (1, 2):
        out = tmp_path / f"jobs{jobs}"
        out.mkdir()
        monkeypatch.chdir(out)
        words = ("--steps", Enhancement.GRASS, "--out", "out", "--masks", "masks", "--report", "report.json")
        done = ran(photos, *words, "--jobs", jobs)
        said.append((done.exit_code, done.stdout, done.stderr))
    assert said[0][:2] == (1, "3 of 4 photos done\n"), said
    assert said[0] == said[1]
    assert len(written(tmp_path / "jobs1")) == 3 + 3 + 1
    assert written(tmp_path / "jobs1") == written(tmp_path / "jobs2")


@pytest.fixture
def _interrupts_heard() -> Iterator[None]:
    """What a shell starts in its background ignores interrupts, and so does all that it starts: not here."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.long
@pytest.mark.usefixtures("_interrupts_heard")
def test_an_interrupt_leaves_whole_files_only_and_no_process(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    # The first is small and done long before the last, however slowly this process is woken.
    first, other = (scenes.encoded(scenes.house(*size)) for size in SIZES)
    for number in range(MANY):
        (tmp_path / "photos" / f"{number:03}.jpg").write_bytes(other if number else first)
    words = (
        "--steps",
        f"{Enhancement.GRASS},{Enhancement.SKY},{Enhancement.TWILIGHT}",
        "--out",
        tmp_path / "out",
        "--jobs",
        2,
        "--report",
        tmp_path / "report.json",
    )
    arguments = command(tmp_path / "photos", *words)
    with subprocess.Popen(arguments, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True) as run:
        eventually("a first result", lambda: list(tmp_path.glob("out/*.jpg")))
        run.send_signal(signal.SIGINT)
        _, stderr = run.communicate(timeout=120)
        assert (run.returncode, stderr) == (130, "Interrupted; what is written is whole.\n")
    eventually("the end of every process of the group", lambda: _gone(run.pid))
    done = list((tmp_path / "out").iterdir())
    assert 0 < len(done) < MANY
    assert {scenes.decoded(path.read_bytes()).shape[1::-1] for path in done} <= set(SIZES)
    assert not (tmp_path / "report.json").exists()


def _gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.long
def test_answers_come_in_order_and_few_things_are_taken_ahead(tmp_path: Path) -> None:
    taken = []

    def things() -> Iterator[tuple[Path, int]]:
        for number in range(40):
            taken.append(number)
            yield tmp_path, number

    with Workers(2) as workers:
        answers = workers.map_in_order(_doubled, things())
        assert [next(answers) for _ in range(5)] == [0, 2, 4, 6, 8]
        assert len(taken) <= 5 + 3


def _doubled(thing: tuple[Path, int]) -> int:
    """Twice the number; the first comes after the second, in another process."""
    folder, number = thing
    if number == 0:
        eventually("the second answer", (folder / "1").exists)
    (folder / str(number)).touch()
    return number * 2


def test_a_file_that_cannot_be_finished_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "front.jpg"
    write_whole(path, b"old")

    def interrupted(self: Path, content: bytes) -> int:
        with self.open("wb") as stream:
            stream.write(content[:1])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["front.jpg"]
    assert path.read_bytes() == b"old"
