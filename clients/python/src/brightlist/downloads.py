"""Saving the pictures of a job: what is there is not loaded again, what broke off goes on, all is checked."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import requests

from brightlist.calls import DownloadsCalls, VariantsCalls
from brightlist.errors import DamagedDownload, UnexpectedAnswer
from brightlist.models import ImageAnswer
from brightlist.transport import CHUNK_BYTES, TIMEOUT, without_key


class Downloads(DownloadsCalls):
    """The finished pictures."""

    def save(
        self, job_id: str, folder: str | Path, on_saved: Callable[[Path], None] = lambda _: None
    ) -> list[Path]:
        """Save all approved pictures of the job in the folder, and return their paths.

        Each is held against its size, and against the digest of its recipe where nothing was signed into it. A
        picture that is there whole is left alone; one that broke off goes on. `on_saved`: told of each that is
        there. Raises InvalidRequest while the job is not ready, DamagedDownload.
        """
        found = self.show_downloads(job_id)
        digests = self._read_digests(job_id)
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        saved = []
        for image in found.images:
            path = target / _check_name(image.file_name)
            digest = digests.get(image.id) if image.content_credentials == "none" else None
            if not _is_whole(path, image, digest):
                self._transport.send(_Download(image, path, digest))
            on_saved(path)
            saved.append(path)
        return saved

    def _read_digests(self, job_id: str) -> dict[str, str]:
        recipes = VariantsCalls(self._transport).show_recipes(job_id).recipes
        return {each.image_id: each.picture_sha256 for each in recipes if each.picture_sha256}


class _Download:
    """One picture on its way to its path; called again after a break, it goes on."""

    def __init__(self, image: ImageAnswer, path: Path, digest: str | None) -> None:
        self._image, self._path, self._digest = image, path, digest
        self._part = path.with_name(f".{image.id}.part")

    def __call__(self, session: requests.Session) -> requests.Response:
        begun = self._part.stat().st_size if self._part.exists() else 0
        headers = {"Range": f"bytes={begun}-"} if begun else {}
        with session.get(
            self._image.url, headers=headers, stream=True, auth=without_key, timeout=TIMEOUT
        ) as response:
            if response.status_code == 416:
                self._discard()
            if response.status_code < 300:
                self._write(response, append=response.status_code == 206)
            else:
                _ = response.content  # read while it can be, for whoever tells the refusal
        return response

    def _write(self, response: requests.Response, *, append: bool) -> None:
        with self._part.open("ab" if append else "wb") as file:
            for piece in response.iter_content(CHUNK_BYTES):
                file.write(piece)
        if not _is_whole(self._part, self._image, self._digest):
            self._discard()
        self._part.replace(self._path)

    def _discard(self) -> None:
        """What is there can't be gone on with: the next attempt begins anew."""
        self._part.unlink()
        raise DamagedDownload(f"{self._path.name} did not come as it is kept.")


def _check_name(name: str) -> str:
    """The service promises a plain file name; nothing else is ever written to."""
    if not name or name != Path(name).name or name.startswith(".") or "\\" in name or "\0" in name:
        raise UnexpectedAnswer(f"{name!r} is no name for a file.")
    return name


def _is_whole(path: Path, image: ImageAnswer, digest: str | None) -> bool:
    if not path.is_file() or path.stat().st_size != image.bytes:
        return False
    if digest is None:
        return True
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == digest
