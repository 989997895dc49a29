"""What a test leaves behind is seen until it has ended; what others share is not."""

import subprocess
import sys
import threading

from tests.leftovers import Leftovers, children
from tests.waiting import PATIENCE_SECONDS


def test_a_thread_is_left_until_it_ends() -> None:
    known, going = set(threading.enumerate()), threading.Event()
    left, kept = (threading.Thread(target=going.wait, name=name) for name in ("left", "renewals"))
    left.start()
    kept.start()
    assert Leftovers()._left_threads(known) == ["left"]
    assert Leftovers()._left_threads({*known, left}) == []
    going.set()
    for each in (left, kept):
        each.join(PATIENCE_SECONDS)
    assert Leftovers()._left_threads(known) == []


def test_a_process_is_left_until_it_ends() -> None:
    shared = Leftovers(processes=set(children()))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        (left,) = shared._left_processes()
        assert left.endswith("input()")
        process.communicate(b"\n", timeout=PATIENCE_SECONDS)
    assert shared._left_processes() == []
