"""Request bodies made while they are read, so that a test can say another length than comes, or none."""

from typing import Any

from werkzeug.test import TestResponse

from tests.conftest import PHOTO, Api


class Generated:
    """So many bytes that begin like a JPEG; `cut` breaks the connection after them."""

    def __init__(self, size: int, head: bytes = PHOTO, cut: bool = False) -> None:
        self.left, self.head, self.cut = size, head, cut

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        wanted = self.left if size < 0 else min(size, self.left)
        if self.cut and not wanted:
            raise ConnectionResetError("the client is gone")
        self.left -= wanted
        chunk = self.head[:wanted] + bytes(max(0, wanted - len(self.head)))
        self.head = self.head[wanted:]
        return chunk


def fresh_url(api: Api) -> str:
    """An upload URL nothing was sent to yet."""
    url: str = api.post("/orders/upload-urls", json={"interiorCount": 1}).json["interiorUrls"][0]["uploadUrl"]
    return url


def put(api: Api, url: str, stream: Generated, length: int | str | None) -> TestResponse:
    """PUT the stream under this Content-Length, or chunked when there is none."""
    environ: dict[str, Any] = {"wsgi.input": stream}
    if length is None:
        environ |= {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    else:
        environ["CONTENT_LENGTH"] = str(length)
    return api.client.put(url.removeprefix("http://localhost"), environ_overrides=environ)
