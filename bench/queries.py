"""How many SQL statements each endpoint sends, for an order of 1 photo and for one of 50.

Usage: python -m bench.queries

For one photo the photo "in the midst" is also the first and the last.
"""

import io
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from werkzeug.test import TestResponse

from app.application import create_app
from app.container import Container
from app.migrations import migrate
from app.services.photos import photos
from app.settings import Settings
from bench.customers import form_fields
from bench.tables import say_where, show
from tests.conftest import PHOTO, Api, new_api, order_body, photo_worker
from tests.fakes import FakeClock, FakeEngine, FakeQueue, photo

COUNTS = (1, 50)
BOUNDARIES = ("BEGIN", "SAVEPOINT", "RELEASE")

Counted = dict[str, int]


class Statements:
    """Counts the statements of a container's database, those that only open a transaction left out."""

    def __init__(self) -> None:
        self.count = 0
        # Every engine of this process: a bare read has one of its own over the same connections.
        event.listen(Engine, "before_cursor_execute", self._one)

    def of(self, act: Callable[[], object]) -> int:
        """How many statements the act sends."""
        before = self.count
        act()
        return self.count - before

    def _one(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        self.count += not statement.startswith(BOUNDARIES)


@contextmanager
def fresh(folder: Path) -> Iterator[tuple[Container, Api]]:
    """The application over an empty database, with a client whose key was used before."""
    settings = Settings(data_dir=folder, base_url="http://localhost", secret_key="s" * 32)
    container = Container(settings, FakeClock())
    container.queue, container.engine = FakeQueue(), FakeEngine()
    migrate(container.database)
    api = new_api(create_app(container=container), container, "bench@example.com")
    api.credits()
    try:
        yield container, api
    finally:
        container.database.engine.dispose()


def ok(answer: TestResponse) -> TestResponse:
    """The answer, which must be a good one: refusals send fewer statements."""
    if answer.status_code != 200:
        raise RuntimeError(f"{answer.request.path}: {answer.text}")
    return answer


def counted(container: Container, api: Api, photo_count: int) -> Counted:
    """Statements for every endpoint, in the order of a job's life."""
    statements = Statements()
    found: Counted = {}

    def ask(name: str, method: str, path: str, **options: Any) -> Any:
        answers: list[TestResponse] = []
        found[name] = statements.of(lambda: answers.append(ok(api.call(method, path, **options))))
        return answers[0].json

    ask("GET /user/credits", "GET", "/user/credits")
    counts = json.dumps({"interiorCount": photo_count})
    ask("POST /orders/upload-urls", "POST", "/orders/upload-urls", data=counts)
    ask("POST /orders/quote", "POST", "/orders/quote", data=json.dumps({**order_body(), **json.loads(counts)}))
    target = api.post("/orders/upload-urls", {"interiorCount": 1}).get_json()["interiorUrls"][0]
    found["PUT /uploads/…"] = statements.of(lambda: ok(api.put(target["uploadUrl"], PHOTO)))
    order = json.dumps({**order_body(), **api.upload([PHOTO] * photo_count)})
    job_id = ask("POST /orders/from-uploads", "POST", "/orders/from-uploads", data=order)["jobId"]
    ask("  the same order again", "POST", "/orders/from-uploads", data=order)
    ask("POST /orders (multipart)", "POST", "/orders", data=form(photo_count))
    ask("GET /jobs/…/status", "GET", f"/jobs/{job_id}/status")
    # Two orders wait; the photo that settles its job costs most.
    each = worked(container, statements)
    found["worker: a photo in the midst of a job"] = min(each)
    found["worker: the last photo of a job"] = max(each)
    images = ask("GET /downloads/… (delivers)", "GET", f"/downloads/{job_id}")["images"]
    ask("GET /downloads/… (again)", "GET", f"/downloads/{job_id}")
    found["GET /files/…"] = statements.of(lambda: ok(api.client.get(images[0]["url"])))
    found["worker: the last photo, all others refunded"] = refunded(container, api, photo_count)
    return found


def form(photo_count: int) -> dict[str, Any]:
    """A multipart order."""
    return {**form_fields(), **{f"interiorPhoto{n}": (io.BytesIO(PHOTO), f"{n}.jpg") for n in range(photo_count)}}


def worked(container: Container, statements: Statements) -> list[int]:
    """Statements of the work on each photo that is due."""
    with container.database.read_session() as session:
        due = photos.due(session, container.clock(), 1000)
    return [statements.of(partial(photo_worker(container).process, photo_id)) for photo_id in due]


def refunded(container: Container, api: Api, photo_count: int) -> int:
    """Statements of the work on a job's last photo when every other one could not be used and is refunded."""
    api.order([PHOTO, *([photo("BROKEN")] * (photo_count - 1))])
    return worked(container, Statements())[-1]


def main() -> None:
    """Every count in a table."""
    say_where()
    found = []
    for photo_count in COUNTS:
        with tempfile.TemporaryDirectory() as folder, fresh(Path(folder)) as (container, api):
            found.append(counted(container, api, photo_count))
    rows = [(name, *(each[name] for each in found)) for name in found[0]]
    show("SQL statements (COMMIT not counted)", ("", *(f"{count} photo(s)" for count in COUNTS)), rows)


if __name__ == "__main__":
    main()
