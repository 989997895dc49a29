"""Writes the programs of the service down as a configuration of supervisord."""

import configparser
import io
import os
import shlex
from pathlib import Path

from app.supervision.programs import Program

# supervisord waits one second more after each failed start, so this many last for days.
START_RETRIES = 1000
PRIORITIES = {"base": 1, "service": 2}


def render(programs: list[Program], run_dir: Path) -> str:
    """The configuration's text. It holds no secret: those reach the programs through the environment only."""
    config = configparser.RawConfigParser()
    config["supervisord"] = {
        "nodaemon": "true",
        "logfile": "/dev/null",
        "logfile_maxbytes": "0",
        "loglevel": "warn",
        "pidfile": _escaped(str(run_dir / "supervisord.pid")),
        "childlogdir": _escaped(str(run_dir)),
        # Said aloud, so that supervisord does not warn about it at every start.
        **({"user": "root"} if os.geteuid() == 0 else {}),
    }
    for group, priority in PRIORITIES.items():
        if names := [program.name for program in programs if program.group == group]:
            config[f"group:{group}"] = {"programs": ",".join(names), "priority": str(priority)}
    for program in programs:
        config[f"program:{program.name}"] = _section(program)
    text = io.StringIO()
    config.write(text)
    return text.getvalue()


def _section(program: Program) -> dict[str, str]:
    return {
        "command": _escaped(shlex.join(program.command)),
        "autorestart": "true",
        "startretries": str(START_RETRIES),
        "stopwaitsecs": str(program.stop_seconds),
        "killasgroup": "true",
        "redirect_stderr": "true",
        "stdout_logfile": "/dev/stdout",
        "stdout_logfile_maxbytes": "0",
    }


def _escaped(value: str) -> str:
    return value.replace("%", "%%")
