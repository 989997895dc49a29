"""Signed URLs open what they were signed for and nothing else."""

import pytest
from itsdangerous import URLSafeSerializer

from app.adapters.signed_urls import FILES, UPLOADS, Permission, SignedUrls
from tests.conformance.shapes import stored_files
from tests.conformance.streams import fresh_url
from tests.conftest import PHOTO, Api, work


@pytest.fixture
def urls(api: Api, container) -> dict[str, str]:
    """A fresh upload URL and a fresh download URL, as paths."""
    job = api.order(interior=[PHOTO])["jobId"]
    work(container)
    image = api.get(f"/downloads/{job}").json["images"][0]
    found = {"upload": fresh_url(api), "download": image["url"]}
    return {name: url.removeprefix("http://localhost") for name, url in found.items()}


def test_an_upload_url_does_not_open_a_download(api: Api, urls: dict[str, str]) -> None:
    answer = api.client.get(urls["upload"].replace(UPLOADS, FILES))
    assert (answer.status_code, answer.json["code"]) == (403, "forbidden")
    assert api.client.get(urls["upload"]).status_code == 405


def test_a_download_url_does_not_open_an_upload(api: Api, container, urls: dict[str, str]) -> None:
    before = stored_files(container)
    answer = api.client.put(urls["download"].replace(FILES, UPLOADS), data=PHOTO)
    assert (answer.status_code, answer.json["code"]) == (403, "forbidden")
    assert stored_files(container) == before


def forged(url: str, **changes: object) -> str:
    """The URL with another content under the old signature."""
    place, token = url.rsplit("/", 1)
    content, _, signature = token.rpartition(".")
    unsigned = URLSafeSerializer("any")
    names = ("key", "name", "until")
    changed = {**dict(zip(names, unsigned.load_payload(content.encode()), strict=True)), **changes}
    return f"{place}/{unsigned.dump_payload(list(changed.values())).decode()}.{signature}"


CHANGES = [{"key": "uploads/ups_0000000000000000000000/interior-0"}, {"until": 2**40}, {"name": "x.exe"}]


@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("kind", ["upload", "download"])
def test_a_changed_url_is_forbidden(api: Api, urls: dict[str, str], kind: str, changes: dict[str, object]) -> None:
    method = "PUT" if kind == "upload" else "GET"
    assert forged(urls[kind]) == urls[kind]
    answer = api.client.open(forged(urls[kind], **changes), method=method, data=PHOTO)
    assert (answer.status_code, answer.json["code"]) == (403, "forbidden")


def test_a_url_signed_with_another_secret_is_forbidden(api: Api, clock, urls: dict[str, str]) -> None:
    stranger = SignedUrls("", ["t" * 32], clock)
    for path, method in ((UPLOADS, "PUT"), (FILES, "GET")):
        url = stranger.make(path, Permission("uploads/x/interior-0", ""), 60)
        assert api.client.open(url, method=method, data=PHOTO).status_code == 403


@pytest.mark.parametrize("kind", ["upload", "download"])
def test_an_expired_url_is_gone_and_a_forged_expired_one_is_forbidden(
    api: Api, clock, urls: dict[str, str], kind: str
) -> None:
    method = "PUT" if kind == "upload" else "GET"
    clock.pass_(hours=24)
    answer = api.client.open(urls[kind], method=method, data=PHOTO)
    assert (answer.status_code, answer.json["code"]) == (410, "expired")
    assert api.client.open(f"{urls[kind]}x", method=method, data=PHOTO).status_code == 403


def test_a_token_that_is_none_is_refused(api: Api, subtests: pytest.Subtests) -> None:
    for path, method in ((UPLOADS, "PUT"), (FILES, "GET"), (FILES, "HEAD")):
        for token in ("", ".", "x", "a.b", "." * 1000, "x" * 50_000, "WyJ4IiwiIiwwXQ.x", "%00.%00"):
            with subtests.test(path=path, method=method, token=token):
                answer = api.client.open(f"{path}{token}", method=method)
                assert answer.status_code in {403, 404}
                assert answer.mimetype == "application/json"


def test_a_file_that_is_gone_is_not_found(api: Api, container, urls: dict[str, str]) -> None:
    for path in stored_files(container):
        (container.settings.storage_path / path).rename(container.settings.data_dir / "aside")
        answer = api.client.get(urls["download"])
        (container.settings.data_dir / "aside").rename(container.settings.storage_path / path)
        if path.startswith("results/"):
            assert (answer.status_code, answer.json["code"]) == (404, "not_found")
