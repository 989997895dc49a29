"""Writes a supervisord configuration for the programs of the service."""

import configparser
import io
import os
import shlex
from pathlib import Path

from app.supervision.programs import Program

# supervisord waits one second longer after each failed start, so it tries again for days.
START_RETRIES = 1000
PRIORITIES = {"base": 1, "service": 2}


def render(programs: list[Program], run_dir: Path) -> str:
    """The text of the configuration. It contains no secrets: programs get them only through the environment."""
    config = configparser.RawConfigParser()
    config["supervisord"] = {
        "nodaemon": "true",
        "logfile": "/dev/null",
        "logfile_maxbytes": "0",
        "loglevel": "warn",
        "pidfile": _escape(str(run_dir / "supervisord.pid")),
        "childlogdir": _escape(str(run_dir)),
        # Set explicitly, because supervisord would otherwise warn about running as root at every start.
        **({"user": "root"} if os.geteuid() == 0 else {}),
    }
    for group, priority in PRIORITIES.items():
        if names := [program.name for program in programs if program.group == group]:
            config[f"group:{group}"] = {"programs": ",".join(names), "priority": str(priority)}
    for program in programs:
        config[f"program:{program.name}"] = _render_section(program)
    text = io.StringIO()
    config.write(text)
    return text.getvalue()


def _render_section(program: Program) -> dict[str, str]:
    return {
        "command": _escape(shlex.join(program.command)),
        "autorestart": "true",
        "startretries": str(START_RETRIES),
        "stopwaitsecs": str(program.stop_seconds),
        "killasgroup": "true",
        "redirect_stderr": "true",
        "stdout_logfile": "/dev/stdout",
        "stdout_logfile_maxbytes": "0",
    }


def _escape(value: str) -> str:
    return value.replace("%", "%%")
