"""The whole service as `make run` starts it, in a folder and on a port of its own."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import psutil
import requests

from app.adapters import redis_embedded
from app.container import Container
from app.services import audit
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.security import api_keys
from app.settings import load_settings
from tests.journeys.host import WORK, Host, Place
from tests.ports import KeptPort
from tests.waiting import ORDER_SECONDS, PATIENCE_SECONDS, eventually

ROOT = Path(__file__).parents[2]
START_SECONDS = 180
"""Ten processes start at once, on machines that are busy with other tests."""
ASK_SECONDS = 30
"""How long one answer may take."""
PAUSE_SECONDS = 0.2
ALONE = Place(".", {})
"""All of the service on one host."""
_numbers = count(1)
Found = TypeVar("Found")


def seldom(look: Callable[[], Found]) -> Callable[[], Found]:
    """The same, with a pause after what was not seen: asking costs processor time that the service then lacks."""

    def paused() -> Found:
        if not (found := look()):
            time.sleep(PAUSE_SECONDS)
        return found

    return paused


class Service:
    """The service on one host, or on several that share their servers; run from the code of `code`.

    The first host has the web processes, and is meant where none is named.
    """

    def __init__(
        self, folder: Path, code: Path = ROOT, places: Sequence[Place] = (ALONE,), **settings: str
    ) -> None:
        self.code = code
        self.port = KeptPort()
        self.url = f"http://localhost:{self.port.number}"
        # A test asks far more often than customers may.
        limits = {"RATE_LIMIT_READS": "1000000", "RATE_LIMIT_WRITES": "1000000"}
        given = {"PORT": str(self.port.number), **limits, **settings}
        self.hosts = [Host(folder, each, given, code) for each in places]

    @property
    def data_dir(self) -> Path:
        """Of the first host."""
        return self.hosts[0].data_dir

    @property
    def environ(self) -> dict[str, str]:
        """Of the first host's command, to be changed before a start."""
        return self.hosts[0].environ

    @property
    def log(self) -> Path:
        """What the first host says."""
        return self.hosts[0].log

    @property
    def up(self) -> subprocess.Popen[bytes] | None:
        """The command that keeps the first host's programs running."""
        return self.hosts[0].up

    def start(self) -> None:
        """Start what does not run, and wait until all of it works."""
        for host in self.hosts:
            if not host.runs():
                host.start()
        eventually("every part of the service works", seldom(self.ready), START_SECONDS)

    @contextmanager
    def running(self) -> Iterator["Service"]:
        """The same, ready; all of it has ended when the block is left."""
        try:
            self.start()
            yield self
        finally:
            self.kill_everything()

    def ready(self) -> bool:
        """Whether every part works."""
        if not all(host.has_begun() for host in self.hosts):
            return False
        # The web processes alone can be asked.
        if not all(host.processes(WORK) for host in self.hosts[1:]):
            return False
        try:
            return requests.get(f"{self.url}/readyz", timeout=ASK_SECONDS).ok
        except requests.RequestException:
            return False

    def crash(self) -> None:
        """Kill commands and supervisors; what they started lives on."""
        for host in self.hosts:
            host.crash()

    def stop(self) -> int:
        """Ask it to end; its exit status."""
        for host in self.hosts:
            host.stop()
        return next(filter(None, [host.status() for host in self.hosts]), 0)

    def kill_everything(self) -> None:
        """End what a test may have left, for good."""
        for host in self.hosts:
            host.kill_everything()
        self.port.let_go()

    def processes(self, pattern: str) -> list[psutil.Process]:
        """The living processes of this service whose command line matches."""
        return [process for host in self.hosts for process in host.processes(pattern)]

    def standing(self, pattern: str) -> set[int]:
        """Those of them that stay: not what they forked for one task, which has the same command line and goes."""
        found = self.processes(pattern)
        parents = {}
        for process in found:
            with suppress(psutil.Error):
                parents[process.pid] = process.ppid()
        return {pid for pid, parent in parents.items() if parent not in parents}

    def redis_url(self) -> str:
        """The Redis that wakes its workers."""
        return self.environ.get("REDIS_URL") or redis_embedded.url(redis_embedded.socket_path(self.data_dir))

    def flask(self, *words: str) -> subprocess.CompletedProcess[str]:
        """An operator's command."""
        command = [sys.executable, "-m", "flask", "--app", "wsgi", *words]
        given: dict[str, Any] = {"cwd": self.code, "env": self.environ, "timeout": PATIENCE_SECONDS}
        return subprocess.run(command, capture_output=True, text=True, check=False, **given)

    @contextmanager
    def books(self) -> Iterator[Container]:
        """Its database and files, seen from this process."""
        container = Container(load_settings(self.environ))
        yield container
        container.database.engine.dispose()

    def client(self) -> "Client":
        """A program with a key to a new account of 100 credits."""
        with self.books() as here, here.database.unit_of_work() as session:
            member = accounts.create(session, f"jo{next(_numbers)}@example.com", here.clock())
            credits.adjust(session, member.organization_id, Decimal(100), "Opening balance", here.clock())
            _, secret = api_keys.create(session, member.organization_id, here.clock())
        return Client(self.url, secret)

    def grant(self, email: str, amount: int) -> None:
        """Give the account so many credits more."""
        with self.books() as here, here.database.unit_of_work() as session:
            member = accounts.find(session, email)
            credits.adjust(session, member.organization_id, Decimal(amount), "Welcome", here.clock())

    def mismatches(self) -> list[str]:
        """What `flask check` would tell."""
        with self.books() as here, here.database.read_session() as session:
            return list(audit.find_mismatches(session, here.storage))


