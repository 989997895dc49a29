"""Uploads and orders over HTTP as a customer's program does."""

import json
from typing import Any

import requests

from tests.conftest import order_body

SECONDS = 120


class Customer:
    """Places orders over HTTP as a program would."""

    def __init__(self, url: str, secret: str) -> None:
        self._url = f"{url}/api/v1"
        self._http = requests.Session()
        self._http.headers["Authorization"] = f"Bearer {secret}"

    def order(self, photo: bytes, count: int = 1) -> str:
        """Upload one photo, so many times, order it, and return the job's id."""
        body = {**order_body(), **self.upload(photo, count)}
        job_id: str = self._post("/orders/from-uploads", json=body)["jobId"]
        return job_id

    def upload(self, photo: bytes, count: int = 1) -> dict[str, Any]:
        """Upload one photo, so many times, to a session of its own, and return what an order for it needs."""
        room = self._post("/orders/upload-urls", json={"interiorCount": count})
        targets = room["interiorUrls"]
        for target in targets:
            self._http.put(target["uploadUrl"], data=photo, timeout=SECONDS).raise_for_status()
        return {
            "uploadSessionId": room["uploadSessionId"],
            "interiorFiles": [{"filePath": target["filePath"]} for target in targets],
        }

    def order_at_once(self, photos: list[bytes]) -> None:
        """Order these photos in one multipart request."""
        files = {f"interiorPhoto{number}": (f"{number}.jpg", photo) for number, photo in enumerate(photos)}
        self._post("/orders", data=form_fields(), files=files)

    def _post(self, path: str, **content: Any) -> Any:
        answer = self._http.post(self._url + path, timeout=SECONDS, **content)
        answer.raise_for_status()
        return answer.json()


def form_fields() -> dict[str, str]:
    """An order's fields as a multipart form has them, without its files."""
    body = order_body()
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in body.items()}
