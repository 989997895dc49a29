"""Forms of webhooks that come twice, one after another or at once, make one thing."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import IntegrityError

from app.container import Container
from app.domain.errors import Conflict
from app.domain.webhooks import MAX_WEBHOOKS, WebhookRequest
from app.models import Webhook
from app.services.webhooks import signing_secrets, webhooks
from tests.conftest import Api
from tests.services.hooks import URL, register, webhook

TOKEN = "t" * 32


def send(container: Container, account_id: str, token: str | None = TOKEN) -> tuple[str, str | None]:
    """The form, once; the id and the secret shown."""
    with container.database.unit_of_work() as session:
        made, secret = webhooks.create(
            session, container.vault, account_id, WebhookRequest(url=URL), container.clock(), form_token=token
        )
        return made.id, secret


def kept(container: Container, account_id: str) -> list[Webhook]:
    with container.database.read_session() as session:
        return webhooks.get_all(session, account_id)


def test_a_form_sent_twice_gives_the_same_webhook_and_no_secret(api: Api, container: Container) -> None:
    first, secret = send(container, api.account_id)
    assert secret == container.vault.open(webhook(container, first).secret)
    assert send(container, api.account_id) == (first, None)
    assert send(container, api.account_id, "u" * 32)[0] != first
    assert len({send(container, api.account_id, None)[0] for _ in range(2)}) == 2, "programs have no forms"


def test_a_form_sent_many_times_at_once_makes_one(api: Api, container: Container) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: send(container, api.account_id), range(8)))
    assert len({webhook_id for webhook_id, _ in made}) == 1
    assert len([secret for _, secret in made if secret]) == 1
    assert len(kept(container, api.account_id)) == 1


def test_the_database_itself_keeps_a_token_to_one_webhook(api: Api, container: Container) -> None:
    send(container, api.account_id)
    other = register(container, api.account_id)[0]
    with pytest.raises(IntegrityError), container.database.unit_of_work() as session:
        webhooks.get(session, api.account_id, other).form_token = TOKEN


def test_the_last_free_place_is_no_reason_to_refuse_the_form_that_took_it(api: Api, container: Container) -> None:
    for _ in range(MAX_WEBHOOKS - 1):
        register(container, api.account_id)
    first, _ = send(container, api.account_id)
    assert send(container, api.account_id) == (first, None)
    with pytest.raises(Conflict):
        send(container, api.account_id, "u" * 32)


def test_two_accounts_may_have_the_same_token(api: Api, other_api: Api, container: Container) -> None:
    made = [send(container, each.account_id) for each in (api, other_api)]
    assert len({webhook_id for webhook_id, _ in made}) == 2
    assert all(secret for _, secret in made)


def test_what_was_made_and_deleted_is_not_made_again(api: Api, container: Container) -> None:
    first, _ = send(container, api.account_id)
    with container.database.unit_of_work() as session:
        webhooks.delete(session, api.account_id, first, container.clock())
    with pytest.raises(Conflict):
        send(container, api.account_id)
    assert kept(container, api.account_id) == []


def test_of_many_rotations_of_the_same_look_at_once_one_is_made(api: Api, container: Container) -> None:
    hook, _ = register(container, api.account_id)
    version = signing_secrets.version_of(webhook(container, hook))

    def rotate(_: int) -> str:
        try:
            with container.database.unit_of_work() as session:
                now = container.clock()
                return webhooks.rotate(session, container.vault, api.account_id, hook, now, version=version)[1]
        except Conflict:
            return ""

    with ThreadPoolExecutor(6) as pool:
        [secret] = filter(None, pool.map(rotate, range(6)))
    after = webhook(container, hook)
    assert container.vault.open(after.next_secret) == secret
    assert signing_secrets.version_of(after) != version
    assert secret not in signing_secrets.version_of(after)
