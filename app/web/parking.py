"""Lets a request wait until a job is settled, or files are fetched, without a thread: our server keeps the request
meanwhile, and hands it over again. Other servers do not, so there nothing waits.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from flask import Flask, request

from app.domain.ids import Prefix, is_id
from app.services.orders import jobs
from app.services.uploads import fetches
from app.web.context import container

PARKING = "brightlist.parking"
"""Key in the WSGI environ where our server puts the Parking of the request."""
MAX_WAIT_SECONDS = 20
"""The longest wait: shorter than the time after which clients and proxies usually give up."""

MAX_KEPT_PER_ACCOUNT = 20
"""The most requests of one account that one process keeps; further ones are answered at once."""


@dataclass(frozen=True, slots=True)
class Wait:
    """What a request waits for, at most for these seconds: that the account's job is settled, or that no file of
    its upload session is being fetched. `subject_id`: of the job or session.
    """

    account_id: str
    subject_id: str
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
        """Keep the request until that is so or the time is over; does nothing if it was kept before, or if too many
        are kept.
        """


def find_parking() -> Parking | None:
    """The parking that the server offers to this request."""
    found: Parking | None = request.environ.get(PARKING)
    return found


def find_ended(app: Flask, subject_ids: Collection[str]) -> set[str]:
    """The jobs and upload sessions, of these, that have ended, so that nobody needs to wait for them any longer."""
    job_ids = {each for each in subject_ids if is_id(each, Prefix.JOB)}
    session_ids = {*subject_ids} - job_ids
    with app.app_context(), container().database.read_connection() as connection:
        settled = jobs.find_settled(connection, job_ids) if job_ids else set()
        return settled | (fetches.find_ended(connection, session_ids) if session_ids else set())
