"""The query parameter `wait`: the answer is sent once the job or upload session is ready, or the time is over."""

from typing import Annotated

from flask import request
from pydantic import Field

from app.domain.request_limits import Request
from app.web.authentication import actor
from app.web.bodies import read_model
from app.web.parking import MAX_WAIT_SECONDS, Wait, find_parking


class WaitQuery(Request):
    """The query parameter of requests that may wait."""

    wait: Annotated[int, Field(ge=1, le=MAX_WAIT_SECONDS)] | None = Field(
        default=None, description="For how many seconds the answer may wait."
    )


def wait_for(subject_id: str, *, needed: bool) -> None:
    """Keep a request with `wait` until the job or upload session is ready, if waiting is `needed` now. Raises
    InvalidFields for a malformed `wait`, also if it is not needed.
    """
    # These requests have never refused unknown parameters, so they accept them.
    query = read_model(WaitQuery, {name: text for name, text in request.args.items() if name == "wait"})
    if needed and query.wait is not None and (parking := find_parking()):
        parking.keep(Wait(actor().account_id, subject_id, query.wait))
