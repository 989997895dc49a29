"""The log of a process: text or JSON, with the ids of what is worked on, and the security log as documented."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.settings import LogFormat
from tests.architecture.source import ROOT

PROGRAM = """
import logging, sys
from structlog.contextvars import bound_contextvars
from app.domain.security_events import SecurityEvent
from app.monitoring import logs
from app.services import security_log
from app.settings import LogFormat
logs.configure(LogFormat(sys.argv[1]))
logs.configure(LogFormat(sys.argv[1]))
security_log.log.setLevel(logging.INFO)
with bound_contextvars(request_id="req_1", photo_id="pho_2"):
    logging.getLogger("app.anything").warning("photo %s is put off", "pho_2")
    logging.getLogger("gunicorn.error").error("worker left")
    security_log.record(SecurityEvent.KEY_REFUSED, "acc_3")
    secret = "correct horse"
    try:
        raise ValueError("it broke")
    except ValueError:
        logging.getLogger("app.anything").exception("request broke\\nat two lines")
logging.getLogger("app.anything").info("nobody wants to know")
"""


def told(log_format: LogFormat) -> str:
    command = [sys.executable, "-c", PROGRAM, log_format.value]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stderr


def test_json_has_one_object_a_line_with_the_ids_of_what_is_worked_on() -> None:
    put_off, left, refused, broke = map(json.loads, told(LogFormat.JSON).splitlines())
    ids = {"request_id": "req_1", "photo_id": "pho_2"}
    assert put_off.pop("time").endswith("Z")
    assert put_off == {"level": "warning", "logger": "app.anything", "message": "photo pho_2 is put off", **ids}
    assert (left["logger"], left["request_id"]) == ("gunicorn.error", "req_1")
    assert (refused["event"], refused["account"]) == ("key.refused", "acc_3")
    assert "level" not in refused, "the security log has its own form"
    assert "ValueError: it broke" in broke["exception"]


def test_text_is_for_people_and_has_the_same_ids() -> None:
    lines = told(LogFormat.TEXT)
    assert "photo pho_2 is put off" in lines
    assert "request_id=req_1" in lines
    assert '"event": "key.refused"' in lines
    assert "ValueError: it broke" in lines
    assert "nobody wants to know" not in lines


@pytest.mark.parametrize("log_format", list(LogFormat))
def test_a_traceback_tells_no_values_of_variables(log_format: LogFormat) -> None:
    assert "correct horse" not in told(log_format).replace('secret = "correct horse"', "")


def test_every_process_logs_so(tmp_path: Path) -> None:
    """A setting that makes no sense is told before; what follows is in the format asked for."""
    environ = {"DATA_DIR": str(tmp_path), "METRICS_PORT": "1", "LOG_FORMAT": "xml", "PATH": ""}
    command = [sys.executable, "-m", "app.cli.processes", "metrics"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("LOG_FORMAT: ")


def test_the_process_that_starts_the_web_processes_logs_so_too(tmp_path: Path) -> None:
    environ = {**os.environ, "DATA_DIR": str(tmp_path / "data"), "LOG_FORMAT": "json"}
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--no-control-socket",
        "--bind",
        "127.0.0.1:0",
        "nowhere:application",
    ]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    lines = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert {line["logger"] for line in lines} == {"gunicorn.error"}
