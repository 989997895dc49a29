"""Proposes which uploaded files are frames of one photo, as an order names them."""

from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any

from flask import Blueprint, request
from pydantic import Field, ValidationError

from app.api.v1.answers import OrAbsent
from app.api.v1.examples import example_of
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.errors import Conflict, InvalidFields, NotFound
from app.domain.field_errors import Fault, shape_faults
from app.domain.fields import FilePath
from app.domain.lifecycle import Status
from app.domain.order_files import GroupsRequest
from app.services.orders import upload_groups
from app.services.orders.upload_groups import UploadGroups
from app.services.uploads import uploads
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container
from app.web.group_messages import GROUP_MESSAGES
from engine.grouping.merge_obstacles import GroupProblemCode
from engine.types.enhancements import PhotoType

blueprint = Blueprint("photo_groups_v1", __name__)


class GroupsStatus(StrEnum):
    """Whether all files were analyzed."""

    PENDING = Status.PENDING.value
    READY = "ready"


class GroupedFileAnswer(WireAnswer):
    """One file as the order names it."""

    file_path: str
    file_name: str | None = None
    group: str | None = Field(default=None, description="What the frames of one photo have in common.")


class GroupProblemAnswer(WireAnswer):
    """Why files were not put into one group, or which frame a group lacks."""

    code: GroupProblemCode = Field(description="For programs. New codes may come.")
    message: str = Field(description="For people.", examples=[GROUP_MESSAGES[GroupProblemCode.MISSING_EXPOSURE]])
    file_paths: list[FilePath]


class GroupsAnswer(WireAnswer):
    """The files of an upload session as photos."""

    status: GroupsStatus = Field(description="`pending`: ask again in some seconds; until then there are no lists.")
    pending_count: Annotated[int | None, OrAbsent] = Field(
        default=None, description="How many files were not looked at yet."
    )
    interior_files: list[GroupedFileAnswer] | None = Field(
        default=None, description="For the order as they are; the frames of a photo follow each other."
    )
    exterior_files: list[GroupedFileAnswer] | None = Field(default=None, description="The same outside.")
    problems: list[GroupProblemAnswer] | None = None


def _status(answer: WireAnswer) -> int:
    pending = isinstance(answer, GroupsAnswer) and answer.status is GroupsStatus.PENDING
    return HTTPStatus.ACCEPTED if pending else HTTPStatus.OK


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/orders/{uploadSessionId}/groups",
        scope=Scope.ORDERS_WRITE,
        summary="Propose which uploaded files are frames of one photo",
        body=GroupsRequest,
        answer=GroupsAnswer,
        answer_example={
            "status": GroupsStatus.READY,
            "interiorFiles": [
                {**each, "group": "interior-0"} for each in example_of(GroupsRequest)["interiorFiles"]
            ],
            "exteriorFiles": [],
            "problems": [example_of(GroupProblemAnswer)],
        },
        refusals=(NotFound, Conflict),
        status_of=_status,
        other_statuses={202: "Files are still being looked at."},
        notes="Exposures of one view, taken one after the other, with or without flash, are grouped; a file "
        "for which this is not sure stays a photo of its own. The lists are ready to be sent in the order. "
        "Nothing is charged or kept. 202 with `status` `pending` until every file was looked at.",
    ),
)
def propose_groups(upload_session_id: str) -> GroupsAnswer:
    """The proposal for the files that are uploaded to the session now."""
    content = json_object() if request.content_length != 0 else {}
    try:
        wanted = GroupsRequest.model_validate({key: each for key, each in content.items() if each is not None})
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, GroupsRequest).values()) from None
    idempotency.begin({"session": upload_session_id, **content})
    here, account_id = container(), actor().account_id
    with here.database.read_session() as session:
        upload_session = upload_groups.get_open(session, account_id, upload_session_id)
    _take_in(account_id, upload_session_id, wanted, [slot.key for slot in uploads.list_slots(upload_session)])
    found = uploads.list_files(here.storage, upload_session_id)
    with here.database.unit_of_work() as session:
        upload_session = upload_groups.get_open(session, account_id, upload_session_id)
        files = upload_groups.choose_files(upload_session, wanted, found)
        return _answer(upload_groups.propose(session, upload_session_id, files, here.clock()))


def _take_in(account_id: str, session_id: str, wanted: GroupsRequest, all_keys: list[str]) -> None:
    """Take over files that were uploaded directly to the bucket, after checking them. Raises InvalidFields with the
    place of each refused file in the request.
    """
    named: dict[Any, str] = {
        (f"{kind}Files", place, "filePath"): file.file_path
        for kind in PhotoType
        for place, file in enumerate(wanted.files(kind))
    }
    named = named or {(key,): key for key in all_keys}
    refused = container().bucket_intake.take_in(account_id, session_id, named.values())
    if refused:
        raise InvalidFields(Fault(where, refused[key]) for where, key in named.items() if key in refused)


def _answer(found: UploadGroups) -> GroupsAnswer:
    if found.pending:
        return GroupsAnswer(status=GroupsStatus.PENDING, pending_count=found.pending)
    return GroupsAnswer(
        status=GroupsStatus.READY,
        interior_files=[GroupedFileAnswer.model_validate(each) for each in found.files[PhotoType.INTERIOR]],
        exterior_files=[GroupedFileAnswer.model_validate(each) for each in found.files[PhotoType.EXTERIOR]],
        problems=[
            GroupProblemAnswer(code=each.code, message=GROUP_MESSAGES[each.code], file_paths=list(each.ids))
            for each in found.problems
        ],
    )
