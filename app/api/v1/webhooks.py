"""Webhooks of the account: registered, listed, deleted."""

from flask import Blueprint, request

from app.api.v1.answers import WebhookAnswer, WebhookDeleted, WebhookList
from app.api.v1.examples import example_of
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.sending import AddressNotAllowedError
from app.domain.webhooks import MAX_WEBHOOKS, WebhookRequest, read_webhook
from app.models import Webhook
from app.services.webhooks import webhooks
from app.web import idempotency
from app.web.address_vetting import vet_address
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container

blueprint = Blueprint("webhooks_v1", __name__)
PATH = "/webhooks"


@serve(
    blueprint,
    Operation(
        method="POST",
        path=PATH,
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Register a webhook",
        body=WebhookRequest,
        answer=WebhookAnswer,
        answer_example={**example_of(WebhookAnswer), "secret": "whsec_" + "shown/only/now/" * 2 + "0123456789abc="},
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
    try:
        vet_address(actor().account_id, wanted.url)
    except AddressNotAllowedError as refused:
        raise InvalidRequest({"url": str(refused)}) from None
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


def _answer(webhook: Webhook, secret: str | None = None) -> WebhookAnswer:
    return WebhookAnswer(
        id=webhook.id,
        url=webhook.url,
        events=list(webhooks.list_events(webhook)),
        active=webhook.active,
        secret=secret,
        created_at=webhook.created_at,
    )
