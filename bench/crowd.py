"""Slow clients of every kind, in a process of their own: idle ones, tricklers, and honest ones on slow lines."""

import asyncio
import contextlib
import socket
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlsplit

STEP_SECONDS = 1.0
"""Between two bytes of a trickler."""
SLICE_SECONDS = 0.2
"""Between two pieces of an honest upload."""
SMALL_BUFFER = 4096
CONNECT_SECONDS = 60
JPEG_HEADER = b"\xff\xd8\xff\xe0"


@dataclass(frozen=True, slots=True)
class Crowd:
    """Who comes: how many of each kind, how large the honest uploads are and how fast they come."""

    port: int
    upload_urls: Sequence[str]
    download_url: str
    idle: int = 500
    tricklers: int = 200
    upload_bytes: int = 2_000_000
    bytes_a_second: int = 100_000


@dataclass
class Outcome:
    """What became of the honest: how many uploads got which status, and what broke."""

    uploads: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)


def come(crowd: Crowd, pipe: Connection) -> None:
    """Send the crowd; tell through the pipe when all are there, and in the end what became of the uploads."""
    asyncio.run(_come(crowd, pipe))


async def _come(crowd: Crowd, pipe: Connection) -> None:
    outcome = Outcome()
    kinds = (_head, _body, _reader)
    others = [_again(_idle, crowd) for _ in range(crowd.idle)]
    others += [_again(kinds[number % len(kinds)], crowd) for number in range(crowd.tricklers)]
    tasks = [asyncio.ensure_future(each) for each in others]
    uploads = [asyncio.ensure_future(_upload(crowd, url, outcome)) for url in crowd.upload_urls]
    await asyncio.sleep(2 * STEP_SECONDS)
    pipe.send("all are there")
    told = False
    while not pipe.poll():
        if not told and all(each.done() for each in uploads):
            pipe.send(outcome)
            told = True
        await asyncio.sleep(STEP_SECONDS)
    if not told:
        outcome.uploads["lost"] = sum(not each.done() for each in uploads)
        pipe.send(outcome)
    for task in (*tasks, *uploads):
        task.cancel()


async def _again(act: Callable[..., Coroutine[Any, Any, None]], crowd: Crowd) -> None:
    """Come back as often as the server hangs up."""
    while True:
        with contextlib.suppress(OSError, TimeoutError):
            await act(crowd)
        await asyncio.sleep(STEP_SECONDS)


async def _connected(port: int, buffer: int = 0) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    connection = socket.socket()
    connection.setblocking(False)
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    try:
        address = ("127.0.0.1", port)
        await asyncio.wait_for(asyncio.get_running_loop().sock_connect(connection, address), CONNECT_SECONDS)
    except BaseException:
        connection.close()
        raise
    return await asyncio.open_connection(sock=connection, limit=buffer or 2**16)


async def _idle(crowd: Crowd) -> None:
    reader, writer = await _connected(crowd.port)
    try:
        await reader.read(1)
    finally:
        writer.close()


async def _trickle(crowd: Crowd, head: bytes, byte: bytes) -> None:
    reader, writer = await _connected(crowd.port)
    hung_up = asyncio.ensure_future(reader.read(1))
    try:
        writer.write(head)
        while not hung_up.done():
            writer.write(byte)
            await writer.drain()
            await asyncio.wait([hung_up], timeout=STEP_SECONDS)
        hung_up.exception()
    finally:
        hung_up.cancel()
        writer.close()


async def _head(crowd: Crowd) -> None:
    await _trickle(crowd, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ", b"x")


async def _body(crowd: Crowd) -> None:
    path = urlsplit(crowd.upload_urls[0]).path
    await _trickle(
        crowd, f"PUT {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000000\r\n\r\n".encode(), b"x"
    )


async def _reader(crowd: Crowd) -> None:
    reader, writer = await _connected(crowd.port, SMALL_BUFFER)
    try:
        writer.write(f"GET {urlsplit(crowd.download_url).path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        while await reader.read(1):
            await asyncio.sleep(STEP_SECONDS)
    finally:
        writer.close()


async def _upload(crowd: Crowd, url: str, outcome: Outcome) -> None:
    began = time.monotonic()
    try:
        reader, writer = await _connected(crowd.port)
        try:
            length = crowd.upload_bytes
            head = f"PUT {urlsplit(url).path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
            writer.write(head.encode() + JPEG_HEADER)
            left, piece = length - len(JPEG_HEADER), bytes(int(crowd.bytes_a_second * SLICE_SECONDS))
            while left > 0:
                writer.write(piece[:left])
                left -= len(piece)
                await writer.drain()
                await asyncio.sleep(SLICE_SECONDS)
            answer = await reader.readline()
            outcome.uploads[answer[9:12].decode() or "closed"] += 1
        finally:
            writer.close()
    except OSError as error:
        outcome.uploads[type(error).__name__] += 1
    outcome.seconds.append(time.monotonic() - began)
