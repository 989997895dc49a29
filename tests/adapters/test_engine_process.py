"""The engine in a process of its own: the same pictures, and no harm by a process that does anything else."""

import io
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.adapters import engine_process
from app.adapters.engine_process import ChildEngine, describe_engine
from app.domain.engines import EngineFailedError, EngineMissingError, EngineRelease
from app.domain.ports import StorageUnavailableError
from app.settings import plain_environment
from app.tasks import watch
from engine.messages import MAX_HEAD_BYTES, MessageError, read_message
from engine.pipeline import PictureEngine
from engine.types.appearance import SharedAppearance
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, RoomType, Style
from engine.types.hints import HintedSurface, Piece, PlacementHint, SceneHints, ThingHint, ThingKind
from engine.types.json_form import UnknownPartError, read_json
from engine.types.options import Brightness, EffectOptions
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason
from engine.types.server import GenerativeRequest, ServerBusyError, ServerRefusedError, ServerUnavailableError
from engine.version import engine_version
from tests import releases, scenes
from tests.waiting import eventually

HDR = EditRequest(enhancements=(Enhancement.HDR,))
ROOM = scenes.encoded(scenes.room(cast=(1.1, 1.0, 0.9)))
FLOOR = ((0.1, 0.7), (0.9, 0.7), (0.9, 0.95))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., ChildEngine]]:
    """An engine whose process runs this program."""
    started = []

    def start(program: str, **given: object) -> ChildEngine:
        release = EngineRelease(engine_version(), releases.write_child(tmp_path, program))
        started.append(ChildEngine(release, plain_environment(), **given))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.fixture
def real(tmp_path: Path) -> Iterator[ChildEngine]:
    python = releases.make_python(tmp_path, releases.HERE.parent)
    engine = ChildEngine(EngineRelease(engine_version(), python), plain_environment(), call_seconds=5)
    yield engine
    engine.close()


def make(engine: ChildEngine, request: EditRequest = HDR, **context: object) -> object:
    return engine.enhance(io.BytesIO(ROOM), request, EngineContext(**context))


def test_a_recipe_gives_the_same_bytes_and_the_same_report(real: ChildEngine) -> None:
    request = EditRequest(
        enhancements=(Enhancement.DECLUTTER, Enhancement.STAGING, Enhancement.HDR),
        staging=Staging(Style.SCANDINAVIAN, RoomType.LIVING_ROOM),
        options=EffectOptions(brightness=Brightness.BRIGHTER),
        hints=SceneHints(
            surfaces={HintedSurface.FLOOR: (FLOOR,)},
            things=(ThingHint(ThingKind.CLUTTER, FLOOR),),
            placements=(PlacementHint(Piece.SOFA, (0.5, 0.8), (0.5, 0.5)),),
        ),
    )
    frames = [scenes.encoded(scenes.room(cast=(1.1, 1.0, 0.9)) // part) for part in (1, 2)]
    appearance = SharedAppearance(cast_indoors=(1.1, 1.0, 0.9), brightness_indoors=0.4)
    context = EngineContext(
        order_seed="job_1",
        photo_seed=3,
        strength=0.6,
        appearance=appearance,
        frames=[lambda: io.BytesIO(frames[0]), lambda: io.BytesIO(frames[1])],
    )
    for asked, given in ((request, replace(context, frames=())), (HDR, context)):
        here = PictureEngine().enhance(io.BytesIO(ROOM), asked, given)
        assert here.picture is not None
        assert real.enhance(io.BytesIO(ROOM), asked, given) == here
    light = PictureEngine().estimate_light(io.BytesIO(ROOM))
    assert real.estimate_light(io.BytesIO(ROOM)) == light


class Server:
    """A generative server that answers with this, and remembers what it was asked."""

    def __init__(self, answer: Exception | bytes) -> None:
        self.answer = answer
        self.asked: list[GenerativeRequest] = []

    def edit(self, request: GenerativeRequest) -> bytes:
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


LIKE = RenovationChange(ChangeType.FLOOR, "A floor like in the picture", reference_images=("uploads/a/ref",))
RENOVATION = EditRequest(enhancements=(Enhancement.RENOVATION,), changes=(LIKE,))


def open_room(key: str) -> io.BytesIO:
    assert key == "uploads/a/ref"
    return io.BytesIO(ROOM)


def test_the_server_is_asked_by_the_service_and_its_refusals_arrive(real: ChildEngine) -> None:
    real.server = server = Server(ServerRefusedError("no"))
    for answer, why in ((server.answer, Reason.SERVER_REFUSED), (b"no picture", Reason.ANSWER_UNUSABLE)):
        server.answer = answer
        done = make(real, RENOVATION, spend=lambda: True, open_reference=open_room)
        assert [each.reason for each in done.report.steps] == [why]
    assert server.asked[0].mask is not None
    assert server.asked[0].references
    server.answer = ServerBusyError("later", 1000.0)
    with pytest.raises(ServerUnavailableError):
        make(real, RENOVATION, spend=lambda: True, open_reference=open_room, may_wait=True)
    server.asked.clear()
    done = make(real, RENOVATION, spend=lambda: False, open_reference=open_room)
    assert done.report.steps[0].reason is Reason.SPEND_LIMIT
    assert server.asked == []


def test_what_the_store_cannot_give_now_is_told_as_that(real: ChildEngine) -> None:
    def away(_key: str) -> io.BytesIO:
        raise StorageUnavailableError("away")

    real.server = Server(b"")
    with pytest.raises(StorageUnavailableError):
        make(real, RENOVATION, spend=lambda: True, open_reference=away)
    assert make(real).picture is not None, "another process is started"


def test_a_part_of_an_order_that_a_release_does_not_know_is_refused_by_name(tmp_path: Path) -> None:
    python = releases.make_release(tmp_path, "0.13.0")
    text = (tmp_path / "engine/types/options.py").read_text()
    (tmp_path / "engine/types/options.py").write_text(
        text.replace('BRIGHTER = "brighter"', 'BRIGHTER = "dazzling"')
    )
    pipeline, begin = tmp_path / "engine/pipeline.py", '        with _measure_time("decode", self.observe):'
    pipeline.write_text(
        pipeline.read_text().replace(begin, f'        print("words of a library", flush=True)\n{begin}')
    )
    (tmp_path / "engine/segmentation/weights/faces.tflite").unlink(missing_ok=True)
    described = describe_engine(python, {})
    assert described.options["privacy"] == {"as_shot"}, "faces cannot be blurred without their detector"
    engine = ChildEngine(EngineRelease(described.version, python), {})
    assert engine.release.version.startswith("0.13.0+")
    with pytest.raises(UnusablePhotoError, match=r"The engine 0\.13\.0.* does not know .*brighter"):
        make(engine, replace(HDR, options=EffectOptions(brightness=Brightness.BRIGHTER)))
    assert make(engine).picture is not None, "what a library prints is no message"
    engine.close()


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (EditRequest, {"enhancements": ["sky_enhancement"], "moon": True}),
        (EditRequest, {"enhancements": ["moon"]}),
        (EditRequest, {"enhancements": "sky_enhancement"}),
        (EditRequest, {"hints": {"clear": [[[0, 1, 2]]]}}),
        (EditRequest, {"hints": {"surfaces": {"moon": []}}}),
        (EditRequest, []),
        (SharedAppearance, {"sun_side": True}),
        (SharedAppearance, {"sun_side": "left"}),
    ],
)
def test_nothing_of_a_request_is_skipped_because_it_is_not_known(kind: type, value: object) -> None:
    with pytest.raises(UnknownPartError):
        read_json(kind, value)


