"""Upload URLs for pages of a customer's own site, which send a client token in place of an API key."""

from flask import Blueprint

from app.api.v1.answers import UPLOAD_MESSAGE, UploadSessionAnswer, UploadTarget
from app.api.v1.operations import Operation, serve
from app.domain.client_token_errors import TooManyFiles
from app.domain.client_tokens import ClientUploadRequest
from app.domain.errors import Conflict, InvalidFields, NotFound, OpenSessionsExceeded
from app.domain.field_errors import Fault, FaultCode
from app.services.uploads import bucket_uploads, client_uploads
from app.web import cors, idempotency
from app.web.authentication import actor, client_token
from app.web.bodies import json_object, read_model
from app.web.context import container
from engine.types.enhancements import PhotoType

blueprint = Blueprint("client_uploads_v1", __name__)
PATH = "/uploads"
cors.install_for_clients(blueprint, PATH)

NOTES = """With a client token in place of an API key, from a page whose origin the key of the token lists (CORS),
or from a program. The URLs are those of upload-urls, all in the one session of the token: each request adds files
to it, up to the token's `maxFiles`."""


@serve(
    blueprint,
    Operation(
        method="POST",
        path=PATH,
        scope=None,
        for_clients=True,
        summary="Get upload URLs with a client token",
        body=ClientUploadRequest,
        answer=UploadSessionAnswer,
        notes=NOTES,
        refusals=(TooManyFiles, NotFound, Conflict, OpenSessionsExceeded),
    ),
)
def create_client_uploads() -> UploadSessionAnswer:
    """Add files to the upload session of the token, and sign a URL for each."""
    content = json_object()
    counts = _read_counts(content)
    idempotency.begin(content)
    here = container()
    with idempotency.effect() as made:
        upload_session, slots = client_uploads.add_files(
            made.session, actor().account_id, client_token(), counts, here.upload_quota, here.clock()
        )
        seconds = here.settings.upload_url_seconds
        targets = [
            UploadTarget(
                upload_url=bucket_uploads.upload_url(here.storage, slot.key, seconds),
                file_path=slot.key,
                index=slot.index,
                type=slot.type,
            )
            for slot in slots
        ]
        made.answer = answer = UploadSessionAnswer(
            upload_session_id=upload_session.id,
            interior_urls=[each for each in targets if each.type is PhotoType.INTERIOR],
            exterior_urls=[each for each in targets if each.type is PhotoType.EXTERIOR],
            expires_in=seconds,
            message=UPLOAD_MESSAGE,
        )
    return answer


def _read_counts(content: dict[str, object]) -> dict[PhotoType, int]:
    """The count of files of each type in the request. Raises InvalidFields, also when there are none."""
    wanted = read_model(ClientUploadRequest, content)
    counts = {PhotoType.INTERIOR: wanted.interior_count, PhotoType.EXTERIOR: wanted.exterior_count}
    if not any(counts.values()):
        raise InvalidFields([Fault(("interiorCount",), FaultCode.NO_COUNT)])
    return counts
