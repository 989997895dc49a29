"""The processes of a running service by kind, found by the supervisor's own table: the one place that knows how."""

import re
from collections.abc import Iterator

import psutil

from app.settings import load_settings
from app.supervision import programs
from app.supervision.instance import find_processes
from tests.journeys.host import Host
from tests.journeys.service import Service

SUPERVISOR, UP = "supervisor", "up"
"""supervisord, and the command that runs it; when one of them dies an operator starts the service again."""
CHILD = "{}, its children"


def by_kind(service: Service) -> dict[str, list[psutil.Process]]:
    """The living processes: of each program, its children (web workers, work-horses), supervisor and command."""
    found: dict[str, list[psutil.Process]] = {}
    for host in service.hosts:
        for kind, process in _on(host):
            found.setdefault(kind, []).append(process)
    return found


def _on(host: Host) -> Iterator[tuple[str, psutil.Process]]:
    kinds = _kinds(host)
    living = {process.pid: (process, *_seen(process)) for process in find_processes(host.data_dir)}
    supervisors = {pid for pid, (_, command, _) in living.items() if "supervisor.supervisord" in command}
    for pid, (process, command, parent) in living.items():
        kind = kinds.get(command)
        if pid in supervisors:
            yield SUPERVISOR, process
        elif parent in supervisors:
            if kind is not None:
                yield kind, process
        elif parent in living and (kind := kinds.get(living[parent][1])):
            # What is orphaned, for its parent was killed, has no kind: its end is the others' business.
            yield CHILD.format(kind), process
    if host.up is not None and host.up.poll() is None:
        yield UP, psutil.Process(host.up.pid)


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


def _kinds(host: Host) -> dict[tuple[str, ...], str]:
    table = programs.list_programs(load_settings(host.environ))
    # What `nice` starts stands in its place, by its own command alone.
    return {each.command[3:] if each.command[0] == "nice" else each.command: _kind(each.name) for each in table}


def _kinds_of_programs(service: Service) -> list[str]:
    tables = [programs.list_programs(load_settings(host.environ)) for host in service.hosts]
    return [_kind(each.name) for table in tables for each in table]


def _kind(name: str) -> str:
    return re.sub(r"-\d+$", "", name)


def _seen(process: psutil.Process) -> tuple[tuple[str, ...], int]:
    try:
        return tuple(process.cmdline()), process.ppid()
    except psutil.Error:
        return (), 0
