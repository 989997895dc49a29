"""Limits of work-horses (the processes that RQ forks for one job each): memory and priority. A work-horse that
needs more memory ends alone.
"""

import os
import resource

MEMORY_BYTES = 3584 * 1024 * 1024
"""Enough for 100 megapixels of 24 bytes each, the interpreter and its libraries."""

MAX_NICENESS = 19
"""The highest niceness, which is the lowest priority."""


def apply() -> None:
    """Limit the memory of this process and switch off core dumps; a hard limit that is lower stays in force."""
    for kind in (resource.RLIMIT_DATA, resource.RLIMIT_CORE):
        _, hard = resource.getrlimit(kind)
        limit = MEMORY_BYTES if kind == resource.RLIMIT_DATA else 0
        if hard == resource.RLIM_INFINITY or limit <= hard:
            resource.setrlimit(kind, (limit, hard))


def lower_priority() -> None:
    """Give this process the lowest priority until it ends.

    On Linux it uses the policy SCHED_IDLE: with niceness alone, another process that wakes up would have to wait
    until the time slice of this one ends.
    """
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(MAX_NICENESS)
