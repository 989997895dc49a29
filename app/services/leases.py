"""Leases: a worker holds the row that it works on for a while, and renews that while it works."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hold:
    """What a watch does about a claim: `renew` its lease (False: it was lost), `give_up` when the work takes too
    long, `release` it for another worker when this one has to stop.
    """

    renew: Callable[[], bool]
    give_up: Callable[[], None]
    release: Callable[[], None]
