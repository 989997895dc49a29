"""Webhooks of the account: registered, listed, changed, tested, given a new secret, deleted."""

from flask import Blueprint, request
from pydantic import Field, StrictBool

from app.api.v1.answers import WebhookAnswer, WebhookDeleted, WebhookList
from app.api.v1.examples import example_of
from app.api.v1.operations import Operation, serve
from app.api.v1.webhook_answers import (
    DeliveryAnswer,
    WebhookDetailsAnswer,
    WebhookHealthAnswer,
    answer_delivery,
)
from app.domain.actors import Scope
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.events import EventName
from app.domain.request_limits import Request
from app.domain.sending import AddressNotAllowedError
from app.domain.webhooks import MAX_WEBHOOKS, WebhookChange, WebhookRequest, read_webhook, read_webhook_change
from app.models import Webhook
from app.services.webhooks import pages, signing_secrets, webhooks
from app.services.webhooks.pages import DeliveryEntry, WebhookDetails
from app.web import idempotency
from app.web.address_vetting import vet_address
from app.web.authentication import actor
from app.web.bodies import json_object, read_model
from app.web.context import container

blueprint = Blueprint("webhooks_v1", __name__)
PATH = "/webhooks"
SAMPLE_SECRET = "whsec_" + "shown/only/now/" * 2 + "0123456789abc="


class SecretRequest(Request):
    """Whether a secret that is pending already may be replaced."""

    replace_pending: StrictBool = Field(
        default=False,
        description="Replace a new secret that is pending, which stops working; else that is refused (409).",
        examples=[False],
    )


@serve(
    blueprint,
    Operation(
        method="POST",
        path=PATH,
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Register a webhook",
        body=WebhookRequest,
        answer=WebhookAnswer,
        answer_example={**example_of(WebhookAnswer), "secret": SAMPLE_SECRET},
        status=201,
        refusals=(Conflict,),
        notes=f"The `secret` is shown only in this answer. An account may have {MAX_WEBHOOKS} webhooks (409).",
    ),
)
def create_webhook() -> WebhookAnswer:
    """Vet the webhook's URL and register it."""
    here, content = container(), json_object()
    idempotency.begin(content)
    wanted = read_webhook(content)
    _vet(wanted.url)
    with idempotency.effect(201) as made:
        webhook, secret = webhooks.create(made.session, here.vault, actor().account_id, wanted, here.clock())
        made.answer = answer = _answer(webhook, secret)
    return answer


@serve(
    blueprint,
    Operation(
        method="GET",
        path=PATH,
        scope=Scope.WEBHOOKS_MANAGE,
        summary="List webhooks",
        answer=WebhookList,
    ),
)
def list_webhooks() -> WebhookList:
    """The account's webhooks, oldest first, without their secrets."""
    with container().database.read_session() as session:
        return WebhookList(webhooks=[_answer(each) for each in webhooks.get_all(session, actor().account_id)])


@serve(
    blueprint,
    Operation(
        method="GET",
        path=f"{PATH}/{{webhookId}}",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Get a webhook and how it does",
        answer=WebhookDetailsAnswer,
        refusals=(NotFound,),
    ),
)
def show_webhook(webhook_id: str) -> WebhookDetailsAnswer:
    """One webhook of the account with its health."""
    here = container()
    with here.database.read_session() as session:
        found = pages.read_webhook(session, actor().account_id, webhook_id, here.clock())
        return WebhookDetailsAnswer(**dict(_answer(found.webhook)), health=_answer_health(found))


@serve(
    blueprint,
    Operation(
        method="PATCH",
        path=f"{PATH}/{{webhookId}}",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Change a webhook, or switch it off or on",
        body=WebhookChange,
        answer=WebhookAnswer,
        refusals=(NotFound, Conflict),
        notes="A field that is left out stays as it is.",
    ),
)
def change_webhook(webhook_id: str) -> WebhookAnswer:
    """Vet the new URL, if there is one, and change what is given."""
    here, wanted = container(), read_webhook_change(json_object())
    with here.database.read_session() as session:
        webhooks.get(session, actor().account_id, webhook_id)
    if wanted.url is not None:
        _vet(wanted.url)
    with here.database.unit_of_work() as session:
        return _answer(webhooks.edit(session, actor().account_id, webhook_id, wanted, here.clock()))


