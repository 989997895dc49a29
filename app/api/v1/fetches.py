"""The files of an upload session that are fetched from URLs: which have arrived, and why others have not."""

from enum import StrEnum

from flask import Blueprint
from pydantic import Field

from app.api.v1.operations import Operation, serve
from app.api.v1.waits import WaitQuery, wait_for
from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.errors import Conflict, NotFound
from app.domain.fetches import FETCH_SECONDS, MAX_REDIRECTS, MESSAGES, FetchFault
from app.domain.fields import FilePath, SessionId
from app.models import FetchedFile
from app.services.orders import upload_groups
from app.services.uploads import fetches, uploads
from app.web.authentication import actor
from app.web.context import container

blueprint = Blueprint("fetches_v1", __name__)


class FetchStatus(StrEnum):
    """The status of a file that is fetched."""

    FETCHING = "fetching"
    STORED = "stored"
    FAILED = "failed"


class FetchedFileAnswer(WireAnswer):
    """A file that is fetched."""

    file_path: FilePath
    status: FetchStatus = Field(description="An order takes files that are `stored`.")
    code: FetchFault | None = Field(default=None, description="Why it `failed`, for programs.")
    message: str | None = Field(default=None, description="The same for people.")
    http_status: int | None = Field(
        default=None, description="Of the last answer of its server, where the file `failed` by it."
    )


class FetchesAnswer(WireAnswer):
    """The files of an upload session that are fetched."""

    upload_session_id: SessionId
    files: list[FetchedFileAnswer]


NOTES = f"""Each file is asked for with GET, without cookies, credentials or encodings, up to three times where its
server fails (5xx, 408, 425, 429), cannot be reached, or does not send the whole file within {FETCH_SECONDS}
seconds. At most {MAX_REDIRECTS} redirects are followed. A file is checked as one that is uploaded. It is left out
here once another file was PUT in its place. With `wait` the answer comes as soon as no file is being fetched any
longer, or when the time is over."""


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/orders/{uploadSessionId}/fetches",
        scope=Scope.ORDERS_WRITE,
        summary="Ask which files by URL have come",
        answer=FetchesAnswer,
        list_query=WaitQuery,
        notes=NOTES,
        refusals=(NotFound, Conflict),
    ),
)
def list_fetches(upload_session_id: str) -> FetchesAnswer:
    """The files of the account's upload session that are fetched. A request with `wait` is kept until all have
    arrived or failed.
    """
    here = container()
    with here.database.read_session() as session:
        upload_session = upload_groups.get_open(session, actor().account_id, upload_session_id)
        found = fetches.get_all(session, upload_session_id)
    wait_for(upload_session_id, needed=any(map(fetches.is_working, found.values())))
    keys = (slot.key for slot in uploads.list_slots(upload_session))
    return FetchesAnswer(
        upload_session_id=upload_session_id, files=[_answer(found[key]) for key in keys if key in found]
    )


def _answer(row: FetchedFile) -> FetchedFileAnswer:
    ended = FetchStatus.FAILED if row.fault else FetchStatus.STORED
    return FetchedFileAnswer(
        file_path=row.key,
        status=FetchStatus.FETCHING if fetches.is_working(row) else ended,
        code=row.fault,
        message=MESSAGES[row.fault] if row.fault else None,
        http_status=row.http_status,
    )
