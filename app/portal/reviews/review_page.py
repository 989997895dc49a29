"""The page of one review: every photo with its result in words, and the one that is looked at."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.edit_requests import EditRequest
from app.domain.quality import QualityReport, Verdict
from app.models import Photo, Result
from app.portal import figures
from app.portal.figures import Finding
from app.portal.reviews import words
from app.portal.words import Word
from app.services.reviews.lists import Review


@dataclass(frozen=True, slots=True)
class Item:
    """One photo of the job; `number` counts from 1."""

    number: int
    photo: Photo
    result: Result | None
    word: Word

    @property
    def has_picture(self) -> bool:
        """Whether there is a result to look at, and to decide on."""
        return self.result is not None and self.result.storage_key is not None

    @property
    def undecided(self) -> bool:
        """Whether it waits for a decision."""
        return self.result is not None and self.result.verdict is Verdict.UNDECIDED


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """All of the job's photos, and `item`, the one that is looked at, with what was asked for and its report."""

    items: Sequence[Item]
    item: Item
    edit_request: EditRequest
    report: QualityReport | None
    findings: Sequence[Finding]

    @property
    def before(self) -> Item | None:
        """The photo before the one that is looked at."""
        return self.items[self.item.number - 2] if self.item.number > 1 else None

    @property
    def after(self) -> Item | None:
        """The photo after it."""
        return self.items[self.item.number] if self.item.number < len(self.items) else None


def build_review_page(review: Review, number: int | None, image_id: str | None = None) -> ReviewPage:
    """Build the page at photo `number` or at the result `image_id`; else at the first that waits for a decision."""
    items = [
        Item(place, photo, photo.result, words.verdict(photo.result))
        for place, photo in enumerate(review.photos, 1)
    ]
    wanted = (each for each in items if each.number == number or (image_id and _names(each, image_id)))
    waiting = (each for each in items if each.undecided)
    item = next(wanted, None) or next(waiting, items[0])
    report = QualityReport.model_validate(item.result.report) if item.result else None
    findings = figures.describe_figures(report.figures) if report else []
    return ReviewPage(items, item, item.photo.edit_request, report, findings)


def _names(item: Item, image_id: str) -> bool:
    return item.result is not None and item.result.id == image_id
