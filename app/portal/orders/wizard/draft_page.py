"""A draft as the pages of the wizard show it: its content, files, previews, price and problems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final

from sqlalchemy.orm import Session

from app.domain import draft_parts
from app.domain.drafts import Content, DraftedPhoto, DraftOrder, Step
from app.domain.field_errors import Fault, FaultCode
from app.domain.left_out import keep_possible
from app.domain.photo_addresses import find_other_addresses
from app.domain.photo_places import find_strays
from app.domain.pricing import Quote
from app.domain.retention import DRAFTS_KEPT
from app.models import Draft, DraftPhoto, PhotoFacts, Preview
from app.portal.orders.wizard.problems import UNSORTED_ANCHOR, Problem, find_problems, problems_of
from app.services.orders import (
    draft_arrivals,
    draft_forecasts,
    draft_groups,
    draft_photos,
    draft_removals,
    draft_sorting,
    drafts,
)
from app.services.orders.draft_forecasts import DraftForecasts
from app.services.orders.draft_sorting import Sorting, Unsorted
from app.services.previews import photo_facts, previews
from app.web.context import container
from app.web.group_messages import GROUP_FAULTS
from engine.grouping.merge_obstacles import GroupProblemCode
from engine.types.enhancements import PhotoType
from engine.types.file_facts import DroppedContent

UNFIT_GROUP = "{}: {} Split it, or remove what does not belong."
NOT_KEPT: Final = {
    DroppedContent.DEPTH: "It has more than 8 bits a color, its result 8",
    DroppedContent.GAIN_MAP: "Its result has no HDR gain map",
    DroppedContent.OTHER_PICTURES: "It has several pictures; the main one is used",
}
UNREADABLE = "{} cannot be read as a photo. Remove it, and add it again from the original."
STILL_SORTING = "{} still being sorted into interior and exterior. Wait, or sort {} yourself."
SORT_YOURSELF = "Sort {}: choose Interior or Exterior."
SLOW_SORTING = timedelta(minutes=3)
"""If a photo waits longer than this to be sorted, the page says so, because workers may be down."""


@dataclass(frozen=True)
class DraftPage:
    """The draft as its pages show it: `order` is the whole draft, and `ordered` the part that would be placed now.
    Cached properties are computed once for each request.
    """

    draft: Draft
    order: DraftOrder
    forecasts: DraftForecasts
    rows: Mapping[str, DraftPhoto]
    previews: Mapping[str, Preview]
    facts: Mapping[str, PhotoFacts]
    sorting: Sorting
    unfinished: Sequence[DraftPhoto] = ()
    removed: Sequence[DraftPhoto] = ()
    unfit: Mapping[str, GroupProblemCode] = field(default_factory=dict)
    """Photos whose frames cannot become one picture, each with the reason."""

    @property
    def content(self) -> Content:
        """The fields of the draft, as filled in so far."""
        return self.order.content

    @property
    def kept_until(self) -> datetime:
        """The time when the draft is deleted if it is not changed before."""
        return self.draft.updated_at + DRAFTS_KEPT

    @cached_property
    def offered(self) -> Sequence[PhotoType]:
        """The types whose enhancements can be chosen: the types of the photos, and the types for which the order
        was begun. So choices for photos that are not uploaded or not sorted yet stay on the page.
        """
        begun = drafts.content_of(self.draft)
        return [kind for kind in PhotoType if begun.covers(kind) or self.content.covers(kind)]

    def photos(self, photo_type: PhotoType) -> list[DraftPhoto]:
        """The uploaded photos of the type, in their order."""
        return [self.rows[photo.id] for photo in self.order.photos if photo.is_sorted and photo.type is photo_type]

    def unsorted(self, why: str) -> list[DraftedPhoto]:
        """The photos that are not sorted for this reason, in their order. `why`: a value of Unsorted."""
        return [photo for photo in self.order.photos if self.sorting.unsorted.get(photo.id) == why]

    @property
    def sorts_slowly(self) -> bool:
        """Whether a photo waits unusually long to be sorted."""
        waiting = (self.rows[photo.id].uploaded_at for photo in self.unsorted(Unsorted.WAITING))
        return any(since and container().clock() - since > SLOW_SORTING for since in waiting)

    def frames(self, photo: DraftPhoto) -> list[DraftPhoto]:
        """The frames that are merged into the photo; the photo's own file alone if it has no frames."""
        drafted = next((each for each in self.order.photos if each.id == photo.id), None)
        return [self.rows[frame.id] for frame in drafted.frames] if drafted and drafted.frames else [photo]

    @property
    def is_grouping_known(self) -> bool:
        """Whether all files were analyzed, so that frames of one view were found if there are any."""
        return not (self.waiting or self.arriving)

    @property
    def last_merge(self) -> tuple[int, int]:
        """The count of photos that the last merge made and that are still there, and the count of their files."""
        return draft_groups.count_last_merge(self.draft, [*self.rows.values(), *self.unfinished])

    @property
    def lost(self) -> list[DraftPhoto]:
        """Photos whose files did not arrive, and are no longer being uploaded."""
        return [row for row in self.unfinished if draft_arrivals.is_lost(row, container().clock())]

    @property
    def arriving(self) -> list[DraftPhoto]:
        """Photos whose files are being uploaded, by this page or another."""
        return [row for row in self.unfinished if not draft_arrivals.is_lost(row, container().clock())]

    def preview(self, photo: DraftPhoto) -> Preview | None:
        """The record of the file's previews; None if there is no record yet."""
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
        facts = self.facts.get(photo.storage_key)
        return facts is not None and facts.fault in photo_facts.FILE_FAULTS

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

    @cached_property
    def ordered(self) -> DraftOrder:
        """The order that is priced and would be placed: the draft's order without the steps that would be
        declined.
        """
        return keep_possible(self.order, self.forecasts.declined)

    @property
    def not_ordered(self) -> Sequence[DraftedPhoto]:
        """The photos for which no step remains."""
        remaining = {photo.id for photo in self.ordered.photos}
        return [photo for photo in self.order.photos if photo.id not in remaining]

    @cached_property
    def parts(self) -> list[DraftOrder]:
        """The orders that the draft is split into."""
        return draft_parts.split(self.ordered)

    def price(self) -> Quote:
        """The price of the orders that would be placed."""
        return draft_parts.price(self.ordered)

    def list_problems(self) -> list[Problem]:
        """Everything that is missing or wrong, in the order of the steps."""
        return list(self._problems)

    @cached_property
    def _problems(self) -> Sequence[Problem]:
        found = [
            Problem(Step.PHOTOS, UNREADABLE.format(row.file_name), photo.id)
            for photo in self._covered
            for row in [self.rows[frame.id] for frame in photo.frames] or [self.rows[photo.id]]
            if self.is_unreadable(row)
        ]
        found += [
            Problem(Step.PHOTOS, UNFIT_GROUP.format(self.rows[photo_id].file_name, GROUP_FAULTS[code]), photo_id)
            for photo_id, code in self.unfit.items()
            if photo_id in self.sorting.unsorted or self.content.covers(self.rows[photo_id].type)
        ]
        if draft_arrivals.lacks_frames(self.unfinished):
            found += problems_of(self.order, [Fault(("photos",), FaultCode.FRAMES_MISSING)])
        steps = list(Step)
        missing = self._find_missing()
        if self.sorting.unsorted:
            # Missing types of photos are known only once all photos are sorted.
            found += self._list_unsorted()
            missing = [each for each in missing if each.step is not Step.PHOTOS or each.photo_id]
        return sorted(found + missing, key=lambda problem: steps.index(problem.step))

    def _find_missing(self) -> list[Problem]:
        if self.order.priced() and not self.ordered.priced():
            return problems_of(self.order, [Fault(("photos",), FaultCode.ALL_DECLINED)])
        return find_problems(self.ordered)

    @property
    def _covered(self) -> Sequence[DraftedPhoto]:
        """The photos that the order covers, sorted or not."""
        return [photo for photo in self.order.photos if not photo.is_sorted or self.content.covers(photo.type)]

    def _list_unsorted(self) -> list[Problem]:
        """One problem for all photos that are still being sorted, and one for those that the customer must sort."""
        waiting, unsure = len(self.unsorted(Unsorted.WAITING)), len(self.unsorted(Unsorted.UNSURE))
        found = []
        if waiting:
            subject, whom = ("1 photo is", "it") if waiting == 1 else (f"{waiting} photos are", "them")
            found.append(Problem(Step.PHOTOS, STILL_SORTING.format(subject, whom), field=UNSORTED_ANCHOR))
        if unsure:
            whom = "1 photo" if unsure == 1 else f"{unsure} photos"
            found.append(Problem(Step.PHOTOS, SORT_YOURSELF.format(whom), field=UNSORTED_ANCHOR))
        return found


