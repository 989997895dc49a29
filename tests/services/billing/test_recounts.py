"""What accounts take is counted anew where a release that did not count has served meanwhile."""

import threading

from sqlalchemy import delete, select, update

from app.container import Container
from app.models import AccountUse
from app.services.uploads import quotas, uploads
from tests.conftest import PHOTO, Api
from tests.waiting import PATIENCE_SECONDS


def counts(container: Container) -> dict[str, tuple[int, int]]:
    with container.database.read_session() as session:
        return {
            each.account_id: (each.open_sessions, each.held_bytes) for each in session.scalars(select(AccountUse))
        }


def test_a_wrong_count_is_counted_anew_and_a_right_one_stays(
    api: Api, other_api: Api, container: Container
) -> None:
    for each in (api, other_api):
        each.upload([PHOTO])
    right = counts(container)
    assert right == {each.account_id: (1, len(PHOTO)) for each in (api, other_api)}
    with container.database.unit_of_work() as session:
        wrong = update(AccountUse).where(AccountUse.account_id == api.account_id)
        session.execute(wrong.values(open_sessions=7, held_bytes=-5))
    with container.database.read_session() as session:
        assert quotas.find_miscounts(session) == [quotas.Miscount(api.account_id, (7, -5), (1, len(PHOTO)))]
    container.sweep.recount_uses()
    assert counts(container) == right


def test_an_account_that_was_never_counted_is_counted(api: Api, container: Container) -> None:
    api.upload([PHOTO])
    with container.database.unit_of_work() as session:
        session.execute(delete(AccountUse))
    container.sweep.everything()
    assert counts(container) == {api.account_id: (1, len(PHOTO))}


def test_a_session_that_is_opened_while_it_is_counted_anew_is_counted_once(api: Api, container: Container) -> None:
    api.upload([PHOTO])
    begun = threading.Event()

    def recount() -> None:
        begun.set()
        with container.database.unit_of_work() as session:
            quotas.recount(session, api.account_id)

    counting = threading.Thread(target=recount)
    with container.database.unit_of_work() as session:
        uploads.open_session(session, api.account_id, container.upload_quota, container.clock())
        counting.start()
        assert begun.wait(PATIENCE_SECONDS)
    counting.join(PATIENCE_SECONDS)
    assert counts(container) == {api.account_id: (2, len(PHOTO))}
