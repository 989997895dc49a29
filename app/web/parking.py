"""Lets a request wait until a job is settled, without a thread: our server keeps the request meanwhile, and hands
it over again. Other servers do not, so there nothing waits.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from flask import Flask, request

from app.services.orders import jobs
from app.web.context import container

PARKING = "brightlist.parking"
"""Key in the WSGI environ where our server puts the Parking of the request."""
MAX_WAIT_SECONDS = 20
"""The longest wait: shorter than the time after which clients and proxies usually give up."""

MAX_KEPT_PER_ACCOUNT = 20
"""The most requests of one account that one process keeps; further ones are answered at once."""


@dataclass(frozen=True, slots=True)
class Wait:
    """What a request waits for: that the account's job is settled, at most for these seconds."""

    account_id: str
    job_id: str
    seconds: int


class Parking(Protocol):
    """What our server offers to a request."""

    @property
    def was_kept(self) -> bool:
        """Whether the request was kept before, and is handed over again."""

    @property
    def is_kept(self) -> bool:
        """Whether the request will be kept, so that its answer now is ignored."""

    def keep(self, wait: Wait) -> None:
        """Keep the request until the job is settled or the time is over; does nothing if it was kept before, or if
        too many are kept.
        """


def find_parking() -> Parking | None:
    """The parking that the server offers to this request."""
    found: Parking | None = request.environ.get(PARKING)
    return found


def find_settled(app: Flask, job_ids: Collection[str]) -> set[str]:
    """Those of the jobs that are settled now."""
    with app.app_context(), container().database.read_connection() as connection:
        return jobs.find_settled(connection, job_ids)
