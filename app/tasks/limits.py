"""The memory a work-horse may take: a photo that wants more ends its own process and nothing else."""

import resource

MEMORY_BYTES = 3584 * 1024 * 1024
"""Room for 100 megapixels at 24 bytes each, the interpreter and its libraries."""


def apply() -> None:
    """Limit this process; a limit that was lower before stays."""
    for kind in (resource.RLIMIT_DATA, resource.RLIMIT_CORE):
        _, hard = resource.getrlimit(kind)
        wanted = MEMORY_BYTES if kind == resource.RLIMIT_DATA else 0
        if hard == resource.RLIM_INFINITY or wanted <= hard:
            resource.setrlimit(kind, (wanted, hard))
