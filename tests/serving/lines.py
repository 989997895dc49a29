"""Connections as a client writes them, byte by byte."""

import json
import socket
from dataclasses import dataclass
from typing import Any

from tests.waiting import PATIENCE_SECONDS


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        assert self.headers["content-type"] == "application/json", self.body
        return json.loads(self.body)


class Line:
    """One connection."""

    def __init__(self, port: int, buffer: int = 0) -> None:
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(PATIENCE_SECONDS)
        self.socket.connect(("127.0.0.1", port))
        self.reader = self.socket.makefile("rb")

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self.reader.close()
        self.socket.close()

    def send(self, *lines: str, body: bytes = b"") -> None:
        """A head of these lines, complete, and as much of the body."""
        self.socket.sendall("\r\n".join((*lines, "Host: localhost", "", "")).encode() + body)

    def write(self, content: bytes) -> None:
        self.socket.sendall(content)

    def answer(self) -> Answer:
        """The next answer; 100 Continue is one."""
        status = int(self.reader.readline().split()[1])
        headers = {}
        while line := self.reader.readline().decode().strip():
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        return Answer(status, headers, self.reader.read(int(headers.get("content-length", 0))))

    def ask(self, *lines: str, body: bytes = b"") -> Answer:
        """Send one request and read its answer."""
        self.send(*lines, body=body)
        return self.answer()

    def is_closed(self) -> bool:
        """Whether the server hangs up, now or later, without another word."""
        try:
            return self.reader.read(1) == b""
        except ConnectionResetError:
            return True
