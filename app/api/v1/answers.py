"""What the API answers, field by field as the interface names it."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated

from pydantic import Field, PlainSerializer, WithJsonSchema

from app.domain.catalogue import Enhancement, PhotoType
from app.domain.events import EventName, iso, number
from app.domain.lifecycle import Status
from app.domain.wire import Answer

UPLOAD_MESSAGE = "PUT each file to its uploadUrl, then create the order with this uploadSessionId."
ORDER_MESSAGE = "Order created; ask for the job's status every 30 seconds."
CreditsNumber = Annotated[Decimal, PlainSerializer(number), WithJsonSchema({"type": "number"})]
Moment = Annotated[datetime, PlainSerializer(iso), WithJsonSchema({"type": "string", "format": "date-time"})]


class UploadTarget(Answer):
    """Where one photo is to be PUT."""

    upload_url: str
    file_path: str
    index: int
    type: PhotoType


class UploadSessionAnswer(Answer):
    """Upload URLs for one order."""

    upload_session_id: str
    interior_urls: list[UploadTarget]
    exterior_urls: list[UploadTarget]
    expires_in: int = Field(description="Seconds for which the URLs hold.")
    message: str


class Asset(Answer):
    """One photo of a job."""

    id: str
    file_name: str
    type: PhotoType
    index: int


class OrderResult(Answer):
    """The job that an order became."""

    success: bool
    job_id: str
    status: Status
    credit_cost: CreditsNumber
    photos_uploaded: int
    assets: list[Asset]
    message: str
    credits_refunded: CreditsNumber | None = None


class QuoteLineAnswer(Answer):
    """One line of a price."""

    label: str
    enhancement: Enhancement | None = None
    quantity: int
    unit_credits: CreditsNumber
    credits: CreditsNumber


class QuoteAnswer(Answer):
    """What an order would cost."""

    credit_cost: CreditsNumber
    lines: list[QuoteLineAnswer]
    warnings: list[str]


class ProgressAnswer(Answer):
    """How far a job is."""

    total: int
    completed: int
    percentage: int


class UndeliverableAnswer(Answer):
    """Why nothing usable came out."""

    reason: str
    credits_refunded: CreditsNumber


class JobStatusAnswer(Answer):
    """Where a job stands."""

    job_id: str
    status: Status
    progress: ProgressAnswer
    created_at: Moment
    error: str | None = None
    undeliverable: UndeliverableAnswer | None = None
    credits_refunded: CreditsNumber | None = None


class ImageAnswer(Answer):
    """One approved picture."""

    id: str
    file_name: str
    type: str = Field(pattern="^generated_(exterior|interior)$")
    url: str
    original_url: str
    width: int
    height: int
    bytes: int
    enhancements: list[Enhancement]


class DownloadAnswer(Answer):
    """Every approved picture of a job."""

    job_id: str
    address: str
    image_count: int
    images: list[ImageAnswer]


class Profile(Answer):
    """Whose account it is."""

    name: str
    email: str


class CreditAccount(Answer):
    """An account's balance."""

    credits: CreditsNumber
    profile: Profile


class WebhookAnswer(Answer):
    """A registered receiver; `secret` stands only in the answer to its registration."""

    id: str
    url: str
    events: list[EventName]
    active: bool
    secret: str | None = None
    created_at: Moment


class WebhookList(Answer):
    """All receivers of the account."""

    webhooks: list[WebhookAnswer]


class WebhookDeleted(Answer):
    """A receiver that is no more."""

    success: bool
    id: str


class PhotoCount(Answer):
    """How many photos a job has."""

    interior: int
    exterior: int


class EventData(Answer):
    """The job an event tells of, as it stood right after."""

    job_id: str
    status: Status
    profile_id: str
    address: str
    credit_cost: CreditsNumber
    photo_count: PhotoCount
    timestamp: Moment


class EventBody(Answer):
    """What is sent to a webhook."""

    event: EventName
    timestamp: Moment
    data: EventData


class ErrorAnswer(Answer):
    """The one shape of every refusal."""

    error: str
    code: str
    message: str
    request_id: str
    details: dict[str, str | float] | None = None
    status: str | None = None
    job_id: str | None = None
