"""Frames of one view in a draft are proposed, merged, taken apart, and ordered as one photo."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from app.container import Container
from app.domain.capture import Capture
from app.domain.catalog import ServiceType
from app.domain.draft_orders import to_body
from app.domain.drafts import DraftOrder
from app.domain.errors import InvalidFields, InvalidRequest, NotFound
from app.domain.field_errors import FaultCode
from app.models import Draft, DraftPhoto
from app.services.orders import draft_groups, draft_photos, draft_selections, drafts
from app.services.orders.draft_groups import GroupProposal
from app.services.orders.draft_orders import AgreedOrder
from app.services.orders.draft_photos import NewFile
from engine.grouping.merge_obstacles import GroupProblemCode
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, PhotoType
from tests import acts
from tests.conftest import PHOTO, Api, develop
from tests.fakes import make_facts
from tests.services.drafting import add_photo, begin, desk
from tests.statements import counted

NOON = datetime.fromisoformat("2026-06-01T12:00:00")
ASKED = EditRequest(enhancements=(Enhancement.HDR,))


@pytest.fixture
def draft(api: Api, container: Container) -> Draft:
    return begin(container, api.account_id)


def change(container: Container, draft: Draft, act, *arguments):
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        return act(session, held, *arguments, container.clock())


def photos(container: Container, draft: Draft) -> list[str]:
    """The names of each photo's files."""
    with container.database.read_session() as session:
        rows = draft_photos.get_all(session, draft)
        return ["".join(each.file_name for each in frames) for frames in draft_photos.group_frames(rows)]


def order_of(container: Container, draft: Draft) -> DraftOrder:
    with container.database.read_session() as session:
        held = drafts.get(session, draft.account_id, draft.id)
        return draft_photos.as_draft_order(held, draft_photos.get_all(session, held), imagery=False, unsorted=())


def added(container: Container, draft: Draft, names: str = "abcde") -> list[DraftPhoto]:
    return [add_photo(container, draft, name) for name in names]


def arrive(container: Container, draft: Draft, row: DraftPhoto) -> None:
    acts.put(container.storage, row.storage_key, PHOTO + row.id.encode())
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        draft_photos.confirm(session, container.storage, held, row.id, container.clock())


def merge(container: Container, draft: Draft, *rows: DraftPhoto) -> str:
    return change(container, draft, draft_groups.merge, [row.id for row in rows])


def test_photos_become_one_at_the_place_of_the_first(draft: Draft, container: Container) -> None:
    a, b, c, d, _ = added(container, draft)
    change(container, draft, draft_photos.write, d.id, ASKED)
    merge(container, draft, d, b)
    assert photos(container, draft) == ["a", "c", "db", "e"]
    merge(container, draft, a, c)
    assert photos(container, draft) == ["ac", "db", "e"]
    merged = order_of(container, draft).photos[1]
    assert (merged.id, merged.edit_request) == (d.id, ASKED)
    assert [frame.id for frame in merged.frames] == [d.id, b.id]


def test_a_group_is_taken_apart_with_the_same_edit_request_for_all(draft: Draft, container: Container) -> None:
    a, b, c, *_ = added(container, draft)
    change(container, draft, draft_photos.write, a.id, ASKED)
    group_id = merge(container, draft, a, b, c)
    assert change(container, draft, draft_groups.split, [group_id]) == 1
    found = order_of(container, draft).photos
    assert [each.edit_request for each in found] == [ASKED] * 3 + [EditRequest()] * 2
    assert photos(container, draft) == list("abcde")
    assert change(container, draft, draft_groups.split, [group_id]) == 0


def test_a_group_of_another_draft_is_not_taken_apart(draft: Draft, container: Container, other_api: Api) -> None:
    group_id = merge(container, draft, *added(container, draft, "ab"))
    other = begin(container, other_api.account_id)
    assert change(container, other, draft_groups.split, [group_id]) == 0
    assert photos(container, draft) == ["ab"]


def test_the_queries_of_an_undo_do_not_grow_with_what_was_merged(draft: Draft, container: Container) -> None:
    def undo(names: str) -> int:
        ids = [row.id for row in added(container, draft, names)]
        pairs = GroupProposal([ids[at : at + 2] for at in range(0, len(ids), 2)])
        change(container, draft, draft_groups.apply, pairs)
        return counted(lambda: change(container, draft, draft_groups.undo_merge))

    assert undo("abcdefgh") == undo("ij")


def test_frames_stay_together_when_photos_are_moved(draft: Draft, container: Container) -> None:
    a, b, _, _, e = added(container, draft)
    merge(container, draft, a, b)
    change(container, draft, draft_selections.move, [a.id], 1)
    assert photos(container, draft) == ["c", "ab", "d", "e"]
    change(container, draft, draft_photos.arrange, [e.id, a.id])
    assert photos(container, draft) == ["e", "ab", "c", "d"]


def test_what_cannot_be_one_photo_is_refused(draft: Draft, container: Container, other_api: Api) -> None:
    rows = added(container, draft, "abcdefghij")
    reference = add_photo(container, draft, "r", is_reference=True)
    foreign = add_photo(container, begin(container, other_api.account_id), "x")
    for wrong in (rows[:1], rows, [rows[0], rows[0]]):
        with pytest.raises(InvalidRequest):
            merge(container, draft, *wrong)
    for wrong in (reference, foreign):
        with pytest.raises(NotFound):
            merge(container, draft, rows[0], wrong)
    assert photos(container, draft) == list("abcdefghij")


