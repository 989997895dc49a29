"""What a work-horse may take: memory, of which more ends its own process and nothing else, and the processor."""

import os
import resource

MEMORY_BYTES = 3584 * 1024 * 1024
"""Room for 100 megapixels at 24 bytes each, the interpreter and its libraries."""

LEAST_PRIORITY = 19


def apply() -> None:
    """Limit this process; a limit that was lower before stays."""
    for kind in (resource.RLIMIT_DATA, resource.RLIMIT_CORE):
        _, hard = resource.getrlimit(kind)
        wanted = MEMORY_BYTES if kind == resource.RLIMIT_DATA else 0
        if hard == resource.RLIM_INFINITY or wanted <= hard:
            resource.setrlimit(kind, (wanted, hard))


def lower_priority() -> None:
    """Leave the processor to others, until the end of this process.

    On Linux by the scheduler's policy: beside niceness, another that wakes up waits for the end of a time slice.
    """
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(LEAST_PRIORITY)
