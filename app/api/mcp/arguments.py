"""Models of the tools' arguments: names and types. Only the API validates the values."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, StrictStr, StringConstraints

from app.domain.fetches import MAX_FETCHES, MAX_URL
from app.domain.keys import MAX_BUDGET
from app.domain.lifecycle import Status
from app.domain.order_files import MAX_FILE_NAME
from app.domain.request_limits import MAX_FIELDS, AtMost
from engine.types.enhancements import Enhancement, PhotoType

MAX_KEY = 200
"""The longest idempotency key of a tool; the key of the upload session is longer, see orders.py."""
Id = Annotated[StrictStr, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Enhancements = Annotated[list[Enhancement], AtMost(len(Enhancement))]


class Arguments(BaseModel):
    """Base class of a tool's arguments. Unknown names are refused, so that no misspelled argument is ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(Arguments):
    """The arguments of a tool that takes none."""


class RuleArguments(Arguments):
    """The rule to show."""

    rule_id: Id | None = Field(default=None, description="From the list; left out: the list itself.")


class JobArguments(Arguments):
    """The job to show."""

    job_id: Id = Field(description="As `order` or `jobs` gave it.")


class JobsArguments(Arguments):
    """The jobs to list."""

    external_id: Annotated[StrictStr, StringConstraints(max_length=200)] | None = Field(
        default=None, description="Your own id of the order, exactly."
    )
    status: Annotated[list[Status], AtMost(len(Status))] = Field(default_factory=list, description="Any of these.")
    cursor: Annotated[StrictStr, StringConstraints(max_length=200)] | None = Field(
        default=None, description="The nextCursor of the answer before."
    )


class PhotoArgument(Arguments):
    """A photo of an order."""

    type: PhotoType
    url: Annotated[StrictStr, StringConstraints(min_length=1, max_length=MAX_URL)] | None = Field(
        default=None, description="Where the file is: https, on the public internet. We fetch it."
    )
    file_path: Annotated[StrictStr, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, description="In place of url: of a file uploaded by API before, in upload_session_id."
    )
    file_name: Annotated[StrictStr, StringConstraints(max_length=MAX_FILE_NAME)] | None = Field(
        default=None, description="The photo's own name, kept for the result."
    )
    enhancements: Enhancements | None = Field(default=None, description="In place of those for all photos.")


class QuoteArguments(Arguments):
    """An order to be priced."""

    address: Annotated[StrictStr, StringConstraints(max_length=1000)] = Field(
        description="Of the property: street, city, state, ZIP."
    )
    photos: Annotated[list[PhotoArgument], AtMost(MAX_FETCHES)] = Field(min_length=1)
    enhancements: Enhancements = Field(
        default_factory=list, description="For all photos of their group; `enhancements` has ids and prices."
    )
    upload_session_id: Id | None = Field(default=None, description="With file_path of photos.")
    more: Annotated[dict[str, Any], AtMost(MAX_FIELDS)] = Field(
        default_factory=dict,
        description="Any other fields of an order, as in the API: virtualStaging, renovations, options, presetId, "
        "listing, externalId, metadata. Indexes count the photos of a type, from 0.",
    )


class OrderArguments(QuoteArguments):
    """An order to be placed."""

    most_credits: Annotated[StrictInt | StrictFloat, Field(ge=0, le=int(MAX_BUDGET))] = Field(
        description="Refused without a charge if it would cost more. The user must have agreed to it."
    )
    idempotency_key: Annotated[StrictStr, StringConstraints(pattern=rf"^[!-~]{{8,{MAX_KEY}}}$")] = Field(
        description="A new one, such as a UUID, for each order that the user wants. Sent again within a day "
        "with the same arguments it continues, and does not order twice."
    )
