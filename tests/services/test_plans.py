"""What runs all the time touches few rows, however many orders are settled: read from PostgreSQL's own plans."""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.lifecycle import Status
from app.domain.ports import QueueName
from app.models import ApiKey, Job
from app.services.accounts import mailed_links
from app.services.idempotency import idempotency_records
from app.services.mail import outbox
from app.services.orders import draft_removals, drafts, durations, job_details, job_list, jobs, order_list
from app.services.orders.job_list import JobListFilter
from app.services.orders.order_list import ListSort, OrderFilter
from app.services.photos import photos
from app.services.previews import previews, turns
from app.services.retention import expiry, keeping
from app.services.security import known_browsers, sign_ins
from app.services.uploads import quotas, uploads
from app.services.webhooks import deliveries, delivery_log, events
from engine.types.enhancements import WorkSize
from tests import crowds, databases
from tests.plans import heavy, plan

MANY = 100_000
"""`python -m bench.million` has ten times as many, and compares them with a thousand."""
MOST_ROWS = 1500
"""Nothing may look at more: a batch of a timer has a thousand rows, and there are a thousand accounts."""
NOW = crowds.later(60)
FIRST = f"{1:022d}"
Act = Callable[[Session], object]
CLAIMS: dict[str, Act] = {
    "whose turn it is": lambda s: photos.next_due(s, NOW, WorkSize.LIGHT),
    "whose turn it is for a room": lambda s: photos.next_due(s, NOW, WorkSize.HEAVY),
    "a photo is claimed": lambda s: photos.claim(s, f"pho_{FIRST}", NOW),
    "photos that are due": lambda s: photos.due(s, NOW, 100, WorkSize.LIGHT),
    "rooms that are due": lambda s: photos.due(s, NOW, 100, WorkSize.HEAVY),
    "a mail is claimed": lambda s: outbox.claim(s, f"mai_{FIRST}", NOW),
    "mails that are due": lambda s: outbox.QUEUE.due(s, NOW, 100),
    "previews are claimed": lambda s: previews.claim(s, "uploads/1/interior-0", NOW),
    "whose turn it is for a preview": lambda s: turns.choose(s, "uploads/1/interior-0", NOW),
    "previews that are due": lambda s: previews.QUEUE.due(s, NOW, 100),
    "deliveries that are due": lambda s: deliveries.due(s, NOW, 100, QueueName.HOOKS_FAST),
    "slow deliveries that are due": lambda s: deliveries.due(s, NOW, 100, QueueName.HOOKS_SLOW),
}
TIMERS: dict[str, Act] = {
    "jobs out of time": lambda s: jobs.list_overdue(s, NOW),
    "pictures kept long enough": lambda s: expiry.list_expired(s, NOW, timedelta(days=7)),
    "pictures of test orders kept long enough": lambda s: expiry.list_expired(s, NOW, timedelta(days=7)),
    "orders to be kept": lambda s: keeping.list_wanted(s, NOW),
    "files to be removed": expiry.list_unpurged,
    "uploads that nobody ordered": lambda s: uploads.list_unused(s, NOW),
    "what accounts take": quotas.find_miscounts,
    "old events": lambda s: events.forget(s, NOW),
    "old deliveries": lambda s: delivery_log.forget(s, NOW),
    "deliveries old at some time": lambda s: delivery_log.forget(s, NOW + timedelta(days=60)),
    "old mail": lambda s: outbox.forget(s, NOW),
    "old drafts": lambda s: drafts.forget(s, NOW),
    "photos taken out of drafts": lambda s: draft_removals.list_old(s, NOW),
    "old answers": lambda s: idempotency_records.forget(s, NOW),
    "old sign-ins": lambda s: sign_ins.forget(s, NOW),
    "old browsers": lambda s: known_browsers.forget(s, NOW),
    "old links": lambda s: mailed_links.forget(s, NOW),
}
DIGEST, JOB = "d" * 64, f"job_{10:022d}"
REQUESTS: dict[str, Act] = {
    "a status": lambda s: s.execute(
        jobs.select_status_with_key(), {"digest": DIGEST, **jobs.make_status_parameters(f"job_{10:022d}")}
    ).one(),
    "the newest orders": lambda s: order_list.paginate(s, crowds.BUSY),
    "a search that finds many": lambda s: order_list.paginate(s, crowds.BUSY, OrderFilter("garden lane")),
    "a search that finds one": lambda s: order_list.paginate(s, crowds.BUSY, OrderFilter(f"{MANY} garden")),
    "a search for a file": lambda s: order_list.paginate(s, crowds.BUSY, OrderFilter(f"dsc_{MANY}")),
    "the oldest orders": lambda s: order_list.paginate(s, crowds.BUSY, OrderFilter(sort=ListSort.OLDEST)),
    "orders by address": lambda s: order_list.paginate(s, crowds.BUSY, OrderFilter(sort=ListSort.ADDRESS)),
    "how long an order takes": lambda s: durations.estimate(s, s.get_one(Job, f"job_{1:022d}"), crowds.NOW),
    "the largest kept orders": lambda s: keeping.read_use(s, crowds.BUSY),
    "a search that finds none": lambda s: order_list.paginate(s, crowds.BUSY, OrderFilter("nowhere")),
}
NONE, SOME = {"statuses": frozenset({Status.QC_REVIEW})}, {"statuses": frozenset({Status.FAILED, Status.DELIVERED})}
JOBS: dict[str, Act] = {
    f"jobs {name}{' after the middle one' if after else ''}": (
        lambda s, wanted=wanted, after=after: job_list.read_page(s, crowds.BUSY, JobListFilter(**wanted), 20, after)
    )
    for after in (None, f"job_{MANY // 2:022d}")
    for name, wanted in {
        "of an account": {},
        "of some statuses": SOME,
        "of a status that none has": NONE,
        "of a time": {"created_from": crowds.later(-MANY // 3), "created_before": crowds.later(-MANY // 4)},
        "with an external id": {"external_id": "X-3"},
        "with an external id and a status": {"external_id": "X-3", **NONE},
        "with metadata": {"pair": crowds.PAIR},
        "with metadata that none has": {"pair": ("env", "x")},
        "with metadata and a status": {"pair": crowds.PAIR, **NONE},
        "with metadata and an external id": {"pair": crowds.PAIR, "external_id": "X-3"},
        "at an address": {"address_slug": str(MANY // 2)},
        "at an address and with a status": {"address_slug": str(MANY // 2)[0], **NONE},
    }.items()
}
JOBS["one job, whole"] = lambda s: job_details.read(s, crowds.BUSY, f"job_{10:022d}", crowds.NOW)
ACTS = CLAIMS | TIMERS | REQUESTS | JOBS
BY_INDEX = {
    "mails that are due": "ix_mail_undone",
    "previews that are due": "ix_preview_undone",
    "deliveries that are due": "ix_delivery_undone",
    "jobs out of time": "ix_job_timed",
    "pictures kept long enough": "ix_job_unexpired",
    "pictures of test orders kept long enough": "ix_job_test_unexpired",
    "orders to be kept": "ix_job_keeping_wanted",
    "files to be removed": "ix_job_unpurged",
}


@pytest.fixture(scope="module")
def crowded() -> Iterator[Database]:
    if not databases.GIVEN:
        pytest.skip("only PostgreSQL counts the rows that it looks at")
    with databases.server_database(f"plans_{databases.WORKER}_{os.getpid()}") as url:
        database = Database(url)
        with database.engine.begin() as connection:
            crowds.fill(connection, MANY)
        with database.unit_of_work() as session:
            about = {"name": "one", "visible_prefix": "ims_live_", "scopes": [], "created_at": NOW}
            session.add(ApiKey(account_id=crowds.BUSY, digest=DIGEST, **about))
        yield database
        database.engine.dispose()


@pytest.mark.parametrize("name", ACTS)
def test_what_runs_all_the_time_touches_few_of_very_many_rows(crowded: Database, name: str) -> None:
    with crowded.read_session() as session:
        assert heavy(session, lambda: ACTS[name](session), MOST_ROWS) == []


@pytest.mark.parametrize("name", BY_INDEX)
def test_what_is_due_is_found_by_an_index_of_nothing_else(crowded: Database, name: str) -> None:
    with crowded.read_session() as session:
        assert BY_INDEX[name] in plan(session, lambda: ACTS[name](session))
