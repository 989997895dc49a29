"""How the modules of a process are loaded at its start, and when."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from app.cli.wait_for_web import wait_for_answer
from app.preload import load
from app.settings import Settings
from app.supervision.programs import list_programs
from tests.ports import kept_port

ROOT = Path(__file__).parents[1]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a module that is found by the name `loaded_for_a_test`."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path / "loaded_for_a_test.py"


def test_the_collector_waits_while_modules_are_loaded_and_goes_on_after(module: Path) -> None:
    module.write_text("import gc; collects = gc.isenabled()")
    try:
        assert load("loaded_for_a_test").collects is False
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        del sys.modules["loaded_for_a_test"]


def test_the_collector_goes_on_where_a_module_cannot_be_loaded(module: Path) -> None:
    module.write_text("raise LookupError('no')")
    try:
        with pytest.raises(LookupError):
            load("loaded_for_a_test")
        assert gc.isenabled()
    finally:
        gc.unfreeze()


def test_gunicorn_loads_the_application_once_and_leaves_it_to_each_worker_to_make_it() -> None:
    program = (
        "import runpy, sys; conf = runpy.run_path('gunicorn.conf.py'); before = 'app.application' in sys.modules; "
        "conf['on_starting'](None); "
        "print(before, 'app.application' in sys.modules, 'mcp' in sys.modules, 'wsgi' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "False True True False\n"


def test_the_application_does_without_the_package_for_agents_until_one_asks() -> None:
    program = "import sys, app.application; print('mcp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("command", [["work", "--help"], ["sweeper", "--help"], ["up", "--help"]])
def test_no_process_loads_alembic_pages_or_pictures_before_it_needs_them(command: list[str]) -> None:
    program = (
        "import sys\n"
        "from app.preload import load\n"
        "processes = load('app.cli.process_commands').processes\n"
        f"processes({command}, standalone_mode=False)\n"
        "print([each for each in ('alembic', 'flask', 'cv2', 'numpy', 'boto3') if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.fixture
def pages() -> Iterator[HTTPServer]:
    """A server that refuses whatever it is asked."""
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_whoever_waits_for_pages_goes_on_at_any_answer(pages: HTTPServer) -> None:
    assert wait_for_answer("127.0.0.1", pages.server_port)


def test_whoever_waits_for_pages_goes_on_without_them_when_the_time_is_over() -> None:
    with kept_port() as port:
        assert not wait_for_answer("127.0.0.1", port, max_seconds=0.3)


def test_workers_let_the_pages_of_their_host_come_first_and_wait_for_no_other_hosts(tmp_path: Path) -> None:
    servers = {"database_url": "postgresql://db/x", "redis_url": "redis://cache:6379/0", "data_dir": tmp_path}
    beside, alone = (list_programs(Settings(programs=each, **servers)) for each in ("web, mail", "mail"))
    assert [each.command[2] for each in beside if each.name == "mail"] == ["app.cli.wait_for_web"]
    assert [each.command[2] for each in alone] == ["app.cli.processes"]


def test_a_worker_that_waited_for_pages_is_the_command_that_it_is_told(pages: HTTPServer) -> None:
    told = [sys.executable, "-m", "app.cli.wait_for_web", "127.0.0.1", str(pages.server_port), "work", "--help"]
    done = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Run one worker process" in done.stdout