def test_a_draft_is_proposed_once_all_files_were_looked_at(draft: Draft, container: Container) -> None:
    rows = added(container, draft, "abcd")
    waiting = change(container, draft, draft_groups.propose)
    assert waiting == GroupProposal(pending=4)
    taken = iter([(0, 8.0, b"room"), (1, 10.0, b"room"), (2, 6.0, b"room"), (40, 8.0, b"hall")])

    def facts(_: bytes):
        seconds, exposure, view = next(taken)
        return make_facts(view, taken_at=NOON + timedelta(seconds=seconds), exposure_value=exposure)

    container.previews.facts = facts
    develop(container)
    proposal = change(container, draft, draft_groups.propose)
    assert [list(group) for group in proposal.groups] == [[row.id for row in rows[:3]]]
    assert photos(container, draft) == list("abcd"), "nothing changes before it is applied"
    assert change(container, draft, draft_groups.apply, proposal) == 1
    assert photos(container, draft) == ["abc", "d"]
    assert change(container, draft, draft_groups.propose).groups == []


def test_frames_are_proposed_and_merged_while_they_are_being_uploaded(draft: Draft, container: Container) -> None:
    captures = [
        Capture(taken_at=NOON + timedelta(seconds=n), seconds=4.0**n / 100, stop=8, speed=100) for n in range(3)
    ]
    files = [
        NewFile(PhotoType.INTERIOR, f"IMG_{n}.jpg", size_bytes=9, capture=each) for n, each in enumerate(captures)
    ]
    rows = change(container, draft, draft_photos.add_photos, files)
    arrive(container, draft, rows[1])
    proposal = change(container, draft, draft_groups.propose)
    assert (proposal.groups, proposal.pending) == (((rows[0].id, rows[1].id, rows[2].id),), 1)
    assert change(container, draft, draft_groups.apply, proposal) == 1
    change(container, draft, draft_selections.set_type, [rows[1].id], PhotoType.EXTERIOR)
    change(container, draft, draft_photos.write, rows[1].id, ASKED)
    with pytest.raises(InvalidFields) as refused:
        desk(container).place(draft.account_id, draft.id, AgreedOrder(Decimal(0), ""), container.clock())
    assert refused.value.faults[0].code is FaultCode.FRAMES_MISSING
    for late in (rows[2], rows[0]):
        arrive(container, draft, late)
    (photo,) = order_of(container, draft).photos
    assert (photo.id, photo.type, photo.edit_request) == (rows[1].id, PhotoType.EXTERIOR, ASKED)
    assert sorted(frame.file_name for frame in photo.frames) == ["IMG_0.jpg", "IMG_1.jpg", "IMG_2.jpg"]
    assert change(container, draft, draft_groups.undo_merge) == 1
    assert change(container, draft, draft_groups.undo_merge) == 0
    assert len(photos(container, draft)) == 3


def test_what_was_chosen_for_a_photo_is_kept_as_it_is_split_before_its_first_file_is_there(
    draft: Draft, container: Container
) -> None:
    files = [NewFile(PhotoType.INTERIOR, f"{name}.jpg", size_bytes=9) for name in "ab"]
    late, there = change(container, draft, draft_photos.add_photos, files)
    arrive(container, draft, there)
    merge(container, draft, late, there)
    change(container, draft, draft_selections.set_type, [there.id], PhotoType.EXTERIOR)
    change(container, draft, draft_photos.write, there.id, ASKED)
    assert change(container, draft, draft_groups.undo_merge) == 1
    arrive(container, draft, late)
    found = order_of(container, draft).photos
    assert [(each.type, each.edit_request) for each in found] == [(PhotoType.EXTERIOR, ASKED)] * 2


def test_guesses_that_differ_do_not_keep_frames_apart_and_choices_do(draft: Draft, container: Container) -> None:
    a, b, c, d = (add_photo(container, draft, name, is_sorted=False) for name in "abcd")
    change(container, draft, draft_photos.write, b.id, EditRequest(enhancements=(Enhancement.STAGING,)))
    with container.database.unit_of_work() as session:
        session.merge(a).type = session.merge(d).type = PhotoType.EXTERIOR
    assert change(container, draft, draft_groups.apply, GroupProposal([(b.id, a.id), (c.id, d.id)])) == 2
    assert sorted(photos(container, draft)) == ["ba", "cd"]
    change(container, draft, draft_groups.undo_merge)
    change(container, draft, draft_selections.set_type, [a.id], PhotoType.EXTERIOR)
    merge(container, draft, b, a)
    merged = next(each for each in order_of(container, draft).photos if each.id == b.id)
    assert (merged.type, merged.edit_request) == (PhotoType.EXTERIOR, EditRequest()), (
        "without what suits rooms only"
    )
    change(container, draft, draft_selections.set_type, [c.id], PhotoType.INTERIOR)
    with pytest.raises(InvalidRequest):
        merge(container, draft, b, c)


def test_frames_that_cannot_be_merged_are_known_before_the_order(draft: Draft, container: Container) -> None:
    sizes = iter([4, 8])
    container.previews.facts = lambda _: make_facts(b"room", width=next(sizes))
    a, b = added(container, draft, "ab")
    develop(container)
    merge(container, draft, a, b)
    with container.database.read_session() as session:
        unfit = draft_groups.find_unfit(session, order_of(container, draft))
    assert unfit == {a.id: GroupProblemCode.SIZES_DIFFER}


def test_the_order_names_every_frame_with_its_group(draft: Draft, container: Container) -> None:
    a, b, c = added(container, draft, "abc")
    group_id = merge(container, draft, c, a)
    order = order_of(container, draft)
    content = order.content.model_copy(update={"service_type": ServiceType.INTERIOR})
    files = to_body(DraftOrder(order.session_id, content, order.photos, {}, False))["interiorFiles"]
    assert [(file["fileName"], file.get("group")) for file in files] == [
        ("b", None),
        ("c", group_id),
        ("a", group_id),
    ]
    assert files[0] == {"filePath": b.storage_key, "fileName": "b"}
