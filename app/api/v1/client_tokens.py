"""Client tokens, by which pages of a customer's own site upload without an API key."""

from datetime import timedelta

from flask import Blueprint
from pydantic import Field

from app.api.v1.answers import Moment
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.client_tokens import LIVE_PREFIX, ClientToken, ClientTokenRequest
from app.domain.errors import Conflict, NotFound
from app.domain.fields import SessionId
from app.services.security import api_keys
from app.services.uploads import client_uploads
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object, read_model
from app.web.context import container

blueprint = Blueprint("client_tokens_v1", __name__)

NOTES = """For a page of yours, which uploads with it without knowing your key: our upload element, or a script of
your own that sends it to `POST /uploads`. It can do nothing else, and ends with the key. Give it only to visitors
who may upload, and remember which `uploadSessionId` is whose, so that nobody orders the files of others. The
session is opened when the first file is uploaded."""


class ClientTokenAnswer(WireAnswer):
    """A token for one upload session."""

    token: str = Field(description="For your page. Not stored by us.", examples=[f"{LIVE_PREFIX}WyJrZXlfN0h…"])
    upload_session_id: SessionId = Field(description="The session that the page's files are in, for the order.")
    expires_at: Moment
    max_files: int = Field(description="The most files of the session.", examples=[100])
    origins: list[str] = Field(
        description="The pages that may use it: those that the key lists, now or later.",
        examples=[["https://crm.example.com"]],
    )


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/client-tokens",
        scope=Scope.ORDERS_WRITE,
        summary="Make a token for uploads from a page",
        body=ClientTokenRequest,
        answer=ClientTokenAnswer,
        notes=NOTES,
        refusals=(NotFound, Conflict),
    ),
)
def create_client_token() -> ClientTokenAnswer:
    """Sign a token for a new upload session, or for an existing one. Nothing is stored."""
    content = json_object()
    wanted = read_model(ClientTokenRequest, content)
    idempotency.begin(content)
    here, me = container(), actor()
    with here.database.read_session() as session:
        session_id, is_new = client_uploads.name_session(session, me.account_id, wanted.upload_session_id)
        origins = api_keys.list_upload_origins(session, me.key_id)
    expires_at = (here.clock() + timedelta(seconds=wanted.expires_in)).replace(microsecond=0)
    permission = ClientToken(me.key_id, session_id, wanted.max_files, is_new, me.livemode)
    return ClientTokenAnswer(
        token=here.client_tokens.make(permission, expires_at),
        upload_session_id=session_id,
        expires_at=expires_at,
        max_files=wanted.max_files,
        origins=origins,
    )