def price_instead(session: Session, shown: DraftPage, order: DraftOrder) -> Quote:
    """The price of another version of the draft's order, which is not saved. It uses the forecasts that are known
    for that version.
    """
    files = draft_forecasts.list_files(shown.rows.values(), shown.facts)
    forecasts = draft_forecasts.read(session, shown.draft.account_id, order, files)
    return draft_parts.price(keep_possible(order, forecasts.declined))


def load_draft_page(session: Session, draft: Draft) -> DraftPage:
    """Load the draft; the number of queries does not depend on the number of photos."""
    rows = draft_photos.get_all(session, draft)
    keys = [row.storage_key for row in rows]
    made, facts = previews.get_all(session, keys), photo_facts.get_all(session, keys)
    sorting = draft_sorting.find(rows, facts, made)
    order = draft_photos.as_draft_order(
        draft, rows, imagery=container().imagery is not None, unsorted=sorting.unsorted
    )
    return DraftPage(
        draft,
        order,
        draft_forecasts.read(session, draft.account_id, order, draft_forecasts.list_files(rows, facts)),
        {row.id: row for row in rows},
        made,
        facts,
        sorting,
        draft_arrivals.list_unfinished(session, draft),
        draft_removals.list_last_removed(session, draft),
        draft_groups.find_unfit(session, order),
    )
