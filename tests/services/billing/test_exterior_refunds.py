"""Outside one price is paid for the property: what of it goes back follows from what came out."""

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.catalog import ENTRIES
from app.domain.ledger import property_refund_cause
from app.domain.pictures import AS_ORDERED
from app.domain.pricing import PricedPhoto, image_price, property_price
from app.models import Job, Photo, Result, StoredPicture
from app.services.billing.refunds import list_for_undelivered
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, PhotoType, in_pipeline_order
from engine.types.report import QualityReport, Reason, StepOutcome, Verdict

OUTSIDE = [entry.id for entry in ENTRIES.values() if entry.group is PhotoType.EXTERIOR]
OUTCOMES = st.dictionaries(st.sampled_from(OUTSIDE), st.booleans(), min_size=1)
"""Of a photo: what was ordered, and whether it was done."""
PHOTOS = st.lists(
    st.tuples(OUTCOMES, st.sampled_from([Verdict.APPROVED, Verdict.REJECTED])), min_size=1, max_size=6
)


def make_photo(index: int, outcomes: dict[Enhancement, bool], verdict: Verdict) -> Photo:
    request = EditRequest(enhancements=tuple(in_pipeline_order(outcomes)))
    steps = tuple(
        StepOutcome(
            enhancement=each, applied=outcomes[each], reason=None if outcomes[each] else Reason.NOT_AVAILABLE
        )
        for each in request.steps
    )
    # What did nothing at all is rejected, whoever decides.
    verdict = verdict if any(outcomes.values()) else Verdict.REJECTED
    picture = StoredPicture(report=QualityReport(steps=steps), settings=AS_ORDERED)
    result = Result(verdict=verdict, message="", picture=picture)
    price = image_price(PricedPhoto(PhotoType.EXTERIOR, request))
    return Photo(
        id=f"pho_{index}", type=PhotoType.EXTERIOR, index=index, file_name=f"{index}.jpg", image_credits=price,
        edit_request=request, result=result,
    )  # fmt: skip


@settings(max_examples=300)
@given(PHOTOS)
def test_what_is_due_is_the_price_of_those_effects_that_came_out_on_some_photo(
    drawn: list[tuple[dict[Enhancement, bool], Verdict]],
) -> None:
    photos = [make_photo(index, outcomes, verdict) for index, (outcomes, verdict) in enumerate(drawn)]
    charged = property_price([PricedPhoto(PhotoType.EXTERIOR, each.edit_request) for each in photos])
    cost = charged + sum(each.image_credits for each in photos)
    job = Job(id="job_1", property_credits=charged, credit_cost=cost, credits_refunded=Decimal(0))
    back = {each.cause: each.amount for each in list_for_undelivered(job, photos)}
    came_out = {
        enhancement
        for (outcomes, _), photo in zip(drawn, photos, strict=True)
        for enhancement, done in outcomes.items()
        if done and photo.result.verdict is Verdict.APPROVED
    }
    due = Decimal(min(len(came_out), 2)) + Decimal("0.5") * (Enhancement.TWILIGHT in came_out)
    assert back.get(property_refund_cause(job.id), 0) == charged - due
    assert sum(back.values()) <= cost
    assert all(amount > 0 for amount in back.values())