@serve(
    blueprint,
    Operation(
        method="POST",
        path=f"{PATH}/{{webhookId}}/secret",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Rotate a webhook's secret",
        body=SecretRequest,
        answer=WebhookAnswer,
        answer_example={
            **example_of(WebhookAnswer),
            "secret": SAMPLE_SECRET,
            "newSecretFrom": "2026-11-21T14:03:27.512Z",
        },
        status=201,
        refusals=(NotFound, Conflict),
        notes="The new `secret` is shown only in this answer. Until `newSecretFrom`, 24 hours later, or until the "
        "switch, X-Service-Signature is made with the old one and webhook-signature holds one of each.",
    ),
)
def rotate_webhook_secret(webhook_id: str) -> WebhookAnswer:
    """Create a new secret, pending until it is switched to."""
    here, content = container(), json_object()
    wanted = read_model(SecretRequest, content)
    idempotency.begin({"webhook": webhook_id, **content})
    with idempotency.effect(201) as made:
        now, account_id = here.clock(), actor().account_id
        webhook, secret = webhooks.rotate(
            made.session, here.vault, account_id, webhook_id, now, replace_pending=wanted.replace_pending
        )
        made.answer = answer = _answer(webhook, secret)
    return answer


@serve(
    blueprint,
    Operation(
        method="POST",
        path=f"{PATH}/{{webhookId}}/secret/switch",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Switch to a webhook's new secret now",
        answer=WebhookAnswer,
        refusals=(NotFound, Conflict),
        notes="From now on it alone signs.",
    ),
)
def switch_webhook_secret(webhook_id: str) -> WebhookAnswer:
    """Replace the old secret by the pending one."""
    here = container()
    idempotency.begin({"webhook": webhook_id})
    with idempotency.effect() as made:
        webhook = webhooks.switch_secret(made.session, actor().account_id, webhook_id, here.clock())
        made.answer = answer = _answer(webhook)
    return answer


@serve(
    blueprint,
    Operation(
        method="POST",
        path=f"{PATH}/{{webhookId}}/test",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Send a test event",
        answer=DeliveryAnswer,
        answer_example={
            **example_of(DeliveryAnswer),
            "event": EventName.WEBHOOK_TEST,
            "status": "waiting",
            "attemptsMade": 0,
        },
        status=201,
        refusals=(NotFound, Conflict),
        notes="Whichever events the webhook receives. While a new secret is pending, that one signs it.",
    ),
)
def send_test_event(webhook_id: str) -> DeliveryAnswer:
    """Queue a test event to the webhook."""
    here = container()
    idempotency.begin({"webhook": webhook_id})
    with idempotency.effect(201) as made:
        sent = webhooks.send_test(made.session, actor().account_id, webhook_id, here.clock())
        made.answer = answer = answer_delivery(DeliveryEntry(sent, None))
    return answer


@serve(
    blueprint,
    Operation(
        method="DELETE",
        path=PATH,
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Delete a webhook",
        query={"id": "The webhook to delete."},
        answer=WebhookDeleted,
        refusals=(NotFound,),
        notes="Its waiting deliveries are not sent.",
    ),
)
def delete_webhook() -> WebhookDeleted:
    """Delete the webhook whose id is the query parameter `id`."""
    here, webhook_id = container(), request.args.get("id", "")
    if not webhook_id:
        raise InvalidRequest({"id": "Name the webhook to delete."})
    with here.database.unit_of_work() as session:
        webhooks.delete(session, actor().account_id, webhook_id, here.clock())
    return WebhookDeleted(success=True, id=webhook_id)


def _vet(url: str) -> None:
    try:
        vet_address(actor().account_id, url)
    except AddressNotAllowedError as refused:
        raise InvalidRequest({"url": str(refused)}) from None


def _answer(webhook: Webhook, secret: str | None = None) -> WebhookAnswer:
    return WebhookAnswer(
        id=webhook.id,
        url=webhook.url,
        events=list(webhooks.list_events(webhook)),
        active=webhook.active,
        off_reason=webhook.off_reason,
        secret=secret,
        new_secret_from=signing_secrets.rotation_until(webhook, container().clock()),
        created_at=webhook.created_at,
    )


def _answer_health(found: WebhookDetails) -> WebhookHealthAnswer:
    figures = found.health
    return WebhookHealthAnswer(
        condition=found.condition,
        attempts=figures.attempts,
        succeeded=figures.succeeded,
        seconds_p95=figures.p95_seconds,
        last_success_at=figures.last_success_at,
        waiting=figures.waiting,
        held=figures.held,
        failed=figures.failed,
    )
