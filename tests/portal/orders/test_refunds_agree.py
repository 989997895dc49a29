"""Whatever becomes of an order, ledger, tiles, header, mail and API say the same of what was refunded."""

import re
from decimal import Decimal
from random import Random

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.catalog import ENTRIES, ServiceType
from app.domain.ids import Prefix, new_id
from app.domain.ledger import LedgerKind, order_cause
from app.domain.lifecycle import DOWNLOADABLE, REFUNDED, Status, WorkState
from app.domain.pictures import AS_ORDERED
from app.domain.pricing import PricedPhoto, image_price, property_price, quote
from app.domain.promises import INCLUDED, describe_outcome
from app.domain.reviews import QcMode
from app.models import Job, LedgerLine, Mail, Photo, Result
from app.portal.orders import words
from app.services.billing import credits
from app.services.orders import job_pages, jobs
from app.services.orders.job_pages import JobPage
from app.services.photos import pictures, quality
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement, PhotoType, in_pipeline_order
from engine.types.report import ChangeOutcome, Figure, QualityReport, Reason, StepOutcome, Verdict
from tests.conftest import Api
from tests.fakes import photo
from tests.portal.person import Person

OUTCOMES, PAGES_SEEN = 200, 6
KEY = "photos/of-all.jpg"
STEPS = {kind: [entry.id for entry in ENTRIES.values() if entry.group is kind] for kind in PhotoType}
AMOUNT = re.compile(r"([\d.,]+) credits?\b")


def draw_report(random: Random, request: EditRequest, *, crashed: bool) -> QualityReport:
    """What an engine may say of a photo: steps and changes done or declined, checks passed or not."""
    if crashed:
        return QualityReport(reason=Reason.PROCESSING_FAILED, message="Processing did not succeed.")
    steps = []
    for step in request.steps:
        applied = random.random() < 0.6
        changes = tuple(
            ChangeOutcome(
                index, each.type, done := random.random() < 0.5, None if done else Reason.NOT_UNDERSTOOD, "No."
            )
            for index, each in enumerate(request.changes if step is Enhancement.RENOVATION and applied else ())
        )
        if changes and not any(each.applied for each in changes):
            applied, changes = False, ()
        reason = None if applied else Reason.NOT_AVAILABLE
        steps.append(
            StepOutcome(step, applied=applied, reason=reason, message="" if applied else "No.", changes=changes)
        )
    if not any(step.applied for step in steps):
        return QualityReport(steps=tuple(steps), reason=Reason.ALL_STEPS_DECLINED, message="Nothing to do.")
    if random.random() < 0.2:
        blank = Figure(code="tonal_variety", value=1, minimum=4, fault=Reason.BLANK, margin=0.1)
        return QualityReport(steps=tuple(steps), figures=(blank,), reason=Reason.BLANK, message="It is blank.")
    return QualityReport(steps=tuple(steps))


def draw_request(random: Random, kind: PhotoType) -> EditRequest:
    steps = random.sample(STEPS[kind], random.randint(1, 3))
    count = random.randint(1, 3) if Enhancement.RENOVATION in steps else 0
    changes = tuple(RenovationChange(ChangeType.FLOOR, f"Oak boards, {n}") for n in range(count))
    return EditRequest(tuple(in_pipeline_order(steps)), changes=changes)


def settle_drawn_order(session: Session, account_id: str, seed: int, container: Container) -> Job:
    """An order drawn by the seed, charged as any, whose photos are all worked on, after its review."""
    random, now = Random(seed), container.clock()
    kinds = sorted(random.choices(list(PhotoType), k=random.randint(1, 4)))
    requests = [draw_request(random, kind) for kind in kinds]
    priced = [PricedPhoto(kind, each) for kind, each in zip(kinds, requests, strict=True)]
    counts = {kind: kinds.count(kind) for kind in PhotoType}
    service = ServiceType(kinds[0]) if len(set(kinds)) == 1 else ServiceType.BOTH
    job = Job(
        id=new_id(Prefix.JOB), account_id=account_id, upload_session_id=f"ups_{seed:022}", service_type=service,
        address=f"{seed} Garden Lane", credit_cost=quote(priced).credits, property_credits=property_price(priced),
        credits_refunded=Decimal(0), interior_count=counts[PhotoType.INTERIOR],
        exterior_count=counts[PhotoType.EXTERIOR], created_at=now, deadline_at=now,
    )  # fmt: skip
    jobs.begin(session, job, now)
    charge = credits.Movement(job.credit_cost, LedgerKind.ORDER, order_cause(job.id), "Order", job.id)
    credits.debit(session, account_id, charge, now)
    jobs.move(session, job, Status.PROCESSING, now)
    crashed = random.random() < 0.1
    for index, each in enumerate(priced):
        row = Photo(
            job_id=job.id, type=each.type, index=index, file_name=f"{index}.jpg", storage_key=KEY, size_bytes=1,
            edit_request=each.edit_request, work_size=each.edit_request.work_size, image_credits=image_price(each),
            state=WorkState.DONE, next_attempt_at=now,
        )  # fmt: skip
        session.add(row)
        session.flush()
        report = draw_report(random, each.edit_request, crashed=crashed)
        picture = pictures.new(row, AS_ORDERED, job.engine_version, now)
        picture.report, picture.made_at = report, now
        if report.applied:
            picture.storage_key, picture.width, picture.height, picture.size_bytes = KEY, 4, 3, 1
        facts = {"reason": report.reason, "message": report.message, "created_at": now}
        session.add(Result(job_id=job.id, photo_id=row.id, picture=picture, **facts))
    session.flush()
    quality.complete(session, job.id, now, QcMode.AUTO)
    session.flush()
    return job