NO_ENGINE = {
    "ends at once": "sys.exit(1)",
    "prints words": "print('Python 3.11')",
    "prints another message": "say(MessageKind.DONE)",
    "prints half a message": 'sys.stdout.write(\'{"kind": "hello"\')',
    "prints other values": "hello(protocol='x')",
    "prints without end": "while True: sys.stdout.write('x' * 1000)",
    "prints words for people without end": "os.dup2(1, 2)\nwhile True: sys.stderr.write('x' * 1000)",
    "has a file without end": 'print(\'{"kind":"hello","files":[1099511627776]}\', flush=True); time.sleep(60)',
    "hangs": "time.sleep(60)",
}


@pytest.mark.parametrize("program", NO_ENGINE.values(), ids=NO_ENGINE)
def test_an_interpreter_without_an_engine_is_missing_one(tmp_path: Path, program: str) -> None:
    with pytest.raises(EngineMissingError, match="runs no engine"):
        describe_engine(releases.write_child(tmp_path, program), {}, seconds=3 if "sleep" in program else 30)


def test_an_interpreter_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    python = releases.write(tmp_path / "python", f"sleep 600 & echo $! > {tmp_path}/pid; wait")
    with pytest.raises(EngineMissingError, match="it took too long"):
        describe_engine(python, plain_environment(), seconds=1)
    eventually("the end of what it started", lambda: not _lives(int((tmp_path / "pid").read_text())))


def test_a_message_that_is_too_large_is_not_read() -> None:
    head = b'{"kind": "done", "files": [11]}\n'
    stream = io.BytesIO(head + bytes(11))
    with pytest.raises(MessageError, match="more than 10"):
        read_message(stream, 10)
    assert stream.tell() == len(head)
    stream = io.BytesIO(b"x" * (MAX_HEAD_BYTES + 9))
    with pytest.raises(MessageError, match="more than"):
        read_message(stream, 10)
    assert stream.tell() == MAX_HEAD_BYTES + 1


