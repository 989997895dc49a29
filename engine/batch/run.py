"""Runs the command on many photos: estimates the light of all, then processes and writes each."""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from engine.batch.arguments import BatchRequest
from engine.batch.files import choose_stems, write_whole
from engine.batch.photo import (
    BatchOutcome,
    PhotoLight,
    PhotoTask,
    estimate_photo_light,
    process_photo,
    select_fitting_steps,
)
from engine.batch.processes import Workers
from engine.batch.report import ReportLine, write_json
from engine.types.appearance import find_shared_appearance
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement

Item = TypeVar("Item")


def run_batch(asked: BatchRequest, paths: Sequence[Path]) -> list[ReportLine]:
    """Process photos as one order and write results, masks, surfaces and report.

    Results that fail their checks are written as NAME.rejected.EXT, for inspection.

    Parameters
    ----------
    asked : BatchRequest
        The arguments, checked against `paths`.
    paths : Sequence of Path
        The photos; with `asked.brackets` the frames of one photo.

    Returns
    -------
    list of ReportLine
        One for each photo, in their order.

    Raises
    ------
    OSError
        Where a folder or a file cannot be written.
    concurrent.futures.BrokenExecutor
        Where a worker process is ended from outside.
    """
    for folder in (asked.out, asked.masks, asked.surfaces, asked.report and asked.report.parent):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    with Workers(min(asked.jobs, len(paths))) as workers:
        lights = list(_show_progress(workers.map_in_order(estimate_photo_light, paths), len(paths), "Looking"))
        seed = asked.seed if asked.seed is not None else _make_seed(lights)
        appearance = find_shared_appearance([each.light for each in lights if each.light is not None])
        tasks = _make_tasks(asked, paths, lights, EngineContext(order_seed=seed, appearance=appearance))
        names = [f"{paths[0].stem}-merged"] if asked.brackets else choose_stems(paths)
        outcomes = _show_progress(workers.map_in_order(process_photo, tasks), len(tasks), "Working")
        lines = [
            _write_outcome(asked, str(task.frames[0]), name, done)
            for task, name, done in zip(tasks, names, outcomes, strict=True)
        ]
    if asked.report is not None:
        write_whole(asked.report, write_json(lines, asked.steps, seed, appearance))
    return lines


def _make_seed(lights: Sequence[PhotoLight]) -> str:
    """A seed from the photos' contents: it does not depend on their names or order."""
    return hashlib.sha256("".join(sorted(each.digest for each in lights)).encode()).hexdigest()


def _make_tasks(
    asked: BatchRequest, paths: Sequence[Path], lights: Sequence[PhotoLight], context: EngineContext
) -> list[PhotoTask]:
    wanted = asked.masks is not None, asked.surfaces is not None, asked.with_results, context
    if asked.brackets:
        return [PhotoTask(paths, _make_request(asked, asked.steps), *wanted)]
    return [
        PhotoTask([path], _make_request(asked, select_fitting_steps(asked.steps, each.light)), *wanted)
        for path, each in zip(paths, lights, strict=True)
    ]


def _make_request(asked: BatchRequest, steps: Sequence[Enhancement]) -> EditRequest:
    return EditRequest(enhancements=tuple(steps), staging=asked.staging, changes=asked.changes, hints=asked.hints)


def _show_progress(items: Iterator[Item], length: int, label: str) -> Iterator[Item]:
    """Yield the items, and show their count on a terminal."""
    on_terminal = sys.stderr.isatty()
    for count, item in enumerate(items, 1):
        if on_terminal:
            print(f"\r{label} {count}/{length}", end="\n" if count == length else "", file=sys.stderr, flush=True)
        yield item


def _write_outcome(asked: BatchRequest, photo: str, name: str, done: BatchOutcome) -> ReportLine:
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
    return ReportLine(photo, done.report, target, masks, hinted=asked.hints is not None)
