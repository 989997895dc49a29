"""Supervision: the process tree starts, survives, and ends as a whole."""

import contextlib
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from app.settings import Settings
from app.supervision import instance
from app.supervision.configuration import render
from app.supervision.foreground import STOP_SECONDS
from app.supervision.instance import StartRefusedError, end_leftovers, find_processes, require_free_port
from app.supervision.programs import Program, list_programs
from tests.ports import KeptPort
from tests.waiting import PATIENCE_SECONDS, eventually

CHECKOUT = Path(__file__).parents[1]
# Stands for `make run`: the same entry, with trivial programs in place of the service's.
RUNNER = """
import json, sys
from pathlib import Path
from app import supervision
from app.settings import load_settings
from app.supervision import programs
given = [programs.Program(**program) for program in json.loads(sys.argv[1])]
programs.list_programs = lambda settings: given
prepare = lambda: print("prepared", flush=True)
sys.exit(supervision.run_service(load_settings(), prepare, lambda: iter(["announced"])))
"""
SLEEPER = "import time; print('sleeping', flush=True); time.sleep(600)"
STUBBORN = SLEEPER.replace(
    "import time", "import signal, time; signal.signal(signal.SIGTERM, lambda *_: print('asked', flush=True))"
).replace("sleeping", "deaf")
# As RQ's worker does: the child is in a process group of its own, where its parent's end does not reach it.
PARENT = f"""
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {SLEEPER!r}], start_new_session=True)
time.sleep(600)
"""


def python(name: str, code: str, **more: object) -> dict[str, object]:
    return {"name": name, "command": [sys.executable, "-c", code], **more}


class Service:
    """One DATA_DIR and what runs in it."""

    def __init__(self, folder: Path) -> None:
        self.data_dir = folder / "var with 100%"
        self.port = KeptPort()
        self.environ = {
            **os.environ,
            "DATA_DIR": str(self.data_dir),
            "PORT": str(self.port.number),
            "LANG": "C.UTF-8",
        }
        self.output = folder / "output"
        self.runs: list[subprocess.Popen[bytes]] = []

    def up(self, *programs: dict[str, object], **popen: Any) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", RUNNER, json.dumps(programs)]
        with self.output.open("ab") as output:
            streams = {"stdout": output, "stderr": subprocess.STDOUT, **popen}
            run = subprocess.Popen(command, cwd=CHECKOUT, env=self.environ, **streams)
        self.runs.append(run)
        return run

    def pids(self, text: str) -> set[int]:
        """The living processes whose command line holds `text`."""
        found = set()
        for process in find_processes(self.data_dir):
            with contextlib.suppress(psutil.Error):
                if text in " ".join(process.cmdline()):
                    found.add(process.pid)
        return found

    def clean_up(self) -> None:
        for run in self.runs:
            run.kill()
            run.wait()
        end_leftovers(self.data_dir)
        self.port.let_go()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path)
    yield service
    service.clean_up()


def wait_for_output(service: Service, text: str, times: int = 1) -> None:
    eventually(f"the output says {text!r}", lambda: service.output.read_text().count(text) >= times)


def wait_for_pids(service: Service, text: str, count: int = 1) -> set[int]:
    def look() -> set[int]:
        found = service.pids(text)
        return found if len(found) == count else set()

    return eventually(f"{count} processes of {text!r} run", look)


def ends(run: subprocess.Popen[bytes]) -> int:
    """Its exit status; how long it may take is said by the configuration, which is under test below."""
    return run.wait(PATIENCE_SECONDS)


def test_the_database_is_prepared_first_and_one_signal_ends_every_process(service):
    run = service.up(python("parent", PARENT), python("sleeper", SLEEPER))
    wait_for_pids(service, "sleeping", 3)
    # Among what the programs say stands also what is announced.
    wait_for_output(service, "announced\n")
    wait_for_output(service, "sleeping\n")
    # SIGINT comes below, and SIGHUP with a closed terminal.
    run.send_signal(signal.SIGTERM)
    assert ends(run) == 0
    assert find_processes(service.data_dir) == []
    first, *rest = service.output.read_text().splitlines()
    assert first == "prepared"
    assert "sleeping" in rest


def test_processes_deaf_to_signals_end_all_the_same(service):
    deaf = [python("deaf", STUBBORN, stop_seconds=1), python("deaf-too", STUBBORN, group="base", stop_seconds=1)]
    run = service.up(*deaf)
    wait_for_output(service, "deaf", times=2)
    run.terminate()
    assert ends(run) == 0
    assert find_processes(service.data_dir) == []