def due_of(page: JobPage) -> Decimal:
    """What is to be paid, counted anew from what was delivered."""
    if page.job.status in REFUNDED:
        return Decimal(0)
    due, outside = Decimal(0), set()
    for each in page.photos:
        if each.photo.result.verdict is not Verdict.APPROVED:
            continue
        for step in each.photo.result.report.steps:
            if step.applied and each.photo.type is PhotoType.EXTERIOR:
                outside.add(step.enhancement)
            elif step.applied:
                times = len(each.photo.edit_request.changes) - len(step.declined_changes)
                due += ENTRIES[step.enhancement].image_price * (
                    times if step.enhancement is Enhancement.RENOVATION else 1
                )
    return due + min(len(outside), 2) + Decimal("0.5") * (Enhancement.TWILIGHT in outside)


def told(text: str) -> Decimal:
    """The sum of the amounts in a text."""
    return sum((Decimal(each) for each in AMOUNT.findall(text)), Decimal(0))


def check_page(page: JobPage, mail: str) -> None:
    """Ledger, tiles, header and mail of one order say the same."""
    job, refunded = page.job, page.job.credits_refunded
    assert job.credit_cost - refunded == due_of(page) == page.kept_credits
    assert sum(line.amount for line in page.refunds) == refunded
    tiles = {each.photo.id: words.describe_refund(page, each) for each in page.photos}
    header = words.describe_outcome_of([page])
    if job.status in REFUNDED:
        assert set(tiles.values()) == {"All credits of this order were refunded."}
        assert f"Refunded to your balance: {told(header):f}".rstrip("0").rstrip(".") in mail
        return
    own = sum((told(tiles[each.photo.id]) for each in page.photos if each.refunded), Decimal(0))
    assert own + page.property_refunded == refunded == (told(header) if "refunded" in header else 0)
    for each in page.photos:
        if not each.has_result and each.photo.type is PhotoType.EXTERIOR:
            assert tiles[each.photo.id].startswith(INCLUDED)
            assert told(tiles[each.photo.id]) == page.property_refunded
        assert each.has_result or tiles[each.photo.id], "a photo that failed says what was refunded"
    assert header == describe_outcome(page.usable_count, len(page.photos), refunded)
    assert header in mail


@pytest.fixture
def rich(api: Api, container: Container) -> Api:
    """A program with credits for all orders, and a file for all photos."""
    with container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, Decimal(10_000), "Plenty", container.clock())
    writing = container.storage.create(KEY, 1000)
    writing.write(photo("ROOM"))
    writing.publish()
    return api


def test_all_say_the_same_of_what_was_refunded(rich: Api, person: Person, container: Container) -> None:
    balance, seen = Decimal(rich.credits()), set()
    for seed in range(OUTCOMES):
        with container.database.unit_of_work() as session:
            job = settle_drawn_order(session, rich.account_id, seed, container)
            (page,) = job_pages.read_all(session, [job])
            mail = session.scalars(select(Mail.text).where(Mail.text.contains(job.id))).one()
            check_page(page, " ".join(mail.split()))
            last = session.scalars(select(LedgerLine).order_by(LedgerLine.id.desc()).limit(1)).one()
            balance -= page.kept_credits
            assert last.balance_after == balance
            facts = (job.id, job.status, job.credits_refunded, words.describe_outcome_of([page]), page)
        seen.add(job.status)
        answer = rich.status(facts[0])
        assert Decimal(str(answer.get("creditsRefunded", 0))) == facts[2]
        if seed < PAGES_SEEN:
            assert Decimal(str(rich.credits())) == balance
            check_seen_page(person, facts[4], balance)
    assert seen == {Status.APPROVED, Status.UNDELIVERABLE, Status.FAILED}


def check_seen_page(person: Person, page: JobPage, balance: Decimal) -> None:
    """The page itself shows the sentences that were compared."""
    html = person.open(f"/properties/{page.job.id}").html
    assert html.select_one("#counts").text == words.describe_outcome_of([page])
    shown = [" ".join(each.text.split()) for each in html.select(".shot-refund")]
    assert shown == [text for each in page.photos if (text := words.describe_refund(page, each))]
    assert told(html.select_one("#balance").text.replace(",", "")) == balance
    lines = [Decimal(each.text.strip("\N{MINUS SIGN}")) for each in html.select(".bill .refund .num")]
    assert sum(lines) == page.job.credits_refunded
    assert bool(html.select(".board-head .tag.good")) is (
        page.job.status in DOWNLOADABLE and page.usable_count == len(page.photos)
    )
