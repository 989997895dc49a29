"""The processes of a running service by kind, found by the supervisor's own table: the one place that knows how."""

import re

import psutil

from app.settings import load_settings
from app.supervision import programs
from app.supervision.instance import find_processes
from tests.journeys.service import Service

SUPERVISOR, UP = "supervisor", "up"
"""supervisord, and the command that runs it; when one of them dies an operator starts the service again."""
CHILD = "{}, its children"


def by_kind(service: Service) -> dict[str, list[psutil.Process]]:
    """The living processes: of each program, its children (web workers, work-horses), supervisor and command."""
    kinds = _kinds(service)
    living = {process.pid: (process, *_seen(process)) for process in find_processes(service.data_dir)}
    supervisors = {pid for pid, (_, command, _) in living.items() if "supervisor.supervisord" in command}
    found: dict[str, list[psutil.Process]] = {}
    for pid, (process, command, parent) in living.items():
        kind = kinds.get(command)
        if pid in supervisors:
            found.setdefault(SUPERVISOR, []).append(process)
        elif parent in supervisors:
            if kind is not None:
                found.setdefault(kind, []).append(process)
        elif parent in living and (kind := kinds.get(living[parent][1])):
            # What is orphaned, for its parent was killed, has no kind: its end is the others' business.
            found.setdefault(CHILD.format(kind), []).append(process)
    if service.up is not None and service.up.poll() is None:
        found[UP] = [psutil.Process(service.up.pid)]
    return found


def kinds(service: Service) -> list[str]:
    """Every kind that by_kind may find, whether one lives now or not; programs whose children do work, twice."""
    programs = sorted(set(_kinds_of_programs(service)))
    return [*programs, CHILD.format("web"), CHILD.format("worker"), SUPERVISOR, UP]


def missing(service: Service) -> set[str]:
    """The programs of which fewer processes run than shall."""
    wanted: dict[str, int] = {}
    for kind in _kinds_of_programs(service):
        wanted[kind] = wanted.get(kind, 0) + 1
    there = by_kind(service)
    return {kind for kind, count in wanted.items() if len(there.get(kind, ())) < count}


def _kinds(service: Service) -> dict[tuple[str, ...], str]:
    table = programs.of_service(load_settings(service.environ))
    return {each.command: _kind(each.name) for each in table if each.restart}


def _kinds_of_programs(service: Service) -> list[str]:
    table = programs.of_service(load_settings(service.environ))
    return [_kind(each.name) for each in table if each.restart]


def _kind(name: str) -> str:
    return re.sub(r"-\d+$", "", name)


def _seen(process: psutil.Process) -> tuple[tuple[str, ...], int]:
    try:
        return tuple(process.cmdline()), process.ppid()
    except psutil.Error:
        return (), 0
