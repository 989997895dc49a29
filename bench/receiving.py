"""Receivers of webhooks in a process of their own, which note when the first byte of each delivery came."""

import asyncio
import re
import sys
import time
from pathlib import Path
from typing import TextIO

DELIVERY = re.compile(rb"X-Service-Delivery: (\S+)")
ANSWER = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
MOST_BYTES = 64 * 1024


async def serve(count: int, dead: int, folder: Path, seconds: float) -> None:
    """Serve `count` receivers, the last `dead` of which take requests and never answer, until the process ends. The
    others answer after so many seconds.
    """
    with (folder / "seen").open("w", buffering=1) as seen:

        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await answer(reader, writer, seen, seconds)

        async def swallow(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
            await asyncio.sleep(3600)

        handlers = [take] * (count - dead) + [swallow] * dead
        servers = [await asyncio.start_server(handler, "127.0.0.1", 0) for handler in handlers]
        ports = [server.sockets[0].getsockname()[1] for server in servers]
        draft = folder / "ports.draft"
        draft.write_text(" ".join(map(str, ports)))
        draft.rename(folder / "ports")
        await asyncio.gather(*(server.serve_forever() for server in servers))


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seen: TextIO, seconds: float) -> None:
    """Note the delivery with the moment of its first byte, and answer 204 after so many seconds."""
    head = await reader.read(1)
    came_at = time.time()
    while b"\r\n\r\n" not in head and len(head) < MOST_BYTES:
        head += await reader.read(MOST_BYTES)
    found = DELIVERY.search(head)
    if found:
        seen.write(f"{found[1].decode()} {came_at}\n")
    await asyncio.sleep(seconds)
    writer.write(ANSWER)
    await writer.drain()
    writer.close()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), float(sys.argv[4])))
