"""The image of deploy/Dockerfile, built and run: as nobody, writing to its volume alone, it makes a photo."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests import redis_server, scenes
from tests.conftest import order_body
from tests.deploy.image import DATA, Image
from tests.journeys.service import Client
from tests.ports import kept_port
from tests.waiting import PATIENCE_SECONDS, eventually

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="only root enters name spaces"),
]
USER = 10001


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    made = Image(tmp_path_factory.mktemp("image"))
    made.build()
    yield made


@pytest.fixture
def environ(image: Image) -> Iterator[dict[str, str]]:
    """Settings of a service whose Redis lies in its volume; its database and files are its own, too."""
    with redis_server.run_server(image.data) as url, kept_port() as port, kept_port() as metrics_port:
        for path in (image.data, *image.data.rglob("*")):
            os.chown(path, USER, USER)
        shared = {"BASE_URL": f"http://127.0.0.1:{port}", "PORT": str(port), "METRICS_PORT": str(metrics_port)}
        # The test asks for the job far more often than customers may.
        shared["RATE_LIMIT_READS"] = "1000000"
        yield {**shared, "REDIS_URL": url.replace(str(image.data), str(DATA))}


@pytest.fixture
def running(image: Image, environ: dict[str, str]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """The processes of the service: what the image starts by itself, and those of compose.yaml."""
    processes = "python", "-m", "app.cli.processes"
    assert image.start(*processes, "migrate", **environ).wait() == 0
    web = [each.replace(":8000", f":{environ['PORT']}") for each in image.command]
    others = (("work", "photos"), ("sweeper",), ("metrics",))
    started = [image.start(*web, **environ), *(image.start(*processes, *each, **environ) for each in others)]
    yield started
    for each in started:
        each.terminate()
    assert [each.wait() for each in started] == [0] * len(started)


def key(image: Image, environ: dict[str, str], tmp_path: Path) -> str:
    """An API key of an account with credits, made by the image's own commands."""
    flask = "python", "-m", "flask", "--app", "wsgi"
    assert image.start(*flask, "accounts", "create", "jo@example.com", "--credits", "9", **environ).wait() == 0
    command = f"exec {' '.join(flask)} keys create jo@example.com > {DATA}/key"
    assert image.start("sh", "-c", command, **environ).wait() == 0
    return (image.data / "key").read_text().strip()


def answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=PATIENCE_SECONDS).ok
    except requests.RequestException:
        return False


def test_the_image_serves_and_works_as_nobody_with_a_root_it_cannot_write_to(
    image: Image, environ: dict[str, str], running: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    base = environ["BASE_URL"]
    eventually("the service is ready", lambda: answers(f"{base}/readyz"))
    assert "htmx" in requests.get(f"{base}/", timeout=30).text
    assert requests.get(f"{base}/docs", timeout=30).ok
    client = Client(base, key(image, environ, tmp_path))
    photo = scenes.encoded(scenes.house(640, 427))
    order = client.order(client.upload({"exterior": [photo]}), **order_body(False, True))
    assert client.settled(order["jobId"])["status"] == "approved"
    told = requests.get(f"http://127.0.0.1:{environ['METRICS_PORT']}/metrics", timeout=30).text
    assert re.search(r'^brightlist_jobs_total\{status="approved"\} 1\.0$', told, re.MULTILINE)
    assert re.search(r'^brightlist_steps_total\{outcome="made",step="sky_enhancement"\} 1\.0$', told, re.MULTILINE)
    healthy = [each.replace(":8000", f":{environ['PORT']}") for each in image.health]
    assert image.start(*healthy).wait() == 0
    assert (
        image.start("sh", "-c", "touch app/x 2>/dev/null || touch /srv/x 2>/dev/null || touch /etc/x").wait() != 0
    )
    owners = {path.stat().st_uid for path in image.data.rglob("*")}
    assert owners == {USER}
