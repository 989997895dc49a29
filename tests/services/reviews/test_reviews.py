"""Reviews by people: who holds a job, what they decide, and that the end does what was told."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from itertools import product

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.lifecycle import Status
from app.domain.reviews import CLAIM_VALID_FOR, MAX_REASON, USUAL_REASONS, ClaimState, join_reason, split_reason
from app.models import Job, Result
from app.services import audit
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.photos.quality import Decision
from app.services.reviews import claims, decisions, lists
from app.services.reviews.decisions import DecisionEffect
from engine.types.report import Verdict
from tests import reading
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo

SOON = timedelta(seconds=1)


@pytest.fixture
def staff(container: Container) -> tuple[str, str]:
    """Two reviewers."""
    with container.database.unit_of_work() as session:
        made = [
            accounts.create(session, f"{name}@example.com".lower(), container.clock(), name=name, staff=True)
            for name in ("Rae", "Sam")
        ]
    return made[0].user_id, made[1].user_id


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """A job with two results under review."""
    order = api.order(interior=[PHOTO, PHOTO])
    work(container, automatic=False)
    return order["jobId"]


def images(container: Container, job_id: str, *, undecided: bool = False) -> list[str]:
    """The job's results; or those alone that have a picture to decide on."""
    with container.database.read_session() as session:
        results = [each.result for each in lists.review(session, "acc_x", job_id, container.clock()).photos]
    return [each.id for each in results if each.storage_key or not undecided]


def claim(container: Container, staff_id: str, job_id: str) -> None:
    with container.database.unit_of_work() as session:
        claims.claim(session, staff_id, job_id, container.clock())


def release(container: Container, staff_id: str, job_id: str) -> None:
    with container.database.unit_of_work() as session:
        claims.release(session, staff_id, job_id, container.clock())


def decide(container: Container, staff_id: str, job_id: str, image_id: str, reason: str = "") -> None:
    decision = Decision(Verdict.REJECTED if reason else Verdict.APPROVED, staff_id, reason)
    with container.database.unit_of_work() as session:
        decisions.decide(session, job_id, image_id, decision, container.clock())


def effect(container: Container, job_id: str) -> DecisionEffect:
    with container.database.read_session() as session:
        return decisions.preview_effect(session, job_id)


def finish(container: Container, staff_id: str, job_id: str, version: str | None = None) -> DecisionEffect:
    with container.database.unit_of_work() as session:
        told = decisions.preview_effect(session, job_id).version if version is None else version
        return decisions.finish(session, staff_id, job_id, told, container.clock())


def standing(container: Container, staff_id: str, job_id: str) -> ClaimState:
    with container.database.read_session() as session:
        job = claims.get_job(session, job_id)
        return claims.describe_claim(session, staff_id, job, container.clock()).state


def test_a_claimed_job_is_its_reviewers_alone_and_the_second_is_told_whose(
    container: Container, staff: tuple[str, str], job_id: str
) -> None:
    rae, sam = staff
    assert standing(container, rae, job_id) is ClaimState.FREE
    claim(container, rae, job_id)
    with pytest.raises(Conflict, match="Rae has claimed this order, until 12:20 UTC"):
        claim(container, sam, job_id)
    assert standing(container, rae, job_id) is ClaimState.MINE
    assert standing(container, sam, job_id) is ClaimState.TAKEN


def test_of_reviewers_who_claim_at_once_one_gets_the_job(
    container: Container, staff: tuple[str, str], job_id: str
) -> None:
    def attempt(staff_id: str) -> str:
        try:
            claim(container, staff_id, job_id)
        except Conflict as refused:
            return refused.message
        return "claimed"

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(attempt, staff * 8))
    holder = reading.one(container, Job, job_id).reviewer_id
    name = {staff[0]: "Rae", staff[1]: "Sam"}[holder]
    refused = f"{name} has claimed this order, until 12:20 UTC."
    assert told == ["claimed" if each == holder else refused for each in staff * 8]


def test_every_act_renews_the_claim(
    container: Container, staff: tuple[str, str], job_id: str, clock: FakeClock
) -> None:
    rae, sam = staff
    claim(container, rae, job_id)
    for image_id in images(container, job_id):
        clock.now += CLAIM_VALID_FOR - SOON
        decide(container, rae, job_id, image_id)
    clock.now += CLAIM_VALID_FOR - SOON
    claim(container, rae, job_id)
    clock.now += CLAIM_VALID_FOR - SOON
    with pytest.raises(Conflict):
        claim(container, sam, job_id)
    assert finish(container, rae, job_id).next_status is Status.APPROVED


