"""Behind a real nginx, as deploy/nginx sets it up: connections are kept, and nginx sends stored files itself."""

import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
import requests
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.models import Photo
from app.services.accounts import accounts
from app.settings import Settings
from tests.conftest import PHOTO, Api, develop, work
from tests.portal.person import Person
from tests.ports import kept_port
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

    def become(self, person: Person | None) -> None:
        """Be this person's browser from now on, or nobody's."""
        self.cookies.clear()
        for name, value in (person.web.cookies if person else {}).items():
            # As if this server had set it: what the server sets later takes its place.
            self.cookies.set(name, value, domain="127.0.0.1", path="/")


@pytest.fixture
def nginx(site: Site, container: Container, tmp_path: Path) -> Iterator[Proxied]:
    """nginx before the service."""
    with kept_port() as port:
        servers = adapted(site, container, port, tmp_path)
        (tmp_path / "nginx.conf").write_text(MAIN.format(folder=tmp_path, servers=servers))
        command = (NGINX or "", "-p", str(tmp_path), "-e", f"{tmp_path}/error.log", "-c", f"{tmp_path}/nginx.conf")
        run = subprocess.Popen(command)
        try:
            with Proxied(port) as client:
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


def signed_in(app: Flask, container: Container, email: str, account_id: str = "", *, staff: bool = False) -> Person:
    """A person at a browser: the member of the account given, or somebody new."""
    with container.database.unit_of_work() as session:
        if not account_id:
            account_id = accounts.create(session, email, container.clock(), staff=staff).organization_id
        person = Person(app, email, account_id, accounts.find(session, email).user_id)
    person.begin_signed_in()
    return person


@pytest.fixture
def owner(app: Flask, container: Container, api: Api) -> Person:
    """Whose account the program orders for."""
    return signed_in(app, container, "jo@example.com", api.account_id)


@pytest.fixture
def ordered(api: Api, container: Container) -> Photo:
    """A photo that has its result and all small pictures."""
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    develop(container)
    with container.database.read_session() as session:
        return session.scalars(select(Photo).where(Photo.job_id == job_id)).one()


def pictures(photo: Photo) -> list[str]:
    base = f"/pictures/jobs/{photo.job_id}/{photo.id}"
    return [f"{base}{kind}/{size}" for kind in ("", "/result") for size in ("thumb", "view")]


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


def test_the_pictures_of_pages_are_sent_by_nginx_to_be_kept_for_an_hour(
    nginx: Proxied, owner: Person, ordered: Photo
) -> None:
    nginx.become(owner)
    for path in pictures(ordered):
        inside = owner.web.get(path)
        assert (inside.body, inside.headers["X-Accel-Redirect"][:14]) == (b"", "/stored-files/")
        answer = nginx.ask(path)
        assert (answer.status_code, answer.content) == (200, b"\xff\xd8\xff" + path.rpartition("/")[2].encode())
        for name in ("Content-Type", "Cache-Control", "Vary", "X-Content-Type-Options", "Content-Security-Policy"):
            assert answer.headers[name] == inside.headers[name], name
        assert {"private", "max-age=3600"} == {each.strip() for each in answer.headers["Cache-Control"].split(",")}
        assert "Cookie" in answer.headers["Vary"]
        again = nginx.ask(path, **{"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_pictures_of_pages_are_sent_to_nobody_else(
    app: Flask, container: Container, nginx: Proxied, owner: Person, ordered: Photo
) -> None:
    full = f"/pictures/jobs/{ordered.job_id}/{ordered.id}/result/full"
    for path in (*pictures(ordered), full):
        nginx.become(None)
        stranger = nginx.ask(path)
        assert (stranger.status_code, stranger.headers["Location"][:8]) == (303, "/sign-in")
        nginx.become(signed_in(app, container, f"{path.replace('/', '.')}@example.com"))
        assert nginx.ask(path).status_code == 404
    nginx.become(owner)
    assert nginx.ask(full).status_code == 200
    inside = owner.web.get(pictures(ordered)[0]).headers["X-Accel-Redirect"]
    assert nginx.ask(inside).status_code == 404


def test_staff_see_results_at_full_size_by_nginx(
    app: Flask, container: Container, nginx: Proxied, ordered: Photo
) -> None:
    nginx.become(signed_in(app, container, "rae@example.com", staff=True))
    answer = nginx.ask(f"/pictures/jobs/{ordered.job_id}/{ordered.id}/result/full")
    assert (answer.status_code, answer.content) == (200, PHOTO)


def test_an_archive_is_made_by_the_service_and_comes_whole_through_nginx(
    nginx: Proxied, owner: Person, ordered: Photo
) -> None:
    nginx.become(owner)
    page = nginx.ask(f"/properties/{ordered.job_id}")
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page.text)
    assert token is not None
    url = f"{page.url}/results.zip"
    answer = nginx.post(
        url,
        {"csrf_token": token[1], "all": "1"},
        headers={"Referer": page.url},
        timeout=PATIENCE_SECONDS,
        allow_redirects=False,
    )
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/zip")
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    with zipfile.ZipFile(BytesIO(answer.content)) as archive:
        assert PHOTO in [archive.read(name) for name in archive.namelist()]


def test_compressed_pages_come_through_as_they_are(nginx: Proxied) -> None:
    answer = nginx.ask("/docs", **{"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "</html>" in answer.text
