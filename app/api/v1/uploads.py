"""Upload URLs, step 1 of an order from uploads."""

from flask import Blueprint

from app.api.v1.answers import UploadSessionAnswer, UploadTarget
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.catalogue import PhotoType
from app.domain.order_rules import read_upload_request
from app.domain.orders import UploadRequest
from app.models import UploadSession
from app.services import uploads
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container

blueprint = Blueprint("uploads_v1", __name__)

MESSAGE = "PUT each file to its uploadUrl, then create the order with this uploadSessionId."


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/orders/upload-urls",
        scope=Scope.ORDERS_WRITE,
        summary="Get signed URLs to upload photos to (step 1 of 3)",
        body=UploadRequest,
        example={"interiorCount": 1, "exteriorCount": 1},
        answer=UploadSessionAnswer,
    ),
)
def create_upload_urls() -> UploadSessionAnswer:
    """Make room for the photos and sign a URL for each."""
    wanted = read_upload_request(json_object())
    here = container()
    with here.database.unit_of_work() as session:
        counts = (wanted.interior_count, wanted.exterior_count)
        room = uploads.open_session(session, actor().account_id, here.clock(), *counts)
    seconds = here.settings.upload_url_seconds
    return UploadSessionAnswer(
        upload_session_id=room.id,
        interior_urls=_targets(room, PhotoType.INTERIOR),
        exterior_urls=_targets(room, PhotoType.EXTERIOR),
        expires_in=seconds,
        message=MESSAGE,
    )


def _targets(room: UploadSession, photo_type: PhotoType) -> list[UploadTarget]:
    here = container()
    seconds = here.settings.upload_url_seconds
    return [
        UploadTarget(
            upload_url=here.storage.upload_url(slot.key, seconds),
            file_path=slot.key,
            index=slot.index,
            type=slot.type,
        )
        for slot in uploads.slots(room)
        if slot.type is photo_type
    ]
