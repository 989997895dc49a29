"""What a work-horse may take: memory, of which more ends its own process and nothing else, and the processor."""

import os
import resource

MEMORY_BYTES = 3584 * 1024 * 1024
"""Room for 100 megapixels at 24 bytes each, the interpreter and its libraries."""

BACKGROUND = 9
"""Added to the niceness of the worker that forked the process: the least priority there is."""


def apply() -> None:
    """Limit this process; a limit that was lower before stays."""
    for kind in (resource.RLIMIT_DATA, resource.RLIMIT_CORE):
        _, hard = resource.getrlimit(kind)
        wanted = MEMORY_BYTES if kind == resource.RLIMIT_DATA else 0
        if hard == resource.RLIM_INFINITY or wanted <= hard:
            resource.setrlimit(kind, (wanted, hard))


def lower_priority() -> None:
    """Leave the processor to whoever else wants it, until the end of this process."""
    os.nice(BACKGROUND)
