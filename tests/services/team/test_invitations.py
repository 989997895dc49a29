"""Invitations: to whom they go, what ends them, and who becomes a member by one."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.errors import Conflict, InvalidRequest, LinkExpired, NotFound
from app.domain.retention import ACTIVITY_KEPT
from app.domain.roles import Role
from app.domain.team import INVITATION_VALID_FOR, INVITATIONS_A_DAY, INVITATIONS_TO_ONE_A_DAY, MAX_MEMBERS
from app.models import Activity, Invitation, Mail, Membership, Organization, User
from app.services.accounts import accounts, sign_ups, users
from app.services.accounts.sign_ups import Applicant, Pages
from app.services.retention import account_deletion
from app.services.team import activity, invitations
from app.services.team.invitations import NewMember, NewUser
from tests import acts, reading
from tests.conftest import Api
from tests.fakes import FakeClock
from tests.members import join

SAM = "sam@example.com"
NEWCOMER = NewUser("Sam Second", "ladder copper moss")


def page(secret: str) -> str:
    return f"https://app.example/invitations/{secret}"


def invite(container: Container, account_id: str, email: str = SAM, role: Role = Role.ORDERS) -> str:
    """The secret in the link that was mailed."""
    with container.database.unit_of_work() as session:
        invitations.send(session, account_id, NewMember(email, role, page), account_id, container.clock())
    with container.database.read_session() as session:
        mail = session.scalars(select(Mail).where(Mail.to == email.lower()).order_by(Mail.created_at)).all()[-1]
    return mail.text.partition("/invitations/")[2].split()[0]


def accept(container: Container, secret: str, user_id: str | None = None) -> Membership:
    with container.database.unit_of_work() as session:
        if user_id:
            return invitations.accept(session, secret, user_id, container.clock())
        return invitations.accept_as_new(session, secret, NEWCOMER, container.clock())


def roles(container: Container, account_id: str) -> dict[str, Role]:
    with container.database.read_session() as session:
        rows = select(User.email, Membership.role).join(Membership, Membership.user_id == User.id)
        return dict(session.execute(rows.where(Membership.organization_id == account_id)).all())


def test_who_has_no_account_gets_one_by_the_link_and_belongs_to_nothing_else(
    api: Api, container: Container
) -> None:
    member = accept(container, invite(container, api.account_id, "Sam@Example.com"))
    assert roles(container, api.account_id) == {"jo@example.com": Role.OWNER, SAM: Role.ORDERS}
    with container.database.read_session() as session:
        user = users.authenticate(session, SAM, NEWCOMER.password)
        assert user.confirmed_at is not None
        assert user.name == "Sam Second"
        assert session.scalars(select(Membership.organization_id).where(Membership.user_id == user.id)).all() == [
            api.account_id
        ]
        told = session.scalars(select(Activity.event).order_by(Activity.id)).all()
    assert told[-2:] == ["member.invited", "member.joined"]
    assert member.chosen_at == container.clock()


def test_who_has_an_account_keeps_it_and_gets_a_second(api: Api, other_api: Api, container: Container) -> None:
    secret = invite(container, api.account_id, "kim@example.com", Role.DEVELOPER)
    with pytest.raises(Conflict, match="has an account"):
        accept(container, secret)
    accept(container, secret, other_api.account_id)
    assert roles(container, api.account_id)["kim@example.com"] is Role.DEVELOPER
    assert roles(container, other_api.account_id) == {"kim@example.com": Role.OWNER}


def test_the_mail_says_who_invites_and_nothing_that_they_typed(api: Api, container: Container) -> None:
    with container.database.unit_of_work() as session:
        session.get_one(User, api.account_id).name = "Win a prize at evil.example"
    invite(container, api.account_id)
    (mail,) = reading.found(container, select(Mail).where(Mail.to == SAM))
    assert "jo@example.com invites you" in mail.text
    assert "role Orders" in mail.text.replace("\n", " ")
    assert "prize" not in mail.text


def test_an_invitation_is_for_its_address(api: Api, other_api: Api, container: Container) -> None:
    secret = invite(container, api.account_id)
    with pytest.raises(Conflict, match=r"for sam@example\.com, and you are signed in as kim@example\.com"):
        accept(container, secret, other_api.account_id)
    accept(container, secret)


def test_a_link_works_once_and_not_after_its_time(api: Api, container: Container, clock: FakeClock) -> None:
    secret = invite(container, api.account_id)
    clock.pass_(seconds=INVITATION_VALID_FOR.total_seconds())
    with pytest.raises(LinkExpired, match="has expired"):
        accept(container, secret)
    secret = invite(container, api.account_id)
    user_id = accept(container, secret).user_id
    for whose in (user_id, None):
        with pytest.raises(LinkExpired, match="already used"):
            accept(container, secret, whose)


def test_to_invite_again_ends_the_link_sent_before(api: Api, container: Container) -> None:
    first, second = invite(container, api.account_id), invite(container, api.account_id, role=Role.MONEY)
    with pytest.raises(LinkExpired, match="newer one was sent"):
        accept(container, first)
    accept(container, second)
    assert roles(container, api.account_id)[SAM] is Role.MONEY


def test_a_revoked_invitation_opens_nothing(api: Api, other_api: Api, container: Container) -> None:
    secret = invite(container, api.account_id)
    (found,) = reading.found(container, select(Invitation.id))
    with container.database.unit_of_work() as session, pytest.raises(NotFound):
        invitations.revoke(session, other_api.account_id, found, other_api.account_id, container.clock())
    with container.database.unit_of_work() as session:
        invitations.revoke(session, api.account_id, found, api.account_id, container.clock())
        with pytest.raises(NotFound):
            invitations.revoke(session, api.account_id, found, api.account_id, container.clock())
    with pytest.raises(LinkExpired, match="was revoked"):
        accept(container, secret)


def test_of_two_uses_at_the_same_time_one_makes_a_member(api: Api, container: Container) -> None:
    secret = invite(container, api.account_id)
    outcomes = acts.at_once(lambda: accept(container, secret), lambda: accept(container, secret))
    assert sorted(type(each).__name__ for each in outcomes) in (
        ["LinkExpired", "Membership"],
        ["Conflict", "Membership"],
    )
    assert len(roles(container, api.account_id)) == 2


def test_members_and_addresses_that_are_none_are_not_invited(api: Api, container: Container) -> None:
    with pytest.raises(InvalidRequest, match="details") as refused:
        invite(container, api.account_id, "JO@example.com")
    assert refused.value.details == {"email": "jo@example.com is a member already."}
    with pytest.raises(InvalidRequest):
        invite(container, api.account_id, "not an address")


def test_inviting_tells_nothing_of_whether_the_address_has_an_account(
    api: Api, other_api: Api, container: Container
) -> None:
    for email in ("kim@example.com", "nobody@example.com"):
        invite(container, api.account_id, email)
    texts = {
        mail.text.partition("/invitations/")[0]
        for mail in reading.found(container, select(Mail).where(Mail.subject.contains("invited")))
    }
    assert len(texts) == 1


def test_a_sign_up_that_a_stranger_began_with_the_address_ends(api: Api, container: Container) -> None:
    pages = Pages(page, "/reset", "/sign-in")
    with container.database.unit_of_work() as session:
        mark = sign_ups.sign_up(session, Applicant("Mallory", SAM, "attackers know it"), pages, container.clock())
    link = reading.found(container, select(Mail).where(Mail.to == SAM))[0].text
    their_secret = link.partition("/invitations/")[2].split()[0]
    accept(container, invite(container, api.account_id))
    with container.database.unit_of_work() as session:
        assert users.authenticate(session, SAM, "attackers know it") is None
        assert users.authenticate(session, SAM, NEWCOMER.password) is not None
        with pytest.raises(LinkExpired):
            sign_ups.confirm(session, their_secret, mark, "", container.clock())


def test_members_and_invitations_are_limited_together(api: Api, container: Container, clock: FakeClock) -> None:
    for number in range(MAX_MEMBERS - 2):
        join(container, api.account_id, f"m{number}@example.com")
    invite(container, api.account_id)
    with pytest.raises(Conflict, match=f"{MAX_MEMBERS} members and open invitations"):
        invite(container, api.account_id, "one@example.com")
    invite(container, api.account_id)
    clock.pass_(seconds=INVITATION_VALID_FOR.total_seconds())
    invite(container, api.account_id, "one@example.com")


def test_mails_are_limited_by_the_day(api: Api, other_api: Api, container: Container, clock: FakeClock) -> None:
    for _ in range(INVITATIONS_TO_ONE_A_DAY - 1):
        invite(container, api.account_id)
    invite(container, other_api.account_id)
    with pytest.raises(Conflict, match="invited too often"):
        invite(container, api.account_id)
    with container.database.unit_of_work() as session:
        for number in range(INVITATIONS_A_DAY):
            row = {"email": f"m{number}@example.com", "role": Role.ORDERS, "digest": str(number)}
            times = {"created_at": clock(), "expires_at": clock() + timedelta(days=7), "revoked_at": clock()}
            session.add(Invitation(organization_id=api.account_id, invited_by=api.account_id, **row, **times))
    with pytest.raises(Conflict, match=f"At most {INVITATIONS_A_DAY} invitations"):
        invite(container, api.account_id, "more@example.com")
    clock.pass_(days=1)
    invite(container, api.account_id, "more@example.com")


def test_nobody_joins_what_is_suspended_or_deleted(api: Api, container: Container) -> None:
    secret = invite(container, api.account_id)
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).suspended_at = container.clock()
    with pytest.raises(LinkExpired):
        accept(container, secret)
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).suspended_at = None
        account_deletion.delete_account(session, api.account_id, container.clock())
    with pytest.raises(LinkExpired):
        accept(container, secret)
    assert reading.found(container, select(Invitation.id)) == []
    assert reading.found(container, select(Activity.id)) == []


def test_old_invitations_and_what_was_done_long_ago_are_forgotten(
    api: Api, container: Container, clock: FakeClock
) -> None:
    invite(container, api.account_id)
    clock.pass_(days=36)
    with container.database.unit_of_work() as session:
        assert invitations.forget(session, clock()) == 0
    clock.pass_(days=1)
    with container.database.unit_of_work() as session:
        assert invitations.forget(session, clock()) == 1
        assert activity.forget(session, clock()) == 0
    clock.pass_(seconds=ACTIVITY_KEPT.total_seconds())
    with container.database.unit_of_work() as session:
        assert activity.forget(session, clock()) > 0
        assert accounts.count(session) == 1
