"""Applies a function to many things in several processes, in order and with limited memory."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType
from typing import TypeVar

Thing = TypeVar("Thing")
Answer = TypeVar("Answer")


class Workers:
    """A context manager of worker processes, which start when first needed; with one job none are started.

    If an exception such as an interrupt leaves the context, the processes are ended at once.
    """

    def __init__(self, jobs: int) -> None:
        """`jobs` is the number of things processed at the same time."""
        self._jobs = jobs
        # "spawn" and not "fork": a forked copy of a process that has threads may hang.
        spawn = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(jobs, spawn) if jobs > 1 else None

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        if self._pool is None:
            return
        if kind is not None:
            for child in multiprocessing.active_children():
                child.terminate()
        self._pool.shutdown(cancel_futures=True)

    def map_in_order(self, work: Callable[[Thing], Answer], things: Iterable[Thing]) -> Iterator[Answer]:
        """Apply a function to many things in parallel; at most jobs + 1 are submitted and not yet taken.

        Parameters
        ----------
        work : callable
            Takes one thing. With several jobs the function, things and answers must be picklable. Exceptions of the
            function are raised here.
        things : iterable
            Consumed as answers are taken.

        Yields
        ------
        object
            The answers of `work`, in the order of the things.

        Raises
        ------
        concurrent.futures.BrokenExecutor
            When a process is ended from outside.
        """
        if self._pool is None:
            yield from map(work, things)
            return
        waiting: deque[Future[Answer]] = deque()
        for thing in things:
            waiting.append(_submit(self._pool, work, thing))
            if len(waiting) > self._jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _submit(pool: ProcessPoolExecutor, work: Callable[[Thing], Answer], thing: Thing) -> "Future[Answer]":
    """Submit one thing. Worker processes started by this ignore interrupts, which the parent process handles."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        return pool.submit(work, thing)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
