"""The engine of another release, in a child process that has a Python environment of its own."""

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO

from pydantic import TypeAdapter, ValidationError

from app.database import as_json
from app.domain.engines import EngineDescription, EngineFailedError, EngineMissingError, EngineRelease
from engine.messages import PROTOCOL, Message, MessageError, MessageKind, read_message, write_message
from engine.types.appearance import LightEstimate
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.pictures import Enhanced, Picture, UnusablePhotoError
from engine.types.report import QualityReport, Reason
from engine.types.server import (
    GenerativeRequest,
    GenerativeServer,
    ServerBusyError,
    ServerRefusedError,
    ServerUnavailableError,
)

START_SECONDS = 60.0
"""How long the interpreter may take until it says which engine it runs; loading it takes one or two seconds."""
WORK_SECONDS = 290.0
"""How long the work on one photo may take: a little less than tasks.watch allows, so that an engine that takes too
long is ended here, and the attempt counts like any other.
"""
MAX_ANSWER_BYTES = 512 * 1024**2
"""The most bytes of the files of one message: a PNG of 100 megapixels that cannot be compressed has 300 MB."""
_WORDS = 2000
"""The maximum length of the child's output that is kept for the log, in characters."""
_ERRANDS = (MessageKind.OBSERVED, MessageKind.SPEND, MessageKind.REFERENCE, MessageKind.EDIT)
_SERVER_ERRORS = (ServerBusyError, ServerRefusedError, ServerUnavailableError, FileNotFoundError)
_DESCRIPTION, _LIGHT = TypeAdapter(EngineDescription), TypeAdapter(LightEstimate)
_PICTURE, _REPORT = TypeAdapter(Picture), TypeAdapter(QualityReport)


