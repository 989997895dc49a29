"""Behind a real nginx, as deploy/nginx sets it up: connections are kept, and nginx sends stored files itself."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from flask import Flask

from app.container import Container
from app.settings import Settings
from tests.conftest import PHOTO, Api, work
from tests.serving.conftest import Site
from tests.waiting import PATIENCE_SECONDS, eventually

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx" / "brightlist.conf"
MAIN = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    {servers}
}}
"""

IN_CI = os.environ.get("CI", "") not in {"", "0", "false"}
pytestmark = pytest.mark.skipif(
    NGINX is None and not IN_CI, reason="nginx is not installed: deploy/test-packages.sh"
)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Files are left to nginx."""
    return settings.model_copy(update={"accel_redirect": "/stored-files/"})


def adapted(site: Site, container: Container, port: int, folder: Path) -> str:
    """The configuration for this server, this folder and a free port, without TLS."""
    text = re.sub(r"\n *(ssl_\w+|listen \[::\]:\d+)[^;]*;", "", CONFIGURATION.read_text())
    for stands, comes in (
        ("127.0.0.1:8000", f"127.0.0.1:{site.listening.getsockname()[1]}"),
        ("listen 80;", f"listen unix:{folder}/redirect.sock;"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port};"),
        ("/var/log/nginx/", f"{folder}/"),
        ("alias /srv/brightlist/files/", f"alias {container.settings.storage_path}/"),
    ):
        assert text.count(stands) == 1, stands
        text = text.replace(stands, comes)
    return text


class Proxied(requests.Session):
    """A client of the service by way of nginx."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.trust_env = False
        self._port = port

    def ask(self, path: str, method: str = "GET", **headers: str) -> requests.Response:
        path = re.sub(r"^http://[^/]+", "", path)
        url = f"http://127.0.0.1:{self._port}{path}"
        return self.request(method, url, headers=headers, timeout=PATIENCE_SECONDS, allow_redirects=False)


@pytest.fixture
def nginx(site: Site, container: Container, tmp_path: Path) -> Iterator[Proxied]:
    """nginx before the service."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    servers = adapted(site, container, port, tmp_path)
    (tmp_path / "nginx.conf").write_text(MAIN.format(folder=tmp_path, servers=servers))
    command = (NGINX or "", "-p", str(tmp_path), "-e", f"{tmp_path}/error.log", "-c", f"{tmp_path}/nginx.conf")
    run = subprocess.Popen(command)
    client = Proxied(port)
    try:
        eventually("nginx answers", lambda: _answers(client))
        yield client
    finally:
        run.terminate()
        run.wait(PATIENCE_SECONDS)


def _answers(client: Proxied) -> bool:
    try:
        return client.ask("/healthz").ok
    except requests.ConnectionError:
        return False


@pytest.fixture
def url(api: Api, container: Container) -> str:
    """The download of a result."""
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    (image,) = api.get(f"/downloads/{job_id}").json["images"]
    found: str = image["url"]
    return found


def test_requests_of_many_clients_share_the_connections_that_the_proxy_keeps(nginx: Proxied, site: Site) -> None:
    for _ in range(5):
        with Proxied(nginx._port) as client:
            assert client.ask("/healthz").status_code == 200
    assert len(site.server.active_channels) == 1


def test_the_service_sends_no_content_and_nginx_the_file(app: Flask, nginx: Proxied, url: str) -> None:
    inside = app.test_client().get(url)
    assert (inside.data, inside.headers["X-Accel-Redirect"][:14]) == (b"", "/stored-files/")
    answer = nginx.ask(url)
    assert (answer.status_code, answer.content) == (200, PHOTO)
    assert "X-Accel-Redirect" not in answer.headers
    assert answer.headers["Content-Type"] == "image/jpeg"
    for name in ("Content-Disposition", "Cache-Control", "X-Content-Type-Options", "Content-Security-Policy"):
        assert answer.headers[name] == inside.headers[name]
    assert answer.headers["X-Request-Id"].startswith("req_")


def test_ranges_heads_and_conditions_are_answered_by_nginx(nginx: Proxied, url: str) -> None:
    part = nginx.ask(url, Range="bytes=2-5")
    assert (part.status_code, part.content) == (206, PHOTO[2:6])
    head = nginx.ask(url, "HEAD")
    assert (head.status_code, head.headers["Content-Length"]) == (200, str(len(PHOTO)))
    again = nginx.ask(url, **{"If-None-Match": head.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_nobody_reaches_stored_files_without_the_service(app: Flask, nginx: Proxied, url: str) -> None:
    inside = app.test_client().get(url).headers["X-Accel-Redirect"]
    assert nginx.ask(inside).status_code == 404
    assert nginx.ask(url[:-1]).status_code == 403


def test_compressed_pages_come_through_as_they_are(nginx: Proxied) -> None:
    answer = nginx.ask("/docs", **{"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "</html>" in answer.text
