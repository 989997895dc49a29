"""How long pages and status answers take, asked by a process of its own: a customer's machine is not the service's.

Asked by a thread beside those of the soak, an answer would wait for these threads, and be taken for a slow one.
"""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

import requests

ASK_EVERY_SECONDS = 0.1
ASK_SECONDS = 30
"""How long one answer may take."""
PRIORITY = -10
"""Niceness of the process that asks, where it may have one below zero."""


@dataclass
class AnswerTimes:
    """Seconds each answer took, and what was no good answer."""

    pages: list[float] = field(default_factory=list)
    statuses: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for, over and over."""

    page_url: str
    status_url: str
    secret: str


@contextmanager
def asking(question: Question) -> Iterator[Callable[[], AnswerTimes]]:
    """Ask until the block is left; what it gives is called for the times since it was called before."""
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_ask, args=(question, theirs), daemon=True)
    process.start()
    theirs.close()

    def take() -> AnswerTimes:
        mine.send(True)
        times: AnswerTimes = mine.recv()
        return times

    try:
        take()  # waits until the process has begun
        yield take
    finally:
        mine.close()
        process.join(ASK_SECONDS)
        process.kill()


def _ask(question: Question, asker: Connection) -> None:
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, PRIORITY)
    session, times = requests.Session(), AnswerTimes()
    session.headers["Authorization"] = f"Bearer {question.secret}"
    with suppress(EOFError, ConnectionError):
        while True:
            if asker.poll(ASK_EVERY_SECONDS):
                asker.recv()
                asker.send(times)
                times = AnswerTimes()
            _time(session, question.page_url, times.pages, times.faults)
            _time(session, question.status_url, times.statuses, times.faults)


def _time(session: requests.Session, url: str, into: list[float], faults: list[str]) -> None:
    began = time.monotonic()
    try:
        answer = session.get(url, timeout=ASK_SECONDS)
    except requests.RequestException as error:
        faults.append(type(error).__name__)
        return
    into.append(time.monotonic() - began)
    if answer.status_code != requests.codes.ok:
        faults.append(str(answer.status_code))