class _Child:
    """A process that runs an engine. It inherits the limits of this process for memory, and its priority."""

    def __init__(self, python: str, environment: Mapping[str, str]) -> None:
        """Start the process. Raises EngineMissingError if it does not start."""
        try:
            self._process = subprocess.Popen(
                # -P: no module is imported from the folder in which it runs.
                [python, "-P", "-m", "engine.process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd="/",
                env=dict(environment),
                start_new_session=True,
            )
        except OSError as error:
            raise EngineMissingError(f"{python} cannot be started: {error.strerror}") from None
        self._printed: deque[str] = deque(maxlen=_WORDS)
        self._reader = threading.Thread(target=self._keep_words, daemon=True)
        self._reader.start()
        self._ran_out = False

    def send(self, message: Message) -> None:
        """Send the process a message. Raises MessageError when it has ended."""
        try:
            write_message(_stream(self._process.stdin), message)
        except OSError:
            raise MessageError(self._describe_end()) from None

    def receive(self) -> Message:
        """Receive the next message of the process. Raises MessageError when it has ended, or sent an
        invalid one.
        """
        message = read_message(_stream(self._process.stdout), MAX_ANSWER_BYTES)
        if message is None:
            raise MessageError(self._describe_end())
        return message

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """End the process if the block takes longer than this; the block then raises MessageError."""
        timer = threading.Timer(seconds, self._run_out)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def close(self) -> None:
        """End it, with all processes that it started."""
        self._kill()
        self._process.wait()
        self._reader.join(1)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                _stream(stream).close()
            except OSError:
                # What was not written yet is lost with the process.
                continue

    def _run_out(self) -> None:
        self._ran_out = True
        self._kill()

    def _kill(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    def _describe_end(self) -> str:
        if self._ran_out:
            return "it took too long and was ended"
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        self._reader.join(1)
        words = "".join(self._printed).strip()
        return f"it ended with status {status}" + (f": …{words}" if words else "")

    def _keep_words(self) -> None:
        source = _stream(self._process.stderr)
        while chunk := os.read(source.fileno(), 65536):
            self._printed.extend(chunk.decode(errors="replace"))


def _stream(pipe: Any) -> BinaryIO:
    stream: BinaryIO = pipe
    return stream


def describe_engine(
    python: str, environment: Mapping[str, str], seconds: float = START_SECONDS
) -> EngineDescription:
    """Ask the interpreter which engine it runs. Raises EngineMissingError if it runs none."""
    child, description = _start(python, environment, seconds)
    child.close()
    return description


def _start(python: str, environment: Mapping[str, str], seconds: float) -> tuple[_Child, EngineDescription]:
    child = _Child(python, environment)
    try:
        with child.at_most(seconds):
            return child, _read_hello(child.receive())
    except (MessageError, ValidationError) as error:
        child.close()
        raise EngineMissingError(f"{python} runs no engine: {error}") from None
    except BaseException:
        child.close()
        raise


def _read_hello(message: Message) -> EngineDescription:
    if message.kind is not MessageKind.HELLO:
        raise MessageError(f"it begins with {message.kind}")
    return _DESCRIPTION.validate_python(dict(message.head))


@dataclass
class ChildEngine:
    """The engine of a release in a child process, which is started at the first call, and again after it failed;
    implements the port Engine. `close` ends the process.

    The child has no access to the store, the database or the generative `server`: it asks for what it needs of
    them, and gets what the photo's edit request and context allow. Its `environment` has no settings. All methods
    raise EngineMissingError and EngineFailedError too.
    """

    release: EngineRelease
    environment: Mapping[str, str]
    server: GenerativeServer | None = None
    call_seconds: float = 0.0
    observe: Callable[[str, float], object] = lambda _step, _seconds: None
    seconds: float = WORK_SECONDS
    _child: _Child | None = field(default=None, init=False)

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        """See the port."""
        files = [_read(frame()) for frame in context.frames] or [photo.read()]
        head = {
            "request": as_json(request),
            "context": _write_context(context),
            "call_seconds": None if self.server is None else self.call_seconds,
        }
        done = self._work(Message(MessageKind.ENHANCE, head, files), _Errands(self.server, request, context))
        with _refusing_nonsense():
            # Older engines send the picture alone.
            before = done.files[1] if len(done.files) > 1 else None
            return Enhanced(_read_picture(done), _REPORT.validate_python(done.head["report"]), before)

    def estimate_light(self, photo: BinaryIO) -> LightEstimate:
        """See the port."""
        asked = Message(MessageKind.ESTIMATE_LIGHT, files=[photo.read()])
        done = self._work(asked, _Errands(None, EditRequest(), EngineContext()))
        with _refusing_nonsense():
            return _LIGHT.validate_python(done.head["light"])

    def close(self) -> None:
        """End the process, if it runs."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _work(self, asked: Message, errands: "_Errands") -> Message:
        child = self._child = self._child or self._start()
        try:
            with child.at_most(self.seconds):
                child.send(asked)
                message = self._wait(child, errands)
        except MessageError as error:
            self.close()
            raise EngineFailedError(f"the engine {self.release.version} failed: {error}") from None
        except BaseException:
            # The child still waits for an answer, or works on something that nobody needs any more.
            self.close()
            raise
        return self._require_done(message)

    def _start(self) -> _Child:
        child, description = _start(self.release.python or "", self.environment, START_SECONDS)
        if (description.protocol, description.version) == (PROTOCOL, self.release.version):
            return child
        child.close()
        found = f"the engine {description.version} with protocol {description.protocol}"
        raise EngineMissingError(f"{self.release.python} runs {found}, not {self.release.version}")

    def _wait(self, child: _Child, errands: "_Errands") -> Message:
        """Do the errands of the engine until it has an outcome."""
        while (message := child.receive()).kind in (
            MessageKind.OBSERVED,
            MessageKind.SPEND,
            MessageKind.REFERENCE,
            MessageKind.EDIT,
        ):
            with _refusing_nonsense():
                if message.kind is MessageKind.OBSERVED:
                    self.observe(str(message.head["step"]), float(message.head["seconds"]))
                    continue
                asked = errands.read(message)
            child.send(errands.do(asked))
        return message

    def _require_done(self, message: Message) -> Message:
        if message.kind is MessageKind.DONE:
            return message
        with _refusing_nonsense():
            text = str(message.head["text"])
            reason = Reason(message.head["reason"]) if message.kind is MessageKind.UNUSABLE else None
        if reason is not None:
            raise UnusablePhotoError(reason, text)
        if message.kind is MessageKind.UNAVAILABLE:
            raise ServerUnavailableError(text)
        raise EngineFailedError(f"the engine {self.release.version} failed: {text}")


_Errand = Callable[[], Message]


@dataclass
class _Errands:
    """What the engine may ask for during the work on one photo."""

    server: GenerativeServer | None
    request: EditRequest
    context: EngineContext
    paid: int = 0

    def read(self, message: Message) -> _Errand:
        """What the message asks for. Raises LookupError and ValueError for a message that makes no sense."""
        if message.kind is MessageKind.SPEND:
            return self._spend
        if message.kind is MessageKind.REFERENCE:
            key = str(message.head["key"])
            return lambda: self._open_reference(key)
        image, *others = message.files
        mask = others.pop(0) if message.head["masked"] else None
        prompt, seconds = str(message.head["prompt"]), float(message.head["timeout_seconds"])
        edit = GenerativeRequest(image, mask, prompt, seconds, others)
        return lambda: self._edit(edit)

    def do(self, errand: _Errand) -> Message:
        """The answer to what is asked, or the error that the engine knows."""
        try:
            return errand()
        except _SERVER_ERRORS as error:
            kind = next(each for each in _SERVER_ERRORS if isinstance(error, each))
            head = {"error": kind.__name__, "text": str(error)}
            seconds = error.retry_after_seconds if isinstance(error, ServerBusyError) else None
            return Message(MessageKind.ANSWER, {**head, "retry_after_seconds": seconds})

    def _spend(self) -> Message:
        allowed = self.context.spend()
        self.paid += allowed
        return Message(MessageKind.ANSWER, {"value": allowed})

    def _open_reference(self, key: str) -> Message:
        # A child that was taken over by a photo must not read the files of others.
        if key not in {each for change in self.request.changes for each in change.reference_images}:
            raise FileNotFoundError(key)
        return Message(MessageKind.ANSWER, files=[_read(self.context.open_reference(key))])

    def _edit(self, edit: GenerativeRequest) -> Message:
        if self.server is None or self.paid < 1:
            raise ServerRefusedError("the call was not paid")
        self.paid -= 1
        return Message(MessageKind.ANSWER, files=[self.server.edit(edit)])


def _write_context(context: EngineContext) -> Mapping[str, Any]:
    names = ("order_seed", "may_wait", "asks_server", "photo_seed", "strength")
    values = {name: getattr(context, name) for name in names}
    return {**values, "appearance": asdict(context.appearance), "in_frames": bool(context.frames)}


def _read_picture(done: Message) -> Picture | None:
    if done.head["picture"] is None:
        return None
    picture = _PICTURE.validate_python({**done.head["picture"], "content": done.files[0]})
    # Raises LookupError for a format that the service does not store.
    _ = picture.extension
    return picture


def _read(stream: BinaryIO) -> bytes:
    with stream:
        return stream.read()


@contextmanager
def _refusing_nonsense() -> Iterator[None]:
    """Raise EngineFailedError if the child's message lacks a field, or a field has a wrong value."""
    try:
        yield
    except (LookupError, TypeError, ValueError) as error:
        raise EngineFailedError(f"the engine's answer makes no sense: {error!r}") from None
