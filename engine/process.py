"""The engine in a separate process, for a service of another release: `python -m engine.process`.

The process reads requests from its standard input and writes answers to its standard output; see engine.messages.
Its first message says which engine it is. It has no settings: it asks the service for everything that it needs. It
ends when its input ends.
"""

import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from io import BytesIO
from queue import SimpleQueue
from typing import Any, BinaryIO

from engine.messages import PROTOCOL, Message, MessageError, MessageKind, read_message, write_message
from engine.pipeline import PictureEngine
from engine.types.appearance import SharedAppearance
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.json_form import UnknownPartError, read_json
from engine.types.options import OPTIONS
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason
from engine.types.server import GenerativeRequest, ServerBusyError, ServerRefusedError, ServerUnavailableError
from engine.types.usable_options import is_usable
from engine.version import engine_version

MAX_REQUEST_BYTES = 1024**3
"""Bytes of the files of one request. The service itself has a much lower limit."""
MAX_TEXT = 2000
"""Most characters of the text about a failure: the end of its traceback."""


@dataclass(frozen=True, slots=True)
class Service:
    """The service that started this process: its messages come from `received`, messages to it go to `output`."""

    received: "SimpleQueue[Message]"
    output: BinaryIO

    def send(self, kind: MessageKind, *files: bytes, **head: Any) -> None:
        """Send a message, with JSON values by name.

        Parameters
        ----------
        kind : MessageKind
            The kind of message.
        *files : bytes
            Its files.
        """
        write_message(self.output, Message(kind, head, files))

    def ask(self, kind: MessageKind, *files: bytes, **head: Any) -> Message:
        """Send a message, with JSON values by name, and wait for its answer.

        Parameters
        ----------
        kind : MessageKind
            The kind of question.
        *files : bytes
            The files that belong to the question.

        Returns
        -------
        Message
            The answer.

        Raises
        ------
        ServerBusyError, ServerRefusedError, ServerUnavailableError, FileNotFoundError
            The answer, if it is one of these errors.
        """
        self.send(kind, *files, **head)
        answer = self.received.get()
        if "error" in answer.head:
            raise _read_error(answer.head)
        return answer

    def edit(self, request: GenerativeRequest) -> bytes:
        """Edit one picture by the service's generative server; see engine.types.server.

        Parameters
        ----------
        request : GenerativeRequest
            The edit.

        Returns
        -------
        bytes
            The edited picture.
        """
        files = [request.image, *([] if request.mask is None else [request.mask]), *request.references]
        head = {"masked": request.mask is not None, "prompt": request.prompt}
        return self.ask(MessageKind.EDIT, *files, **head, timeout_seconds=request.timeout_seconds).files[0]


def serve(service: Service) -> None:
    """Send a message that says what this engine is, then answer requests until the process ends.

    Parameters
    ----------
    service : Service
        The service that asks.
    """
    options = {each.name: [value for value in each.choices if is_usable(value)] for each in OPTIONS}
    known = {"enhancements": list(Enhancement), "options": options}
    service.send(MessageKind.HELLO, protocol=PROTOCOL, version=engine_version(), **known)
    while True:
        asked = service.received.get()
        try:
            _ANSWERS[asked.kind](service, asked)
        except UnusablePhotoError as refused:
            service.send(MessageKind.UNUSABLE, reason=refused.reason, text=refused.message)
        except UnknownPartError as unknown:
            text = f"The engine {engine_version()} does not know a part of this order: {unknown}."
            service.send(MessageKind.UNUSABLE, reason=Reason.NOT_AVAILABLE, text=text)
        except ServerUnavailableError as unavailable:
            service.send(MessageKind.UNAVAILABLE, text=str(unavailable))
        except Exception:
            service.send(MessageKind.FAILED, text=traceback.format_exc()[-MAX_TEXT:])


def _enhance(service: Service, asked: Message) -> None:
    request = read_json(EditRequest, asked.head["request"])
    context = _read_context(service, asked)
    seconds = asked.head["call_seconds"]
    observe = partial(_tell_seconds, service)
    engine = PictureEngine(observe=observe) if seconds is None else PictureEngine(service, seconds, observe=observe)
    done = engine.enhance(BytesIO(asked.files[0]), request, context)
    if done.picture is None:
        service.send(MessageKind.DONE, report=asdict(done.report), picture=None)
        return
    picture = {name: getattr(done.picture, name) for name in ("media_type", "width", "height")}
    files = (done.picture.content,) if done.before is None else (done.picture.content, done.before)
    service.send(MessageKind.DONE, *files, report=asdict(done.report), picture=picture)


def _estimate_light(service: Service, asked: Message) -> None:
    service.send(MessageKind.DONE, light=asdict(PictureEngine().estimate_light(BytesIO(asked.files[0]))))


_ANSWERS: Mapping[MessageKind, Callable[[Service, Message], None]] = {
    MessageKind.ENHANCE: _enhance,
    MessageKind.ESTIMATE_LIGHT: _estimate_light,
}


def _read_context(service: Service, asked: Message) -> EngineContext:
    given = dict(asked.head["context"])
    return EngineContext(
        spend=lambda: bool(service.ask(MessageKind.SPEND).head["value"]),
        open_reference=lambda key: BytesIO(service.ask(MessageKind.REFERENCE, key=key).files[0]),
        appearance=read_json(SharedAppearance, given.pop("appearance")),
        frames=[partial(BytesIO, each) for each in asked.files] if given.pop("in_frames") else (),
        **given,
    )


def _tell_seconds(service: Service, step: str, seconds: float) -> None:
    service.send(MessageKind.OBSERVED, step=step, seconds=seconds)


def _read_error(head: Mapping[str, Any]) -> Exception:
    kinds = (ServerRefusedError, ServerUnavailableError, FileNotFoundError)
    kind = next((each for each in kinds if each.__name__ == head["error"]), None)
    return kind(head["text"]) if kind else ServerBusyError(head["text"], head["retry_after_seconds"])


def _receive(source: BinaryIO, received: "SimpleQueue[Message]") -> None:
    """Receive messages until the input ends, then end the process, because nobody waits for its work."""
    try:
        while (message := read_message(source, MAX_REQUEST_BYTES)) is not None:
            received.put(message)
    except MessageError as error:
        print(error, file=sys.stderr)
    finally:
        os._exit(0)


def _take_output() -> BinaryIO:
    """The standard output, reserved for messages: from now on, libraries print to the standard error."""
    output = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(output, "wb")


if __name__ == "__main__":
    ours = Service(SimpleQueue(), _take_output())
    # Receiving has its own thread, so that this process ends with the service even in the middle of a picture.
    threading.Thread(target=_receive, args=(sys.stdin.buffer, ours.received), daemon=True).start()
    serve(ours)
