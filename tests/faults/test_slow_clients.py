"""Many slow clients are connected to the real web processes, and others do not notice."""

import os
import signal
from contextlib import ExitStack, suppress

from tests.conftest import PHOTO, Api
from tests.faults.conftest import Web
from tests.serving.lines import Line
from tests.waiting import eventually

EACH = 24
"""Of every kind: more than there are threads."""
UPLOAD_BYTES = 3_000_000
SMALL_BUFFER = 4096


def paths(customer: Api, count: int) -> list[str]:
    """Where to upload to."""
    targets = customer.post("/orders/upload-urls", {"interiorCount": count}).json["interiorUrls"]
    return [each["uploadUrl"].removeprefix("http://localhost") for each in targets]


def upload(line: Line, path: str, part: bytes) -> None:
    line.send(f"PUT {path} HTTP/1.1", f"Content-Length: {UPLOAD_BYTES}", body=part)


def ask(web: Web, path: str) -> int:
    with web.line() as line:
        return line.ask(f"GET {path} HTTP/1.1").status


def takes_connections(web: Web) -> bool:
    with suppress(ConnectionRefusedError), web.line():
        return True
    return False


def test_a_crowd_of_slow_clients_holds_up_nobody_and_the_honest_get_through(web: Web, customer: Api) -> None:
    content = PHOTO + bytes(UPLOAD_BYTES - len(PHOTO))
    first, *others = paths(customer, 1 + EACH // 2)
    with ExitStack() as stack:

        def line(**options: int) -> Line:
            return stack.enter_context(web.line(**options))

        for _ in range(EACH):
            line()
            line().write(b"GET /healthz HTTP/1.1\r\nHost: localh")
            upload(line(), first, content[:100])
            # Nobody reads the answers to these.
            many = b"GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200
            line(buffer=SMALL_BUFFER).write(many)
        honest = [line() for _ in others]
        for each, path in zip(honest, others, strict=True):
            upload(each, path, content[: UPLOAD_BYTES // 2])
        assert [ask(web, path) for path in ("/healthz", "/sign-in", "/healthz")] == [200] * 3
        for each in honest:
            each.write(content[UPLOAD_BYTES // 2 :])
        assert [each.answer().status for each in honest] == [200] * len(honest)
        assert [ask(web, path) for path in ("/healthz", "/sign-in")] == [200] * 2
    stored = [each.stat().st_size for each in web.settings.storage_path.rglob("interior-*")]
    assert stored == [UPLOAD_BYTES] * len(others)


def test_web_processes_that_end_are_replaced_and_a_stop_answers_what_is_under_way(web: Web, customer: Api) -> None:
    for how in (signal.SIGKILL, signal.SIGTERM):
        there = eventually("both are there", lambda: len(web.workers()) == 2 and web.workers())
        victim = min(each.pid for each in there)
        os.kill(victim, how)
        assert ask(web, "/healthz") == 200
        eventually("another came", lambda gone=victim: len({each.pid for each in web.workers()} - {gone}) == 2)
        assert ask(web, "/healthz") == 200
    (path,) = paths(customer, 1)
    content = PHOTO + bytes(UPLOAD_BYTES - len(PHOTO))
    with web.line() as line:
        upload(line, path, content[:-1])
        assert ask(web, "/healthz") == 200
        web.master.send_signal(signal.SIGTERM)
        # Before its process knows of the stop, the answer would rightly promise to go on.
        eventually("no process takes connections", lambda: not takes_connections(web))
        line.write(content[-1:])
        answer = line.answer()
        assert (answer.status, answer.headers["connection"]) == (200, "close")
    assert web.stop() == 0
    assert web.workers() == []
    assert list((web.settings.data_dir / "arriving").iterdir()) == []
