"""Local mail servers, well-behaved and otherwise."""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword, Session

from tests.waiting import PATIENCE_SECONDS

GAP_SECONDS = 0.02
USER, PASSWORD = "mail@example.com", "p:a/s@s w%rd"


@dataclass
class Clerk:
    """What the server has got, and says: each entry of `rcpt` and `data` once, and yes ever after."""

    rcpt: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    hold: asyncio.Event | None = None
    hang_up: bool = False
    got: list[Envelope] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    logins: list[tuple[bytes, bytes]] = field(default_factory=list)

    async def take_address(self, server: Any, session: Session, envelope: Envelope, address: str, _: Any) -> str:
        if self.rcpt:
            return self.rcpt.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def take_letter(self, server: Any, session: Session, envelope: Envelope) -> str:
        if self.hold is not None:
            await self.hold.wait()
        if self.hang_up:
            server.transport.abort()
        if self.data:
            return self.data.pop(0)
        self.got.append(envelope)
        self.sessions.append(session)
        return "250 taken"

    def authenticate(
        self, server: Any, session: Any, envelope: Any, mechanism: str, data: LoginPassword
    ) -> AuthResult:
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == PASSWORD.encode(), handled=False)


class Server(Controller):
    """On a port that is surely free."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def mail_server(clerk: Clerk, **options: Any) -> Iterator[int]:
    """A mail server until the block is left; its port."""
    options = {"enable_SMTPUTF8": True, "authenticator": clerk.authenticate, **options}
    hooks = SimpleNamespace(handle_RCPT=clerk.take_address, handle_DATA=clerk.take_letter)
    server = Server(hooks, hostname="127.0.0.1", port=0, **options)
    server.start()
    try:
        yield server.port
    finally:
        if clerk.hold is not None:
            server.loop.call_soon_threadsafe(clerk.hold.set)
        server.stop()


@contextmanager
def raw_server(speak: Callable[[socket.socket], None]) -> Iterator[int]:
    """Speaks like this on the first connection; its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            try:
                connection = listening.accept()[0]
                with connection:
                    speak(connection)
            except OSError:
                pass  # the other side has had enough

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        # Closing alone would leave the thread waiting for a connection.
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive(), "the connection is still spoken on"


def drip(before: bytes = b"") -> Callable[[socket.socket], None]:
    """Never quiet for long, and not done before every other limit is over."""

    def speak(connection: socket.socket) -> None:
        connection.sendall(before)
        for _ in range(round(PATIENCE_SECONDS / GAP_SECONDS)):
            connection.sendall(b"x")
            time.sleep(GAP_SECONDS)

    return speak
