"""Frames of one view in a draft: groups of them are proposed, merged into one photo, and split again.

The caller has locked the draft, see drafts.get_open().
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.drafts import DraftOrder
from app.domain.errors import InvalidRequest, NotFound
from app.domain.ids import Prefix, new_id
from app.models import Draft, DraftPhoto, PhotoFacts
from app.services.orders import draft_photos, drafts
from app.services.previews import photo_facts, previews
from app.services.uploads import uploads
from engine.grouping import photo_groups
from engine.grouping.photo_groups import CandidateFrame, GroupProblem, GroupProblemCode, propose_groups
from engine.types.enhancements import PhotoType
from engine.types.photo_limits import MAX_FRAMES


@dataclass(frozen=True, slots=True)
class GroupProposal:
    """Which photos of a draft are frames of one view: `groups` of photo ids, and `problems`, for which other photos
    cannot be grouped.

    `pending`: how many files have no facts yet. While this is not 0, nothing is proposed.
    """

    groups: Sequence[Sequence[str]] = ()
    problems: Sequence[GroupProblem] = ()
    pending: int = 0


def propose(session: Session, draft: Draft, now: datetime) -> GroupProposal:
    """Propose which photos to merge, among those that are in no group yet. The draft does not change. If files have
    no facts yet, workers are asked to read them.
    """
    rows = [frames[0] for frames in draft_photos.group_frames(draft_photos.get_all(session, draft))]
    ungrouped = [row for row in rows if row.group_id is None]
    known = photo_facts.get_all(session, [row.storage_key for row in ungrouped])
    unseen = [row.storage_key for row in ungrouped if row.storage_key not in known]
    if unseen:
        previews.request_facts(session, unseen, uploads.prefix(draft.upload_session_id), now)
        return GroupProposal(pending=len(unseen))
    found = [propose_groups(_candidates(ungrouped, kind, known)) for kind in PhotoType]
    return GroupProposal(
        groups=[group for each in found for group in each.groups],
        problems=[problem for each in found for problem in each.problems],
    )


def merge(session: Session, draft: Draft, photo_ids: Sequence[str], now: datetime) -> str:
    """Merge these photos, with all their frames in the given order, into one photo; returns the id of the group.
    The merged photo has the edit request and the place of the first one.

    Raises NotFound for ids that are not photos of the draft, InvalidRequest for fewer than two photos, more than
    MAX_FRAMES frames, or photos of different types.
    """
    rows = draft_photos.get_all(session, draft)
    by_id = {frame.id: frames for frames in draft_photos.group_frames(rows) for frame in frames}
    chosen = list(dict.fromkeys(photo_ids))
    if not by_id.keys() >= set(chosen):
        raise NotFound
    frames = list({frame.id: frame for each in chosen for frame in by_id[each]}.values())
    _require_mergeable(frames)
    group_id = new_id(Prefix.PHOTO_GROUP)
    first = frames[0]
    for frame in frames:
        frame.group_id = group_id
    same_type = [each for each in rows if each.type is first.type and not each.is_reference]
    place = same_type.index(first)
    before = [each for each in same_type[:place] if each not in frames]
    after = [each for each in same_type[place:] if each not in frames]
    for position, row in enumerate([*before, *frames, *after]):
        row.position = position
    drafts.touch(session, draft, now)
    return group_id


def split(session: Session, draft: Draft, group_id: str, now: datetime) -> None:
    """Make each frame of the group a separate photo again, with the edit request of the first frame; only the file
    that its hints name keeps such hints.

    Raises NotFound for a group that is not the draft's.
    """
    frames = _get_frames(session, draft, group_id)
    edit_request = frames[0].edit_request
    known = photo_facts.get_all(session, [each.storage_key for each in frames])
    for frame in frames:
        digest = known[frame.storage_key].sha256 if frame.storage_key in known else frame.sha256
        keeps_hints = edit_request.hints is None or edit_request.hints.is_for([digest or ""])
        frame.group_id = None
        frame.edit_request = edit_request if keeps_hints else replace(edit_request, hints=None)
    drafts.touch(session, draft, now)


def apply(session: Session, draft: Draft, proposal: GroupProposal, now: datetime) -> int:
    """Merge all proposed groups; returns how many there are."""
    for group in proposal.groups:
        merge(session, draft, group, now)
    return len(proposal.groups)


def find_unfit(session: Session, order: DraftOrder) -> dict[str, GroupProblemCode]:
    """Find photos whose frames cannot become one picture: the reason by photo id. Frames without facts are
    assumed to fit.
    """
    grouped = [photo for photo in order.photos if photo.frames]
    if not grouped:
        return {}
    known = photo_facts.get_all(session, [frame.storage_key for photo in grouped for frame in photo.frames])
    found = {}
    for photo in grouped:
        rows = [known.get(frame.storage_key) for frame in photo.frames]
        problem = photo_groups.find_unfit([photo_facts.as_file_facts(row) for row in rows if row is not None])
        if problem is not None:
            found[photo.id] = problem
    return found


def _candidates(
    rows: Iterable[DraftPhoto], kind: PhotoType, known: Mapping[str, PhotoFacts]
) -> list[CandidateFrame]:
    return [
        CandidateFrame(row.id, row.file_name, photo_facts.as_file_facts(known[row.storage_key]))
        for row in rows
        if row.type is kind
    ]


def _require_mergeable(frames: Sequence[DraftPhoto]) -> None:
    if len(frames) < 2:
        raise InvalidRequest({"photos": "Choose two or more photos to merge."})
    if len(frames) > MAX_FRAMES:
        raise InvalidRequest({"photos": f"A photo is made of at most {MAX_FRAMES} frames."})
    if len({frame.type for frame in frames}) > 1:
        raise InvalidRequest({"photos": "Exterior and interior photos cannot become one."})


def _get_frames(session: Session, draft: Draft, group_id: str) -> list[DraftPhoto]:
    mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, DraftPhoto.group_id == group_id)
    frames = list(session.scalars(mine.order_by(DraftPhoto.position, DraftPhoto.id)))
    if not frames:
        raise NotFound
    return frames