class Client:
    """A program that uses the API over HTTP."""

    def __init__(self, url: str, key: str) -> None:
        self.url = f"{url}/api/v1"
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {key}"

    def call(self, method: str, path: str, **options: Any) -> Any:
        """The JSON of a good answer; asks again while the server is away, as a careful program does."""
        answer = self.ask(method, path, **options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ask(self, method: str, path: str, **options: Any) -> requests.Response:
        """The answer, be it a refusal; asks again while the server is away."""

        def attempt() -> list[requests.Response]:
            try:
                answer = self.session.request(method, f"{self.url}{path}", timeout=ASK_SECONDS, **options)
            except (requests.ConnectionError, requests.Timeout):
                return []
            return [answer] if answer.status_code < 500 else []

        (answer,) = eventually(f"the server answers {method} {path}", seldom(attempt))
        return answer

    def upload(self, photos: dict[str, list[bytes]]) -> dict[str, Any]:
        """Upload exterior and interior photos; what an order for them needs."""
        counts = {f"{kind}Count": len(files) for kind, files in photos.items()}
        room = self.call("POST", "/orders/upload-urls", json=counts)
        files: dict[str, Any] = {"uploadSessionId": room["uploadSessionId"]}
        for kind, contents in photos.items():
            for target, content in zip(room[f"{kind}Urls"], contents, strict=True):
                put = self.put(target["uploadUrl"], content)
                assert put.status_code in (200, 415), put.text
            files[f"{kind}Files"] = [{"filePath": target["filePath"]} for target in room[f"{kind}Urls"]]
        return files

    def put(self, url: str, content: bytes) -> requests.Response:
        """The answer to a file that is sent to its address."""

        def attempt() -> list[requests.Response]:
            try:
                # Without the key: a bucket refuses a second permission beside its URL.
                return [requests.put(url, data=content, timeout=PATIENCE_SECONDS)]
            except requests.ConnectionError:
                return []

        (answer,) = eventually(f"the server takes the file for {url}", seldom(attempt))
        return answer

    def pictures(self, job_id: str) -> dict[str, list[bytes]]:
        """The files of a finished job, by the type that its list of downloads gives them."""
        files: dict[str, list[bytes]] = {}
        for image in self.call("GET", f"/downloads/{job_id}")["images"]:
            files.setdefault(image["type"], []).append(requests.get(image["url"], timeout=ASK_SECONDS).content)
        return files

    def order(self, files: dict[str, Any], **fields: Any) -> dict[str, Any]:
        """Place an order for uploaded files."""
        answer = self.ask_order(files, **fields)
        assert answer.status_code == 200, answer.text
        placed: dict[str, Any] = answer.json()
        return placed

    def ask_order(self, files: dict[str, Any], **fields: Any) -> requests.Response:
        """The answer to an order for uploaded files, be it a refusal."""
        body = {"address": "12 Garden Lane, Springfield, IL 62704", **files, **fields}
        return self.ask("POST", "/orders/from-uploads", json=body)

    def settled(self, job_id: str) -> dict[str, Any]:
        """The job's status once it has settled."""

        def look() -> dict[str, Any] | None:
            status: dict[str, Any] = self.call("GET", f"/jobs/{job_id}/status")
            return status if status["status"] in ("approved", "failed", "undeliverable") else None

        status = eventually(f"{job_id} has settled", seldom(look), ORDER_SECONDS)
        assert status is not None
        return status
