"""The page of one review: every photo with its result in words, and the photo that is shown."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.disclosure.rules import Rule
from app.domain.hint_questions import list_questions
from app.domain.revisions import weaken
from app.models import Photo, Result, Revision
from app.portal import figures
from app.portal.figures import Finding
from app.portal.reviews import words
from app.portal.words import Word
from app.services.reviews import decisions
from app.services.reviews.lists import Review
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, PhotoType, in_pipeline_order
from engine.types.report import QualityReport, Verdict


@dataclass(frozen=True, slots=True)
class Item:
    """One photo of the job; `number` counts from 1."""

    number: int
    photo: Photo
    result: Result | None
    word: Word
    rework: Revision | None = None
    """The open round in which the result is being made again at a reviewer's request."""

    @property
    def has_picture(self) -> bool:
        """Whether there is a result with a picture, so that it can be viewed and decided on."""
        return self.result is not None and self.result.storage_key is not None

    @property
    def is_undecided(self) -> bool:
        """Whether the result waits for a decision, and is not being made again."""
        waits = self.result is not None and self.result.verdict is Verdict.UNDECIDED
        return waits and self.rework is None


@dataclass(frozen=True, slots=True)
class OrderedStep:
    """One step, and the number of the order's photos of one type that it was ordered for."""

    type: PhotoType
    step: Enhancement
    count: int


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """All photos of the job (`items`), and the photo that is shown (`item`) with its edit request and report.

    `reworks`: the rounds in which reviewers had its result made again, latest first. `refundable_steps`: its steps
    whose price can be refunded. `order`: each step ordered, with its number of photos. `rules`: the disclosure
    rules that apply where the property is advertised.
    """

    items: Sequence[Item]
    item: Item
    edit_request: EditRequest
    report: QualityReport | None
    findings: Sequence[Finding]
    reworks: Sequence[Revision]
    refundable_steps: Sequence[Enhancement]
    order: Sequence[OrderedStep]
    rules: Sequence[Rule]

    @property
    def applied(self) -> Sequence[Enhancement]:
        """The steps in the picture."""
        return self.report.applied if self.report else ()

    @property
    def request(self) -> EditRequest:
        """The edit request with which the result was made; the photo's edit request where there is no result."""
        result = self.item.result
        return result.picture.settings.request_for(self.edit_request) if result else self.edit_request

    @property
    def can_be_shown(self) -> bool:
        """Whether hints about the photo could help its steps to succeed."""
        return bool(list_questions(self.request, ()))

    @property
    def can_weaken(self) -> bool:
        """Whether the result can be made again with weaker steps."""
        result = self.item.result
        return result is not None and weaken(result.picture.settings, result.report) is not None

    @property
    def previous(self) -> Item | None:
        """The item before the one that is shown; None at the first."""
        return self.items[self.item.number - 2] if self.item.number > 1 else None

    @property
    def next(self) -> Item | None:
        """The item after the one that is shown; None at the last."""
        return self.items[self.item.number] if self.item.number < len(self.items) else None


def build_review_page(review: Review, number: int | None, image_id: str | None = None) -> ReviewPage:
    """Build the page for photo `number` or for the result `image_id`; else for the first undecided photo."""
    items = [_build_item(review, place, photo) for place, photo in enumerate(review.photos, 1)]
    wanted = (each for each in items if each.number == number or (image_id and _has_result_id(each, image_id)))
    waiting = (each for each in items if each.is_undecided)
    item = next(wanted, None) or next(waiting, items[0])
    report = item.result.report if item.result else None
    findings = figures.describe_figures(report.figures) if report else []
    rounds = item.result.reviewer_rounds if item.result else ()
    charged = decisions.list_charged(review.job, item.photo)
    other_fields = (list(reversed(rounds)), charged, _list_ordered(review.photos), review.job.listing.rules)
    return ReviewPage(items, item, item.photo.edit_request, report, findings, *other_fields)


def _build_item(review: Review, place: int, photo: Photo) -> Item:
    rework = review.find_open_rework(photo.result)
    word = words.describe_verdict(photo.result, being_made=rework is not None)
    return Item(place, photo, photo.result, word, rework)


def _list_ordered(photos: Sequence[Photo]) -> list[OrderedStep]:
    """The steps ordered for photos of each type, in pipeline order."""
    found = Counter((photo.type, step) for photo in photos for step in photo.edit_request.steps)
    steps = [(kind, step) for kind in PhotoType for step in in_pipeline_order(each for _, each in found)]
    return [OrderedStep(kind, step, found[kind, step]) for kind, step in steps if found[kind, step]]


def _has_result_id(item: Item, image_id: str) -> bool:
    return item.result is not None and item.result.id == image_id