def test_asking_twice_does_not_cut_the_clean_up_short(service):
    run = service.up(python("deaf", STUBBORN))
    wait_for_output(service, "deaf")
    run.send_signal(signal.SIGINT)
    wait_for_output(service, "asked")
    run.send_signal(signal.SIGINT)
    assert ends(run) == 0
    assert find_processes(service.data_dir) == []


def test_a_killed_program_is_started_again(service):
    service.up(python("sleeper", SLEEPER))
    wait_for_output(service, "sleeping")
    [first] = service.pids("sleeping")
    os.kill(first, signal.SIGKILL)
    [second] = eventually("another process sleeps", lambda: service.pids("sleeping") - {first})
    assert second != first
    wait_for_output(service, "sleeping", times=2)


def test_programs_that_others_rely_on_end_last(service):
    goodbye = (
        "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: sys.exit(print('{0} ends')));"
        "print('{0} runs', flush=True); time.sleep(600)"
    )
    run = service.up(python("top", goodbye.format("top")), python("floor", goodbye.format("floor"), group="base"))
    wait_for_output(service, "runs", times=2)
    run.terminate()
    ends(run)
    said = service.output.read_text()
    assert said.index("top ends") < said.index("floor ends")


def test_after_the_death_of_the_supervisor_nothing_is_left_and_the_next_run_continues(service):
    run = service.up(python("parent", PARENT))
    wait_for_pids(service, "sleeping", 2)
    [supervisord] = service.pids("supervisor.supervisord")
    os.kill(supervisord, signal.SIGKILL)
    assert ends(run) == 1
    assert "start again to continue" in service.output.read_text()
    assert find_processes(service.data_dir) == []


def test_a_new_run_ends_what_a_killed_one_left_behind(service):
    run = service.up(python("deaf", STUBBORN), python("parent", PARENT))
    wait_for_output(service, "deaf")
    wait_for_pids(service, "sleeping", 2)
    [supervisord] = service.pids("supervisor.supervisord")
    os.kill(supervisord, signal.SIGKILL)
    run.kill()
    run.wait()
    left = {process.pid for process in find_processes(service.data_dir)}
    assert left
    service.up(python("fresh", "print('fresh', flush=True); import time; time.sleep(600)"))
    wait_for_output(service, "fresh")
    assert not left & {process.pid for process in find_processes(service.data_dir)}


def test_a_new_run_ends_a_supervisor_whose_starter_was_killed(service):
    run = service.up(python("sleeper", SLEEPER))
    [left] = wait_for_pids(service, "sleeping")
    run.kill()
    run.wait()
    service.up(python("fresh", "print('fresh', flush=True); import time; time.sleep(600)"))
    wait_for_output(service, "fresh")
    assert left not in service.pids("sleeping")
    assert len(service.pids("supervisor.supervisord")) == 1


def test_a_second_run_on_the_same_folder_is_refused_and_harms_nothing(service):
    service.up(python("sleeper", SLEEPER))
    running = wait_for_pids(service, "sleeping")
    second = service.up(python("sleeper", SLEEPER))
    assert ends(second) == 1
    assert f"DATA_DIR: {service.data_dir} is in use by another run" in service.output.read_text()
    assert service.pids("sleeping") == running


def test_a_busy_port_is_refused_by_name_before_anything_starts(service):
    with socket.create_server(("127.0.0.1", service.port.number)):
        assert ends(service.up(python("sleeper", SLEEPER))) == 1
    said = service.output.read_text()
    assert said.startswith(f"brightlist: PORT: cannot listen on port {service.environ['PORT']}")
    assert "prepared" not in said
    assert not (service.data_dir / "run").exists()


def test_a_port_that_a_killed_run_lets_go_of_slowly_is_waited_for(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        with pytest.raises(StartRefusedError):
            require_free_port("127.0.0.1", port)
        # It is let go of while it is waited for.
        waiting = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: busy.close())
        monkeypatch.setattr(instance, "time", waiting)
        require_free_port("127.0.0.1", port, PATIENCE_SECONDS)
        assert busy.fileno() == -1


def test_output_arrives_whole_in_a_file_that_also_others_write(service):
    with service.output.open("wb") as output:
        count = "import time; [print('line', n) for n in range(5000)]; time.sleep(600)"
        run = service.up(python("counter", count), stdout=output)
        wait_for_output(service, "line 4999\n")
        run.terminate()
        ends(run)
    lines = re.findall(r"^line (\d+)$", service.output.read_text(), re.MULTILINE)
    assert lines == [str(number) for number in range(5000)]