def test_a_path_without_an_interpreter_is_missing_one_too(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(EngineMissingError, match="cannot be started"):
            describe_engine(str(path), {})
    with pytest.raises(EngineMissingError, match=r"status 3: …no such module"):
        describe_engine(releases.write(tmp_path / "python", "echo no such module >&2; exit 3"), {})


def test_another_engine_than_the_one_that_was_added_is_missing(start: Callable[..., ChildEngine]) -> None:
    for other in ("version='0.1.0+00000000'", "protocol=2"):
        with pytest.raises(EngineMissingError, match=r"runs the engine .*, not "):
            make(start(f"hello({other}); hear()"))


FAILS = {
    "crashes": "os.abort()",
    "ends": "sys.exit(0)",
    "answers nonsense": "print('done', flush=True)",
    "answers half": "say(MessageKind.DONE)",
    "answers another report": "say(MessageKind.DONE, picture=None, report={'steps': 1})",
    "answers another format": "done(b'GIF', media_type='image/gif', width=1, height=1)",
    "answers without the picture": "done(media_type='image/png', width=1, height=1)",
    "answers half of the facts": "done(b'PNG', media_type='image/png')",
    "answers for an unknown reason": "say(MessageKind.UNUSABLE, reason='moon', text='')",
    "asks for nothing": "say(MessageKind.REFERENCE)",
    "asks for an edit of nothing": "say(MessageKind.EDIT, masked=True, prompt='', timeout_seconds=1)",
    "takes too long": "time.sleep(60)",
    "writes without end": 'print(\'{"kind": "done", "files": [600000000]}\'); sys.stdout.write(\'x\' * 10**6)',
}


@pytest.mark.parametrize("program", FAILS.values(), ids=FAILS)
def test_a_process_that_fails_on_a_photo_is_ended_and_started_again(
    start: Callable[..., ChildEngine], program: str
) -> None:
    engine = start(f"hello(); hear()\n{program}\nhear()", seconds=2.0 if "sleep" in program else 30.0)
    for _ in range(2):
        with pytest.raises(EngineFailedError):
            make(engine)


def test_a_process_gets_no_files_of_others_and_no_call_that_is_not_paid(start: Callable[..., ChildEngine]) -> None:
    engine = start(
        """
        hello(); hear()
        say(MessageKind.REFERENCE, key='uploads/of-another'); first = hear()
        say(MessageKind.EDIT, b'x', masked=False, prompt='', timeout_seconds=1); second = hear()
        say(MessageKind.FAILED, text=f"{first.head['error']} {second.head['error']} {len(first.files)}")
        hear()
        """,
        server=Server(b"edited"),
    )
    with pytest.raises(EngineFailedError, match="FileNotFoundError ServerRefusedError 0"):
        make(engine, open_reference=lambda _key: io.BytesIO(b"secret"), spend=lambda: True)
    assert engine.server.asked == []


def test_a_process_has_none_of_the_settings_and_the_limits_of_its_parent(
    start: Callable[..., ChildEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "s" * 40)
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    engine = start(
        """
        import resource
        hello(); hear()
        say(MessageKind.FAILED, text=f"{sorted(os.environ)} {resource.getrlimit(resource.RLIMIT_CORE)[0]}"); hear()
        """
    )
    before = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, before[1]))
    try:
        with pytest.raises(EngineFailedError) as failed:
            make(engine)
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, before)
    assert "secret" not in str(failed.value).lower()
    assert "DATABASE_URL" not in str(failed.value)
    assert str(failed.value).endswith(" 0")


def test_a_process_ends_with_the_one_that_started_it_even_in_the_middle_of_a_picture(tmp_path: Path) -> None:
    python = releases.make_python(tmp_path, releases.HERE.parent)
    program = (
        "import io, os, sys\n"
        "from app.adapters.engine_process import ChildEngine, EngineRelease\n"
        "from engine.version import engine_version\n"
        "from engine.types.context import EngineContext\n"
        "from engine.types.edit_request import EditRequest, RenovationChange\n"
        "from engine.types.enhancements import ChangeType, Enhancement\n"
        f"engine = ChildEngine(EngineRelease(engine_version(), {python!r}), {{}})\n"
        "engine.server = engine\n"
        "def tell(_key):\n"
        "    print(engine._child._process.pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "like = RenovationChange(ChangeType.FLOOR, 'A floor like this', reference_images=('x',))\n"
        "request = EditRequest(enhancements=(Enhancement.RENOVATION,), changes=(like,))\n"
        f"photo = open({str(tmp_path / 'room.jpg')!r}, 'rb')\n"
        "engine.enhance(photo, request, EngineContext(spend=lambda: True, open_reference=tell))\n"
    )
    (tmp_path / "room.jpg").write_bytes(ROOM)
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == -signal.SIGKILL, told.stderr
    eventually("the end of the engine", lambda: not _lives(int(told.stdout)))


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_the_time_for_a_photo_ends_before_the_watch_ends_the_worker() -> None:
    assert engine_process.WORK_SECONDS < watch.WORK_SECONDS
