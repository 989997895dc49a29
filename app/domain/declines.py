"""What was declined for a decided photo, and whether it can be ordered again once the customer shows what we
missed."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from app.domain.hint_questions import PARTS
from app.domain.ledger import is_refund_of_photo, sum_property_refunds
from app.domain.pictures import PictureSettings
from app.domain.pricing import PricedPhoto, image_price, price_outside
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.hint_cures import find_part
from engine.types.hints import NO_HINTS, SceneHints
from engine.types.outlook import SURFACES, HintPart
from engine.types.report import QualityReport, Reason, StepOutcome, Verdict

_WRONG_PLACE = frozenset({Reason.NOT_EXTERIOR, Reason.NOT_INTERIOR})
"""A report does not say how sure the engine was of these reasons. If it was sure, hints would not help."""


@dataclass(frozen=True, slots=True)
class DecidedPhoto:
    """A photo with the outcome of its order: the edit request `ordered`, and the `settings` and `report` of its
    present picture.
    """

    id: str
    type: PhotoType
    ordered: EditRequest
    settings: PictureSettings
    report: QualityReport
    verdict: Verdict
    reason: Reason | None

    @property
    def delivered(self) -> Sequence[Enhancement]:
        """The steps in its picture; none if it has no usable result."""
        return self.report.applied if self.verdict is Verdict.APPROVED else ()


@dataclass(frozen=True, slots=True)
class Decline:
    """What a photo lacks of its order. `part`: what the customer can show so that it is done after all. `request`:
    the edit request for only the missing steps, with the hints so far. `price`: the price of ordering them again.
    """

    part: HintPart
    request: EditRequest
    price: Decimal


def find_decline(photo: DecidedPhoto, paid_steps: Collection[Enhancement] = ()) -> Decline | None:
    """Find what the photo lacks and can get once the customer shows something; None if there is nothing.
    `paid_steps`: steps that need no order, see list_paid_steps().
    """
    if photo.verdict is Verdict.UNDECIDED:
        return None
    hints = photo.settings.request_for(photo.ordered).hints
    part = next(_list_parts(photo, hints or NO_HINTS, paid_steps), None)
    lost = photo.ordered if photo.verdict is Verdict.REJECTED else _keep_declined(photo.ordered, photo.report)
    if part is None or set(lost.steps) <= set(paid_steps):
        return None
    request = replace(lost.keep([step for step in lost.steps if step not in paid_steps]), hints=hints)
    return Decline(part, request, _price(photo.type, request))


def find_payable(photos: Sequence[DecidedPhoto], property_paid: Decimal) -> dict[str, Decline]:
    """What can be ordered again for the photos of one order at the price that was refunded, by photo id.

    `property_paid`: what was paid for all exterior photos together, and not refunded. It covers an enhancement that
    at least one photo got, so that enhancement was not refunded, and ordering it again would cost more.
    """
    exterior = (photo for photo in photos if photo.type is PhotoType.EXTERIOR)
    delivered = [step for photo in exterior for step in photo.delivered]
    free = {photo.id: list_paid_steps(photos, photo.id, property_paid) for photo in photos}
    found = [(photo, find_decline(photo, free[photo.id])) for photo in photos]
    return {
        photo.id: decline
        for photo, decline in found
        if decline is not None
        if photo.type is not PhotoType.EXTERIOR or _is_refunded(decline, delivered, property_paid)
    }


def sum_property_paid(
    job_id: str, charged: Decimal, alone: Mapping[str, Decimal], refunded: Mapping[str, Decimal]
) -> Decimal:
    """The credits that were paid for all exterior photos together and not refunded. `charged`: the price for all;
    `alone`: the price of each exterior photo alone, by id; `refunded`: the refunds of the job, by cause.

    A reviewer's refund of one photo includes its share of the price for all. If everything that was paid for
    exterior photos was refunded, nothing is left.
    """
    left = charged - sum_property_refunds(job_id, refunded)
    mine = (amount for cause, amount in refunded.items() if any(is_refund_of_photo(cause, each) for each in alone))
    return left if sum(mine, Decimal(0)) < sum(alone.values(), left) else Decimal(0)


def list_paid_steps(photos: Sequence[DecidedPhoto], photo_id: str, property_paid: Decimal) -> Sequence[Enhancement]:
    """The steps that an exterior photo lacks although they are in what was paid for all exterior photos together:
    they may be done without another charge. `property_paid`: as in find_payable().
    """
    exterior = [photo for photo in photos if photo.type is PhotoType.EXTERIOR]
    mine = next((photo for photo in exterior if photo.id == photo_id), None)
    if mine is None:
        return ()
    delivered = [step for photo in exterior for step in photo.delivered]
    lacking = [step for step in mine.settings.request_for(mine.ordered).steps if step not in mine.delivered]
    paid = [step for step in lacking if price_outside([*delivered, step]) <= property_paid]
    if price_outside([*delivered, *paid]) > property_paid:
        return [step for step in paid if step in delivered]
    return paid


def find_free_parts(photos: Sequence[DecidedPhoto], property_paid: Decimal) -> dict[str, HintPart]:
    """The parts that the customer can show of photos to get steps without another charge, by photo id. The
    arguments are as in find_payable().
    """
    found = {}
    for photo in photos:
        paid = list_paid_steps(photos, photo.id, property_paid)
        hints = photo.settings.request_for(photo.ordered).hints or NO_HINTS
        others = [step for step in photo.ordered.steps if step not in paid]
        part = next(_list_parts(photo, hints, others), None) if paid else None
        if part is not None:
            found[photo.id] = part
    return found


def list_together(payable: Mapping[str, Decline], photos: Sequence[DecidedPhoto], photo_id: str) -> list[str]:
    """The ids of the photos that are ordered again together with one of the `payable` photos: that photo first,
    then the other exterior photos that lack the same steps or fewer, because they have one price.
    """
    kinds, steps = {photo.id: photo.type for photo in photos}, set(payable[photo_id].request.steps)
    if kinds[photo_id] is not PhotoType.EXTERIOR:
        return [photo_id]
    exterior = (each for each in payable if kinds[each] is PhotoType.EXTERIOR and each != photo_id)
    return [photo_id, *(each for each in exterior if steps.issuperset(payable[each].request.steps))]


def _is_refunded(decline: Decline, delivered: Sequence[Enhancement], paid: Decimal) -> bool:
    return decline.price <= price_outside([*delivered, *decline.request.steps]) - paid


def _price(photo_type: PhotoType, request: EditRequest) -> Decimal:
    own = image_price(PricedPhoto(photo_type, request))
    return own + price_outside(request.steps) if photo_type is PhotoType.EXTERIOR else own


def _keep_declined(ordered: EditRequest, report: QualityReport) -> EditRequest:
    """The edit request of the declined steps and, for a renovation done in part, of its declined changes."""
    lost = [step for step in report.steps if not step.applied or step.declined_changes]
    request = ordered.keep([step.enhancement for step in lost])
    indexes = {each.index for step in lost for each in step.declined_changes}
    if not indexes:
        return request
    return replace(request, changes=tuple(each for index, each in enumerate(ordered.changes) if index in indexes))


def _list_parts(photo: DecidedPhoto, hints: SceneHints, skipped: Collection[Enhancement]) -> Iterator[HintPart]:
    """The parts of hints that help against the reasons, in the order of the reasons. The parts of the steps in
    `skipped` are left out.
    """
    if photo.verdict is Verdict.REJECTED and photo.reason is not Reason.ALL_STEPS_DECLINED:
        kept = [step for step in photo.ordered.steps if step not in skipped]
        yield from (part for part in _find_parts(photo.reason, hints) if any(part in PARTS[step] for step in kept))
        return
    for step in photo.report.steps:
        if step.enhancement in skipped:
            continue
        if not step.applied:
            yield from _find_parts(step.reason, hints, _list_surfaces(photo, step))
        for change in step.declined_changes:
            yield from _find_parts(change.reason, hints, [SURFACES.get(change.type)])


def _list_surfaces(photo: DecidedPhoto, step: StepOutcome) -> Sequence[HintPart | None]:
    """The surfaces of a declined step; its report does not say which of them was not found."""
    if step.enhancement is not Enhancement.RENOVATION:
        return [None]
    return [SURFACES.get(each.type) for each in photo.ordered.changes]


def _find_parts(
    reason: Reason | None, hints: SceneHints, surfaces: Iterable[HintPart | None] = (None,)
) -> Iterator[HintPart]:
    if reason is None or reason in _WRONG_PLACE:
        return
    for surface in surfaces:
        part = find_part(reason, hints, surface)
        if part is not None:
            yield part
