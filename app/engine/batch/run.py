"""One run over a folder: a look at all photos, then photo after photo worked and written."""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import click

from app.domain.look import Look, shared_look
from app.domain.ports import Wish
from app.engine.batch.arguments import Asked
from app.engine.batch.files import stems, write_whole
from app.engine.batch.photo import Glance, Outcome, Task, fitting, glance, outcome
from app.engine.batch.processes import Workers
from app.engine.batch.report import Line, as_json

Item = TypeVar("Item")


def run(asked: Asked, paths: Sequence[Path]) -> list[Line]:
    """Work the photos at these paths as one order and write results, masks and report; raises OSError.

    With `asked.brackets` they are the frames of one photo. Results that fail their checks are written as
    NAME.rejected.EXT, to be looked at.
    """
    for folder in (asked.out, asked.masks, asked.surfaces, asked.report and asked.report.parent):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    with Workers(min(asked.jobs, len(paths))) as workers:
        glances = list(_shown(workers.in_order(glance, paths), len(paths), "Looking"))
        seed = asked.seed if asked.seed is not None else _seed(glances)
        look = shared_look([each.glimpse for each in glances if each.glimpse is not None])
        tasks = _tasks(asked, paths, glances, (seed, look))
        names = [f"{paths[0].stem}-merged"] if asked.brackets else stems(paths)
        outcomes = _shown(workers.in_order(outcome, tasks), len(tasks), "Working")
        lines = [
            _written(asked, str(task.frames[0]), name, done)
            for task, name, done in zip(tasks, names, outcomes, strict=True)
        ]
    if asked.report is not None:
        write_whole(asked.report, as_json(lines, asked.steps, seed, look))
    return lines


def _seed(glances: Sequence[Glance]) -> str:
    """The same for the same photos, however they are named and in whatever order."""
    return hashlib.sha256("".join(sorted(each.digest for each in glances)).encode()).hexdigest()


def _tasks(asked: Asked, paths: Sequence[Path], glances: Sequence[Glance], shared: tuple[str, Look]) -> list[Task]:
    wanted = asked.masks is not None, asked.surfaces is not None, asked.with_results
    if asked.brackets:
        return [Task(paths, Wish(asked.steps, *shared, asked.staging, asked.changes), *wanted)]
    return [
        Task([path], Wish(fitting(asked.steps, each.glimpse), *shared, asked.staging, asked.changes), *wanted)
        for path, each in zip(paths, glances, strict=True)
    ]


def _shown(items: Iterator[Item], length: int, label: str) -> Iterator[Item]:
    """The items, with a bar of how many have come; none where nobody watches."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, file=sys.stderr, show_pos=True, hidden=hidden) as bar:
        for item in items:
            yield item
            bar.update(1)


def _written(asked: Asked, photo: str, name: str, done: Outcome) -> Line:
    target, masks = None, {}
    if done.picture is not None and asked.out is not None:
        mark = "" if done.report.passed else ".rejected"
        target = asked.out / f"{name}{mark}.{done.picture.extension}"
        write_whole(target, done.picture.content)
    if asked.masks is not None:
        masks = {step: asked.masks / f"{name}.{step}.png" for step in done.masks}
        for step, path in masks.items():
            write_whole(path, done.masks[step])
    if asked.surfaces is not None:
        for end, content in done.surfaces.items():
            write_whole(asked.surfaces / f"{name}.{end}", content)
    return Line(photo, done.report, target, masks)
