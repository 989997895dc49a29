"""A backup taken as the docs say, while customers order, brings everything back after all was destroyed."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest
import requests
from sqlalchemy import make_url, select

from app.models import Job, Webhook
from app.supervision.instance import end_leftovers
from tests import databases, scenes
from tests.journeys.service import ASK_SECONDS, ROOT, Client, Service
from tests.journeys.whole import FEW_PROGRAMS
from tests.waiting import PATIENCE_SECONDS, eventually

pytestmark = pytest.mark.long
ENGINE = "postgresql" if databases.GIVEN else "sqlite"
OTHERS = 2
"""Orders that somebody else places while the backup is taken."""


def documented(name: str) -> str:
    """The commands of docs/backup.md under this name."""
    (found,) = re.findall(rf"```sh\n# {name}\n(.*?)```", (ROOT / "docs" / "backup.md").read_text(), re.DOTALL)
    return str(found)


class Operator:
    """Somebody at a shell, in the folder of the checkout."""

    def __init__(self, folder: Path, service: Service) -> None:
        self.folder, self.service = folder, service
        (folder / ".venv").symlink_to(ROOT / ".venv")
        (folder / "wsgi.py").symlink_to(ROOT / "wsgi.py")

    def does(self, *names: str) -> str:
        """Run the commands of these names; what was printed."""
        environ = {**self.service.environ, "PYTHONPATH": str(ROOT)}
        if url := environ.get("DATABASE_URL"):
            plain = make_url(url).set(drivername="postgresql")
            environ["DATABASE_URL"] = plain.render_as_string(hide_password=False)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join(map(documented, names))],
            cwd=self.folder,
            env=environ,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS * 4,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def recreate(url: str) -> None:
    """An empty database in the place of the one that was lost."""
    admin = make_url(databases.GIVEN).set(drivername="postgresql").render_as_string(hide_password=False)
    name = make_url(url).database
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')


def destroy(service: Service) -> None:
    """End every process, and remove all that the service kept."""
    assert service.up is not None
    service.up.kill()
    service.up.wait()
    end_leftovers(service.data_dir)
    shutil.rmtree(service.data_dir)
    if databases.GIVEN:
        recreate(service.environ["DATABASE_URL"])


@pytest.fixture
def own_service(tmp_path: Path) -> Iterator[Service]:
    """A service that a test may destroy."""
    with ExitStack() as stack:
        settings = {**FEW_PROGRAMS}
        if databases.GIVEN:
            url = stack.enter_context(databases.server_database(f"backup_{databases.WORKER}"))
            settings |= {"DATABASE_URL": url, "SECRET_KEY": "k" * 32}
        service = Service(tmp_path, **settings)
        stack.callback(service.kill_everything)
        service.start()
        yield service


def order(client: Client, side: int = 96) -> str:
    """Place an order for a small photo; the job's id."""
    files = client.upload({"interior": [scenes.encoded(scenes.room(side + 40, side))]})
    placed = client.order(files, serviceType="interior", interiorEnhancements=["hdr_enhancement"])
    return str(placed["jobId"])


@contextmanager
def going_on(act: Callable[[], None]) -> Iterator[None]:
    """Somebody does this over and over, until the block is left."""
    done = Event()

    def go() -> None:
        while not done.is_set():
            act()

    thread = Thread(target=go)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_what_was_backed_up_while_running_is_all_there_after_a_restore(
    own_service: Service, tmp_path: Path
) -> None:
    operator, owner, other = Operator(tmp_path, own_service), own_service.client(), own_service.client()
    jobs = [order(owner) for _ in range(2)]
    assert [owner.settled(job_id)["status"] for job_id in jobs] == ["approved", "approved"]
    pictures = {job_id: owner.pictures(job_id) for job_id in jobs}
    link = owner.call("GET", f"/downloads/{jobs[0]}")["images"][0]["url"]
    webhook = requests.post(
        f"{owner.url}/webhooks",
        json={"url": "https://93.184.216.34/"},
        headers=owner.session.headers,
        timeout=ASK_SECONDS,
    )
    assert webhook.status_code == 201, webhook.text
    credits = owner.call("GET", "/user/credits")["credits"]
    placed: list[str] = []

    def order_and_wait() -> None:
        placed.append(order(other))
        other.settled(placed[-1])

    with going_on(order_and_wait):
        eventually("somebody else orders", lambda: len(placed) >= OTHERS)
        operator.does(f"back up: {ENGINE}")
        while_dumped = len(placed)
        eventually("results come between the database and the files", lambda: len(placed) > while_dumped)
        operator.does("back up: files")

    destroy(own_service)
    operator.does("restore: files", f"restore: {ENGINE}")
    assert "agree" in operator.does("restore: check")
    own_service.start()

    assert {job_id: owner.pictures(job_id) for job_id in jobs} == pictures
    assert requests.get(link, timeout=ASK_SECONDS).content in pictures[jobs[0]]["generated_interior"]
    assert owner.call("GET", "/user/credits")["credits"] == credits
    [kept] = owner.call("GET", "/webhooks")["webhooks"]
    assert kept["id"] == webhook.json()["id"]
    with own_service.books() as here, here.database.read_session() as session:
        assert here.vault.open(session.get_one(Webhook, kept["id"]).secret) == webhook.json()["secret"]
        known = set(session.scalars(select(Job.id)))
    named = known & set(placed)
    assert len(named) >= OTHERS - 1, "orders from before the backup are missing"
    assert all(other.pictures(job_id) for job_id in named if other.settled(job_id)["status"] == "approved")
    assert own_service.mismatches() == []
    assert own_service.stop() == 0
