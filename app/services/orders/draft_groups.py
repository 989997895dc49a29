"""Frames of one view in a draft: groups of them are proposed, merged into one photo, and split again.

The caller has locked the draft, see drafts.get_open().
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.capture import Capture, CapturedFile, find_brackets
from app.domain.drafts import DraftOrder
from app.domain.errors import InvalidRequest, NotFound
from app.domain.ids import Prefix, new_id
from app.models import Draft, DraftPhoto, PhotoFacts
from app.services.orders import draft_arrivals, draft_photos, draft_selections, drafts
from app.services.previews import photo_facts, previews
from app.services.uploads import uploads
from engine.grouping import merge_obstacles
from engine.grouping.merge_obstacles import GroupProblemCode
from engine.grouping.photo_groups import CandidateFrame, GroupProblem, propose_groups
from engine.types.enhancements import PhotoType
from engine.types.photo_limits import MAX_FRAMES


@dataclass(frozen=True, slots=True)
class GroupProposal:
    """A proposal of frames to merge: `groups` of ids of photos that show one view, and `problems`, the reasons why
    other photos cannot be grouped.

    `pending`: the count of files that workers have not looked at yet. While it is not 0, or files are being
    uploaded, the groups follow only from the settings of the camera, and there are no problems.
    """

    groups: Sequence[Sequence[str]] = ()
    problems: Sequence[GroupProblem] = ()
    pending: int = 0


def propose(session: Session, draft: Draft, now: datetime) -> GroupProposal:
    """Propose which photos to merge, see find_proposal(). Workers are asked to look at files that they have not
    seen yet.
    """
    rows = draft_photos.get_all(session, draft)
    known = photo_facts.get_all(session, [row.storage_key for row in rows])
    proposal = find_proposal(rows, _list_arriving(session, draft, now), known)
    if proposal.pending:
        unseen = [row.storage_key for row in _list_ungrouped(rows) if row.storage_key not in known]
        previews.request_facts(session, unseen, uploads.prefix(draft.upload_session_id), now)
    return proposal


def find_proposal(
    rows: Sequence[DraftPhoto], arriving: Sequence[DraftPhoto], known: Mapping[str, PhotoFacts]
) -> GroupProposal:
    """Propose which photos to merge, among the draft's files (`rows`) and the files that are being uploaded
    (`arriving`), if they are in no group yet. `known`: the facts of the files, by storage key.
    """
    ungrouped = _list_ungrouped(rows)
    unseen = [row for row in ungrouped if row.storage_key not in known]
    if unseen or arriving:
        late = [row for row in arriving if row.group_id is None]
        return GroupProposal(tuple(_find_brackets([*ungrouped, *late])), pending=len(unseen))
    found = [propose_groups(_candidates(ungrouped, kind, known)) for kind in PhotoType]
    return GroupProposal(
        groups=[group for each in found for group in each.groups],
        problems=[problem for each in found for problem in each.problems],
    )


def _find_brackets(rows: Sequence[DraftPhoto]) -> list[Sequence[str]]:
    """Groups by the capture settings that pages read, without groups whose files the customer sorted
    differently.
    """
    shots = [
        CapturedFile(row.id, row.file_name, Capture.model_validate(row.capture)) for row in rows if row.capture
    ]
    by_id = {row.id: row for row in rows}
    return [
        group
        for group in find_brackets(shots)
        if len({by_id[each].type for each in group if by_id[each].type_is_chosen}) < 2
    ]


def _list_ungrouped(rows: Sequence[DraftPhoto]) -> list[DraftPhoto]:
    firsts = (frames[0] for frames in draft_photos.group_frames(rows))
    return [row for row in firsts if row.group_id is None]


def _list_arriving(session: Session, draft: Draft, now: datetime) -> list[DraftPhoto]:
    unfinished = draft_arrivals.list_unfinished(session, draft)
    return [row for row in unfinished if not draft_arrivals.is_lost(row, now)]


def merge(session: Session, draft: Draft, photo_ids: Sequence[str], now: datetime) -> str:
    """Merge these photos, with all their frames in the given order, into one photo; returns the id of the group.
    The merged photo has the edit request and the place of the first one. Files that are being uploaded join it once
    they are there.

    Raises NotFound for ids that are not photos of the draft, InvalidRequest for fewer than two photos, more than
    MAX_FRAMES frames, or photos of which the customer sorted some as exterior and others as interior.
    """
    (group_id,) = merge_all(session, draft, [photo_ids], now)
    return group_id


def apply(session: Session, draft: Draft, proposal: GroupProposal, now: datetime) -> int:
    """Merge all proposed groups; returns how many there are."""
    return len(merge_all(session, draft, proposal.groups, now))


def merge_all(session: Session, draft: Draft, groups: Sequence[Sequence[str]], now: datetime) -> Sequence[str]:
    """merge() each of the groups, which have no photo in common, or none of them; returns their new ids."""
    files = (*draft_photos.get_all(session, draft), *draft_arrivals.list_unfinished(session, draft))
    rows = [row for row in files if not row.is_reference]
    by_id = {frame.id: frames for frames in draft_photos.group_frames(rows) for frame in frames}
    merged: dict[str, list[DraftPhoto]] = {}
    for photo_ids in groups:
        chosen = list(dict.fromkeys(photo_ids))
        if not by_id.keys() >= set(chosen):
            raise NotFound
        photos = {by_id[each][0].id: by_id[each] for each in chosen}
        frames = [frame for each in photos.values() for frame in each]
        _require_mergeable(frames)
        merged[new_id(Prefix.PHOTO_GROUP)] = frames
    for group_id, frames in merged.items():
        _place(rows, frames)
        for frame in frames:
            frame.group_id = group_id
    if merged:
        draft.last_merge = list(merged)
    drafts.touch(session, draft, now)
    return list(merged)


def _place(rows: Sequence[DraftPhoto], frames: Sequence[DraftPhoto]) -> None:
    """Give all frames the type that the customer chose for one of them, else the type of the first one, and its
    place, one after the other.
    """
    first = frames[0]
    first_position, chosen = first.position, [frame for frame in frames if frame.type_is_chosen]
    kind = chosen[0].type if chosen else first.type
    for frame in frames:
        if frame.type is not kind:
            frame.type, frame.edit_request = kind, draft_selections.fit_to_type(frame.edit_request, kind)
        frame.type_is_chosen = bool(chosen)
    own = {frame.id for frame in frames}
    others = sorted(
        (row for row in rows if row.type is kind and row.id not in own), key=lambda row: (row.position, row.id)
    )
    before = [row for row in others if (row.position, row.id) < (first_position, first.id)]
    for position, row in enumerate([*before, *frames, *others[len(before) :]]):
        row.position = position


def count_last_merge(draft: Draft, rows: Iterable[DraftPhoto]) -> tuple[int, int]:
    """The count of photos that the last merge made and that are still there, and the count of their files among
    `rows`.
    """
    counts = Counter(row.group_id for row in rows if row.group_id in (draft.last_merge or ()))
    return len(counts), counts.total()


def undo_merge(session: Session, draft: Draft, now: datetime) -> int:
    """Split the photos that were merged together last; returns how many. Harmless to repeat."""
    groups, draft.last_merge = draft.last_merge or [], None
    return split(session, draft, groups, now)


def split(session: Session, draft: Draft, group_ids: Sequence[str], now: datetime) -> int:
    """Make each frame of the groups a separate photo again, with the type and the edit request of its group's first
    frame that has arrived; hints that name a file stay only with that file.

    Returns the count of groups that belong to the draft; other ids have no effect.
    """
    groups = _list_frames(session, draft, group_ids)
    known = photo_facts.get_all(session, [each.storage_key for each in chain.from_iterable(groups)])
    for frames in groups:
        first, edit_request = frames[0], frames[0].edit_request
        for frame in frames:
            digest = known[frame.storage_key].sha256 if frame.storage_key in known else frame.sha256
            keeps_hints = edit_request.hints is None or edit_request.hints.is_for([digest or ""])
            frame.group_id = None
            frame.edit_request = edit_request if keeps_hints else replace(edit_request, hints=None)
            if frame.type is not first.type:
                frame.type, frame.position = first.type, first.position + 1
            frame.type_is_chosen = first.type_is_chosen
    drafts.touch(session, draft, now)
    return len(groups)


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
        problem = merge_obstacles.find_unfit([photo_facts.as_file_facts(row) for row in rows if row is not None])
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
    """Raise InvalidRequest where merge() refuses these frames. Types that were only guessed are ignored, because
    frames of one view may look so different that different types are guessed.
    """
    if len(frames) < 2:
        raise InvalidRequest({"photos": "Choose two or more photos to merge."})
    if len(frames) > MAX_FRAMES:
        raise InvalidRequest({"photos": f"A photo is made of at most {MAX_FRAMES} frames."})
    if len({frame.type for frame in frames if frame.type_is_chosen}) > 1:
        raise InvalidRequest({"photos": "Exterior and interior photos cannot become one."})


def _list_frames(session: Session, draft: Draft, group_ids: Collection[str]) -> list[list[DraftPhoto]]:
    """The frames of each of these groups, as far as it belongs to the draft. Frames that have arrived come first,
    because the first of them stores the customer's choices for the merged photo.
    """
    mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, DraftPhoto.group_id.in_(group_ids))
    groups: dict[str | None, list[DraftPhoto]] = {}
    for row in session.scalars(mine.order_by(DraftPhoto.uploaded_at.is_(None), DraftPhoto.position, DraftPhoto.id)):
        groups.setdefault(row.group_id, []).append(row)
    return list(groups.values())
