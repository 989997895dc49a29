"""The check finds every kind of mismatch that it promises to find."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from sqlalchemy import update

from app.container import Container
from app.domain.ledger import LedgerKind
from app.domain.lifecycle import Status, WorkState
from app.models import AccountUse, Job, LedgerMonth, Organization, Photo, Result
from app.services import audit
from engine.types.report import Verdict
from tests.conftest import PHOTO, Api, work

KEPT_UNTIL = datetime(2027, 11, 20, tzinfo=UTC)


def found(container: Container) -> list[str]:
    with container.database.read_session() as session:
        return list(audit.find_mismatches(session, container.storage))


def change(container: Container, statement: object) -> None:
    with container.database.unit_of_work() as session:
        session.execute(statement)


@pytest.mark.parametrize(
    ("spoil", "mend", "told"),
    [
        (
            update(Organization).values(credits=Decimal(5)),
            update(Organization).values(credits=Decimal("99.5")),
            "balance 5",
        ),
        (
            update(LedgerMonth).where(LedgerMonth.kind == LedgerKind.ORDER).values(total=Decimal(-1)),
            update(LedgerMonth).where(LedgerMonth.kind == LedgerKind.ORDER).values(total=Decimal("-0.5")),
            "order by month -1 in 1 lines, ledger -0.5 in 1",
        ),
        (update(Job).values(credit_cost=Decimal(3)), update(Job).values(credit_cost=Decimal("0.5")), "costs 3"),
        (
            update(Job).values(credits_refunded=Decimal("0.5")),
            update(Job).values(credits_refunded=Decimal(0)),
            "refunded 0.5",
        ),
        (update(Job).values(interior_count=2), update(Job).values(interior_count=1), "1 photos, ordered 2"),
        (
            update(Photo).values(state=WorkState.WAITING),
            update(Photo).values(state=WorkState.DONE),
            "0 photos done, 1 results",
        ),
        (
            update(Job).values(status=Status.FAILED),
            update(Job).values(status=Status.APPROVED),
            "failed, yet only 0",
        ),
        (
            update(Result).values(verdict=Verdict.REJECTED),
            update(Result).values(verdict=Verdict.APPROVED),
            "without an approved picture",
        ),
        (update(AccountUse).values(kept_bytes=7), update(AccountUse).values(kept_bytes=0), "7 bytes kept, keeps 0"),
        (
            update(Job).values(kept_until=KEPT_UNTIL, kept_bytes=9),
            update(Job).values(kept_until=None, kept_bytes=0),
            "0 bytes kept, keeps 9",
        ),
    ],
)
def test_a_mismatch_is_found(api: Api, container: Container, spoil, mend, told: str) -> None:
    api.order(interior=[PHOTO])
    work(container)
    assert found(container) == []
    change(container, spoil)
    assert any(told in mismatch for mismatch in found(container)), found(container)
    change(container, mend)


def test_a_missing_file_is_found(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO])
    work(container)
    key = f"results/{order['jobId']}"
    folder = container.settings.data_dir / "storage" / key
    (file,) = folder.iterdir()
    content = file.read_bytes()
    file.unlink()
    assert any("is missing" in mismatch for mismatch in found(container))
    file.write_bytes(content)
