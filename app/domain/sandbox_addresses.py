"""Addresses that cause a certain outcome in test mode, so that a program can be tried with each outcome."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from app.domain.lifecycle import Status
from engine.types.enhancements import Enhancement
from engine.types.report import Reason

REST = "Springfield, IL 62704"
"""The end of the addresses in the documentation, after the street; any other town has the same effect."""
REVIEW_TIME = timedelta(minutes=2)
"""How long a slow review takes, unless the clock of the job is moved."""
MESSAGE = "Test mode: the address of this order asks for it."


class SandboxOutcome(StrEnum):
    """The outcome that an address causes."""

    UNDELIVERABLE = Status.UNDELIVERABLE.value
    FAILED = Status.FAILED.value
    DECLINED = "declined"
    SLOW_REVIEW = "slow_review"
    WEBHOOK_FAILURE = "webhook_failure"
    INSUFFICIENT_CREDITS = "insufficient_credits"
    RATE_LIMITED = "rate_limited"


@dataclass(frozen=True, slots=True)
class SandboxAddress:
    """An address that brings about an outcome; everything except its `street` may differ. `about`: what happens,
    for the documentation.

    `declined`: the enhancement that is declined, with DECLINED. `statuses`: the statuses with which receivers seem
    to answer, attempt by attempt, with WEBHOOK_FAILURE; later attempts are really sent, unless `always`.
    """

    street: str
    outcome: SandboxOutcome
    about: str
    declined: Enhancement | None = None
    statuses: tuple[int, ...] = ()
    always: bool = False

    @property
    def line(self) -> str:
        """A whole address, as in an order."""
        return f"{self.street}, {REST}"

    def answer_to(self, attempt: int) -> int | None:
        """The status with which the receiver seems to answer this attempt, counted from 1; None if it is really
        sent.
        """
        if attempt <= len(self.statuses):
            return self.statuses[attempt - 1]
        return self.statuses[-1] if self.always else None


REASONS: Mapping[Enhancement, Reason] = {
    Enhancement.GRASS: Reason.NO_LAWN,
    Enhancement.SKY: Reason.NO_SKY,
    Enhancement.GOLDEN_HOUR: Reason.LOW_SUN,
    Enhancement.TWILIGHT: Reason.ALREADY_DARK,
    Enhancement.HDR: Reason.NOT_INTERIOR,
    Enhancement.FLAMBIENT: Reason.NOT_INTERIOR,
    Enhancement.DECLUTTER: Reason.NOTHING_TO_REMOVE,
    Enhancement.FURNITURE_REMOVAL: Reason.NOTHING_TO_REMOVE,
    Enhancement.STAGING: Reason.ALREADY_FURNISHED,
    Enhancement.RENOVATION: Reason.SURFACE_NOT_FOUND,
}
"""A typical reason for declining each enhancement."""

ADDRESSES = (
    SandboxAddress(
        "1 Undeliverable Street",
        SandboxOutcome.UNDELIVERABLE,
        "Every enhancement is declined, so the job ends as `undeliverable` and is refunded.",
    ),
    SandboxAddress(
        "1 Failed Street",
        SandboxOutcome.FAILED,
        "The processing of every photo fails, so the job ends as `failed` and is refunded.",
    ),
    *(
        SandboxAddress(
            f"1 Decline {each.replace('_', ' ').title()} Street",
            SandboxOutcome.DECLINED,
            f"`{each}` is declined and refunded; the other enhancements of the order are done.",
            declined=each,
        )
        for each in Enhancement
    ),
    SandboxAddress(
        "1 Slow Review Street",
        SandboxOutcome.SLOW_REVIEW,
        f"The job stays in `qc_review` for {REVIEW_TIME.total_seconds() / 60:g} minutes.",
    ),
    SandboxAddress(
        "1 Webhook Retry Street",
        SandboxOutcome.WEBHOOK_FAILURE,
        "The first attempt of every delivery about the job fails with 503, the second is really sent.",
        statuses=(503,),
    ),
    SandboxAddress(
        "1 Webhook Failure Street",
        SandboxOutcome.WEBHOOK_FAILURE,
        "Every attempt of every delivery about the job fails with 500.",
        statuses=(500,),
        always=True,
    ),
    SandboxAddress(
        "1 Webhook Gone Street",
        SandboxOutcome.WEBHOOK_FAILURE,
        "The first delivery about the job fails with 410, which switches the webhook off.",
        statuses=(410,),
        always=True,
    ),
    SandboxAddress(
        "1 Insufficient Credits Street",
        SandboxOutcome.INSUFFICIENT_CREDITS,
        "The order is refused with 402 `insufficient_credits`, whatever the balance is.",
    ),
    SandboxAddress(
        "1 Rate Limited Street",
        SandboxOutcome.RATE_LIMITED,
        "The order is refused with 429 `rate_limited`, every time.",
    ),
)
"""Every address that causes an outcome. Photos at all other addresses are made as usual."""


def find(address: str) -> SandboxAddress | None:
    """What the address of a test order brings about; None if it is an address like any other."""
    return _BY_STREET.get(_normalize(address.partition(",")[0]))


def _normalize(street: str) -> str:
    return " ".join(street.split()).casefold()


_BY_STREET = {_normalize(each.street): each for each in ADDRESSES}