def test_output_reaches_a_pipe_and_the_service_outlives_its_reader(service):
    said = service.output.with_name("said")
    # A configuration's command has no indented lines.
    chatter = (
        f"import itertools, pathlib, time; said = pathlib.Path({str(said)!r})\n"
        "for n in itertools.count(): "
        "print('tick', n, '.' * 1000, flush=True); said.write_text(str(n)); time.sleep(0.001)"
    )
    run = service.up(python("chatter", chatter), stdout=subprocess.PIPE)
    assert run.stdout
    os.set_blocking(run.stdout.fileno(), False)
    heard = bytearray()

    def reaches_the_pipe() -> bool:
        heard.extend(run.stdout.read() or b"")
        return b"tick 3" in heard

    eventually("the output comes through the pipe", reaches_the_pipe)
    run.stdout.close()
    [pid] = service.pids("tick")
    more_than_pipes_hold = int(said.read_text() or 0) + 500
    eventually("it goes on to talk", lambda: int(said.read_text() or 0) > more_than_pipes_hold)
    assert service.pids("tick") == {pid}
    run.terminate()
    assert ends(run) == 0
    assert find_processes(service.data_dir) == []


def test_a_closed_terminal_ends_everything(service):
    master, terminal = pty.openpty()
    # The shell's part: a session whose terminal this is.
    take_terminal = "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    command = [sys.executable, "-c", take_terminal + RUNNER, json.dumps([python("sleeper", SLEEPER)])]
    run = subprocess.Popen(
        command, cwd=CHECKOUT, env=service.environ, stdin=terminal, stdout=terminal, stderr=terminal
    )
    service.runs.append(run)
    os.close(terminal)
    eventually("the terminal shows 'sleeping'", lambda: b"sleeping" in os.read(master, 4096))
    os.close(master)
    assert ends(run) == 0
    assert find_processes(service.data_dir) == []


def test_the_services_programs_follow_the_settings(tmp_path):
    settings = Settings(data_dir=tmp_path, workers=3, port=8123, host="::1")
    redis, web, *others = list_programs(settings)
    assert (redis.name, redis.group) == ("redis", "base")
    assert "[::1]:8123" in web.command
    workers = ["worker-1", "worker-2", "worker-3", "hooks-fast", "hooks-slow", "mail", "previews"]
    assert [program.name for program in others] == [*workers, "sweeper"]
    patient = {program.name for program in others if program.command[:3] == ("nice", "-n", "10")}
    assert patient == {"worker-1", "worker-2", "worker-3", "previews"}


def test_a_host_runs_the_programs_that_are_asked_for_alone(tmp_path):
    servers = {"database_url": "postgresql://db/x", "redis_url": "redis://cache:6379/0", "data_dir": tmp_path}
    web = list_programs(Settings(programs="web, sweeper, mail", **servers))
    assert [program.name for program in web] == ["web", "mail", "sweeper"]
    workers = list_programs(Settings(programs="photos,previews", workers=3, **servers))
    assert [program.name for program in workers] == ["worker-1", "worker-2", "worker-3", "previews"]


def test_a_real_redis_is_not_supervised(tmp_path):
    settings = Settings(data_dir=tmp_path, redis_url="redis://cache:6379/0")
    assert "redis" not in {program.name for program in list_programs(settings)}


def test_stopping_in_turn_stays_below_ten_seconds(tmp_path):
    slowest = {"base": 0, "service": 0}
    for program in list_programs(Settings(data_dir=tmp_path)):
        slowest[program.group] = max(slowest[program.group], program.stop_seconds)
    assert sum(slowest.values()) <= STOP_SECONDS
    assert STOP_SECONDS + instance.TERMINATE_SECONDS + instance.KILL_SECONDS < 10


def test_the_supervisor_is_told_how_long_each_program_may_take_to_stop(tmp_path):
    programs = [Program("quick", ("true",), stop_seconds=1), Program("slow", ("true",), stop_seconds=2)]
    assert re.findall(r"^stopwaitsecs = (\d+)$", render(programs, tmp_path), re.MULTILINE) == ["1", "2"]


def test_the_configuration_holds_no_secret(tmp_path):
    settings = Settings(
        data_dir=tmp_path,
        secret_key="0123456789abcdef",
        redis_url="redis://:redis-password@cache/0",
        database_url="postgresql://me:database-password@db/x",
    )
    text = render(list_programs(settings), tmp_path)
    assert "0123456789abcdef" not in text
    assert "password" not in text
