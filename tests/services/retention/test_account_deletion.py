"""Deleting an account: what goes, what stays, what stands in the way."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.actors import Browser
from app.domain.errors import Conflict, NotFound
from app.domain.links import LinkPurpose
from app.domain.shares import ClientAnswer, ShareVerdict
from app.models import (
    ApiKey,
    Branding,
    Draft,
    DraftPhoto,
    Event,
    Job,
    LedgerLine,
    Mail,
    MailedLink,
    Organization,
    Photo,
    Result,
    ShareComment,
    ShareLink,
    ShareResponse,
    SignIn,
    User,
    Webhook,
)
from app.services.accounts import accounts, brandings, mailed_links, organizations, users
from app.services.accounts.brandings import ChosenLook
from app.services.photos import shared_pages, shares
from app.services.photos.shares import SharePlan
from app.services.retention import account_deletion
from app.services.security import api_keys, sign_ins
from app.services.uploads import uploads
from engine.types.enhancements import PhotoType
from tests.conftest import PHOTO, Api, work
from tests.services.hooks import register
from tests.services.retention.test_sweep import files

OF_CLIENTS = (ShareLink, ShareComment, ShareResponse, Branding)


def delete(container: Container, account_id: str) -> None:
    with container.database.unit_of_work() as session:
        account_deletion.delete_account(session, account_id, container.clock())


def rows(container: Container, kind: type, *where) -> list:
    with container.database.read_session() as session:
        return list(session.scalars(select(kind).where(*where)))


def answer_as_client(container: Container, account_id: str, job_id: str) -> None:
    """A link, with all that a client may say by it, and a look of the studio's own."""
    now = container.clock()
    with container.database.unit_of_work() as session:
        link = shares.create(session, container.vault, account_id, job_id, SharePlan(timedelta(days=7)), now)
        shared_pages.comment(session, link, 1, True, "Good.", now)
        said = ClientAnswer(ShareVerdict.APPROVED, "Kim Owner", "kim@example.com", "")
        shared_pages.answer(session, link, said, now)
        brandings.update(session, account_id, ChosenLook("Bright Studio", color="#14506b"), now)


@pytest.fixture
def account_id(api: Api, container: Container) -> str:
    """An account with everything an account can have, and its work done."""
    job_id = api.order(interior=[PHOTO], address="1 Secret Lane, Springfield")["jobId"]
    work(container)
    answer_as_client(container, api.account_id, job_id)
    register(container, api.account_id)
    now = container.clock()
    with container.database.unit_of_work() as session:
        sign_ins.begin(session, api.account_id, Browser("Firefox", "192.0.2.7"), now, timedelta(hours=1))
        mailed_links.make(session, api.account_id, LinkPurpose.RESET, "jo@example.com", now)
        room = uploads.open_session(session, api.account_id, container.upload_quota, now)
        draft = Draft(
            account_id=api.account_id, upload_session_id=room.id, content={}, created_at=now, updated_at=now
        )
        session.add(draft)
        session.flush()
        key = f"{uploads.prefix(room.id)}interior-0"
        photo = DraftPhoto(
            draft_id=draft.id, type=PhotoType.INTERIOR, position=0, file_name="x", storage_key=key, created_at=now
        )
        session.add(photo)
        organizations.get(session, api.account_id, lock=True).file_names = "Jo Secret {nn}"
    return api.account_id


def test_what_goes_is_counted_before(account_id: str, container: Container) -> None:
    with container.database.read_session() as session:
        impact = account_deletion.measure_impact(session, account_id)
    assert (impact.credits, impact.unfinished, impact.orders) == (99.5, 0, 1)
    assert (impact.drafts, impact.keys, impact.webhooks) == (1, 1, 1)


def test_everything_personal_is_gone(account_id: str, container: Container) -> None:
    delete(container, account_id)
    (user,) = rows(container, User, User.id == account_id)
    assert (user.name, user.password_hash, user.totp_secret) == ("", None, None)
    assert user.email == f"deleted-{account_id}@invalid"
    assert user.deleted_at == container.clock()
    (organization,) = rows(container, Organization, Organization.id == account_id)
    assert (organization.deleted_at, organization.file_names) == (container.clock(), "")
    for kind in (SignIn, MailedLink, Draft, DraftPhoto, Photo, Result, *OF_CLIENTS):
        assert rows(container, kind) == [], kind
    assert [job.address for job in rows(container, Job)] == [""]
    assert not [event for event in rows(container, Event) if "Secret Lane" in event.body]
    assert [key for key in rows(container, ApiKey) if key.revoked_at is None] == []
    assert [hook for hook in rows(container, Webhook) if hook.deleted_at is None] == []


def test_its_files_go_with_the_next_sweep(account_id: str, container: Container) -> None:
    assert files(container)
    delete(container, account_id)
    container.sweep.everything()
    assert files(container) == []


def test_the_last_mail_is_the_only_one_that_stays(account_id: str, container: Container) -> None:
    delete(container, account_id)
    (mail,) = rows(container, Mail)
    assert (mail.to, mail.subject) == ("jo@example.com", "Your account is deleted")


def test_the_ledger_stays_and_the_balance_is_forfeited_in_it(account_id: str, container: Container) -> None:
    before = len(rows(container, LedgerLine))
    delete(container, account_id)
    lines = rows(container, LedgerLine)
    assert len(lines) == before + 1
    assert (lines[-1].amount, lines[-1].balance_after) == (-99.5, 0)


def test_its_key_stops_working_at_once(account_id: str, api: Api, container: Container) -> None:
    delete(container, account_id)
    assert api.get("/user/credits").status_code == 401


def test_even_a_key_made_since_is_not_recognized(account_id: str, container: Container) -> None:
    delete(container, account_id)
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, account_id, container.clock())
    with container.database.read_session() as session:
        assert api_keys.recognize(session, secret, container.clock()) is None


def test_it_is_refused_while_an_order_is_unfinished(api: Api, container: Container) -> None:
    api.order(interior=[PHOTO])
    with pytest.raises(Conflict, match="still being worked on"):
        delete(container, api.account_id)
    assert api.credits() == 99.5
    work(container)
    delete(container, api.account_id)


def test_a_deleted_account_is_not_there_to_be_deleted_again(account_id: str, container: Container) -> None:
    delete(container, account_id)
    with pytest.raises(NotFound):
        delete(container, account_id)
    with container.database.read_session() as session, pytest.raises(NotFound):
        users.get(session, account_id)


def test_the_address_is_free_for_a_new_account(account_id: str, container: Container) -> None:
    delete(container, account_id)
    with container.database.unit_of_work() as session:
        assert accounts.create(session, "jo@example.com", container.clock()).user_id != account_id


def test_other_accounts_keep_everything(account_id: str, other_api: Api, container: Container) -> None:
    order = other_api.order(interior=[PHOTO], address="2 Other Lane")
    work(container)
    delete(container, account_id)
    assert other_api.credits() == 99.5
    assert other_api.status(order["jobId"])["status"] == "approved"
    assert [job.address for job in rows(container, Job, Job.account_id == other_api.account_id)] == ["2 Other Lane"]


def test_nobody_signs_in_to_it_any_more(container: Container) -> None:
    with container.database.unit_of_work() as session:
        account_id = accounts.create(
            session, "kim@example.com", container.clock(), password="violin drawer tide"
        ).user_id
    delete(container, account_id)
    with container.database.read_session() as session:
        for email in ("kim@example.com", f"deleted-{account_id}@invalid"):
            assert users.authenticate(session, email, "violin drawer tide") is None