def test_a_claim_that_ran_out_may_be_taken_over_and_whoever_had_it_is_told(
    container: Container, staff: tuple[str, str], job_id: str, clock: FakeClock
) -> None:
    rae, sam = staff
    (first, second) = images(container, job_id)
    claim(container, rae, job_id)
    decide(container, rae, job_id, first)
    clock.now += CLAIM_VALID_FOR
    assert standing(container, rae, job_id) is ClaimState.RAN_OUT
    assert standing(container, sam, job_id) is ClaimState.FREE
    with pytest.raises(Conflict, match="Your claim ran out at 12:20 UTC"):
        decide(container, rae, job_id, second)
    claim(container, sam, job_id)
    with pytest.raises(Conflict, match="ran out and Sam took the order over, until 12:40 UTC"):
        decide(container, rae, job_id, second)
    with pytest.raises(Conflict, match="Sam took the order over"):
        finish(container, rae, job_id)
    decide(container, sam, job_id, second)
    assert finish(container, sam, job_id).approved == 2


def test_who_never_claimed_is_told_to(container: Container, staff: tuple[str, str], job_id: str) -> None:
    rae, sam = staff
    (first, _) = images(container, job_id)
    with pytest.raises(Conflict, match="Claim the order first"):
        decide(container, rae, job_id, first)
    with pytest.raises(Conflict, match="Claim the order first"):
        finish(container, rae, job_id)
    with pytest.raises(Conflict, match="Claim the order first"):
        release(container, rae, job_id)
    claim(container, sam, job_id)
    with pytest.raises(Conflict, match="Sam has claimed this order"):
        decide(container, rae, job_id, first)


def test_a_released_job_is_free_at_once_and_keeps_its_decisions(
    container: Container, staff: tuple[str, str], job_id: str
) -> None:
    rae, sam = staff
    claim(container, rae, job_id)
    decide(container, rae, job_id, images(container, job_id)[0], "Edges show a halo.")
    with pytest.raises(Conflict):
        release(container, sam, job_id)
    release(container, rae, job_id)
    claim(container, sam, job_id)
    assert effect(container, job_id).rejected == 1
    # Rae let go herself, so nothing was taken over.
    assert standing(container, rae, job_id) is ClaimState.TAKEN


def test_a_claim_that_ran_out_can_be_released_or_claimed_again(
    container: Container, staff: tuple[str, str], job_id: str, clock: FakeClock
) -> None:
    rae, _ = staff
    claim(container, rae, job_id)
    clock.now += CLAIM_VALID_FOR
    claim(container, rae, job_id)
    assert standing(container, rae, job_id) is ClaimState.MINE
    clock.now += CLAIM_VALID_FOR
    release(container, rae, job_id)
    assert standing(container, rae, job_id) is ClaimState.FREE


def test_only_a_job_under_review_can_be_claimed(
    api: Api, container: Container, staff: tuple[str, str], job_id: str
) -> None:
    with pytest.raises(Conflict, match="not under review"):
        claim(container, staff[0], api.order(interior=[PHOTO])["jobId"])
    for unknown in ("job_nobody", "job_" + "0" * 22, "'", "\x00"):
        with pytest.raises(NotFound):
            claim(container, staff[0], unknown)


def test_a_finished_review_is_closed_to_everybody(
    container: Container, staff: tuple[str, str], job_id: str
) -> None:
    rae, _ = staff
    claim(container, rae, job_id)
    (first, second) = images(container, job_id)
    decide(container, rae, job_id, first)
    with pytest.raises(Conflict, match="1 results are undecided"):
        finish(container, rae, job_id)
    decide(container, rae, job_id, second)
    finish(container, rae, job_id)
    for act in (
        lambda: claim(container, rae, job_id),
        lambda: release(container, rae, job_id),
        lambda: decide(container, rae, job_id, first, "Too late."),
        lambda: finish(container, rae, job_id, "any"),
    ):
        with pytest.raises(Conflict, match="not under review"):
            act()
    assert standing(container, rae, job_id) is ClaimState.CLOSED
    assert reading.one(container, Job, job_id).reviewer_id is None


def test_finishing_twice_at_once_finishes_once(
    api: Api, container: Container, staff: tuple[str, str], job_id: str
) -> None:
    rae, _ = staff
    claim(container, rae, job_id)
    for image_id in images(container, job_id):
        decide(container, rae, job_id, image_id, "Colors are off.")
    version = effect(container, job_id).version

    def attempt(_: int) -> bool:
        try:
            finish(container, rae, job_id, version)
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(attempt, range(6))) == 1
    assert api.credits() == 100


def test_a_decision_changed_in_another_tab_must_be_seen_before_finishing(
    container: Container, staff: tuple[str, str], job_id: str
) -> None:
    rae, _ = staff
    (first, second) = images(container, job_id)
    claim(container, rae, job_id)
    decide(container, rae, job_id, first)
    decide(container, rae, job_id, second)
    told = effect(container, job_id).version
    decide(container, rae, job_id, second, "Something is left over or smeared.")
    with pytest.raises(Conflict, match="A decision was changed"):
        finish(container, rae, job_id, told)
    assert finish(container, rae, job_id).rejected == 1


