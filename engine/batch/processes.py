"""Maps a function over many things in several processes, in order, with bounded memory."""

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
    """A context manager of worker processes, started when first needed; a single job runs in this process.

    Left by an exception, such as an interrupt, it ends the processes at once.
    """

    def __init__(self, jobs: int) -> None:
        """`jobs` is how many things are processed at a time."""
        self._jobs = jobs
        # Started afresh: a copy of a process with threads in it may hang.
        fresh = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(jobs, fresh) if jobs > 1 else None

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
        """Apply a function to many things in parallel; never more than jobs + 1 are under way.

        Parameters
        ----------
        work : callable
            Takes one thing; with several jobs it must be picklable, as must things and answers. What it raises is
            passed on.
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
    """Hand over one thing; processes that this starts never see an interrupt, which is this process's to answer."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        return pool.submit(work, thing)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
