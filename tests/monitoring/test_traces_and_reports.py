"""Traces and reports of errors, as a collector and a Sentry on loopback get them; neither is loaded unasked."""

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import brotli
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from app.monitoring.tracing import job_context
from app.settings import Settings
from tests.architecture.source import ROOT
from tests.databases import copy_of
from tests.waiting import eventually

SERVICE = """
import json, logging, os, sys
from app import metrics, monitoring
from app.application import create_app
from app.container import Container
from app.log_context import operation
from app.settings import load_settings
from tests.conftest import PHOTO, new_api, work
from tests.fakes import FakeClock, FakeEngine, FakePreviewMaker, FakeQueue
from tests.services.hooks import FakeTransport, deliver_all, register

settings = load_settings()
monitoring.start(settings, "tests")
monitoring.start(settings, "tests")
container = Container(settings, FakeClock())
container.queue, container.engine, container.previews = FakeQueue(), FakeEngine(), FakePreviewMaker()
container.transport = FakeTransport()
app = create_app(container=container)
app.testing = False

@app.get("/api/breaks")
def breaks():
    hidden = "correct horse battery"
    raise ZeroDivisionError("it broke")

api = new_api(app, container, "jo@example.com")
register(container, api.account_id, "job.approved")
job = api.order(interior=[PHOTO])["jobId"]
work(container)
deliver_all(container)

app.test_client().get("/api/breaks?token=hush-hush", headers={"X-Request-Id": "request-00042"})
logging.getLogger("app.anything").error("expected: no traceback, no report")
child = os.fork()
if not child:
    metrics.enter_work_horse()
    with operation("photo", photo_id="pho_of_a_child", job_id=job):
        try:
            1 / 0
        except ZeroDivisionError:
            logging.getLogger("app.anything").exception("photo broke")
    os._exit(0)
os.waitpid(child, 0)
print(json.dumps({"job": job, "account": api.account_id}))
"""


UNPACK = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}


@dataclass
class Receiver:
    """Keeps what is posted to it, by path."""

    url: str
    bodies: list[tuple[str, bytes]] = field(default_factory=list)

    def spans(self) -> list[dict[str, Any]]:
        found = []
        for path, body in self.bodies:
            if path != "/v1/traces":
                continue
            for of_resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for of_scope in of_resource.scope_spans:
                    found += [_span(each) for each in of_scope.spans]
        return found

    def reports(self) -> list[dict[str, Any]]:
        envelopes = [body.split(b"\n") for path, body in self.bodies if path.endswith("/envelope/")]
        items = [json.loads(line) for lines in envelopes for line in lines[1:] if line.startswith(b"{")]
        # As Sentry does, one is kept per event_id: a fork sends again what its parent had not sent yet.
        return list({each["event_id"]: each for each in items if "exception" in each}.values())


def _span(span: Any) -> dict[str, Any]:
    return {
        "name": span.name,
        "trace": int.from_bytes(span.trace_id, "big"),
        "id": int.from_bytes(span.span_id, "big"),
        "parent": int.from_bytes(span.parent_span_id, "big"),
        "links": [int.from_bytes(each.trace_id, "big") for each in span.links],
        **{each.key: each.value.string_value or each.value.int_value for each in span.attributes},
    }


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A collector and a Sentry on one port of loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            unpack = UNPACK[self.headers.get("Content-Encoding")]
            found.bodies.append((self.path, unpack(body)))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found = Receiver(f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield found
        server.shutdown()


def run(program: str, migrated: str | Path, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    if not isinstance(migrated, Path):
        pytest.skip("of the database nothing is under test")
    environ = {
        **os.environ,
        "DATA_DIR": str(folder / "data"),
        "DATABASE_URL": copy_of(migrated, folder),
        "SECRET_KEY": "s" * 32,
        "BASE_URL": "http://localhost",
        **settings,
    }
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


def test_one_trace_leads_from_the_order_to_the_photo_and_the_delivery(
    receiver: Receiver, migrated: str | Path, tmp_path: Path
) -> None:
    done = run(SERVICE, migrated, tmp_path, OTLP_ENDPOINT=receiver.url)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    spans = eventually("the spans came", receiver.spans)
    root = job_context(made["job"])
    of_job = {each["name"]: each for each in spans if each["trace"] == root.trace_id}
    assert set(of_job) == {"job", "photo", "delivery"}
    assert (of_job["job"]["id"], of_job["job"]["parent"]) == (root.span_id, 0)
    assert {of_job[name]["parent"] for name in ("photo", "delivery")} == {root.span_id}
    assert {each["account_id"] for each in of_job.values() if "account_id" in each} == {made["account"]}
    (placed,) = [each for each in spans if each["name"] == "POST /api/v1/orders/from-uploads"]
    assert placed["links"] == [root.trace_id]
    assert of_job["job"]["links"] == [placed["trace"]]
    assert placed["http.response.status_code"] == 200
    assert {each["photo_id"] for each in spans if each["name"] == "photo"} >= {"pho_of_a_child"}
    assert not [each for each in spans if "hush-hush" in json.dumps(each)]


def test_what_nobody_handled_is_reported_with_our_ids_and_nothing_of_customers(
    receiver: Receiver, migrated: str | Path, tmp_path: Path
) -> None:
    dsn = receiver.url.replace("http://", "http://public@") + "/1"
    done = run(SERVICE, migrated, tmp_path, SENTRY_DSN=dsn)
    assert done.returncode == 0, done.stderr
    request, photo = sorted(
        eventually("both reports came", lambda: _two(receiver)), key=lambda each: "photo_id" in each["tags"]
    )
    assert request["exception"]["values"][0]["type"] == "ZeroDivisionError"
    assert request["tags"]["request_id"] == "request-00042"
    assert photo["tags"]["photo_id"] == "pho_of_a_child"
    told = b"".join(body for _, body in receiver.bodies)
    for secret in (b"correct horse battery", b"hush-hush", b"jo@example.com", b"expected: no traceback"):
        assert secret not in told


def _two(receiver: Receiver) -> list[dict[str, Any]]:
    found = receiver.reports()
    return found if len(found) >= 2 else []


@pytest.mark.parametrize(("setting", "package"), [("OTLP_ENDPOINT", "opentelemetry"), ("SENTRY_DSN", "sentry_sdk")])
def test_a_setting_whose_package_is_missing_is_refused_at_start(setting: str, package: str, tmp_path: Path) -> None:
    lost = f"import sys; sys.modules[{package!r}] = None; from app.cli.process_commands import processes"
    program = f"{lost}; processes(['sweeper'])"
    environ = {**os.environ, "DATA_DIR": str(tmp_path), setting: "http://key@127.0.0.1:9/1"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{setting}: the package ")
    assert "requirements/monitoring.txt" in done.stderr


def test_without_the_settings_nothing_needs_their_packages(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['opentelemetry'] = sys.modules['sentry_sdk'] = None; "
        "from app import monitoring; from app.settings import load_settings; "
        "monitoring.start(load_settings(), 'tests'); print('started')"
    )
    command = [sys.executable, "-c", program]
    environ = {**os.environ, "DATA_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "started"


def test_the_ids_of_a_job_are_the_same_wherever_they_are_made() -> None:
    assert job_context("job_1") == job_context("job_1")
    assert job_context("job_1").trace_id != job_context("job_2").trace_id
    assert job_context("job_1").is_valid
    assert Settings(data_dir=Path("var")).otlp_endpoint is None
