"""A photo that is cancelled costs what a photo without a usable result costs, whenever that is refunded."""

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.pricing import PricedPhoto, property_price
from app.models import Job
from app.services.billing.refunds import list_for_cancelled, list_for_undelivered, total
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.report import Reason, Verdict
from tests.services.billing.test_exterior_refunds import OUTCOMES, make_photo

PHOTOS = st.lists(st.tuples(OUTCOMES, st.booleans()), min_size=2, max_size=6)
"""Of each photo: what was ordered, and whether it was done; whether it is cancelled."""


@settings(max_examples=200)
@given(PHOTOS)
def test_both_refunds_together_are_that_of_rejected_photos(
    drawn: list[tuple[dict[Enhancement, bool], bool]],
) -> None:
    photos = [make_photo(index, outcomes, Verdict.APPROVED) for index, (outcomes, _) in enumerate(drawn)]
    charged = property_price([PricedPhoto(PhotoType.EXTERIOR, each.edit_request) for each in photos])
    cost = charged + sum(each.image_credits for each in photos)
    job = Job(id="job_1", property_credits=charged, credit_cost=cost, credits_refunded=Decimal(0))
    cancelled = [photo for photo, (_, is_cancelled) in zip(photos, drawn, strict=True) if is_cancelled]
    for each in cancelled:
        each.result.verdict = Verdict.REJECTED
    of_rejected = total(list_for_undelivered(job, photos))
    for each in cancelled:
        each.result.reason = Reason.CANCELLED
    first = list_for_cancelled(job, cancelled, [each for each in photos if each not in cancelled])
    then = list_for_undelivered(job, photos)
    assert total(first) + total(then) == of_rejected
    assert len({each.cause for each in (*first, *then)}) == len(first) + len(then), "each cause once"
