"""Callbacks: the URLs that orders named for their own events, and the secret that signs for them."""

from flask import Blueprint
from pydantic import Field

from app.api.v1.answers import Moment, WebhookId
from app.api.v1.lists import ListAnswer, ListQuery, make_cursor, read_cursor, read_query, refuse_cursor
from app.api.v1.operations import Operation, serve
from app.api.v1.webhooks import SAMPLE_SECRET, SecretRequest
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.errors import Conflict, NotFound, require_found
from app.domain.webhooks import SAMPLE_URL
from app.models import CallbackSecret, Webhook
from app.services.webhooks import callbacks, signing_secrets
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object, read_model
from app.web.context import container

blueprint = Blueprint("callbacks_v1", __name__)
PATH = "/callbacks"


class CallbackAnswer(WireAnswer):
    """A URL that orders named as their callback, as long as one of these orders is kept."""

    id: WebhookId = Field(description="Names it in the operations on webhooks: its deliveries, a test, on and off.")
    url: str = Field(examples=[SAMPLE_URL])
    active: bool = Field(description="False once it is switched off: deliveries are held.")
    off_reason: str | None = Field(default=None, description="Why it is off, for people.")
    created_at: Moment


class CallbackList(ListAnswer):
    """Callback URLs of the account's orders."""

    callbacks: list[CallbackAnswer] = Field(description="The newest first.")


class CallbackSecretAnswer(WireAnswer):
    """The secret that signs the deliveries to all callback URLs of the account."""

    secret: str | None = Field(default=None, description="Keep it; only the answer that creates it has it.")
    created_at: Moment = Field(description="When the account got its first one.")
    new_secret_from: Moment | None = Field(
        default=None, description="While a new secret is pending: when it alone signs."
    )


_CREATED = {"secret": SAMPLE_SECRET, "createdAt": "2026-11-20T14:03:27.512Z"}


@serve(
    blueprint,
    Operation(
        method="GET",
        path=PATH,
        scope=Scope.WEBHOOKS_MANAGE,
        summary="List the callback URLs of orders",
        list_query=ListQuery,
        answer=CallbackList,
        answer_example={
            "callbacks": [
                {
                    "id": "whk_6Lq0VbYt3NcRj9Xo2KdWmA",
                    "url": SAMPLE_URL,
                    "active": True,
                    "createdAt": "2026-11-20T14:03:27.512Z",
                }
            ],
            "nextCursor": None,
        },
    ),
)
def list_callbacks() -> CallbackList:
    """A page of the account's callbacks, newest first."""
    query = read_query(ListQuery)
    after = read_cursor(query)
    with container().database.read_session() as session:
        try:
            page = callbacks.paginate(session, actor().account_id, after, query.limit)
        except NotFound:  # The last order that named the URL expired meanwhile.
            raise refuse_cursor() from None
        answers = [_answer(each) for each in page.rows]
    return CallbackList(callbacks=answers, next_cursor=make_cursor(query, page.next))


@serve(
    blueprint,
    Operation(
        method="GET",
        path=f"{PATH}/secret",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="See whether a callback secret exists, and whether a new one is pending",
        answer=CallbackSecretAnswer,
        answer_example={"createdAt": "2026-11-20T14:03:27.512Z"},
        refusals=(NotFound,),
    ),
)
def show_callback_secret() -> CallbackSecretAnswer:
    """The state of the account's callback secret, without the secret."""
    with container().database.read_session() as session:
        return _answer_secret(require_found(callbacks.find_secret(session, actor().account_id)))


@serve(
    blueprint,
    Operation(
        method="POST",
        path=f"{PATH}/secret",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Create or rotate the callback secret",
        body=SecretRequest,
        answer=CallbackSecretAnswer,
        answer_example=_CREATED,
        status=201,
        refusals=(Conflict,),
        notes="It signs the deliveries to the `callbackUrl` of every order like a webhook's own secret; without "
        "it, orders with a `callbackUrl` are refused. A second call rotates it like a webhook's secret.",
    ),
)
def create_callback_secret() -> CallbackSecretAnswer:
    """Create the account's callback secret, or a new one that is pending until it is switched to."""
    here, content = container(), json_object()
    wanted = read_model(SecretRequest, content)
    idempotency.begin(content)
    with idempotency.effect(201) as made:
        row, secret = callbacks.create_or_rotate_secret(
            made.session, here.vault, actor().account_id, here.clock(), replace_pending=wanted.replace_pending
        )
        made.answer = answer = _answer_secret(row, secret)
    return answer


@serve(
    blueprint,
    Operation(
        method="POST",
        path=f"{PATH}/secret/switch",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Switch to the new callback secret now",
        answer=CallbackSecretAnswer,
        answer_example={"createdAt": "2026-11-20T14:03:27.512Z"},
        refusals=(NotFound, Conflict),
        notes="From now on it alone signs.",
    ),
)
def switch_callback_secret() -> CallbackSecretAnswer:
    """Replace the old callback secret by the pending one."""
    here = container()
    idempotency.begin({})
    with idempotency.effect() as made:
        row = callbacks.switch_secret(made.session, actor().account_id, here.clock())
        made.answer = answer = _answer_secret(row)
    return answer


def _answer(callback: Webhook) -> CallbackAnswer:
    return CallbackAnswer.model_validate(callback)


def _answer_secret(row: CallbackSecret, secret: str | None = None) -> CallbackSecretAnswer:
    until = signing_secrets.rotation_until(row, container().clock())
    return CallbackSecretAnswer(secret=secret, created_at=row.created_at, new_secret_from=until)
