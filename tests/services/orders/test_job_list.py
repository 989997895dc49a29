"""What a page of the list of jobs costs: as much in an account of thousands of jobs as in one of few."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from app.container import Container
from app.database import Database
from app.domain.errors import NotFound
from app.domain.lifecycle import Status
from app.domain.metadata import digest_pair
from app.models import Job, JobMetadata
from app.services.orders import job_list
from app.services.orders.job_list import JobListFilter
from tests import databases
from tests.conftest import Api
from tests.plans import effort

FEW, MANY = 300, 3000
PAIR = ("env", "production")
NONE = frozenset({Status.QC_REVIEW})
FILTERS: dict[str, dict[str, Any]] = {
    "all": {},
    "some statuses": {"statuses": frozenset({Status.PENDING, Status.PROCESSING})},
    "a status that none has": {"statuses": NONE},
    "an external id": {"external_id": "X"},
    "an external id and a status": {"external_id": "X", "statuses": NONE},
    "metadata": {"pair": PAIR},
    "metadata and an external id": {"pair": PAIR, "external_id": "none"},
    "the beginning of an address": {"address_slug": "1"},
    "an address and a status": {"address_slug": "1", "statuses": NONE},
}


def fill(database: Database, account_id: str, start: int, end: int, now: Any) -> None:
    """Jobs of one account that have everything in common but the number in their address."""
    numbers = range(start, end)
    same = {
        "account_id": account_id,
        "external_id": "X",
        "service_type": "interior",
        "credit_cost": Decimal(0),
        "property_credits": Decimal(0),
        "interior_count": 0,
        "exterior_count": 0,
        "deadline_at": now,
    }
    with database.unit_of_work() as session:
        session.add_all(
            Job(
                id=f"job_{number:022d}",
                upload_session_id=f"ups_{number}",
                address=f"1{number} Garden Lane",
                status=Status.PENDING if number % 2 else Status.PROCESSING,
                created_at=now - timedelta(seconds=number),
                **same,
            )
            for number in numbers
        )
        session.flush()
        session.add_all(
            JobMetadata(
                account_id=account_id,
                digest=digest_pair(*PAIR),
                created_at=now - timedelta(seconds=number),
                job_id=f"job_{number:022d}",
            )
            for number in numbers
        )


@pytest.mark.skipif(bool(databases.GIVEN), reason="tests/services/test_plans.py counts the rows of PostgreSQL")
def test_a_page_costs_the_same_however_many_jobs_there_are(
    container: Container, api: Api, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setattr(job_list, "WINDOW", 100)
    spent: dict[int, dict[str, int]] = {}
    for start, count in ((0, FEW), (FEW, MANY)):
        fill(container.database, api.account_id, start, count, container.clock())
        with container.database.read_session() as session:
            spent[count] = {
                f"{name} {after}": effort(
                    session,
                    lambda wanted=wanted, after=after: job_list.read_page(
                        session, api.account_id, JobListFilter(**wanted), 20, after
                    ),
                )
                for name, wanted in FILTERS.items()
                for after in (None, f"job_{FEW // 2:022d}")
            }
    for name, few in spent[FEW].items():
        with subtests.test(name):
            assert spent[MANY][name] <= few * 1.5 + 300


def test_a_page_after_a_job_of_another_account_is_not_found(container: Container, api: Api, other_api: Api) -> None:
    fill(container.database, other_api.account_id, 0, 1, container.clock())
    for after in (f"job_{0:022d}", "job_" + "1" * 22, "nonsense"):
        with container.database.read_session() as session, pytest.raises(NotFound):
            job_list.read_page(session, api.account_id, JobListFilter(), 20, after)
