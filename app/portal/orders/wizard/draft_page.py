"""A draft as the pages of the wizard show it: its content, files, previews, price and problems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final

from sqlalchemy.orm import Session

from app.domain import draft_parts
from app.domain.drafts import Content, DraftOrder, Step
from app.domain.photo_addresses import find_other_addresses
from app.domain.photo_places import find_strays
from app.domain.pricing import Quote
from app.domain.retention import DRAFTS_KEPT
from app.models import Draft, DraftPhoto, PhotoFacts, Preview
from app.portal.orders.wizard.problems import Problem, find_problems
from app.services.orders import draft_groups, draft_photos, draft_removals
from app.services.previews import photo_facts, previews
from app.web.context import container
from app.web.group_messages import GROUP_FAULTS
from engine.grouping.photo_groups import GroupProblemCode
from engine.types.enhancements import PhotoType
from engine.types.file_facts import DroppedContent

UNFIT_GROUP = "{}: {} Split it, or remove what does not belong."
NOT_KEPT: Final = {
    DroppedContent.DEPTH: "It has more than 8 bits a color, its result 8",
    DroppedContent.GAIN_MAP: "Its result has no HDR gain map",
    DroppedContent.OTHER_PICTURES: "It has several pictures; the main one is used",
}
UNREADABLE = "{} cannot be read as a photo. Remove it, and add it again from the original."


@dataclass(frozen=True)
class DraftPage:
    """The draft as its pages show it. Cached properties are computed once for each request."""

    draft: Draft
    order: DraftOrder
    rows: Mapping[str, DraftPhoto]
    previews: Mapping[str, Preview]
    facts: Mapping[str, PhotoFacts]
    unfinished: Sequence[DraftPhoto] = ()
    removed: Sequence[DraftPhoto] = ()
    unfit: Mapping[str, GroupProblemCode] = field(default_factory=dict)
    """Photos whose frames cannot become one picture, and why."""

    @property
    def content(self) -> Content:
        """The fields of the draft, as filled in so far."""
        return self.order.content

    @property
    def kept_until(self) -> datetime:
        """The time when the draft is deleted if it is not changed before."""
        return self.draft.updated_at + DRAFTS_KEPT

    def photos(self, photo_type: PhotoType) -> list[DraftPhoto]:
        """The uploaded photos of the type, in their order."""
        return [self.rows[photo.id] for photo in self.order.photos if photo.type is photo_type]

    def frames(self, photo: DraftPhoto) -> list[DraftPhoto]:
        """The frames that are merged into the photo; the photo's own file alone if it has no frames."""
        drafted = next((each for each in self.order.photos if each.id == photo.id), None)
        return [self.rows[frame.id] for frame in drafted.frames] if drafted and drafted.frames else [photo]

    def preview(self, photo: DraftPhoto) -> Preview | None:
        """The record of the file's previews; None where there is no record yet."""
        return self.previews.get(photo.storage_key)

    @property
    def waiting(self) -> list[DraftPhoto]:
        """The photos whose previews are still being made."""
        return [row for row in self.rows.values() if not row.is_reference and self.is_waiting(row)]

    def is_waiting(self, photo: DraftPhoto) -> bool:
        """Whether the photo's previews are still being made."""
        preview = self.preview(photo)
        return preview is None or not (preview.width or preview.error)

    def is_unreadable(self, photo: DraftPhoto) -> bool:
        """Whether the file could not be read as a picture, so that no result can be made."""
        preview = self.preview(photo)
        return preview is not None and preview.error is not None

    def list_not_kept(self, photo: DraftPhoto) -> list[str]:
        """Properties of the file that its result will not have, in words."""
        facts = self.facts.get(photo.storage_key)
        return [NOT_KEPT[DroppedContent(each)] for each in (facts.not_kept if facts else None) or ()]

    @cached_property
    def strays(self) -> Mapping[str, float]:
        """Exterior photos that were taken far from most others: file name -> distance in meters."""
        places = photo_facts.list_places(self.facts.get(row.storage_key) for row in self._exterior_rows)
        names = {row.storage_key: row.file_name for row in self._exterior_rows}
        return {names[key]: meters for key, meters in find_strays(places).items()}

    @cached_property
    def other_addresses(self) -> Mapping[str, str]:
        """Exterior photos whose file name has another address than the order: file name -> that address."""
        return find_other_addresses((row.file_name for row in self._exterior_rows), self.content.address)

    @cached_property
    def _exterior_rows(self) -> Sequence[DraftPhoto]:
        return [self.rows[photo.id] for photo in self.order.photos_of(PhotoType.EXTERIOR) if photo.id in self.rows]

    @property
    def guesses(self) -> Mapping[PhotoType, list[str]]:
        """Photos whose type was not chosen by the customer and differs from the analyzed one: analyzed type ->
        photo ids.
        """
        found: dict[PhotoType, list[str]] = {}
        for photo in self.order.photos:
            facts = self.facts.get(photo.storage_key)
            guess = facts.guessed_type if facts is not None else None
            if guess is not None and guess is not photo.type and not self.rows[photo.id].type_is_chosen:
                found.setdefault(guess, []).append(photo.id)
        return found

    @cached_property
    def parts(self) -> list[DraftOrder]:
        """The orders that the draft is split into."""
        return draft_parts.split(self.order)

    def price(self, order: DraftOrder | None = None) -> Quote:
        """The price of the draft, or of `order` in its place."""
        return draft_parts.price(order or self.order)

    def list_problems(self) -> list[Problem]:
        """Everything that is missing or wrong, in the order of the steps."""
        return list(self._problems)

    @cached_property
    def _problems(self) -> Sequence[Problem]:
        found = [
            Problem(Step.PHOTOS, UNREADABLE.format(row.file_name), photo.id)
            for photo_type in PhotoType
            for photo in self.order.photos_of(photo_type)
            for row in [self.rows[frame.id] for frame in photo.frames] or [self.rows[photo.id]]
            if self.is_unreadable(row)
        ]
        found += [
            Problem(Step.PHOTOS, UNFIT_GROUP.format(self.rows[photo_id].file_name, GROUP_FAULTS[code]), photo_id)
            for photo_id, code in self.unfit.items()
            if self.content.covers(self.rows[photo_id].type)
        ]
        steps = list(Step)
        return sorted(found + find_problems(self.order), key=lambda problem: steps.index(problem.step))


def load_draft_page(session: Session, draft: Draft) -> DraftPage:
    """Load the draft; the number of queries does not depend on the number of photos."""
    rows = draft_photos.get_all(session, draft)
    keys = [row.storage_key for row in rows]
    order = draft_photos.as_draft_order(draft, rows, imagery=container().imagery is not None)
    return DraftPage(
        draft,
        order,
        {row.id: row for row in rows},
        previews.get_all(session, keys),
        photo_facts.get_all(session, keys),
        draft_photos.list_unfinished(session, draft),
        draft_removals.list_last_removed(session, draft),
        draft_groups.find_unfit(session, order),
    )
