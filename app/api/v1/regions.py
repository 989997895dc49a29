"""Regions: what a photo shows, and what each step would do to it; for photos before and after they are ordered."""

from http import HTTPStatus

from flask import Blueprint

from app.api.v1.operations import Operation, serve
from app.api.v1.presets import find_preset
from app.api.v1.region_answers import RegionsAnswer, RegionsStatus, answer_outlook
from app.api.v1.region_examples import READY, REQUEST
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.errors import Conflict, InvalidFields, NotFound, OutlooksExceeded
from app.domain.field_errors import Fault
from app.domain.order_rules import read_regions_request
from app.domain.region_requests import RegionsRequest
from app.services.orders import upload_groups, upload_outlooks
from app.services.photos import photo_outlooks
from app.services.previews import outlooks
from app.services.previews.outlooks import MAX_KEPT, MAX_WAITING
from app.services.uploads import uploads
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container

blueprint = Blueprint("regions_v1", __name__)

_NOTES = (
    f"202 with `status` `pending` until our workers looked at the photo, mostly some seconds. At most "
    f"{MAX_WAITING} photos of an account wait at a time; of a photo the newest {MAX_KEPT} answers are kept."
)


def _status(answer: WireAnswer) -> int:
    pending = isinstance(answer, RegionsAnswer) and answer.status is RegionsStatus.PENDING
    return HTTPStatus.ACCEPTED if pending else HTTPStatus.OK


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/orders/{uploadSessionId}/regions",
        scope=Scope.ORDERS_WRITE,
        summary="Ask what we see in an uploaded photo, and what an order would do to it",
        body=RegionsRequest,
        example=REQUEST,
        answer=RegionsAnswer,
        answer_example=READY,
        refusals=(NotFound, Conflict, OutlooksExceeded),
        status_of=_status,
        other_statuses={202: "The photo is still being looked at."},
        notes=f"The body is an order with this one photo, and is checked like one. Nothing is charged. {_NOTES}",
    ),
)
def read_regions(upload_session_id: str) -> RegionsAnswer:
    """Read the regions of a photo in an upload session that is not ordered yet."""
    content = json_object()
    scoped = {"session": upload_session_id, **content}
    photo = read_regions_request(content, find_preset(content, scoped)).photo
    idempotency.begin(scoped)
    here, account_id, named = container(), actor().account_id, upload_outlooks.list_named(photo)
    with here.database.read_session() as session:
        upload_groups.get_open(session, account_id, upload_session_id)
    refused = here.bucket_intake.take_in(account_id, upload_session_id, named.values())
    if refused:
        raise InvalidFields(Fault(where, refused[key]) for where, key in named.items() if key in refused)
    found = uploads.stat_files(here.storage, upload_session_id, named.values())
    uploads.require(named, found, upload_session_id)
    subject = upload_outlooks.make_subject(account_id, upload_session_id, photo, found)
    with here.database.unit_of_work() as session:
        upload_groups.get_open(session, account_id, upload_session_id)
        return answer_outlook(outlooks.request(session, subject, here.clock()))


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/jobs/{jobId}/photos/{photoId}/regions",
        scope=Scope.JOBS_READ,
        summary="Ask what we see in a photo of a job, and what its steps would do",
        answer=RegionsAnswer,
        answer_example=READY,
        refusals=(NotFound, OutlooksExceeded),
        status_of=_status,
        other_statuses={202: "The photo is still being looked at."},
        notes="The photos' ids are in the order's `assets` and in the quality report. The steps and hints are "
        f"those of its present picture. {_NOTES}",
    ),
)
def read_photo_regions(job_id: str, photo_id: str) -> RegionsAnswer:
    """Read the regions of a photo of the account's job."""
    here = container()
    with here.database.unit_of_work() as session:
        subject = photo_outlooks.find_subject(session, actor().account_id, job_id, photo_id)
        return answer_outlook(outlooks.request(session, subject, here.clock()))