def test_a_result_is_decided_only_within_its_own_job(
    api: Api, container: Container, staff: tuple[str, str], job_id: str
) -> None:
    order = api.order(interior=[PHOTO])
    work(container, automatic=False)
    claim(container, staff[0], job_id)
    for image_id in (*images(container, order["jobId"]), "img_nobody", "\x00"):
        with pytest.raises(NotFound):
            decide(container, staff[0], job_id, image_id)


def test_a_reason_has_a_limit_that_the_customer_can_read_whole(
    container: Container, staff: tuple[str, str], job_id: str
) -> None:
    rae, _ = staff
    claim(container, rae, job_id)
    first = images(container, job_id)[0]
    with pytest.raises(InvalidRequest):
        decide(container, rae, job_id, first, "x" * (MAX_REASON + 1))
    decide(container, rae, job_id, first, "x" * MAX_REASON)
    decide(container, rae, job_id, images(container, job_id)[1])
    finish(container, rae, job_id)


@pytest.mark.parametrize("own", ["", "The lamp is cut in half."])
@pytest.mark.parametrize("usual", ["", *USUAL_REASONS])
def test_a_reason_is_put_together_in_one_line_and_taken_apart_again(usual: str, own: str) -> None:
    assert split_reason(join_reason(usual, own)) == (usual, own)
    assert join_reason(f" {usual}\n", f"\x00{own}\t\ud800") == join_reason(usual, own)


LEFT = {"a": PHOTO, "h": photo("HALF"), "b": photo("BROKEN"), "d": photo("DECLINE")}
"""What the engine leaves to decide: all of it, one step less, nothing."""


QUICK = [("bh", ""), ("bh", "a"), ("bh", "ab"), ("bh", "h")]
LONG = [("aa", "h"), ("ah", "ab"), ("ab", ""), ("hd", "a"), ("hh", "ab")]
"""Interior and exterior photos: each kind beside each other one, alone, and in both places."""


@pytest.mark.parametrize(
    ("kinds", "outside"), [*QUICK, *(pytest.param(*each, marks=pytest.mark.long) for each in LONG)]
)
def test_finishing_does_what_the_effect_said_whatever_was_decided(
    api: Api, container: Container, staff: tuple[str, str], kinds: str, outside: str, subtests: pytest.Subtests
) -> None:
    rae, _ = staff
    pictures = {"interior": [LEFT[each] for each in kinds], "exterior": [LEFT[each] for each in outside]}
    chosen = {"interiorEnhancements": ["hdr_enhancement", "flambient_enhancement"]}
    if outside:
        chosen["exteriorEnhancements"] = ["twilight_conversion", "grass_enhancement"]
    job_id = api.order(**pictures, **chosen)["jobId"]
    work(container, automatic=False)
    claim(container, rae, job_id)
    undecided = images(container, job_id, undecided=True)
    for verdicts in product(("", "Colors are off."), repeat=len(undecided)):
        for image_id, reason in zip(undecided, verdicts, strict=True):
            decide(container, rae, job_id, image_id, reason)
        with subtests.test(rejected=[bool(reason) for reason in verdicts]):
            told = effect(container, job_id)
            with pytest.raises(TakenBack), container.database.unit_of_work() as session:
                assert_finishes_as_told(session, container, rae, job_id, told)
                raise TakenBack
    told = effect(container, job_id)
    before = api.credits()
    finish(container, rae, job_id)
    assert told.refunded == Decimal(str(api.credits() - before))


class TakenBack(Exception):
    """What was done shall not be kept: the next decisions are about the same job."""


def assert_finishes_as_told(
    session: Session, container: Container, staff_id: str, job_id: str, told: DecisionEffect
) -> None:
    job = session.get_one(Job, job_id)
    before = credits.balance(session, job.account_id)
    decisions.finish(session, staff_id, job_id, told.version, container.clock())
    session.flush()
    session.expire_all()
    kept = session.scalars(select(Result.verdict).where(Result.job_id == job_id)).all()
    assert (told.next_status, told.refunded) == (job.status, job.credits_refunded)
    assert told.refunded == credits.balance(session, job.account_id) - before
    assert (told.approved, told.rejected) == (kept.count(Verdict.APPROVED), kept.count(Verdict.REJECTED))
    assert told.next_status is (Status.APPROVED if told.approved else Status.UNDELIVERABLE)
    assert list(audit.find_mismatches(session, container.storage)) == []


def test_the_effect_says_nothing_of_refunds_while_results_are_undecided(
    container: Container, staff: tuple[str, str], job_id: str
) -> None:
    claim(container, staff[0], job_id)
    decide(container, staff[0], job_id, images(container, job_id)[0], "Colors are off.")
    told = effect(container, job_id)
    assert (told.approved, told.rejected, told.undecided) == (0, 1, 1)
    assert (told.next_status, told.refunded) == (None, 0)
    assert (told.decided, told.total) == (1, 2)
